"""Distances to areas (ER GEO-7, GEO-8) and between the two Snipers of a side (ABtF CG8; GEO-10)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from laager.base import Problem
from laager.hexmap.coords import split_location
from laager.hexmap.hexmap import HexMap

RESERVE_DISTANCE = 8
"""The least range of a Reserve counter to any enemy Setup or Entry Area."""

RECON_REACH = 6
"""The largest range of an inspected Location to a friendly Setup or Entry Area."""

Areas = Mapping[str, Collection[str]]
"""The hexes of areas, by the names that players know."""


def range_to(map_: HexMap, location: str, hexes: Iterable[str]) -> int | None:
    """Return the range to the nearest of the hexes (ER GEO-1); None if there are none."""
    start = split_location(map_.main_location(location))[0]
    return min((map_.distance(start, name) for name in hexes), default=None)


def too_near_problems(map_: HexMap, location: str, areas: Areas, least: int) -> tuple[Problem, ...]:
    """Return a problem for each area to which a Location is nearer than `least` hexes."""
    problems = []
    for name, hexes in areas.items():
        away = range_to(map_, location, hexes)
        if away is not None and away < least:
            problems.append(Problem(f"{location} is {away} hexes from {name}", f"{least} at least"))
    return tuple(problems)


def too_far_problem(map_: HexMap, location: str, areas: Areas, most: int) -> Problem | None:
    """Return why a Location is not within `most` hexes of any of the areas; None if it is."""
    ranges = {name: range_to(map_, location, hexes) for name, hexes in areas.items()}
    known = {name: away for name, away in ranges.items() if away is not None}
    if not known:
        return Problem(f"there is no area from which to reach {location}", "it needs one")
    nearest = min(known, key=lambda name: known[name])
    if known[nearest] <= most:
        return None
    return Problem(f"{location} is {known[nearest]} hexes from {nearest}, the nearest area", f"{most} at most")


def reserve_places(map_: HexMap, friendly: Iterable[str], enemy: Areas) -> frozenset[str]:
    """Return the hexes where Reserves may stand (ER CG7a; ER GEO-7).

    `friendly` are the hexes of friendly Setup Areas that are not Isolated, `enemy` the enemy Setup Areas
    (Isolated or not) and Entry Areas.
    """
    hexes = [name for area in enemy.values() for name in area]
    return frozenset(map(map_.main, friendly)) & map_.playable - map_.hexes_within(hexes, RESERVE_DISTANCE - 1)


def reserve_problems(map_: HexMap, location: str, friendly: Collection[str], enemy: Areas) -> tuple[Problem, ...]:
    """Return the problems of a Reserve counter in a Location (see `reserve_places`)."""
    problems = []
    if split_location(map_.main_location(location))[0] not in {map_.main(name) for name in friendly}:
        problems.append(
            Problem(f"{location} is not in a friendly Setup Area without Isolation", "Reserves set up in one")
        )
    return (*problems, *too_near_problems(map_, location, enemy, RESERVE_DISTANCE))


def recon_places(map_: HexMap, friendly: Areas) -> frozenset[str]:
    """Return the hexes in which a side may inspect Locations (ER 1.524; ER GEO-8).

    `friendly` are its Setup Areas, Isolated or not, and Eligible Entry Areas.
    """
    hexes = [name for area in friendly.values() for name in area]
    return map_.hexes_within(hexes, RECON_REACH) & map_.playable


def recon_problem(map_: HexMap, location: str, friendly: Areas) -> Problem | None:
    """Return the problem with the inspection of a Location; None if there is none."""
    return too_far_problem(map_, location, friendly, RECON_REACH)


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
            return first, grid.names_in_order(far)[0]
    return None


def sniper_problem(
    map_: HexMap, first: str, second: str, permitted: Iterable[str], least: int = SNIPER_SPACING
) -> Problem | None:
    """Return why two hexes are too near to each other for a side's Snipers; None if they are not.

    They count as permitted; `permitted` are all hexes where a Sniper of the side may be.
    """
    first_hex, second_hex = (split_location(map_.main_location(where))[0] for where in (first, second))
    needed = sniper_range(map_, (*permitted, first_hex, second_hex), least)
    away = map_.distance(first_hex, second_hex)
    if away >= needed:
        return None
    most = "" if needed == least else ", the largest range that there is"
    return Problem(f"the Snipers in {first_hex} and {second_hex} are {away} hexes apart", f"at least {needed}{most}")


def _farthest(map_: HexMap, names: Iterable[str]) -> tuple[str, str] | None:
    """Return two hexes with the largest range between them.

    A range is the largest difference along one of three axes, so that the farthest two are the
    extremes along one of them.
    """
    hexes = [map_.hex(name) for name in names]
    if not hexes:
        return None
    axes = ([hex_.q for hex_ in hexes], [hex_.r for hex_ in hexes], [hex_.q + hex_.r for hex_ in hexes])
    axis = max(axes, key=lambda along: max(along) - min(along))
    low, high = axis.index(min(axis)), axis.index(max(axis))
    return hexes[low].name, hexes[high].name
