"""What all entries of a catalogue have: a key, a remark, and where their values come from.

A house value is never shown as a published one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar

from pydantic import model_validator

from laager.base import WrongValueError, did_you_mean
from laager.base.files import FilePart
from laager.catalogue.dyo import fields as f


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


ABOUT = frozenset({"type", "vehicle", "year", "note", "source", "sources"})
"""Fields of an entry that are not values with an origin of their own."""


class CatalogueEntry(FilePart):
    """One thing of a section. `source` and `sources`, field by field, say where values are from."""

    keys: ClassVar[tuple[str, ...]] = ("type",)

    note: f.Note = ""
    source: f.Source = ""
    sources: f.Sources = {}

    @model_validator(mode="after")
    def _sources_name_fields(self) -> CatalogueEntry:
        known = [name for name in self.names() if name not in ABOUT]
        for name in self.sources:
            if name not in known:
                raise WrongValueError(f"sources name {name!r}", did_you_mean(name, known, "known are"))
        return self

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of its fields as files write them."""
        return tuple(info.alias or name for name, info in cls.model_fields.items())

    @classmethod
    def field_of(cls, name: str) -> str:
        """Return the attribute of a field that files name so."""
        return {info.alias or field: field for field, info in cls.model_fields.items()}[name]

    @classmethod
    def is_dated(cls, name: str) -> bool:
        """True if a field has a value for each month, by its name in files."""
        return "Series[" in str(cls.model_fields[cls.field_of(name)].annotation)

    @property
    def key(self) -> str:
        """What tells it from the other entries of its section."""
        return ": ".join(str(getattr(self, name)) for name in self.keys)

    def given_fields(self) -> Iterator[str]:
        """Yield the fields that it gives a value to, as files name them."""
        given = self.model_fields_set
        return (written for field, written in _values(type(self)) if field in given)

    def origin(self, field: str) -> Origin:
        """Return where the value of a field comes from, by the field's name in files."""
        return Origin(self.sources.get(field, self.source))

    def plain(self) -> dict[str, Any]:
        """Return it as plain data, as a file would have it: what it is, its values, remarks."""
        data = self.model_dump(by_alias=True, exclude_unset=True)
        last = ("note", "source", "sources")
        order = (*self.keys, *(name for name in data if name not in (*self.keys, *last)), *last)
        return {name: data[name] for name in order if name in data}


@cache
def _values(model: type[CatalogueEntry]) -> tuple[tuple[str, str], ...]:
    """Return the fields that have an origin of their own, each with its name in files."""
    pairs = ((field, info.alias or field) for field, info in model.model_fields.items())
    return tuple(pair for pair in pairs if pair[1] not in ABOUT)


class Typed(CatalogueEntry):
    """An entry whose key is its type."""

    type: f.Type
