"""Blocks (ABtF 9.2 Block; GEO-2, GEO-3): the ground between streets, river and the map's edge.

What bounds a Block are road hexes joined through road hexsides. Where two adjacent road hexes
have no road over their common hexside there is a gap, and what lies on its two sides is one
Block; so a dead end divides nothing. Ground at the map's edge and on the river bank belongs to
its Block. A bridge or ramp over the river is river. The Blockhouse belongs to no Block and joins
none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

from laager.base import Problem, Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import column_name, split_location
from laager.hexmap.grid import Grid, places, union
from laager.hexmap.hexmap import HexMap, kept_with_map
from laager.hexmap.terrain import STREETS, is_river
from laager.hexmap.values import EntryArrow


@dataclass(frozen=True)
class Blocks:
    """The Blocks of a map, and the roads, rivers and blockhouses that are in none.

    `hexes` of each Block by its name, in the stated order of their first hexes, `masks` the same
    as bits of the map's grid; `listed`: the map's file lists them hex by hex; `lettered`: nobody
    named them, so that each has the next free letter by its position; `roads` the
    road hexes that are neither river nor Blockhouse.
    """

    hexes: Mapping[str, frozenset[str]]
    masks: Mapping[str, int]
    listed: bool
    lettered: bool
    roads: frozenset[str]
    rivers: frozenset[str]
    blockhouses: frozenset[str]

    @cached_property
    def _holder(self) -> Mapping[str, str]:
        return {name: block for block, hexes in self.hexes.items() for name in hexes}

    def block_at(self, name: str) -> str | None:
        """Return the Block that a hex or Location is in, by main name; None if in none."""
        return self._holder.get(split_location(name)[0])

    def hexes_of_block(self, block: str) -> frozenset[str]:
        """Return the hexes of a Block. Raises RefusedError (NO_SUCH)."""
        if block not in self.hexes:
            raise RefusedError(
                Refusal.NO_SUCH, f"there is no Block {block!r} on this map", did_you_mean(block, self.hexes)
            )
        return self.hexes[block]


@dataclass(frozen=True)
class _Streets:
    """The roads, rivers and blockhouses that divide the ground, and the ground itself, as bits of the grid.

    `crossed` are for each of the directions n, ne, se the hexes with a road over that hexside.
    """

    roads: int
    rivers: int
    blockhouses: int
    cells: int
    crossed: tuple[int, int, int]


def river_mask(map_: HexMap) -> int:
    """Return the hexes that count as river, as bits of the map's grid."""
    grid = map_.grid
    wet = grid.names_in_order(map_.feature_mask("river", "water", "canal"))
    return grid.mask(name for name in wet if is_river(map_.hexes[name]))


def _find_streets(map_: HexMap) -> _Streets:
    grid = map_.grid
    roads, crossed = 0, [0, 0, 0]
    for road in map_.roads:
        if road.kind not in STREETS:
            continue
        way = [map_.main(name) for name in road.along]
        roads |= grid.mask(way)
        for a, b in pairwise(way):
            step = grid.at[b] - grid.at[a]
            number = grid.shifts.index(step)
            start = a if number < 3 else b
            crossed[number % 3] |= grid.bit[start]
    rivers = river_mask(map_)
    blockhouses = map_.feature_mask("blockhouse")
    roads &= grid.playable & ~rivers & ~blockhouses
    outside = roads | rivers | blockhouses | map_.mask(map_.no_block)
    n, ne, se = crossed
    return _Streets(roads, rivers, blockhouses, grid.playable & ~outside, (n, ne, se))


def derive_blocks(map_: HexMap) -> Blocks:
    """Return the Blocks that roads, river and map edge make (GEO-3), lists or no lists.

    They have the names that `HexMap.block_names` gives them, else free letters A, B, C ... in the
    stated order.
    """
    streets = _find_streets(map_)
    return _make_blocks(map_, streets, _name_blocks(map_, _join_pieces(map_, streets)), listed=False)


def listed_blocks(map_: HexMap) -> Blocks:
    """Return the Blocks as the map's file lists them."""
    masks = {name: map_.mask(hexes) for name, hexes in map_.block_lists.items()}
    ordered = map_.grid.in_order(masks.values())
    by_mask = {mask: name for name, mask in masks.items()}
    return _make_blocks(map_, _find_streets(map_), {by_mask[m]: m for m in ordered}, listed=True)


