"""Check of Infantry: lines, prices, capabilities, counters, reinforcements, ELR (H1.2)."""

from __future__ import annotations

from collections.abc import Sequence

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoMmc
from laager.rules.design_your_own.check_desk import Desk, reckoned, twice, within
from laager.rules.design_your_own.elr import announced_elr, squads_by_elr
from laager.rules.design_your_own.infantry import Capability, each_of, line_breaches, not_for_sale, side_wide_breaches
from laager.rules.design_your_own.lines import held, reckonable, rule_line
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.reckoning import Reason
from laager.rules.design_your_own.reinforcements import reinforcement_breach
from laager.rules.design_your_own.steps.announcing import side_elr
from laager.rules.design_your_own.steps.buying import counters_short
from laager.rules.design_your_own.steps.reinforcing import group_breaches, reinforcements_due

# Lines ------------------------------------------------------------------------------------------


def infantry_lines(desk: Desk, entries: Sequence[InfantryEntry]) -> tuple[InfantryEntry, ...]:
    """Return the lines that the catalogue knows, with the prices of the rules."""
    kept, places = [], []
    for i, entry in enumerate(entries):
        line = _line(desk, ("infantry", i), entry)
        if line is not None:
            kept.append(line)
            places.append(i)
    desk.places["infantry"] = tuple(places)
    return tuple(kept)


@implements("DYO H1.2", "DYO H1.21", "DYO H1.211")
def _line(desk: Desk, where: Where, entry: InfantryEntry) -> InfantryEntry | None:
    sale = not_for_sale(entry.type)
    if sale:
        desk.add((*where, "type"), sale)
        return None
    mmc = desk.look_up((*where, "type"), "DYO H1.2", desk.nation.mmc, entry.type)
    if mmc is None:
        return None
    _dated(desk, (*where, "type"), mmc)
    if mmc.grade is UNKNOWN:
        desk.missing((*where, "type"), f"the class of {mmc.type}", "DYO H1.21")
        return None
    if entry.kind != mmc.kind:
        what = f"{mmc.type} is no {entry.kind}"
        desk.broken((*where, "kind"), Reason.NATION, "DYO H1.21", what, mmc.kind)
    marks = _marks(desk, (*where, "capabilities"), entry)
    entry = entry.model_copy(update={"kind": mmc.kind, "capabilities": marks})
    return _with_price(desk, where, entry, mmc)


def _dated(desk: Desk, where: Where, mmc: DyoMmc) -> None:
    there = mmc.dates.at(desk.month)
    if there is UNKNOWN:
        desk.missing(where, f"whether there are {mmc.type} in {desk.month}", "DYO H1.2")
    elif not there:
        what = f"there are no {mmc.type} in {desk.month}"
        desk.broken(where, Reason.DATE, "DYO H1.2", what, "leave it out")


def _marks(desk: Desk, where: Where, entry: InfantryEntry) -> tuple[str, ...]:
    """Return the capabilities that there are, in the order of the Roster's marks."""
    known = [mark.value for mark in Capability]
    within(desk, where, entry.capabilities, known)
    for name in twice(entry.capabilities):
        desk.broken(where, Reason.CAPABILITY, "DYO H1.21", f"{name} is named twice", "name it once")
    return tuple(name for name in known if name in entry.capabilities)


def _with_price(desk: Desk, where: Where, entry: InfantryEntry, mmc: DyoMmc) -> InfantryEntry:
    if entry.purchase == "bonus":
        right = "0: bonus squads are free"
        entry = desk.priced(where, entry, "each", 0, right, "DYO H1.73")
        return desk.priced(where, entry, "total", 0, right, "DYO H1.73")
    if not reckonable(mmc, desk.month):
        desk.missing((*where, "type"), f"the price of {mmc.type}", "DYO H1.211")
        return entry
    each = each_of(rule_line(desk.nation, desk.month, entry), desk.cg.chosen)
    entry = desk.priced(where, entry, "each", each.value, reckoned(each), "DYO H1.211")
    total = each.value * entry.number
    why = f"{entry.number} x {each.value} = {total}"
    return desk.priced(where, entry, "total", total, why, "DYO H1.211")


