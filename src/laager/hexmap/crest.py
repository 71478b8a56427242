"""Military Crest (PL 1.4): hilltops that are Strategic Terrain, Controlled only as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.hexmap.coords import sort_key
from laager.hexmap.grid import union
from laager.hexmap.hexmap import HexMap

CREST_LEVEL = 2
"""The least top level of a hill mass that has a crest."""


def crest_masks(map_: HexMap) -> list[int]:
    """Return each crest as bits of the map's grid, in the stated order of their first hexes."""
    grid = map_.grid
    groups = grid.pieces(map_.having("hillock-summit") & grid.playable)
    groups += grid.pieces(map_.having("hilltop") & grid.playable)
    levels = {level: mask & grid.playable for level, mask in map_.level_masks.items()}
    hills = 0
    for level, mask in levels.items():
        hills |= mask if level >= 1 else 0
    for hill in grid.pieces(hills):
        top = max(level for level, mask in levels.items() if mask & hill)
        if top >= CREST_LEVEL:
            groups += grid.pieces(levels[top] & hill)
    return grid.in_order(_merged(groups))


def _merged(groups: Sequence[int]) -> list[int]:
    """Return the groups, those that share a hex made into one."""
    found: list[int] = []
    for group in groups:
        touched = [other for other in found if other & group]
        found = [other for other in found if not other & group]
        found.append(union([group, *touched]))
    return found


def crests(map_: HexMap) -> tuple[frozenset[str], ...]:
    """Return the Military Crests of a map, each as the hexes that must all be Controlled.

    Three kinds (PL 1.4, PL GEO G1): adjacent Hillock Summits; adjacent hexes with a printed
    hilltop mark; in each hill mass (adjacent hexes of level 1 or more) that reaches level 2,
    each connected group at its highest level. Playable hexes only.
    """
    return tuple(map_.grid.names(mask) for mask in crest_masks(map_))


def crest_name(crest: frozenset[str]) -> str:
    """Return the name under which a crest is kept: its first hex in the stated order."""
    return min(crest, key=sort_key)


def crest_holders(
    crests: Sequence[frozenset[str]], control: Mapping[str, str], before: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the side that Controls each crest, by the crest's name.

    A side gains a crest by Controlling every hex of it, and keeps it until the other side has
    done the same (PL 1.4, PL GEO G2). `control` is who Controls each hex, `before` the result at
    the last time. Crests that nobody holds are left out.
    """
    found = {}
    for crest in crests:
        name = crest_name(crest)
        sides = {control.get(hex_) for hex_ in crest}
        holder = sides.pop() if len(sides) == 1 else None
        holder = holder or (before or {}).get(name)
        if holder:
            found[name] = holder
    return found
