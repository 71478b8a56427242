"""The Consequences Phase (PL 3.3): evacuation, TVP, who won, what stays on the map."""

from __future__ import annotations

from collections.abc import Sequence

from laager.campaign import Choice, Procedure, Question, YesNo, ask, ask_all, no_decision, roll, step
from laager.dice import Dice
from laager.rules.board.card.parts import ALLIED, AXIS, SIDES
from laager.rules.board.changes import LEADERS, place_unit, remove_unit
from laager.rules.board.facts import CampaignEnded, Noted
from laager.rules.board.moves import is_fixed, is_stuck
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.card.card import Objective
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FirefightWon, TvpAwarded
from laager.rules.platoon_leader.firefight.victory import (
    campaign_winner,
    controls,
    firefight_winner,
    is_fulfilled,
    is_last,
)
from laager.rules.platoon_leader.state import Type


@step("PL 3.32", "Evacuation of the wounded", each_side=True, also=("PL 3.3", "PL 3.32 table"), edition=2)
def evacuation(cg: Cg, side: str) -> Procedure[None]:
    """One dr for each Wounded leader that is not Japanese."""
    if cg.nation(side).group == "japanese":
        return
    table = cg.table("evacuation")
    leaders = cg.state.units_of(side, *LEADERS)
    for unit in [unit for unit in leaders if unit.has(Mark.WOUNDED) and not unit.has(Mark.PRISONER)]:
        label, secret = f"Evacuation of {unit.type}", not unit.known
        rolled = yield from roll(side, label, Dice.dr, secret=secret, about=unit.id, table=table.id)
        if table.result(rolled.final) == "evacuated":
            why = f"dr {rolled.final}: evacuated"
            yield from remove_unit(cg, unit, Place.EVACUATED, why)


@step(
    "PL 3.33",
    "TVP, and who won",
    also=("PL 1.4 Terrain Victory Points", "PL 1.4 CG TVP Total", "PL 1.3", "PL 1.31"),
    edition=2,
)
def tvp_award(cg: Cg) -> Procedure[None]:
    """Award TVP for Controlled Locations, fix the winner, and see if the campaign is over."""
    for side in SIDES:
        held = cg.sort(name for name in cg.card.tvp if controls(cg, side, name))
        gained = sum(cg.card.tvp[name] for name in held)
        if cg.card.tvp:
            why = ", ".join(f"{name} {cg.card.tvp[name]}" for name in held) or "nothing held"
            yield TvpAwarded(side=side, points=gained, locations=tuple(held), why=why)
    yield from _winner_of_the_firefight(cg)
    yield from _end_of_the_campaign(cg)


def _winner_of_the_firefight(cg: Cg) -> Procedure[None]:
    met: list[str] = []
    if cg.initial:
        for i, objective in enumerate(cg.card.objectives.initial):
            if (yield from _is_met(cg, objective, f"initial-objective-{i + 1}")):
                met.append(objective.side)
    winner, why = firefight_winner(cg, tuple(met))
    yield FirefightWon(winner=winner, why=why, rule="PL 1.31")


def _is_met(cg: Cg, objective: Objective, key: str) -> Procedure[bool]:
    """True if an objective is fulfilled: computed, or as its own side says."""
    if not objective.asked:
        return is_fulfilled(cg, objective)
    question = Question(
        key=key,
        side=objective.side,
        text=f"Has {cg.side(objective.side).name} fulfilled this objective? {objective.text}",
        form=YesNo(),
        rule="PL 1.31",
        default=False,
    )
    answer: bool = yield from ask(question)
    return answer


def _end_of_the_campaign(cg: Cg) -> Procedure[None]:
    """End the campaign on a sudden objective or after its last firefight (PL 1.3)."""
    met = yield from _sudden_objectives_met(cg)
    if len(met) == 1:
        (winner,) = met
        yield CampaignEnded(winner=winner, ending=met[winner], rule="PL 1.3")
    elif met and cg.reading("sudden-both") == "draw":
        yield CampaignEnded(winner="", ending="; ".join(met.values()), rule="PL 1.3")
    elif is_last(cg):
        yield from final_decision(cg)


