"""The ground of a map in the pixels of a board, drawn so that VASL's rules read the map's own hexes out of it.

A hex is filled with its main terrain; further terrain lies at its corners, where it can't reach the centre. Roads,
streams and buildings run from centre to centre, beside one another where several cross a hexside, and a wall keeps the
middle of its hexside, where VASL looks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from laager.hexmap import HexMap
from laager.hexmap.terrain import BUILDING_REACH, TERRAIN_REACH, bed_level, is_depression
from laager.hexmap.values import Building, Hex
from laager.vasl.boards.losdata import LosData, by_name, terrains
from laager.vasl.boards.shapes import hex_windows
from laager.vasl.making.grid import BoardGrid

MOST_STOREYS = 4
"""The highest building that VASL has, in storeys above the ground."""
STONE_BRIDGE = "Stone Bridge"
CORNER_KINDS = ("crag", "graveyard", "rubble", "wadi")
"""Features of a map that are terrain in VASL."""
CENTRE_KINDS = ("bridge", "ford", "hillock-summit")
"""Features that VASL has at the centre of a hex; of several the first."""
_PRECEDENCE = ("rowhouse", "cliff", "wall", "bocage", "hedge", "roadblock")
"""Of several things along a hexside VASL has one: the first of these."""

HOUSE, WATER, ROAD = "building", "watercourse", "road"
_SLOTS = ((0.5,), (0.45, 0.8), (0.45, 0.8, 0.14))
"""Where one, two or three courses cross a hexside, as shares of its length."""
_SLOTS_BESIDE_WALL = ((0.23,), (0.23, 0.77), (0.23, 0.77))
_HALF_WIDTHS = ({HOUSE: 8, WATER: 7, ROAD: 6}, {HOUSE: 7, WATER: 4, ROAD: 4})
"""Half of the width of courses in pixels: of one alone on its hexside, and of one beside others."""
_PATH = 4
_SMALL_HOUSE_RADIUS, _MOAT_RADIUS = 15, 20
_BRIDGE_RADIUS, _END_RADIUS, _DOT_RADIUS = 10, 10, 2
_WALL = 2.5
"""Half of the thickness of walls, in pixels."""
_WALL_CORE = (0.43, 0.57)
_PIXEL_MORE = 60
"""Keeps what lies at corners a pixel away from what is nearer to the centre."""
_WHOLE_PATCHES = 2
"""Most kinds of further terrain of which each gets two corners of its hex."""

Point = NDArray[np.float64]
Pair = tuple[int, int]


@cache
def code_of(kind: str, word: str) -> int | None:
    """Return VASL's code for a word of map files, such as terrain woods; None if VASL has nothing for it."""
    return next((terrain.code for terrain in terrains() if (terrain.kind, terrain.word) == (kind, word)), None)


def fill_code(hex_: Hex) -> int:
    """Return VASL's code for the main terrain of a hex; Open Ground if VASL has nothing for it."""
    return code_of("terrain", _vasl_word(hex_.terrain)) or 0


def draw_ground(map_: HexMap, grid: BoardGrid) -> LosData:
    """Return the pixels of a map's board."""
    return _Drawing(map_, grid).data()


