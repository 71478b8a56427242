"""The ground: tints by level, contour lines, areas of terrain with their trees, stalks and stones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, hypot, pi, sin
from zlib import crc32

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import RADIUS, Lattice, Point, centre, neighbour_across
from laager.hexmap.draw.markup import Value, group, layer, lettering, number, path, use
from laager.hexmap.draw.style import BANK, CONTOUR, EARTH, GROUNDS, HALO, WATER, WATERS, GroundStyle, level_tint
from laager.hexmap.draw.symbols import symbol_id, variants
from laager.hexmap.values import Course, Hex

PATCH = 0.46
"""Size of further terrain in a hex, as a share of the hex."""


def hash_name(name: str) -> int:
    """Return a number that looks random but is the same for a hex in every drawing."""
    return crc32(name.encode())


def patch_kinds(hex_: Hex) -> list[str]:
    """Return the kinds that a hex has besides its main terrain, in the order of drawing."""
    beside = (hex_.also | hex_.features) - {hex_.terrain}
    return [kind for kind in GROUNDS if kind in beside] if beside else []


def kinds(lattice: Lattice) -> list[str]:
    """Return the kinds of terrain on the map, in the order of drawing."""
    present = {hex_.terrain for hex_ in lattice.at.values()}
    for hex_ in lattice.at.values():
        present.update(patch_kinds(hex_))
    return [kind for kind in GROUNDS if kind in present]


def draw_terrain(lattice: Lattice) -> str:
    """Return the terrain of all hexes but the waters, kind by kind."""
    parts = [
        group([draw_areas(lattice, [kind]), draw_symbols(lattice, kind)], id=f"terrain-{kind}")
        for kind in kinds(lattice)
        if kind not in WATERS
    ]
    return layer("terrain", parts)


def draw_areas(lattice: Lattice, covering: Sequence[str], style: GroundStyle | None = None) -> str:
    """Return the ground that kinds of terrain cover together, in the style of the first if none is given."""
    names = [hex_.name for hex_ in lattice.at.values() if hex_.terrain in covering]
    spots = [
        _patch_spot(lattice, hex_, kind)
        for kind in covering
        for hex_ in lattice.at.values()
        if kind in patch_kinds(hex_)
    ]
    loops = [lattice.points(loop) for loop in lattice.area(names, spill=True)]
    return cover(style or GROUNDS[covering[0]], loops, spots)


def draw_symbols(lattice: Lattice, kind: str) -> str:
    """Return the trees, stalks or stones of a kind of terrain."""
    count, parts = variants(kind), []
    for hex_ in lattice.at.values() if count else ():
        symbol = symbol_id(kind, hash_name(hex_.name) % count)
        if hex_.terrain == kind:
            parts.append(use(symbol, *lattice.point(centre((hex_.q, hex_.r)))))
        elif kind in patch_kinds(hex_):
            x, y = _patch_spot(lattice, hex_, kind)
            move = f"translate({number(x)} {number(y)}) scale({PATCH})"
            parts.append(f'<use href="#{symbol}" transform="{move}"/>')
    return "".join(parts)


def cover(style: GroundStyle, loops: Sequence[Sequence[Point]], spots: Iterable[Point] = ()) -> str:
    """Return the ground that a kind of terrain covers, with its edge."""
    if style.fill == "none":
        return ""
    areas = [curves.inset(loop, style.inset) for loop in loops]
    areas += [_blob(spot, RADIUS * PATCH) for spot in spots]
    if style.edge == "scalloped":
        d = "".join(curves.scallop(loop, 9.5) for loop in areas)
    else:
        d = "".join(curves.round_corners(loop) for loop in areas)
    if style.edge == "none":
        return path(d, fill=style.fill, fill_rule="evenodd")
    ground = path(
        d,
        fill=style.fill,
        fill_rule="evenodd",
        stroke=style.line,
        stroke_width=1.1,
        stroke_dasharray="5 2.5" if style.edge == "dashed" else None,
    )
    if style.edge != "hachured":
        return ground
    inward = "".join(curves.ticks(curves.sample_curve(loop, 6), -5, closed=True) for loop in areas)
    return ground + path(inward, stroke=style.line, stroke_width=1)


def _blob(spot: Point, radius: float) -> list[Point]:
    """Return an eight-sided outline, a little wider than high, clockwise."""
    x, y = spot
    angles = [pi * i / 4 for i in range(8)]
    return [(x + radius * 1.05 * cos(a), y + radius * 0.95 * sin(a)) for a in angles]


def _patch_spot(lattice: Lattice, hex_: Hex, kind: str) -> Point:
    """Return where further terrain lies in a hex: toward a neighbour that has it too, if any."""
    place = (hex_.q, hex_.r)
    sides = [
        side
        for side in range(6)
        if (near := lattice.at.get(neighbour_across(place, side))) is not None
        and kind in {near.terrain, *near.also, *near.features}
    ]
    inside = [side for side in range(6) if neighbour_across(place, side) in lattice.at] or [2]
    pool = sides or inside
    side = pool[hash_name(hex_.name + kind) % len(pool)]
    x, y = lattice.point(centre(place))
    if hex_.building is None and not sides and len(patch_kinds(hex_)) == 1 and hex_.terrain == "open":
        return x, y
    toward = lattice.point(centre(neighbour_across(place, side)))
    return curves.point_between((x, y), toward, 0.24)


_SLOPE_TICK = 4.0


def levels_from_base(lattice: Lattice) -> list[int]:
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
    names = [hex_.name for hex_ in lattice.at.values() if (hex_.level >= level if up else hex_.level <= level)]
    return [curves.smooth(lattice.points(loop), 0.12) for loop in lattice.area(names, spill=True)]


def draw_levels(lattice: Lattice, *, base: bool = True) -> str:
    """Return the tints of the ground, higher (or deeper) ones over the others.

    Without `base` the level of most of the map has none.
    """
    whole = curves.closed_lines(lattice.points(loop) for loop in lattice.outline)
    parts = [path(whole, fill=level_tint(base_level(lattice)))] if base else []
    for level in levels_from_base(lattice):
        d = "".join(curves.round_corners(loop) for loop in _areas(lattice, level))
        parts.append(path(d, fill=level_tint(level)))
    return layer("levels", parts, fill_rule="evenodd")


def draw_contours(lattice: Lattice) -> str:
    """Return the contour lines, with strokes down the slope and the level on each."""
    lines, slopes, numbers = [], [], []
    base = base_level(lattice)
    for level in levels_from_base(lattice):
        for loop in _areas(lattice, level):
            lines.append(curves.round_corners(loop))
            points = curves.sample_curve(loop, 11)
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
    x, y = spot
    halo: dict[str, Value] = {"stroke": HALO, "stroke_width": 3, "paint_order": "stroke", "stroke_linejoin": "round"}
    return lettering(x, y + 3.2, str(level).replace("-", "\u2212"), 9, CONTOUR, **halo)


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


_SWAY = {"stream": 7.0, "gully": 6.0, "river": 3.0, "path": 6.0, "unpaved": 4.5, "paved": 2.0}
"""Largest distance from the middle of a hexside at which a course crosses it: few of them run straight."""


def bends(lattice: Lattice, course: Course) -> list[tuple[Point, Point, Point]]:
    """Return where a course enters each hex, the hex's centre, and where it leaves it.

    It crosses hexsides near their middle. It begins and ends at a centre, or off the map if the
    hex lies at the edge and its open side lies ahead.
    """
    hexes = [lattice.map.hex(name) for name in course.along]
    middles = [lattice.point(centre((hex_.q, hex_.r))) for hex_ in hexes]
    sway = _SWAY.get(course.kind, 0.0)
    gates = [
        _gate(hex_, following, sway, spots)
        for hex_, following, *spots in zip(hexes, hexes[1:], middles, middles[1:], strict=False)
    ]
    start = _way_out(lattice, hexes, 0)
    end = _way_out(lattice, hexes, -1)
    entries = [start, *gates]
    exits = [*gates, end]
    return list(zip(entries, middles, exits, strict=True))


def _gate(first_hex: Hex, second_hex: Hex, sway: float, spots: Sequence[Point]) -> Point:
    """Return where a course crosses the hexside between two hexes with the given centres."""
    a, b = spots
    x, y = curves.middle(a, b)
    # The same for both directions, so that courses of one kind meet.
    first, second = sorted((first_hex.name, second_hex.name))
    aside = sway * (hash_name(first + second) % 201 - 100) / 100
    if (first_hex.name, second_hex.name) != (first, second):
        aside = -aside
    length = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return x - (b[1] - a[1]) / length * aside, y + (b[0] - a[0]) / length * aside


def _way_out(lattice: Lattice, hexes: Sequence[Hex], last: int) -> Point:
    """Return the point where a course leaves the map at its first (0) or last (-1) hex, or the hex's centre."""
    hex_ = hexes[last]
    here = (hex_.q, hex_.r)
    spot = lattice.point(centre(here))
    sides = lattice.open_sides(hex_)
    if hex_.half or not sides:
        return spot
    if len(hexes) > 1:
        inner = hexes[1 if last == 0 else -2]
        ahead = (here[0] * 2 - inner.q, here[1] * 2 - inner.r)
        straight = [side for side in sides if neighbour_across(here, side) == ahead]
        near = [side for side in sides if _is_close(lattice, here, side, ahead)]
        sides = straight or near
    if not sides:
        return spot
    side = sides[0] if last == 0 else sides[-1]
    return curves.point_between(spot, lattice.point(centre(neighbour_across(here, side))), 0.62)


