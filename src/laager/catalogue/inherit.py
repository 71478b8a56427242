"""What a half-squad has from its squad, so that files need not say it twice.

A half-squad without a class, traits or types above and below takes those of the squad that
two of it form: if 4-6-7 is Replaced by 4-4-7, then its 2-4-7 is by the half-squad of 4-4-7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem
from laager.base.files import Document, Where
from laager.catalogue.kinds import DISRUPTED, FANATIC, Kind
from laager.catalogue.model import CatalogueFile, MmcEntry

Source = tuple[Document, CatalogueFile]


@dataclass(frozen=True, slots=True)
class Placed:
    """An MMC entry, completed, and where it stands."""

    entry: MmcEntry
    document: Document
    where: Where

    @property
    def kind(self) -> Kind:
        """The kind of the entry."""
        return Kind(self.entry.kind)

    def problem(self, field: str, what: str, right: str) -> Problem:
        """Return a problem at a field of the entry."""
        return self.document.problem((*self.where, field), what, right)


def completed(sources: Sequence[Source]) -> list[Placed]:
    """Return the MMC of all files in their order; half-squads with what they inherit.

    What cannot be found (the squad does not exist, say) stays None: the checks complain.
    """
    squads = {
        entry.type: entry for _, file in sources for entry in file.squads if entry.kind == "squad"
    }
    return [
        Placed(_complete(entry, squads), document, ("squads", i))
        for document, file in sources
        for i, entry in enumerate(file.squads)
    ]


def _complete(entry: MmcEntry, squads: Mapping[str, MmcEntry]) -> MmcEntry:
    whole = squads.get(entry.whole or "")
    if entry.kind != "half-squad" or whole is None:
        return entry
    got: dict[str, Any] = {
        "grade": whole.grade,
        "replaced": _half_of(whole.replaced, squads),
        "hardened": _half_of(whole.hardened, squads),
        "traits": whole.traits,
    }
    got = {field: value for field, value in got.items() if not getattr(entry, field)}
    if whole.house and not entry.house:
        # A value that follows from a house value is one.
        labels = {"grade": "class"}
        whole_house = whole.house if isinstance(whole.house, list) else [whole.house]
        taken = [labels.get(field, field) for field in got]
        house = True if whole.house is True else [name for name in whole_house if name in taken]
        got["house"] = house
    return entry.model_copy(update=got)


def _half_of(text: str | None, squads: Mapping[str, MmcEntry]) -> str | None:
    if text in (DISRUPTED, FANATIC):
        return text
    squad = squads.get(text or "")
    return squad.half if squad else None
