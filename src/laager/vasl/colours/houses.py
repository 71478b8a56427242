"""The levels of buildings, as far as a picture tells them.

A stairwell's white dot makes a building one of two upper levels (B23.23 Multi-Story). A building of several hexes
without one has an upper level (B23.22 Two-Story House), one of a single hex has none (B23.21). A rowhouse's black
bars divide it into its parts. What an archive says of its buildings hex by hex goes before that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import NONE, SAMPLES, Crossing, Points, codes_at
from laager.vasl.boards.losdata import LosData, Terrain, by_name, terrains
from laager.vasl.boards.shapes import hex_windows
from laager.vasl.colours.palette import INK
from laager.vasl.colours.pixels import Pixels
from laager.vasl.colours.reading import Ground

STAIRWELL = 4
"""Pixels of a stairwell's colour from which on it is one."""
THICK = 1
"""How far to both sides of a hexside's line a bar is as black as on it, in pixels."""
BARRED, LIKELY = 0.3, 0.15
"""The shares of a hexside from which on a bar is one, and may be one."""
WIDE = 2
"""How far to both sides a bar reaches that becomes a wall, in pixels."""
ROWHOUSE = "Rowhouse Wall, 1 Level"
_PLAIN = ("Stone Building", "Wooden Building")


def with_levels(
    data: LosData, points: Points, stairs: frozenset[int], over: Sequence[Mapping[int, Crossing]], told: Sequence[str]
) -> LosData:
    """Return the pixels of a board with its buildings as high as the picture tells; and where stairs are.

    `stairs` are the hexes with a stairwell's dot, `over` is what runs over the sides of each hex, `told` VASL's name
    of its building, or nothing. Only plain buildings change, in place: those of which nothing is known yet.
    """
    kinds = _plain_houses(data.codes, points)
    if not kinds:
        return data
    higher: dict[int, Terrain] = {}
    for group in _groups(points, kinds, over):
        upper = 2 if not stairs.isdisjoint(group) else 1 if len(group) > 1 else 0
        for at in group:
            code = _named(told[at])
            own = code if code is not None else _higher(kinds[at], upper)
            if own.code != kinds[at].code:
                higher[at] = own
    for at, (box, mask) in zip(higher, hex_windows(points, data.size, higher), strict=True):
        inside = data.codes[box]
        inside[mask & (inside == kinds[at].code)] = higher[at].code
    return replace(data, stairways=frozenset(points.spots[at] for at in stairs))


def bars_in(ground: Ground, points: Points, pixels: Pixels) -> Mapping[tuple[int, int], float]:
    """Return what share of hexsides between plain buildings is a black bar, by hex and side (1 to 3).

    Shares below `LIKELY` are left out. A hex line is as black, but thin.
    """
    ink = np.array([max(rgb >> 16, rgb >> 8 & 255, rgb & 255) <= INK for rgb in pixels.colours])
    houses = np.zeros(len(points.spots) + 1, np.bool_)
    houses[list(_plain_houses(ground.codes, points))] = True
    along = np.linspace(0.1, 0.9, SAMPLES)[None, :, None]
    found: dict[tuple[int, int], float] = {}
    for side in (1, 2, 3):
        here = np.flatnonzero(houses[:-1] & houses[points.near[:, side]])
        ends = points.corners[here][:, [side, (side + 1) % 6]].astype(np.float64)
        way = (ends[:, 1] - ends[:, 0])[:, None]
        across = (
            np.stack([-way[..., 1], way[..., 0]], axis=-1)
            / np.maximum(np.hypot(way[..., 0], way[..., 1]), 1.0)[..., None]
        )
        line = ends[:, :1] + way * along
        spots = np.stack([line + across * off for off in (-THICK, 0, THICK)])
        numbers = codes_at(pixels.numbers, np.floor(spots + 0.5).astype(np.int64))
        black = (ink[numbers] & (numbers != NONE)).all(axis=0).mean(axis=1)
        there = black >= LIKELY
        found |= {(at, side): share for at, share in zip(here[there].tolist(), black[there].tolist(), strict=True)}
    return found


def with_bars(data: LosData, points: Points, bars: Mapping[tuple[int, int], float]) -> None:
    """Make the walls of rowhouses of the pixels along hexsides that are barred, in place."""
    codes, wall = data.codes, by_name(ROWHOUSE).code
    barred = [(at, side, (side + 1) % 6) for (at, side), share in bars.items() if share >= BARRED]
    if not barred:
        return
    at, first, second = np.array(barred).T
    start, end = points.corners[at, first].astype(np.float64), points.corners[at, second].astype(np.float64)
    line = start[:, None] + (end - start)[:, None] * np.linspace(0, 1, 80)[None, :, None]
    for across in range(-WIDE, WIDE + 1):
        for down in range(-WIDE, WIDE + 1):
            step = np.array([across + 0.5, down + 0.5])
            x, y = np.floor(line + step).astype(np.int64).reshape(-1, 2).T
            inside = (x >= 0) & (y >= 0) & (x < codes.shape[0]) & (y < codes.shape[1])
            codes[x[inside], y[inside]] = wall


def _plain_houses(codes: NDArray[np.uint8], points: Points) -> dict[int, Terrain]:
    """Return the hexes with a building of which the colours tell no level, and its terrain."""
    plain = {by_name(name).code: by_name(name) for name in _PLAIN}
    seen = np.concatenate([codes_at(codes, points.centre)[:, None], codes_at(codes, points.edges)], axis=1)
    houses = np.isin(seen, list(plain))
    built = np.flatnonzero(houses.any(axis=1))
    first = seen[built, houses[built].argmax(axis=1)]
    return {at: plain[code] for at, code in zip(built.tolist(), first.tolist(), strict=True)}


def stairs_in(ground: Ground, points: Points, pixels: Pixels) -> frozenset[int]:
    """Return the hexes with a plain building and a stairwell's dot."""
    meanings = ground.meanings
    dots = np.array(["stairwell" in one.name.lower() and one.origin != "alike" for one in meanings])
    if not dots.any():
        return frozenset()
    numbers = pixels.numbers
    counted = list(_plain_houses(ground.codes, points))
    windows = hex_windows(points, pixels.size, counted)
    return frozenset(
        at for at, (box, mask) in zip(counted, windows, strict=True) if int(dots[numbers[box][mask]].sum()) >= STAIRWELL
    )


def _groups(points: Points, kinds: Mapping[int, Terrain], over: Sequence[Mapping[int, Crossing]]) -> list[list[int]]:
    """Return the hexes of each building: those that one reaches into from the next."""
    left, found = dict.fromkeys(kinds), []
    while left:
        start = next(iter(left))
        del left[start]
        group = [start]
        for here in group:
            for side, crossing in over[here].items():
                there = int(points.near[here, side])
                if crossing.house and there in left:
                    del left[there]
                    group.append(there)
        found.append(group)
    return found


def _named(name: str) -> Terrain | None:
    """Return the building that an archive names."""
    return next((one for one in terrains() if one.name == name and one.building), None) if name else None


def _higher(plain: Terrain, upper: int) -> Terrain:
    """Return the building of the same stuff with so many upper levels."""
    return by_name(f"{plain.name}, {upper} Level") if upper else plain
