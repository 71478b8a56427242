"""Fortifications: which a side can buy, at which price, how many.

`Work` is one row of what a side wants; `works_problems` checks all of it. All are pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.buying.shop import cost_problems
from laager.rules.board.hasl.buying.groups import in_reserve
from laager.rules.board.hasl.buying.upgrades import UPGRADES
from laager.rules.board.hasl.charts import FortPrice
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.joining import forts_of
from laager.rules.board.units import Mark, Unit

HIP, CONCEALMENT, SET_DC, JUNGLE_PATH = "hip", "concealment", "set-dc", "jungle-path"
ALLOWANCES = frozenset({HIP, CONCEALMENT})
"""What has no place of its own: recorded as one entry with a count."""

SQUAD, HALF_SQUAD, DC = "squad", "half-squad", "DC"


@dataclass(frozen=True)
class Work:
    """A number of equal fortifications.

    `cost` is the price of one as its owner entered it; None: the chart's.
    """

    kind: str
    size: str = ""
    count: int = 1
    cost: int | None = None

    @property
    def key(self) -> str:
        """Its name on the chart."""
        return f"{self.kind} {self.size}".rstrip()

    @classmethod
    def of(cls, cg: Hasl, row: Mapping[str, Any]) -> Work:
        """Return the work that a row of an answer describes: of the chart, or as entered."""
        if "cost" in row:
            return cls(row["kind"], row["size"], row["count"], row["cost"])
        price = price_named(cg, row["work"])
        if price is None:
            return cls(row["work"], "", row["count"])
        return cls(price.kind, price.size, row["count"])


# Prices -----------------------------------------------------------------------------------------


def price_named(cg: Hasl, key: str) -> FortPrice | None:
    """Return the line of the chart with this name."""
    return next((price for price in cg.charts.fortifications or () if price.key == key), None)


@implements("HASL 23")
def fpp_of(cg: Hasl, work: Work) -> int:
    """Return the FPP for one of a work; 0 if it is not on the chart."""
    if work.cost is not None:
        return work.cost
    price = price_named(cg, work.key)
    return price.cost if price is not None else 0


@implements("ABtF 9.2 FPP")
def total_fpp(cg: Hasl, works: Iterable[Work]) -> int:
    """Return the FPP that works cost together."""
    return sum(fpp_of(cg, work) * work.count for work in works)


@implements("HASL 23")
def work_refused(cg: Hasl, side: str, price: FortPrice) -> str:
    """Say why a side can't buy a line of the chart; empty when it can."""
    if price.sides and side not in price.sides:
        names = " and ".join(cg.side(one).name for one in price.sides)
        return f"{price.key} is for the {names} only"
    return ""


# HIP ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HipCap:
    """How many squads can use HIP, out of a number of half-squads. `halves`: half-squads count as half."""

    squads: int
    of: int
    halves: bool = True

    def used(self, counts: Mapping[str, int]) -> int:
        """Return the half-squads that count of HIP bought, by the kinds of units."""
        return 2 * counts.get(SQUAD, 0) + (counts.get(HALF_SQUAD, 0) if self.halves else 0)

    @property
    def words(self) -> str:
        """The cap as players say it."""
        return f"{self.squads} of {self.of / 2:g}"


def tenth_hidden(cg: Hasl, side: str, *, halves: bool = True) -> HipCap:
    """Return a tenth (FRU) of a side's Retained Infantry squads that are not in Reserve."""
    squads = [unit for unit in cg.state.units_of(side, SQUAD, HALF_SQUAD) if _counts(cg, unit)]
    of = sum(2 if unit.kind == SQUAD else int(halves) for unit in squads)
    return HipCap(-(-of // 20), of, halves)


def _counts(cg: Hasl, unit: Unit) -> bool:
    return not (unit.has(Mark.PRISONER, Mark.RESERVE) or in_reserve(cg, unit))


# Judging ----------------------------------------------------------------------------------------


def works_problems(cg: Hasl, side: str, works: Sequence[Work]) -> tuple[Problem, ...]:
    """Return everything that the rules have against buying these."""
    return (
        *_row_problems(cg, side, works),
        *_limit_problems(cg, side, works),
        *_hip_problems(cg, side, works),
        *_set_dc_problems(cg, side, works),
        *_fpp_problems(cg, side, works),
    )


def _row_problems(cg: Hasl, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    for number, work in enumerate(works, 1):
        if work.cost is not None:
            continue
        price = price_named(cg, work.key)
        if price is None:
            advice = did_you_mean(work.key, [p.key for p in cg.charts.fortifications or ()])
            yield Problem(f"{work.key} is not on the chart", advice, f"works[{number}].work")
        elif refused := work_refused(cg, side, price):
            yield Problem(refused, "leave it out", f"works[{number}].work")


@implements("HASL 23")
def _limit_problems(cg: Hasl, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    for price in cg.charts.fortifications or ():
        wanted = sum(work.count for work in works if work.key == price.key)
        if not wanted or price.per_date is None:
            continue
        held = sum(
            fort.count
            for fort in forts_of(cg, side, price.kind)
            if fort.size == price.size and fort.firefight == cg.state.number
        )
        if wanted + held > price.per_date:
            right = f"the limit is {price.per_date} for one CG Date"
            yield Problem(f"You want {wanted + held} x {price.key}", right, "works")


def _hip_problems(cg: Hasl, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    cap = cg.variant.hip_cap(cg, side)
    if cap is None:
        return
    counts: dict[str, int] = {}
    for work in works:
        if work.kind == HIP:
            counts[work.size] = counts.get(work.size, 0) + work.count
    wanted = cap.used(counts)
    for fort in forts_of(cg, side, HIP):
        counts[fort.size] = counts.get(fort.size, 0) + fort.count
    used = cap.used(counts)
    if wanted and used > 2 * cap.squads:
        yield Problem(f"You want HIP for {used / 2:g} squads", f"the limit is {cap.words}", "works")


def _set_dc_problems(cg: Hasl, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    """A DC that is Set is one that the side has, and not with a unit in Reserve."""
    wanted = sum(work.count for work in works if work.kind == SET_DC)
    if not wanted:
        return
    there = sum(u.type == DC and not in_reserve(cg, u) for u in cg.state.units_of(side, "sw"))
    waiting = sum(fort.count for fort in forts_of(cg, side, SET_DC) if fort.at is None)
    free = max(0, there - waiting)
    if wanted > free:
        yield Problem(f"You want to Set {wanted} DC", f"you have {free} for it", "works")


def _fpp_problems(cg: Hasl, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    yield from cost_problems(total_fpp(cg, works), cg.state.side(side).fpp, "FPP")


def upgrade_problems(upgrades: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Yield what is wrong with hexes chosen for upgrades (kind, hex): one to a hex at most."""
    hexes = [hex_ for kind, hex_ in upgrades if kind in UPGRADES]
    for name in dict.fromkeys(hexes):
        if hexes.count(name) > 1:
            what = f"{hexes.count(name)} upgrades in {name}"
            yield Problem(what, "one for each hex in a CG Scenario")
