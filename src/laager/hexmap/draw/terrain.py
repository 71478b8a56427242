"""The ground: tints by level, contour lines, areas of terrain with their trees, stalks and stones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin
from zlib import crc32

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import RADIUS, Lattice, Point, beyond, centre
from laager.hexmap.draw.markup import group, layer, number, path, text, use
from laager.hexmap.draw.style import CONTOUR, GROUNDS, HALO, WATERS, Ground, level_tint
from laager.hexmap.draw.symbols import symbol_id, variants
from laager.hexmap.values import Hex

PATCH = 0.46
"""Size of further terrain in a hex, as a share of the hex."""


def mix(name: str) -> int:
    """Return a number that looks random but is the same for a hex in every drawing."""
    return crc32(name.encode())


def patches(one: Hex) -> list[str]:
    """Return the kinds that a hex has beside its main terrain, in the order of drawing."""
    beside = (one.also | one.features) - {one.terrain}
    return [kind for kind in GROUNDS if kind in beside] if beside else []


def kinds(lattice: Lattice) -> list[str]:
    """Return the kinds of terrain on the map, in the order of drawing."""
    found = {one.terrain for one in lattice.at.values()}
    for one in lattice.at.values():
        found.update(patches(one))
    return [kind for kind in GROUNDS if kind in found]


def draw_terrain(lattice: Lattice) -> str:
    """Return the terrain of all hexes but the waters, kind by kind."""
    parts = [
        group([draw_areas(lattice, [kind]), draw_symbols(lattice, kind)], id=f"terrain-{kind}")
        for kind in kinds(lattice)
        if kind not in WATERS
    ]
    return layer("terrain", parts)


def draw_areas(lattice: Lattice, found: Sequence[str]) -> str:
    """Return the ground that kinds of terrain cover together, in the style of the first."""
    own = [one.name for one in lattice.at.values() if one.terrain in found]
    spots = [_patch_spot(lattice, one, kind) for kind in found for one in lattice.at.values() if kind in patches(one)]
    loops = [lattice.points(loop) for loop in lattice.area(own, spill=True)]
    return cover(GROUNDS[found[0]], loops, spots)


def draw_symbols(lattice: Lattice, kind: str) -> str:
    """Return the trees, stalks or stones of a kind of terrain."""
    count, found = variants(kind), []
    for one in lattice.at.values() if count else ():
        symbol = symbol_id(kind, mix(one.name) % count)
        if one.terrain == kind:
            found.append(use(symbol, *lattice.point(centre((one.q, one.r)))))
        elif kind in patches(one):
            x, y = _patch_spot(lattice, one, kind)
            move = f"translate({number(x)} {number(y)}) scale({PATCH})"
            found.append(f'<use href="#{symbol}" transform="{move}"/>')
    return "".join(found)


def cover(style: Ground, loops: Sequence[Sequence[Point]], spots: Iterable[Point] = ()) -> str:
    """Return the ground that a kind of terrain covers, with its edge."""
    if style.fill == "none":
        return ""
    areas = [curves.inset(loop, style.inset) for loop in loops]
    areas += [_blob(spot, RADIUS * PATCH) for spot in spots]
    if style.edge == "scalloped":
        d = "".join(curves.scalloped(loop, 9.5) for loop in areas)
    else:
        d = "".join(curves.rounded(loop) for loop in areas)
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
    inward = "".join(curves.ticks(curves.sampled(loop, 6), -5, closed=True) for loop in areas)
    return ground + path(inward, stroke=style.line, stroke_width=1)


def _blob(spot: Point, radius: float) -> list[Point]:
    """Return an eight-sided outline, a little wider than high, clockwise."""
    x, y = spot
    angles = [pi * i / 4 for i in range(8)]
    return [(x + radius * 1.05 * cos(a), y + radius * 0.95 * sin(a)) for a in angles]


def _patch_spot(lattice: Lattice, one: Hex, kind: str) -> Point:
    """Return where further terrain lies in a hex: toward a neighbour that has it too, if any."""
    place = (one.q, one.r)
    sides = [
        side
        for side in range(6)
        if (near := lattice.at.get(beyond(place, side))) is not None
        and kind in {near.terrain, *near.also, *near.features}
    ]
    inside = [side for side in range(6) if beyond(place, side) in lattice.at] or [2]
    pool = sides or inside
    side = pool[mix(one.name + kind) % len(pool)]
    x, y = lattice.point(centre(place))
    if one.building is None and not sides and len(patches(one)) == 1 and one.terrain == "open":
        return x, y
    toward = lattice.point(centre(beyond(place, side)))
    return curves.between((x, y), toward, 0.24)


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