def _make_blocks(map_: HexMap, streets: _Streets, masks: Mapping[str, int], *, listed: bool) -> Blocks:
    grid = map_.grid
    return Blocks(
        MappingProxyType({name: grid.names(mask) for name, mask in masks.items()}),
        MappingProxyType(dict(masks)),
        listed,
        not listed and not map_.block_names,
        grid.names(streets.roads),
        grid.names(streets.rivers),
        grid.names(streets.blockhouses),
    )


def _join_pieces(map_: HexMap, streets: _Streets) -> list[int]:
    """Return the Blocks as bits, in the stated order: pieces of ground, joined through gaps."""
    pieces = map_.grid.pieces(streets.cells)
    groups = _Groups()
    holder = {place: number for number, piece in enumerate(pieces) for place in places(piece)}
    for corner, other in _gaps(map_, streets):
        groups.join(corner, other)
        for end in (corner, other):
            for place in end:
                if place in holder:
                    groups.join(end, holder[place])
    masks: dict[Hashable, int] = {}
    for number, piece in enumerate(pieces):
        root = groups.root(number)
        masks[root] = masks.get(root, 0) | piece
    return map_.grid.in_order(masks.values())


Corner = tuple[int, ...]
"""Where three hexes meet: their places in the grid, lowest first; some may be off the map."""


def _gaps(map_: HexMap, streets: _Streets) -> Iterator[tuple[Corner, Corner]]:
    """Yield the two ends of each hexside between road hexes that no road crosses (GEO-3, 2)."""
    grid = map_.grid
    around = grid.shifts
    for direction in range(3):
        both = streets.roads & grid.step(streets.roads, direction + 3)
        for place in places(both & ~streets.crossed[direction]):
            other = place + around[direction]
            before, after = (tuple(sorted((place, other, place + around[(direction + turn) % 6]))) for turn in (-1, 1))
            yield before, after


class _Groups:
    """Things joined into groups (union-find)."""

    def __init__(self) -> None:
        self._over: dict[Hashable, Hashable] = {}

    def root(self, thing: Hashable) -> Hashable:
        """Return the thing that stands for the group of this one."""
        while thing in self._over:
            thing = self._over[thing]
        return thing

    def join(self, thing: Hashable, other: Hashable) -> None:
        """Put two things into one group."""
        first, second = self.root(thing), self.root(other)
        if first != second:
            self._over[first] = second


def _name_blocks(map_: HexMap, masks: list[int]) -> dict[str, int]:
    grid = map_.grid
    given = {
        mask: name for name, inside in map_.block_names.items() for mask in masks if mask & grid.bit[map_.main(inside)]
    }
    free = (name for name in map(column_name, range(104)) if name not in map_.block_names)
    more = (f"Block {number}" for number in range(1, len(masks) + 1))
    return {given.get(mask) or next(free, "") or next(more): mask for mask in masks}


@kept_with_map
def block_locations(map_: HexMap, block: str) -> tuple[str, ...]:
    """Return every Location of a Block, in the stated order. Raises RefusedError (NO_SUCH)."""
    hexes = map_.blocks.hexes_of_block(block)
    return tuple(where for name in map_.in_order(hexes) for where in map_.locations(name))


def single_blocks(map_: HexMap) -> tuple[Problem, ...]:
    """Return remarks on Blocks of one hex: mostly a road or a crossing that is drawn too far."""
    right = "check the roads around it; ground between streets that isn't a Block goes under no_block"
    return tuple(
        Problem(f"Block {name} is the single hex {next(iter(hexes))}", right)
        for name, hexes in map_.blocks.hexes.items()
        if len(hexes) == 1
    )


def block_differences(map_: HexMap) -> tuple[Problem, ...]:
    """Return where the listed Blocks differ from those that roads and river make; nothing without lists.

    The lists decide (GEO-3); these are remarks for the author of the map.
    """
    grid, derived = map_.grid, derive_blocks(map_).masks.values()
    listed = map_.blocks.masks if map_.blocks.listed else {}
    problems = []
    for piece in derived:
        blocks_here = [name for name, mask in listed.items() if mask & piece]
        if len(blocks_here) > 1:
            first = grid.names_in_order(piece & listed[blocks_here[0]])[0]
            difference = f"no street divides the Blocks {', '.join(blocks_here)} (at {first} and beyond)"
            problems.append(Problem(difference, "add the road that lies between them, or join them"))
    for name, mask in listed.items():
        parts = grid.in_order(piece & mask for piece in derived if piece & mask)
        if len(parts) > 1:
            firsts = " from ".join(grid.names_in_order(part)[0] for part in parts)
            difference = f"a street divides Block {name}: {firsts}"
            problems.append(Problem(difference, "take out the road hexside, or make them two Blocks"))
    return tuple(problems)


