"""Leaders of reinforcement groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from laager.base import Problem, did_you_mean
from laager.campaign import Fact, Procedure, Question, Text, ask, implements, roll
from laager.catalogue import Kind as UnitKind
from laager.dice import Dice
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.asking import chart_modifiers
from laager.rules.board.hasl.buying.groups import line_of, of_group
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.units import Group
from laager.rules.board.joining import unit_joins
from laager.tables import Table

NONE = "none"
"""How the record says that no leader came."""

_BETWEEN = re.compile(r"\s*(?:,|&|\band\b)\s*", re.IGNORECASE)
LEADER_VALUE = re.compile(r"[0-9]+[+-][0-9]+")


@implements("HASL 22", "ABtF 9.6183", "ER 1.5193")
def leaders_come(cg: Hasl, group: Group) -> Procedure[None]:
    """A group's leaders: those that the OB names, else by dice, else as the players are asked."""
    line = line_of(cg, group)
    if group.named is not None:
        yield from leaders_join(cg, group, ", ".join(group.named), "named by the OB")
        return
    if not line.leader:
        return
    table = cg.variant.leader_table(cg)
    # A column that the owner's table has not is as good as no table.
    if table is None or (table.columns and line.leader not in table.columns):
        yield from _looked_up(cg, group)
        return
    gate = yield from _gate(cg, group, line)
    if gate:
        yield from leaders_join(cg, group, "", gate)
        return
    yield from _rolled(cg, group, line, table)


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


def _rolled(cg: Hasl, group: Group, line: RgLine, table: Table) -> Procedure[None]:
    side, rule = group.side, cg.variant.clause("leaders")
    label = f"Leader of {group.id}"
    known = cg.variant.leader_conditions(cg, side, line, group)
    modifiers = cg.variant.leader_modifiers(cg, side, line, group)
    modifiers += yield from chart_modifiers(table, side, label, known, secret=True, rule=rule)
    rolled = yield from roll(side, label, table.dice, modifiers, rule=rule, secret=True)
    result = table.result(rolled.final, line.leader if table.columns else None)
    yield from leaders_join(cg, group, "" if result is None else str(result), str(rolled))


def _looked_up(cg: Hasl, group: Group) -> Procedure[None]:
    answer = yield from ask(
        Question(
            key="leaders",
            side=group.side,
            text=f"Which leaders come with {group.id}, {group.name}?",
            form=Text(limit=60),
            rule=cg.variant.clause("leaders"),
            secret=True,
            default="",
            help="Roll by the module's own table. Several: 10-2, 9-1. Nothing: no leader.",
            check=lambda text: [Problem(what, right) for what, right in leader_faults(cg, group, text)],
            suggest=lambda rng: suggest_leaders(cg, group, rng),
        )
    )
    yield from leaders_join(cg, group, answer, "as you looked it up")


# Results ------------------------------------------------------------------------------------------


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


def leaders_join(cg: Hasl, group: Group, text: str, why: str) -> Iterator[Fact]:
    """Write a result on the record; the leaders among it join, a word is only written."""
    kind = leader_kind(group)
    parts = leaders_in(text)
    written = ", ".join(parts) or NONE
    yield GroupChanged.of(group, f"{group.id}: {why}", cg.variant.clause("leaders"), leader=written)
    for type_ in parts:
        if type_ not in cg.nation(group.side).types(kind):
            continue
        fact = unit_joins(cg, group.side, type_, kind.value, group.id, why=f"{group.id}: {why}")
        yield from of_group(group, fact, cg.variant.clause("leaders"))


def leader_faults(cg: Hasl, group: Group, text: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with leaders as entered: values that the nation does not have."""
    kind = leader_kind(group)
    known = cg.nation(group.side).types(kind)
    for part in leaders_in(text):
        if LEADER_VALUE.fullmatch(part) and part not in known:
            what = f"there is no {kind.value.replace('-', ' ')} {part}"
            yield what, did_you_mean(part, known)


def suggest_leaders(cg: Hasl, group: Group, rng: Random) -> str:
    """Return a leader, or none, by chance."""
    known = cg.nation(group.side).types(leader_kind(group))
    return rng.choice(("", *known))
