"""Check of Infantry and bonus squads (H1.2, H1.71, H1.73)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoMmc
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason
from laager.rules.design_your_own.check.review import Review, explain, twice, within
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import bonus, infantry, support
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.terms import other_side

# Lines ------------------------------------------------------------------------------------------


def infantry_lines(review: Review, entries: Sequence[InfantryEntry]) -> tuple[InfantryEntry, ...]:
    """Return the lines that the catalogue knows, with the prices of the rules."""
    return review.keep_known("infantry", entries, partial(_line, review))


@implements("DYO H1.2", "DYO H1.21", "DYO H1.211")
def _line(review: Review, where: Where, entry: InfantryEntry) -> InfantryEntry | None:
    sale = infantry.not_for_sale(entry.type)
    if sale:
        review.add((*where, "type"), sale)
        return None
    mmc = review.look_up((*where, "type"), "DYO H1.2", review.nation.mmc, entry.type)
    if mmc is None:
        return None
    _check_date(review, (*where, "type"), mmc)
    if mmc.grade is UNKNOWN:
        review.missing((*where, "type"), f"the class of {mmc.type}", "DYO H1.21")
        return None
    if entry.kind != mmc.kind:
        review.broken((*where, "kind"), Reason.NATION, "DYO H1.21", f"{mmc.type} is not a {entry.kind}", mmc.kind)
    marks = _marks(review, (*where, "capabilities"), entry)
    entry = entry.model_copy(update={"kind": mmc.kind, "capabilities": marks})
    return _with_price(review, where, entry, mmc)


def _check_date(review: Review, where: Where, mmc: DyoMmc) -> None:
    there = mmc.dates.at(review.month)
    if there is UNKNOWN:
        review.missing(where, f"whether there are {mmc.type} in {review.month}", "DYO H1.2")
    elif not there:
        message = f"there are no {mmc.type} in {review.month}"
        review.broken(where, Reason.DATE, "DYO H1.2", message, "leave it out")


def _marks(review: Review, where: Where, entry: InfantryEntry) -> tuple[str, ...]:
    """Return the capabilities that there are, in the order of the Roster's marks."""
    known = [mark.value for mark in infantry.Capability]
    within(review, where, entry.capabilities, known)
    for name in twice(entry.capabilities):
        review.broken(where, Reason.CAPABILITY, "DYO H1.21", f"{name} is named twice", "name it once")
    return tuple(name for name in known if name in entry.capabilities)


def _with_price(review: Review, where: Where, entry: InfantryEntry, mmc: DyoMmc) -> InfantryEntry:
    if entry.purchase != "bonus" and not infantry.has_price(mmc, review.month):
        review.missing((*where, "type"), f"the price of {mmc.type}", "DYO H1.211")
        return entry
    line, each = infantry.priced_line(review.cg, review.side, entry)
    if entry.purchase == "bonus":
        right = "0: bonus squads are free"
        return review.with_prices(where, entry, line, "DYO H1.73", each=right, total=right)
    total = f"{entry.number} x {line.each} = {line.total}"
    return review.with_prices(where, entry, line, "DYO H1.211", each=explain(each), total=total)


# Rules ------------------------------------------------------------------------------------------


def infantry_rules(review: Review) -> None:
    """Note every rule that the Infantry breaks."""
    for place, name, breach in infantry.infantry_breaches(review.cg, review.side, review.ob.infantry):
        review.add(("infantry",) if place is None else review.at("infantry", place, name), breach)
    _reinforcements(review)
    _check_announced_elr(review)


@implements("DYO H1.7")
def _reinforcements(review: Review) -> None:
    """Note reinforcements that are too few, too many, or no squads.

    Half of the second purchase is the least; a scenario may have others enter later too (H1.84).
    """
    squads = named = 0
    for i, entry in enumerate(review.ob.infantry):
        where = review.at("infantry", i, "reinforcements")
        second = entry.purchase == "second" and entry.kind == "squad"
        if entry.reinforcements and entry.kind != "squad":
            message = f"{entry.reinforcements} reinforcements that are not squads"
            right = "squads only; what they need comes with them"
            review.broken(where, Reason.REINFORCEMENTS, "DYO H1.7", message, right)
        elif entry.reinforcements > entry.number:
            message = f"{entry.reinforcements} of {entry.number} {entry.type}"
            right = f"{entry.number} at most"
            review.broken(where, Reason.REINFORCEMENTS, "DYO H1.7", message, right)
        fixed = sum(arrival.number for arrival in entry.arrivals)
        if fixed > entry.reinforcements:
            message = f"turns are named for {fixed} of {entry.reinforcements} reinforcements"
            right = "no more than the reinforcements of the line"
            where = review.at("infantry", i, "arrivals")
            review.broken(where, Reason.REINFORCEMENTS, "DYO H1.84", message, right)
        squads += entry.number * second
        named += entry.reinforcements * second
    least = support.reinforcements_due(review.cg, review.side)
    review.add(("infantry",), support.reinforcement_breach(least, named, max(squads, named)))
    groups = review.cg.terms.side(review.side).reinforcements
    before = [entry for entry in review.ob.infantry if entry.purchase != "bonus"]
    review.add(("infantry",), *support.group_breaches(groups, before))


