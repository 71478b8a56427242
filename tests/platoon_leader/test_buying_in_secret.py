"""PL 2.3 to 2.38 under the engine: what one side buys leaves no trace in the other's view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.campaign.forms import YesNo
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.questions import Question
from laager.campaign.steps import Procedure, Step, ask, step
from laager.campaign.views import view
from laager.rules.board.card.parts import SIDES
from laager.rules.platoon_leader.buying.fortifications import fortifying
from laager.rules.platoon_leader.buying.leaders import leader_determination
from laager.rules.platoon_leader.buying.oba import oba_ammunition
from laager.rules.platoon_leader.buying.purchase import purchasing
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.beginning import beginning, initial_control
from laager.rules.platoon_leader.firefight.weather import weather
from laager.rules.platoon_leader.ruleset import RULESET
from laager.rules.platoon_leader.sheets.view import describe
from laager.rules.platoon_leader.state import PlState
from tests.platoon_leader.small import card_data, map_data


@step("PL 2.4", "Setup")
def to_be_set_up(cg: Cg) -> Procedure[None]:
    """Wait: at its end everybody sees all of a campaign."""
    yield from ask(Question("go-on", "axis", "Go on?", YesNo(), default=True))


BUYING = (
    beginning,
    initial_control,
    weather,
    purchasing,
    oba_ammunition,
    leader_determination,
    fortifying,
    to_be_set_up,
)


class Buying:
    """The steps up to the purchases as a ruleset of their own."""

    id = "buying"
    title = "Buying"
    sides = SIDES
    facts: Mapping[str, type[Fact]] = RULESET.facts
    steps: Mapping[str, Step] = {step.id: step for step in BUYING}

    def context(self, opening: Mapping[str, Any]) -> Cg:
        return Cg(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> PlState:
        return PlState.empty(viewer)

    def next_step(self, state: PlState) -> Step | None:
        return next((step for step in BUYING if step.id not in state.done), None)

    def step_done(self, state: PlState, step: str) -> PlState:
        return replace(state, done=(*state.done, step))

    def describe(self, state: PlState) -> dict[str, Any]:
        return describe(state)


def opened() -> MemoryStore:
    setting = {"card": card_data(), "map": map_data(), "readings": {}}
    noon = datetime(2024, 1, 1, tzinfo=UTC)
    store = MemoryStore()
    store.append(opening_entries("buying", "Buying", setting, seed=bytes(32), at=noon))
    return store


def campaign(store: MemoryStore) -> Campaign:
    return Campaign(store, clock=lambda: datetime(2024, 1, 1, tzinfo=UTC), ruleset=Buying())


def bought(seed: int, *, reopen: bool = False) -> Campaign:
    """Buy as chance has it for the Allies (nothing, if `seed` is 0), nothing for the Axis."""
    rng = Random(seed)
    store = opened()
    played = campaign(store)
    while pending := played.advance():
        wanted = pending[0]
        assert wanted.question is not None
        if wanted.key == "go-on":
            break
        by_chance = seed and wanted.side == "allied" and wanted.key != "agreements"
        value = wanted.question.sample(rng) if by_chance else wanted.question.form.blank
        played.answer(wanted.side, wanted.key, value)
        if reopen:
            played = campaign(store)
    return played


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_enemys_view_is_the_same_whatever_was_bought(seed: int) -> None:
    plain, rich = bought(0), bought(seed)
    axis = [view(one, "axis") for one in (plain, rich)]
    assert describe(axis[0].state) == describe(axis[1].state)
    shown = [[(seen.number, seen.entry.type, seen.entry.body, seen.entry.at) for seen in one.log] for one in axis]
    assert shown[0] == shown[1]


def test_the_buyers_own_view_and_the_umpires_hold_all() -> None:
    rich = bought(3)
    assert len(rich.entries) > len(bought(0).entries)
    own = view(rich, "allied").state
    truth = rich.state
    assert own.side("allied") == truth.side("allied")
    assert [g for g in own.groups.values() if g.side == "allied"] == list(truth.groups_of("allied"))
    assert [u for u in own.units.values() if u.side == "axis"] == []


@pytest.mark.parametrize("seed", [2, 5])
def test_cut_off_anywhere_it_goes_on_as_before(seed: int) -> None:
    whole, pieces = bought(seed), bought(seed, reopen=True)
    assert describe(pieces.state) == describe(whole.state)
    assert [entry.body for entry in pieces.entries] == [entry.body for entry in whole.entries]
