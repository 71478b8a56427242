"""Check of OBA and Air Support: what each DR gave, prices, options, contact (H1.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, Battery
from laager.rules.design_your_own.air import air_price, observation_plane_breaches
from laager.rules.design_your_own.artillery import Contact, contact_breach, oba_drs
from laager.rules.design_your_own.categories import reroll_breach
from laager.rules.design_your_own.check_desk import Desk, Thrown, check_dr, reckoned, twice
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry
from laager.rules.design_your_own.reckoning import Breach, Reason
from laager.rules.design_your_own.recording import letter
from laager.rules.design_your_own.steps import air, oba

RULE, CHART, OPTIONS, AIR = "DYO H1.5", "DYO H1.51", "DYO H1.53", "DYO H1.531"


# Lines ------------------------------------------------------------------------------------------


def battery_lines(desk: Desk, entries: Sequence[BatteryEntry]) -> tuple[BatteryEntry, ...]:
    """Return the batteries with the prices of the rules, as far as they are known."""
    found: list[BatteryEntry] = []
    for i, entry in enumerate(entries):
        if not entry.bought:
            found.append(entry)
            continue
        before = sum(one.bought for one in found)
        found.append(_lettered(_priced(desk, ("oba", i), entry), before))
    return tuple(found)


def _lettered(entry: BatteryEntry, place: int) -> BatteryEntry:
    return entry if entry.letter else entry.model_copy(update={"letter": letter(place)})


@implements("DYO H1.51", "DYO H1.53")
def _priced(desk: Desk, where: Where, entry: BatteryEntry) -> BatteryEntry:
    cell = _cell(desk, entry)
    if isinstance(cell, Battery) and isinstance(cell.bpv, int) and cell.text == entry.text:
        right = f"{cell.bpv} by the OBA Availability Chart"
        entry = desk.priced(where, entry, "bpv", cell.bpv, right, CHART)
    known = oba.options(desk.cg, desk.side)
    extras = []
    for i, extra in enumerate(entry.extras):
        here = (*where, "extras", i)
        if extra.name not in known or extra.name in oba.NO_EXTRAS:
            names = ", ".join(name for name in known if name not in oba.NO_EXTRAS)
            right = f"{names or 'none is in the catalogue'}; enter others there"
            what = f"{extra.name!r} is no further cost of OBA"
            desk.broken((*here, "name"), Reason.CAPABILITY, OPTIONS, what, right)
            continue
        cost = oba.price(known[extra.name], entry.bpv, extra.number)
        extras.append(desk.priced(here, extra, "cost", cost, f"{cost} BPV", OPTIONS))
    ammunition = entry.ammunition
    if ammunition == "scarce" and "scarce" not in known:
        desk.missing((*where, "ammunition"), "the price of scarce ammunition", OPTIONS)
        return entry
    rows = [{"name": extra.name, "number": extra.number} for extra in extras]
    answer = {"ammunition": ammunition, "extras": rows}
    total = oba.total(desk.cg, desk.side, entry.bpv, answer)
    return desk.priced(where, entry, "total", total.value, reckoned(total), OPTIONS)


def _cell(desk: Desk, entry: BatteryEntry) -> object:
    cells = desk.nation.oba_chart(desk.month).cells
    return cells.get(entry.dr.final)


@implements("DYO H1.531")
def air_line(desk: Desk, entry: AirEntry | None) -> AirEntry | None:
    """Return Air Support with the price of the rules."""
    if entry is None or not entry.bought:
        return entry
    price = air_price(desk.month.year, chosen=desk.cg.chosen)
    if price is None:
        return entry
    return desk.priced(("air",), entry, "cost", price, f"{price} in {desk.month.year}", AIR)


# Rules ------------------------------------------------------------------------------------------


def oba_rules(desk: Desk) -> None:
    """Note every rule that OBA breaks."""
    entitled = oba_drs(desk.ob.allotment)
    over = len(desk.ob.oba) - entitled.value
    if over > 0:
        breach = reroll_breach("OBA DR", len(desk.ob.oba), entitled.value, RULE)
        assert breach is not None
        right = f"{entitled.why}; delete {over}"
        desk.add(("oba",), Breach(breach.reason, RULE, f"{len(desk.ob.oba)} OBA DR", right))
    for i, entry in enumerate(desk.ob.oba):
        where: Where = ("oba", i)
        if check_dr(desk, (*where, "dr"), entry.dr, Thrown(2, RULE)):
            _offered(desk, where, entry)
        if entry.bought:
            _bought(desk, where, entry)
        else:
            _declined(desk, where, entry)
    for name in twice(entry.letter for entry in desk.ob.batteries):
        what = f"two batteries have the letter {name}"
        desk.broken(("oba",), Reason.IDENTITY, RULE, what, "a letter of its own for each")
    _limits(desk)


@implements("DYO H1.51")
def _offered(desk: Desk, where: Where, entry: BatteryEntry) -> None:
    """Note a battery other than the one that its DR offers."""
    cell = _cell(desk, entry)
    year, final = desk.month.year, entry.dr.final
    if cell is UNKNOWN or (isinstance(cell, Battery) and cell.bpv is UNKNOWN):
        if entry.size:
            desk.missing(where, f"the battery of a DR of {final} in {year}", CHART)
        return
    if not entry.size and not entry.bought:
        return
    offered = cell.text if isinstance(cell, Battery) else "no battery"
    if entry.text != offered:
        what = f"{entry.text or 'no'} OBA by a DR of {final} in {year}"
        desk.broken((*where, "size"), Reason.BATTERY, CHART, what, offered)


@implements("DYO H1.13")
def _declined(desk: Desk, where: Where, entry: BatteryEntry) -> None:
    """Note a battery that was declined and still costs points or has a letter."""
    for name in ("total", "letter", "extras", "ammunition"):
        if getattr(entry, name):
            what = f"a battery that was not bought has {name}"
            right = "write bought: true, or leave it out"
            desk.broken((*where, name), Reason.RECORDED, "DYO H1.13", what, right)


@implements("DYO H1.51", "DYO H1.46")
def _bought(desk: Desk, where: Where, entry: BatteryEntry) -> None:
    op = any(tank.op == entry.letter for tank in desk.ob.vehicles.entries)
    contact = Contact(entry.contact) if entry.contact else None
    if contact is not None:
        desk.add((*where, "contact"), contact_breach(contact, op_tank=op))
    elif op:
        what, right = "a battery with an OP tank", "contact: op-tank"
        desk.broken((*where, "contact"), Reason.BATTERY, CHART, what, right)
    for i, extra in enumerate(entry.extras):
        if extra.name == oba.PLANE:
            digits = entry.size.rstrip("+")
            mm = int(digits) if digits.isdecimal() else 0
            breaches = observation_plane_breaches(desk.cg.group(desk.side), desk.month.year, mm)
            desk.add((*where, "extras", i), *breaches)


@implements("DYO H1.53")
def _limits(desk: Desk) -> None:
    """Note options taken more often than the catalogue allows, per battery or per side."""
    known = oba.options(desk.cg, desk.side)
    side: Counter[str] = Counter()
    for i, entry in enumerate(desk.ob.oba):
        own: Counter[str] = Counter()
        for extra in entry.extras if entry.bought else ():
            own[extra.name] += extra.number
        side += own
        for name, number in own.items():
            limit = known[name].limit if name in known else None
            counted = side[name] if name in known and known[name].per == "side" else number
            if isinstance(limit, int) and counted > limit:
                right = f"{limit} at most per {known[name].per}"
                what = f"{counted} x {name}"
                desk.broken(("oba", i, "extras"), Reason.LIMIT, OPTIONS, what, right)


@implements("DYO H1.531")
def air_rules(desk: Desk) -> None:
    """Note every rule that Air Support breaks."""
    entry = desk.ob.air
    if entry is None:
        return
    if not entry.bought and entry.cost:
        what, right = ("Air Support that was not bought has a cost", "write bought: true, or leave it out")
        desk.broken(("air", "cost"), Reason.RECORDED, "DYO H1.13", what, right)
    number = air.number_of(desk.cg, desk.side)
    usable = check_dr(desk, ("air", "dr"), entry.dr, Thrown(2, AIR))
    for breach in air.barred_from_air(desk.cg, desk.side):
        desk.add(("air",), breach)
    if number is None:
        return
    if entry.number != number.value:
        what, right = f"number is {entry.number}", reckoned(number)
        desk.broken(("air", "number"), Reason.PRICE, "DYO H1.531-T", what, right)
    if usable and entry.bought and entry.dr.final > number.value:
        what, right = f"the Availability DR is {entry.dr.final}", f"{number.why} or less"
        desk.broken(("air", "dr"), Reason.RARITY, AIR, what, right)
    exponent = air.exponent(desk.cg, desk.side)
    if entry.exponent is not None and exponent is not None and entry.exponent != exponent:
        what, right = f"exponent is {entry.exponent}", str(exponent)
        desk.broken(("air", "exponent"), Reason.PRICE, "DYO H1.531-T", what, right)
