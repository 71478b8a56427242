"""Play and the Game End dr: after Game Turns or Player Turns, modifiers, agreement, events."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.forms import Option
from laager.campaign.steps import Procedure
from laager.dice import Modifier
from laager.rules.board.course.game_end import PlayerTurn
from laager.rules.board.facts import CvpScored, Noted
from laager.rules.board.hasl.facts import ScenarioDetermined
from laager.rules.board.hasl.scenario import play
from laager.rules.board.hasl.variant import Variant
from tests.historical.driver import run
from tests.historical.small import data, scene


def ready(monkeypatch: pytest.MonkeyPatch | None = None, variant: Any = None, **more: Any) -> Any:
    cg = scene(**more)
    cg.state = ScenarioDetermined(kind_of_scenario="Attack", sets_up_first="axis", moves_first="allied").apply(cg.state)
    if monkeypatch is not None:
        monkeypatch.setattr(type(cg), "variant", variant)
    return cg


class British(Variant[Any]):
    """The British roll after each Game Turn from 5 on, +2 at night."""

    game_end_from = 5

    def game_end_roller(self, cg: Any, mover: str) -> str:
        return "allied"

    def game_end_modifiers(self, cg: Any, turn: int) -> list[Modifier]:
        return [Modifier(2, "night", "ABtF CG4")] if cg.date.night else []


class PlayerTurns(Variant[Any]):
    game_end_by_player_turn = True
    game_end_from = 6


def day() -> dict[str, Any]:
    first, *rest = data("small-town")["dates"]
    return {"dates": [{**first, "part": "AM"}, *rest]}


def test_walkthrough_game_end_by_day(monkeypatch: pytest.MonkeyPatch) -> None:
    cg = ready(monkeypatch, British(), card=day())
    # Turn 5 (circled 2) dr 3 goes on; Turn 6 (circled 3) dr 4 goes on; Turn 7 (circled 4) dr 4.
    played = run(play.play, cg, dice=[(3,), (4,), (4,)])
    assert [question.side for question in played.asked] == ["allied"] * 3
    assert cg.state.scenario.last_turn == 7
    assert cg.state.scenario.play_ended
    cg = ready(monkeypatch, British(), card=day())
    run(play.play, cg, dice=[(3,), (3,)])
    assert cg.state.scenario.last_turn == 6


def test_walkthrough_game_end_at_night(monkeypatch: pytest.MonkeyPatch) -> None:
    cg = ready(monkeypatch, British())
    # Turn 6: dr 2 + 2 = 4 > 3 goes on; dr 1 + 2 = 3 ends.
    played = run(play.play, cg, dice=[(1,), (1,)])
    assert played.finals() == [3, 3]
    assert cg.state.scenario.last_turn == 6
    assert run(play.play, ready(monkeypatch, British()), dice=[(1,), (2,), (2,)]).finals() == [*(3, 4), 4]


def test_tallies_begin_with_play() -> None:
    cg = ready()
    cg.state = CvpScored(side="axis", points=4).apply(cg.state)
    played = run(play.play, cg, dice=[(1,)])
    assert played.facts[0].kind == "tallies-opened"
    assert cg.state.side("axis").cvp == 0
    assert cg.state.side("axis").cvp_total == 4


def test_who_moves_first_is_rolled_for_before_play() -> None:
    cg = scene()
    cg.state = ScenarioDetermined(kind_of_scenario="Dual Attack", sets_up_first="axis").apply(cg.state)
    run(play.play, cg, dice=[(6,), (1,)])
    assert cg.state.scenario.moves_first == "allied"


def test_after_each_player_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    cg = ready(monkeypatch, PlayerTurns())
    played = run(play.play, cg, dice=[(6,), (6,), (6,), (1,)])
    assert [question.side for question in played.asked] == ["allied", "axis", "allied", "axis"]
    assert [question.default["turn"] for question in played.asked] == [6, 6, 7, 7]
    assert cg.state.scenario.last_turn == 7


def test_numbers_of_the_date_come_first() -> None:
    first, *rest = data("small-town")["dates"]
    cg = ready(card={"dates": [{**first, "circled": {3: 1, 6: 2}}, *rest]})
    assert play.game_end_numbers(cg) == {3: 1, 6: 2}
    assert play.game_end(cg).next_due(PlayerTurn(3, "axis")) == PlayerTurn(6, "axis")


def test_without_numbers_the_players_say_when() -> None:
    cg = ready(charts={"circled": None})
    ended = {"status": "ended", "turn": 8, "side": "axis"}
    played = run(play.play, cg, answers={"play": ended})
    assert [question.key for question in played.asked] == ["play", "play-ended"]
    assert cg.state.scenario.last_turn == 8
    question = played.asked[0]
    assert question.default["status"] == "agreed"
    assert not question.allows({"status": "roll"})


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ({"status": "roll", "turn": 4}, "turn 4 has no number.*the first dr is made after turn 5"),
        ({"status": "ended", "turn": 2}, "turn 2 has no number"),
        ({"status": "roll", "turn": 6}, "turn 6, German, is past; turn 7, German, or later"),
        ({"status": "agreed", "turn": 5}, "turn 5, German, is past; turn 6, German, or later"),
        ({"status": "roll", "side": "allied"}, "no dr is made after this Player Turn"),
    ],
)
def test_turns_that_cannot_be(answer: dict[str, Any], wrong: str) -> None:
    cg = ready()
    due, made = PlayerTurn(7, "axis"), PlayerTurn(6, "axis")
    question = play.game_end(cg).question("axis", due, made)
    with pytest.raises(DataError, match=wrong):
        question.accept(answer)


def test_events_during_play(monkeypatch: pytest.MonkeyPatch) -> None:
    class Headquarters(Variant[Any]):
        def play_events(self, cg: Any) -> tuple[Option, ...]:
            shown = ("the Headquarters are in B4",)
            return () if cg.state.notes == shown else (Option("reveal-hq"),)

        def carry_out_event(self, cg: Any, event: str, turn: int) -> Procedure[None]:
            assert event == "reveal-hq"
            yield Noted(text="the Headquarters are in B4")

    cg = ready(monkeypatch, Headquarters())
    answers = [("play", {"status": "reveal-hq", "turn": 2, "side": "axis"})]
    played = run(play.play, cg, answers=answers, dice=[(1,)])
    assert cg.state.notes == ("the Headquarters are in B4",)
    assert [question.default["turn"] for question in played.asked] == [5, 5]
    assert not played.asked[1].allows({"status": "reveal-hq"})
    question = play.game_end(ready()).question("axis", PlayerTurn(5, "axis"), None)
    assert {question.sample(Random(n))["status"] for n in range(60)} == {"roll", "reveal-hq", "agreed"}
