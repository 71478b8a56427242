"""Dice that have not fallen: which result a plan takes for each of them.

`expected` is what comes with at least an even chance: an RF as high as this or higher, a battery
as dear as this or cheaper. `worst` is the lowest RF, and the dearest battery of the chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from laager.catalogue.dyo import Battery, Unknown
from laager.dice import Dice, distribution
from laager.rules.design_your_own.artillery import odds_oba
from laager.rules.design_your_own.availability import odds_rf, rf_limit
from laager.rules.design_your_own.context import Cg

EVEN = Fraction(1, 2)

Cell = Battery | Unknown | None


@dataclass(frozen=True)
class Assumed:
    """A Final DR that a plan takes for a roll to come, and what is said about it."""

    final: int
    words: str


def availability_dr(outlook: str) -> Assumed:
    """Return the Availability DR that a plan takes for Guns or vehicles."""
    reached, chance = Fraction(0), Fraction(0)
    limit = min(odds_rf())
    for rf, ways in odds_rf().items():
        reached += ways
        limit, chance = rf, reached
        if outlook == "expected" and reached >= EVEN:
            break
    final = _likeliest(dr for dr in distribution(Dice.DR).weights if rf_limit(dr) == limit)
    return Assumed(final, f"DR {final}: RF {limit} or better has a chance of {shown(chance)}")


def oba_dr(cg: Cg, side: str, outlook: str) -> Assumed | None:
    """Return the OBA DR that a plan takes; None if the chart has gaps, or no battery at all."""
    cells = cg.nation(side).oba_chart(cg.month).cells
    odds = odds_oba(cells)
    prices = {cell: price for cell in odds if (price := price_of(cell)) is not None}
    if len(prices) != len(odds) or not any(prices.values()):
        return None
    rising = sorted(prices, key=lambda cell: (prices[cell], text_of(cell)))
    chosen = rising[-1]
    if outlook == "expected":
        chosen = _even(rising, prices, odds)
    chance = sum((odds[cell] for cell in rising if prices[cell] <= prices[chosen]), Fraction(0))
    final = _likeliest(dr for dr, cell in cells.items() if cell == chosen)
    what = f"DR {final}: {text_of(chosen)} OBA for {prices[chosen]}"
    return Assumed(final, f"{what}; the chance of this, a cheaper one or none is {shown(chance)}")


def _even(rising: list[Cell], prices: Mapping[Cell, int], odds: Mapping[Cell, Fraction]) -> Cell:
    """Return the first battery of those in rising order that has an even chance behind it."""
    reached = Fraction(0)
    for cell in rising:
        reached += odds[cell]
        if reached >= EVEN and prices[cell]:
            return cell
    raise AssertionError("all chances together are one")


def price_of(cell: Cell) -> int | None:
    """Return what a cell of an OBA chart costs: 0 for no battery, None if nobody knows it."""
    if isinstance(cell, Battery):
        return cell.bpv if isinstance(cell.bpv, int) else None
    return 0 if cell is None else None


def text_of(cell: Cell) -> str:
    """Return a cell of an OBA chart as text."""
    if isinstance(cell, Battery):
        return cell.text
    return "none" if cell is None else "?"


def shown(chance: Fraction) -> str:
    """Return a chance as players count it: out of 36, or out of 6."""
    return f"{chance * 36}/36"


def _likeliest(drs: Iterable[int]) -> int:
    ways = distribution(Dice.DR).weights
    return min(drs, key=lambda dr: (-ways[dr], dr))
