"""Terrain by the colours of a picture, on boards that the tests paint."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError
from laager.vasl import Imported, open_archive
from laager.vasl.boards.board import board_of
from laager.vasl.colours.colour_names import meaning_of_name
from laager.vasl.colours.legend import legend_text, parse_meaning, read_legend

from .colour_boards import BLACK, LEVEL0, LEVEL1, PAVED, STONE, STREAM, WOODS, Painted, made, read, town


def test_a_board_is_read_by_its_colours(tmp_path: Path) -> None:
    found = made(read(town(), tmp_path)).map
    assert found.hex("C2").terrain == "woods"
    assert found.hex("A1").terrain == "open"
    assert (found.hex("F5").level, found.hex("A1").level) == (1, 0)
    assert [road.along for road in found.roads] == [("A4", "B3", "C3", "D3", "E4", "F4", "G5")]
    assert [road.kind for road in found.roads] == ["paved"]
    assert found.hexsides["C4", "C5"] == {"wall"}
    assert found.hex("B5").watercourses == {"stream"}


def test_what_is_drawn_over_the_ground_is_none(tmp_path: Path) -> None:
    board = read(town(), tmp_path)
    ground = board.by_name["C2"].ground
    assert ground is not None
    assert ground.at_centre.name == "Woods", "the white dot is no snow"


def test_houses_are_as_high_as_stairwells_and_sizes_tell(tmp_path: Path) -> None:
    found = made(read(town(), tmp_path)).map
    heights = {name: house.levels for name in ("D1", "E2", "F1") if (house := found.hex(name).building)}
    assert heights == {"D1": 0, "E2": 1, "F1": 2}


def test_the_boards_own_names_tell_terrain_and_level(tmp_path: Path) -> None:
    board = Painted(ground=(10, 200, 30), colors="Level_1 10,200,30\nDenseJungleHL 90,20,90\n")
    board.box("C2", (90, 20, 90))
    found = made(read(board, tmp_path)).map
    assert (found.hex("C2").terrain, found.hex("C2").level) == ("dense-jungle", -1)
    assert found.hex("A1").level == -1


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Level_1", ("Open Ground", -1)),
        ("v9Level2", ("Open Ground", 2)),
        ("DenseJungleHL", ("Dense Jungle", None)),
        ("ERroadL_1", ("Dirt Road", -1)),
        ("OrchL_1HL", ("Orchard", -1)),
        ("PavedRdShadowL1", ("Paved Road", 1)),
        ("LightJungleDot", (None, None)),
        ("Level3Num", (None, None)),
        ("StoneBldg4", ("Stone Building", None)),
        ("Quux", (None, None)),
    ],
)
def test_names_of_colours(name: str, meaning: tuple[str | None, int | None]) -> None:
    assert meaning_of_name(name) == meaning


def test_a_legend_goes_before_everything(tmp_path: Path) -> None:
    legend = 'laager: vasl-legend/1\ncolours:\n  - {colour: "#555f2d", is: "brush+level:1"}\n'
    found = made(read(town(), tmp_path, legend)).map
    assert (found.hex("C2").terrain, found.hex("C2").level) == ("brush", 1)


def test_the_legend_of_a_board_can_be_given_back(tmp_path: Path) -> None:
    archive = open_archive(town().write(tmp_path))
    text = legend_text(archive, board_of(archive))
    assert 'now: "woods"' in text
    assert read_legend(text) == {}, "nothing is filled in"
    filled = text.replace('now: "woods", sure: true, is: ""', 'now: "woods", sure: true, is: "orchard"')
    assert [one.terrain for one in read_legend(filled).values()] == ["Orchard"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("wodos", "is nothing that a colour can be; did you mean woods"),
        ("woods+brush", "is two kinds of terrain"),
        ("nothing+level:1", "is something and nothing"),
        ("open+level:99", "level 99 is out of bounds"),
    ],
)
def test_what_a_colour_cannot_be(words: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        parse_meaning(words)


def test_legends_that_are_wrong_say_where() -> None:
    text = 'laager: vasl-legend/1\ncolours:\n  - {colour: "#555f2d", is: wodos}\n'
    with pytest.raises(DataError, match=r"colours\.\[1\]\.is"):
        read_legend(text)
    with pytest.raises(DataError, match="colour"):
        read_legend("laager: vasl-legend/1\ncolours:\n  - {colour: red}\n")


def test_the_margin_of_a_picture_is_no_ground(tmp_path: Path) -> None:
    board = Painted(columns=9, rows=8)
    whole = made(read(board, tmp_path)).map
    # West of the middle of column B, and north of the middle of B0's neighbours, is a coloured edge with a title.
    wide, high = board.image.size
    board.brush.rectangle((0, 0, 57, high), fill=(233, 201, 27))
    board.brush.rectangle((0, 0, wide, 31), fill=(233, 201, 27))
    board.brush.text((90, 10), "TITLE", fill=(200, 20, 20))
    found = made(read(board, tmp_path))
    gone = set(whole.hexes) - set(found.map.hexes)
    assert gone == {*(f"A{row}" for row in range(1, 9)), *(f"{column}0" for column in "BDFH")}
    assert {one.terrain for one in found.map.hexes.values()} == {"open"}
    assert not found.doubts
    # With hexsides drawn in it, it is ground of a colour that nobody has named.
    for column in range(9):
        for row in range(9):
            x, y = column * 56.25, (row + 0.5 - 0.5 * (column % 2)) * 64.5
            corners = [(x + a, y + b) for a, b in ((-18.75, -32.25), (18.75, -32.25), (37.5, 0), (18.75, 32.25))]
            board.brush.line(corners, fill=BLACK, width=2)
    assert set(made(read(board, tmp_path)).map.hexes) == set(whole.hexes)


def doubted(board: Painted, folder: Path) -> dict[str, str]:
    return {one.where: one.why for one in made(read(board, folder)).doubts}


def test_a_stream_that_passes_next_to_the_dot_is_a_doubt(tmp_path: Path) -> None:
    board = Painted()
    y = board.grid.centre("C3")[1]
    board.brush.rectangle((0, y + 3, board.image.width, y + 14), fill=(131, 190, 240))
    found = doubted(board, tmp_path)
    assert found["C3"] == "a stream or gully next to the dot"
    assert "C5" not in found


@pytest.mark.parametrize(("past", "level"), [(1, -1), (2, -1), (6, 0)])
def test_a_stream_through_a_hex_that_passes_its_dot_closely_runs_through_it(
    past: int, level: int, tmp_path: Path
) -> None:
    board = Painted()
    x, y = board.grid.centre("C3")
    # The dot lies so many pixels beside the stream, whose edge is 4 pixels from its middle.
    middle = x + 4 + past
    board.brush.rectangle((middle - 4, 0, middle + 4, y + 64), fill=STREAM)
    board.box("C1", WOODS, 3)
    ground = read(board, tmp_path).by_name["C3"].ground
    assert ground is not None
    assert ground.base == level
    assert (ground.depression is not None) is (level < 0)


def test_a_stream_that_ends_beside_the_dot_is_not_in_it(tmp_path: Path) -> None:
    board = Painted()
    x, y = board.grid.centre("C3")
    board.brush.rectangle((x + 2, y - 4, x + 60, y + 4), fill=STREAM)
    ground = read(board, tmp_path).by_name["C3"].ground
    assert ground is not None
    assert ground.base == 0


def test_colours_are_like_those_that_the_picture_has(tmp_path: Path) -> None:
    """A list of names that many boards share tells nothing about a colour that it comes near by chance."""
    listed = Painted(colors="CragBlack 70,70,55\nStoneBldg6 100,100,100\n")
    listed.box("C3", (70, 70, 58))
    listed.box("D3", (100, 100, 100))
    ground = read(listed, tmp_path).by_name["C3"].ground
    assert ground is not None
    assert ground.house is not None
    listed.box("F5", (70, 70, 55))
    ground = read(listed, tmp_path).by_name["C3"].ground
    assert ground is not None
    assert ground.at_centre.name == "Crags"


def test_a_wood_on_the_edge_of_a_hill_is_a_doubt(tmp_path: Path) -> None:
    board = Painted()
    x = board.grid.centre("D3")[0]
    board.brush.rectangle((0, 0, x, board.image.height), fill=LEVEL1)
    board.box("D3", WOODS, 28)
    assert doubted(board, tmp_path)["D3"] == "several levels"


def test_a_sunken_road_may_be_an_elevated_one(tmp_path: Path) -> None:
    board = Painted(colors="SunkenRoad 90,10,10\n")
    board.way("B3 C3 D3", (90, 10, 10), 20)
    assert doubted(board, tmp_path)["C3"] == "a sunken or an elevated road"


BANK, BANKED = (90, 10, 10), "SunkRoad1 90,10,10\n"


def between_banks(folder: Path, road: str) -> Imported:
    board = Painted(colors=BANKED + road)
    board.way("B3 C3 D3 E4", BANK, 36)
    board.way("B3 C3 D3 E4", PAVED, 9)
    return made(read(board, folder))


@pytest.mark.parametrize(("name", "level"), [("PavedRdL1", 1), ("PavedRdL_1", -1), ("PavedRdL_2", -2)])
def test_a_road_between_banks_lies_on_the_level_of_its_colour(tmp_path: Path, name: str, level: int) -> None:
    found = between_banks(tmp_path, f"{name} 192,192,207\n")
    assert [found.map.hex(one).level for one in ("C3", "D3", "C2")] == [level, level, 0]
    assert not {one.why for one in found.doubts} & {"a sunken or an elevated road"}


def test_a_road_between_banks_without_a_level_is_sunken_and_a_doubt(tmp_path: Path) -> None:
    found = between_banks(tmp_path, "PavedRoad 192,192,207\n")
    assert found.map.hex("C3").level == -1
    assert {one.where: one.why for one in found.doubts}["C3"] == "a sunken or an elevated road"


def test_a_board_of_one_colour_like_a_streets_is_no_street(tmp_path: Path) -> None:
    found = made(read(Painted(ground=(200, 190, 214)), tmp_path)).map
    assert not found.roads


def test_a_bridge_lies_a_level_above_what_it_spans(tmp_path: Path) -> None:
    board = Painted(colors="Gully 91,60,10\nBridge 93,93,93\n")
    board.way("C1 C2 C3 C4 C5", (91, 60, 10), 18)
    board.way("B3 C3 D3", PAVED, 9)
    board.box("C3", (93, 93, 93), 5)
    found = made(read(board, tmp_path))
    assert [found.map.hex(one).level for one in ("C2", "C3", "B3")] == [-1, 0, 0]
    assert "a bridge may be a level higher" not in {one.why for one in found.doubts}


def test_a_black_bar_in_a_building_is_a_rowhouses(tmp_path: Path) -> None:
    board = Painted()
    board.way("C3 C4 C5 C6", STONE, 30)
    board.side("C3", 3, BLACK, 7)
    board.side("C4", 3, BLACK, 1)
    board.side("C5", 3, BLACK, 7)
    board.box("C5", STONE, 9, dx=-4, dy=32)
    found = made(read(board, tmp_path))
    assert found.map.hexsides == {("C3", "C4"): {"rowhouse"}, ("C5", "C6"): {"rowhouse"}}
    why = {one.where: one.why for one in found.doubts}
    assert why["C5/C6"] == "a black bar in a building"
    assert not {"C3/C4", "C4/C5"} & set(why)


def test_a_road_lies_as_high_as_the_ground_next_to_it(tmp_path: Path) -> None:
    board = Painted(colors="PavedRdL3 192,192,207\n")
    board.way("A3 B2 C3 D3 E4 F4 G5", PAVED, 16)
    board.box("G1", LEVEL1, 30)
    assert {one.level for name, one in made(read(board, tmp_path)).map.hexes.items() if name != "G1"} == {0}


def test_speckles_are_what_they_speckle(tmp_path: Path) -> None:
    board = Painted()
    for x in range(2, board.image.width, 4):
        for y in range(2, board.image.height, 4):
            board.image.putpixel((x, y), (150, 205, 60))
    found = made(read(board, tmp_path))
    assert {one.terrain for one in found.map.hexes.values()} == {"open"}
    assert not found.doubts


def test_colours_alike_mean_the_same(tmp_path: Path) -> None:
    board = Painted(ground=tuple(part + 3 for part in LEVEL0))  # type: ignore[arg-type]
    board.box("C2", (88, 97, 46))
    board.way("A4 B3 C3", (190, 190, 203))
    board.box("D1", (72, 71, 71), 12)
    found = made(read(board, tmp_path)).map
    assert (found.hex("C2").terrain, bool(found.hex("D1").building)) == ("woods", True)
    assert [road.kind for road in found.roads] == ["paved"]
