"""Rulings: the record is put right, the step begins again, and what holds of it comes again."""

from __future__ import annotations

import pytest

from laager.base import DataError, RefusedError
from laager.campaign import rulings, undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign, Recorded
from laager.campaign.log import MemoryStore
from laager.campaign.rulings import Ruling
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from tests.campaign.toy import TOY, PointsChanged, SecretKept, fresh_store, play_round, toy_campaign

TWO_MORE = (PointsChanged(side="red", by=2, rule="TOY 9"),)
HIDDEN = SecretKept(side="red", text="two points more, and a squad in H7", to=("red",), rule="TOY 9")


def rolls_of(campaign: Campaign) -> list[tuple[str, int, tuple[int, ...]]]:
    """All rolls that count: stream, number, faces."""
    rolled = [entry.body for entry in campaign.history.counted if entry.type == "roll"]
    return [(body["stream"], body["number"], tuple(body["faces"])) for body in rolled]


def read_again(campaign: Campaign, store: MemoryStore) -> Campaign:
    """The same campaign read from its lines: it must stand as it does in memory."""
    read = Campaign(MemoryStore(store.data), ruleset=TOY)
    assert read.state == campaign.state
    assert repr(read.pending()) == repr(campaign.pending())
    assert [p.former for p in read.pending()] == [p.former for p in campaign.pending()]
    return read


def test_a_ruling_counts_once_the_other_side_agrees() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    before = campaign.state.points["red"]
    assert not rulings.propose(campaign, Ruling("red", "two points were forgotten", TWO_MORE))
    assert campaign.state.points["red"] == before
    asked = rulings.open_ruling(campaign, "blue")
    assert asked is not None
    assert (asked.facts, asked.why) == (TWO_MORE, "two points were forgotten")
    with pytest.raises(RefusedError, match="the other side must agree"):
        rulings.consent(campaign, "red", agree=True)
    rulings.consent(campaign, "blue", agree=True)
    assert campaign.state.points["red"] == before + 2
    assert rulings.open_ruling(campaign, "blue") is None
    assert audit(campaign).sound
    assert [ruled.why for ruled in audit(campaign).rulings] == ["two points were forgotten"]
    read_again(campaign, store)


def test_in_the_middle_of_a_step_answers_and_dice_come_again() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    campaign.answer("red", "amount", 3)
    rolled, state = rolls_of(campaign), campaign.state
    rulings.propose(campaign, Ruling("umpire", "agreed by mail", TWO_MORE))
    # Red confirms what it answered in secret: nobody may see if it still holds.
    assert [(p.side, p.key) for p in campaign.pending()] == [("red", "amount"), ("blue", "amount")]
    assert rulings.answer_as_before(campaign, "red") == 1
    assert rolls_of(campaign) == rolled
    assert campaign.state.points["red"] == state.points["red"] + 2
    assert [(p.side, p.key) for p in campaign.pending()] == [("blue", "amount")]
    campaign.answer("blue", "amount", 4)
    assert audit(campaign).sound
    read_again(campaign, store)


def test_a_ruling_taken_back_restores_what_it_took_away() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    campaign.answer("red", "amount", 3)
    counted, state = list(campaign.history.counted), campaign.state
    rulings.propose(campaign, Ruling("umpire", "agreed by mail", TWO_MORE))
    undo.ask(campaign, "blue", undo.target(campaign, "blue"))
    undo.consent(campaign, "red", agree=True)
    campaign.advance()
    assert campaign.history.counted == counted
    assert campaign.state == state
    undo.redo(campaign, "umpire")
    assert rulings.answer_as_before(campaign, "red") == 1
    assert campaign.state.points["red"] == state.points["red"] + 2
    assert audit(campaign).sound
    read_again(campaign, store)


