from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import Refusal, RefusedError
from laager.campaign import ending, undo
from laager.campaign.audit import audit
from laager.campaign.consent import open_request
from laager.campaign.describing import agreements, refusals, wishes
from laager.campaign.engine import Campaign
from laager.campaign.forms import Number
from laager.campaign.log import MemoryStore
from laager.campaign.questions import Question
from laager.campaign.steps import Ask, Context, Procedure, Step, ask, one_after_the_other, step
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from tests.campaign.toy import TOY, SecretKept, Toy, bidding, closing, fresh_store, play_round, saving, toy_campaign
from tests.tries import tries


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
    assert open_request(campaign, "undo") is None


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
@tries(60)
def test_undo_then_redo_is_the_identity(data: st.DataObject) -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    for side in data.draw(st.permutations(["red", "blue"])):
        campaign.answer(side, "amount", data.draw(st.integers(0, 9)))
    state, waiting = campaign.state, campaign.pending()
    targets = data.draw(st.lists(st.integers(2, campaign.version - 1), min_size=1, max_size=3, unique=True))
    for target in sorted(targets, reverse=True):
        undo.ask(campaign, "umpire", target)
    for _ in targets:
        undo.redo(campaign, "umpire")
    assert campaign.state == state
    assert [(p.side, p.key) for p in campaign.pending()] == [(p.side, p.key) for p in waiting]
    assert Campaign(MemoryStore(store.data), ruleset=TOY).state == state


# What a request may not tell --------------------------------------------------------------------


def asked_back(campaign: Campaign, side: str, to: int | None) -> tuple[object, ...]:
    """What a side hears when it asks to take back, and all that it sees afterwards."""
    try:
        undo.ask(campaign, side, undo.target(campaign, side, to))
        said: tuple[object, ...] = ("asked",)
    except RefusedError as err:
        said = (err.code, str(err))
    seen = view(campaign, side)
    lines = tuple(one.line for one in log_in_words(campaign, seen))
    return (*said, lines, seen.state, tuple(wish.text for wish in wishes(campaign, seen)))


def begun(blue_acts: bool) -> Campaign:
    """Red has saved; blue, who saves in secret too, has or has not. Red is asked no more."""
    two = together_step()
    campaign = toy_campaign(toy=two)
    campaign.answer("red", "amount", 3)
    if blue_acts:
        campaign.answer("blue", "amount", 4)
    return campaign


def together_step() -> Toy:
    """Rules with one step in which each side saves twice, the other knowing of neither."""
    twice = one_after_the_other("twice", "TOY 1", "Saving twice", saving, saving)
    return Toy(twice, bidding, closing)


@pytest.mark.parametrize("to", [None, *range(-1, 12)])
def test_a_request_is_answered_alike_whatever_the_other_does_in_secret(to: int | None) -> None:
    quiet, busy = begun(blue_acts=False), begun(blue_acts=True)
    assert len(busy.entries) > len(quiet.entries)
    assert asked_back(quiet, "red", to) == asked_back(busy, "red", to)


def test_the_last_answer_is_ones_own() -> None:
    campaign = begun(blue_acts=True)
    mine = next(e.number for e in campaign.entries if e.body.get("side") == "red")
    assert undo.last_input(campaign, "red") == mine
    assert undo.last_input(campaign, "umpire") > mine
    only_blue = toy_campaign(toy=together_step())
    only_blue.answer("blue", "amount", 4)
    with pytest.raises(RefusedError, match="nothing has been answered"):
        undo.target(only_blue, "red")


def test_what_others_did_in_secret_before_what_goes_stays() -> None:
    campaign = toy_campaign(toy=together_step())
    campaign.answer("blue", "amount", 4)
    campaign.answer("red", "amount", 3)
    step = next(s.number for s in view(campaign, "red").log if s.entry.type == "step")
    undo.ask(campaign, "red", undo.target(campaign, "red", step))
    undo.consent(campaign, "blue", agree=True)
    assert set(campaign.state.secrets) == {"blue"}


def test_who_only_looks_on_asks_nothing() -> None:
    campaign = begun(blue_acts=True)
    for work in (undo.target, undo.redo, ending.propose):
        with pytest.raises(RefusedError, match="can only watch"):
            work(campaign, "spectator")
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    with pytest.raises(RefusedError, match="can only watch"):
        undo.consent(campaign, "spectator", agree=True)


