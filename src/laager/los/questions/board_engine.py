"""The exact engine on a map made from boards: VASL's answer where the boards' terrain data are at hand.

A map keeps which boards it was made of, by file and SHA-256, and how each lies (`HexMap.pictures`). Where the map was
changed since (by hand, by a scenario's rules or overlays, by fire and rubble in the campaign), the boards no longer say
what stands there: a line that passes such a hex gets the approximate answer, marked as such. So does one to which VASL
gives no answer. The table of all pairs that is kept (`exact.tables`) is of the boards alone, and is read only for lines
that these rules leave to the boards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import Any

from laager.base import LaagerError
from laager.hexmap import HexMap
from laager.hexmap.values import Hex, Picture
from laager.los.approximate.hexes import HexLos
from laager.los.approximate.lines import line
from laager.los.exact.fields import BYTE_BLOCKED, BYTE_NO_ANSWER
from laager.los.questions.engine import LosEngine
from laager.los.result import MOST_ABOVE, Hindrance, Location, LosResult, Point

Boards = Callable[[str], Any]
"""Gives the archive of a board by its file's name, or raises DataError if it isn't there."""

VERSION = "VASL 1"
"""The version of the exact engine, for records."""

BYTE_HINDRANCE = 7
"""The bits of a viewshed's byte that hold the hindrance."""
KEPT = 2
"""Maps that are kept with their pixels; a large one takes some 100 MB."""
SLACK = 3
"""Largest distance of a board from where VASL would put it, in pixels."""


_ANSWERS = [(None if code & BYTE_NO_ANSWER else not code & BYTE_BLOCKED, code & BYTE_HINDRANCE) for code in range(256)]
"""What each byte of a viewshed says: clear or not, and the hindrance."""


@dataclass(frozen=True)
class _Ready:
    """The boards of a map, ready for lines of sight; `altered` are the hexes in which the map differs from them."""

    on: Any
    altered: frozenset[str]
    boards: Mapping[str, str]

    @cached_property
    def locations(self) -> Mapping[str, tuple[Location, ...]]:
        """The Locations of each hex from the ground up, by the hexes' names on the map and on the boards."""
        firsts, places = self.on.firsts.tolist(), self.on.locations
        return {
            name: tuple(replace(place, hex=name, elevation=None) for place in places[firsts[i] : firsts[i + 1]])
            for name, i in self.on.by_name.items()
        }

    @cached_property
    def numbers(self) -> Mapping[Location, int]:
        """The numbers of those Locations."""
        firsts, by_name = self.on.firsts.tolist(), self.on.by_name
        return {
            place: number
            for name, places in self.locations.items()
            for number, place in enumerate(places, firsts[by_name[name]])
        }


_kept: dict[str, _Ready] = {}
_lock = Lock()


