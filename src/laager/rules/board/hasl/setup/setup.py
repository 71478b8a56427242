"""Setting up in the HASL family: one side, then the other; in some systems what is Isolated first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Any, ClassVar

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import Fact, Field, Procedure, SightAsked, implements, step
from laager.catalogue import VehicleType
from laager.rules.board.buying.works import ALLOWANCES, HALF_SQUAD, SQUAD, HipCap
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import (
    INFANTRY,
    LEADERS,
    carried_by,
    change_marks,
    is_vehicle,
    place_unit,
    reveal_with_prisoners,
)
from laager.rules.board.facts import FortGone, UnitMarked
from laager.rules.board.hasl.areas import declared_guns, is_qualified, qualified_crew
from laager.rules.board.hasl.buying.fortifications import upgrade_problems
from laager.rules.board.hasl.buying.groups import has_sat_out, units_of_group
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.setup.oba import (
    module_fields,
    module_problems,
    modules_at_setup,
    modules_settled,
    proposed_modules,
)
from laager.rules.board.hasl.setup.plan import HaslAnswer, HaslPlan, Setting, barred_states, is_new, was_seen_before
from laager.rules.board.hasl.setup.snipers import snipers_placed
from laager.rules.board.hasl.setup.suggest import proposal, rows_of
from laager.rules.board.hasl.state import IDLE
from laager.rules.board.los_requests import ask_concealment
from laager.rules.board.moves import is_fixed
from laager.rules.board.numbering import join_unit
from laager.rules.board.places import ITEMS, Fault, hex_of
from laager.rules.board.setup.forts import propose_forts
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, NO_CONCEALMENT, NONE, may_conceal
from laager.rules.board.setup.placements import STATES, SetupPlace
from laager.rules.board.setup.proposal import TOW, can_have
from laager.rules.board.setup.setup import BoardSetup
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts

REPLACED = frozenset({*STATES.values(), Mark.EMPLACED}) - {Mark.ABANDONED}
"""The states that a setup sets again."""

SECRET = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED, Mark.ABANDONED})
"""States that are noted instead of shown on the map."""


@implements("HASL 26", "ABtF 9.6214", "ER 1.5232", "ER 1.52321", "ER 1.52322")
@step("HASL 28", "Setup", edition=5)
def setting_up(cg: Hasl) -> Procedure[None]:
    """The side that the scenario puts first sets up completely, then the other."""
    first = cg.state.scenario.sets_up_first
    parts = (True, False) if cg.variant.isolated_first else (None,)
    for isolated in parts:
        for side in (first, other_side(first)):
            setting = Setting(cg, side, isolated)
            if not setting.empty:
                yield from HaslSetup(setting).carry_out()
    for side in (first, other_side(first)):
        yield from yield_facts(_lose_allowances(cg, side))
        yield from snipers_placed(cg, side)


def _lose_allowances(cg: Hasl, side: str) -> Iterator[Fact]:
    """By the reading, HIP and "?" that were bought and not used are lost."""
    if not cg.variant.loses_allowances(cg):
        return
    for fort in list(cg.state.forts.values()):
        if fort.side == side and fort.kind in ALLOWANCES and fort.at is None:
            yield FortGone(fort=fort.id, why="not used at setup", to=(side,))


class HaslSetup(BoardSetup[HaslPlan]):
    """The setup of a side. The proposal fills in all that an answer leaves open."""

    help: ClassVar[str] = (
        "A unit without a row sets up as proposed. SW, Guns and passengers set up with the unit that has "
        "them (with), unless they have a row. A unit with neither a Location nor an Entry Area stays off "
        "the map. Check stacking limits and an immobile vehicle's VCA yourself."
    )

    setting: Setting
    cg: Hasl

    @cached_property
    def proposed_places(self) -> Mapping[str, SetupPlace]:
        """Where units set up that an answer leaves open."""
        return proposal(self.setting)

    def plan(self, answer: HaslAnswer) -> HaslPlan:
        """Return the plan that an answer makes; OBA modules that it leaves open are as proposed."""
        plan = HaslPlan(self.setting, answer, lambda: self.proposed_places)
        plan.modules += tuple(proposed_modules(plan))
        return plan

    # The question -----------------------------------------------------------------------------------

    def text(self) -> str:
        """Return what is asked."""
        count, isolated = len(self.setting.units), self.setting.isolated
        which = (" that is Isolated" if count == 1 else " that are Isolated") if isolated else ""
        if count == 1:
            return f"How does your one unit{which} set up or enter?"
        return f"How do your {count_of(count, 'unit')}{which} set up or enter?"

    def forts_without_answer(self) -> list[Any]:
        """Return where fortifications go if an answer leaves them all out: where they are proposed."""
        return propose_forts(self.setting)

    def unit_rows(self, answer: Any, rng: Random | None, forward: float = 0.0) -> list[Any]:
        """Return a row for each unit. What an answer leaves open stays as `proposed`, wherever an attacker goes."""
        plain = rng is None and not forward
        return list(rows_of(self.proposed_places if plain else proposal(self.setting, rng, forward)))

    def module_fields(self) -> Iterator[Field]:
        """Yield the field for OBA modules."""
        yield from module_fields(self.setting)

    def with_modules(self, answer: Any, rng: Random | None) -> Any:
        """Return an answer with a legal use of as many OBA modules as possible."""
        if modules_at_setup(self.setting):
            answer["modules"] = proposed_modules(HaslPlan(self.setting, answer, lambda: self.proposed_places))
        return answer

    # The checks -------------------------------------------------------------------------------------

    def unit_faults(self, plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
        """Yield what is wrong with where a unit goes."""
        if placement.at and placement.entry:
            yield f"{placement.unit.label} both sets up and enters", "name a Location or an arrow hex", "entry"
            return
        yield from _holder_faults(plan, placement)
        yield from _where_faults(plan, placement)
        yield from _bound_faults(plan, placement)
        yield from _state_faults(plan, placement)
        if not placement.holder and placement.somewhere:
            yield from _hide_faults(plan, placement)

    def hip_problems(self, plan: HaslPlan) -> Iterator[Problem]:
        """Yield what is wrong with HIP; at night the Scenario Defender's units hide by E1.2."""
        if not self.cg.date.night or self.cg.state.scenario.chits.get(plan.side) != IDLE:
            yield from super().hip_problems(plan)

    @implements("HASL 23")
    def hip_cap(self, plan: HaslPlan) -> HipCap | None:
        """Return how many squads may use HIP, as for its purchase: it may have been bought on an earlier date."""
        return self.cg.variant.hip_cap(self.cg, self.side)

    def hip_before(self, plan: HaslPlan) -> int:
        """Return the half-squads that hide since what is Isolated has set up, those with Guns left out."""
        if self.setting.isolated is not False:
            return 0
        units = self.cg.state.units_of(self.side, SQUAD, HALF_SQUAD)
        hidden = (unit for unit in units if unit.has(Mark.HIP) and unit.id not in self.setting.by_id)
        alone = (unit for unit in hidden if all(item.kind != "gun" for item in carried_by(self.cg, unit)))
        cap = self.hip_cap(plan)
        return cap.count_half_squads(Counter(unit.kind for unit in alone)) if cap is not None else 0

    @implements("HASL 28", "HASL 23")
    def hip_advice(self, plan: HaslPlan, hiding: list[SetupPlace]) -> Iterator[str]:
        """Yield how units could hide with a Gun at no cost."""
        yield from filter(None, (_free_hiding_advice(plan, placement) for placement in hiding))

    @implements("HASL 28")
    def more_problems(self, plan: HaslPlan) -> Iterator[Problem]:
        """Yield what is wrong with new groups, upgrades, OBA, and by rules of the system."""
        yield from group_problems(plan)
        yield from upgrade_problems((site.fort.kind, hex_of(site.at)) for site in plan.sites if site.at)
        yield from module_problems(plan)
        yield from self.cg.variant.setup_problems(self.cg, plan.side, plan.placed)

    @implements("ABtF CG12", "ER CG10")
    def warnings(self, plan: HaslPlan) -> Iterator[str]:
        """Yield what the side should look at once more."""
        for placement in plan.placed.values():
            if _depends_on_los(plan, placement):
                yield f"{placement.unit.label} is concealed in {placement.at}: out of enemy LOS? (A12.12)"
            if placement.unit.kind in ITEMS and not placement.somewhere:
                yield f"{placement.unit.label} stays off the map"
            if placement.unit.id in declared_guns(self.cg) and not placement.holder:
                gun = placement.unit
                yield f"{gun.label} makes {gun.at} a Strategic Location, but no crew mans it (9.2)"

    def los_requests(self, plan: HaslPlan, seen: Any) -> Iterator[SightAsked]:
        """Yield what a setup asks about LOS; who could look the system says. At night E1 decides, not LOS."""
        if self.cg.date.night:
            return
        for placement in plan.placed.values():
            if _depends_on_los(plan, placement):
                sources, counting = self.cg.variant.watchers_of(self.cg, placement.unit, seen)
                yield from ask_concealment([(placement.unit, placement.at, True)], sources, counting)

    # What follows -----------------------------------------------------------------------------------

    def settle_modules(self, plan: HaslPlan) -> Iterator[Fact]:
        """Record which unit has the radio or phone of each OBA module."""
        yield from modules_settled(plan)

    def settle_unit(self, plan: HaslPlan, placement: SetupPlace, why: str) -> Iterator[Fact]:
        """Retain a unit in the area where it is, and give it its state."""
        unit = self.cg.state.units[placement.unit.id]
        area = self.cg.state.area_at(hex_of(placement.at)) if placement.at else None
        own = area.name if area is not None and area.side == plan.side else ""
        retained = own if placement.at else placement.entry or unit.area
        if retained != unit.area:
            yield UnitRetained(unit=unit.id, area=retained, why=why, to=unit.audience)
        yield from _states(plan, placement)

    def reveal_if_open(self, plan: HaslPlan, placement: SetupPlace) -> Iterator[Fact]:
        """Let the enemy see a unit that stands openly; prisoners go where their Guard is."""
        unit = self.cg.state.units[placement.unit.id]
        if placement.at and placement.hide == NONE:
            secret = unit.marks & SECRET if not unit.known else frozenset()
            shown = unit.but(marks=unit.marks - secret)
            yield from reveal_with_prisoners(self.cg, shown, f"it stands openly in {placement.at}")
            if secret:
                yield UnitMarked(unit=unit.id, add=secret, why="not shown yet", to=(plan.side,))
        for captive in carried_by(self.cg, unit):
            if captive.side != plan.side and captive.at != unit.at:
                # Both sides know where prisoners are, even if the Guard is under a "?".
                fact = place_unit(captive, unit.at, unit.place, "with his Guard")
                yield fact.but(to=None)