BLOCKHOUSE = "Blockhouse"
"""The name of a Setup Area that is the Blockhouse (ABtF 5.1)."""


class GroundKind(StrEnum):
    """What a Location is to a side (ABtF 9.2)."""

    FRIENDLY = "friendly"
    ENEMY = "enemy"
    UNCONTROLLED = "uncontrolled"


@dataclass(frozen=True)
class SetupArea:
    """A Setup Area: a Block that a side Controls, by the Block's name (ABtF 9.2)."""

    name: str
    side: str
    hexes: frozenset[str]


@dataclass(frozen=True)
class BlockFront:
    """The ground of a town by the side that holds it; mappings are by side, hexes by their main names.

    `control` of the Controlled Blocks; `areas` the Setup Areas, in the stated order of their
    first hexes; `friendly` all Friendly Setup Area hexes; `road_line` the front line road hexes;
    `line` the Front Line hexes in a side's Setup Areas (every Location of them counts);
    `uncontrolled` what is in neither side's areas.
    """

    sides: tuple[str, str]
    control: Mapping[str, str]
    areas: tuple[SetupArea, ...]
    friendly: Mapping[str, frozenset[str]]
    road_line: frozenset[str]
    line: Mapping[str, frozenset[str]]
    uncontrolled: frozenset[str]

    def enemy(self, side: str) -> str:
        """Return the other side. Raises RefusedError for a side that is not at this front."""
        first, second = self.sides
        _check_side(side, self.sides)
        return second if side == first else first

    def area_at(self, location: str) -> SetupArea | None:
        """Return the Setup Area that holds a hex or Location, None if none does."""
        name = split_location(location)[0]
        return next((area for area in self.areas if name in area.hexes), None)

    def ground(self, side: str, location: str) -> GroundKind:
        """Return what a hex or Location is to a side.

        Raises RefusedError for a hex that is not in play or a side that is not at this front.
        """
        enemy, name = self.enemy(side), split_location(location)[0]
        if name in self.friendly[side]:
            return GroundKind.FRIENDLY
        if name in self.friendly[enemy]:
            return GroundKind.ENEMY
        if name in self.uncontrolled:
            return GroundKind.UNCONTROLLED
        raise RefusedError(Refusal.NO_SUCH, f"{name} is not a playable hex of this map")


def block_front(
    map_: HexMap,
    control: Mapping[str, str | None],
    sides: tuple[str, str],
    *,
    blockhouse: Mapping[str, str] = MappingProxyType({}),
    also: Iterable[str] = (),
    connected: bool = False,
) -> BlockFront:
    """Return Setup Areas and front line for one state of Block Control.

    `control` is the side that Controls a Block, by the Block's name; Blocks left out or None are
    nobody's. `blockhouse` says which side's Setup Area the hexes of the Blockhouse are (5.1),
    `also` which road hexes the owner of the module adds to the front line. If `connected`, Blocks
    of one side with a single street between them make one Setup Area. Raises RefusedError
    (NO_SUCH) for unknown Blocks, hexes or sides, or hexes that are not what they are said to be.
    """
    blocks, grid = map_.blocks, map_.grid
    held: dict[str, str] = {}
    for name, side in control.items():
        blocks.hexes_of_block(name)
        if side is not None:
            held[name] = _check_side(side, sides)
    roads = grid.mask(blocks.roads)
    parts = [(name, held[name], mask) for name, mask in blocks.masks.items() if name in held]
    if connected:
        parts = _join_areas(grid, parts, roads)
    parts += _blockhouses(map_, blockhouse, sides)
    friendly = {side: union(mask for _, who, mask in parts if who == side) for side in sides}
    a, b = sides
    line = roads & grid.grow(friendly[a]) & grid.grow(friendly[b]) | _road_mask(map_, also, roads)
    near = grid.grow(line) & ~map_.feature_mask("blockhouse")
    by_mask = {mask: SetupArea(name, who, grid.names(mask)) for name, who, mask in parts}
    return BlockFront(
        sides,
        MappingProxyType({name: held[name] for name in blocks.hexes if name in held}),
        tuple(by_mask[mask] for mask in grid.in_order(by_mask)),
        MappingProxyType({side: grid.names(friendly[side]) for side in sides}),
        grid.names(line),
        MappingProxyType({side: grid.names(friendly[side] & near) for side in sides}),
        grid.names(grid.playable & ~friendly[a] & ~friendly[b]),
    )


