"""OBA and Air Support: how many DR there are, prices, options, aircraft (H1.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from laager.campaign import implements
from laager.catalogue.dyo import ObaOption, Unknown
from laager.dice import Dice, distribution
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason
from laager.rules.design_your_own.charts import column
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.ob import BatteryEntry
from laager.rules.design_your_own.rulebook import Rulebook

K = TypeVar("K")


@implements("DYO H1.5", "DYO H1.14")
def oba_drs(rulebook: Rulebook, allotment: int) -> Calculation:
    """Return how many OBA DR a side has: one for each 600 points of its allotment or part of it (H1.5, H1.14).

    A side is one player, however many share it.
    """
    chart = rulebook.charts.oba
    points = Calculation.of(allotment, "points of the allotment", chart.rule)
    return points.over(chart.points_for_each, "", chart.rule).fru(chart.rule)


@dataclass(frozen=True, slots=True)
class Cost:
    """A further cost of a battery from the list that is lost (H1.53): points or per cent."""

    name: str
    bpv: int | None = None
    percent: int | None = None


@implements("DYO H1.53", "DYO H1.52")
def battery_cost(
    rulebook: Rulebook, bpv: int | None, *, plentiful: bool = False, extras: tuple[Cost, ...] = ()
) -> Calculation | Missing:
    """Return the BPV of a battery with its options; plentiful ammunition adds a fifth (FRU) (H1.53, H1.52).

    Everything else of that list is lost: it costs what the catalogue or the players say.
    """
    rule = rulebook.charts.oba.extras_lost
    if bpv is None:
        return Missing("the BPV of the battery", "DYO H1.51")
    cost = Calculation.of(bpv, "BPV", "DYO H1.51")
    if plentiful:
        fifth = Calculation.of(bpv).times(rulebook.charts.oba.plentiful, "").fru()
        cost = cost.plus(fifth.value, "plentiful ammunition", rule)
    for extra in extras:
        if extra.bpv is None and extra.percent is None:
            return Missing(f"the BPV of {extra.name}", rule)
        share = Calculation.of(bpv).times(Fraction(extra.percent or 0, 100), "").fru()
        cost = cost.plus((extra.bpv or 0) + share.value, extra.name, rule)
    return cost


class Contact(StrEnum):
    """How an Observer talks to the battery; the letter is that of the R/P:ID column."""

    RADIO = "radio"
    PHONE = "phone"
    OP_TANK = "op-tank"


@implements("DYO H1.51")
def contact_breach(contact: Contact, *, op_tank: bool) -> Breach | None:
    """Return what is wrong with the contact of a battery: it has a radio, a field phone or an OP tank (H1.51)."""
    if op_tank == (contact is Contact.OP_TANK):
        return None
    if op_tank:
        message = f"an OP tank and a {contact.value} for one battery"
        return Breach(Reason.BATTERY, "DYO H1.51", message, "the tank's radio takes its place")
    message = "a battery without radio, field phone or OP tank"
    return Breach(Reason.BATTERY, "DYO H1.51", message, "a radio comes with it, or a phone for it")


@implements("DYO H1.51")
def odds_oba(cells: Mapping[int, K]) -> Mapping[K, Fraction]:
    """Return the probability of each cell of a chart column (by DR), in the order of the DR (H1.51)."""
    thrown = distribution(Dice.DR)
    odds: dict[K, Fraction] = {}
    for dr in sorted(thrown.weights):
        odds[cells[dr]] = odds.get(cells[dr], Fraction(0)) + thrown.probability(dr)
    return odds


CHART = "DYO H1.531-T"
STUKA, FIGHTER_BOMBER = "Stuka", "Fighter-Bomber"
_MINORS = (Group.AXIS_MINOR, Group.FINNISH)


@implements("DYO H1.531-n@", "DYO H1.531-n**", "DYO H1.531-n†")
def air_row(group: Group) -> Group:
    """Return the row of the chart that a group uses (H1.531-n@)."""
    rows = {
        Group.FREE_FRENCH: Group.BRITISH,
        Group.ALLIED_MINOR: Group.FRENCH,
        Group.AXIS_MINOR: Group.GERMAN,
        Group.FINNISH: Group.GERMAN,
    }
    return rows.get(group, group)


@implements("DYO H1.531-T", "DYO H1.531-n*", "DYO H1.531-n†", "DYO H1.531-n^")
def air_number(rulebook: Rulebook, group: Group | None, year: int, enemy: Group | None = None) -> Calculation | None:
    """Return the Air Support Number; None where there is a dash, and for the Red Chinese (H1.531-T)."""
    chart = rulebook.charts.air
    if group is None:
        return None
    row = air_row(group)
    cell = chart.cell(row, year)
    if cell is None:
        return None
    number = Calculation.of(cell.number, f"{row.words} {year}", CHART)
    minor = group in _MINORS
    raised = not minor or rulebook.reading("minors-against-russians") == "raised"
    if cell.note == "*" and enemy is Group.RUSSIAN and raised:
        number = number.plus(chart.against_russians, "against Russians", "DYO H1.531-n*")
    return number.plus(chart.axis_minor, "Axis Minor", "DYO H1.531-n†") if minor else number


@implements("DYO H1.531")
def air_price(rulebook: Rulebook, year: int) -> int | None:
    """Return the points for Air Support; None for a year that has no price (H1.531)."""
    chart = rulebook.charts.air
    if year < chart.first_priced_year:
        before = rulebook.reading("air-price-before-1939")
        return None if before == "none" else int(before)
    place = column(chart.prices, year)
    return None if place is None else chart.prices[place].points


@implements("DYO H1.531", "DYO H1.531-n^")
def air_breaches(
    rulebook: Rulebook,
    group: Group,
    year: int,
    number: Calculation | None,
    *,
    final_dr: int | None = None,
    weather: str = "",
) -> tuple[Breach, ...]:
    """Return why a side can't have Air Support (H1.531).

    `number` is the side's Air Support Number, `final_dr` the Availability DR, None before it; `weather` must
    be known first.
    """
    breaches = []
    if group is Group.RED_CHINESE:
        breaches.append(Breach(Reason.NATION, "DYO H1.531-n^", "Red Chinese have none", "leave it out"))
    elif number is None or air_price(rulebook, year) is None:
        breaches.append(Breach(Reason.DATE, CHART, f"{group.words} have no Air Support in {year}", "leave it out"))
    elif final_dr is not None and final_dr > number.amount:
        message = f"the Availability DR is {final_dr}"
        breaches.append(Breach(Reason.RARITY, "DYO H1.531", message, f"{number.why} or less"))
    if not weather:
        breaches.append(Breach(Reason.ORDER, "DYO H1.531", "the Weather is not known", "determine it first"))
    return tuple(breaches)


@implements("DYO H1.531-T")
def odds_air(number: Calculation | None) -> Mapping[bool, Fraction]:
    """Return the probability that the DR allows Air Support, and that it does not (H1.531-T)."""
    if number is None:
        return {True: Fraction(0), False: Fraction(1)}
    chance = distribution(Dice.DR).at_most(number.value)
    return {True: chance, False: 1 - chance}


# In play ----------------------------------------------------------------------------------------


@implements("DYO H1.531-T", "DYO H1.531-nExp")
def bomb_exponent(
    rulebook: Rulebook, group: Group | None, year: int, supplied: int | None = None
) -> int | Missing | None:
    """Return the highest dr for bombs; None without Air Support, Missing where it is lost (H1.531-T)."""
    if supplied is not None:
        return supplied
    if group is None:
        return None
    cell = rulebook.charts.air.cell(air_row(group), year)
    if cell is None:
        return None
    if cell.exponent is None:
        return Missing(f"the bomb exponent of the {group.words} in {year}", CHART, 0)
    return cell.exponent


@dataclass(frozen=True, slots=True)
class Aircraft:
    """What comes: Stukas or Fighter-Bombers, with bombs or without."""

    kind: str
    bombs: bool


@implements("DYO H1.531-nExp", "DYO H1.531-n†", "DYO H1.531-n††")
def aircraft(rulebook: Rulebook, group: Group, year: int, dr: int, exponent: int) -> Aircraft:
    """Return what the dr for bombs brings (H1.531-nExp)."""
    chart = rulebook.charts.air
    bombs = dr <= exponent
    stuka = False
    if group is Group.GERMAN:
        stuka = year <= chart.stuka_until and dr < exponent
    elif group is Group.ITALIAN or group in _MINORS:
        rule = chart.minor_stuka
        stuka = rule.from_ <= year <= rule.to and dr <= rule.dr
    return Aircraft(STUKA if stuka else FIGHTER_BOMBER, bombs)


@implements("DYO H1.531-n^", "DYO H1.532")
def observation_plane_breaches(rulebook: Rulebook, group: Group, year: int, oba_mm: int) -> tuple[Breach, ...]:
    """Return why a nation can't have an Observation Plane for a battery of this calibre (H1.532)."""
    limit = rulebook.charts.air.observation_plane
    breaches = []
    if group is limit.group:
        rule = "DYO H1.531-n^"
        if not limit.from_ <= year <= limit.to:
            message = f"an Observation Plane in {year}"
            breaches.append(Breach(Reason.DATE, rule, message, f"{limit.from_} to {limit.to}"))
        if oba_mm < limit.least_mm:
            message = f"an Observation Plane for {oba_mm}mm OBA"
            breaches.append(Breach(Reason.BATTERY, rule, message, f"{limit.least_mm}mm or more"))
    if group is Group.RED_CHINESE:
        breaches.append(Breach(Reason.NATION, "DYO H1.531-n^", "Red Chinese have no Air Support", "leave it out"))
    return tuple(breaches)


