"""The Security Area of a field phone: where it may run (ER CG12(2); ER GEO-10)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from laager.base import Problem
from laager.hexmap.enterable import Terms, path_problems
from laager.hexmap.hexmap import EDGES, HexMap

SECURITY_EDGE = 5
"""How many hexes of the map edge one Entry Area must have, where the Security Area ends."""


def security_area_problems(
    map_: HexMap, way: Sequence[str], enemy: Collection[str], areas: Mapping[str, Collection[str]]
) -> tuple[Problem, ...]:
    """Return all that is wrong with the hexes from a phone to the map edge, both included.

    `enemy` are the hexes of enemy Setup Areas, `areas` the Eligible Entry Areas of the phone's
    side by name. What else can be entered, and the shape by C1.23, is for the players to say.
    Raises RefusedError (NO_SUCH) for a hex that is not on the map.
    """
    barred = frozenset(map(map_.main, enemy))
    found = list(path_problems(map_, way, Terms(barred=barred)))
    if not way:
        return tuple(found)
    first, last = map_.main(way[0]), map_.main(way[-1])
    if first in barred:
        found.append(Problem(f"{first} is in an enemy Setup Area", "set the phone up elsewhere"))
    edges = [edge for edge in EDGES if last in map_.edge(edge)]
    if not edges:
        found.append(Problem(f"{last} is not at the edge of the map", "lead it to an edge"))
    elif not any(_holds(map_, edge, area) for edge in edges for area in areas.values()):
        what = f"no Entry Area has {SECURITY_EDGE} hexes of the {' or '.join(edges)} edge"
        found.append(Problem(what, "lead it to an edge where one has"))
    return tuple(found)


def _holds(map_: HexMap, edge: str, area: Collection[str]) -> bool:
    return len(map_.edge(edge) & frozenset(map(map_.main, area))) >= SECURITY_EDGE
