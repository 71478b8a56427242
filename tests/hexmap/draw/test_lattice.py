from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.hexmap import HexMap
from laager.hexmap.draw.lattice import RADIUS, Lattice, Node, centre, chains, corners, loops
from tests.hexmap.draw.sample import made, sample_map
from tests.tries import tries

WHOLE = 12
"""Twice the area of a hex on the lattice: 12 triangles of half a unit each, doubled."""


def doubled_area(loop: list[Node]) -> int:
    """Return twice the area inside an outline; positive if it runs clockwise (y down)."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(loop, [*loop[1:], loop[0]], strict=True))


PLACES = st.sets(st.tuples(st.integers(0, 6), st.integers(-3, 6)), min_size=1, max_size=30)


@tries(60)
@given(PLACES)
def test_outlines_enclose_just_the_hexes(places: set[tuple[int, int]]) -> None:
    found = loops(corners(place) for place in places)
    assert sum(map(doubled_area, found)) == WHOLE * len(places)


@tries(60)
@given(PLACES)
def test_outlines_run_along_every_edge_that_one_hex_has_alone(places: set[tuple[int, int]]) -> None:
    edges = Counter(
        frozenset(edge)
        for place in places
        for edge in zip(corners(place), [*corners(place)[1:], corners(place)[0]], strict=True)
    )
    alone = {edge for edge, count in edges.items() if count == 1}
    drawn = [
        frozenset(edge)
        for loop in loops(corners(place) for place in places)
        for edge in zip(loop, [*loop[1:], loop[0]], strict=True)
    ]
    assert len(drawn) == len(alone)
    assert set(drawn) == alone


@tries(60)
@given(
    st.sets(
        st.tuples(st.integers(0, 8), st.integers(0, 8)).flatmap(
            lambda a: st.sampled_from([(a, (a[0] + 1, a[1])), (a, (a[0], a[1] + 1))])
        ),
        max_size=40,
    )
)
def test_chains_use_every_edge_once(edges: set[tuple[Node, Node]]) -> None:
    found = chains(edges)
    used = [(min(a, b), max(a, b)) for chain in found for a, b in pairwise(chain)]
    assert sorted(used) == sorted(edges)
    ends = Counter(node for edge in edges for node in edge)
    for chain in found:
        for node in chain[1:-1]:
            assert ends[node] == 2, "a chain goes on through a place where three edges meet"


def whole_board(**more: Any) -> dict[str, Any]:
    return {"board": "20", "columns": 9, "rows": 4, "half_rows": True, **more}


@pytest.mark.parametrize(
    "board",
    [
        whole_board(),
        whole_board(grain="alternate"),
        whole_board(reversed=True),
        whole_board(grain="alternate", reversed=True),
        whole_board(columns=8),
        whole_board(columns=8, grain="alternate"),
    ],
    ids=["normal", "alternate", "reversed", "alternate reversed", "even", "even alternate"],
)
def test_a_board_with_half_hexes_is_a_rectangle(board: dict[str, Any]) -> None:
    map_ = made([board])
    lattice = Lattice(map_)
    (outline,) = lattice.outline
    xs, ys = {x for x, _ in outline}, {y for _, y in outline}
    rectangle = 2 * (max(xs) - min(xs)) * (max(ys) - min(ys))
    assert doubled_area(outline) == rectangle
    assert lattice.width == (max(xs) - min(xs)) * RADIUS / 2
    assert lattice.height == pytest.approx((max(ys) - min(ys)) * RADIUS * sqrt(3) / 2)


def test_half_hexes_are_halves() -> None:
    map_ = made([whole_board()])
    lattice = Lattice(map_)
    areas = {one.name: doubled_area(list(lattice.shape(one))) for one in map_.hexes.values()}
    assert {name for name, area in areas.items() if area == WHOLE} == {
        name for name, one in map_.hexes.items() if not one.half
    }
    assert {area for name, area in areas.items() if map_.hex(name).half} == {WHOLE // 2}


def test_which_half_of_a_hex_is_on_the_map() -> None:
    lattice = Lattice(made([whole_board()]))

    def middle(name: str) -> Node:
        one = lattice.map.hex(name)
        shape = lattice.shape(one)
        x, y = 3 * one.q, 2 * one.r + one.q
        east = sum(nx - x for nx, _ in shape)
        south = sum(ny - y for _, ny in shape)
        return (east > 0) - (east < 0), (south > 0) - (south < 0)

    assert middle("20A2") == (1, 0)
    assert middle("20I2") == (-1, 0)
    assert middle("20B0") == (0, 1)
    assert middle("20B4") == (0, -1)
    assert middle("20C2") == (0, 0)


def test_a_corner_hex_can_be_cut_twice() -> None:
    lattice = Lattice(made([whole_board(grain="alternate")]))
    corner = lattice.map.hex("20A0")
    assert corner.half
    assert doubled_area(list(lattice.shape(corner))) == WHOLE // 4


def test_cut_rows_alone_leave_the_first_column_whole() -> None:
    lattice = Lattice(made([whole_board(grain="alternate", half_columns=False)]))
    assert doubled_area(list(lattice.shape(lattice.map.hex("20A0")))) == WHOLE // 2
    assert doubled_area(list(lattice.shape(lattice.map.hex("20A1")))) == WHOLE


def test_cut_columns_alone_leave_the_first_row_whole() -> None:
    lattice = Lattice(made([{"columns": 5, "rows": 4, "half_columns": True}]))
    for name, part in {"A1": 2, "A4": 2, "E2": 2, "B1": 1, "C1": 1}.items():
        assert doubled_area(list(lattice.shape(lattice.map.hex(name)))) == WHOLE // part


@pytest.mark.parametrize("place", ["right_of", "below"])
def test_joined_boards_are_one_rectangle_without_a_seam(place: str) -> None:
    second = {**whole_board(), "board": "6a", place: "20"}
    lattice = Lattice(made([whole_board(), second]))
    (outline,) = lattice.outline
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    assert doubled_area(outline) == 2 * (max(xs) - min(xs)) * (max(ys) - min(ys))
    shared = [one for one in lattice.map.hexes.values() if one.aliases]
    assert shared
    assert {doubled_area(list(lattice.shape(one))) for one in shared if not one.half} == {WHOLE}


def test_spill_carries_an_area_over_the_edge_of_the_map() -> None:
    map_ = made()
    lattice = Lattice(map_)
    inside = sum(map(doubled_area, lattice.area(["C3"], spill=True)))
    corner = sum(map(doubled_area, lattice.area(["A1"], spill=True)))
    assert inside == WHOLE
    assert corner == WHOLE * (7 - len(map_.neighbours("A1")))


def test_every_edge_of_the_grid_is_there_once() -> None:
    map_: HexMap = sample_map()
    edges = Lattice(map_).edges()
    inner = sum(len(map_.neighbours(name)) for name in map_.hexes) // 2
    assert len(edges) == len(set(edges)) == 6 * len(map_.hexes) - inner


def test_centres_are_as_far_apart_as_hexes() -> None:
    lattice = Lattice(made(), 100, 50)
    (ax, ay), (bx, by) = lattice.middle("C3"), lattice.middle("D3")
    assert (bx - ax, by - ay) == pytest.approx((1.5 * RADIUS, sqrt(3) / 2 * RADIUS))
    xs, ys = zip(*(lattice.point(node) for loop in lattice.outline for node in loop), strict=True)
    assert (min(xs), min(ys)) == (100, 50)
    assert (max(xs), max(ys)) == pytest.approx((100 + lattice.width, 50 + lattice.height))


def test_half_adjacent_enemies_an_inner_corner_are_cut() -> None:
    """Board 3 lies below 1 alone: the half hexes of 2 end with 2, that beside the corner too."""
    boards = [
        {"board": "1", "columns": 5, "rows": 4, "half_rows": True},
        {"board": "2", "columns": 5, "rows": 4, "half_rows": True, "right_of": "1"},
        {"board": "3", "columns": 5, "rows": 4, "half_rows": True, "below": "1"},
    ]
    lattice = Lattice(made(boards=boards))
    for name in ("2B4", "2D4"):
        one = lattice.map.hex(name)
        shape = lattice.shape(one)
        assert max(y for _, y in shape) == centre((one.q, one.r))[1], name