class BoardLos:
    """Answers as VASL does on the boards of a map, and by hexes where they can't."""

    def __init__(self, map_: HexMap, ready: _Ready, rough: HexLos, changed: frozenset[str]) -> None:
        self.map, self.rough = map_, rough
        self.version, self.boards = VERSION, ready.boards
        self._on, self._ready = ready.on, ready
        self._altered = ready.altered | changed
        self._last: tuple[tuple[Location, int, bool] | None, bytes] = (None, b"")

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The hexes' names on this map, by their names on the boards."""
        return {name: other or name for name, other in zip(self._on.names, self._on.map_names, strict=True)}

    def locations(self, name: str) -> tuple[Location, ...]:
        """Return the Locations of a hex from the ground up, as the boards have them."""
        main = self.map.main(name)
        if main in self._altered:
            return self.rough.locations(main)
        return self._ready.locations.get(main) or self.rough.locations(main)

    def compute_los(self, source: Location, target: Location) -> LosResult:
        """Return whether a Location sees another. Raises RefusedError or DataError if there is no such Location."""
        from laager.los.exact.engine import sight

        if self._passes_altered(source.hex, target.hex):
            return self.rough.compute_los(source, target)
        try:
            result = sight(self._on, source, target)
        except LaagerError:
            return self.rough.compute_los(source, target)
        return (
            self._by_map_names(result, source, target)
            if result.clear is not None
            else self.rough.compute_los(source, target)
        )

    def glance(self, source: Location, target: Location, *, back: bool = False) -> tuple[bool | None, int]:
        """Return the same in short. All lines from a Location, or to it (`back`), are looked along at once."""
        if self._passes_altered(source.hex, target.hex):
            return self.rough.glance(source, target)
        spot, other = (target, source) if back else (source, target)
        try:
            number, codes = self._number_of(other), self._codes(spot, other, back)
        except LaagerError:
            return self.rough.glance(source, target)
        clear, hindrance = _ANSWERS[codes[number]]
        return (clear, hindrance) if clear is not None else self.rough.glance(source, target)

    def _number_of(self, place: Location) -> int:
        """Return where the byte of a Location stands in those of `_codes`. Raises DataError if there is none."""
        if place.kind == "above" and 0 < place.level <= MOST_ABOVE:
            return int(self._on.hex_of(place.hex))
        number = self._ready.numbers.get(place)
        return int(self._on.place(place)) if number is None else number

    def _codes(self, spot: Location, other: Location, back: bool) -> bytes:
        """Return the lines from a Location, or to it, with a byte for each Location of the boards; the last are kept.

        If the other end is above the ground, there is a byte for the point so high above each hex.
        """
        import numpy as np

        from laager.los.exact.engine import AT_ONCE, fans

        height = other.level if other.kind == "above" else 0
        last, codes = self._last
        if last != (spot, height, back):
            number = np.array([self._on.place(spot)])
            others = self._on.above(height) if height else np.arange(len(self._on.locations))
            sources, targets = (others, number) if back else (number, others)
            codes = fans(self._on, sources, targets, AT_ONCE).tobytes()
            self._last = (spot, height, back), codes
        return codes

    def _passes_altered(self, source: str, target: str) -> bool:
        """Return True if a line begins, passes or ends in a hex that the boards no longer show as it is."""
        if not self._altered:
            return False
        first, second = self.map.hex(source), self.map.hex(target)
        if not self._altered.isdisjoint((first.name, second.name)):
            return True
        if first is second:
            return False
        places = self.rough.ground.plots
        for passed in line(second.q - first.q, second.r - first.r).passed:
            plot = places.get((first.q + passed.at[0], first.r + passed.at[1]))
            if plot is not None and plot.name in self._altered:
                return True
        return False

    def _by_map_names(self, result: LosResult, source: Location, target: Location) -> LosResult:
        """Return an answer with the hexes' names on this map."""
        names = self._names
        block = result.block and Point(names.get(result.block.hex, result.block.hex), result.block.x, result.block.y)
        hindrances = tuple(
            Hindrance(names.get(hindrance.hex, hindrance.hex), hindrance.drm) for hindrance in result.hindrances
        )
        return replace(result, source=source, target=target, block=block, hindrances=hindrances)


def board_los(map_: HexMap, rough: HexLos, changed: frozenset[str], boards: Boards) -> LosEngine:
    """Return the exact engine for a map if its boards are at hand and the engine is compiled, else the approximate one.

    `changed` are the hexes that a campaign has changed. Nothing is compiled here: what isn't ready is begun in the
    background.
    """
    from laager.los.exact.compiled import has_numba
    from laager.los.exact.readiness import prepare_in_background
    from laager.los.exact.readiness import ready as compiled

    if not map_.pictures or not has_numba():
        return rough
    if not compiled():
        prepare_in_background()
        return rough
    with _lock:
        prepared = _kept.get(map_.digest) or _prepare_boards(map_, boards)
        if prepared is None:
            # Not kept: somebody else may have the boards.
            return rough
        if map_.digest not in _kept and len(_kept) >= KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[map_.digest] = prepared
    return BoardLos(map_, prepared, rough, changed)


def keep_pairs(map_: HexMap) -> None:
    """See to it that the table of all pairs of a map's boards is made and kept, in the background.

    Nothing happens on a map on which the exact engine hasn't answered in this process.
    """
    with _lock:
        prepared = _kept.get(map_.printed.digest)
    if prepared is not None:
        from laager.los.exact.keeping import make_in_background

        make_in_background(prepared.on)