Part = tuple[str, str, int]
"""A Setup Area to be: its name, its side, its hexes as bits."""


def _check_side(side: str, sides: tuple[str, str]) -> str:
    if side in sides:
        return side
    raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r} here", did_you_mean(side, sides))


def _join_areas(grid: Grid, parts: list[Part], roads: int) -> list[Part]:
    """Return the areas with those of one side joined that lie along the same road hex."""
    areas: list[Part] = []
    rest = list(parts)
    while rest:
        name, side, mask = rest.pop(0)
        names = [name]
        while near := [part for part in rest if part[1] == side and grid.grow(part[2]) & grid.grow(mask) & roads]:
            rest = [part for part in rest if part not in near]
            names += [part[0] for part in near]
            mask |= union(part[2] for part in near)
        areas.append(("+".join(sorted(names)), side, mask))
    return areas


def _blockhouses(map_: HexMap, blockhouse: Mapping[str, str], sides: tuple[str, str]) -> list[Part]:
    masks: dict[str, int] = {}
    for name, side in blockhouse.items():
        if not map_.hex(name).has("blockhouse"):
            known = sorted(map_.blocks.blockhouses)
            advice = did_you_mean(name, known, "it stands in")
            raise RefusedError(Refusal.NO_SUCH, f"{name} is not a hex of the Blockhouse", advice)
        masks[side] = masks.get(_check_side(side, sides), 0) | map_.mask([name])
    return [(BLOCKHOUSE, side, mask) for side, mask in masks.items()]


def _road_mask(map_: HexMap, also: Iterable[str], roads: int) -> int:
    mask = 0
    for name in also:
        bit = map_.mask([name])
        if not bit & roads:
            raise RefusedError(Refusal.NO_SUCH, f"{name} is not a road hex", "the front line runs along streets")
        mask |= bit
    return mask


def front_locations(map_: HexMap, front: BlockFront, side: str | None = None) -> tuple[str, ...]:
    """Return the Front Line Locations in a side's Setup Areas, or those of the road hexes.

    Every Location of a hex counts, in the stated order.
    """
    hexes = front.road_line if side is None else front.line[_check_side(side, front.sides)]
    return tuple(where for name in map_.in_order(hexes) for where in map_.locations(name))


ENTRY_RADIUS = 4
"""Reach of an Entry Area from its arrow, in hexes."""


@dataclass(frozen=True)
class EntryArea:
    """An Entry Area: its arrow, its hexes in the stated order, the map edges the arrow is on."""

    arrow: EntryArrow
    hexes: tuple[str, ...]
    edges: frozenset[str]

    @property
    def id(self) -> str:
        """The name of the area: its arrow's hex."""
        return self.arrow.hex


def map_edge(map_: HexMap) -> frozenset[str]:
    """Return the hexes at the edge of the map (GEO-1): those next to what is not in play."""
    return map_.grid.names(map_.grid.rim)


def entry_areas(map_: HexMap) -> tuple[EntryArea, ...]:
    """Return the Entry Areas of a map, in the order of its file."""
    return tuple(entry_area(map_, arrow) for arrow in map_.entry_arrows)


@kept_with_map
def entry_area(map_: HexMap, arrow: str | EntryArrow) -> EntryArea:
    """Return the Entry Area of an arrow, named by its hex or given.

    It is all map edge hexes within four of the arrow, those round a corner too unless the arrow
    says otherwise. Raises RefusedError (NO_SUCH) if no such arrow exists or it is not at the
    map's edge.
    """
    if isinstance(arrow, str):
        main, by_hex = map_.main(arrow), {known.hex: known for known in map_.entry_arrows}
        if main not in by_hex:
            advice = did_you_mean(arrow, by_hex)
            raise RefusedError(Refusal.NO_SUCH, f"there is no Entry Area {arrow} on this map", advice)
        arrow = by_hex[main]
    grid, start = map_.grid, map_.mask([arrow.hex])
    if not start & grid.rim:
        raise RefusedError(Refusal.NO_SUCH, f"{arrow.hex} is not at the edge of the map")
    edges_here = {edge: mask for edge, mask in map_.edges.items() if mask & start}
    hexes = start if arrow.single else grid.ball(start, ENTRY_RADIUS) & grid.rim
    if arrow.same_edge_only and edges_here:
        hexes &= union(edges_here.values())
    return EntryArea(arrow, tuple(grid.names_in_order(hexes)), frozenset(edges_here))
