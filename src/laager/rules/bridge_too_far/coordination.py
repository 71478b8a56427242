"""German attack coordination: how many I and A type groups a Kampfgruppe may get (CG22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import AXIS
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl

LIMITED_TYPES = (Kind.INFANTRY, Kind.AFV)
"""The types that are limited; all others are bought freely."""

KGS_THAT_FREE_ALL = 3
"""Number of KGs with a group of each limited type that frees the purchases of all."""


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
        return all(self.bought.get(kind, 0) or kind in self.met for kind in LIMITED_TYPES)

    def types_above_one(self) -> Iterator[tuple[Kind, int]]:
        """Yield the types of which it gets more than one group, with the number."""
        for kind in LIMITED_TYPES:
            if self.bought.get(kind, 0) > 1:
                yield kind, self.bought[kind]


@implements("ABtF CG22", "ABtF CG22 EX1", "ABtF CG22 EX2")
def coordination_problems(efforts: tuple[Effort, ...]) -> Iterator[Problem]:
    """Yield what CG22 has against a whole set of purchases, checked together."""
    satisfied = [effort.kg for effort in efforts if effort.satisfied]
    if len(satisfied) >= KGS_THAT_FREE_ALL:
        return
    for effort in efforts:
        for kind, count in effort.types_above_one():
            so_far = ", ".join(satisfied) or "none"
            yield Problem(
                f"{count} {kind} type groups for KG {effort.kg} are too many",
                f"one, unless {KGS_THAT_FREE_ALL} KGs get an I and an A type group each (so far {so_far}; ABtF CG22)",
                "groups",
            )


@implements("ABtF 9.2 Kampfgruppe (KG)")
def planned_efforts(cg: Hasl, cart: Cart) -> tuple[Effort, ...]:
    """Return what every German KG gets on this CG Date: groups bought so far and the cart.

    Groups that the OB gives don't count as bought.
    """
    now = cg.state.side(AXIS).bought_now
    lines = [(line, now.get(line.key, 0) + cart.count(line.key)) for line in cg.lines(AXIS)]
    return tuple(
        replace(effort, met=frozenset(kind for kind in LIMITED_TYPES if is_used_up(cg, effort.kg, kind)))
        for effort in efforts_of_lines(cg, lines)
    )


@implements("ABtF CG22")
def efforts_of_lines(cg: Hasl, lines: Sequence[tuple[RgLine, int]]) -> tuple[Effort, ...]:
    """Return what every German KG gets on this CG Date by these lines with their numbers of groups.

    No type counts as used up: of groups that no chart lists, only the owner knows it.
    """
    return tuple(
        Effort(
            formation.id,
            {
                kind: sum(count for line, count in lines if line.formation == formation.id and line.kind is kind)
                for kind in LIMITED_TYPES
            },
        )
        for formation in cg.side(AXIS).formations
    )


@implements("ABtF CG22 EXC")
def is_used_up(cg: Hasl, kg: str, kind: Kind) -> bool:
    """True if all groups of a type have reached their CG Maximum.

    If purchases of this CG Date did that, one of the type is bought anyway. Limits of the scenario
    and of dates don't count. Where the chart has none of the type, the reading decides.
    """
    axis = cg.state.side(AXIS)
    lines = [line for line in cg.lines(AXIS) if line.formation == kg and line.kind is kind]
    if not lines:
        return cg.reading("missing-rg-type") == "met"
    return all(line.total is not None and axis.bought.get(line.key, 0) >= line.total for line in lines)
