from __future__ import annotations

import pytest

from laager.base import RefusedError
from laager.campaign import ending, undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.facts import may_see
from laager.campaign.log import MemoryStore, StagedStore
from laager.campaign.telling import log_in_words
from laager.campaign.views import number_when_over, state_at, view
from laager.dice import SeededDice
from tests.campaign.toy import SEED, TOY, RoundOver, fresh_store, play_round, toy_campaign

OVER = RoundOver(over=True)


def test_conceding_breaks_the_step_off_and_survives_a_reload() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    campaign.answer("red", "amount", 3)
    ending.concede(campaign, OVER)
    assert campaign.state.over
    assert campaign.pending() == ()
    again = Campaign(MemoryStore(store.data), ruleset=TOY)
    assert again.state == campaign.state
    assert again.advance() == ()
    assert audit(again).sound
    with pytest.raises(RefusedError, match="over already"):
        ending.concede(again, OVER)


def test_a_draw_needs_both_sides() -> None:
    campaign = toy_campaign()
    ending.propose(campaign, "red")
    with pytest.raises(RefusedError, match="the other side must answer"):
        ending.propose(campaign, "red")
    with pytest.raises(RefusedError, match="the other side must agree"):
        ending.answer(campaign, "red", True, OVER)
    ending.answer(campaign, "blue", False, OVER)
    assert not campaign.state.over
    with pytest.raises(RefusedError, match="nobody has asked to end"):
        ending.answer(campaign, "blue", True, OVER)
    ending.propose(campaign, "blue")
    ending.answer(campaign, "red", True, OVER)
    assert campaign.state.over


def test_the_end_shows_the_dice_and_is_final() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    assert SEED.hex() not in repr(view(campaign, "red"))
    number = campaign.version
    ending.concede(campaign, OVER)
    shown = view(campaign, "red").log[-1].entry
    assert (shown.type, shown.body["seed"]) == ("revealed", SEED.hex())
    assert SeededDice.verify(SEED, campaign.opening["dice"]["commitment"])
    with pytest.raises(RefusedError, match="nothing can be taken back any more"):
        undo.ask(campaign, "umpire", number)
    again = Campaign(MemoryStore(store.data), ruleset=TOY)
    again.advance()
    assert [entry.type for entry in again.entries].count("revealed") == 1
    assert audit(again).sound


def test_a_staged_store_keeps_all_or_nothing() -> None:
    store = fresh_store()
    staged = StagedStore(store)
    campaign = Campaign(staged, ruleset=TOY)
    campaign.advance()
    play_round(campaign)
    before = store.data
    assert before.count(b"\n") == 2
    staged.commit()
    staged.commit()
    assert Campaign(store, ruleset=TOY).state == campaign.state
    assert store.data.startswith(before)


@pytest.mark.parametrize("viewer", ["red", "blue", "spectator"])
def test_when_it_is_over_everybody_sees_what_the_umpire_sees_and_not_before(viewer: str) -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    campaign.answer("blue", "amount", 4)
    campaign.answer("blue", "bid", 10)
    campaign.answer("red", "bid", 20)
    before = view(campaign, viewer)
    assert set(before.state.secrets) == {viewer} - {"spectator"}
    said = [one.line for one in log_in_words(campaign, before)]
    campaign.answer("red", "more", False)
    after, all_ = view(campaign, viewer), view(campaign, "umpire")
    assert (after.viewer, after.eyes) == (viewer, "umpire")
    assert (after.state, after.log) == (all_.state, all_.log)
    assert set(after.state.secrets) == {"red", "blue"}
    now = [one.line for one in log_in_words(campaign, after)]
    assert len(now) > len(said) + 1
    assert now == [one.line for one in log_in_words(campaign, all_)]
    for number in (1, len(after.log) // 2, len(after.log)):
        assert state_at(campaign, viewer, number) == state_at(campaign, "umpire", number)


def test_entries_have_their_real_numbers_when_all_is_over() -> None:
    campaign = toy_campaign()
    play_round(campaign, more=False)
    mine = [entry for entry in campaign.entries if may_see(entry.to, "blue")]
    for number, entry in enumerate(mine, start=1):
        assert number_when_over(campaign, "blue", number) == entry.number
    assert number_when_over(campaign, "blue", 999) == campaign.entries[-1].number
