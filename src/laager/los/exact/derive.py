"""Hexes as lines of sight need them: terrain, level, hexsides, cliffs, Locations, out of the pixels of a board.

The steps are VASL's and those of `laager.vasl.boards.derive`, which makes maps; this one works on whole columns of
numbers at once, keeps what only lines of sight need, and can go over a board a second time, as VASL does when a
scenario's rules have changed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laager.los.exact import fields as f
from laager.los.exact import kinds
from laager.los.exact.grid import Ints, PixelGrid
from laager.vasl.boards.crossings import polygon_mask
from laager.vasl.boards.derive import SINGLE, STAIRS
from laager.vasl.boards.losdata import by_name, terrains

Codes = NDArray[np.uint8]
Levels = NDArray[np.int8]
NONE = f.NULL


@dataclass(frozen=True, slots=True)
class Floor:
    """A Location above or below the centre: its kind, height over the hex's base level, terrain code."""

    kind: str
    height: int
    code: int
    depressed: bool = False


@dataclass(eq=False)
class Hexes:
    """The hexes of a board, by hex; of hexsides (hex, side). Filled and changed in place.

    `side` is hexside terrain, `place` that of the hexside's Location, `mark` whether a hexside's edge point lies in a
    depression, `place_on` whether the side is on the map of its board.
    """

    base: Ints
    centre: Ints
    depressed: NDArray[np.bool_]
    stairs: NDArray[np.bool_]
    side: Ints
    place: Ints
    mark: NDArray[np.bool_]
    cliff: NDArray[np.bool_]
    slope: NDArray[np.bool_]
    place_on: NDArray[np.bool_]
    upper: list[tuple[Floor, ...]] = field(default_factory=list)
    lower: list[tuple[Floor, ...]] = field(default_factory=list)


def empty(grid: PixelGrid) -> Hexes:
    """Return hexes of Open Ground on level 0."""
    n = grid.count
    return Hexes(
        base=np.zeros(n, np.int64),
        centre=np.zeros(n, np.int64),
        depressed=np.zeros(n, np.bool_),
        stairs=np.zeros(n, np.bool_),
        side=np.full((n, 6), NONE, np.int64),
        place=np.zeros((n, 6), np.int64),
        mark=np.zeros((n, 6), np.bool_),
        cliff=np.zeros((n, 6), np.bool_),
        slope=np.zeros((n, 6), np.bool_),
        place_on=grid.on_map.copy(),
        upper=[()] * n,
        lower=[()] * n,
    )


def derive(
    grid: PixelGrid,
    codes: Codes,
    levels: Levels,
    stairways: NDArray[np.bool_],
    names: tuple[str, ...],
    embankments: Mapping[str, frozenset[int]],
    before: Hexes | None = None,
) -> Hexes:
    """Return what the hexes of a board are. With `before` VASL's second derivation on top of a first."""
    return _Deriver(grid, codes, levels, before or empty(grid)).all(stairways, names, embankments)


def at(pixels: NDArray[np.generic], points: Ints, outside: int) -> Ints:
    """Return the pixels at points (..., 2)."""
    x, y = points[..., 0], points[..., 1]
    inside = (x >= 0) & (x < pixels.shape[0]) & (y >= 0) & (y < pixels.shape[1])
    return np.where(inside, pixels[np.where(inside, x, 0), np.where(inside, y, 0)].astype(np.int64), outside)


