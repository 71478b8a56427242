"""Both sides announce their ELR; the lower one picks bonus squads (DYO H1.71 to H1.73)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Rows, ask, step
from laager.rules.design_your_own.answers import Calculation
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import BonusDue, ElrAnnounced, InfantryBought
from laager.rules.design_your_own.lines.bonus import (
    BonusOffer,
    announced_elr,
    bonus_breaches,
    bonus_number,
    bonus_types,
    most_numerous,
    squads_by_elr,
    squads_by_type,
)
from laager.rules.design_your_own.lines.infantry import Capability, held, reckonable, rule_lines, side_wide
from laager.rules.design_your_own.lines.pieces import known
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.steps.buying import counters_short
from laager.rules.design_your_own.terms import SIDES, other


@step("DYO H1.71", "ELR are announced", also=("DYO H1.72", "DYO H1.27", "DYO H1.71-T"))
def announcing(cg: Cg) -> Procedure[None]:
    """Each side announces the ELR of most of its squads; how many they are stays its secret."""
    for side in SIDES:
        yield from _announced(cg, side)
    for side in SIDES:
        number = bonus_of(cg, side)
        if number.amount:
            yield BonusDue(side=side, number=squads_words(number.amount), why=number.why, to=(side,))


def _announced(cg: Cg, side: str) -> Procedure[None]:
    capabilities = cg.nation(side).capabilities(cg.month)
    if capabilities.partisan:
        elr = capabilities.announced_elr
        if not isinstance(elr, int):
            elr = yield from ask(_partisans(side, side_elr(cg, side)))
        yield ElrAnnounced(side=side, elr=elr, rule="DYO H1.27", why="that of Partisans")
        return
    lines = rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    found = announced_elr(squads_by_elr(lines, side_elr(cg, side)))
    # A side without squads announces that of its nation; nobody is told that it has none.
    elr = found.elr if found else side_elr(cg, side)
    yield ElrAnnounced(side=side, elr=elr, why="the ELR of the greatest number of its squads")


def side_elr(cg: Cg, side: str) -> int:
    """Return the ELR of a side by its terms, which had it from the chart or by agreement."""
    elr = cg.terms.side(side).elr
    assert elr is not None, "loading the terms settles it"
    return elr


def _partisans(side: str, default: int) -> Question:
    return Question(
        key="partisan-elr",
        side=side,
        text="Which ELR do your Partisans announce?",
        form=Number(0, 5),
        rule="DYO H1.27",
        default=default,
        help="The rule that has it is cut off in the copy at hand; your rulebook knows.",
    )


def bonus_of(cg: Cg, side: str) -> Calculation:
    """Return the bonus number of a side once both have announced."""
    own, enemy = cg.ob(side), cg.ob(other(side))
    spent = {one: cg.ob(one).mpv("first") + cg.ob(one).mpv("second") for one in SIDES}
    assert own.announced_elr is not None
    assert enemy.announced_elr is not None
    return bonus_number(own.announced_elr, enemy.announced_elr, spent[side], spent[other(side)])


def squads_words(number: Fraction) -> str:
    """Return a number of squads as the chart prints it: 5, 2½, ½."""
    whole, half = divmod(number, 1)
    return f"{whole or ''}{'½' if half else ''}" or "0"


HALF = Fraction(1, 2)


@step("DYO H1.73", "Bonus squads", each_side=True)
def bonus_squads(cg: Cg, side: str) -> Procedure[None]:
    """The side with the lower ELR picks its free squads; they are plain ones."""
    offer = bonus_offer(cg, side)
    if offer is None or not offer.number.amount or not offer.types:
        return
    rows = yield from ask(_question(cg, side, offer))
    for type_, number in picked(rows).items():
        for entry in entries_of(cg, side, type_, number):
            why = f"{squads_words(offer.number.amount)} bonus squads: {offer.number.why}"
            yield InfantryBought(side=side, entry=entry, why=why, to=(side,))


def bonus_offer(cg: Cg, side: str, number: Calculation | None = None) -> BonusOffer | None:
    """Return what a side may pick, None if it has no bonus or no squads to go by.

    `number` is its bonus number; without it, what follows from what both sides announced.
    """
    number = bonus_of(cg, side) if number is None else number
    if not number.amount:
        return None
    nation, month = cg.nation(side), cg.month
    free = [squad for squad in nation.squads(month) if reckonable(squad, month)]
    bpv = {squad.type: squad.bpv for squad in free if isinstance(squad.bpv, int)}
    squads = squads_by_type(rule_lines(nation, month, cg.ob(side).infantry))
    most = most_numerous(squads, bpv, chosen=cg.chosen)
    if most is None:
        return None
    have = held(cg.ob(side).infantry)
    gone = [squad.type for squad in free if counters_short(cg, squad.type, have.get(squad.type, 0), 1, squad.counters)]
    if cg.reading("contingent-bonus") == "nation":
        home = nation.ally(most.type)
        bpv = {type_: price for type_, price in bpv.items() if nation.ally(type_) == home}
    return bonus_types(most, bpv, number, unavailable=gone, chosen=cg.chosen)


def _question(cg: Cg, side: str, offer: BonusOffer) -> Question:
    options = tuple(Option(type_, _label(cg, side, type_)) for type_ in offer.types)
    most = int(offer.number.amount) + 1
    row = Record(
        (
            Field("type", Choice(options), "Type"),
            Field("squads", Number(0, most), "Squads", 1),
            Field("half_squads", Number(0, 1), "Half-squads", 0),
        )
    )
    number = squads_words(offer.number.amount)
    return Question(
        key="bonus",
        side=side,
        text=f"You receive {number} squads free; of which types?",
        form=Rows(row, most=len(offer.types)),
        rule="DYO H1.73",
        secret=True,
        default=_filled(cg, side, offer, list(offer.types)),
        help=f"No dearer than the {offer.most.type}, your most numerous type."
        if not offer.dearer
        else "None of the cheaper types is left: half the number of the next dearer ones.",
        check=lambda rows: bonus_problems(cg, side, offer, rows),
        suggest=lambda rng: _suggest(cg, side, offer, rng),
    )


def _label(cg: Cg, side: str, type_: str) -> str:
    squad = cg.nation(side).mmc(type_)
    return f"{type_}, {squad.subsection}: BPV {squad.bpv}, {_room(cg, side, type_)} left"


def _room(cg: Cg, side: str, type_: str) -> int:
    """Return how many counters of a type are left, a large number if nothing limits them."""
    squad = cg.nation(side).mmc(type_)
    free = cg.terms.agreements.extra_pieces or cg.reading("free-pieces") == "free"
    if free or not isinstance(squad.counters, int):
        return 999
    return squad.counters - held(cg.ob(side).infantry).get(type_, 0)


def _filled(cg: Cg, side: str, offer: BonusOffer, types: Sequence[str]) -> list[dict[str, Any]]:
    """Return as many squads as possible, of these types in order, the half-squad with them."""
    left, rows = offer.number.amount, []
    for type_ in types:
        number = min(int(left), _room(cg, side, type_))
        left -= number
        half = int(left == HALF and half_of(cg, side, type_) is not None)
        left -= half * HALF
        if number or half:
            rows.append({"type": type_, "squads": number, "half_squads": half})
    return rows


def _suggest(cg: Cg, side: str, offer: BonusOffer, rng: Random) -> list[dict[str, Any]]:
    return _filled(cg, side, offer, rng.sample(offer.types, len(offer.types)))


def picked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Fraction]:
    """Return the squads that an answer picks by type; a half-squad is a half."""
    found: dict[str, Fraction] = {}
    for row in rows:
        number = row["squads"] + row["half_squads"] * HALF
        found[row["type"]] = found.get(row["type"], Fraction(0)) + number
    return found


def entries_of(cg: Cg, side: str, type_: str, number: Fraction) -> list[InfantryEntry]:
    """Return the lines of a bonus type: squads, and a half-squad of its kind for the half."""
    lines = rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    free = side_wide(lines)
    found = []
    if int(number):
        found.append(_bonus(cg, side, type_, int(number), free))
    half = half_of(cg, side, type_)
    if number % 1 and half is not None:
        found.append(_bonus(cg, side, half, 1, free))
    return found


def half_of(cg: Cg, side: str, type_: str) -> str | None:
    """Return the half-squad of a squad type, None if the catalogue doesn't tell."""
    nation = cg.nation(side)
    half = nation.mmc(type_).half
    every = {mmc.type: mmc for mmc in nation.half_squads(cg.month)}
    return half if isinstance(half, str) and half in every and known(every[half].grade) else None


def _bonus(cg: Cg, side: str, type_: str, number: int, free: frozenset[Capability]) -> InfantryEntry:
    mmc = cg.nation(side).mmc(type_)
    elite = mmc.subsection == "Elite"
    has = {mark for mark in free if mark is not Capability.SKI or elite}
    if Capability.SKI in has or mmc.ski_included:
        has.discard(Capability.WINTER_CAMOUFLAGE)
    if mmc.ski_included:
        has.discard(Capability.SKI)
    marks = tuple(mark.value for mark in Capability if mark in has)
    return InfantryEntry(type=type_, kind=mmc.kind, number=number, capabilities=marks, purchase="bonus")


def bonus_problems(cg: Cg, side: str, offer: BonusOffer, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return everything that the rules have against this choice."""
    chosen = picked(rows)
    found = [breach.problem() for breach in bonus_breaches(offer, chosen)]
    for type_, number in chosen.items():
        room = _room(cg, side, type_)
        if int(number) > room:
            found.append(Problem(f"{room} {type_} are left (DYO H1.11)", "take others for the rest"))
        if number % 1 and half_of(cg, side, type_) is None:
            right = "enter its half-squad in the catalogue, or take another type"
            found.append(Problem(f"the half-squad of {type_} is not known", right))
    return found
