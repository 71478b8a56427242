"""How far apart the two Snipers of a side are (ABtF CG8; GEO-10)."""

from __future__ import annotations

from collections.abc import Iterable

from laager.base import Problem
from laager.hexmap.coords import split_location
from laager.hexmap.hexmap import HexMap

SNIPER_SPACING = 12
"""The least range between the two Snipers of a side."""


def sniper_range(map_: HexMap, permitted: Iterable[str], least: int = SNIPER_SPACING) -> int:
    """Return the range that two Snipers must have at least.

    That is `least`, or the largest range among the permitted hexes if none is as large.
    """
    pair = _farthest(map_, permitted)
    return min(least, map_.distance(*pair)) if pair else 0


def sniper_pair(map_: HexMap, permitted: Iterable[str], least: int = SNIPER_SPACING) -> tuple[str, str] | None:
    """Return two permitted hexes far enough apart, the first such pair in the stated order.

    None if no hex is permitted; the same hex twice if there is only one.
    """
    hexes = map_.in_order(permitted)
    needed, grid = sniper_range(map_, hexes, least), map_.grid
    everywhere = grid.mask(hexes)
    for first in hexes:
        far = everywhere & ~grid.ball(grid.bit[first], needed - 1) if needed else everywhere
        if far:
            return first, grid.listed(far)[0]
    return None


def sniper_problem(
    map_: HexMap, first: str, second: str, permitted: Iterable[str], least: int = SNIPER_SPACING
) -> Problem | None:
    """Return why two hexes are too near to each other for a side's Snipers; None if they are not.

    They count as permitted; `permitted` are all hexes where a Sniper of the side may be.
    """
    one, other = (split_location(map_.main_location(where))[0] for where in (first, second))
    needed = sniper_range(map_, (*permitted, one, other), least)
    away = map_.distance(one, other)
    if away >= needed:
        return None
    most = "" if needed == least else ", the largest range that there is"
    return Problem(f"the Snipers in {one} and {other} are {away} hexes apart", f"at least {needed}{most}")


def _farthest(map_: HexMap, names: Iterable[str]) -> tuple[str, str] | None:
    """Return two hexes with the largest range between them.

    A range is the largest difference along one of three axes, so that the farthest two are the
    extremes along one of them.
    """
    hexes = [map_.hex(name) for name in names]
    if not hexes:
        return None
    axes = ([one.q for one in hexes], [one.r for one in hexes], [one.q + one.r for one in hexes])
    axis = max(axes, key=lambda along: max(along) - min(along))
    low, high = axis.index(min(axis)), axis.index(max(axis))
    return hexes[low].name, hexes[high].name
