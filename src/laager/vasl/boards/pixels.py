"""The points of each hex in the pixels of a board with LOS data, and what lies at them.

Sides are numbered clockwise from the top: 0 north, 1 north-east ... 5 north-west. Everything is
kept for all hexes at once, hex by hex as the board lists them: by column, from the top.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.geometry import Geometry
from laager.vasl.boards.losdata import LosData

NONE = -1
"""The code of what lies outside the picture."""

_COS30 = math.cos(math.radians(30))

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Points:
    """Where the hexes of a board lie.

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


def points_of(data: LosData, geometry: Geometry) -> Points:
    """Return where the hexes of a board lie in its pixels."""
    spots = tuple((column, row) for column in range(data.columns) for row in range(data.column_rows(column)))
    columns, rows = np.array(spots, np.int64).T
    dx, dy = geometry.width, geometry.height
    x = max(geometry.x, 0.0) + dx * columns
    top = geometry.y if geometry.y > 0 else dy / 2
    y = top + dy * rows - np.where(columns % 2 == 1, dy / 2, 0.0)
    exact = np.stack([x, y], axis=-1)
    size = data.size
    centre = np.trunc(_corrected(exact, size)).astype(np.int64)
    s, v = 2 * dx / 3, dy / 2
    corners = [(-s / 2, -v), (s / 2, -v), (s, 0), (s / 2, v), (-s / 2, v), (-s, 0)]
    around = exact[:, None, :] + np.array(corners)
    vertices = np.floor(_corrected(around, size) + 0.5).astype(np.int64)
    h = _COS30 * v
    sides = [
        *((0.0, -v + 1), (h - 1, -v / 2 + 1), (h - 1, v / 2 - 1)),
        *((0.0, v - 1), (-h + 1, v / 2 - 1), (-h + 1, -v / 2 + 1)),
    ]
    edges = _corrected(np.trunc(exact[:, None, :] + np.array(sides)), size).astype(np.int64)
    near, on_map = _around(data, spots)
    return Points(spots, exact, centre, edges, vertices, near, on_map)


def _corrected(points: Floats, size: tuple[int, int]) -> Floats:
    """Bring what lies a pixel outside the picture back in."""
    found = np.where(points == -1.0, 0.0, points)
    limit = np.array(size, np.float64)
    beyond = np.trunc(found)
    return np.where((beyond == limit) | (beyond == limit + 1), limit - 1, found)


def _around(data: LosData, spots: tuple[tuple[int, int], ...]) -> tuple[Ints, NDArray[np.bool_]]:
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
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    found = codes[np.where(inside, x, 0), np.where(inside, y, 0)].astype(np.int16)
    return np.where(inside, found, np.int16(NONE))


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
    for one, other in zip(shape, np.roll(shape, -1, axis=0), strict=True):
        (x1, y1), (x2, y2) = (one, other) if one[1] < other[1] else (other, one)
        if y1 == y2:
            continue
        inside ^= (y >= y1) & (y < y2) & ((x - x1) < (y - y1) / (y2 - y1) * (x2 - x1))
    return inside
