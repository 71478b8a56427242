"""What runs over the hexsides of a board: roads, buildings, watercourses.

Each hexside is looked at in many points along its line, on the line and a little to both sides. A
road that crosses is there on both sides in the same points; one that runs along the line is
there in nearly all of them, and crosses nothing, unless it leads from centre to centre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.layout import Geometry
from laager.vasl.boards.losdata import LosData, terrains

SAMPLES = 17
"""Points along a hexside."""
FROM, TO = 0.08, 0.92
"""The part of a hexside that is looked at: roads do not cross at its ends."""
OFF = 3.0
"""Distance of the samples to both sides of the line, in pixels."""
LEAST = 2
"""Points in which a road or the like must be there."""
ALONG = 14 / SAMPLES
"""Share of the points in the picture from which on it runs along the hexside, not over it."""
AT_ONCE = 512
"""Hexes that are looked at at once: the points of all would fill the memory."""
BETWEEN = 33
"""Points on the line between the centres of two hexes."""
WHOLLY = 0.94
"""The share of them, all but one, from which on a road leads from one to the other."""

ROADS = ("", "paved", "unpaved", "path", "railway", "runway", "bridge")
WATERS = ("", "gully", "stream", "canal")
RUNWAY = ROADS.index("runway")
Bytes = NDArray[np.int8]
PATH = ROADS.index("path")


@dataclass(frozen=True, slots=True)
class Crossing:
    """What runs over a hexside to the hex beyond; words of the map's vocabulary, "" for nothing.

    `road` is the kind of road ("bridge" for one), `water` the kind of watercourse; `house` whether
    a building does. `cut`: what the edge of the board leaves of the hexside the road runs along,
    so that it may go on over it only on the board beyond.
    """

    road: str = ""
    water: str = ""
    house: bool = False
    cut: bool = False


_NOTHING = Crossing()


def find_crossings(data: LosData, points: HexPoints) -> tuple[Mapping[int, Crossing], ...]:
    """Return for each hex what runs over its sides, by side; sides with nothing are left out."""
    by_hex: tuple[dict[int, Crossing], ...] = tuple({} for _ in points.spots)
    for side in (1, 2, 3):
        inside = np.flatnonzero(points.near[:, side] >= 0)
        for start in range(0, len(inside), AT_ONCE):
            here = inside[start : start + AT_ONCE]
            there = points.near[here, side].tolist()
            for i, j, crossing in zip(here.tolist(), there, _crossings_of_side(data, points, here, side), strict=True):
                if crossing is not None and crossing != _NOTHING:
                    by_hex[i][side] = crossing
                    by_hex[j][side + 3 if side < 3 else 0] = crossing
            _add_wide_roads(data, points, here, side, by_hex)
    return by_hex


def _add_wide_roads(
    data: LosData, points: HexPoints, here: Ints, side: int, by_hex: tuple[dict[int, Crossing], ...]
) -> None:
    """Add the roads that lead from centre to centre over a side which they cover whole.

    So do squares and boulevards, and roads with their embankments.
    """
    roads = _tables()[0]
    # What is nearly all road is one in two of three points: few sides are looked at closely.
    sparse = _roads_between(data, points, here, side, 3)
    here = here[(roads[sparse] > 0).sum(axis=1) >= 2]
    kinds = roads[_roads_between(data, points, here, side, BETWEEN)]
    for at in np.flatnonzero((kinds > 0).mean(axis=1) >= WHOLLY).tolist():
        kind = ROADS[int(np.bincount(kinds[at])[1:].argmax()) + 1]
        for number, side_of_hex in ((int(here[at]), side), (int(points.near[here[at], side]), (side + 3) % 6)):
            crossing = by_hex[number].get(side_of_hex, Crossing())
            if not crossing.road:
                by_hex[number][side_of_hex] = replace(crossing, road=kind, cut=False)


def _roads_between(data: LosData, points: HexPoints, here: Ints, side: int, samples: int) -> NDArray[np.int16]:
    """Return the codes on the lines from the centres of hexes to those beyond a side."""
    start, end = points.exact[here][:, None, :], points.exact[points.near[here, side]][:, None, :]
    line = start + (end - start) * np.linspace(0, 1, samples)[None, :, None]
    return codes_at(data.codes, np.floor(line + 0.5).astype(np.int64))


def _crossings_of_side(data: LosData, points: HexPoints, here: NDArray[np.int64], side: int) -> list[Crossing | None]:
    ends = points.corners[here][:, [side, (side + 1) % 6]].astype(np.float64)
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    along = np.linspace(FROM, TO, SAMPLES)
    line = start[:, None, :] + way[:, None, :] * along[None, :, None]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1.0)
    normal = np.stack([-way[:, 1], way[:, 0]], axis=-1) / length[:, None] * OFF
    where = np.stack([line - normal[:, None, :], line, line + normal[:, None, :]], axis=1)
    codes = codes_at(data.codes, np.floor(where + 0.5).astype(np.int64))
    tables = _tables()
    roads, waters, houses = (_count_crossing(table[codes]) for table in tables)
    paths = _is_path_crossing(tables[0][codes])
    seen = (codes != NONE).all(axis=1).sum(axis=-1).tolist()
    return [
        Crossing(
            _crossing_road(road, count) or "path" * path,
            WATERS[water],
            bool(house),
            0 < of < SAMPLES and count >= ALONG * of,
        )
        if road or path or water or house or count
        else None
        for (road, count), of, path, (water, _), (house, _) in zip(roads, seen, paths, waters, houses, strict=True)
    ]


def _crossing_road(road: int, count: int) -> str:
    """Return the road that crosses; one that runs along the hexside does not, but runways do."""
    return "" if count >= ALONG * SAMPLES and road != RUNWAY else ROADS[road]


def _is_path_crossing(around_sides: Bytes) -> list[bool]:
    """Return True if a path crosses: it is narrow and ragged, so near each other will do."""
    is_path = around_sides == PATH
    near = is_path.copy()
    near[..., 1:] |= is_path[..., :-1]
    near[..., :-1] |= is_path[..., 1:]
    crossing: list[bool] = (near[:, 0] & near[:, 2]).any(axis=-1).tolist()
    return crossing


def _count_crossing(around_sides: Bytes) -> list[tuple[int, int]]:
    """Return for each hexside what runs over it and in how many points.

    `there` is what lies at each hexside, before, on and behind its line, in each point; 0 for
    nothing.
    """
    through = np.where((around_sides > 0).all(axis=1), around_sides[:, 1], 0)
    kinds = range(1, max(len(ROADS), len(WATERS)))
    counts = np.stack([(through == kind).sum(axis=1) for kind in kinds], axis=1)
    total = counts.sum(axis=1)
    most = np.where(total >= LEAST, counts.argmax(axis=1) + 1, 0)
    return list(zip(most.tolist(), total.tolist(), strict=True))


@cache
def _tables() -> tuple[Bytes, Bytes, Bytes]:
    """Return by code, with outside the picture last: which road, which watercourse, a building."""
    roads, waters, houses = (np.zeros(len(terrains()) + 1, np.int8) for _ in range(3))
    for terrain in terrains():
        if terrain.kind == "road":
            roads[terrain.code] = ROADS.index(terrain.word)
        elif terrain.category == "bridge" or terrain.becomes == "feature:bridge":
            roads[terrain.code] = ROADS.index("bridge")
        elif terrain.kind == "watercourse":
            waters[terrain.code] = WATERS.index(terrain.word)
        # Walls inside a factory do not make it two buildings; rowhouse walls do.
        houses[terrain.code] = terrain.building and terrain.kind != "hexside"
    return roads, waters, houses


NONE = -1
"""The code of what lies outside the picture."""

COS_30 = math.cos(math.radians(30))

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class HexPoints:
    """The places of a board's hexes.

    `spots` are (column, position from the top), `exact` and `centre` their centres, `edges` the
    points just inside their six sides, `corners` the six vertices clockwise from the top left;
    `near` is the number of the neighbour across each side (-1: none), `on_map` whether a side
    counts as lying on the map.
    """

    spots: tuple[tuple[int, int], ...]
    exact: Floats
    centre: Ints
    edges: Ints
    corners: Ints
    near: Ints
    on_map: NDArray[np.bool_]


def points_of(data: LosData, geometry: Geometry) -> HexPoints:
    """Return where the hexes of a board lie in its pixels."""
    spots = tuple((column, row) for column in range(data.columns) for row in range(data.column_rows(column)))
    columns, rows = np.array(spots, np.int64).T
    dx, dy = geometry.width, geometry.height
    x = max(geometry.x, 0.0) + dx * columns
    top = geometry.y if geometry.y > 0 else dy / 2
    y = top + dy * rows - np.where(columns % 2 == 1, dy / 2, 0.0)
    near, on_map = _neighbours(data, spots)
    return points_around(spots, np.stack([x, y], axis=-1), geometry, data.size, near, on_map)


def points_around(
    spots: tuple[tuple[int, int], ...],
    exact: Floats,
    geometry: Geometry,
    size: tuple[int, int],
    near: Ints,
    on_map: NDArray[np.bool_],
) -> HexPoints:
    """Return where hexes lie by their exact centres, in a picture of such a size."""
    dx, dy = geometry.width, geometry.height
    centre = np.trunc(pull_inside(exact, size)).astype(np.int64)
    s, v = 2 * dx / 3, dy / 2
    corners = [(-s / 2, -v), (s / 2, -v), (s, 0), (s / 2, v), (-s / 2, v), (-s, 0)]
    around = exact[:, None, :] + np.array(corners)
    vertices = np.floor(pull_inside(around, size) + 0.5).astype(np.int64)
    h = COS_30 * v
    sides = [
        *((0.0, -v + 1), (h - 1, -v / 2 + 1), (h - 1, v / 2 - 1)),
        *((0.0, v - 1), (-h + 1, v / 2 - 1), (-h + 1, -v / 2 + 1)),
    ]
    edges = pull_inside(np.trunc(exact[:, None, :] + np.array(sides)), size).astype(np.int64)
    return HexPoints(spots, exact, centre, edges, vertices, near, on_map)


def pull_inside(points: Floats, size: tuple[int, int]) -> Floats:
    """Bring what lies a pixel outside the picture back in."""
    pulled = np.where(points == -1.0, 0.0, points)
    limit = np.array(size, np.float64)
    beyond = np.trunc(pulled)
    return np.where((beyond == limit) | (beyond == limit + 1), limit - 1, pulled)


def _neighbours(data: LosData, spots: tuple[tuple[int, int], ...]) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the neighbours of each hex, and which of its sides are on the map."""
    number = {spot: i for i, spot in enumerate(spots)}
    near = np.full((len(spots), 6), -1, np.int64)
    on_map = np.ones((len(spots), 6), np.bool_)
    last = data.columns - 1
    for i, (c, r) in enumerate(spots):
        up = c % 2
        places = (
            *((c, r - 1), (c + 1, r - up), (c + 1, r + 1 - up)),
            *((c, r + 1), (c - 1, r + 1 - up), (c - 1, r - up)),
        )
        near[i] = [number.get(place, -1) for place in places]
        off = {4, 5} if c == 0 else set()
        off |= {1, 2} if c == last else set()
        if up:
            off |= {0, 1, 5} if r == 0 else set()
            off |= {2, 3, 4} if r == data.rows else set()
        for side in off:
            on_map[i, side] = False
    return near, on_map


