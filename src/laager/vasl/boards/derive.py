"""What a hex is: its terrain, levels and hexsides, out of the pixels of a board.

The steps and their order are VASL's own; so is the result, oddities included. What of it goes
into a map of ours is decided in `tomap`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laager.vasl.boards.crossings import Crossing, HexPoints, codes_at, find_crossings, points_of
from laager.vasl.boards.layout import Geometry
from laager.vasl.boards.losdata import LosData, Terrain, by_name, terrains
from laager.vasl.boards.metadata import Metadata
from laager.vasl.boards.shapes import Window, hex_windows

CLIFF = "Cliff"
SINGLE = frozenset({"Stone Building", "Wooden Building"})
"""The buildings that have no level but the ground."""
STAIRS = frozenset({"Stone Building, 1 Level", "Wooden Building, 1 Level"})
"""The buildings that have a stairway in every hex."""
_NO_SIDES: frozenset[int] = frozenset()


@dataclass(frozen=True)
class HexLevel:
    """A level of a hex above or below the ground, and what VASL calls its terrain."""

    level: int
    terrain: str


@dataclass(frozen=True, slots=True)
class HexGround:
    """What a hex is.

    `at_centre` is the terrain of the centre pixel, `centre` that of the hex by VASL's rules,
    `house` the building under its centre or just inside its sides, `edges` what is just inside
    each side. `pixels` counts those of each terrain, `elevations` those of each level. `hexsides`,
    `cliffs` and `slopes` are by side (0 to 5, clockwise from the top), `crossings` what runs over
    a side to the hex beyond.
    `into_depression` are the sides that lead into it, `bridged` whether a bridge is in the hex.
    """

    at_centre: Terrain
    centre: Terrain
    base: int
    pixels: Mapping[Terrain, int]
    elevations: Mapping[int, int]
    house: Terrain | None = None
    edges: tuple[Terrain | None, ...] = (None,) * 6
    hexsides: Mapping[int, Terrain] = field(default_factory=dict)
    cliffs: frozenset[int] = frozenset()
    slopes: frozenset[int] = frozenset()
    stairway: bool = False
    levels: tuple[HexLevel, ...] = ()
    depression: Terrain | None = None
    into_depression: frozenset[int] = frozenset()
    bridged: bool = False
    crossings: Mapping[int, Crossing] = field(default_factory=dict)

    @property
    def area(self) -> int:
        """The number of pixels of the hex that are in the picture."""
        return sum(self.pixels.values())

    @property
    def is_empty(self) -> bool:
        """True if there is nothing but Open Ground on level 0."""
        return {kind.name for kind in self.pixels} <= {"Open Ground"} and not any(self.elevations)

    def share(self, terrain: Terrain) -> float:
        """Return the share of the hex's area that a terrain covers."""
        return self.pixels.get(terrain, 0) / max(self.area, 1)


def derive_ground(
    data: LosData,
    metadata: Metadata,
    names: Sequence[str],
    points: HexPoints | None = None,
    over: Sequence[Mapping[int, Crossing]] | None = None,
) -> tuple[HexGround, ...]:
    """Return what each hex of a board is, in the order of its points; `over` is what runs over their sides, if known.

    Most of the time goes into counting the pixels of each hex.
    """
    points = points or points_of(data, metadata.geometry)
    return _Deriver(data, metadata, names, points).all(find_crossings(data, points) if over is None else over)


