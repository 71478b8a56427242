"""What stands in a hex (bridges, fords, piers, hilltops ...) and what runs along hexsides (walls, cliffs ...)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import STEP_Y, Lattice, Node, Point, centre, chains, corners, neighbour_across
from laager.hexmap.draw.markup import group, layer, lettering, path, tag
from laager.hexmap.draw.style import WATERS
from laager.hexmap.draw.symbols import PREFIX
from laager.hexmap.draw.terrain import directions, hash_name
from laager.hexmap.terrain import BUILDING_REACH
from laager.hexmap.values import Building, Hex

Way = tuple[Point, Point]


def draw_features(lattice: Lattice) -> str:
    """Return the features of all hexes."""
    roads = directions(lattice, lattice.map.roads)
    waters = directions(lattice, lattice.map.watercourses)
    parts = []
    for hex_ in lattice.at.values():
        spot = lattice.point(centre((hex_.q, hex_.r)))
        if "seawall" in hex_.features:
            parts.append(_seawall(lattice, hex_))
        if "pier" in hex_.features:
            parts.append(pier(spot, _to_water(lattice, hex_, spot)))
        if "ford" in hex_.features:
            parts.append(ford(spot, _crossing_direction(spot, roads.get(hex_.name), waters.get(hex_.name))))
        if "bridge" in hex_.features:
            wide = hex_.terrain in WATERS or "river" in hex_.watercourses
            way = _crossing_direction(spot, roads.get(hex_.name), waters.get(hex_.name))
            parts.append(bridge(spot, way, 30 if wide else 13))
        if hex_.features & {"hilltop", "hillock-summit"}:
            parts.append(summit(spot, printed="hilltop" in hex_.features))
        if "blockhouse" in hex_.features:
            parts.append(blockhouse(spot))
    return layer("features", parts)


def _crossing_direction(spot: Point, road: Way | None, water: Way | None) -> Point:
    """Return the direction in which one crosses: along the road, else square to the water."""
    if road is not None and road[0] != road[1]:
        return curves.direction(*road)
    if water is not None and water[0] != water[1]:
        x, y = curves.direction(*water)
        return -y, x
    return 0.0, 1.0


def _to_water(lattice: Lattice, hex_: Hex, spot: Point) -> Point:
    """Return the direction of the first neighbour that is water, else east."""
    for side in range(6):
        near = lattice.at.get(neighbour_across((hex_.q, hex_.r), side))
        if near is not None and (near.terrain in WATERS or near.watercourses):
            return curves.direction(spot, lattice.point(centre((near.q, near.r))))
    return 1.0, 0.0


def _seawall(lattice: Lattice, hex_: Hex) -> str:
    """Return a wall along the hexsides that face water; around the hex if none does."""
    place = (hex_.q, hex_.r)
    wet = [
        side
        for side in range(6)
        if (near := lattice.at.get(neighbour_across(place, side))) is not None and near.terrain in WATERS
    ]
    d = "".join(curves.line(lattice.side(place, side)) for side in wet or range(6))
    return path(d, fill="none", stroke="#3f4144", stroke_width=6, stroke_linecap="round") + path(
        d, fill="none", stroke="#dcdcd6", stroke_width=3.2, stroke_dasharray="2.4 2.4"
    )


def bridge(spot: Point, way: Point, length: float) -> str:
    """Return a bridge over a point: a deck along `way`, rails that open at both ends."""
    (x, y), (dx, dy) = spot, way

    def at(along: float, aside: float) -> Point:
        return x + dx * along - dy * aside, y + dy * along + dx * aside

    deck = curves.line([at(-length, -6), at(length, -6), at(length, 6), at(-length, 6)], closed=True)
    rails = "".join(
        curves.line(
            [
                at(-length - 4, side * 11),
                at(-length + 1, side * 6.6),
                at(length - 1, side * 6.6),
                at(length + 4, side * 11),
            ]
        )
        for side in (-1, 1)
    )
    count = int(length / 2.5)
    boards = "".join(curves.line([at(k * 5, -6), at(k * 5, 6)]) for k in range(-count // 2, count // 2 + 1))
    return (
        path(deck, fill="#e9e2d0")
        + path(boards, fill="none", stroke="#8d8676", stroke_width=0.9)
        + path(rails, fill="none", stroke="#26262a", stroke_width=2.4, stroke_linejoin="round")
    )


def ford(spot: Point, way: Point) -> str:
    """Return a ford: two rows of stones across the water."""
    (x, y), (dx, dy) = spot, way
    a, b = (
        curves.line(
            [(x - dx * 15 - dy * side, y - dy * 15 + dx * side), (x + dx * 15 - dy * side, y + dy * 15 + dx * side)]
        )
        for side in (-5, 5)
    )
    return path(
        a + b, fill="none", stroke="#2d5878", stroke_width=4.2, stroke_dasharray="0.1 6",
        stroke_linecap="round",
    ) + path(
        a + b, fill="none", stroke="#f3f0e2", stroke_width=2.4, stroke_dasharray="0.1 6",
        stroke_linecap="round",
    )  # fmt: skip


def pier(spot: Point, way: Point) -> str:
    """Return a pier that runs from near a point in a direction."""
    (x, y), (dx, dy) = spot, way
    line = curves.line([(x - dx * 6, y - dy * 6), (x + dx * 33, y + dy * 33)])
    return path(line, fill="none", stroke="#3a2a17", stroke_width=11) + path(
        line, fill="none", stroke="#c8a878", stroke_width=8.6, stroke_dasharray="3.2 1.2"
    )


def summit(spot: Point, *, printed: bool) -> str:
    """Return the triangle of a hilltop; that of a hillock is empty."""
    x, y = spot
    d = f"M{curves.at((x, y - 8))}L{curves.at((x + 7.6, y + 5))}H{round(x - 7.6, 1)}Z"
    return path(
        d, fill="#f5d13c" if printed else "#fdf9ea", stroke="#4d3012", stroke_width=1.7, stroke_linejoin="round"
    )


def blockhouse(spot: Point) -> str:
    """Return a blockhouse: thick walls with a loophole to each side."""
    x, y = spot
    walls = f"M{curves.at((x - 14, y - 11))}h28v22h-28Z"
    slits = "".join(
        f"M{curves.at((x + dx, y + dy))}{stroke}"
        for dx, dy, stroke in ((-4, -11, "h8"), (-4, 11, "h8"), (-14, -4, "v8"), (14, -4, "v8"))
    )
    return path(walls, fill="#b9b3a6", stroke="#232326", stroke_width=6.4) + path(
        slits, fill="none", stroke="#fffef8", stroke_width=2.6
    )


ORDER = ("cliff", "bocage", "hedge", "wall", "rowhouse", "roadblock")


def draw_hexsides(lattice: Lattice) -> str:
    """Return all hexside terrain; neighbouring sides of one kind are drawn as one line."""
    edges: dict[str, list[tuple[Node, Node]]] = {}
    for (a, b), kinds in lattice.map.hexsides.items():
        first, second = lattice.map.hex(a), lattice.map.hex(b)
        side = lattice.toward(first, second)
        if side is None:
            continue
        around = corners((first.q, first.r))
        edge = around[side], around[(side + 1) % 6]
        for kind in kinds:
            # The line has the lower hex on its left, where a cliff's strokes go.
            downhill = second.level <= first.level
            edges.setdefault(kind, []).append(edge if downhill else (edge[1], edge[0]))
    parts = [
        group(hexside_lines(kind, _lines(lattice, kind, edges[kind])), id=f"hexsides-{kind}")
        for kind in ORDER
        if kind in edges
    ]
    slopes = _slope_edges(lattice)
    if slopes:
        parts.append(group(hexside_lines("slope", slopes), id="hexsides-slope"))
    return layer("hexsides", parts, fill="none", stroke_linejoin="round")


def _slope_edges(lattice: Lattice) -> list[list[Point]]:
    """Return the hexsides that are slopes, with the hex beyond on the left, where the strokes go."""
    edges = []
    for name, beyond in lattice.map.slopes.items():
        hex_ = lattice.map.hex(name)
        around = corners((hex_.q, hex_.r))
        for other in sorted(beyond):
            side = lattice.toward(hex_, lattice.map.hex(other))
            if side is not None:
                edges.append(lattice.points((around[side], around[(side + 1) % 6])))
    return edges


def _lines(lattice: Lattice, kind: str, edges: list[tuple[Node, Node]]) -> list[list[Point]]:
    if kind in {"cliff", "roadblock", "rowhouse"}:
        # Each stands for itself: which way it faces, or what it closes, depends on the hexside.
        return [lattice.points(edge) for edge in sorted(edges)]
    joined = chains({(min(edge), max(edge)) for edge in edges})
    return [lattice.points(chain) for chain in joined]


def hexside_lines(kind: str, lines: Sequence[Sequence[Point]]) -> list[str]:
    """Return the strokes that draw lines of a kind of hexside terrain."""
    d = "".join(curves.line(points) for points in lines)
    match kind:
        case "wall":
            return [
                path(d, stroke="#2f2f31", stroke_width=6, stroke_linecap="round"),
                path(d, stroke="#c9c8c4", stroke_width=3.4, stroke_dasharray="5 1.6"),
            ]
        case "hedge":
            return [
                path(d, stroke="#274f1f", stroke_width=6.6, stroke_linecap="round"),
                path(d, stroke="#7db45f", stroke_width=4.2, stroke_dasharray="0.1 5",
                     stroke_linecap="round"),
            ]  # fmt: skip
        case "bocage":
            return [
                path(d, stroke="#183514", stroke_width=10.5, stroke_linecap="round",
                     stroke_dasharray="0.1 7.4"),
                path(d, stroke="#183514", stroke_width=7, stroke_linecap="round"),
                path(d, stroke="#4f8640", stroke_width=4.4, stroke_dasharray="0.1 7.4",
                     stroke_linecap="round"),
            ]  # fmt: skip
        case "cliff":
            teeth = "".join(curves.ticks(curves.space_evenly(points, 5.5), 7) for points in lines)
            return [
                path(teeth, stroke="#4d3012", stroke_width=1.6),
                path(d, stroke="#4d3012", stroke_width=3.2, stroke_linecap="round"),
            ]
        case "slope":
            strokes = "".join(curves.ticks(curves.space_evenly(points, 7.5), 6) for points in lines)
            return [path(strokes, stroke="#8a5a2b", stroke_width=1.4), path(d, stroke="#8a5a2b", stroke_width=1.6)]
        case "roadblock":
            short = [_middle_part(points, 0.16) for points in lines]
            bars = "".join(curves.line(points) for points in short)
            return [
                path(bars, stroke="#1f1f1d", stroke_width=9),
                path(bars, stroke="#f2c230", stroke_width=6),
                path(bars, stroke="#1f1f1d", stroke_width=6, stroke_dasharray="4 4"),
            ]
        case _:
            return [path(d, stroke="#151515", stroke_width=5.6)]


def _middle_part(points: Sequence[Point], cut: float) -> list[Point]:
    a, b = points[0], points[-1]
    return [curves.point_between(a, b, cut), curves.point_between(a, b, 1 - cut)]


@dataclass(frozen=True)
class _Colours:
    wall: str
    roof: str
    ridge: str


_MATERIAL_COLOURS = {
    "stone": _Colours("#35363a", "#a9abb0", "#e2e3e6"),
    "wooden": _Colours("#4a2b10", "#b98a55", "#6b421c"),
    "hut": _Colours("#5a4216", "#dcc07c", "#8a6a2c"),
}
_FOOTPRINTS: tuple[tuple[Point, ...], ...] = (
    ((-15, -10), (15, -10), (15, 10), (-15, 10)),
    ((-17, -9), (17, -9), (17, 9), (-17, 9)),
    ((-15, -12), (2, -12), (2, -3), (15, -3), (15, 11), (-15, 11)),
    ((-12, -12), (12, -12), (12, 12), (-12, 12)),
    ((-16, -8), (5, -8), (5, -13), (16, -13), (16, 10), (-16, 10)),
)
_SAMPLE: tuple[Point, ...] = ((-14, -9), (14, -9), (14, 9), (-14, 9))
_ARM = 9.5
_BLOCK = ((-15.0, -12.0), (15.0, -12.0), (15.0, 12.0), (-15.0, 12.0))


def place_footprint(points: tuple[Point, ...], at: Point, angle: float) -> list[Point]:
    """Return a footprint turned clockwise by degrees and moved to a point."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return [(at[0] + x * c - y * s, at[1] + x * s + y * c) for x, y in points]


