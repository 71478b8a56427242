"""Where the pieces of a save lie: boards in any layout, and the hexes on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.boards.layout import EDGE, Geometry
from laager.vasl.saves.game import Piece, Save, doubts
from laager.vasl.saves.placing import Shape, Shapes, place_at_pixel, read_layout, shapes_in, usual_shape
from laager.vasl.saves.save import save_of
from tests.vasl.save_writer import Counter, archive, board, game, packed

TAB = "\t"


def at(boards: str, x: int, y: int, shapes: Shapes = usual_shape) -> Piece:
    return save(boards, (x, y), shapes=shapes).pieces[0]


def save(boards: str, *pixels: tuple[int, int], shapes: Shapes = usual_shape) -> Save:
    counters = [Counter(str(number), "8-0", at=pixel) for number, pixel in enumerate(pixels, 1)]
    return save_of(archive(game(*(one.command() for one in counters), boards=boards)), shapes)


def where(boards: str, x: int, y: int, shapes: Shapes = usual_shape) -> str | None:
    return at(boards, x, y, shapes).place.location


def test_one_board() -> None:
    assert where(board(0, 0, "01"), 400, 432) == "01A1"
    assert where(board(0, 0, "01"), 456, 464) == "01B1"
    assert where(board(0, 0, "01"), 2199, 1044) == "01GG10"


def test_off_the_boards() -> None:
    for x, y in ((399, 432), (400, 399), (2200, 432), (400, 1045)):
        piece = at(board(0, 0, "01"), x, y)
        assert (piece.place.hex, piece.place.known) == (None, True)


def test_other_maps_have_no_hexes() -> None:
    for name in ("Casualties", "null", ""):
        counter = Counter("1", "8-0", at=(456, 464), map=name)
        piece = save_of(archive(game(counter.command(), boards=board(0, 0, "01")))).pieces[0]
        assert piece.place.hex is None
        assert piece.map == (name if name == "Casualties" else None)
        assert not piece.on_map


def test_a_reversed_board() -> None:
    boards = TAB.join([board(0, 0, "02"), board(0, 1, "r02")]).replace(TAB * 2, TAB)
    assert where(boards, 400, 1077) == "02GG10"
    assert where(boards, 400, 432) == "02A1"


def test_the_board_r_is_not_reversed() -> None:
    layout = read_layout("0\t0\tr\tVER\t1.0\t", lambda _: Shape("r", 1800, 645))
    assert (layout[0].code, layout[0].reversed) == ("r", False)
    other = read_layout("0\t0\tRBv2\tVER\t1.0\t", lambda code: Shape(code, 100, 100))
    assert (other[0].code, other[0].reversed) == ("RBv2", False)


def test_boards_beside_and_below() -> None:
    boards = "".join([board(0, 0, "01"), board(1, 0, "02"), board(0, 1, "03"), board(1, 1, "04")])
    assert where(boards, 2200 + 56, 464) == "02B1"
    assert where(boards, 456, 1045 + 64) == "03B1"
    assert where(boards, 2200 + 56, 1045 + 64) == "04B1"


def test_on_a_seam_the_right_hand_board_has_it() -> None:
    boards = board(0, 0, "01") + board(1, 0, "02")
    assert where(boards, 2200, 432) == "02A1"


def test_on_a_horizontal_seam_the_upper_board_has_it() -> None:
    boards = board(0, 0, "01") + board(0, 1, "02")
    assert where(boards, 456, 1044) == "01B10"


def test_cells_without_a_board_take_no_room() -> None:
    assert where(board(1, 1, "01"), 456, 464) == "01B1"


def test_a_cropped_board() -> None:
    boards = board(0, 0, "01", "900", "0", "900", "-1") + board(1, 0, "02")
    # 900 pixels are cut off at the left: column Q (16 columns of 56.25) is at the edge.
    assert where(boards, 400, 432) == "01Q1"
    assert where(boards, 400 + 900 + 56, 464) == "02B1"
    assert save(boards).boards[0].crop == (900, 0, 900, -1)
    assert save(boards).boards[0].rect == (400, 400, 900, 645)


def test_cropped_to_the_end() -> None:
    laid = save(board(0, 0, "01", "0", "322", "-1", "323")).boards[0]
    assert laid.rect == (400, 400, 1800, 323)
    assert where(board(0, 0, "01", "0", "322", "-1", "323"), 400, 400 + 32) == "01A6"


def test_a_reversed_and_cropped_board() -> None:
    boards = board(0, 0, "r01", "0", "0", "900", "-1")
    # The left half, turned: its left edge is the middle of the board.
    assert where(boards, 401, 401) == "01Q10"
    assert where(boards, 400 + 900 - 1, 400 + 645 - 32) == "01A1"


def test_a_zoomed_board() -> None:
    boards = board(0, 0, "01", version="6.0") + "ZOOM\t3.0\t"
    laid = save(boards).boards[0]
    assert (laid.zoom, laid.rect) == (3.0, (400, 400, 5400, 1935))
    assert where(boards, 400 + 3 * 56, 400 + 3 * 64) == "01B1"
    assert where("bd\t0\t0\tr01\tVER\t6\tZOOM\t3.0", 400, 400 + 96) == "01GG10"


def test_rules_and_overlays_are_listed() -> None:
    text = "bd\t0\t0\t01\tVER\t6.2\tOVR\tx1\tA1\tA2\tOVR\tog2\tC3\tC4\tSSR\tGrain\t\tMud\tZOOM\t3.0"
    laid = save(text).boards[0]
    assert laid.version == "6.2"
    assert laid.overlays == (("x1", "A1", "A2"), ("og2", "C3", "C4"))
    assert laid.rules == ("Grain", "Mud")
    assert laid.zoom == 3.0
    assert save("bd\t0\t0\t01\twhat\tVER").boards[0].version == ""


def test_no_boards() -> None:
    assert save("bd\t").boards == ()
    assert at("bd\t", 500, 500).place.hex is None


@pytest.mark.parametrize(
    ("code", "size", "hex_"),
    [
        ("5", (1800, 645), "5B1"),
        ("3a", (901, 1290), "3aB1"),
        ("13b", (901, 1290), "13bR1"),
        ("d", (2363, 971), "dA1"),
        ("NUL", (901, 1), None),
        ("NULV", (1, 645), None),
    ],
)
def test_usual_boards_need_no_archive(code: str, size: tuple[int, int], hex_: str | None) -> None:
    shape = usual_shape(code)
    assert shape is not None
    assert ((shape.width, shape.height), shape.assumed) == (size, True)
    assert where(board(0, 0, code), 400 + 56, 400 + 64) == hex_


def test_a_board_of_unknown_size() -> None:
    boards = board(0, 0, "01") + board(1, 0, "RBv9") + board(2, 0, "02") + board(0, 1, "03")
    found = save(boards, (456, 464), (9000, 464), (456, 1109))
    assert [one.place.location for one in found.pieces] == ["01B1", None, "03B1"]
    assert [one.place.known for one in found.pieces] == [True, False, False]
    assert [one.rect is None for one in found.boards] == [False, True, True, False]
    assert doubts(found, found.pieces)[0].startswith("board RBv9: its size is not known here")


def metadata(name: str, more: str = "") -> bytes:
    return (
        f'<boardMetadata name="{name}" version="1" versionDate="x" author="y" hasHills="FALSE" '
        f'boardImageFileName="bd{name}.gif" width="4" height="3" {more}/>'
    ).encode()


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + b"\0" * 20


def own_board(folder: Path, name: str, size: tuple[int, int], more: str = "") -> None:
    entries = {"BoardMetadata.xml": metadata(name, more), f"bd{name}.gif": gif(*size)}
    (folder / f"bd{name}").write_bytes(packed(entries))


def test_boards_from_a_folder(tmp_path: Path) -> None:
    own_board(tmp_path, "Own", (300, 200), 'A1CenterX="20"')
    shapes = shapes_in(tmp_path)
    boards = board(0, 0, "Own") + board(1, 0, "01")
    assert where(boards, 420, 432, shapes) == "OwnA1"
    assert where(boards, 700 + 56, 464, shapes) == "01B1"
    assert save(boards, shapes=shapes).boards[0].shape == Shape("Own", 300, 200, Geometry(x=20.0))


def test_a_damaged_board_in_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "bdOwn").write_bytes(b"no archive")
    with pytest.raises(DataError, match="bdOwn: is not a ZIP archive"):
        save(board(0, 0, "Own"), shapes=shapes_in(tmp_path))


def test_a_board_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "boards"
    inside.mkdir()
    own_board(tmp_path, "X", (300, 200))
    with pytest.raises(DataError, match="board 1 has no valid name"):
        save(board(0, 0, "/../../bdX"), shapes=shapes_in(inside))


ALTERNATE = Geometry(alternate=True)


@pytest.mark.parametrize(
    ("grid", "x", "y", "name"),
    [
        (Geometry(), 0, 32, None),  # a centre
        (Geometry(), 56, 64, None),
        (Geometry(), 112, 96, None),
        (Geometry(), 0, 64, "A1/A2"),
        (Geometry(), 0, 0, "A0/A1"),
        (Geometry(), 56, 32, "B0/B1"),
        (Geometry(), 28, 48, "A1/B1"),
        (Geometry(), 28, 15, "A1/B0"),
        (Geometry(), 84, 48, "B1/C1"),
        (Geometry(), 84, 80, "B1/C2"),
        (Geometry(), 29, 48, None),
        (ALTERNATE, 28, 48, "A1/B2"),
        (ALTERNATE, 56, 32, "B1/B2"),
    ],
)
def test_hexsides(grid: Geometry, x: int, y: int, name: str | None) -> None:
    assert grid.hexside(x, y) == name


def test_a_piece_on_a_hexside() -> None:
    piece = at(board(0, 0, "01"), 400 + 84, 400 + 48)
    assert piece.place.hexside == "B1/C1"
    assert piece.place.hex in ("B1", "C1")


@given(st.integers(0, 1799), st.integers(0, 644))
def test_turning_a_board_twice_changes_nothing(x: int, y: int) -> None:
    plain = read_layout("0\t0\t01\t", usual_shape)
    turned = read_layout("0\t0\tr01\t", usual_shape)
    there = place_at_pixel(plain, EDGE + x, EDGE + y)
    assert there.hex is not None
    assert turned[0].placed is not None
    assert turned[0].placed.on_board(1800 - x, 645 - y) == (x, y)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bd\tx\t0\t01", "board 1 lies in no cell from 0,0 to 100,100"),
        ("bd\t0\t-1\t01", "board 1 lies in no cell"),
        ("bd\t0\t0\t01\tVER\t1\tbd\t101\t0\t02", "board 2 lies in no cell"),
        ("bd\t0", "board 1 lies in no cell"),
        ("bd\t0\t0\t", "board 1 has no valid name"),
        ("bd\t0\t0\ta/b", "board 1 has no valid name"),
        ("bd\t0\t0\t01\t0\t0\t999999999\t0", "board 1 is cropped at impossible coordinates"),
        ("bd\t0\t0\t01\tZOOM\t1e300", "board 1 is zoomed by an impossible factor; 0.1 to 20"),
        ("bd\t0\t0\t01\tZOOM\t0.0", "impossible factor"),
        ("bd\t0\t0\t01\tZOOM", "impossible factor"),
        ("bd\t0\t0\t01\tSSR" + "\tMud" * 501, "too many overlays or rules; at most 500"),
        ("\t".join(["bd\t0\t0\t01"] * 61), "too many boards; 60 at most"),
        ("bd" + "\t" * 40_000, "too much of its boards"),
    ],
)
def test_layouts_that_will_not_do(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        save(text)
    assert caught.value.problems[0].file == "own.vsav"
