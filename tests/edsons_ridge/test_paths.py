"""Jungle Paths: three markers a purchase, placed in secret, shown before setup."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.hexmap.ways.paths import path_cost
from laager.rules.board.facts import TerrainChanged
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.steps import paths as rules
from laager.rules.edsons_ridge.steps.paths import jungle_paths, paths_question, paths_revealed
from tests.edsons_ridge.scene import apply, at_date, fort, scene
from tests.historical.driver import run


def bought(count: int = 1, **more: Any) -> Er:
    cg = at_date(scene(**more), "13D")
    for _ in range(count):
        fort(cg, "axis", "jungle-path", None)
    return cg


@pytest.mark.parametrize(
    ("hexes", "message"),
    [
        ("C3, C4, C5", ""),
        ("B5, C5", ""),
        ("B5, B6", "the markers count for 4; 3 at most"),
        ("Z5, Z6", "the markers count for 4"),
        ("V5, V6, V7, V8", "the markers count for 4"),
        ("C3, C9", "C9 apart from C3"),
        ("V5, X5", ""),
        ("C3, ZZ1", "ZZ1 is not on the map"),
        ("C3, C3", "C3 more than once"),
    ],
)
def test_markers(hexes: str, message: str) -> None:
    cg = bought()
    question = paths_question(cg, "axis", rules.unplaced_purchases(cg, "axis"))
    answer = [{"path": "AXF1", "hexes": hexes}]
    if not message:
        question.accept(answer)
        return
    with pytest.raises(DataError) as told:
        question.accept(answer)
    assert message in str(told.value)


def test_gaps_by_the_reading() -> None:
    for reading, legal in (("one", False), ("several", True)):
        cg = bought(readings={"jungle-path-gaps": reading})
        assert (not list(rules.marker_problems(cg, "axis", ["K13", "K10"]))) is legal


def test_none_in_an_isolated_location() -> None:
    cg = bought()
    areas = tuple(area.but(isolated=area.side == "axis") for area in cg.state.areas)
    apply(cg, AreasDetermined(areas=areas))
    told = [str(one) for one in rules.marker_problems(cg, "axis", ["C3"])]
    assert told == ["C3 is Isolated; no Jungle Path is placed there (ER 1.520 Note e)"]
    assert not list(rules.marker_problems(cg, "allied", ["C3"]))


def test_what_is_no_purchase_or_placed_twice() -> None:
    cg = bought()
    question = paths_question(cg, "axis", rules.unplaced_purchases(cg, "axis"))
    with pytest.raises(DataError, match="2 rows are too many"):
        question.accept([{"path": "AXF1", "hexes": "C3"}] * 2)
    cg = bought(2)
    question = paths_question(cg, "axis", rules.unplaced_purchases(cg, "axis"))
    with pytest.raises(DataError, match="AXF1 is named twice"):
        question.accept([{"path": "AXF1", "hexes": "C3"}] * 2)


def test_they_are_placed_in_secret_and_shown_before_setup() -> None:
    cg = bought(2)
    played = run(jungle_paths, cg, "axis", {"jungle-paths": [{"path": "AXF1", "hexes": "C3, C4"}]})
    assert all(fact.to == ("axis",) for fact in played.facts)
    assert [marker.at for marker in rules.placed_markers(cg)] == ["C3", "C4"]
    assert not rules.unplaced_purchases(cg, "axis")
    assert all(marker.hidden for marker in rules.placed_markers(cg, "axis"))
    shown = run(paths_revealed, cg)
    assert all(fact.to is None for fact in shown.facts)
    assert not any(marker.hidden for marker in rules.placed_markers(cg))
    assert not run(paths_revealed, cg).facts
    assert not run(jungle_paths, cg, "axis").asked


def test_terrain_of_today_counts() -> None:
    cg = bought()
    assert path_cost(cg.map, ["B5", "B6"]) == 4
    apply(cg, TerrainChanged(at="B5", what="rubble"), TerrainChanged(at="V6", what="shellholes"))
    assert path_cost(cg.map, ["B5", "B6"]) == 3
    assert not list(rules.marker_problems(cg, "axis", ["B5", "B6"]))


def test_by_chance() -> None:
    cg = bought(2)
    question = paths_question(cg, "axis", rules.unplaced_purchases(cg, "axis"))
    assert all(question.allows(question.sample(Random(seed))) for seed in range(8))
