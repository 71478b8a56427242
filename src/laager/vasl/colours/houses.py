"""The levels of buildings, as far as a picture tells them.

A stairwell's white dot makes a building one of two upper levels (B23.23 Multi-Story). A building of several hexes
without one has an upper level (B23.22 Two-Story House), one of a single hex has none (B23.21). A rowhouse's black
bars divide it into its parts. What an archive says of its buildings hex by hex goes before that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from laager.vasl.boards.crossings import Crossing, Points, codes_at
from laager.vasl.boards.losdata import LosData, Terrain, by_name, terrains
from laager.vasl.boards.shapes import hex_windows
from laager.vasl.colours.palette import Meaning
from laager.vasl.colours.pixels import Pixels
from laager.vasl.colours.reading import Ground

STAIRWELL = 4
"""Pixels of a stairwell's colour from which on it is one."""
_PLAIN = ("Stone Building", "Wooden Building")


def with_levels(
    ground: Ground, points: Points, pixels: Pixels, over: Sequence[Mapping[int, Crossing]], told: Sequence[str]
) -> LosData:
    """Return the pixels of a board with its buildings as high as the picture tells; and where stairs are.

    `over` is what runs over the sides of each hex, `told` VASL's name of its building, or nothing. Only plain
    buildings change: those of which nothing is known yet. Those of `ground` are changed in place.
    """
    data = ground.data
    kinds = _plain_houses(data, points)
    if not kinds:
        return data
    stairs = _stairs(points, pixels, ground.meanings, kinds)
    higher: dict[int, Terrain] = {}
    for group in _groups(points, kinds, over):
        upper = 2 if stairs & set(group) else 1 if len(group) > 1 else 0
        for at in group:
            code = _named(told[at])
            own = code if code is not None else _higher(kinds[at], upper)
            if own.code != kinds[at].code:
                higher[at] = own
    for at, (box, mask) in zip(higher, hex_windows(points, data.size, higher), strict=True):
        inside = data.codes[box]
        inside[mask & (inside == kinds[at].code)] = higher[at].code
    return replace(data, stairways=frozenset(points.spots[at] for at in stairs))


def _plain_houses(data: LosData, points: Points) -> dict[int, Terrain]:
    """Return the hexes with a building of which the colours tell no level, and its terrain."""
    plain = {by_name(name).code: by_name(name) for name in _PLAIN}
    seen = np.concatenate([codes_at(data.codes, points.centre)[:, None], codes_at(data.codes, points.edges)], axis=1)
    houses = np.isin(seen, list(plain))
    built = np.flatnonzero(houses.any(axis=1))
    first = seen[built, houses[built].argmax(axis=1)]
    return {at: plain[code] for at, code in zip(built.tolist(), first.tolist(), strict=True)}


def _stairs(points: Points, pixels: Pixels, meanings: Sequence[Meaning], hexes: Iterable[int]) -> frozenset[int]:
    """Return the hexes with a stairwell's dot."""
    dots = np.array(["stairwell" in one.name.lower() and one.origin != "alike" for one in meanings])
    if not dots.any():
        return frozenset()
    numbers = pixels.numbers
    counted = list(hexes)
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
