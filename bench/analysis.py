"""The whole analysis of a front: ours, and the plain one on networkx."""

from __future__ import annotations

from functools import cache

from bench.maps import SIDES, BigMap
from bench.networkx_front import NetworkxFront
from laager.hexmap import HexMap, controlled_hexes, crests, front, strategic_terrain


def ours(big: BigMap) -> object:
    """Strategic Terrain, crests, clusters, proposed links, MLR, No Man's Land and the rest."""
    strategic = strategic_terrain(big.map)
    hills = crests(big.map)
    controlled = {side: controlled_hexes(big.map, strategic, hills, big.control, side) for side in SIDES}
    return front(big.map, controlled, big.control_of_ground, big.edges)


@cache
def _graphs(map_: HexMap) -> NetworkxFront:
    return NetworkxFront(map_)


def plain(big: BigMap) -> object:
    """The same on networkx; the map's graph is built once, as our own tables are."""
    return _graphs(big.map).analyse(big.control, big.edges)
