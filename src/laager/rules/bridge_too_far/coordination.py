"""German attack coordination: how many I and A type groups a Kampfgruppe may get (CG22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import AXIS
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl

TYPES = (Kind.INFANTRY, Kind.AFV)
"""The types that are limited; all others are bought freely."""

ENOUGH = 3
"""So many KGs with a group of either type free the purchases of all."""


@dataclass(frozen=True)
class Effort:
    """What a Kampfgruppe gets for one CG Date: how many groups of each limited type.

    `met` are the types that count as bought because no group of them is left to buy.
    """

    kg: str
    bought: Mapping[Kind, int]
    met: frozenset[Kind] = frozenset()

    @property
    def satisfied(self) -> bool:
        """True if it gets a group of each type at least, or needn't."""
        return all(self.bought.get(kind, 0) or kind in self.met for kind in TYPES)

    def above_one(self) -> Iterator[tuple[Kind, int]]:
        """Yield the types of which it gets more than one group, with the number."""
        for kind in TYPES:
            if self.bought.get(kind, 0) > 1:
                yield kind, self.bought[kind]


@implements("ABtF CG22", "ABtF CG22 EX1", "ABtF CG22 EX2")
def coordination_problems(efforts: tuple[Effort, ...]) -> Iterator[Problem]:
    """Yield what CG22 has against a whole set of purchases, checked together."""
    satisfied = [effort.kg for effort in efforts if effort.satisfied]
    if len(satisfied) >= ENOUGH:
        return
    for effort in efforts:
        for kind, count in effort.above_one():
            so_far = ", ".join(satisfied) or "none"
            yield Problem(
                f"{count} {kind} type groups for KG {effort.kg} are too many",
                f"one, unless {ENOUGH} KGs get an I and an A type group each (so far {so_far}; ABtF CG22)",
                "groups",
            )


@implements("ABtF 9.2 Kampfgruppe (KG)")
def efforts(cg: Hasl, cart: Cart) -> tuple[Effort, ...]:
    """Return what every German KG gets on this CG Date: groups bought so far and the cart.

    Groups that the OB gives don't count as bought.
    """
    now = cg.state.side(AXIS).bought_now
    found = []
    for formation in cg.side(AXIS).formations:
        bought = dict.fromkeys(TYPES, 0)
        for line in cg.lines(AXIS):
            if line.formation == formation.id and line.kind in bought:
                bought[line.kind] += now.get(line.key, 0) + cart.count(line.key)
        met = frozenset(kind for kind in TYPES if used_up(cg, formation.id, kind))
        found.append(Effort(formation.id, bought, met))
    return tuple(found)


@implements("ABtF CG22")
def entered_efforts(cg: Hasl, lines: Sequence[tuple[RgLine, int]]) -> tuple[Effort, ...]:
    """Return what every German KG gets on this CG Date by groups that no chart lists.

    Only the owner knows if a type has reached its CG Maximum.
    """
    found = []
    for formation in cg.side(AXIS).formations:
        own = [(line.kind, count) for line, count in lines if line.formation == formation.id]
        bought = {kind: sum(count for one, count in own if one is kind) for kind in TYPES}
        found.append(Effort(formation.id, bought))
    return tuple(found)


@implements("ABtF CG22 EXC")
def used_up(cg: Hasl, kg: str, kind: Kind) -> bool:
    """True if all groups of a type have reached their CG Maximum.

    If purchases of this CG Date did that, one of the type is bought anyway. Limits of the scenario
    and of dates don't count. Where the chart has none of the type, the reading decides.
    """
    own = cg.state.side(AXIS)
    lines = [line for line in cg.lines(AXIS) if line.formation == kg and line.kind is kind]
    if not lines:
        return cg.reading("missing-rg-type") == "met"
    return all(line.total is not None and own.bought.get(line.key, 0) >= line.total for line in lines)
