"""Check of ordnance: RF within the DR, counters, prices, identity letters (H1.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN, DyoGun, DyoVehicle
from laager.rules.design_your_own.availability import rf_limit
from laager.rules.design_your_own.check_desk import Desk, Thrown, check_dr, twice
from laager.rules.design_your_own.ob import Dr, GunEntry
from laager.rules.design_your_own.ordnance import wanted_breaches
from laager.rules.design_your_own.pieces import wanted
from laager.rules.design_your_own.reckoning import Reason
from laager.rules.design_your_own.recording import LETTERS, id_letters, letter

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
