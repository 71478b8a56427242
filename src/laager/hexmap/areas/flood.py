"""Flood fill: connected hexes that are alike."""

from __future__ import annotations

from collections.abc import Callable

from laager.hexmap.hexmap import HexMap


def flood_fill(map_: HexMap, name: str, is_alike: Callable[[str], bool]) -> tuple[str, ...]:
    """Return a hex and all that are connected with it through playable hexes that `is_alike` accepts, in order.

    Raises RefusedError for a hex that is not on the map.
    """
    start = map_.main(name)
    filled, edge = {start}, [start]
    while edge:
        near = {
            neighbour
            for neighbour in map_.neighbours(edge.pop())
            if neighbour not in filled and neighbour in map_.playable and is_alike(neighbour)
        }
        filled |= near
        edge += near
    return tuple(map_.in_order(filled))
