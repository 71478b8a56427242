"""Buying Guns by an Availability DR (DYO H1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Number, Option, Procedure, Question, Record, Rows, YesNo, ask, roll, step
from laager.catalogue.dyo import DyoGun
from laager.dice import Dice
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import AvailabilityRolled, GunsBought
from laager.rules.design_your_own.lines import pieces
from laager.rules.design_your_own.ob import ORDNANCE, GunEntry
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.spelling import type_field
from laager.rules.design_your_own.steps import buying
from laager.rules.design_your_own.steps.missing import fill_gaps


@step("DYO H1.3", "Ordnance", each_side=True, edition=2)
def ordnance(cg: Cg, side: str) -> Procedure[None]:
    """Make one Availability DR for Guns, then buy what it allows or nothing (H1.3)."""
    yield from fill_gaps(cg, side, "DYO H1.3", "guns")
    any_priced = any(pieces.has_price_and_rf(gun, cg.month) for gun in guns_on_offer(cg, side))
    question = dr_question(cg, side, "ordnance", "Guns", "DYO H1.3", odds_words(cg.rulebook), any_priced)
    if guns_on_offer(cg, side) and (yield from ask(question)):
        rolled = yield from roll(side, "Availability, ordnance", Dice.DR, secret=True, table=pieces.TABLE)
        limit = pieces.rf_limit(cg.rulebook, rolled.final)
        yield AvailabilityRolled(
            side=side,
            category=ORDNANCE,
            dr=evidence(rolled),
            rf=str(limit),
            rule="DYO H1.3",
            why=f"Final DR {rolled.final}: RF {limit} or less",
            to=(side,),
        )
        rows = yield from ask(_question(cg, side, limit))
        for entry in entries_of(cg, side, rows):
            why = f"{entry.number} x {entry.each} BPV, crews included"
            yield GunsBought(side=side, entry=entry, why=why, to=(side,))


def dr_question(cg: Cg, side: str, key: str, noun: str, rule: str, odds: str = "", default: bool = True) -> Question:
    """Ask if a side makes a DR that it is entitled to; it doesn't have to (DYO H1.13)."""
    return Question(
        key=f"{key}-dr",
        side=side,
        text=f"Do you make the DR for {noun}? You have {cg.points_left(side)} points.",
        form=YesNo(),
        rule=rule,
        secret=True,
        default=default and cg.points_left(side) > 0,
        help=" ".join(part for part in (odds, "What it offers can be declined.") if part),
        irrevocable=buying.warn_of_declining(f"Without the DR you get no {noun}, and can't make it later."),
        nothing="No DR",
    )


def odds_words(rulebook: Rulebook) -> str:
    """Return how likely each highest RF is, for the question before the DR."""
    parts = [f"RF {rf} {chance * 36}/36" for rf, chance in pieces.odds_rf(rulebook).items()]
    return f"Highest RF: {', '.join(parts)}."


def guns_on_offer(cg: Cg, side: str) -> tuple[DyoGun, ...]:
    """Return the Guns that there are at the date."""
    return tuple(cg.nation(side).guns(cg.month))


def _question(cg: Cg, side: str, limit: Decimal) -> Question:
    options = tuple(option_of(cg, side, gun, limit) for gun in guns_on_offer(cg, side))
    row = Record(
        (
            type_field("Gun", options, cg.nation(side), "guns"),
            Field("number", Number(1, buying.MOST_OF_ONE), "How many"),
        )
    )
    return Question(
        key="ordnance",
        side=side,
        text=f"Which Guns of RF {limit} or less do you buy? You have {cg.points_left(side)} points.",
        form=Rows(row, most=40),
        rule="DYO H1.3",
        secret=True,
        default=[],
        help="The BPV includes the crews. What is recorded can't be given back.",
        check=lambda rows: gun_problems(cg, side, rows, limit),
        suggest=lambda rng: _suggest(cg, side, limit, rng),
        totals=lambda rows: buying.points_of(cg, side, rows, lambda some: cost_of(cg, side, some)),
        irrevocable=lambda rows: buying.last_word(cg, side, cost_of(cg, side, rows), "ordnance"),
        offers=lambda rows: buying.shop(
            options, rows, lambda some: gun_problems(cg, side, some, limit), {}, lambda type_: _looks(cg, side, type_)
        ),
    )


def _looks(cg: Cg, side: str, type_: str) -> tuple[str, ...]:
    sort = cg.nation(side).gun(type_).sort
    return "gun", type_, sort if isinstance(sort, str) else ""


def cost_of(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Return what the Guns of an answer cost."""
    return sum(entry.total for entry in entries_of(cg, side, rows))


def option_of(cg: Cg, side: str, gun: DyoGun, limit: Decimal | None) -> Option:
    """Return a Gun as an option, and why you can't buy it; `limit` None: no DR was made."""
    if not pieces.has_price_and_rf(gun, cg.month):
        return Option(gun.type, gun.type, pieces.LACKING.format(gun.type))
    label = f"{gun.type}: {pieces.price_words(gun, cg.month)}"
    legal = pieces.piece_breaches(cg, gun, 1, limit)
    assert isinstance(gun.bpv, int)
    return Option(gun.type, label, buying.why_not(*legal, pieces.too_dear(cg, side, gun.bpv, gun.type)))


def entries_of(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]]) -> tuple[GunEntry, ...]:
    """Return the Guns of an answer with their prices, equal rows put together."""
    wanted: dict[str, int] = {}
    for row in rows:
        wanted[row["type"]] = wanted.get(row["type"], 0) + row["number"]
    nation = cg.nation(side)
    return tuple(
        pieces.gun_line(nation.gun(type_), GunEntry(type=type_, number=number, ids=pieces.id_letters(0, number)))
        for type_, number in wanted.items()
    )


def gun_problems(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]], limit: Decimal) -> list[Problem]:
    """Return everything that the rules have against these Guns."""
    entries = entries_of(cg, side, rows)
    nation = cg.nation(side)
    legal = (
        breach for entry in entries for breach in pieces.piece_breaches(cg, nation.gun(entry.type), entry.number, limit)
    )
    return buying.problems(*legal, pieces.too_dear(cg, side, sum(entry.total for entry in entries), "all of it"))


def _suggest(cg: Cg, side: str, limit: Decimal, rng: Random) -> list[dict[str, Any]]:
    free = [gun.type for gun in guns_on_offer(cg, side) if not option_of(cg, side, gun, limit).why_not]
    return buying.legal_rows(
        lambda: {"type": rng.choice(free), "number": rng.randint(1, 3)},
        rng.randint(0, 3) if free else 0,
        lambda rows: gun_problems(cg, side, rows, limit),
    )