# Rules ------------------------------------------------------------------------------------------


def infantry_rules(desk: Desk) -> None:
    """Note every rule that the Infantry breaks."""
    for i, line in enumerate(desk.lines):
        for breach in line_breaches(line, desk.cg.chosen):
            name = "type" if breach.reason is Reason.NOT_FOR_SALE else "capabilities"
            desk.add(desk.at("infantry", i, name), breach)
    desk.add(("infantry",), *side_wide_breaches(desk.lines))
    _counted(desk)
    _reinforcements(desk)
    _announced(desk)


@implements("DYO H1.11")
def _counted(desk: Desk) -> None:
    """Note what one game has too few counters of; lines of a type share one pool."""
    free = desk.cg.reading("free-pieces") == "free"
    counted = [entry for entry in desk.ob.infantry if not (free and entry.purchase == "bonus")]
    # The half-squad of a bonus has no limit of its own.
    counted = [one for one in counted if one.purchase != "bonus" or one.kind == "squad"]
    for type_, number in held(counted).items():
        counters = desk.nation.mmc(type_).counters
        last = max(i for i, entry in enumerate(desk.ob.infantry) if entry.type == type_)
        where = desk.at("infantry", last, "number")
        desk.add(where, counters_short(desk.cg, type_, 0, number, counters))


@implements("DYO H1.7")
def _reinforcements(desk: Desk) -> None:
    """Note reinforcements that are too few, too many, or no squads.

    Half of the second purchase is the least; a scenario may have others enter later too (H1.84).
    """
    squads = named = 0
    for i, entry in enumerate(desk.ob.infantry):
        where = desk.at("infantry", i, "reinforcements")
        second = entry.purchase == "second" and entry.kind == "squad"
        if entry.reinforcements and entry.kind != "squad":
            what = f"{entry.reinforcements} reinforcements that are not squads"
            right = "squads only; what they need comes with them"
            desk.broken(where, Reason.REINFORCEMENTS, "DYO H1.7", what, right)
        elif entry.reinforcements > entry.number:
            what = f"{entry.reinforcements} of {entry.number} {entry.type}"
            right = f"{entry.number} at most"
            desk.broken(where, Reason.REINFORCEMENTS, "DYO H1.7", what, right)
        fixed = sum(one.number for one in entry.arrivals)
        if fixed > entry.reinforcements:
            what = f"turns are named for {fixed} of {entry.reinforcements} reinforcements"
            right = "no more than the reinforcements of the line"
            where = desk.at("infantry", i, "arrivals")
            desk.broken(where, Reason.REINFORCEMENTS, "DYO H1.84", what, right)
        squads += entry.number * second
        named += entry.reinforcements * second
    least = reinforcements_due(desk.cg, desk.side)
    desk.add(("infantry",), reinforcement_breach(least, named, max(squads, named)))
    groups = desk.cg.terms.side(desk.side).reinforcements
    before = [entry for entry in desk.ob.infantry if entry.purchase != "bonus"]
    desk.add(("infantry",), *group_breaches(groups, before))


@implements("DYO H1.71", "DYO H1.72", "DYO H1.27")
def _announced(desk: Desk) -> None:
    """Note an ELR that is not that of most squads."""
    told = desk.ob.announced_elr
    if told is None:
        return
    capabilities = desk.nation.capabilities(desk.month)
    if capabilities.partisan:
        if not isinstance(capabilities.announced_elr, int):
            desk.missing(("announced_elr",), "the ELR that Partisans announce", "DYO H1.27")
        elif told != capabilities.announced_elr:
            what, right = f"Partisans announce {told}", str(capabilities.announced_elr)
            desk.broken(("announced_elr",), Reason.BONUS, "DYO H1.27", what, right)
        return
    own = side_elr(desk.cg, desk.side)
    found = announced_elr(squads_by_elr(desk.lines, own))
    if told != (found.elr if found else own):
        right = found.why if found else f"{own}, that of the nation"
        what = f"ELR {told} is announced"
        desk.broken(("announced_elr",), Reason.BONUS, "DYO H1.71", what, right)
