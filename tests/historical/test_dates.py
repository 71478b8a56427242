"""Another CG Date, SAN, and the end after the last date."""

from __future__ import annotations

from typing import Any

import pytest

from laager.campaign.facts import may_see
from laager.rules.board.facts import ControlChanged, CvpScored, SanChanged
from laager.rules.board.hasl.facts import DateBegun, PlayEnded, SanAnnounced, ScenarioEnded
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
    assert (levels.clamp_level("san", -3), levels.clamp_level("san", 9), levels.clamp_level("san", 4)) == (0, 7, 4)


def test_without_a_table_the_san_is_asked() -> None:
    cg = scene(tables=False)
    played = run(levels.san_adjustment, cg, "axis", {"san": 5})
    assert cg.state.side("axis").san == 5
    question = played.asked[0]
    assert question.default == 3
    assert not question.allows(8)


def seen_san(cg: Any, before: Any, played: Any) -> int:
    """The SAN of the Axis as the Allies know it, after facts that began with the state `before`."""
    state = before
    for fact in played.facts:
        state = fact.apply(state) if may_see(fact.to, "allied") else state
    return int(state.side("axis").san)


@pytest.mark.parametrize("tables", [True, False])
@pytest.mark.parametrize("announced", range(8))
def test_an_adjustment_shows_nothing_of_a_san_bought_in_secret(announced: int, tables: bool) -> None:
    """Whatever was bought, the enemy gets the same facts, and never a SAN beyond its bounds."""
    for dice in [(1, 1), (5, 5), (6, 6)]:
        told = set()
        for bought in range(8 - announced):
            cg = scene({"sides": {"axis": {"san": announced}}}, tables=tables)
            before = cg.state
            cg.state = SanChanged(side="axis", by=bought, to=("axis",)).apply(cg.state)
            answers = {} if tables else {"san": min(7, announced + 1)}
            played = run(levels.san_adjustment, cg, "axis", answers, dice=[dice] if tables else [])
            seen = [fact.model_dump_json() for fact in played.facts if may_see(fact.to, "allied")]
            told.add((*seen, seen_san(cg, before, played)))
            own = cg.state.side("axis")
            assert 0 <= seen_san(cg, before, played) == own.san - own.secret_san <= 7
            assert 0 <= own.san <= 7
        assert len(told) == 1


def test_a_san_bought_for_an_idle_date_counts_once_it_is_announced() -> None:
    cg = scene({"sides": {"axis": {"san": 5}}}, tables=False)
    cg.state = SanChanged(side="axis", by=2, to=("axis",)).apply(cg.state)
    played = run(levels.san_adjustment, cg, "axis", {"san": 6})
    assert "without the 2 that you have bought in secret" in played.asked[0].text
    own = cg.state.side("axis")
    assert (own.san, own.secret_san) == (7, 1)
    cg.state = SanAnnounced(san={"axis": own.san, "allied": 3}).apply(cg.state)
    assert cg.state.side("axis").secret_san == 0


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
