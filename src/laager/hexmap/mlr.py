"""Main Line of Resistance (PL 1.4; PL GEO G7, G8): groups of clusters and what they enclose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.hexmap.clusters import Ground
from laager.hexmap.coords import column_name
from laager.hexmap.hexmap import HexMap
from laager.hexmap.links import Link, groups


@dataclass(frozen=True)
class Mlr:
    """One MLR of a side: clusters joined by links, with all that they enclose.

    `letter` is A, B ... in the stated order of the first hex of each; `hexes` is the whole region.
    """

    letter: str
    clusters: tuple[frozenset[str], ...]
    links: tuple[Link, ...]
    hexes: frozenset[str]

    def to_data(self, clusters: Sequence[frozenset[str]], links: Sequence[Link]) -> dict[str, Any]:
        """Return the MLR as plain data; clusters and links as numbers in the side's lists."""
        return {
            "letter": self.letter,
            "clusters": [i for i, one in enumerate(clusters) if one in self.clusters],
            "links": [i for i, one in enumerate(links) if one in self.links],
            "hexes": sorted(self.hexes),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any], clusters: Sequence[frozenset[str]], links: Sequence[Link]) -> Mlr:
        """Return the MLR that `to_data` described."""
        return Mlr(
            data["letter"],
            tuple(clusters[i] for i in data["clusters"]),
            tuple(links[i] for i in data["links"]),
            frozenset(data["hexes"]),
        )


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


def mlr_masks(map_: HexMap, land: Ground, side: str, links: Sequence[Link]) -> list[tuple[int, int, tuple[Link, ...]]]:
    """Return the clusters, the region and the links of each MLR of a side, in the stated order."""
    found = []
    for group in groups(map_, land.clusters[side], links):
        own = tuple(link for link in links if map_.mask([link.a]) & group)
        wall = group | map_.mask(name for link in own for name in link.chain)
        found.append((group, region(map_, wall, land.edge(side)), own))
    return found


def mlrs(
    map_: HexMap, clusters: Sequence[tuple[int, frozenset[str]]], masks: Sequence[tuple[int, int, tuple[Link, ...]]]
) -> tuple[Mlr, ...]:
    """Return the MLRs of `mlr_masks` by name; `clusters` are the side's, as bits and by name."""
    return tuple(
        Mlr(column_name(number), tuple(names for mask, names in clusters if mask & group), links, map_.grid.names(area))
        for number, (group, area, links) in enumerate(masks)
    )
