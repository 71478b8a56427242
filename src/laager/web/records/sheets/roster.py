"""Units as a seat knows them: by unit, by group, by Location; what each went through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap import split_location
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING, IN_PLAY, Mark, Unit
from laager.web.campaigns import scenes
from laager.web.records.map.hexes import knows_secrets_of
from laager.web.shared.counters import CounterSheet

if TYPE_CHECKING:
    from laager.web.campaigns.tables import Table

HIDDEN_MARKS = frozenset({Mark.HARDENED, Mark.REDEPLOYED})
"""Marks that only keep the books."""

PLACES = {
    "map": "on the map", "off-map": "off the map", "pool": "in the pool", "patrol": "on patrol",
    "recalled": "Recalled", "eliminated": "eliminated", "captured": "captured",
    "evacuated": "evacuated", "removed": "removed",
}  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """A unit as the viewer knows it; `where` is a Location, or where else it is in words."""

    id: str
    side: str
    label: str
    type: str
    name: str
    kind: str
    nation: str
    group: str
    where: str
    hex: str
    area: str
    with_unit: str
    companion: str
    """What the unit that it is with is called, if the viewer knows that one."""
    marks: tuple[str, ...]
    lost: bool
    hidden: bool
    since: int
    fought: bool
    face: str = ""
    letter: str = ""


def _standing(sheet: CounterSheet, viewer: str, unit: Unit, all_: Mapping[str, Unit]) -> Standing | None:
    """Return a unit as a viewer knows it; None if only that something is there may be told."""
    if unit.has(*HIDING) and not knows_secrets_of(viewer, unit.side):
        return None
    on_map = unit.on_map and unit.at is not None
    companion = all_.get(unit.with_unit)
    looks = sheet.unit(unit)
    return Standing(
        id=unit.id,
        side=unit.side,
        label=sheet.names.name(unit, place=False),
        type=unit.type,
        name=unit.name,
        kind=unit.kind,
        nation=unit.nation,
        group=unit.group,
        where=str(unit.at) if on_map else PLACES[unit.place.value],
        hex=split_location(str(unit.at))[0] if on_map else "",
        area=unit.area,
        with_unit=unit.with_unit,
        companion=sheet.names.name(companion, place=False) if companion else "",
        marks=tuple(sorted(mark.value for mark in unit.marks - HIDDEN_MARKS)),
        lost=unit.place not in IN_PLAY,
        hidden=not unit.known,
        since=unit.since,
        fought=unit.fought,
        face=looks["face"],
        letter=looks["letter"],
    )


def has_units(table: Table) -> bool:
    """Return True if the rules have units at all; a purchase has none."""
    return isinstance(table.view.state, BoardState)


def units(table: Table) -> list[Standing]:
    """Return all units that the viewer knows, lost ones too."""
    state = table.view.state
    if not isinstance(state, BoardState):
        return []
    sheet = CounterSheet.of(table.campaign, state, table.view.named)
    standings = (_standing(sheet, table.view.eyes, unit, state.units) for unit in state.units.values())
    return [standing for standing in standings if standing is not None]


def counter_sheet(table: Table, shown: Iterable[Standing]) -> CounterSheet | None:
    """Return the counters of units that a page shows; None if the rules have none."""
    state = table.view.state
    if not isinstance(state, BoardState):
        return None
    sheet = CounterSheet.of(table.campaign, state, table.view.named)
    for standing in shown:
        sheet.unit(state.units[standing.id])
    return sheet


def unit(table: Table, name: str) -> Standing | None:
    """Return a unit as it stands now; None if the viewer does not know."""
    return next((unit for unit in units(table) if unit.id == name), None)


# Lists -------------------------------------------------------------------------------------------

BY = ("group", "location", "unit")
SORTS = ("type", "where", "id")
STATES = ("in-play", "lost", "all")


@dataclass(frozen=True)
class RosterFilter:
    """How the list of units is shown: parted by what, in what order, which of them."""

    by: str = "group"
    sort: str = "type"
    side: str = ""
    state: str = "in-play"
    text: str = ""

    def check(self, sides: Sequence[str]) -> None:
        """Raise RefusedError for an unknown choice."""
        for name, value, known in (
            ("by", self.by, BY),
            ("sort", self.sort, SORTS),
            ("state", self.state, STATES),
            ("side", self.side, ("", *sides)),
        ):
            if value not in known:
                advice = did_you_mean(value, known)
                raise RefusedError(Refusal.NO_SUCH, f"units cannot be shown {name} {value!r}", advice)


@dataclass(frozen=True)
class RosterPart:
    """A part of the list: units of one side that have something in common."""

    side: str
    title: str
    about: str
    hex: str
    units: tuple[Standing, ...]


def parts(table: Table, chosen: RosterFilter) -> list[RosterPart]:
    """Return the units that were chosen, in parts. Raises RefusedError for a wrong choice."""
    sides = list(table.ruleset.sides)
    chosen.check(sides)
    words = chosen.text.casefold().split()
    listed = [
        unit
        for unit in units(table)
        if (not chosen.side or unit.side == chosen.side)
        and (chosen.state == "all" or unit.lost == (chosen.state == "lost"))
        and all(word in _search_text(unit) for word in words)
    ]
    key = _order(table, chosen.sort)
    head = _head(table, chosen.by)
    listed.sort(key=lambda unit: (sides.index(unit.side), *head(unit), *key(unit)))
    names = group_names(table) if chosen.by == "group" else {}
    return [
        _part(chosen, side, list(run), names)
        for (side, *_), run in groupby(listed, key=lambda unit: (unit.side, *head(unit)))
    ]


def _part(chosen: RosterFilter, side: str, run: list[Standing], names: Mapping[str, str]) -> RosterPart:
    first = run[0]
    if chosen.by == "group":
        return RosterPart(side, first.group, names.get(first.group, ""), "", tuple(run))
    if chosen.by == "location":
        return RosterPart(side, first.where, "", first.hex, tuple(run))
    return RosterPart(side, "", "", "", tuple(run))


def _search_text(unit: Standing) -> str:
    words = (unit.id, unit.label, unit.type, unit.kind, unit.group, unit.where, *unit.marks)
    return " ".join(words).casefold()


Key = Callable[[Standing], tuple[object, ...]]


def _head(table: Table, by: str) -> Key:
    """Return by what the list is parted."""
    if by == "group":
        return lambda unit: (unit.group == "", _natural(unit.group))
    if by == "location":
        place = _places(table)
        return lambda unit: (not unit.hex, place.get(unit.hex, 0), unit.where)
    return lambda unit: ()


def _order(table: Table, sort: str) -> Key:
    if sort == "where":
        place = _places(table)
        return lambda unit: (not unit.hex, place.get(unit.hex, 0), unit.where, _natural(unit.id))
    if sort == "id":
        return lambda unit: (_natural(unit.id),)
    return lambda unit: (KINDS.get(unit.kind, len(KINDS)), unit.type, _natural(unit.id))


KINDS = {
    kind: place
    for place, kind in enumerate(
        ("squad", "half-squad", "crew", "leader", "commissar", "hero", "armor-leader", "sw", "gun",
         "afv", "vehicle", "oba")
    )
}  # fmt: skip
"""The order of kinds in a list sorted by type."""


def _natural(text: str) -> tuple[str, int, str]:
    """Return a key by which AX9 comes before AX10."""
    letters = text.rstrip("0123456789")
    number = text[len(letters) :]
    return letters, int(number or 0), text


def _places(table: Table) -> Mapping[str, int]:
    """Return where each hex stands in the order of the map."""
    if not scenes.has_map(table):
        return {}
    map_ = scenes.scene_of(table).map
    return {name: i for i, name in enumerate(map_.in_order(map_.hexes))}


def group_names(table: Table) -> Mapping[str, str]:
    """Return what the purchase records call each group, as far as the viewer has them."""
    names: dict[str, str] = {}
    for sheet in table.ruleset.sheets(table.campaign.context, table.view.state):
        titles = [column.title for column in sheet.columns]
        for key, about in NAMED_BY if sheet.id == "purchases" else ():
            if key in titles and about in titles:
                own, name = titles.index(key), titles.index(about)
                names |= {row[own]: row[name] for row in sheet.rows}
    return names


NAMED_BY = (("ID", "Description"), ("RG ID", "Group Type"))
"""The columns of purchase records that name a group, and say what it is."""
