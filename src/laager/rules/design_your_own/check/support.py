"""Check of OBA, Air Support, Fortifications, SAN, and of the points in all (H1.5, H1.6, H1.29, H1.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, Battery
from laager.rules.design_your_own.answers import Breach, Reason
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.check.desk import Desk, Thrown, check_dr, reckoned, twice
from laager.rules.design_your_own.lines.oba import (
    Contact,
    air_price,
    contact_breach,
    oba_drs,
    observation_plane_breaches,
)
from laager.rules.design_your_own.lines.pieces import letter, points_breach, reroll_breach
from laager.rules.design_your_own.lines.works import (
    Work,
    kind_breaches,
    san_breach,
    san_cost,
    size_breaches,
    work_totals,
    works_breaches,
    works_cost,
)
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, OrderOfBattle, WorkEntry
from laager.rules.design_your_own.sheets.offers import TITLES
from laager.rules.design_your_own.steps import oba
from laager.rules.design_your_own.terms import other

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
    number = oba.number_of(desk.cg, desk.side)
    usable = check_dr(desk, ("air", "dr"), entry.dr, Thrown(2, AIR))
    for breach in oba.barred_from_air(desk.cg, desk.side):
        desk.add(("air",), breach)
    if number is None:
        return
    if entry.number != number.value:
        what, right = f"number is {entry.number}", reckoned(number)
        desk.broken(("air", "number"), Reason.PRICE, "DYO H1.531-T", what, right)
    if usable and entry.bought and entry.dr.final > number.value:
        what, right = f"the Availability DR is {entry.dr.final}", f"{number.why} or less"
        desk.broken(("air", "dr"), Reason.RARITY, AIR, what, right)
    exponent = oba.exponent(desk.cg, desk.side)
    if entry.exponent is not None and exponent is not None and entry.exponent != exponent:
        what, right = f"exponent is {entry.exponent}", str(exponent)
        desk.broken(("air", "exponent"), Reason.PRICE, "DYO H1.531-T", what, right)


WORKS = "DYO H1.6"


def san_line(desk: Desk, ob: OrderOfBattle) -> OrderOfBattle:
    """Return an order of battle with the price of its SAN."""
    cost = san_cost(max(ob.san, charts().san.base))
    return desk.priced((), ob, "san_cost", cost.value, reckoned(cost), "DYO H1.29")


@implements("DYO H1.29")
def san_rules(desk: Desk) -> None:
    """Note a SAN that cannot be bought."""
    desk.add(("san",), san_breach(desk.ob.san, chosen=desk.cg.chosen))


# Fortifications ---------------------------------------------------------------------------------


def work_lines(desk: Desk, entries: Sequence[WorkEntry]) -> tuple[WorkEntry, ...]:
    """Return the Fortifications that there are, with the prices of the rules."""
    known = {}
    for i, entry in enumerate(entries):
        where: Where = ("fortifications", i)
        row = desk.look_up((*where, "type"), WORKS, charts().fortifications.row, entry.type)
        if row is not None:
            known[i] = entry
    totals = work_totals([work_of(entry) for entry in known.values()], desk.month.year)
    kept = []
    for (i, entry), due in zip(known.items(), totals, strict=True):
        cost = works_cost([work_of(entry)], desk.month.year)
        why = reckoned(cost)
        if due != cost.value:
            why = f"{due}: half points are rounded up once for all"
        rule = work_of(entry).row.rule
        kept.append(desk.priced(("fortifications", i), entry, "total", due, why, rule))
    desk.places["fortifications"] = tuple(known)
    return tuple(kept)


def work_of(entry: WorkEntry) -> Work:
    """Return a line of the Roster as the rules reckon it."""
    return Work(entry.type, entry.number, entry.capacity, entry.ca_drm, entry.nca_drm)


@implements("DYO H1.6", "DYO H1.6-n7")
def work_rules(desk: Desk) -> None:
    """Note every rule that the Fortifications break: line by line, then the limits."""
    cg, side, year = desk.cg, desk.side, desk.month.year
    works = [work_of(entry) for entry in desk.ob.fortifications]
    alone = []
    for i, work in enumerate(works):
        own = [*kind_breaches(work.row, cg.group(side), cg.enemy(side), year), *size_breaches(work)]
        desk.add(desk.at("fortifications", i), *own)
        alone += own
    enemy: dict[str, int] = {}
    for entry in cg.ob(other(side)).fortifications:
        enemy[entry.type] = enemy.get(entry.type, 0) + entry.number
    together = works_breaches(
        works,
        group=cg.group(side),
        enemy=cg.enemy(side),
        year=year,
        boards=cg.limit_boards,
        squads=_squads(desk),
        enemy_works=enemy,
        chosen=cg.chosen,
    )
    for breach in together:
        if breach not in alone:
            desk.add(("fortifications",), breach)


def _squads(desk: Desk) -> Fraction:
    """Return the squads of both purchases: those bought later count in the owner's favour."""
    return sum((line.squads for line in desk.lines if line.bought), Fraction(0))


# Points -----------------------------------------------------------------------------------------


@implements("DYO H1.13")
def points_rules(desk: Desk) -> None:
    """Note the first section that costs more points than were left for it."""
    left = desk.ob.allotment
    for section, spent in desk.ob.spent.items():
        breach = points_breach(spent, left, TITLES[section])
        if breach is not None:
            where = "infantry" if section == "second-infantry" else section
            desk.add((where,), breach)
            return
        left -= spent
