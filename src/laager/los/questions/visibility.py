"""Visibility on a map: viewsheds, fields of fire, the best places to look from. Pure functions.

All take a `LosEngine` and answer for the hexes in play. The lines to look along are counted beforehand: more than
`MOST_LINES` are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from laager.base import LaagerError, Refusal, RefusedError
from laager.hexmap import HexMap
from laager.los.questions.engine import LosEngine
from laager.los.result import MOST_ABOVE, Location

MOST_LINES = 60_000
"""Most lines in one request: about three seconds of the approximate engine."""


@dataclass(frozen=True, slots=True)
class SeenHex:
    """The lowest Location of a hex that is seen.

    `clear` is None where there is no answer, False if no Location is seen; `level` is that of the Location that is seen
    (0 for the ground), or how many levels above the ground one must be; `hindrance` is the sum of the DRM on the way.
    """

    clear: bool | None
    hindrance: int = 0
    level: int = 0


@dataclass(frozen=True, slots=True)
class Lookout:
    """A place to look from: of how many hexes it sees the ground, and of how many of those without hindrance."""

    at: Location
    sees: int
    free: int


def in_reach(map_: HexMap, hexes: Iterable[str], range_: int | None) -> list[str]:
    """Return the hexes in play within `range_` of one of the given ones, in the map's order; all for None."""
    if range_ is None:
        return [name for name in map_.hexes if name in map_.playable]
    near = map_.hexes_within(hexes, range_)
    return [name for name in map_.hexes if name in near and name in map_.playable]


def seen_from(eyes: LosEngine, source: Location, hexes: Sequence[str]) -> dict[str, SeenHex]:
    """Return how each hex is seen from a Location. Raises RefusedError or DataError if there is no such Location."""
    _check(len(hexes))
    return {name: _cell(eyes, [(at.level, source, at) for at in _levels(eyes, name)]) for name in hexes}


def seeing(eyes: LosEngine, target: Location, hexes: Sequence[str]) -> dict[str, SeenHex]:
    """Return from where a Location can be seen: of each hex the lowest Location that sees it. Raises as `seen_from`."""
    _check(len(hexes))
    return {name: _cell(eyes, [(at.level, at, target) for at in _levels(eyes, name)], back=True) for name in hexes}


def seen_at(eyes: LosEngine, source: Location, hexes: Sequence[str], level: int) -> dict[str, SeenHex]:
    """Return how the point `level` levels above the ground of each hex is seen; the rest is dead ground at that level.

    Raises as `seen_from`.
    """
    _check(len(hexes))
    return {name: _cell(eyes, [(0, source, _above(name, level))]) for name in hexes}


def hull(eyes: LosEngine, source: Location, hexes: Sequence[str]) -> dict[str, SeenHex]:
    """Return how high above the ground of each hex something must be to be seen from a Location (an observer's hull).

    Beyond `MOST_ABOVE` levels a hex counts as not seen. Raises as `seen_from`.
    """
    by_hex: dict[str, SeenHex] = {}
    left, lines = list(hexes), 0
    for level in range(MOST_ABOVE + 1):
        lines += len(left)
        _check(lines)
        cells = {name: _cell(eyes, [(level, source, _above(name, level))]) for name in left}
        by_hex |= cells
        left = [name for name, cell in cells.items() if cell.clear is False]
    return by_hex


def lowest(first: SeenHex, other: SeenHex | None) -> SeenHex:
    """Return the cell that is seen lower, and with less hindrance there."""
    if other is None or (first.clear and not other.clear):
        return first
    if not first.clear:
        return other if other.clear or first.clear is not None else first
    return min(first, other, key=lambda cell: (cell.level, cell.hindrance))


def _above(name: str, level: int) -> Location:
    return Location(name, "above", level) if level else Location(name)


def counts(eyes: LosEngine, map_: HexMap, sources: Collection[Location], range_: int | None) -> dict[str, int]:
    """Return how many of the sources see the ground of each hex; 0 for a hex in reach that nobody sees.

    Raises RefusedError for more lines than can be looked along.
    """
    reach = {at: in_reach(map_, [at.hex], range_) for at in sources}
    _check(sum(map(len, reach.values())))
    numbers = {name: 0 for hexes in reach.values() for name in hexes}
    for at in sources:
        for name in reach[at]:
            numbers[name] += _sees(eyes, at, Location(name))[0]
    return {name: numbers[name] for name in map_.hexes if name in numbers}


def best(
    eyes: LosEngine,
    map_: HexMap,
    places: Sequence[Location],
    range_: int | None,
    targets: Collection[str] | None = None,
) -> tuple[list[Lookout], int]:
    """Return places by what they see: those first that see the ground of most of the targets (all hexes in play).

    Where there would be too many lines, only every second, third … target is looked at; that number comes second.
    """
    wanted = map_.playable if targets is None else targets
    reach = {at: [name for name in in_reach(map_, [at.hex], range_) if name in wanted] for at in places}
    every = 1 + sum(map(len, reach.values())) // MOST_LINES
    lookouts = []
    for at in places:
        seen = [_sees(eyes, at, Location(name)) for name in reach[at][::every] if name != at.hex]
        lookouts.append(
            Lookout(at, sum(is_seen for is_seen, _ in seen), sum(is_seen and not drm for is_seen, drm in seen))
        )
    return sorted(lookouts, key=lambda lookout: (-lookout.sees, -lookout.free)), every


def _check(lines: int) -> None:
    if lines > MOST_LINES:
        problem = f"that is {lines} lines to look along; {MOST_LINES} at most"
        raise RefusedError(Refusal.BAD_DATA, problem, "choose a shorter range")


def _levels(eyes: LosEngine, name: str) -> list[Location]:
    """Return the ground of a hex and its upper levels."""
    return [at for at in eyes.locations(name) if at.kind in ("ground", "level")]


def _cell(eyes: LosEngine, lines: Iterable[tuple[int, Location, Location]], *, back: bool = False) -> SeenHex:
    """Return how a hex is seen along its lines, from the ground up. `back`: all have the same target."""
    unsure = False
    for level, source, target in lines:
        clear, hindrance = eyes.glance(source, target, back=back)
        if clear:
            return SeenHex(True, hindrance, level)
        unsure |= clear is None
    return SeenHex(None if unsure else False)


def _sees(eyes: LosEngine, source: Location, target: Location) -> tuple[bool, int]:
    """Return whether a Location sees another, and the hindrance; not if there is no such Location."""
    try:
        clear, hindrance = eyes.glance(source, target)
    except LaagerError:
        return False, 0
    return bool(clear), hindrance
