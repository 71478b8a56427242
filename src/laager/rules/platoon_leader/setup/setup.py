"""Firefight setup: one side completely, then the other (PL 2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from laager.base import Problem
from laager.base.counting import some
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Procedure,
    Record,
    Rows,
    Several,
    Text,
    ask,
    implements,
    nothing_to_decide,
    step,
)
from laager.catalogue import GunType, SwType
from laager.hexmap.coords import LIKE_WAY
from laager.rules.board.card.parts import other
from laager.rules.board.changes import marked
from laager.rules.board.places import Fault, can_emplace
from laager.rules.board.setup.hiding import CLOAKED, QUESTION_MARK, used_of
from laager.rules.board.setup.plan import Placed
from laager.rules.board.setup.setup import HIDES_UNITS, Setup
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.checks import (
    concealment_warnings,
    dummies_bought,
    hip_problems,
    ownership_warnings,
    question_mark_problems,
    question_marks_needed,
    unit_faults,
)
from laager.rules.platoon_leader.setup.plan import Plan, PlAnswer, Setting
from laager.rules.platoon_leader.setup.proposal import PlProposal
from laager.rules.platoon_leader.setup.rights import fixes_gun
from laager.rules.platoon_leader.setup.security import line_problems, module_problems, modules_settled


@step("PL 2.6", "Setup", also=("PL 2.32", "PL 2.33", "PL 2.38", "PL 2.38 note 2", "PL CG3"), edition=2)
def setting_up(cg: Cg) -> Procedure[None]:
    """The side that the type of firefight puts first sets up completely, then the other."""
    first = cg.state.fight.sets_up_first
    for side in (first, other(first)):
        setting = Setting(cg, side)
        if setting.empty:
            text = "You have nothing to set up."
            yield from ask(nothing_to_decide("setup", side, text, "PL 2.6", Record(())))
        else:
            yield from PlSetup(setting).carry_out()


class PlSetup(Setup[Plan]):
    """The setup of a side. A unit without a row stays off the map."""

    rule: ClassVar[str] = "PL 2.6"
    warning_rule: ClassVar[str] = "PL 2.37"
    help: ClassVar[str] = (
        "Give each unit a row: where it goes, and how it hides. SW and Guns go with whoever has them "
        "(with). A unit without a row stays off map; units already on the map stay where they are."
    )
    setting: Setting
    cg: Cg

    def plan(self, answer: PlAnswer) -> Plan:
        """Return the plan that an answer makes."""
        return Plan(self.setting, answer)

    # The question -----------------------------------------------------------------------------------

    def text(self) -> str:
        """Return what is asked."""
        where = "your setup area" if self.cg.front is None else "your MLR"
        text = f"Where in {where} do your {some(len(self.setting.units), 'unit')} set up?"
        if self.setting.dummies:
            text += f" Your Reserves have {self.setting.dummies} Dummies."
        return text

    def unit_rows(self, answer: Any, rng: Random | None) -> list[Any]:
        """Return the proposed rows for units."""
        return list(PlProposal(self.setting, answer.get("forts", ()), rng).rows())

    def module_fields(self) -> Iterator[Field]:
        """Yield the fields for OBA modules and their Security Areas."""
        setting, most = self.setting, charts().limit("oba-modules")
        if len(setting.modules) > 1:
            options = tuple(Option(module.id) for module in setting.modules)
            default = [module.id for module in setting.modules[:most]]
            yield Field("modules", Several(options), f"OBA modules that you use, {most} at most", default)
        if setting.phones:
            options = tuple(Option(module.id) for module in setting.phones)
            hexes = Field("hexes", Text(limit=400), f"Hexes {LIKE_WAY}")
            row = Record((Field("module", Choice(options), "Module"), hexes))
            yield Field("lines", Rows(row), "Security Areas, from phone to map edge", [])

    def with_modules(self, answer: Any, rng: Random | None) -> Any:
        """Return an answer with as many OBA modules as can be used, and no Security Areas."""
        if len(self.setting.modules) > 1:
            names = [module.id for module in self.setting.modules]
            if rng is not None:
                rng.shuffle(names)
            answer["modules"] = names[: charts().limit("oba-modules")]
        if self.setting.phones:
            answer["lines"] = []
        return answer

    # The checks -------------------------------------------------------------------------------------

    def unit_faults(self, plan: Plan, one: Placed) -> Iterator[Fault]:
        """Yield what is wrong with where a unit goes."""
        yield from unit_faults(plan, one)

    def more_problems(self, plan: Plan) -> Iterator[Problem]:
        """Yield what is wrong with the limits of HIP and "?", OBA modules and Security Areas."""
        yield from hip_problems(plan)
        yield from question_mark_problems(plan)
        yield from module_problems(plan)
        yield from line_problems(plan)

    def warnings(self, plan: Plan) -> Iterator[str]:
        """Yield what the side should look at once more."""
        yield from ownership_warnings(plan)
        yield from concealment_warnings(plan)

    # What follows -----------------------------------------------------------------------------------

    @implements("PL 2.38 note 3")
    def used_up(self, plan: Plan) -> Iterator[Fact]:
        """Bought HIP and "?" that hide units are used up."""
        yield from super().used_up(plan)
        marks = [fort.id for fort in self.setting.forts if fort.kind == QUESTION_MARK]
        yield from used_of(self.cg, marks, question_marks_needed(plan) - dummies_bought(plan), HIDES_UNITS)

    def modules_settled(self, plan: Plan) -> Iterator[Fact]:
        """Record which OBA modules can be used."""
        yield from modules_settled(plan)

    def settled(self, plan: Plan, one: Placed, why: str) -> Iterator[Fact]:
        """A Gun is emplaced, or fixed in a fortification; at night a Cloaked SW is dismantled."""
        unit = self.cg.state.units[one.unit.id]
        type_ = self.cg.nation_of(unit).unit(unit.type)
        found = set()
        if isinstance(type_, GunType):
            if can_emplace(self.cg, one.at):
                found.add(Mark.EMPLACED)
            if fixes_gun(self.cg, unit, one.at):
                found.add(Mark.FIXED)
        cloaked = self.setting.night and one.hide == CLOAKED
        if cloaked and isinstance(type_, SwType) and type_.dm_pp is not None:
            found.add(Mark.DISMANTLED)
        yield from marked(unit, add=found, why=why)