@dataclass(frozen=True)
class _BuildingShape:
    """The outline of a building as path data, its ridges, and where its level is written."""

    walls: str
    ridges: str
    mark: Point


def draw_plots(lattice: Lattice) -> str:
    """Return a pale disc in the hexes of buildings, as far as a building reaches there."""
    spots = (lattice.point(centre(place)) for place, hex_ in lattice.at.items() if hex_.building is not None)
    radius = round(BUILDING_REACH * STEP_Y, 1)
    discs = [tag("circle", cx=round(x, 1), cy=round(y, 1), r=radius) for x, y in spots]
    return layer("plots", discs, fill="#8a8577", fill_opacity=0.32)


def draw_buildings(lattice: Lattice) -> str:
    """Return all buildings."""
    ways = directions(lattice, lattice.map.roads)
    parts = []
    for building in lattice.map.buildings:
        if len(building.hexes) > 1:
            shape = _large_shape(lattice, building)
        else:
            shape = _small_shape(lattice, building, ways.get(lattice.map.main(building.hexes[0])))
        parts.append(_building(building, shape))
    return layer("buildings", parts, stroke_linejoin="miter")


def sample(material: str, *, levels: int = 0, cellar: bool = False) -> str:
    """Return a small building around the origin, for the legend."""
    building = Building("", material, levels, cellar, ())
    if material == "hut":
        return group([_building(building, _hut_shape((0, 1), 0))], transform="scale(0.7)")
    return _building(
        building, _BuildingShape(curves.line(_SAMPLE, closed=True), curves.line([(-10, 0), (10, 0)]), (0, 0))
    )


