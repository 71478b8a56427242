"""Ground that is alike and hangs together: what a flood of paint fills."""

from __future__ import annotations

from collections.abc import Callable

from laager.hexmap.hexmap import HexMap


def flood_fill(map_: HexMap, name: str, alike: Callable[[str], bool]) -> tuple[str, ...]:
    """Return a hex and all that are connected with it through playable hexes that are `alike`, in the stated order.

    Raises RefusedError for a hex that is not on the map.
    """
    start = map_.main(name)
    found, edge = {start}, [start]
    while edge:
        near = {one for one in map_.neighbours(edge.pop()) if one not in found and one in map_.playable and alike(one)}
        found |= near
        edge += near
    return tuple(map_.in_order(found))
