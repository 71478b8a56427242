"""The commander who looks ahead: it plays out what it could answer, by what its side knows, and takes the best."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import laager
from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.views import view
from laager.commanders import commander_names, load_commander, seat_view
from laager.commanders.answering import give_thought
from laager.commanders.seats import find_pondered, play_held_seats, ponder
from laager.rules.board.report import REPORT_KEYS
from laager.simulation import ahead
from laager.simulation.ahead import Ahead, WeighedAnswer, choose_best, share_of_means
from laager.simulation.battles import load_battles
from laager.simulation.plan import EntryList, read_plan
from laager.simulation.play import begin, play_campaign, settle_battle


def at_question(card: str, side: Side, key: str, number: int, enemy_buys: bool = True) -> Campaign:
    """Return a campaign that asks a side this in a battle; until then both took the proposals, or bought nothing."""
    campaign = begin(read_plan(card), 1)
    for _ in range(400):
        waiting = campaign.pending()
        if campaign.state.number == number and any((one.side, one.key) == (side, key) for one in waiting):
            others = [one for one in waiting if one.side != side and one.key == "purchases"]
            if not others:
                return campaign
            waiting = tuple(others)
        pending = waiting[0]
        if pending.key in REPORT_KEYS:
            settle_battle(campaign, load_battles("stated", "usual"), "1/1")
            continue
        question = pending.question
        assert question is not None
        spends = enemy_buys or pending.side == side or pending.key != "purchases" or campaign.state.number < number
        campaign.answer(pending.side, pending.key, question.default if spends else question.form.blank)
    raise AssertionError(f"{card} never asks {key}")


def answer_of(campaign: Campaign, side: Side, key: str, commander: Ahead) -> tuple[Any, str]:
    """Return what a commander answers, and why."""
    pending = next(one for one in campaign.pending() if (one.side, one.key) == (side, key))
    seat = seat_view(campaign, side, Random(7))
    return commander.decide(seat, pending), commander.explain(seat, pending)


def test_it_plays_whole_campaigns_and_the_same_seed_plays_the_same() -> None:
    plan = read_plan("training")
    one, again = (play_campaign(plan, 1, commanders={"axis": Ahead(2)}) for _ in range(2))
    assert one.campaign.over
    assert not one.outcome.dead_end
    assert one.campaign.entries == again.campaign.entries


@pytest.mark.parametrize(("card", "key"), [("training", "purchases"), ("sorgiva", "setup"), ("sorgiva", "chit")])
def test_what_the_enemy_hides_changes_nothing(card: str, key: str) -> None:
    one, other = (at_question(card, "axis", key, 2, enemy_buys=buys) for buys in (True, False))
    assert view(one, "allied").log != view(other, "allied").log
    assert view(one, "axis").state == view(other, "axis").state
    told = [json.dumps(answer_of(campaign, "axis", key, Ahead(2))) for campaign in (one, other)]
    assert told[0] == told[1]
    assert "I played out" in told[0]


def test_it_takes_what_does_best_and_gives_each_candidate_the_same_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = at_question("training", "axis", "purchases", 2)
    played: dict[str, list[int]] = {}

    def rate(_known: Any, answers: list[tuple[str, Any]], number: int) -> float:
        key, value = answers[-1]
        assert key == "purchases"
        played.setdefault(json.dumps(value, sort_keys=True), []).append(number)
        return float(value["attack"] is wanted)

    monkeypatch.setattr(ahead, "play_out", rate)
    for wanted in (True, False):
        played.clear()
        value, why = answer_of(campaign, "axis", "purchases", Ahead(12))
        assert value["attack"] is wanted
        assert "times each" in why
        assert len({tuple(numbers) for numbers in played.values()}) == 1
        assert 10 <= sum(map(len, played.values())) <= 14


def test_what_was_answered_in_the_step_before_stands_in_its_play_outs(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = at_question("training", "axis", "purchases", 1)
    seen: list[list[str]] = []

    def rate(_known: Any, answers: list[tuple[str, Any]], _number: int) -> float:
        seen.append([key for key, _ in answers])
        return 1.0

    monkeypatch.setattr(ahead, "play_out", rate)
    value, _ = answer_of(campaign, "axis", "purchases", Ahead(4))
    assert {tuple(keys) for keys in seen} == {("purchases",)}  # What was agreed was a step of its own.
    question = next(one.question for one in campaign.pending() if one.side == "axis")
    assert question is not None
    stored = question.accept(value)
    assert question.allows(stored)
    campaign.answer("axis", "purchases", value)
    seat = seat_view(campaign, "axis", Random(1))
    assert list(ahead.answers_in_step(seat)) == [("purchases", stored)]


def test_small_questions_are_answered_as_sensible_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "play_out", lambda *_: pytest.fail("played out"))
    campaign = begin(read_plan("training"), 1)
    pending = campaign.pending()[0]
    assert pending.key not in ahead.WEIGHED
    seat = seat_view(campaign, pending.side, Random(1))
    assert Ahead().decide(seat, pending) == load_commander("sensible").decide(seat, pending)


def test_a_tie_goes_to_the_sensible_one() -> None:
    sensible = WeighedAnswer("sensible", 1, [1.0, 0.0, 1.0])
    assert choose_best([sensible, WeighedAnswer("bold", 2, [1.0, 0.0, 1.0])]) is sensible
    # More by chance: no more than the standard error.
    assert choose_best([sensible, WeighedAnswer("bold", 2, [1.0, 0.2, 1.0])]) is sensible
    better = WeighedAnswer("bold", 2, [1.2, 0.2, 1.1])
    assert choose_best([sensible, WeighedAnswer("cautious", 3, [1.1, 0.1, 1.1]), better]) is better


def test_means_are_compared_by_their_shares() -> None:
    figures = {"axis": {"tvp": 3, "ground": 0, "cvp": 9}, "allied": {"tvp": 1, "ground": 0, "cvp": 0}}
    assert share_of_means(figures, "axis") == pytest.approx((0.75 + 0.5) / 2)
    assert share_of_means(figures, "axis") + share_of_means(figures, "allied") == pytest.approx(1)


def test_it_thinks_no_less_where_an_opponent_waits_and_there_is_nothing_to_weigh(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ahead, "find_candidates", lambda *_: [WeighedAnswer("sensible", {"groups": []})])
    monkeypatch.setattr(ahead, "play_out", lambda *_: 1.0)
    campaign = at_question("training", "axis", "purchases", 1)
    told: list[tuple[int, int]] = []
    commander = Ahead(4)
    commander.progress = lambda done, total: told.append((done, total))
    answer_of(campaign, "axis", "purchases", commander)
    assert told == [(25, 100), (50, 100), (75, 100), (100, 100)]


def test_it_holds_a_seat_and_tells_at_the_end_what_it_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "play_out", lambda _known, answers, number: number + len(json.dumps(answers)) / 1e3)
    referee = laager.new("training", seed=bytes(range(32)), commanders={"axis": "ahead"})
    told: list[int] = []
    while referee.pending:
        pending = referee.pending[0]
        referee._campaign.answer(pending.side, pending.key, pending.question.default)  # type: ignore[union-attr]
        play_held_seats(referee._campaign, lambda done, _total: told.append(done))
    assert told.count(100) >= 5
    log = "".join(referee.seen_by("allied").log)
    assert "(ahead: I played out" in log
    assert referee.verify().sound


def test_those_who_cannot_wait_are_not_offered_it() -> None:
    assert "ahead" in commander_names()
    assert "ahead" not in commander_names(quick=True)
    assert {"sensible", "chance"} <= set(commander_names(quick=True))
    with pytest.raises(RefusedError, match="ahead thinks too long for a server"):
        load_commander("ahead", quick=True)


def test_programs_that_cannot_wait_leave_its_answers_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "play_out", lambda *_: 1.0)
    campaign = laager.new("training", seed=bytes(range(32)))._campaign
    entries = [replace(entry) for entry in campaign.entries]
    entries[0].body["commanders"] = {"axis": "ahead"}
    held = Campaign(EntryList(entries))
    play_held_seats(held, patient=False)
    agreements = held.pending()[0].question
    assert agreements is not None
    held.answer("allied", "agreements", agreements.default)
    begun = list(held.entries)
    asked = find_pondered(held)
    assert asked is not None
    assert (asked.side, asked.key) == ("axis", "purchases")
    version = held.version
    thought = ponder(held)
    assert thought is not None
    assert held.version == version
    give_thought(held, asked, thought)
    play_held_seats(held, patient=False)
    assert find_pondered(held) is None
    patient = Campaign(EntryList(begun))
    play_held_seats(patient)
    assert [entry.body for entry in patient.entries] == [entry.body for entry in held.entries]
