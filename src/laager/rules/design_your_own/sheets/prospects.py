"""What a roll can bring: every result with its exact odds, and what you can pay for then.

Each table is made by asking the rule of the roll for every Final DR; nothing is computed separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial

from laager.campaign import Sheet
from laager.catalogue.dyo import Battery
from laager.dice import Dice, distribution
from laager.rules.design_your_own.answers import Calculation, format_count
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import fittings, leaders, oba, pieces, vehicles
from laager.rules.design_your_own.ob import OBA, ORDNANCE, VEHICLES, Leaders, VehicleEntry
from laager.rules.design_your_own.sheets import columns_of


@dataclass(frozen=True)
class Affordable:
    """A piece within reach of a roll: its BPV, and how many you could buy at most."""

    type: str
    bpv: int
    most: int


@dataclass(frozen=True)
class RollOutcome:
    """One result of a roll: the sums of the dice that bring it, its chance, what it is.

    `afford` says what can be paid for; `pieces` lists it where that is a choice of Guns or
    vehicles.
    """

    rolls: tuple[int, ...]
    chance: Fraction
    result: str
    afford: str = ""
    pieces: tuple[Affordable, ...] = ()


@dataclass(frozen=True)
class Prospect:
    """A roll to come and all its outcomes, in the order of the dice; the chances sum to one."""

    key: str
    title: str
    dice: Dice
    outcomes: tuple[RollOutcome, ...]
    notes: tuple[str, ...] = ()

    def at(self, roll: int) -> RollOutcome:
        """Return what a sum of the dice brings."""
        return next(outcome for outcome in self.outcomes if roll in outcome.rolls)


Result = tuple[str, str, tuple[Affordable, ...]]
"""What a roll brings, what can be afforded then, and which pieces that are."""


def prospects(cg: Cg, side: str, key: str) -> tuple[Prospect, ...]:
    """Return the rolls that the answer to a question may bring about; none for other questions.

    The keys are those of the questions: `ordnance-dr`, `vehicles-dr`, `optional-armament`,
    `fittings`, `armor-leader-dr`, `oba-dr`, `air-support-dr`, `leader-exchange-dr`.
    """
    if key not in _MAKE:
        return ()
    make, category, clause = _MAKE[key]
    # What is closed stays closed (DYO H1.13).
    closed = category in cg.state.closed.get(side, ()) or not cg.house.is_applied(clause)
    return () if closed else tuple(make(cg, side))


def all_prospects(cg: Cg, side: str) -> tuple[Prospect, ...]:
    """Return every roll that a side can look forward to as things stand, in the order of rolls."""
    return tuple(prospect for key in _MAKE for prospect in prospects(cg, side, key))


def _prospect(key: str, title: str, result_of: Callable[[int], Result], dice: Dice = Dice.DR, *notes: str) -> Prospect:
    """Return a roll's outcomes; sums of the dice with the same result are one of them."""
    thrown = distribution(dice)
    rolls: dict[Result, list[int]] = {}
    for total in thrown.weights:
        rolls.setdefault(result_of(total), []).append(total)
    outcomes = tuple(
        RollOutcome(tuple(totals), _sum(thrown.probability(total) for total in totals), *result)
        for result, totals in rolls.items()
    )
    return Prospect(key, title, dice, outcomes, notes)


def _sum(chances: Iterable[Fraction]) -> Fraction:
    return sum(chances, Fraction(0))


# Guns and vehicles ------------------------------------------------------------------------------


def _ordnance(cg: Cg, side: str) -> Iterator[Prospect]:
    guns = cg.nation(side).guns(cg.month)
    if guns and cg.ob(side).ordnance.availability is None:
        reach = partial(_reach, cg, guns, cg.points_left(side), "DYO H1.3", False)
        yield _prospect("ordnance-dr", "Availability of Guns", reach)


def _vehicles(cg: Cg, side: str) -> Iterator[Prospect]:
    section = cg.ob(side).vehicles
    every = cg.nation(side).vehicles(cg.month)
    if not every or section.availability is not None:
        return
    cost = int(vehicles.motorized_price(cg, side))
    ways = {False: cg.points_left(side), True: cg.points_left(side) - cost}
    if section.motorized is not None:
        ways = {True: cg.points_left(side)}
    for motorized, points in ways.items():
        if points < 0:
            continue
        label = ", as a motorized unit" if motorized else ""
        reach = partial(_reach, cg, every, points, "DYO H1.4", motorized)
        yield _prospect("vehicles-dr", f"Availability of vehicles{label}", reach)


