"""Where a sensible player posts new troops: what counts is garrisoned first, the rest spread over the ground.

Squads go in platoons of three, two in one Location and one beside it, so that a leader is near those he leads; Guns go
where they see far. Only a proposal: what the rules allow they say elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count, groupby
from math import inf

from laager.hexmap import HexMap
from laager.hexmap.coords import DIRECTIONS
from laager.hexmap.hexmap import kept_with_map
from laager.rules.board.changes import MMC
from laager.rules.board.context import CardContext
from laager.rules.board.setup.hiding import gives_cover, is_in_cover
from laager.rules.board.units import Unit

PLATOON = 3
"""Squads that are posted together."""
APART = 8
"""Distance from which posts are no better for being farther apart, in hexes."""
COVER = 3
"""How many hexes of distance cover is worth."""
GARRISON = 20
"""How many hexes of distance it is worth that an area that decides gets its first garrison."""
TAKEN = 99
"""Taken hexes come last."""
SIGHT = 12
"""How far along a hex grain a field of fire is counted, in hexes."""
WIDE = 3
"""Hexes of a field of fire that are worth as much as one hex of distance."""
ENOUGH = 24
"""Size from which a field of fire gets no better, in hexes."""
CHOICES = 25
"""Most hexes that are proposed for a Gun, the best first."""
BLOCKING = frozenset({"building", "rubble", "woods", "forest", "jungle", "dense-jungle", "bamboo"})
"""What ends a field of fire."""

Ground = Callable[[Unit, str], frozenset[str]]
"""The hexes on which a unit can be posted; `mate` is the hex of the first of its group, "" for none."""


class PostChooser:
    """The hexes to try first for each new MMC, by its id.

    `ground` says where a unit can be, `fits` whether a hex is legal for it, `worth` what a hex counts; `held` are
    areas that get a garrison each before any gets two.
    """

    def __init__(
        self,
        cg: CardContext,
        ground: Ground,
        fits: Callable[[Unit, str], bool],
        worth: Mapping[str, int],
        held: Sequence[Collection[str]] = (),
    ) -> None:
        self.cg, self.ground, self.fits, self.worth, self.held = cg, ground, fits, worth, held
        self.taken: list[str] = []
        self.guns: set[str] = set()
        self.mates: dict[str, str] = {}
        self._cover: dict[str, bool] = {}

    def choose(self, units: Sequence[Unit]) -> Mapping[str, Sequence[str]]:
        """Return the hexes for the units of a side that have no place yet, the best first."""
        # Units on the map already hold what is around them.
        self.taken = [unit.hex for unit in units if unit.on_map and unit.hex and unit.kind in MMC]
        new = [unit for unit in units if not unit.on_map and unit.kind in MMC and not unit.with_unit]
        gunners = list(self._gunners(units, new))
        posts: dict[str, Sequence[str]] = {unit.id: () for unit in gunners}
        platoons = list(_platoons([unit for unit in new if unit.id not in posts]))
        # Platoons that can go anywhere fill the gaps that the others leave.
        for platoon in sorted(platoons, key=lambda mates: len(self.ground(mates[0], ""))):
            posts |= self._platoon(platoon)
        for unit in gunners:
            posts[unit.id] = self._firing(unit)
        return posts

    def _gunners(self, units: Sequence[Unit], new: Sequence[Unit]) -> Iterator[Unit]:
        """Yield the crews that have Guns, or are to have those that nobody has, of their group first."""
        guns = [unit for unit in units if unit.kind == "gun" and not unit.on_map]
        held = {gun.with_unit for gun in guns if gun.with_unit}
        free = [gun.group for gun in guns if not gun.with_unit]
        for unit in new:
            if unit.id in held:
                yield unit
            elif unit.kind == "crew" and unit.group in free:
                free.remove(unit.group)
                yield unit

    def _platoon(self, platoon: Sequence[Unit]) -> Iterator[tuple[str, Sequence[str]]]:
        first = platoon[0]
        ground = self.ground(first, self.mates.get(first.group, "") if first.group else "")
        anchor = self._best(first, ground)
        if not anchor:
            return
        self.taken.append(anchor)
        self.mates.setdefault(first.group, anchor)
        ground = self.ground(first, anchor)
        beside = self.cg.sort(self.cg.map.hexes_within([anchor], 2) & ground - set(self.taken))
        beside.sort(key=lambda name: (not is_in_cover(self.cg, name), self.cg.map.distance(anchor, name)))
        flank = beside[0] if beside else anchor
        for number, unit in enumerate(platoon):
            if number == PLATOON - 1:
                self.taken.append(flank)
                yield unit.id, (flank, anchor, *beside[1:])
            else:
                yield unit.id, (anchor, *beside)

    def _best(self, unit: Unit, ground: frozenset[str]) -> str:
        """Return the hex for the next post: it counts, has cover and is away from the others."""
        away, map_ = self._away(), self.cg.map
        empty = frozenset[str]().union(*(area for area in self.held if not any(post in area for post in self.taken)))

        def score(name: str) -> int:
            cover = self._cover.get(name)
            if cover is None:
                cover = self._cover[name] = gives_cover(map_, name)
            counts = self.worth.get(name, 0) + GARRISON * (name in empty) + COVER * cover
            near = away.get(map_.main(name), APART)
            return near + counts - TAKEN * (near == 0)

        hexes = self.cg.sort(ground)
        hexes.sort(key=score, reverse=True)
        return next((name for name in hexes if self.fits(unit, name)), "")

    def _away(self) -> Mapping[str, int]:
        """Return how far from the nearest post the hexes are that are less than `APART` from one."""
        return steps_from(self.cg.map, self.taken, APART)

    # Guns -------------------------------------------------------------------------------------------

    def _firing(self, unit: Unit) -> Sequence[str]:
        """Return the hexes from which a Gun sees most, cover and worth counting too."""
        ground = self.ground(unit, self.mates.get(unit.group, "") if unit.group else "")
        hexes = self.cg.sort(ground - self.guns)
        hexes.sort(key=self._field, reverse=True)
        best = hexes[:CHOICES]
        # Which one is legal for the Gun too comes out later: here it is enough to keep Guns apart.
        first = next((name for name in best if self.fits(unit, name)), "")
        if first:
            self.guns |= {first, *self.cg.map.neighbours(first)}
            self.mates.setdefault(unit.group, first)
        return best

    def _field(self, name: str) -> int:
        ground, alone = value_of_fire(self.cg.map, name), name not in self.taken
        return ground + 2 * self.worth.get(name, 0) + alone


def steps_from(map_: HexMap, hexes: Collection[str], most: float = inf) -> Mapping[str, int]:
    """Return how many hexes it is from the nearest of some hexes to all that are less than `most` away."""
    grid, steps_by_hex = map_.grid, dict[str, int]()
    ring = within = map_.mask(hexes)
    for steps in count():
        if not ring or steps >= most:
            break
        steps_by_hex.update(dict.fromkeys(grid.list_names(ring & grid.everything), steps))
        ring = grid.grow(within) & ~within
        within |= ring
    return steps_by_hex


@kept_with_map
def value_of_fire(map_: HexMap, name: str) -> int:
    """Return how good a hex is for a Gun by its ground alone: how much it sees, and cover."""
    return min(field_of_fire(map_, name), ENOUGH) // WIDE + 2 * COVER * gives_cover(map_, name)


def field_of_fire(map_: HexMap, name: str) -> int:
    """Return how many hexes one sees along the hex grains from a hex, up to the first obstacle of each."""
    level, seen = map_.hex(name).level, 0
    for direction in DIRECTIONS:
        for other in map_.grain(name, direction)[:SIGHT]:
            there = map_.hex(other)
            seen += 1
            if there.level > level or (there.level == level and not BLOCKING.isdisjoint(there.contents)):
                break
    return seen


def _platoons(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Yield the troops of each group in platoons, in the order of the record."""
    for _, mates in groupby(sorted(units, key=lambda unit: unit.group), key=lambda unit: (unit.group, unit.area)):
        group = list(mates)
        for start in range(0, len(group), PLATOON):
            yield group[start : start + PLATOON]
