"""Approximate LOS: from the terrain, heights and hexsides of a Laager map, for ground without terrain data.

It follows A6.2 to A6.8, B9 and B10 hex by hex instead of pixel by pixel, so that it is near the truth, never proof:
every answer is marked `approximate`. docs/guide/los-on-the-map.md lists what it leaves out and how often it agrees
with VASL. Heights are in half levels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from laager.base import DataError, Problem
from laager.hexmap import HexMap, axial_distance
from laager.hexmap.terrain import BUILDING_REACH
from laager.los.approximate.ground import (
    BOCAGE,
    GROUND_REACH,
    LOW_SIDES,
    ONLY_FIRST_HINDERS,
    ONLY_FIRST_IS_LOW,
    ROWHOUSE,
    Cover,
    Ground,
    Place,
    Plot,
)
from laager.los.approximate.lines import Crossed, Line, Passed, line
from laager.los.result import Hindrance, Location, LosResult, Point

VERSION = "hexes 2"
"""The version of these rules, for records: it changes with every rule that gives another answer."""

MOST_HINDRANCE = 6
"""Sum of hindrances that blocks a line (B.10)."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a line: its hex, and its height in half levels (a rooftop's is half a level below its own level)."""

    plot: Plot
    height: int


@dataclass(frozen=True, slots=True)
class Block:
    """An obstacle to a line: the rule, in words, and the hex."""

    rule: str
    reason: str
    hex: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The block of a line, its hindrances, and the first hex on it of unknown terrain."""

    block: Block | None = None
    hindrances: tuple[Hindrance, ...] = ()
    unknown: str = ""

    @property
    def clear(self) -> bool | None:
        """True, False, or None if it depends on a hex that nobody knows."""
        return False if self.block else None if self.unknown else True

    @property
    def hindrance(self) -> int:
        """The sum of the DRM."""
        return sum(hindrance.drm for hindrance in self.hindrances)


class HexLos:
    """LOS on one map, with what has changed on it since it was drawn (see `Ground`)."""

    def __init__(self, map_: HexMap, changed: Mapping[str, Iterable[str]] | None = None) -> None:
        self.ground = Ground(map_, changed)
        self.map = map_
        self.version = VERSION
        self.boards: Mapping[str, str] = {}

    def locations(self, name: str) -> tuple[Location, ...]:
        """Return the Locations of a hex from the ground up, its rooftop last. Raises RefusedError for no such hex."""
        hex_ = self.map.hex(name)
        plot = self.ground.plots[hex_.q, hex_.r]
        locations = [Location(hex_.name), *(Location(hex_.name, "level", level) for level in range(1, plot.levels + 1))]
        return (*locations, Location(hex_.name, "rooftop")) if plot.roof else tuple(locations)

    def end(self, at: Location) -> End:
        """Return where a Location lies. Raises RefusedError for no such hex, DataError for no such Location in it."""
        hex_ = self.map.hex(at.hex)
        plot = self.ground.plots[hex_.q, hex_.r]
        if at.kind == "rooftop" and plot.roof:
            return End(plot, plot.base + 2 * plot.levels + 1)
        if at.kind == "above" or (at.kind == "level" and at.level <= plot.levels):
            return End(plot, plot.base + 2 * at.level)
        if at.kind in ("level", "rooftop"):
            storeys = f"its building has {plot.levels} levels above the ground" if plot.roof else "it has no building"
            raise DataError([Problem(f"there is no {at}", storeys)])
        if at.kind == "bridge":
            # A bridge or its ramp, a level above the hex.
            return End(plot, plot.base + 2)
        # A cellar counts as the ground level (O6.3); bypass and entrenchments as the hex.
        return End(plot, plot.base)

    def compute_los(self, source: Location, target: Location) -> LosResult:
        """Return whether a Location sees another. Raises RefusedError or DataError if there is no such Location."""
        start, end = self.end(source), self.end(target)
        verdict = self.verdict(start, end)
        place = (end.plot.at[0] - start.plot.at[0], end.plot.at[1] - start.plot.at[1])
        block = verdict.block
        reason = block.reason if block else f"the terrain of {verdict.unknown} isn't known" if verdict.unknown else ""
        return LosResult(
            source, target, verdict.clear, axial_distance(*place),
            rule=block.rule if block else "", reason=reason, block=Point(block.hex) if block else None,
            hindrance=verdict.hindrance, hindrances=verdict.hindrances, approximate=True,
        )  # fmt: skip

    def glance(self, source: Location, target: Location, *, back: bool = False) -> tuple[bool | None, int]:
        """Return the same in short: clear or not (None: no answer), and the hindrance."""
        verdict = self.verdict(self.end(source), self.end(target))
        return verdict.clear, verdict.hindrance

    def verdict(self, source: End, target: End) -> Verdict:
        """Return what is in the way between two ends."""
        if source.plot is target.plot:
            return _within(source, target)
        return _Walk(self.ground, source, target).verdict()


def _within(source: End, target: End) -> Verdict:
    """One hex: up or down one level of a building (A6.8); stairways aren't on a Laager map."""
    if source.plot.roof and abs(source.height - target.height) > 2:
        return Verdict(Block("A6.8", "more than a level apart in one building", source.plot.name))
    return Verdict()


