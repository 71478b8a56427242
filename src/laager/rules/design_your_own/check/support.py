"""Check of OBA, Air Support, Fortifications, SAN, and of the points in all (H1.5, H1.6, H1.29, H1.13)."""

from __future__ import annotations

from collections.abc import Sequence

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, Battery
from laager.rules.design_your_own.answers import Reason
from laager.rules.design_your_own.check.review import Review, Thrown, check_dr, explain, same_letter, twice
from laager.rules.design_your_own.lines import oba, pieces, works
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, OrderOfBattle, WorkEntry
from laager.rules.design_your_own.sheets.offers import TITLES
from laager.rules.design_your_own.terms import other_side

RULE, CHART, OPTIONS, AIR = "DYO H1.5", "DYO H1.51", "DYO H1.53", "DYO H1.531"


# Lines ------------------------------------------------------------------------------------------


def battery_lines(review: Review, entries: Sequence[BatteryEntry]) -> tuple[BatteryEntry, ...]:
    """Return the batteries with the prices of the rules, as far as they are known."""
    lines: list[BatteryEntry] = []
    for i, entry in enumerate(entries):
        line = _with_prices(review, ("oba", i), entry) if entry.bought else entry
        if line.bought and not line.letter:
            line = line.model_copy(update={"letter": pieces.letter(sum(battery.bought for battery in lines))})
        lines.append(line)
    return tuple(lines)


@implements("DYO H1.51", "DYO H1.53")
def _with_prices(review: Review, where: Where, entry: BatteryEntry) -> BatteryEntry:
    cell = _cell(review, entry)
    if isinstance(cell, Battery) and isinstance(cell.bpv, int) and cell.text == entry.text:
        line = entry.model_copy(update={"bpv": cell.bpv})
        entry = review.with_prices(where, entry, line, CHART, bpv=f"{cell.bpv} by the OBA Availability Chart")
    known = oba.options(review.cg, review.side)
    extras = []
    for i, extra in enumerate(entry.extras):
        if extra.name not in known or extra.name in oba.NO_EXTRAS:
            names = ", ".join(name for name in known if name not in oba.NO_EXTRAS)
            right = f"{names or 'none is in the catalogue'}; enter others there"
            message = f"{extra.name!r} is not a further cost of OBA"
            review.broken((*where, "extras", i, "name"), Reason.CAPABILITY, OPTIONS, message, right)
            continue
        priced_extra = extra.model_copy(
            update={"cost": oba.price(review.cg.rulebook, known[extra.name], entry.bpv, extra.number)}
        )
        extras.append(
            review.with_prices((*where, "extras", i), extra, priced_extra, OPTIONS, cost=f"{priced_extra.cost} BPV")
        )
    if entry.ammunition == "scarce" and "scarce" not in known:
        review.missing((*where, "ammunition"), "the price of scarce ammunition", OPTIONS)
        return entry
    line, total = oba.battery_line(review.cg, review.side, entry.model_copy(update={"extras": tuple(extras)}))
    return review.with_prices(where, entry, line, OPTIONS, total=explain(total))


def _cell(review: Review, entry: BatteryEntry) -> object:
    cells = review.nation.oba_chart(review.month).cells
    return cells.get(entry.dr.final)


@implements("DYO H1.531")
def air_line(review: Review, entry: AirEntry | None) -> AirEntry | None:
    """Return Air Support with the price of the rules (H1.531)."""
    if entry is None or not entry.bought:
        return entry
    cost = oba.air_price(review.cg.rulebook, review.month.year)
    if cost is None:
        return entry
    line = entry.model_copy(update={"cost": cost})
    return review.with_prices(("air",), entry, line, AIR, cost=f"{cost} in {review.month.year}")


# Rules ------------------------------------------------------------------------------------------


def oba_rules(review: Review) -> None:
    """Note every rule that OBA breaks."""
    entitled = oba.oba_drs(review.cg.rulebook, review.ob.allotment)
    over = len(review.ob.oba) - entitled.value
    if over > 0:
        right = f"{entitled.why}; delete {over}"
        review.broken(("oba",), Reason.ONE_ROLL, RULE, f"{len(review.ob.oba)} OBA DR", right)
    for i, entry in enumerate(review.ob.oba):
        where: Where = ("oba", i)
        if check_dr(review, (*where, "dr"), entry.dr, Thrown(2, RULE)):
            _check_offer(review, where, entry)
        if entry.bought:
            _check_contact(review, where, entry)
        else:
            _check_declined(review, where, entry)
    for name in twice(entry.letter for entry in review.ob.batteries):
        same_letter(review, ("oba",), "batteries", name, RULE)
    for i, breach in oba.battery_breaches(review.cg, review.side, review.ob.oba):
        review.add(("oba", i, "extras"), breach)


@implements("DYO H1.51")
def _check_offer(review: Review, where: Where, entry: BatteryEntry) -> None:
    """Note a battery other than the one that its DR offers."""
    cell = _cell(review, entry)
    year, final = review.month.year, entry.dr.final
    if cell is UNKNOWN or (isinstance(cell, Battery) and cell.bpv is UNKNOWN):
        if entry.size:
            review.missing(where, f"the battery of a DR of {final} in {year}", CHART)
        return
    if not entry.size and not entry.bought:
        return
    offered = cell.text if isinstance(cell, Battery) else "no battery"
    if entry.text != offered:
        message = f"{entry.text or 'no'} OBA by a DR of {final} in {year}"
        review.broken((*where, "size"), Reason.BATTERY, CHART, message, offered)


