"""What a side wants to set up, and where: the answer to the setup question as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from laager.rules.board.changes import INFANTRY
from laager.rules.board.places import ENTRENCHMENTS, ITEMS, ROOMS, hex_of, location_named, room_of, rooms_of
from laager.rules.board.setup.hiding import CLOAKED, QUESTION_MARK, entrenched, in_cover, may_conceal
from laager.rules.board.units import Fort, Unit
from laager.rules.platoon_leader.buying.oba import PHONE, modules
from laager.rules.platoon_leader.buying.works import ALLOWANCES, BOOBY_TRAPS, DC, in_reserve
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.rights import SetupGround, Works, eligible, ground_for
from laager.rules.platoon_leader.units import Group

DUMMIES = "reserve-dummies"
"""The name under which the Dummies of the Reserves are placed."""


@dataclass(frozen=True)
class Spot:
    """One row of the answer: a unit, where it goes, how it hides, who has it.

    `at` is a known Location, "" for none; `text` what was written. `holder` is who possesses an SW
    or Gun, or the vehicle that somebody rides.
    """

    unit: Unit
    at: str
    text: str
    hide: str
    holder: str


@dataclass(frozen=True)
class Site:
    """One row of the answer: a fortification and where it goes. `fort` is None for Dummies."""

    fort: Fort | None
    at: str
    text: str
    hexside: str
    count: int
    show: bool
    cloaking: bool
    dc: str

    @property
    def kind(self) -> str:
        """The kind of fortification; Dummies are "?" counters."""
        return QUESTION_MARK if self.fort is None else self.fort.kind

    @property
    def room(self) -> str:
        """The Location that it is: of a pillbox or cave, the room inside."""
        return room_of(self.kind, self.at) if self.at else ""


class Setting:
    """A side about to set up: its ground, and what it has to place. Nothing here changes."""

    def __init__(self, cg: Cg, side: str) -> None:
        self.cg = cg
        self.side = side
        self.units: tuple[Unit, ...] = tuple(eligible(cg, side))
        self.forts: tuple[Fort, ...] = tuple(
            fort
            for fort in cg.state.forts.values()
            if fort.side == side and fort.at is None and fort.kind not in {BOOBY_TRAPS, "hip"}
        )
        self.hip: tuple[Fort, ...] = tuple(
            fort for fort in cg.state.forts.values() if fort.side == side and fort.kind == "hip"
        )
        self.modules: tuple[Group, ...] = tuple(modules(cg, side))

    @cached_property
    def ground(self) -> SetupGround:
        """Where it may set up."""
        return ground_for(self.cg, self.side)

    @cached_property
    def phones(self) -> tuple[Group, ...]:
        """The OBA modules with a field phone, which need a Security Area."""
        return tuple(module for module in self.modules if module.equipment == PHONE)

    @cached_property
    def dcs(self) -> tuple[Unit, ...]:
        """The DC that might be set: of units in play."""
        return tuple(unit for unit in self.cg.state.units_of(self.side, "sw") if unit.type == DC)

    @cached_property
    def dummies(self) -> int:
        """How many Dummies its Reserves of this firefight have (PL 2.33)."""
        number = self.cg.state.fight.number
        groups = self.cg.state.groups_of(self.side)
        present = {unit.group for unit in self.units}
        return sum(g.dummies for g in groups if g.firefight == number and g.id in present)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to decide."""
        return not (self.units or self.forts or self.phones or len(self.modules) > 1)


