"""Blocks (ABtF 9.2 Block; GEO-2, GEO-3): the ground between streets, river and the map's edge.

What bounds a Block are road hexes joined through road hexsides. Where two adjacent road hexes
have no road over their common hexside there is a gap, and what lies on its two sides is one
Block; so a dead end divides nothing. Ground at the map's edge and on the river bank belongs to
its Block. A bridge or ramp over the river is river. The Blockhouse belongs to no Block and joins
none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

from laager.base import Problem, Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import column_name, split_location
from laager.hexmap.grid import places
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import STREETS, river


@dataclass(frozen=True)
class Blocks:
    """The Blocks of a map, and what is in none.

    `hexes` of each Block by its name, in the stated order of their first hexes, `masks` the same
    as bits of the map's grid; `listed` whether the map's file lists them hex by hex; `lettered`
    whether nobody named them, so that each has the next free letter by its position; `roads` the
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
        return {name: block for block, own in self.hexes.items() for name in own}

    def of(self, name: str) -> str | None:
        """Return the Block that a hex or Location is in, by main name; None if in none."""
        return self._holder.get(split_location(name)[0])

    def named(self, block: str) -> frozenset[str]:
        """Return the hexes of a Block. Raises RefusedError (NO_SUCH)."""
        if block not in self.hexes:
            raise RefusedError(
                Refusal.NO_SUCH, f"there is no Block {block!r} on this map", did_you_mean(block, self.hexes)
            )
        return self.hexes[block]


@dataclass(frozen=True)
class _Streets:
    """What divides the ground, as bits of the grid.

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
    wet = grid.listed(map_.having("river", "water", "canal"))
    return grid.mask(name for name in wet if river(map_.hexes[name]))


def _streets(map_: HexMap) -> _Streets:
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
    blockhouses = map_.having("blockhouse")
    roads &= grid.playable & ~rivers & ~blockhouses
    outside = roads | rivers | blockhouses | map_.mask(map_.no_block)
    n, ne, se = crossed
    return _Streets(roads, rivers, blockhouses, grid.playable & ~outside, (n, ne, se))


def derive_blocks(map_: HexMap) -> Blocks:
    """Return the Blocks that roads, river and map edge make (GEO-3), lists or no lists.

    They have the names that `HexMap.block_names` gives them, else free letters A, B, C ... in the
    stated order.
    """
    found = _streets(map_)
    return _blocks(map_, found, _named(map_, _joined(map_, found)), listed=False)


def listed_blocks(map_: HexMap) -> Blocks:
    """Return the Blocks as the map's file lists them."""
    masks = {name: map_.mask(own) for name, own in map_.block_lists.items()}
    ordered = map_.grid.in_order(masks.values())
    by_mask = {mask: name for name, mask in masks.items()}
    return _blocks(map_, _streets(map_), {by_mask[m]: m for m in ordered}, listed=True)


def _blocks(map_: HexMap, found: _Streets, masks: Mapping[str, int], *, listed: bool) -> Blocks:
    grid = map_.grid
    return Blocks(
        MappingProxyType({name: grid.names(mask) for name, mask in masks.items()}),
        MappingProxyType(dict(masks)),
        listed,
        not listed and not map_.block_names,
        grid.names(found.roads),
        grid.names(found.rivers),
        grid.names(found.blockhouses),
    )


def _joined(map_: HexMap, found: _Streets) -> list[int]:
    """Return the Blocks as bits, in the stated order: pieces of ground, joined through gaps."""
    pieces = map_.grid.pieces(found.cells)
    groups = _Groups()
    holder = {place: number for number, piece in enumerate(pieces) for place in places(piece)}
    for corner, other in _gaps(map_, found):
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


def _gaps(map_: HexMap, found: _Streets) -> Iterator[tuple[Corner, Corner]]:
    """Yield the two ends of each hexside between road hexes that no road crosses (GEO-3, 2)."""
    grid = map_.grid
    around = grid.shifts
    for direction in range(3):
        both = found.roads & grid.step(found.roads, direction + 3)
        for place in places(both & ~found.crossed[direction]):
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

    def join(self, one: Hashable, other: Hashable) -> None:
        """Put two things into one group."""
        first, second = self.root(one), self.root(other)
        if first != second:
            self._over[first] = second


def _named(map_: HexMap, masks: list[int]) -> dict[str, int]:
    grid = map_.grid
    given = {
        mask: name for name, inside in map_.block_names.items() for mask in masks if mask & grid.bit[map_.main(inside)]
    }
    free = (name for name in map(column_name, range(104)) if name not in map_.block_names)
    more = (f"Block {number}" for number in range(1, len(masks) + 1))
    return {given.get(mask) or next(free, "") or next(more): mask for mask in masks}


def block_locations(map_: HexMap, block: str) -> tuple[str, ...]:
    """Return every Location of a Block, in the stated order. Raises RefusedError (NO_SUCH)."""
    own = map_.blocks.named(block)
    return tuple(where for name in map_.in_order(own) for where in map_.locations(name))


def single_blocks(map_: HexMap) -> tuple[Problem, ...]:
    """Return remarks on Blocks of one hex: mostly a road or a crossing that is drawn too far."""
    right = "check the roads around it; ground between streets that is no Block goes under no_block"
    return tuple(
        Problem(f"Block {name} is the single hex {next(iter(own))}", right)
        for name, own in map_.blocks.hexes.items()
        if len(own) == 1
    )


def block_differences(map_: HexMap) -> tuple[Problem, ...]:
    """Return where the listed Blocks are not those that roads and river make.

    The lists decide (GEO-3); these are remarks for whoever typed them. None without lists.
    """
    grid, derived = map_.grid, derive_blocks(map_).masks.values()
    own = map_.blocks.masks if map_.blocks.listed else {}
    found = []
    for piece in derived:
        there = [name for name, mask in own.items() if mask & piece]
        if len(there) > 1:
            first = grid.listed(piece & own[there[0]])[0]
            what = f"no street divides the Blocks {', '.join(there)} (at {first} and beyond)"
            found.append(Problem(what, "add the road that lies between them, or join them"))
    for name, mask in own.items():
        parts = grid.in_order(piece & mask for piece in derived if piece & mask)
        if len(parts) > 1:
            firsts = " from ".join(grid.listed(part)[0] for part in parts)
            what = f"a street divides Block {name}: {firsts}"
            found.append(Problem(what, "take out the road hexside, or make them two Blocks"))
    return tuple(found)
