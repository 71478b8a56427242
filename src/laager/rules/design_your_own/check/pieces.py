"""Check of Guns and vehicles: RF within the DR, counters, prices, letters, OP tanks (H1.3, H1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from laager.base.files import Where
from laager.campaign import implements
from laager.rules.design_your_own.answers import Breach, Reason
from laager.rules.design_your_own.charts import OpTankRow
from laager.rules.design_your_own.check.review import Review, Thrown, check_dr, explain, same_letter, twice
from laager.rules.design_your_own.lines import pieces, vehicles
from laager.rules.design_your_own.ob import BatteryEntry, GunEntry, OrderOfBattle, VehicleEntry, Vehicles

AVAILABILITY = Thrown(2, "DYO H1.3", table=pieces.TABLE)

_SPAN = re.compile(r"([A-Z]+)(?:-([A-Z]+))?")


def gun_lines(review: Review, entries: Sequence[GunEntry]) -> tuple[GunEntry, ...]:
    """Return the Guns that the catalogue knows, with the prices of the rules."""
    return review.keep_known("guns", entries, partial(_gun_line, review))


def _gun_line(review: Review, where: Where, entry: GunEntry) -> GunEntry | None:
    gun = review.look_up((*where, "type"), "DYO H1.3", review.nation.gun, entry.type)
    if gun is None:
        return None
    line = pieces.gun_line(gun, entry)
    total = f"{entry.number} x {line.each} = {line.total}"
    return review.with_prices(where, entry, line, "DYO H1.3", each=f"{line.each} BPV", total=total)


def gun_rules(review: Review) -> None:
    """Note every rule that the ordnance breaks."""
    section = review.ob.ordnance
    where: Where = ("ordnance", "availability")
    check_dr(review, where, section.availability, AVAILABILITY)
    limit = pieces.limit_of(review.cg.rulebook, section.availability)
    numbers: dict[str, tuple[int, int]] = {}
    for i, entry in enumerate(section.guns):
        have, _ = numbers.get(entry.type, (0, i))
        numbers[entry.type] = (have + entry.number, i)
    for type_, (number, i) in numbers.items():
        for breach in pieces.piece_breaches(review.cg, review.nation.gun(type_), number, limit):
            review.add(review.at("guns", i, *_field(breach)), breach)
    _letters(review)


def _field(breach: Breach) -> tuple[str, ...]:
    """Return the field of a piece that a breach is about: a missing value is one of its type."""
    return ("type",) if breach.reason is Reason.UNKNOWN else ()


# Letters ----------------------------------------------------------------------------------------


def parse_letters(ids: str) -> list[str] | None:
    """Return the letters of `A`, `A-D` or `A, C-D`, None if it is nothing of the kind."""
    letters: list[str] = []
    for part in (text.strip() for text in ids.split(",")):
        span = _SPAN.fullmatch(part)
        first = _place(span[1]) if span else None
        last = _place(span[2] or span[1]) if span else None
        if first is None or last is None or last < first:
            return None
        letters += [pieces.letter(place) for place in range(first, last + 1)]
    return letters


def _place(letters: str) -> int | None:
    if set(letters) != {letters[0]}:
        return None
    return pieces.LETTERS.index(letters[0]) + len(pieces.LETTERS) * (len(letters) - 1)


@implements("DYO H1.21")
def _letters(review: Review) -> None:
    """Note identity letters that are not as many as the Guns, or that two of them have."""
    taken: dict[str, list[str]] = {}
    for i, entry in enumerate(review.ob.ordnance.guns):
        if not entry.ids:
            continue
        where = review.at("guns", i, "ids")
        letters = parse_letters(entry.ids)
        if letters is None or len(letters) != entry.number:
            message = f"{entry.ids!r} for {entry.number} {entry.type}"
            right = f"{entry.number} letters, as {pieces.id_letters(0, entry.number)}"
            review.broken(where, Reason.IDENTITY, "DYO H1.21", message, right)
            continue
        taken.setdefault(entry.type, []).extend(letters)
        again = twice(taken[entry.type])
        if again:
            same_letter(review, where, entry.type, ", ".join(again))


RULE = "DYO H1.4"
OP = "DYO H1.46"


# Lines ------------------------------------------------------------------------------------------


def vehicle_lines(review: Review, section: Vehicles) -> Vehicles:
    """Return the vehicles that the catalogue knows, with the prices of the rules."""
    return section.model_copy(
        update={"entries": review.keep_known("vehicles", section.entries, partial(_line, review))}
    )


def _line(review: Review, where: Where, entry: VehicleEntry) -> VehicleEntry | None:
    if entry.op:
        return entry
    transport = {item.type: item for item in review.nation.transport(review.month)}
    if entry.type in transport:
        entry = entry.model_copy(update={"without_dr": True})
        bpv = transport[entry.type].bpv
        if not isinstance(bpv, int):
            review.missing((*where, "type"), f"the BPV of {entry.type}", "DYO H1.44")
    else:
        vehicle = review.look_up((*where, "type"), RULE, review.nation.vehicle, entry.type)
        if vehicle is None:
            return None
        bpv = vehicle.bpv
    if isinstance(bpv, int):
        entry = review.with_prices(where, entry, entry.model_copy(update={"bpv": bpv}), RULE, bpv=f"{bpv} BPV")
    return entry


@implements("DYO H1.4")
def motorized_line(review: Review, ob: OrderOfBattle) -> Vehicles:
    """Return the vehicles section with the price of a motorized unit, if it is one (H1.4)."""
    section = ob.vehicles
    if section.motorized is None:
        return section
    cost = vehicles.motorized_price(review.cg.with_state(review.cg.state.having(ob)), review.side)
    line = section.model_copy(update={"motorized": cost.value})
    return review.with_prices(("vehicles",), section, line, RULE, motorized=explain(cost))


# Rules ------------------------------------------------------------------------------------------


def vehicle_rules(review: Review) -> None:
    """Note every rule that the vehicles themselves break."""
    section = review.ob.vehicles
    check_dr(review, ("vehicles", "availability"), section.availability, AVAILABILITY)
    limit = pieces.limit_of(review.cg.rulebook, section.availability, motorized=section.motorized is not None)
    for place, breach in vehicles.vehicle_breaches(review.cg, review.side, section.entries, limit):
        field = ("without_dr",) if breach.rule == "DYO H1.441" else _field(breach)
        review.add(review.at("vehicles", place, *field), breach)
    _vehicle_letters(review)
    for i, entry in enumerate(section.entries):
        if entry.op:
            _op_tank(review, i, entry)


@implements("DYO H1.21")
def _vehicle_letters(review: Review) -> None:
    """Note vehicles of a type with the same identity letter."""
    keys = [entry.key for entry in review.ob.vehicles.entries]
    for key in twice(keys):
        place = len(keys) - 1 - keys[::-1].index(key)
        type_, _, letter = key.rpartition(":")
        same_letter(review, review.at("vehicles", place, "id"), type_, letter or "(none)")


# OP tanks ---------------------------------------------------------------------------------------


@implements("DYO H1.46")
def _op_tank(review: Review, place: int, entry: VehicleEntry) -> None:
    """Note what the rules have against an OP tank; of several that it can be, the best counts."""
    where = review.at("vehicles", place)
    known = vehicles.known_op_tanks(review.cg, review.side)
    tanks = [tank for tank in known if (tank.counter or tank.name) == entry.type]
    if not tanks:
        names = ", ".join(tank.counter or tank.name for tank in known)
        message, right = f"{entry.type} is not an OP tank of the nation", names or "there is none"
        review.broken((*where, "type"), Reason.NATION, OP, message, right)
        return
    battery = next((battery for battery in review.ob.batteries if battery.letter == entry.op), None)
    review.add(where, *min((_breaches(review, place, entry, tank, battery) for tank in tanks), key=len))
    if entry.arms or entry.fittings or entry.armor_leader:
        message = "an OP tank with armament, Schuerzen, Gyrostabilizer or Armor Leader"
        review.broken(where, Reason.CAPABILITY, OP, message, "none of them")


def _breaches(
    review: Review, place: int, entry: VehicleEntry, tank: OpTankRow, battery: BatteryEntry | None
) -> list[Breach]:
    every = review.ob.vehicles.entries
    number = sum(each.type == entry.type for each in every)
    served = any(each.op == entry.op for each in every[:place])
    breaches = vehicles.op_tank_problems(review.cg, review.side, tank, battery, number, served=served)
    if tank.bpv is not None and entry.bpv != tank.bpv:
        breaches.append(Breach(Reason.PRICE, OP, f"bpv is {entry.bpv}", f"{tank.bpv} BPV"))
    return breaches
