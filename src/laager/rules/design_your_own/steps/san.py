"""Raising the SAN (DYO H1.29)."""

from __future__ import annotations

from laager.base import Problem
from laager.campaign import Number, Procedure, Question, ask, step
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import SanBought
from laager.rules.design_your_own.ob import SAN
from laager.rules.design_your_own.san import san_breach, san_cost
from laager.rules.design_your_own.steps.buying import closing, last_word, too_dear

HIGHEST = 99
"""A bound for readings without one."""


@step("DYO H1.29", "SAN", each_side=True)
def san(cg: Cg, side: str) -> Procedure[None]:
    """Each side can raise its SAN for points."""
    if cg.reading("san-time") == "infantry":
        yield from _raised(cg, side)


@step("DYO H1.29", "SAN, last", each_side=True)
def san_last(cg: Cg, side: str) -> Procedure[None]:
    """The same with what is left in the end, for those who buy it then."""
    if cg.reading("san-time") == "last":
        yield from _raised(cg, side)


def _raised(cg: Cg, side: str) -> Procedure[None]:
    wanted = yield from ask(_question(cg, side))
    cost = san_cost(wanted)
    if int(cost):
        yield SanBought(side=side, san=wanted, cost=int(cost), why=cost.why, to=(side,))
    yield closing(cg, side, SAN)


def _question(cg: Cg, side: str) -> Question:
    base = charts().san.base
    return Question(
        key="san",
        side=side,
        text=f"Which SAN do you want? {base} is free; you have {cg.left(side)} points.",
        form=Number(base, HIGHEST),
        rule="DYO H1.29",
        secret=True,
        default=base,
        help=f"Each step above {base} costs {charts().san.price} points{_limit(cg)}.",
        check=lambda value: _problems(cg, side, value),
        irrevocable=lambda value: last_word(cg, side, int(san_cost(value)), "SAN"),
        suggest=lambda rng: rng.choice([base, base, base + 1, base + 2]),
    )


def _limit(cg: Cg) -> str:
    """Say how high a SAN can be bought, if the reading sets a limit."""
    breach = san_breach(HIGHEST, chosen=cg.chosen)
    return f"; {breach.right}" if breach else ""


def _problems(cg: Cg, side: str, value: int) -> list[Problem]:
    found = (san_breach(value, chosen=cg.chosen), too_dear(cg, side, int(san_cost(value)), f"a SAN of {value}"))
    return [breach.problem() for breach in found if breach]
