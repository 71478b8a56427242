"""Another CG Date, SAN, and the end after the last date."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.facts import ControlChanged, CvpScored
from laager.rules.board.hasl.facts import DateBegun, PlayEnded, ScenarioEnded
from laager.rules.board.hasl.scenario import ending, levels
from laager.rules.board.hasl.state import Round
from tests.historical.driver import run
from tests.historical.small import scene


def test_the_next_date_follows() -> None:
    cg = scene()
    run(ending.new_date, cg)
    assert cg.state.number == 2
    assert cg.date.id == "18AM"
    assert [line.number for line in cg.state.past] == [1]


def test_after_the_last_date_there_is_none() -> None:
    cg = scene()
    cg.state = DateBegun(number=4).apply(cg.state)
    with pytest.raises(AssertionError):
        run(ending.new_date, cg)


def test_walkthrough_a4_san() -> None:
    cg = scene()
    run(ending.new_date, cg)
    stays = run(levels.san_adjustment, cg, "allied", dice=[(5, 4)])
    # The number itself may be a secret.
    assert [fact.tell() for fact in stays.facts] == ["allied SAN stays as it is"]
    run(levels.san_adjustment, cg, "axis", dice=[(2, 2)])
    assert cg.state.side("allied").san == 3
    assert cg.state.side("axis").san == 4


def test_san_stops_at_seven() -> None:
    cg = scene({"sides": {"axis": {"san": 7}}})
    played = run(levels.san_adjustment, cg, "axis", dice=[(1, 1)])
    assert [fact.tell() for fact in played.facts] == ["axis SAN stays as it is"]
    assert (levels.bounded("san", -3), levels.bounded("san", 9), levels.bounded("san", 4)) == (0, 7, 4)


def test_without_a_table_the_san_is_asked() -> None:
    cg = scene(tables=False)
    played = run(levels.san_adjustment, cg, "axis", {"san": 5})
    assert cg.state.side("axis").san == 5
    question = played.asked[0]
    assert question.default == 3
    assert not question.allows(8)


def last_scenario(cg: Any) -> Any:
    for fact in (
        DateBegun(number=4),
        PlayEnded(turn=7),
        CvpScored(side="allied", points=27),
        CvpScored(side="axis", points=9),
    ):
        cg.state = fact.apply(cg.state)
    return cg


def test_no_end_before_the_last_scenario_is_over() -> None:
    cg = scene()
    cg.state = ScenarioEnded().apply(cg.state)
    assert not run(ending.campaign_end, cg).facts
    cg = last_scenario(scene())
    assert not run(ending.campaign_end, cg).facts


@pytest.mark.parametrize(("se", "winner"), [("allied", "allied"), ("axis", "axis")])
def test_the_end_determines_blocks_once_more(se: str, winner: str) -> None:
    cg = last_scenario(scene())
    cg.state = ControlChanged(side="allied", locations=("B4", "B5", "D2")).apply(cg.state)
    cg.state = ControlChanged(side=se, locations=("G7",)).apply(cg.state)
    cg.state = ScenarioEnded().apply(cg.state)
    run(ending.campaign_end, cg)
    assert cg.state.round is Round.OVER
    assert cg.state.winner == winner
    assert cg.state.block_control.get("SE") == se


def test_conditions_without_areas_need_no_blocks() -> None:
    final = [{"side": "axis", "text": "9 CVP", "cvp": 9}]
    cg = last_scenario(scene({"victory": {"final": final}}))
    cg.state = ScenarioEnded().apply(cg.state)
    played = run(ending.campaign_end, cg)
    assert [fact.kind for fact in played.facts] == ["campaign-ended"]
    assert cg.state.winner == "axis"
