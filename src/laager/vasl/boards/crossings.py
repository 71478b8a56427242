"""What runs over the hexsides of a board: roads, buildings, watercourses.

Each hexside is looked at in many points along its line, on the line and a little to both sides. A
road that crosses is there on both sides in the same points; one that runs along the line is
there in nearly all of them, and crosses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.losdata import LosData
from laager.vasl.boards.pixels import NONE, Points, codes_at
from laager.vasl.boards.terrain import terrains

SAMPLES = 17
"""Points along a hexside."""
FROM, TO = 0.08, 0.92
"""The part of a hexside that is looked at: roads do not cross at its ends."""
OFF = 3.0
"""How far to both sides of the line is looked, in pixels."""
LEAST = 2
"""Points in which a road or the like must be there."""
ALONG = 14 / SAMPLES
"""Share of the points in the picture from which on it runs along the hexside, not over it."""


ROADS = ("", "paved", "unpaved", "path", "railway", "runway", "bridge")
WATERS = ("", "gully", "stream", "canal")
RUNWAY = ROADS.index("runway")
PATH = ROADS.index("path")


@dataclass(frozen=True)
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


def crossings(data: LosData, points: Points) -> tuple[Mapping[int, Crossing], ...]:
    """Return for each hex what runs over its sides, by side; sides with nothing are left out."""
    found: tuple[dict[int, Crossing], ...] = tuple({} for _ in points.spots)
    for side in (1, 2, 3):
        here = np.flatnonzero(points.near[:, side] >= 0)
        there = points.near[here, side]
        for i, j, one in zip(here, there, _across(data, points, here, side), strict=True):
            if one != Crossing():
                found[i][side] = one
                found[j][side + 3 if side < 3 else 0] = one
    return found


def _across(data: LosData, points: Points, here: NDArray[np.int64], side: int) -> list[Crossing]:
    ends = points.corners[here][:, [side, (side + 1) % 6]].astype(np.float64)
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    along = np.linspace(FROM, TO, SAMPLES)
    line = start[:, None, :] + way[:, None, :] * along[None, :, None]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1.0)
    normal = np.stack([-way[:, 1], way[:, 0]], axis=-1) / length[:, None] * OFF
    where = np.stack([line - normal[:, None, :], line, line + normal[:, None, :]], axis=1)
    codes = codes_at(data.codes, np.floor(where + 0.5).astype(np.int64))
    tables = _tables()
    roads, waters, houses = (_through(table[codes]) for table in tables)
    paths = _trodden(tables[0][codes])
    seen = (codes != NONE).all(axis=1).sum(axis=-1).tolist()
    return [
        Crossing(
            _road(road, count) or "path" * path, WATERS[water], bool(house), 0 < of < SAMPLES and count >= ALONG * of
        )
        for (road, count), of, path, (water, _), (house, _) in zip(roads, seen, paths, waters, houses, strict=True)
    ]


def _road(road: int, count: int) -> str:
    """Return the road that crosses; one that runs along the hexside does not, but runways do."""
    return "" if count >= ALONG * SAMPLES and road != RUNWAY else ROADS[road]


def _trodden(there: NDArray[np.int64]) -> list[bool]:
    """Return whether a path crosses: it is narrow and ragged, so near each other will do."""
    found = there == PATH
    near = found.copy()
    near[..., 1:] |= found[..., :-1]
    near[..., :-1] |= found[..., 1:]
    crossed: list[bool] = (near[:, 0] & near[:, 2]).any(axis=-1).tolist()
    return crossed


def _through(there: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return for each hexside what runs over it and in how many points.

    `there` is what lies at each hexside, before, on and behind its line, in each point; 0 for
    nothing.
    """
    through = np.where((there > 0).all(axis=1), there[:, 1], 0)
    found = []
    for row in through:
        counts = np.bincount(row, minlength=2)[1:]
        count = int(counts.sum())
        found.append((int(counts.argmax()) + 1 if count >= LEAST else 0, count))
    return found


@cache
def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return by code, with outside the picture last: which road, which watercourse, a building."""
    roads, waters, houses = (np.zeros(len(terrains()) + 1, np.int64) for _ in range(3))
    for one in terrains():
        if one.kind == "road":
            roads[one.code] = ROADS.index(one.word)
        elif one.category == "bridge" or one.becomes == "feature:bridge":
            roads[one.code] = ROADS.index("bridge")
        elif one.kind == "watercourse":
            waters[one.code] = WATERS.index(one.word)
        # Walls inside a factory do not make it two buildings; rowhouse walls do.
        houses[one.code] = one.building and one.kind != "hexside"
    return roads, waters, houses
