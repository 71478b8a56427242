"""Entry Areas (ABtF 9.2 Entry Area; GEO-8): the map edge near a big arrow."""

from __future__ import annotations

from dataclasses import dataclass

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap.hexmap import EDGES, HexMap
from laager.hexmap.values import EntryArrow

ENTRY_RADIUS = 4
"""How far an Entry Area reaches from its arrow."""


@dataclass(frozen=True)
class EntryArea:
    """An Entry Area: its arrow, its hexes in the stated order, the map edges the arrow is on."""

    arrow: EntryArrow
    hexes: tuple[str, ...]
    edges: frozenset[str]

    @property
    def id(self) -> str:
        """The name of the area: its arrow's hex."""
        return self.arrow.hex


def map_edge(map_: HexMap) -> frozenset[str]:
    """Return the hexes at the edge of the map (GEO-1): those next to what is not in play."""
    return map_.grid.names(map_.grid.rim)


def entry_areas(map_: HexMap) -> tuple[EntryArea, ...]:
    """Return the Entry Areas of a map, in the order of its file."""
    return tuple(entry_area(map_, arrow) for arrow in map_.entry_arrows)


def entry_area(map_: HexMap, arrow: str | EntryArrow) -> EntryArea:
    """Return the Entry Area of an arrow, named by its hex or given.

    It is all map edge hexes within four of the arrow, those round a corner too unless the arrow
    says otherwise. Raises RefusedError (NO_SUCH) if there is no such arrow or it is not at the
    map's edge.
    """
    if isinstance(arrow, str):
        arrow = _known(map_, arrow)
    grid, start = map_.grid, map_.mask([arrow.hex])
    if not start & grid.rim:
        raise RefusedError(Refusal.NO_SUCH, f"{arrow.hex} is not at the edge of the map")
    edges = {edge: map_.mask(map_.edge(edge)) for edge in EDGES}
    own = {edge: mask for edge, mask in edges.items() if mask & start}
    found = start if arrow.single else grid.ball(start, ENTRY_RADIUS) & grid.rim
    if arrow.same_edge_only and own:
        same = 0
        for mask in own.values():
            same |= mask
        found &= same
    return EntryArea(arrow, tuple(grid.listed(found)), frozenset(own))


def _known(map_: HexMap, name: str) -> EntryArrow:
    main = map_.main(name)
    for arrow in map_.entry_arrows:
        if arrow.hex == main:
            return arrow
    known = [arrow.hex for arrow in map_.entry_arrows]
    raise RefusedError(Refusal.NO_SUCH, f"there is no Entry Area {name} on this map", did_you_mean(name, known))