def codes_at(codes: NDArray[np.uint8], points: Ints) -> NDArray[np.int16]:
    """Return the terrain code at points (..., 2); NONE outside the picture."""
    x, y = points[..., 0], points[..., 1]
    width, height = codes.shape
    # Seen as unsigned, what is negative is too large.
    inside = (x.view(np.uint64) < width) & (y.view(np.uint64) < height)
    if codes.flags.contiguous:
        # From a flat array it takes a third of the time.
        at, lines = (x * height + y, codes) if codes.flags.c_contiguous else (y * width + x, codes.T)
        values = lines.reshape(-1).take(at, mode="clip").astype(np.int16)
    else:
        values = codes[np.where(inside, x, 0), np.where(inside, y, 0)].astype(np.int16)
    return np.where(inside, values, np.int16(NONE))


def polygon_mask(corners: Ints) -> NDArray[np.bool_]:
    """Return the pixels of a polygon within its bounding box, by x and y from its top left.

    Even-odd rule; left and top edges belong to it, right and bottom edges do not.
    """
    low = corners.min(axis=0)
    width, height = corners.max(axis=0) - low
    x = np.arange(width, dtype=np.float64)[:, None]
    y = np.arange(height, dtype=np.float64)[None, :]
    inside = np.zeros((int(width), int(height)), np.bool_)
    shape = (corners - low).astype(np.float64)
    for first, second in zip(shape, np.roll(shape, -1, axis=0), strict=True):
        (x1, y1), (x2, y2) = (first, second) if first[1] < second[1] else (second, first)
        if y1 == y2:
            continue
        inside ^= (y >= y1) & (y < y2) & ((x - x1) < (y - y1) / (y2 - y1) * (x2 - x1))
    return inside
