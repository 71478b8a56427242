"""Woods-Line (PL 1.4): the border of larger woods."""

from __future__ import annotations

from collections.abc import Iterable

from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import WOODS


def woods_line_mask(map_: HexMap, kinds: Iterable[str] = WOODS, minimum: int = 3) -> int:
    """Return the Woods-Line hexes as bits of the map's grid."""
    grid = map_.grid
    woods = map_.having(*kinds) & grid.playable
    border = woods & grid.grow(grid.playable & ~woods)
    found = 0
    for group in grid.pieces(woods):
        if group.bit_count() >= minimum:
            found |= group & border
    return found


def woods_line(map_: HexMap, kinds: Iterable[str] = WOODS, minimum: int = 3) -> frozenset[str]:
    """Return the Woods-Line hexes of a map (PL 1.4, PL GEO G1).

    Woods-type hexes (`kinds`; mixed kinds form one group) that touch one another are a group; in
    each group of at least `minimum`, the hexes next to a playable hex of other terrain count.
    Hexes that are not playable neither belong to a group nor make their neighbours a border.
    """
    return map_.grid.names(woods_line_mask(map_, kinds, minimum))
