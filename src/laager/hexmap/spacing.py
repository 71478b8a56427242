"""How far apart: Guns set up again (ABtF CG5c; GEO-9), two Snipers (ABtF CG8; GEO-10)."""

from __future__ import annotations

from collections.abc import Iterable

from laager.base import Problem
from laager.hexmap.block_front import BlockFront, Ground
from laager.hexmap.coords import split_location
from laager.hexmap.hexmap import HexMap

GUN_RADIUS = 3
"""How far a Gun may set up from where it was, within Friendly Setup Areas."""

GUN_RADIUS_UNCONTROLLED = 2
"""The same in Uncontrolled Territory, whatever else frees a Gun."""

SNIPER_SPACING = 12
"""The least range between the two Snipers of a side."""


def gun_places(
    map_: HexMap,
    front: BlockFront,
    side: str,
    ended: str,
    *,
    locked: bool = False,
    free: bool = False,
) -> frozenset[str]:
    """Return the hexes where a Gun may set up again, by distance and area alone.

    `ended` is the Location that it held; `locked` one that is fixed in its Location (CG5a), `free`
    one without a radius in Friendly Setup Areas (CG5c): Enterable is for the caller to ask there,
    as is Emplacement in Uncontrolled Territory.
    """
    name = map_.main(split_location(ended)[0])
    if locked:
        return frozenset({name})
    grid, start = map_.grid, map_.mask([name])
    near = grid.ball(start, GUN_RADIUS) if not free else grid.box
    friendly = near & map_.mask(front.friendly[side])
    open_to = grid.ball(start, GUN_RADIUS_UNCONTROLLED) & map_.mask(front.uncontrolled)
    return grid.names(friendly | open_to)


def gun_problem(
    map_: HexMap,
    front: BlockFront,
    side: str,
    ended: str,
    target: str,
    *,
    locked: bool = False,
    free: bool = False,
) -> Problem | None:
    """Return why a Gun may not set up in a Location; None if distance and area allow it.

    See `gun_places`; a locked Gun stays in its very Location.
    """
    start, goal = map_.main_location(ended), map_.main_location(target)
    if locked:
        what = f"the Gun is fixed in {start} and cannot set up in {goal}"
        return None if start == goal else Problem(what, "it stays where it is unless it is dm")
    ground = front.ground(side, goal)
    away = map_.distance(split_location(start)[0], split_location(goal)[0])
    if ground is Ground.ENEMY:
        return Problem(f"{goal} is in an Enemy Setup Area", "set it up elsewhere")
    if ground is Ground.FRIENDLY:
        most, where = GUN_RADIUS, "in a Friendly Setup Area"
    else:
        most, where = GUN_RADIUS_UNCONTROLLED, "in Uncontrolled Territory"
    if away <= most or (free and ground is Ground.FRIENDLY):
        return None
    return Problem(f"{goal} is {away} hexes from {start}", f"at most {most} {where}")


def sniper_range(map_: HexMap, permitted: Iterable[str], least: int = SNIPER_SPACING) -> int:
    """Return the range that two Snipers must have at least.

    That is `least`, or the largest range among the permitted hexes if none is as large.
    """
    pair = _farthest(map_, permitted)
    return min(least, map_.distance(*pair)) if pair else 0


def sniper_pair(
    map_: HexMap, permitted: Iterable[str], least: int = SNIPER_SPACING
) -> tuple[str, str] | None:
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
    return Problem(
        f"the Snipers in {one} and {other} are {away} hexes apart", f"at least {needed}{most}"
    )


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
