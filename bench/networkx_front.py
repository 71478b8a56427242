"""The whole analysis of a front again, written plainly on networkx: what Laager is measured by.

Same definitions, same results (a test compares them), every step in the most obvious way that a
graph library offers: sets of names, subgraphs, breadth-first searches, connected components.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.hexmap import HexMap, axial_distance, crest_name, sort_key
from laager.hexmap.coords import DIRECTIONS

if TYPE_CHECKING:
    import networkx as nx

    Graph = nx.Graph[str]

WOODS = ("woods", "forest", "jungle", "dense-jungle")
PRINTED = (*("building", "rubble", "graveyard", "bridge", "ford", "crag", "wadi", "seawall", "pier"),)


@dataclass(frozen=True)
class Result:
    """What the comparison looks at: the strategic Locations and the sets of hexes by side."""

    strategic: frozenset[str]
    overlap: frozenset[str]
    clusters: Mapping[str, tuple[frozenset[str], ...]]
    chains: Mapping[str, tuple[tuple[str, ...], ...]]
    region: Mapping[str, frozenset[str]]
    isolated: Mapping[str, frozenset[str]]
    second_nml: frozenset[str]
    uncontrolled: frozenset[str]


class NetworkxFront:
    """The analysis of one map. Building the graphs is part of the work: they depend on control."""

    def __init__(self, map_: HexMap) -> None:
        import networkx as nx

        self.map = map_
        self.whole: Graph = nx.Graph()
        self.whole.add_nodes_from(map_.hexes)
        at = {(one.q, one.r): name for name, one in map_.hexes.items()}
        for (q, r), name in at.items():
            for dq, dr in DIRECTIONS.values():
                if (q + dq, r + dr) in at:
                    self.whole.add_edge(name, at[q + dq, r + dr])
        self.playable: Graph = self.whole.subgraph(map_.playable).copy()

    def distance(self, a: str, b: str) -> int:
        """Return the distance of two hexes."""
        first, second = self.map.hexes[a], self.map.hexes[b]
        return axial_distance(second.q - first.q, second.r - first.r)

    def pieces(self, hexes: Iterable[str]) -> list[frozenset[str]]:
        """Return connected pieces in the stated order."""
        import networkx as nx

        found = nx.connected_components(self.playable.subgraph(hexes))
        return sorted((frozenset(one) for one in found), key=lambda one: min(map(sort_key, one)))

    def strategic(self) -> tuple[dict[str, set[str]], list[frozenset[str]]]:
        """Return the Strategic Locations with reasons, and the crests."""
        hexes = {name: one for name, one in self.map.hexes.items() if name in self.map.playable}
        found: dict[str, set[str]] = {}
        for name, one in hexes.items():
            for feature in PRINTED:
                if one.has(feature):
                    found.setdefault(name, set()).add(feature)
            if one.building:
                for location in self.map.locations(name):
                    found.setdefault(location, set()).add("building")
        for name in self.woods_line():
            found.setdefault(name, set()).add("woods-line")
        crests = []
        for hill in self.pieces(name for name, one in hexes.items() if one.level >= 1):
            top = max(hexes[name].level for name in hill)
            if top >= 2:
                crests += self.pieces(name for name in hill if hexes[name].level == top)
        for crest in crests:
            for name in crest:
                found.setdefault(name, set()).add("military-crest")
        return found, crests

    def woods_line(self) -> set[str]:
        """Return the hexes of larger woods that touch other terrain."""
        hexes = self.map.hexes
        woods = {name for name in self.map.playable if any(hexes[name].has(kind) for kind in WOODS)}
        return {
            name
            for piece in self.pieces(woods)
            for name in piece
            if len(piece) >= 3 and set(self.playable[name]) - woods
        }

    def controlled(
        self, strategic: Mapping[str, set[str]], crests: Iterable[frozenset[str]], control: Mapping[str, str], side: str
    ) -> frozenset[str]:
        """Return the hexes that a side Controls by Strategic Terrain."""
        found = set()
        for location, owner in control.items():
            if owner == side and strategic.get(location, set()) - {"military-crest"}:
                found.add(location.partition(".")[0])
        for crest in crests:
            if crest_name(crest) and all(control.get(name) == side for name in crest):
                found |= crest
        return frozenset(found)

    def analyse(self, control: Mapping[str, str], edges: Mapping[str, frozenset[str]], radius: int = 2) -> Result:
        """Return the whole front for a state of Control, with the proposed links."""
        import networkx as nx

        strategic, crests = self.strategic()
        a, b = edges
        seeds = {side: self.controlled(strategic, crests, control, side) for side in edges}
        raw: dict[str, set[str]] = {}
        for side in edges:
            near: set[str] = set()
            for seed in seeds[side]:
                near |= set(nx.single_source_shortest_path_length(self.whole, seed, radius))
            raw[side] = near & self.map.playable
        own = {
            side: {
                name for name in seeds[side] if name not in seeds[b if side == a else a] or control.get(name) == side
            }
            for side in edges
        }
        overlap = (raw[a] & raw[b]) - own[a] - own[b]
        held = {a: raw[a] - overlap - own[b], b: raw[b] - overlap - own[a]}
        clusters = {side: tuple(self.pieces(held[side])) for side in edges}
        chains: dict[str, tuple[tuple[str, ...], ...]] = {}
        region: dict[str, frozenset[str]] = {}
        for side in edges:
            enemy = b if side == a else a
            passable = self.playable.subgraph(self.map.playable - held[enemy] - overlap).copy()
            links = self.links(clusters[side], passable)
            groups = self.groups(clusters[side], links)
            to_edge = [chain for group in groups for chain in self.to_edge(group, edges[side], passable)]
            chains[side] = (*links, *to_edge)
            region[side] = frozenset().union(*(self.region(group, chains[side], edges[side]) for group in groups))
        second = (region[a] & region[b]) - held[a] - held[b] - overlap
        return Result(
            frozenset(strategic),
            frozenset(overlap),
            clusters,
            chains,
            region,
            {a: frozenset(held[a] & region[b]), b: frozenset(held[b] & region[a])},
            frozenset(second),
            self.map.playable - region[a] - region[b] - overlap - second,
        )

    def links(self, clusters: tuple[frozenset[str], ...], passable: Graph) -> list[tuple[str, ...]]:
        """Return the first shortest legal chain between each two clusters."""
        import networkx as nx

        cluster_of = {name: i for i, one in enumerate(clusters) for name in one}
        best: dict[tuple[int, int], tuple[int, list[tuple[str, str]]]] = {}
        for i, cluster in enumerate(clusters):
            for x in cluster:
                if set(self.playable[x]) <= cluster:
                    continue  # the shortest chain starts at the cluster's border
                for y, length in nx.single_source_shortest_path_length(passable, x).items():
                    j = cluster_of.get(y, -1)
                    if j <= i or length != self.distance(x, y):
                        continue
                    least, pairs = best.get((i, j), (length, []))
                    if length < least:
                        pairs = []
                    if length <= least:
                        best[i, j] = (length, [*pairs, (x, y)])
        return [self.first_chain(best[pair][1], passable) for pair in sorted(best)]

    def first_chain(self, pairs: list[tuple[str, str]], passable: Graph) -> tuple[str, ...]:
        """Return the first in the stated order of all shortest chains between pairs of ends."""
        import networkx as nx

        start = min((x for x, _ in pairs), key=sort_key)
        found = []
        for x, y in pairs:
            if x == start:
                left = nx.single_source_shortest_path_length(passable, y)
                chain = [x]
                while chain[-1] != y:
                    here = chain[-1]
                    nearer = [n for n in passable[here] if left.get(n, -1) == left[here] - 1]
                    chain.append(min(nearer, key=sort_key))
                found.append(tuple(chain))
        return min(found, key=lambda chain: [sort_key(name) for name in chain])

    def groups(self, clusters: tuple[frozenset[str], ...], links: list[tuple[str, ...]]) -> list[frozenset[str]]:
        """Return the clusters joined by links."""
        import networkx as nx

        joined: Graph = nx.Graph()
        for cluster in clusters:
            nx.add_path(joined, cluster)
        joined.add_edges_from((chain[0], chain[-1]) for chain in links)
        found = nx.connected_components(joined)
        return sorted((frozenset(one) for one in found), key=lambda one: min(map(sort_key, one)))

    def to_edge(self, group: frozenset[str], edge: frozenset[str], passable: Graph) -> list[tuple[str, ...]]:
        """Return the chains from the two flanks of a group to a north or south map edge."""
        import networkx as nx

        hexes = self.map.hexes
        away = {name: min(self.distance(name, other) for other in edge) for name in group}
        columns = {hexes[name].q for name in group}
        found: dict[str, tuple[str, ...]] = {}
        for column in (min(columns), max(columns)):
            ends = [name for name in group if hexes[name].q == column]
            flank = min(ends, key=lambda name: (away[name], sort_key(name)))
            lengths = nx.single_source_shortest_path_length(passable, flank, away[flank])
            pairs = [
                (flank, y)
                for y in edge & frozenset(passable)
                if away[flank] and lengths.get(y) == away[flank] == self.distance(flank, y)
            ]
            if pairs:
                found[flank] = self.first_chain(pairs, passable)
        return list(found.values())

    def region(
        self, group: frozenset[str], chains: tuple[tuple[str, ...], ...], edge: frozenset[str]
    ) -> frozenset[str]:
        """Return a group with its links and all that they enclose."""
        import networkx as nx

        wall = group | {name for chain in chains if chain[0] in group for name in chain}
        open_ground = self.playable.subgraph(self.map.playable - wall)
        reached: set[str] = set()
        for piece in nx.connected_components(open_ground):
            if any(self.playable.degree(name) < 6 and name not in edge for name in piece):
                reached |= piece
        return self.map.playable - reached
