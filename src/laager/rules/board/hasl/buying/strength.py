"""The strength, units, SW and leaders of the present CG Date's groups. All secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem, Refusal, RefusedError, did_you_mean
from laager.base.counting import list_counts
from laager.campaign import Choice, Fact, Field, Procedure, Record, SecretQuestion, Text, ask, implements, roll, step
from laager.catalogue import Kind as UnitKind
from laager.dice import Dice
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.asking import ask_modifiers
from laager.rules.board.hasl.buying.groups import (
    SW_KINDS,
    UNIT_KINDS,
    count_problems,
    counts_of,
    fresh_groups,
    is_listed,
    join_to_group,
    line_of,
    types_of,
)
from laager.rules.board.hasl.charts import WITH_UNITS, Kind, RgLine, SwLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group, Strength
from laager.rules.board.numbering import join_unit, join_units
from laager.tables import Table, Value

STRENGTHS = {"full": Strength.FULL, "depleted": Strength.DEPLETED}
"""Strengths by the results of the table of strength."""

DEPLETED_WEAPON = 4
"""The highest dr with which a Depleted group gets a SW listed without parentheses."""

ROLLING = frozenset({Kind.INFANTRY, Kind.HEAVY_WEAPONS})
"""The types of groups for which a strength is recorded."""

NONE = "none"
"""The record's word for no leader."""

_BETWEEN = re.compile(r"\s*(?:,|&|\band\b)\s*", re.IGNORECASE)
LEADER_VALUE = re.compile(r"[0-9]+[+-][0-9]+")


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
        if is_listed(cg, group):
            yield from weapons_allotted(cg, group)
    for group in groups:
        if is_listed(cg, group):
            yield from leaders_come(cg, group)
        else:
            yield from _ask_what_comes(cg, group)


# Strength and units -------------------------------------------------------------------------------


def _strength(cg: Hasl, group: Group) -> Procedure[None]:
    line = line_of(cg, group)
    strength: Strength | None
    strength, why = (Strength.FULL, "Full Strength") if line.kind in ROLLING else (None, "as the chart has it")
    if cg.variant.rolls_strength(cg, group.side, line, group.given):
        strength, why = yield from strength_of(cg, group, line)
    changes: dict[str, Any] = {"strength": strength} if strength is not None else {}
    lines = line.full
    if strength is Strength.DEPLETED and line.depleted is not None:
        lines = line.depleted
    if is_listed(cg, group):
        changes["units"] = types_of(lines)
    if changes:
        yield GroupChanged.of(group, why, cg.variant.clause("strength"), **changes)
    if is_listed(cg, group):
        yield from join_group_units(cg, group, lines, f"{group.id}, {group.name}: {why}")


@implements("ABtF 9.2 Strength", "ABtF 9.6181", "ER 1.5191")
def strength_of(cg: Hasl, group: Group, line: RgLine) -> Procedure[tuple[Strength, str]]:
    """Roll for the strength of a group, or ask for it where there is no table."""
    side, rule = group.side, cg.variant.clause("strength")
    table = cg.variant.strength_table(cg)
    label = f"Strength of {group.id}"
    if table is None:
        answer = yield from ask(
            SecretQuestion(
                "strength",
                side,
                f"Is {group.id}, {group.name}, received at Full Strength or Depleted?",
                Choice.of(*STRENGTHS),
                rule,
                default="full",
                help="The table of strength is not filled in: roll by the module's own.",
            )
        )
        return STRENGTHS[answer], f"{answer}, as you looked it up"
    known = cg.variant.strength_modifiers(cg, side, line)
    modifiers = yield from ask_modifiers(table, side, label, known, secret=True, rule=rule)
    rolled = yield from roll(side, label, table.dice, modifiers, rule=rule, secret=True, table=table.id)
    result = table.result(rolled.final)
    return read_strength(result), f"{rolled}: {table.words(result)}"


@implements("ABtF 9.2 Depleted", "ABtF 9.2 Full Strength")
def read_strength(result: Value) -> Strength:
    """Return what a result of the table means. Raises RefusedError for another word."""
    if result not in STRENGTHS:
        advice = did_you_mean(str(result), STRENGTHS)
        raise RefusedError(Refusal.BAD_DATA, f"the table strength gives {result!r}", advice)
    return STRENGTHS[str(result)]


def join_group_units(cg: Hasl, group: Group, lines: Iterable[UnitLine], why: str) -> Iterator[Fact]:
    """Yield that units of a group join, each Retained in the area that is recorded for the group."""
    for fact in join_units(cg, group.side, tuple(lines), group.id, why):
        yield from join_to_group(group, fact, cg.variant.clause("strength"))


# SW ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WeaponRoll:
    """A single SW that a dr decides: it comes on `most` or less."""

    type: str
    most: int