def _depends_on_los(plan: HaslPlan, placement: SetupPlace) -> bool:
    """True if it depends on LOS that a unit is concealed where it sets up (A12.12)."""
    concealed = placement.hide == CONCEALED and placement.at and not placement.holder
    return bool(concealed) and not may_conceal(plan.cg, placement.unit, placement.at, plan.works)


def _states(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fact]:
    """Yield the state in which a unit sets up; part of it is secret until a marker shows it."""
    cg, unit = plan.cg, plan.cg.state.units[placement.unit.id]
    if not placement.somewhere:
        return
    new = plan.marks_at(placement)
    replaced = REPLACED | ({Mark.FIXED} if cg.variant.dm_releases(cg) else set())
    adding, removing = new - unit.marks, (unit.marks & replaced) - new
    yield from change_marks(unit, add=adding - SECRET, remove=removing - SECRET, why="as set up")
    add, remove = adding & SECRET, removing & SECRET
    if add or remove:
        yield UnitMarked(unit=unit.id, add=add, remove=remove, why="as set up", to=(plan.side,))
    if Mark.ABANDONED in adding:
        type_ = cg.nation_of(unit).unit(unit.type)
        assert isinstance(type_, VehicleType), "the checks let only vehicles be Abandoned"
        assert type_.crew is not None, "the checks let only vehicles with a crew be Abandoned"
        crew = join_unit(cg, plan.side, type_.crew, "crew", unit.group, why="leaves its vehicle")
        yield crew
        if placement.at:
            yield place_unit(crew.unit, placement.at, Place.MAP, "next to its vehicle")
        yield UnitRetained(unit=crew.unit.id, area=unit.area, to=(plan.side,))


