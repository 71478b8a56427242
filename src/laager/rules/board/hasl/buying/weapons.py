"""SW of reinforcement groups: which come by themselves, which are diced for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from laager.base import Problem
from laager.base.counting import counted
from laager.campaign import Fact, Procedure, Question, Text, ask, implements, roll
from laager.dice import Dice
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.counts import SW_KINDS, count_faults, counts_of
from laager.rules.board.hasl.buying.groups import line_of, of_group
from laager.rules.board.hasl.charts import RgLine, SwLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.units import Group, Strength
from laager.rules.board.joining import unit_joins


@dataclass(frozen=True)
class Diced:
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
def diced(sw: Sequence[SwLine], strength: Strength | None, plain: int = 4) -> tuple[Diced, ...]:
    """Return the single SW for each of which a dr is made, in the chart's order.

    Listed as (n), one comes on n or less, in a Depleted group on less than n. Without parentheses
    one comes to a Depleted group on `plain` or less. What no dr can bring is left out.
    """
    depleted = strength is Strength.DEPLETED
    found = []
    for line in sw:
        if line.need is None and not depleted:
            continue
        most = plain if line.need is None else line.need - depleted
        found += [Diced(line.type, most)] * (line.count if most else 0)
    return tuple(found)


@implements("ER 1.5192")
def weapons_allotted(cg: Hasl, group: Group) -> Procedure[None]:
    """A group gets its SW: by dice as its chart line says, or as the players are asked."""
    line = line_of(cg, group)
    if not line.sw:
        return
    if cg.variant.weapons_asked(cg, group.side, line):
        got = yield from _looked_up(cg, group, line)
    else:
        got = yield from _diced_for(cg, group, line)
    yield GroupChanged.of(group, f"{group.id}: {counted(got) or 'no SW'}", cg.variant.clause("weapons"), sw=got)
    yield from weapons_join(cg, group, got, f"SW of {group.id}")


def _diced_for(cg: Hasl, group: Group, line: RgLine) -> Procedure[dict[str, int]]:
    """Roll for single SW; where a group must have more than came, roll for all of them again.

    Those that come without a dr stay. A chart that can never bring enough is not rolled on again.
    """
    certain = automatic(line.sw, group.strength)
    dice = diced(line.sw, group.strength, cg.variant.depleted_weapon)
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


def _looked_up(cg: Hasl, group: Group, line: RgLine) -> Procedure[dict[str, int]]:
    nation = cg.nation(group.side)
    certain = automatic(line.sw, group.strength)
    default = counted({type_: certain.count(type_) for type_ in dict.fromkeys(certain)})
    strength = ", received Depleted" if group.strength is Strength.DEPLETED else ""
    answer = yield from ask(
        Question(
            key="weapons",
            side=group.side,
            text=f"Which SW does {group.id}, {group.name}{strength} get?",
            form=Text(limit=200),
            rule=cg.variant.clause("weapons"),
            secret=True,
            default=default,
            help="List them: LMG, 2 x DC. The chart has " + _chart_words(line.sw),
            check=lambda text: [Problem(what, right) for what, right in count_faults(text, nation, SW_KINDS)],
        )
    )
    return counts_of(answer, nation, SW_KINDS)


def _chart_words(sw: Sequence[SwLine]) -> str:
    return ", ".join(
        (f"{line.count} " if line.count > 1 else "") + line.type + (f" ({line.need})" if line.need is not None else "")
        for line in sw
    )


def weapons_join(cg: Hasl, group: Group, weapons: Mapping[str, int], why: str) -> Iterator[Fact]:
    """SW of a group join, Retained where the group is; who possesses them is chosen at setup."""
    nation = cg.nation(group.side)
    for type_, count in weapons.items():
        kind = nation.unit(type_).kind.value
        for _ in range(count):
            fact = unit_joins(cg, group.side, type_, kind, group.id, why=why)
            yield from of_group(group, fact, cg.variant.clause("weapons"))
