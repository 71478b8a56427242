"""Terrain: areas that run on from hex to hex, and the trees, stalks and stones in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from zlib import crc32

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import RADIUS, Lattice, Point, beyond, centre
from laager.hexmap.draw.markup import group, layer, number, path, use
from laager.hexmap.draw.style import GROUNDS, WATERS, Ground
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
