"""Check of the bonus number and the bonus squads (H1.71, H1.73)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from laager.campaign import implements
from laager.rules.design_your_own.bonus import BonusOffer, bonus_breaches, bonus_number
from laager.rules.design_your_own.check_desk import Desk
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.reckoning import Breach, Reason, Reckoning
from laager.rules.design_your_own.steps.announcing import bonus_of, squads_words
from laager.rules.design_your_own.steps.bonus import bonus_offer, entries_of, half_of
from laager.rules.design_your_own.terms import other

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
    _squads(desk, Reckoning.of(number, "bonus squads", "DYO H1.71"))


def _possible(desk: Desk) -> list[Reckoning] | None:
    """Return the bonus numbers that a side can have; None if its own ELR is not known.

    One alone if the other side's order of battle is known.
    """
    own = desk.ob.announced_elr
    if own is None:
        return None if desk.ob.bonus else [Reckoning.of(0)]
    if desk.facing and desk.cg.ob(other(desk.side)).announced_elr is not None:
        return [bonus_of(desk.cg, desk.side)]
    mpv = desk.ob.mpv("first") + desk.ob.mpv("second")
    return [bonus_number(own, enemy, mpv, 1) for enemy in range(own, HIGHEST_ELR + 1)]


@implements("DYO H1.73")
def _squads(desk: Desk, number: Reckoning) -> None:
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
