"""Buildings: which hexes belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.vasl.cells import Cell, Place
from laager.vasl.contents import Contents, at_edge
from laager.vasl.courses import beyond, shared


@dataclass(frozen=True)
class Building:
    """A building: its hexes, and what it is made of.

    `storeys` are those above the ground, `lower` those of hexes in which there are fewer.
    """

    places: tuple[Place, ...]
    material: str
    storeys: int
    cellar: bool
    lower: Mapping[Place, int]


def buildings_of(
    cells: Mapping[Place, Cell], found: Mapping[Place, Contents], order: Sequence[Place]
) -> list[Building]:
    """Return the buildings of a map. A rowhouse wall divides, a road between two does not join."""
    left = {place for place in order if found[place].house}
    result = []
    for start in order:
        if start not in left:
            continue
        left.discard(start)
        group, edge = [start], [start]
        while edge:
            here = edge.pop()
            for side in range(6):
                there = beyond(here, side)
                if there in left and _joined(cells, found, here, side):
                    left.discard(there)
                    group.append(there)
                    edge.append(there)
        result.append(_building(found, sorted(group, key=order.index)))
    return result


def _joined(cells: Mapping[Place, Cell], found: Mapping[Place, Contents], here: Place, side: int) -> bool:
    one, other = cells[here], cells[beyond(here, side)]
    if found[here].hexsides.get(side) == "rowhouse":
        return False
    if found[other.place].hexsides.get((side + 3) % 6) == "rowhouse":
        return False
    if shared(one, other):
        return side in found[here].joined
    ends = (at_edge(one, side), at_edge(other, (side + 3) % 6))
    return all(end is not None and end.house for end in ends)


def _building(found: Mapping[Place, Contents], group: list[Place]) -> Building:
    houses = [house for place in group if (house := found[place].house)]
    material = Counter(house.material for house in houses).most_common(1)[0][0]
    storeys = max(house.storeys for house in houses)
    by_place = {place: house.storeys for place in group if (house := found[place].house)}
    lower = {place: fewer for place, fewer in by_place.items() if fewer < storeys}
    cellar = any(house.cellar for house in houses)
    return Building(tuple(group), material, storeys, cellar, lower)
