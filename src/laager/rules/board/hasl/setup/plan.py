"""A setup: where each unit of a side goes, and how. Values and pure functions, no questions.

A plan is what the owner answered, put over a proposal: a unit that he does not name sets up as
proposed. SW, Guns and passengers go with whoever has them unless they are placed themselves. What
the rules have against a plan is told by `steps.setup_checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import other
from laager.rules.board.changes import INFANTRY, holders, is_vehicle
from laager.rules.board.hasl.areas import declared_guns
from laager.rules.board.hasl.buying.groups import in_reserve, line_of
from laager.rules.board.hasl.buying.upgrades import UPGRADES
from laager.rules.board.hasl.buying.works import HIP
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import IMMOBILE, is_fixed, measured
from laager.rules.board.places import ROOMS, can_enter, hex_of, location_named, room_of, rooms_of
from laager.rules.board.setup.hiding import HIDES, NONE
from laager.rules.board.units import Fort, Mark, Place, Unit

STATES: Mapping[str, Mark] = {
    "hooked": Mark.HOOKED,
    "limbered": Mark.LIMBERED,
    "dm": Mark.DISMANTLED,
    "bu": Mark.BUTTONED_UP,
    "ce": Mark.CREW_EXPOSED,
    "abandoned": Mark.ABANDONED,
}
"""How a Gun, SW or vehicle may set up, and the marker for it."""

Reason = tuple[str, str]
"""What is wrong, and what would be right."""


@dataclass(frozen=True)
class Placed:
    """Where a unit sets up.

    `at` is a Location, `entry` the arrow hex of the Entry Area by which it comes; with neither it
    stays off the map. `hide` says how it sets up (none, concealed, hip, cloaked), `holder` who
    possesses or carries it, `marks` the state it is in. `text` is the Location as written.
    """

    unit: Unit
    at: str = ""
    entry: str = ""
    hide: str = NONE
    holder: str = ""
    marks: frozenset[Mark] = frozenset()
    text: str = ""

    @property
    def somewhere(self) -> bool:
        """Whether it takes part in the scenario, on the map or entering."""
        return bool(self.at or self.entry)


@dataclass(frozen=True)
class Site:
    """A fortification and where it goes."""

    fort: Fort
    at: str
    text: str
    hexside: str
    count: int
    show: bool
    dc: str

    @property
    def room(self) -> str:
        """The Location that it is: of a pillbox or cave, the room inside."""
        return room_of(self.kind, self.at) if self.at else ""

    @property
    def kind(self) -> str:
        """What stands there then: of an upgrade, what it makes."""
        kind = self.fort.kind
        return UPGRADES[kind].new if kind in UPGRADES else kind


class Setting:
    """A side about to set up: what it has to place, and where it may. Nothing here changes.

    `isolated` limits it to what is Isolated (True) or is not (False).
    """

    def __init__(self, cg: Hasl, side: str, isolated: bool | None = None) -> None:
        self.cg, self.side, self.isolated = cg, side, isolated
        self._grounds: dict[str, frozenset[str]] = {}
        self.units: tuple[Unit, ...] = tuple(unit for unit in cg.state.units_of(side) if self._sets_up(unit))
        shut = isolated is True and not any(area.isolated for area in cg.state.areas_of(side))
        self.forts: tuple[Fort, ...] = tuple(
            fort
            for fort in cg.state.forts.values()
            if fort.side == side and fort.at is None and not shut
            if fort.kind != HIP
        )
        self.hip: tuple[Fort, ...] = tuple(
            fort for fort in cg.state.forts.values() if fort.side == side and fort.kind == HIP
        )

    def _sets_up(self, unit: Unit) -> bool:
        if unit.place not in (Place.MAP, Place.OFF_MAP) or unit.has(Mark.PRISONER, Mark.WRECK):
            return False
        if self.cg.variant.kept_off(self.cg, unit):
            return False
        return self.isolated is None or is_isolated(self.cg, unit) is self.isolated

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """Its units by their ids."""
        return {unit.id: unit for unit in self.units}

    @property
    def empty(self) -> bool:
        """Whether there is nothing to place."""
        return not (self.units or self.forts)

    # Where --------------------------------------------------------------------------------------

    @cached_property
    def home(self) -> frozenset[str]:
        """The hexes of all its Setup Areas that count now; in the Initial Scenario, the card's."""
        cg, side = self.cg, self.side
        card = cg.hexes(cg.side(side).setup) if cg.initial else frozenset[str]()
        return card or cg.state.friendly(side)

    @cached_property
    def outside(self) -> frozenset[str]:
        """The hexes of Uncontrolled Territory."""
        state = self.cg.state
        return self.cg.map.playable - state.friendly(self.side) - state.friendly(other(self.side))

    @cached_property
    @implements("ER 1.5071", "ER 1.52321", "ER 1.52322")
    def bound(self) -> Mapping[str, str]:
        """Units that have to set up in the very Location where they are, by id, with the reason."""
        declared = declared_guns(self.cg)
        found = {}
        for unit in self.units:
            if not unit.on_map:
                continue
            if unit.id in declared:
                found[unit.id] = "it makes its Location a Strategic Location"
            elif self.cg.variant.guns_fixed and is_fixed(unit):
                found[unit.id] = "a Gun in a pillbox or fortified building is fixed unless it is dm"
            elif self.cg.variant.immobile_stays and is_vehicle(unit) and unit.has(*IMMOBILE):
                found[unit.id] = "an immobile vehicle keeps its Location and VCA"
        return found

    @cached_property
    def enemies(self) -> frozenset[str]:
        """The Locations that hold enemy units of which the side knows."""
        return frozenset(
            unit.at
            for unit in self.cg.state.units.values()
            if unit.side != self.side
            and unit.on_map
            and unit.at
            and unit.known
            and (unit.kind in INFANTRY or is_vehicle(unit))
            and not unit.has(Mark.PRISONER, Mark.WRECK)
        )

    @implements("HASL 28", "HASL 9", "ER CG7(2)")
    def ground(self, unit: Unit) -> frozenset[str]:
        """Return the hexes where a unit may set up by its area; Guns have rules of their own."""
        if unit.id not in self._grounds:
            self._grounds[unit.id] = self._ground(unit)
        return self._grounds[unit.id]

    def _ground(self, unit: Unit) -> frozenset[str]:
        cg = self.cg
        only = cg.variant.setup_hexes(cg, unit)
        if only is not None:
            return only
        area = cg.state.area(self.side, unit.area)
        if area is not None:
            found = frozenset(area.hexes)
        elif unit.on_map and unit.hex:
            found = frozenset({unit.hex})
        else:
            found = frozenset() if unit.area else self.home
        outside = found and cg.variant.sets_up_outside(cg, unit)
        return found | self.outside if outside else found

    @implements("HASL 29", "HASL 7")
    def entries(self, unit: Unit) -> tuple[str, ...]:
        """Return the arrow hexes of the Entry Areas by which a unit may come; none if it can't."""
        if unit.on_map:
            return ()
        waits = in_reserve(self.cg, unit)
        if unit.area and not waits:
            return () if self.cg.state.area(self.side, unit.area) is not None else (unit.area,)
        group = self.cg.state.groups.get((self.side, unit.group))
        line = line_of(self.cg, group) if group is not None else None
        return self.cg.arrows(self.side, line)

    def place_fault(self, unit: Unit, at: str, *, towed: bool = False, dm: bool = False) -> Reason | None:
        """Return why a unit can't set up in a Location; None if it can.

        `towed`: it begins the scenario hooked up to a Mobile vehicle; `dm`: it begins it dm.
        """
        cg = self.cg
        if unit.id in self.bound and at != unit.at:
            return f"{unit.label} must set up in {unit.at}", self.bound[unit.id]
        if at == unit.at and unit.on_map and self._may_stay(unit):
            return None
        if not can_enter(cg, unit, at):
            return f"{unit.label} cannot stand in {at}", "a Location that it can enter"
        if at in self.enemies:
            return f"{at} holds enemy units", "choose another Location"
        found = self._gun_fault(unit, at, towed=towed, dm=dm)
        return found if found is not None else self._area_fault(unit, at)

    def _may_stay(self, unit: Unit) -> bool:
        assert unit.hex is not None
        return unit.id in self.bound or unit.kind == "gun" or unit.hex in self.ground(unit)

    def _gun_fault(self, unit: Unit, at: str, *, towed: bool, dm: bool) -> Reason | None:
        if not measured(self.cg, unit):
            return None
        found = self.cg.variant.gun_problem(self.cg, unit, at, towed=towed, dm=dm)
        return (found.what, found.right) if found is not None else None

    def _area_fault(self, unit: Unit, at: str) -> Reason | None:
        name = hex_of(at)
        if unit.on_map and measured(self.cg, unit) and not is_isolated(self.cg, unit):
            # The radius has said in which areas it may be.
            only = self.cg.variant.setup_hexes(self.cg, unit)
            if only is None or name in only:
                return None
        ground = self.ground(unit)
        if name in ground:
            return None
        entries = self.entries(unit)
        if not ground and entries:
            return f"{unit.label} does not set up on the map", f"it enters by {'; '.join(entries)}"
        where = unit.area or ("its hex" if unit.on_map else "your Setup Areas")
        return f"{name} is outside {where}, where {unit.label} sets up", "a hex inside it"


