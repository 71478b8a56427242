from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.campaign import undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.views import view
from tests.campaign.toy import TOY, fresh_store, play_round, toy_campaign


def test_a_side_needs_the_others_consent() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    with pytest.raises(RefusedError, match="nobody has asked"):
        undo.consent(campaign, "blue", agree=True)
    undo.ask(campaign, "red", undo.last_input(campaign) - 1)
    with pytest.raises(RefusedError, match="the other side must agree"):
        undo.consent(campaign, "red", agree=True)
    assert campaign.state.points
    undo.consent(campaign, "blue", agree=True)
    campaign.advance()
    assert [pending.side for pending in campaign.pending()] == ["red", "blue"]
    assert campaign.state.points == {}


def test_a_refused_request_changes_nothing() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    state = campaign.state
    undo.ask(campaign, "red", undo.last_input(campaign) - 1)
    undo.consent(campaign, "blue", agree=False)
    assert campaign.state == state
    assert undo.asked(campaign) is None


def test_going_on_ends_a_request() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    undo.ask(campaign, "red", undo.last_input(campaign) - 1)
    campaign.answer("blue", "amount", 3)
    with pytest.raises(RefusedError, match="nobody has asked"):
        undo.consent(campaign, "blue", agree=True)


def test_dice_taken_back_never_come_again() -> None:
    campaign = toy_campaign()
    for _ in range(3):
        campaign.answer("red", "amount", 0)
        undo.ask(campaign, "umpire", undo.last_input(campaign) - 1)
        campaign.advance()
    campaign.answer("red", "amount", 0)
    numbers = [e.body["number"] for e in campaign.entries if e.type == "roll"]
    assert numbers == [1, 2, 3, 4]
    campaign.answer("blue", "amount", 0)
    assert audit(campaign).sound


def test_what_was_taken_back_stays_in_the_log_marked() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    undo.ask(campaign, "umpire", undo.last_input(campaign) - 1)
    answers = [seen for seen in view(campaign, "red").log if seen.entry.type == "answer"]
    assert [seen.counts for seen in answers] == [False]


def test_nothing_to_take_back() -> None:
    campaign = toy_campaign()
    with pytest.raises(RefusedError, match="nothing has been answered"):
        undo.last_input(campaign)
    with pytest.raises(RefusedError, match="nothing to take back to"):
        undo.ask(campaign, "umpire", 999)
    with pytest.raises(RefusedError, match="nothing was taken back"):
        undo.redo(campaign, "umpire")


def test_a_whole_step_can_be_taken_back() -> None:
    campaign = toy_campaign()
    play_round(campaign)
    campaign.answer("red", "amount", 2)
    campaign.answer("blue", "amount", 2)
    campaign.answer("red", "bid", 2)
    undo.ask(campaign, "umpire", undo.step_start(campaign))
    campaign.advance()
    assert [pending.key for pending in campaign.pending()] == ["bid", "bid"]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_undo_then_redo_is_the_identity(data: st.DataObject) -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    for side in data.draw(st.permutations(["red", "blue"])):
        campaign.answer(side, "amount", data.draw(st.integers(0, 9)))
    state, waiting = campaign.state, campaign.pending()
    targets = data.draw(
        st.lists(st.integers(2, campaign.version - 1), min_size=1, max_size=3, unique=True)
    )
    for target in sorted(targets, reverse=True):
        undo.ask(campaign, "umpire", target)
    for _ in targets:
        undo.redo(campaign, "umpire")
    assert campaign.state == state
    assert [(p.side, p.key) for p in campaign.pending()] == [(p.side, p.key) for p in waiting]
    assert Campaign(MemoryStore(store.data), ruleset=TOY).state == state
