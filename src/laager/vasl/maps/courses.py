"""Courses from hex to hex: roads and watercourses by the hexsides that they cross, and buildings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from laager.vasl.boards.crossings import ROADS
from laager.vasl.maps.cells import BEYOND, Cell, Place
from laager.vasl.maps.contents import WATERS, Contents, terrain_at_edge

Edge = tuple[Place, int]
"""A crossing: the place that it starts from, and the side (1 to 3)."""

BRIDGE = ROADS[-1]


def road_kinds(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents]) -> dict[Edge, str]:
    """Return the kind of road over each hexside that one crosses."""
    edges = _edges(cells, contents, "road")
    over = [edge for edge, kind in edges.items() if kind == BRIDGE]
    while over:
        # A bridge carries the road that leads to it, over further bridge hexes too.
        known = {edge: _find_road_led_over(edge, edges) for edge in over}
        continued = {edge: kind for edge, kind in known.items() if kind}
        edges |= continued or {edge: contents[edge[0]].road or "unpaved" for edge in over}
        over = [edge for edge in over if edges[edge] == BRIDGE]
    return edges


def _find_road_led_over(edge: Edge, edges: Mapping[Edge, str]) -> str:
    for place in (edge[0], neighbour_across(*edge)):
        for side in range(6):
            kind = edges.get(canonical(place, side), "")
            if kind and kind != BRIDGE:
                return kind
    return ""


def water_kinds(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents]) -> dict[Edge, str]:
    """Return the kind of watercourse over each hexside that one crosses.

    It goes from and to hexes that have it, or have the water that it flows into: the rills of a
    spring reach into the next hex and make no stream there.
    """
    edges = _edges(cells, contents, "water")
    wet = {place for place, content in contents.items() if content.water or content.terrain in {*WATERS, "pond"}}
    return {edge: kind for edge, kind in edges.items() if wet >= {edge[0], neighbour_across(*edge)}}


def neighbour_across(place: Place, side: int) -> Place:
    """Return the place across a side."""
    return place[0] + BEYOND[side][0], place[1] + BEYOND[side][1]


def canonical(place: Place, side: int) -> Edge:
    """Return a crossing by its name: from the hex of which the side is 1, 2 or 3."""
    return (place, side) if side in {1, 2, 3} else (neighbour_across(place, side), (side + 3) % 6)


def _edges(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents], course: str) -> dict[Edge, str]:
    edges: dict[Edge, str] = {}
    for place, content in contents.items():
        for side, kind in (content.roads if course == "road" else content.waters).items():
            if neighbour_across(place, side) in cells:
                edges.setdefault(canonical(place, side), kind)
    for place, cell in cells.items():
        for side in (1, 2, 3):
            other = cells.get(neighbour_across(place, side))
            if other and not have_common_board(cell, other):
                kind = _over_seam(cell, other, side, course)
                if kind:
                    edges.setdefault((place, side), kind)
    return edges


def have_common_board(cell: Cell, other: Cell) -> bool:
    """Return True if a board knows both cells, and so what lies between them."""
    if cell.parts and other.parts and cell.parts[0].board == other.parts[0].board:
        return True
    return not {part.board for part in cell.parts}.isdisjoint(part.board for part in other.parts)


def _over_seam(cell: Cell, other: Cell, side: int, course: str) -> str:
    """Return what crosses from board to board: no board shows the hexside from both sides."""
    ends = (terrain_at_edge(cell, side), terrain_at_edge(other, (side + 3) % 6))
    kind = "road" if course == "road" else "watercourse"
    words = [end.word for end in ends if end is not None and end.kind == kind]
    return words[0] if len(words) == 2 else ""


def ways(edges: Iterable[Edge], order: Mapping[Place, int]) -> list[list[Place]]:
    """Return crossings as ways from hex to hex, each crossing once, as straight as they go.

    `order` decides where a way begins among equals: at ends and forks first.
    """
    left: dict[Place, set[int]] = {}
    for place, side in edges:
        left.setdefault(place, set()).add(side)
        left.setdefault(neighbour_across(place, side), set()).add((side + 3) % 6)
    courses = []
    for wanted in (1, 0):
        for start in sorted(left, key=lambda place: order[place]):
            while left[start] and (not wanted or len(left[start]) % 2):
                courses.append(_walk(left, start))
    return courses


def _walk(left: dict[Place, set[int]], start: Place) -> list[Place]:
    """Take a way out of the crossings that are left, from its start on."""
    way, here, heading = [start], start, -1
    while left[here]:
        side = min(left[here], key=lambda side: _turn(heading, side))
        left[here].discard(side)
        here = neighbour_across(here, side)
        left[here].discard((side + 3) % 6)
        way.append(here)
        heading = side
    return way


def _turn(heading: int, side: int) -> tuple[int, int]:
    """Return how much a way would turn to leave by a side."""
    bend = (side - heading) % 6 if heading >= 0 else 0
    return min(bend, 6 - bend), side


def alone(kinds: Mapping[Place, str], edges: Iterable[Edge]) -> Sequence[Place]:
    """Return the places with something that crosses none of their hexsides."""
    crossed = {place for edge in edges for place in (edge[0], neighbour_across(*edge))}
    return [place for place, kind in kinds.items() if kind and place not in crossed]


@dataclass(frozen=True)
class BuildingGroup:
    """A building: its hexes, and what it is made of.

    `storeys` are those above the ground, `lower` those of hexes in which there are fewer.
    """

    places: tuple[Place, ...]
    material: str
    storeys: int
    cellar: bool
    lower: Mapping[Place, int]


def groups(order: Iterable[Place], joined: Callable[[Place, int], bool]) -> list[list[Place]]:
    """Return places in groups: what is joined across sides, in the order of their first places."""
    left, connected = dict.fromkeys(order), []
    while left:
        start = next(iter(left))
        del left[start]
        group = [start]
        for here in group:
            for side in range(6):
                neighbour = neighbour_across(here, side)
                if neighbour in left and joined(here, side):
                    del left[neighbour]
                    group.append(neighbour)
        connected.append(group)
    return connected


def buildings_of(
    cells: Mapping[Place, Cell], contents: Mapping[Place, Contents], order: Sequence[Place]
) -> list[BuildingGroup]:
    """Return the buildings of a map. A rowhouse wall divides, a road between two does not join."""
    houses = [place for place in order if contents[place].house]
    connected = groups(houses, lambda here, side: _is_one_building(cells, contents, here, side))
    rank = {place: number for number, place in enumerate(order)}
    return [_building(contents, sorted(group, key=rank.__getitem__)) for group in connected]


def _is_one_building(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents], here: Place, side: int) -> bool:
    cell, other = cells[here], cells[neighbour_across(here, side)]
    if contents[here].hexsides.get(side) == "rowhouse":
        return False
    if contents[other.place].hexsides.get((side + 3) % 6) == "rowhouse":
        return False
    if have_common_board(cell, other):
        return side in contents[here].joined
    ends = (terrain_at_edge(cell, side), terrain_at_edge(other, (side + 3) % 6))
    return all(end is not None and end.house for end in ends)


def _building(contents: Mapping[Place, Contents], group: list[Place]) -> BuildingGroup:
    houses = [house for place in group if (house := contents[place].house)]
    material = Counter(house.material for house in houses).most_common(1)[0][0]
    storeys = max(house.storeys for house in houses)
    by_place = {place: house.storeys for place in group if (house := contents[place].house)}
    lower = {place: fewer for place, fewer in by_place.items() if fewer < storeys}
    cellar = any(house.cellar for house in houses)
    return BuildingGroup(tuple(group), material, storeys, cellar, lower)
