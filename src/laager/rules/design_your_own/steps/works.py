"""Buying Fortifications and raising the SAN (DYO H1.6, H1.29)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Number, Option, Procedure, Question, Record, Rows, ask, step
from laager.rules.design_your_own.answers import format_amount
from laager.rules.design_your_own.charts import FortificationPrice
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import SanBought, WorksBought
from laager.rules.design_your_own.lines import pieces
from laager.rules.design_your_own.lines import works as rules
from laager.rules.design_your_own.ob import SAN, WorkEntry
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.spelling import type_field
from laager.rules.design_your_own.steps import buying

SIZES = ("capacity", "ca_drm", "nca_drm")
"""What a pillbox has, and nothing else (DYO H1.6-n5)."""


@step("DYO H1.6", "Fortifications", each_side=True)
def fortifications(cg: Cg, side: str) -> Procedure[None]:
    """Each side buys its Fortifications (H1.6)."""
    rows = yield from ask(_question(cg, side))
    for work in works_of(rows):
        entry = entry_of(cg.rulebook, work, cg.month.year)
        why = rules.works_cost(cg.rulebook, [work], cg.month.year).why
        rule = cg.charts.fortifications.row(work.type).rule
        yield WorksBought(side=side, entry=entry, why=why, rule=rule, to=(side,))


def entry_of(rulebook: Rulebook, work: rules.WorkLine, year: int) -> WorkEntry:
    """Return the line of a work with its price; Sangars, half a point each, are rounded up."""
    return WorkEntry(**asdict(work), total=rules.works_cost(rulebook, [work], year).value)


def works_of(rows: Sequence[Mapping[str, Any]]) -> tuple[rules.WorkLine, ...]:
    """Return the works of an answer, equal rows put together."""
    wanted: dict[tuple[str, int, int, int], int] = {}
    for row in rows:
        key = (row["type"], row["capacity"], row["ca_drm"], row["nca_drm"])
        wanted[key] = wanted.get(key, 0) + row["number"]
    return tuple(
        rules.WorkLine(type_, number, capacity, ca_drm, nca_drm)
        for (type_, capacity, ca_drm, nca_drm), number in wanted.items()
    )


def _question(cg: Cg, side: str) -> Question:
    options = tuple(option_of(cg, side, row) for row in rules.fortification_types(cg.rulebook))
    fields = (
        type_field("Fortification", options, cg.nation(side), "fortifications"),
        Field("number", Number(1, buying.MOST_OF_ONE), "How many (factors, hexsides, dr)"),
        Field("capacity", Number(0, 9), "Pillbox: capacity", 0),
        Field("ca_drm", Number(0, 9), "Pillbox: CA DRM", 0),
        Field("nca_drm", Number(0, 9), "Pillbox: NCA DRM", 0),
    )
    return Question(
        key="fortifications",
        side=side,
        text=f"Which Fortifications do you buy? You have {cg.points_left(side)} points.",
        form=Rows(Record(fields), most=60),
        rule="DYO H1.6",
        secret=True,
        default=[],
        help="Points that you keep can buy more Infantry later, but no Fortifications.",
        check=lambda rows: work_problems(cg, side, works_of(rows)),
        suggest=lambda rng: _suggest(cg, side, rng),
        totals=lambda rows: buying.points_of(cg, side, rows, lambda some: _cost(cg, works_of(some))),
        irrevocable=lambda rows: buying.last_word(cg, side, _cost(cg, works_of(rows)), "buying Fortifications"),
        offers=lambda rows: buying.shop(
            options,
            rows,
            # What the row leaves to the player isn't wrong yet: a pillbox has no size before it is typed.
            lambda some: work_problems(cg, side, works_of([row for row in some if not _lacks_size(cg, row)])),
            dict.fromkeys(SIZES, 0),
            lambda type_: ("fort", type_),
        ),
    )


def _lacks_size(cg: Cg, row: Mapping[str, Any]) -> bool:
    return cg.charts.fortifications.row(row["type"]).formula == "pillbox" and not any(row[name] for name in SIZES)


def _cost(cg: Cg, works: Sequence[rules.WorkLine]) -> int:
    return sum(entry_of(cg.rulebook, work, cg.month.year).total for work in works)


def option_of(cg: Cg, side: str, row: FortificationPrice) -> Option:
    """Return a fortification as an option with its price, and why you can't buy it."""
    year = cg.month.year
    legal = rules.kind_breaches(row, cg.group(side), cg.enemy(side), year)
    if row.formula == "pillbox":
        factor = cg.charts.fortifications.pillbox_factor
        return Option(row.type, f"{row.name}: (capacity + CA DRM + NCA DRM) x {factor}", buying.why_not(*legal))
    each = rules.work_cost(cg.rulebook, rules.WorkLine(row.type), year)
    per = f" per {row.per}" if row.per else ""
    dear = pieces.too_dear(cg, side, rules.works_cost(cg.rulebook, [rules.WorkLine(row.type)], year).value, row.name)
    return Option(row.type, f"{row.name}: {format_amount(each.amount)}{per}", buying.why_not(*legal, dear))


