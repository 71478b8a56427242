"""What the engine keeps between looks: a look is always what it would be if it were the first."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.campaign import undo, views
from laager.campaign.describing import pending_json
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE, Fact, may_see
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.pending import Pending
from laager.campaign.telling import lines_of, log_in_words, told_since
from laager.campaign.views import Seen, state_at, view
from tests.campaign.toy import SIDES, fresh_store, play_round, toy_campaign
from tests.historical import campaigns as hasl
from tests.platoon_leader import campaigns as pl
from tests.platoon_leader.campaigns import answer_by_chance
from tests.tries import tries

VIEWERS = (*SIDES, UMPIRE)
CARDS = ["rzhavets", pytest.param("rijnoord", marks=pytest.mark.soak)]


def plainly(campaign: Campaign, viewer: str, until: int | None = None) -> Any:
    """The viewer's state the long way: all that counts up to an entry, from the beginning."""
    viewer = UMPIRE if campaign.over else viewer
    state = campaign.ruleset.start(campaign.opening, viewer)
    for entry in campaign.history.counted:
        if until is None or entry.number <= until:
            state = after(campaign, viewer, state, entry)
    return state


def after(campaign: Campaign, viewer: str, state: Any, entry: Entry) -> Any:
    if entry.type == "done":
        return campaign.ruleset.step_done(state, entry.body["step"])
    if entry.type in {"fact", "declared"} and may_see(entry.to, viewer):
        return campaign.fact_of(entry).apply(state)
    return state


def seen_plainly(campaign: Campaign, viewer: str) -> tuple[Seen, ...]:
    viewer = UMPIRE if campaign.over else viewer
    counting = {entry.number for entry in campaign.history.counted}
    visible = [entry for entry in campaign.entries if may_see(entry.to, viewer)]
    # The seed of the dice is shown to nobody, not even to the umpire.
    visible = [replace(e, body={}) if e.type == "seed" else e for e in visible]
    return tuple(Seen(i, e, e.number in counting) for i, e in enumerate(visible, start=1))


def look(campaign: Campaign, viewer: str, rng: Random) -> None:
    """Look from one seat; everything is as it is for somebody who has never looked before."""
    seen = view(campaign, viewer)
    assert seen.state == plainly(campaign, viewer)
    assert seen.log == seen_plainly(campaign, viewer)
    again = anew(campaign)
    assert [one.line for one in log_in_words(campaign, seen)] == [
        one.line for one in log_in_words(again, view(again, viewer))
    ]
    back = rng.choice(seen.log)
    assert state_at(campaign, viewer, back.number) == plainly(campaign, viewer, back.entry.number)


def anew(campaign: Campaign) -> Campaign:
    assert isinstance(campaign.store, MemoryStore)
    return Campaign(MemoryStore(campaign.store.data), ruleset=campaign.ruleset)


def something(campaign: Campaign, rng: Random) -> None:
    """Answer, take back, bring back, ask for it, or read the log again."""
    what = rng.choice(["answer"] * 6 + ["undo", "undo", "redo", "ask", "reload"])
    last = campaign.history.counted[-1].number
    if what == "answer" and (waiting := campaign.pending()):
        answer_by_chance(campaign, rng.choice(waiting), rng)
    elif what in {"undo", "ask"} and last > 2:
        by = UMPIRE if what == "undo" else campaign.ruleset.sides[0]
        to = rng.randrange(max(2, last - 60), last)
        try:
            undo.ask(campaign, by, to)
        except RefusedError:
            return
    elif what == "redo" and campaign.history.set_aside:
        undo.redo(campaign, UMPIRE)
    elif what == "reload":
        campaign.reload()
    campaign.advance()


@given(st.randoms(use_true_random=False), st.sampled_from([1, 2, 3, 256]))
@tries(15)
def test_a_look_is_what_it_would_be_for_the_first_time(rng: Random, marks: int) -> None:
    campaign = toy_campaign()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(views, "MARK_EVERY", marks)
        for _ in range(rng.randrange(40)):
            for viewer in rng.sample(VIEWERS, rng.randrange(3)):
                look(campaign, viewer, rng)
            something(campaign, rng)
        for viewer in VIEWERS:
            look(campaign, viewer, rng)


@pytest.mark.parametrize("card", CARDS)
def test_so_it_is_in_campaigns_of_every_kind(card: str) -> None:
    campaign = hasl.new_campaign(card) if card in hasl.SHIPPED else pl.new_campaign(card)
    rng = Random(5)
    for turn in range(40):
        something(campaign, rng)
        if turn % 20 == 19:
            for viewer in rng.sample([*campaign.ruleset.sides, UMPIRE], 2):
                look(campaign, viewer, rng)
    assert len(campaign.entries) > views.MARK_EVERY


@pytest.mark.parametrize("card", CARDS)
def test_what_came_since_an_earlier_look_is_the_end_of_the_whole_log(card: str) -> None:
    campaign = hasl.new_campaign(card) if card in hasl.SHIPPED else pl.new_campaign(card)
    rng = Random(3)
    viewers = [*campaign.ruleset.sides, UMPIRE]
    earlier = {viewer: view(campaign, viewer) for viewer in viewers}
    for _ in range(30):
        something(campaign, rng)
        viewer = rng.choice(viewers)
        now = view(campaign, viewer)
        if now.eyes == earlier[viewer].eyes:
            new = [one.line for one in told_since(campaign, now, earlier[viewer])]
            assert new == [one.line for one in log_in_words(campaign, now)][len(earlier[viewer].log) :]
        earlier[viewer] = now


