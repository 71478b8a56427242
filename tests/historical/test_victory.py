"""Conditions of victory: computed, asked, in the order of the card; Sudden Death."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.facts import ControlChanged, CvpScored
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.scenario import ending, initiative
from laager.rules.board.hasl.state import Round
from laager.rules.board.hasl.victory import controls, is_area, is_fulfilled, standing_in_words
from tests.historical.driver import run
from tests.historical.small import scene


def with_points(cg: Any, amassed: int, lost: int) -> Any:
    cg.state = CvpScored(side="allied", points=amassed).apply(cg.state)
    cg.state = CvpScored(side="axis", points=lost).apply(cg.state)
    return cg


def holding(cg: Any, *blocks: str) -> Any:
    control = dict.fromkeys(blocks, "allied")
    cg.state = AreasDetermined(areas=cg.state.areas, block_control=control).apply(cg.state)
    return cg


@pytest.mark.parametrize(
    ("blocks", "amassed", "won"), [(("W", "SE"), 27, True), (("W", "SE"), 26, False), (("W",), 27, False)]
)
def test_blocks_and_three_times_the_losses(blocks: tuple[str, ...], amassed: int, won: bool) -> None:
    cg = holding(with_points(scene(), amassed, 9), *blocks)
    condition = cg.card.victory.final[0]
    assert is_fulfilled(cg, condition) is won
    run(ending.victory, cg)
    assert cg.state.winner == ("allied" if won else "axis")
    assert cg.state.round is Round.OVER


def test_what_stands_is_told() -> None:
    cg = holding(with_points(scene(), 26, 9), "W")
    told = standing_in_words(cg, cg.card.victory.final[0])
    assert told == "Controls 1 of 2 needed (W); CVP amassed 26, lost 9"


def test_nobody_wins_a_draw() -> None:
    cg = scene({"victory": {"final": [], "otherwise": None}})
    run(ending.victory, cg)
    assert cg.state.winner == ""
    assert "a draw" in cg.state.ending


def test_locations_and_areas_are_told_apart() -> None:
    cg = scene()
    cg.state = ControlChanged(side="axis", locations=("G7",)).apply(cg.state)
    assert controls(cg, "axis", "G7")
    assert not controls(cg, "allied", "G7")
    assert controls(cg, "allied", "W")
    assert is_area(cg, "W")
    assert not is_area(cg, "G7")
    # An area that is on no list now is nobody's.
    listed = scene({"areas": "listed", "sides": {"axis": {"areas": {"Ridge": ["A1"]}}}})
    assert is_area(listed, "Ridge")
    assert not controls(listed, "axis", "Ridge")
    assert controls(listed, "allied", "W")


def test_the_first_condition_fulfilled_wins() -> None:
    final = [
        {"side": "axis", "text": "20 CVP", "cvp": 20},
        {"side": "allied", "text": "5 CVP", "cvp": 5},
        {"side": "axis", "text": "1 CVP", "cvp": 1},
    ]
    cg = with_points(scene({"victory": {"final": final}}), 6, 6)
    run(ending.victory, cg)
    assert cg.state.winner == "allied"


SUDDEN = {
    "victory": {
        "sudden": [{"side": "allied", "text": "the bridge is blown"}, {"side": "axis", "text": "40 CVP", "cvp": 40}]
    }
}


def test_sudden_death_asked_of_both_sides() -> None:
    cg = scene(SUDDEN)
    played = run(initiative.sudden_death, cg, answers={"sudden-death-1": True})
    assert [question.side for question in played.asked] == ["allied", "axis"]
    assert cg.state.winner == "allied"
    assert cg.state.ending == "Sudden Death: the bridge is blown"


def test_one_side_alone_does_not_win() -> None:
    cg = scene(SUDDEN)
    answers = [
        ("sudden-death-1", True),
        ("sudden-death-1-agreed", False),
        ("sudden-death-1", False),
        ("sudden-death-1-agreed", True),
    ]
    played = run(initiative.sudden_death, cg, answers=answers)
    assert not played.facts
    assert [question.side for question in played.asked] == ["allied", "axis", "axis", "allied"]


def test_sudden_death_computed() -> None:
    cg = with_points(scene(SUDDEN), 0, 40)
    run(initiative.sudden_death, cg)
    assert cg.state.winner == "axis"


def test_without_sudden_conditions_nothing_is_asked() -> None:
    played = run(initiative.sudden_death, scene())
    assert not played.asked
    assert not played.facts
