"""Shortest chains of adjacent hexes: which there are, how many, and the first of them.

A chain between two hexes is as short as their distance exactly when all its steps go in at most
two neighbouring directions. So the six pairs of neighbouring directions (sectors) are tried one
by one, each for whole sets of hexes at once, and no distances have to be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from laager.hexmap.grid import Grid, places, union

SECTORS = range(6)


def forward(grid: Grid, sector: int, mask: int) -> int:
    """Return where one step in either direction of a sector leads."""
    return grid.step(mask, sector) | grid.step(mask, (sector + 1) % 6)


def backward(grid: Grid, sector: int, mask: int) -> int:
    """Return from where one step in either direction of a sector leads into the set."""
    return forward(grid, (sector + 3) % 6, mask)


class Chains:
    """All chains of one length from a set of hexes to another that are shortest for their ends.

    Every hex between the ends is in `passable`. They come in the order in which chains are
    compared: hex by hex, in the stated order or by the key `order`.
    """

    def __init__(
        self,
        grid: Grid,
        starts: int,
        targets: int,
        passable: int,
        length: int,
        sectors: tuple[int, ...] = tuple(SECTORS),
        *,
        order: Callable[[int], Any] | None = None,
    ) -> None:
        self.grid = grid
        self._order = order or grid.rank.__getitem__
        self.length = length
        # For each sector: from which hexes the targets are k steps away, k counted from 0.
        self._ways: dict[int, list[int]] = {}
        for sector in sectors:
            ways = [targets]
            while ways[-1] and len(ways) < length:
                ways.append(backward(grid, sector, ways[-1]) & passable)
            ways.append(backward(grid, sector, ways[-1]) & starts)
            if len(ways) == length + 1 and ways[-1]:
                self._ways[sector] = ways

    def __bool__(self) -> bool:
        return bool(self._ways)

    @property
    def _starts(self) -> int:
        found = 0
        for ways in self._ways.values():
            found |= ways[self.length]
        return found

    def _next(self, here: int, left: int, sectors: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the hexes one step on that still lead to the targets, and in which sectors."""
        found: dict[int, list[int]] = {}
        for sector in sectors:
            onward = self._ways[sector][left - 1]
            for there in places(forward(self.grid, sector, 1 << here) & onward):
                found.setdefault(there, []).append(sector)
        for there in self._in_order(found):
            yield there, tuple(found[there])

    def _in_order(self, found: Iterable[int]) -> list[int]:
        return sorted(found, key=self._order)

    def first(self) -> tuple[int, ...]:
        """Return the first chain, both ends included, as places of bits. There must be one."""
        here = self._in_order(places(self._starts))[0]
        chain, sectors = [here], tuple(self._ways)
        for left in range(self.length, 0, -1):
            here, sectors = next(self._next(here, left, sectors))
            chain.append(here)
        return tuple(chain)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        for here in self._in_order(places(self._starts)):
            yield from self._from((here,), self.length, tuple(self._ways))

    def _from(self, chain: tuple[int, ...], left: int, sectors: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if left == 0:
            yield chain
            return
        for there, kept in self._next(chain[-1], left, sectors):
            yield from self._from((*chain, there), left - 1, kept)

    @cached_property
    def count(self) -> int:
        """How many chains there are (which can be very many)."""
        known: dict[tuple[int, int, tuple[int, ...]], int] = {}

        def ways_on(here: int, left: int, sectors: tuple[int, ...]) -> int:
            if left == 0:
                return 1
            key = (here, left, sectors)
            if key not in known:
                onward = self._next(here, left, sectors)
                known[key] = sum(ways_on(there, left - 1, kept) for there, kept in onward)
            return known[key]

        sectors = tuple(self._ways)
        return sum(ways_on(here, self.length, sectors) for here in places(self._starts))


def nearest_links(grid: Grid, start: int, others: list[int], passable: int) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return for each other set the least length of a legal chain to it, and its sectors.

    Keyed by the number in `others`; sets that no chain reaches are left out.
    """
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    waiting = dict(enumerate(others))
    wanted = union(others)
    h, k = grid.height, grid.height - 1
    edges = [start] * 6
    length = 0
    while waiting and any(edges):
        length += 1
        # `forward` for all six sectors, written out: most of the time of a front is spent here.
        e0, e1, e2, e3, e4, e5 = edges
        edges = [
            *(e0 >> 1 | e0 << k, e1 << k | e1 << h, e2 << h | e2 << 1),
            *(e3 << 1 | e3 >> k, e4 >> k | e4 >> h, e5 >> h | e5 >> 1),
        ]
        if union(edges) & wanted:
            for number, other in list(waiting.items()):
                sectors = tuple(sector for sector in SECTORS if edges[sector] & other)
                if sectors:
                    found[number] = (length, sectors)
                    wanted ^= waiting.pop(number)
        edges = [edge & passable for edge in edges]
    return found