class _Deriver:
    def __init__(self, data: LosData, metadata: Metadata, names: Sequence[str], points: HexPoints) -> None:
        self.data, self.names, self.points = data, names, points
        self.geometry: Geometry = metadata.geometry
        self.slopes, self.embankments = metadata.slopes, metadata.embankments
        self.kinds = terrains()
        self.open = by_name("Open Ground")
        # The code of what lies outside the picture is -1, and finds the last.
        by_code = (*self.kinds, None)
        self.at_centre = [by_code[code] or self.open for code in codes_at(data.codes, points.centre).tolist()]
        edges = codes_at(data.codes, points.edges)
        self.at_edges: list[tuple[Terrain | None, ...]] = [
            tuple([by_code[code] for code in six]) for six in edges.tolist()
        ]
        houses = np.array([terrain.building for terrain in self.kinds] + [False])
        self.built: list[bool] = np.logical_or.reduce(houses[edges], axis=1).tolist()
        self.base: list[int] = self._base_levels().tolist()
        self.near: list[list[int]] = points.near.tolist()
        self.sides_on_map = [[side for side in range(6) if on_map[side]] for on_map in points.on_map.tolist()]
        self.whole: list[bool] = np.logical_and.reduce(points.on_map, axis=1).tolist()
        self.near_centre: dict[tuple[object, ...], NDArray[np.bool_]] = {}
        self.inherent = np.array([terrain.inherent for terrain in self.kinds])
        self.filling = frozenset(np.flatnonzero(self.inherent).tolist())
        self.flat = int(data.elevation[0, 0]) if np.ptp(data.elevation) == 0 else None
        self.bordered = self._hexes_with_sides(edges).tolist()
        self.hexsides: list[dict[int, Terrain]] = [{} for _ in names]
        self.embankment = by_name("Rrembankment")

    def all(self, over: Sequence[Mapping[int, Crossing]]) -> tuple[HexGround, ...]:
        windows = hex_windows(self.points, self.data.size)
        return tuple(self.derive_hex(i, over[i], window) for i, window in enumerate(windows))

    def _hexes_with_sides(self, edges: NDArray[np.int16]) -> NDArray[np.bool_]:
        """Return the hexes with something along a side, or a depression there; in all others no side is looked at."""
        has_side = np.array([terrain.hexside or terrain.category == "depression" for terrain in self.kinds] + [False])
        listed = np.array([name in self.embankments for name in self.names])
        has_own: NDArray[np.bool_] = np.logical_or(has_side[edges].any(axis=1), listed)
        near = self.points.near
        has_any: NDArray[np.bool_] = has_own | ((near >= 0) & has_own[near]).any(axis=1)
        return has_any

    def derive_hex(self, i: int, over: Mapping[int, Crossing], window: Window) -> HexGround:
        at_centre = self.at_centre[i]
        first = self._terrain_with_house(i, at_centre)
        house = first if first.building else None
        stairway, levels = self._levels(i, house) if house else (False, ())
        # Below a market place the ground is open.
        centre = self.open if house and house.category == "marketplace" else first
        bordered = self.bordered[i]
        cliffs = self._own_hexsides(i) if bordered else _NO_SIDES
        depression = centre if centre.category == "depression" else None
        pixels, elevations, inherent = self._count_pixels(i, window)
        into = _NO_SIDES
        if bordered:
            into = self._settle_hexsides(i)
            # A cliff that only the neighbour shows is one from both sides (board 08, X4).
            cliffs |= {side for side, terrain in self.hexsides[i].items() if terrain.name == CLIFF}
        return HexGround(
            at_centre=at_centre,
            centre=inherent or centre,
            base=self.base[i],
            pixels=pixels,
            elevations=elevations,
            house=house,
            edges=self.at_edges[i],
            hexsides=self.hexsides[i],
            cliffs=cliffs,
            slopes=self.slopes.get(self.names[i], _NO_SIDES),
            stairway=stairway,
            levels=levels,
            depression=depression,
            into_depression=into,
            bridged=any(terrain.category == "bridge" for terrain in pixels),
            crossings=over,
        )

    def _terrain_with_house(self, i: int, at_centre: Terrain) -> Terrain:
        """A building anywhere at the six sides makes the hex a building hex."""
        if at_centre.building or not self.built[i]:
            return at_centre
        return next(terrain for terrain in self.at_edges[i] if terrain and terrain.building)

    def _levels(self, i: int, house: Terrain) -> tuple[bool, tuple[HexLevel, ...]]:
        """Return True if a building hex has stairs, and its levels."""
        stairway = house.name in STAIRS or self.points.spots[i] in self.data.stairways
        if house.name in SINGLE:
            return stairway, ()
        factory = house.category == "factory"
        upper = 0 if factory and not stairway else house.height
        levels = [HexLevel(level, house.name) for level in range(1, upper + 1)]
        if self.built[i]:
            if not factory:
                levels.insert(0, HexLevel(-1, "Cellar"))
            if "Roofless" not in house.name and "Gutted" not in house.name:
                levels.append(HexLevel(house.height + 1, "Rooftop"))
        return stairway, tuple(levels)

    def _own_hexsides(self, i: int) -> frozenset[int]:
        """Note what runs along the hexsides, by the hex's own pixels or those across; cliffs."""
        listed = self.embankments.get(self.names[i], frozenset())
        cliffs = set()
        near = self.near[i]
        for side in self.sides_on_map[i]:
            terrain = self.at_edges[i][side]
            beyond = near[side]
            if side in listed:
                terrain = self.embankment
            elif (terrain is None or not terrain.hexside) and beyond >= 0:
                across = self.at_edges[beyond][(side + 3) % 6]
                terrain = across if across and across.hexside else terrain
            if terrain and terrain.hexside:
                self.hexsides[i][side] = terrain
                if terrain.name == CLIFF:
                    cliffs.add(side)
        return frozenset(cliffs)

    def _settle_hexsides(self, i: int) -> frozenset[int]:
        """Settle the hexsides with the neighbours that came before; sides into the depression."""
        into = set()
        near = self.near[i]
        for side in self.sides_on_map[i]:
            own = self.at_edges[i][side]
            if own and own.hexside:
                self.hexsides[i][side] = own
            beyond = near[side]
            theirs = self.hexsides[beyond].get((side + 3) % 6) if beyond >= 0 else None
            if theirs:
                self.hexsides[i][side] = theirs
            if own and own.category == "depression":
                into.add(side)
        return frozenset(into)

    def _base_levels(self) -> NDArray[np.int8]:
        """Return the level under the centre dot of each hex; 0 outside the picture."""
        centre = self.points.centre
        inside: NDArray[np.bool_] = np.logical_and.reduce((centre >= 0) & (centre < self.data.size), axis=1)
        x, y = np.where(inside[:, None], centre, 0).T
        return np.where(inside, self.data.elevation[x, y], np.int8(0))

    def _count_pixels(self, i: int, window: Window) -> tuple[dict[Terrain, int], dict[int, int], Terrain | None]:
        """Return the pixels of each terrain and level in a hex, and the terrain that fills it."""
        box, mask = window
        codes = self.data.codes[box]
        if not codes.size:
            return {}, {}, None
        counts = np.bincount(codes[mask], minlength=1)
        there = counts.nonzero()[0].tolist()
        pixels = {self.kinds[code]: int(counts[code]) for code in there}
        levels = self.data.elevation[box]
        first = int(levels[0, 0]) if self.flat is None else self.flat
        if self.flat is None and (levels != first).any():
            by_level = np.bincount(levels[mask].view(np.uint8), minlength=1)
            signed = ((n ^ 128) - 128 for n in by_level.nonzero()[0].tolist())
            elevations = {level: int(by_level[level % 256]) for level in signed}
        else:
            elevations = {first: sum(pixels.values())}
        # What is near the centre of a whole hex lies in it; beyond the map's edge nothing bounds what is near.
        fills = not self.whole[i] or not self.filling.isdisjoint(there)
        return pixels, elevations, self._filling_terrain(i, codes, (box[0].start, box[1].start)) if fills else None

    def _filling_terrain(self, i: int, codes: NDArray[np.uint8], start: tuple[int, int]) -> Terrain | None:
        """Return the first terrain of the bounding box that fills its hex and is nearest to it."""
        nearest = codes[self._pixels_near_centre(i, codes.shape, start)]
        filling = self.inherent[nearest]
        return self.kinds[nearest[filling.argmax()]] if filling.any() else None

    def _pixels_near_centre(self, i: int, shape: tuple[int, ...], start: tuple[int, int]) -> NDArray[np.bool_]:
        """Return which pixels of a box lie nearer to the centre of its hex than to its sides: of most the same."""
        low = self.points.centre[i] - start
        apart = self.points.edges[i] - self.points.centre[i]
        bounds = self.points.on_map[i].tolist()
        key = (shape, low.tobytes(), apart.tobytes(), *bounds)
        if key not in self.near_centre:
            x, y = np.arange(shape[0])[:, None] - low[0], np.arange(shape[1])[None, :] - low[1]
            near = np.ones(shape, np.bool_)
            for (across, down), bound in zip(apart.tolist(), bounds, strict=True):
                if bound:
                    near &= x**2 + y**2 <= (x - across) ** 2 + (y - down) ** 2
            self.near_centre[key] = near
        return self.near_centre[key]