# Units --------------------------------------------------------------------------------------------


def is_isolated(cg: Hasl, unit: Unit) -> bool:
    """Whether a unit is Isolated, by itself or with whoever has it."""
    first = [unit, *holders(cg, unit)][-1]
    area = cg.state.area(first.side, first.area)
    return first.has(Mark.ISOLATED) or (area is not None and area.isolated)


@implements("HASL 28")
def gun_problem(cg: Hasl, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
    """Return why a Gun that was on map can't set up in a Location; None if radius and area let it.

    Within the radius in a Friendly Setup Area, or a smaller one (if any) in Uncontrolled Territory.
    A Gun that is free of the radius sets up in any Friendly Setup Area.
    """
    assert gun.spot is not None, "only a Gun that was on map is bound to a place"
    rules, name, ended = cg.variant, hex_of(target), hex_of(gun.spot)
    away = cg.map.distance(ended, name)
    if name in cg.state.friendly(other(gun.side)):
        return Problem(f"{name} is in an Enemy Setup Area", "set it up elsewhere")
    friendly = name in cg.state.friendly(gun.side)
    most = rules.gun_radius if friendly else rules.gun_radius_outside
    if friendly and (most is None or rules.gun_free(cg, gun, dm=dm) or (towed and rules.towed_free)):
        return None
    if most is None:
        return Problem(f"{name} is in no Friendly Setup Area", "Guns set up in one")
    if away <= most:
        return None
    where = "in a Friendly Setup Area" if friendly else "in Uncontrolled Territory"
    return Problem(f"{name} is {away} hexes from {ended}", f"at most {most} {where}")


# The plan -----------------------------------------------------------------------------------------


class Plan:
    """An answer to the setup question: where everything goes. Nothing here changes."""

    def __init__(self, setting: Setting, answer: Mapping[str, Any], proposed: Mapping[str, Placed]) -> None:
        self.setting, self.cg, self.side = setting, setting.cg, setting.side
        self.rows: Sequence[Mapping[str, Any]] = answer.get("units", ())
        sites: Sequence[Mapping[str, Any]] = answer.get("forts", ())
        forts = {fort.id: fort for fort in setting.forts}
        # Where somebody stands is a Location, whatever the map says.
        rooms = rooms_of(self.cg, self.side) | {unit.at for unit in setting.units if unit.at}
        self.rooms = frozenset(rooms)
        self.sites = tuple(self._site(row, forts[row["fort"]]) for row in sites)
        self.rooms |= {site.room for site in self.sites if site.kind in ROOMS and site.room}
        self.modules: tuple[Mapping[str, Any], ...] = tuple(answer.get("modules", ()))
        self.number = {row["unit"]: number for number, row in enumerate(self.rows, 1)}
        self.own: dict[str, Placed] = {unit.id: _led(proposed.get(unit.id, Placed(unit))) for unit in setting.units}
        for row in self.rows:
            self.own[row["unit"]] = self._placed(row)
        self.placed: Mapping[str, Placed] = {name: self._whole(name) for name in self.own}

    def where(self, unit: str, field: str = "") -> str:
        """Return the row of the answer that says where a unit goes: its own, or its holder's."""
        for name in (unit, *(one.id for one in self._holders(unit))):
            if name in self.number:
                row = f"units[{self.number[name]}]"
                return f"{row}.{field}" if field else row
        return "units"

    def _holders(self, name: str) -> Iterator[Unit]:
        seen = {name}
        holder = self.own[name].holder if name in self.own else ""
        while holder in self.own and holder not in seen:
            seen.add(holder)
            yield self.own[holder].unit
            holder = self.own[holder].holder

    def _location(self, text: str) -> str:
        return (location_named(self.cg, text, self.rooms) or "") if text else ""

    def _site(self, row: Mapping[str, Any], fort: Fort) -> Site:
        at, text = self._location(row["at"]), row["at"]
        return Site(fort, at, text, row["hexside"], row["count"], row["show"], row["dc"])

    def _placed(self, row: Mapping[str, Any]) -> Placed:
        unit = self.setting.by_id[row["unit"]]
        marks = frozenset(STATES[name] for name in row["state"])
        at = self._location(row["at"])
        return Placed(unit, at, row["entry"], row["hide"], row["with"], marks, row["at"])

    def _whole(self, name: str, seen: tuple[str, ...] = ()) -> Placed:
        """Return where a unit goes with whoever has it; who must hide does on the map."""
        one = self.own[name]
        carrier = self.carrier(one)
        if name in seen or carrier is None:
            return self._forced(one)
        if one.holder in self.own:
            first = self._whole(one.holder, (*seen, name))
        else:
            first = Placed(carrier, carrier.at or "", hide=hiding_of(carrier))
        if one.somewhere or one.text:
            return replace(one, hide=first.hide)
        return replace(one, at=first.at, entry=first.entry, hide=first.hide)

    def _forced(self, one: Placed) -> Placed:
        mark = self.cg.variant.must_hide(self.cg, one.unit) if one.at else None
        ways = {value: way for way, value in HIDES.items()}
        return replace(one, hide=ways[mark]) if mark is not None else one

    def carrier(self, one: Placed) -> Unit | None:
        """Return who has a unit; None if nobody of its side does: of the enemy nothing is told."""
        return holder_of(self.cg, one)

    # What follows from it -----------------------------------------------------------------------

    @cached_property
    def works(self) -> Mapping[str, frozenset[str]]:
        """The kinds of fortifications that this plan places, by Location."""
        found: dict[str, set[str]] = {}
        for site in self.sites:
            if site.room:
                found.setdefault(site.room, set()).add(site.kind)
        return {at: frozenset(kinds) for at, kinds in found.items()}

    def leads(self) -> Iterator[Placed]:
        """Return who sets up by himself, in the order of the record."""
        return (one for one in self.placed.values() if not one.holder)

    def with_(self, name: str) -> Iterator[Placed]:
        """Return what and who sets up with a unit."""
        return (one for one in self.placed.values() if one.holder == name)

    def guns_of(self, name: str) -> Iterator[Placed]:
        """Return the Guns that a unit mans."""
        return (one for one in self.with_(name) if one.unit.kind == "gun")

    def towed(self, one: Placed) -> bool:
        """Whether a Gun is hooked up to a Mobile vehicle."""
        carrier = self.carrier(one)
        hooked = Mark.HOOKED in one.marks and carrier is not None and is_vehicle(carrier)
        return hooked and carrier is not None and not carrier.has(*IMMOBILE, Mark.ABANDONED)


def holder_of(cg: Hasl, one: Placed) -> Unit | None:
    """Return the unit of the same side that has another one; None if there is none such."""
    found = cg.state.units.get(one.holder)
    return found if found is not None and found.side == one.unit.side else None


def _led(one: Placed) -> Placed:
    """Return a proposal that leaves to the holder where a unit with somebody goes."""
    return replace(one, at="", entry="") if one.holder else one


def hiding_of(unit: Unit) -> str:
    """Return the way in which a unit hides now."""
    return next((way for way, mark in HIDES.items() if mark in unit.marks), NONE)


def states_of(marks: Iterable[Mark]) -> list[str]:
    """Return the names of the states among markers."""
    held = frozenset(marks)
    return [name for name, mark in STATES.items() if mark in held]
