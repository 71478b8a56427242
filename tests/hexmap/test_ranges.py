from __future__ import annotations

import pytest

from laager.base import DataError
from laager.hexmap.coords import expand_ranges, parse_hex_list, parse_range, parse_way


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C4", "C4"),
        ("C4-C6", "C4 C5 C6"),
        ("C6 - C4", "C6 C5 C4"),
        ("Y2-BB2", "Y2 Z2 AA2 BB2"),
        ("20C4-20D4", "20C4 20D4"),
    ],
)
def test_spans(text: str, names: str) -> None:
    assert parse_range(text) == names.split()


def test_two_corners_are_a_rectangle_where_an_area_may_stand() -> None:
    assert parse_range("A1-C2", areas=True) == ["A1", "A2", "B1", "B2", "C1", "C2"]
    assert parse_range("C2-B1", areas=True) == ["C2", "C1", "B2", "B1"]
    assert expand_ranges(["Z1-AA2", "D4"], areas=True) == ["Z1", "Z2", "AA1", "AA2", "D4"]
    for wrong in ("A1-20C2", "A1-B2-C3", "A1-x"):
        with pytest.raises(DataError):
            parse_range(wrong, areas=True)


def test_every_bad_range_is_told() -> None:
    assert expand_ranges(["A1", "B1-B2"]) == ["A1", "B1", "B2"]
    with pytest.raises(DataError) as caught:
        expand_ranges(["A1", "x", "A1-B2", "20C4-C6", "A1-A2-A3"])
    assert [str(problem).partition(":")[0] for problem in caught.value.problems] == [*("[2]", "[3]", "[4]", "[5]")]


@pytest.mark.parametrize("text", ["A1-A3, B2", "A1 A2\nA3;B2", " A1 - A3,\r\n B2 ", "A1–A3 B2", "A1, A2, A3, B2,"])
def test_a_list_may_be_typed_in_any_way(text: str) -> None:
    assert parse_hex_list(text) == ["A1", "A2", "A3", "B2"]


def test_what_is_wrong_with_a_list_names_no_place_in_it() -> None:
    assert parse_hex_list(" , ;") == []
    with pytest.raises(DataError) as caught:
        parse_hex_list("A1 x A1-B2")
    assert [problem.field for problem in caught.value.problems] == ["", ""]
    assert "A1-B2 is neither along a column nor along a row" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("E4-F4-G5-H4", "E4 F4 G5 H4"),
        ("E4 F4, G5\nH4", "E4 F4 G5 H4"),
        ("C4-C1", "C4 C3 C2 C1"),
        ("C4-C2-D1 - E1", "C4 C3 C2 D1 E1"),
        ("C4-nowhere-C3", "C4 nowhere C3"),
        ("-", ""),
    ],
)
def test_a_way_runs_along_columns_and_rows_and_else_from_hex_to_hex(text: str, names: str) -> None:
    assert parse_way(text) == names.split()
