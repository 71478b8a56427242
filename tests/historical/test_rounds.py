"""Rounds by chance: dates, chits, areas and all else, to the end of the campaign.

With a toy step for what happens on the table and its report, and as the ruleset really goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.steps import Procedure, Step, roll, step
from laager.campaign.views import view
from laager.dice import Dice
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.facts import ControlChanged, CvpScored
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import RoundBegun, ScenarioEnded
from laager.rules.board.hasl.generic import RULESET, Generic
from laager.rules.board.hasl.sequence import SEQUENCES
from laager.rules.board.hasl.state import Round
from laager.rules.board.sequence import Sequences
from tests.historical.small import small_opening

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)

BARE = {"block_control": None, "scenario_types": None, "circled": None, "cvp_step": None}

OURS = (
    *("beginning", "exhaustion", "ammunition-shortage", "elr-change", "weather", "play"),
    *("campaign-end", "setup-areas", "escape", "new-date", "san-adjustment", "shift-and-repair"),
    *("given-reinforcements", "cpp-replenishment", "sudden-death", "initiative"),
)


@step("HASL 12", "Report")
def toy_report(cg: Hasl) -> Procedure[None]:
    """Somebody takes a Location, both lose something, and the Refit Phase begins."""
    places = ("B4", "B5", "D2", "G7", "H3")
    for side in SIDES:
        taken = yield from roll(side, "Taken", Dice.dr)
        if taken.final <= len(places):
            yield ControlChanged(side=side, locations=(places[taken.final - 1],))
        lost = yield from roll(side, "Lost", Dice.DR)
        yield CvpScored(side=other_side(side), points=lost.final)
    yield RoundBegun(round=Round.REFIT)


@step("HASL 11", "Rally")
def toy_rally(cg: Hasl) -> Procedure[None]:
    yield ScenarioEnded()


@cache
def toy_rules() -> Generic:
    rounds: dict[Round, tuple[Step, ...]] = {}
    for round_, steps in SEQUENCES.rounds.items():
        singly = [one for step in steps for one in ((step,) if step.id in OURS else (*step.parts, step))]
        ours = [step for step in singly if step.id in OURS]
        if ours:
            ours.append(toy_report)
        rounds[round_] = tuple(ours)
    rounds[Round.REFIT] = (toy_rally, *rounds[Round.REFIT])

    class Toy(Generic):
        sequences = Sequences(rounds)

    return Toy()


def opened(seed: int, rules: Generic | None = None, **more: Any) -> Campaign:
    store = MemoryStore()
    setting = small_opening(**more)
    store.append(opening_entries("hasl", "Toy", setting, False, bytes([seed] * 32), NOON))
    campaign = Campaign(store, clock=lambda: NOON, ruleset=rules or toy_rules())
    campaign.advance()
    return campaign


def faults(campaign: Campaign) -> Iterator[str]:
    """What can never be, whatever the players do."""
    state, cg = campaign.state, campaign.context
    assert isinstance(cg, Hasl)
    for side in SIDES:
        own, chits = state.side(side), cg.side(side).chits
        for name, most in (("elr", 5), ("san", 7), ("ammunition", 5)):
            if not 0 <= getattr(own, name) <= most:
                yield f"{side} has {name} {getattr(own, name)}"
        if own.attacks > (chits.attack or 0):
            yield f"{side} attacked {own.attacks} times"
        if own.cvp > own.cvp_total:
            yield f"{side} amassed more in the scenario than in all"
    hexes = [name for area in state.areas for name in area.hexes]
    if len(hexes) != len(set(hexes)):
        yield "areas overlap"
    numbers = [line.number for line in (*state.past, state.scenario)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"dates are {numbers}"
    if state.scenario.idle and state.scenario.last_turn:
        yield "play on an Idle Date"


def play_by_chance(campaign: Campaign, rng: Random) -> int:
    for count in range(1500):
        waiting = campaign.pending()
        if not waiting:
            return count
        pending = rng.choice(waiting)
        assert pending.question is not None
        campaign.answer(pending.side, pending.key, pending.question.sample(rng))
        assert not list(faults(campaign))
    raise AssertionError("it never ends")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("charts", [True, False])
def test_by_chance_to_the_end(seed: int, charts: bool) -> None:
    campaign = opened(seed, tables=charts, charts={} if charts else BARE)
    play_by_chance(campaign, Random(seed))
    state = campaign.state
    assert state.round is Round.OVER
    assert state.ending
    assert state.number == 4
    # The record gives the same again.
    again = Campaign(campaign.store, clock=lambda: NOON, ruleset=toy_rules())
    assert again.state == state


@pytest.mark.parametrize("seed", range(4))
def test_the_whole_ruleset_by_chance(seed: int) -> None:
    campaign = opened(seed, RULESET, tables=bool(seed % 2), charts=BARE if seed > 1 else {})
    play_by_chance(campaign, Random(seed))
    assert campaign.state.round is Round.OVER
    again = Campaign(campaign.store, clock=lambda: NOON, ruleset=RULESET)
    assert again.state == campaign.state


def test_listed_areas_by_chance() -> None:
    sides = {"axis": {"areas": {"North": ["G1-G4"]}, "controls": ["North"]}, "allied": {"controls": ["B4"]}}
    listed = {"areas": "listed", "sides": sides}
    campaign = opened(9, card=listed)
    play_by_chance(campaign, Random(3))
    assert campaign.state.round is Round.OVER
    assert campaign.state.ground.control


def until(campaign: Campaign, key: str) -> None:
    """Take proposals until a question is open."""
    for _ in range(400):
        waiting = campaign.pending()
        if any(pending.key == key for pending in waiting):
            return
        question = waiting[0].question
        assert question is not None
        campaign.answer(waiting[0].side, waiting[0].key, question.default)
    raise AssertionError(f"nobody was asked {key}")


def test_a_chit_is_sealed_until_the_other_is_in() -> None:
    told = {}
    for chit in ("attack", "idle"):
        campaign = opened(1)
        until(campaign, "chit")
        before = view(campaign, "allied")
        campaign.answer("axis", "chit", chit)
        seen = view(campaign, "allied")
        assert seen.state == before.state
        told[chit] = repr([(one.number, one.entry.type, one.entry.body) for one in seen.log])
        campaign.answer("allied", "chit", "attack")
        assert view(campaign, "allied").state.scenario.chits == {"axis": chit, "allied": "attack"}
    # Whatever was chosen, the other side gets the same.
    assert told["attack"] == told["idle"]


def test_idle_dates_to_the_end() -> None:
    campaign = opened(2)
    for _ in range(3):
        until(campaign, "chit")
        for side in SIDES:
            campaign.answer(side, "chit", "idle")
    state = campaign.state
    assert state.round is Round.OVER
    assert [line.idle for line in (*state.past, state.scenario)] == [False, True, True, True]
    assert state.winner == "axis"


def test_what_a_card_omits_is_left_out() -> None:
    campaign = opened(2, card={"omit": ["shift", "elr-change", "ammunition-shortage"]})
    play_by_chance(campaign, Random(2))
    steps = {entry.body["step"] for entry in campaign.entries if entry.type == "step"}
    assert not steps & {"shift", "elr-change", "ammunition-shortage"}
    assert "shift-and-repair" in steps
    assert not any(entry.body["key"] == "shift" for entry in campaign.entries if entry.type == "answer")
