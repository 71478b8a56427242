"""Fortifications and SAN: prices with every formula, and limits (H1.6, H1.29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.rules.design_your_own.answers import Breach, Calculation, Reason, reading, some, total
from laager.rules.design_your_own.charts import FortificationPrice, charts, column
from laager.rules.design_your_own.nations import Group

HIP_SQUAD = "hip-squad"


@dataclass(frozen=True)
class Work:
    """So many of a fortification; `number` counts factors of mines, hexsides of Panji, UDT dr.

    A pillbox has a capacity, a CA DRM and an NCA DRM.
    """

    type: str
    number: int = 1
    capacity: int = 0
    ca_drm: int = 0
    nca_drm: int = 0

    @property
    def row(self) -> FortificationPrice:
        """Its row of the list. Raises RefusedError for an unknown type."""
        return charts().fortifications.row(self.type)


def fortification_types() -> tuple[FortificationPrice, ...]:
    """Return everything that the list has, in its order."""
    return charts().fortifications.rows


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
def work_cost(work: Work, year: int) -> Calculation:
    """Return the BPV of a work; that of Sangars may have a half, which the total rounds up.

    A Tetrahedron with Wire costs what both do. Raises RefusedError for an unknown type.
    """
    row = work.row
    each = _pillbox(work) if row.formula == "pillbox" else _price(row, year)
    return each if work.number == 1 else each.times(work.number, row.per or row.name, row.rule)


def _price(row: FortificationPrice, year: int) -> Calculation:
    if row.bpv is not None:
        return Calculation.of(row.bpv, row.name, row.rule)
    return _cave(year)


@implements("DYO H1.6-n11")
def _cave(year: int) -> Calculation:
    """Return the BPV of a Cave: less from 1944 on."""
    prices = charts().fortifications.cave
    place = column(prices, year)
    price = prices[-1 if place is None else place]
    return Calculation.of(price.points, f"Cave {price.name}", "DYO H1.6-n11")


@implements("DYO H1.6-n5")
def _pillbox(work: Work) -> Calculation:
    """Return the BPV of a pillbox: capacity, CA DRM and NCA DRM together, times three."""
    rule = "DYO H1.6-n5"
    found = Calculation.of(work.capacity, "capacity", rule).plus(work.ca_drm, "CA DRM", rule)
    found = found.plus(work.nca_drm, "NCA DRM", rule)
    return found.times(charts().fortifications.pillbox, "", rule)


@implements("DYO H1.6", "DYO H1.6-n9")
def works_cost(works: Iterable[Work], year: int) -> Calculation:
    """Return the BPV of all works; half points of Sangars are added up first, then rounded up."""
    priced = ((work, work_cost(work, year).amount) for work in works)
    named = (
        (cost, f"for {work.row.name if work.number == 1 else f'{work.number} x {work.row.name}'}")
        for work, cost in priced
    )
    return total(named, "DYO H1.6-T").fru("DYO H1.6-n9")


@implements("DYO H1.6-n9")
def work_totals(works: Sequence[Work], year: int) -> tuple[int, ...]:
    """Return the points of each work, in order: half points are rounded up once for all of them.

    So the second of two single Sangars costs nothing.
    """
    paid, totals = 0, list[int]()
    for place in range(len(works)):
        whole = works_cost(works[: place + 1], year).value
        totals.append(whole - paid)
        paid = whole
    return tuple(totals)


# Limits -----------------------------------------------------------------------------------------


@implements("DYO H1.6-n11", "DYO H1.6-n13")
def kind_breaches(row: FortificationPrice, group: Group, enemy: Group | None, year: int) -> tuple[Breach, ...]:
    """Return why a side cannot have a kind of fortification at all."""
    found = []
    if row.groups and group not in row.groups:
        owners = " or ".join(each.words for each in row.groups)
        found.append(Breach(Reason.NATION, row.rule, f"{row.name} for {group.words}", owners))
    if row.enemies and enemy not in row.enemies:
        foes = " or ".join(each.words for each in row.enemies)
        found.append(Breach(Reason.NATION, row.rule, f"{row.name} here", f"against {foes} only"))
    if row.from_ is not None and year < row.from_:
        what = f"{row.name} in {year}"
        found.append(Breach(Reason.DATE, row.rule, what, f"from {row.from_} on"))
    return tuple(found)


def works_breaches(
    works: Sequence[Work],
    *,
    group: Group,
    enemy: Group | None,
    year: int,
    boards: int,
    squads: Fraction | int,
    enemy_works: Mapping[str, int] | None = None,
    chosen: Mapping[str, str] | None = None,
) -> tuple[Breach, ...]:
    """Return everything that is wrong with a side's fortifications.

    `boards` are those in whole hexes; `squads` the Infantry squads of the side; `enemy_works`
    counts those of the other side by type, for groups that limit both together.
    """
    found: list[Breach] = []
    for type_ in dict.fromkeys(work.type for work in works):
        row = charts().fortifications.row(type_)
        found += kind_breaches(row, group, enemy, year)
    for work in works:
        found += size_breaches(work)
    found += _board_breaches(works, boards, enemy_works or {}, chosen or {})
    hidden = sum(work.number for work in works if work.type == HIP_SQUAD)
    limit = hip_limit(squads).value
    if hidden > limit:
        what = f"HIP for {some(hidden, 'squad')}"
        right = f"{limit} at most, a tenth (FRU)"
        found.append(Breach(Reason.LIMIT, "DYO H1.6-n7", what, right))
    return tuple(found)


def size_breaches(work: Work) -> Iterator[Breach]:
    """Yield what is wrong with a work by itself."""
    row = work.row
    if work.number < 1:
        what = f"{work.number} x {row.name}"
        yield Breach(Reason.SIZE, row.rule, what, "one or more")
    parts = (work.capacity, work.ca_drm, work.nca_drm)
    if row.formula == "pillbox" and min(parts) < 1:
        what = f"a pillbox {'+'.join(map(str, parts))}"
        yield Breach(Reason.SIZE, row.rule, what, "capacity, CA DRM and NCA DRM, such as 1+3+5")
    elif row.formula != "pillbox" and any(parts):
        what = f"{row.name} with capacity or DRM"
        yield Breach(Reason.SIZE, row.rule, what, "only a pillbox has them")


@implements("DYO H1.6-n2", "DYO H1.6-n4")
def _board_breaches(
    works: Sequence[Work], boards: int, enemy_works: Mapping[str, int], chosen: Mapping[str, str]
) -> Iterator[Breach]:
    """Yield what exceeds the limits per board; A-T mines count against none."""
    both = reading("limits-per-board", chosen) == "both"
    for type_, each in charts().fortifications.per_board.items():
        row = charts().fortifications.row(type_)
        number = sum(work.number for work in works if work.type == type_)
        others = enemy_works.get(type_, 0) if both else 0
        if number and number + others > each * boards:
            what = f"{number} {'factors of ' if row.per else 'x '}{row.name}"
            right = f"{each} for each of {some(boards, 'board')}"
            yield Breach(Reason.LIMIT_PER_BOARD, row.rule, what, right)


@implements("DYO H1.6-n7")
def hip_limit(squads: Fraction | int) -> Calculation:
    """Return how many squads may hide by HIP: a tenth (FRU) of the side's Infantry squads."""
    rule = "DYO H1.6-n7"
    found = Calculation.of(squads, "squads", rule)
    return found.times(charts().fortifications.hip_percent, "per cent", rule).over(100, "").fru(rule)


@implements("DYO H1.29")
def san_cost(san: int) -> Calculation:
    """Return the points for a SAN: ten for each step above 2."""
    chart = charts().san
    steps = Calculation.of(san, "SAN", chart.rule).plus(-chart.base, "free", chart.rule)
    return steps.times(chart.price, "points each", chart.rule)


@implements("DYO H1.29")
def san_breach(san: int, *, agreed: int | None = None, chosen: Mapping[str, str] | None = None) -> Breach | None:
    """Say whether a SAN cannot be bought; `agreed` is a highest SAN that the terms name."""
    chart = charts().san
    if san < chart.base:
        what = f"a SAN of {san} is lower than the free one"
        return Breach(Reason.LIMIT, chart.rule, what, f"{chart.base} or more")
    limit = agreed
    if limit is None and reading("san-limit", chosen or {}) != "none":
        limit = chart.highest
    if limit is not None and san > limit:
        return Breach(Reason.LIMIT, chart.rule, f"a SAN of {san} is too high", f"{limit} at most")
    return None
