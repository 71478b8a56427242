"""What a side of Platoon Leader has to set up, and an answer that places it (PL 2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, TypedDict

from laager.campaign import Fact, implements
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.facts import FortJoined
from laager.rules.board.places import ENTRENCHMENTS, ITEMS, Fault, hex_of
from laager.rules.board.setup.hiding import CLOAKING, QUESTION_MARK, SET_DC, is_in_cover, may_conceal
from laager.rules.board.setup.placements import Reason, SetupAnswer, SetupPlace, SetupUnitRow, Site
from laager.rules.board.setup.plan import BoardPlan, BoardSetting
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.rules.platoon_leader.buying.groups import enters_because, in_reserve
from laager.rules.platoon_leader.buying.oba import PHONE, modules
from laager.rules.platoon_leader.buying.works import BOOBY_TRAPS, DUMMY, KNOWN
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.rights import SetupGround, Works, ground_for, why_barred
from laager.rules.platoon_leader.state import Group

DUMMIES = "reserve-dummies"
"""The name under which the Dummies of the Reserves are placed."""


class LineRow(TypedDict):
    """A row of the answer for a Security Area."""

    module: str
    hexes: str


class PlAnswer(SetupAnswer, total=False):
    """An answer to the setup question, with the OBA modules that are used and their Security Areas."""

    modules: Sequence[str]
    lines: Sequence[LineRow]


class Setting(BoardSetting):
    """A side about to set up: its ground, and what it has to place. Nothing here changes."""

    cg: Cg
    cloaking: ClassVar[bool] = True

    def __init__(self, cg: Cg, side: str) -> None:
        super().__init__(cg, side)
        self.modules: tuple[Group, ...] = tuple(modules(cg, side))

    def sets_up(self, unit: Unit) -> bool:
        """True if a unit off the map can set up there now."""
        return unit.place is Place.OFF_MAP and not enters_because(self.cg, unit)

    def places(self, fort: Fort) -> bool:
        """True unless it is HIP, or booby traps, which have no Location."""
        return super().places(fort) and fort.kind != BOOBY_TRAPS

    @cached_property
    def ground(self) -> SetupGround:
        """Where it can set up."""
        return ground_for(self.cg, self.side)

    @property
    def home(self) -> frozenset[str]:
        """The friendly MLR; at first the setup area."""
        return self.ground.area

    @property
    def enemy_ground(self) -> frozenset[str]:
        """The enemy's clusters."""
        return self.cg.enemy_clusters(self.side)

    @property
    def attacks(self) -> bool:
        """True if the side has the Attack Option."""
        attack: bool = self.cg.state.side(self.side).attack
        return attack

    def goals(self) -> frozenset[str]:
        """Return the hexes with Strategic Locations that aren't the side's; where some are worth TVP, those alone."""
        control = self.cg.state.ground.control
        worth = frozenset(hex_of(at) for at in self.cg.card.tvp if control.get(at) != self.side)
        return worth or frozenset(hex_of(at) for at in self.cg.strategic() if control.get(at) != self.side)

    @property
    def night(self) -> bool:
        """True if the firefight is at night."""
        return self.cg.slot.night is not None

    @cached_property
    def phones(self) -> tuple[Group, ...]:
        """The OBA modules with a field phone, which need a Security Area."""
        return tuple(module for module in self.modules if module.equipment == PHONE)

    @cached_property
    def dummies(self) -> int:
        """How many Dummies its Reserves of this firefight have (PL 2.33)."""
        number = self.cg.state.fight.number
        groups = self.cg.state.groups_of(self.side)
        present = {unit.group for unit in self.units}
        return sum(g.dummies for g in groups if g.firefight == number and g.id in present)

    @cached_property
    def to_place(self) -> tuple[Fort, ...]:
        """Its fortifications, and the Dummies of its Reserves as "?" counters."""
        if not self.dummies:
            return self.forts
        dummies = Fort(id=DUMMIES, side=self.side, kind=QUESTION_MARK, size=CLOAKING, count=self.dummies)
        return (*self.forts, dummies)

    @property
    def empty(self) -> bool:
        """True if there is nothing to decide."""
        return super().empty and not self.phones and len(self.modules) < 2

    def plan(self, answer: SetupAnswer) -> PlPlan:
        """Return the plan that an answer makes."""
        return PlPlan(self, answer)

    def place_fault(self, unit: Unit, at: str, *, towed: bool = False, dm: bool = False) -> Reason | None:
        """Return why a unit can't set up in a Location, by its ground."""
        return why_barred(self.cg, self.ground, unit, at)

    def must_hide(self, unit: Unit) -> Mark | None:
        """Return the marker under which a unit has to set up: Reserves are Cloaked (PL 2.33)."""
        return Mark.CLOAKED if in_reserve(self.cg, unit) else None

    def fort_label(self, fort: Fort) -> str:
        """Return what the form calls a fortification."""
        return f"{fort.count} Dummies of the Reserves" if fort.id == DUMMIES else super().fort_label(fort)


