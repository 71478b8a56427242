"""Enterable (ABtF 9.2 Enterable; GEO-7): whether a unit can get there, step by step. And the Security Area of a phone.

What the map says for certain is worked out: river hexes never, everything else on the map, unless it is barred.
What the map cannot decide (a bridge, a cliff ...) is a doubt for the players; their answers come back in `Terms`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from laager.base import Problem
from laager.hexmap.areas.blocks import BlockFront, river_mask
from laager.hexmap.coords import side_key
from laager.hexmap.grid import Grid
from laager.hexmap.hexmap import EDGES, HexMap

Hexside = tuple[str, str]

DOUBTFUL_HEXSIDES: frozenset[str] = frozenset({"cliff", "roadblock"})
"""Hexside terrain that makes a crossing a question to the players."""


@dataclass(frozen=True)
class PathTerms:
    """The conditions of the test: what the unit cannot enter or cross, and what the players have answered.

    `barred` are hexes that are not Enterable: terrain Blazes, terrain forbidden to the class of
    unit, an Enemy Setup Area. `doubtful` are hexes to ask about beyond those that are so of
    themselves: bridges over a river, gullies, and hexsides with a cliff or a roadblock. `allowed`
    are doubtful ones that the players have answered with yes; a no makes them barred. Hexsides
    are pairs of hexes in either order and count both ways.
    """

    barred: frozenset[str] = frozenset()
    barred_hexsides: frozenset[Hexside] = frozenset()
    allowed: frozenset[str] = frozenset()
    allowed_hexsides: frozenset[Hexside] = frozenset()
    doubtful: frozenset[str] = frozenset()
    doubtful_hexsides: frozenset[Hexside] = frozenset()


ANY_UNIT = PathTerms()


class EnterablePath(NamedTuple):
    """A way from its first hex to its last, and what the players have to be asked about it.

    `doubts` are hexes (`R22`) and hexsides (`C4/C5`) in the order of the way.
    """

    hexes: tuple[str, ...]
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class _Land:
    """The open and the doubtful hexes as bits; hexsides by direction, from both their hexes."""

    open_to: int
    doubtful: int
    shut: tuple[int, ...]
    unsure: tuple[int, ...]


def _make_land(map_: HexMap, terms: PathTerms) -> _Land:
    grid = map_.grid
    rivers = river_mask(map_)
    bridges = rivers & map_.feature_mask("bridge")
    doubts = bridges | map_.feature_mask("gully") | map_.mask(terms.doubtful)
    doubts &= ~map_.mask(terms.allowed)
    closed = map_.mask(terms.barred) | rivers & ~bridges | ~grid.playable
    settled = {_hexside_key(map_, side) for side in terms.allowed_hexsides}
    risky = {side for side, kinds in map_.hexsides.items() if not DOUBTFUL_HEXSIDES.isdisjoint(kinds)}
    risky |= {_hexside_key(map_, side) for side in terms.doubtful_hexsides}
    return _Land(
        grid.everything & ~closed & ~doubts,
        grid.everything & ~closed & doubts,
        _hexside_masks(grid, (_hexside_key(map_, side) for side in terms.barred_hexsides)),
        _hexside_masks(grid, risky - settled),
    )


def _hexside_key(map_: HexMap, side: Hexside) -> Hexside:
    return side_key(map_.main(side[0]), map_.main(side[1]))


def _hexside_masks(grid: Grid, sides: Iterable[Hexside]) -> tuple[int, ...]:
    """Return for each direction the hexes whose hexside there is one of the given ones."""
    masks = [0] * 6
    for a, b in sides:
        step = grid.at[b] - grid.at[a]
        if step in grid.shifts:
            direction = grid.shifts.index(step)
            masks[direction] |= grid.bit[a]
            masks[(direction + 3) % 6] |= grid.bit[b]
    return tuple(masks)


def _step_from(grid: Grid, land: _Land, mask: int, *, doubts: bool) -> int:
    """Return the hexes that one step from a set leads to; over doubtful hexsides if `doubts`."""
    neighbours = 0
    for direction in range(6):
        wall = land.shut[direction] | (0 if doubts else land.unsure[direction])
        neighbours |= grid.step(mask & ~wall, direction)
    return neighbours


def enterable_path(
    map_: HexMap, starts: Iterable[str], targets: Iterable[str], terms: PathTerms = ANY_UNIT
) -> EnterablePath | None:
    """Return a shortest Enterable way from one of the starts to one of the targets.

    The starts need not be Enterable themselves. A way without doubts goes before a shorter one
    with them; of equal ways it is the first, hex by hex in the stated order. None if there is no
    way whatever the players answer.
    """
    grid, land = map_.grid, _make_land(map_, terms)
    begin, end = map_.mask(starts), map_.mask(targets)
    for doubts in (False, True):
        hexes = _shortest_way(grid, land, begin, end, doubts=doubts)
        if hexes:
            return EnterablePath(hexes, tuple(_doubts_on(grid, land, hexes)))
    return None


def _shortest_way(grid: Grid, land: _Land, begin: int, end: int, *, doubts: bool) -> tuple[str, ...]:
    """Return the first of the shortest ways; none if there is none.

    Layers grow back from the targets; the way is then followed forward through them.
    """
    if begin & end:
        return (grid.slots[grid.first(begin & end)],)
    passable = land.open_to | (land.doubtful if doubts else 0)
    layers, seen = [end & passable], end & passable
    while layers[-1]:
        # Hexsides count both ways, so that a step back is a step forth.
        edge = _step_from(grid, land, layers[-1], doubts=doubts)
        if edge & begin:
            return _follow_layers(grid, land, edge & begin, layers, doubts=doubts)
        layers.append(edge & passable & ~seen)
        seen |= layers[-1]
    return ()


def _follow_layers(grid: Grid, land: _Land, begin: int, layers: Sequence[int], *, doubts: bool) -> tuple[str, ...]:
    place = grid.first(begin)
    way = [place]
    for layer in reversed(layers):
        place = grid.first(_step_from(grid, land, 1 << place, doubts=doubts) & layer)
        way.append(place)
    return tuple(grid.slots[place] for place in way)


def _doubts_on(grid: Grid, land: _Land, hexes: Sequence[str]) -> Iterator[str]:
    for here, there in pairwise(hexes):
        direction = grid.shifts.index(grid.at[there] - grid.at[here])
        if grid.bit[here] & land.unsure[direction]:
            yield "/".join(side_key(here, there))
        if grid.bit[there] & land.doubtful:
            yield there


def path_problems(map_: HexMap, path: Sequence[str], terms: PathTerms = ANY_UNIT) -> tuple[Problem, ...]:
    """Return the problems of a way that players have drawn; doubts are none.

    The first hex need not be Enterable. Raises RefusedError (NO_SUCH) for an unknown hex.
    """
    if not path:
        return (Problem("the way has no hexes", "name every hex on it, in order"),)
    grid, land, problems = map_.grid, _make_land(map_, terms), []
    hexes = [map_.main(name) for name in path]
    for number, (here, there) in enumerate(pairwise(hexes), 2):
        where = f"[{number}]"
        if not map_.are_adjacent(here, there):
            problem = f"{there} does not touch {here}, the hex before it"
            problems.append(Problem(problem, "name every hex on the way", where))
        else:
            direction = grid.shifts.index(grid.at[there] - grid.at[here])
            if grid.bit[here] & land.shut[direction]:
                problem = f"the hexside {'/'.join(side_key(here, there))} cannot be crossed"
                problems.append(Problem(problem, "go round it", where))
        if not grid.bit[there] & (land.open_to | land.doubtful):
            problems.append(Problem(f"{there} is not Enterable", "go round it", where))
    return tuple(problems)


def isolation_aid(
    map_: HexMap, front: BlockFront, side: str, area: Iterable[str], entries: Iterable[str], terms: PathTerms = ANY_UNIT
) -> EnterablePath | None:
    """Return a way from an area to a Friendly Entry Area that avoids Enemy Setup Areas (GEO-12).

    An aid for the players, who say whether the area is Isolated; the published test is another.
    """
    avoid = terms.barred | front.friendly[front.enemy(side)]
    shut = PathTerms(
        avoid, terms.barred_hexsides, terms.allowed, terms.allowed_hexsides, terms.doubtful, terms.doubtful_hexsides
    )
    return enterable_path(map_, area, entries, shut)


SECURITY_EDGE = 5
"""Hexes of the map edge that one Entry Area must have, at least, where the Security Area ends."""


def security_area_problems(
    map_: HexMap, way: Sequence[str], enemy: Collection[str], areas: Mapping[str, Collection[str]]
) -> tuple[Problem, ...]:
    """Return the problems of the hexes from a phone to the map edge, both included.

    `enemy` are the hexes of enemy Setup Areas, `areas` the Eligible Entry Areas of the phone's
    side by name. What else can be entered, and the shape by C1.23, is for the players to say.
    Raises RefusedError (NO_SUCH) for a hex that is not on the map.
    """
    barred = frozenset(map(map_.main, enemy))
    problems = list(path_problems(map_, way, PathTerms(barred=barred)))
    if not way:
        return tuple(problems)
    first, last = map_.main(way[0]), map_.main(way[-1])
    if first in barred:
        problems.append(Problem(f"{first} is in an enemy Setup Area", "set the phone up elsewhere"))
    edges = [edge for edge in EDGES if last in map_.edge(edge)]
    if not edges:
        problems.append(Problem(f"{last} is not at the edge of the map", "lead it to an edge"))
    elif not any(_has_edge(map_, edge, area) for edge in edges for area in areas.values()):
        problem = f"no Entry Area has {SECURITY_EDGE} hexes of the {' or '.join(edges)} edge"
        problems.append(Problem(problem, "lead it to an edge where one has"))
    return tuple(problems)


def _has_edge(map_: HexMap, edge: str, area: Collection[str]) -> bool:
    return len(map_.edge(edge) & frozenset(map(map_.main, area))) >= SECURITY_EDGE
