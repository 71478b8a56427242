"""FPF Blast Areas: two rows of five hexes (ER CG18; ER GEO-6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from laager.base import Problem
from laager.hexmap.coords import DIRECTIONS, sort_key
from laager.hexmap.hexmap import HexMap

BLAST_LENGTH = 5
"""Length of a Blast Area, in hexes; it is two wide."""

BLAST_REACH = 5
"""Largest distance of its hexes from the Setup or Entry Area that covers it, in hexes."""

_STEPS = tuple(DIRECTIONS.values())
_AREA = "two rows of five hexes, side by side along a hex grain"

Position = tuple[int, int]


@dataclass(frozen=True)
class BlastArea:
    """A Blast Area: its two rows, of which hexes with the same number lie side by side."""

    rows: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def hexes(self) -> frozenset[str]:
        """All its hexes."""
        return frozenset(name for row in self.rows for name in row)

    @property
    def corners(self) -> tuple[str, str, str, str]:
        """Where the FPF counters go (ER CG18a): both ends of the first row, then of the second."""
        first, second = self.rows
        return first[0], first[-1], second[0], second[-1]


def _row_shapes(*, zigzag: bool) -> Iterator[tuple[tuple[Position, ...], Position]]:
    """Yield the rows from a first hex, as steps, each with where the other row lies."""
    for number, step in enumerate(_STEPS):
        for turn in (1, 2, 4, 5):
            yield (step,) * (BLAST_LENGTH - 1), _STEPS[(number + turn) % 6]
    for number, step in enumerate(_STEPS) if zigzag else ():
        for turn in (1, 5):
            other = _STEPS[(number + turn) % 6]
            # To and fro by two neighbouring directions: the other row lies where they differ.
            gap = (step[0] - other[0], step[1] - other[1])
            for beside in (gap, (-gap[0], -gap[1])):
                yield (step, other) * (BLAST_LENGTH // 2), beside


def _follow_steps(start: Position, steps: Iterable[Position]) -> list[Position]:
    row = [start]
    for dq, dr in steps:
        row.append((row[-1][0] + dq, row[-1][1] + dr))
    return row


def _areas_from(map_: HexMap, start: str, places: Mapping[Position, str], *, zigzag: bool) -> Iterator[BlastArea]:
    """Yield the Blast Areas that begin in a hex and have all their hexes among the places."""
    corner = map_.hex(start)
    for steps, (dq, dr) in _row_shapes(zigzag=zigzag):
        row = _follow_steps((corner.q, corner.r), steps)
        rows = [places.get(at) for at in row], [places.get(at) for at in _shift(row, dq, dr)]
        first, second = (tuple(name for name in names if name) for names in rows)
        if len(first) == len(second) == BLAST_LENGTH:
            yield BlastArea((first, second))


def _shift(row: Iterable[Position], dq: int, dr: int) -> list[Position]:
    return [(q + dq, r + dr) for q, r in row]


def blast_area(map_: HexMap, hexes: Iterable[str], *, zigzag: bool = False) -> BlastArea | None:
    """Return the Blast Area that these hexes make, in whatever order; None if they make none.

    `zigzag` allows rows that go to and fro between two grains too, with level ends. Raises
    RefusedError (NO_SUCH) for a hex that is not on the map.
    """
    names = sorted({map_.main(name) for name in hexes}, key=sort_key)
    if len(names) != 2 * BLAST_LENGTH:
        return None
    places = {(hex_.q, hex_.r): hex_.name for hex_ in map(map_.hex, names)}
    areas = (area for name in names for area in _areas_from(map_, name, places, zigzag=zigzag))
    return next(areas, None)


def blast_areas(map_: HexMap, areas: Mapping[str, Collection[str]], *, zigzag: bool = False) -> Iterator[BlastArea]:
    """Yield the Blast Areas in play that one of the areas covers, by first hex; each once."""
    yielded = set[frozenset[str]]()
    covered = [map_.hexes_within(area, BLAST_REACH) & map_.playable for area in areas.values()]
    everything = frozenset[str]().union(*covered)
    places = {(hex_.q, hex_.r): hex_.name for hex_ in map(map_.hex, everything)}
    for name in map_.in_order(everything):
        for area in _areas_from(map_, name, places, zigzag=zigzag):
            if area.hexes not in yielded and any(area.hexes <= reach for reach in covered):
                yielded.add(area.hexes)
                yield area


def blast_area_cover(map_: HexMap, hexes: Collection[str], areas: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the areas that have all the hexes within reach; the players check LOS from one of them."""
    wanted = frozenset(map_.main(name) for name in hexes)
    return tuple(name for name, area in areas.items() if wanted <= map_.hexes_within(area, BLAST_REACH))


def blast_area_problems(
    map_: HexMap, hexes: Collection[str], areas: Mapping[str, Collection[str]], *, zigzag: bool = False
) -> tuple[Problem, ...]:
    """Return the problems of a Blast Area (ER CG18; ER GEO-6); LOS is for the players.

    `areas` are the Setup and Entry Areas of its side, by name. Raises RefusedError (NO_SUCH) for a
    hex that is not on the map.
    """
    problems = []
    if blast_area(map_, hexes, zigzag=zigzag) is None:
        problems.append(Problem("these hexes are not the shape of a Blast Area", _AREA))
    names = map_.in_order(hexes)
    not_in_play = [name for name in names if name not in map_.playable]
    if not_in_play:
        problems.append(Problem(f"{', '.join(not_in_play)} not in play", "choose hexes that are"))
    if not blast_area_cover(map_, names, areas):
        right = f"one single Setup or Entry Area within {BLAST_REACH} hexes of all of them"
        problems.append(Problem(_out_of_reach(map_, names, areas), right))
    return tuple(problems)


def _out_of_reach(map_: HexMap, names: Collection[str], areas: Mapping[str, Collection[str]]) -> str:
    """Say which hexes are too far from the area that covers most of them."""
    far = {
        area: [name for name in names if name not in map_.hexes_within(hexes, BLAST_REACH)]
        for area, hexes in areas.items()
    }
    if not far:
        return "there is no Setup or Entry Area to cover it"
    nearest = min(far, key=lambda area: len(far[area]))
    return f"{', '.join(far[nearest])} too far from {nearest}"