class PlPlan(BoardPlan):
    """An answer to the setup question. A unit without a row stays off the map."""

    setting: Setting
    cg: Cg

    def __init__(self, setting: Setting, answer: PlAnswer | SetupAnswer) -> None:
        super().__init__(setting, answer)
        named = answer.get("modules", [module.id for module in setting.modules])
        self.modules: tuple[str, ...] = tuple(named)  # type: ignore[arg-type]
        self.lines: tuple[LineRow, ...] = tuple(answer.get("lines", ()))  # type: ignore[arg-type]

    def place_of_row(self, row: SetupUnitRow) -> SetupPlace:
        """Return what a row says of its unit; an SW or Gun stays with the unit that has it."""
        placement = super().place_of_row(row)
        return (
            placement if placement.holder else replace(placement, holder=self.place_without_row(placement.unit).holder)
        )

    def place_without_row(self, unit: Unit) -> SetupPlace:
        """Return where a unit goes that the answer doesn't name: an SW or Gun with the unit that has it."""
        return SetupPlace(unit, holder=unit.with_unit if unit.kind in ITEMS else "")

    def hide_with_holder(self, placement: SetupPlace, holder: SetupPlace) -> SetupPlace:
        """Return how a unit hides that is with another one: riders for themselves."""
        return (
            super().hide_with_holder(placement, holder)
            if placement.unit.kind in ITEMS
            else self.required_hiding(placement)
        )

    def leads(self) -> Iterator[SetupPlace]:
        """Return the units that the answer puts on the map, in its order; SW and Guns go with them."""
        named = (self.placed[name] for name in self.number)
        return (placement for placement in named if placement.at and placement.unit.kind not in ITEMS)

    def in_order(self) -> list[SetupPlace]:
        """Return what sets up, each unit with its SW and Guns, and what units on the map are given.

        A DC that was set has left its possessor.
        """
        units = self.cg.state.units
        led = (
            placement
            for lead in self.leads()
            for placement in (lead, *(item for item in self.carried_with(lead.unit.id) if item.unit.kind in ITEMS))
        )
        return [placement for placement in (*led, *self._to_units_on_map()) if units[placement.unit.id].in_play]

    def _to_units_on_map(self) -> Iterator[SetupPlace]:
        """Return the SW and Guns that go to units already on the map."""
        items = (
            placement
            for placement in self.placed.values()
            if placement.unit.kind in ITEMS and placement.holder not in self.own
        )
        return (placement for placement in items if placement.at and self.carrier(placement) is not None)

    @implements("PL CG3")
    def has_free_hip(self, placement: SetupPlace) -> bool:
        """True if a unit mans a Gun that can hide without bought HIP: in the Initial Firefight.

        A Gun that was hidden and seen needs bought HIP from then on.
        """
        guns = [gun.unit for gun in self.guns_of(placement.unit.id)]
        return self.cg.initial and bool(guns) and not any(gun.has(Mark.WAS_REVEALED) for gun in guns)

    def free_question_mark(self, placement: SetupPlace) -> bool:
        """True if a unit needs no bought "?" to set up concealed, or LOS and night decide (CG10, A12)."""
        return may_conceal(self.cg, placement.unit, placement.at, self.works) or self.doubtful(placement)

    def doubtful(self, placement: SetupPlace) -> bool:
        """True if it depends on LOS or on the night rules that a unit sets up concealed."""
        if may_conceal(self.cg, placement.unit, placement.at, self.works):
            return False
        return self.setting.night or (
            placement.unit.kind not in INFANTRY and is_in_cover(self.cg, hex_of(placement.at))
        )

    # Fortifications ---------------------------------------------------------------------------------

    @cached_property
    def dug(self) -> Works:
        """For which firefights its entrenchments were bought, by Location, placed before or now."""
        dug_for: dict[str, set[int]] = {}
        there = [(fort, fort.at) for fort in self.cg.state.forts.values() if fort.side == self.side]
        for fort, at in (*there, *((site.fort, site.room) for site in self.sites)):
            if fort.kind in ENTRENCHMENTS and at:
                dug_for.setdefault(at, set()).add(fort.firefight)
        return dug_for

    @implements("PL 2.38 note I", "PL 2.6", "PL 2.38 note 8", "PL 2.38 note 2", "PL 2.38 note 7")
    def area_faults(self, site: Site) -> Iterator[Fault]:
        """Friendly area, or an Isolated Location for what has mark I; Dummies of Reserves far back.

        A DC is set in friendly Controlled Terrain.
        """
        ground, name = self.setting.ground, hex_of(site.at)
        row = self.cg.charts.fortifications.row(site.kind)
        if site.cloaking and site.kind == QUESTION_MARK:
            if name not in ground.reserve:
                yield f"{name} is too near the enemy for a Reserve", "where Reserves can set up (PL 2.33)", "at"
            return
        if site.cloaking:
            yield f"{row.name} is not a Dummy", 'only "?" can be Dummies (PL 2.38 note 2)', "cloaking"
        if name in ground.isolated and not row.isolated:
            right = "you can add only foxholes, sangars, ? and fortified buildings"
            yield f"{name} is Isolated", right, "at"
        elif name not in ground.area | ground.isolated:
            yield f"{name} is outside {ground.title}", "a hex inside it", "at"
        if site.kind == SET_DC and name not in ground.controlled:
            yield f"{name} is not friendly Controlled Terrain", "a hex of a friendly cluster", "at"

    def is_dc_ready(self, dc: Unit) -> bool:
        """True if a DC is with a unit on the map that is not In Reserve."""
        holder = self.placed[dc.id].holder if dc.id in self.placed else dc.with_unit
        there = self.cg.state.units.get(holder)
        return there is not None and bool(self.location_of_unit(holder)) and not in_reserve(self.cg, there)

    def is_seen_by_enemy(self, site: Site) -> bool:
        """True if the enemy sees a fortification: chosen, a Known minefield, or in the open."""
        return looks_known(site.fort) or super().is_seen_by_enemy(site)

    def reveal_fort(self, fort: Fort) -> Iterator[Fact]:
        """Let the enemy see what stands openly; of a Known minefield it doesn't see what is in it."""
        if not looks_known(fort):
            yield from super().reveal_fort(fort)
            return
        why = f"a Known minefield in {fort.at}"
        blank = fort.but(kind=KNOWN, size="", factors=0, known_minefield=True, fp=0)
        yield FortJoined(fort=blank, why=why, to=(other_side(self.side),))
        # The enemy's blank came last; the truth has to stand again for the owner and the umpire.
        yield FortJoined(fort=fort, why=why, to=(self.side,))


def looks_known(fort: Fort) -> bool:
    """True if a fortification stands on the map as a Known minefield, real or Dummy."""
    return fort.known_minefield or fort.kind == DUMMY
