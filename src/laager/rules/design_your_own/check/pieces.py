"""Check of Guns and vehicles: RF within the DR, counters, prices, letters, OP tanks (H1.3, H1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoGun, DyoVehicle
from laager.rules.design_your_own.answers import Breach, Reason
from laager.rules.design_your_own.charts import OpTank
from laager.rules.design_your_own.check.desk import Desk, Thrown, check_dr, reckoned, twice
from laager.rules.design_your_own.lines.pieces import (
    LETTERS,
    id_letters,
    letter,
    plain,
    rf_limit,
    wanted,
    wanted_breaches,
)
from laager.rules.design_your_own.lines.vehicles import motorized_cost, op_tank_breaches
from laager.rules.design_your_own.ob import (
    INFANTRY,
    ORDNANCE,
    SAN,
    BatteryEntry,
    Dr,
    GunEntry,
    OrderOfBattle,
    VehicleEntry,
    Vehicles,
)
from laager.rules.design_your_own.steps.buying import counters_short
from laager.rules.design_your_own.steps.vehicles import known_op_tanks, tow_breaches

AVAILABILITY = Thrown(2, "DYO H1.3")

_SPAN = re.compile(r"([A-Z]+)(?:-([A-Z]+))?")


def gun_lines(desk: Desk, entries: Sequence[GunEntry]) -> tuple[GunEntry, ...]:
    """Return the Guns that the catalogue knows, with the prices of the rules."""
    kept, places = [], []
    for i, entry in enumerate(entries):
        where: Where = ("ordnance", "guns", i)
        gun = desk.look_up((*where, "type"), "DYO H1.3", desk.nation.gun, entry.type)
        if gun is None:
            continue
        kept.append(_priced(desk, where, entry, gun))
        places.append(i)
    desk.places["guns"] = tuple(places)
    return tuple(kept)


def _priced(desk: Desk, where: Where, entry: GunEntry, gun: DyoGun) -> GunEntry:
    if not isinstance(gun.bpv, int):
        return entry
    entry = desk.priced(where, entry, "each", gun.bpv, f"{gun.bpv} BPV", "DYO H1.3")
    total = gun.bpv * entry.number
    why = f"{entry.number} x {gun.bpv} = {total}"
    return desk.priced(where, entry, "total", total, why, "DYO H1.3")


def gun_rules(desk: Desk) -> None:
    """Note every rule that the ordnance breaks."""
    section = desk.ob.ordnance
    where: Where = ("ordnance", "availability")
    check_dr(desk, where, section.availability, AVAILABILITY)
    limit = limit_of(section.availability, motorized=False)
    numbers: dict[str, tuple[int, int]] = {}
    for i, entry in enumerate(section.guns):
        have, _ = numbers.get(entry.type, (0, i))
        numbers[entry.type] = (have + entry.number, i)
    for type_, (number, i) in numbers.items():
        piece = desk.nation.gun(type_)
        check_piece(desk, desk.at("guns", i), piece, number, limit, "DYO H1.3")
    _letters(desk)


def limit_of(dr: Dr | None, *, motorized: bool) -> Decimal | None:
    """Return the highest RF of an Availability DR; None if there was none."""
    return None if dr is None else rf_limit(dr.final, motorized=motorized)


@implements("DYO H1.3", "DYO H1.4", "DYO H1.11")
def check_piece(
    desk: Desk, where: Where, piece: DyoGun | DyoVehicle, number: int, limit: Decimal | None, rule: str
) -> None:
    """Note what the rules have against so many Guns or vehicles of a type."""
    if not isinstance(piece.bpv, int):
        desk.missing((*where, "type"), f"the BPV of {piece.type}", rule)
    if piece.rf.at(desk.month) is UNKNOWN:
        desk.missing((*where, "type"), f"the RF of {piece.type} in {desk.month}", rule)
    extra = desk.cg.terms.agreements.extra_pieces
    for breach in wanted_breaches([wanted(piece, desk.month, number)], limit, extra_pieces=extra, rule=rule):
        unpriced = breach.reason is Reason.UNKNOWN
        undated = breach.reason is Reason.DATE and piece.rf.at(desk.month) is UNKNOWN
        if not unpriced and not undated:
            desk.add(where, breach)


# Letters ----------------------------------------------------------------------------------------


def spelled(ids: str) -> list[str] | None:
    """Return the letters of `A`, `A-D` or `A, C-D`, None if it is nothing of the kind."""
    found: list[str] = []
    for part in (text.strip() for text in ids.split(",")):
        span = _SPAN.fullmatch(part)
        first = _place(span[1]) if span else None
        last = _place(span[2] or span[1]) if span else None
        if first is None or last is None or last < first:
            return None
        found += [letter(place) for place in range(first, last + 1)]
    return found


def _place(letters: str) -> int | None:
    if set(letters) != {letters[0]}:
        return None
    return LETTERS.index(letters[0]) + len(LETTERS) * (len(letters) - 1)


@implements("DYO H1.21")
def _letters(desk: Desk) -> None:
    """Note identity letters that are not as many as the Guns, or that two of them have."""
    taken: dict[str, list[str]] = {}
    for i, entry in enumerate(desk.ob.ordnance.guns):
        if not entry.ids:
            continue
        where = desk.at("guns", i, "ids")
        letters = spelled(entry.ids)
        if letters is None or len(letters) != entry.number:
            what = f"{entry.ids!r} for {entry.number} {entry.type}"
            right = f"{entry.number} letters, as {id_letters(0, entry.number)}"
            desk.broken(where, Reason.IDENTITY, "DYO H1.21", what, right)
            continue
        taken.setdefault(entry.type, []).extend(letters)
        again = twice(taken[entry.type])
        if again:
            what = f"two {entry.type} have the letter {', '.join(again)}"
            desk.broken(where, Reason.IDENTITY, "DYO H1.21", what, "a letter of its own for each")


RULE = "DYO H1.4"
OP = "DYO H1.46"


# Lines ------------------------------------------------------------------------------------------


def vehicle_lines(desk: Desk, section: Vehicles) -> Vehicles:
    """Return the vehicles that the catalogue knows, with the prices of the rules."""
    kept, places = [], []
    for i, entry in enumerate(section.entries):
        found = _line(desk, ("vehicles", "entries", i), entry)
        if found is not None:
            kept.append(found)
            places.append(i)
    desk.places["vehicles"] = tuple(places)
    return section.model_copy(update={"entries": tuple(kept)})


def _line(desk: Desk, where: Where, entry: VehicleEntry) -> VehicleEntry | None:
    if entry.op:
        return entry
    transport = {item.type: item for item in desk.nation.transport(desk.month)}
    if entry.type in transport:
        entry = entry.model_copy(update={"without_dr": True})
        bpv = transport[entry.type].bpv
        if not isinstance(bpv, int):
            desk.missing((*where, "type"), f"the BPV of {entry.type}", "DYO H1.44")
    else:
        found = desk.look_up((*where, "type"), RULE, desk.nation.vehicle, entry.type)
        if found is None:
            return None
        bpv = found.bpv
    if isinstance(bpv, int):
        entry = desk.priced(where, entry, "bpv", bpv, f"{bpv} BPV", RULE)
    return entry


@implements("DYO H1.4")
def motorized_line(desk: Desk, ob: OrderOfBattle) -> Vehicles:
    """Return the vehicles section with the price of a motorized unit, if it is one."""
    section = ob.vehicles
    if section.motorized is None:
        return section
    spent = ob.spent
    left = ob.allotment - spent[INFANTRY] - spent[SAN] - spent[ORDNANCE]
    cost = motorized_cost(ob.allotment, left, chosen=desk.cg.chosen)
    return desk.priced(("vehicles",), section, "motorized", cost.value, reckoned(cost), RULE)


# Rules ------------------------------------------------------------------------------------------


def vehicle_rules(desk: Desk) -> None:
    """Note every rule that the vehicles themselves break."""
    section = desk.ob.vehicles
    check_dr(desk, ("vehicles", "availability"), section.availability, AVAILABILITY)
    limit = limit_of(section.availability, motorized=section.motorized is not None)
    by_dr: dict[str, list[int]] = {}
    free: dict[str, list[int]] = {}
    for i, entry in enumerate(section.entries):
        if not entry.op:
            (free if entry.without_dr else by_dr).setdefault(entry.type, []).append(i)
    for type_, places in by_dr.items():
        where = desk.at("vehicles", places[-1])
        check_piece(desk, where, desk.nation.vehicle(type_), len(places), limit, RULE)
    _without_dr(desk, by_dr, free)
    _vehicle_letters(desk)
    for i, entry in enumerate(section.entries):
        if entry.op:
            _op_tank(desk, i, entry)


@implements("DYO H1.44", "DYO H1.441", "DYO H1.45")
def _without_dr(desk: Desk, by_dr: dict[str, list[int]], free: dict[str, list[int]]) -> None:
    """Note too many of what needs no DR, and tows bought in spite of their RF without a Gun."""
    transport = {item.type: item for item in desk.nation.transport(desk.month)}
    for type_, places in free.items():
        piece = transport.get(type_) or desk.nation.vehicle(type_)
        number = len(places) + len(by_dr.get(type_, ()))
        short = counters_short(desk.cg, type_, 0, number, plain(piece.counters))
        desk.add(desk.at("vehicles", places[-1]), short)
    tows = [(type_, places) for type_, places in free.items() if type_ not in transport]
    rows = [{"type": type_, "number": len(places), "tow": True} for type_, places in tows]
    where = desk.at("vehicles", tows[-1][1][-1], "without_dr") if tows else ()
    desk.add(where, *tow_breaches(desk.cg, desk.side, rows))


@implements("DYO H1.21")
def _vehicle_letters(desk: Desk) -> None:
    """Note vehicles of a type with the same identity letter."""
    keys = [entry.key for entry in desk.ob.vehicles.entries]
    for key in twice(keys):
        place = len(keys) - 1 - keys[::-1].index(key)
        type_, _, letter = key.rpartition(":")
        what = f"two {type_} have the letter {letter or '(none)'}"
        where = desk.at("vehicles", place, "id")
        desk.broken(where, Reason.IDENTITY, "DYO H1.21", what, "a letter of its own for each")


# OP tanks ---------------------------------------------------------------------------------------


@implements("DYO H1.46")
def _op_tank(desk: Desk, place: int, entry: VehicleEntry) -> None:
    """Note what the rules have against an OP tank; of several that it can be, the best counts."""
    where = desk.at("vehicles", place)
    tanks = [tank for tank in known_op_tanks(desk.cg, desk.side) if (tank.counter or tank.name) == entry.type]
    if not tanks:
        names = ", ".join(one.counter or one.name for one in known_op_tanks(desk.cg, desk.side))
        what, right = f"{entry.type} is no OP tank of the nation", names or "there is none"
        desk.broken((*where, "type"), Reason.NATION, OP, what, right)
        return
    battery = next((one for one in desk.ob.batteries if one.letter == entry.op), None)
    found = min((_breaches(desk, place, entry, tank, battery) for tank in tanks), key=len)
    desk.add(where, *found)
    if entry.arms or entry.fittings or entry.armor_leader:
        what = "an OP tank with armament, Schuerzen, Gyrostabilizer or Armor Leader"
        desk.broken(where, Reason.CAPABILITY, OP, what, "none of them")


def _breaches(desk: Desk, place: int, entry: VehicleEntry, tank: OpTank, battery: BatteryEntry | None) -> list[Breach]:
    before = desk.ob.vehicles.entries[:place]
    found = list(
        op_tank_breaches(
            tank,
            group=desk.cg.group(desk.side),
            year=desk.month.year,
            motorized=desk.ob.vehicles.motorized is not None,
            battery=battery.text if battery else None,
            served=any(one.op == entry.op for one in before),
            theatre=desk.cg.terms.theatre,
        )
    )
    if tank.bpv is None:
        right = "enter it in a catalogue file"
        found.append(Breach(Reason.UNKNOWN, tank.rule, f"the BPV of {tank.name} is not known", right))
    elif entry.bpv != tank.bpv:
        found.append(Breach(Reason.PRICE, OP, f"bpv is {entry.bpv}", f"{tank.bpv} BPV"))
    held = sum(one.type == entry.type for one in desk.ob.vehicles.entries)
    listed = {one.type: one.counters for one in desk.nation.vehicles(desk.month)}
    short = counters_short(desk.cg, entry.type, 0, held, listed.get(entry.type))
    return [*found, *([short] if short else [])]
