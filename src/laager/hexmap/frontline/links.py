"""Links that join clusters into an MLR, and what an MLR encloses (PL 1.4; PL GEO G6, G7, G8, G12).

A link joins two Controlled Terrain hexes of a side, or one of them to a nearest hex of the Friendly Map Edge, by a
chain of hexes no longer than their distance. The owner chooses; this module proposes links, lists the other
choices, and says why a choice is not legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from laager.base import Problem
from laager.hexmap.coords import column_name
from laager.hexmap.frontline.clusters import Chains, ClusterGround, FrontInputs, ground, nearest_links
from laager.hexmap.frontline.outline import distance_balls, enclosing_chains, region
from laager.hexmap.grid import places
from laager.hexmap.hexmap import HexMap

MAX_CHOICES = 24


@dataclass(frozen=True)
class FrontLink:
    """A link from hex `a` to hex `b`.

    `chain` are the hexes that the link adds to the line: those between the ends and, if `kind` is
    "edge", the map edge hex `b` too. `kind` is "cluster" or "edge".
    """

    a: str
    b: str
    chain: tuple[str, ...]
    kind: str = "cluster"

    @staticmethod
    def along(hexes: Sequence[str], kind: str = "cluster") -> FrontLink:
        """Return the link that runs over the given hexes, both ends included (at least two)."""
        inner = hexes[1:] if kind == "edge" else hexes[1:-1]
        return FrontLink(hexes[0], hexes[-1], tuple(inner), kind)

    def with_main_names(self, map_: HexMap) -> FrontLink:
        """Return the link with aliases replaced. Raises RefusedError for an unknown hex."""
        chain = tuple(map_.main(name) for name in self.chain)
        return FrontLink(map_.main(self.a), map_.main(self.b), chain, self.kind)

    @property
    def hexes(self) -> tuple[str, ...]:
        """All hexes of the link, both ends included."""
        return (self.a, *self.chain) if self.kind == "edge" else (self.a, *self.chain, self.b)

    def to_data(self) -> dict[str, Any]:
        """Return the link as plain data."""
        return {"a": self.a, "b": self.b, "chain": list(self.chain), "kind": self.kind}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> FrontLink:
        """Return the link that `to_data` described."""
        return FrontLink(data["a"], data["b"], tuple(data["chain"]), data["kind"])


@dataclass(frozen=True)
class LinkChoice:
    """A proposed link and what else could be drawn instead of it.

    `links` are the first of all equally short legal links between the same clusters (or from the
    same flank hex to the edge), the proposed one leading; `count` says how many there are.
    """

    proposed: FrontLink
    links: tuple[FrontLink, ...]
    count: int


def groups(map_: HexMap, clusters: Sequence[int], links: Iterable[FrontLink]) -> list[int]:
    """Return which clusters the links join (PL GEO G7): sets of bits, in the stated order."""
    joined_groups = list(clusters)
    for link in links:
        if link.kind == "cluster":
            ends = map_.mask((link.a, link.b))
            joined = [group for group in joined_groups if group & ends]
            joined_groups = [group for group in joined_groups if not group & ends]
            joined_groups.append(sum(joined))
    return map_.grid.in_order(joined_groups)


def default_links(map_: HexMap, inputs: FrontInputs, side: str) -> tuple[FrontLink, ...]:
    """Return the links proposed for a side: between its clusters, then to its map edge.

    Between each two clusters the first of the shortest legal chains; from the two flank hexes of
    each resulting group the first shortest legal chain to a nearest hex of the Friendly Map Edge.
    If the side has several edges, from any hexes of the group those that enclose most.
    """
    return propose_links(map_, ground(map_, inputs), side)


def edge_links(
    map_: HexMap, inputs: FrontInputs, side: str, cluster_links: Sequence[FrontLink]
) -> tuple[FrontLink, ...]:
    """Return the edge links proposed when the owner keeps the given links between clusters."""
    land = ground(map_, inputs)
    return tuple(_link(map_, chains, "edge") for chains in _to_edge(map_, land, side, cluster_links))


def link_choices(map_: HexMap, inputs: FrontInputs, side: str) -> tuple[LinkChoice, ...]:
    """Return for each proposed link all equally short legal ones (the first 24, and the count)."""
    land = ground(map_, inputs)
    between = list(_between(map_, land, side))
    links = [_link(map_, chains, "cluster") for chains in between]
    to_edge = list(_to_edge(map_, land, side, links))
    return tuple(
        _choice(map_, chains, kind)
        for kind, found_chains in (("cluster", between), ("edge", to_edge))
        for chains in found_chains
    )


def propose_links(map_: HexMap, land: ClusterGround, side: str) -> tuple[FrontLink, ...]:
    """Return the links proposed for a side on ground already worked out (PL GEO G12)."""
    between = [_link(map_, chains, "cluster") for chains in _between(map_, land, side)]
    to_edge = (_link(map_, chains, "edge") for chains in _to_edge(map_, land, side, between))
    return (*between, *to_edge)


def _link(map_: HexMap, chains: Chains, kind: str) -> FrontLink:
    slots = map_.grid.slots
    return FrontLink.along([slots[place] for place in chains.first()], kind)


def _choice(map_: HexMap, chains: Chains, kind: str) -> LinkChoice:
    slots = map_.grid.slots
    links = tuple(FrontLink.along([slots[place] for place in chain], kind) for chain in islice(chains, MAX_CHOICES))
    return LinkChoice(links[0], links, chains.count)


def _between(map_: HexMap, land: ClusterGround, side: str) -> Iterator[Chains]:
    """Yield the shortest legal chains between each two clusters that have any."""
    grid, clusters = map_.grid, land.clusters[side]
    passable = land.passable(map_, side)
    for number, cluster in enumerate(clusters):
        others = list(clusters[number + 1 :])
        reached = nearest_links(grid, cluster, others, passable)
        for other in sorted(reached):
            length, sectors = reached[other]
            yield Chains(grid, cluster, others[other], passable, length, sectors)


def _to_edge(map_: HexMap, land: ClusterGround, side: str, links: Sequence[FrontLink]) -> Iterator[Chains]:
    """Yield legal chains to the map edge of each group: from its flanks; to several edges those that enclose most."""
    passable, targets = land.passable(map_, side), land.link_edges(side)
    for group in groups(map_, land.clusters[side], links):
        if len(land.edges[side]) > 1:
            line = _wall(map_, group, links)
            yield from enclosing_chains(map_, group, line, targets, land.edge(side), passable)
        else:
            for edge in targets:
                yield from _from_flanks(map_, group, edge, passable)


def _from_flanks(map_: HexMap, group: int, edge: int, passable: int) -> Iterator[Chains]:
    """Yield the shortest legal chains from the two flanks of a group to its map edge."""
    balls = distance_balls(map_.grid, edge)
    ends = _column_ends(map_, group) if _runs_along_columns(map_, edge) else _height_ends(map_, group)
    seen: set[tuple[int, ...]] = set()
    for end in ends:
        flank, away = _flank(map_, end, balls)
        if away:
            start = 1 << flank
            chains = Chains(map_.grid, start, edge & map_.grid.ball(start, away) & passable, passable, away)
            if chains and chains.first() not in seen:
                seen.add(chains.first())
                yield chains


def _flank(map_: HexMap, candidates: int, balls: Sequence[int]) -> tuple[int, int]:
    """Return the candidate nearest to the edge (the first of them) and how far away it is."""
    for away, ball in enumerate(balls):
        if candidates & ball:
            return map_.grid.first(candidates & ball), away
    raise AssertionError("the last ball covers the map")


def _height(map_: HexMap, place: int) -> int:
    q, r = divmod(place, map_.grid.height)
    return 2 * r + q


def _runs_along_columns(map_: HexMap, edge: int) -> bool:
    """Return True if an edge stretches over more columns than rows (as north and south do)."""
    columns = [place // map_.grid.height for place in places(edge)]
    heights = [_height(map_, place) for place in places(edge)]
    return 2 * (max(columns) - min(columns)) >= max(heights) - min(heights)


def _column_ends(map_: HexMap, group: int) -> tuple[int, int]:
    """Return the hexes of a group in its first and in its last column."""
    height = map_.grid.height
    column = (1 << height) - 1
    first = ((group & -group).bit_length() - 1) // height
    last = (group.bit_length() - 1) // height
    return group & column << (first * height), group & column << (last * height)


def _height_ends(map_: HexMap, group: int) -> tuple[int, int]:
    """Return the hexes of a group that lie farthest north and farthest south."""
    heights = {place: _height(map_, place) for place in places(group)}
    top, bottom = min(heights.values()), max(heights.values())
    return (
        sum(1 << place for place, height in heights.items() if height == top),
        sum(1 << place for place, height in heights.items() if height == bottom),
    )


def link_hexes(map_: HexMap, inputs: FrontInputs, side: str) -> frozenset[str]:
    """Return the hexes that a link of a side can have: its own, and those through which a chain can lead."""
    land = ground(map_, inputs)
    return frozenset(map_.grid.names(land.controlled[side] | land.passable(map_, side)))


def check_link(map_: HexMap, inputs: FrontInputs, side: str, link: FrontLink) -> list[Problem]:
    """Return why a link chosen by a side is not legal (PL GEO G6); nothing if it is.

    Raises RefusedError for a hex that is not on the map.
    """
    return link_problems(map_, ground(map_, inputs), side, link)


def link_problems(map_: HexMap, land: ClusterGround, side: str, link: FrontLink) -> list[Problem]:
    """Return why a link is not legal on ground already worked out."""
    link = link.with_main_names(map_)
    bit = {name: map_.grid.bit[name] for name in (*link.hexes, link.b)}
    own = land.controlled[side]
    problems: list[Problem] = []

    def complain(message: str, right: str) -> None:
        problems.append(Problem(message, right, f"{link.a}-{link.b}"))

    if link.kind not in ("cluster", "edge"):
        complain(f"{link.kind!r} is not a kind of link", "one of cluster, edge")
    if not bit[link.a] & own:
        complain(f"{link.a} is not Controlled Terrain of {side}", "start in one of its clusters")
    if link.kind == "edge":
        _check_edge(map_, land, side, link, complain)
    elif not bit[link.b] & own:
        complain(f"{link.b} is not Controlled Terrain of {side}", "end in one of its clusters")
    for before, after in zip(link.hexes, link.hexes[1:], strict=False):
        if not map_.are_adjacent(before, after):
            complain(f"{after} does not touch {before}", "name every hex of the chain in order")
    length, distance = len(link.hexes) - 1, map_.distance(link.a, link.b)
    if length != distance:
        complain(
            f"the chain has {length} steps, the distance is {distance}",
            "a link is never longer than the distance of its ends",
        )
    passable = land.passable(map_, side)
    for name in link.chain:
        if not bit[name] & passable:
            complain(_why_blocked(map_, land, bit[name], name), "lead the chain around it, or leave it")
    return problems


def _check_edge(map_: HexMap, land: ClusterGround, side: str, link: FrontLink, complain: Any) -> None:
    if link.hexes[-1] != link.b:
        complain(f"the chain ends at {link.hexes[-1]}, not at {link.b}", "end it on the map edge")
    edges = [edge for edge in land.link_edges(side) if map_.mask([link.b]) & edge]
    if not edges:
        complain(f"{link.b} is not on the Friendly Map Edge", "end on a hex of that edge")
        return
    least = max(_away(map_, link.a, edge) for edge in edges)
    if map_.distance(link.a, link.b) > least:
        complain(
            f"{link.b} is not a nearest Friendly Map Edge hex",
            f"{link.a} is {least} from {'the nearest' if land.nearest_edge_only else 'that'} edge; "
            "end on a hex at that distance",
        )


def _away(map_: HexMap, name: str, edge: int) -> int:
    return min(map_.distance(name, hex_) for hex_ in map_.grid.names(edge))


def _why_blocked(map_: HexMap, land: ClusterGround, bit: int, name: str) -> str:
    if not bit & map_.grid.playable:
        return f"{name} is not playable"
    if bit & land.overlap:
        return f"{name} is No Man's Land"
    return f"{name} is Controlled Terrain of the enemy"


@dataclass(frozen=True)
class Mlr:
    """One MLR of a side: clusters joined by links, with all that they enclose.

    `letter` is A, B ... in the stated order of the first hex of each; `hexes` is the whole region.
    """

    letter: str
    clusters: tuple[frozenset[str], ...]
    links: tuple[FrontLink, ...]
    hexes: frozenset[str]

    def to_data(self, clusters: Sequence[frozenset[str]], links: Sequence[FrontLink]) -> dict[str, Any]:
        """Return the MLR as plain data; clusters and links as numbers in the side's lists."""
        return {
            "letter": self.letter,
            "clusters": [i for i, cluster in enumerate(clusters) if cluster in self.clusters],
            "links": [i for i, link in enumerate(links) if link in self.links],
            "hexes": sorted(self.hexes),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any], clusters: Sequence[frozenset[str]], links: Sequence[FrontLink]) -> Mlr:
        """Return the MLR that `to_data` described."""
        return Mlr(
            data["letter"],
            tuple(clusters[i] for i in data["clusters"]),
            tuple(links[i] for i in data["links"]),
            frozenset(data["hexes"]),
        )


