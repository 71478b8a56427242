"""Where redeploying units can go, and by which hexes (PL 3.21, 3.211, 3.214)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from laager.campaign import implements
from laager.hexmap import EvenGround, Front, find_nearest
from laager.hexmap.coords import split_list
from laager.rules.board.places import accessible_hexes, is_accessible
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.situations import enemy_seen_at, front_of

Way = tuple[str, ...]


@dataclass(frozen=True)
class Goal:
    """A hex that is proposed; `farther` if every nearer cluster is out of reach."""

    to: str
    way: Way
    farther: bool


class PassableGround:
    """The ground as a side's units cross it: never through Locations that hold enemy units."""

    def __init__(self, cg: Cg, side: str) -> None:
        self.cg = cg
        self.side = side
        self.front: Front = front_of(cg)
        self._nearness: dict[str, list[tuple[int, frozenset[str]]]] = {}
        self.closed = frozenset(
            name
            for name in {unit.at for unit in cg.state.units.values() if unit.on_map}
            if name and enemy_seen_at(cg, side, name)
        )

    def why_closed(self, name: str) -> str:
        """Say why a hex can't be entered; nothing if it can, as far as the map tells."""
        if not is_accessible(self.cg, name):
            return "is not accessible"
        return "holds enemy units" if name in self.closed else ""

    @cached_property
    def _open(self) -> frozenset[str]:
        return accessible_hexes(self.cg) - self.closed

    @cached_property
    def ground(self) -> EvenGround:
        """All hexes that can be entered."""
        return EvenGround(self.cg.map, self._open)

    @cached_property
    def controlled_ground(self) -> EvenGround:
        """The same without Uncontrolled Terrain."""
        return EvenGround(self.cg.map, self._open - self.front.uncontrolled)

    def shortest(self, start: str, to: str) -> Way | None:
        """Return a shortest way; None if no way leads there."""
        return self.ground.shortest(start, to)

    def way(self, start: str, to: str, limit: float = math.inf) -> Way | None:
        """Return the proposed way: the shortest, of those around Uncontrolled Terrain if any is.

        None if every way has more hexes than `limit`.
        """
        if start == to:
            return (start,)
        return self.controlled_ground.shortest(start, to, limit) or self.ground.shortest(start, to, limit)

    @implements("PL 3.214", "PL 3.216")
    def by_nearness(self, start: str) -> list[tuple[int, frozenset[str]]]:
        """Return the friendly clusters with their distances in hexes, the nearest first.

        Not the one in which a unit stands already. Of equally near ones the first in the stated order.
        """
        if start not in self._nearness:
            near = ((find_nearest(self.cg.map, start, cluster).distance, cluster) for cluster in self._clusters)
            apart = [(away, cluster) for away, cluster in near if away]
            self._nearness[start] = sorted(apart, key=lambda item: item[0])
        return self._nearness[start]

    @cached_property
    def _clusters(self) -> list[frozenset[str]]:
        """The friendly clusters in the stated order of their first hexes."""
        grid = self.cg.map.grid
        masks = {grid.mask(cluster): cluster for cluster in self.front.clusters[self.side] if cluster}
        return [masks[mask] for mask in grid.in_order(masks)]

    def nearest_clusters(self, start: str) -> frozenset[str]:
        """Return the hexes of the nearest friendly clusters; of several if equally near."""
        clusters = self.by_nearness(start)
        return frozenset[str]().union(*(c for away, c in clusters if away == clusters[0][0]))

    def goal(self, start: str, limit: float) -> Goal | None:
        """Return the hex to propose: the nearest reachable one of the nearest reachable cluster."""
        reached = self.ground.reachable(start, limit)
        clusters = self.by_nearness(start)
        for away, cluster in clusters:
            open_to = [name for name in reached if name in cluster]
            for name in find_nearest(self.cg.map, start, open_to).hexes:
                way = self.way(start, name, limit)
                if way is not None:
                    return Goal(name, way, away > clusters[0][0])
        return None

    def reachable(self, start: str, limit: float, hexes: Iterable[str]) -> list[str]:
        """Return which of some hexes can be reached at best, in the stated order."""
        return self.ground.reachable_of(hexes, start, limit)


def locations_of(text: str) -> Way:
    """Return the Locations in a text such as `E7.1 E6` or `E7.1-E6`, one for each unit."""
    return tuple(part for word in split_list(text) for part in word.split("-") if part)


def in_writing(way: Sequence[str]) -> str:
    """Return a way as players write it."""
    return "-".join(way)
