"""What purchases commit a side to: Bombardments to Attack, FPF Barrages to Idle (CG15, CG18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.hasl.scenario.initiative import limit, used
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.edsons_ridge.bombardment import BOMBARDMENT
from laager.rules.edsons_ridge.charts import charts
from laager.rules.edsons_ridge.fpf import FPF

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


@implements("ER 1.522")
def chit_barred(cg: Er, side: str, chit: str) -> str:
    """Return why a side cannot choose a chit for this date; "" if it can.

    In the Initial Scenario the chits are fixed.
    """
    if cg.initial:
        fixed = charts().initiative.initial[side]  # type: ignore[index]
        return "" if chit == fixed else f"the Initial Scenario has them {fixed}"
    most = limit(cg, side, chit)
    if most is None or used(cg, side, chit) < most:
        return ""
    return f"no {chit.capitalize()} chit is left"


def wanted(cg: Er, side: str, cart: Cart, special: str) -> int:
    """Return how many groups of a special kind a cart holds."""
    return sum(w.count for line, w in cart.lines(cg, side) if line.special == special)


@implements("ER CG15", "ER CG18")
def purchase_problems(cg: Er, side: str, cart: Cart) -> Iterator[Problem]:
    """Yield why a side can't buy Bombardments or FPF Barrages as it wants to."""
    shells, barrages = wanted(cg, side, cart, BOMBARDMENT), wanted(cg, side, cart, FPF)
    if shells and (barred := chit_barred(cg, side, ATTACK)):
        yield Problem("a Bombardment is for a side that attacks", f"{barred}; leave it out", "groups")
    if barrages and side != ALLIED:
        yield Problem("a FPF Barrage is for the U.S.", "leave it out", "groups")
    if barrages and (barred := chit_barred(cg, side, IDLE)):
        what = "a FPF Barrage is for a date on which the U.S. stay Idle"
        yield Problem(what, f"{barred}; leave it out", "groups")
    if shells and barrages:
        what = "a Bombardment is bought to attack, a FPF Barrage to stay Idle"
        yield Problem(what, "buy one or the other for a CG Date", "groups")
