"""Buying fortifications in secret; a side chooses their places at setup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from laager.campaign import (
    Choice,
    Fact,
    Field,
    Number,
    Option,
    Procedure,
    Question,
    Record,
    Rows,
    Text,
    Total,
    ask,
    each_row,
    implements,
    step,
)
from laager.catalogue import load_fortifications
from laager.rules.board.hasl.buying.upgrades import UPGRADES
from laager.rules.board.hasl.buying.works import (
    ALLOWANCES,
    JUNGLE_PATH,
    Work,
    fpp_of,
    total_fpp,
    work_refused,
    works_problems,
)
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import FppChanged
from laager.rules.board.joining import fort_joins


@implements("ABtF 9.619", "ER 1.520")
@step("HASL 23", "Fortifications")
def fortifying(cg: Hasl, side: str) -> Procedure[None]:
    """FPP become fortifications; what is left over is forfeit, unless the system keeps it."""
    held = cg.state.side(side).fpp
    free = any(not p.cost and not work_refused(cg, side, p) for p in cg.charts.fortifications or ())
    if held or free:
        answer = yield from ask(works_question(cg, side))
        works = [Work.of(cg, row) for row in answer["works"]]
        for work in works:
            yield from _built(cg, side, work)
        spent = total_fpp(cg, works)
        if spent:
            yield FppChanged(side=side, by=-spent, why=f"fortifications: {spent} FPP", to=(side,))
    yield from _leftover(cg, side)


# The question -----------------------------------------------------------------------------------


def works_question(cg: Hasl, side: str) -> Question:
    """Return the question for all fortifications of a side."""
    listed = cg.charts.fortifications is not None
    row = _row(cg, side) if listed else _entered_row()
    unlisted = "The chart of fortifications is not filled in: enter kind, number and price by the "
    return Question(
        key="fortifications",
        side=side,
        text=f"Which fortifications do you buy? You have {cg.state.side(side).fpp} FPP.",
        form=Record((Field("works", Rows(row, most=100), "Fortifications", []),)),
        secret=True,
        default={"works": []},
        help=("" if listed else f"{unlisted}module's own chart. ") + _fate(cg),
        check=lambda answer: works_problems(cg, side, [Work.of(cg, item) for item in answer["works"]]),
        suggest=lambda rng: suggest_works(cg, side, rng),
        totals=lambda answer: works_totals(cg, side, answer),
        irrevocable=lambda answer: unspent_words(cg, side, answer),
    )


def _fate(cg: Hasl) -> str:
    lost = cg.variant.unspent_fpp_lost(cg)
    return "FPP that you do not spend now are lost." if lost else "You keep FPP that you do not spend."


@implements("HASL 23")
def unspent_words(cg: Hasl, side: str, answer: Mapping[str, Any]) -> str:
    """Say how many FPP an answer loses because it does not spend them; "" if none."""
    left = sum(total.left or 0 for total in works_totals(cg, side, answer))
    if left <= 0 or not cg.variant.unspent_fpp_lost(cg):
        return ""
    return f"You leave {left} FPP unspent, and they are lost."


def works_totals(cg: Hasl, side: str, answer: Mapping[str, Any]) -> tuple[Total, ...]:
    """Return what fortifications use of the FPP."""
    rows = answer["works"]
    each = each_row("works", rows, lambda row: total_fpp(cg, [Work.of(cg, row)]))
    spent = total_fpp(cg, [Work.of(cg, row) for row in rows])
    return (Total("FPP", spent, cg.state.side(side).fpp, each),)


def _row(cg: Hasl, side: str) -> Record:
    options = tuple(
        Option(price.key, f"{price.key}: {price.cost} FPP", work_refused(cg, side, price))
        for price in cg.charts.fortifications or ()
    )
    count = Field("count", Number(1, 99), "How many", 1)
    return Record((Field("work", Choice(options), "Fortification"), count))


def _entered_row() -> Record:
    rows = load_fortifications().values()
    options = [Option(row.type, row.name) for row in rows]
    options += [Option(kind, kind.replace("-", " ")) for kind in (*sorted(UPGRADES), JUNGLE_PATH)]
    return Record(
        (
            Field("kind", Choice(tuple(options)), "Fortification"),
            Field("size", Text(limit=20), "Size, or the unit that hides", ""),
            Field("count", Number(1, 99), "How many", 1),
            Field("cost", Number(0, 99), "FPP for one"),
        )
    )


def suggest_works(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    """Return a legal purchase filled by chance, for automatic play."""
    prices = [p for p in cg.charts.fortifications or () if not work_refused(cg, side, p)]
    rows: list[dict[str, Any]] = []
    for _ in range(rng.randint(0, 8)):
        row: dict[str, Any] = {"kind": "wire", "size": "", "count": 1, "cost": rng.randint(1, 6)}
        if prices:
            row = {"work": rng.choice(prices).key, "count": rng.randint(1, 3)}
        elif cg.charts.fortifications is not None:
            break
        more = [*rows, row]
        if not works_problems(cg, side, [Work.of(cg, item) for item in more]):
            rows = more
    return {"works": rows}


# What follows -----------------------------------------------------------------------------------


def _built(cg: Hasl, side: str, work: Work) -> Iterator[Fact]:
    each = fpp_of(cg, work)
    together = work.kind in ALLOWANCES
    count = work.count if together else 1
    told = f"{work.key}: {each} FPP"
    if count > 1:
        told = f"{count} x {work.key}: {count} x {each} FPP"
    for _ in range(1 if together else work.count):
        yield fort_joins(cg, side, work.kind, work.size, count=count, fp=each * count, why=told)


def _leftover(cg: Hasl, side: str) -> Iterator[Fact]:
    rest = cg.state.side(side).fpp
    if rest > 0 and cg.variant.unspent_fpp_lost(cg):
        why = f"{rest} FPP not spent are lost"
        yield FppChanged(side=side, by=-rest, forfeit=True, why=why, to=(side,))
