"""Platoon Leader as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from laager.campaign.facts import Fact
from laager.campaign.steps import Step
from laager.rules.platoon_leader.card import SIDES
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import all_facts
from laager.rules.platoon_leader.sequence import SEQUENCES, STEPS, next_step
from laager.rules.platoon_leader.state import PlState, empty_state
from laager.rules.platoon_leader.summary import describe


class PlatoonLeader:
    """The ruleset `pl`."""

    id = "pl"
    title = "Platoon Leader 2.5"
    sides = SIDES

    def __init__(self) -> None:
        self.facts: Mapping[str, type[Fact]] = all_facts()
        self.steps: Mapping[str, Step] = STEPS

    def context(self, opening: Mapping[str, Any]) -> Cg:
        """Return the context of a campaign."""
        return Cg(opening)

    def start(self, opening: Mapping[str, Any], viewer: str) -> PlState:
        """Return the state before the first fact; the card's numbers come with CampaignBegun."""
        return empty_state(viewer)

    def next_step(self, state: PlState) -> Step | None:
        """Return the step that comes next."""
        return next_step(state)

    def step_done(self, state: PlState, step: str) -> PlState:
        """Tick a step off; the step that began another round belongs to the old one."""
        if step not in {due.id for due in SEQUENCES[state.round]}:
            return state
        return replace(state, done=(*state.done, step))

    def describe(self, state: PlState) -> dict[str, Any]:
        """Return a viewer's state as JSON."""
        return describe(state)


RULESET = PlatoonLeader()
