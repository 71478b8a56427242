"""Firefight setup: one side completely, then the other (PL 2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laager.base import Problem
from laager.base.counting import some
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Number,
    Option,
    Procedure,
    Question,
    Record,
    Rows,
    Several,
    Text,
    YesNo,
    ask,
    implements,
    nothing_to_decide,
    step,
)
from laager.catalogue import GunType, SwType
from laager.hexmap.ranges import LIKE_WAY
from laager.rules.board.card.parts import other
from laager.rules.board.changes import hide, marked, moved, reveal
from laager.rules.board.facts import UnitAttached
from laager.rules.board.places import can_emplace
from laager.rules.board.setup.hiding import CLOAKED, CONCEALED, HIDDEN, HIDES, NONE, QUESTION_MARK, used_of
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.checks import bought_hip, question_marks_needed, setup_problems, setup_warnings
from laager.rules.platoon_leader.setup.forts import placed_forts, revealed_forts
from laager.rules.platoon_leader.setup.plan import DUMMIES, Plan, Setting, Spot
from laager.rules.platoon_leader.setup.proposal import proposal, suggestion
from laager.rules.platoon_leader.setup.rights import fixes_gun
from laager.rules.platoon_leader.setup.security import modules_settled

HIDES_UNITS = "used to hide units"


@step("PL 2.6", "Setup", also=("PL 2.32", "PL 2.33", "PL 2.38", "PL 2.38 note 2", "PL CG3"), edition=2)
def setting_up(cg: Cg) -> Procedure[None]:
    """The side that the type of firefight puts first sets up completely, then the other."""
    first = cg.state.fight.sets_up_first
    for side in (first, other(first)):
        yield from _side_sets_up(cg, side)


def _side_sets_up(cg: Cg, side: str) -> Procedure[None]:
    setting = Setting(cg, side)
    if setting.empty:
        text = "You have nothing to set up."
        yield from ask(nothing_to_decide("setup", side, text, "PL 2.6", Record(())))
        return
    while True:
        plan = Plan(setting, (yield from ask(setup_question(setting))))
        warnings = setup_warnings(plan)
        if not warnings or (yield from ask(_sure(side, warnings))):
            break
    yield from tell(placed_forts(plan))
    yield from tell(_allowances_used(plan))
    for spot in plan.placed:
        yield from tell(_set_up(plan, spot))
    yield from tell(modules_settled(plan))
    # Nothing is shown before all of a side's setup stands.
    yield from tell(revealed_forts(plan))
    for spot in plan.placed:
        yield from tell(_seen(plan, spot))


def _sure(side: str, warnings: list[str]) -> Question:
    return Question(
        key="setup-warnings",
        side=side,
        text="Leave your setup as it is? " + "; ".join(warnings) + ".",
        form=YesNo(),
        rule="PL 2.37",
        secret=True,
        default=True,
        help="No lets you set up anew. These are for you to judge; nothing is refused.",
    )


# The question -----------------------------------------------------------------------------------


def setup_question(setting: Setting) -> Question:
    """Return the question for the whole setup of a side."""
    fields = tuple(_fields(setting))

    def check(answer: dict[str, Any]) -> tuple[Problem, ...]:
        return setup_problems(Plan(setting, answer))

    return Question(
        key="setup",
        side=setting.side,
        text=_text(setting),
        form=Record(fields),
        rule="PL 2.6",
        secret=True,
        default=proposal(setting),
        check=check,
        suggest=lambda rng: suggestion(setting, rng),
        help="One row for each unit: where, and how it hides. SW and Guns go with whoever has them "
        "(with). What has no row stays off map; units on the map already stay where they are.",
    )


def _text(setting: Setting) -> str:
    where = "your setup area" if setting.cg.front is None else "your MLR"
    text = f"Where in {where} do your {some(len(setting.units), 'unit')} set up?"
    if setting.dummies:
        text += f" Your Reserves have {setting.dummies} Dummies."
    return text


def _fields(setting: Setting) -> Iterator[Field]:
    if setting.units:
        yield Field("units", Rows(_unit_row(setting)), "Units", [])
    if setting.forts or setting.dummies:
        yield Field("forts", Rows(_fort_row(setting)), "Fortifications and Dummies", [])
    most = charts().limit("oba-modules")
    if len(setting.modules) > 1:
        options = tuple(Option(module.id) for module in setting.modules)
        default = [module.id for module in setting.modules[:most]]
        label = f"OBA modules to be used, {most} at most"
        yield Field("modules", Several(options), label, default)
    if setting.phones:
        options = tuple(Option(module.id) for module in setting.phones)
        row = Record((Field("module", Choice(options), "Module"), Field("hexes", Text(limit=400), f"Hexes {LIKE_WAY}")))
        yield Field("lines", Rows(row), "Security Areas, from phone to map edge", [])


def _unit_row(setting: Setting) -> Record:
    units = tuple(Option(unit.id, _label(unit)) for unit in setting.units)
    ways = (
        Option(NONE, "openly"),
        Option(CONCEALED, 'under "?"'),
        Option(HIDDEN, "hidden (HIP)"),
        Option(CLOAKED, "Cloaked"),
    )
    return Record(
        (
            Field("unit", Choice(units), "Unit"),
            Field("at", Text(limit=20), "Location", ""),
            Field("hide", Choice(ways), "How", NONE),
            Field("with", Text(limit=20), "SW, Gun: possessed by; else: vehicle", ""),
        )
    )


def _label(unit: Unit) -> str:
    return f"{unit.label} of {unit.group}" if unit.group else unit.label


def _fort_row(setting: Setting) -> Record:
    forts = [Option(fort.id, f"{fort.kind} {fort.size}".strip()) for fort in setting.forts]
    if setting.dummies:
        forts.append(Option(DUMMIES, f"{setting.dummies} Dummies of the Reserves"))
    fields = [
        Field("fort", Choice(tuple(forts)), "Fortification"),
        Field("at", Text(limit=20), "Location"),
        Field("hexside", Text(limit=60), "Hex beyond its hexside", ""),
        Field("count", Number(1, 99), 'How many, of "?" and Dummies', 1),
        Field("show", YesNo(), "Openly on map", False),
        Field("cloaking", YesNo(), 'A "?" as a Dummy among Reserves', False),
        Field("dc", Text(limit=20), "The DC that is set", ""),
    ]
    return Record(tuple(fields))


# What follows -----------------------------------------------------------------------------------


@implements("PL 2.38 note 3")
def _allowances_used(plan: Plan) -> Iterator[Fact]:
    """Bought HIP and "?" that hide units are used up."""
    for size, count in bought_hip(plan).items():
        bought = [fort.id for fort in plan.setting.hip if fort.size == size]
        yield from used_of(plan.cg, bought, count, HIDES_UNITS)
    dummies = sum(s.count for s in plan.sites if s.fort is not None and s.kind == QUESTION_MARK)
    marks = [fort.id for fort in plan.setting.forts if fort.kind == QUESTION_MARK]
    yield from used_of(plan.cg, marks, question_marks_needed(plan) - dummies, HIDES_UNITS)


def _set_up(plan: Plan, spot: Spot) -> Iterator[Fact]:
    """Put a unit on the map with what it possesses, out of the enemy's knowledge if it hides."""
    cg, mark = plan.cg, HIDES[plan.hide_of(spot)]
    where = f"set up in {spot.at}"
    for name in (spot.unit.id, *_with(plan, spot.unit)):
        if mark is not None:
            # Everybody is told that a unit goes out of sight, so this must not tell where it is.
            yield from hide(cg.state.units[name], mark, "out of sight at setup")
            others = {way for way in HIDES.values() if way is not None} - {mark}
            yield from marked(cg.state.units[name], remove=others, why=where)
        holder = spot.holder if name == spot.unit.id else spot.unit.id
        unit = cg.state.units[name]
        if unit.with_unit != holder:
            yield UnitAttached(unit=name, to_unit=holder, why=where, to=unit.audience)
        yield moved(unit, spot.at, Place.MAP, where)
        yield from marked(cg.state.units[name], add=_marks(plan, spot, unit), why=where)


