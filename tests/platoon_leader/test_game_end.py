"""When play ends (PL CG2): the walkthrough's dr, modifiers, agreements, refused answers."""

from __future__ import annotations

from random import Random

import pytest

from laager.base import DataError
from laager.campaign.steps import Ask
from laager.rules.board.course.game_end import PlayerTurn
from laager.rules.platoon_leader.facts import PlayEnded
from laager.rules.platoon_leader.firefight.game_end import first_mover, game_end
from laager.rules.platoon_leader.report.report import firefight_end
from laager.rules.platoon_leader.state import Round
from tests.platoon_leader.battle import battle
from tests.steps import Played, play


def ended(played: Played) -> PlayEnded:
    (fact,) = played.of("play-ended")
    assert isinstance(fact, PlayEnded)
    return fact


def test_the_first_battle_of_the_walkthrough_ends_in_turn_7() -> None:
    cg = battle()
    played = play(firefight_end, cg, dice=[(3,), (3,), (4,), (4,)])
    assert [(roll.side, roll.label, rolled.final) for roll, rolled in played.rolls] == [
        ("axis", "Game End, turn 6", 3),
        ("allied", "Game End, turn 6", 3),
        ("axis", "Game End, turn 7", 4),
        ("allied", "Game End, turn 7", 3),
    ]
    assert not any(roll.secret for roll, _ in played.rolls)
    fact = ended(played)
    assert (fact.turn, fact.last_player, fact.rule) == (7, "allied", "PL CG2")
    assert "-1 moving second, after turn 6" in fact.why
    assert "not above 3" in fact.why
    assert cg.state.fight.last_player == "allied"
    assert cg.state.fight.play_ended
    assert cg.state.round is Round.REORGANIZATION


def test_the_second_battle_ends_with_the_first_dr_of_the_side_that_moved_first() -> None:
    cg = battle()
    cg.state = cg.state.with_fight(number=2, attacker="allied", moves_first="allied")
    fact = ended(play(firefight_end, cg, dice=[(2,)]))
    assert (fact.turn, fact.last_player) == (6, "allied")


@pytest.mark.parametrize(
    ("turn", "side", "dr", "drm", "ends"),
    [
        (6, "axis", 2, 0, True),
        (6, "axis", 3, 0, False),
        (6, "allied", 3, 0, False),
        (7, "axis", 4, 0, False),
        (7, "allied", 4, -1, True),
        (8, "axis", 5, 0, False),
        (8, "allied", 5, -1, True),
        (8, "allied", 6, -1, False),
    ],
)
def test_modifiers_and_numbers(turn: int, side: str, dr: int, drm: int, ends: bool) -> None:
    cg = battle()
    modifiers = game_end(cg).modifiers(PlayerTurn(turn, side))
    assert sum(modifier.value for modifier in modifiers) == drm
    number = game_end(cg).circled_number(turn)
    assert number is not None
    assert (dr + drm <= number) == ends


def test_the_examples_of_the_clause() -> None:
    numbers = {
        "date": "1942-07-12", "time": "morning", "game_end": {6: 2, 7: 3}, "weather": "clear",
    }  # fmt: skip
    cg = battle(firefights=[numbers])
    assert 4 + game_end(cg).modifiers(PlayerTurn(7, "allied"))[0].value == game_end(cg).circled_number(7) == 3
    assert game_end(cg).modifiers(PlayerTurn(6, "allied")) == ()


def test_turns_without_a_number_have_no_dr_and_the_last_number_goes_on() -> None:
    odd = {"date": "1942-07-12", "time": "dawn", "game_end": {5: 1, 8: 3}, "weather": "clear"}
    cg = battle(firefights=[odd])
    numbers = {turn: game_end(cg).circled_number(turn) for turn in range(4, 11)}
    assert numbers == {4: None, 5: 1, 6: None, 7: None, 8: 3, 9: 3, 10: 3}
    assert game_end(cg).next_due() == PlayerTurn(5, "axis")
    assert game_end(cg).next_due(PlayerTurn(5, "axis")) == PlayerTurn(5, "allied")
    assert game_end(cg).next_due(PlayerTurn(5, "allied")) == PlayerTurn(8, "axis")
    assert game_end(cg).next_due(PlayerTurn(8, "allied")) == PlayerTurn(9, "axis")


def test_who_moves_first_is_known_from_somewhere() -> None:
    cg = battle()
    cg.state = cg.state.with_fight(moves_first="allied", attacker="axis")
    assert first_mover(cg) == "allied"
    cg.state = cg.state.with_fight(moves_first="", attacker="allied")
    assert first_mover(cg) == "allied"
    cg.state = cg.state.with_fight(moves_first="", attacker="")
    assert first_mover(cg) == "axis"


