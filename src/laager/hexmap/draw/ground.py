"""The shape of the land: tints by level, contour lines, the numbers on them."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import RADIUS, Lattice, Point
from laager.hexmap.draw.markup import layer, path, text
from laager.hexmap.draw.style import CONTOUR, HALO, level_tint

_SLOPE_TICK = 4.0


def steps(lattice: Lattice) -> list[int]:
    """Return the levels on the map, nearest to level 0 first, without the base itself.

    The base is level 0, or the level nearest to it if no hex lies at 0.
    """
    levels = set(lattice.map.level_masks)
    base = base_level(lattice)
    return sorted(levels - {base}, key=lambda level: (level < base, abs(level - base)))


def base_level(lattice: Lattice) -> int:
    """Return the level on which the other tints are laid."""
    return min(lattice.map.level_masks, key=abs)


def _areas(lattice: Lattice, level: int) -> list[list[Point]]:
    """Return the outlines of all ground at least as far from the base as a level."""
    up = level > base_level(lattice)
    names = [one.name for one in lattice.at.values() if (one.level >= level if up else one.level <= level)]
    return [curves.calmed(lattice.points(loop), 0.12) for loop in lattice.area(names, spill=True)]


def draw_levels(lattice: Lattice, *, base: bool = True) -> str:
    """Return the tints of the ground, higher (or deeper) ones over the others.

    Without `base` the level of most of the map has none.
    """
    whole = curves.closed_lines(lattice.points(loop) for loop in lattice.outline)
    parts = [path(whole, fill=level_tint(base_level(lattice)))] if base else []
    for level in steps(lattice):
        d = "".join(curves.rounded(loop) for loop in _areas(lattice, level))
        parts.append(path(d, fill=level_tint(level)))
    return layer("levels", parts, fill_rule="evenodd")


def draw_contours(lattice: Lattice) -> str:
    """Return the contour lines, with strokes down the slope and the level on each."""
    lines, slopes, numbers = [], [], []
    base = base_level(lattice)
    for level in steps(lattice):
        for loop in _areas(lattice, level):
            lines.append(curves.rounded(loop))
            points = curves.sampled(loop, 11)
            # The strokes point downhill: out of a hill, into a hollow.
            length = _SLOPE_TICK if level > base else -_SLOPE_TICK
            slopes.append(curves.ticks(points, length, closed=True))
            spot = _label_spot(lattice, loop)
            if spot is not None:
                numbers.append(_level_number(spot, level))
    return layer(
        "contours",
        [
            path("".join(lines), fill="none", stroke=CONTOUR, stroke_width=1.5),
            path("".join(slopes), stroke=CONTOUR, stroke_width=0.9, stroke_opacity=0.75),
            *numbers,
        ],
    )


def _level_number(spot: Point, level: int) -> str:
    return text(
        spot[0],
        spot[1] + 3.2,
        str(level).replace("-", "\u2212"),
        font_size=9,
        font_weight="bold",
        text_anchor="middle",
        fill=CONTOUR,
        stroke=HALO,
        stroke_width=3,
        paint_order="stroke",
        stroke_linejoin="round",
    )


def _label_spot(lattice: Lattice, loop: list[Point]) -> Point | None:
    """Return the lowest place of a contour that lies well inside the map."""
    inside = RADIUS * 0.6
    right, bottom = lattice.left + lattice.width, lattice.top + lattice.height
    length = sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(loop))
    spots = [curves.middle(loop[i - 1], here) for i, here in enumerate(loop)]
    fit = [
        (x, y)
        for x, y in spots
        if lattice.left + inside < x < right - inside and lattice.top + inside < y < bottom - inside
    ]
    if not fit or length < RADIUS * 4:
        return None
    return max(fit, key=lambda spot: (round(spot[1]), -spot[0]))
