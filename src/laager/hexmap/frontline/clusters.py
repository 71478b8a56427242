"""Controlled Terrain Hex Clusters (PL 1.4) and what goes into them: PL GEO G3 to G5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from laager.base import Refusal, RefusedError
from laager.hexmap.grid import union
from laager.hexmap.hexmap import HexMap

Edge = frozenset[str] | tuple[frozenset[str], ...]
"""The hexes of a side's Friendly Map Edge; of each, if the side has several."""

CLUSTER_RADIUS = 2
"""How far Controlled Terrain reaches from a Controlled Strategic hex."""


@dataclass(frozen=True)
class FrontInputs:
    """What the front is worked out from.

    `controlled` are the hexes that each of exactly two sides Controls by Strategic Terrain
    (`strategic.controlled_hexes`), `ground_control` who Controls the ground level of hexes that
    stand under both, `edges` the Friendly Map Edge hexes of each side, edge by edge if it has
    several: links go to the nearest hex of each.
    """

    controlled: Mapping[str, frozenset[str]]
    ground_control: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, Edge] = field(default_factory=dict)
    radius: int = CLUSTER_RADIUS

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides. Raises RefusedError unless there are exactly two."""
        if len(self.controlled) != 2:
            shown = ", ".join(self.controlled) or "none"
            raise RefusedError(Refusal.BAD_DATA, "a front lies between exactly two sides", f"these are {shown}")
        first, second = self.controlled
        return first, second


@dataclass(frozen=True)
class Ground:
    """Clusters and No Man's Land of the first kind, as bits of the map's grid, by side.

    `seeds` C, `raw` all hexes within the radius of them, `overlap` N1, `controlled` K, `clusters`
    the connected pieces of K in the stated order, `edges` each Friendly Map Edge.
    """

    sides: tuple[str, str]
    seeds: Mapping[str, int]
    raw: Mapping[str, int]
    overlap: int
    controlled: Mapping[str, int]
    clusters: Mapping[str, tuple[int, ...]]
    edges: Mapping[str, tuple[int, ...]]

    def edge(self, side: str) -> int:
        """Return the hexes of all Friendly Map Edges of a side."""
        return union(self.edges[side])

    def enemy(self, side: str) -> str:
        """Return the other side."""
        first, second = self.sides
        return second if side == first else first

    def passable(self, map_: HexMap, side: str) -> int:
        """Return the hexes that a link of a side may run through (PL GEO G6).

        Playable, not Controlled Terrain of the enemy, not in the overlap.
        """
        return map_.grid.playable & ~self.controlled[self.enemy(side)] & ~self.overlap


def ground(map_: HexMap, inputs: FrontInputs) -> Ground:
    """Return radii, overlap, Controlled Terrain and clusters of both sides (PL GEO G3 to G5)."""
    grid = map_.grid
    a, b = sides = inputs.sides
    seeds = {side: map_.mask(inputs.controlled[side]) & grid.playable for side in sides}
    raw = {side: grid.ball(seeds[side], inputs.radius) & grid.playable for side in sides}
    # Where both Control something in one hex, its ground level decides; else it is nobody's.
    both = seeds[a] & seeds[b]
    settled = {side: both & _ground_of(map_, inputs, side) for side in sides}
    own = {side: seeds[side] & ~both | settled[side] for side in sides}
    overlap = raw[a] & raw[b] & ~(own[a] | own[b])
    controlled = {a: raw[a] & ~overlap & ~own[b], b: raw[b] & ~overlap & ~own[a]}
    return Ground(
        sides,
        seeds,
        raw,
        overlap,
        controlled,
        {side: tuple(grid.pieces(controlled[side])) for side in sides},
        {side: _edges(map_, inputs.edges.get(side, ())) for side in sides},
    )


def _edges(map_: HexMap, edge: Edge) -> tuple[int, ...]:
    lines = edge if isinstance(edge, tuple) else (edge,)
    masks = (map_.mask(line) & map_.grid.playable for line in lines)
    return tuple(mask for mask in masks if mask)


def _ground_of(map_: HexMap, inputs: FrontInputs, side: str) -> int:
    return map_.mask(name for name, owner in inputs.ground_control.items() if owner == side)
