"""Shift: Retained units and OBA equipment try to come to another area of their side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Procedure,
    Rows,
    SecretQuestion,
    YesNo,
    ask,
    implements,
    no_decision,
    step,
)
from laager.campaign.temperament import Temperament, sensible
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.areas import declared_guns, qualified_crew
from laager.rules.board.hasl.asking import roll_on_table
from laager.rules.board.hasl.conditions import conditions, yes_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import bound_by, within_reach
from laager.rules.board.hasl.refit.escape import can_go_alone, retain_elsewhere
from laager.rules.board.hasl.setup.oba import radios
from laager.rules.board.rows import repeated_names
from laager.rules.board.setup.posts import steps_from
from laager.rules.board.units import Mark, Unit


@implements("ABtF 9.613", "ABtF CG10c", "ER 1.513")
@step("HASL 17", "Shift", edition=3, each_side=True)
def shift(cg: Hasl, side: str) -> Procedure[None]:
    """A side says which units try to Shift and where to; the table decides if they get there."""
    movers, places = shift_options(cg, side), shift_places(cg, side)
    if len(places) < 2:
        return
    if not any(not option.why_not for option in movers):
        yield from ask(no_decision("shift", side, "None of your units can Shift."))
        return
    table = cg.chart_table("shift")
    rows = yield from ask(shift_question(cg, side, movers, places, asked=table is None))
    for row in rows:
        if table is None:
            good, why = row["success"], "as the players looked it up"
        else:
            name, known = _name_and_known(cg, side, row["unit"])
            rolled = yield from roll_on_table(table, side, f"Shift: {name}", conditions(cg, side), secret=not known)
            good, why = yes_of(table.result(rolled.final), "shift"), str(rolled)
        if good:
            yield from carry_out_shift(cg, side, row["unit"], row["to"], f"Shift: {why}")


def _name_and_known(cg: Hasl, side: str, name: str) -> tuple[str, bool]:
    unit = cg.state.units.get(name)
    return (unit.type, unit.known) if unit is not None else (name, False)


@implements("HASL 17", "ABtF 9.2 Shift")
def shift_options(cg: Hasl, side: str) -> tuple[Option, ...]:
    """Return what can try to Shift, with why some units can't.

    What is with another unit goes with it. OBA modules Shift by their radio or phone.
    """
    bound = declared_guns(cg)
    crews = {crew.id: at for gun, at in bound.items() if (crew := qualified_crew(cg, cg.state.units[gun])) is not None}
    options = []
    for unit in cg.state.units_of(side):
        why = ""
        if unit.id in bound:
            why = f"it makes {bound[unit.id]} a Strategic Location; it must set up there"
        elif unit.id in crews:
            why = f"it mans the Gun that makes {crews[unit.id]} a Strategic Location"
        elif not can_go_alone(unit) or not unit.area or unit.has(Mark.PRISONER, Mark.WRECK):
            continue
        options.append(
            Option(unit.id, f"{unit.label} in {unit.area or unit.at}", why or _isolation_reason(cg, side, unit.area))
        )
    for group in radios(cg, side):
        if group.area:
            options.append(
                Option(group.id, f"{group.equipment} of {group.id}", _isolation_reason(cg, side, group.area))
            )
    return tuple(options)


def _isolation_reason(cg: Hasl, side: str, name: str) -> str:
    """Return why nothing Shifts from an area, by the reading; "" if it can."""
    area = cg.state.area(side, name)
    isolated = area is not None and area.isolated
    return f"{name} is Isolated; only Escape leads out" if isolated and not cg.variant.may_isolated_shift(cg) else ""


def shift_places(cg: Hasl, side: str) -> list[str]:
    """Return the areas of a side: its Setup Areas, then the arrow hexes of its Entry Areas."""
    return [*(area.name for area in cg.state.areas_of(side)), *cg.arrows(side)]


def shift_question(
    cg: Hasl, side: str, movers: Sequence[Option], places: Sequence[str], *, asked: bool
) -> SecretQuestion:
    """Return the question which units try to Shift; `asked`: also which get there."""
    fields = [Field("unit", Choice(tuple(movers)), "Unit"), Field("to", Choice.of(*places), "To")]
    if asked:
        fields.append(Field("success", YesNo(), "Did it get there?", True))

    def suggest(rng: Random) -> list[dict[str, Any]]:
        free = [option.value for option in movers if not option.why_not]
        rows = [{"unit": name, "to": rng.choice(list(places))} for name in rng.sample(free, 1)]
        return [row for row in rows if not shift_problems(cg, side, [row])]

    return SecretQuestion(
        key="shift",
        side=side,
        text="Which of your units try to Shift, and where to?",
        form=Rows.of(*fields),
        check=lambda rows: shift_problems(cg, side, rows),
        suggest=suggest,
        default=cg.later(lambda now: [] if asked else judge_shift(now, side, movers, sensible())),
        judge=lambda temper: [] if asked else judge_shift(cg, side, movers, temper),
        help="To another of your Setup Areas, or to an Entry Area that the unit can use. What it carries goes with it.",
    )


# Who should -------------------------------------------------------------------------------------

NEARER = 4
"""How many hexes nearer to what decides an area must be, for squads to come to it."""

GARRISON = 3
"""Squads that stay in an area that others leave."""


def judge_shift(cg: Hasl, side: str, movers: Sequence[Option], temper: Temperament) -> list[dict[str, Any]]:
    """Return the squads of a temperament that come to the area nearest to what decides: an attacker's spare ones.

    A squad that fails stays where it is: trying costs nothing.
    """
    from laager.rules.board.hasl.judgement import MOST_GOALS, goals, wants_attack

    areas = [area for area in cg.state.areas_of(side) if area.hexes and not area.isolated]
    wanted = goals(cg, side)[:MOST_GOALS]
    if len(areas) < 2 or not wanted or not wants_attack(cg, side, temper):
        return []
    steps = steps_from(cg.map, wanted)
    away = {area.name: min(steps[cg.map.main(name)] for name in area.hexes) for area in areas}
    best = min(away, key=away.__getitem__)
    squads = [unit for option in movers if not option.why_not and (unit := cg.state.units.get(option.value))]
    squads = [unit for unit in squads if unit.kind == "squad" and away.get(unit.area, 0) - away[best] >= NEARER]
    kept = Counter[str]()
    rows = []
    for unit in squads:
        kept[unit.area] += 1
        if kept[unit.area] > GARRISON and not _shift_problem(cg, side, unit.id, best):
            rows.append({"unit": unit.id, "to": best})
    return rows


@implements("HASL 17")
def shift_problems(cg: Hasl, side: str, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return what the rules have against units that would Shift."""
    problems = repeated_names(rows)
    for number, row in enumerate(rows, 1):
        fault = _shift_problem(cg, side, row["unit"], row["to"])
        if fault:
            problems.append(Problem(fault, "choose another area", f"[{number}].to"))
    return problems


