"""The order of purchases, what is final, and the points that are left (H1.1, H1.13)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum

from laager.campaign import implements
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning


class Category(StrEnum):
    """What is bought, in the order in which it must be."""

    INFANTRY = "infantry"
    ORDNANCE = "ordnance"
    VEHICLES = "vehicles"
    OBA = "oba"
    FORTIFICATIONS = "fortifications"
    SECOND_INFANTRY = "second-infantry"

    @property
    def place(self) -> int:
        """Its place in the order, from 0."""
        return tuple(Category).index(self)

    @property
    def words(self) -> str:
        """What players call it."""
        return {"oba": "OBA", "second-infantry": "second Infantry"}.get(self.value, self.value)


@implements("DYO H1.1", "DYO H1.6", "DYO H1.7")
def order_breach(done: Collection[Category], wanted: Category) -> Breach | None:
    """Say whether a category comes too late: it or a later one is closed. OP tanks are exempt."""
    later = [category for category in Category if category in done and category.place >= wanted.place]
    if not later:
        return None
    fortifications = wanted is Category.FORTIFICATIONS and Category.SECOND_INFANTRY in later
    what = f"{wanted.words} after {later[-1].words}"
    order = ", ".join(category.words for category in Category)
    if fortifications:
        return Breach(Reason.TOO_LATE, "DYO H1.7", what, "the second Infantry purchase is the last")
    return Breach(Reason.ORDER, "DYO H1.1", what, f"the order is {order}")


@implements("DYO H1.13")
def exchange_breach(what: str) -> Breach:
    """Return the breach of taking back a recorded piece, for another piece or for points."""
    right = "what is recorded stays; only both players together can correct a slip"
    return Breach(Reason.RECORDED, "DYO H1.13", f"{what} is recorded", right)


@implements("DYO H1.13", "DYO H1.82")
def reroll_breach(what: str, made: int, allowed: int, rule: str = "DYO H1.13") -> Breach | None:
    """Say whether a DR is one too many; one that was declined counts."""
    if made < allowed:
        return None
    times = {0: "no", 1: "one"}.get(allowed, str(allowed))
    made_ = f"{made} {what} made already"
    return Breach(Reason.ONE_ROLL, rule, made_, f"{times} DR only, used or declined")


@implements("DYO H1.13", "DYO H1.51")
def points_breach(cost: int, points: int, what: str = "this") -> Breach | None:
    """Say whether something costs more than is left; nothing recorded can be traded in for it."""
    if cost <= points:
        return None
    return Breach(Reason.POINTS, "DYO H1.13", f"{what} costs {cost}", f"{points} points are left")


@implements("DYO H1.13")
def points_left(allotment: int, spent: Iterable[tuple[str, int]]) -> Reckoning:
    """Return the points left of an allotment after all that was spent, in order."""
    left = Reckoning.of(allotment, "points", "DYO H1.1")
    for what, points in spent:
        left = left.plus(-points, what, "DYO H1.13") if points else left
    return left


@implements("DYO H1.71")
def announcing_breach(finished: Collection[str], sides: Collection[str]) -> Breach | None:
    """Say whether ELR are announced before both sides have finished the second purchase."""
    if set(sides) <= set(finished):
        return None
    what = "ELR are announced before both second Infantry purchases are over"
    return Breach(Reason.BOTH_FINISHED, "DYO H1.71", what, "both sides finish or pass first")
