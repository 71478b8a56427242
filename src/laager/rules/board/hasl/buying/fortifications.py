"""Fortifications: which a side can buy in secret, at which price, how many. It chooses their places at setup.

`Work` is one row of what a side wants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from laager.base import Problem, did_you_mean
from laager.campaign import Choice, Fact, Field, Number, Option, Procedure, Record, Text, implements, step
from laager.campaign.temperament import Temperament
from laager.catalogue import load_fortifications
from laager.rules.board.buying.works import HALF_SQUAD, SQUAD, AnyWork, HipCap, WorkShop
from laager.rules.board.facts import SideNumber
from laager.rules.board.hasl.buying.groups import is_in_reserve
from laager.rules.board.hasl.charts import JUNGLE_PATH, UPGRADES, FortPrice
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import FppChanged
from laager.rules.board.numbering import forts_of
from laager.rules.board.places import Fault
from laager.rules.board.units import Mark, Unit


@dataclass(frozen=True)
class Work(AnyWork):
    """A number of equal fortifications.

    `cost` is the price of one as its owner entered it; None: the chart's.
    """

    cost: int | None = None

    @classmethod
    def of(cls, cg: Hasl, row: Mapping[str, Any]) -> Work:
        """Return the work that a row of an answer describes: of the chart, or as entered."""
        if "cost" in row:
            return cls(row["kind"], row["size"], row["count"], row["cost"])
        price = find_price(cg, row["work"])
        if price is None:
            return cls(row["work"], "", row["count"])
        return cls(price.kind, price.size, row["count"])


# What a side can buy ------------------------------------------------------------------------------


def find_price(cg: Hasl, key: str) -> FortPrice | None:
    """Return the line of the chart with this name."""
    return next((price for price in cg.charts.fortifications or () if price.key == key), None)


@implements("HASL 23")
def fpp_of(cg: Hasl, work: Work) -> int:
    """Return the FPP for one of a work; 0 if it is not on the chart."""
    if work.cost is not None:
        return work.cost
    price = find_price(cg, work.name)
    return price.cost if price is not None else 0


@implements("HASL 23")
def work_problem(cg: Hasl, side: str, price: FortPrice) -> str:
    """Say why a side can't buy a line of the chart; empty when it can."""
    if price.sides and side not in price.sides:
        names = " and ".join(cg.side(owner).name for owner in price.sides)
        return f"{price.key} is for the {names} only"
    return ""


# Limits -------------------------------------------------------------------------------------------


