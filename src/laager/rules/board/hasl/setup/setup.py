"""Setting up: one side completely, then the other; Isolated units of both first in some systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Fact, Procedure, Question, YesNo, ask, implements, step
from laager.catalogue import VehicleType
from laager.rules.board.card.parts import other
from laager.rules.board.changes import by_holder, carried_by, hide, marked, moved, reveal
from laager.rules.board.facts import FortGone, UnitAttached, UnitMarked
from laager.rules.board.hasl.buying.works import ALLOWANCES
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.setup.checks import hip_paid, marks_at, setup_problems, setup_warnings
from laager.rules.board.hasl.setup.form import form_of, text_of
from laager.rules.board.hasl.setup.forts import placed_forts, proposed_forts, revealed_forts
from laager.rules.board.hasl.setup.oba import modules_at_setup, modules_settled, proposed_modules
from laager.rules.board.hasl.setup.plan import STATES, Placed, Plan, Setting
from laager.rules.board.hasl.setup.snipers import snipers_placed
from laager.rules.board.hasl.setup.suggest import proposal, rows_of
from laager.rules.board.joining import unit_joins
from laager.rules.board.places import hex_of
from laager.rules.board.setup.hiding import HIDES, NONE, used_of
from laager.rules.board.telling import tell
from laager.rules.board.units import HIDING, Mark, Place

REPLACED = frozenset({*STATES.values(), Mark.EMPLACED}) - {Mark.ABANDONED}
"""The states that a setup sets anew."""

SECRET = frozenset({Mark.BUTTONED_UP, Mark.CREW_EXPOSED, Mark.ABANDONED})
"""States that are noted instead of shown on the map."""

HELP = (
    "A unit without a row sets up as proposed. SW, Guns and passengers go with whoever has them "
    "(with), unless a row places them. With neither a Location nor an Entry Area a unit stays off "
    "the map. Stacking limits and an immobile vehicle's VCA are for you to see to."
)


@implements("HASL 26", "ABtF 9.6214", "ER 1.5232", "ER 1.52321", "ER 1.52322")
@step("HASL 28", "Setup", edition=2)
def setting_up(cg: Hasl) -> Procedure[None]:
    """The side that the scenario puts first sets up completely, then the other."""
    first = cg.state.scenario.sets_up_first
    parts = (True, False) if cg.variant.isolated_first else (None,)
    for isolated in parts:
        for side in (first, other(first)):
            yield from side_sets_up(cg, side, isolated)
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


def side_sets_up(cg: Hasl, side: str, isolated: bool | None = None) -> Procedure[None]:
    """Ask a side for its setup, in secret, until it is sure; then put everything in its place."""
    setting = Setting(cg, side, isolated)
    if setting.empty:
        return
    proposed = proposal(setting)
    while True:
        answer = yield from ask(setup_question(setting, proposed))
        plan = planned(setting, answer, proposed)
        warnings = setup_warnings(plan)
        if not warnings or (yield from ask(_sure(side, warnings))):
            break
    yield from tell(placed_forts(plan))
    yield from tell(_paid(plan))
    for one in _in_order(plan):
        yield from tell(_set_up(plan, one))
    yield from tell(modules_settled(plan))
    # Nothing is shown before all of a side's setup stands.
    yield from tell(revealed_forts(plan))
    for one in _in_order(plan):
        yield from tell(_seen(plan, one))


def _sure(side: str, warnings: list[str]) -> Question:
    return Question(
        key="setup-warnings",
        side=side,
        text="Leave your setup as it is? " + "; ".join(warnings) + ".",
        form=YesNo(),
        secret=True,
        default=True,
        help="No lets you set up anew. These are for you to judge; nothing is refused.",
    )


def setup_question(setting: Setting, proposed: Mapping[str, Placed]) -> Question:
    """Return the question for the whole setup of a side."""

    def check(answer: dict[str, Any]) -> tuple[Problem, ...]:
        return setup_problems(planned(setting, answer, proposed))

    return Question(
        key="setup",
        side=setting.side,
        text=text_of(setting),
        form=form_of(setting),
        secret=True,
        default=answer_of(setting, proposed),
        check=check,
        suggest=lambda rng: answer_of(setting, proposal(setting, rng), rng),
        help=HELP,
    )


def planned(setting: Setting, answer: Mapping[str, Any], proposed: Mapping[str, Placed]) -> Plan:
    """Return the plan that an answer makes; OBA modules that it leaves open are as proposed."""
    plan = Plan(setting, answer, proposed)
    plan.modules += tuple(proposed_modules(plan))
    return plan


def answer_of(setting: Setting, placed: Mapping[str, Placed], rng: Random | None = None) -> dict[str, Any]:
    """Return a setup as an answer, with what is proposed for fortifications and modules."""
    answer: dict[str, Any] = {"units": rows_of(placed)} if setting.units else {}
    if setting.forts:
        answer["forts"] = proposed_forts(setting, rng)
    if modules_at_setup(setting):
        answer["modules"] = proposed_modules(Plan(setting, answer, placed))
    return answer


# What follows -------------------------------------------------------------------------------------


def _in_order(plan: Plan) -> list[Placed]:
    """Return who sets up, holders before what they have; a DC that was set is gone."""
    there = (plan.cg.state.units[name] for name in plan.placed)
    units = by_holder(plan.cg, (unit for unit in there if unit.in_play))
    return [plan.placed[unit.id] for unit in units]


def _paid(plan: Plan) -> Iterator[Fact]:
    """Bought HIP that hides units is used up."""
    for size, hiding in hip_paid(plan).items():
        bought = [fort.id for fort in plan.setting.hip if fort.size == size]
        yield from used_of(plan.cg, bought, len(hiding), "used to hide units")


def _set_up(plan: Plan, one: Placed) -> Iterator[Fact]:
    """Put a unit in its place, out of the enemy's knowledge if it hides."""
    cg, name = plan.cg, one.unit.id
    mark = HIDES[one.hide] if one.somewhere else None
    where = f"set up in {one.at}" if one.at else f"enters by {one.entry}" if one.entry else "waits"
    if mark is not None:
        # Everybody is told that a unit goes out of sight, so this must not tell where it is.
        yield from hide(cg.state.units[name], mark, "out of sight at setup")
        yield from marked(cg.state.units[name], remove=HIDING - {mark}, why=where)
    unit = cg.state.units[name]
    if unit.with_unit != one.holder:
        yield UnitAttached(unit=name, to_unit=one.holder, why=where, to=unit.audience)
    if one.at and (unit.at != one.at or not unit.on_map):
        yield moved(unit, one.at, Place.MAP, where)
    if not one.at and unit.on_map:
        yield moved(unit, None, Place.OFF_MAP, where)
    area = cg.state.area_at(hex_of(one.at)) if one.at else None
    mine = area.name if area is not None and area.side == plan.side else ""
    retained = mine if one.at else one.entry or unit.area
    if retained != unit.area:
        yield UnitRetained(unit=name, area=retained, why=where, to=unit.audience)
    yield from _states(plan, one)


