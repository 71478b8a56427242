from __future__ import annotations

from collections.abc import Collection
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import HexMap, blast_area, blast_area_cover, blast_area_problems, blast_areas
from laager.hexmap.areas.blast_area import BLAST_REACH
from laager.hexmap.coords import DIRECTIONS, expand_ranges
from tests.tries import tries

from .helpers import plain

NAMES = tuple(DIRECTIONS)
FIELD = plain(12, 12)
WAVE = ["C5", "D4", "E5", "F4", "G5", "C6", "D5", "E6", "F5", "G6"]


def straight_rows(field: HexMap, hexes: Collection[str]) -> bool:
    """Return whether hexes fall into two straight rows of five, side by side: by trying."""
    if len(set(hexes)) != 10:
        return False
    for a, b in permutations(hexes, 2):
        if field.distance(a, b) != 4:
            continue
        row = line(field, a, b)
        rest = set(hexes) - set(row)
        if len(row) != 5 or len(rest) != 5:
            continue
        for c, d in permutations(rest, 2):
            other = line(field, c, d)
            if set(other) == rest and all(map(field.are_adjacent, row, other)):
                return True
    return False


def line(field: HexMap, a: str, b: str) -> list[str]:
    """Return the straight line from a to b, both included; empty if there is none."""
    for direction in DIRECTIONS:
        grain = (a, *field.grain(a, direction))
        if b in grain:
            return list(grain[: grain.index(b) + 1])
    return []


@st.composite
def tens(draw: st.DrawFn) -> list[str]:
    """Return ten hexes: two rows of a grain, moved against each other, perhaps with one changed."""
    start = draw(st.sampled_from(sorted(FIELD.hexes)))
    along, across = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    row = [start, *FIELD.grain(start, along)][:5]
    beside = [next(iter(FIELD.grain(name, across)), name) for name in row]
    slid = draw(st.integers(0, 2))
    beside = [next(iter(FIELD.grain(name, along)[slid - 1 :]), name) if slid else name
              for name in beside]  # fmt: skip
    found = [*row, *beside]
    if draw(st.booleans()) and draw(st.booleans()):
        found[draw(st.integers(0, len(found) - 1))] = draw(st.sampled_from(sorted(FIELD.hexes)))
    return draw(st.permutations(found))


@given(tens())
@tries(200)
def test_shapes_against_trying_all_rows(hexes: list[str]) -> None:
    found = blast_area(FIELD, hexes)
    assert (found is not None) == straight_rows(FIELD, hexes)
    if found is None:
        return
    assert found.hexes == set(hexes)
    a0, a4, b0, b4 = found.corners
    ranges = [FIELD.distance(*pair) for pair in ((a0, a4), (b0, b4), (a0, b0), (a4, b4))]
    assert ranges == [4, 4, 1, 1]
    assert a0 == FIELD.in_order(found.corners)[0]
    assert blast_area(FIELD, sorted(hexes)) == found
    assert blast_area(FIELD, hexes, zigzag=True) == found


def test_zigzag_rows_by_the_other_reading() -> None:
    assert blast_area(FIELD, WAVE) is None
    found = blast_area(FIELD, WAVE, zigzag=True)
    assert found is not None
    assert found.rows == (tuple(WAVE[:5]), tuple(WAVE[5:]))
    assert [FIELD.distance(WAVE[0], WAVE[4]), FIELD.distance(WAVE[5], WAVE[9])] == [4, 4]
    assert blast_area(FIELD, [*WAVE[:5], *["C5", "D5", "E5", "F5", "G5"]], zigzag=True) is None
    areas = {"all": sorted(FIELD.hexes)}
    assert "not the shape" in str(blast_area_problems(FIELD, WAVE, areas)[0])
    assert blast_area_problems(FIELD, WAVE, areas, zigzag=True) == ()


def test_every_zigzag_is_told_from_a_straight_row() -> None:
    """Offered by the one reading and not by the other, and offered as it is recognized."""
    areas = {"corner": ["A1"]}
    straight = {area.hexes for area in blast_areas(FIELD, areas)}
    both = {area.hexes for area in blast_areas(FIELD, areas, zigzag=True)}
    assert straight < both
    for hexes in both - straight:
        assert blast_area(FIELD, hexes) is None
        found = blast_area(FIELD, hexes, zigzag=True)
        assert found is not None
        # Counted from the first of its corners, whichever way the rows run.
        assert found.corners[0] == FIELD.in_order(found.corners)[0]


@pytest.mark.parametrize("size", [0, 1, 9, 11])
def test_ten_hexes_it_is(size: int) -> None:
    hexes = [*expand_ranges(["C3-C7", "D3-D7"]), "E5"][:size]
    assert blast_area(FIELD, hexes) is None
    areas = {"all": sorted(FIELD.hexes)}
    assert [one.right for one in blast_area_problems(FIELD, hexes, areas)] == [
        "two rows of five hexes, side by side along a hex grain"
    ]


def test_hexes_off_the_map_are_refused() -> None:
    with pytest.raises(RefusedError, match="there is no hex 'Z9'"):
        blast_area(FIELD, ["Z9"])


def test_one_area_must_reach_all() -> None:
    hexes = expand_ranges(["C3-C7", "D3-D7"])
    # Each reaches half of them.
    areas = {"north": ["C1"], "south": ["C11"]}
    assert blast_area_cover(FIELD, hexes, areas) == ()
    found = [one.what for one in blast_area_problems(FIELD, hexes, areas)]
    assert found == ["C7, D6, D7 too far from north"]
    whole = {"both": ["C1", "C11"], **areas}
    assert blast_area_cover(FIELD, hexes, whole) == ("both",)
    assert blast_area_problems(FIELD, hexes, whole) == ()
    none = blast_area_problems(FIELD, hexes, {})
    assert [one.what for one in none] == ["there is no Setup or Entry Area to cover it"]


def test_hexes_out_of_play_are_told() -> None:
    field = plain(12, 12, not_playable=["C3", "D4"])
    hexes = expand_ranges(["C3-C7", "D3-D7"])
    found = blast_area_problems(field, hexes, {"all": sorted(field.hexes)})
    assert [one.what for one in found] == ["C3, D4 not in play"]


@pytest.mark.parametrize("zigzag", [False, True])
def test_areas_offered_are_legal_and_all(zigzag: bool) -> None:
    areas = {"one": ["A6"], "other": ["L6", "L7"]}
    found = list(blast_areas(FIELD, areas, zigzag=zigzag))
    assert len({area.hexes for area in found}) == len(found) > 20
    for area in found:
        assert blast_area_problems(FIELD, area.hexes, areas, zigzag=zigzag) == ()
    if not zigzag:
        assert {area.hexes for area in found} == every_covered(areas)


def every_covered(areas: dict[str, list[str]]) -> set[frozenset[str]]:
    found = set()
    for start in FIELD.hexes:
        for along, across in permutations(NAMES, 2):
            row = (start, *FIELD.grain(start, along))[:5]
            beside = [next(iter(FIELD.grain(name, across)), name) for name in row]
            hexes = frozenset([*row, *beside])
            near = [
                all(min(FIELD.distance(h, a) for a in area) <= BLAST_REACH for h in hexes) for area in areas.values()
            ]
            if any(near) and straight_rows(FIELD, hexes):
                found.add(hexes)
    return found
