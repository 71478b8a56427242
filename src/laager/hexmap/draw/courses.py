"""Roads and watercourses: smooth lines from hexside to hexside through the hexes' centres."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Lattice, Point, beyond, centre
from laager.hexmap.draw.markup import group, layer, path
from laager.hexmap.draw.style import BANK, EARTH, WATER, WATERS
from laager.hexmap.draw.terrain import draw_areas, draw_symbols, kinds, mix
from laager.hexmap.values import Course, Hex

_SWAY = {"stream": 7.0, "gully": 6.0, "river": 3.0, "path": 6.0, "unpaved": 4.5, "paved": 2.0}
"""How far from the middle of a hexside a course may cross it: few of them run straight."""


def bends(lattice: Lattice, course: Course) -> list[tuple[Point, Point, Point]]:
    """Return where a course enters each hex, the hex's centre, and where it leaves it.

    It crosses hexsides near their middle. It begins and ends at a centre, or off the map if the
    hex lies at the edge and its open side lies ahead.
    """
    hexes = [lattice.map.hex(name) for name in course.along]
    middles = [lattice.point(centre((one.q, one.r))) for one in hexes]
    sway = _SWAY.get(course.kind, 0.0)
    gates = [
        _gate(one, other, sway, spots)
        for one, other, *spots in zip(hexes, hexes[1:], middles, middles[1:], strict=False)
    ]
    start = _way_out(lattice, hexes, 0)
    end = _way_out(lattice, hexes, -1)
    entries = [start, *gates]
    exits = [*gates, end]
    return list(zip(entries, middles, exits, strict=True))


def _gate(one: Hex, other: Hex, sway: float, spots: Sequence[Point]) -> Point:
    """Return where a course crosses the hexside between two hexes with the given centres."""
    a, b = spots
    x, y = curves.middle(a, b)
    # The same for both directions, so that courses of one kind meet.
    first, second = sorted((one.name, other.name))
    aside = sway * (mix(first + second) % 201 - 100) / 100
    if (one.name, other.name) != (first, second):
        aside = -aside
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return x - (b[1] - a[1]) / length * aside, y + (b[0] - a[0]) / length * aside


def _way_out(lattice: Lattice, hexes: Sequence[Hex], last: int) -> Point:
    """Return where a course leaves the map at its first (0) or last (-1) hex, or its centre."""
    one = hexes[last]
    here = (one.q, one.r)
    spot = lattice.point(centre(here))
    sides = lattice.open_sides(one)
    if one.half or not sides:
        return spot
    if len(hexes) > 1:
        inner = hexes[1 if last == 0 else -2]
        ahead = (here[0] * 2 - inner.q, here[1] * 2 - inner.r)
        straight = [side for side in sides if beyond(here, side) == ahead]
        near = [side for side in sides if _close(lattice, here, side, ahead)]
        sides = straight or near
    if not sides:
        return spot
    side = sides[0] if last == 0 else sides[-1]
    return curves.between(spot, lattice.point(centre(beyond(here, side))), 0.62)


def _close(lattice: Lattice, here: tuple[int, int], side: int, ahead: tuple[int, int]) -> bool:
    """Return whether leaving by a side turns by no more than 60 degrees."""
    q, r = beyond(here, side)
    dq, dr = q - ahead[0], r - ahead[1]
    return max(abs(dq), abs(dr), abs(dq + dr)) <= 1


def course_line(lattice: Lattice, course: Course) -> str:
    """Return the line of a course as path data."""
    found = bends(lattice, course)
    d = f"M{curves.at(found[0][0])}"
    for start, middle, end in found:
        if middle in (start, end):
            # A course of one hex inside the map is a dot there.
            d += f"L{curves.at(end)}" if end != start else "h.1"
        else:
            d += f"C{curves.at(middle)} {curves.at(middle)} {curves.at(end)}"
    return d


@dataclass(frozen=True)
class _Stroke:
    """One of the strokes of which a course is drawn; later ones lie over earlier ones."""

    kind: str
    colour: str
    width: float
    dash: str | None = None
    cap: str = "round"
    opacity: float | None = None


# Casings come before all fillings, so that junctions and confluences stay open.
_BANKS = (
    _Stroke("gully", EARTH, 9),
    _Stroke("gully", "#ecd8ad", 6.4),
    _Stroke("gully", EARTH, 6.4, "1.1 4.2", "butt"),
    _Stroke("gully", "#ecd8ad", 2.6),
    _Stroke("canal", "#6b6f70", 20, None, "butt"),
    _Stroke("canal", "#d9dbd8", 17, None, "butt"),
    _Stroke("stream", BANK, 8.4),
    _Stroke("river", BANK, 33),
    _Stroke("canal", BANK, 13.4, None, "butt"),
)
_WATERS = (
    _Stroke("stream", WATER, 5.6),
    _Stroke("river", WATER, 30),
    _Stroke("canal", WATER, 11, None, "butt"),
    _Stroke("stream", "#e3f1fa", 1.5),
    _Stroke("river", "#5b97c2", 1, "9 13"),
)
_ROADS = (
    _Stroke("runway", "#6f6f69", 34, None, "butt"),
    _Stroke("runway", "#d4d3cc", 31.5, None, "butt"),
    _Stroke("runway", "#ffffff", 1.6, "12 10", "butt"),
    _Stroke("path", "#fbf3dc", 4.6, None, "round", 0.7),
    _Stroke("path", "#7a4f1f", 2.4, "6 4.6"),
    _Stroke("unpaved", "#6d4514", 10.6, "7 2.6", "butt"),
    _Stroke("paved", "#4b4b47", 11.6),
    _Stroke("unpaved", "#ecd09f", 7.6),
    _Stroke("paved", "#fdfdfb", 8.2),
    _Stroke("railway", "#2f2f2c", 9, "1.8 4.6", "butt"),
    _Stroke("railway", "#2f2f2c", 4.8, None, "butt"),
    _Stroke("railway", "#f4f2ea", 2.2, None, "butt"),
)


def _drawn(strokes: Iterable[_Stroke], lines: Mapping[str, str]) -> list[str]:
    return [
        path(
            lines.get(one.kind, ""),
            stroke=one.colour,
            stroke_width=one.width,
            stroke_dasharray=one.dash,
            stroke_linecap=one.cap if one.cap != "round" else None,
            stroke_opacity=one.opacity,
        )
        for one in strokes
    ]


def _lines(lattice: Lattice, courses: Iterable[Course]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in courses:
        found[one.kind] = found.get(one.kind, "") + course_line(lattice, one)
    return found


def draw_waters(lattice: Lattice) -> str:
    """Return open water, gullies, and the banks of what `draw_watercourses` fills."""
    found = [kind for kind in kinds(lattice) if kind in WATERS]
    banks = _drawn(_BANKS, _lines(lattice, lattice.map.watercourses))
    return layer(
        "water",
        [
            group(banks, fill="none", stroke_linecap="round", stroke_linejoin="round"),
            draw_areas(lattice, found) if found else "",
            *(draw_symbols(lattice, kind) for kind in found),
        ],
    )


def draw_watercourses(lattice: Lattice) -> str:
    """Return the water in streams, rivers and canals: over banks, so that mouths are open."""
    parts = _drawn(_WATERS, _lines(lattice, lattice.map.watercourses))
    return layer("watercourses", parts, fill="none", stroke_linecap="round", stroke_linejoin="round")


def draw_roads(lattice: Lattice) -> str:
    """Return roads, paths, runways and railways."""
    parts = _drawn(_ROADS, _lines(lattice, lattice.map.roads))
    return layer("roads", parts, fill="none", stroke_linecap="round", stroke_linejoin="round")


def sample(kind: str, d: str) -> str:
    """Return a kind of road or watercourse along a path of one's own, for the legend."""
    return group(_drawn((*_BANKS, *_WATERS, *_ROADS), {kind: d}), fill="none")


def directions(lattice: Lattice, courses: Iterable[Course]) -> dict[str, tuple[Point, Point]]:
    """Return for each hex with a course where it enters and leaves the hex (the first one's)."""
    found: dict[str, tuple[Point, Point]] = {}
    for course in courses:
        for name, (start, _, end) in zip(course.along, bends(lattice, course), strict=True):
            found.setdefault(lattice.map.main(name), (start, end))
    return found
