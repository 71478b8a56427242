"""Distances to areas: where Reserves may stand (ER GEO-7), what Recon may inspect (ER GEO-8)."""

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
"""The hexes of areas by the name under which players know each."""


def range_to(map_: HexMap, location: str, hexes: Iterable[str]) -> int | None:
    """Return the range to the nearest of the hexes (ER GEO-1); None if there are none."""
    start = split_location(map_.main_location(location))[0]
    return min((map_.distance(start, name) for name in hexes), default=None)


def too_near(map_: HexMap, location: str, areas: Areas, least: int) -> tuple[Problem, ...]:
    """Return a problem for each area to which a Location is nearer than `least` hexes."""
    found = []
    for name, hexes in areas.items():
        away = range_to(map_, location, hexes)
        if away is not None and away < least:
            found.append(Problem(f"{location} is {away} hexes from {name}", f"{least} at least"))
    return tuple(found)


def too_far(map_: HexMap, location: str, areas: Areas, most: int) -> Problem | None:
    """Return why a Location is not within `most` hexes of any of the areas; None if it is."""
    ranges = {name: range_to(map_, location, hexes) for name, hexes in areas.items()}
    known = {name: away for name, away in ranges.items() if away is not None}
    if not known:
        return Problem(f"there is no area from which to reach {location}", "it needs one")
    nearest = min(known, key=lambda name: known[name])
    if known[nearest] <= most:
        return None
    what = f"{location} is {known[nearest]} hexes from {nearest}, the nearest area"
    return Problem(what, f"{most} at most")


def reserve_places(map_: HexMap, own: Iterable[str], enemy: Areas) -> frozenset[str]:
    """Return the hexes where Reserves may stand (ER CG7a; ER GEO-7).

    `own` are the hexes of friendly Setup Areas that are not Isolated, `enemy` the enemy Setup Areas
    (Isolated or not) and Entry Areas.
    """
    hexes = [name for area in enemy.values() for name in area]
    return frozenset(map(map_.main, own)) & map_.playable - map_.within(hexes, RESERVE_DISTANCE - 1)


def reserve_problems(map_: HexMap, location: str, own: Collection[str], enemy: Areas) -> tuple[Problem, ...]:
    """Return all that is against a Reserve counter in a Location (see `reserve_places`)."""
    found = []
    if split_location(map_.main_location(location))[0] not in {map_.main(name) for name in own}:
        what = f"{location} is not in a friendly Setup Area without Isolation"
        found.append(Problem(what, "Reserves set up in one"))
    return (*found, *too_near(map_, location, enemy, RESERVE_DISTANCE))


def recon_places(map_: HexMap, own: Areas) -> frozenset[str]:
    """Return the hexes in which a side may inspect Locations (ER 1.524; ER GEO-8).

    `own` are its Setup Areas, Isolated or not, and Eligible Entry Areas.
    """
    hexes = [name for area in own.values() for name in area]
    return map_.within(hexes, RECON_REACH) & map_.playable


def recon_problem(map_: HexMap, location: str, own: Areas) -> Problem | None:
    """Return what is against the inspection of a Location; None if nothing is."""
    return too_far(map_, location, own, RECON_REACH)
