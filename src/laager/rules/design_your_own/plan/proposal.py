"""What a purchase proposes, question by question: a balanced force, so that who takes the proposals can play with it.

Each category gets its share of the points that are left, and is filled as `suggest` fills a purchase. Nothing in it
depends on chance, nor on what the other side has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, Refusal, RefusedError
from laager.campaign import Procedure, Question, change_commands
from laager.campaign.steps import Ask, Command
from laager.campaign.temperament import Temperament, sensible
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import oba as oba_rules
from laager.rules.design_your_own.lines import pieces
from laager.rules.design_your_own.lines.vehicles import towed_guns
from laager.rules.design_your_own.ob import INFANTRY, OBA, ORDNANCE, SECOND, VEHICLES
from laager.rules.design_your_own.plan import choices
from laager.rules.design_your_own.plan.support import oba_dr
from laager.rules.design_your_own.plan.wishes import Wishes
from laager.rules.design_your_own.steps import infantry, ordnance, vehicles

Propose = Callable[[Cg, Question, Temperament], Any]


@dataclass(frozen=True)
class _Weight:
    """How much of the points goes into a category, beside the others; `figure` is the temperament's for it."""

    weight: int
    figure: str


WEIGHTS: Mapping[str, _Weight] = {
    # Infantry takes and holds ground, and brings leaders and SW of its own (H1.74, H1.8).
    INFANTRY: _Weight(50, "buy.infantry"),
    # A Gun or three: they stop what comes near, and seldom move.
    ORDNANCE: _Weight(8, "buy.guns"),
    # A platoon of AFV.
    VEHICLES: _Weight(22, "buy.armour"),
    # One DR for every 600 points (H1.5), and most batteries cost about a fifth of that.
    OBA: _Weight(20, "buy.artillery"),
}
"""The categories with a share, in the order in which they are bought; what they leave is for the second purchase.

None for Fortifications: the terms don't say who defends, and points kept then buy Infantry, which both sides can use.
"""

PLATOON = 5
"""Most pieces of one type that are proposed: a platoon of the largest kind."""

MOST_TYPES = 3
"""Most types of a category that are proposed: few types are easier to lead, and to find in the box."""


def with_proposals(procedure: Procedure[None], cg: Cg) -> Procedure[None]:
    """Run a part of a purchase, with a proposal for each question of it that spends points."""

    def propose(command: Command) -> Command:
        if not isinstance(command, Ask):
            return command
        return Ask(tuple(_with_proposal(cg, asked) for asked in command.questions), command.spared)

    return change_commands(procedure, propose)


def _with_proposal(cg: Cg, question: Question) -> Question:
    propose = PROPOSALS.get(question.key)
    if propose is None:
        return question
    return question.but(
        default=cg.later(lambda now: propose(now, question, sensible())),
        judge=lambda temper: propose(cg, question, temper),
    )


# Shares -----------------------------------------------------------------------------------------


def budget(cg: Cg, side: str, category: str, temper: Temperament) -> int:
    """Return the points that a category gets now: its share of those left, beside the categories still to come."""
    names = list(WEIGHTS)
    to_come = {name: _weight(cg, side, name, temper) for name in names[names.index(category) :]}
    whole = sum(to_come.values())
    return int(cg.points_left(side) * to_come[category] / whole) if whole else 0


def _weight(cg: Cg, side: str, category: str, temper: Temperament) -> float:
    share = WEIGHTS[category]
    return share.weight * temper[share.figure] if _can_buy(cg, side, category) else 0.0


def _can_buy(cg: Cg, side: str, category: str) -> bool:
    """True if a side's catalogue has something of a category with all that buying it needs."""
    nation, month = cg.nation(side), cg.month
    if category == ORDNANCE:
        return any(pieces.has_price_and_rf(gun, month) for gun in nation.guns(month))
    if category == VEHICLES:
        return any(pieces.has_price_and_rf(vehicle, month) for vehicle in nation.vehicles(month))
    if category == OBA:
        drs = int(oba_rules.oba_drs(cg.rulebook, cg.ob(side).allotment))
        return drs > 0 and oba_dr(cg, side, "expected") is not None
    return True


# Infantry ---------------------------------------------------------------------------------------


