"""Boards: half hexes, alternate grain, boards joined and turned."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.hexmap import Hex, HexMap

from .helpers import hexes, made

GEO: dict[str, Any] = {"columns": 33, "rows": 10, "half_rows": True}


def place(one: Hex) -> tuple[int, int]:
    """Return where the centre of a hex lies: columns to the east, half hexes to the south."""
    return one.q, 2 * one.r + one.q


def problems(*boards: dict[str, Any]) -> str:
    with pytest.raises(DataError) as caught:
        made(boards=list(boards))
    return str(caught.value)


def test_a_geomorphic_board_has_346_hexes() -> None:
    board = made(boards=[{"board": "20", **GEO}])
    assert len(board.hexes) == 17 * 10 + 16 * 11
    halves = {name for name, one in board.hexes.items() if one.half}
    assert {"20B0", "20B10", "20A5", "20GG1"} <= halves
    assert len(halves) == 2 * 16 + 2 * 10
    assert "20C5" not in halves
    assert board.edge("west") == {f"20A{n}" for n in range(1, 11)}


def test_half_columns_can_be_said_or_denied() -> None:
    denied = made(boards=[{"board": "20", **GEO, "half_columns": False}])
    assert not denied.hex("20A5").half
    said = made(boards=[{"columns": 5, "rows": 4, "half_columns": True}])
    assert {name for name, one in said.hexes.items() if one.half} == hexes("A1 A2 A3 A4 E1 E2 E3 E4")
    # A historical map with rows cut at its edges has whole hexes in its first column.
    assert not made(boards=[GEO]).hex("A5").half


def test_alternate_grain_swaps_the_columns() -> None:
    board = made(boards=[{"columns": 5, "rows": 5, "grain": "alternate"}])
    assert set(board.neighbours("C3")) == hexes("C2 C4 B3 B4 D3 D4")
    assert set(board.neighbours("B3")) == hexes("B2 B4 A2 A3 C2 C3")
    cut = made(boards=[{"columns": 5, "rows": 5, "grain": "alternate", "half_rows": True}])
    assert {name for name, one in cut.hexes.items() if one.half} == hexes("A0 A5 C0 C5 E0 E5")


def joined() -> HexMap:
    return made(
        boards=[
            {"board": "20", **GEO},
            {"board": "6a", **GEO, "right_of": "20"},
            {"board": "19", **GEO, "below": "20"},
            {"board": "4", **GEO, "below": "6a"},
        ],
        terrain={"woods": ["19B0", "6aA5"], "orchard": ["20GG7"]},
        hexsides={"wall": ["6aA5/6aA6"]},
    )


def test_half_hexes_that_meet_are_one_hex_with_two_names() -> None:
    field = joined()
    assert len(field.hexes) == 4 * 346 - 2 * 10 - 2 * 16
    shared = field.hex("6aA5")
    assert (shared.name, shared.aliases, shared.half) == ("20GG5", ("6aA5",), False)
    assert shared.terrain == "woods"
    assert field.hex("20B10") is field.hex("19B0")
    assert field.hex("20B10").terrain == "woods"
    assert field.hex("20B0").half
    assert field.hex("20A10").half
    assert not field.hex("20GG7").half
    assert field.hexside_features("20GG6", "20GG5") == hexes("wall")
    assert field.main_location("6aA5.1") == "20GG5.1"


def test_joined_boards_are_one_plane() -> None:
    field = joined()
    assert set(field.neighbours("20GG5")) == hexes("20GG4 20GG6 20FF4 20FF5 6aB4 6aB5")
    assert set(field.neighbours("20C10")) == hexes("20C9 19C1 20B9 20B10 20D9 20D10")
    assert field.distance("20A1", "6aGG1") == 64
    assert field.distance("20A1", "19A1") == 10
    assert field.edge("south") == {
        name for name in field.hexes if name.startswith(("19", "4")) and name.endswith("10") and "19GG10" not in name
    } | {"19GG10"}
    assert field.hexes_within(["6aA5"], 1) == frozenset(field.neighbours("20GG5")) | {"20GG5"}


def test_the_stated_order_of_joined_boards_is_by_letter_then_number() -> None:
    field = joined()
    assert field.in_order(["6aB5", "20GG5", "19B5", "20B4"]) == ["20B4", "6aB5", "19B5", "20GG5"]


def test_a_board_turned_round_keeps_its_names() -> None:
    turned = made(boards=[{"board": "20", **GEO, "reversed": True}])
    straight = made(boards=[{"board": "20", **GEO}])
    for name in straight.hexes:
        assert set(turned.neighbours(name)) == set(straight.neighbours(name))
        assert turned.hex(name).half == straight.hex(name).half
        column, height = place(straight.hex(name))
        assert place(turned.hex(name)) == (32 - column, 22 - height)
    assert turned.edge("north") == straight.edge("south")
    assert turned.edge("east") == straight.edge("west")


def test_a_turned_board_joins_the_other_way_round() -> None:
    field = made(boards=[{"board": "20", **GEO}, {"board": "6", **GEO, "right_of": "20", "reversed": True}])
    assert field.hex("6GG6") is field.hex("20GG5")
    assert set(field.neighbours("20GG5")) == hexes("20GG4 20GG6 20FF4 20FF5 6FF5 6FF6")


def test_historical_boards_can_be_placed_by_hand() -> None:
    field = made(
        boards=[{"board": "1", "columns": 5, "rows": 4}, {"board": "2", "columns": 5, "rows": 4, "at": [5, 1]}]
    )
    assert len(field.hexes) == 40
    assert set(field.neighbours("1E3")) == hexes("1E2 1E4 1D2 1D3 2A2 2A3")
    west = made(
        boards=[{"board": "1", "columns": 5, "rows": 4}, {"board": "2", "columns": 3, "rows": 4, "at": [-3, 1]}]
    )
    assert west.hex("2A1").q == 0
    assert west.hex("1A1").q == 3
    assert set(west.neighbours("1A3")) == hexes("1A2 1A4 1B2 1B3 2C2 2C3")


def test_a_half_hex_may_meet_a_whole_one() -> None:
    field = made(
        boards=[
            {"board": "1", "columns": 5, "rows": 4},
            {"board": "2", "columns": 5, "rows": 4, "half_rows": True, "below": "1"},
        ]
    )
    assert field.hex("2B0").name == "1B4"
    assert not field.hex("1B4").half


@pytest.mark.parametrize(
    ("boards", "told"),
    [
        (
            [{"columns": 3, "rows": 3}, {"board": "2", "columns": 3, "rows": 3}],
            "boards[2]: has no place; add at, right_of or below",
        ),
        (
            [{"board": "20", **GEO}, {"board": "6", **GEO, "right_of": "21"}],
            "boards[2].right_of: there is no board '21'; one of 20, 6",
        ),
        (
            [{"board": "20", **GEO}, {"board": "6", **GEO, "at": [10, 0]}],
            "boards[2]: lies over another board (6B1 on 20L1, 199 hexes in all); boards may share half hexes only",
        ),
        (
            [{"board": "1", "columns": 5, "rows": 4}, {"board": "2", "columns": 5, "rows": 4, "right_of": "1"}],
            "boards[2]: the boards do not fit: their hexes are half a hex apart; shift one",
        ),
        (
            [{"board": "1", **GEO, "below": "2"}, {"board": "2", **GEO, "below": "1"}],
            "boards[1].below: the place of board '2' is not fixed either",
        ),
        (
            [{"board": "1", **GEO}, {"board": "1", **GEO, "below": "1"}],
            "boards[2]: there is a board '1' already; give each board its own name",
        ),
        ([{"board": "1", **GEO, "right_of": "9"}], "boards[1].right_of: there is no board '9'"),
        (
            [{"board": "1", **GEO}, {"board": "2", **GEO, "below": "1", "at": [0, 20]}],
            "boards[2]: has more than one place; keep one of at, right_of and below",
        ),
    ],
)
def test_boards_that_cannot_be_joined(boards: list[dict[str, Any]], told: str) -> None:
    assert told in problems(*boards)


def test_unknown_hexes_of_joined_boards_are_advised_by_board() -> None:
    field = joined()
    with pytest.raises(RefusedError, match=r"no hex '20H11' .*; that column runs from 20H0 to 20H10"):
        field.hex("20H11")
    with pytest.raises(RefusedError, match=r"no hex '6C4' .*; did you mean 6a"):
        field.hex("6C4")
    with pytest.raises(RefusedError, match=r"no hex 'H7' .*; its boards are 19, 20, 4, 6a"):
        field.hex("H7")


def test_playable_islands_have_their_own_east_and_west() -> None:
    field = made(boards=[{"columns": 7, "rows": 5}], playable=["B1-B5", "F2"])
    assert field.edge("west") == hexes("B1 B2 B3 B4 B5")
    assert field.edge("east") == hexes("F2 B1 B3 B4 B5")


def test_a_board_may_begin_anywhere_and_its_cut_edges_are_said() -> None:
    """Even columns from row 0, cut at the top; the first column Q cut in the west."""
    part = {"even_rows": [0, 3], "odd_rows": [0, 2], "cut": ["north", "west"]}
    board = made(boards=[{"columns": 3, "rows": 3, "first_column": "Q", **part}])
    assert set(board.hexes) == hexes("Q0 Q1 Q2 Q3 R0 R1 R2 S0 S1 S2 S3")
    assert {name for name, one in board.hexes.items() if one.half} == hexes("Q0 Q1 Q2 Q3 S0")
    assert [place(board.hex(name)) for name in ("Q0", "R0", "S0")] == [(0, 0), (1, 1), (2, 0)]


def test_a_board_that_is_turned_is_cut_where_it_was_cut() -> None:
    part = {"even_rows": [1, 3], "odd_rows": [1, 3], "cut": ["north"], "reversed": True}
    board = made(boards=[{"columns": 3, "rows": 3, "first_column": "Q", **part}])
    assert {name for name, one in board.hexes.items() if one.half} == hexes("Q1 S1")
    assert place(board.hex("S3"))[0] == 0


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ({"first_column": "QR"}, "the first column QR is not valid"),
        ({"first_column": "q"}, "the first column q is not valid"),
        ({"first_column": "ZZZZ", "columns": 3}, "the first column ZZZZ is not valid"),
        ({"even_rows": [1, 3]}, "give both kinds of rows"),
        ({"cut": ["north"]}, "give both kinds of rows"),
        ({"even_rows": [3, 1], "odd_rows": [1, 3]}, "rows are not valid"),
        ({"even_rows": [1, 1000], "odd_rows": [1, 3]}, "rows are not valid"),
    ],
)
def test_columns_and_rows_that_cannot_be_are_refused(part: dict[str, Any], told: str) -> None:
    assert told in problems({"columns": 3, "rows": 3, **part})


def test_what_nobody_has_told_is_not_open_ground() -> None:
    from laager.hexmap import is_open_ground

    boards = [{"columns": 5, "rows": 5}]
    assert not is_open_ground(made(boards=boards, terrain={"unknown": ["C3"]}).hex("C3"))
