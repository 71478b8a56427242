"""Setting up in the HASL family: one side, then the other; in some systems what is Isolated first."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from laager.base import Problem
from laager.base.counting import some
from laager.campaign import Fact, Field, Procedure, implements, step
from laager.catalogue import VehicleType
from laager.rules.board.buying.works import ALLOWANCES
from laager.rules.board.card.parts import other
from laager.rules.board.changes import carried_by, marked, moved, reveal
from laager.rules.board.facts import FortGone, UnitMarked
from laager.rules.board.hasl.buying.fortifications import upgrade_problems
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.setup.checks import group_problems, hip_advice, setup_warnings, unit_faults
from laager.rules.board.hasl.setup.oba import (
    module_fields,
    module_problems,
    modules_at_setup,
    modules_settled,
    proposed_modules,
)
from laager.rules.board.hasl.setup.plan import HaslAnswer, Plan, Setting
from laager.rules.board.hasl.setup.snipers import snipers_placed
from laager.rules.board.hasl.setup.suggest import proposal, rows_of
from laager.rules.board.joining import unit_joins
from laager.rules.board.places import Fault, hex_of
from laager.rules.board.setup.forts import proposed_forts
from laager.rules.board.setup.hiding import NONE
from laager.rules.board.setup.plan import STATES, Placed
from laager.rules.board.setup.setup import Setup
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark, Place

REPLACED = frozenset({*STATES.values(), Mark.EMPLACED}) - {Mark.ABANDONED}
"""The states that a setup sets again."""

SECRET = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED, Mark.ABANDONED})
"""States that are noted instead of shown on the map."""


@implements("HASL 26", "ABtF 9.6214", "ER 1.5232", "ER 1.52321", "ER 1.52322")
@step("HASL 28", "Setup", edition=2)
def setting_up(cg: Hasl) -> Procedure[None]:
    """The side that the scenario puts first sets up completely, then the other."""
    first = cg.state.scenario.sets_up_first
    parts = (True, False) if cg.variant.isolated_first else (None,)
    for isolated in parts:
        for side in (first, other(first)):
            setting = Setting(cg, side, isolated)
            if not setting.empty:
                yield from HaslSetup(setting).carry_out()
    for side in (first, other(first)):
        yield from tell(_lost(cg, side))
        yield from snipers_placed(cg, side)


def _lost(cg: Hasl, side: str) -> Iterator[Fact]:
    """By the reading, HIP and "?" that were bought and not used are lost."""
    if not cg.variant.allowances_lost(cg):
        return
    for fort in list(cg.state.forts.values()):
        if fort.side == side and fort.kind in ALLOWANCES and fort.at is None:
            yield FortGone(fort=fort.id, why="not used at setup", to=(side,))


class HaslSetup(Setup[Plan]):
    """The setup of a side. What its answer leaves open is as proposed."""

    help: ClassVar[str] = (
        "A unit without a row sets up as proposed. SW, Guns and passengers go with whoever has them "
        "(with), unless a row places them. With neither a Location nor an Entry Area a unit stays off "
        "the map. You check stacking limits and an immobile vehicle's VCA."
    )

    setting: Setting
    cg: Hasl

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.proposed = proposal(setting)

    def plan(self, answer: HaslAnswer) -> Plan:
        """Return the plan that an answer makes; OBA modules that it leaves open are as proposed."""
        plan = Plan(self.setting, answer, self.proposed)
        plan.modules += tuple(proposed_modules(plan))
        return plan

    # The question -----------------------------------------------------------------------------------

    def text(self) -> str:
        """Return what is asked."""
        count, isolated = len(self.setting.units), self.setting.isolated
        which = (" that is Isolated" if count == 1 else " that are Isolated") if isolated else ""
        if count == 1:
            return f"How does your one unit{which} set up or enter?"
        return f"How do your {some(count, 'unit')}{which} set up or enter?"

    def forts_without_answer(self) -> list[Any]:
        """Return where fortifications go if an answer leaves them all out: where they are proposed."""
        return proposed_forts(self.setting)

    def unit_rows(self, answer: Any, rng: Random | None) -> list[Any]:
        """Return a row for each unit."""
        return list(rows_of(self.proposed if rng is None else proposal(self.setting, rng)))

    def module_fields(self) -> Iterator[Field]:
        """Yield the field for OBA modules."""
        yield from module_fields(self.setting)

    def with_modules(self, answer: Any, rng: Random | None) -> Any:
        """Return an answer with a legal use of as many OBA modules as possible."""
        if modules_at_setup(self.setting):
            answer["modules"] = proposed_modules(Plan(self.setting, answer, self.proposed))
        return answer

    # The checks -------------------------------------------------------------------------------------

    def unit_faults(self, plan: Plan, one: Placed) -> Iterator[Fault]:
        """Yield what is wrong with where a unit goes."""
        yield from unit_faults(plan, one)

    def hip_problems(self, plan: Plan) -> Iterator[Problem]:
        """Yield what is wrong with HIP, unless units can hide beyond what was paid for."""
        if not self.cg.variant.hip_vouched(self.cg, plan.side):
            yield from super().hip_problems(plan)

    def hip_advice(self, plan: Plan, hiding: list[Placed]) -> Iterator[str]:
        """Yield how units could hide with a Gun at no cost."""
        yield from hip_advice(plan, hiding)

    @implements("HASL 28")
    def more_problems(self, plan: Plan) -> Iterator[Problem]:
        """Yield what is wrong with new groups, upgrades, OBA, and by rules of the system."""
        yield from group_problems(plan)
        yield from upgrade_problems((site.fort.kind, hex_of(site.at)) for site in plan.sites if site.at)
        yield from module_problems(plan)
        yield from self.cg.variant.setup_problems(self.cg, plan.side, plan.placed)

    def warnings(self, plan: Plan) -> Iterator[str]:
        """Yield what the side should look at once more."""
        yield from setup_warnings(plan)

    # What follows -----------------------------------------------------------------------------------

    def modules_settled(self, plan: Plan) -> Iterator[Fact]:
        """Record which unit has the radio or phone of each OBA module."""
        yield from modules_settled(plan)

    def settled(self, plan: Plan, one: Placed, why: str) -> Iterator[Fact]:
        """Retain a unit in the area where it is, and give it its state."""
        unit = self.cg.state.units[one.unit.id]
        area = self.cg.state.area_at(hex_of(one.at)) if one.at else None
        own = area.name if area is not None and area.side == plan.side else ""
        retained = own if one.at else one.entry or unit.area
        if retained != unit.area:
            yield UnitRetained(unit=unit.id, area=retained, why=why, to=unit.audience)
        yield from _states(plan, one)

    def seen(self, plan: Plan, one: Placed) -> Iterator[Fact]:
        """Let the enemy see a unit that stands openly; prisoners go where their Guard is."""
        unit = self.cg.state.units[one.unit.id]
        if one.at and one.hide == NONE:
            secret = unit.marks & SECRET if not unit.known else frozenset()
            yield from reveal(unit.but(marks=unit.marks - secret), f"it stands openly in {one.at}")
            if secret:
                yield UnitMarked(unit=unit.id, add=secret, why="not shown yet", to=(plan.side,))
        for captive in carried_by(self.cg, unit):
            if captive.side != plan.side and captive.at != unit.at:
                # Both sides know where prisoners are, even if the Guard is under a "?".
                fact = moved(captive, unit.at, unit.place, "with his Guard")
                yield fact.model_copy(update={"to": None})


def _states(plan: Plan, one: Placed) -> Iterator[Fact]:
    """The state that a unit sets up in; part of it is secret until a marker shows it."""
    cg, unit = plan.cg, plan.cg.state.units[one.unit.id]
    if not one.somewhere:
        return
    new = plan.marks_at(one)
    replaced = REPLACED | ({Mark.FIXED} if cg.variant.dm_releases(cg) else set())
    adding, removing = new - unit.marks, (unit.marks & replaced) - new
    yield from marked(unit, add=adding - SECRET, remove=removing - SECRET, why="as set up")
    add, remove = adding & SECRET, removing & SECRET
    if add or remove:
        yield UnitMarked(unit=unit.id, add=add, remove=remove, why="as set up", to=(plan.side,))
    if Mark.ABANDONED in adding:
        type_ = cg.nation_of(unit).unit(unit.type)
        assert isinstance(type_, VehicleType), "the checks let only vehicles be Abandoned"
        assert type_.crew is not None, "the checks let only vehicles with a crew be Abandoned"
        crew = unit_joins(cg, plan.side, type_.crew, "crew", unit.group, why="leaves its vehicle")
        yield crew
        if one.at:
            yield moved(crew.unit, one.at, Place.MAP, "next to its vehicle")
        yield UnitRetained(unit=crew.unit.id, area=unit.area, to=(plan.side,))
