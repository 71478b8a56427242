"""Being asked must not tell: each step is played in worlds that differ in one side's secrets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.campaign.log import MemoryStore
from laager.dice.sources import DiceSource
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged, PatrolsChanged
from laager.rules.platoon_leader.ruleset import RULESET
from laager.rules.platoon_leader.sequence import SEQUENCES
from tests.platoon_leader.campaigns import NOON, autoplay, new_campaign
from tests.worlds import moments, pairs_of


def unopened(store: MemoryStore, dice: DiceSource | None = None) -> Campaign:
    """A campaign that has not gone on yet."""
    return Campaign(store, dice, clock=lambda: NOON, ruleset=RULESET)


@cache
def played(seed: int) -> Campaign:
    campaign = new_campaign("walkthrough", seed=bytes([seed] * 32))
    autoplay(campaign, Random(seed))
    return campaign


def purse(campaign: Campaign, side: str, which: str) -> Iterator[Fact]:
    """Patrols and CP, which nobody else knows of."""
    own = campaign.state.side(side)
    if which == "bare":
        yield PatrolsChanged(side=side, by=-own.patrols, to=(side,))
        yield CpChanged(side=side, by=-own.cp, to=(side,))
    elif which == "rich":
        yield PatrolsChanged(side=side, by=2, to=(side,))
        yield CpChanged(side=side, by=9, to=(side,))


PLAIN_SIGHT = frozenset({"in-enemy-mlr", "isolated", "in-uncontrolled-terrain", "in-no-mans-land"})
"""Redeployment, for which a side is asked as soon as it has units outside its MLRs.

There nobody stays hidden (PL 3.212): such units stand on the map in sight of both, under "?" at
most. So worlds differ in what is inside the MLRs.
"""

SEEDS = (1, 2, 5)

PARTS = {part.id for step in SEQUENCES.steps.values() for part in step.parts}
"""Steps in whose place another stands: only campaigns that began with them go through them."""


def friendly(campaign: Campaign, side: str) -> frozenset[str]:
    """The hexes of a side's MLRs."""
    cg: Cg = campaign.context  # type: ignore[assignment]
    return cg.friendly_area(side)


def leaks_of(step: str, seed: int) -> list[str]:
    area = friendly if step in PLAIN_SIGHT else None
    return list(pairs_of(played(seed), step, Random(seed), unopened, [purse], area))


@pytest.mark.parametrize("step", sorted(SEQUENCES.steps.keys() - PARTS))
def test_no_step_tells_what_a_side_hides(step: str) -> None:
    seed = next(seed for seed in SEEDS if step in moments(played(seed)))
    told = leaks_of(step, seed)
    assert not told, "\n".join(told)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3, 8))
def test_no_campaign_tells_what_a_side_hides(seed: int) -> None:
    steps = [step for step in sorted(moments(played(seed))) if SEQUENCES.steps[step].each_side]
    told = [leak for step in steps for leak in leaks_of(step, seed)]
    assert not told, "\n".join(told)
