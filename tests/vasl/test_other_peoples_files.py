"""Saves as other people have them, which are not part of Laager: boards for parking counters, and other games."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError
from laager.vasl.boards.board import read_board
from laager.vasl.boards.layout import arrange
from laager.vasl.maps.tomap import import_boards, place_alone
from laager.vasl.report.places import boards_of
from laager.vasl.saves.placing import shapes_in
from laager.vasl.saves.save import read_save

SHARED = Path(__file__).parents[3] / "shared"
SAVES = SHARED / "cases" / "vasl-files"
BOARDS = SHARED / "data" / "boards"

pytestmark = pytest.mark.skipif(
    not SAVES.is_dir() or not BOARDS.is_dir(),
    reason="needs the example saves and boards in ../shared, which are not part of Laager",
)


@pytest.mark.parametrize(
    ("save", "board", "prefix"), [("one-board-and-blank", "RBv2", ""), ("geo-board-and-blank", "01", "1")]
)
def test_a_parking_board_beside_the_map_is_left_aside(save: str, board: str, prefix: str) -> None:
    read = read_board(BOARDS / f"bd{board}")
    map_ = import_boards(arrange([place_alone(read)]), [read]).map
    laid = read_save(SAVES / f"{save}.vsav", shapes_in(BOARDS)).boards
    assert boards_of(laid, map_, (), save).prefixes == {board: prefix}


def test_a_save_of_another_game_is_refused() -> None:
    with pytest.raises(DataError, match="is of a game of Chess, not of VASL"):
        read_save(SAVES / "other-module.vsav")
