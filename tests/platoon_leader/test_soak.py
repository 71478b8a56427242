"""Whole campaigns played by chance: no error, no dead end, nothing that can't be.

A few in every run, hundreds with `make soak`.
"""

from __future__ import annotations

from random import Random

import pytest

from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.pending import Pending
from laager.campaign.readings import Readings
from laager.rules.platoon_leader.context import PACKAGE
from tests.platoon_leader.campaigns import autoplay, faults, new_campaign, playable, taken, view_faults

SHIPPED = "rzhavets"


def soak(card: str, number: int, looks: float, wild: float) -> Campaign:
    """Play one campaign by chance and look at it after every answer.

    Every proposal has to be legal. `looks` is how often both sides' views are looked at, `wild` how
    often an answer is tried that nobody would give. Odd numbers play by readings chosen by chance.
    """
    rng = Random(number)
    readings = chosen_readings(rng) if number % 2 else {}
    campaign = new_campaign(card, seed=number.to_bytes(32, "big"), readings=readings)

    def look(campaign: Campaign, pending: Pending) -> None:
        where = f"{card} {number}, after {pending.step.id}/{pending.key}"
        assert not list(faults(campaign.state, playable(campaign))), where
        for asked in campaign.pending():
            if asked.question is not None:
                assert asked.question.allows(asked.question.default), f"{where}: {asked.key}"
        if rng.random() < looks:
            assert not list(view_faults(campaign)), where

    autoplay(campaign, rng, after=look, wild=wild)
    assert not list(view_faults(campaign))
    assert audit(campaign).sound
    return campaign


def chosen_readings(rng: Random) -> dict[str, str]:
    readings = Readings.load_packaged(PACKAGE)
    return {name: rng.choice(sorted(readings[name].options)) for name in readings}


@pytest.mark.parametrize("number", [1, *(pytest.param(number, marks=pytest.mark.soak) for number in (0, 2, 3))])
def test_campaigns_of_the_worked_card_are_played_to_their_end(number: int) -> None:
    campaign = soak("walkthrough", number, looks=0.1, wild=0.4)
    assert len(campaign.state.past) + 1 == 3


def test_a_campaign_of_the_shipped_card_is_played_to_its_end() -> None:
    campaign = soak(SHIPPED, 0, looks=0.03, wild=0.4)
    assert campaign.state.ending


def test_a_campaign_can_be_played_by_proposals_alone() -> None:
    for card in ("walkthrough", SHIPPED):
        campaign = new_campaign(card)
        while campaign.pending():
            pending = campaign.pending()[0]
            assert pending.question is not None
            assert taken(campaign, pending, pending.question.default), pending.key
        assert campaign.state.ending


@pytest.mark.soak
@pytest.mark.parametrize("card", ["walkthrough", SHIPPED])
@pytest.mark.parametrize("number", range(100, 350))
def test_five_hundred_campaigns(card: str, number: int) -> None:
    soak(card, number, looks=0.05, wild=(number % 5) / 5)
