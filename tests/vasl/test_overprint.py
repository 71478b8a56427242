"""Print over the hexes of a board, such as a compass rose: colours that are in one or two places only."""

from __future__ import annotations

from pathlib import Path

from laager.vasl.colours.reasons import PRINT
from laager.vasl.maps.doubts import group_alike
from laager.vasl.maps.marking import mark

from .colour_boards import Painted, made, map_of, painted_board, read

INK, ROOF = (18, 21, 144), (200, 40, 160)
"""Colours that stand for nothing, and are like none that does."""


def titled(columns: int = 14) -> Painted:
    """Return a board with a title over three hexes, and spots of another colour all over."""
    board = Painted(columns=columns, rows=10)
    for name in ("E5", "F6", "G5"):
        board.box(name, INK, 14, dy=6)
    for name in ("B2", "B8", "F2", "J2", "J8", "L5"):
        board.box(name, ROOF, 14, dy=6)
    return board


def printed_hexes(board: Painted, folder: Path) -> set[str]:
    return {doubt.where for doubt in read(board, folder).doubts if doubt.why == PRINT}


def test_a_title_over_hexes_is_one_doubt_and_is_settled_as_one(tmp_path: Path) -> None:
    imported = made(read(titled(), tmp_path))
    (title,) = (group for group in group_alike(imported.doubts) if group[0].why == PRINT)
    assert {doubt.where for doubt in title} == {"E5", "F6", "G5"}
    assert title[0].alike
    marked = mark(imported.text, [f"alike:{title[0].alike}=woods"])
    assert {name for name, hex_ in map_of(marked).hexes.items() if hex_.terrain == "woods"} == {"E5", "F6", "G5"}


def test_a_colour_in_many_places_is_terrain(tmp_path: Path) -> None:
    board = titled()
    assert printed_hexes(board, tmp_path) == {"E5", "F6", "G5"}
    for name in ("C9", "M9"):
        board.box(name, INK, 14, dy=6)
    assert not printed_hexes(board, tmp_path), "no title is printed in three places"


def test_a_colour_of_known_meaning_is_no_print(tmp_path: Path) -> None:
    board = titled()
    board.colors = "DarkWoods 18,21,144\nWoods 18,21,144\n"
    assert not printed_hexes(board, tmp_path)


def test_a_painted_board_tells_no_print(tmp_path: Path) -> None:
    """Where hardly any colour is known, everything is unknown already."""
    board = painted_board()
    board.box("E3", INK, 14)
    assert not printed_hexes(board, tmp_path)