def test_who_rolls_at_the_table_answers_once() -> None:
    cg = battle()
    answers = {"play-status": {"status": "ended", "turn": 8, "side": "axis"}}
    played = play(firefight_end, cg, answers=answers)
    fact = ended(played)
    assert (fact.turn, fact.last_player) == (8, "axis")
    assert fact.why == "play ended by the Game End dr, turn 8"
    assert [(q.key, q.side) for q in played.asked[:2]] == [("play-status", "axis"), ("play-ended", "allied")]


def test_nobody_ends_a_battle_alone() -> None:
    cg = battle()
    agreed = {"status": "agreed", "turn": 4, "side": "allied"}
    answers = [("play-status", agreed), ("play-ended", False), ("play-status", agreed)]
    played = play(firefight_end, cg, answers=[*answers, ("play-ended", True)])
    fact = ended(played)
    assert (fact.turn, fact.last_player) == (4, "allied")
    assert fact.why == "play ended by agreement, turn 4"
    assert len(played.questions("play-ended")) == 2


def test_a_later_turn_may_be_rolled_for() -> None:
    cg = battle()
    later = {"status": "roll", "turn": 8, "side": "allied"}
    played = play(firefight_end, cg, answers=[("play-status", later)], dice=[(6,), (4,)])
    assert [(roll.side, roll.label) for roll, _ in played.rolls] == [
        ("allied", "Game End, turn 8"),
        ("axis", "Game End, turn 9"),
    ]
    assert [q.side for q in played.questions("play-status")] == ["axis", "axis"]


@pytest.mark.parametrize(
    ("due", "made", "answer", "said"),
    [
        (
            PlayerTurn(6, "axis"),
            None,
            {"status": "roll", "turn": 5, "side": "axis"},
            "turn: turn 5 has no number for a dr; the first dr is made after turn 6",
        ),
        (
            PlayerTurn(7, "axis"),
            PlayerTurn(6, "allied"),
            {"status": "roll", "turn": 6, "side": "allied"},
            "turn: turn 6, Soviets, is past; turn 7, Germans, or later",
        ),
        (
            PlayerTurn(7, "axis"),
            PlayerTurn(6, "allied"),
            {"status": "agreed", "turn": 6, "side": "axis"},
            "turn: turn 6, Germans, is past; turn 6, Soviets, or later",
        ),
        (
            PlayerTurn(7, "axis"),
            PlayerTurn(6, "allied"),
            {"status": "ended", "turn": 3, "side": "axis"},
            "turn: turn 3 has no number for a dr; the first dr is made after turn 6",
        ),
    ],
)
def test_refused_answers(due: PlayerTurn, made: PlayerTurn | None, answer: dict[str, object], said: str) -> None:
    question = game_end(battle()).question(due.side, due, made)
    with pytest.raises(DataError) as err:
        question.accept(answer)
    assert str(err.value) == said


def test_a_gap_in_the_numbers_is_told() -> None:
    odd = {"date": "1942-07-12", "time": "dawn", "game_end": {5: 1, 8: 3}, "weather": "clear"}
    question = game_end(battle(firefights=[odd])).question("axis", PlayerTurn(5, "axis"), None)
    with pytest.raises(DataError, match="turn 6 has no number for a dr; another turn"):
        question.accept({"status": "roll", "turn": 6, "side": "axis"})


def test_default_and_suggestions_are_legal_and_the_question_tells_the_turn() -> None:
    cg = battle()
    question = game_end(cg).question("allied", PlayerTurn(7, "allied"), PlayerTurn(7, "axis"))
    assert question.side == "allied"
    assert question.text == "The next Game End dr comes after turn 7, Soviets (number 3). What now?"
    assert question.accept(question.default)["turn"] == 7
    assert question.allows({"status": "roll"})
    statuses = set()
    for seed in range(80):
        for made in (None, PlayerTurn(7, "axis")):
            question = game_end(cg).question("allied", PlayerTurn(7, "allied"), made)
            answer = question.sample(Random(seed))
            assert question.allows(answer)
            statuses.add(answer["status"])
    assert statuses == {"roll", "agreed"}


def test_the_engine_waits_for_the_side_whose_turn_it_is() -> None:
    command = next(firefight_end.run(battle()))
    assert isinstance(command, Ask)
    assert [(q.side, q.key, q.secret) for q in command.questions] == [("axis", "play-status", False)]
