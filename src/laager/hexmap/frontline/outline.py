"""What a line encloses (PL GEO G8), and for a side with several map edges the edge links that enclose most (G12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from laager.hexmap.frontline.clusters import Chains
from laager.hexmap.grid import Grid, places, union
from laager.hexmap.hexmap import HexMap


def region(map_: HexMap, wall: int, edge: int) -> int:
    """Return a line with everything that it encloses (PL GEO G8), as bits of the map's grid.

    Enclosed is what can't be reached from the map's rim without crossing the line; from hexes of
    the Friendly Map Edge nobody comes. On a playable area in several pieces a line encloses
    nothing in a piece that it does not touch.
    """
    grid = map_.grid
    free = grid.playable & ~wall
    reached = grid.flood(grid.rim & ~edge, free)
    inside = free & ~reached
    if inside and not grid.in_one_piece:
        inside &= grid.flood(wall, grid.playable)
    return wall | inside


def distance_balls(grid: Grid, edge: int) -> list[int]:
    """Return the hexes within 0, 1, 2 ... of the edge, up to the whole map."""
    balls = [edge]
    while grid.playable & ~balls[-1]:
        balls.append(grid.grow(balls[-1]))
    return balls


class EdgeChains:
    """All legal chains from the hexes of a group to one map edge.

    A chain is shortest exactly if every step of it comes nearer to the edge. `levels` are the
    hexes of all chains by their distance from the edge.
    """

    def __init__(self, grid: Grid, group: int, edge: int, passable: int) -> None:
        self.grid, self.group, self.edge, self.passable = grid, group, edge, passable
        balls = distance_balls(grid, edge)
        leading = [edge & passable]
        for nearer, ball in pairwise(balls):
            leading.append(ball & ~nearer & passable & grid.grow(leading[-1]))
        self.levels = [0] * (len(leading) + 1)
        for away in range(len(leading) - 1, -1, -1):
            starts = group if away else 0
            self.levels[away] = leading[away] & (starts | grid.grow(self.levels[away + 1]))

    def best_chain(self, wanted: int) -> tuple[int, tuple[int, ...]]:
        """Return the chain that holds most of the wanted hexes, and how many; of equal ones a shortest, the first."""
        grid = self.grid
        held: dict[int, int] = {}
        onward: dict[int, int] = {}
        for away, level in enumerate(self.levels):
            for place in places(level):
                held[place] = wanted >> place & 1
                if away:
                    near = places(grid.grow(1 << place) & self.levels[away - 1])
                    onward[place] = min(near, key=lambda hex_: (-held[hex_], grid.rank[hex_]))
                    held[place] += held[onward[place]]
        starts = (place for level in self.levels[1:] for place in places(level & self.group))
        away_of = {place: away for away, level in enumerate(self.levels) for place in places(level)}
        here = min(starts, key=lambda hex_: (-held[hex_], away_of[hex_], grid.rank[hex_]), default=None)
        if here is None:
            return 0, ()
        chain = [here]
        while chain[-1] in onward:
            chain.append(onward[chain[-1]])
        return held[here], tuple(chain)

    def alternatives(self, chain: Sequence[int]) -> Chains:
        """Return all chains from the start of a chain that are as short; the chain itself is their first."""
        start, away = 1 << chain[0], len(chain) - 1
        near = self.edge & self.grid.ball(start, away) & self.passable
        members, rank = frozenset(chain), self.grid.rank
        return Chains(
            self.grid, start, near, self.passable, away, order=lambda place: (place not in members, rank[place])
        )


def enclosing_chains(
    map_: HexMap, group: int, line: int, edges: Sequence[int], home: int, passable: int
) -> Iterator[Chains]:
    """Yield few chains from a group to map edges that enclose as much as all legal ones together.

    `line` is the group with its links between clusters, `edges` those to whose nearest hex a
    chain leads, `home` the hexes of all Friendly Map Edges. A line encloses the most exactly if
    no hex of it that faces the outside is missing.
    """
    grid = map_.grid
    every = [EdgeChains(grid, group, edge, passable) for edge in edges]
    wall = line | union(level for edge_chains in every for level in edge_chains.levels)
    outside = grid.playable & ~region(map_, wall, home)
    facing = wall & ~line & (grid.grow(outside) | grid.rim & ~home)
    chosen: list[tuple[tuple[int, ...], EdgeChains]] = []
    while missing := facing & ~_hexes_on(chosen):
        _, chain, best = min(_candidates(every, missing), key=lambda candidate: (-candidate[0], len(candidate[1])))
        chosen.append((chain, best))
    for link in reversed(chosen[:]):
        others = [other for other in chosen if other is not link]
        if not facing & ~_hexes_on(others):
            chosen = others
    for chain, edge_of_chain in sorted(chosen, key=lambda link: [grid.rank[place] for place in link[0]]):
        yield edge_of_chain.alternatives(chain)


def _candidates(every: Sequence[EdgeChains], missing: int) -> Iterator[tuple[int, tuple[int, ...], EdgeChains]]:
    """Yield for each map edge the chain that holds most of the missing hexes, and how many."""
    for chains in every:
        number, chain = chains.best_chain(missing)
        yield number, chain, chains


def _hexes_on(chosen: Sequence[tuple[tuple[int, ...], EdgeChains]]) -> int:
    """Return the hexes of all chosen chains."""
    return union(1 << place for chain, _ in chosen for place in chain)
