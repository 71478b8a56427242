"""What every category has in common: what is too dear, what runs out, and its closing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from laager.base import Problem
from laager.campaign import Irrevocable, Total, each_row, implements
from laager.rules.design_your_own.answers import Breach
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import CategoryClosed

MOST_OF_ONE = 300
"""A bound on the number in one row, so that a slip of the finger is refused."""


@implements("DYO H1.13")
def closing(cg: Cg, side: str, category: str) -> CategoryClosed:
    """Return the fact that a side is through with a category."""
    ob = cg.ob(side)
    return CategoryClosed(
        side=side,
        category=category,
        spent=ob.spent[category],
        left=ob.left,
        rule="DYO H1.13",
        why=f"{ob.allotment} points less {ob.total} spent",
        to=(side,),
    )


@implements("DYO H1.13")
def last_word(cg: Cg, side: str, cost: int, category: str) -> str:
    """Say what an answer spends of the points, and that the category is closed with it."""
    spent = f"You spend {cost} of your {cg.left(side)} points" if cost else "You buy nothing"
    return f"{spent}, and {category} is closed: nothing more can be bought in it later."


def taken_words(cg: Cg, side: str, cost: int) -> str:
    """Say what it means to take what a roll offers for a cost; 0: to leave it."""
    if not cost:
        return "What you leave is not offered again."
    return f"You spend {cost} of your {cg.left(side)} points."


def declined(words: str) -> Irrevocable:
    """Warn of an answer that takes nothing; `words` say what can't be had later."""
    return lambda answer: "" if answer else words


def points_of(
    cg: Cg, side: str, rows: Sequence[Any], cost: Callable[[Sequence[Any]], int], name: str = ""
) -> tuple[Total, ...]:
    """Return what the rows of an answer use of the points; `name` is the list's in the answer."""
    return (Total("points", cost(rows), cg.left(side), each_row(name, rows, lambda row: cost([row]))),)


def why_not(*breaches: Breach | None) -> str:
    """Return why something can't be chosen, as an option says it: the first reason, or ""."""
    for breach in breaches:
        if breach is not None:
            return f"{breach.what} ({breach.rule}); {breach.right}"
    return ""


def problems(*breaches: Breach | None, field: str = "") -> list[Problem]:
    """Return what the rules have against an answer, as its check says it."""
    return [breach.problem(field) for breach in breaches if breach]