@pytest.mark.parametrize("what", ["undo", "draw"])
def test_a_secret_answer_ends_no_request(what: str) -> None:
    campaign = begun(blue_acts=False)
    if what == "undo":
        undo.ask(campaign, "red", undo.target(campaign, "red"))
    else:
        ending.propose(campaign, "red")
    before = [wish.text for wish in wishes(campaign, view(campaign, "red"))]
    campaign.answer("blue", "amount", 4)
    assert [wish.text for wish in wishes(campaign, view(campaign, "red"))] == before != []


def test_a_request_stays_as_it_is_until_it_is_answered_or_withdrawn() -> None:
    campaign = begun(blue_acts=True)
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    for side in ("red", "blue"):
        with pytest.raises(RefusedError) as refused:
            undo.ask(campaign, side, undo.target(campaign, side, 2))
        assert refused.value.code is Refusal.NEEDS_CONSENT
    undo.consent(campaign, "red", agree=False)
    assert open_request(campaign, "undo") is None
    assert log_in_words(campaign, view(campaign, "blue"))[-1].text.endswith("Red withdraws the wish to take back")
    assert refusals(view(campaign, "red")) == refusals(view(campaign, "blue")) == ()
    undo.ask(campaign, "blue", undo.target(campaign, "blue"))


def test_who_agrees_is_told_what_would_go_as_he_sees_it() -> None:
    campaign = begun(blue_acts=True)
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    [own] = wishes(campaign, view(campaign, "red"))
    [other] = wishes(campaign, view(campaign, "blue"))
    [all_] = wishes(campaign, view(campaign, "umpire"))
    # Each sees its own answer, roll and two facts.
    assert (own.entries, own.rolls, other.entries, other.rolls) == (4, 1, 4, 1)
    assert (all_.entries, all_.rolls) == (8, 2)
    assert "Red answers" in own.first
    assert "Blue answers" in other.text
    assert "1 roll would be made anew" in other.text
    mine = toy_campaign(toy=together_step())
    mine.answer("red", "amount", 3)
    undo.ask(mine, "red", undo.target(mine, "red"))
    [nothing] = wishes(mine, view(mine, "blue"))
    assert "nothing that you can see would go" in nothing.text


def test_who_asked_is_told_that_the_other_side_agreed_until_it_acts_again() -> None:
    campaign = begun(blue_acts=True)
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    assert agreements(view(campaign, "red")) == ()
    undo.consent(campaign, "blue", agree=True)
    [told] = agreements(view(campaign, "red"))
    assert (told.kind, told.by) == ("undo", "blue")
    assert agreements(view(campaign, "blue")) == ()
    undo.redo(campaign, "red")
    undo.consent_redo(campaign, "blue", agree=True)
    assert [one.kind for one in agreements(view(campaign, "red"))] == ["redo"]


# Bringing back ----------------------------------------------------------------------------------


def taken_back(campaign: Campaign) -> None:
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    undo.consent(campaign, "blue", agree=True)
    campaign.advance()


def test_bringing_back_needs_the_others_consent() -> None:
    campaign = begun(blue_acts=True)
    state = campaign.state
    taken_back(campaign)
    undo.redo(campaign, "red")
    assert campaign.state.secrets == {}
    assert agreements(view(campaign, "red")) == ()
    [wish] = wishes(campaign, view(campaign, "blue"))
    assert (wish.kind, wish.entries, wish.lost) == ("redo", 4, 0)
    assert "Blue answers" in wish.text
    with pytest.raises(RefusedError, match="the other side must agree"):
        undo.consent_redo(campaign, "red", agree=True)
    undo.consent_redo(campaign, "blue", agree=False)
    assert campaign.state.secrets == {}
    assert [one.text for one in refusals(view(campaign, "red"))] == ["Blue refused to bring back"]
    assert refusals(view(campaign, "blue")) == ()
    undo.redo(campaign, "red")
    assert refusals(view(campaign, "red")) == ()
    undo.consent_redo(campaign, "blue", agree=True)
    assert campaign.state == state
    with pytest.raises(RefusedError, match="nobody has asked"):
        undo.consent_redo(campaign, "blue", agree=True)


