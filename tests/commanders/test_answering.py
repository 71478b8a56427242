"""Commanders answer all that is asked of their side, by the same checks as a player."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest

import laager
from laager.base import RefusedError
from laager.campaign.pending import Pending
from laager.commanders import Commander, SeatView, answer_for, commander_names, load_commander

CARDS = ("training", "rijnoord", "kokusa-ridge", "sorgiva", "vistula")


class Nonsense(Commander):
    """Gives answers that no question accepts."""

    name: ClassVar[str] = "nonsense"

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        return {"nonsense": seat.side}


def play(card: str, axis: Commander, allied: Commander, number: int = 1) -> Any:
    """A campaign that two commanders have played to its end, and what they gave."""
    referee = laager.new(card, seed=bytes([number] * 32))
    campaign = referee._campaign
    chance = Random(number)
    total = {"axis": 0, "allied": 0}
    refused = 0
    while campaign.pending():
        side = campaign.pending()[0].side
        given = answer_for(campaign, side, axis if side == "axis" else allied, chance)
        total[side] += given.answers
        refused += given.refused
    return referee, total, refused


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("name", commander_names(quick=True))
def test_a_commander_plays_a_campaign_to_its_end_and_none_of_its_answers_is_refused(card: str, name: str) -> None:
    referee, total, refused = play(card, load_commander(name), load_commander(name))
    assert referee.over or not referee.pending
    assert not refused
    assert all(total.values())
    assert referee.verify().sound


def test_the_same_chance_plays_the_same_campaign() -> None:
    first, *_ = play("training", load_commander("chance"), load_commander("sensible"))
    again, *_ = play("training", load_commander("chance"), load_commander("sensible"))
    assert [entry.body for entry in first._campaign.entries] == [entry.body for entry in again._campaign.entries]


def test_what_is_refused_is_replaced_by_the_proposal_and_counted() -> None:
    referee, total, refused = play("training", Nonsense(), load_commander("sensible"))
    assert referee.over
    assert refused >= total["axis"] / 2
    plain, *_ = play("training", load_commander("sensible"), load_commander("sensible"))
    assert len(referee._campaign.entries) >= len(plain._campaign.entries) / 2


def test_an_unknown_commander_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(RefusedError, match="there is no commander 'sensibel'") as refused:
        load_commander("sensibel")
    assert "sensible" in str(refused.value)


def test_a_seat_holds_its_own_knowledge_and_no_key_of_drawn_numbers() -> None:
    referee = laager.new("rzhavets", seed=bytes(32))
    seen: list[SeatView] = []

    class Looks(Commander):
        name: ClassVar[str] = "looks"

        def decide(self, seat: SeatView, asked: Pending) -> Any:
            seen.append(seat)
            assert asked in seat.questions
            assert asked.question is not None
            return asked.question.default

    answer_for(referee._campaign, "axis", Looks(), Random(1))
    seat = seen[-1]
    assert seat.view.viewer == "axis"
    assert seat.context.state is seat.view.state
    assert getattr(referee._campaign.context, "drawn", "")
    assert not getattr(seat.context, "drawn", "")