def _building(building: Building, shape: _BuildingShape) -> str:
    colours = _MATERIAL_COLOURS[building.material]
    pattern = f"url(#{PREFIX}planks)" if building.material == "wooden" else None
    parts = [
        path(shape.walls, transform="translate(2 2.4)", fill="#000000", fill_opacity=0.25),
        # The same outline twice: a thick line behind the roofs leaves one wall around them all.
        path(shape.walls, fill=colours.wall, stroke=colours.wall, stroke_width=3),
        path(shape.walls, fill=colours.roof),
        path(shape.walls, fill=pattern) if pattern else "",
        path(shape.ridges, fill="none", stroke=colours.ridge, stroke_width=1.4),
    ]
    if building.levels or building.cellar:
        parts.append(plate(building.levels, cellar=building.cellar, at=shape.mark))
    return group(parts)


def plate(levels: int, *, cellar: bool = False, at: Point = (0.0, 0.0)) -> str:
    """Return the plate with the number of upper levels; a bar under it stands for a cellar."""
    x, y = at
    board = tag(
        "rect", x=round(x - 5.5, 1), y=round(y - 6, 1), width=11, height=12, rx=1.5,
        fill="#ffffff", stroke="#2b2c2f", stroke_width=1,
    )  # fmt: skip
    digits = lettering(x, y + 3.6, str(levels), 10, "#1d1e20")
    bar = path(f"M{curves.at((x - 5.5, y + 8.6))}h11", stroke="#2b2c2f", stroke_width=2.4)
    return board + digits + (bar if cellar else "")