# Where -------------------------------------------------------------------------------------------


def _where_faults(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
    setting, unit = plan.setting, placement.unit
    if placement.at:
        dm = Mark.DISMANTLED in placement.marks
        fault = setting.place_fault(unit, placement.at, towed=plan.is_towed(placement), dm=dm)
        if fault is not None:
            yield (*fault, "at")
    elif placement.entry:
        able = setting.entries(unit)
        if placement.entry not in able:
            right = f"one of {', '.join(able)}" if able else "a Location of the map"
            yield f"{unit.label} does not enter by {placement.entry}", right, "entry"
    elif unit.kind not in ITEMS | {"armor-leader"} and not placement.holder:
        able, free = setting.entries(unit), first_place(setting, unit)
        if able or free:
            right = f"a Location such as {free}" if free else f"it enters by {', '.join(able)}"
            yield f"{unit.label} takes no part in the scenario", right, "at"


@implements("ABtF 9.2 Strategic Location")
def _bound_faults(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
    """Yield Equipment that must set up where it is and is left out, and a declared Gun without its crew.

    Another qualified crew can take its place. If the Gun has lost its crew since it was declared, that is left to
    the players (`warnings`).
    """
    cg, gun = plan.cg, placement.unit
    if gun.kind in ITEMS and gun.id in plan.setting.bound and not placement.somewhere:
        yield f"{gun.label} must set up in {gun.at}", plan.setting.bound[gun.id], "at"
    if gun.id not in declared_guns(cg):
        return
    crew, holder = qualified_crew(cg, gun), plan.carrier(placement)
    unmanned = holder is None or not is_qualified(cg, holder)
    if unmanned and crew is not None and crew.id in plan.setting.by_id:
        yield (
            f"{gun.label} makes {gun.at} a Strategic Location and must be manned there",
            f"by a qualified crew, such as {crew.id}",
            "with",
        )


def first_place(setting: Setting, unit: Unit) -> str:
    """Return a Location where a unit can set up by itself, the present one first; "" if none."""
    if unit.on_map and unit.at and setting.place_fault(unit, unit.at) is None:
        return unit.at
    hexes = setting.cg.sort(setting.ground(unit) & setting.cg.map.playable)
    return next((name for name in hexes if setting.place_fault(unit, name) is None), "")


# With whom ----------------------------------------------------------------------------------------


def _holder_faults(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
    unit = placement.unit
    if not placement.holder:
        moved = placement.somewhere and not (unit.on_map and placement.at == unit.at)
        if unit.kind in ITEMS and moved:
            yield f"{unit.label} cannot set up alone", "name the unit that has it", "with"
        if unit.kind == "armor-leader" and placement.somewhere:
            yield f"{unit.label} sets up in a vehicle", "name his vehicle", "with"
        return
    holder = plan.carrier(placement)
    if holder is None or not can_have(holder, unit):
        kinds = "personnel or a vehicle" if unit.kind in ITEMS else "a vehicle"
        yield f"{placement.holder} cannot have {unit.label}", f"{kinds} of yours", "with"
        return
    if unit.kind == "gun" and is_vehicle(holder) and placement.marks.isdisjoint(TOW):
        yield f"{unit.label} is with {holder.label} but not hooked up", "hooked, or dm", "state"
    holder_placement = plan.placed.get(placement.holder) or SetupPlace(holder, plan.location_of_unit(holder.id))
    if not holder_placement.somewhere and placement.somewhere:
        yield f"{holder.label} takes no part in the scenario", "a unit that does", "with"
    elif (holder_placement.at, holder_placement.entry) != (placement.at, placement.entry):
        right = f"{holder_placement.at or holder_placement.entry}, where {holder.label} is; or leave it out"
        yield f"{unit.label} cannot be in {placement.at or placement.entry}", right, "at"


# In which state -----------------------------------------------------------------------------------


@implements("ABtF CG5d")
def _state_faults(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
    unit = placement.unit
    barred = dict(barred_states(plan.cg, placement))
    for mark, reason in barred.items():
        if mark in placement.marks:
            yield f"{unit.label} cannot be {mark.value}", reason, "state"
    if {Mark.BUTTONED_UP, Mark.CREW_EXPOSED} <= placement.marks:
        yield f"{unit.label} cannot be both BU and CE", "one of them", "state"
    # A hook comes off by itself, and so does a state that never fitted.
    changed = ((placement.marks ^ unit.marks) & TOW) - (unit.marks & {Mark.HOOKED, *barred})
    if changed and placement.at and not _is_attended(plan, placement):
        right = "it keeps its state while no Personnel are in its area"
        yield f"nobody can hook, limber or dismantle {unit.label}", right, "state"


def _is_attended(plan: HaslPlan, placement: SetupPlace) -> bool:
    """True if Personnel are in the area of a Gun or SW."""
    return bool(placement.holder) or any(
        unit.kind in INFANTRY and unit.area == placement.unit.area and not unit.has(Mark.PRISONER)
        for unit in plan.cg.state.units_of(plan.side)
    )


# Hiding -------------------------------------------------------------------------------------------


@implements("ER CG7a", "ER 1.520 Note c")
def _hide_faults(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
    cg, unit = plan.cg, placement.unit
    if placement.at and cg.variant.required_hiding(cg, unit) is not None:
        if plan.own[unit.id].hide == HIDDEN:
            yield f"{unit.label} is in Reserve and can't use HIP", "it sets up Cloaked", "hide"
        return
    if placement.hide == NONE:
        return
    if unit.has(*NO_CONCEALMENT):
        yield f"{unit.label} can neither hide nor be concealed", "none", "hide"
    elif placement.hide == CLOAKED:
        why = cg.variant.cloak_problem(cg, unit, plan.placed)
        if why:
            yield f"{unit.label} cannot be Cloaked", why, "hide"
    elif placement.entry:
        yield f"{unit.label} cannot be {placement.hide} when it enters", "none", "hide"
    elif placement.hide == HIDDEN:
        yield from _hip_faults(plan, placement)


def _hip_faults(plan: HaslPlan, placement: SetupPlace) -> Iterator[Fault]:
    cg = plan.cg
    guns = [gun for gun in (placement, *plan.guns_of(placement.unit.id)) if gun.unit.kind == "gun"]
    for gun in guns:
        if is_fixed(gun.unit) and was_seen_before(gun.unit):
            right = "it can be concealed"
            yield f"{gun.unit.label} was seen and never hides again", right, "hide"
        if hex_of(placement.at) not in cg.state.friendly(plan.side) | plan.setting.home:
            right = "Guns hide in Friendly Setup Areas only"
            yield f"{gun.unit.label} cannot hide in {placement.at}", right, "hide"
    if not plan.has_cover(placement.at) and not plan.has_free_hip(placement):
        right = "Concealment Terrain or an entrenchment (A12.34)"
        yield f"{placement.unit.label} cannot hide in {placement.at}", right, "hide"


def _free_hiding_advice(plan: HaslPlan, placement: SetupPlace) -> str:
    """Say how a unit could hide with a Gun at no cost; "" if no Gun hides so where it is."""
    able = [
        gun.unit
        for gun in plan.placed.values()
        if gun.unit.kind == "gun" and plan.hides_free(gun, placement.at, emplaced=True)
    ]
    if not able or placement.unit.kind not in INFANTRY:
        return ""
    manned = [gun.unit.label for gun in plan.guns_of(placement.unit.id)]
    if manned:
        return f"{placement.unit.id} hides free if {' and '.join(manned)} is Emplaced there (C11.2)"
    return f"{placement.unit.id} hides free with an Emplaced Gun whose row has with: {placement.unit.id}"


# New groups ---------------------------------------------------------------------------------------


@implements("ER CG7(4)")
def group_problems(plan: HaslPlan) -> Iterator[Problem]:
    """Yield new groups that come to several places, or without their own leaders and Equipment."""
    if not plan.cg.variant.groups_together:
        return
    areas: dict[str, dict[str, None]] = {}
    for placement in plan.placed.values():
        if not is_new(plan.cg, placement.unit) or not placement.somewhere:
            continue
        area = plan.cg.state.area_at(hex_of(placement.at)) if placement.at else None
        place = placement.entry or (area.name if area is not None else hex_of(placement.at))
        areas.setdefault(placement.unit.group, {})[place] = None
        yield from _own_problems(plan, placement)
    for group, places in areas.items():
        if len(places) > 1:
            yield Problem(f"{group} comes in {' and '.join(places)}", "all of a group in one area at first", "units")


def _own_problems(plan: HaslPlan, placement: SetupPlace) -> Iterator[Problem]:
    unit, where = placement.unit, plan.row_of(placement.unit.id)
    holder = plan.carrier(placement)
    # What a half-squad had that has Recombined with another group's stays with the squad.
    is_given = holder is not None and holder.id != unit.with_unit
    if holder is not None and is_given and holder.group != unit.group and _bound_to_group(plan, unit):
        yield Problem(f"{unit.label} of {unit.group} is with {holder.label}", "a unit of its own group at first", where)
    mates = {
        (mate.at, mate.entry)
        for mate in plan.placed.values()
        if (mate.unit.group, mate.unit.area) == (unit.group, unit.area) and mate.unit.kind not in LEADERS | ITEMS
    } - {("", "")}
    late = has_sat_out(plan.cg, plan.cg.state.groups[unit.side, unit.group])
    if unit.kind in LEADERS and mates and not late and (placement.at, placement.entry) not in mates:
        yield Problem(
            f"{unit.label} is not with a unit of {unit.group}", "he sets up or enters with one the first time", where
        )


@implements("ER CG7(5)")
def _bound_to_group(plan: HaslPlan, item: Unit) -> bool:
    """True if a piece of Equipment is for its own group: a unit is left that could have it."""
    if item.kind not in ITEMS:
        return False
    return any(can_have(unit, item) for unit in units_of_group(plan.cg, item.side, item.group))