@implements("DYO H1.51")
def oba_size(size: str, kind: str) -> str:
    """Return the Size column of a battery: `80+M`, R for rockets, nothing added for guns (H1.51)."""
    return f"{size}{kind}" if kind in ("M", "R") else size


@implements("DYO H1.51")
def contact_mark(contact: Contact, letter_: str) -> str:
    """Return the R/P:ID column: `R:A` for a radio, `P:B` for a field phone, `OP` for a tank (H1.51)."""
    if contact is Contact.OP_TANK:
        return "OP"
    return f"{'R' if contact is Contact.RADIO else 'P'}:{letter_}"


@implements("DYO H1.53")
def ammunition_mark(*, plentiful: bool) -> str:
    """Return the P/S column: `P` for plentiful ammunition (H1.53)."""
    return "P" if plentiful else ""


# OBA and Air Support of an order of battle ------------------------------------------------------


AMMUNITION = ("plentiful", "scarce")
PLANE = "observation plane"
NO_EXTRAS = (*AMMUNITION, "field phone")
"""Options of the catalogue that have a place of their own in the form."""


@implements("DYO H1.53", "DYO H1.532")
def options(cg: Cg, side: str) -> Mapping[str, ObaOption]:
    """Return the further costs of OBA at the date whose price is known, by name (DYO H1.53).

    An Observation Plane is one of them if the catalogue has a price for it (DYO H1.532).
    """
    known = [
        option
        for option in cg.nation(side).oba_options(cg.month)
        if isinstance(option.bpv, int) or isinstance(option.percent, int)
    ]
    plane = cg.nation(side).line.observation_plane.at(cg.month)
    if isinstance(plane, int):
        known.append(ObaOption(type=PLANE, bpv=plane, limit=1))
    return {option.type: option for option in known}