def work_problems(cg: Cg, side: str, works: Sequence[rules.WorkLine]) -> list[Problem]:
    """Return everything that the rules have against these works."""
    legal = (breach for _, breach in rules.fortification_breaches(cg, side, works))
    return buying.problems(*legal, pieces.too_dear(cg, side, _cost(cg, works), "all of it"))


def _suggest(cg: Cg, side: str, rng: Random) -> list[dict[str, Any]]:
    free = [row for row in rules.fortification_types(cg.rulebook) if not option_of(cg, side, row).why_not]

    def random_row() -> dict[str, Any]:
        kind = rng.choice(free)
        pillbox = kind.formula == "pillbox"
        sizes = rng.choice(((1, 3, 5), (2, 3, 5), (3, 5, 7))) if pillbox else (0, 0, 0)
        return {"type": kind.type, "number": rng.randint(1, 8), **dict(zip(SIZES, sizes, strict=True))}

    most = rng.randint(0, 4) if free else 0
    return buying.legal_rows(random_row, most, lambda rows: work_problems(cg, side, works_of(rows)))


HIGHEST = 99
"""A bound for readings without one."""


@step("DYO H1.29", "SAN", each_side=True)
def san(cg: Cg, side: str) -> Procedure[None]:
    """Each side can raise its SAN for points (H1.29)."""
    if cg.reading("san-time") == "infantry":
        yield from _raise_san(cg, side)


@step("DYO H1.29", "SAN, last", each_side=True)
def san_last(cg: Cg, side: str) -> Procedure[None]:
    """The same with what is left in the end, for those who buy it then (H1.29)."""
    if cg.reading("san-time") == "last":
        yield from _raise_san(cg, side)


def _raise_san(cg: Cg, side: str) -> Procedure[None]:
    wanted = yield from ask(_san_question(cg, side))
    cost = rules.san_cost(cg.rulebook, wanted)
    if int(cost):
        yield SanBought(side=side, san=wanted, cost=int(cost), why=cost.why, to=(side,))
    yield buying.closing(cg, side, SAN)


def _san_question(cg: Cg, side: str) -> Question:
    base = cg.charts.san.base
    return Question(
        key="san",
        side=side,
        text=f"Which SAN do you want? {base} is free; you have {cg.points_left(side)} points.",
        form=Number(base, HIGHEST),
        rule="DYO H1.29",
        secret=True,
        default=base,
        help=f"Each step above {base} costs {cg.charts.san.price} points{_limit(cg)}.",
        check=lambda value: buying.problems(
            rules.san_breach(cg.rulebook, value),
            pieces.too_dear(cg, side, int(rules.san_cost(cg.rulebook, value)), f"a SAN of {value}"),
        ),
        irrevocable=lambda value: buying.last_word(cg, side, int(rules.san_cost(cg.rulebook, value)), "SAN"),
        suggest=lambda rng: rng.choice([base, base, base + 1, base + 2]),
    )


def _limit(cg: Cg) -> str:
    """Say how high a SAN can be bought, if the reading sets a limit."""
    breach = rules.san_breach(cg.rulebook, HIGHEST)
    return f"; {breach.right}" if breach else ""
