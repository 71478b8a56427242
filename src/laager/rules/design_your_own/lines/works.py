"""Fortifications and SAN: prices with every formula, and limits (H1.6, H1.29)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.rules.design_your_own.answers import Breach, Calculation, Reason, format_count, total
from laager.rules.design_your_own.charts import FortificationPrice, column
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.infantry import LineOrigin, rule_lines
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.ob import WorkEntry
from laager.rules.design_your_own.rulebook import Rulebook

HIP_SQUAD = "hip-squad"


@dataclass(frozen=True)
class WorkLine:
    """Fortifications of one type; `number` counts factors of mines, hexsides of Panji, UDT dr.

    A pillbox has a capacity, a CA DRM and an NCA DRM.
    """

    type: str
    number: int = 1
    capacity: int = 0
    ca_drm: int = 0
    nca_drm: int = 0


def fortification_types(rulebook: Rulebook) -> tuple[FortificationPrice, ...]:
    """Return everything that the list has, in its order."""
    return rulebook.charts.fortifications.rows


@implements(
    "DYO H1.6-T",
    "DYO H1.6-n1",
    "DYO H1.6-n3",
    "DYO H1.6-n6",
    "DYO H1.6-n8",
    "DYO H1.6-n9",
    "DYO H1.6-n10",
    "DYO H1.6-n12",
    "DYO H1.6-n13",
    "DYO H1.6-n14",
    "DYO H1.6-n15",
)
def work_cost(rulebook: Rulebook, work: WorkLine, year: int) -> Calculation:
    """Return the BPV of a work; that of Sangars may have a half, which the total rounds up (H1.6-T).

    A Tetrahedron with Wire costs what both do. Raises RefusedError for an unknown type.
    """
    row = rulebook.charts.fortifications.row(work.type)
    each = _pillbox(rulebook, work) if row.formula == "pillbox" else _price(rulebook, row, year)
    return each if work.number == 1 else each.times(work.number, row.per or row.name, row.rule)


def _price(rulebook: Rulebook, row: FortificationPrice, year: int) -> Calculation:
    if row.bpv is not None:
        return Calculation.of(row.bpv, row.name, row.rule)
    return _cave(rulebook, year)


@implements("DYO H1.6-n11")
def _cave(rulebook: Rulebook, year: int) -> Calculation:
    """Return the BPV of a Cave: less from 1944 on."""
    prices = rulebook.charts.fortifications.cave_prices
    place = column(prices, year)
    price = prices[-1 if place is None else place]
    return Calculation.of(price.points, f"Cave {price.name}", "DYO H1.6-n11")


@implements("DYO H1.6-n5")
def _pillbox(rulebook: Rulebook, work: WorkLine) -> Calculation:
    """Return the BPV of a pillbox: capacity, CA DRM and NCA DRM together, times three."""
    rule = "DYO H1.6-n5"
    sum_ = Calculation.of(work.capacity, "capacity", rule).plus(work.ca_drm, "CA DRM", rule)
    return sum_.plus(work.nca_drm, "NCA DRM", rule).times(rulebook.charts.fortifications.pillbox_factor, "", rule)


@implements("DYO H1.6", "DYO H1.6-n9")
def works_cost(rulebook: Rulebook, works: Iterable[WorkLine], year: int) -> Calculation:
    """Return the BPV of all works; half points of Sangars are added up first, then rounded up (H1.6)."""

    def name_of(work: WorkLine) -> str:
        return rulebook.charts.fortifications.row(work.type).name

    priced = ((work, work_cost(rulebook, work, year).amount) for work in works)
    named = (
        (cost, f"for {name_of(work) if work.number == 1 else f'{work.number} x {name_of(work)}'}")
        for work, cost in priced
    )
    return total(named, "DYO H1.6-T").fru("DYO H1.6-n9")


@implements("DYO H1.6-n9")
def work_totals(rulebook: Rulebook, works: Sequence[WorkLine], year: int) -> tuple[int, ...]:
    """Return the points of each work, in order: half points are rounded up once for all of them (H1.6-n9).

    So the second of two single Sangars costs nothing.
    """
    paid, totals = 0, list[int]()
    for place in range(len(works)):
        whole = works_cost(rulebook, works[: place + 1], year).value
        totals.append(whole - paid)
        paid = whole
    return tuple(totals)


# Limits -----------------------------------------------------------------------------------------


@implements("DYO H1.6-n11", "DYO H1.6-n13")
def kind_breaches(row: FortificationPrice, group: Group, enemy: Group | None, year: int) -> tuple[Breach, ...]:
    """Return why a side can't have a kind of fortification at all (notes 11 and 13 of the list) (H1.6-n11)."""
    breaches = []
    if row.groups and group not in row.groups:
        owners = " or ".join(each.words for each in row.groups)
        breaches.append(Breach(Reason.NATION, row.rule, f"{row.name} for {group.words}", owners))
    if row.enemies and enemy not in row.enemies:
        foes = " or ".join(each.words for each in row.enemies)
        breaches.append(Breach(Reason.NATION, row.rule, f"{row.name} here", f"against {foes} only"))
    if row.from_ is not None and year < row.from_:
        breaches.append(Breach(Reason.DATE, row.rule, f"{row.name} in {year}", f"from {row.from_} on"))
    return tuple(breaches)


