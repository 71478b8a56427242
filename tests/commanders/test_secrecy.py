"""A commander knows what its side knows: whatever the enemy keeps secret, its answers are the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.commanders import commander_names, load_commander, seat_view
from tests.historical import test_being_asked as historical
from tests.historical.campaigns import SHIPPED
from tests.platoon_leader import test_being_asked as platoon_leader
from tests.worlds import Opened, bare, look, moments, rich, world

WORLDS: dict[str, tuple[Callable[[], Campaign], Opened, Callable[..., Iterator[Fact]]]] = {
    "walkthrough": (partial(platoon_leader.played, 1), platoon_leader.unopened, platoon_leader.purse),
    **{card: (partial(historical.played, card, 1), historical.unopened(card), historical.purse) for card in SHIPPED},
}
MOMENTS = 8
"""Steps of each campaign that are looked at, those in which sides decide most first."""


def begun(card: str, upto: int, secretive: str, kind: str) -> Campaign:
    """A step of a campaign in which a side has other secrets."""
    campaign, opened, purse = WORLDS[card]
    entries = campaign().entries[:upto]
    plain = world(entries, opened)
    more = bare(plain, secretive) if kind == "bare" else rich(plain, secretive, Random(upto))
    twin = world(entries, opened, [*more, *purse(plain, secretive, kind)] if kind else ())
    twin.advance()
    return twin


def answers(campaign: Campaign, side: str) -> dict[str, Any]:
    """What each commander who answers at once answers to all that a side is asked, and orders.

    Of the one who looks ahead tests/simulation/test_ahead.py asks the same.
    """
    given: dict[str, Any] = {}
    for name in commander_names(quick=True):
        commander = load_commander(name)
        for pending in campaign.pending():
            if pending.side == side and pending.question is not None:
                given[f"{name} {pending.key}"] = commander.decide(seat_view(campaign, side, Random(1)), pending)
        given[f"{name} orders"] = commander.orders(seat_view(campaign, side, Random(1)))
    return given


def asked(campaign: Campaign, side: str) -> list[str]:
    return [pending.key for pending in campaign.pending() if pending.side == side]


@pytest.mark.parametrize("card", WORLDS)
def test_no_commander_knows_what_the_enemy_hides(card: str) -> None:
    campaign = WORLDS[card][0]()
    places = [upto for step in moments(campaign).values() for upto in step[-2:]]
    compared = 0
    for upto in Random(1).sample(places, min(MOMENTS, len(places))):
        for watcher, secretive in (("axis", "allied"), ("allied", "axis")):
            plain = begun(card, upto, secretive, "")
            mine = answers(plain, watcher)
            for kind in ("bare", "rich"):
                twin = begun(card, upto, secretive, kind)
                if look(plain, watcher).log != look(twin, watcher).log or asked(plain, watcher) != asked(twin, watcher):
                    continue  # Something became public at once, or it is the other one's turn first.
                theirs = answers(twin, watcher)
                assert json.dumps(mine) == json.dumps(theirs), (upto, watcher, kind)
                compared += len(mine)
    assert compared > MOMENTS
