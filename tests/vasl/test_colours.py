"""Terrain by the colours of a picture, on boards that the tests paint."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from laager.base import DataError
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.vasl import (
    Board,
    Imported,
    arrange,
    import_boards,
    open_archive,
    place_alone,
    read_board,
    read_ground_by_colours,
    try_ground_by_colours,
)
from laager.vasl.archive import Archive
from laager.vasl.boards.board import Doubt, board_of
from laager.vasl.colours import alike
from laager.vasl.colours.colour_names import meaning_of_name
from laager.vasl.colours.legend import LegendEntry, group_shades, legend_text, parse_meaning, read_legend
from laager.vasl.colours.pixels import read_pixels
from laager.vasl.maps.doubts import doubts_in, group_alike
from laager.vasl.maps.marking import mark

from .board_writer import zip_bytes
from .colour_boards import BLACK, LEVEL0, LEVEL1, PAVED, STONE, STREAM, WALL, WOODS, Painted, town
from .pictures import saved


def read(painted: Painted, folder: Path, legend: str = "", kind: str = "GIF") -> Board:
    archive = open_archive(painted.write(folder, kind))
    return read_ground_by_colours(archive, board_of(archive), read_legend(legend) if legend else None)


def made(board: Board) -> Imported:
    return import_boards(arrange([place_alone(board)]), [board])


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


def test_unknown_colours_are_doubts_and_are_settled(tmp_path: Path) -> None:
    board = town()
    board.box("B1", (255, 0, 255), 30)
    found = made(read(board, tmp_path))
    assert found.doubts[0].where == "B1"
    assert found.doubts[0].why == "colours without a meaning"
    assert "colours of its picture" in found.map.source_note
    told = mark(found.text, ["B1=right"])
    assert "B1" not in {one.where for one in doubts_in(_data(told))}
    told = mark(found.text, ["B1=woods"])
    assert "B1" not in {one.where for one in doubts_in(_data(told))}
    assert not doubts_in(_data(mark(found.text, ["rest=right"])))
    # Or it is the colour that is settled, for all its hexes at once.
    legend = 'laager: vasl-legend/1\ncolours:\n  - {colour: "#8c3cbe", is: right}\n'
    board.box("B1", (140, 60, 190), 30)
    guessed = made(read(board, tmp_path))
    assert "B1" in {one.where for one in guessed.doubts}
    settled = made(read(board, tmp_path, legend))
    assert "B1" not in {one.where for one in settled.doubts}
    assert (guessed.map.hex("B1").terrain, settled.map.hex("B1").terrain) == ("unknown", "open")
    # A roof that is a little like a hill is none, whoever says that its colour is what it is taken for.
    board.box("E5", (120, 67, 0), 20)
    told_all = made(read(board, tmp_path, legend.replace("8c3cbe", "784300"))).map
    assert (told_all.hex("E5").terrain, told_all.hex("E5").level) == ("open", 0)


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


def test_half_a_wall_is_a_doubt_and_is_settled(tmp_path: Path) -> None:
    board = Painted()
    x, y = board.grid.centre("C3")
    board.brush.rectangle((x - 18, y + 28, x - 2, y + 36), fill=(158, 157, 157))
    found = made(read(board, tmp_path))
    assert "C3/C4" in {one.where for one in found.doubts}
    told = mark(found.text, ["C3/C4=right"])
    assert "C3/C4" not in {one.where for one in doubts_in(_data(told))}
    told = mark(found.text, ["C4/C3=wall"])
    assert "C3/C4" not in {one.where for one in doubts_in(_data(told))}


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


def test_a_painted_picture_is_read_too(tmp_path: Path) -> None:
    found = made(read(town(), tmp_path, kind="PNG")).map
    assert found.hex("C2").terrain == "woods"


def test_a_picture_of_many_colours_keeps_the_colours_that_legends_name(tmp_path: Path) -> None:
    board = town()
    for x in range(board.image.width):
        for y in range(0, board.image.height, 7):
            board.image.putpixel((x, y), (x % 256, y % 256, (x + y) % 256))
    archive = open_archive(board.write(tmp_path, "PNG"))
    pixels = read_pixels(archive, board_of(archive).metadata.picture)
    assert not pixels.exact
    assert " ".join(f"{colour:06x}" for colour in pixels.colours[:4]) == "ea6954 d75129 969228 d69268"


def test_a_large_picture_of_many_colours_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.vasl.colours.pixels.MAX_PAINTED", 1000)
    with pytest.raises(DataError, match="in many colours"):
        read(town(), tmp_path, kind="PNG")


def noise(kind: str, mode: str) -> bytes:
    """Return a picture of 300 x 300 pixels of nothing but noise."""
    return saved(Image.effect_noise((300, 300), 90).convert(mode), kind)


@pytest.mark.parametrize(
    ("picture", "problem"),
    [
        (noise("GIF", "P"), "in much detail; 1000 at most"),
        (noise("PNG", "P"), "in much detail; 1000 at most"),
        (saved(Image.new("RGB", (300, 300)), "PNG"), "in many colours; 1000 at most"),
        (saved(Image.new("RGB", (300, 300)), "JPEG"), "in many colours; 1000 at most"),
    ],
)
def test_a_large_picture_is_read_only_if_it_is_plain(
    picture: bytes, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laager.vasl.boards.picture.MAX_SHOWN", 1000)
    monkeypatch.setattr("laager.vasl.colours.pixels.MAX_READ", 1000)
    with pytest.raises(DataError, match=f"of 300 x 300 pixels {problem}"):
        read_pixels(Archive(zip_bytes([("bd20.gif", picture)]), "bd20"), "bd20.gif")
    plain = Archive(zip_bytes([("bd20.gif", saved(Image.new("P", (300, 300)), "GIF"))]), "bd20")
    assert read_pixels(plain, "bd20.gif").size == (300, 300)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell the peak")
def test_the_largest_board_needs_less_than_200_megabytes(tmp_path: Path) -> None:
    """19.9 million pixels, 5,890 hexes; in a process of its own, so that its memory is its own."""
    pixels = np.full((5200, 3825), 1, np.uint8)
    pixels[:, 2000:], pixels[::5, ::7], pixels[:, ::40] = 2, 3, 4
    image = Image.fromarray(pixels)
    image.putpalette([*(0, 0, 0), *LEVEL0, *LEVEL1, *WOODS, *PAVED])
    words = {"bdL.gif": saved(image, "GIF"), "data": b"x0 0\ny0 31\ndx 55\ndy 62\nversion 1"}
    (tmp_path / "bdL").write_bytes(zip_bytes(words.items()))
    code = (
        "import re, sys; from pathlib import Path; from laager.vasl import board_of, open_archive\n"
        "from laager.vasl import read_ground_by_colours as read; archive = open_archive(Path(sys.argv[1]))\n"
        "print(len(read(archive, board_of(archive)).hexes))\n"
        "print(re.search(r'VmHWM:\\s+([0-9]+)', Path('/proc/self/status').read_text())[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "bdL")], capture_output=True, text=True, check=True
    )
    hexes, kilobytes = map(int, done.stdout.split())
    assert 5_800 < hexes < 6_000
    assert kilobytes < 200 * 2**10


def test_a_board_of_more_hexes_than_any_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.vasl.colours.board_ground.MAX_HEXES", 20)
    with pytest.raises(DataError, match=r"has [0-9]+ hexes; 20 at most, to read its colours"):
        read(town(), tmp_path)


def test_boards_that_tell_are_left_alone_and_pictures_that_do_not_open_say_why(tmp_path: Path) -> None:
    from .board_writer import Draft, old_board

    known = open_archive(Draft().write(tmp_path))
    board = board_of(known)
    assert try_ground_by_colours(known, board) == (board, "")
    path = old_board(tmp_path, "OLD", (200, 200), "")
    archive = open_archive(path)
    same, why = try_ground_by_colours(archive, read_board(path))
    assert not same.known
    assert "damaged" in why
    assert str(tmp_path) not in why


def test_colours_alike_mean_the_same(tmp_path: Path) -> None:
    board = Painted(ground=tuple(part + 3 for part in LEVEL0))  # type: ignore[arg-type]
    board.box("C2", (88, 97, 46))
    board.way("A4 B3 C3", (190, 190, 203))
    board.box("D1", (72, 71, 71), 12)
    found = made(read(board, tmp_path)).map
    assert (found.hex("C2").terrain, bool(found.hex("D1").building)) == ("woods", True)
    assert [road.kind for road in found.roads] == ["paved"]


def _data(text: str) -> dict[str, object]:
    return parse_document(text, "the map").data  # type: ignore[no-any-return]


def painted_board() -> Painted:
    """Return a board in colours of its own: speckled grass, a dark wood, a blue lake, a red strip with a title."""
    board = Painted(ground=(150, 178, 118))
    for number in range(8):
        board.box("ABCDEFG"[number % 7] + str(1 + number % 5), (146 + number, 172 + 2 * number, 112 + number), 12)
    board.box("C2", (70, 110, 60), 40)
    board.box("E3", (130, 160, 215), 40)
    board.brush.rectangle((0, board.image.height - 60, board.image.width, board.image.height), fill=(150, 60, 70))
    return board


def test_on_a_painted_board_the_commonest_colours_are_ground_and_the_rest_stays_unknown(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path))
    terrain = {name: hex_.terrain for name, hex_ in found.map.hexes.items()}
    assert (terrain["A2"], terrain["F3"], terrain["G4"]) == ("open", "open", "open")
    assert (terrain["C2"], terrain["E3"], terrain["A6"]) == ("unknown", "unknown", "unknown")
    assert set(terrain.values()) == {"open", "unknown"}, "nothing is made of likeness by chance"
    assert {"C2", "E3", "A6"} <= {doubt.where for doubt in found.doubts if doubt.why == "colours without a meaning"}


def map_of(text: str) -> HexMap:
    return map_from_document(parse_document(text, "the map"))


def groups_of(found: Imported) -> list[set[str]]:
    groups = group_alike(found.doubts)
    return [{one.where for one in group} for group in groups]


def test_doubts_that_look_alike_are_one_group_and_are_settled_together(tmp_path: Path) -> None:
    board = painted_board()
    for name in ("C2", "F2", "G4"):
        board.box(name, (70, 110, 60), 40)
    board.box("E3", (130, 160, 215), 40)
    board.box("A2", (130, 160, 215), 40)
    found = made(read(board, tmp_path))
    woods = next(group for group in groups_of(found) if "C2" in group)
    assert {"C2", "F2", "G4"} == woods
    assert {"A2", "E3"} in groups_of(found), "another colour, another group"
    number = next(doubt.alike for doubt in found.doubts if doubt.where == "C2")
    told = mark(found.text, [f"alike:{number}=woods"])
    assert {name for name, hex_ in map_of(told).hexes.items() if hex_.terrain == "woods"} == woods
    assert not woods & {one.where for one in doubts_in(_data(told))}
    assert f'"{number}": [' in found.text.partition("alike:")[2]
    assert f'"{number}": [' not in told.partition("alike:")[2]
    assert {"A2", "E3"} <= {one.where for one in doubts_in(_data(told))}
    with pytest.raises(DataError, match=f"no group alike:{number}"):
        mark(told, [f"alike:{number}=right"])


def test_what_is_settled_alone_leaves_its_group(tmp_path: Path) -> None:
    board = painted_board()
    board.box("F2", (70, 110, 60), 40)
    board.box("G4", (70, 110, 60), 40)
    found = made(read(board, tmp_path))
    number = next(doubt.alike for doubt in found.doubts if doubt.where == "C2")
    told = mark(found.text, ["F2=open", f"alike:{number}=right"])
    assert map_of(told).hex("F2").terrain == "open"
    told = mark(mark(found.text, ["F2=open"]), [f"alike:{number}=stone:1"])
    houses = {house.hexes: house.levels for house in map_of(told).buildings}
    assert houses == {("C2",): 1, ("G4",): 1}, "each hex has a building of its own"
    assert map_of(told).hex("F2").building is None


def test_a_map_without_groups_has_each_doubt_for_itself(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path))
    data = {key: value for key, value in _data(found.text).items() if key != "alike"}
    groups = group_alike(doubts_in(data))
    assert len(groups) == len(found.doubts) > 10
    assert {len(group) for group in groups} == {1}


def test_hexes_taken_for_different_things_are_different_groups(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path))
    for group in groups_of(found):
        assert len({found.map.hex(name).terrain for name in group if "/" not in name}) <= 1


def test_hexsides_and_unknown_hexes_are_different_groups(tmp_path: Path) -> None:
    board = painted_board()
    for name in ("C2", "D2"):
        board.box(name, (70, 110, 60), 40)
    board.side("C2", 2, WALL, 4)
    board.side("D2", 3, WALL, 4)
    found = made(read(board, tmp_path))
    assert any("/" in one.where for one in found.doubts)
    for group in groups_of(found):
        assert len({"/" in name for name in group}) == 1


def test_the_smallest_of_many_groups_join_those_that_look_most_like_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = painted_board()
    for name in ("C2", "F2", "G4", "B3", "D4"):
        board.box(name, (70, 110, 60), 40)
    board.box("E3", (84, 120, 70), 40)
    board.box("A2", (130, 160, 215), 40)
    apart = groups_of(made(read(board, tmp_path)))
    assert {"E3"} in apart
    assert {"A2"} in apart
    monkeypatch.setattr(alike, "KEPT_GROUPS", 3)
    joined = groups_of(made(read(board, tmp_path)))
    assert len(joined) < len(apart)
    woods = next(group for group in joined if "C2" in group)
    assert {"C2", "F2", "G4", "B3", "D4", "E3"} <= woods
    assert "A4" not in woods, "the ground is another group"
    assert set().union(*apart) == set().union(*joined), "none is lost"


def test_what_is_alone_comes_after_all_groups() -> None:
    doubts = [Doubt("A1", 90, "several levels"), Doubt("A2", 20, "several levels", 4), Doubt("A3", 20, "x", 4)]
    assert [len(group) for group in group_alike(doubts)] == [2, 1]


def test_shades_of_one_colour_are_one_question() -> None:
    def entry(colour: str, share: float, now: str = "", sure: bool = False) -> LegendEntry:
        return LegendEntry(colour=colour, share=share, now=now, sure=sure, **{"is": ""})

    green, paler, open_, blue, known = (
        entry("#466e3c", 5),
        entry("#4c7442", 2),
        entry("#466e3d", 1, "open"),
        entry("#3c46c8", 6),
        entry("#466e3e", 9, sure=True),
    )
    assert group_shades([green, paler, open_, blue, known]) == ((green, paler), (blue,), (open_,), (known,))


def test_a_legend_of_a_painted_board_says_what_was_unknown(tmp_path: Path) -> None:
    legend = 'laager: vasl-legend/1\ncolours:\n  - {colour: "#466e3c", is: woods}\n'
    found = made(read(painted_board(), tmp_path, legend)).map
    assert (found.hex("C2").terrain, found.hex("E3").terrain) == ("woods", "unknown")
    told = mark(made(read(painted_board(), tmp_path)).text, ["C2,E3=water"])
    assert not {"C2", "E3"} & {one.where for one in doubts_in(_data(told))}


def with_grid(board: Painted, names: set[str]) -> Painted:
    """Return a board with the hex lines of some hexes drawn."""
    for name in names:
        for side in range(6):
            board.side(name, side, BLACK, 2)
    return board


def test_a_title_strip_is_no_terrain(tmp_path: Path) -> None:
    bare = made(read(painted_board(), tmp_path))
    strip = {name for name in bare.map.hexes if name.endswith("6")}
    board = with_grid(painted_board(), set(bare.map.hexes) - strip)
    board.brush.rectangle((0, board.image.height - 60, board.image.width, board.image.height), fill=(150, 60, 70))
    found = made(read(board, tmp_path))
    outside = set(found.map.hexes) - found.map.playable
    assert {name for name in strip if name[0] in "ACEG"} <= outside <= strip
    assert not outside & {end for doubt in found.doubts for end in doubt.where.split("/")}
    assert found.unknown == sum(found.map.hexes[name].terrain == "unknown" for name in found.map.playable)
    assert map_of(found.text).playable == found.map.playable


def test_without_a_drawn_grid_everything_is_map(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path)).map
    assert set(found.hexes) == found.playable


def test_a_lake_without_lines_inside_the_map_is_map(tmp_path: Path) -> None:
    names = set(made(read(painted_board(), tmp_path)).map.hexes)
    lake = {"D3", "D4", "C3", "C4", "E4", "E5", "D2"}
    board = with_grid(Painted(ground=(150, 178, 118)), names - lake)
    for name in lake:
        board.box(name, (130, 160, 215), 40)
    found = made(read(board, tmp_path)).map
    assert set(found.hexes) == found.playable