def _propose_infantry(cg: Cg, question: Question, temper: Temperament) -> Any:
    """Propose what has the most Equivalents for the points, with what the side's Infantry has already."""
    side, answer = question.side, question.form.blank
    left = cg.points_left(side)
    points = left if question.key == SECOND else budget(cg, side, INFANTRY, temper)
    marks = {mark.value for name, mark in infantry.WIDE_MARKS.items() if answer[name]}
    wishes = Wishes.model_validate({"reserve": left - points, "capabilities": sorted(marks)})
    try:
        return {**answer, "lines": infantry_rows(cg, side, wishes)}
    except RefusedError as err:
        # Without the solver a purchase begins with an empty cart.
        if err.code is not Refusal.NOT_INSTALLED:
            raise
        return answer


def infantry_rows(cg: Cg, side: str, wishes: Wishes) -> Sequence[Mapping[str, Any]]:
    """Return the Infantry that meets wishes best with the points that a side has left, as rows of an answer."""
    plan = choices.PurchasePlan(cg, side, wishes, fixed=cg.ob(side).total)
    choices.add_infantry(plan)
    values = plan.solve()
    if values is None:
        return []
    rows = choices.bought_infantry(plan, values)
    lines: Sequence[Mapping[str, Any]] = choices.infantry_answer(wishes, rows)["lines"]
    return lines


# Guns and vehicles ------------------------------------------------------------------------------


def _propose_guns(cg: Cg, question: Question, temper: Temperament) -> Any:
    side = question.side
    limit = pieces.limit_of(cg.rulebook, cg.ob(side).ordnance.availability)
    if limit is None:
        return []
    priced = [gun for gun in ordnance.guns_on_offer(cg, side) if pieces.has_price_and_rf(gun, cg.month)]
    return fill(
        {gun.type: gun.bpv for gun in priced if isinstance(gun.bpv, int)},
        budget(cg, side, ORDNANCE, temper),
        lambda rows: ordnance.gun_problems(cg, side, rows, limit),
        lambda rows: ordnance.cost_of(cg, side, rows),
    )


def _propose_vehicles(cg: Cg, question: Question, temper: Temperament) -> Any:
    """Propose AFV: what only carries is of use to who knows what for."""
    side, section = question.side, cg.ob(question.side).vehicles
    limit = pieces.limit_of(cg.rulebook, section.availability, motorized=section.motorized is not None)
    priced = [piece for piece in cg.nation(side).vehicles(cg.month) if pieces.has_price_and_rf(piece, cg.month)]
    return fill(
        {piece.type: piece.bpv for piece in priced if piece.afv is True and isinstance(piece.bpv, int)},
        budget(cg, side, VEHICLES, temper),
        lambda rows: vehicles.vehicle_problems(cg, side, rows, limit),
        lambda rows: vehicles.cost_of(cg, side, rows),
        {"tow": False} if towed_guns(cg, side) else {},
    )


def fill(
    prices: Mapping[str, int],
    points: int,
    problems_of: Callable[[list[Any]], Sequence[Problem]],
    cost_of: Callable[[list[Any]], int],
    more: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """Return rows that spend points on few types: one after the other that with which most of the rest is spent.

    A BPV says what a piece is worth, so that what spends most is worth most. `more` is what each row holds besides.
    """
    rows: list[dict[str, Any]] = []

    def candidates() -> Iterable[dict[str, Any]]:
        left, bought = points - cost_of(rows), {row["type"] for row in rows}
        lots = [
            (price * number, price, type_, number)
            for type_, price in prices.items()
            for number in range(1, PLATOON + 1)
            if type_ not in bought and price * number <= left
        ]
        return ({"type": type_, "number": number, **(more or {})} for *_, type_, number in sorted(lots, reverse=True))

    for _ in range(MOST_TYPES):
        fit = (row for row in candidates() if not problems_of([*rows, row]) and cost_of([*rows, row]) <= points)
        row = next(fit, None)
        if row is None:
            break
        rows.append(row)
    return rows


# OBA --------------------------------------------------------------------------------------------


def _propose_battery(cg: Cg, question: Question, temper: Temperament) -> Any:
    """Propose to buy it if the points for it are there: it is offered once."""
    answer = {**question.form.blank, "buy": True}
    used = sum(total.used for total in question.totals(answer)) if question.totals else 0
    return {**answer, "buy": used <= budget(cg, question.side, OBA, temper)}


PROPOSALS: Mapping[str, Propose] = {
    INFANTRY: _propose_infantry,
    SECOND: _propose_infantry,
    ORDNANCE: _propose_guns,
    VEHICLES: _propose_vehicles,
    "battery": _propose_battery,
}
"""How each question of a purchase is proposed, by its key; others have their own proposals."""