@implements("DYO H1.13")
def _check_declined(review: Review, where: Where, entry: BatteryEntry) -> None:
    """Note a battery that was declined and still costs points or has a letter."""
    for name in ("total", "letter", "extras", "ammunition"):
        if getattr(entry, name):
            message = f"a battery that was not bought has {name}"
            right = "write bought: true, or leave it out"
            review.broken((*where, name), Reason.RECORDED, "DYO H1.13", message, right)


@implements("DYO H1.51", "DYO H1.46")
def _check_contact(review: Review, where: Where, entry: BatteryEntry) -> None:
    op = any(tank.op == entry.letter for tank in review.ob.vehicles.entries)
    contact = oba.Contact(entry.contact) if entry.contact else None
    if contact is not None:
        review.add((*where, "contact"), oba.contact_breach(contact, op_tank=op))
    elif op:
        message, right = "a battery with an OP tank", "contact: op-tank"
        review.broken((*where, "contact"), Reason.BATTERY, CHART, message, right)


@implements("DYO H1.531")
def air_rules(review: Review) -> None:
    """Note every rule that Air Support breaks (H1.531)."""
    entry = review.ob.air
    if entry is None:
        return
    if not entry.bought and entry.cost:
        message, right = ("Air Support that was not bought has a cost", "write bought: true, or leave it out")
        review.broken(("air", "cost"), Reason.RECORDED, "DYO H1.13", message, right)
    number = oba.number_of(review.cg, review.side)
    usable = check_dr(review, ("air", "dr"), entry.dr, Thrown(2, AIR))
    final = entry.dr.final if usable and entry.bought else None
    for breach in oba.barred_from_air(review.cg, review.side, final):
        review.add(("air", "dr") if breach.reason is Reason.RARITY else ("air",), breach)
    if number is None:
        return
    if entry.number != number.value:
        message, right = f"number is {entry.number}", explain(number)
        review.broken(("air", "number"), Reason.PRICE, "DYO H1.531-T", message, right)
    bombs = oba.exponent(review.cg, review.side)
    if entry.exponent is not None and bombs is not None and entry.exponent != bombs:
        message, right = f"exponent is {entry.exponent}", str(bombs)
        review.broken(("air", "exponent"), Reason.PRICE, "DYO H1.531-T", message, right)


WORKS = "DYO H1.6"


def san_line(review: Review, ob: OrderOfBattle) -> OrderOfBattle:
    """Return an order of battle with the price of its SAN."""
    cost = works.san_cost(review.cg.rulebook, max(ob.san, review.cg.charts.san.base))
    line = ob.model_copy(update={"san_cost": cost.value})
    return review.with_prices((), ob, line, "DYO H1.29", san_cost=explain(cost))


@implements("DYO H1.29")
def san_rules(review: Review) -> None:
    """Note a SAN that a side can't buy (H1.29)."""
    review.add(("san",), works.san_breach(review.cg.rulebook, review.ob.san))


# Fortifications ---------------------------------------------------------------------------------


def work_lines(review: Review, entries: Sequence[WorkEntry]) -> tuple[WorkEntry, ...]:
    """Return the Fortifications that there are, with the prices of the rules."""
    known = {}
    for i, entry in enumerate(entries):
        where: Where = ("fortifications", i)
        row = review.look_up((*where, "type"), WORKS, review.cg.charts.fortifications.row, entry.type)
        if row is not None:
            known[i] = entry
    totals = works.work_totals(
        review.cg.rulebook, [works.work_of(entry) for entry in known.values()], review.month.year
    )
    kept = []
    for (i, entry), due in zip(known.items(), totals, strict=True):
        cost = works.works_cost(review.cg.rulebook, [works.work_of(entry)], review.month.year)
        why = explain(cost)
        if due != cost.value:
            why = f"{due}: half points are rounded up once for all"
        rule = review.cg.charts.fortifications.row(entry.type).rule
        line = entry.model_copy(update={"total": due})
        kept.append(review.with_prices(("fortifications", i), entry, line, rule, total=why))
    review.places["fortifications"] = tuple(known)
    return tuple(kept)


def work_rules(review: Review) -> None:
    """Note every rule that the Fortifications break."""
    own = [works.work_of(entry) for entry in review.ob.fortifications]
    enemy = review.cg.ob(other_side(review.side)).fortifications
    for place, breach in works.fortification_breaches(review.cg, review.side, own, enemy=enemy):
        review.add(("fortifications",) if place is None else review.at("fortifications", place), breach)


# Points -----------------------------------------------------------------------------------------


@implements("DYO H1.13")
def points_rules(review: Review) -> None:
    """Note the first section that costs more points than were left for it (H1.13)."""
    left = review.ob.allotment
    for section, spent in review.ob.spent.items():
        breach = pieces.points_breach(spent, left, TITLES[section])
        if breach is not None:
            where = "infantry" if section == "second-infantry" else section
            review.add((where,), breach)
            return
        left -= spent
