"""Check of Infantry and bonus squads (H1.2, H1.71, H1.73)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoMmc
from laager.rules.design_your_own.answers import Breach, Calculation, Reason
from laager.rules.design_your_own.check.desk import Desk, reckoned, twice, within
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.bonus import (
    BonusOffer,
    announced_elr,
    bonus_breaches,
    bonus_number,
    squads_by_elr,
)
from laager.rules.design_your_own.lines.infantry import (
    Capability,
    each_of,
    held,
    line_breaches,
    not_for_sale,
    reckonable,
    rule_line,
    side_wide_breaches,
)
from laager.rules.design_your_own.lines.support import reinforcement_breach
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.steps.bonus import bonus_of, bonus_offer, entries_of, half_of, side_elr, squads_words
from laager.rules.design_your_own.steps.buying import counters_short
from laager.rules.design_your_own.steps.infantry import group_breaches, reinforcements_due
from laager.rules.design_your_own.terms import other

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


HALF = Fraction(1, 2)
HIGHEST_ELR = 5


def bonus_words(text: str) -> Fraction | None:
    """Return a bonus number as the chart prints it (5, 2½, ½), None if it is no such number."""
    whole, half = text.removesuffix("½"), text.endswith("½")
    if not whole.isdecimal() and not (half and not whole):
        return None
    return int(whole or 0) + (HALF if half else Fraction(0))


@implements("DYO H1.71")
def bonus_rules(desk: Desk) -> None:
    """Note a bonus number that no ELR gives, and bonus squads beyond it or of other types."""
    text = desk.ob.bonus
    number = bonus_words(text) if text else Fraction(0)
    possible = _possible(desk)
    if number is None:
        what = f"{text!r} is no bonus number"
        desk.broken(("bonus",), Reason.BONUS, "DYO H1.71", what, "squads, as 5 or 2½")
        return
    if possible is None:
        what, right = "the ELR that the side announces is not known", "write announced_elr"
        desk.add(("bonus",), Breach(Reason.UNKNOWN, "DYO H1.71", what, right))
    elif number not in [one.amount for one in possible]:
        what = f"a bonus of {squads_words(number)} squads"
        right = " or ".join(dict.fromkeys(squads_words(one.amount) for one in possible))
        if len(possible) == 1:
            right = possible[0].why
        desk.broken(("bonus",), Reason.BONUS, "DYO H1.71", what, right)
    _squads(desk, Calculation.of(number, "bonus squads", "DYO H1.71"))


def _possible(desk: Desk) -> list[Calculation] | None:
    """Return the bonus numbers that a side can have; None if its own ELR is not known.

    One alone if the other side's order of battle is known.
    """
    own = desk.ob.announced_elr
    if own is None:
        return None if desk.ob.bonus else [Calculation.of(0)]
    if desk.facing and desk.cg.ob(other(desk.side)).announced_elr is not None:
        return [bonus_of(desk.cg, desk.side)]
    mpv = desk.ob.mpv("first") + desk.ob.mpv("second")
    return [bonus_number(own, enemy, mpv, 1) for enemy in range(own, HIGHEST_ELR + 1)]


@implements("DYO H1.73")
def _squads(desk: Desk, number: Calculation) -> None:
    rows = [(i, one) for i, one in enumerate(desk.ob.infantry) if one.purchase == "bonus"]
    if not rows:
        return
    # As it was before any bonus squad was picked.
    bought = tuple(one for one in desk.ob.infantry if one.purchase != "bonus")
    before = desk.cg.seeing(desk.cg.state.with_ob(desk.side, infantry=bought))
    offer = bonus_offer(before, desk.side, number)
    where = desk.at("infantry", rows[0][0])
    if offer is None:
        what, right = "bonus squads without a bonus", "leave them out"
        desk.broken(where, Reason.BONUS, "DYO H1.73", what, right)
        return
    picked: dict[str, Fraction] = {}
    for i, entry in rows:
        type_, squads = _as_squads(desk, before, offer, entry)
        picked[type_] = picked.get(type_, Fraction(0)) + squads
        if type_ in offer.types:
            _plain(desk, i, entry, entries_of(before, desk.side, type_, squads))
    desk.add(where, *bonus_breaches(offer, picked))


def _as_squads(desk: Desk, before: Cg, offer: BonusOffer, entry: InfantryEntry) -> tuple[str, Fraction]:
    """Return the squad type that a bonus line is of, and how many squads; a half-squad is half."""
    if entry.kind != "half-squad":
        return entry.type, Fraction(entry.number)
    every = (*offer.types, *(one.type for one in desk.nation.squads(desk.month)))
    squad = next((one for one in every if half_of(before, desk.side, one) == entry.type), None)
    return squad or entry.type, entry.number * HALF


def _plain(desk: Desk, i: int, entry: InfantryEntry, due: Sequence[InfantryEntry]) -> None:
    """Note capabilities that a bonus line has not free, or lacks though all of its side have it."""
    right = next((one for one in due if one.type == entry.type), None)
    if right is not None and entry.capabilities != right.capabilities:
        what = f"{entry.type} as bonus with {', '.join(entry.capabilities) or 'no capability'}"
        has = ", ".join(right.capabilities) or "no capability"
        desk.broken(
            desk.at("infantry", i, "capabilities"),
            Reason.CAPABILITY,
            "DYO H1.73",
            what,
            f"{has}, as everybody of the side",
        )
