"""Hex outlines, exactly.

Every corner of every hex lies on a lattice of whole numbers: a hex at (q, r) has its centre at
(3q, 2r + q), its corners at (+-2, 0) and (+-1, +-1) around that. Outlines of areas are found
there, without rounding, and turned into picture units at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import sqrt

from laager.hexmap.coords import DIRECTIONS
from laager.hexmap.hexmap import HexMap
from laager.hexmap.values import Hex

RADIUS = 40.0
"""From the centre of a hex to its corners, in picture units; all sizes in this package fit it."""

STEP_X = RADIUS / 2
STEP_Y = RADIUS * sqrt(3) / 2

Node = tuple[int, int]
Point = tuple[float, float]
Place = tuple[int, int]

CORNERS: tuple[Node, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""The corners around a centre, clockwise. Side i runs from corner i to the next: n, ne, se ..."""

STEPS: tuple[Place, ...] = tuple(DIRECTIONS.values())
_WEST, _EAST, _TOP, _BOTTOM = (4, 5), (1, 2), (5, 0, 1), (2, 3, 4)


def centre(place: Place) -> Node:
    """Return the centre of the hex at (q, r)."""
    q, r = place
    return 3 * q, 2 * r + q


def corners(place: Place) -> tuple[Node, ...]:
    """Return the corners of the whole hex at (q, r), clockwise."""
    x, y = centre(place)
    return tuple((x + dx, y + dy) for dx, dy in CORNERS)


def neighbour_across(place: Place, side: int) -> Place:
    """Return the position across a side (0 to 5, clockwise from north)."""
    (q, r), (dq, dr) = place, STEPS[side]
    return q + dq, r + dr


def loops(shapes: Iterable[tuple[Node, ...]]) -> list[list[Node]]:
    """Return the outlines of an area made of shapes that share whole edges.

    Outer outlines run clockwise, those of holes the other way: the area lies on the right.
    """
    edges = {(a, b) for shape in shapes for a, b in zip(shape, shape[1:] + shape[:1], strict=True)}
    ahead = {a: b for a, b in edges if (b, a) not in edges}
    outlines = []
    for start in sorted(ahead):
        if start not in ahead:
            continue
        loop, node = [], start
        while node in ahead:
            loop.append(node)
            node = ahead.pop(node)
        outlines.append(loop)
    return outlines