def _small_shape(lattice: Lattice, building: Building, road: tuple[Point, Point] | None) -> _BuildingShape:
    name = lattice.map.main(building.hexes[0])
    seed = hash_name(name)
    spot, angle = lattice.middle(name), float(seed // 7 % 6 * 30)
    if road is not None and road[0] != road[1]:
        # Next to the road, along its course.
        angle, spot = _place_along_road(spot, road, 1 if seed & 1 else -1)
    if building.material == "hut":
        return _hut_shape(spot, angle)
    narrow = road is not None
    shape = _FOOTPRINTS[1] if narrow else _FOOTPRINTS[seed % len(_FOOTPRINTS)]
    xs = [x for x, _ in shape]
    ridge = place_footprint(((min(xs) + 3, 1), (max(xs) - 3, 1)), spot, angle)
    return _BuildingShape(curves.line(place_footprint(shape, spot, angle), closed=True), curves.line(ridge), spot)


def _place_along_road(spot: Point, road: tuple[Point, Point], side: int) -> tuple[float, Point]:
    """Return angle and place of a house along a road: outside its bend, else on the given side."""
    (ax, ay), (bx, by) = road
    angle = atan2(by - ay, bx - ax)
    across = (-sin(angle), cos(angle))
    mx, my = curves.middle(*road)
    bulge = (spot[0] - mx) * across[0] + (spot[1] - my) * across[1]
    if abs(bulge) > 4:
        side = 1 if bulge > 0 else -1
    away = 16.5 * side - (bulge * 0.3 if abs(bulge) > 4 else bulge)
    return degrees(angle), (spot[0] + across[0] * away, spot[1] + across[1] * away)


def _hut_shape(spot: Point, angle: float) -> _BuildingShape:
    walls, ridges = "", ""
    for x, y in place_footprint(((-11, -5), (10, -9), (3, 10)), spot, angle):
        walls += f"M{curves.at((x - 7.5, y))}a7.5 7.5 0 1 1 15 0a7.5 7.5 0 1 1 -15 0Z"
        for k in range(6):
            dx, dy = cos(radians(60 * k + angle)), sin(radians(60 * k + angle))
            ridges += f"M{curves.at((x, y))}L{curves.at((x + 6.5 * dx, y + 6.5 * dy))}"
    return _BuildingShape(walls, ridges, spot)


def _large_shape(lattice: Lattice, building: Building) -> _BuildingShape:
    """Return a building over several hexes: a block in each, arms over the hexsides between."""
    hexes = [lattice.map.hex(name) for name in building.hexes]
    walls, ridges = "", ""
    for i, hex_ in enumerate(hexes):
        here = lattice.point(centre((hex_.q, hex_.r)))
        angles = []
        for j, other in enumerate(hexes):
            if lattice.toward(hex_, other) is None:
                continue
            there = lattice.point(centre((other.q, other.r)))
            angles.append(degrees(atan2(there[1] - here[1], there[0] - here[0])))
            if j > i:
                walls += _arm(here, there)
                ridges += curves.line([here, there])
        walls += curves.line(place_footprint(_BLOCK, here, angles[0] if angles else 0), closed=True)
    walls += "".join(curves.line(yard, closed=True) for yard in _yards(lattice, hexes))
    first = min(hexes, key=lambda hex_: (hex_.r * 2 + hex_.q, hex_.q))
    return _BuildingShape(walls, ridges, lattice.point(centre((first.q, first.r))))


def _yards(lattice: Lattice, hexes: list[Hex]) -> list[list[Point]]:
    """Return the triangles between three hexes of a building that touch, clockwise."""
    place = {(hex_.q, hex_.r) for hex_ in hexes}
    triangles = []
    for hex_ in hexes:
        here = (hex_.q, hex_.r)
        for side in (1, 2):
            trio = [here, neighbour_across(here, side), neighbour_across(here, side + 1)]
            if place.issuperset(trio):
                triangles.append([lattice.point(centre(each)) for each in trio])
    return triangles


def _arm(a: Point, b: Point) -> str:
    angle = degrees(atan2(b[1] - a[1], b[0] - a[0]))
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    bar = ((0.0, -_ARM), (length, -_ARM), (length, _ARM), (0.0, _ARM))
    return curves.line(place_footprint(bar, a, angle), closed=True)


def planks() -> str:
    """Return the definition of the pattern of wooden roofs."""
    lines = path("M0 1.5H4", stroke="#6b421c", stroke_width=0.9, stroke_opacity=0.75)
    return tag("pattern", lines, id=f"{PREFIX}planks", width=4, height=4, patternUnits="userSpaceOnUse")
