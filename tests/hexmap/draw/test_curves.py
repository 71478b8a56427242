from __future__ import annotations

import re
from itertools import pairwise
from math import hypot, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Lattice, Point
from tests.hexmap.draw.sample import made
from tests.tries import tries

SQUARE: list[Point] = [(0, 0), (100, 0), (100, 100), (0, 100)]
HOLE: list[Point] = [(20, 20), (20, 60), (60, 60), (60, 20)]


def area(loop: list[Point]) -> float:
    pairs = zip(loop, [*loop[1:], loop[0]], strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def segments(d: str) -> list[tuple[Point, Point]]:
    """Return the strokes of a path of separate straight lines."""
    found = []
    for stroke in d.split("M")[1:]:
        (ax, ay), (bx, by) = (tuple(map(float, point.split())) for point in stroke.split("L"))
        found.append(((ax, ay), (bx, by)))
    return found


def test_inset_moves_a_clockwise_outline_inwards_and_a_hole_outwards() -> None:
    assert curves.inset(SQUARE, 10) == [(10, 10), (90, 10), (90, 90), (10, 90)]
    assert curves.inset(HOLE, 5) == [(15, 15), (15, 65), (65, 65), (65, 15)]


def test_inset_of_a_hex_is_a_smaller_hex() -> None:
    lattice = Lattice(made())
    (loop,) = (lattice.points(nodes) for nodes in lattice.area(["C3"]))
    smaller = curves.inset(loop, 4)
    height = sqrt(3) * 40
    assert area(loop) == pytest.approx(sqrt(3) / 2 * height**2)
    assert area(smaller) == pytest.approx(sqrt(3) / 2 * (height - 8) ** 2)


@tries(40)
@given(st.floats(-90, 90), st.floats(3, 15))
def test_hatching_fills_the_area_and_leaves_out_holes(angle: float, spacing: float) -> None:
    found = segments(curves.hatch([SQUARE, HOLE], angle, spacing))
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in found)
    # Lines a distance apart, each standing for a strip of that breadth: their length times the
    # distance is the area, but for what the borders cut off.
    assert length * spacing == pytest.approx(100 * 100 - 40 * 40, abs=2.9 * spacing * 100)
    for a, b in found:
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        assert -0.1 <= x <= 100.1
        assert -0.1 <= y <= 100.1
        assert not (20.1 < x < 59.9 and 20.1 < y < 59.9)


def test_hatching_lies_at_its_angle() -> None:
    for a, b in segments(curves.hatch([SQUARE], 45, 10)):
        assert b[1] - a[1] == pytest.approx(b[0] - a[0], abs=0.3)


@tries(40)
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), min_size=2, max_size=6, unique=True))
def test_spaced_points_are_even_and_keep_the_ends(points: list[tuple[int, int]]) -> None:
    found = curves.space_evenly(points, 7)
    assert found[0] == pytest.approx(points[0])
    assert found[-1] == points[-1]
    for a, b in pairwise(found):
        assert hypot(b[0] - a[0], b[1] - a[1]) <= 14.01


def test_a_rounded_hex_is_nearly_a_circle() -> None:
    lattice = Lattice(made())
    (loop,) = (lattice.points(nodes) for nodes in lattice.area(["C3"]))
    x, y = lattice.middle("C3")
    away = [hypot(a - x, b - y) for a, b in curves.sample_curve(loop, 4)]
    assert 34 < min(away) < max(away) < 36
    assert area(curves.sample_curve(loop, 2)) == pytest.approx(pi * 35**2, rel=0.02)


def test_bumps_of_a_wood_go_outwards() -> None:
    d = curves.scallop(SQUARE, 9)
    assert len(re.findall("A", d)) == len(curves.sample_curve(SQUARE, 9))
    # Clockwise around, an arc that also runs clockwise (sweep 1) bulges away from the area.
    assert all(flags == "0 0 1" for flags in re.findall(r"A\S+ \S+ (\d \d \d)", d))


def test_strokes_stand_on_the_left_of_a_line() -> None:
    ((a, b),) = segments(curves.ticks([(0.0, 0.0), (10.0, 0.0)], 4))
    assert a == (5, 0)
    assert b == (5, -4)


def test_a_line_moves_to_its_left() -> None:
    assert curves.shift([(0, 0), (10, 0)], 3) == [(0, -3), (10, -3)]


def test_nothing_is_drawn_of_too_few_points() -> None:
    assert curves.line([(1, 1)]) == ""
    assert curves.round_corners([(0, 0), (1, 1)]) == ""
    assert curves.closed_lines([]) == ""