@implements("HASL 22")
def automatic(sw: Sequence[SwLine], strength: Strength | None) -> tuple[str, ...]:
    """Return the SW that come without a dr: those without parentheses, unless Depleted."""
    if strength is Strength.DEPLETED:
        return ()
    return tuple(line.type for line in sw if line.need is None for _ in range(line.count))


@implements("HASL 22")
def weapon_rolls(sw: Sequence[SwLine], strength: Strength | None) -> tuple[WeaponRoll, ...]:
    """Return the single SW for each of which a dr is made, in the chart's order.

    Listed as (n), one comes on n or less, in a Depleted group on less than n. Without parentheses
    one comes to a Depleted group on 4 or less. What no dr can bring is left out.
    """
    depleted = strength is Strength.DEPLETED
    rolls = []
    for line in sw:
        if line.need is None and not depleted:
            continue
        most = DEPLETED_WEAPON if line.need is None else line.need - depleted
        rolls += [WeaponRoll(line.type, most)] * (line.count if most else 0)
    return tuple(rolls)


@implements("ER 1.5192")
def weapons_allotted(cg: Hasl, group: Group) -> Procedure[None]:
    """A group gets its SW: by dice, as its chart line says."""
    line = line_of(cg, group)
    if not line.sw:
        return
    got = yield from _diced_for(cg, group, line)
    yield GroupChanged.of(group, f"{group.id}: {list_counts(got) or 'no SW'}", cg.variant.clause("weapons"), sw=got)
    yield from join_weapons(cg, group, got, f"SW of {group.id}")


def _diced_for(cg: Hasl, group: Group, line: RgLine) -> Procedure[dict[str, int]]:
    """Roll for single SW; where a group must have more than came, roll for all of them again.

    Those that come without a dr stay. A chart that can never bring enough is not rolled on again.
    """
    certain = automatic(line.sw, group.strength)
    dice = weapon_rolls(line.sw, group.strength)
    least = cg.variant.least_weapons(cg, group.side, line)
    again = ""
    while True:
        got = list(certain)
        for die in dice:
            rolled = yield from roll(
                group.side,
                f"{die.type} for {group.id}, comes on {die.most} or less{again}",
                Dice.dr,
                rule=cg.variant.clause("weapons"),
                secret=True,
            )
            got += [die.type] * (rolled.final <= die.most)
        if len(got) >= least or len(certain) + len(dice) < least:
            return {type_: got.count(type_) for type_ in dict.fromkeys(got)}
        again = f" (again: {len(got)} came, {least} must)"


def join_weapons(cg: Hasl, group: Group, weapons: Mapping[str, int], why: str) -> Iterator[Fact]:
    """SW of a group join, Retained where the group is; the unit that possesses them is chosen at setup."""
    nation = cg.nation(group.side)
    for type_, count in weapons.items():
        kind = nation.unit(type_).kind.value
        for _ in range(count):
            fact = join_unit(cg, group.side, type_, kind, group.id, why=why)
            yield from join_to_group(group, fact, cg.variant.clause("weapons"))


# Leaders -----------------------------------------------------------------------------------------


@implements("HASL 22", "ABtF 9.6183", "ER 1.5193")
def leaders_come(cg: Hasl, group: Group) -> Procedure[None]:
    """A group's leaders: those that the OB names, else by dice, else as the players are asked."""
    line = line_of(cg, group)
    if group.named is not None:
        yield from join_leaders(cg, group, ", ".join(group.named), "named by the OB")
        return
    if not line.leader:
        return
    table = cg.variant.leader_table(cg)
    # A table without the group's column is as good as none.
    if table is None or (table.columns and line.leader not in table.columns):
        yield from _leaders_looked_up(cg, group)
        return
    gate = yield from _gate(cg, group, line)
    if gate:
        yield from join_leaders(cg, group, "", gate)
        return
    yield from _roll_leaders(cg, group, line, table)


def _gate(cg: Hasl, group: Group, line: RgLine) -> Procedure[str]:
    """Make the dr with which a leader comes at all; say why none comes, "" if one does."""
    most = cg.variant.leader_gate(cg, group.side, line)
    if most is None:
        return ""
    rolled = yield from roll(
        group.side,
        f"Leader of {group.id} comes on {most} or less",
        Dice.dr,
        rule=cg.variant.clause("leaders"),
        secret=True,
    )
    return "" if rolled.final <= most else f"{rolled}: more than {most}"


def _roll_leaders(cg: Hasl, group: Group, line: RgLine, table: Table) -> Procedure[None]:
    side, rule = group.side, cg.variant.clause("leaders")
    label = f"Leader of {group.id}"
    known = cg.variant.leader_conditions(cg, side, line, group)
    modifiers = cg.variant.leader_modifiers(cg, side, line, group)
    modifiers += yield from ask_modifiers(table, side, label, known, secret=True, rule=rule)
    rolled = yield from roll(side, label, table.dice, modifiers, rule=rule, secret=True, table=table.id)
    result = table.result(rolled.final, line.leader if table.columns else None)
    yield from join_leaders(cg, group, "" if result is None else str(result), str(rolled))