class Plan:
    """An answer to the setup question: where everything goes. Nothing here changes."""

    def __init__(self, setting: Setting, answer: Mapping[str, Any]) -> None:
        self.setting = setting
        self.cg, self.side = setting.cg, setting.side
        rows: Sequence[Mapping[str, Any]] = answer.get("forts", ())
        forts = {fort.id: fort for fort in setting.forts}
        rooms = rooms_of(self.cg, self.side)
        for row in rows:
            fort = forts.get(row["fort"])
            if fort is not None and fort.kind in ROOMS:
                found = location_named(self.cg, row["at"])
                rooms |= {room_of(fort.kind, found)} if found else set()
        self.rooms = frozenset(rooms)
        self.sites = tuple(self._site(row, forts.get(row["fort"])) for row in rows)
        units = {unit.id: unit for unit in setting.units}
        raw = answer.get("units", ())
        whole = {row["unit"]: self._location(row["at"]) for row in raw}
        self.spots: tuple[Spot, ...] = tuple(self._spot(row, units[row["unit"]], whole) for row in raw)
        self.by_unit = {spot.unit.id: spot for spot in self.spots}
        all_modules = [module.id for module in setting.modules]
        self.modules: tuple[str, ...] = tuple(answer.get("modules", all_modules))
        self.lines: tuple[Mapping[str, Any], ...] = tuple(answer.get("lines", ()))

    def _location(self, text: str) -> str:
        return location_named(self.cg, text, self.rooms) or "" if text else ""

    def _site(self, row: Mapping[str, Any], fort: Fort | None) -> Site:
        return Site(
            fort=fort,
            at=self._location(row["at"]),
            text=row["at"],
            hexside=row["hexside"],
            count=row["count"],
            show=row["show"],
            cloaking=row["cloaking"] or fort is None,
            dc=row["dc"],
        )

    def _spot(self, row: Mapping[str, Any], unit: Unit, whole: Mapping[str, str]) -> Spot:
        """Return a row as a value; who rides a vehicle is where that is if nothing is said."""
        holder = row["with"] or (unit.with_unit if unit.kind in ITEMS else "")
        at = self._location(row["at"])
        if not row["at"] and holder and unit.kind not in ITEMS:
            rider_of = self.cg.state.units.get(holder)
            on_map = rider_of.at if rider_of is not None and rider_of.on_map else None
            at = whole.get(holder, "") or on_map or ""
        return Spot(unit, at, row["at"], row["hide"], holder)

    # Where things are under this plan -----------------------------------------------------------

    def place_of(self, unit_id: str) -> str:
        """Return the Location in which a unit will be; "" if it will not be on the map."""
        spot = self.by_unit.get(unit_id)
        if spot is not None and spot.unit.kind not in ITEMS:
            return spot.at
        unit = self.cg.state.units.get(unit_id)
        return (unit.at or "") if unit is not None and unit.on_map else ""

    @cached_property
    def placed(self) -> tuple[Spot, ...]:
        """The rows that put somebody on the map; SW and Guns go with who has them."""
        return tuple(spot for spot in self.spots if spot.at and spot.unit.kind not in ITEMS)

    @cached_property
    def items(self) -> Mapping[str, str]:
        """Who possesses each SW or Gun that sets up with somebody: item -> holder."""
        found: dict[str, str] = {}
        for unit in self.setting.units:
            if unit.kind in ITEMS:
                spot = self.by_unit.get(unit.id)
                holder = spot.holder if spot is not None else unit.with_unit
                if holder and self.place_of(holder):
                    found[unit.id] = holder
        return found

    def guns_of(self, unit: Unit) -> Iterator[Unit]:
        """Return the Guns that a unit mans."""
        for item, holder in self.items.items():
            gun = self.cg.state.units[item]
            if holder == unit.id and gun.kind == "gun":
                yield gun

    @cached_property
    def works(self) -> Mapping[str, frozenset[str]]:
        """The kinds of fortifications that this plan places, by Location."""
        found: dict[str, set[str]] = {}
        for site in self.sites:
            if site.room:
                found.setdefault(site.room, set()).add(site.kind)
        return {at: frozenset(kinds) for at, kinds in found.items()}

    @cached_property
    def dug(self) -> Works:
        """For which firefights its entrenchments were bought, by Location, placed before or now."""
        found: dict[str, set[int]] = {}
        for fort in self.cg.state.forts.values():
            if fort.side == self.side and fort.kind in ENTRENCHMENTS and fort.at:
                found.setdefault(fort.at, set()).add(fort.firefight)
        for site in self.sites:
            if site.kind in ENTRENCHMENTS and site.fort and site.room:
                found.setdefault(site.room, set()).add(site.fort.firefight)
        return found

    def hide_of(self, spot: Spot) -> str:
        """Return how a unit sets up: Reserves are Cloaked whatever was said (PL 2.33)."""
        return CLOAKED if in_reserve(self.cg, spot.unit) else spot.hide

    def free_question_mark(self, spot: Spot) -> bool:
        """Whether a unit needs no bought "?" to set up concealed, or a doubtful one (CG10, A12)."""
        return may_conceal(self.cg, spot.unit, spot.at, self.works) or self.doubtful(spot)

    def doubtful(self, spot: Spot) -> bool:
        """Whether it depends on LOS or on the night rules that a unit sets up concealed."""
        if may_conceal(self.cg, spot.unit, spot.at, self.works):
            return False
        by_night = self.cg.slot.night is not None
        return by_night or (spot.unit.kind not in INFANTRY and in_cover(self.cg, hex_of(spot.at)))

    def covered(self, location: str) -> bool:
        """Whether somebody may hide in a Location: Concealment Terrain, an entrenchment, night."""
        if self.cg.slot.night is not None or in_cover(self.cg, hex_of(location)):
            return True
        return entrenched(self.cg, self.side, location, self.works)


def allowances(forts: Sequence[Fort], size: str = "") -> int:
    """Return how many "?" or HIP of a size are left of what was bought."""
    return sum(fort.count for fort in forts if fort.kind in ALLOWANCES and fort.size == size)