def _is_close(lattice: Lattice, here: tuple[int, int], side: int, ahead: tuple[int, int]) -> bool:
    """Return True if leaving by a side turns by no more than 60 degrees."""
    q, r = neighbour_across(here, side)
    dq, dr = q - ahead[0], r - ahead[1]
    return max(abs(dq), abs(dr), abs(dq + dr)) <= 1


def course_line(lattice: Lattice, course: Course) -> str:
    """Return the line of a course as path data."""
    pieces = bends(lattice, course)
    d = f"M{curves.at(pieces[0][0])}"
    for start, middle, end in pieces:
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


def _draw_strokes(strokes: Iterable[_Stroke], lines: Mapping[str, str]) -> list[str]:
    return [
        path(
            lines.get(stroke.kind, ""),
            stroke=stroke.colour,
            stroke_width=stroke.width,
            stroke_dasharray=stroke.dash,
            stroke_linecap=stroke.cap if stroke.cap != "round" else None,
            stroke_opacity=stroke.opacity,
        )
        for stroke in strokes
    ]


def _lines(lattice: Lattice, courses: Iterable[Course]) -> dict[str, str]:
    line_of: dict[str, str] = {}
    for course in courses:
        line_of[course.kind] = line_of.get(course.kind, "") + course_line(lattice, course)
    return line_of