def _marks(plan: Plan, spot: Spot, unit: Unit) -> set[Mark]:
    """Return what else a unit gets by setting up: an emplaced or fixed Gun, a dismantled SW."""
    type_ = plan.cg.nation_of(unit).unit(unit.type)
    found = set()
    if isinstance(type_, GunType):
        if can_emplace(plan.cg, spot.at):
            found.add(Mark.EMPLACED)
        if fixes_gun(plan.cg, unit, spot.at):
            found.add(Mark.FIXED)
    by_night = plan.cg.slot.night is not None and plan.hide_of(spot) == CLOAKED
    if by_night and isinstance(type_, SwType) and type_.dm_pp is not None:
        found.add(Mark.DISMANTLED)
    return found


def _seen(plan: Plan, spot: Spot) -> Iterator[Fact]:
    """Let the enemy see a unit that stands openly, with what it possesses."""
    if plan.hide_of(spot) != NONE:
        return
    for name in (spot.unit.id, *_with(plan, spot.unit)):
        yield from reveal(plan.cg.state.units[name], f"it stands openly in {spot.at}")


def _with(plan: Plan, unit: Unit) -> list[str]:
    """Return the SW and Guns that set up with a unit; a DC that was set has left it."""
    items = (item for item, holder in plan.items.items() if holder == unit.id)
    return [item for item in items if plan.cg.state.units[item].in_play]