def tenth_hidden(cg: Hasl, side: str, *, halves: bool = True) -> HipCap:
    """Return a tenth (FRU) of a side's Retained Infantry squads that are not in Reserve."""
    squads = [unit for unit in cg.state.units_of(side, SQUAD, HALF_SQUAD) if _is_hiding_place(cg, unit)]
    of = sum(2 if unit.kind == SQUAD else int(halves) for unit in squads)
    return HipCap(-(-of // 20), of, halves)


def _is_hiding_place(cg: Hasl, unit: Unit) -> bool:
    return not (unit.has(Mark.PRISONER, Mark.RESERVE) or is_in_reserve(cg, unit))


def upgrade_problems(upgrades: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Yield what is wrong with hexes chosen for upgrades (kind, hex): one to a hex at most."""
    hexes = [hex_ for kind, hex_ in upgrades if kind in UPGRADES]
    for name in dict.fromkeys(hexes):
        if hexes.count(name) > 1:
            yield Problem(f"{hexes.count(name)} upgrades in {name}", "one for each hex in a CG Scenario")


# Buying -------------------------------------------------------------------------------------------


@implements("ABtF 9.619", "ER 1.520")
@step("HASL 23", "Fortifications")
def fortifying(cg: Hasl, side: str) -> Procedure[None]:
    """FPP become fortifications; what is left over is forfeit, unless the system keeps it."""
    free = any(not price.cost and not work_problem(cg, side, price) for price in cg.charts.fortifications or ())
    if cg.state.side(side).fpp or free:
        yield from FppShop(cg, side).carry_out()
    yield from _leftover(cg, side)


class FppShop(WorkShop[Work]):
    """The fortifications that a side can build on the present CG Date: by the chart, or as its owner enters them."""

    cg: Hasl
    points: ClassVar[str] = "FPP"
    changed: ClassVar[type[SideNumber]] = FppChanged

    @property
    def chart(self) -> tuple[FortPrice, ...]:
        """The chart; empty if it is not filled in."""
        return self.cg.charts.fortifications or ()

    def work(self, row: Mapping[str, Any]) -> Work:
        """Return the work that a row of an answer describes."""
        return Work.of(self.cg, row)

    @implements("ABtF 9.2 FPP")
    def price(self, work: Work) -> int:
        """Return the FPP for one of a work; 0 if it is not on the chart."""
        return fpp_of(self.cg, work)

    def points_held(self, answer: Mapping[str, Any]) -> int:
        """Return the FPP of the side."""
        return self.cg.state.side(self.side).fpp

    def held_words(self) -> str:
        """Return the FPP that the side has."""
        return f"{self.cg.state.side(self.side).fpp} FPP"

    def help(self) -> str:
        """Return the help of the question."""
        lost = self.cg.variant.loses_unspent_fpp(self.cg)
        fate = "FPP that you do not spend now are lost." if lost else "You keep FPP that you do not spend."
        if self.cg.charts.fortifications is not None:
            return fate
        unlisted = "The chart of fortifications is not filled in: enter kind, number and price by the"
        return f"{unlisted} module's own chart. {fate}"

    @implements("HASL 23")
    def irrevocable(self, answer: Mapping[str, Any]) -> str:
        """Say how many FPP an answer loses because it does not spend them; "" if none."""
        left = self.points_held(answer) - self.cost(self.works(answer))
        if left <= 0 or not self.cg.variant.loses_unspent_fpp(self.cg):
            return ""
        return f"You leave {left} FPP unspent, and they are lost."

    def row(self) -> Record:
        """Return the form of a row: a line of the chart, or all that its owner enters."""
        if self.cg.charts.fortifications is None:
            return _entered_row()
        options = tuple(
            Option(price.key, f"{price.key}: {price.cost} FPP", work_problem(self.cg, self.side, price))
            for price in self.chart
        )
        count = Field("count", Number(1, 99), "How many", 1)
        return Record((Field("work", Choice(options), "Fortification"), count))

    def goods(self) -> Iterator[tuple[str, Mapping[str, Any], str]]:
        """Yield the lines of the chart that the side can buy."""
        for price in self.chart:
            if not work_problem(self.cg, self.side, price):
                yield price.key, {"work": price.key}, ""

    # Checks ---------------------------------------------------------------------------------------

    def row_faults(self, work: Work) -> Iterator[Fault]:
        """Yield what the rules have against a line of the chart; what its owner enters is as he says."""
        if work.cost is not None:
            return
        price = find_price(self.cg, work.name)
        if price is None:
            yield f"{work.name} is not on the chart", did_you_mean(work.name, [p.key for p in self.chart]), "work"
        elif refused := work_problem(self.cg, self.side, price):
            yield refused, "leave it out", "work"

    @implements("HASL 23")
    def more_problems(self, answer: Mapping[str, Any], works: Sequence[Work]) -> Iterator[Problem]:
        """Yield what is beyond the chart's limits for one CG Date."""
        for price in self.chart:
            wanted = sum(work.count for work in works if work.name == price.key)
            if not wanted or price.per_date is None:
                continue
            same = (fort for fort in forts_of(self.cg, self.side, price.kind) if fort.size == price.size)
            wanted += sum(fort.count for fort in same if fort.firefight == self.cg.state.number and not fort.given)
            if wanted > price.per_date:
                right = f"the limit is {price.per_date} for one CG Date"
                yield Problem(f"You want {wanted} x {price.key}", right, "works")

    def hip_cap(self) -> HipCap | None:
        """Return how many squads can use HIP, by the system."""
        return self.cg.variant.hip_cap(self.cg, self.side)

    def can_set(self, dc: Unit) -> bool:
        """True if a DC is not with a unit in Reserve."""
        return not is_in_reserve(self.cg, dc)

    def suggest(self, rng: Random) -> dict[str, Any]:
        """Return a legal purchase filled by chance."""
        prices = [price for price in self.chart if not work_problem(self.cg, self.side, price)]
        rows: list[dict[str, Any]] = []
        for _ in range(rng.randint(0, 8)):
            row: dict[str, Any] = {"kind": "wire", "size": "", "count": 1, "cost": rng.randint(1, 6)}
            if prices:
                row = {"work": rng.choice(prices).key, "count": rng.randint(1, 3)}
            elif self.cg.charts.fortifications is not None:
                break
            if not self.problems({"works": [*rows, row]}):
                rows.append(row)
        return {"works": rows}

    def judge(self, temper: Temperament) -> dict[str, Any]:
        """Return what somebody of a temperament builds."""
        from laager.rules.board.hasl.judgement import judge_works

        return judge_works(self, temper)


def _entered_row() -> Record:
    rows = load_fortifications().values()
    options = [Option(row.type, row.name) for row in rows]
    options += [Option(kind, kind.replace("-", " ")) for kind in (*sorted(UPGRADES), JUNGLE_PATH)]
    return Record.of(
        Field("kind", Choice(tuple(options)), "Fortification"),
        Field("size", Text(limit=20), "Size, or the unit that hides", ""),
        Field("count", Number(1, 99), "How many", 1),
        Field("cost", Number(0, 99), "FPP for one"),
    )


def _leftover(cg: Hasl, side: str) -> Iterator[Fact]:
    rest = cg.state.side(side).fpp
    if rest > 0 and cg.variant.loses_unspent_fpp(cg):
        why = f"{rest} FPP not spent are lost"
        yield FppChanged(side=side, by=-rest, forfeit=True, why=why, to=(side,))