def forget() -> None:
    """Forget the maps that are kept."""
    with _lock:
        _kept.clear()


def _prepare_boards(map_: HexMap, boards: Boards) -> _Ready | None:
    """Return the boards of a map ready for LOS; None if one isn't there, has no terrain data, or lies strangely."""
    from laager.los.exact.maps import boards_map
    from laager.vasl import board_of, import_boards

    try:
        archives = [boards(picture.file) for picture in map_.pictures]
        if any(archive.sha256 != picture.sha256 for archive, picture in zip(archives, map_.pictures, strict=True)):
            return None
        layout = _layout(map_, archives)
        if layout is None:
            return None
        on = boards_map(archives, layout)
        if on.silent:
            return None
        bare = import_boards(layout, [board_of(archive) for archive in archives]).map
    except LaagerError:
        return None
    return _Ready(
        on, frozenset(_altered_hexes(map_, bare)), {picture.file: picture.sha256 for picture in map_.pictures}
    )


def _layout(map_: HexMap, archives: list[Any]) -> Any:
    """Return how the boards lie on VASL's map, from their pictures under the hexes; None if VASL can't have it."""
    from laager.vasl import arrange
    from laager.vasl.boards.layout import Crop, PlacedBoard
    from laager.vasl.boards.metadata import read_metadata
    from laager.vasl.boards.picture import picture_size

    corners = [_corner(map_, picture) for picture in map_.pictures]
    first = min(x for x, _ in corners), min(y for _, y in corners)
    corners = [(x - first[0], y - first[1]) for x, y in corners]
    lefts, tops = _steps(x for x, _ in corners), _steps(y for _, y in corners)
    placed = []
    for picture, archive, (x, y) in zip(map_.pictures, archives, corners, strict=True):
        metadata = read_metadata(archive)
        size = picture_size(archive, metadata.picture)
        crop = None if picture.part == (0, 0, *size) else Crop(*picture.part)
        cell = _step(lefts, x), _step(tops, y)
        placed.append(PlacedBoard(metadata.name, metadata.geometry, size, *cell, picture.reversed, crop))
    layout = arrange(placed, edge=0)
    near = all(
        abs(x - left) <= SLACK and abs(y - top) <= SLACK
        for (x, y), (left, top) in zip(corners, layout.corners, strict=True)
    )
    return arrange(placed) if near else None


def _corner(map_: HexMap, picture: Picture) -> tuple[float, float]:
    """Return the top left corner of a board's shown part, in pixels of VASL's map."""
    hex_ = map_.hex(picture.hex)
    x, y = hex_.q * picture.hex_size[0], (hex_.r + hex_.q / 2) * picture.hex_size[1]
    left, top, width, height = picture.part
    if picture.reversed:
        return x - (left + width - picture.at[0]), y - (top + height - picture.at[1])
    return x - (picture.at[0] - left), y - (picture.at[1] - top)


def _steps(values: Any) -> list[float]:
    """Return different values in their order; those nearer than some hexes are one."""
    different: list[float] = []
    for value in sorted(values):
        if not different or value - different[-1] > 100:
            different.append(value)
    return different


def _step(steps: list[float], value: float) -> int:
    return max(i for i, step in enumerate(steps) if step <= value)


def _altered_hexes(map_: HexMap, bare: HexMap) -> set[str]:
    """Return the hexes in which a map differs from the boards that it was made of."""
    altered = set()
    for name, hex_ in map_.hexes.items():
        if name not in bare or _ground(hex_) != _ground(bare.hex(name)):
            altered.add(name)
    sides = {side for side in {*map_.hexsides, *bare.hexsides} if _side(map_, side) != _side(bare, side)}
    return altered | {name for side in sides for name in side if name in map_}


def _side(map_: HexMap, side: tuple[str, str]) -> frozenset[str]:
    return map_.hexsides.get(side, frozenset())


def _ground(hex_: Hex) -> tuple[Any, ...]:
    """Return what of a hex has to do with LOS."""
    built = None if hex_.building is None else (hex_.building.material, hex_.building.levels_in(hex_.name))
    return hex_.terrain, hex_.level, hex_.features, hex_.watercourses, built
