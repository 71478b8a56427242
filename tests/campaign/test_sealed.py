"""Sealed rolls: faces and modifiers that not even the side that rolls may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from laager.campaign.audit import audit
from laager.campaign.describing import pending_json
from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.questions import no_decision
from laager.campaign.steps import Context, Procedure, Step, ask, roll, step
from laager.campaign.views import view
from laager.dice import Dice, Modifier

NOON = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Done:
    steps: tuple[str, ...] = ()


@step("TOY 1", "Scouting")
def scouting(cg: Context) -> Procedure[None]:
    """Red scouts; whoever lies in wait adds to its DR."""
    own, unseen = [Modifier(2, "by day", "TOY 1")], [Modifier(1, "in wait", "TOY 1")]
    yield from roll("red", "Scouting", Dice.DR, own, unseen=unseen)
    yield from ask(no_decision("home", "red", "The scouts are back."))


class Scouts:
    """A ruleset of one step."""

    id = "scouts"
    title = "Scouts"
    sides = ("red", "blue")
    facts: Mapping[str, type[Fact]] = {}
    steps: Mapping[str, Step] = {scouting.id: scouting}

    def context(self, opening: Mapping[str, Any]) -> Context:
        return Context()

    def start(self, opening: Mapping[str, Any], viewer: str) -> Done:
        return Done()

    def next_step(self, state: Done) -> Step | None:
        return None if state.steps else scouting

    def step_done(self, state: Done, step: str) -> Done:
        return replace(state, steps=(*state.steps, step))


def scouted(*, entered: bool) -> Campaign:
    store = MemoryStore()
    store.append(opening_entries("scouts", "Scouts", {}, entered, bytes(32), NOON))
    campaign = Campaign(store, clock=lambda: NOON, ruleset=Scouts())  # type: ignore[arg-type]
    campaign.advance()
    return campaign


@pytest.mark.parametrize("viewer", ["red", "blue", "spectator"])
def test_only_the_umpire_sees_a_sealed_roll_until_all_is_over(viewer: str) -> None:
    campaign = scouted(entered=False)
    (rolled,) = [s.entry.body for s in view(campaign, "umpire").log if s.entry.type == "roll"]
    assert [one["value"] for one in rolled["modifiers"]] == [2, 1]
    assert rolled["final"] == sum(rolled["faces"]) + 3
    assert "roll" not in {seen.entry.type for seen in view(campaign, viewer).log}
    campaign.answer("red", "home", [])
    assert "roll" in {seen.entry.type for seen in view(campaign, viewer).log}
    assert audit(campaign).sound


def test_who_enters_the_dice_is_shown_what_it_may_know() -> None:
    campaign = scouted(entered=True)
    (asked,) = view(campaign, "red").pending
    assert "in wait" not in repr(asked.roll)
    assert [one["value"] for one in pending_json(asked)["modifiers"]] == [2]
    assert "in wait" in repr([one.roll for one in view(campaign, "umpire").pending])
    assert view(campaign, "blue").pending == ()
    campaign.answer("red", "roll", [3, 4])
    (rolled,) = [entry.body for entry in campaign.entries if entry.type == "roll"]
    assert rolled["final"] == 10
