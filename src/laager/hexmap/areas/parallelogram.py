"""Parallelograms of hexes along a hex grain: Bombardment areas (ER CG15; ER GEO-4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from laager.base import Problem, Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import DIRECTIONS, parse_name, sort_key
from laager.hexmap.hexmap import HexMap, kept_with_map

Position = tuple[int, int]
"""An axial position (q, r), see `coords`; it need not be on a map."""

AREA_SIDES: tuple[tuple[int, int], ...] = ((10, 15), (15, 10))
"""Length and number of the files of a Bombardment area: either way."""

AREA_ADJACENT = 7
"""Hexes of each of two areas that must have a neighbour in the other, at least."""

_NAMES = tuple(DIRECTIONS)
_ALONGS = ("s", "se", "ne", "n", "nw", "sw")
"""The directions of files in the order in which they are tried: from the north west first."""
_MIRROR = {5: 4, 4: 5, 1: 2, 2: 1}
"""Seen from the grain of the files, the other direction that leads to the same next file."""


@dataclass(frozen=True)
class Parallelogram:
    """Files of hexes side by side, all along one hex grain.

    `first` is a corner, `along` the direction of the files (n, ne, se, s, sw, nw), `across` that
    from the first hex of a file to the first of the next; `length` counts the hexes of a file. If
    it is `level` the files go to and fro by half a hex, so that their ends are even as those of a
    mapboard; else all go the same way. Raises RefusedError for directions or sizes that cannot be.
    """

    first: str
    along: str
    across: str
    length: int
    files: int
    level: bool = True

    def __post_init__(self) -> None:
        for word in (self.along, self.across):
            if word not in DIRECTIONS:
                advice = did_you_mean(word, DIRECTIONS)
                raise RefusedError(Refusal.BAD_DATA, f"{word!r} is not a hex grain", advice)
        if self._turn not in _MIRROR:
            text = f"files along {self.along} cannot lie side by side towards {self.across}"
            raise RefusedError(Refusal.BAD_DATA, text, "choose another direction across")
        if min(self.length, self.files) < 1:
            raise RefusedError(Refusal.BAD_DATA, f"{self.length} x {self.files} hexes are not an area; 1 x 1 at least")

    @property
    def _turn(self) -> int:
        return (_NAMES.index(self.across) - _NAMES.index(self.along)) % 6

    @property
    def grains(self) -> frozenset[tuple[str, int]]:
        """The grains (n, ne, se) that its files may be said to run along, with their lengths.

        A slanted area has two: its files across are straight as well.
        """
        grains = {(_grain(self.along), self.length)}
        if not self.level:
            grains.add((_grain(self.across), self.files))
        return frozenset(grains)

    @cached_property
    def offsets(self) -> tuple[Position, ...]:
        """Where its hexes lie as seen from the corner `first`, file by file."""
        (dq, dr), offsets = DIRECTIONS[self.along], []
        other = (_NAMES.index(self.along) + _MIRROR[self._turn]) % 6
        to_and_fro = (self.across, _NAMES[other] if self.level else self.across)
        q, r = 0, 0
        for number in range(self.files):
            offsets += [(q + i * dq, r + i * dr) for i in range(self.length)]
            step = DIRECTIONS[to_and_fro[number % 2]]
            q, r = q + step[0], r + step[1]
        return tuple(offsets)

    def positions(self, map_: HexMap) -> tuple[Position, ...]:
        """Return the positions of its hexes, file by file, whether or not the map has them.

        Raises RefusedError (NO_SUCH) if the map does not have the corner `first`.
        """
        corner = map_.hex(self.first)
        return tuple((corner.q + dq, corner.r + dr) for dq, dr in self.offsets)

    def hexes(self, map_: HexMap) -> frozenset[str]:
        """Return its hexes, those left out that are beyond the map or not in play."""
        names = map_.by_place
        covered = (names.get(position) for position in self.positions(map_))
        return frozenset(name for name in covered if name in map_.playable)

    def name(self, map_: HexMap) -> str:
        """Return its two far corners as people write them: A5-O14."""
        last = map_.by_place.get(self.positions(map_)[-1])
        return f"{self.first}-{last or 'beyond the map'}"


def _grain(direction: str) -> str:
    return _NAMES[_NAMES.index(direction) % 3]


def parallelograms_between(
    map_: HexMap, corner: str, opposite: str, sides: Sequence[tuple[int, int]] = AREA_SIDES
) -> tuple[Parallelogram, ...]:
    """Return every parallelogram of some size between two opposite corners.

    Areas of the same hexes count once. First come those whose hexes have the rows of the corners
    (A5-O14 are the rows 5 to 14 of the columns A to O), level ones before slanted ones. Raises
    RefusedError (NO_SUCH) for a corner that is not on the map.
    """
    first, goal = map_.main(corner), map_.hex(opposite)
    areas: dict[frozenset[Position], Parallelogram] = {}
    for area in _areas_from(first, sides):
        positions = area.positions(map_)
        if positions[-1] == (goal.q, goal.r):
            areas.setdefault(frozenset(positions), area)
    names = map_.by_place
    rows = sorted(_row(name) for name in (first, goal.name))

    def rank(positions: frozenset[Position]) -> tuple[bool, int]:
        on_map = [names[position] for position in positions if position in names]
        outside = sum(not rows[0] <= _row(name) <= rows[1] for name in on_map)
        return not areas[positions].level, outside

    # The sort is stable: among equals the order of the directions decides.
    return tuple(areas[positions] for positions in sorted(areas, key=rank))


def _areas_from(first: str, sides: Sequence[tuple[int, int]]) -> Iterator[Parallelogram]:
    for level, (length, files), along, turn in product((True, False), sides, _ALONGS, _MIRROR):
        across = _NAMES[(_NAMES.index(along) + turn) % 6]
        yield Parallelogram(first, along, across, length, files, level)


def _row(name: str) -> int:
    parts = parse_name(name)
    return parts.row if parts else 0


def bombardment_areas(map_: HexMap, *, level_only: bool = False) -> Iterator[Parallelogram]:
    """Yield every legal Bombardment area of a map, each set of hexes once, by corner in order."""
    in_play = {(hex_.q, hex_.r) for hex_ in map(map_.hex, map_.playable)}
    shapes: dict[frozenset[Position], Parallelogram] = {}
    for area in _areas_from("", AREA_SIDES):
        if area.level or not level_only:
            low = min(area.offsets)
            key = frozenset((q - low[0], r - low[1]) for q, r in area.offsets)
            shapes.setdefault(key, area)
    for first in map_.in_order(map_.playable):
        corner = map_.hex(first)
        for area in shapes.values():
            # The hexes farthest from the corner are the likeliest to be beyond the map.
            far = reversed(area.offsets)
            if all((corner.q + dq, corner.r + dr) in in_play for dq, dr in far):
                yield replace(area, first=first)


@kept_with_map
def area_corners(map_: HexMap, level_only: bool) -> frozenset[str]:
    """Return the hexes that are a corner of some legal Bombardment area of a map."""
    areas = bombardment_areas(map_, level_only=level_only)
    return frozenset(name for area in areas for name in area.name(map_).split("-"))


def count_touching(map_: HexMap, a: Collection[str], b: Collection[str]) -> tuple[int, int]:
    """Return how many hexes of a have a neighbour in b, and how many of b one in a.

    The two share no hex.
    """
    grid, first, second = map_.grid, map_.mask(a), map_.mask(b)
    return (first & grid.grow(second)).bit_count(), (second & grid.grow(first)).bit_count()


def bombardment_problems(
    map_: HexMap, areas: Sequence[Parallelogram], *, level_only: bool = False
) -> tuple[Problem, ...]:
    """Return the problems of the areas chosen for a Bombardment (ER CG15; ER GEO-4).

    `level_only` is the reading that slanted areas are not allowed. Raises RefusedError (NO_SUCH)
    for a corner that is not on the map.
    """
    problems: list[Problem] = []
    if not 1 <= len(areas) <= 2:
        problems.append(Problem(f"there are {len(areas)} areas", "choose one or two"))
    for number, area in enumerate(areas, 1):
        problems += [p.inside(f"[{number}]") for p in _area_problems(map_, area, level_only)]
    if len(areas) == 2:
        problems += _pair_problems(map_, areas[0], areas[1])
    return tuple(problems)


def _area_problems(map_: HexMap, area: Parallelogram, level_only: bool) -> Iterator[Problem]:
    if (area.length, area.files) not in AREA_SIDES:
        yield Problem(f"the area has {area.length} x {area.files} hexes", "10 x 15 are right")
    if level_only and not area.level:
        yield Problem("the ends of the area are slanted", "choose one with level ends")
    names = map_.by_place
    covered = [names.get(position) for position in area.positions(map_)]
    not_in_play = [name for name in covered if name not in map_.playable]
    if not_in_play:
        on_map = sorted((name for name in not_in_play if name), key=sort_key)
        which = f", {on_map[0]} among them" if on_map else ", beyond the map"
        problem = f"{len(not_in_play)} of the {len(covered)} hexes of the area are not in play{which}"
        yield Problem(problem, "choose one whose hexes all are")


def _pair_problems(map_: HexMap, a: Parallelogram, b: Parallelogram) -> Iterator[Problem]:
    if not a.grains & b.grains:
        if {grain for grain, _ in a.grains} & {grain for grain, _ in b.grains}:
            yield Problem("the files of the two areas differ in length", "both 10 hexes long, or both 15")
        else:
            yield Problem("the two areas lie along different hex grains", "choose the same grain for both")
    first, second = a.hexes(map_), b.hexes(map_)
    if first & second:
        shared = map_.in_order(first & second)
        problem = f"the areas overlap: they share {len(shared)} hexes, {shared[0]} among them"
        yield Problem(problem, "areas have no hex in common")
        return
    counts = count_touching(map_, first, second)
    if min(counts) < AREA_ADJACENT:
        problem = f"{counts[0]} hexes of the first area touch the second, {counts[1]} the other way"
        yield Problem(problem, f"{AREA_ADJACENT} at least both ways")