def _leaders_looked_up(cg: Hasl, group: Group) -> Procedure[None]:
    answer = yield from ask(
        SecretQuestion(
            "leaders",
            group.side,
            f"Which leaders come with {group.id}, {group.name}?",
            Text(limit=60),
            cg.variant.clause("leaders"),
            default="",
            help="Roll by the module's own table. Several: 10-2, 9-1. Nothing: no leader.",
            check=lambda text: tuple(leader_problems(cg, group, text)),
            suggest=lambda rng: suggest_leaders(cg, group, rng),
        )
    )
    yield from join_leaders(cg, group, answer, "as you looked it up")


def leaders_in(text: str) -> tuple[str, ...]:
    """Return what a result names: `10-2 and 9-1` are two leaders; a word stands for itself."""
    return tuple(part for part in _BETWEEN.split(text.strip()) if part)


def leader_kind(group: Group) -> UnitKind:
    """Return the kind of a group's leaders."""
    return kind_of_leaders(Kind(group.kind))


def kind_of_leaders(kind: Kind) -> UnitKind:
    """Return the kind of leaders of a type of group: armor leaders lead AFV and vehicles."""
    armor = kind in (Kind.AFV, Kind.VEHICLE)
    return UnitKind.ARMOR_LEADER if armor else UnitKind.LEADER


def join_leaders(cg: Hasl, group: Group, text: str, why: str) -> Iterator[Fact]:
    """Write a result on the record; the leaders among it join, a word is only written."""
    kind = leader_kind(group)
    parts = leaders_in(text)
    written = ", ".join(parts) or NONE
    yield GroupChanged.of(group, f"{group.id}: {why}", cg.variant.clause("leaders"), leader=written)
    for type_ in parts:
        if type_ not in cg.nation(group.side).types(kind):
            continue
        fact = join_unit(cg, group.side, type_, kind.value, group.id, why=f"{group.id}: {why}")
        yield from join_to_group(group, fact, cg.variant.clause("leaders"))


def leader_problems(cg: Hasl, group: Group, text: str, field: str = "") -> Iterator[Problem]:
    """Yield what is wrong with leaders as entered: values that the nation does not have."""
    kind = leader_kind(group)
    known = cg.nation(group.side).types(kind)
    for part in leaders_in(text):
        if LEADER_VALUE.fullmatch(part) and part not in known:
            yield Problem(f"there is no {kind.value.replace('-', ' ')} {part}", did_you_mean(part, known), field)


def suggest_leaders(cg: Hasl, group: Group, rng: Random) -> str:
    """Return a leader, or none, by chance."""
    known = cg.nation(group.side).types(leader_kind(group))
    return rng.choice(("", *known))


# Without a chart ----------------------------------------------------------------------------------


def _ask_what_comes(cg: Hasl, group: Group) -> Procedure[None]:
    """Ask what a group brings that no chart lists; then all of it joins."""
    nation = cg.nation(group.side)
    answer = yield from ask(_question(cg, group))
    units = counts_of(answer["units"], nation, UNIT_KINDS)
    sw = counts_of(answer["sw"], nation, SW_KINDS)
    brought = list_counts({**units, **sw}) or "nothing"
    yield GroupChanged.of(group, f"{group.id} brings {brought}", units=units, sw=sw)
    why = f"{group.id}, {group.name}"
    lines = [UnitLine(type=type_, count=count) for type_, count in units.items()]
    yield from join_group_units(cg, group, lines, why)
    yield from join_weapons(cg, group, sw, why)
    yield from join_leaders(cg, group, answer["leaders"], why)


def _question(cg: Hasl, group: Group) -> SecretQuestion:
    strength = {Strength.FULL: ", received at Full Strength,", Strength.DEPLETED: ", received Depleted,", None: ""}[
        group.strength
    ]
    form = Record.of(
        Field("units", Text(limit=200), "Units", list_counts(group.units)),
        Field("sw", Text(limit=200), "SW", list_counts(group.sw)),
        Field("leaders", Text(limit=60), "Leaders: 9-1, 8-0", ""),
    )
    return SecretQuestion(
        "received",
        group.side,
        f"What does {group.id}, {group.name}{strength} bring?",
        form,
        help="The RG chart of this side is not filled in: look it up, and roll by the module's own tables.",
        check=lambda answer: tuple(_faults(cg, group, answer)),
        suggest=lambda rng: {**form.defaults, "leaders": suggest_leaders(cg, group, rng)},
    )


def _faults(cg: Hasl, group: Group, answer: Mapping[str, str]) -> Iterator[Problem]:
    nation = cg.nation(group.side)
    for field, kinds in (("units", UNIT_KINDS), ("sw", SW_KINDS)):
        yield from count_problems(answer[field], nation, kinds, field)
    yield from leader_problems(cg, group, answer["leaders"], "leaders")
