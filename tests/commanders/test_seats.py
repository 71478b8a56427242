"""Seats held by commanders: they answer at once, keep their side's secrets, give orders, and tell why at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import laager
from laager.base import RefusedError
from laager.campaign import ending, patience, settling, undo
from laager.campaign.describing import wishes
from laager.campaign.facts import SPECTATOR
from laager.campaign.views import view
from laager.commanders.seats import AT_THE_TABLE, commanders_setting, held_seats, orders_of, play_held_seats
from laager.simulation.settling import agree_to_settle, is_report_due

SEED = bytes(range(32))


def begun(card: str = "training", **how: object) -> laager.Referee:
    return laager.new(card, seed=SEED, commanders={"axis": "bold"}, **how)  # type: ignore[arg-type]


def played(referee: laager.Referee) -> list[tuple[str, str]]:
    """Give all answers that players are asked for; return side and key of each."""
    given = []
    while referee.pending:
        pending = referee.pending[0]
        given.append((pending.side, pending.key))
        referee.answer(pending.side, pending.key)
    return given


@pytest.mark.parametrize("card", ["training", "sorgiva", "rijnoord", "kokusa-ridge", "vistula"])
def test_the_player_is_asked_for_his_side_and_for_what_happened_at_the_table_alone(card: str) -> None:
    referee = begun(card)
    given = played(referee)
    assert {key for side, key in given if side == "axis"} <= AT_THE_TABLE
    assert any(side == "allied" for side, _ in given)
    assert referee.verify().sound


def test_every_program_that_opens_the_file_plays_it(tmp_path: Path) -> None:
    file = tmp_path / "tuesday.laager"
    begun(file=file)
    referee = laager.open(file)
    assert held_seats(referee._campaign.opening) == {"axis": "bold"}
    played(referee)
    assert referee.over
    assert laager.open(file).verify().sound


def test_the_same_file_gets_the_same_answers_wherever_it_is_opened(tmp_path: Path) -> None:
    first, again = begun(), begun()
    played(first)
    played(again)
    assert [entry.body for entry in first._campaign.entries] == [entry.body for entry in again._campaign.entries]


def test_reasons_and_orders_are_the_sides_secret_until_the_end() -> None:
    referee = begun()
    while not orders_of(view(referee._campaign, "axis")):
        referee.answer(referee.pending[0].side, referee.pending[0].key)
    assert "Break off" in orders_of(view(referee._campaign, "axis"))
    for viewer in ("allied", SPECTATOR):
        seen = view(referee._campaign, viewer)
        assert not orders_of(seen)
        texts = json.dumps([line.entry.body for line in seen.log if line.entry.type == "answer"])
        assert "commander" not in texts
        assert "strength" not in "".join(referee.seen_by(viewer).log)
    assert "Our strength" not in "".join(referee.seen_by("axis").log)
    played(referee)
    assert "(bold: Our strength is about" in "".join(referee.seen_by("allied").log)


def test_what_the_player_takes_back_is_taken_back() -> None:
    referee = begun()
    campaign = referee._campaign
    referee.answer("allied", referee.pending[0].key)
    before = [pending.key for pending in campaign.pending()]
    while [pending.key for pending in campaign.pending()] == before:
        referee.answer("allied", campaign.pending()[0].key)
    undo.ask(campaign, "allied", undo.target(campaign, "allied", None))
    play_held_seats(campaign)
    assert [pending.key for pending in campaign.pending()] == before
    assert referee.verify().sound


def test_a_commander_agrees_to_settle_a_battle_and_to_other_terms_but_to_no_draw() -> None:
    referee = begun()
    campaign = referee._campaign
    while not is_report_due(campaign):
        pending = referee.pending[0]
        referee.answer(pending.side, pending.key)
    agree_to_settle(campaign, "allied")
    patience.propose(campaign, "allied", patience.Patience(7, "sensible"))
    ending.propose(campaign, "allied")
    play_held_seats(campaign)
    assert settling.is_settled(campaign)
    assert patience.patience_of(campaign) == patience.Patience(7, "sensible")
    assert [wish.kind for wish in wishes(campaign, view(campaign, "allied"))] == ["draw"]
    assert referee.verify().sound


def test_sides_and_names_are_checked() -> None:
    with pytest.raises(RefusedError, match="there is no side 'germans'"):
        commanders_setting(("axis", "allied"), {"germans": "bold"})
    with pytest.raises(RefusedError, match="there is no commander 'brave'"):
        commanders_setting(("axis", "allied"), {"axis": "brave"})
    with pytest.raises(RefusedError, match="commanders hold both sides"):
        commanders_setting(("axis", "allied"), {"axis": "bold", "allied": "cautious"})
    assert commanders_setting(("axis", "allied"), {}) == {}
