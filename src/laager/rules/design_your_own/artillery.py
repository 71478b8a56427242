"""OBA: how many DR there are, what a battery costs, and that each is settled first (H1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from laager.campaign import implements
from laager.dice import Dice, distribution
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning, Unknown

K = TypeVar("K")


@implements("DYO H1.5", "DYO H1.14")
def oba_drs(allotment: int) -> Reckoning:
    """Return how many OBA DR a side has: one for each 600 points of its allotment or part of it.

    A side is one player, however many share it.
    """
    chart = charts().oba
    points = Reckoning.of(allotment, "points of the allotment", chart.rule)
    return points.over(chart.points_for_each, "", chart.rule).fru(chart.rule)


@implements("DYO H1.5")
def settle_breach(pending: bool) -> Breach | None:
    """Say whether a battery that was offered must be bought or declined first."""
    if not pending:
        return None
    what = "a battery is offered and neither bought nor declined"
    return Breach(Reason.SETTLE, "DYO H1.5", what, "settle it before anything else is bought")


@dataclass(frozen=True, slots=True)
class Extra:
    """A further cost of a battery from the list that is lost (H1.53): points or per cent."""

    name: str
    bpv: int | None = None
    percent: int | None = None


@implements("DYO H1.53", "DYO H1.52")
def battery_cost(bpv: int | None, *, plentiful: bool = False, extras: tuple[Extra, ...] = ()) -> Reckoning | Unknown:
    """Return the BPV of a battery with its options; plentiful ammunition adds a fifth (FRU).

    Everything else of that list is lost: it costs what the catalogue or the players say.
    """
    rule = charts().oba.extras_lost
    if bpv is None:
        return Unknown("the BPV of the battery", "DYO H1.51")
    cost = Reckoning.of(bpv, "BPV", "DYO H1.51")
    if plentiful:
        fifth = Reckoning.of(bpv).times(charts().oba.plentiful, "").fru()
        cost = cost.plus(fifth.value, "plentiful ammunition", rule)
    for extra in extras:
        if extra.bpv is None and extra.percent is None:
            return Unknown(f"the BPV of {extra.name}", rule)
        share = Reckoning.of(bpv).times(Fraction(extra.percent or 0, 100), "").fru()
        cost = cost.plus((extra.bpv or 0) + share.value, extra.name, rule)
    return cost


class Contact(StrEnum):
    """How an Observer talks to the battery; the letter is that of the R/P:ID column."""

    RADIO = "radio"
    PHONE = "phone"
    OP_TANK = "op-tank"


@implements("DYO H1.51")
def contact_breach(contact: Contact, *, op_tank: bool) -> Breach | None:
    """Say whether radio or phone and OP tank don't go together: a battery has one of them."""
    if op_tank == (contact is Contact.OP_TANK):
        return None
    if op_tank:
        what = f"an OP tank and a {contact.value} for one battery"
        return Breach(Reason.BATTERY, "DYO H1.51", what, "the tank's radio takes its place")
    what = "a battery without radio, field phone or OP tank"
    return Breach(Reason.BATTERY, "DYO H1.51", what, "a radio comes with it, or a phone for it")


@implements("DYO H1.51")
def odds_oba(cells: Mapping[int, K]) -> Mapping[K, Fraction]:
    """Return the probability of each cell of a chart column (by DR), in the order of the DR."""
    thrown = distribution(Dice.DR)
    odds: dict[K, Fraction] = {}
    for dr in sorted(thrown.weights):
        odds[cells[dr]] = odds.get(cells[dr], Fraction(0)) + thrown.probability(dr)
    return odds


@implements("DYO H1.51")
def worst_case(costs: Mapping[int, int | None], drs: int) -> int | Unknown:
    """Return the points to set aside for all OBA DR: the dearest battery of the year for each.

    `costs` are the BPV by DR; None is a battery without a known price.
    """
    dearest = 0
    for dr, cost in sorted(costs.items()):
        if cost is None:
            return Unknown(f"the BPV of the battery of DR {dr}", "DYO H1.51")
        dearest = max(dearest, cost)
    return dearest * drs
