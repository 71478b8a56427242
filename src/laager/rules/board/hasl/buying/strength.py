"""What groups of the present CG Date really bring: strength and units, SW, leaders. All secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from laager.base import Problem, Refusal, RefusedError, did_you_mean
from laager.base.counting import counted
from laager.campaign import Choice, Fact, Field, Procedure, Question, Record, Text, ask, implements, roll, step
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.asking import chart_modifiers
from laager.rules.board.hasl.buying.counts import SW_KINDS, UNIT_KINDS, count_faults, counts_of
from laager.rules.board.hasl.buying.group_leaders import leader_faults, leaders_come, leaders_join, suggest_leaders
from laager.rules.board.hasl.buying.groups import fresh_groups, line_of, listed, of_group, types_of
from laager.rules.board.hasl.buying.weapons import weapons_allotted, weapons_join
from laager.rules.board.hasl.charts import WITH_UNITS, Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.units import Group, Strength
from laager.rules.board.joining import units_join
from laager.tables import Value

STRENGTHS = {"full": Strength.FULL, "depleted": Strength.DEPLETED}
"""What the results of a table of strength mean."""

ROLLING = frozenset({Kind.INFANTRY, Kind.HEAVY_WEAPONS})
"""The types of groups for which a strength is recorded."""


@implements("HASL 22", "ABtF 9.618", "ER 1.519", "ER 1.5193 Secrecy")
@step("HASL 21", "Strength, SW, leaders")
def strength_weapons_leaders(cg: Hasl, side: str) -> Procedure[None]:
    """First the strength and units of every new group, then its SW, then its leaders.

    What no chart lists is asked group by group.
    """
    names = [group.id for group in fresh_groups(cg, side) if Kind(group.kind) in WITH_UNITS]
    for name in names:
        yield from _strength(cg, cg.state.groups[side, name])
    groups = [cg.state.groups[side, name] for name in names]
    for group in groups:
        if listed(cg, group):
            yield from weapons_allotted(cg, group)
    for group in groups:
        if listed(cg, group):
            yield from leaders_come(cg, group)
        else:
            yield from _received(cg, group)


# Strength and units -------------------------------------------------------------------------------


def _strength(cg: Hasl, group: Group) -> Procedure[None]:
    line = line_of(cg, group)
    strength: Strength | None
    strength, why = (Strength.FULL, "Full Strength") if line.kind in ROLLING else (None, "as the chart has it")
    if cg.variant.strength_rolled(cg, group.side, line, group.given):
        strength, why = yield from strength_of(cg, group, line)
    changes: dict[str, Any] = {"strength": strength} if strength is not None else {}
    lines = line.full
    if strength is Strength.DEPLETED and line.depleted is not None:
        lines = line.depleted
    if listed(cg, group):
        changes["units"] = types_of(lines)
    if changes:
        yield GroupChanged.of(group, why, cg.variant.clause("strength"), **changes)
    if listed(cg, group):
        yield from group_units_join(cg, group, lines, f"{group.id}, {group.name}: {why}")


@implements("ABtF 9.2 Strength", "ABtF 9.6181", "ER 1.5191")
def strength_of(cg: Hasl, group: Group, line: RgLine) -> Procedure[tuple[Strength, str]]:
    """Roll for the strength of a group, or ask for it where there is no table."""
    side, rule = group.side, cg.variant.clause("strength")
    table = cg.variant.strength_table(cg)
    label = f"Strength of {group.id}"
    if table is None:
        answer = yield from ask(
            Question(
                key="strength",
                side=side,
                text=f"Is {group.id}, {group.name}, received at Full Strength or Depleted?",
                form=Choice.of(*STRENGTHS),
                rule=rule,
                secret=True,
                default="full",
                help="The table of strength is not filled in: roll by the module's own.",
            )
        )
        return STRENGTHS[answer], f"{answer}, as you looked it up"
    known = cg.variant.strength_modifiers(cg, side, line)
    modifiers = yield from chart_modifiers(table, side, label, known, secret=True, rule=rule)
    rolled = yield from roll(side, label, table.dice, modifiers, rule=rule, secret=True)
    result = table.result(rolled.final)
    return strength_named(result), f"{rolled}: {table.words(result)}"


@implements("ABtF 9.2 Depleted", "ABtF 9.2 Full Strength")
def strength_named(result: Value) -> Strength:
    """Return what a result of the table means. Raises RefusedError for another word."""
    if result not in STRENGTHS:
        advice = did_you_mean(str(result), STRENGTHS)
        raise RefusedError(Refusal.BAD_DATA, f"the table strength gives {result!r}", advice)
    return STRENGTHS[str(result)]


def group_units_join(cg: Hasl, group: Group, lines: Iterable[UnitLine], why: str) -> Iterator[Fact]:
    """Units of a group join, each Retained in the area that is recorded for the group."""
    for fact in units_join(cg, group.side, tuple(lines), group.id, why):
        yield from of_group(group, fact, cg.variant.clause("strength"))


# Without a chart ----------------------------------------------------------------------------------


def _received(cg: Hasl, group: Group) -> Procedure[None]:
    """Ask what a group brings that no chart lists; then all of it joins."""
    nation = cg.nation(group.side)
    answer = yield from ask(_question(cg, group))
    units = counts_of(answer["units"], nation, UNIT_KINDS)
    sw = counts_of(answer["sw"], nation, SW_KINDS)
    brought = counted({**units, **sw}) or "nothing"
    yield GroupChanged.of(group, f"{group.id} brings {brought}", units=units, sw=sw)
    why = f"{group.id}, {group.name}"
    lines = [UnitLine(type=type_, count=count) for type_, count in units.items()]
    yield from group_units_join(cg, group, lines, why)
    yield from weapons_join(cg, group, sw, why)
    yield from leaders_join(cg, group, answer["leaders"], why)


def _question(cg: Hasl, group: Group) -> Question:
    strength = {Strength.FULL: ", received at Full Strength,", Strength.DEPLETED: ", received Depleted,", None: ""}[
        group.strength
    ]
    fields = (
        Field("units", Text(limit=200), "Units", counted(group.units)),
        Field("sw", Text(limit=200), "SW", counted(group.sw)),
        Field("leaders", Text(limit=60), "Leaders: 9-1, 8-0", ""),
    )
    default = {field.name: field.default for field in fields}

    def suggest(rng: Random) -> dict[str, str]:
        return {**default, "leaders": suggest_leaders(cg, group, rng)}

    return Question(
        key="received",
        side=group.side,
        text=f"What does {group.id}, {group.name}{strength} bring?",
        form=Record(fields),
        secret=True,
        default=default,
        help="The RG chart of this side is not filled in: look it up, and roll by the module's own tables.",
        check=lambda answer: tuple(_faults(cg, group, answer)),
        suggest=suggest,
    )


def _faults(cg: Hasl, group: Group, answer: Mapping[str, str]) -> Iterator[Problem]:
    nation = cg.nation(group.side)
    for field, kinds in (("units", UNIT_KINDS), ("sw", SW_KINDS)):
        for what, right in count_faults(answer[field], nation, kinds):
            yield Problem(what, right, field)
    for what, right in leader_faults(cg, group, answer["leaders"]):
        yield Problem(what, right, "leaders")
