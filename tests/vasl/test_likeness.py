"""Boards that aren't a map's: refused by their hexes, their size and their terrain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from laager.base import DataError
from laager.hexmap import HexMap
from laager.vasl.boards.board import read_board
from laager.vasl.boards.layout import arrange
from laager.vasl.maps.tomap import import_boards, place_alone
from laager.vasl.setup.board import Battlefield, battlefield, boards_at

from .board_writer import BRUSH, GRAIN, STONE, WOODS, Draft

STRIPES = (WOODS, GRAIN, BRUSH, STONE)


def drawn(folder: Path, name: str, kinds: tuple[int, ...] = STRIPES, columns: int = 9, rows: int = 6) -> Path:
    """Make a board with stripes of terrain, each two columns of hexes wide, and the last one open."""
    draft = Draft(name, columns, rows)
    for number, kind in enumerate(kinds):
        draft.codes[round((2 * number - 0.4) * 56.25) * (number > 0) : round((2 * number + 1.4) * 56.25)] = kind
    return draft.write(folder)


def house_map(path: Path) -> HexMap:
    """Return a board's map as if somebody had typed it: nothing says which board it was made from."""
    board = read_board(path)
    return replace(import_boards(arrange([place_alone(board)]), [board]).map, pictures=())


def laid(map_: HexMap, folder: Path, layout: str) -> Battlefield:
    return battlefield(map_, boards_at(folder), 400, layout, ["20", "21"])


def test_the_maps_own_board_is_taken(tmp_path: Path) -> None:
    map_ = house_map(drawn(tmp_path, "20"))
    assert laid(map_, tmp_path, "20").boards
    drawn(tmp_path, "20", (*STRIPES[:3], 0))
    assert laid(map_, tmp_path, "20").boards, "one stripe of four was drawn otherwise"


def test_the_maps_part_of_a_board_is_taken(tmp_path: Path) -> None:
    drawn(tmp_path, "20", columns=17)
    board = read_board(tmp_path / "bd20")
    whole = import_boards(arrange([place_alone(board)]), [board]).map
    half = replace(whole, hexes={name: hex_ for name, hex_ in whole.hexes.items() if name[2] <= "I"}, pictures=())
    assert laid(half, tmp_path, "20[A-I]").boards
    with pytest.raises(DataError, match=r"of the boards' \d+ hexes it lacks \d+, such as 20J1"):
        laid(half, tmp_path, "20")


@pytest.mark.parametrize(
    ("kinds", "columns", "told"),
    [
        (STRIPES[::-1], 9, r"in 0 of \d+ hexes that aren't open on both, at least 50% would be \(20A1 is woods, there"),
        (STRIPES, 5, r"of its \d+ hexes the boards lack \d+, such as 20F1"),
        (STRIPES, 13, r"of the boards' \d+ hexes it lacks \d+, such as 21J1"),
    ],
)
def test_another_board_is_refused(kinds: tuple[int, ...], columns: int, told: str, tmp_path: Path) -> None:
    map_ = house_map(drawn(tmp_path, "20"))
    drawn(tmp_path, "21", kinds, columns)
    with pytest.raises(DataError, match=told):
        laid(map_, tmp_path, "21")


def test_a_board_that_is_not_at_hand_is_none(tmp_path: Path) -> None:
    map_ = house_map(drawn(tmp_path, "20"))
    for nowhere in ("999", "22"):
        with pytest.raises(DataError, match=f"there is no board '{nowhere}'"):
            laid(map_, tmp_path, nowhere)
