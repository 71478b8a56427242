"""Whole campaigns cut off anywhere, taken back, brought back, and proven from their logs."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.campaign import undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE, may_see
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.views import state_at, view
from laager.rules.board.card.parts import SIDES
from laager.rules.platoon_leader.ruleset import RULESET
from laager.rules.platoon_leader.state import PlState
from tests.platoon_leader.campaigns import (
    NOON,
    answer_by_chance,
    autoplay,
    faults,
    fresh_store,
    opened,
    playable,
    view_faults,
)


def begun(number: int, *, entered: bool = False) -> Campaign:
    return opened(fresh_store(seed=number.to_bytes(32, "big"), entered=entered))


def lines_of(campaign: Campaign) -> list[bytes]:
    assert isinstance(campaign.store, MemoryStore)
    return campaign.store.data.splitlines(keepends=True)


@pytest.fixture(scope="module", params=[pytest.param(11, marks=pytest.mark.soak), 12])
def whole(request: pytest.FixtureRequest) -> Campaign:
    """A campaign played by chance to its end; the second one with dice that players rolled."""
    campaign = begun(request.param, entered=request.param == 12)
    autoplay(campaign, Random(request.param), wild=0.3)
    return campaign


def cut_off(lines: list[bytes], at: int) -> Campaign:
    """The campaign as it stands in the first so many lines of its log; nothing is added."""
    return Campaign(MemoryStore(b"".join(lines[:at])), clock=lambda: NOON, ruleset=RULESET)


def folded(campaign: Campaign, entries: Iterable[Entry], viewer: str = UMPIRE) -> PlState:
    """The sum of all that some entries tell a viewer: a second, plain way to a state."""
    state: PlState = RULESET.start(campaign.opening, viewer)
    for entry in entries:
        if entry.type in {"fact", "declared"} and may_see(entry.to, viewer):
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            state = RULESET.step_done(state, entry.body["step"])
    return state


def content(entries: Iterable[Entry]) -> list[tuple[Any, ...]]:
    return [(entry.type, entry.body, entry.lane, entry.to) for entry in entries]


# Cut off ----------------------------------------------------------------------------------------


def some_cuts(whole: Campaign, count: int, seed: int) -> list[int]:
    last = len(whole.entries)
    return sorted({2, last, *Random(seed).sample(range(2, last), count)})


def test_a_log_gives_the_same_state_at_every_cut(whole: Campaign) -> None:
    lines = lines_of(whole)
    for at in some_cuts(whole, 20, seed=1):
        cut, entries = cut_off(lines, at), whole.entries[:at]
        assert cut.state == folded(whole, entries), f"after {at} entries"
        assert cut.state == state_at(whole, UMPIRE, at), f"after {at} entries"
        for side in SIDES:
            eyes = UMPIRE if cut.over else side
            assert view(cut, side).state == folded(whole, entries, eyes), f"after {at}, {side}"


def test_views_hold_at_every_cut(whole: Campaign) -> None:
    """Nobody's view breaks down wherever a file ends, or holds what was never told."""
    lines = lines_of(whole)
    for at in some_cuts(whole, 20, seed=2):
        cut = cut_off(lines, at)
        for side in SIDES:
            seen = view(cut, side)
            strangers = [u.id for u in seen.state.units.values() if u.side != side]
            real = {unit.id: unit for unit in cut.state.units.values()}
            known = (cut.over or real[name].known or not real[name].in_play for name in strangers)
            assert all(known)
            assert RULESET.describe(seen.state)
            assert RULESET.headline(cut.context, seen.state)
            assert RULESET.sheets(cut.context, seen.state)
            assert RULESET.drawing(cut.context, seen.state)


def test_a_campaign_cut_off_anywhere_goes_on_as_it_went(whole: Campaign) -> None:
    """Given the answers and dice that were given, the same happens to the last word."""
    lines = lines_of(whole)
    for at in some_cuts(whole, 6, seed=3):
        again = cut_off(lines, at)
        again.advance()
        while len(again.entries) < len(whole.entries):
            following = whole.entries[len(again.entries)]
            if following.type == "answer":
                body = following.body
                again.answer(body["side"], body["key"], body["value"])
            else:
                assert following.body.get("source") in {"entered", "rolled"}, following
                again.roll_for(following.body["side"])
        assert content(again.entries) == content(whole.entries), f"from {at} on"
        assert again.state == whole.state


