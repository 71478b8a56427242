from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import parse_name, sort_key, split_location
from laager.hexmap.coords import MAX_COLUMNS, HexName, column_name, side_key
from tests.tries import tries

NAMES = st.builds(
    HexName, st.sampled_from(["", "1", "20", "6a", "123b", "c"]), st.integers(0, MAX_COLUMNS - 1), st.integers(0, 999)
)


@pytest.mark.parametrize(("number", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (32, "GG"), (51, "ZZ"), (52, "AAA")])
def test_columns_after_z_double_their_letter(number: int, name: str) -> None:
    assert column_name(number) == name


@pytest.mark.parametrize("number", [-1, MAX_COLUMNS])
def test_columns_without_letters_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="has no letters"):
        column_name(number)


@given(NAMES)
@tries(200)
def test_names_are_read_as_written(name: HexName) -> None:
    assert parse_name(str(name)) == name


@pytest.mark.parametrize(
    ("text", "parts"), [("20F5", ("20", 5, 5)), ("6aC6", ("6a", 2, 6)), ("GG10", ("", 32, 10)), ("B0", ("", 1, 0))]
)
def test_parts_of_a_name(text: str, parts: tuple[str, int, int]) -> None:
    assert parse_name(text) == parts


@pytest.mark.parametrize("text", ["", "H", "7", "AB3", "h7", "H7.1", "H-7", "H7 ", "AAAAA1", "٣H7"])
def test_what_is_no_hex_name(text: str) -> None:
    assert parse_name(text) is None


@pytest.mark.parametrize(
    ("text", "parts"), [("H7", ("H7", None)), ("H7.1", ("H7", "1")), ("20F5.c", ("20F5", "c")), ("H7.p2", ("H7", "p2"))]
)
def test_a_location_is_a_hex_and_a_level(text: str, parts: tuple[str, str | None]) -> None:
    assert split_location(text) == parts


@pytest.mark.parametrize("text", ["", "H", "H7.", "H7.-1", "H7.1.2", ".1", "H7.C"])
def test_what_is_no_location(text: str) -> None:
    with pytest.raises(RefusedError, match="is not a Location; write a hex such as H7"):
        split_location(text)
    with pytest.raises(RefusedError):
        sort_key(text)


def test_the_stated_order_is_column_row_board_level() -> None:
    told = ["A2", "A10", "6aA10", "20A10", "B0", "Z3", "AA1", "AA1.1", "AA1.2", "AA1.10", "AA1.c"]
    mixed = [*told[5:], *told[:5]]
    assert sorted(mixed, key=sort_key) == told


def test_a_hexside_has_one_name() -> None:
    assert side_key("A10", "A9") == side_key("A9", "A10") == ("A9", "A10")