def chains(edges: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """Return edges joined end to end where exactly two of them meet."""
    near: dict[Node, list[Node]] = {}
    for a, b in sorted(edges):
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    ends = sorted(node for node in near if len(near[node]) != 2)
    lines = []
    for start in (*ends, *sorted(near)):
        while near[start]:
            chain, node = [start], start
            while near[node] and (len(chain) == 1 or node not in ends):
                following = near[node].pop(0)
                near[following].remove(node)
                chain.append(following)
                node = following
                if node == start:
                    break
            lines.append(chain)
    return lines


def runs(edges: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """Return directed edges, at most one from each node, joined into lines that run their way."""
    ahead = dict(edges)
    ends = set(ahead.values())
    lines = []
    for start in (*sorted(node for node in ahead if node not in ends), *sorted(ahead)):
        run = [start]
        while run[-1] in ahead:
            run.append(ahead.pop(run[-1]))
        if len(run) > 1:
            lines.append(run)
    return lines


class Lattice:
    """The hexes of a map on the lattice, and where they lie in the picture.

    `left` and `top` are where the map's bounding box goes, in picture units; `width` and
    `height` are the size of that box.
    """

    def __init__(self, map_: HexMap, left: float = 0.0, top: float = 0.0) -> None:
        self.map = map_
        self.left, self.top = left, top
        self.at: Mapping[Place, Hex] = {(hex_.q, hex_.r): hex_ for hex_ in map_.hexes.values()}
        nodes = [node for hex_ in map_.hexes.values() for node in self.shape(hex_)]
        self._west = min(x for x, _ in nodes)
        self._north = min(y for _, y in nodes)
        self.width = (max(x for x, _ in nodes) - self._west) * STEP_X
        self.height = (max(y for _, y in nodes) - self._north) * STEP_Y

    def point(self, node: Node) -> Point:
        """Return where a node lies in the picture."""
        x, y = node
        return self.left + (x - self._west) * STEP_X, self.top + (y - self._north) * STEP_Y

    def points(self, nodes: Iterable[Node]) -> list[Point]:
        """Return where nodes lie in the picture."""
        return [self.point(node) for node in nodes]

    def middle(self, name: str) -> Point:
        """Return the centre of a hex in the picture."""
        hex_ = self.map.hex(name)
        return self.point(centre((hex_.q, hex_.r)))

    def side(self, place: Place, number: int) -> tuple[Point, Point]:
        """Return the ends of a hexside in the picture, clockwise around the hex."""
        around = corners(place)
        return self.point(around[number]), self.point(around[(number + 1) % 6])

    def toward(self, a: Hex, b: Hex) -> int | None:
        """Return which side of `a` borders on `b`; None if they are not adjacent."""
        step = (b.q - a.q, b.r - a.r)
        return STEPS.index(step) if step in STEPS else None

    def open_sides(self, hex_: Hex) -> list[int]:
        """Return the sides of a hex beyond which there is no hex of the map."""
        return [side for side in range(6) if neighbour_across((hex_.q, hex_.r), side) not in self.at]

    def shape(self, hex_: Hex) -> tuple[Node, ...]:
        """Return the outline of a hex, clockwise; of a half hex the half that is on the map."""
        place = (hex_.q, hex_.r)
        around = corners(place)
        if not hex_.half:
            return around
        top, bottom, west, east = self._cuts(hex_)
        x, y = centre(place)
        lowest, highest = (y if top else y - 1), (y if bottom else y + 1)
        nodes = [node for node in around if lowest <= node[1] <= highest]
        if west or east:
            keep = 1 if west else -1
            nodes = [(nx, ny) for nx, ny in nodes if (nx - x) * keep > 0]
            cut = [(x, lowest), (x, highest)]
            # Clockwise: a cut in the west is walked upwards after the rest, one in the east down.
            return (*_from_top(nodes), *reversed(cut)) if west else (*cut, *_from_bottom(nodes))
        return tuple(nodes)

    def _lacks(self, hex_: Hex, sides: Iterable[int]) -> bool:
        return all(neighbour_across((hex_.q, hex_.r), side) not in self.at for side in sides)

    def _cuts(self, hex_: Hex) -> tuple[bool, bool, bool, bool]:
        """Return at which edges a half hex is cut: top, bottom, west, east.

        Its lacking neighbours tell. A hex in a cut first or last column may lack those above or
        below it too; whether it is cut there as well, the next column but one tells.
        """
        west = self._lacks(hex_, _WEST) and self._column_cut(hex_, _WEST)
        east = not west and self._lacks(hex_, _EAST) and self._column_cut(hex_, _EAST)
        top, bottom = self._lacks(hex_, _TOP), self._lacks(hex_, _BOTTOM)
        if not (west or east or top or bottom):
            # Beside a corner where another board begins only the hex right above or below lacks.
            top, bottom = self._lacks(hex_, (0,)), self._lacks(hex_, (3,))
        if west or east:
            over = 2 if west else -2
            peer = self.at.get((hex_.q + over, hex_.r - over // 2))
            level = peer is not None and peer.half
            top, bottom = top and level, bottom and level
        return top, bottom and not top, west, east

    def _column_cut(self, hex_: Hex, sides: Iterable[int]) -> bool:
        beside = (self.at.get((hex_.q, hex_.r + dr)) for dr in (-1, 1))
        column = [near for near in beside if near is not None]
        if not column:
            return not (self._lacks(hex_, _TOP) and self._lacks(hex_, _BOTTOM))
        return any(near.half and self._lacks(near, sides) for near in column)

    @cached_property
    def outline(self) -> list[list[Node]]:
        """The outline of the map, half hexes cut."""
        return loops(self.shape(hex_) for hex_ in self.at.values())

    def area(self, names: Iterable[str], *, spill: bool = False) -> list[list[Node]]:
        """Return the outlines of a set of hexes, half hexes whole.

        With `spill` the area goes on beyond the map's edge, so that its outline, once cut to the
        map, runs off the map instead of along the edge.
        """
        places = {(hex_.q, hex_.r) for hex_ in map(self.map.hex, names)}
        if spill:
            places |= {
                near
                for place in places
                for near in (neighbour_across(place, side) for side in range(6))
                if near not in self.at
            }
        return loops(corners(place) for place in places)

    def cut_area(self, names: Iterable[str]) -> list[list[Node]]:
        """Return the outlines of a set of hexes, half hexes cut as the map is."""
        return loops(self.shape(self.map.hex(name)) for name in dict.fromkeys(names))

    def edges(self) -> list[tuple[Node, Node]]:
        """Return every edge of every hex once, in a fixed order."""
        edges = set()
        for hex_ in self.at.values():
            shape = self.shape(hex_)
            for a, b in zip(shape, shape[1:] + shape[:1], strict=True):
                edges.add((min(a, b), max(a, b)))
        return sorted(edges)


def _from_top(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: node[1])


def _from_bottom(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: -node[1])
