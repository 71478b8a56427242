"""Being asked must not tell: each step is played alike but for what one side buys in secret."""

from __future__ import annotations

from random import Random

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.rules.design_your_own.terms import SIDES, other_side
from tests.design_your_own.harness import new_purchase
from tests.worlds import leaks, look


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize("buyer", SIDES)
def test_no_step_tells_what_a_side_buys(buyer: str, first: str, seed: int) -> None:
    plain, twin = new_purchase(), new_purchase()
    chance, steps = Random(seed), set()
    while plain.pending() and same(plain, twin, buyer):
        steps.add(plain.step.id if plain.step else "")
        told = list(leaks(plain, twin, buyer, first, chance))
        assert not told, "\n".join(told)
    assert steps


def same(plain: Campaign, twin: Campaign, buyer: str) -> bool:
    """Whether nobody but the buyer sees a difference: the buyer's own choices may become public."""
    return all(look(plain, viewer).log == look(twin, viewer).log for viewer in (other_side(buyer), SPECTATOR))
