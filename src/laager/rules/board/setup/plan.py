"""What a side has to set up (`BoardSetting`), and an answer that places it (`BoardPlan`). No questions here.

A plan is what the owner answered on top of what is proposed. SW, Guns and passengers go with
the unit that has them unless a row places them. Rule systems override the hooks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

from laager.campaign import Fact
from laager.catalogue import load_fortifications
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FortJoined
from laager.rules.board.places import (
    ROOMS,
    Fault,
    find_location,
    hex_of,
    hexside_faults,
    parse_hexsides,
    room_of,
    rooms_of,
    terrain_faults,
)
from laager.rules.board.setup.hiding import (
    CLOAKING,
    HIDDEN,
    HIDES,
    HIP,
    QUESTION_MARK,
    hip_size,
    is_entrenched,
    is_in_cover,
    is_shown_in_open,
)
from laager.rules.board.setup.placements import (
    STATES,
    Reason,
    SetupAnswer,
    SetupFortRow,
    SetupPlace,
    SetupUnitRow,
    Site,
    carrier_of,
    hiding_of,
    without_own_place,
)
from laager.rules.board.state import evolve
from laager.rules.board.units import Fort, Mark, Unit


class BoardSetting(ABC):
    """A side about to set up: what it has to place, and where it can. Nothing here changes."""

    cg: CardContext
    cloaking: ClassVar[bool] = False
    """True if a "?" can stand for a Dummy among Reserves."""
    enters: ClassVar[bool] = False
    """True if units can enter by Entry Areas."""
    states: ClassVar[Sequence[str]] = ()
    """The names of the states that the form asks for."""

    def __init__(self, cg: CardContext, side: str) -> None:
        self.cg, self.side = cg, side
        self.units: tuple[Unit, ...] = tuple(unit for unit in cg.state.units_of(side) if self.sets_up(unit))
        own = [fort for fort in cg.state.forts.values() if fort.side == side]
        self.forts: tuple[Fort, ...] = tuple(fort for fort in own if fort.at is None and self.places(fort))
        self.hip: tuple[Fort, ...] = tuple(fort for fort in own if fort.kind == HIP)

    def under(self, cg: Any) -> Self:
        """Return the same side about to set up in a campaign as it stands, which may be this one."""
        return self if cg is self.cg else type(self)(cg, self.side)

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """Its units by their ids."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of the hexes on which it sets up, in order."""
        return self.cg.sort(self.home)

    @property
    @abstractmethod
    def attacks(self) -> bool:
        """True if the side attacks in this battle."""

    @abstractmethod
    def goals(self) -> frozenset[str]:
        """Return the hexes with Strategic Locations that aren't the side's, as everybody knows them."""

    @property
    def empty(self) -> bool:
        """True if there is nothing to place."""
        return not (self.units or self.forts)

    @property
    def to_place(self) -> tuple[Fort, ...]:
        """What the rows for fortifications can name."""
        return self.forts

    def facing(self) -> list[str]:
        """Return the hexes of the side's ground, those nearest the enemy first."""
        grid = self.cg.map.grid
        left, near = self.cg.map.mask(self.home & self.cg.map.playable), self.cg.map.mask(self.enemy_ground)
        if not near:
            return grid.names_in_order(left)
        hexes: list[str] = []
        while left:
            near = grid.grow(near)
            hexes += grid.names_in_order(near & left)
            left &= ~near
        return hexes

    def allowed_hexes(self) -> Mapping[str, frozenset[str]]:
        """Return the hexes where each unit and fortification can go, by its id; who goes with whom is left out."""
        hexes = self.cg.sort(self.cg.map.playable)
        allowed, alike = dict[str, frozenset[str]](), dict[Any, frozenset[str]]()
        for unit in self.units:
            # New units of a group and type can go to the same hexes: of each kind one is looked at.
            where = (unit.group, unit.area, unit.setup)
            same = (unit.type, unit.kind, *where, unit.since, unit.marks, unit.id if unit.spot else "")
            if same not in alike:
                alike[same] = frozenset(name for name in hexes if self.place_fault(unit, name) is None)
            allowed[unit.id] = alike[same]
        plan = self.plan({})
        for fort in self.to_place:
            kind = self.kind_when_built(fort)
            sites = (Site(fort, kind, name, name, "", 1, False, "") for name in hexes)
            allowed[fort.id] = frozenset(hex_of(site.at) for site in sites if not plan.is_barred(site))
        return allowed

    # What rule systems say --------------------------------------------------------------------------

    @abstractmethod
    def sets_up(self, unit: Unit) -> bool:
        """True if a unit can set up now."""

    def places(self, fort: Fort) -> bool:
        """True if a fortification without a place gets one now."""
        return fort.kind != HIP

    @property
    @abstractmethod
    def home(self) -> frozenset[str]:
        """The hexes on which the side sets up."""

    @property
    @abstractmethod
    def enemy_ground(self) -> frozenset[str]:
        """The hexes of the enemy; what is proposed goes near them."""

    @property
    @abstractmethod
    def night(self) -> bool:
        """True if the battle is at night."""

    @abstractmethod
    def plan(self, answer: SetupAnswer) -> BoardPlan:
        """Return the plan that an answer makes."""

    @abstractmethod
    def place_fault(self, unit: Unit, at: str, *, towed: bool = False, dm: bool = False) -> Reason | None:
        """Return why a unit can't set up in a Location; None if it can.

        `towed`: it begins the battle hooked up to a Mobile vehicle; `dm`: it begins it dismantled.
        """

    def entries(self, unit: Unit) -> tuple[str, ...]:
        """Return the arrow hexes of the Entry Areas by which a unit can come; none if it can't."""
        return ()

    def must_hide(self, unit: Unit) -> Mark | None:
        """Return the marker under which a unit has to set up on the map (Reserves: cloaked)."""
        return None

    def kind_when_built(self, fort: Fort) -> str:
        """Return the kind that a fortification is once it stands."""
        return fort.kind

    @property
    def bound(self) -> Mapping[str, str]:
        """Units that have to set up in the very Location where they are, by id, with the reason."""
        return {}

    def fort_label(self, fort: Fort) -> str:
        """Return what the form calls a fortification."""
        return f"{fort.kind} {fort.size}".strip()


