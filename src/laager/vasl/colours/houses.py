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

from laager.vasl.boards.crossings import NONE, SAMPLES, Crossing, HexPoints, codes_at
from laager.vasl.boards.losdata import LosData, Terrain, by_name, terrains
from laager.vasl.boards.shapes import hex_windows
from laager.vasl.colours.palette import INK
from laager.vasl.colours.pixel_ground import PixelGround
from laager.vasl.colours.pixels import Pixels

STAIRWELL = 4
"""Fewest pixels of a stairwell's colour that make one."""
THICK = 1
"""Distance to both sides of a hexside's line at which a bar must be black too, in pixels."""
BARRED, LIKELY = 0.3, 0.15
"""Shares of a hexside that make a bar a wall, and a possible one."""
WIDE = 2
"""Distance to both sides that a bar's wall covers, in pixels."""
ROWHOUSE = "Rowhouse Wall, 1 Level"
_PLAIN = ("Stone Building", "Wooden Building")


def set_storeys(
    data: LosData,
    points: HexPoints,
    stairs: frozenset[int],
    over: Sequence[Mapping[int, Crossing]],
    building_names: Sequence[str],
) -> LosData:
    """Return the pixels of a board with the storeys of its buildings, and its stairways, as the picture tells.

    `stairs` are the hexes with a stairwell's dot, `over` is what runs over the sides of each hex, `building_names`
    VASL's name of its building, or "". Only plain buildings change, in place: those of which nothing is known yet.
    """
    kinds = _plain_houses(data.codes, points)
    if not kinds:
        return data
    higher: dict[int, Terrain] = {}
    for group in _hexes_of_buildings(points, kinds, over):
        upper = 2 if not stairs.isdisjoint(group) else 1 if len(group) > 1 else 0
        for at in group:
            named = _building_of_name(building_names[at])
            building = named if named is not None else _with_upper_levels(kinds[at], upper)
            if building.code != kinds[at].code:
                higher[at] = building
    for at, (box, mask) in zip(higher, hex_windows(points, data.size, higher), strict=True):
        inside = data.codes[box]
        inside[mask & (inside == kinds[at].code)] = higher[at].code
    return replace(data, stairways=frozenset(points.spots[at] for at in stairs))


def find_bars(ground: PixelGround, points: HexPoints, pixels: Pixels) -> Mapping[tuple[int, int], float]:
    """Return what share of hexsides between plain buildings is a black bar, by hex and side (1 to 3).

    Shares below `LIKELY` are left out. A hex line is as black, but thin.
    """
    ink = np.array([max(rgb >> 16, rgb >> 8 & 255, rgb & 255) <= INK for rgb in pixels.colours])
    houses = np.zeros(len(points.spots) + 1, np.bool_)
    houses[list(_plain_houses(ground.codes, points))] = True
    along = np.linspace(0.1, 0.9, SAMPLES)[None, :, None]
    shares: dict[tuple[int, int], float] = {}
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
        is_bar = black >= LIKELY
        shares |= {(at, side): share for at, share in zip(here[is_bar].tolist(), black[is_bar].tolist(), strict=True)}
    return shares


def draw_rowhouse_walls(data: LosData, points: HexPoints, bars: Mapping[tuple[int, int], float]) -> None:
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


def _plain_houses(codes: NDArray[np.uint8], points: HexPoints) -> dict[int, Terrain]:
    """Return the hexes with a building of which the colours tell no level, and its terrain."""
    plain = {by_name(name).code: by_name(name) for name in _PLAIN}
    seen = np.concatenate([codes_at(codes, points.centre)[:, None], codes_at(codes, points.edges)], axis=1)
    houses = np.isin(seen, list(plain))
    built = np.flatnonzero(houses.any(axis=1))
    first = seen[built, houses[built].argmax(axis=1)]
    return {at: plain[code] for at, code in zip(built.tolist(), first.tolist(), strict=True)}


def find_stairwells(ground: PixelGround, points: HexPoints, pixels: Pixels) -> frozenset[int]:
    """Return the hexes with a plain building and a stairwell's dot."""
    meanings = ground.meanings
    dots = np.array(["stairwell" in meaning.name.lower() and meaning.origin != "alike" for meaning in meanings])
    if not dots.any():
        return frozenset()
    numbers = pixels.numbers
    counted = list(_plain_houses(ground.codes, points))
    windows = hex_windows(points, pixels.size, counted)
    return frozenset(
        at for at, (box, mask) in zip(counted, windows, strict=True) if int(dots[numbers[box][mask]].sum()) >= STAIRWELL
    )


def _hexes_of_buildings(
    points: HexPoints, kinds: Mapping[int, Terrain], over: Sequence[Mapping[int, Crossing]]
) -> list[list[int]]:
    """Return the hexes of each building: those that one reaches into from the next."""
    left, groups = dict.fromkeys(kinds), []
    while left:
        start = next(iter(left))
        del left[start]
        group = [start]
        for here in group:
            for side, crossing in over[here].items():
                neighbour = int(points.near[here, side])
                if crossing.house and neighbour in left:
                    del left[neighbour]
                    group.append(neighbour)
        groups.append(group)
    return groups


def _building_of_name(name: str) -> Terrain | None:
    """Return the building that an archive names."""
    return (
        next((terrain for terrain in terrains() if terrain.name == name and terrain.building), None) if name else None
    )


def _with_upper_levels(plain: Terrain, upper: int) -> Terrain:
    """Return the building of the same stuff with `upper` upper levels."""
    return by_name(f"{plain.name}, {upper} Level") if upper else plain
