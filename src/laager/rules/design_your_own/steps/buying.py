"""What all categories share: points, totals, warnings, and closing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Field,
    Irrevocable,
    Number,
    Option,
    Procedure,
    Question,
    Record,
    ShopLine,
    Step,
    Total,
    Ware,
    each_row,
    implements,
)
from laager.campaign.wording import option_title
from laager.rules.design_your_own.answers import Breach
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import CategoryClosed

MOST_OF_ONE = 300
"""A bound on the number in one row, so that a slip of the finger is refused."""


@implements("DYO H1.13")
def closing(cg: Cg, side: str, category: str) -> CategoryClosed:
    """Return the fact that a side is through with a category (H1.13)."""
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


def close_category(category: str) -> Step:
    """Return the part of the sequence in which a side is through with a category, whatever of it a house leaves out."""

    def run(cg: Cg, side: str) -> Procedure[None]:
        yield closing(cg, side, category)

    return Step(f"{category}-closed", "DYO H1.13", "A category is closed", run, each_side=True)


@implements("DYO H1.13")
def last_word(cg: Cg, side: str, cost: int, category: str) -> str:
    """Say what an answer spends of the points, and that the category is closed with it (H1.13)."""
    spent = f"You spend {cost} of your {cg.points_left(side)} points" if cost else "You buy nothing"
    return f"{spent}, and {category} is closed: nothing more can be bought in it later."


def taken_words(cg: Cg, side: str, cost: int) -> str:
    """Say what it means to take what a roll offers for a cost; 0: to leave it."""
    if not cost:
        return "What you leave is not offered again."
    return f"You spend {cost} of your {cg.points_left(side)} points."


def warn_of_declining(words: str) -> Irrevocable:
    """Warn of an answer that takes nothing; `words` say what can't be had later."""
    return lambda answer: "" if answer else words


def shop(
    options: Iterable[Option],
    rows: Sequence[Any],
    problems_of: Callable[[list[Any]], Sequence[Problem]],
    row: Mapping[str, Any],
    looks: Callable[[str], tuple[str, ...]],
) -> list[ShopLine]:
    """Return options as the lines of a shop, with why one more can't be bought on top of the rows of an answer.

    `row` is what a row holds besides its type and number; `looks` says what the counter of a type shows.
    """
    known = {problem.what for problem in problems_of(list(rows))}
    lines = []
    for option in options:
        name, _, price = option_title(option).partition(": ")
        why = option.why_not
        if not why:
            more = problems_of([*rows, {**row, "type": option.value, "number": 1}])
            why = next((str(replace(problem, field="")) for problem in more if problem.what not in known), "")
        ware = Ware({"type": option.value}, "", price, why)
        lines.append(ShopLine(option.value, option.label, why, name, (ware,), barred=why, looks=(looks(option.value),)))
    return lines


def points_of(
    cg: Cg, side: str, rows: Sequence[Any], cost: Callable[[Sequence[Any]], int], name: str = ""
) -> tuple[Total, ...]:
    """Return what the rows of an answer use of the points; `name` is the list's in the answer."""
    return (Total("points", cost(rows), cg.points_left(side), each_row(name, rows, lambda row: cost([row]))),)


def why_not(*breaches: Breach | None) -> str:
    """Return why something can't be chosen, as an option says it: the first reason, or ""."""
    for breach in breaches:
        if breach is not None:
            return f"{breach.what} ({breach.rule}); {breach.right}"
    return ""


def problems(*breaches: Breach | None, field: str = "") -> list[Problem]:
    """Return what the rules have against an answer, as its check says it."""
    return [breach.problem(field) for breach in breaches if breach]


def named_twice(names: Sequence[str], list_: str = "", right: str = "name it once") -> list[Problem]:
    """Return a problem for each name that stands a second time, at its row of the list."""
    return [
        Problem(f"{name} is named twice", right, f"{list_}[{i + 1}]")
        for i, name in enumerate(names)
        if names.index(name) < i
    ]


def pick(
    side: str, key: str, rule: str, text: str, options: Iterable[Option], *, default: str = "", hint: str = ""
) -> Question:
    """Ask a side for one of some things, in secret; the first is the default unless another is named."""
    every = tuple(options)
    proposed = default or every[0].value
    return Question(key, side, text, Choice(every), rule, secret=True, default=proposed, help=hint)


def row_form(
    name: str,
    label: str,
    names: Iterable[str],
    most: int,
    *,
    least: int = 1,
    usual: Any = None,
    spell: Callable[[str], str] = str,
) -> Record:
    """Return the form of a row: one of some names, however it is spelt, and how many of it.

    `usual` is its default, if it has one.
    """
    number = Field("number", Number(least, most), "How many")
    which = Field(name, Choice(tuple(map(Option, names)), spell), label)
    return Record((which, number if usual is None else replace(number, default=usual)))


def legal_rows(
    made: Callable[[], dict[str, Any]], most: int, problems_of: Callable[[list[Any]], Sequence[Problem]]
) -> list[dict[str, Any]]:
    """Return rows made by chance, up to `most` of them: those that the rules allow together."""
    rows: list[dict[str, Any]] = []
    for _ in range(most):
        more = [*rows, made()]
        if not problems_of(more):
            rows = more
    return rows
