"""The front (PL 3.2): who holds what ground, and in which situation a unit there is.

Works through PL GEO G3 to G11 for one state of Control and the links that the sides have drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import split_location
from laager.hexmap.frontline.clusters import CLUSTER_RADIUS, ClusterGround, Edge, FrontInputs, ground
from laager.hexmap.frontline.links import FrontLink, Mlr, link_problems, mlr_masks, mlrs, propose_links
from laager.hexmap.grid import union
from laager.hexmap.hexmap import HexMap

Hexes = frozenset[str]


class Situation(StrEnum):
    """Where a unit finds itself when play ends (PL 3.212), by the rule's letters."""

    ENEMY_MLR = "a"
    ISOLATED = "b"
    UNCONTROLLED = "c"
    NO_MANS_LAND = "d"
    FRIENDLY_MLR = "e"


@dataclass(frozen=True, repr=False)
class Front:
    """The ground as both sides hold it; every mapping is by side. Hexes by their main names.

    `seeds` C the Controlled Strategic hexes; `raw` R all hexes within the radius of them;
    `overlap` N1, No Man's Land of the first kind; `controlled` K, the Controlled Terrain; its
    `clusters`, the `links` kept, the `mlrs` they make and the `region` of all of them together;
    `beside` the hexes next to that region; `isolated` Controlled Terrain inside the enemy's
    region; `second_nml` N2, inside both regions; `no_mans_land` both kinds; `uncontrolled` what
    is left over; `friendly_mlr` where a unit of the side is in situation e.
    """

    sides: tuple[str, str]
    seeds: Mapping[str, Hexes]
    raw: Mapping[str, Hexes]
    overlap: Hexes
    controlled: Mapping[str, Hexes]
    clusters: Mapping[str, tuple[Hexes, ...]]
    links: Mapping[str, tuple[FrontLink, ...]]
    mlrs: Mapping[str, tuple[Mlr, ...]]
    region: Mapping[str, Hexes]
    beside: Mapping[str, Hexes]
    isolated: Mapping[str, Hexes]
    second_nml: Hexes
    no_mans_land: Hexes
    uncontrolled: Hexes
    friendly_mlr: Mapping[str, Hexes]

    def __repr__(self) -> str:
        held = ", ".join(f"{side} {len(self.mlrs[side])} MLR and {len(self.region[side])} hexes" for side in self.sides)
        return f"<Front: {held}; {len(self.no_mans_land)} hexes of No Man's Land>"

    def enemy(self, side: str) -> str:
        """Return the other side. Raises RefusedError for a side that is not at this front."""
        first, second = self.sides
        if side not in self.sides:
            raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r} here", did_you_mean(side, self.sides))
        return second if side == first else first

    def situation(
        self, side: str, location: str, own_location: bool = False, *, pocket_is_no_mans_land: bool = True
    ) -> Situation:
        """Return the situation of a side's unit in a Location (PL 3.212, PL GEO G11).

        At ground level the hex decides. Any other Location has the status of its own Control:
        `own_location` says whether the side Controls it; above ground that is not the side's own
        the unit is Isolated only away from its own MLR, at the front it is in No Man's Land.
        The ground of a surrounded enemy pocket counts as No Man's Land for the besieger, or as
        enemy MLR if `pocket_is_no_mans_land` is off. Raises RefusedError for a hex that is not
        playable or a side that is not at this front.
        """
        enemy = self.enemy(side)
        name, level = split_location(location)
        in_enemy, in_own = name in self.region[enemy], name in self.region[side]
        if in_enemy and level is None and name in self.controlled[side]:
            return Situation.ISOLATED
        if in_enemy and level is not None and own_location:
            if name in self.controlled[side]:
                return Situation.ISOLATED
            at_front = in_own or name in self.beside[side]
            return Situation.NO_MANS_LAND if at_front else Situation.ISOLATED
        pocket = in_own and name in self.controlled[enemy] and pocket_is_no_mans_land
        if name in self.no_mans_land or pocket:
            return Situation.NO_MANS_LAND
        if in_enemy:
            return Situation.ENEMY_MLR
        if in_own:
            return Situation.FRIENDLY_MLR
        if name in self.uncontrolled:
            return Situation.UNCONTROLLED
        raise RefusedError(Refusal.NO_SUCH, f"{name} is not a playable hex of this map")

    def mlr_of(self, side: str, name: str) -> str | None:
        """Return the letter of the side's MLR that holds a hex; None if none does.

        Of several regions that overlap it is the one whose cluster the hex belongs to, else the
        first.
        """
        holding = [mlr for mlr in self.mlrs[side] if name in mlr.hexes]
        for mlr in holding:
            if any(name in cluster for cluster in mlr.clusters):
                return mlr.letter
        return holding[0].letter if holding else None

    @property
    def mutual_isolation(self) -> bool:
        """True if each side has Isolated hexes: then the players should see other links first."""
        return all(self.isolated[side] for side in self.sides)

    def to_data(self) -> dict[str, Any]:
        """Return the front as plain JSON data."""
        return {
            "sides": list(self.sides),
            "overlap": _sort(self.overlap),
            "second_nml": _sort(self.second_nml),
            "uncontrolled": _sort(self.uncontrolled),
            "by_side": {side: self._side_to_data(side) for side in self.sides},
        }

    def _side_to_data(self, side: str) -> dict[str, Any]:
        clusters, links = self.clusters[side], self.links[side]
        return {
            "seeds": _sort(self.seeds[side]),
            "raw": _sort(self.raw[side]),
            "clusters": [_sort(cluster) for cluster in clusters],
            "links": [link.to_data() for link in links],
            "mlrs": [mlr.to_data(clusters, links) for mlr in self.mlrs[side]],
            "beside": _sort(self.beside[side]),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Front:
        """Return the front that `to_data` described. Trusts the data."""
        first, second = data["sides"]
        sides = (first, second)
        own = data["by_side"]
        clusters = {side: tuple(frozenset(part) for part in own[side]["clusters"]) for side in sides}
        links = {side: tuple(FrontLink.from_data(part) for part in own[side]["links"]) for side in sides}
        lines = {
            side: tuple(Mlr.from_data(part, clusters[side], links[side]) for part in own[side]["mlrs"])
            for side in sides
        }
        return _front(
            sides,
            {side: frozenset(own[side]["seeds"]) for side in sides},
            {side: frozenset(own[side]["raw"]) for side in sides},
            frozenset(data["overlap"]),
            clusters,
            links,
            lines,
            {side: frozenset(own[side]["beside"]) for side in sides},
            frozenset(data["second_nml"]),
            frozenset(data["uncontrolled"]),
        )


def _sort(names: Hexes) -> list[str]:
    return sorted(names)


def _front(
    sides: tuple[str, str],
    seeds: Mapping[str, Hexes],
    raw: Mapping[str, Hexes],
    overlap: Hexes,
    clusters: Mapping[str, tuple[Hexes, ...]],
    links: Mapping[str, tuple[FrontLink, ...]],
    lines: Mapping[str, tuple[Mlr, ...]],
    beside: Mapping[str, Hexes],
    second: Hexes,
    uncontrolled: Hexes,
) -> Front:
    """Put a front together; what follows from the rest by definition is worked out here."""
    a, b = sides
    controlled = {side: frozenset[str]().union(*clusters[side]) for side in sides}
    area = {side: frozenset[str]().union(*(mlr.hexes for mlr in lines[side])) for side in sides}
    isolated = {a: controlled[a] & area[b], b: controlled[b] & area[a]}
    nobodys = overlap | second
    friendly = {a: area[a] - nobodys - controlled[b] - isolated[a], b: area[b] - nobodys - controlled[a] - isolated[b]}
    return Front(
        sides,
        MappingProxyType(dict(seeds)),
        MappingProxyType(dict(raw)),
        overlap,
        MappingProxyType(controlled),
        MappingProxyType(dict(clusters)),
        MappingProxyType(dict(links)),
        MappingProxyType(dict(lines)),
        MappingProxyType(area),
        MappingProxyType(dict(beside)),
        MappingProxyType(isolated),
        second,
        nobodys,
        uncontrolled,
        MappingProxyType(friendly),
    )


def front(
    map_: HexMap,
    controlled: Mapping[str, frozenset[str]],
    ground_control: Mapping[str, str],
    edges: Mapping[str, Edge],
    links: Mapping[str, Sequence[FrontLink] | None] | None = None,
    radius: int = CLUSTER_RADIUS,
    *,
    nearest_edge_only: bool = False,
) -> Front:
    """Return the front for one state of Control (see `FrontInputs`) and the links drawn.

    A side without an entry in `links` (or None) gets the proposed ones; an empty sequence means
    that it draws none. Raises DataError with every reason why a link is not legal, RefusedError
    for unknown hexes or if there are not exactly two sides.
    """
    land = ground(map_, FrontInputs(controlled, ground_control, edges, radius, nearest_edge_only))
    chosen = {side: (links or {}).get(side) for side in land.sides}
    kept = {
        side: propose_links(map_, land, side) if own is None else tuple(link.with_main_names(map_) for link in own)
        for side, own in chosen.items()
    }
    problems: list[Problem] = []
    for side, own in chosen.items():
        for link in own or ():
            problems += [problem.inside(side) for problem in link_problems(map_, land, side, link)]
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    return _from_ground(map_, land, kept)


def _from_ground(map_: HexMap, land: ClusterGround, links: Mapping[str, tuple[FrontLink, ...]]) -> Front:
    grid, sides = map_.grid, land.sides
    a, b = sides
    masks = {side: mlr_masks(map_, land, side, links[side]) for side in sides}
    area = {side: union(region for _, region, _ in masks[side]) for side in sides}
    second = area[a] & area[b] & ~land.controlled[a] & ~land.controlled[b] & ~land.overlap
    uncontrolled = grid.playable & ~(area[a] | area[b] | land.overlap | second)
    named = {side: tuple((mask, grid.names(mask)) for mask in land.clusters[side]) for side in sides}
    return _front(
        sides,
        {side: grid.names(land.seeds[side]) for side in sides},
        {side: grid.names(land.raw[side]) for side in sides},
        grid.names(land.overlap),
        {side: tuple(names for _, names in named[side]) for side in sides},
        links,
        {side: mlrs(map_, named[side], masks[side]) for side in sides},
        {side: grid.names(grid.grow(area[side]) & grid.playable & ~area[side]) for side in sides},
        grid.names(second),
        grid.names(uncontrolled),
    )
