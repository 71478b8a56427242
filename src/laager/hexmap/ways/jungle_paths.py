"""Markers of a Jungle Path: how many, and that they hang together (ER CG16; ER GEO-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from laager.base import Problem
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import open_ground

PATH_MARKERS = 3
"""How many markers a purchase is."""

THICK: frozenset[str] = frozenset({"bamboo", "dense-jungle"})
"""Terrain in which a marker counts as two."""


def path_gaps(map_: HexMap) -> frozenset[str]:
    """Return the hexes that may separate markers: Open Ground and Palm."""
    hexes = map_.hexes.values()
    return frozenset(one.name for one in hexes if one.has("palm") or open_ground(one))


def path_cost(map_: HexMap, markers: Iterable[str]) -> int:
    """Return how many markers these count for: one a hex, two in Bamboo and dense jungle."""
    return sum(1 if THICK.isdisjoint(map_.hex(name).contents) else 2 for name in markers)


def path_linked(map_: HexMap, markers: Iterable[str], gaps: Iterable[str], *, several: bool = False) -> frozenset[str]:
    """Return the markers that hang together with the first one, itself included.

    Linked are adjacent markers and those with one of the `gaps` between them, or, if `several`, an
    unbroken run of them.
    """
    grid, names = map_.grid, list(markers)
    wanted, land = map_.mask(names), map_.mask(gaps)
    found = map_.mask(names[:1])
    while True:
        over = grid.grow(found) & land
        over = grid.flood(over, land) if several else over
        more = wanted & (grid.grow(found) | grid.grow(over))
        if more == found:
            return grid.names(found)
        found = more


def jungle_path_problems(
    map_: HexMap,
    markers: Sequence[str],
    gaps: Iterable[str] | None = None,
    *,
    several: bool = False,
    cost: int | None = None,
) -> tuple[Problem, ...]:
    """Return all that is wrong with where the markers of one purchase are (ER CG16; ER GEO-5).

    `gaps` are the hexes that may separate them, by default those of `path_gaps`; `several` is the
    reading that a run of such hexes may. `cost` is what the markers count for, by default as
    printed on the map: play may have changed the terrain. Raises RefusedError (NO_SUCH) for an
    unknown hex.
    """
    names, found = [map_.main(name) for name in markers], []
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        found.append(Problem(f"{', '.join(twice)} more than once", "one marker in a hex"))
    names = list(dict.fromkeys(names))
    cost = path_cost(map_, names) if cost is None else cost
    if cost > PATH_MARKERS:
        right = f"{PATH_MARKERS} at most; Bamboo and dense jungle count two"
        found.append(Problem(f"the markers count for {cost}", right))
    out = [name for name in names if name not in map_.playable]
    if out:
        found.append(Problem(f"{', '.join(out)} not in play", "choose hexes that are"))
    land = path_gaps(map_) if gaps is None else gaps
    linked = path_linked(map_, names, land, several=several)
    apart = [name for name in names if name not in linked]
    if apart:
        right = "markers of a purchase are ADJACENT, or an Open Ground or Palm hex is between"
        found.append(Problem(f"{', '.join(apart)} apart from {names[0]}", right))
    return tuple(found)
