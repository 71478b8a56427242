"""Hexes as cards name them: rectangles, Map Edges, Setup Areas of the map."""

from __future__ import annotations

import pytest

from laager.base import DataError
from laager.hexmap.areas.card_hexes import expand_hexes, find_hexes

from .helpers import plain

MAP = plain(5, 4, setup_areas={"North Bank": ["A1-A2", "B1"]}, not_playable=["E1-E4"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C4", "C4"),
        ("A1-B2", "A1 A2 B1 B2"),
        ("west edge", "A1 A2 A3 A4"),
        ("west edge 2", "A1 A2 A3 A4 B1 B2 B3 B4"),
        ("East  Edge", "D1 D2 D3 D4"),
        ("south edge", "A4 B4 C4 D4"),
        ("North Bank", "A1 A2 B1"),
    ],
)
def test_a_text_on_a_card_names_hexes(text: str, names: str) -> None:
    assert find_hexes(MAP, text) == names.split()


def test_a_side_may_have_the_whole_map() -> None:
    assert set(find_hexes(MAP, "north edge 20")) == MAP.playable


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("North Bnak", "did you mean North Bank?"),
        ("west", "write west edge"),
        ("west edge 0", "west edge 3, or a Setup Area of the map"),
        ("A1-x2-C3", "write C4, or C4-C9"),
    ],
)
def test_a_text_that_names_none_is_told_with_what_would(text: str, right: str) -> None:
    with pytest.raises(DataError) as caught:
        expand_hexes(MAP, ["A1", text])
    (problem,) = caught.value.problems
    assert right in problem.right