def test_a_whole_campaign_is_proven(whole: Campaign) -> None:
    result = audit(whole)
    assert result.sound, result.findings
    assert result.facts == sum(entry.type == "fact" for entry in whole.entries)
    entered = whole.opening["dice"]["mode"] == "entered"
    assert result.rolls > 20
    assert (result.entered == 0) or entered


# Taken back and brought back --------------------------------------------------------------------


def everything(campaign: Campaign) -> tuple[Any, ...]:
    """All that a campaign is at a moment, but for its log."""
    asked = [(p.side, p.key, p.lane, p.step.id) for p in campaign.pending()]
    views = [view(campaign, side).state for side in SIDES]
    return campaign.state, asked, views, content(campaign.history.counted)


def test_what_was_taken_back_can_be_brought_back(whole: Campaign) -> None:
    lines, rng = lines_of(whole), Random(4)
    # Not at its end: what was over stays over.
    for at in some_cuts(whole, 12, seed=4)[1:-1]:
        campaign = cut_off(lines, at)
        before = everything(campaign)
        target = rng.randint(2, at - 1)
        undo.ask(campaign, UMPIRE, target)
        assert campaign.state == folded(campaign, campaign.entries[:target])
        assert content(campaign.history.counted) == content(campaign.entries[:target])
        undo.redo(campaign, UMPIRE)
        assert everything(campaign) == before
        again = cut_off(lines_of(campaign), len(campaign.entries))
        assert everything(again) == before


def test_taking_back_needs_the_other_side(whole: Campaign) -> None:
    campaign = cut_off(lines_of(whole), len(whole.entries) // 2)
    before = everything(campaign)
    undo.ask(campaign, "axis", undo.last_input(campaign) - 1)
    undo.consent(campaign, "allied", agree=False)
    assert everything(campaign) == before
    undo.ask(campaign, "axis", undo.last_input(campaign) - 1)
    undo.consent(campaign, "allied", agree=True)
    assert len(campaign.history.counted) < len(before[-1])


def test_what_was_answered_can_be_answered_otherwise(whole: Campaign) -> None:
    """After taking back, other answers lead on; the same dice are not met again."""
    campaign = cut_off(lines_of(whole), len(whole.entries) // 2)
    undo.ask(campaign, UMPIRE, len(whole.entries) // 3)
    campaign.advance()
    autoplay(campaign, Random(5))
    assert content(campaign.history.counted) != content(whole.entries)
    rolled = [e.body for e in campaign.entries if e.type == "roll" and e.body["source"] == "rolled"]
    numbers = [(body["stream"], body["number"]) for body in rolled]
    assert len(numbers) == len(set(numbers))
    assert audit(campaign).sound
    with pytest.raises(RefusedError, match="taken back"):
        undo.redo(campaign, UMPIRE)


# Anything at all --------------------------------------------------------------------------------


@settings(max_examples=10, deadline=None)
@given(number=st.integers(0, 2**16), entered=st.booleans())
def test_whatever_is_done_with_a_campaign_it_holds_together(number: int, entered: bool) -> None:
    """Answers, taking back and bringing back, opening the file again: in any order."""
    rng = Random(number)
    campaign = begun(number, entered=entered)
    for _ in range(60):
        what = rng.choices(("answer", "back", "again", "reopen"), (20, 2, 2, 1))[0]
        if what == "answer" and campaign.pending():
            answer_by_chance(campaign, rng.choice(campaign.pending()), rng, wild=0.4)
        elif what == "back" and campaign.pending():
            counted = campaign.history.counted
            undo.ask(campaign, UMPIRE, rng.choice(counted[1:-1]).number)
            if rng.random() < 0.5:
                campaign.advance()
        elif what == "again" and campaign.history.set_aside:
            undo.redo(campaign, UMPIRE)
        elif what == "reopen":
            campaign = cut_off(lines_of(campaign), len(campaign.entries))
        assert campaign.state == folded(campaign, campaign.history.counted)
    campaign.advance()
    assert not list(faults(campaign.state, playable(campaign)))
    assert not list(view_faults(campaign))
    assert audit(campaign).sound, audit(campaign).findings
