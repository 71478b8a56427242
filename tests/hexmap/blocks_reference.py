"""Blocks the slow way: every corner of every hex is a point, joined where nothing stands between.

Written from the rule alone. Two hexes of open ground are joined if they touch. A corner belongs
to the open ground that touches it; two corners at the ends of a hexside between two road hexes
are joined when no road crosses that hexside.
"""

from __future__ import annotations

from itertools import pairwise

from laager.hexmap import HexMap

Point = tuple[int, int]
_CORNERS = ((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1))


def blocks(map_: HexMap) -> set[frozenset[str]]:
    road_sides: set[frozenset[str]] = set()
    on_road: set[str] = set()
    for road in map_.roads:
        if road.kind in ("paved", "unpaved"):
            on_road.update(road.along)
            road_sides.update(frozenset(pair) for pair in pairwise(road.along))
    water = {n for n, one in map_.hexes.items() if one.terrain in ("river", "water")}
    water |= {n for n, one in map_.hexes.items() if one.watercourses & {"river", "canal"}}
    solid = {n for n, one in map_.hexes.items() if "blockhouse" in one.features}
    roads = (on_road & map_.playable) - water - solid
    ground = set(map_.playable) - roads - water - solid - map_.no_block

    corner = {
        name: {(3 * one.q + dx, 2 * one.r + one.q + dy) for dx, dy in _CORNERS} for name, one in map_.hexes.items()
    }
    links: dict[str | Point, set[str | Point]] = {}

    def join(a: str | Point, b: str | Point) -> None:
        links.setdefault(a, set()).add(b)
        links.setdefault(b, set()).add(a)

    for a in map_.hexes:
        if a in ground:
            for point in corner[a]:
                join(a, point)
        for b in map_.hexes:
            shared = corner[a] & corner[b]
            if a >= b or len(shared) != 2:
                continue
            if a in ground and b in ground:
                join(a, b)
            if a in roads and b in roads and frozenset((a, b)) not in road_sides:
                join(*sorted(shared))

    found, left = set(), set(ground)
    while left:
        seen: set[str | Point] = set()
        edge: list[str | Point] = [next(iter(left))]
        while edge:
            here = edge.pop()
            if here not in seen:
                seen.add(here)
                edge += links.get(here, ())
        own = frozenset(name for name in seen if isinstance(name, str))
        found.add(own)
        left -= own
    return found