def test_that_it_can_be_brought_back_tells_nothing_of_what_is_new_in_secret() -> None:
    campaign = begun(blue_acts=True)
    state = campaign.state
    taken_back(campaign)
    campaign.answer("blue", "amount", 9)
    undo.redo(campaign, "red")
    [own] = wishes(campaign, view(campaign, "red"))
    [other] = wishes(campaign, view(campaign, "blue"))
    assert (own.lost, other.lost) == (0, 4)
    assert "4 entries since would go" in other.text
    undo.consent_redo(campaign, "blue", agree=True)
    assert campaign.state == state
    assert isinstance(campaign.store, MemoryStore)
    again = Campaign(MemoryStore(campaign.store.data), ruleset=campaign.ruleset)
    assert again.state == state
    assert audit(again).sound


def test_an_old_log_that_brings_back_without_consent_is_read() -> None:
    campaign = begun(blue_acts=True)
    state = campaign.state
    taken_back(campaign)
    campaign.record("redo", {"by": "red"})
    assert campaign.state == state


# Without consent -----------------------------------------------------------------------------------


@step("TOY 4", "Plans")
def planning(cg: Context) -> Procedure[None]:
    """Ask both sides two secret questions at once."""
    answers = yield Ask(
        tuple(
            Question(key, side, f"{key}?", Number(0, 9), secret=True, default=0)
            for side in TOY.sides
            for key in ("first", "second")
        )
    )
    for (side, key), amount in sorted(answers.items()):
        yield SecretKept(side=side, text=f"{key} {amount}", to=(side,))


def noting(cg: Context, side: str) -> Procedure[None]:
    """Ask a side twice for what it keeps in secret."""
    for key in ("one", "two"):
        amount = yield from ask(Question(key, side, f"{key}?", Number(0, 9), secret=True, default=0))
        yield SecretKept(side=side, text=f"{key} {amount}", to=(side,))


NOTING = Step("noting", "TOY 5", "Notes", noting, each_side=True, apart=True)


def test_a_sealed_answer_is_taken_back_alone_and_the_others_stays() -> None:
    campaign = toy_campaign(toy=Toy(planning, closing))
    campaign.answer("red", "first", 3)
    campaign.answer("blue", "first", 5)
    before = view(campaign, "blue").version
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    assert campaign.lanes[""].answers == {("blue", "first"): 5}
    assert view(campaign, "blue").version == before + 1, "that it was taken back is seen, not what"
    campaign.answer("red", "first", 7)
    campaign.answer("red", "second", 8)
    campaign.answer("blue", "second", 9)
    assert campaign.state.secrets == {"red": "second 8", "blue": "second 9"}
    assert audit(campaign).sound
    assert Campaign(MemoryStore(campaign.store.data), ruleset=campaign.ruleset).state == campaign.state  # type: ignore[attr-defined]


def test_several_sealed_answers_go_together() -> None:
    campaign = toy_campaign(toy=Toy(planning, closing))
    start = campaign.version
    campaign.answer("red", "first", 3)
    campaign.answer("red", "second", 4)
    undo.ask(campaign, "red", start)
    assert campaign.lanes[""].answers == {}
    assert open_request(campaign, "undo") is None


def test_what_only_its_side_has_seen_is_taken_back_alone() -> None:
    campaign = toy_campaign(toy=Toy(NOTING, closing))
    campaign.answer("red", "one", 3)
    campaign.answer("blue", "one", 5)
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    assert campaign.state.secrets == {"blue": "one 5"}
    campaign.answer("red", "one", 4)
    campaign.answer("red", "two", 4)
    campaign.answer("blue", "two", 4)
    assert audit(campaign).sound


def test_dice_and_what_was_shown_need_consent() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    undo.ask(campaign, "red", undo.target(campaign, "red"))
    assert open_request(campaign, "undo") is not None, "interest was rolled"
    bids = toy_campaign(toy=Toy(bidding, closing))
    bids.answer("red", "bid", 3)
    bids.answer("blue", "bid", 4)
    undo.ask(bids, "red", undo.target(bids, "red"))
    assert open_request(bids, "undo") is not None, "both bids are known"


def test_dice_that_only_its_side_has_seen_need_consent_too() -> None:
    saved = Toy(Step("saving-apart", "TOY 6", "Saving", saving.run, each_side=True, apart=True), closing)
    campaign = toy_campaign(toy=saved)
    campaign.answer("red", "amount", 3)
    assert not undo.ask(campaign, "red", undo.target(campaign, "red"))
    assert open_request(campaign, "undo") is not None
