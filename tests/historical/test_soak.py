"""The shipped HASL campaigns played by chance: no error, no dead end, nothing that can't be.

A few in every run, hundreds with `make soak`.
"""

from __future__ import annotations

import pytest

from tests.historical.campaigns import SHIPPED, by_proposals, soak


@pytest.mark.parametrize("card", SHIPPED)
def test_a_campaign_is_played_to_its_end(card: str) -> None:
    soak(card, 1, looks=0.02, wild=0.2)


@pytest.mark.parametrize(
    "card", ["rijnoord", *(pytest.param(card, marks=pytest.mark.soak) for card in list(SHIPPED)[1:])]
)
def test_a_campaign_whose_owner_has_filled_in_no_charts_is_played_too(card: str) -> None:
    soak(card, 2, looks=0.02, wild=0.2, bare=True)


@pytest.mark.parametrize("card", SHIPPED)
def test_a_campaign_can_be_played_by_proposals_alone(card: str) -> None:
    assert by_proposals(card).state.ending


@pytest.mark.soak
@pytest.mark.parametrize("card", SHIPPED)
@pytest.mark.parametrize("number", range(100, 600))
def test_five_hundred_campaigns(card: str, number: int) -> None:
    soak(card, number, looks=0.03, wild=(number % 5) / 5, bare=number % 4 == 3)