def works_breaches(
    rulebook: Rulebook,
    works: Sequence[WorkLine],
    *,
    group: Group,
    enemy: Group | None,
    year: int,
    boards: int,
    squads: Fraction | int,
    enemy_works: Mapping[str, int] | None = None,
) -> Iterator[tuple[int | None, Breach]]:
    """Yield everything that is wrong with a side's Fortifications, with the place of the work if it is one's fault.

    `boards` are those in whole hexes; `squads` the Infantry squads of the side; `enemy_works`
    counts those of the other side by type, for groups that limit both together.
    """
    types = [work.type for work in works]
    for i, work in enumerate(works):
        row = rulebook.charts.fortifications.row(work.type)
        kind = kind_breaches(row, group, enemy, year) if work.type not in types[:i] else ()
        for breach in (*kind, *size_breaches(rulebook, work)):
            yield i, breach
    for breach in _board_breaches(rulebook, works, boards, enemy_works or {}):
        yield None, breach
    hidden = sum(work.number for work in works if work.type == HIP_SQUAD)
    limit = hip_limit(rulebook, squads).value
    if hidden > limit:
        message = f"HIP for {format_count(hidden, 'squad')}"
        yield None, Breach(Reason.LIMIT, "DYO H1.6-n7", message, f"{limit} at most, a tenth (FRU)")


@implements("DYO H1.6", "DYO H1.6-n7")
def fortification_breaches(
    cg: Cg, side: str, works: Sequence[WorkLine], *, squads: int | None = None, enemy: Iterable[WorkEntry] = ()
) -> Iterator[tuple[int | None, Breach]]:
    """Yield everything that the rules have against works of a side; `enemy` are those of the other side (H1.6).

    `squads` are those that count for HIP; without it, what the side has (see `hip_squads`).
    """
    theirs: Counter[str] = Counter()
    for entry in enemy:
        theirs[entry.type] += entry.number
    return works_breaches(
        cg.rulebook,
        works,
        group=cg.group(side),
        enemy=cg.enemy(side),
        year=cg.month.year,
        boards=cg.limit_boards,
        squads=hip_squads(cg, side) if squads is None else squads,
        enemy_works=theirs,
    )


def work_of(entry: WorkEntry) -> WorkLine:
    """Return a line of the Roster as a work."""
    return WorkLine(entry.type, entry.number, entry.capacity, entry.ca_drm, entry.nca_drm)


def size_breaches(rulebook: Rulebook, work: WorkLine) -> Iterator[Breach]:
    """Yield what is wrong with a work by itself."""
    row = rulebook.charts.fortifications.row(work.type)
    if work.number < 1:
        yield Breach(Reason.SIZE, row.rule, f"{work.number} x {row.name}", "one or more")
    parts = (work.capacity, work.ca_drm, work.nca_drm)
    if row.formula == "pillbox" and min(parts) < 1:
        message = f"a pillbox {'+'.join(map(str, parts))}"
        yield Breach(Reason.SIZE, row.rule, message, "capacity, CA DRM and NCA DRM, such as 1+3+5")
    elif row.formula != "pillbox" and any(parts):
        yield Breach(Reason.SIZE, row.rule, f"{row.name} with capacity or DRM", "only a pillbox has them")


@implements("DYO H1.6-n2", "DYO H1.6-n4")
def _board_breaches(
    rulebook: Rulebook, works: Sequence[WorkLine], boards: int, enemy_works: Mapping[str, int]
) -> Iterator[Breach]:
    """Yield what exceeds the limits per board; A-T mines count against none."""
    both = rulebook.reading("limits-per-board") == "both"
    for type_, each in rulebook.charts.fortifications.per_board.items():
        row = rulebook.charts.fortifications.row(type_)
        number = sum(work.number for work in works if work.type == type_)
        others = enemy_works.get(type_, 0) if both else 0
        if number and number + others > each * boards:
            message = f"{number} {'factors of ' if row.per else 'x '}{row.name}"
            yield Breach(
                Reason.LIMIT_PER_BOARD, row.rule, message, f"{each} for each of {format_count(boards, 'board')}"
            )


@implements("DYO H1.6-n7")
def hip_limit(rulebook: Rulebook, squads: Fraction | int) -> Calculation:
    """Return how many squads may hide by HIP: a tenth (FRU) of the side's Infantry squads (H1.6-n7)."""
    rule = "DYO H1.6-n7"
    share = Calculation.of(squads, "squads", rule)
    return share.times(rulebook.charts.fortifications.hip_percent, "per cent", rule).over(100, "").fru(rule)


@implements("DYO H1.6-n7")
def hip_squads(cg: Cg, side: str) -> Fraction:
    """Return the squads of which a tenth may hide: those recorded when Fortifications are bought (H1.6-n7).

    By the other reading all squads of the finished order of battle count.
    """
    lines = rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    every = cg.reading("hip-squads") == "all"
    return sum((line.squads for line in lines if every or line.origin is LineOrigin.FIRST), Fraction(0))


@implements("DYO H1.29")
def san_cost(rulebook: Rulebook, san: int) -> Calculation:
    """Return the points for a SAN: ten for each step above 2 (H1.29)."""
    chart = rulebook.charts.san
    steps = Calculation.of(san, "SAN", chart.rule).plus(-chart.base, "free", chart.rule)
    return steps.times(chart.price, "points each", chart.rule)


@implements("DYO H1.29")
def san_breach(rulebook: Rulebook, san: int) -> Breach | None:
    """Return why a side can't buy a SAN (H1.29); None if it can."""
    chart = rulebook.charts.san
    if san < chart.base:
        message = f"a SAN of {san} is lower than the free one"
        return Breach(Reason.LIMIT, chart.rule, message, f"{chart.base} or more")
    if rulebook.reading("san-limit") != "none" and san > chart.highest:
        return Breach(Reason.LIMIT, chart.rule, f"a SAN of {san} is too high", f"{chart.highest} at most")
    return None
