"""Being asked must not tell: each step is played in worlds that differ in one side's secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact
from laager.campaign.log import MemoryStore
from laager.campaign.ruleset import find_ruleset
from laager.dice.sources import DiceSource
from laager.rules.board.hasl.facts import CppChanged
from tests.historical.campaigns import NOON, SHIPPED, new_campaign
from tests.platoon_leader.campaigns import autoplay
from tests.worlds import moments, pairs_of


def unopened(card: str) -> Callable[[MemoryStore, DiceSource | None], Campaign]:
    """What opens a campaign of a card that has not gone on yet."""

    def opened(store: MemoryStore, dice: DiceSource | None = None) -> Campaign:
        return Campaign(store, dice, clock=lambda: NOON, ruleset=find_ruleset(SHIPPED[card]))

    return opened


@cache
def played(card: str, seed: int) -> Campaign:
    campaign = new_campaign(card, seed=bytes([seed] * 32))
    autoplay(campaign, Random(seed))
    return campaign


def purse(campaign: Campaign, side: str, which: str) -> Iterator[Fact]:
    """CPP, which nobody else knows of."""
    if which == "rich":
        yield CppChanged(side=side, by=9, to=(side,))


ON_PAPER = "take-up"
"""The step of campaigns that go on from a record, which these don't."""
OMITTED = {
    "rijnoord": (ON_PAPER,),
    "kokusa-ridge": (ON_PAPER,),
    "sorgiva": (ON_PAPER, "ammunition-shortage", "escape", "san-adjustment"),
}
"""Steps that these cards leave out, or that come too seldom."""

SEEDS = (1, 2)

PARTS = {
    part.id
    for ruleset in SHIPPED.values()
    for step in find_ruleset(ruleset).steps.values()
    for part in step.parts
    if step.each_side
}
"""Steps in whose place another stands."""

EACH_SIDE = [
    (card, name)
    for card, ruleset in SHIPPED.items()
    for name, step in sorted(find_ruleset(ruleset).steps.items())
    if (step.each_side and name not in PARTS) or (step.parts and not step.each_side)
]
"""The steps that each side does by itself, in secret, and those in which much is asked at once."""


def leaks_of(card: str, step: str, seed: int, half: bool = False) -> list[str]:
    campaign = played(card, seed)
    # Chance of its own for each step, so that half of the worlds are not the same half everywhere.
    return list(pairs_of(campaign, step, Random(f"{step} {seed}"), unopened(card), [purse], half=half))


@pytest.mark.parametrize(("card", "step"), EACH_SIDE)
def test_no_step_tells_what_a_side_hides(card: str, step: str) -> None:
    # A step that comes in no campaign so far may come in the next; most come in the first.
    seed = next((seed for seed in SEEDS if step in moments(played(card, seed))), None)
    assert seed is not None or step in OMITTED[card]
    told = leaks_of(card, step, seed, half=True) if seed is not None else []
    assert not told, "\n".join(told)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("card", sorted(SHIPPED))
def test_no_campaign_tells_what_a_side_hides(card: str, seed: int) -> None:
    steps = [name for one, name in EACH_SIDE if one == card and name in moments(played(card, seed))]
    told = [leak for step in steps for leak in leaks_of(card, step, seed)]
    assert not told, "\n".join(told)