def test_an_answer_is_reopened_and_what_follows_stays() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    campaign.answer("red", "amount", 1)
    campaign.answer("blue", "amount", 2)
    rolled = rolls_of(campaign)
    number = next(e.number for e in campaign.entries if e.type == "answer" and e.body["key"] == "more")
    assert rulings.propose(campaign, Ruling("umpire", "they meant no", reopens=number))
    (asked,) = campaign.pending()
    assert (asked.key, asked.former) == ("more", True)
    assert asked.question is not None
    assert asked.question.default is True
    read_again(campaign, store)
    campaign.answer("red", "more", True)
    assert rolls_of(campaign) == rolled
    assert [(p.side, p.key) for p in campaign.pending()] == [("red", "bid"), ("blue", "bid")]
    assert audit(campaign).sound
    read_again(campaign, store)


def test_everything_wrong_with_a_ruling_is_said_at_once() -> None:
    campaign = toy_campaign()
    secret = SecretKept(side="blue", text="hidden", to=("blue",))
    with pytest.raises(DataError) as caught:
        rulings.propose(campaign, Ruling("red", " ", (secret,)))
    assert [problem.field for problem in caught.value.problems] == ["why", "facts[1]"]


def test_the_log_tells_of_a_ruling_in_words() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    rulings.propose(campaign, Ruling("red", "Red forgot  two points", (*TWO_MORE, HIDDEN)))
    rulings.consent(campaign, "blue", agree=False)
    rulings.propose(campaign, Ruling("red", "Red forgot two points", (*TWO_MORE, HIDDEN)))
    rulings.consent(campaign, "blue", agree=True)
    lines = [line.text.strip() for line in log_in_words(campaign, view(campaign, "blue")) if line.text]
    assert lines[2:] == [
        "── Red asks for a ruling: “Red forgot two points”; points changed: side Red, by 2; "
        "correction of the secret record (Red): 1 entry",
        "── Blue refuses the ruling",
        "── Red asks for a ruling: “Red forgot two points”; points changed: side Red, by 2; "
        "correction of the secret record (Red): 1 entry",
        "── taken back to 1 for a ruling",
        "── Ruling, proposed by Red, agreed by Blue: “Red forgot two points”; "
        "correction of the secret record (Red): 1 entry",
        "points changed: side Red, by 2 [TOY 9]",
        "── TOY 1 Saving",
    ]


@pytest.mark.parametrize(
    ("by", "agreed", "wrong"),
    [
        ("red", [], "not everybody agreed"),
        ("red", ["red"], "not everybody agreed"),
        ("red", ["blue"], ""),
        ("red", ["umpire"], ""),
        ("umpire", [], ""),
    ],
)
def test_a_ruling_that_nobody_agreed_to_is_not_sound(by: str, agreed: list[str], wrong: str) -> None:
    campaign = toy_campaign()
    to = campaign.history.counted[-1].number - 1
    head = {"by": by, "why": "so", "agreed": agreed, "secret": {}}
    fact = {"kind": "points-changed", "fact": {"side": "red", "by": 9}}
    undone: Recorded = ("undo", {"to": to, "by": by, "agreed": agreed, "again": True}, "", None)
    campaign.begin_again([undone, ("ruling", head, "", None), ("ruled", fact, "", None)])
    assert [finding.what.startswith(wrong) for finding in audit(campaign).findings] == [True] * bool(wrong)


def test_a_fact_of_no_ruling_is_not_sound() -> None:
    campaign = toy_campaign()
    to = campaign.history.counted[-1].number - 1
    fact = {"kind": "points-changed", "fact": {"side": "red", "by": 9}}
    campaign.begin_again([("undo", {"to": to, "by": "red", "agreed": ["blue"]}, "", None), ("ruled", fact, "", None)])
    assert [finding.what for finding in audit(campaign).findings] == ["this fact stands outside any ruling"]


def test_dice_that_no_ruling_brought_back_are_not_sound() -> None:
    """Old dice that were taken back by hand can't be passed off as those of a ruling."""
    campaign = toy_campaign()
    campaign.answer("red", "amount", 3)
    rolled = next(entry for entry in campaign.entries if entry.type == "roll")
    undo.ask(campaign, "umpire", undo.last_input(campaign) - 1)
    campaign.advance()
    campaign.record("answer", next(e for e in campaign.entries if e.type == "answer").body, ("red",))
    campaign.record("roll", {**rolled.body, "again": True}, ("red",))
    assert any("no ruling brought it back" in finding.what for finding in audit(campaign).findings)
