"""Figures of the rules that no dice are rolled on: prices, the initiative matrix, limits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, model_validator

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.files import FilePart, check, read_packaged
from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.charts import FortPrice, Upgrade
from laager.rules.board.hasl.charts import HaslCharts as CardCharts

PACKAGE = "laager.rules.edsons_ridge"

Text = Annotated[str, Field(min_length=1)]
Side = Literal["axis", "allied"]
"""The Japanese are the axis side, the U.S. the allied one."""
Chit = Literal["attack", "idle"]
Arrival = Literal["on-map", "enter", "reserve"]
Scenario = Literal["dual-attack", "japanese-assault", "american-assault", "idle-date"]


class Fortification(FilePart):
    """A line of the price list: one price in FPP, or one for each size or kind of unit."""

    type: Text
    name: Text
    price: int | None = None
    prices: dict[str, int] = Field(default={}, description="by size or kind of unit")
    notes: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _check_prices(self) -> Fortification:
        if (self.price is None) == (not self.prices):
            raise ValueError(f"{self.type} needs either one price or prices")
        return self


class Fortifications(FilePart):
    """The price list (ER 1.520 Table)."""

    rule: Text
    rows: tuple[Fortification, ...]

    def row(self, type: str) -> Fortification:  # noqa: A002
        """Return a line. Raises RefusedError, with advice, for an unknown type."""
        for row in self.rows:
            if row.type == type:
                return row
        advice = did_you_mean(type, [row.type for row in self.rows])
        raise RefusedError(Refusal.NO_SUCH, f"there is no Fortification “{type}”", advice)

    @implements("ER 1.520 Table", "ER 1.520 Note b", "ER 1.520 Note d")
    def price(self, type: str, of: str = "") -> int:  # noqa: A002
        """Return a price in FPP, of a size (Foxhole) or kind of unit (HIP). Raises RefusedError."""
        row = self.row(type)
        if row.price is not None and not of:
            return row.price
        if of in row.prices:
            return row.prices[of]
        advice = did_you_mean(of, row.prices, "known are") if row.prices else "name none"
        raise RefusedError(Refusal.NO_SUCH, f"{row.name} has no price of “{of}”", advice)


class Arrivals(FilePart):
    """Changes of a group's price by the way in which it arrives (ER CG7(1))."""

    rule: Text
    changes: dict[Arrival, int]
    never: tuple[Text, ...] = Field(description="types of group that don't arrive")

    @implements("ER CG7(1)")
    def price(self, type: str, base: int, how: Arrival, least: int = 0) -> int:  # noqa: A002
        """Return the price in CPP of a group listed at `base`.

        `least` is how low a discount may take it (the reading reserve-price).
        """
        if type in self.never:
            return base
        return max(base + self.changes[how], min(base, least))


class MatrixRow(FilePart):
    """The scenario of a pair of chits."""

    axis: Chit
    allied: Chit
    result: Scenario
    name: Text


class Initiative(FilePart):
    """The matrix of chits (ER 1.5222), and those of the Initial Scenario (ER 1.522)."""

    rule: Text
    initial: dict[Side, Chit]
    rows: tuple[MatrixRow, ...]

    @implements("ER 1.5222")
    def row(self, axis: str, allied: str) -> MatrixRow:
        """Return the scenario of two chits."""
        return next(row for row in self.rows if (row.axis, row.allied) == (axis, allied))

    @model_validator(mode="after")
    def _check_pairs(self) -> Initiative:
        pairs = {(row.axis, row.allied) for row in self.rows}
        if len(pairs) != 4 or len(self.rows) != 4:
            raise ValueError("the matrix needs each of the four pairs of chits once")
        return self


class Bombardment(FilePart):
    """Most areas, their MC, and the MC of a single area with the side that may declare one."""

    rule: Text
    most_areas: int
    mc: int
    single_mc: int
    single_for: Side


class Fpf(FilePart):
    """Most Blast Areas of a CG Scenario (ER CG18)."""

    rule: Text
    most: int


class ErCharts(FilePart):
    """All charts of the rules."""

    laager: Literal["er-charts/1"]
    source: Text
    fortifications: Fortifications
    arrivals: Arrivals
    initiative: Initiative
    bombardment: Bombardment
    fpf: Fpf


@cache
def printed_charts() -> ErCharts:
    """Return the charts that ship with the rules."""
    return check(read_packaged(PACKAGE, "charts.yaml"), ErCharts)


LAYER_KINDS: Mapping[str, str] = {"trench": "trench-upgrade", "pillbox": "pillbox-upgrade", "hip-set-dc": "set-dc"}
"""The layer's names of lines of the price list, if they differ."""

UPGRADES: Mapping[str, Upgrade] = {
    "trench-upgrade": Upgrade("foxhole", "trench", old_size="3S"),
    "pillbox-upgrade": Upgrade("trench", "pillbox", new_size="1+3+5"),
}
"""From what upgrades are made, and what they make (ER 1.520 Note a)."""


@implements("ER 1.520 Table", "ER 1.520 Note a", "ER 1.520 Note d", "ER 1.520 Note e")
def price_list(printed: ErCharts, *, pillbox_isolated: bool = True) -> tuple[FortPrice, ...]:
    """Return the price list of the rules; upgrades are for the U.S. alone."""
    prices = []
    for row in printed.fortifications.rows:
        for size, cost in row.prices.items() or (("", row.price or 0),):
            kind = LAYER_KINDS.get(row.type, row.type)
            prices.append(
                FortPrice(
                    kind=kind,
                    size=size,
                    cost=cost,
                    sides=(ALLIED,) if kind in UPGRADES else (),
                    isolated=_may_be_isolated(row, pillbox_isolated),
                    notes=row.name,
                )
            )
    return tuple(prices)


def _may_be_isolated(row: Fortification, pillbox: bool) -> bool:
    return "e" not in row.notes and (pillbox or row.type != "pillbox")


def with_prices(charts: CardCharts, printed: ErCharts, *, pillbox_isolated: bool = True) -> CardCharts:
    """Return a card's charts, with the price list of the rules if they have none of their own."""
    if charts.fortifications is not None:
        return charts
    return charts.model_copy(update={"fortifications": price_list(printed, pillbox_isolated=pillbox_isolated)})
