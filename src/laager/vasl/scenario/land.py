"""The pixels of a board while a scenario changes them, before hexes are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import HexPoints, codes_at, points_of, polygon_mask
from laager.vasl.boards.layout import Geometry
from laager.vasl.boards.losdata import LosData, by_name, terrains
from laager.vasl.boards.strips import strips

Mask = NDArray[np.bool_]

_OPEN = "Open Ground"
FARTHEST = 60
"""Farthest neighbour that gives a pixel its ground, in pixels: about a hex, more than a number is wide."""


class Land:
    """A board's ground, to be changed: `codes` and `levels` by x, then y, and the `stairways`.

    The arrays are those of the LOS data until it is `copied`: large boards fill the memory.
    """

    def __init__(self, data: LosData, geometry: Geometry, points: HexPoints | None = None) -> None:
        self._data, self._points = data, points
        self.geometry = geometry
        self.codes = data.codes
        self.levels = data.elevation
        self.stairways = data.stairways

    @cached_property
    def points(self) -> HexPoints:
        """The places of the hexes."""
        return self._points or points_of(self._data, self.geometry)

    def data(self) -> LosData:
        """Return the LOS data as it is now."""
        return replace(self._data, codes=self.codes, elevation=self.levels, stairways=self.stairways)

    def same_as(self, other: Land) -> bool:
        """Return True if nothing differs."""
        return (
            self.stairways == other.stairways
            and np.array_equal(self.codes, other.codes)
            and np.array_equal(self.levels, other.levels)
        )

    def copy(self) -> Land:
        """Return the land as it is now, apart from this one."""
        made = Land(self.data(), self.geometry, self._points)
        made.codes, made.levels = self.codes.copy(), self.levels.copy()
        return made

    def pixels_of(self, names: Iterable[str]) -> Mask:
        """Return the pixels of kinds of terrain, by VASL's names."""
        return self._pixels_with_codes([by_name(name).code for name in names])

    def _pixels_with_codes(self, codes: Iterable[int]) -> Mask:
        wanted = np.zeros(256, np.bool_)
        wanted[list(codes)] = True
        there: Mask = np.empty(self.codes.shape, np.bool_)
        for part in strips(there):
            there[part] = wanted[self.codes[part]]
        return there

    def become(self, names: Iterable[str], new: str) -> None:
        """Make one kind of terrain of others."""
        self.codes[self.pixels_of(names)] = by_name(new).code

    def relevel(self, old: int, new: int) -> None:
        """Move what lies on one level to another."""
        self.levels[self.levels == old] = new

    def to_level(self, names: Iterable[str], level: int) -> None:
        """Make plain open ground on a level of kinds of terrain."""
        there = self.pixels_of(names)
        self.levels[there] = level
        self.codes[there] = by_name(_OPEN).code

    def replace_level(self, level: int, new: str, *, all_terrain: bool = False) -> None:
        """Move a level to level 0, with terrain in place of its open ground, or (`all_terrain`) of all that is there.

        What else stands on the level stays, and depressions and water keep their own level too.
        """
        there = self.levels == level
        if not all_terrain:
            there &= ~self.categories("depression", "water")
        self.levels[there] = 0
        if not all_terrain:
            there &= self.pixels_of([_OPEN])
        self.codes[there] = by_name(new).code

    def fill_from_neighbours(self, missing: Mask, sources: Mask | None = None) -> Mask:
        """Give pixels the terrain and level of their nearest neighbours; return which got one.

        `sources` are the neighbours that count; without it all but those pixels themselves.
        """
        known = ~missing if sources is None else sources & ~missing
        box = _bounding_box(missing, 1)
        if box is None:
            return missing
        spread(known[box], missing[box], (self.codes[box], self.levels[box]))
        return missing & known

    def categories(self, *names: str) -> Mask:
        """Return the pixels of VASL's categories of terrain."""
        return self._pixels_with_codes(terrain.code for terrain in terrains() if terrain.category in names)

    def centre_hexes(self, names: Sequence[str]) -> list[int]:
        """Return the numbers of the hexes that have such terrain under their centre dots."""
        wanted = {by_name(name).code for name in names}
        centres = codes_at(self.codes, self.points.centre).tolist()
        return [number for number, code in enumerate(centres) if code in wanted]

    def within(self, number: int) -> tuple[tuple[slice, slice], Mask]:
        """Return the box around a hex, and which of its pixels are the hex's."""
        corners = self.points.corners[number]
        low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        mask = polygon_mask(corners)
        left, top = max(low[0], 0), max(low[1], 0)
        box = (slice(left, high[0]), slice(top, high[1]))
        width, height = self.codes[box].shape
        left, top = left - low[0], top - low[1]
        return box, mask[left : left + width, top : top + height]

    def fill_hexes(self, numbers: Iterable[int], new: str, only: str | None = None) -> None:
        """Cover hexes with terrain: all of their pixels, or those alone of one kind."""
        code = by_name(new).code
        for number in numbers:
            box, mask = self.within(number)
            inside = self.codes[box]
            if only is not None:
                mask = mask & (inside == by_name(only).code)
            inside[mask] = code


def spread(known: Mask, wanted: Mask, layers: Sequence[NDArray[np.generic]], farthest: int = FARTHEST) -> None:
    """Give wanted pixels the values of the nearest known ones, step by step; all are changed.

    Neighbours are those to the left, right, above and below. What lies more than `farthest` pixels from all
    known ones stays as it is.
    """
    # A frame of nothing around all, so that steps over the edge end there.
    missing = np.pad(wanted & ~known, 1)
    values = [np.pad(layer, 1).ravel() for layer in layers]
    row = missing.shape[1]
    steps = (row, -row, 1, -1)
    left = missing.ravel()
    edge = np.flatnonzero(_mask_neighbours(missing) & np.pad(known, 1))
    for _ in range(farthest):
        reached = []
        for step in steps:
            there = left[edge + step]
            to = edge[there] + step
            left[to] = False
            for value in values:
                value[to] = value[edge[there]]
            reached.append(to)
        edge = np.concatenate(reached)
        if not len(edge):
            break
    inside = (slice(1, -1), slice(1, -1))
    for layer, value in zip(layers, values, strict=True):
        layer[...] = value.reshape(missing.shape)[inside]
    known |= wanted & ~missing[inside]


def _mask_neighbours(mask: Mask) -> Mask:
    """Return the pixels next to, above and below those of a mask that ends before its edges."""
    near = np.zeros_like(mask)
    near[:-1] |= mask[1:]
    near[1:] |= mask[:-1]
    near[:, :-1] |= mask[:, 1:]
    near[:, 1:] |= mask[:, :-1]
    return near


def _bounding_box(mask: Mask, margin: int) -> tuple[slice, slice] | None:
    """Return the box around pixels, wider by `margin`; None if there are none."""
    across, down = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not across.size:
        return None
    return (
        slice(max(int(across[0]) - margin, 0), int(across[-1]) + margin + 1),
        slice(max(int(down[0]) - margin, 0), int(down[-1]) + margin + 1),
    )
