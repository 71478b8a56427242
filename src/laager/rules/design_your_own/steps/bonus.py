"""Both sides announce their ELR; the lower one picks bonus squads (DYO H1.71 to H1.73)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Number, Option, Procedure, Question, Record, Rows, ask, step
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import BonusDue, ElrAnnounced, InfantryBought
from laager.rules.design_your_own.lines import bonus as rules
from laager.rules.design_your_own.lines import infantry
from laager.rules.design_your_own.spelling import type_field
from laager.rules.design_your_own.terms import SIDES


@step("DYO H1.71", "ELR are announced")
def announcing(cg: Cg) -> Procedure[None]:
    """Each side announces the ELR of most of its squads; how many they are stays its secret (H1.71)."""
    for side in SIDES:
        yield from _announce_elr(cg, side)
    for side in SIDES:
        number = rules.bonus_of(cg, side)
        if number.amount:
            yield BonusDue(side=side, number=rules.squads_words(number.amount), why=number.why, to=(side,))


def _announce_elr(cg: Cg, side: str) -> Procedure[None]:
    line = cg.nation(side).line
    if line.partisan:
        elr = line.announced_elr
        if not isinstance(elr, int):
            elr = yield from ask(_partisans(side, rules.side_elr(cg, side)))
        yield ElrAnnounced(side=side, elr=elr, rule="DYO H1.27", why="that of Partisans")
        return
    lines = infantry.rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    by_squads = rules.announced_elr(rules.squads_by_elr(lines, rules.side_elr(cg, side)))
    # A side without squads announces that of its nation; nobody learns that it has none.
    elr = by_squads.elr if by_squads else rules.side_elr(cg, side)
    yield ElrAnnounced(side=side, elr=elr, why="the ELR of the greatest number of its squads")


def _partisans(side: str, default: int) -> Question:
    return Question(
        key="partisan-elr",
        side=side,
        text="Which ELR do your Partisans announce?",
        form=Number(0, 5),
        rule="DYO H1.27",
        default=default,
        help="The rule is cut off in the text at hand; your rulebook has it.",
    )


@step("DYO H1.73", "Bonus squads", each_side=True)
def bonus_squads(cg: Cg, side: str) -> Procedure[None]:
    """The side with the lower ELR picks its free squads; they are plain ones (H1.73)."""
    offer = rules.bonus_offer(cg, side)
    if not isinstance(offer, rules.BonusOffer) or not offer.number.amount or not offer.types:
        return
    rows = yield from ask(_question(cg, side, offer))
    for type_, number in squads_picked(rows).items():
        for entry in rules.entries_of(cg, side, type_, number):
            why = f"{rules.squads_words(offer.number.amount)} bonus squads: {offer.number.why}"
            yield InfantryBought(side=side, entry=entry, why=why, to=(side,))


def _question(cg: Cg, side: str, offer: rules.BonusOffer) -> Question:
    options = tuple(Option(type_, _label(cg, side, type_)) for type_ in offer.types)
    most = int(offer.number.amount) + 1
    row = Record(
        (
            type_field("Type", options, cg.nation(side), "squads"),
            Field("squads", Number(0, most), "Squads", 1),
            Field("half_squads", Number(0, 1), "Half-squads", 0),
        )
    )
    number = rules.squads_words(offer.number.amount)
    return Question(
        key="bonus",
        side=side,
        text=f"You receive {number} squads free. Which types do you take?",
        form=Rows(row, most=len(offer.types)),
        rule="DYO H1.73",
        secret=True,
        default=_fill_offer(cg, side, offer, list(offer.types)),
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
    return squad.counters - infantry.counters_taken(cg.ob(side).infantry).get(type_, 0)


def _fill_offer(cg: Cg, side: str, offer: rules.BonusOffer, types: Sequence[str]) -> list[dict[str, Any]]:
    """Return as many squads as possible, of these types in order, the half-squad with them."""
    left, rows = offer.number.amount, []
    for type_ in types:
        number = min(int(left), _room(cg, side, type_))
        left -= number
        half = int(left == rules.HALF and rules.half_of(cg, side, type_) is not None)
        left -= half * rules.HALF
        if number or half:
            rows.append({"type": type_, "squads": number, "half_squads": half})
    return rows


def _suggest(cg: Cg, side: str, offer: rules.BonusOffer, rng: Random) -> list[dict[str, Any]]:
    return _fill_offer(cg, side, offer, rng.sample(offer.types, len(offer.types)))


def squads_picked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Fraction]:
    """Return the squads that an answer picks by type; a half-squad is a half."""
    squads: dict[str, Fraction] = {}
    for row in rows:
        number = row["squads"] + row["half_squads"] * rules.HALF
        squads[row["type"]] = squads.get(row["type"], Fraction(0)) + number
    return squads


def bonus_problems(cg: Cg, side: str, offer: rules.BonusOffer, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return everything that the rules have against this choice."""
    chosen = squads_picked(rows)
    problems = [breach.problem() for breach in rules.bonus_breaches(offer, chosen)]
    for type_, number in chosen.items():
        room = _room(cg, side, type_)
        if int(number) > room:
            problems.append(Problem(f"{room} {type_} are left (DYO H1.11)", "take others for the rest"))
        if number % 1 and rules.half_of(cg, side, type_) is None:
            right = "enter its half-squad in the catalogue, or take another type"
            problems.append(Problem(f"the half-squad of {type_} is not known", right))
    return problems
