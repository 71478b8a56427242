"""A map ready for lines of sight: every pixel, every hex and every Location as numbers for the kernels."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from laager.base import DataError, Problem, did_you_mean
from laager.los.exact import fields as f
from laager.los.exact import kinds
from laager.los.exact.derive import Codes, Floor, Hexes, Levels
from laager.los.exact.grid import Ints, PixelGrid, spans_of
from laager.los.exact.kernels.points import Arrays
from laager.los.result import MOST_ABOVE, Kind, Location, location

Rectangle = tuple[int, int, int, int]

_OPEN = 0
"""The code of Open Ground."""


@dataclass(frozen=True, eq=False)
class LosMap:
    """A board, or several beside one another, ready for lines of sight.

    `names` are those of the hexes, `locations` the Locations in them, hex by hex; bypass and the points over the ground
    come on top and aren't listed. `sha256` are the archives it was made of, by board. `silent` says why VASL has no LOS
    on the whole map, and is empty where it has; `unclear` are rectangles (x, y, width, height) of the map where VASL
    gives no answer, or isn't to be trusted, with the reason. `deviations` are the names of those that were chosen,
    `map_names` the hexes' names on Laager's own map of the boards.
    """

    name: str
    grid: PixelGrid
    names: tuple[str, ...]
    hexes: Hexes
    arrays: Arrays
    locations: tuple[Location, ...]
    sha256: tuple[tuple[str, str], ...] = ()
    silent: str = ""
    unclear: tuple[tuple[Rectangle, str], ...] = ()
    deviations: tuple[str, ...] = ()
    map_names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<LosMap {self.name}: {len(self.names)} hexes, {len(self.locations)} Locations>"

    @cached_property
    def by_name(self) -> Mapping[str, int]:
        """The numbers of the hexes by name, also by that on Laager's map of the boards."""
        names = {name: i for i, name in enumerate(self.map_names) if name}
        return MappingProxyType(names | {name: i for i, name in enumerate(self.names)})

    @cached_property
    def _places(self) -> Mapping[Location, int]:
        return {place: i for i, place in enumerate(self.locations)}

    def hex_of(self, name: str) -> int:
        """Return the number of a hex. Raises DataError, saying which hexes there are."""
        number = self.by_name.get(name)
        if number is None:
            known = f"from {self.names[0]} to {self.names[-1]}" if self.names else "the map has none"
            nearly = did_you_mean(name, self.names, "the hexes are")
            right = nearly if "did you mean" in nearly else f"the hexes are {known}"
            raise DataError([Problem(f"{self.name} has no hex {name[:20]!a}", right)])
        return number

    def of_hex(self, name: str) -> tuple[Location, ...]:
        """Return the Locations of a hex: the ground first. Raises DataError if the hex doesn't exist."""
        number = self.hex_of(name)
        first, last = self.firsts[number], self.firsts[number + 1]
        return self.locations[first:last]

    @cached_property
    def firsts(self) -> Ints:
        """The number of each hex's first Location, and at the end how many Locations there are."""
        counts = [1 + len(upper) + len(lower) for upper, lower in zip(self.hexes.upper, self.hexes.lower, strict=True)]
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def place(self, wanted: Location | str) -> int:
        """Return the number of a Location among the kernels' places. Raises DataError if there is no such one."""
        asked = location(wanted) if isinstance(wanted, str) else wanted
        number = self.hex_of(asked.hex)
        if asked.kind == "bypass" and asked.vertex is not None:
            if not self.grid.on_map[number, asked.vertex]:
                problem = f"{asked.hex} has no hexside {asked.vertex} on the map"
                raise DataError([Problem(problem, "hexsides go clockwise from 0, the top")])
            return len(self.locations) + 12 * number + f.VERTICES_APART * asked.far + asked.vertex
        if asked.kind == "above" and 0 < asked.level <= MOST_ABOVE:
            return int(self.above(asked.level)[number])
        number_of_place = self._places.get(replace(asked, hex=self.names[number]))
        if number_of_place is None:
            present = ", ".join(map(str, self.of_hex(asked.hex)))
            raise DataError(
                [Problem(f"{self.name} has no Location {asked}", f"there are: {present}; and bypass 0 to 5")]
            )
        return number_of_place

    def location_of(self, place: int) -> Location:
        """Return the Location of a place by its number."""
        if place < len(self.locations):
            return self.locations[place]
        number, side = divmod(place - len(self.locations), 12)
        if number < len(self.names):
            base = int(self.hexes.base[number])
            return Location(self.names[number], "bypass", vertex=side % 6, far=side > 5, elevation=base)
        level, number = divmod(place - len(self.locations) - 12 * len(self.names), len(self.names))
        return Location(self.names[number], "above", level + 1, elevation=int(self.hexes.base[number]) + level + 1)

    def above(self, level: int) -> Ints:
        """Return the numbers of the points `level` levels (1 to `MOST_ABOVE`) above the ground of the hexes."""
        count = len(self.names)
        return len(self.locations) + count * (11 + level) + np.arange(count)

    def hex_at(self, x: int, y: int) -> str:
        """Return the name of the hex at a pixel; nothing where there is none."""
        if not (0 <= x < self.grid.width and 0 <= y < self.grid.height):
            return ""
        number = (int(self.pixels[x, y]) >> f.HEX_SHIFT) & f.HEX_MASK
        return self.names[number - 1] if number else ""

    def reason_unanswered(self, source: int, target: int) -> str:
        """Return why there is no answer between two places, by their numbers; nothing where there is one."""
        if self.silent or not self.unclear:
            return self.silent
        places = self.arrays.places
        first, other = places[source], places[target]
        ends = (int(first[f.P_X]), int(first[f.P_Y]), int(other[f.P_X]), int(other[f.P_Y]))
        return next((why for rectangle, why in self.unclear if crosses(ends, rectangle)), "")

    @cached_property
    def fingerprint(self) -> str:
        """The hash of all on the map that answers depend on."""
        digest = hashlib.blake2b(digest_size=20)
        digest.update(repr((self.deviations, self.silent, self.unclear, self.grid.columns, self.grid.rows)).encode())
        # The pixels stand twice in the words.
        for part in self.arrays._replace(words=self.pixels):
            digest.update(repr((part.shape, part.dtype.str)).encode())
            digest.update(np.ascontiguousarray(part).data)
        return digest.hexdigest()

    @property
    def pixels(self) -> NDArray[np.int32]:
        """The words of the pixels by x and y; `fields` says what is in one."""
        words: NDArray[np.int32] = self.arrays.words
        return words[: len(words) // 2].reshape(self.grid.size)


def crosses(line: tuple[int, int, int, int], rectangle: Rectangle) -> bool:
    """Return True if a line (x, y, x, y) meets a rectangle (x, y, width, height), its edges included."""
    x1, y1, x2, y2 = line
    left, top, width, height = rectangle
    low, high = 0.0, 1.0
    for start, way, least, most in ((x1, x2 - x1, left, left + width), (y1, y2 - y1, top, top + height)):
        if way == 0:
            if not least <= start <= most:
                return False
            continue
        enter, leave = sorted(((least - start) / way, (most - start) / way))
        low, high = max(low, enter), min(high, leave)
    return low <= high


def los_map(
    name: str,
    grid: PixelGrid,
    names: Sequence[str],
    pixels: tuple[Codes, Levels],
    hexes: Hexes,
    sha256: Sequence[tuple[str, str]] = (),
) -> LosMap:
    """Return a map of pixels and what was derived of them. Raises DataError if it has too many hexes."""
    if grid.count > f.MOST_HEXES:
        raise DataError([Problem(f"{name} has {grid.count} hexes", f"{f.MOST_HEXES} at most")])
    firsts, places = _places(grid, hexes, names)
    rows = _hex_rows(grid, hexes)
    words = _words(grid, *pixels)
    tops, spans = spans_of(grid.borders)
    rows[:, f.TOP] = tops
    rows[:, f.X_FROM], rows[:, f.X_TO] = grid.borders[..., 0].min(axis=1), grid.borders[..., 0].max(axis=1)
    rows[:, f.Y_TO] = grid.borders[..., 1].max(axis=1)
    hills = bool((rows[:, f.HILLOCK] >= 0).any())
    walls = bool((kinds.flags()[hexes.place] & f.EMBANKMENT).any())
    whole = np.array([*grid.size, hills, walls, hexes.slope.any()], np.int64)
    ground = Arrays(rows, places, kinds.flags(), kinds.heights(), words, spans, whole)
    return LosMap(name, grid, tuple(names), hexes, ground, firsts, tuple(sha256))


def _places(grid: PixelGrid, hexes: Hexes, names: Sequence[str]) -> tuple[tuple[Location, ...], Ints]:
    """Return the Locations, and the rows of the kernels for them and for bypass."""
    locations: list[Location] = []
    rows: list[tuple[int, ...]] = []
    for i, (x, y) in enumerate(grid.centre.tolist()):
        base = int(hexes.base[i])
        centre = Floor("ground", 0, int(hexes.centre[i]), bool(hexes.depressed[i]))
        for floor in (centre, *hexes.upper[i], *hexes.lower[i]):
            level = floor.height if floor.kind == "level" else 0
            kind: Kind = floor.kind  # type: ignore[assignment]
            locations.append(Location(names[i], kind, level, elevation=base + floor.height))
            rows.append((i, base + floor.height, floor.code, floor.depressed, 1, floor.kind == "ground", x, y))
    for i in range(grid.count):
        base, vertices = int(hexes.base[i]), grid.vertices[i].tolist()
        for end in (0, 1):
            for side in range(6):
                x, y = vertices[(side + end) % 6]
                rows.append((i, base, int(hexes.place[i, side]), int(hexes.mark[i, side]), 0, 0, x, y))
    for level in range(1, MOST_ABOVE + 1):
        for i, (x, y) in enumerate(grid.centre.tolist()):
            # Where a building has that level, it is that.
            code = next(
                (floor.code for floor in hexes.upper[i] if floor.kind == "level" and floor.height == level), _OPEN
            )
            rows.append((i, int(hexes.base[i]) + level, code, 0, 1, 0, x, y))
    return tuple(locations), np.array(rows, np.int64)


def _hex_rows(grid: PixelGrid, hexes: Hexes) -> Ints:
    rows = np.zeros((grid.count, f.HEX_FIELDS), np.int64)
    bits = 1 << np.arange(6)
    rows[:, f.CX : f.CY + 1] = grid.centre
    rows[:, f.AQ : f.AR + 1] = grid.axial
    rows[:, f.BASE], rows[:, f.CENTRE] = hexes.base, hexes.centre
    rows[:, f.DEPRESSED], rows[:, f.STAIRS] = hexes.depressed, hexes.stairs
    for column, flags in (
        (f.SLOPES, hexes.slope),
        (f.CLIFFS, hexes.cliff),
        (f.ON_MAP, grid.on_map),
        (f.MARKS, hexes.mark),
    ):
        rows[:, column] = flags @ bits
    rows[:, f.HILLOCK] = _hillocks(grid, hexes)
    for column, six in (
        *((f.NEAR, grid.near), (f.PLACE, hexes.place), (f.SIDE, hexes.side)),
        *((f.EDGE_X, grid.edges[..., 0]), (f.EDGE_Y, grid.edges[..., 1])),
        *((f.VERTEX_X, grid.vertices[..., 0]), (f.VERTEX_Y, grid.vertices[..., 1])),
        *((f.BORDER_X, grid.borders[..., 0]), (f.BORDER_Y, grid.borders[..., 1])),
    ):
        rows[:, column : column + 6] = six
    full = np.append(kinds.flags()[hexes.centre] & f.INHERENT != 0, False)
    rows[:, f.SAFE] = ~(full[:-1] | full[grid.near].any(axis=1))
    return rows


def _hillocks(grid: PixelGrid, hexes: Hexes) -> Ints:
    """Return the hillock that each hex belongs to, -1 for none: hillock hexes next to one another are one."""
    groups = np.full(grid.count, -1, np.int64)
    hills = {int(i) for i in np.flatnonzero(kinds.flags()[hexes.centre] & f.IS_HILLOCK)}
    while hills:
        group = min(hills)
        waiting = [group]
        while waiting:
            hex_ = waiting.pop()
            if hex_ in hills:
                hills.remove(hex_)
                groups[hex_] = group
                waiting += grid.near[hex_][grid.near[hex_] >= 0].tolist()
    return groups


def _words(grid: PixelGrid, codes: Codes, levels: Levels) -> NDArray[np.int32]:
    """Return the pixels as words, column by column and row by row: a line's slope says which of them is quick."""
    count = levels.size
    both = np.empty(2 * count, np.int32)
    words = both[:count].reshape(levels.shape)
    # In place: a large board has six million pixels.
    words[:] = grid.hexes_of_pixels()
    words += 1
    rough = kinds.rough()[codes] | (words == 0)
    words <<= f.LEVEL_SHIFT
    words += levels
    words += 128
    words <<= f.HEX_SHIFT - f.LEVEL_SHIFT
    words |= codes
    np.bitwise_or(words, f.ROUGH, out=words, where=rough)
    both[count:].reshape(levels.shape[::-1])[:] = words.T
    return both