def _costs(option: ObaOption, number: int) -> tuple[Cost, ...]:
    """Return an option of the catalogue, taken `number` times, as costs of the rules."""
    points = option.bpv if isinstance(option.bpv, int) else None
    percent = option.percent if isinstance(option.percent, int) and points is None else None
    return (Cost(option.type, points, percent),) * number


def price(rulebook: Rulebook, option: ObaOption, bpv: int, number: int) -> int:
    """Return what an option adds to a battery."""
    cost = battery_cost(rulebook, bpv, extras=_costs(option, number))
    assert isinstance(cost, Calculation)
    return cost.value - bpv


@implements("DYO H1.51", "DYO H1.53")
def battery_line(cg: Cg, side: str, entry: BatteryEntry) -> tuple[BatteryEntry, Calculation]:
    """Return a battery with the prices of its options and of it all, and how that came about (H1.51, H1.53)."""
    known = options(cg, side)
    costs = _costs(known["scarce"], 1) if entry.ammunition == "scarce" else ()
    costs += tuple(cost for extra in entry.extras for cost in _costs(known[extra.name], extra.number))
    whole = battery_cost(cg.rulebook, entry.bpv, plentiful=entry.ammunition == "plentiful", extras=costs)
    assert isinstance(whole, Calculation)
    extras = tuple(
        extra.model_copy(update={"cost": price(cg.rulebook, known[extra.name], entry.bpv, extra.number)})
        for extra in entry.extras
    )
    return entry.model_copy(update={"extras": extras, "total": whole.value}), whole