class BoardPlan(ABC):
    """An answer to the setup question: where everything goes. Nothing here changes."""

    setting: BoardSetting
    cg: CardContext

    def __init__(
        self, setting: BoardSetting, answer: SetupAnswer, proposed: Callable[[], Mapping[str, SetupPlace]] = dict
    ) -> None:
        """`proposed` says where the units that have no row set up, if anywhere; only then it is called."""
        self.setting, self.cg, self.side = setting, setting.cg, setting.side
        self.rows: Sequence[SetupUnitRow] = answer.get("units", ())
        forts = {fort.id: fort for fort in setting.to_place}
        rows = [(row, forts[row["fort"]]) for row in answer.get("forts", ())]
        # Where a unit stands is a Location, whatever the map says.
        rooms = rooms_of(self.cg, self.side) | {unit.at for unit in setting.units if unit.at}
        for row, fort in rows:
            kind, location = setting.kind_when_built(fort), find_location(self.cg, row["at"]) if row["at"] else None
            rooms |= {room_of(kind, location)} if location and kind in ROOMS else set()
        self.rooms = frozenset(rooms)
        self.sites = tuple(self._site(row, fort) for row, fort in rows)
        self.number = {row["unit"]: number for number, row in enumerate(self.rows, 1)}
        self._proposed = proposed

    def settle(self) -> None:
        """Settle where everything goes, before anything goes there: plans that are only looked at are made in part."""
        assert self.placed is not None

    @cached_property
    def own(self) -> Mapping[str, SetupPlace]:
        """Where units go by themselves, by their ids."""
        given = {row["unit"]: row for row in self.rows}
        return {
            unit.id: self.place_of_row(given[unit.id])
            if unit.id in given
            else without_own_place(self._proposed().get(unit.id) or self.place_without_row(unit))
            for unit in self.setting.units
        }

    @cached_property
    def placed(self) -> Mapping[str, SetupPlace]:
        """Where units go, those that are with another one with that one, by their ids."""
        return {name: self._whole(name) for name in self.own}

    def row_of(self, unit: str, field: str = "") -> str:
        """Return the row of the answer that says where a unit goes: its own, or its holder's."""
        for name in (unit, *(holder.id for holder in self._holders(unit))):
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

    def location(self, text: str) -> str:
        """Return the Location that a text names; "" if there is none."""
        return (find_location(self.cg, text, self.rooms) or "") if text else ""

    def _site(self, row: SetupFortRow, fort: Fort) -> Site:
        return Site(
            fort=fort,
            kind=self.setting.kind_when_built(fort),
            at=self.location(row["at"]),
            text=row["at"],
            hexside=row["hexside"],
            count=row["count"],
            show=row["show"],
            dc=row["dc"],
            cloaking=row.get("cloaking", False) or fort.size == CLOAKING,
        )

    def place_of_row(self, row: SetupUnitRow) -> SetupPlace:
        """Return what a row says of its unit."""
        marks = frozenset(STATES[name] for name in row.get("state", ()))
        at = self.location(row["at"])
        unit = self.setting.by_id[row["unit"]]
        return SetupPlace(unit, at, row.get("entry", ""), row["hide"], row["with"], marks, row["at"])

    def place_without_row(self, unit: Unit) -> SetupPlace:
        """Return where a unit goes that neither the answer nor the proposal names."""
        return SetupPlace(unit)

    def _whole(self, name: str, seen: tuple[str, ...] = ()) -> SetupPlace:
        """Return where a unit goes with the unit that has it."""
        placement = self.own[name]
        carrier = self.carrier(placement)
        if name in seen or carrier is None:
            return self.required_hiding(placement)
        if placement.holder in self.own:
            first = self._whole(placement.holder, (*seen, name))
        else:
            first = SetupPlace(carrier, self.location_of_unit(carrier.id), hide=hiding_of(carrier))
        if not (placement.somewhere or placement.text):
            placement = evolve(placement, at=first.at, entry=first.entry)
        return self.hide_with_holder(placement, first)

    def hide_with_holder(self, placement: SetupPlace, holder: SetupPlace) -> SetupPlace:
        """Return how a unit hides that is with another one: as that does."""
        return placement if placement.hide == holder.hide else evolve(placement, hide=holder.hide)

    def required_hiding(self, placement: SetupPlace) -> SetupPlace:
        """Return how a unit sets up that has to hide on the map."""
        mark = self.setting.must_hide(placement.unit) if placement.at else None
        ways = {value: way for way, value in HIDES.items()}
        return evolve(placement, hide=ways[mark]) if mark is not None else placement

    def carrier(self, placement: SetupPlace) -> Unit | None:
        """Return the unit that has another one; None if no unit of its side does."""
        return carrier_of(self.cg, placement)

    def location_of_unit(self, name: str) -> str:
        """Return the Location in which a unit will be; "" if it will not be on the map."""
        if name in self.own:
            return self.placed[name].at
        unit = self.cg.state.units.get(name)
        return (unit.at or "") if unit is not None and unit.on_map else ""

    # What follows from it ---------------------------------------------------------------------------

    @cached_property
    def works(self) -> Mapping[str, frozenset[str]]:
        """The kinds of fortifications that this plan places, by Location."""
        works: dict[str, set[str]] = {}
        for site in self.sites:
            if site.room:
                works.setdefault(site.room, set()).add(site.kind)
        return {at: frozenset(kinds) for at, kinds in works.items()}

    def works_in(self, name: str) -> set[str]:
        """Return the kinds of fortifications that this plan places in a hex."""
        return {kind for at, kinds in self.works.items() if hex_of(at) == name for kind in kinds}

    def has_cover(self, at: str) -> bool:
        """True if a unit can hide in a Location: Concealment Terrain, an entrenchment, night."""
        if self.setting.night or is_in_cover(self.cg, hex_of(at)):
            return True
        return is_entrenched(self.cg, self.side, at, self.works)

    def leads(self) -> Iterator[SetupPlace]:
        """Return the units that set up by themselves, in the order of the record."""
        return (placement for placement in self.placed.values() if not placement.holder)

    def carried_with(self, name: str) -> Iterator[SetupPlace]:
        """Return what sets up with a unit."""
        return (placement for placement in self.placed.values() if placement.holder == name)

    def guns_of(self, name: str) -> Iterator[SetupPlace]:
        """Return the Guns that a unit mans."""
        return (placement for placement in self.carried_with(name) if placement.unit.kind == "gun")

    def hip_paid(self) -> dict[str, list[SetupPlace]]:
        """Return by size the units that hide by HIP that has to be paid for."""
        hiding: dict[str, list[SetupPlace]] = {}
        for placement in self.leads():
            if placement.hide == HIDDEN and placement.at and not self.has_free_hip(placement):
                hiding.setdefault(hip_size(placement.unit), []).append(placement)
        return hiding

    # What rule systems say --------------------------------------------------------------------------

    @abstractmethod
    def in_order(self) -> list[SetupPlace]:
        """Return what sets up, holders before what they have."""

    @abstractmethod
    def has_free_hip(self, placement: SetupPlace) -> bool:
        """True if a unit hides at no cost: it mans (or is) a Gun that can."""

    @abstractmethod
    def area_faults(self, site: Site) -> Iterator[Fault]:
        """Yield why a fortification can't stand in the area where it is to stand."""

    def place_faults(self, site: Site) -> Iterator[Fault]:
        """Yield why a fortification can't stand in its Location, by terrain and hexsides."""
        if site.kind in load_fortifications():
            yield from terrain_faults(self.cg, site.kind, site.at)
            yield from hexside_faults(self.cg, site.kind, site.at, site.hexside, max(1, site.fort.factors))

    def is_barred(self, site: Site) -> bool:
        """True if the hex of a fortification is wrong, whatever its hexside and its other fields are."""
        return any(field == "at" for _, _, field in (*self.area_faults(site), *self.place_faults(site)))

    def dc_barred(self, site: Site, works: Collection[str]) -> str:
        """Return why a DC can't be set in a Location by rules of the system; "" if it can."""
        return ""

    @abstractmethod
    def is_dc_ready(self, dc: Unit) -> bool:
        """True if a DC is with a unit on the map that is not in Reserve."""

    def upgraded_fort(self, site: Site) -> Fort | None:
        """Return the fortification that an upgrade makes a better one of; None if there is none."""
        return None

    def is_seen_by_enemy(self, site: Site) -> bool:
        """True if the enemy sees a fortification at setup: chosen, or it can't hide there."""
        return site.show or is_shown_in_open(self.cg, site.kind, site.at)

    def build_fort(self, site: Site) -> Fort:
        """Return a fortification as it stands once it is placed."""
        return self.cg.state.forts[site.fort.id].but(
            at=site.room, hexside=", ".join(parse_hexsides(site.hexside)), hidden=not self.is_seen_by_enemy(site)
        )

    def reveal_fort(self, fort: Fort) -> Iterator[Fact]:
        """Let the enemy see a fortification that stands openly."""
        yield FortJoined(fort=fort, why=f"it stands openly in {fort.at}")


def allowances(forts: Iterable[Fort], size: str = "") -> int:
    """Return how many "?" or HIP of a size are left of what was bought."""
    return sum(fort.count for fort in forts if fort.kind in (HIP, QUESTION_MARK) and fort.size == size)