class _Drawing:
    def __init__(self, map_: HexMap, grid: BoardGrid) -> None:
        self.map, self.grid, self.points = map_, grid, grid.points
        blank = grid.blank()
        self.blank, self.codes, self.levels = blank, blank.codes, blank.elevation
        self.number = {hex_.name: grid.number[spot] for spot, hex_ in grid.places.items()}
        self.windows = dict(enumerate(hex_windows(self.points, grid.size)))
        self.courses = self._courses()
        self.fills = {self.number[name]: fill_code(hex_) for name, hex_ in map_.hexes.items()}

    def data(self) -> LosData:
        for name in self.map.hexes:
            self._fill(name)
        for name in self.map.hexes:
            self._draw_corners(name)
        for (a, b), kinds in self.map.hexsides.items():
            self._draw_hexside(a, b, kinds, (0.0, 1.0))
        for kind in (ROAD, WATER, HOUSE):
            self._draw_courses(kind)
            self._draw_lone(kind)
        for name in self.map.hexes:
            self._draw_centre(name)
        for (a, b), kinds in self.map.hexsides.items():
            self._draw_hexside(a, b, kinds, _WALL_CORE)
        return replace(self.blank, stairways=frozenset(self._stairways()))

    # What runs from hex to hex -------------------------------------------------------------------

    def _courses(self) -> dict[Pair, dict[str, int]]:
        """Return what crosses each hexside: for buildings, water and roads VASL's code, by the hexes' numbers."""
        courses: dict[Pair, dict[str, int]] = {}
        for building in self.map.buildings:
            for a in building.hexes:
                for b in self.map.neighbours(a):
                    if b in building.hexes and "rowhouse" not in self.map.hexside_features(a, b):
                        courses.setdefault(self._pair(a, b), {})[HOUSE] = house_code(building, a)
        for kind, given in ((WATER, self.map.watercourses), (ROAD, self.map.roads)):
            for course in given:
                code = code_of(kind, course.kind)
                for a, b in pairwise(map(self.map.main, course.along)):
                    if code is not None:
                        courses.setdefault(self._pair(a, b), {}).setdefault(kind, code)
        return courses

    def _pair(self, a: str, b: str) -> Pair:
        return order_pair(self.number[a], self.number[b])

    def _draw_courses(self, kind: str) -> None:
        for pair, crossing in self.courses.items():
            if kind in crossing:
                self._draw_course(pair, crossing, kind)

    def _draw_course(self, pair: Pair, crossing: Mapping[str, int], kind: str) -> None:
        names = [self._name(number) for number in pair]
        walled = bool(self.map.hexside_features(*names))
        order = [each for each in (HOUSE, WATER, ROAD) if each in crossing]
        slots = (_SLOTS_BESIDE_WALL if walled else _SLOTS)[len(order) - 1]
        place = order.index(kind)
        if place >= len(slots):
            return
        corner_a, corner_b = self._side_ends(*pair)
        at = corner_a + (corner_b - corner_a) * slots[place]
        half = _HALF_WIDTHS[len(order) > 1 or walled][kind]
        if crossing[kind] == code_of(ROAD, "path"):
            half = min(half, _PATH)
        for number, name in zip(pair, names, strict=True):
            code = house_code(self._house(name), name) if kind == HOUSE else crossing[kind]
            self._draw_band(self.points.exact[number], at, half, code, self._bed_level(name) if kind == WATER else None)

    def _side_ends(self, a: int, b: int) -> tuple[Point, Point]:
        side = self.points.near[a].tolist().index(b)
        corners = self.points.corners[a].astype(np.float64)
        return corners[side], corners[(side + 1) % 6]

    def _draw_lone(self, kind: str) -> None:
        """Draw what is in one hex only, and the middle of what runs through several."""
        if kind == HOUSE:
            for building in self.map.buildings:
                for name in building.hexes:
                    self._draw_house(name, house_code(building, name))
            return
        for course in self.map.roads if kind == ROAD else self.map.watercourses:
            code = code_of(kind, course.kind)
            for name in map(self.map.main, course.along):
                if code is not None:
                    # Around what lies at the centre there must be enough of a stream to be one, also where it ends.
                    hex_, ends = self.map.hexes[name], name in {course.along[0], course.along[-1]}
                    covered = hex_.building is not None or (ends and not hex_.features.isdisjoint(CENTRE_KINDS))
                    moat = kind == WATER and covered
                    radius = _MOAT_RADIUS if moat else _END_RADIUS if len(course.along) == 1 else _HALF_WIDTHS[0][kind]
                    self._draw_disc(name, radius, code, self._bed_level(name) if kind == WATER else None)

    # What is in a hex -------------------------------------------------------------------------------

    def _fill(self, name: str) -> None:
        code = fill_code(self.map.hexes[name])
        number = self.number[name]
        box, mask = self.windows[number]
        self.levels[box][mask] = self._bed_level(name) + (terrains()[code].category != "depression")
        around = [self.fills.get(other, code) for other in self.points.near[number].tolist()]
        bare = [side for side, other in enumerate(around) if other != code]
        self.codes[box][mask & ~self._is_beyond(number, TERRAIN_REACH, bare)] = code

    def _is_beyond(self, number: int, reach: float, sides: Iterable[int]) -> NDArray[np.bool_]:
        """Return the pixels around a hex that lie farther toward some of its sides than a share of the way."""
        x, y, _ = self._pixels_of(number)
        toward = np.floor((np.degrees(np.arctan2(y, x)) + 120) / 60).astype(int) % 6
        far: NDArray[np.bool_] = (np.hypot(x, y) > reach * self.grid.geometry.height / 2) & np.isin(toward, list(sides))
        return far

    def _pixels_of(self, number: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Return the pixels around a hex, across and down from its centre, and which are its own."""
        (columns, rows), mask = self.windows[number]
        x, y = self.points.exact[number].tolist()
        return np.arange(columns.start, columns.stop)[:, None] - x, np.arange(rows.start, rows.stop)[None, :] - y, mask

    def _bed_level(self, name: str) -> int:
        """Return the level that a stream's bed in a hex has or would have: one below the land."""
        hex_ = self.map.hexes[name]
        return bed_level(self.map, hex_) if is_depression(hex_) else hex_.level - 1

    def _beside_main(self, hex_: Hex) -> list[int]:
        """Return the codes of what else is in a hex besides its main terrain."""
        words = sorted((hex_.also | hex_.features & {*CORNER_KINDS}) - {hex_.terrain})
        return [code for word in words if (code := code_of("terrain", _vasl_word(word)))]

    def _draw_house(self, name: str, code: int) -> None:
        """Draw a building as far as it reaches; a small one where water or further terrain needs the room."""
        hex_, number = self.map.hexes[name], self.number[name]
        if hex_.watercourses or self._beside_main(hex_):
            self._draw_disc(name, _SMALL_HOUSE_RADIUS, code)
            return
        box, mask = self.windows[number]
        self.codes[box][mask & ~self._is_beyond(number, BUILDING_REACH, range(6))] = code

    def _draw_corners(self, name: str) -> None:
        """Draw further terrain at the corners of its hex, where roads and streams leave most room."""
        number = self.number[name]
        kinds = self._beside_main(self.map.hexes[name])
        if not kinds:
            return
        box, sectors = self._corners(number)
        near = self.points.near[number].tolist()
        crossed = [order_pair(number, other) in self.courses for other in near]
        free = [crossed[corner] + crossed[corner - 1] for corner in range(6)]
        order = sorted(range(6), key=lambda corner: (-round(sectors[corner].sum() / 40), free[corner]))
        each = 2 if len(kinds) <= _WHOLE_PATCHES else 1
        for at, code in enumerate(kinds[: 6 // each]):
            for corner in order[at * each : (at + 1) * each]:
                self.codes[box][sectors[corner]] = code

    def _corners(self, number: int) -> tuple[tuple[slice, slice], list[NDArray[np.bool_]]]:
        """Return the pixels at each corner of a hex that are nearer to its sides than to its centre."""
        x, y, mask = self._pixels_of(number)
        outer = np.zeros(mask.shape, np.bool_)
        # Beyond the map's edge nothing bounds what is near to the centre.
        for across, down in (self.points.edges[number] - self.points.exact[number])[
            self.points.on_map[number]
        ].tolist():
            outer |= 2 * (x * across + y * down) > across**2 + down**2 + _PIXEL_MORE
        sector = np.floor((np.degrees(np.arctan2(y, x)) + 30) / 60).astype(int) % 6
        # Corner 0 is the top left one, 120 degrees back from the east.
        return self.windows[number][0], [mask & outer & (sector == (corner + 4) % 6) for corner in range(6)]

    def _draw_centre(self, name: str) -> None:
        hex_ = self.map.hexes[name]
        feature = next((word for word in CENTRE_KINDS if word in hex_.features), None)
        if feature == "bridge":
            self._draw_disc(name, _BRIDGE_RADIUS, by_name(STONE_BRIDGE).code, hex_.level)
        elif hex_.building is not None:
            pass  # VASL knows a building by its centre.
        elif feature == "ford":
            self._draw_disc(name, _BRIDGE_RADIUS, by_name("Ford").code)
        elif feature is not None:
            self._draw_disc(name, _BRIDGE_RADIUS, code_of("feature", feature) or 0)
        elif self._needs_dot(hex_):
            self._draw_disc(name, _DOT_RADIUS, fill_code(hex_))

    def _needs_dot(self, hex_: Hex) -> bool:
        """True if a road under the centre would make VASL take other terrain for the main one."""
        centre = terrains()[self._code_at_centre(hex_.name)]
        if centre.kind == ROAD:
            return bool(self._beside_main(hex_)) or _is_wet(hex_.terrain)
        return centre.becomes == "watercourse:canal"

    def _code_at_centre(self, name: str) -> int:
        x, y = self.points.centre[self.number[name]].tolist()
        return int(self.codes[x, y])

    def _draw_hexside(self, a: str, b: str, kinds: frozenset[str], part: tuple[float, float]) -> None:
        kind = next((word for word in _PRECEDENCE if word in kinds), None)
        code = None if kind is None else self._rowhouse(a, b) if kind == "rowhouse" else code_of("hexside", kind)
        if code is None or self.number[b] not in self.points.near[self.number[a]].tolist():
            return
        start, end = self._side_ends(self.number[a], self.number[b])
        way = end - start
        self._draw_band(start + way * part[0], start + way * part[1], _WALL, code)
        for number, other in ((self.number[a], self.number[b]), (self.number[b], self.number[a])):
            x, y = self.points.edges[number][self.points.near[number].tolist().index(other)].tolist()
            self.codes[x, y] = code

    def _rowhouse(self, a: str, b: str) -> int:
        houses = [self.map.hexes[name].building for name in (a, b)]
        storeys = max((house.levels_in(name) for house, name in zip(houses, (a, b), strict=True) if house), default=0)
        return by_name(f"Rowhouse Wall{_storeys(storeys)}").code

    def _stairways(self) -> Iterator[tuple[int, int]]:
        for building in self.map.buildings:
            for name in building.hexes:
                if building.levels_in(name) and terrains()[self._code_at_centre(name)].building:
                    yield self.points.spots[self.number[name]]

    def _house(self, name: str) -> Building:
        building = self.map.hexes[name].building
        assert building is not None, "a building goes on into its own hexes only"
        return building

    def _name(self, number: int) -> str:
        x, y = self.points.centre[number].tolist()
        return self.grid.places[self.grid.geometry.place(x, y)].name

    # Pixels -------------------------------------------------------------------------------------------

    def _draw_disc(self, name: str, radius: float, code: int, level: int | None = None) -> None:
        centre = self.points.exact[self.number[name]]
        self._draw_band(centre, centre, radius, code, level)

    def _draw_band(self, start: Point, end: Point, half: float, code: int, level: int | None = None) -> None:
        """Draw all pixels within a distance of a line from one point to another."""
        low = np.maximum(np.floor(np.minimum(start, end) - half), 0).astype(int)
        high = np.minimum(np.ceil(np.maximum(start, end) + half) + 1, self.grid.size).astype(int)
        if (high <= low).any():
            return
        box = slice(low[0], high[0]), slice(low[1], high[1])
        x, y = np.arange(low[0], high[0])[:, None] - start[0], np.arange(low[1], high[1])[None, :] - start[1]
        (across, down), length = end - start, float(((end - start) ** 2).sum())
        along = np.clip((x * across + y * down) / length, 0, 1) if length else 0
        within = (x - along * across) ** 2 + (y - along * down) ** 2 <= half**2
        self.codes[box][within] = code
        if level is not None:
            self.levels[box][within] = level


def house_code(building: Building, name: str) -> int:
    """Return VASL's code for a building in one of its hexes."""
    if building.material == "hut":
        return by_name("Huts").code
    return by_name(f"{building.material.title()} Building{_storeys(building.levels_in(name))}").code


def _storeys(levels: int) -> str:
    return f", {min(levels, MOST_STOREYS)} Level" if levels else ""


def _vasl_word(word: str) -> str:
    return "water" if word == "pond" else word


def _is_wet(terrain: str) -> bool:
    return terrain in {"water", "river", "pond"}


def order_pair(a: int, b: int) -> Pair:
    """Return the numbers of two hexes, the smaller one first."""
    return min(a, b), max(a, b)
