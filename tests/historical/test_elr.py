"""ELR and Ammunition Shortage: the figures of the walkthrough, bounds, what is asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.dice import Modifier
from laager.rules.board.facts import CvpScored
from laager.rules.board.hasl.conditions import conditions, cvp_lost, number_of
from laager.rules.board.hasl.facts import (
    ChitsRevealed,
    DateBegun,
    ExhaustionSet,
    RoundBegun,
    ScenarioDetermined,
    TalliesOpened,
)
from laager.rules.board.hasl.scenario import levels
from laager.rules.board.hasl.state import Round
from laager.rules.board.hasl.variant import Variant
from tests.historical.driver import run
from tests.historical.small import data, scene
from tests.tries import tries


def refit(cg: Any, lost: dict[str, int], chits: dict[str, str] | None = None) -> Any:
    """Bring a scene to 9.620 of 18AM: the Initial Scenario is over, losses are counted."""
    cg.state = ChitsRevealed(chits=chits or {"axis": "idle", "allied": "attack"}, counted=False).apply(cg.state)
    cg.state = TalliesOpened().apply(cg.state)
    for side, points in lost.items():
        enemy = "allied" if side == "axis" else "axis"
        cg.state = CvpScored(side=enemy, points=points).apply(cg.state)
    for fact in (RoundBegun(round=Round.REFIT), DateBegun(number=2)):
        cg.state = fact.apply(cg.state)
    for side, drm in {"allied": 1, "axis": 0}.items():
        cg.state = ExhaustionSet(side=side, drm=drm).apply(cg.state)
    return cg


def level_two(cg: Any) -> Any:
    played = run(levels.ammunition_shortage, cg, "allied", dice=[(5, 5)])
    assert played.finals() == [11]
    assert cg.state.side("allied").ammunition == 2
    return cg


def test_walkthrough_a4_shortage_and_elr() -> None:
    cg = level_two(refit(scene(), {"allied": 9, "axis": 13}))
    british = run(levels.elr_change, cg, "allied", dice=[(5, 6)])
    # 11, level Two +2, exhaustion +1, 9 CVP lost +1, Attack -1
    assert british.finals() == [14]
    assert sorted(m.value for _, rolled in british.rolls for m in rolled.modifiers) == [-1, 1, 1, 2]
    assert cg.state.side("allied").elr == 4
    german = run(levels.elr_change, cg, "axis", dice=[(4, 3)])
    # 13 CVP lost +2, Idle 0
    assert german.finals() == [9]
    assert [fact.tell() for fact in german.facts] == ["axis ELR stays 3"]
    assert "= 9" in german.facts[0].why
    assert cg.state.side("axis").elr == 3


def test_shortage_below_ten_stays() -> None:
    cg = refit(scene(), {})
    played = run(levels.ammunition_shortage, cg, "allied", dice=[(5, 3)])
    assert played.finals() == [9]
    assert [fact.tell() for fact in played.facts] == ["allied Ammunition Shortage level stays 1"]
    assert cg.state.side("allied").ammunition == 1


def test_a_side_without_levels_does_not_roll() -> None:
    cg = refit(scene(), {})
    played = run(levels.ammunition_shortage, cg, "axis")
    assert not played.rolls
    assert not run(levels.ammunition_shortage, refit(scene(tables=False), {}), "axis").asked


def test_elr_gain_stops_at_five() -> None:
    cg = refit(scene(), {}, {"axis": "attack", "allied": "idle"})
    cg.state = ExhaustionSet(side="allied", drm=-3).apply(cg.state)
    played = run(levels.elr_change, cg, "allied", dice=[(1, 1)])
    assert played.finals() == [0]
    assert [fact.tell() for fact in played.facts] == ["allied ELR stays 5"]
    assert cg.state.side("allied").elr == 5


@pytest.mark.parametrize("step", [levels.elr_change, levels.ammunition_shortage])
def test_without_tables_the_new_number_is_asked(step: Any) -> None:
    cg = refit(scene(tables=False), {})
    question = run(step, cg, "allied").asked[0]
    now = question.default
    assert question.allows(0)
    assert question.allows(5)
    assert not question.allows(6)
    assert not question.allows(-1)
    assert not run(step, cg, "allied").facts
    changed = run(step, cg, "allied", {question.key: 2})
    assert [fact.by for fact in changed.facts] == [2 - now]  # type: ignore[attr-defined]


def test_conditions_that_are_not_known_are_asked() -> None:
    tables = data("small-town-tables")
    changed = {
        **tables,
        "tables": [
            {
                **table,
                "modifiers": [
                    {"id": "mood", "value": "given", "when": "mood", "rule": "HASL 24"},
                    {"id": "mail", "value": -1, "when": "mail came", "rule": "HASL 24"},
                    {"id": "bath", "value": 1, "per": "day", "when": "no bath", "rule": "HASL 24"},
                ],
            }
            if table["id"] == "elr"
            else table
            for table in tables["tables"]
        ],
    }
    cg = refit(scene(tables=changed), {})
    told = {"elr-conditions": {"mood": -2, "mail": 1, "bath": 3}}
    played = run(levels.elr_change, cg, "axis", told, [(3, 3)])
    assert played.finals() == [6 - 2 - 1 + 3]
    question = played.asked[0]
    assert not question.allows({"mail": 2})
    assert question.allows({"bath": 2})


def test_losses_before_an_idle_date_count_once() -> None:
    cg = refit(scene(), {"axis": 11})
    assert cvp_lost(cg, "axis") == 11
    idle = {"axis": "idle", "allied": "idle"}
    for fact in (
        ChitsRevealed(chits=idle),
        ScenarioDetermined(kind_of_scenario="Idle Date", idle=True),
        RoundBegun(round=Round.IDLE),
        DateBegun(number=3),
    ):
        cg.state = fact.apply(cg.state)
    assert cvp_lost(cg, "axis") == 0
    assert conditions(cg, "axis")["idle"] == 1
    assert conditions(cg, "axis")["attacked"] == 0


def test_without_a_step_of_cvp_they_are_asked() -> None:
    cg = refit(scene(charts={"cvp_step": None}), {"axis": 11})
    assert "cvp-lost" not in conditions(cg, "axis")
    played = run(levels.elr_change, cg, "axis", {"elr-conditions": {"cvp-lost": 4}}, [(4, 4)])
    assert played.finals() == [12]


def test_exhaustion_not_known_yet_is_asked() -> None:
    cg = scene()
    assert "exhaustion" not in conditions(cg, "axis")
    assert conditions(refit(scene(), {}), "allied")["exhaustion"] == 1


def test_a_system_counts_its_own_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    class Level(Variant[Any]):
        def elr_conditions(self, cg: Any, side: str) -> dict[str, int]:
            return {"ammunition": 3}

    cg = refit(scene(), {})
    monkeypatch.setattr(type(cg), "variant", Level())
    played = run(levels.elr_change, cg, "axis", dice=[(3, 3)])
    assert played.rolls[0][1].modifiers == (Modifier(3, "Ammunition Shortage", "HASL 1"),)


def test_results_must_be_numbers() -> None:
    assert number_of(None, "elr") == 0
    for wrong in (True, "less"):
        with pytest.raises(RefusedError, match="the table elr gives"):
            number_of(wrong, "elr")


@tries(40)
@given(
    faces=st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=12), lost=st.integers(0, 60)
)
def test_elr_and_level_stay_in_bounds(faces: list[tuple[int, int]], lost: int) -> None:
    cg = refit(scene(), {"allied": lost})
    for face in faces:
        run(levels.ammunition_shortage, cg, "allied", dice=[face])
        run(levels.elr_change, cg, "allied", dice=[face])
        assert 0 <= cg.state.side("allied").elr <= 5
        assert 0 <= cg.state.side("allied").ammunition <= 5
