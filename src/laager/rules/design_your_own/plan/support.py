"""The rest of a planned purchase: dice to come, OBA, Air Support, Fortifications, SAN."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from laager.catalogue.dyo import Battery, Unknown
from laager.dice import Dice, distribution
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import oba, pieces, vehicles, works
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, Dr
from laager.rules.design_your_own.plan.choices import BatteryChoice, PurchasePlan
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.steps.works import entry_of, works_of

EVEN = Fraction(1, 2)

Cell = Battery | Unknown | None


@dataclass(frozen=True)
class Assumed:
    """A Final DR that a plan takes for a roll to come, and what is said about it."""

    final: int
    words: str


def availability_dr(rulebook: Rulebook, outlook: str) -> Assumed:
    """Return the Availability DR that a plan takes for Guns or vehicles."""
    reached, chance = Fraction(0), Fraction(0)
    limit = min(pieces.odds_rf(rulebook))
    for rf, ways in pieces.odds_rf(rulebook).items():
        reached += ways
        limit, chance = rf, reached
        if outlook == "expected" and reached >= EVEN:
            break
    final = _likeliest(dr for dr in distribution(Dice.DR).weights if pieces.rf_limit(rulebook, dr) == limit)
    return Assumed(final, f"DR {final}: RF {limit} or better has a chance of {format_chance(chance)}")


def oba_dr(cg: Cg, side: str, outlook: str) -> Assumed | None:
    """Return the OBA DR that a plan takes; None if the chart has gaps, or no battery at all."""
    cells = cg.nation(side).oba_chart(cg.month).cells
    odds = oba.odds_oba(cells)
    prices = {cell: price for cell in odds if (price := price_of(cell)) is not None}
    if len(prices) != len(odds) or not any(prices.values()):
        return None
    rising = sorted(prices, key=lambda cell: (prices[cell], text_of(cell)))
    chosen = rising[-1]
    if outlook == "expected":
        chosen = _even(rising, prices, odds)
    chance = sum((odds[cell] for cell in rising if prices[cell] <= prices[chosen]), Fraction(0))
    final = _likeliest(dr for dr, cell in cells.items() if cell == chosen)
    roll = f"DR {final}: {text_of(chosen)} OBA for {prices[chosen]}"
    return Assumed(final, f"{roll}; the chance of this, a cheaper one or none is {format_chance(chance)}")


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


def format_chance(chance: Fraction) -> str:
    """Return a chance as players count it: out of 36, or out of 6."""
    return f"{chance * 36}/36"


def _likeliest(drs: Iterable[int]) -> int:
    ways = distribution(Dice.DR).weights
    return min(drs, key=lambda dr: (-ways[dr], dr))


ANY_NUMBER = 10**6
SURE = 7
"""The Air Support DR that a plan takes where it is not known: the one in the middle."""


def add_oba(plan: PurchasePlan) -> None:
    """Add the batteries of the OBA DR, given or assumed; each can be declined."""
    wishes = plan.wishes
    if not wishes.oba and not wishes.dice.oba:
        return
    entitled = int(oba.oba_drs(plan.cg.rulebook, plan.points))
    if max(wishes.oba, len(wishes.dice.oba)) > entitled:
        plan.barred.append(f"{plan.points} points give {entitled} OBA DR")
    assumed = oba_dr(plan.cg, plan.side, wishes.outlook)
    missing = max(0, entitled - len(wishes.dice.oba)) if wishes.oba else 0
    finals = [*wishes.dice.oba, *([assumed.final] * missing if assumed else [])]
    if missing and assumed:
        plan.notes.append(f"OBA {assumed.words}")
    plan.batteries += [_battery(plan, final) for final in finals[:entitled]]
    for first, other in pairwise(plan.batteries[len(wishes.dice.oba) :]):
        # All alike: the first of them are bought.
        if first.variable is not None and other.variable is not None:
            plan.program.row({first.variable: 1, other.variable: -1}, least=0)
    bought = {battery.variable: 1 for battery in plan.batteries if battery.variable is not None}
    plan.program.row(bought, least=wishes.oba)
    if len(bought) < wishes.oba:
        plan.barred.append(f"the OBA DR give {len(bought)} batteries whose price is known")


def _battery(plan: PurchasePlan, final: int) -> BatteryChoice:
    cell = plan.cg.nation(plan.side).oba_chart(plan.cg.month).at(final)
    entry = BatteryEntry(dr=Dr(final=final))
    if not isinstance(cell, Battery) or not isinstance(cell.bpv, int):
        return BatteryChoice(entry)
    offered = {"size": cell.size, "sort": cell.letter, "bpv": cell.bpv}
    return BatteryChoice(entry.model_copy(update=offered), plan.buy(cell.bpv, 1))


def add_air(plan: PurchasePlan) -> AirEntry | None:
    """Pay for Air Support that is wished for, if its DR allows it."""
    if not plan.wishes.air:
        return None
    cg, side = plan.cg, plan.side
    final = plan.wishes.dice.air
    number, price = oba.number_of(cg, side), oba.air_price(plan.cg.rulebook, cg.month.year)
    barred = oba.barred_from_air(cg, side)
    plan.barred += [str(breach) for breach in barred]
    if number is None or price is None:
        plan.barred.append("there is no Air Support for this side at this date")
        return None
    if final is None:
        final = SURE if plan.wishes.outlook == "expected" else 12
        plan.notes.append(f"Air Support DR {final}; it is had by {number.value} or less")
    if final > number.value:
        chance = format_chance(oba.odds_air(number)[True])
        plan.barred.append(f"Air Support needs a DR of {number.value} or less ({chance}), not {final}")
    plan.fixed += price
    return AirEntry(dr=Dr(final=final), number=number.value, exponent=oba.exponent(cg, side), bought=True, cost=price)


def works_wished(plan: PurchasePlan) -> tuple[works.WorkLine, ...]:
    """Return the Fortifications that are wished for, equal ones put together."""
    return works_of([wish.model_dump() for wish in plan.wishes.fortifications])


def add_works(plan: PurchasePlan) -> tuple[works.WorkLine, ...]:
    """Pay for the Fortifications that are wished for, within their limits."""
    wished = works_wished(plan)
    cg = plan.cg
    barred = [str(breach) for _, breach in works.fortification_breaches(cg, plan.side, wished, squads=ANY_NUMBER)]
    plan.barred += barred
    if not barred:
        plan.fixed += sum(entry_of(cg.rulebook, work, cg.month.year).total for work in wished)
    _hip(plan, sum(work.number for work in wished if work.type == works.HIP_SQUAD))
    return wished


def _hip(plan: PurchasePlan, hidden: int) -> None:
    """Let no more squads hide than their share, fractions up (DYO H1.6-n7)."""
    if not hidden:
        return
    percent = plan.cg.charts.fortifications.hip_percent
    squads = {squad.variable: int(2 * squad.line.squads) * percent for squad in plan.squads}
    # FRU of the share is at least so much as soon as the share exceeds one less.
    plan.program.row(squads, least=200 * (hidden - 1) + 1)


def add_san(plan: PurchasePlan) -> int:
    """Pay for the SAN that is wished for; return its price."""
    wishes = plan.wishes
    breach = works.san_breach(plan.cg.rulebook, wishes.san)
    if breach:
        plan.barred.append(str(breach))
    cost = int(works.san_cost(plan.cg.rulebook, wishes.san))
    plan.fixed += cost
    return cost


def add_motorized(plan: PurchasePlan, san: int) -> int | None:
    """Pay for a motorized unit; return the variable of its price, if that depends on the rest."""
    if not plan.wishes.motorized:
        return None
    if plan.cg.reading("motorized-basis") != "remaining":
        plan.fixed += int(vehicles.motorized_cost(plan.cg.rulebook, plan.points))
        return None
    percent = plan.cg.charts.motorized.percent
    price = plan.program.variable(plan.points)
    before = [*(squad.variable for squad in plan.squads), *(gun.variable for gun in plan.guns)]
    spent = {variable: percent * plan.cost[variable] for variable in before}
    # A hundred times the price is the percentage of what is left then, rounded up.
    paid = 0 if plan.cg.reading("san-time") == "last" else san
    left = percent * (plan.points - paid)
    plan.program.row({price: 100, **spent}, least=left, most=left + 99)
    plan.cost[price] = 1
    return price