def _sudden_objectives_met(cg: Cg) -> Procedure[dict[str, str]]:
    """Return the text of the first sudden objective that each side has fulfilled, by side.

    By the reading `sudden-both`, the first on the card can count alone.
    """
    met: dict[str, str] = {}
    for i, objective in enumerate(cg.card.objectives.sudden):
        if objective.side in met or (met and cg.reading("sudden-both") == "card-order"):
            continue
        if (yield from _is_met(cg, objective, f"sudden-objective-{i + 1}")):
            met[objective.side] = objective.text
    return met


def final_decision(cg: Cg) -> Procedure[None]:
    """Decide the campaign after its last firefight, by points or by what the players find."""
    if cg.card.objectives.campaign.points != "asked":
        winner, ending = campaign_winner(cg)
        yield CampaignEnded(winner=winner, ending=ending, rule="PL 1.4 CG End")
        return
    form = Choice.of(axis=cg.side(AXIS).name, allied=cg.side(ALLIED).name, draw="a draw")
    text = f"Who has won the campaign? {cg.card.objectives.campaign.text}"
    answers = yield from ask_all(
        Question("campaign-winner", side, text, form, rule="PL 1.3", default="draw") for side in SIDES
    )
    agreed = answers[AXIS] if answers[AXIS] == answers[ALLIED] else "draw"
    verdict = "both sides agree" if answers[AXIS] == answers[ALLIED] else "the sides do not agree"
    yield CampaignEnded(winner="" if agreed == "draw" else agreed, ending=verdict, rule="PL 1.3")


def fixed_in_place(unit: Unit) -> bool:
    """True if a unit stays where it is whatever its side wants: fixed Guns, immobile vehicles."""
    return is_stuck(unit) or is_fixed(unit)


@step(
    "PL 3.34",
    "MLR clearance",
    each_side=True,
    also=("PL 3.34 Option A", "PL 3.34 Option B", "PL 1.4 Survivors"),
    edition=3,
)
def clearance_of_mlr(cg: Cg, side: str) -> Procedure[None]:
    """Option A leaves all in place. Option B may take units in a friendly MLR off, MLR by MLR."""
    front = cg.front
    if cg.state.option != "B" or front is None or cg.state.fight.type is Type.IDLE:
        return
    ours = [u for u in cg.state.units_of(side) if u.on_map and u.hex in front.friendly_mlr[side]]
    staying = staying_together(cg, ours)
    ours = [unit for unit in ours if unit.id not in staying]
    if not ours:
        text = "You have no units in friendly MLRs that could be taken off the map."
        yield from ask(no_decision("take-off", side, text, "PL 3.34 Option B"))
        return
    question = Question(
        key="take-off",
        side=side,
        text=f"Take your {len(ours)} units in friendly MLRs off the map until they set up again?",
        form=YesNo(),
        rule="PL 3.34 Option B",
        default=True,
        # Units that are needed elsewhere can set up there all the same, and the others keep their ground.
        judge=lambda _: False,
        help="Units keep to their own MLR. Hidden and immobile ones stay on the map.",
    )
    if not (yield from ask(question)):
        yield Noted(text=f"the units of {side} stay on the map")
        return
    for unit in ours:
        letter = front.mlr_of(side, unit.hex or "") or ""
        yield place_unit(unit, unit.at, Place.POOL, f"taken off MLR {letter}", letter)


def staying_together(cg: Cg, units: Sequence[Unit]) -> frozenset[str]:
    """Return which units are not taken off: fixed and hidden ones, and units that belong to them.

    Those are units that ride a vehicle or man a Gun that stays, and what they have with them.
    """
    staying = {unit.id for unit in units if fixed_in_place(unit) or unit.has(Mark.HIP)}
    while True:
        holders = {u.with_unit for u in units if u.id in staying and u.kind == "gun"}
        more = {u.id for u in units if u.with_unit in staying or u.id in holders} - staying
        if not more:
            return frozenset(staying)
        staying |= more