def _reach(cg: Cg, every: tuple[pieces.Piece, ...], points: int, rule: str, motorized: bool, roll: int) -> Result:
    """Return what an Availability DR puts within reach; of the rarest pieces how many."""
    limit = pieces.rf_limit(cg.rulebook, roll, motorized=motorized)
    choices, rarest = [], []
    for piece in every:
        choice = affordable(cg, piece, limit, points, rule)
        if choice is None:
            continue
        choices.append(choice)
        if piece.rf.at(cg.month) == limit:
            rarest.append(f"{choice.most} x {choice.type}")
    afford = format_count(len(choices), "type")
    if rarest:
        most = f"of RF {limit} up to {', '.join(rarest)}"
        afford += f"; {most}"
    return (f"RF {limit} or less", afford, tuple(choices))


def affordable(cg: Cg, piece: pieces.Piece, limit: Decimal, points: int, rule: str) -> Affordable | None:
    """Return how many of a piece could be bought at most; None if not even one."""
    if not pieces.has_price_and_rf(piece, cg.month):
        return None
    assert isinstance(piece.bpv, int)
    if piece.bpv > points or any(pieces.piece_breaches(cg, piece, 1, limit, rule)):
        return None
    most = points // piece.bpv
    counters = pieces.plain(piece.counters)
    if counters is not None and not cg.terms.agreements.extra_pieces:
        most = min(most, counters)
    return Affordable(piece.type, piece.bpv, most)


# What vehicles get ------------------------------------------------------------------------------


def _types(entries: Iterable[VehicleEntry]) -> Iterable[VehicleEntry]:
    """Return one vehicle of each type; the rolls of all the others are alike."""
    by_type: dict[str, VehicleEntry] = {}
    for entry in entries:
        by_type.setdefault(entry.type, entry)
    return by_type.values()


def _offer_result(cg: Cg, side: str, costs: Mapping[str, int]) -> Result:
    """Return what a roll offers for these costs, and what is too dear of it."""
    if not costs:
        return ("nothing", "", ())
    named = ", ".join(f"{name} for {cost}" for name, cost in costs.items())
    dear = [name for name, cost in costs.items() if cost > cg.points_left(side)]
    return (named, f"too dear: {', '.join(dear)}" if dear else "you can pay for each", ())


def _armament(cg: Cg, side: str) -> Iterator[Prospect]:
    without = (entry for entry in cg.ob(side).vehicles.entries if entry.arms_dr is None)
    for entry in _types(entry for entry in without if vehicles.weapons(cg, side, entry)):
        yield _prospect(
            "optional-armament", f"Optional armament of a {entry.type}", partial(_armament_result, cg, side, entry)
        )


def _armament_result(cg: Cg, side: str, entry: VehicleEntry, roll: int) -> Result:
    offer = vehicles.armament(cg.rulebook, roll, vehicles.weapons(cg, side, entry))
    return _offer_result(cg, side, vehicles.costs_of(offer.available))


def _fittings(cg: Cg, side: str) -> Iterator[Prospect]:
    if fittings.column_of(cg.month) is None:
        return
    without = (entry for entry in cg.ob(side).vehicles.entries if entry.fitting_dr is None)
    note = "without drm of D11.1, which the players know"
    for entry in _types(entry for entry in without if fittings.wreck_fittings(cg, side, entry)):
        title = f"Schuerzen or Gyrostabilizer of a {entry.type}"
        yield _prospect("fittings", title, partial(_fitting_result, cg, side, entry), Dice.dr, note)


def _fitting_result(cg: Cg, side: str, entry: VehicleEntry, roll: int) -> Result:
    drm = sum(each.value for each in fittings.modifiers(cg, side, entry, fittings.wreck_fittings(cg, side, entry), 0))
    results = fittings.fitting_results(cg, side, entry, roll + drm)
    return _offer_result(
        cg, side, {fitting.words: result.cost for fitting, result in results.items() if result.received}
    )


def _armor_leader(cg: Cg, side: str) -> Iterator[Prospect]:
    for of in cg.nations(side):
        yield from _armor_leader_of(cg, side, of)


def _armor_leader_of(cg: Cg, side: str, of: str) -> Iterator[Prospect]:
    row = cg.row(side, "armor_leader_row", of)
    drm = fittings.armor_leader_drm(cg.rulebook, row, cg.month.year, cg.terms.theatre)
    each = cg.charts.armor_leaders.afv_for_each
    own = [vehicle for vehicle in fittings.afvs_of(cg, side).values() if cg.nation(side).ally(vehicle.type) == of]
    free = len(own) - each * len(fittings.trios_of(cg, side, of))
    if drm is None or free < each:
        return

    def result_of(roll: int) -> Result:
        leader = fittings.armor_leader(cg.rulebook, roll + drm.value)
        if leader is None:
            return ("no Armor Leader", "", ())
        if not fittings.counters_left(cg, side, leader, of):
            return ("no Armor Leader", f"no counter of a {leader} is left", ())
        return (leader, "free", ())

    yield _prospect("armor-leader-dr", "Armor Leader of three AFV", result_of, Dice.DR, str(drm))


# OBA and Air Support ----------------------------------------------------------------------------


