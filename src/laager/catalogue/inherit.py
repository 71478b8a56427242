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
from laager.catalogue.model import CatalogueFile, House, MmcEntry

Source = tuple[Document, CatalogueFile]


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An MMC entry, completed, and where it stands. `inherited` are fields it has not itself."""

    entry: MmcEntry
    document: Document
    where: Where
    inherited: frozenset[str] = frozenset()

    @property
    def kind(self) -> Kind:
        """The kind of the entry."""
        return Kind(self.entry.kind)

    def problem(self, field: str, message: str, right: str) -> Problem:
        """Return a problem at a field of the entry."""
        return self.document.problem((*self.where, field), message, right)


def complete_entries(sources: Sequence[Source]) -> list[PlacedEntry]:
    """Return the MMC of all files in their order; half-squads with what they inherit.

    What cannot be found (the squad does not exist, say) stays None: the checks complain.
    """
    squads = {entry.type: entry for _, file in sources for entry in file.squads if entry.kind == "squad"}
    placed = []
    for document, file in sources:
        for i, entry in enumerate(file.squads):
            got = _inherit_fields(entry, squads)
            house = {"house": _inherit_house(entry, got, squads)} if got else {}
            full = entry.model_copy(update={**got, **house})
            placed.append(PlacedEntry(full, document, ("squads", i), frozenset(got)))
    return placed


def _inherit_fields(entry: MmcEntry, squads: Mapping[str, MmcEntry]) -> dict[str, Any]:
    """Return the fields that a half-squad takes from its squad, with their values."""
    whole = squads.get(entry.whole or "")
    if entry.kind != "half-squad" or whole is None:
        return {}
    values = {
        "grade": whole.grade,
        "replaced": _half_of(whole.replaced, squads),
        "hardened": _half_of(whole.hardened, squads),
        "traits": whole.traits,
    }
    return {name: value for name, value in values.items() if not getattr(entry, name)}


def _inherit_house(entry: MmcEntry, got: Mapping[str, Any], squads: Mapping[str, MmcEntry]) -> House:
    """Return the house label with what follows from a house value: it is one itself."""
    whole = squads[entry.whole or ""].house
    if entry.house is True or whole is True:
        return True
    taken = {"class" if name == "grade" else name for name in got}
    return [*_house_list(entry.house), *(name for name in _house_list(whole) if name in taken)]


def _house_list(house: House) -> list[str]:
    if isinstance(house, bool):
        return []
    return [house] if isinstance(house, str) else house


def _half_of(text: str | None, squads: Mapping[str, MmcEntry]) -> str | None:
    if text in (DISRUPTED, FANATIC):
        return text
    squad = squads.get(text or "")
    return squad.half if squad else None
