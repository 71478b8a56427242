from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.hexmap import HexMap, Parallelogram, bombardment_areas, bombardment_problems, parallelograms_between
from laager.hexmap.areas.parallelogram import count_touching
from laager.hexmap.coords import DIRECTIONS, column_name
from tests.tries import tries

from .edsons_ridge import ridge
from .helpers import plain

NAMES = tuple(DIRECTIONS)
FIELD = plain(20, 20)


@st.composite
def shapes(draw: st.DrawFn, field: HexMap = FIELD) -> Parallelogram:
    along = draw(st.integers(0, 5))
    turn = draw(st.sampled_from([1, 2, 4, 5]))
    return Parallelogram(
        draw(st.sampled_from(sorted(field.hexes))),
        NAMES[along],
        NAMES[(along + turn) % 6],
        draw(st.integers(1, 6)),
        draw(st.integers(1, 6)),
        draw(st.booleans()),
    )


def centre(q: int, r: int) -> tuple[float, float]:
    """Return where a hex lies on paper, in units of its side, to the east and to the south."""
    return 1.5 * q, math.sqrt(3) * (r + q / 2)


def drawn(field: HexMap, shape: Parallelogram) -> set[str]:
    """Return the hexes of a shape as measured on paper, not stepped."""
    corner = field.hex(shape.first)
    x0, y0 = centre(corner.q, corner.r)
    ux, uy = (part / math.sqrt(3) for part in centre(*DIRECTIONS[shape.along]))
    cx, cy = centre(*DIRECTIONS[shape.across])
    side = math.copysign(1, ux * cy - uy * cx)
    shift = (cx * ux + cy * uy) / math.sqrt(3)
    found = set()
    for one in field.hexes.values():
        x, y = centre(one.q, one.r)
        x, y = x - x0, y - y0
        file = side * (ux * y - uy * x) / 1.5
        start = shift * (round(file) % 2 if shape.level else round(file))
        place = (x * ux + y * uy) / math.sqrt(3) - start
        if -0.1 < file < shape.files - 0.9 and -0.1 < place < shape.length - 0.9:
            found.add(one.name)
    return found


@given(shapes())
@tries(150)
def test_hexes_are_those_measured_on_paper(shape: Parallelogram) -> None:
    assert shape.hexes(FIELD) == drawn(FIELD, shape)
    positions = shape.positions(FIELD)
    assert len(set(positions)) == len(positions) == shape.length * shape.files


@given(shapes())
@tries(60)
def test_files_run_along_their_grain(shape: Parallelogram) -> None:
    at = {(one.q, one.r): one.name for one in FIELD.hexes.values()}
    positions = shape.positions(FIELD)
    for number in range(shape.files):
        file = positions[number * shape.length : (number + 1) * shape.length]
        names = [at.get(position) for position in file]
        if None not in names and names[0] is not None:
            assert tuple(names[1:]) == FIELD.grain(names[0], shape.along)[: shape.length - 1]


@given(shapes())
@tries(60)
def test_a_shape_is_found_again_by_its_corners(shape: Parallelogram) -> None:
    name = shape.name(FIELD)
    if name.endswith("beyond the map"):
        return
    corner, opposite = name.split("-")
    found = parallelograms_between(FIELD, corner, opposite, [(shape.length, shape.files)])
    assert shape.hexes(FIELD) in [one.hexes(FIELD) for one in found]
    sets = [frozenset(one.positions(FIELD)) for one in found]
    assert len(sets) == len(set(sets))
    assert [one.level for one in found] == sorted((one.level for one in found), reverse=True)
    assert all(one.name(FIELD) == name for one in found)


def test_slanted_corners() -> None:
    """Fifteen columns, each half a hex lower than the one before, in the end seven hexes."""
    found = parallelograms_between(ridge(), "A1", "O17")
    assert [(one.level, one.along, one.across, one.length) for one in found] == [(False, "s", "se", 10)]
    assert found[0].grains == {("n", 10), ("se", 15)}
    assert parallelograms_between(ridge(), "A1", "B1") == ()


