"""Firefight setup: one side completely, then the other (PL 2.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from laager.base import Problem
from laager.campaign.clauses import implements
from laager.campaign.facts import Fact
from laager.campaign.questions import (
    Choice,
    Field,
    Number,
    Option,
    Question,
    Record,
    Rows,
    Several,
    Text,
    YesNo,
)
from laager.campaign.steps import Procedure, ask, step
from laager.catalogue import GunType, SwType
from laager.hexmap import water
from laager.rules.common.card import other
from laager.rules.common.changes import hide, marked, moved, reveal
from laager.rules.common.facts import UnitAttached
from laager.rules.common.telling import tell
from laager.rules.common.units import Mark, Place, Unit
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.concealment import hex_of
from laager.rules.platoon_leader.steps.security import modules_settled
from laager.rules.platoon_leader.steps.setup_checks import (
    bought_hip,
    question_marks_needed,
    setup_problems,
    setup_warnings,
)
from laager.rules.platoon_leader.steps.setup_forts import placed_forts, revealed_forts, used_up
from laager.rules.platoon_leader.steps.setup_plan import (
    CLOAKED,
    CONCEALED,
    DUMMIES,
    HIDDEN,
    HIDES,
    NONE,
    QUESTION_MARK,
    Plan,
    Setting,
    Spot,
)
from laager.rules.platoon_leader.steps.setup_proposal import proposal, suggestion

FIXING = frozenset({"pillbox", "fortified-building"})
"""Fortifications in which a Gun stays for the whole campaign (PL CG3)."""

LIGHT_MORTAR = 82
"""The largest calibre of a mortar that can be dismantled, in mm."""


@step("PL 2.6", "Setup", also=("PL 2.32", "PL 2.33", "PL 2.38", "PL 2.38 note 2", "PL CG3"))
def setting_up(cg: Cg) -> Procedure[None]:
    """The side that the type of firefight puts first sets up completely, then the other."""
    first = cg.state.fight.sets_up_first
    for side in (first, other(first)):
        yield from _side_sets_up(cg, side)


def _side_sets_up(cg: Cg, side: str) -> Procedure[None]:
    setting = Setting(cg, side)
    if setting.empty:
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
    text = f"Where in {where} do your {len(setting.units)} units set up?"
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
        row = Record((Field("module", Choice(options)), Field("hexes", Text(limit=400))))
        yield Field("lines", Rows(row), "Security Areas, phone to map edge: C4-C1", [])


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
        yield from _use(plan.cg, [f.id for f in plan.setting.hip if f.size == size], count)
    dummies = sum(s.count for s in plan.sites if s.fort is not None and s.kind == QUESTION_MARK)
    marks = [fort.id for fort in plan.setting.forts if fort.kind == QUESTION_MARK]
    yield from _use(plan.cg, marks, question_marks_needed(plan) - dummies)


def _use(cg: Cg, forts: list[str], count: int) -> Iterator[Fact]:
    for name in forts:
        if count and name in cg.state.forts:
            here = min(count, cg.state.forts[name].count)
            count -= here
            yield from used_up(cg, name, here, "used to hide units")


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
        if is_fixed(plan, type_, spot.at):
            found.add(Mark.FIXED)
    by_night = plan.cg.slot.night is not None and plan.hide_of(spot) == CLOAKED
    if by_night and isinstance(type_, SwType) and type_.dm_pp is not None:
        found.add(Mark.DISMANTLED)
    return found


def can_emplace(cg: Cg, location: str) -> bool:
    """Whether a Gun that sets up there is emplaced (C11.2): wherever a foxhole could be dug."""
    name = hex_of(location)
    there = cg.map.hex(name)
    barred = {"rubble", "marsh", "swamp", "bridge"}
    changed = cg.state.ground.changes.get(name, frozenset())
    paved = any(road.kind in {"paved", "runway"} and name in road.along for road in cg.map.roads)
    soft = there.building is None and not water(there) and barred.isdisjoint(there.contents)
    return soft and "rubble" not in changed and not paved


@implements("PL CG3")
def is_fixed(plan: Plan, gun: GunType, location: str) -> bool:
    """Whether a Gun set up there stays for the whole campaign.

    In a pillbox or Fortified Building Location, unless it can be dismantled.
    """
    if can_dismantle(gun):
        return False
    there = {
        fort.kind
        for fort in plan.cg.state.forts.values()
        if fort.at == location and fort.side == plan.side
    }
    return not FIXING.isdisjoint(there)


def can_dismantle(gun: GunType) -> bool:
    """Whether a Gun can be taken apart and carried: light mortars and recoilless rifles."""
    calibre = re.match(r"\d+", gun.type)
    light = calibre is not None and int(calibre.group()) <= LIGHT_MORTAR
    return gun.sort == "recoilless" or (gun.sort == "mortar" and light)


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
