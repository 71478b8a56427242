"""Taking back in a purchase in secret: a side goes back in its own lane, and the other's stays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign import undo
from laager.campaign.describing import wishes
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.log import MemoryStore
from laager.campaign.views import view
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.terms import SIDES, other_side
from tests.design_your_own.harness import by_chance, new_purchase, ob_of, proven


def answer(campaign: Campaign, side: str, rng: Random, number: int = 1) -> None:
    """Let a side answer so many of its questions."""
    for _ in range(number):
        wanted = next(one for one in campaign.pending() if one.side == side)
        assert wanted.question is not None
        campaign.answer(side, wanted.key, wanted.question.sample(rng))


def begun(seed: int) -> tuple[Campaign, Random]:
    campaign, rng = new_purchase(), Random(seed)
    for side in ("axis", "allied", "axis", "allied", "axis"):
        answer(campaign, side, rng, 2)
    return campaign, rng


def take_back(campaign: Campaign, side: str, to: int | None = None) -> None:
    if not undo.ask(campaign, side, undo.target(campaign, side, to)):
        undo.consent(campaign, other_side(side), True)


def own_of(campaign: Campaign, side: str) -> list[Any]:
    return [entry for entry in campaign.history.counted if entry.lane == side]


def read_again(campaign: Campaign) -> Campaign:
    assert isinstance(campaign.store, MemoryStore)
    return Campaign(MemoryStore(campaign.store.data), ruleset=RULESET)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2, 3))])
def test_what_the_other_side_bought_and_rolled_stays(side: str, seed: int) -> None:
    campaign, rng = begun(seed)
    enemy = other_side(side)
    bought, rows, asked = ob_of(campaign, enemy), own_of(campaign, enemy), campaign.pending()
    first = next(one for one in view(campaign, side).log if one.entry.lane == side)
    take_back(campaign, side, first.number - 1)
    assert own_of(campaign, side) == []
    assert ob_of(campaign, side).total == 0
    assert (ob_of(campaign, enemy), own_of(campaign, enemy)) == (bought, rows)
    assert [one.key for one in campaign.pending() if one.side == enemy] == [
        one.key for one in asked if one.side == enemy
    ]
    assert read_again(campaign).state == campaign.state
    assert view(read_again(campaign), enemy).log == view(campaign, enemy).log
    by_chance(campaign, rng)
    proven(campaign)
    proven(read_again(campaign))


@pytest.mark.parametrize("side", SIDES)
def test_it_is_brought_back_as_it_was_and_the_other_side_keeps_what_came_since(side: str) -> None:
    campaign, rng = begun(7)
    rows, enemy = own_of(campaign, side), other_side(side)
    take_back(campaign, side)
    assert len(own_of(campaign, side)) < len(rows)
    answer(campaign, enemy, rng)
    since = own_of(campaign, enemy)
    undo.redo(campaign, side)
    undo.consent_redo(campaign, enemy, True)
    assert own_of(campaign, side) == rows
    assert own_of(campaign, enemy) == since
    numbers = [entry.number for entry in campaign.history.counted]
    assert numbers == sorted(numbers)
    assert read_again(campaign).state == campaign.state
    by_chance(campaign, rng)
    proven(campaign)


def test_both_sides_take_back_and_bring_back_by_turns() -> None:
    campaign, rng = begun(9)
    for number in range(24):
        side = SIDES[number % 2]
        try:
            if number % 3 == 2:
                undo.redo(campaign, side)
                undo.consent_redo(campaign, other_side(side), True)
            else:
                take_back(campaign, side)
        except RefusedError:
            pass
        campaign.advance()
        if any(one.side == side for one in campaign.pending()):
            answer(campaign, side, rng)
        again = read_again(campaign)
        assert again.state == campaign.state
        for viewer in (*SIDES, UMPIRE):
            assert view(again, viewer).state == view(campaign, viewer).state
            assert view(again, viewer).log == view(campaign, viewer).log
    by_chance(campaign, rng)
    proven(campaign)


def test_the_other_side_sees_that_nothing_of_its_own_would_go() -> None:
    campaign, _ = begun(3)
    undo.ask(campaign, "axis", undo.target(campaign, "axis"))
    [wish] = wishes(campaign, view(campaign, "allied"))
    assert wish.text.endswith("nothing that you can see would go")
    [wish] = wishes(campaign, view(campaign, "axis"))
    assert wish.entries > 0


def test_the_same_dice_never_fall_again() -> None:
    campaign, rng = begun(5)
    rolls = {(one.body["stream"], one.body["number"]) for one in campaign.entries if one.type == "roll"}
    take_back(campaign, "axis", next(one for one in view(campaign, "axis").log if one.entry.lane == "axis").number - 1)
    before = len(campaign.entries)
    by_chance(campaign, rng)
    later = [(one.body["stream"], one.body["number"]) for one in campaign.entries[before:] if one.type == "roll"]
    assert not rolls & set(later)


def test_the_umpire_takes_back_for_all() -> None:
    campaign, _ = begun(2)
    undo.ask(campaign, UMPIRE, undo.step_start(campaign) + 1)
    assert own_of(campaign, "axis") == own_of(campaign, "allied") == []


def test_what_was_shown_is_taken_back_by_all() -> None:
    """Once both are through, the other side has built on it."""
    campaign, rng = new_purchase(), Random(4)
    for side in SIDES:
        while campaign.step and campaign.step.id == "buying" and any(p.side == side for p in campaign.pending()):
            answer(campaign, side, rng)
    assert campaign.step is not None
    assert campaign.step.id != "buying"
    start = undo.step_start(campaign)
    first = next(one for one in view(campaign, "axis").log if one.entry.lane == "axis")
    take_back(campaign, "axis", first.number - 1)
    assert start > campaign.history.counted[-1].number
    last = campaign.history.counted[-1]
    assert all(entry.number <= last.number for entry in own_of(campaign, "allied"))
