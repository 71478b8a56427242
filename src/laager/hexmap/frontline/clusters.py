"""Controlled Terrain Hex Clusters (PL 1.4) and what goes into them: PL GEO G3 to G5."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from laager.base import Refusal, RefusedError
from laager.hexmap.grid import Grid, places, union
from laager.hexmap.hexmap import HexMap

Edge = frozenset[str] | tuple[frozenset[str], ...]
"""The hexes of a side's Friendly Map Edge; of each, if the side has several."""

CLUSTER_RADIUS = 2
"""How far Controlled Terrain reaches from a Controlled Strategic hex."""


@dataclass(frozen=True)
class FrontInputs:
    """What the front is worked out from.

    `controlled` are the hexes that each of exactly two sides Controls by Strategic Terrain
    (`strategic.controlled_hexes`), `ground_control` who Controls the ground level of hexes that
    stand under both, `edges` the Friendly Map Edge hexes of each side, edge by edge if it has
    several: links go to the nearest hex of each, or with `nearest_edge_only` to the nearest of all.
    """

    controlled: Mapping[str, frozenset[str]]
    ground_control: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, Edge] = field(default_factory=dict)
    radius: int = CLUSTER_RADIUS
    nearest_edge_only: bool = False

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides. Raises RefusedError unless there are exactly two."""
        if len(self.controlled) != 2:
            shown = ", ".join(self.controlled) or "none"
            raise RefusedError(Refusal.BAD_DATA, "a front lies between exactly two sides", f"these are {shown}")
        first, second = self.controlled
        return first, second


@dataclass(frozen=True)
class ClusterGround:
    """Clusters and No Man's Land of the first kind, as bits of the map's grid, by side.

    `seeds` C, `raw` all hexes within the radius of them, `overlap` N1, `controlled` K, `clusters`
    the connected pieces of K in the stated order, `edges` each Friendly Map Edge;
    `nearest_edge_only` as in `FrontInputs`.
    """

    sides: tuple[str, str]
    seeds: Mapping[str, int]
    raw: Mapping[str, int]
    overlap: int
    controlled: Mapping[str, int]
    clusters: Mapping[str, tuple[int, ...]]
    edges: Mapping[str, tuple[int, ...]]
    nearest_edge_only: bool = False

    def edge(self, side: str) -> int:
        """Return the hexes of all Friendly Map Edges of a side."""
        return union(self.edges[side])

    def link_edges(self, side: str) -> tuple[int, ...]:
        """Return the edges to whose nearest hex a link leads: each for itself, or all as one."""
        edges = self.edges[side]
        return (self.edge(side),) if edges and self.nearest_edge_only else edges

    def enemy(self, side: str) -> str:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first

    def passable(self, map_: HexMap, side: str) -> int:
        """Return the hexes that a link of a side may run through (PL GEO G6).

        Playable, not Controlled Terrain of the enemy, not in the overlap.
        """
        return map_.grid.playable & ~self.controlled[self.enemy(side)] & ~self.overlap


def ground(map_: HexMap, inputs: FrontInputs) -> ClusterGround:
    """Return radii, overlap, Controlled Terrain and clusters of both sides (PL GEO G3 to G5)."""
    grid = map_.grid
    a, b = sides = inputs.sides
    seeds = {side: map_.mask(inputs.controlled[side]) & grid.playable for side in sides}
    raw = {side: grid.ball(seeds[side], inputs.radius) & grid.playable for side in sides}
    # Where both Control something in one hex, its ground level decides; else it is nobody's.
    both = seeds[a] & seeds[b]
    settled = {side: both & _ground_of(map_, inputs, side) for side in sides}
    own = {side: seeds[side] & ~both | settled[side] for side in sides}
    overlap = raw[a] & raw[b] & ~(own[a] | own[b])
    controlled = {a: raw[a] & ~overlap & ~own[b], b: raw[b] & ~overlap & ~own[a]}
    return ClusterGround(
        sides,
        seeds,
        raw,
        overlap,
        controlled,
        {side: tuple(grid.pieces(controlled[side])) for side in sides},
        {side: _edges(map_, inputs.edges.get(side, ())) for side in sides},
        inputs.nearest_edge_only,
    )


def _edges(map_: HexMap, edge: Edge) -> tuple[int, ...]:
    lines = edge if isinstance(edge, tuple) else (edge,)
    masks = (map_.mask(line) & map_.grid.playable for line in lines)
    return tuple(mask for mask in masks if mask)


def _ground_of(map_: HexMap, inputs: FrontInputs, side: str) -> int:
    return map_.mask(name for name, owner in inputs.ground_control.items() if owner == side)


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
        starts = 0
        for ways in self._ways.values():
            starts |= ways[self.length]
        return starts

    def _next(self, here: int, left: int, sectors: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the hexes one step on that still lead to the targets, and in which sectors."""
        sectors_by_place: dict[int, list[int]] = {}
        for sector in sectors:
            onward = self._ways[sector][left - 1]
            for there in places(forward(self.grid, sector, 1 << here) & onward):
                sectors_by_place.setdefault(there, []).append(sector)
        for there in self._in_order(sectors_by_place):
            yield there, tuple(sectors_by_place[there])

    def _in_order(self, numbers: Iterable[int]) -> list[int]:
        return sorted(numbers, key=self._order)

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
    nearest: dict[int, tuple[int, tuple[int, ...]]] = {}
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
                    nearest[number] = (length, sectors)
                    wanted ^= waiting.pop(number)
        edges = [edge & passable for edge in edges]
    return nearest