def _states(plan: Plan, one: Placed) -> Iterator[Fact]:
    """The state that a unit sets up in; some of it is secret until a marker shows it."""
    cg, unit = plan.cg, plan.cg.state.units[one.unit.id]
    if not one.somewhere:
        return
    new = marks_at(plan, one)
    replaced = REPLACED | ({Mark.FIXED} if cg.variant.dm_releases(cg) else set())
    adding, removing = new - unit.marks, (unit.marks & replaced) - new
    yield from marked(unit, add=adding - SECRET, remove=removing - SECRET, why="set up so")
    add, remove = adding & SECRET, removing & SECRET
    if add or remove:
        yield UnitMarked(unit=unit.id, add=add, remove=remove, why="set up so", to=(plan.side,))
    if Mark.ABANDONED in adding:
        type_ = cg.nation_of(unit).unit(unit.type)
        assert isinstance(type_, VehicleType), "the judge lets only vehicles be Abandoned"
        assert type_.crew is not None, "the judge lets only vehicles with a crew be Abandoned"
        crew = unit_joins(cg, plan.side, type_.crew, "crew", unit.group, why="leaves its vehicle")
        yield crew
        if one.at:
            yield moved(crew.unit, one.at, Place.MAP, "beside its vehicle")
        yield UnitRetained(unit=crew.unit.id, area=unit.area, to=(plan.side,))


def _seen(plan: Plan, one: Placed) -> Iterator[Fact]:
    """Let the enemy see a unit that stands openly; prisoners go where their Guard is."""
    unit = plan.cg.state.units[one.unit.id]
    if one.at and one.hide == NONE:
        secret = unit.marks & SECRET if not unit.known else frozenset()
        yield from reveal(unit.but(marks=unit.marks - secret), f"it stands openly in {one.at}")
        if secret:
            yield UnitMarked(unit=unit.id, add=secret, why="not shown yet", to=(plan.side,))
    for captive in carried_by(plan.cg, unit):
        if captive.side != plan.side and captive.at != unit.at:
            # Both know where prisoners are, even if the Guard is under a "?".
            fact = moved(captive, unit.at, unit.place, "with his Guard")
            yield fact.model_copy(update={"to": None})
