"""Buying fortifications in secret (PL 2.38); a side chooses their places at setup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from laager.rules.board.buying.shop import nothing_bought
from laager.rules.board.facts import FortJoined
from laager.rules.board.joining import fort_joins
from laager.rules.platoon_leader.buying.works import (
    ALLOWANCES,
    BOOBY_LEVELS,
    BOOBY_TRAPS,
    KNOWN,
    MINES,
    Work,
    booby_levels,
    booby_traps,
    fp_of,
    fp_with,
    kind_refused,
    total_fp,
    works_problems,
)
from laager.rules.platoon_leader.charts import FortificationPrice, charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged, FpChanged


@step("PL 2.38", "Fortifications", each_side=True, edition=2)
def fortifying(cg: Cg, side: str) -> Procedure[None]:
    """CP become FP, FP become fortifications; what is left over is kept."""
    if cg.side(side).fortifications is None:
        return
    answer = yield from ask(works_question(cg, side))
    yield from _exchange(cg, side, answer["cp"])
    works = [Work.of(row) for row in answer["works"]]
    for work in works:
        yield from _built(cg, side, work)
    spent = total_fp(cg, side, works)
    if spent:
        yield FpChanged(side=side, by=-spent, why=f"fortifications: {spent} FP", to=(side,))
    yield from _leftover(cg, side)


# The question -----------------------------------------------------------------------------------


def works_question(cg: Cg, side: str) -> Question:
    """Return the question for all fortifications of a side; asked whatever it has to spend."""
    card = cg.side(side).fortifications
    assert card is not None, "asked of a side that may buy fortifications"
    own = cg.state.side(side)
    rows = charts().fortifications.rows
    fields = (
        Field("cp", Number(0, own.cp), f"CP to turn into FP, {card.fp_per_cp} FP each", 0),
        Field("works", Rows(_row(cg, side, rows), most=100), "Fortifications", []),
    )
    return Question(
        key="fortifications",
        side=side,
        text=f"Which fortifications do you buy? You have {own.fp} FP and {own.cp} CP.",
        form=Record(fields),
        rule="PL 2.38",
        secret=True,
        default={"cp": 0, "works": []},
        help="size: squads of a foxhole; capacity+CA+NCA of a pillbox (2+3+5); a-p, a-t or a-b "
        "of a Known Minefield; what hides with HIP. factors: of one minefield, or hexsides of "
        "Panji. You choose their places at setup.",
        check=lambda answer: works_problems(cg, side, answer["cp"], [Work.of(row) for row in answer["works"]]),
        suggest=lambda rng: suggest_works(cg, side, rng),
        totals=lambda answer: works_totals(cg, side, answer),
        irrevocable=lambda answer: nothing_bought(answer["works"], own.fp, "FP"),
    )


def works_totals(cg: Cg, side: str, answer: Mapping[str, Any]) -> tuple[Total, ...]:
    """Return what fortifications use of the FP that there are with the CP turned into FP."""
    rows = answer["works"]
    each = each_row("works", rows, lambda row: total_fp(cg, side, [Work.of(row)]))
    spent = total_fp(cg, side, [Work.of(row) for row in rows])
    return (
        Total("FP", spent, fp_with(cg, side, answer["cp"]), each),
        Total("CP turned into FP", answer["cp"], cg.state.side(side).cp),
    )


def _row(cg: Cg, side: str, rows: Sequence[FortificationPrice]) -> Record:
    kinds = tuple(
        Option(row.type, f"{row.name}: {price_words(cg, side, row)}", kind_refused(cg, side, row.type)) for row in rows
    )
    return Record(
        (
            Field("type", Choice(tuple(kinds)), "Fortification"),
            Field("count", Number(1, 99), "How many", 1),
            Field("size", Text(limit=20), "Size", ""),
            Field("factors", Number(0, 99), "Mine factors or hexsides of each", 0),
            Field("fp", Number(0, 99), "FP for one, agreed, where nothing prices it", 0),
        )
    )


def price_words(cg: Cg, side: str, row: FortificationPrice) -> str:
    """Return the price of a kind of fortification in words, as a player reads it on the chart."""
    card = cg.side(side).fortifications
    own = {} if card is None else card.prices
    if row.type in own:
        return f"{own[row.type]} FP" + (f" per {row.per}" if row.per else "")
    if row.sizes:
        priced = {size: own.get(f"{row.type} {size}", fp) for size, fp in row.sizes.items()}
        return ", ".join(f"{size} {fp} FP" for size, fp in priced.items())
    if row.formula == KNOWN:
        return "0.8 of the price of its factors (FRU)"
    if row.formula is not None:
        return "capacity x (CA DRM + NCA DRM) FP"
    if row.fp is None:
        return "as agreed"
    return f"{row.fp} FP" + (f" per {row.per}" if row.per else "")


def suggest_works(cg: Cg, side: str, rng: Random) -> dict[str, Any]:
    """Return a legal purchase filled by chance, for automatic play."""
    card = cg.side(side).fortifications
    most = cg.state.side(side).cp
    if card is not None and card.max_cp is not None:
        most = min(most, card.max_cp)
    cp = min(rng.randint(0, most), rng.randint(0, most))
    kinds = [row.type for row in charts().fortifications.rows if not kind_refused(cg, side, row.type)]
    works: list[Work] = []
    for _ in range(12 if kinds else 0):
        more = [*works, _suggested(rng.choice(kinds), rng)]
        if not works_problems(cg, side, cp, more):
            works = more
    wanted = [{"type": w.kind, "count": w.count, "size": w.size, "factors": w.factors, "fp": w.fp} for w in works]
    return {"cp": cp, "works": wanted}


def _suggested(kind: str, rng: Random) -> Work:
    row = charts().fortifications.row(kind)
    size = rng.choice(tuple(row.sizes)) if row.sizes else ""
    if row.formula is not None:
        size = rng.choice(tuple(MINES)) if row.formula == KNOWN else rng.choice(("1+3+5", "2+3+5"))
    factors = rng.randint(1, 12) if row.per in {"factor", "hexside"} or row.formula == KNOWN else 0
    return Work(kind, 1, size, factors, 0 if row.priced else rng.randint(1, 4))


# What follows -----------------------------------------------------------------------------------


def _exchange(cg: Cg, side: str, cp: int) -> Iterator[Fact]:
    card = cg.side(side).fortifications
    if not cp or card is None:
        return
    why = f"{cp} CP become {cp * card.fp_per_cp} FP, {card.fp_per_cp} for each"
    yield CpChanged(side=side, by=-cp, why=why, to=(side,))
    yield FpChanged(side=side, by=cp * card.fp_per_cp, why=why, to=(side,))


def _built(cg: Cg, side: str, work: Work) -> Iterator[Fact]:
    each = fp_of(cg, side, work)
    assert each is not None, "the purchase was checked"
    if work.kind == BOOBY_TRAPS:
        yield from _booby_traps(cg, side, work.count, each)
        return
    known = work.kind == KNOWN
    together = work.kind in ALLOWANCES
    for _ in range(1 if together else work.count):
        count = work.count if together else 1
        yield fort_joins(
            cg,
            side,
            MINES[work.size] if known else work.kind,
            "" if known else work.size,
            factors=work.factors,
            count=count,
            hidden=not known,
            known_minefield=known,
            fp=each * count,
            why=_why(work, count, each),
        )


def _why(work: Work, count: int, each: int) -> str:
    what = work.name if not work.factors else f"{work.name} of {work.factors}"
    return f"{what}: {each} FP" if count == 1 else f"{count} x {what}: {count} x {each} FP"


@implements("PL 2.38 note 6", "PL 2.38 note 7", "PL CG12")
def _booby_traps(cg: Cg, side: str, levels: int, each: int) -> Iterator[Fact]:
    """Open the first level of Booby Traps, or raise the present one.

    They act in the area that was friendly when they were laid; raising them does not widen it.
    """
    for _ in range(levels):
        present = booby_traps(cg, side)
        if present is None:
            area, level = tuple(cg.sort(cg.friendly_area(side))), booby_levels(cg)[0]
            why = f"Booby Traps, now level {level}: {each} FP"
            yield fort_joins(cg, side, BOOBY_TRAPS, level, fp=each, area=area, why=why)
        else:
            level = BOOBY_LEVELS[BOOBY_LEVELS.index(present.size) + 1]
            fort = present.model_copy(update={"size": level, "fp": present.fp + each})
            yield FortJoined(fort=fort, why=f"Booby Traps, now level {level}: {each} FP", to=(side,))


@implements("PL 1.4 Fortification Points")
def _leftover(cg: Cg, side: str) -> Iterator[Fact]:
    """FP not spent are kept, unless the group plays that they are lost."""
    rest = cg.state.side(side).fp
    if rest and cg.reading("unspent-fp") == "lost":
        yield FpChanged(side=side, by=-rest, why=f"{rest} FP not spent are lost", to=(side,))