def mlr_masks(
    map_: HexMap, land: ClusterGround, side: str, links: Sequence[FrontLink]
) -> list[tuple[int, int, tuple[FrontLink, ...]]]:
    """Return the clusters, the region and the links of each MLR of a side, in the stated order."""
    masks = []
    for group in groups(map_, land.clusters[side], links):
        area = region(map_, _wall(map_, group, links), land.edge(side))
        masks.append((group, area, _links_of(map_, group, links)))
    return masks


def _links_of(map_: HexMap, group: int, links: Iterable[FrontLink]) -> tuple[FrontLink, ...]:
    """Return the links that begin in a group."""
    return tuple(link for link in links if map_.mask([link.a]) & group)


def _wall(map_: HexMap, group: int, links: Iterable[FrontLink]) -> int:
    """Return a group of clusters with the hexes of its links."""
    return group | map_.mask(name for link in _links_of(map_, group, links) for name in link.chain)


def mlrs(
    map_: HexMap,
    clusters: Sequence[tuple[int, frozenset[str]]],
    masks: Sequence[tuple[int, int, tuple[FrontLink, ...]]],
) -> tuple[Mlr, ...]:
    """Return the MLRs of `mlr_masks` by name; `clusters` are the side's, as bits and by name."""
    return tuple(
        Mlr(column_name(number), tuple(names for mask, names in clusters if mask & group), links, map_.grid.names(area))
        for number, (group, area, links) in enumerate(masks)
    )
