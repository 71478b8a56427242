"""Boards that the tests write: what is read out of pixels, step by step."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from laager.base import DataError
from laager.vasl.archive import open_archive
from laager.vasl.boards.board import Board, BoardHex, read_board
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.layout import Geometry, hex_name
from laager.vasl.boards.losdata import by_name, terrains
from laager.vasl.boards.picture import packed_picture
from laager.vasl.saves.placing import shape_of

from . import board_writer as w
from .board_writer import Draft


def ground(board: Board, name: str) -> HexGround:
    found = board.by_name[name].ground
    assert found is not None
    return found


def read(draft: Draft, folder: Path) -> Board:
    return read_board(draft.write(folder))


def test_the_hexes_of_a_small_board(tmp_path: Path) -> None:
    board = read(Draft(), tmp_path)
    assert [one.name for one in board.hexes][:9] == [*("A1", "A2", "A3", "A4", "B0", "B1", "B2", "B3", "B4")]
    assert len(board.hexes) == 3 * 4 + 2 * 5
    assert board.by_name["A1"].centre == (0, 32)
    assert board.by_name["B0"].centre == (56, 0)
    assert board.by_name["B4"].centre == (56, 257)
    assert board.by_name["E4"].centre == (224, 225)
    assert (board.name, board.code, board.file, board.known) == ("20", "20", "bd20", True)
    assert ground(board, "C2").area == pytest.approx(56.25 * 64.5, rel=0.02)


def test_a_board_that_names_itself_as_its_file_is_called(tmp_path: Path) -> None:
    draft = Draft("79")
    draft.words["name"] = "bd79"
    assert read(draft, tmp_path).name == "79"
    assert shape_of(open_archive(tmp_path / "bd79")).name == "79"


def test_a_jpeg_under_the_name_of_a_gif(tmp_path: Path) -> None:
    held = BytesIO()
    Image.new("RGB", (Draft().width, Draft().height)).save(held, "JPEG")
    path = Draft().write(tmp_path, **{"bd20.gif": held.getvalue()})
    assert read_board(path).size == (Draft().width, Draft().height)
    data, media = packed_picture(open_archive(path), "bd20.gif", (0, 0, 50, 50), 64.5)
    assert Image.open(BytesIO(data)).size == (50, 50)
    assert media in {"image/png", "image/jpeg"}


def test_terrain_under_the_dot_and_its_share(tmp_path: Path) -> None:
    draft = Draft()
    draft.box("C2", w.WOODS)
    draft.box("D2", w.MARSH, dx=-20, half=6)
    board = read(draft, tmp_path)
    woods = by_name("Woods")
    assert ground(board, "C2").centre is woods
    assert ground(board, "C2").share(woods) == pytest.approx(24 * 24 / (56.25 * 64.5), abs=0.01)
    assert ground(board, "D2").centre.name == "Open Ground"
    assert ground(board, "D2").share(by_name("Marsh")) > 0


def test_beyond_the_edge_of_a_picture_nothing_is_known(tmp_path: Path) -> None:
    edges = ground(read(Draft(), tmp_path), "A2").edges
    assert [one and one.name for one in edges] == [*["Open Ground"] * 4, None, None]


def test_elevation_is_signed(tmp_path: Path) -> None:
    draft = Draft()
    draft.fill("C2", w.OPEN, 2)
    draft.fill("B1", w.GULLY, -3)
    board = read(draft, tmp_path)
    assert (ground(board, "C2").base, ground(board, "B1").base) == (2, -3)
    assert set(ground(board, "B1").elevations) >= {-3}
    assert ground(board, "B1").depression is by_name("Gully")


def test_a_building_at_a_side_makes_a_building_hex_of_two(tmp_path: Path) -> None:
    """Two levels, two hexes: cellar, two upper levels, rooftop; stairs as the file says."""
    draft = Draft(stairs={(2, 1)})
    draft.way("C2 C3", w.STONE_2, 10)
    board = read(draft, tmp_path)
    one = ground(board, "C2")
    assert [(level.level, level.terrain) for level in one.levels] == [
        (-1, "Cellar"),
        (1, "Stone Building, 2 Level"),
        (2, "Stone Building, 2 Level"),
        (3, "Rooftop"),
    ]
    assert (one.stairway, ground(board, "C3").stairway) == (True, False)
    assert one.crossings[3].house


@pytest.mark.parametrize(
    ("code", "stairs", "levels"),
    [(w.STONE, False, []), (w.STONE_1, True, [-1, 1, 2]), (w.FACTORY, False, [3]), (w.MARKET, False, [-1, 1, 2])],
)
def test_levels_by_kind_of_building(tmp_path: Path, code: int, stairs: bool, levels: list[int]) -> None:
    draft = Draft()
    draft.way("C2 C3", code, 10)
    one = ground(read(draft, tmp_path), "C2")
    expected = levels if code != w.FACTORY else [2]
    assert [level.level for level in one.levels] == expected
    assert one.stairway is stairs


def test_a_factory_with_stairs_has_its_upper_levels(tmp_path: Path) -> None:
    draft = Draft(stairs={(2, 1)})
    draft.way("C2 C3", w.FACTORY, 10)
    assert [one.level for one in ground(read(draft, tmp_path), "C2").levels] == [1, 2]


def test_below_a_market_place_is_open_ground(tmp_path: Path) -> None:
    draft = Draft()
    draft.box("C2", w.MARKET)
    one = ground(read(draft, tmp_path), "C2")
    assert one.centre.name == "Open Ground"
    assert one.house is by_name("Stone Market Place")


def test_inherent_terrain_fills_its_hex(tmp_path: Path) -> None:
    """A few trees off the dot make the whole hex orchard, if nearer to it than to the sides."""
    draft = Draft()
    draft.box("C2", w.ORCHARD, dx=8, dy=5, half=2)
    draft.box("D2", w.ORCHARD, dy=-29, half=1)
    board = read(draft, tmp_path)
    assert ground(board, "C2").centre is by_name("Orchard")
    assert ground(board, "C2").at_centre.name == "Open Ground"
    assert ground(board, "D2").centre.name == "Open Ground"


def test_hexsides_and_cliffs_are_the_same_from_both_sides(tmp_path: Path) -> None:
    draft = Draft()
    draft.side("C2", 2, w.WALL)
    draft.side("C2", 3, w.CLIFF)
    draft.side("B2", 0, w.HEDGE)
    board = read(draft, tmp_path)
    c2, d2, c3 = (ground(board, name) for name in ("C2", "D2", "C3"))
    assert {side: one.name for side, one in c2.hexsides.items()} == {2: "Wall", 3: "Cliff"}
    assert c2.cliffs == {3}
    assert d2.hexsides[5].name == "Wall"
    assert (c3.hexsides[0].name, sorted(c3.cliffs)) == ("Cliff", [0])
    assert ground(board, "B1").hexsides[3].name == "Hedge"


def test_a_hexside_that_only_the_neighbour_shows_counts_for_both(tmp_path: Path) -> None:
    draft = Draft()
    x, y = draft.centre("C2")
    draft.codes[round(x) - 15 : round(x) + 15, round(y) + 33 : round(y) + 36] = w.BOCAGE
    board = read(draft, tmp_path)
    assert {side: one.name for side, one in ground(board, "C2").hexsides.items()} == {3: "Bocage"}
    assert {side: one.name for side, one in ground(board, "C3").hexsides.items()} == {0: "Bocage"}


def test_a_cliff_beside_a_wall_is_one_from_both_sides(tmp_path: Path) -> None:
    """As on board 08, where W4 shows a cliff and X4 a wall along the same hexside."""
    draft = Draft()
    x, y = draft.centre("C2")
    draft.codes[round(x) - 15 : round(x) + 15, round(y) + 28 : round(y) + 33] = w.CLIFF
    draft.codes[round(x) - 15 : round(x) + 15, round(y) + 33 : round(y) + 36] = w.WALL
    board = read(draft, tmp_path)
    c2, c3 = ground(board, "C2"), ground(board, "C3")
    assert (c3.edges[0], c3.hexsides[0]) == (by_name("Wall"), by_name("Cliff"))
    assert (sorted(c2.cliffs), sorted(c3.cliffs)) == ([3], [0])


def test_slopes_and_embankments_are_taken_from_the_metadata(tmp_path: Path) -> None:
    inside = (
        '<slopes><slope hex="C2" hexsides="01"/></slopes>'
        '<rrembankments><rrembankment hex="C3" hexsides="2"/></rrembankments>'
    )
    board = read(Draft(inside=inside), tmp_path)
    assert ground(board, "C2").slopes == {0, 1}
    assert ground(board, "C3").hexsides[2].name == "Rrembankment"
    assert ground(board, "D3").hexsides[5].name == "Rrembankment"


def test_roads_cross_hexsides_and_a_wall_does_not_stop_them(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("A2 B2 C3 D3", w.PAVED)
    draft.side("C3", 1, w.WALL)
    board = read(draft, tmp_path)
    assert ground(board, "C3").crossings[5].road == "paved"
    assert {side for side, one in ground(board, "C3").crossings.items() if one.road} == {2, 5}


def test_a_road_along_a_hexside_crosses_nothing(tmp_path: Path) -> None:
    draft = Draft()
    draft.side("C2", 3, w.DIRT, 6)
    board = read(draft, tmp_path)
    assert 3 not in ground(board, "C2").crossings


def test_a_bridge_over_a_stream(tmp_path: Path) -> None:
    draft = Draft()
    draft.way("B1 C2 D2", w.STREAM, 7)
    draft.way("C1 C2 C3", w.DIRT)
    draft.box("C2", w.BRIDGE, 9)
    board = read(draft, tmp_path)
    one = ground(board, "C2")
    assert one.bridged
    assert one.at_centre.category == "bridge"
    assert one.crossings[0].road == "unpaved"
    assert one.into_depression


def test_both_codes_of_scrub_are_scrub() -> None:
    assert terrains()[100].name == terrains()[121].name == "Scrub"
    assert [one.code for one in terrains()] == list(range(256))
    with pytest.raises(KeyError):
        by_name("Nowhere")


def test_a_code_that_nobody_knows_is_ground_by_number(tmp_path: Path) -> None:
    draft = Draft()
    draft.box("C2", 250)
    assert ground(read(draft, tmp_path), "C2").centre.name == "unknown terrain 250"


# Grids ------------------------------------------------------------------------------------------


def test_names_of_a_geomorphic_board() -> None:
    grid = Geometry()
    names = [hex_name(*place) for place in grid.within(1800, 645)]
    assert len(names) == 346
    assert (names[0], names[-1]) == ("A1", "GG10")
    assert grid.name(0, 32) == "A1"
    assert (grid.name(56, 0), grid.name(56, 644)) == ("B0", "B10")
    assert grid.name(1799, 32) == "GG1"
    assert grid.name(-60, 32) == "-B0"


def test_alternative_grain_numbers_odd_columns_one_higher() -> None:
    grid = Geometry(alternate=True)
    assert (grid.name(56, 0), grid.name(0, 32), grid.name(56, 64)) == ("B1", "A1", "B2")
    assert grid.exact(1, 1) == (56.25, -0.25)


@pytest.mark.parametrize("alternate", [False, True])
def test_centres_lie_in_their_own_hexes(alternate: bool) -> None:
    grid = Geometry(56.25, 64.47, 22.0, 32.25, alternate=alternate)
    places = list(grid.within(2012, 2901))
    assert len(set(places)) == len(places)
    for column, row in places:
        x, y = grid.centre(column, row)
        assert grid.place(x + 1, y + 1) == (column, row)


def test_a_board_that_begins_with_column_q(tmp_path: Path) -> None:
    """The second half of a board: A1 lies sixteen columns to the west of the picture."""
    draft = Draft(name="2b", hex_width=56.3125, a1=(-901.0, 32.25))
    draft.box("C2", w.WOODS)
    board = read(draft, tmp_path)
    assert [one.name for one in board.hexes][:5] == ["Q1", "Q2", "Q3", "Q4", "R0"]
    assert ground(board, "S2").centre is by_name("Woods")


def test_rows_may_begin_anywhere(tmp_path: Path) -> None:
    board = read(Draft(a1=(0.0, -612.75)), tmp_path)
    assert [one.name for one in board.hexes][:5] == ["A11", "A12", "A13", "A14", "B10"]


def test_los_data_of_a_board_with_a1_on_the_edge_are_not_guessed_at(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="A1 on the edge of the picture"):
        read(Draft(a1=(0.0, 0.0)), tmp_path)


# Old boards -------------------------------------------------------------------------------------


def test_an_old_board_tells_grid_and_size_only(tmp_path: Path) -> None:
    text = "a line of comment\nX0 36\ny0 68\nversion 1.1\ndx 56.25\ndx 56.25 later wins\n"
    board = read_board(w.old_board(tmp_path, "OLD", (400, 300), text))
    assert (board.name, board.metadata.version, board.metadata.old) == ("OLD", "1.1", True)
    assert not board.known
    assert all(one.ground is None for one in board.hexes)
    assert board.by_name["A0"].centre == (36, 3)
    assert board.geometry == Geometry(x=36.0, y=68.0)


def test_an_old_board_with_alternative_grain(tmp_path: Path) -> None:
    plain = read_board(w.old_board(tmp_path, "P", (225, 258), ""))
    turned = read_board(w.old_board(tmp_path, "T", (225, 258), "alternate TRUE"))
    assert len(plain.hexes) == len(turned.hexes) == 22
    assert {"B0", "B4"} <= set(plain.by_name)
    assert {"B1", "B5"} <= set(turned.by_name)


@pytest.mark.parametrize("name", ["bdP Snow.gif", "bdP.PNG", "other.jpg"])
def test_an_old_board_has_its_only_picture_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    usual = w.gif(225, 258)
    board = read_board(w.zipped(tmp_path / "bdP", {"data": b"", name: usual}))
    assert board.metadata.picture == name
    assert len(board.hexes) == 22


def test_of_several_pictures_an_old_board_has_the_one_with_its_name(tmp_path: Path) -> None:
    both = {"data": b"", "a.gif": w.gif(9, 9), "bdP.gif": w.gif(225, 258)}
    assert read_board(w.zipped(tmp_path / "bdP", both)).metadata.picture == "bdP.gif"
    neither = {"data": b"", "a.gif": w.gif(9, 9), "b.gif": w.gif(9, 9)}
    with pytest.raises(DataError, match=r"bdQ\.gif: is not in the archive"):
        read_board(w.zipped(tmp_path / "bdQ", neither))


def test_metadata_without_los_data_is_a_grid_too(tmp_path: Path) -> None:
    draft = Draft(words={"altHexGrain": "true", "hexWidth": "-999"})
    entries = draft.entries()
    del entries["LOSData"]
    board = read_board(w.zipped(tmp_path / "bd20", entries))
    assert not board.known
    assert not board.metadata.old
    assert board.geometry.width == 56.25
    assert "B5" in board.by_name


def test_a_picture_may_be_a_png(tmp_path: Path) -> None:
    draft = Draft(words={"boardImageFileName": "map.png"})
    path = draft.write(tmp_path, **{"map.png": w.png(draft.width, draft.height)})
    assert read_board(path).size == (draft.width, draft.height)


def test_board_and_hex_have_short_names(tmp_path: Path) -> None:
    board = read(Draft(), tmp_path)
    assert repr(board) == "<Board 20: 22 hexes>"
    assert isinstance(board.hexes[0], BoardHex)