def draw_waters(lattice: Lattice) -> str:
    """Return open water, gullies, and the banks of what `draw_watercourses` fills."""
    waters = [kind for kind in kinds(lattice) if kind in WATERS]
    banks = _draw_strokes(_BANKS, _lines(lattice, lattice.map.watercourses))
    return layer(
        "water",
        [
            group(banks, fill="none", stroke_linecap="round", stroke_linejoin="round"),
            draw_areas(lattice, waters) if waters else "",
            *(draw_symbols(lattice, kind) for kind in waters),
        ],
    )


def draw_watercourses(lattice: Lattice) -> str:
    """Return the water in streams, rivers and canals: over banks, so that mouths are open."""
    parts = _draw_strokes(_WATERS, _lines(lattice, lattice.map.watercourses))
    return layer("watercourses", parts, fill="none", stroke_linecap="round", stroke_linejoin="round")


def draw_roads(lattice: Lattice) -> str:
    """Return roads, paths, runways and railways."""
    parts = _draw_strokes(_ROADS, _lines(lattice, lattice.map.roads))
    return layer("roads", parts, fill="none", stroke_linecap="round", stroke_linejoin="round")


def sample(kind: str, d: str) -> str:
    """Return a kind of road or watercourse along a path of one's own, for the legend."""
    return group(_draw_strokes((*_BANKS, *_WATERS, *_ROADS), {kind: d}), fill="none")


def directions(lattice: Lattice, courses: Iterable[Course]) -> dict[str, tuple[Point, Point]]:
    """Return for each hex with a course where it enters and leaves the hex (the first one's)."""
    ends: dict[str, tuple[Point, Point]] = {}
    for course in courses:
        for name, (start, _, end) in zip(course.along, bends(lattice, course), strict=True):
            ends.setdefault(lattice.map.main(name), (start, end))
    return ends
