"""Maps made from boards that the tests write: what of the pixels becomes what on the map."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from laager.base import DataError
from laager.hexmap import HexMap, crests, derive_blocks, is_open_ground, load_map, strategic_terrain
from laager.hexmap.draw import draw_svg, plain_layers
from laager.hexmap.frontline.strategic import woods_line
from laager.vasl.boards.board import Board, read_board
from laager.vasl.boards.layout import Crop, PlacedBoard, arrange
from laager.vasl.maps.cells import board_prefixes
from laager.vasl.maps.mapwriter import compact, document, scalar
from laager.vasl.maps.tomap import Imported, import_boards, place_alone

from . import board_writer as w
from .board_writer import Draft


def made(folder: Path, *drafts: Draft) -> Imported:
    """Return the map of boards side by side, from west to east."""
    boards = [read_board(draft.write(folder)) for draft in drafts]
    return joined(boards, [PlacedBoard(b.name, b.geometry, b.size, i) for i, b in enumerate(boards)])


def joined(boards: list[Board], places: list[PlacedBoard], *, cellars: bool = False) -> Imported:
    return import_boards(arrange(places), boards, cellars=cellars)


def ways(map_: HexMap, part: str) -> set[tuple[str, ...]]:
    """Return roads or watercourses as kind and hexes, in whichever direction sorts first."""
    return {(one.kind, *min(one.along, tuple(reversed(one.along)))) for one in getattr(map_, part)}


def test_terrain_goes_by_share_and_by_dot(tmp_path: Path) -> None:
    draft = Draft()
    draft.fill("C2", w.WOODS)
    draft.box("C3", w.WOODS, dx=-16, half=10)
    draft.box("D2", w.WOODS, dx=-16, half=6)
    draft.box("D3", w.GRAIN, half=3)
    draft.fill("B2", w.MARSH)
    draft.box("B2", w.DIRT, half=4)
    found = made(tmp_path, draft).map
    terrain = {name: found.hex(f"20{name}").terrain for name in ("C2", "C3", "D2", "D3", "B2")}
    assert terrain == {"C2": "woods", "C3": "open", "D2": "open", "D3": "grain", "B2": "marsh"}
    assert found.hex("20C3").also == {"woods"}, "11 % of it"
    assert not found.hex("20D2").also, "4 % of it"


def test_water_is_the_terrain_under_the_dot_only(tmp_path: Path) -> None:
    draft = Draft()
    draft.fill("E2", w.RIVER)
    draft.box("D2", w.RIVER, half=14, dx=14)
    draft.way("A2 B1 C2", w.CANAL, 6)
    found = made(tmp_path, draft).map
    assert (found.hex("20E2").terrain, found.hex("20D2").terrain) == ("river", "open")
    assert "river" in found.hex("20D2").also
    assert found.hex("20B1").terrain == "water"
    assert ways(found, "watercourses") == {("canal", "20A2", "20B1", "20C2")}


def test_water_within_the_map_is_a_pond(tmp_path: Path) -> None:
    draft = Draft(columns=7, rows=6)
    draft.fill("D3", w.WATER)
    draft.fill("D2", w.WATER)
    draft.box("C3", w.WATER, dx=18, half=12)
    draft.fill("A1", w.WATER)
    found = made(tmp_path, draft).map
    assert [found.hex(f"20{n}").terrain for n in ("D3", "D2", "A1")] == ["pond", "pond", "water"]
    assert found.hex("20C3").also == {"pond"}


def test_levels_make_crests_and_woods_their_line(tmp_path: Path) -> None:
    draft = Draft(columns=7, rows=6)
    for name in ("D3", "D2", "C3"):
        draft.fill(name, w.WOODS, 2)
    draft.fill("E3", w.OPEN, 1)
    found = made(tmp_path, draft).map
    assert found.hex("20D3").level == 2
    assert crests(found) == (frozenset({"20D3", "20D2", "20C3"}),)
    assert woods_line(found) == {"20D3", "20D2", "20C3"}
    assert "20D3" in strategic_terrain(found)


def test_buildings_are_joined_over_hexsides_and_divided_by_rowhouse_walls(tmp_path: Path) -> None:
    draft = Draft(columns=7, rows=6)
    draft.way("B2 C3", w.STONE_2, 8)
    draft.way("E2 E3 E4", w.WOODEN_1, 8)
    draft.side("E3", 3, w.ROWHOUSE, 4)
    draft.box("G2", w.WOODEN, dx=-14, half=10)
    draft.box("G5", w.HUTS)
    found = made(tmp_path, draft).map
    houses = {one.hexes: (one.material, one.levels, one.cellar) for one in found.buildings}
    assert houses == {
        ("20B2", "20C3"): ("stone", 2, False),
        ("20E2", "20E3"): ("wooden", 1, False),
        ("20E4",): ("wooden", 1, False),
        ("20G2",): ("wooden", 0, False),
        ("20G5",): ("hut", 0, False),
    }
    assert found.hexside_features("20E3", "20E4") == {"rowhouse"}
    assert found.locations("20B2") == ("20B2", "20B2.1", "20B2.2")


def test_a_building_may_be_lower_in_some_of_its_hexes(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("B2 C3", w.STONE_2, 8)
    draft.box("B2", w.STONE_1, half=12)
    found = made(tmp_path, draft)
    (house,) = found.map.buildings
    assert (house.levels, house.levels_at) == (2, {"20B2": 1})
    assert found.map.locations("20B2") == ("20B2", "20B2.1")
    assert found.map.locations("20C3") == ("20C3", "20C3.1", "20C3.2")
    assert HexMap.from_data(found.map.to_data()).buildings == (house,)


def test_cellars_only_if_asked_for(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("C2 C3", w.STONE_2, 10)
    draft.box("A2", w.STONE_1)
    board = read_board(draft.write(tmp_path))
    found = joined([board], [place_alone(board)], cellars=True).map
    assert found.locations("20C2")[-1] == "20C2.c"
    assert found.locations("20A2") == ("20A2", "20A2.1")


def test_a_factory_without_stairs_and_a_wall_inside_it(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("C2 C3", w.FACTORY, 12)
    draft.side("C2", 3, 172, 3)
    found = made(tmp_path, draft)
    assert [(one.hexes, one.levels) for one in found.map.buildings] == [(("20C2", "20C3"), 0)]
    assert found.left_out == {"Interior Factory Wall, 1 Level": 2}


def test_roads_by_kind_with_forks_and_bridges(tmp_path: Path) -> None:
    draft = Draft(columns=7, rows=6)
    draft.way("A3 B3 C3 D3 E3", w.PAVED)
    draft.way("C3 C2 C1", w.DIRT)
    draft.way("F5 F4 G4", w.PATH, 2)
    draft.box("G1", w.RUNWAY, 6)
    draft.way("D1 D2", w.STREAM, 7)
    draft.way("D4 D5", w.STREAM, 7)
    draft.box("D3", w.BRIDGE, 14)
    found = made(tmp_path, draft).map
    assert ways(found, "roads") == {
        ("paved", "20A3", "20B3", "20C3", "20D3", "20E3"),
        ("unpaved", "20C1", "20C2", "20C3"),
        ("path", "20F5", "20F4", "20G4"),
        ("runway", "20G1"),
    }
    assert found.hex("20D3").has("bridge")


@pytest.mark.parametrize(("most", "least", "kind"), [(w.PAVED, w.DIRT, "paved"), (w.DIRT, w.PAVED, "unpaved")])
def test_of_two_roads_that_end_in_a_hex_the_larger_counts(tmp_path: Path, most: int, least: int, kind: str) -> None:
    draft = Draft()
    draft.box("C2", most, half=10, dx=-11)
    draft.box("C2", least, half=9, dx=11)
    assert ways(made(tmp_path, draft).map, "roads") == {(kind, "20C2")}


def test_a_bridge_without_a_road_is_unpaved(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("C2 C3", w.BRIDGE, 8)
    assert ways(made(tmp_path, draft).map, "roads") == {("unpaved", "20C2", "20C3")}


def test_watercourses_and_hexsides(tmp_path: Path) -> None:
    draft = Draft(columns=7, rows=6)
    draft.way("A2 B2 C3", w.GULLY, 7)
    draft.side("E3", 0, w.WALL)
    draft.side("E3", 2, w.HEDGE)
    draft.side("E3", 4, w.BOCAGE)
    draft.side("G4", 0, w.CLIFF)
    draft.side("G4", 3, w.EMBANKMENT)
    found = made(tmp_path, draft)
    assert ways(found.map, "watercourses") == {("gully", "20A2", "20B2", "20C3")}
    assert found.map.hexside_features("20E3", "20E2") == {"wall"}
    assert found.map.hexside_features("20E3", "20F3") == {"hedge"}
    assert found.map.hexside_features("20D3", "20E3") == {"bocage"}
    assert found.map.hexside_features("20G3", "20G4") == {"cliff"}
    assert found.left_out == {"Railway Embankment": 2}


def test_slopes_are_on_the_map(tmp_path: Path) -> None:
    draft = Draft(inside='<slopes><slope hex="C3" hexsides="0"/><slope hex="A1" hexsides="04"/></slopes>')
    found = made(tmp_path, draft)
    assert found.map.slopes == {"20C3": {"20C2"}}
    assert found.left_out == {}


def test_what_has_no_word_is_counted(tmp_path: Path) -> None:
    draft = Draft()
    draft.fill("C2", w.DEBRIS)
    found = made(tmp_path, draft)
    assert found.left_out == {"Debris": 1}
    assert found.unknown == 0


# Where it is from -------------------------------------------------------------------------------


def test_a_map_says_where_it_is_from_and_reads_back(tmp_path: Path) -> None:
    draft = Draft(name="20")
    draft.fill("E1", w.WOODS)
    path = draft.write(tmp_path)
    board = read_board(path)
    found = joined([board], [place_alone(board)])
    assert found.map.source == "imported"
    assert found.map.source_note == (f"VASL board 20, version 1.0 (Jan 2020), file bd20, SHA-256 {board.sha256}")
    assert '"20E1"' in found.text, "YAML would take 20E1 for a number"
    again = tmp_path / "map.yaml"
    again.write_text(found.text, encoding="utf-8")
    assert load_map(again) == found.map


def test_an_old_board_is_unknown_ground(tmp_path: Path) -> None:
    board = read_board(w.old_board(tmp_path, "OLD", (400, 300), "x0 36\ny0 68\nversion 1.1"))
    found = joined([board], [place_alone(board)])
    assert found.unknown == len(found.map.hexes) == len(board.hexes)
    assert {one.terrain for one in found.map.hexes.values()} == {"unknown"}
    assert not any(is_open_ground(one) for one in found.map.hexes.values())
    assert "terrain not known" in found.map.source_note
    assert found.map.hex("A0").half
    assert not found.map.hex("B0").half


def test_alternative_grain_is_kept(tmp_path: Path) -> None:
    plain = read_board(w.old_board(tmp_path, "P", (225, 258), ""))
    other = read_board(w.old_board(tmp_path, "T", (225, 258), "alternate TRUE"))
    one, two = (joined([board], [place_alone(board)]).map for board in (plain, other))
    assert set(one.neighbours("A1")) == {"A2", "B0", "B1"}
    assert set(two.neighbours("A1")) == {"A2", "B1", "B2"}


# Several boards ---------------------------------------------------------------------------------


def two(tmp_path: Path) -> list[Board]:
    west, east = Draft(name="1"), Draft(name="02")
    west.way("C2 D2 E2", w.PAVED)
    east.way("A2 B2 C2", w.PAVED)
    east.fill("C4", w.WOODS)
    return [read_board(one.write(tmp_path)) for one in (west, east)]


def test_boards_side_by_side_share_their_half_hexes(tmp_path: Path) -> None:
    boards = two(tmp_path)
    found = joined(boards, [PlacedBoard(b.name, b.geometry, b.size, i) for i, b in enumerate(boards)])
    map_ = found.map
    assert len(map_.hexes) == 22 + 22 - 4
    assert map_.main("2A2") == "1E2"
    assert not map_.hex("1E2").half
    assert ways(map_, "roads") == {("paved", "1C2", "1D2", "1E2", "2B2", "2C2")}
    assert "column 2, row 1 of the boards" in map_.source_note


def test_boards_below_one_another_and_turned_round(tmp_path: Path) -> None:
    boards = two(tmp_path)
    places = [
        PlacedBoard("1", boards[0].geometry, boards[0].size),
        PlacedBoard("02", boards[1].geometry, boards[1].size, 0, 1, reversed=True),
    ]
    map_ = joined(boards, places).map
    assert map_.main("2D4") == "1B4", "the half hex at the seam"
    assert map_.hex("2C4").terrain == "woods"
    assert map_.distance("1C4", "2C4") == 1
    assert map_.distance("2A1", "1A4") == 6
    assert ways(map_, "roads") >= {("paved", "2A2", "2B2", "2C2")}
    assert "turned round" in map_.source_note


def test_a_cropped_board_begins_where_it_is_cut(tmp_path: Path) -> None:
    boards = two(tmp_path)
    crop = Crop(112, 0, 113, 258)
    place = PlacedBoard("02", boards[1].geometry, boards[1].size, crop=crop)
    map_ = joined([boards[1]], [place]).map
    assert {name[:2] for name in map_.hexes} == {"2C", "2D", "2E"}
    assert map_.hex("2C4").half
    assert map_.hex("2C4").terrain == "woods"
    assert not map_.hex("2D2").half
    assert "cropped to 113 x 258 pixels at 112, 0" in map_.source_note


def test_boards_that_share_no_hex_join_roads_and_buildings_by_their_edges(tmp_path: Path) -> None:
    """The lower board is cut between two rows of hexes: no pixel shows both sides of the seam."""
    upper, lower = Draft(name="1"), Draft(name="2")
    upper.way("C3 C4 C5", w.PAVED)
    lower.way("C0 C1 C2", w.PAVED)
    for draft, house, fence in ((upper, "A4 A5", "E4 E5"), (lower, "A0 A1", "E0 E1")):
        draft.way(house, w.STONE_1, 8)
        draft.way(fence, w.WOODEN, 8)
    upper.side("E4", 3, w.ROWHOUSE, 4)
    boards = [read_board(one.write(tmp_path)) for one in (upper, lower)]
    geometry, size = boards[0].geometry, boards[0].size
    map_ = joined(boards, [PlacedBoard("1", geometry, size), PlacedBoard("2", geometry, size, 0, 1)]).map
    assert ways(map_, "roads") == {("paved", "1C3", "1C4", "2C1", "2C2")}
    assert {one.hexes for one in map_.buildings} == {("2A1", "1A4"), ("1E4",), ("2E1",)}


def test_names_of_boards_on_a_joined_map() -> None:
    assert board_prefixes(["01", "6a", "RBv2"]) == ["1", "6a", ""]
    assert board_prefixes(["RBv2", "FB_NE", "01", "01"]) == ["", "a", "1", "b"]


def test_boards_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    wide = Draft(name="3", hex_width=80, hex_height=92, a1=(0.0, 46.0))
    one, other = Draft(name="1"), wide
    boards = [read_board(draft.write(tmp_path)) for draft in (one, other)]
    places = [PlacedBoard(b.name, b.geometry, b.size, i) for i, b in enumerate(boards)]
    with pytest.raises(DataError, match="3: has hexes of another size"):
        joined(boards, places)
    crop = Crop(28, 0, 100, 258)
    shifted = [places[0], PlacedBoard("1", boards[0].geometry, boards[0].size, 1, 0, crop=crop)]
    with pytest.raises(DataError, match="its hexes lie between theirs"):
        joined([boards[0], boards[0]], shifted)


def test_what_is_imported_has_blocks_and_is_drawn(tmp_path: Path) -> None:
    draft = Draft(columns=9, rows=6)
    draft.way("A3 B3 C3 D3 E3 F3 G3 H3 I3", w.PAVED)
    found = made(tmp_path, draft).map
    blocks = derive_blocks(found)
    assert len(blocks.hexes) == 2
    assert len(blocks.roads) == 9
    assert "VASL board 20" in draw_svg(found, plain_layers(found))


# Text -------------------------------------------------------------------------------------------


def test_hexes_are_written_as_ranges() -> None:
    assert compact(["1C4", "1A1", "1A3", "1A2", "2A4"]) == ["1A1-1A3", "1C4", "2A4"]


def test_values_that_yaml_would_take_for_others_are_quoted() -> None:
    written = [scalar(value) for value in ("20E1", "A1", "true", "12", 'say "hi"', 3, True, "-1")]
    assert written == ['"20E1"', "A1", '"true"', '"12"', '"say \\"hi\\""', "3", "true", '"-1"']
    text = document({"title": "a", "empty": [], "none": {}, "boards": [{"columns": 3, "at": []}]})
    assert text.splitlines()[1:] == ["title: a", "boards:", "  - {columns: 3}"]


def linked(map_: HexMap, one: str, other: str) -> bool:
    """Return whether a road crosses the hexside between two hexes."""
    return any({one, other} <= {*pair} for road in map_.roads for pair in pairwise(road.along))


def test_a_road_that_leaves_between_two_half_hexes_turns_along_no_edge(tmp_path: Path) -> None:
    draft = Draft()
    y = round(draft.centre("B2")[1])
    draft.codes[:60, y - 9 : y + 5] = w.PAVED
    alone = made(tmp_path, draft).map
    assert linked(alone, "20A2", "20B2")
    assert not linked(alone, "20A2", "20A3")


def test_a_road_as_wide_as_a_hexside_leads_from_centre_to_centre(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("B2 C3 D3", w.PAVED, half=30)
    map_ = made(tmp_path, draft).map
    assert linked(map_, "20B2", "20C3")
    assert not linked(map_, "20C3", "20C4")


def test_a_road_between_half_hexes_goes_on_where_another_board_takes_it_up(tmp_path: Path) -> None:
    """Turned boards meet a road half a hex off: it runs over the hexside between, as on the map."""
    one, other = Draft(), Draft(name="21")
    y, width = round(one.centre("B2")[1]), one.width
    one.codes[width - 60 :, y - 5 : y + 9] = w.PAVED
    other.codes[:60, y - 9 : y + 5] = w.PAVED
    map_ = made(tmp_path, one, other).map
    assert linked(map_, "20D2", "20E3")
    assert linked(map_, "20E2", "21B2")
    assert linked(map_, "20E2", "20E3")


def test_the_rills_of_a_spring_are_no_stream_in_the_next_hex(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("A3 B2 C3 D2", w.STREAM, half=9)
    x, y = (round(part) for part in draft.centre("C3"))
    draft.codes[x - 2 : x + 2, y - 45 : y] = w.STREAM
    draft.fill("E3", w.WATER)
    draft.way("D2 E3", w.STREAM, half=9)
    map_ = made(tmp_path, draft).map
    assert ways(map_, "watercourses") == {("stream", "20A3", "20B2", "20C3", "20D2", "20E3")}
