"""Lines and outlines as SVG path data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, cos, hypot, radians, sin

from laager.hexmap.draw.lattice import Point
from laager.hexmap.draw.markup import number


def at(point: Point) -> str:
    """Return a point as path data."""
    return f"{number(point[0])} {number(point[1])}"


def middle(a: Point, b: Point) -> Point:
    """Return the point halfway."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def point_between(a: Point, b: Point, share: float) -> Point:
    """Return the point that lies a share of the way from a to b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def line(points: Sequence[Point], *, closed: bool = False) -> str:
    """Return straight lines through points."""
    if len(points) < 2:
        return ""
    return "M" + "L".join(at(point) for point in points) + ("Z" if closed else "")


def closed_lines(many: Iterable[Sequence[Point]]) -> str:
    """Return several closed outlines as one path."""
    return "".join(line(points, closed=True) for points in many)


def inset(loop: Sequence[Point], by: float) -> list[Point]:
    """Return a closed outline moved to its right (inwards, if it runs clockwise)."""
    points = []
    for i, here in enumerate(loop):
        before, after = loop[i - 1], loop[(i + 1) % len(loop)]
        ax, ay = direction(before, here)
        bx, by_ = direction(here, after)
        # Both edges moved by the same distance meet on the bisector, farther out the sharper the
        # corner; corners of hexes are never so sharp that this runs away.
        share = by / max(1 + ax * bx + ay * by_, 0.2)
        points.append((here[0] - (ay + by_) * share, here[1] + (ax + bx) * share))
    return points


def direction(a: Point, b: Point) -> Point:
    """Return the direction from one point to another, of length 1; (0, 0) for the same point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy) or 1.0
    return dx / length, dy / length


def smooth(loop: Sequence[Point], weight: float = 0.25) -> list[Point]:
    """Return a closed outline with each point drawn toward its two neighbours."""
    points = []
    for i, (x, y) in enumerate(loop):
        (bx, by), (ax, ay) = loop[i - 1], loop[(i + 1) % len(loop)]
        points.append((x + weight * (bx + ax - 2 * x), y + weight * (by + ay - 2 * y)))
    return points


def round_corners(loop: Sequence[Point]) -> str:
    """Return a closed curve that touches each edge of an outline in its middle."""
    if len(loop) < 3:
        return ""
    start = middle(loop[-1], loop[0])
    bends = "".join(f"Q{at(here)} {at(middle(here, loop[(i + 1) % len(loop)]))}" for i, here in enumerate(loop))
    return f"M{at(start)}{bends}Z"


def sample_curve(loop: Sequence[Point], step: float) -> list[Point]:
    """Return points about `step` apart along the curve of `rounded`."""
    fine: list[Point] = []
    for i, here in enumerate(loop):
        a, b = middle(loop[i - 1], here), middle(here, loop[(i + 1) % len(loop)])
        for k in range(8):
            t = k / 8
            u = 1 - t
            fine.append(
                (u * u * a[0] + 2 * u * t * here[0] + t * t * b[0], u * u * a[1] + 2 * u * t * here[1] + t * t * b[1])
            )
    return space_evenly([*fine, fine[0]], step)[:-1]


def space_evenly(points: Sequence[Point], step: float) -> list[Point]:
    """Return points evenly spaced, about `step` apart, along straight lines; ends included."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    total = sum(lengths)
    count = max(round(total / step), 1)
    placed, walked, i = [], 0.0, 0
    for k in range(count):
        goal = total * k / count
        while i < len(lengths) - 1 and walked + lengths[i] < goal:
            walked += lengths[i]
            i += 1
        share = (goal - walked) / lengths[i] if lengths[i] else 0.0
        placed.append(point_between(points[i], points[i + 1], share))
    return [*placed, points[-1]]


def scallop(loop: Sequence[Point], step: float) -> str:
    """Return a closed outline of small bumps outwards, as the edge of a wood is drawn."""
    points = sample_curve(loop, step)
    if len(points) < 3:
        return ""
    bumps = []
    for i, here in enumerate(points):
        after = points[(i + 1) % len(points)]
        size = hypot(after[0] - here[0], after[1] - here[1]) * (0.56, 0.66, 0.6)[i % 3]
        bumps.append(f"A{number(size)} {number(size)} 0 0 1 {at(after)}")
    return f"M{at(points[0])}{''.join(bumps)}Z"


def ticks(points: Sequence[Point], length: float, *, closed: bool = False) -> str:
    """Return short strokes to the left of a line (outwards, if it runs clockwise)."""
    strokes = []
    last = len(points) - (0 if closed else 1)
    for i in range(last):
        a, b = points[i], points[(i + 1) % len(points)]
        ux, uy = direction(a, b)
        mx, my = middle(a, b)
        strokes.append(f"M{at((mx, my))}L{at((mx + uy * length, my - ux * length))}")
    return "".join(strokes)


def shift(points: Sequence[Point], by: float) -> list[Point]:
    """Return an open line moved to its left."""
    moved = []
    for i, (x, y) in enumerate(points):
        ux, uy = direction(points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)])
        moved.append((x + uy * by, y - ux * by))
    return moved


def hatch(loops: Sequence[Sequence[Point]], angle: float, spacing: float) -> str:
    """Return parallel lines inside outlines (holes left out), at an angle in degrees."""
    c, s = cos(radians(angle)), sin(radians(angle))
    # In turned coordinates the lines are level, and each crosses the outlines in pairs of points.
    crossings: dict[int, list[float]] = {}
    for loop in loops:
        turned = [(x * c + y * s, y * c - x * s) for x, y in loop]
        for (ax, ay), (bx, by) in zip(turned, turned[1:] + turned[:1], strict=True):
            low, high = min(ay, by), max(ay, by)
            for row in range(ceil(low / spacing), ceil(high / spacing)):
                share = (row * spacing - ay) / (by - ay)
                crossings.setdefault(row, []).append(ax + (bx - ax) * share)
    strokes = []
    for row, across in sorted(crossings.items()):
        y, xs = row * spacing, sorted(across)
        for start, end in zip(xs[::2], xs[1::2], strict=False):
            a, b = (start * c - y * s, start * s + y * c), (end * c - y * s, end * s + y * c)
            strokes.append(f"M{at(a)}L{at(b)}")
    return "".join(strokes)
