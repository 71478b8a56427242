"""The front once more, slowly and straight from the definitions, sharing no code with Laager.

Hexes are (column, row) pairs; which ones touch follows from the naming rule alone. Everything is
found by trying all there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Spot = tuple[int, int]
Spots = frozenset[Spot]
Chain = tuple[Spot, ...]


def around(spot: Spot) -> list[Spot]:
    """In column A, C, E ... hex n touches n - 1 and n next door; in B, D, F ... n and n + 1."""
    column, row = spot
    low = column % 2
    beside = [(column + dc, row + dr) for dc in (-1, 1) for dr in (low - 1, low)]
    return [(column, row - 1), (column, row + 1), *beside]


def distance(a: Spot, b: Spot) -> int:
    across = abs(a[0] - b[0])
    down = abs((2 * a[1] + a[0] % 2) - (2 * b[1] + b[0] % 2))
    return across + max(0, down - across) // 2


def pieces(spots: Iterable[Spot]) -> list[Spots]:
    left, found = set(spots), []
    while left:
        todo, piece = [min(left)], set[Spot]()
        while todo:
            here = todo.pop()
            if here in left:
                left.remove(here)
                piece.add(here)
                todo += around(here)
        found.append(frozenset(piece))
    return sorted(found, key=min)


def rim(playable: Spots) -> Spots:
    """Playable hexes next to something unplayable that is joined to the outside world."""
    columns = [column for column, _ in playable]
    rows = [row for _, row in playable]
    frame = {
        (column, row)
        for column in range(min(columns) - 2, max(columns) + 3)
        for row in range(min(rows) - 2, max(rows) + 3)
    }
    outside = next(p for p in pieces(frame - playable) if min(frame) in p)
    return frozenset(one for one in playable if outside & set(around(one)))


def chains(a: Spot, b: Spot, free: Spots, end_free: bool) -> list[Chain]:
    """All chains from a to b no longer than their distance whose inner hexes are free."""
    if end_free and b not in free:
        return []

    def onward(chain: Chain) -> list[Chain]:
        here = chain[-1]
        if here == b:
            return [chain]
        found = []
        for there in around(here):
            if distance(there, b) == distance(here, b) - 1 and (there == b or there in free):
                found += onward((*chain, there))
        return found

    return onward((a,))


@dataclass
class Reference:
    playable: Spots
    seeds: dict[str, Spots]
    ground: dict[Spot, str]
    edges: dict[str, list[Spots]]
    radius: int
    nearest_edge_only: bool = False

    def __post_init__(self) -> None:
        a, b = self.sides = tuple(self.seeds)
        self.raw = {
            side: frozenset(h for h in self.playable if any(distance(h, c) <= self.radius for c in self.seeds[side]))
            for side in self.sides
        }
        own = {}
        for side, enemy in ((a, b), (b, a)):
            own[side] = frozenset(
                h for h in self.seeds[side] if h not in self.seeds[enemy] or self.ground.get(h) == side
            )
        self.overlap = frozenset(h for h in self.raw[a] & self.raw[b] if h not in own[a] and h not in own[b])
        self.controlled = {a: self.raw[a] - self.overlap - own[b], b: self.raw[b] - self.overlap - own[a]}
        self.clusters = {side: pieces(self.controlled[side]) for side in self.sides}

    def enemy(self, side: str) -> str:
        return self.sides[1 - self.sides.index(side)]

    def free(self, side: str) -> Spots:
        return self.playable - self.controlled[self.enemy(side)] - self.overlap

    def best(self, ends: Iterable[tuple[Spot, Spot]], side: str, edge: bool) -> list[Chain]:
        """All legal chains of the least length for which there are any, in order."""
        by_length: dict[int, list[Chain]] = {}
        pairs = sorted(ends, key=lambda pair: distance(*pair))
        for x, y in pairs:
            if by_length and distance(x, y) > min(by_length):
                break
            for chain in chains(x, y, self.free(side), edge):
                by_length.setdefault(len(chain) - 1, []).append(chain)
        return sorted(by_length[min(by_length)]) if by_length else []

    def cluster_choices(self, side: str) -> list[list[Chain]]:
        found = []
        clusters = self.clusters[side]
        for i, one in enumerate(clusters):
            for other in clusters[i + 1 :]:
                best = self.best(((x, y) for x in one for y in other), side, edge=False)
                if best:
                    found.append(best)
        return found

    def groups(self, side: str, links: Iterable[Chain]) -> list[Spots]:
        """Clusters that links join, the ends of each link taken for neighbours."""
        groups = [set(one) for one in self.clusters[side]]
        for chain in links:
            touched = [one for one in groups if chain[0] in one or chain[-1] in one]
            groups = [one for one in groups if one not in touched]
            groups.append(set().union(*touched))
        return sorted((frozenset(one) for one in groups), key=min)

    def several_edges(self, side: str) -> bool:
        return sum(map(bool, self.edges[side])) > 1

    def link_edges(self, side: str) -> list[Spots]:
        """The edges to whose nearest hex a link leads."""
        edges = [edge for edge in self.edges[side] if edge]
        return [frozenset[Spot]().union(*edges)] if edges and self.nearest_edge_only else edges

    def edge_chains(self, side: str) -> list[Chain]:
        """All legal chains to a map edge, from every hex of the side."""
        found = []
        for edge in self.link_edges(side):
            for start in sorted(self.controlled[side] - edge):
                away = min(distance(start, e) for e in edge)
                for end in sorted(e for e in edge if distance(start, e) == away):
                    found += chains(start, end, self.free(side), True)
        return found

    def edge_choices(self, side: str, links: Iterable[Chain]) -> list[list[Chain]]:
        found: dict[Chain, list[Chain]] = {}
        for group in self.groups(side, links):
            for edge in self.link_edges(side):
                for best in self.flank_choices(side, group, edge):
                    found.setdefault(best[0], best)
        return list(found.values())

    def flank_choices(self, side: str, group: Spots, edge: Spots) -> Iterator[list[Chain]]:
        """The chains from both flanks to the map edge."""
        columns = [column for column, _ in edge]
        heights = [2 * row + column % 2 for column, row in edge]
        wide = 2 * (max(columns) - min(columns)) >= max(heights) - min(heights)
        place = {h: h[0] if wide else 2 * h[1] + h[0] % 2 for h in group}
        for extreme in (min(place.values()), max(place.values())):
            ends = [h for h in group if place[h] == extreme]
            away = {h: min(distance(h, e) for e in edge) for h in ends}
            flank = min(ends, key=lambda h: (away[h], h))
            near = [e for e in edge if distance(flank, e) == away[flank]]
            best = sorted(chain for e in near for chain in chains(flank, e, self.free(side), True))
            if best and away[flank]:
                yield best

    def default_links(self, side: str) -> list[Chain]:
        between = [choices[0] for choices in self.cluster_choices(side)]
        return between + [choices[0] for choices in self.edge_choices(side, between)]

    def line(self, side: str, links: Iterable[tuple[Chain, bool]]) -> list[Spots]:
        """The region of each MLR. A link is its chain and whether it ends on the map edge."""
        links = list(links)
        between = [chain for chain, edge in links if not edge]
        found = []
        for group in self.groups(side, between):
            wall = set(group)
            for chain, _ in links:
                if chain[0] in group:
                    wall |= set(chain)
            found.append(self.enclosed(frozenset(wall), side))
        return found

    def enclosed(self, wall: Spots, side: str) -> Spots:
        todo = [h for h in rim(self.playable) if not any(h in e for e in self.edges[side])]
        reached = set[Spot]()
        while todo:
            here = todo.pop()
            if here in self.playable and here not in wall and here not in reached:
                reached.add(here)
                todo += around(here)
        home = next(piece for piece in pieces(self.playable) if wall & piece)
        return frozenset(h for h in self.playable if h not in reached and h in home)

    def situation(self, side: str, h: Spot, mlr: dict[str, Spots]) -> str:
        """The letter of PL 3.212 for ground level, tested in the order of the rule."""
        enemy = self.enemy(side)
        second = (mlr[side] & mlr[enemy]) - self.controlled[side] - self.controlled[enemy]
        if h in self.controlled[side] and h in mlr[enemy]:
            return "b"
        if h in self.overlap or h in second - self.overlap:
            return "d"
        if h in self.controlled[enemy] and h in mlr[side]:
            return "d"
        if h in mlr[enemy]:
            return "a"
        return "e" if h in mlr[side] else "c"