def _oba(cg: Cg, side: str) -> Iterator[Prospect]:
    chart, made = cg.nation(side).oba_chart(cg.month), len(cg.ob(side).oba)
    entitled = int(oba.oba_drs(cg.rulebook, cg.ob(side).allotment))
    if made < entitled:
        yield _prospect("oba-dr", f"OBA, DR {made + 1} of {entitled}, {chart.year}", partial(_battery, cg, side))


def _battery(cg: Cg, side: str, roll: int) -> Result:
    cell = cg.nation(side).oba_chart(cg.month).at(roll)
    if cell is None:
        return ("no battery", "", ())
    if not isinstance(cell, Battery) or not isinstance(cell.bpv, int):
        text = cell.text if isinstance(cell, Battery) else "unknown"
        return (text, "its BPV is asked for", ())
    left = cg.points_left(side) - cell.bpv
    if left < 0:
        return (f"{cell.text} for {cell.bpv}", f"{-left} points too dear", ())
    plenty = oba.battery_cost(cg.rulebook, cell.bpv, plentiful=True)
    afford = f"{left} points left then"
    if isinstance(plenty, Calculation) and plenty.value <= cg.points_left(side):
        ample = cg.points_left(side) - plenty.value
        afford = f"{left} points left then, {ample} with plentiful ammunition"
    return (f"{cell.text} for {cell.bpv}", afford, ())


def _air(cg: Cg, side: str) -> Iterator[Prospect]:
    number, price = oba.number_of(cg, side), oba.air_price(cg.rulebook, cg.month.year)
    barred = oba.barred_from_air(cg, side)
    if number is None or price is None or barred or cg.ob(side).air is not None:
        return
    left = cg.points_left(side) - price
    afford = f"{left} points left then" if left >= 0 else f"{-left} points too dear"

    def result_of(roll: int) -> Result:
        if roll > number.value:
            return ("no Air Support", "", ())
        return (f"Air Support for {price}", afford, ())

    yield _prospect("air-support-dr", "Air Support", result_of, Dice.DR, f"Air Support Number {number.why}")


# Leaders ----------------------------------------------------------------------------------------


def _exchange(cg: Cg, side: str) -> Iterator[Prospect]:
    led = {of: own for of in cg.nations(side) if (own := cg.ob(side).leaders_of(of))}
    if any(own.exchange is not None for own in led.values()):
        return
    for of, own in led.items():
        if own.total:
            yield from _exchange_of(cg, side, of, own)


def _exchange_of(cg: Cg, side: str, of: str, own: Leaders) -> Iterator[Prospect]:
    def result_of(roll: int) -> Result:
        exchange = leaders.exchange_of(cg, side, of, own, roll)
        if exchange.gained is None:
            return ("nothing", "", ())
        lost = exchange.lost or f"one of {', '.join(exchange.choices)}"
        return (f"{exchange.gained} in place of {lost}", "", ())

    yield _prospect("leader-exchange-dr", f"Leader Exchange, {of}" if of else "Leader Exchange", result_of)


Make = Callable[[Cg, str], Iterator[Prospect]]

_MAKE: Mapping[str, tuple[Make, str, str]] = {
    "ordnance-dr": (_ordnance, ORDNANCE, "DYO H1.3"),
    "vehicles-dr": (_vehicles, VEHICLES, "DYO H1.4"),
    "optional-armament": (_armament, VEHICLES, "DYO H1.41"),
    "fittings": (_fittings, VEHICLES, "DYO H1.42"),
    "armor-leader-dr": (_armor_leader, VEHICLES, "DYO H1.43"),
    "oba-dr": (_oba, OBA, "DYO H1.5"),
    "air-support-dr": (_air, OBA, "DYO H1.531"),
    "leader-exchange-dr": (_exchange, "", "DYO H1.82"),
}
"""What makes the prospects of a question, by its key, and the category and clause of the roll."""


# On paper ---------------------------------------------------------------------------------------


def sheet(prospect: Prospect, side: str = "") -> Sheet:
    """Return a roll's outcomes on paper."""
    columns = columns_of("DR" if prospect.dice is Dice.DR else "dr", "Chance>", "Brings", "Can be afforded")
    sides = distribution(prospect.dice).total
    rows = tuple(
        (_ranges(outcome.rolls), f"{outcome.chance * sides}/{sides}", outcome.result, outcome.afford)
        for outcome in prospect.outcomes
    )
    return Sheet("odds", prospect.title, columns, rows, prospect.notes, side=side)


def sheets(cg: Cg, side: str, key: str) -> tuple[Sheet, ...]:
    """Return what stands next to a question that leads to a roll."""
    return tuple(sheet(prospect, side) for prospect in prospects(cg, side, key))


def _ranges(rolls: tuple[int, ...]) -> str:
    """Return sums of dice as players write them: `2-4, 11`."""
    runs: list[list[int]] = []
    for roll in rolls:
        if runs and runs[-1][-1] == roll - 1:
            runs[-1].append(roll)
        else:
            runs.append([roll])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