@implements("DYO H1.71", "DYO H1.72", "DYO H1.27")
def _check_announced_elr(review: Review) -> None:
    """Note an ELR that is not that of most squads."""
    announced = review.ob.announced_elr
    if announced is None:
        return
    line = review.nation.line
    if line.partisan:
        if not isinstance(line.announced_elr, int):
            review.missing(("announced_elr",), "the ELR that Partisans announce", "DYO H1.27")
        elif announced != line.announced_elr:
            message, right = f"Partisans announce {announced}", str(line.announced_elr)
            review.broken(("announced_elr",), Reason.BONUS, "DYO H1.27", message, right)
        return
    own = bonus.side_elr(review.cg, review.side)
    by_squads = bonus.announced_elr(bonus.squads_by_elr(review.lines, own))
    if announced != (by_squads.elr if by_squads else own):
        right = by_squads.why if by_squads else f"{own}, that of the nation"
        review.broken(("announced_elr",), Reason.BONUS, "DYO H1.71", f"ELR {announced} is announced", right)


HALF = Fraction(1, 2)
HIGHEST_ELR = 5


def bonus_words(text: str) -> Fraction | None:
    """Return a bonus number as the chart prints it (5, 2½, ½), None if it is not one."""
    whole, half = text.removesuffix("½"), text.endswith("½")
    if not whole.isdecimal() and not (half and not whole):
        return None
    return int(whole or 0) + (HALF if half else Fraction(0))


@implements("DYO H1.71")
def bonus_rules(review: Review) -> None:
    """Note a bonus number that no ELR gives, and bonus squads beyond it or of other types (H1.71)."""
    text = review.ob.bonus
    number = bonus_words(text) if text else Fraction(0)
    possible = _possible(review)
    if number is None:
        message = f"{text!r} is not a bonus number"
        review.broken(("bonus",), Reason.BONUS, "DYO H1.71", message, "squads, as 5 or 2½")
        return
    if possible is None:
        message, right = "the ELR that the side announces is not known", "write announced_elr"
        review.add(("bonus",), Breach(Reason.UNKNOWN, "DYO H1.71", message, right))
    elif number not in [calculation.amount for calculation in possible]:
        message = f"a bonus of {bonus.squads_words(number)} squads"
        right = " or ".join(dict.fromkeys(bonus.squads_words(calculation.amount) for calculation in possible))
        if len(possible) == 1:
            right = possible[0].why
        review.broken(("bonus",), Reason.BONUS, "DYO H1.71", message, right)
    _squads(review, Calculation.of(number, "bonus squads", "DYO H1.71"))


def _possible(review: Review) -> list[Calculation] | None:
    """Return the bonus numbers that a side can have; None if its own ELR is not known.

    One alone if the other side's order of battle is known.
    """
    own = review.ob.announced_elr
    if own is None:
        return None if review.ob.bonus else [Calculation.of(0)]
    if review.facing and review.cg.ob(other_side(review.side)).announced_elr is not None:
        return [bonus.bonus_of(review.cg, review.side)]
    mpv = review.ob.mpv("first") + review.ob.mpv("second")
    return [bonus.bonus_number(review.cg.rulebook, own, enemy, mpv, 1) for enemy in range(own, HIGHEST_ELR + 1)]


@implements("DYO H1.73")
def _squads(review: Review, number: Calculation) -> None:
    rows = [(i, entry) for i, entry in enumerate(review.ob.infantry) if entry.purchase == "bonus"]
    if not rows:
        return
    # As it was before any bonus squad was picked.
    bought = tuple(entry for entry in review.ob.infantry if entry.purchase != "bonus")
    before = review.cg.with_state(review.cg.state.with_ob(review.side, infantry=bought))
    offer = bonus.bonus_offer(before, review.side, number)
    where = review.at("infantry", rows[0][0])
    if isinstance(offer, Missing):
        review.add(where, offer)
        return
    if offer is None:
        review.broken(where, Reason.BONUS, "DYO H1.73", "there are bonus squads, and no bonus is due", "leave them out")
        return
    picked: dict[str, Fraction] = {}
    for i, entry in rows:
        type_, squads = _as_squads(review, before, offer, entry)
        picked[type_] = picked.get(type_, Fraction(0)) + squads
        if type_ in offer.types:
            _plain(review, i, entry, bonus.entries_of(before, review.side, type_, squads))
    review.add(where, *bonus.bonus_breaches(offer, picked))


def _as_squads(review: Review, before: Cg, offer: bonus.BonusOffer, entry: InfantryEntry) -> tuple[str, Fraction]:
    """Return the squad type that a bonus line is of, and how many squads; a half-squad is half."""
    if entry.kind != "half-squad":
        return entry.type, Fraction(entry.number)
    every = (*offer.types, *(squad_line.type for squad_line in review.nation.squads(review.month)))
    squad = next((type_ for type_ in every if bonus.half_of(before, review.side, type_) == entry.type), None)
    return squad or entry.type, entry.number * HALF


def _plain(review: Review, i: int, entry: InfantryEntry, due: Sequence[InfantryEntry]) -> None:
    """Note capabilities that a bonus line doesn't get free, or lacks although its whole side has them."""
    right = next((line for line in due if line.type == entry.type), None)
    if right is not None and entry.capabilities != right.capabilities:
        message = f"{entry.type} as bonus with {', '.join(entry.capabilities) or 'no capability'}"
        has = ", ".join(right.capabilities) or "no capability"
        review.broken(
            review.at("infantry", i, "capabilities"),
            Reason.CAPABILITY,
            "DYO H1.73",
            message,
            f"{has}, as the rest of the side",
        )
