"""Scenario rules on boards that the tests write: what changes, what does not, and what is told."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from laager.base import DataError
from laager.vasl.archive import open_archive
from laager.vasl.boards.board import Board
from laager.vasl.boards.layout import arrange
from laager.vasl.boards.losdata import terrains
from laager.vasl.maps.tomap import Imported, import_boards, place_alone
from laager.vasl.scenario import rules as scenario
from laager.vasl.scenario.changes import ChangeOutcome, changed_board
from laager.vasl.scenario.land import spread
from laager.vasl.setup.board import battlefield, boards_at

from . import board_writer as w
from .board_writer import Draft, old_board

RULES = Path(__file__).parents[3] / "shared" / "vasl" / "ssr-terrain-rules.csv"
BRUSH, LIGHT_WOODS, SWAMP, DENSE, BAMBOO = 20, 175, 15, 127, 128
"""Codes that the tests beside this one do not need."""


def code(name: str) -> int:
    return next(one.code for one in terrains() if one.name == name)


def changed(draft: Draft, folder: Path, *rules: str) -> tuple[Board, tuple[ChangeOutcome, ...]]:
    return changed_board(open_archive(draft.write(folder)), rules)


def map_of(board: Board) -> Imported:
    return import_boards(arrange([place_alone(board)]), [board])


def terrain(board: Board, name: str) -> str:
    return map_of(board).map.hex(f"20{name}").terrain


def drawn(*things: tuple[str, int]) -> Draft:
    draft = Draft()
    for name, kind in things:
        draft.fill(name, kind)
    return draft


def test_a_rule_changes_one_terrain_into_another(tmp_path: Path) -> None:
    board, (told,) = changed(drawn(("C2", w.WOODS), ("D2", w.GRAIN)), tmp_path, "WoodsToBrush")
    assert (terrain(board, "C2"), terrain(board, "D2")) == ("brush", "grain")
    assert (told.board, told.what, told.result) == ("20", "rule WoodsToBrush", "applied")
    assert board.changes == ("rule WoodsToBrush",)
    assert "with rule WoodsToBrush" in map_of(board).map.source_note


def test_without_rules_nothing_differs(tmp_path: Path) -> None:
    draft = drawn(("C2", w.WOODS))
    plain, none = changed(draft, tmp_path)
    looks, (told,) = changed(draft, tmp_path, "Winter")
    assert none == ()
    assert [one.ground for one in plain.hexes] == [one.ground for one in looks.hexes]
    assert (told.result, told.why) == ("nothing", "it is about looks")
    assert looks.changes == ()


def test_a_rule_with_nothing_to_change_says_so(tmp_path: Path) -> None:
    _, (told,) = changed(drawn(("C2", w.WOODS)), tmp_path, "NoGrain")
    assert (told.result, told.why) == ("nothing", "there is nothing of it on this board")


def test_a_rule_that_nobody_knows_is_listed(tmp_path: Path) -> None:
    board, (told,) = changed(drawn(("C2", w.WOODS)), tmp_path, "WoodsToBrish")
    assert told.result == "not applied"
    assert "did you mean WoodsToBrush" in told.why
    assert terrain(board, "C2") == "woods"
    assert str(told).startswith("board 20, rule WoodsToBrish: NOT APPLIED: no such rule")


def test_levels(tmp_path: Path) -> None:
    draft = Draft()
    draft.fill("C2", w.OPEN, 2)
    draft.fill("D3", w.WOODS)
    draft.fill("A2", w.OPEN, 1)
    board, told = changed(draft, tmp_path, "Level2ToLevel0", "WoodsToLevel3", "Level1ToGrain")
    assert [one.result for one in told] == ["applied"] * 3
    level = {name: board.by_name[name].ground.base for name in ("C2", "D3", "A2")}  # type: ignore[union-attr]
    assert level == {"C2": 0, "D3": 3, "A2": 0}
    assert [terrain(board, name) for name in ("C2", "D3", "A2")] == ["open", "open", "grain"]


@pytest.mark.parametrize(("rule", "new"), [("Level1ToGrain", "grain"), ("Level1ToWoods", "woods")])
def test_a_level_goes_and_what_stands_on_it_stays(rule: str, new: str, tmp_path: Path) -> None:
    draft = Draft(columns=9, rows=8)
    for name in ("C2", "C3", "D3", "D4"):
        draft.fill(name, w.OPEN, 1)
    draft.fill("C3", w.ORCHARD, 1)
    draft.box("D3", w.STONE_2, 20)
    draft.way("G2 G3 G4", w.GULLY, 12)
    draft.levels[draft.codes == w.GULLY] = 1
    before, _ = changed(draft, tmp_path)
    board, (told,) = changed(draft, tmp_path, rule)
    assert told.result == "applied"
    assert [terrain(board, name) for name in ("C2", "C3", "D4")] == [new, "orchard", new]
    house = board.by_name["D3"].ground
    assert house is not None
    assert (house.house, house.base) == (before.by_name["D3"].ground.house, 0)  # type: ignore[union-attr]
    assert house.house is not None
    level = {name: board.by_name[name].ground.base for name in ("C2", "C3", "D3", "G3")}  # type: ignore[union-attr]
    assert level == {"C2": 0, "C3": 0, "D3": 0, "G3": 1}


def test_rules_follow_one_another_in_their_order(tmp_path: Path) -> None:
    draft = drawn(("C2", w.WOODS))
    first, _ = changed(draft, tmp_path, "WoodsToBrush", "BrushToGrain")
    second, _ = changed(draft, tmp_path, "BrushToGrain", "WoodsToBrush")
    assert (terrain(first, "C2"), terrain(second, "C2")) == ("grain", "brush")


def hexsides(draft: Draft) -> None:
    draft.side("C2", 0, w.HEDGE)
    draft.side("D3", 3, w.WALL)
    draft.side("B2", 3, w.CLIFF)


def roads(draft: Draft) -> None:
    draft.way("A2 B2 C3 D3 E3", w.DIRT)


def woods_road(draft: Draft) -> None:
    draft.codes[:100] = w.WOODS
    draft.way("A2 B2 C3 D3 E3", w.DIRT)


@pytest.mark.parametrize(
    ("rule", "draw", "part", "kinds"),
    [
        ("HedgesToBocage", hexsides, "hexsides", {"bocage", "wall", "cliff"}),
        ("WallsToBocage", hexsides, "hexsides", {"hedge", "bocage", "cliff"}),
        ("WallsOnly", hexsides, "hexsides", {"wall", "cliff"}),
        ("NoHedges", hexsides, "hexsides", {"wall", "cliff"}),
        ("NoCliffs", hexsides, "hexsides", {"hedge", "wall"}),
        ("AllPaved", roads, "roads", {"paved"}),
        ("RoadsToPaths", roads, "roads", {"unpaved"}),
        ("RoadsToPaths", woods_road, "roads", {"path", "unpaved"}),
        ("NoRoads", roads, "roads", set()),
        ("AllDirt", roads, "roads", {"unpaved"}),
    ],
)
def test_hexsides_and_roads(
    rule: str, draw: Callable[[Draft], None], part: str, kinds: set[str], tmp_path: Path
) -> None:
    draft = Draft()
    draw(draft)
    board, _ = changed(draft, tmp_path, rule)
    found = map_of(board).map
    if part == "roads":
        assert {one.kind for one in found.roads} == kinds
    else:
        assert {kind for there in found.hexsides.values() for kind in there} == kinds


def test_woods_grow_over_their_roads_alone(tmp_path: Path) -> None:
    draft = Draft()
    woods_road(draft)
    before, _ = changed(draft, tmp_path)
    board, _ = changed(draft, tmp_path, "NoWoodsRoads")
    old, new = ({name for one in map_of(b).map.roads for name in one.along} for b in (before, board))
    assert "20B2" in old
    assert "20B2" not in new
    assert "20E3" in new
    centre = board.by_name["B2"].ground
    assert centre is not None
    assert centre.centre.name == "Woods"


def bridge() -> Draft:
    draft = Draft()
    draft.way("C0 C1 C2 C3 C4", w.STREAM, 9)
    draft.levels[draft.codes == w.STREAM] = -1
    draft.way("B2 C2 D2", w.DIRT)
    draft.box("C2", w.BRIDGE, half=11)
    draft.levels[draft.codes == w.BRIDGE] = 0
    return draft


def test_bridges_are_gone_or_fords(tmp_path: Path) -> None:
    plain, _ = changed(bridge(), tmp_path)
    assert map_of(plain).map.hex("20C2").has("bridge")
    gone, _ = changed(bridge(), tmp_path, "NoBridge")
    here = map_of(gone).map.hex("20C2")
    assert not here.has("bridge")
    assert here.has("stream")
    assert here.level == -1
    ford, _ = changed(bridge(), tmp_path, "BridgeToFord")
    here = map_of(ford).map.hex("20C2")
    assert not here.has("bridge")
    assert here.has("ford")


def test_streams(tmp_path: Path) -> None:
    def kinds(*rules: str) -> set[str]:
        board, _ = changed(bridge(), tmp_path, *rules)
        return {one.kind for one in map_of(board).map.watercourses}

    assert kinds() == {"stream"}
    assert kinds("StreamsToGullies") == {"gully"}
    assert kinds("DryStreams") == {"gully"}
    assert kinds("StreamsToGullies", "GulliesToStreams") == {"stream"}


def test_rowhouses_and_materials(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("C2 C3", w.STONE_2, 10)
    draft.side("C2", 3, w.ROWHOUSE, 3)
    plain, _ = changed(draft, tmp_path)
    assert len(map_of(plain).map.buildings) == 2, "a rowhouse wall parts them"
    one, _ = changed(draft, tmp_path, "RowhouseBarsToBuildings")
    assert [b.hexes for b in map_of(one).map.buildings] == [("20C2", "20C3")]
    wooden, _ = changed(draft, tmp_path, "AllWood")
    assert {b.material for b in map_of(wooden).map.buildings} == {"wooden"}
    assert {b.levels for b in map_of(wooden).map.buildings} == {2}


def test_no_stairwells(tmp_path: Path) -> None:
    draft = Draft(stairs={(2, 1)})
    draft.way("C2 C3", w.FACTORY, 10)
    plain, _ = changed(draft, tmp_path)
    board, (told,) = changed(draft, tmp_path, "NoStairwells")
    assert plain.by_name["C2"].ground.stairway  # type: ignore[union-attr]
    assert not board.by_name["C2"].ground.stairway  # type: ignore[union-attr]
    assert told.result == "applied"


@pytest.mark.parametrize(
    ("rule", "there", "becomes"),
    [("PalmTrees", "Orchard", "palm"), ("Bamboo", "Brush", "bamboo"), ("DenseJungle", "Woods", "dense-jungle")],
)
def test_the_pacific_makes_jungle_of_woods(rule: str, there: str, becomes: str, tmp_path: Path) -> None:
    draft = Draft()
    draft.box("C2", code(there), half=14)
    draft.fill("E2", w.WOODS)
    board, (told,) = changed(draft, tmp_path, rule)
    assert terrain(board, "C2") == becomes
    assert terrain(board, "E2") == ("dense-jungle" if rule == "DenseJungle" else "jungle")
    assert "huts" in told.why
    if rule != "PalmTrees":
        ground = board.by_name["C2"].ground
        assert ground is not None
        assert ground.share(ground.centre) > 0.99, "the whole hex"


def test_marsh_beside_jungle_is_swamp(tmp_path: Path) -> None:
    draft = drawn(("C2", w.MARSH), ("C3", w.WOODS), ("A1", w.MARSH))
    board, _ = changed(draft, tmp_path, "SwampToSwampPattern")
    assert [terrain(board, name) for name in ("C2", "C3", "A1")] == ["swamp", "jungle", "marsh"]


def test_boards_without_los_data_list_all(tmp_path: Path) -> None:
    path = old_board(tmp_path, "OLD", (200, 200), "x0 0\ny0 32\n")
    board, told = changed_board(open_archive(path), ["NoGrain", "Winter"])
    assert not board.known
    assert [(one.board, one.result) for one in told] == [("OLD", "not applied")] * 2
    assert "holds no LOS data" in told[0].why


def test_colour_rules_of_a_board(tmp_path: Path) -> None:
    inside = (
        '<colorSSRules><colorSSR name="Meadow"><colorMap fromColor="GrainL0" toColor="BrushL0"/>'
        '<colorMap fromColor="Nonsense" toColor="Level0"/></colorSSR></colorSSRules>'
        '<overlaySSRules><underlaySSRule name="WallToCactus" image="c.gif"><color name="x"/>'
        "</underlaySSRule></overlaySSRules>"
    )
    draft = Draft(inside=inside)
    draft.fill("C2", w.GRAIN)
    draft.fill("D2", w.WOODS)
    old = b"// notes\nHeath\n  WoodsGreen=BrushL0 \n  a=b\n\nEmpty\n"
    archive = open_archive(draft.write(tmp_path, colorSSR=old))
    board, told = changed_board(archive, ["Meadow", "Heath", "WallToCactus", "Empty"])
    assert (terrain(board, "C2"), terrain(board, "D2")) == ("brush", "brush")
    assert [one.result for one in told] == ["applied", "applied", "not applied", "nothing"]
    assert "pattern" in told[2].why


def test_the_rules_are_those_of_the_description() -> None:
    if not RULES.is_file():
        pytest.skip("the description of the formats is not in ../shared/vasl")
    with RULES.open() as file:
        told = {row["ssr"] for row in csv.DictReader(file)}
    assert told <= set(scenario.rules())


def test_every_rule_names_terrain_that_there_is_and_can_be_applied(tmp_path: Path) -> None:
    names = {one.name for one in terrains()}
    for parts in scenario.rules().values():
        for part in parts:
            words = [*part.old, part.new] if part.how in ("terrain",) else []
            assert set(filter(None, words)) <= names, part
    draft = drawn(("C2", w.WOODS), ("A1", w.MARSH), ("D2", w.GRAIN))
    draft.fill("B2", BRUSH, 2)
    _, told = changed(draft, tmp_path, *scenario.rules())
    assert len(told) == len(scenario.rules())
    assert all(one.result != "not applied" for one in told)


def test_spoilt_boards_are_refused_as_ever(tmp_path: Path) -> None:
    draft = drawn(("C2", w.WOODS))
    path = draft.write(tmp_path, LOSData=b"nonsense")
    with pytest.raises(DataError):
        changed_board(open_archive(path), ["NoGrain"])


def test_pixels_take_over_from_the_nearest() -> None:
    known = np.zeros((5, 1), np.bool_)
    known[0], known[4] = True, True
    values = np.array([[1], [0], [0], [0], [9]], np.int16)
    spread(known, np.array([[True], [True], [True], [False], [True]]), [values])
    assert values[:, 0].tolist() == [1, 1, 1, 0, 9]


def test_vasl_is_told_the_rules_that_change_nothing_on_the_map(tmp_path: Path) -> None:
    """Looks, and what Laager can't apply, are still rules of the game: a setup in VASL has them all."""
    board, told = changed(drawn(("C2", w.WOODS)), tmp_path, "WoodsToBrush", "Winter", "BSO_20_PondToOG")
    assert [one.result for one in told] == ["applied", "nothing", "not applied"]
    assert board.changes == ("rule WoodsToBrush",)
    ground = battlefield(map_of(board).map, boards_at(tmp_path), 400)
    assert "\tSSR\tWoodsToBrush\tWinter\tBSO_20_PondToOG\t" in ground.command