@pytest.mark.parametrize(
    ("along", "across", "length", "message"),
    [
        ("s", "n", 10, "files along s cannot lie side by side towards n"),
        ("s", "s", 10, "files along s cannot lie side by side towards s"),
        ("e", "s", 10, "'e' is not a hex grain"),
        ("s", "west", 10, "'west' is not a hex grain"),
        ("s", "se", 0, "0 x 15 hexes are not an area; 1 x 1 at least"),
    ],
)
def test_shapes_that_cannot_be(along: str, across: str, length: int, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        Parallelogram("A1", along, across, length, 15)


def test_a_corner_off_the_map_is_refused() -> None:
    shape = Parallelogram("ZZ1", "s", "se", 10, 15)
    for call in (shape.positions, shape.hexes, shape.name):
        with pytest.raises(RefusedError, match="there is no hex 'ZZ1'"):
            call(ridge())
    with pytest.raises(RefusedError, match="there is no hex 'ZZ1'"):
        parallelograms_between(ridge(), "A1", "ZZ1")


# Bombardments -------------------------------------------------------------------------------------


def rectangle(first: str, column: int, row: int) -> tuple[Parallelogram, set[str]]:
    """Return an area of ten rows of fifteen columns, and its hexes by their names."""
    # On even columns, A first, the next column to the same row lies half a hex lower.
    across = "se" if column % 2 == 0 else "ne"
    names = {
        f"{column_name(column + i)}{row + j}" for i, j in product(range(15), range(10))
    }  # fmt: skip
    return Parallelogram(first, "s", across, 10, 15), names


CORNERS = st.tuples(st.integers(0, 17), st.integers(1, 15))


@given(CORNERS, CORNERS)
@tries(60)
def test_pairs_against_counting_hex_by_hex(one: tuple[int, int], other: tuple[int, int]) -> None:
    field = ridge()
    first, a = rectangle(f"{column_name(one[0])}{one[1]}", *one)
    second, b = rectangle(f"{column_name(other[0])}{other[1]}", *other)
    assert first.hexes(field) == a
    assert second.hexes(field) == b
    problems = [str(problem) for problem in bombardment_problems(field, [first, second])]
    if a & b:
        assert len(problems) == 1
        assert f"they share {len(a & b)} hexes" in problems[0]
        return
    counts = (
        sum(any(field.are_adjacent(name, beside) for beside in b) for name in edge_of(field, a)),
        sum(any(field.are_adjacent(name, beside) for beside in a) for name in edge_of(field, b)),
    )
    assert count_touching(field, a, b) == counts
    assert bool(problems) == (min(counts) < 7)


def edge_of(field: HexMap, hexes: set[str]) -> list[str]:
    return [name for name in hexes if not hexes.issuperset(field.neighbours(name))]


def test_all_problems_are_told_together() -> None:
    small = Parallelogram("A1", "s", "se", 9, 15)
    beyond = Parallelogram("FF20", "se", "ne", 15, 10, level=False)
    found = [str(one) for one in bombardment_problems(ridge(), [small, beyond], level_only=True)]
    assert found == [
        "[1]: the area has 9 x 15 hexes; 10 x 15 are right",
        "[2]: the ends of the area are slanted; choose one with level ends",
        "[2]: 149 of the 150 hexes of the area are not in play, beyond the map; choose one whose hexes all are",
        "the two areas lie along different hex grains; choose the same grain for both",
        "0 hexes of the first area touch the second, 0 the other way; 7 at least both ways",
    ]
    assert beyond.name(ridge()) == "FF20-beyond the map"


def test_hexes_out_of_play_are_named() -> None:
    field = plain(16, 12, not_playable=["C3", "C4"])
    area = Parallelogram("A1", "s", "se", 10, 15)
    found = bombardment_problems(field, [area])
    text = "[1]: 2 of the 150 hexes of the area are not in play, C3 among them"
    assert [str(one).partition(";")[0] for one in found] == [text]


@pytest.mark.parametrize("count", [0, 3])
def test_one_area_or_two(count: int) -> None:
    areas = [Parallelogram("A1", "s", "se", 10, 15)] * count
    found = [str(one) for one in bombardment_problems(ridge(), areas)]
    assert found == [f"there are {count} areas; choose one or two"]


def test_files_of_a_pair_have_one_length() -> None:
    long = Parallelogram("A1", "s", "se", 15, 10)
    beside = Parallelogram("K1", "s", "se", 10, 15)
    text = "the files of the two areas differ in length; both 10 hexes long, or both 15"
    assert [str(one) for one in bombardment_problems(ridge(), [long, beside])] == [text]


def test_slanted_areas_share_either_of_their_grains() -> None:
    """A slanted area may be said to run along each of the two grains of its sides."""
    field = plain(32, 30)
    slanted = Parallelogram("A1", "s", "se", 10, 15, level=False)
    below = Parallelogram("A11", "se", "s", 15, 10, level=False)
    assert slanted.grains == below.grains
    assert bombardment_problems(field, [slanted, below]) == ()
    assert count_touching(field, slanted.hexes(field), below.hexes(field)) == (15, 15)
    upright = Parallelogram("P8", "s", "ne", 10, 15)
    assert bombardment_problems(field, [slanted, upright]) == ()


def test_every_area_of_a_small_map() -> None:
    """All areas, against trying every shape from every hex."""
    field = plain(12, 20)
    in_play = {(one.q, one.r) for one in field.hexes.values()}
    expected = set()
    for first, along, turn in product(field.hexes, range(6), (1, 2, 4, 5)):
        for level, length in product((True, False), (10, 15)):
            across = NAMES[(along + turn) % 6]
            area = Parallelogram(first, NAMES[along], across, length, 25 - length, level)
            positions = frozenset(area.positions(field))
            if positions <= in_play:
                expected.add(positions)
    found = [frozenset(area.positions(field)) for area in bombardment_areas(field)]
    assert len(found) == len(set(found))
    assert set(found) == expected
    # Level: 3 columns to begin in, 6 or 5 rows. Slanted: 2, 1, 2 one way, 1, 2, 1 the other.
    assert len(expected) == 3 * (6 + 5) + 5 + 4


def test_areas_offered_are_legal() -> None:
    field = ridge()
    for level_only in (True, False):
        found = list(bombardment_areas(field, level_only=level_only))
        assert all(area.level for area in found) == level_only
        for area in found[::40]:
            assert bombardment_problems(field, [area], level_only=level_only) == ()
    assert next(bombardment_areas(field)).name(field) == "A1-O10"
    assert list(bombardment_areas(plain(9, 9))) == []
