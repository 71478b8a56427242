"""Availability DR: how rare a Gun or vehicle can be, and the odds of it (H1.3, H1.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from laager.campaign import implements
from laager.rules.design_your_own.charts import charts, dyo_tables
from laager.rules.design_your_own.reckoning import Breach, Reason
from laager.tables import Table

TABLE = "availability"
RF, LEADER = "rf", "armor-leader"

Rarity = Decimal | float | str
"""An RF as a catalogue or a player writes it; it is compared exactly as written."""


@dataclass(frozen=True, slots=True)
class Availability:
    """What a Final Availability DR gives: the highest RF, and the Armor Leader, None for none."""

    rf: Decimal
    armor_leader: str | None


def table() -> Table:
    """Return the Availability Table."""
    return dyo_tables()[TABLE]


def rarity(rf: Rarity) -> Decimal:
    """Return an RF as a decimal number: .9 stays 0.9 and is not a little more or less."""
    return Decimal(str(rf))


@implements("DYO H1.3", "DYO H1.3-T")
def availability(final_dr: int) -> Availability:
    """Return what a Final DR gives."""
    leader = table().result(final_dr, LEADER)
    return Availability(rarity(str(table().result(final_dr, RF))), None if leader is None else str(leader))


@implements("DYO H1.3", "DYO H1.4")
def rf_limit(final_dr: int, *, motorized: bool = False) -> Decimal:
    """Return the highest RF that can be bought; a motorized unit gets .2 more for vehicles."""
    limit = availability(final_dr).rf
    return limit + charts().motorized.rf if motorized else limit


@implements("DYO H1.3", "DYO H1.4")
def rf_breach(name: str, rf: Rarity | None, limit: Rarity) -> Breach | None:
    """Say whether a Gun or vehicle is too rare; an RF of None means that there is none yet."""
    if rf is None:
        return Breach(Reason.DATE, "DYO H1.3", f"{name} cannot be had at this date", "leave it out")
    if rarity(rf) <= rarity(limit):
        return None
    what = f"{name} has RF {rarity(rf)}"
    return Breach(Reason.RARITY, "DYO H1.3", what, f"{rarity(limit)} or less can be bought")


@implements("DYO H1.3-T")
def odds_rf(*, motorized: bool = False) -> Mapping[Decimal, Fraction]:
    """Return the probability of each highest RF, the rarest first."""
    ways: Counter[Decimal] = Counter()
    for row in table().odds(column=RF):
        ways[rarity(str(row.value))] += row.ways
    extra = charts().motorized.rf if motorized else Decimal(0)
    return {rf + extra: Fraction(ways[rf], 36) for rf in sorted(ways, reverse=True)}


@implements("DYO H1.3-T")
def chance_of(rf: Rarity, *, motorized: bool = False) -> Fraction:
    """Return the probability that a Gun or vehicle of this RF can be bought."""
    odds = odds_rf(motorized=motorized)
    return sum((chance for limit, chance in odds.items() if limit >= rarity(rf)), Fraction(0))