@implements("DYO H1.53", "DYO H1.532")
def battery_breaches(cg: Cg, side: str, batteries: Iterable[BatteryEntry]) -> Iterator[tuple[int, Breach]]:
    """Yield what the rules have against the options of bought batteries, each with its place (H1.53, H1.532)."""
    known = options(cg, side)
    every: Counter[str] = Counter()
    for i, entry in enumerate(batteries):
        own: Counter[str] = Counter()
        for extra in entry.extras if entry.bought else ():
            own[extra.name] += extra.number
        every += own
        for name in own:
            option = known.get(name)
            number = every[name] if option and option.per == "side" else own[name]
            if option and isinstance(option.limit, int) and number > option.limit:
                right = f"{option.limit} at most per {option.per}"
                yield i, Breach(Reason.LIMIT, "DYO H1.53", f"{number} x {name}", right)
        if PLANE in own:
            digits = entry.size.rstrip("+")
            calibre = int(digits) if digits.isdecimal() else 0
            for breach in observation_plane_breaches(cg.rulebook, cg.group(side), cg.month.year, calibre):
                yield i, breach


@implements("DYO H1.531")
def barred_from_air(cg: Cg, side: str, final_dr: int | None = None) -> tuple[Breach, ...]:
    """Return why a side can't have Air Support; a nation with a number of its own needs no row (H1.531)."""
    return air_breaches(
        cg.rulebook, cg.group(side), cg.month.year, number_of(cg, side), final_dr=final_dr, weather=cg.state.weather
    )


def number_of(cg: Cg, side: str) -> Calculation | None:
    """Return a side's Air Support Number: the catalogue's if it has one, else the chart's."""
    own = cg.nation(side).line.air_number.at(cg.month)
    if isinstance(own, int):
        return Calculation.of(own, "by the catalogue", "DYO H1.531-T")
    return air_number(cg.rulebook, cg.row(side, "air_row"), cg.month.year, cg.enemy(side))


def exponent(cg: Cg, side: str) -> int | None:
    """Return the bomb exponent, None where the chart has lost it."""
    own = cg.nation(side).line.air_exponent.at(cg.month)
    supplied = None if isinstance(own, Unknown) else own
    bombs = bomb_exponent(cg.rulebook, cg.row(side, "air_row"), cg.month.year, supplied)
    return bombs if isinstance(bombs, int) else None