class _Deriver:
    def __init__(self, grid: PixelGrid, codes: Codes, levels: Levels, hexes: Hexes) -> None:
        self.grid, self.codes, self.levels, self.hexes = grid, codes, levels, hexes
        self.flags = kinds.flags()
        self.edges = at(codes, grid.edges, NONE)

    def all(
        self, stairways: NDArray[np.bool_], names: tuple[str, ...], embankments: Mapping[str, frozenset[int]]
    ) -> Hexes:
        hexes = self.hexes
        house = self._house_first()
        self._floors(house, stairways)
        # Below a market place the ground is open.
        market = [terrain.category == "marketplace" for terrain in terrains()]
        centre = np.where(np.array([*market, False])[house], 0, house)
        self._hexsides(self._first_pass(names, embankments))
        hexes.base[:] = at(self.levels, self.grid.centre, 0)
        hexes.depressed |= self.flags[centre] & f.DEPRESSION != 0
        hexes.centre[:] = centre
        self._inherent()
        self._bridges()
        return hexes

    def _house_first(self) -> Ints:
        """A building anywhere at the six sides makes the hex a building hex."""
        codes_at_centre = at(self.codes, self.grid.centre, 0)
        building = np.array([*(terrain.building for terrain in terrains()), False])
        self.multi = building[self.edges]
        first = np.argmax(self.multi, axis=1)
        at_edge = self.multi.any(axis=1) & ~building[codes_at_centre]
        return np.where(at_edge, self.edges[np.arange(len(codes_at_centre)), first], codes_at_centre)

    def _floors(self, house: Ints, stairways: NDArray[np.bool_]) -> None:
        hexes, all_kinds = self.hexes, terrains()
        hexes.stairs[:] = stairways
        cellar, rooftop = by_name("Cellar").code, by_name("Rooftop").code
        for i in np.flatnonzero(np.array([kind.building for kind in all_kinds])[house]):
            kind = all_kinds[house[i]]
            if kind.name in STAIRS:
                hexes.stairs[i] = True
            if kind.name in SINGLE:
                continue
            factory = kind.category == "factory"
            top = 0 if factory and not hexes.stairs[i] else kind.height
            floors = [Floor("level", level, kind.code) for level in range(1, top + 1)]
            if self.multi[i].any():
                if not factory:
                    hexes.lower[i] = (Floor("cellar", -1, cellar),)
                if not self.flags[kind.code] & f.ROOFLESS:
                    floors.append(Floor("rooftop", kind.height + 1, rooftop))
            if floors:
                hexes.upper[i] = tuple(floors)

    def _first_pass(self, names: tuple[str, ...], embankments: Mapping[str, frozenset[int]]) -> Ints:
        """Return the terrain of each hexside's place, and note it."""
        near, edges = self.grid.near, self.edges
        across = np.stack([edges[near[:, side], (side + 3) % 6] for side in range(6)], axis=-1)
        hexside = self.flags & f.HEXSIDE != 0
        theirs = (near >= 0) & hexside[across] & ~hexside[edges]
        codes_at_sides = np.where(theirs, across, edges)
        wall = by_name("Rrembankment").code
        for i, name in enumerate(names) if embankments else ():
            for side in embankments.get(name, ()):
                codes_at_sides[i, side] = wall
        on = self.grid.on_map
        self.hexes.place[:] = np.where(on, codes_at_sides, 0)
        self.hexes.mark |= on & (self.flags[edges] & f.DEPRESSION != 0)
        return codes_at_sides

    def _hexsides(self, first: Ints) -> None:
        """Settle the hexsides: what the hex's own pixels say, then what the neighbour has already."""
        hexes, on, near = self.hexes, self.grid.on_map, self.grid.near
        hexside, cliff = self.flags & f.HEXSIDE != 0, self.flags & f.CLIFF != 0
        seen = np.where(hexside[self.edges], self.edges, np.where(hexside[first], first, NONE))
        hexes.cliff |= on & (cliff[first] & hexside[first] | cliff[self.edges])
        old = hexes.side.copy()
        new = np.where(on & (seen != NONE), seen, old)
        # VASL goes by columns, and each down: beyond sides 1 to 3 lie hexes that it comes to later.
        for sides, known in (((1, 2, 3), old), ((0, 4, 5), new)):
            source = known.copy()
            for side in sides:
                there = on[:, side] & (near[:, side] >= 0)
                theirs = np.where(there, source[near[:, side], (side + 3) % 6], NONE)
                taken = theirs != NONE
                new[taken, side] = theirs[taken]
                hexes.cliff[:, side] |= taken & cliff[theirs]
        hexes.side[:] = new

    def _window(self, i: int) -> tuple[slice, slice]:
        """Return the part of the picture around a hex."""
        low, high = self.grid.corners[i].min(axis=0), self.grid.corners[i].max(axis=0)
        return slice(max(int(low[0]), 0), max(int(high[0]), 0)), slice(max(int(low[1]), 0), max(int(high[1]), 0))

    def _touching(self, flag: int) -> Ints:
        """Return the hexes in whose bounding box there are pixels of some kinds."""
        there = (self.flags & flag != 0)[self.codes]
        if not there.any():
            return np.zeros(0, np.int64)
        self.there = there
        return np.array([i for i in range(self.grid.count) if there[self._window(i)].any()], np.int64)

    def _inherent(self) -> None:
        """Find the first pixel of terrain that fills its hex, and is nearer to this centre than to its sides."""
        for i in self._touching(f.INHERENT):
            window = self._window(i)
            x, y = np.nonzero(self.there[window])
            px, py = x + window[0].start, y + window[1].start
            cx, cy = self.grid.centre[i]
            own = (px - cx) ** 2 + (py - cy) ** 2
            close = np.ones(len(x), np.bool_)
            for side in np.flatnonzero(self.grid.on_map[i]):
                ex, ey = self.grid.edges[i, side]
                close &= own <= (px - ex) ** 2 + (py - ey) ** 2
            first = np.flatnonzero(close)
            if len(first):
                self.hexes.centre[i] = self.codes[px[first[0]], py[first[0]]]

    def _bridges(self) -> None:
        """Put a bridge over a depression, or a depression under a bridge."""
        hexes = self.hexes
        for i in self._touching(f.BRIDGE):
            bridge = self._first_in(i, f.BRIDGE)
            if bridge is None:
                continue
            if hexes.depressed[i]:
                hexes.upper[i] = (Floor("bridge", 1, bridge),)
                hexes.lower[i] = ()
            if self.flags[hexes.centre[i]] & f.BRIDGE:
                base = int(hexes.base[i])
                # As VASL has it, which is too high from base level 2 on.
                height = base - (1 if base == 0 else 2 if base > 0 else 0)
                floor = self._first_in(i, f.DEPRESSION)
                below = Floor("below bridge", height, NONE if floor is None else floor, floor is not None)
                hexes.upper[i], hexes.lower[i] = (), (below,)

    def _first_in(self, i: int, flag: int) -> int | None:
        """Return the first terrain of some kinds among the pixels of a hex, column by column."""
        across, down = self._window(i)
        corners = self.grid.corners[i]
        left, top = corners.min(axis=0)
        mask = polygon_mask(corners)
        codes = self.codes[across, down]
        inside = mask[across.start - left :, down.start - top :][: codes.shape[0], : codes.shape[1]]
        flagged = codes[inside & ((self.flags & flag != 0)[codes])]
        return int(flagged[0]) if len(flagged) else None
