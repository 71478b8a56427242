"""Ways over the map: the nearest of several hexes, cheapest paths, what is within reach."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from laager.base import Problem
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import is_open_ground

if TYPE_CHECKING:
    import rustworkx


Cost = Mapping[tuple[str, str], float] | Callable[[str, str], float | None]
"""What a step from one hex to the next costs, more than 0.

A mapping has cost 1 for pairs that it leaves out; math.inf (or None from a function) closes a step.
"""
Passable = Callable[[str], bool] | frozenset[str]

_SLACK = 1e-9


class Nearest(NamedTuple):
    """The targets at the least distance, in the stated order; none if there were no targets."""

    hexes: tuple[str, ...]
    distance: int | None


class Path(NamedTuple):
    """A way from the first hex to the last, both included, and what its steps cost."""

    hexes: tuple[str, ...]
    cost: float


def find_nearest(map_: HexMap, start: str, targets: Iterable[str]) -> Nearest:
    """Return all equally near targets of a hex, counted in hexes (PL 3.21: not in MF or MP)."""
    wanted, distance = map_.mask(targets), 0
    if not wanted:
        return Nearest((), None)
    near = map_.mask([start])
    while not near & wanted:
        near, distance = map_.grid.grow(near), distance + 1
    return Nearest(tuple(map_.grid.names_in_order(near & wanted)), distance)


class EvenGround:
    """The hexes of a map that can be entered, every step at the same cost: ways are counted in hexes."""

    def __init__(self, map_: HexMap, passable: frozenset[str]) -> None:
        self.map = map_
        self.open = map_.mask(passable)

    def reachable(self, start: str, limit: float = math.inf) -> dict[str, int]:
        """Return the hexes that can be reached, each with how many hexes away it is by the shortest way.

        The start is one of them, at 0. In the stated order.
        """
        grid, away, reached = self.map.grid, dict[str, int](), 0
        for distance, ring in enumerate(self._rings(start, limit)):
            away.update(dict.fromkeys(grid.list_names(ring), distance))
            reached |= ring
        return {name: away[name] for name in grid.names_in_order(reached)}

    def reachable_of(self, hexes: Iterable[str], start: str, limit: float = math.inf) -> list[str]:
        """Return which of some hexes can be reached, in the stated order."""
        reached = 0
        for ring in self._rings(start, limit):
            reached |= ring
        return self.map.grid.names_in_order(reached & self.map.mask(hexes))

    def _rings(self, start: str, limit: float) -> Iterator[int]:
        """Yield the hexes that are 0, 1, 2, ... steps away."""
        grid = self.map.grid
        reached = ring = self.map.mask([start])
        for distance in itertools.count():
            if not ring or distance > limit:
                return
            yield ring
            ring = grid.grow(ring) & self.open & ~reached
            reached |= ring

    def shortest(self, a: str, b: str, limit: float = math.inf) -> tuple[str, ...] | None:
        """Return the shortest way, from the first hex to the last; None if there is none up to the limit.

        Of equally short ways it is the first, compared hex by hex in the stated order.
        """
        grid, here, goal = self.map.grid, self.map.mask([a]), self.map.mask([b])
        rings, reached = [goal], goal
        # From the end: each ring holds the hexes from which one step leads into the ring before.
        while not rings[-1] & here:
            ring = grid.grow(rings[-1] & self.open) & grid.everything & ~reached
            if not ring or len(rings) > limit:
                return None
            rings.append(ring)
            reached |= ring
        way = [grid.slots[grid.first(here)]]
        for ring in reversed(rings[:-1]):
            here = 1 << grid.first(grid.grow(here) & ring & self.open)
            way.append(grid.slots[grid.first(here)])
        return tuple(way)


class Network:
    """The steps between the hexes of a map and what they cost; build once, ask often.

    `passable` says which hexes may be entered (default: the playable ones), `cost` what a step
    costs (default: 1). Raises ValueError for a cost that is not more than 0.
    """

    def __init__(self, map_: HexMap, passable: Passable | None = None, cost: Cost | None = None) -> None:
        self.map = map_
        self.names = tuple(map_.hexes)
        self.number = {name: i for i, name in enumerate(self.names)}
        enter = map_.playable if passable is None else passable
        if callable(enter):
            open_to = frozenset(name for name in self.names if enter(name))
        else:
            open_to = frozenset(map_.main(name) for name in enter)
        price = _cost_function(map_, cost)
        self.steps: list[tuple[int, int, float]] = []
        for name in self.names:
            for there in map_.neighbours(name):
                paid = price(name, there) if there in open_to else math.inf
                if paid <= 0:
                    raise ValueError(f"the step from {name} to {there} costs {paid}; more than 0")
                if paid < math.inf:
                    self.steps.append((self.number[name], self.number[there], paid))

    @cached_property
    def _steps_from(self) -> dict[int, list[tuple[int, float]]]:
        steps_from: dict[int, list[tuple[int, float]]] = {}
        for here, there, paid in self.steps:
            steps_from.setdefault(here, []).append((there, paid))
        for steps in steps_from.values():
            steps.sort()
        return steps_from

    @cached_property
    def _forward_graph(self) -> rustworkx.PyDiGraph[int, float]:
        return self._graph(self.steps)

    @cached_property
    def _backward_graph(self) -> rustworkx.PyDiGraph[int, float]:
        return self._graph([(there, here, paid) for here, there, paid in self.steps])

    def _graph(self, steps: list[tuple[int, int, float]]) -> rustworkx.PyDiGraph[int, float]:
        import rustworkx

        graph: rustworkx.PyDiGraph[int, float] = rustworkx.PyDiGraph()
        graph.add_nodes_from(range(len(self.names)))
        graph.add_edges_from(steps)
        return graph

    def reachable(self, start: str, limit: float = math.inf) -> dict[str, float]:
        """Return the hexes that can be reached, each with its cost up to the limit, in the stated order.

        The start itself costs 0.
        """
        import rustworkx

        first = self.number[self.map.main(start)]
        paid = dict(rustworkx.digraph_dijkstra_shortest_path_lengths(self._forward_graph, first, float))
        paid[first] = 0.0
        return {name: paid[i] for i, name in enumerate(self.names) if i in paid and paid[i] <= limit + _SLACK}

    def shortest(self, a: str, b: str, limit: float = math.inf) -> Path | None:
        """Return the cheapest way, None if there is none up to the limit.

        Of equally cheap ways it is the first, compared hex by hex in the stated order.
        """
        import rustworkx

        here, goal = self.number[self.map.main(a)], self.number[self.map.main(b)]
        left = dict(rustworkx.digraph_dijkstra_shortest_path_lengths(self._backward_graph, goal, float))
        left[goal] = 0.0
        if here not in left or left[here] > limit + _SLACK:
            return None
        way, cost = [here], 0.0
        while here != goal:
            here, paid = next(
                (there, paid)
                for there, paid in self._steps_from[here]
                if there in left and paid + left[there] <= left[here] + _SLACK
            )
            way.append(here)
            cost += paid
        return Path(tuple(self.names[i] for i in way), cost)


def _cost_function(map_: HexMap, cost: Cost | None) -> Callable[[str, str], float]:
    if cost is None:
        return lambda _here, _there: 1.0
    if callable(cost):
        ask = cost

        def price(here: str, there: str) -> float:
            paid = ask(here, there)
            return math.inf if paid is None else paid

        return price
    prices = {(map_.main(a), map_.main(b)): paid for (a, b), paid in cost.items()}
    return lambda here, there: prices.get((here, there), 1.0)


PATH_MARKERS = 3
"""Markers in one purchase."""

THICK: frozenset[str] = frozenset({"bamboo", "dense-jungle"})
"""Terrain in which a marker counts as two."""


def path_gaps(map_: HexMap) -> frozenset[str]:
    """Return the hexes in play that may separate markers: Open Ground and Palm."""
    hexes = (map_.hexes[name] for name in map_.playable)
    return frozenset(hex_.name for hex_ in hexes if hex_.has("palm") or is_open_ground(hex_))


def path_cost(map_: HexMap, markers: Iterable[str]) -> int:
    """Return how many markers these count for: one a hex, two in Bamboo and dense jungle."""
    return sum(1 if THICK.isdisjoint(map_.hex(name).contents) else 2 for name in markers)


def linked_markers(
    map_: HexMap, markers: Iterable[str], gaps: Iterable[str], *, several: bool = False
) -> frozenset[str]:
    """Return the markers that are connected with the first one, itself included.

    Linked are adjacent markers and those with one of the `gaps` between them, or, if `several`, an
    unbroken run of them.
    """
    grid, names = map_.grid, list(markers)
    wanted, land = map_.mask(names), map_.mask(gaps)
    linked = map_.mask(names[:1])
    while True:
        over = grid.grow(linked) & land
        over = grid.flood(over, land) if several else over
        more = wanted & (grid.grow(linked) | grid.grow(over))
        if more == linked:
            return grid.names(linked)
        linked = more


def jungle_path_problems(map_: HexMap, markers: Sequence[str], *, several: bool = False) -> tuple[Problem, ...]:
    """Return the problems of where the markers of one purchase are (ER CG16; ER GEO-5).

    `several` is the reading that a run of `path_gaps` may separate them. Raises RefusedError (NO_SUCH) for an unknown
    hex.
    """
    names, problems = [map_.main(name) for name in markers], []
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        problems.append(Problem(f"{', '.join(twice)} more than once", "one marker in a hex"))
    names = list(dict.fromkeys(names))
    cost = path_cost(map_, names)
    if cost > PATH_MARKERS:
        right = f"{PATH_MARKERS} at most; Bamboo and dense jungle count two"
        problems.append(Problem(f"the markers count for {cost}", right))
    not_in_play = [name for name in names if name not in map_.playable]
    if not_in_play:
        problems.append(Problem(f"{', '.join(not_in_play)} not in play", "choose hexes that are"))
    linked = linked_markers(map_, names, path_gaps(map_), several=several)
    apart = [name for name in names if name not in linked]
    if apart:
        right = "markers of a purchase are ADJACENT, or an Open Ground or Palm hex is between"
        problems.append(Problem(f"{', '.join(apart)} apart from {names[0]}", right))
    return tuple(problems)