def _shift_problem(cg: Hasl, side: str, name: str, to: str) -> str:
    unit = cg.state.units.get(name)
    group = cg.state.groups.get((side, unit.group if unit is not None else name))
    now = unit.area if unit is not None else group.area if group is not None else ""
    if to == now:
        return f"{name} is in {to} already"
    line = cg.line(side, group.rg) if group is not None else None
    if cg.state.area(side, to) is None and line is not None and to not in cg.arrows(side, line):
        mine = ", ".join(cg.arrows(side, line)) or "none"
        return f"{name} can't use the Entry Area {to}; those of its group are {mine}"
    if unit is None:
        return ""
    if bound_by(cg, unit, Mark.SHIFTED) and not within_reach(cg, unit, to):
        return f"{unit.label} must set up within {cg.variant.gun_radius} hexes of {unit.spot}"
    return cg.variant.shift_problem(cg, unit, to)


def carry_out_shift(cg: Hasl, side: str, name: str, to: str, why: str) -> Iterator[Fact]:
    """Yield that a unit or an OBA module that Shifted is Retained in its new area."""
    unit: Unit | None = cg.state.units.get(name)
    if unit is not None:
        yield from retain_elsewhere(cg, unit, to, Mark.SHIFTED, why)
        return
    # It goes alone: its holder stays where he is.
    yield GroupChanged.of(cg.state.groups[side, name], why, area=to, holder="")
