"""Where a value comes from, so that a house value never passes for a published one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class OriginKind(StrEnum):
    """What sort of source a value has."""

    PUBLISHED = "published"
    HOUSE = "house"
    USER = "user"
    EXAMPLE = "example"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a value as its file names it, and what sort of source that is."""

    source: str = ""

    @property
    def kind(self) -> OriginKind:
        """What sort of source it is: by the first word of its text.

        `DYO` names a clause of the rules that ship; `house` values are Laager's own; `example`
        values are made up; everything else is the user's own source.
        """
        first = self.source.split(maxsplit=1)[0].rstrip(",;:.") if self.source else ""
        match first:
            case "":
                return OriginKind.NOWHERE
            case "DYO":
                return OriginKind.PUBLISHED
            case "house":
                return OriginKind.HOUSE
            case "example":
                return OriginKind.EXAMPLE
        return OriginKind.USER

    @property
    def words(self) -> str:
        """The origin for printouts: `published (DYO H1.26)`, `house`."""
        if self.source in ("", "house", "example"):
            return self.kind.value
        return f"{self.kind.value} ({self.source})"
