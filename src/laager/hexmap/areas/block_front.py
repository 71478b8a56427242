"""Setup Areas, Uncontrolled Territory and the front line of a town of Blocks (ABtF 9.605), and its Entry Areas.

Works through GEO-5, GEO-6 and GEO-8 for one state of Block Control. Who Controls a Block is given, not worked out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import split_location
from laager.hexmap.grid import Grid, union
from laager.hexmap.hexmap import EDGES, HexMap
from laager.hexmap.values import EntryArrow

BLOCKHOUSE = "Blockhouse"
"""The name of a Setup Area that is the Blockhouse (ABtF 5.1)."""


class Ground(StrEnum):
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
    """Who holds which ground of a town; mappings are by side, hexes by their main names.

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
        _known_side(side, self.sides)
        return second if side == first else first

    def area_at(self, location: str) -> SetupArea | None:
        """Return the Setup Area that holds a hex or Location, None if none does."""
        name = split_location(location)[0]
        return next((area for area in self.areas if name in area.hexes), None)

    def ground(self, side: str, location: str) -> Ground:
        """Return what a hex or Location is to a side.

        Raises RefusedError for a hex that is not in play or a side that is not at this front.
        """
        enemy, name = self.enemy(side), split_location(location)[0]
        if name in self.friendly[side]:
            return Ground.FRIENDLY
        if name in self.friendly[enemy]:
            return Ground.ENEMY
        if name in self.uncontrolled:
            return Ground.UNCONTROLLED
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
        blocks.named(name)
        if side is not None:
            held[name] = _known_side(side, sides)
    roads = grid.mask(blocks.roads)
    parts = [(name, held[name], mask) for name, mask in blocks.masks.items() if name in held]
    if connected:
        parts = _connected(grid, parts, roads)
    parts += _blockhouses(map_, blockhouse, sides)
    own = {side: union(mask for _, who, mask in parts if who == side) for side in sides}
    a, b = sides
    line = roads & grid.grow(own[a]) & grid.grow(own[b]) | _added(map_, also, roads)
    near = grid.grow(line) & ~map_.having("blockhouse")
    by_mask = {mask: SetupArea(name, who, grid.names(mask)) for name, who, mask in parts}
    return BlockFront(
        sides,
        MappingProxyType({name: held[name] for name in blocks.hexes if name in held}),
        tuple(by_mask[mask] for mask in grid.in_order(by_mask)),
        MappingProxyType({side: grid.names(own[side]) for side in sides}),
        grid.names(line),
        MappingProxyType({side: grid.names(own[side] & near) for side in sides}),
        grid.names(grid.playable & ~own[a] & ~own[b]),
    )


Part = tuple[str, str, int]
"""A Setup Area to be: its name, its side, its hexes as bits."""


def _known_side(side: str, sides: tuple[str, str]) -> str:
    if side in sides:
        return side
    raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r} here", did_you_mean(side, sides))


def _connected(grid: Grid, parts: list[Part], roads: int) -> list[Part]:
    """Return the areas with those of one side joined that lie along the same road hex."""
    found: list[Part] = []
    left = list(parts)
    while left:
        name, side, mask = left.pop(0)
        names = [name]
        while near := [part for part in left if part[1] == side and grid.grow(part[2]) & grid.grow(mask) & roads]:
            left = [part for part in left if part not in near]
            names += [part[0] for part in near]
            mask |= union(part[2] for part in near)
        found.append(("+".join(sorted(names)), side, mask))
    return found


def _blockhouses(map_: HexMap, blockhouse: Mapping[str, str], sides: tuple[str, str]) -> list[Part]:
    found: dict[str, int] = {}
    for name, side in blockhouse.items():
        if not map_.hex(name).has("blockhouse"):
            known = sorted(map_.blocks.blockhouses)
            advice = did_you_mean(name, known, "it stands in")
            raise RefusedError(Refusal.NO_SUCH, f"{name} is not a hex of the Blockhouse", advice)
        found[side] = found.get(_known_side(side, sides), 0) | map_.mask([name])
    return [(BLOCKHOUSE, side, mask) for side, mask in found.items()]


def _added(map_: HexMap, also: Iterable[str], roads: int) -> int:
    found = 0
    for name in also:
        bit = map_.mask([name])
        if not bit & roads:
            raise RefusedError(Refusal.NO_SUCH, f"{name} is not a road hex", "the front line runs along streets")
        found |= bit
    return found


def front_locations(map_: HexMap, front: BlockFront, side: str | None = None) -> tuple[str, ...]:
    """Return the Front Line Locations in a side's Setup Areas, or those of the road hexes.

    Every Location of a hex counts, in the stated order.
    """
    hexes = front.road_line if side is None else front.line[_known_side(side, front.sides)]
    return tuple(where for name in map_.in_order(hexes) for where in map_.locations(name))


ENTRY_RADIUS = 4
"""How far an Entry Area reaches from its arrow."""


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


def entry_area(map_: HexMap, arrow: str | EntryArrow) -> EntryArea:
    """Return the Entry Area of an arrow, named by its hex or given.

    It is all map edge hexes within four of the arrow, those round a corner too unless the arrow
    says otherwise. Raises RefusedError (NO_SUCH) if no such arrow exists or it is not at the
    map's edge.
    """
    if isinstance(arrow, str):
        main, by_hex = map_.main(arrow), {one.hex: one for one in map_.entry_arrows}
        if main not in by_hex:
            advice = did_you_mean(arrow, by_hex)
            raise RefusedError(Refusal.NO_SUCH, f"there is no Entry Area {arrow} on this map", advice)
        arrow = by_hex[main]
    grid, start = map_.grid, map_.mask([arrow.hex])
    if not start & grid.rim:
        raise RefusedError(Refusal.NO_SUCH, f"{arrow.hex} is not at the edge of the map")
    edges = {edge: map_.mask(map_.edge(edge)) for edge in EDGES}
    own = {edge: mask for edge, mask in edges.items() if mask & start}
    found = start if arrow.single else grid.ball(start, ENTRY_RADIUS) & grid.rim
    if arrow.same_edge_only and own:
        found &= union(own.values())
    return EntryArea(arrow, tuple(grid.listed(found)), frozenset(own))
