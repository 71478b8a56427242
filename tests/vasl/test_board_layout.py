"""Boards put together: pixels to hexes on VASL's map, layouts as text, and what is refused."""

from __future__ import annotations

import pytest

from laager.base import DataError
from laager.vasl.boards.layout import Crop, Geometry, PlacedBoard, arrange, parse_layout, side_by_side

GEO = Geometry()
SIZE = (1800, 645)


def geo(name: str, column: int = 0, row: int = 0, **more: object) -> PlacedBoard:
    return PlacedBoard(name, GEO, SIZE, column, row, **more)  # type: ignore[arg-type]


def at(boards: list[PlacedBoard], x: float, y: float) -> str | None:
    found = arrange(boards).at(x, y)
    return found and f"{found[0].name}{found[1]}"


def test_the_worked_example_of_the_format() -> None:
    """Boards 02 over r02; a piece at (400, 1077) stands on the lower one, in GG10."""
    boards = [geo("02"), geo("02", 0, 1, reversed=True)]
    layout = arrange(boards)
    assert layout.corners == ((400, 400), (400, 1045))
    assert layout.at(400, 1077) == (boards[1], "GG10")


def test_seams_and_the_empty_border() -> None:
    boards = [geo("10"), geo("22", 1), geo("01", 0, 1)]
    assert at(boards, 400 + 56, 400 + 644) == "10B10"
    assert at(boards, 400 + 56, 400 + 645) == "01B0"
    assert at(boards, 400 + 1799, 432) == "10GG1"
    assert at(boards, 400 + 1800, 432) == "22A1"
    assert at(boards, 399, 500) is None
    assert at(boards, 2300, 1100) is None


def test_a_crop_moves_the_hexes_and_those_that_follow() -> None:
    right = Crop(900, 0, 900, 645)
    boards = [geo("10", crop=right), geo("22", 1)]
    assert at(boards, 400, 432) == "10Q1"
    assert at(boards, 1300, 432) == "22A1"
    turned = [geo("10", crop=right, reversed=True)]
    assert at(turned, 400, 432) == "10GG10"
    assert geo("10", crop=Crop(0, 322)).part == (0, 322, 1800, 323)


def test_a_board_shown_three_times_as_large() -> None:
    assert at([geo("10", zoom=3.0)], 400 + 3 * 56, 400 + 3 * 64) == "10B1"


@pytest.mark.parametrize("reversed_", [False, True])
def test_what_is_shown_comes_from_where_it_is_shown(reversed_: bool) -> None:
    placed = geo("10", reversed=reversed_, crop=Crop(100, 50, 800, 400))
    assert placed.on_board(*placed.as_shown(300, 200)) == (300, 200)


def test_missing_cells_take_no_room() -> None:
    assert arrange([geo("10", 2, 1)]).corners == ((400, 400),)


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        ([geo("10"), geo("22")], "another board lies already"),
        ([geo("10", 24)], "lies in column 24"),
        ([geo("10", -1)], "lies in column -1"),
        ([geo("10", zoom=0.0)], "is shown 0.0 times as large"),
        ([geo("10", zoom=11.0)], "at most 10 times"),
        ([geo("10", crop=Crop(-1, 0, 10, 10))], "cropped to more than there is"),
        ([geo("10", crop=Crop(1700, 0, 200, 10))], "cropped to more than there is"),
        ([geo("10", crop=Crop(1800, 0))], "cropped to more than there is"),
        ([geo(str(n), n % 20, n // 20) for n in range(25)], "25 boards are too many"),
    ],
)
def test_layouts_that_cannot_be_are_refused(boards: list[PlacedBoard], told: str) -> None:
    with pytest.raises(DataError, match=told):
        arrange(boards)


# As text ----------------------------------------------------------------------------------------

KNOWN = {name: geo(name) for name in ("02", "6a", "r", "MC5 Snow")}


def text(layout: str) -> list[tuple[str, int, int, bool, Crop | None]]:
    found = parse_layout(layout, KNOWN.get, list(KNOWN))
    return [(one.name, one.column, one.row, one.reversed, one.crop) for one in found.boards]


def test_a_layout_as_people_write_it() -> None:
    assert text("02 r6a / - r02") == [("02", 0, 0, False, None), ("6a", 1, 0, True, None), ("02", 1, 1, True, None)]
    assert text('"MC5 Snow" / r"MC5 Snow"[A-Q]') == [
        ("MC5 Snow", 0, 0, False, None),
        ("MC5 Snow", 0, 1, True, Crop(0, 0, 900, 645)),
    ]
    assert text(side_by_side(["MC5 Snow", "02"])) == [("MC5 Snow", 0, 0, False, None), ("02", 1, 0, False, None)]
    assert text("r rr") == [("r", 0, 0, False, None), ("r", 1, 0, True, None)]


def test_a_crop_by_columns_and_rows() -> None:
    assert text("02[A-Q]")[0][4] == Crop(0, 0, 900, 645)
    assert text("02[I-Y,1-5]")[0][4] == Crop(450, 0, 900, 322)
    assert text("r02[A-GG,6-10]")[0][4] == Crop(0, 322, 1800, 323)


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        ("", "names no board"),
        ("- / -", "names no board"),
        ("99", "there is no board '99'; the boards are 02, 6a, r, \"MC5 Snow\""),
        ("MC5 Snow", "there is no board 'Snow'; the boards are 02, 6a, r, \"MC5 Snow\""),
        ('"MC5 Snow', "is not a board of a layout"),
        ("r99", "there is no board 'r99'"),
        ("02[", "is not a board of a layout"),
        ("02[P-A]", "not columns from west to east"),
        ("02[AB-C]", "not columns from west to east"),
        ("02[A-P,20-30]", "leaves nothing of the board"),
        ("02[HH-II]", "leaves nothing of the board"),
    ],
)
def test_texts_that_are_no_layout_are_refused(layout: str, told: str) -> None:
    with pytest.raises(DataError, match=told.replace("[", r"\[")):
        text(layout)
