"""Buildings: one footprint each, joined across hexsides, with the number of upper levels."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin

from laager.hexmap.draw import curves
from laager.hexmap.draw.courses import directions
from laager.hexmap.draw.lattice import Lattice, Point, beyond, centre
from laager.hexmap.draw.markup import group, layer, path, tag, text
from laager.hexmap.draw.symbols import PREFIX
from laager.hexmap.draw.terrain import mix
from laager.hexmap.values import Building, Hex


@dataclass(frozen=True)
class _Look:
    wall: str
    roof: str
    ridge: str


_LOOKS = {
    "stone": _Look("#35363a", "#a9abb0", "#e2e3e6"),
    "wooden": _Look("#4a2b10", "#b98a55", "#6b421c"),
    "hut": _Look("#5a4216", "#dcc07c", "#8a6a2c"),
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


def placed(points: tuple[Point, ...], at: Point, angle: float) -> list[Point]:
    """Return a footprint turned clockwise by degrees and moved to a point."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return [(at[0] + x * c - y * s, at[1] + x * s + y * c) for x, y in points]


@dataclass(frozen=True)
class _Drawn:
    """The outline of a building as path data, its ridges, and where its level is written."""

    walls: str
    ridges: str
    mark: Point


def draw_buildings(lattice: Lattice) -> str:
    """Return all buildings."""
    ways = directions(lattice, lattice.map.roads)
    parts = []
    for building in lattice.map.buildings:
        if len(building.hexes) > 1:
            drawn = _large(lattice, building)
        else:
            drawn = _small(lattice, building, ways.get(lattice.map.main(building.hexes[0])))
        parts.append(_building(building, drawn))
    return layer("buildings", parts, stroke_linejoin="miter")


def sample(material: str, *, levels: int = 0, cellar: bool = False) -> str:
    """Return a small building around the origin, for the legend."""
    building = Building("", material, levels, cellar, ())
    if material == "hut":
        return group([_building(building, _huts((0, 1), 0))], transform="scale(0.7)")
    return _building(building, _Drawn(curves.line(_SAMPLE, closed=True), curves.line([(-10, 0), (10, 0)]), (0, 0)))


def _building(building: Building, drawn: _Drawn) -> str:
    look = _LOOKS[building.material]
    pattern = f"url(#{PREFIX}planks)" if building.material == "wooden" else None
    parts = [
        path(drawn.walls, transform="translate(2 2.4)", fill="#000000", fill_opacity=0.25),
        # The same outline twice: a thick line behind the roofs leaves one wall around them all.
        path(drawn.walls, fill=look.wall, stroke=look.wall, stroke_width=3),
        path(drawn.walls, fill=look.roof),
        path(drawn.walls, fill=pattern) if pattern else "",
        path(drawn.ridges, fill="none", stroke=look.ridge, stroke_width=1.4),
    ]
    if building.levels or building.cellar:
        parts.append(plate(building.levels, cellar=building.cellar, at=drawn.mark))
    return group(parts)


def plate(levels: int, *, cellar: bool = False, at: Point = (0.0, 0.0)) -> str:
    """Return the plate with the number of upper levels; a bar under it stands for a cellar."""
    x, y = at
    board = tag(
        "rect", x=round(x - 5.5, 1), y=round(y - 6, 1), width=11, height=12, rx=1.5,
        fill="#ffffff", stroke="#2b2c2f", stroke_width=1,
    )  # fmt: skip
    shown = text(
        x, y + 3.6, str(levels), font_size=10, font_weight="bold", text_anchor="middle",
        fill="#1d1e20",
    )  # fmt: skip
    bar = path(f"M{curves.at((x - 5.5, y + 8.6))}h11", stroke="#2b2c2f", stroke_width=2.4)
    return board + shown + (bar if cellar else "")


def _small(lattice: Lattice, building: Building, road: tuple[Point, Point] | None) -> _Drawn:
    name = lattice.map.main(building.hexes[0])
    seed = mix(name)
    spot, angle = lattice.middle(name), float(seed // 7 % 6 * 30)
    if road is not None and road[0] != road[1]:
        # Beside the road and along it.
        angle, spot = _beside(spot, road, 1 if seed & 1 else -1)
    if building.material == "hut":
        return _huts(spot, angle)
    narrow = road is not None
    shape = _FOOTPRINTS[1] if narrow else _FOOTPRINTS[seed % len(_FOOTPRINTS)]
    xs = [x for x, _ in shape]
    ridge = placed(((min(xs) + 3, 1), (max(xs) - 3, 1)), spot, angle)
    return _Drawn(curves.line(placed(shape, spot, angle), closed=True), curves.line(ridge), spot)


def _beside(spot: Point, road: tuple[Point, Point], side: int) -> tuple[float, Point]:
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


def _huts(spot: Point, angle: float) -> _Drawn:
    walls, ridges = "", ""
    for x, y in placed(((-11, -5), (10, -9), (3, 10)), spot, angle):
        walls += f"M{curves.at((x - 7.5, y))}a7.5 7.5 0 1 1 15 0a7.5 7.5 0 1 1 -15 0Z"
        for k in range(6):
            dx, dy = cos(radians(60 * k + angle)), sin(radians(60 * k + angle))
            ridges += f"M{curves.at((x, y))}L{curves.at((x + 6.5 * dx, y + 6.5 * dy))}"
    return _Drawn(walls, ridges, spot)


def _large(lattice: Lattice, building: Building) -> _Drawn:
    """Return a building over several hexes: a block in each, arms over the hexsides between."""
    hexes = [lattice.map.hex(name) for name in building.hexes]
    walls, ridges = "", ""
    for i, one in enumerate(hexes):
        here = lattice.point(centre((one.q, one.r)))
        angles = []
        for j, other in enumerate(hexes):
            if lattice.toward(one, other) is None:
                continue
            there = lattice.point(centre((other.q, other.r)))
            angles.append(degrees(atan2(there[1] - here[1], there[0] - here[0])))
            if j > i:
                walls += _arm(here, there)
                ridges += curves.line([here, there])
        walls += curves.line(placed(_BLOCK, here, angles[0] if angles else 0), closed=True)
    walls += "".join(curves.line(yard, closed=True) for yard in _yards(lattice, hexes))
    first = min(hexes, key=lambda one: (one.r * 2 + one.q, one.q))
    return _Drawn(walls, ridges, lattice.point(centre((first.q, first.r))))


def _yards(lattice: Lattice, hexes: list[Hex]) -> list[list[Point]]:
    """Return the triangles between three hexes of a building that touch, clockwise."""
    place = {(one.q, one.r) for one in hexes}
    found = []
    for one in hexes:
        here = (one.q, one.r)
        for side in (1, 2):
            trio = [here, beyond(here, side), beyond(here, side + 1)]
            if place.issuperset(trio):
                found.append([lattice.point(centre(each)) for each in trio])
    return found


def _arm(a: Point, b: Point) -> str:
    angle = degrees(atan2(b[1] - a[1], b[0] - a[0]))
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    bar = ((0.0, -_ARM), (length, -_ARM), (length, _ARM), (0.0, _ARM))
    return curves.line(placed(bar, a, angle), closed=True)


def planks() -> str:
    """Return the definition of the pattern of wooden roofs."""
    lines = path("M0 1.5H4", stroke="#6b421c", stroke_width=0.9, stroke_opacity=0.75)
    return tag("pattern", lines, id=f"{PREFIX}planks", width=4, height=4, patternUnits="userSpaceOnUse")