class _Walk:
    """One line on its way from a source to a target in another hex."""

    def __init__(self, ground: Ground, source: End, target: End) -> None:
        self.ground, self.source, self.target = ground, source, target
        self.at = source.plot.at
        self.far = target.plot.at[0] - self.at[0], target.plot.at[1] - self.at[1]
        self.line: Line = line(*self.far)
        self.high, self.low = max(source.height, target.height), min(source.height, target.height)
        self.on_slope = bool(ground.slopes) and self.is_on_slope()
        self.drm: dict[int, Hindrance] = {}
        self.unknown = ""
        self.over_wall = False

    def is_on_slope(self) -> bool:
        """Return True if the line leaves or enters an end over its slope, and the other end is no higher."""
        ends = (self.source, self.target, 1), (self.target, self.source, -1)
        return any(
            near.height >= far.height and (near.plot.at, (near.plot.at[0] + sign * q, near.plot.at[1] + sign * r)) in
            self.ground.slopes for near, far, sign in ends for q, r in self.line.leaves
        )  # fmt: skip

    def place(self, step: Place) -> Place:
        """Return the place of a step from the source."""
        return self.at[0] + step[0], self.at[1] + step[1]

    def verdict(self) -> Verdict:
        """Return what the line meets, as far as its first block."""
        block = next(self.blocks(), None)
        hindrances = tuple(self.drm[k] for k in sorted(self.drm))
        if block is None and sum(hindrance.drm for hindrance in hindrances) >= MOST_HINDRANCE:
            block = Block("B.10", f"hindrances of +{MOST_HINDRANCE} or more", hindrances[-1].hex)
        return Verdict(block, hindrances, "" if block else self.unknown)

    def blocks(self) -> Iterator[Block]:
        """Yield what blocks the line; hindrances that it meets are noted on the way."""
        yield from self.depressions()
        yield from self.inside()
        for crossed in self.line.crossed:
            terrains = self.ground.sides.get((self.place(crossed.one), self.place(crossed.two)))
            if terrains:
                yield from self.hexside(crossed, terrains)
        for passed in self.line.passed:
            plot = self.ground.plots.get(self.place(passed.at))
            if plot is None:
                continue
            if plot.unknown:
                self.unknown = self.unknown or plot.name
                continue
            to_target = axial_distance(self.far[0] - passed.at[0], self.far[1] - passed.at[1])
            yield from self.hex(plot, self.offset(passed, plot), passed.range, to_target)

    def offset(self, passed: Passed, plot: Plot) -> float:
        """Return how far from the centre of a hex the line passes; 0 between two hexes with the same obstacle."""
        if not passed.beside:
            return passed.offset
        (beside,) = (
            candidate.at
            for candidate in self.line.passed
            if candidate.beside and candidate.range == passed.range and candidate != passed
        )
        other = self.ground.plots.get(self.place(beside))
        if other is None:
            return passed.offset
        grown = any(not cover.drm and not cover.built and cover in other.covers for cover in plot.covers)
        return 0.0 if grown or (plot.at, other.at) in self.ground.joined else passed.offset

    # One hex -----------------------------------------------------------------------------------------

    def hex(self, plot: Plot, offset: float, from_source: int, to_target: int) -> Iterator[Block]:
        """Yield the block by a hex in between: its ground, then what stands on it."""
        ranges = from_source, to_target
        if offset <= GROUND_REACH:
            yield from self.earth(plot, ranges)
        for cover in plot.covers:
            if offset <= cover.reach:
                yield from self.cover(plot, cover, ranges)

    def earth(self, plot: Plot, ranges: tuple[int, int]) -> Iterator[Block]:
        """Higher ground, a plateau as high as the higher end, a crest that makes blind hexes (A6.2, B10.23)."""
        if plot.base > self.high:
            yield Block("A6.2", "higher ground", plot.name)
        elif plot.base == self.high > self.low:
            if not self.on_slope:
                yield Block("A6.2", "ground as high as the higher end", plot.name)
            elif self.blind(plot.base, ranges, crest=True):
                yield Block("F2.3", "ground on the slope", plot.name)
        elif self.low < plot.base < self.high and self.blind(plot.base, ranges, crest=True):
            yield Block("B10.23", "a crest with blind hexes behind it", plot.name)

    def cover(self, plot: Plot, cover: Cover, ranges: tuple[int, int]) -> Iterator[Block]:
        """An obstacle or hindrance higher than both ends, as high as the higher one, or with blind hexes behind it."""
        top, whole = plot.base + cover.height, plot.base + cover.height // 2 * 2
        under = cover.split and plot.base == self.high == self.low and not self.on_slope
        if top > self.high and self.on_slope and cover.drm and not (cover.split or self.hinders_down(plot, cover)):
            return
        if top > self.high:
            rule, reason = "A6.2", f"{cover.name} higher than both ends"
        elif (top if cover.built else whole) == self.high > self.low and cover.height > 1:
            # Hindrances too: there is no height advantage over them.
            if not self.on_slope:
                yield Block("A6.2", f"{cover.name} as high as the higher end", plot.name)
            elif self.blind(whole, ranges):
                yield Block("F2.3", f"{cover.name} on the slope", plot.name)
            return
        elif self.low < whole < self.high and cover.height > 1 and self.blind(whole, ranges):
            rule, reason = "A6.4", f"{cover.name} with blind hexes behind it"
        else:
            return
        if under or (cover.drm and not cover.split):
            self.hinder(plot, cover.drm, ranges[0])
        else:
            yield Block(rule, reason, plot.name)

    def hinders_down(self, plot: Plot, cover: Cover) -> bool:
        """Return True for the first brush or grain as high as a source that looks down a slope."""
        high = plot.base == self.source.height > self.target.height
        return high and cover.name in ONLY_FIRST_HINDERS and not self.drm

    def hinder(self, plot: Plot, drm: int, range_: int) -> None:
        """Note a hindrance: of hexes at the same range only the greatest counts."""
        if range_ not in self.drm or self.drm[range_].drm < drm:
            self.drm[range_] = Hindrance(plot.name, drm)

    def blind(self, top: int, ranges: tuple[int, int], *, crest: bool = False) -> bool:
        """Return True if the lower end is in a blind hex behind something of that top (A6.4).

        One hex for an obstacle, one more for each level that it is above the lower end and for five hexes of range
        from the higher end, one less for each level of the higher end above it; a crest line may have none. Down a
        slope the higher end counts as a level above what is as high as it is.
        """
        higher_first = self.source.height >= self.target.height
        from_high, from_low = ranges if higher_first else ranges[::-1]
        high = self.high + 2 if self.on_slope and top == self.high else self.high
        hexes = (2 * top - high - self.low) / 2 + from_high // 5
        return from_low <= (max(hexes, 0) if crest else max(hexes + 1, 1))

    # Hexsides ----------------------------------------------------------------------------------------

    def hexside(self, crossed: Crossed, terrains: frozenset[str]) -> Iterator[Block]:
        """A wall, hedge, bocage or rowhouse wall on a hexside that the line crosses (B9.2, B9.52, B23.71)."""
        first = self.ground.plots.get(self.place(crossed.one))
        second = self.ground.plots.get(self.place(crossed.two))
        if first is None or second is None:
            return
        base, where = max(first.base, second.base), f"{first.name}/{second.name}"
        if ROWHOUSE in terrains and base + max(first.roof, second.roof) > self.high:
            yield Block("B23.71", "a rowhouse wall", where)
        own, level = self.own_side(crossed), base == self.high == self.low
        if level and self.on_slope and not ONLY_FIRST_IS_LOW.isdisjoint(terrains):
            if self.over_wall and not own:
                yield Block("F6.4", "a second wall or hedge on the slope", where)
            self.over_wall = True
        elif level and not (own or self.on_slope) and not LOW_SIDES.isdisjoint(terrains):
            yield Block("B9.2", f"a {min(terrains & LOW_SIDES)}", where)
        if "bocage" in terrains and (self.on_slope or not own):
            top = base + BOCAGE
            ranges = crossed.range, axial_distance(self.far[0] - crossed.two[0], self.far[1] - crossed.two[1])
            # On a slope bocage casts Blind Hexes from its own height, and does nothing else.
            hides = self.low < top and (top == self.high or not self.on_slope) and self.blind(top, ranges)
            if hides or (top >= self.high and not self.on_slope):
                yield Block("B9.52", "bocage", where)

    def own_side(self, crossed: Crossed) -> bool:
        """Return True if a hexside is one of an end's own, or for a line along it a hexspine of it."""
        pair = crossed.one, crossed.two
        if (0, 0) in pair or self.far in pair:
            return True
        spine = all(axial_distance(*at) == 1 for at in pair)
        other = all(axial_distance(self.far[0] - at[0], self.far[1] - at[1]) == 1 for at in pair)
        return crossed.along and (spine or other)

    # Inside a building, and in a depression ----------------------------------------------------------

    def inside(self) -> Iterator[Block]:
        """A line between two levels that goes on in the building where it begins (A6.8)."""
        if self.source.height == self.target.height:
            return
        last = (0, 0)
        for step in (*(passed.at for passed in self.line.passed if passed.offset <= BUILDING_REACH), self.far):
            if (self.place(last), self.place(step)) not in self.ground.joined:
                return
            plot = self.ground.plots[self.place(step)]
            if self.source.height <= plot.base + plot.roof // 2 * 2:
                yield Block("A6.8", "another level of the same building", plot.name)
            last = step

    def depressions(self) -> Iterator[Block]:
        """A line out of a depression or into it that neither follows it nor has the height advantage (A6.3)."""
        ends = (self.source, self.target, False), (self.target, self.source, True)
        for near, far, turned in ends:
            if near.plot.floor and near.height == near.plot.base and far.height - near.height <= self.line.range:
                yield from self.leaving(near, far, turned)

    def leaving(self, near: End, far: End, turned: bool) -> Iterator[Block]:
        """Yield the first hex in which the line isn't in the depression and the far end not high enough."""
        steps = [(0, 0), *(passed.at for passed in self.line.passed), self.far]
        last = near.plot.at
        for step in reversed(steps[:-1]) if turned else steps[1:]:
            place = self.place(step)
            plot = self.ground.plots.get(place)
            if plot is None:
                return
            to_far = axial_distance(far.plot.at[0] - last[0], far.plot.at[1] - last[1])
            follows = (last, place) in self.ground.linked
            if not follows and 2 * to_far > far.height - near.height and self.line.range > 1:
                yield Block("A6.3", "the depression", near.plot.name)
            last = place