def test_a_view_stays_as_it_was_when_the_campaign_goes_on() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    old = view(campaign, "red")
    state, lines = plainly(campaign, "red"), lines_of(log_in_words(campaign, old), full=True)
    campaign.answer("blue", "amount", 4)
    assert lines_of(log_in_words(campaign, view(campaign, "red")), full=True) != lines
    undo.ask(campaign, UMPIRE, 3)
    crossed = lines_of(log_in_words(campaign, view(campaign, "red")), full=True)
    assert (old.state, lines_of(log_in_words(campaign, old), full=True)) == (state, lines)
    assert any("×" in line for line in crossed)


def test_no_seat_is_made_of_what_another_saw() -> None:
    """What one viewer looked at, and when, changes not a byte of another's view."""
    looked_at, untouched = toy_campaign(fresh_store()), toy_campaign(fresh_store())
    for key, side, value in (("amount", "red", 3), ("amount", "blue", 4), ("bid", "blue", 10)):
        for campaign in (looked_at, untouched):
            campaign.answer(side, key, value)
        for viewer in ("red", UMPIRE):
            log_in_words(looked_at, view(looked_at, viewer))
    assert set(looked_at.seats) == {"red", UMPIRE}
    first, second = (view(campaign, "blue") for campaign in (looked_at, untouched))
    assert (first.state, first.pending) == (second.state, second.pending)
    assert [line.line for line in log_in_words(looked_at, first)] == [
        line.line for line in log_in_words(untouched, second)
    ]
    hidden = [entry for entry in looked_at.entries if not may_see(entry.to, "blue")]
    assert hidden
    assert not {seen.entry.number for seen in first.log} & {entry.number for entry in hidden}


@pytest.mark.parametrize("since", [False, True])
def test_only_what_is_new_is_gone_through(since: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = toy_campaign()
    play_round(campaign)
    earlier = view(campaign, UMPIRE)
    log_in_words(campaign, earlier)
    before = campaign.version
    read: list[int] = []
    plain = campaign.fact_of

    def noted(entry: Entry) -> Fact:
        read.append(entry.number)
        return plain(entry)

    monkeypatch.setattr(campaign, "fact_of", noted)
    campaign.answer("red", "amount", 4)
    seen = view(campaign, UMPIRE)
    told_since(campaign, seen, earlier) if since else log_in_words(campaign, seen)
    fresh = [entry.number for entry in campaign.entries[before:] if entry.type == "fact"]
    # Once for the state, once for the telling.
    assert sorted(read) == sorted(fresh * 2)
    assert fresh


def test_reading_the_log_again_forgets_what_was_kept() -> None:
    campaign = toy_campaign()
    log_in_words(campaign, view(campaign, "red"))
    campaign.reload()
    assert not campaign.seats
    assert not campaign.tellings


# What another worker has stored -------------------------------------------------------------------


def follow(follower: Campaign, leader: Campaign) -> None:
    """Let one campaign catch up with the other; it stands as if it had been read anew."""
    follower.catch_up(leader.entries[follower.version :])
    again = anew(leader)
    assert (follower.entries, follower.state) == (again.entries, again.state)
    assert follower.history == again.history
    assert [asked(one) for one in follower.pending()] == [asked(one) for one in again.pending()]


def asked(pending: Pending) -> Any:
    return pending.side, pending.lane, pending_json(pending)


@given(st.randoms(use_true_random=False))
@tries(12)
def test_who_catches_up_stands_where_the_others_stand(rng: Random) -> None:
    leader = toy_campaign()
    follower = Campaign(leader.store, ruleset=leader.ruleset)
    for _ in range(rng.randrange(25)):
        something(leader, rng)
        if rng.random() < 0.6:
            follow(follower, leader)
    follow(follower, leader)


@pytest.mark.parametrize("card", CARDS)
def test_so_it_is_in_campaigns_of_every_kind_that_are_caught_up(card: str) -> None:
    leader = hasl.new_campaign(card) if card in hasl.SHIPPED else pl.new_campaign(card)
    follower = Campaign(leader.store, ruleset=leader.ruleset)
    rng = Random(7)
    for _turn in range(14):
        for _ in range(rng.randrange(1, 6)):
            something(leader, rng)
        follow(follower, leader)
    # It goes on from there as the other would.
    waiting = follower.pending()[0]
    answer_by_chance(follower, waiting, rng)
    follow(leader, follower)


def test_catching_up_runs_no_step_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    leader = toy_campaign()
    follower = Campaign(leader.store, ruleset=leader.ruleset)
    play_round(leader)
    fed: list[Entry] = []
    monkeypatch.setattr("laager.campaign.lanes.Replay.feed", lambda _self, entry, _apply: fed.append(entry))
    fresh = leader.entries[follower.version :]
    follower.catch_up(fresh)
    assert follower.state == leader.state
    assert any(entry.type == "done" for entry in fresh)
    assert not fed
