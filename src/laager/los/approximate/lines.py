"""The hexes and hexsides that a line from one hex centre to another passes: geometry only.

Hexes are axial steps (q, r) from the hex in which the line begins; see `laager.hexmap.coords`. A line depends only on
that difference, so that each is worked out once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from laager.hexmap.coords import DIRECTIONS, axial_distance

Step = tuple[int, int]

KEPT = 2**14
"""Lines that are kept: those of a map of 60 by 60 hexes, in all directions."""

SIDES: tuple[Step, ...] = tuple(DIRECTIONS.values())
_THIRDS = tuple((q + r, s + t) for (q, s), (r, t) in zip(SIDES, (*SIDES[1:], SIDES[0]), strict=True))
"""The six vertices of a hex as thirds of a step from its centre: number k is between sides k and k + 1."""


_CORNER = 1.16
"""A line that passes a centre farther away (in half hex heights) misses the hex."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A hex between the ends: its place, its range from the source, and how far the line passes from its centre.

    `offset` is in half hex heights: 0 through the centre, at most 1.15 through a corner. `beside`: it runs along a
    hexside, between this hex and another one at the same range.
    """

    at: Step
    range: int
    offset: float
    beside: bool


@dataclass(frozen=True, slots=True)
class Crossed:
    """A hexside that the line crosses, or runs along (`along`): the two hexes, and the range of the farther one.

    `near` is how far from the middle of the hexside it crosses: 0 in the middle, 1 at a vertex.
    """

    one: Step
    two: Step
    range: int
    along: bool
    near: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its range in hexes, what it passes, what it crosses; both in the order of the range.

    `leaves` are the hexes beyond the hexside by which it leaves its first hex: two if it leaves by a vertex. It enters
    its last hex by the hexsides opposite.
    """

    range: int
    passed: tuple[Passed, ...]
    crossed: tuple[Crossed, ...]
    leaves: tuple[Step, ...]


@lru_cache(KEPT)
def line(q: int, r: int) -> Line:
    """Return the line from a hex to the one that lies (q, r) from it.

    A hex as far from one end as the other end is left out: VASL doesn't look at it either.
    """
    far = axial_distance(q, r)
    length = sqrt(q * q + q * r + r * r)
    passed = []
    for at in _near(q, r, far):
        here, there = axial_distance(*at), axial_distance(q - at[0], r - at[1])
        offset = abs(q * at[1] - r * at[0]) * sqrt(3) / length
        if offset < _CORNER and 0 < here < far and 0 < there < far:
            sides = [_side(at, k, q, r) for k in range(6)]
            beside = sides.count(0) == 2 and not min(sides) < 0 < max(sides)
            if beside or min(sides) < 0 < max(sides):
                passed.append(Passed(at, here, offset, beside))
    passed.sort(key=lambda hex_: (hex_.range, hex_.offset, hex_.at))
    leaves = tuple(beyond for k, beyond in enumerate(SIDES) if _leaves_by(k, q, r))
    return Line(far, tuple(passed), _crossings(q, r, (0, 0), *(hex_.at for hex_ in passed), (q, r)), leaves)


def _near(q: int, r: int, far: int) -> set[Step]:
    """Return all hexes that the line can pass: those around its points, one for each hex of range."""
    steps: set[Step] = set()
    for k in range(far + 1):
        at = round(q * k / far), round(r * k / far)
        steps |= {at, *((at[0] + dq, at[1] + dr) for dq, dr in SIDES)}
    return steps


def _side(at: Step, k: int, q: int, r: int) -> int:
    """Return on which side of the line a vertex lies, and how far, in some unit; 0 on it."""
    return q * (3 * at[1] + _THIRDS[k][1]) - r * (3 * at[0] + _THIRDS[k][0])


def _leaves_by(k: int, q: int, r: int) -> bool:
    """Return True if a line leaves its first hex by a hexside, or by a vertex of it."""
    (dq, dr), before, after = SIDES[k], _side((0, 0), k - 1, q, r), _side((0, 0), k, q, r)
    # The hexside lies ahead, not behind: the way to the hex beyond is less than a right angle away.
    ahead = 2 * (q * dq + r * dr) + q * dr + r * dq > 0
    return ahead and min(before, after) <= 0 <= max(before, after)


def _crossings(q: int, r: int, *hexes: Step) -> tuple[Crossed, ...]:
    among, crossings = set(hexes), []
    for at in hexes:
        for k in range(3):
            other = at[0] + SIDES[k][0], at[1] + SIDES[k][1]
            before, after = _side(at, k - 1, q, r), _side(at, k, q, r)
            along = before == after == 0
            if other not in among or not (along or (before < 0 < after) or (after < 0 < before)):
                continue
            ranges = axial_distance(*at), axial_distance(*other)
            near = 0.0 if along else abs(before + after) / (abs(before) + abs(after))
            ends = (at, other) if ranges[0] <= ranges[1] else (other, at)
            crossings.append(Crossed(*ends, max(ranges), along, near))
    return tuple(sorted(crossings, key=lambda crossing: (crossing.range, crossing.one, crossing.two)))
