"""A battle report made up by chance, for automatic play: some losses, some moves, a fire."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Generic, TypeVar

from laager.rules.board.changes import INFANTRY, LEADERS, MMC, carried_by, is_vehicle
from laager.rules.board.context import CardContext
from laager.rules.board.places import burnable_hexes, is_accessible
from laager.rules.board.report.form import CAPTURED, ELIMINATED, ON_MAP, RECALLED
from laager.rules.board.report.marks import IMMOBILE, LASTING
from laager.rules.board.units import HIDING, Mark, Unit

REACH = 3
"""How many hexes a unit goes in a made-up battle."""


C = TypeVar("C", bound=CardContext)


@dataclass
class ReportMaker(Generic[C]):
    """A report in the making, by the dice of `rng`. It knows no more than its side does."""

    cg: C
    side: str
    rng: Random
    edge: frozenset[str]
    """The hexes by which its units enter."""
    held_back: frozenset[str] = frozenset()
    """The units off the map that do not enter in this battle."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    """Locations with an MMC of this side that can gain Control."""

    def chance(self, percent: int) -> bool:
        """Return True for this percentage of the calls."""
        return self.rng.randrange(100) < percent

    def enemies(self, *kinds: str) -> list[Unit]:
        """Return the enemy units on the map that this side knows."""
        return [
            unit
            for unit in self.cg.state.units.values()
            if unit.side != self.side and unit.known and unit.on_map and unit.kind in kinds
        ]

    @cached_property
    def taken(self) -> frozenset[str | None]:
        """The hexes in which this side knows enemies to be."""
        return frozenset(enemy.hex for enemy in self.enemies(*INFANTRY, "afv", "vehicle", "gun"))

    def list_unit(self, unit: Unit, at: str | None = None, *marks: Mark, **more: Any) -> None:
        """List a unit that is on the map, with the markers it had and more; what moved shows."""
        keep = unit.marks - LASTING
        if at not in (None, unit.at):
            keep -= HIDING
        if not HIDING.isdisjoint(keep) and {Mark.BROKEN, Mark.MELEE, Mark.PRISONER} & set(marks):
            keep -= HIDING
        listed = [mark.value for mark in Mark if mark in keep | set(marks)]
        here = {"unit": unit.id, "fate": ON_MAP, "at": at or unit.at or "", "marks": listed}
        self.rows.append(here | more)

    def list_gone(self, unit: Unit, fate: str) -> None:
        """List a unit that is gone; its weapons lie where it stood."""
        self.rows.append({"unit": unit.id, "fate": fate})
        if fate == RECALLED:
            return
        for item in carried_by(self.cg, unit):
            if item.on_map and fate == ELIMINATED and not is_vehicle(unit):
                self.list_unit(item, None, **{"with": ""})
            else:
                self.list_gone(item, fate if fate == CAPTURED else ELIMINATED)


def make_units(story: ReportMaker[Any]) -> None:
    """Make up what became of a side's units."""
    for unit in list(story.cg.state.units_of(story.side)):
        holder = story.cg.state.units.get(unit.with_unit)
        if holder is not None or unit.has(Mark.PRISONER):
            continue
        if not unit.on_map:
            if unit.id not in story.held_back:
                _enters(story, unit)
        elif is_vehicle(unit):
            _vehicle(story, unit)
        elif unit.kind in INFANTRY:
            _infantry(story, unit)
    _weapons(story)


def choose_one(story: ReportMaker[Any], names: Iterable[str], percent: int) -> list[str]:
    """Return one of some names for this percentage of the calls, else none."""
    listed = story.cg.sort(names)
    return [story.rng.choice(listed)] if listed and story.chance(percent) else []


def make_fires(story: ReportMaker[Any], now: str, percent: int) -> list[dict[str, str]]:
    """Make up a fire in a hex that can burn."""
    ground = story.cg.state.ground
    burning = ground.flames | ground.blazes
    able = burnable_hexes(story.cg) - burning
    return [{"at": at, "now": now} for at in choose_one(story, able, percent)]


def make_rubble(story: ReportMaker[Any], percent: int) -> list[dict[str, str]]:
    """Make up a building that fell."""
    map_ = story.cg.map
    built = [name for name in map_.playable if map_.hex(name).building]
    return [{"at": at, "what": "rubble"} for at in choose_one(story, built, percent)]


def _enters(story: ReportMaker[Any], unit: Unit) -> None:
    """Half of what is off the map comes in, near the edge."""
    entered = unit.kind in INFANTRY or is_vehicle(unit)
    if not entered or not story.edge or not story.chance(50):
        return
    near = [name for name in story.cg.map.hexes_within(story.edge, 2) if _may_stand(story, unit, name)]
    if near:
        at = story.rng.choice(story.cg.sort(near))
        story.list_unit(unit, at)
        _holds(story, unit, at)


def _may_stand(story: ReportMaker[Any], unit: Unit, name: str) -> bool:
    there = story.cg.map.hex(name)
    built = is_vehicle(unit) and (there.building is not None or there.has("rubble"))
    return name not in story.taken and not built and is_accessible(story.cg, name)


def _holds(story: ReportMaker[Any], unit: Unit, at: str) -> None:
    if unit.kind in MMC:
        story.held.add(at)


def _way(story: ReportMaker[Any], unit: Unit) -> str:
    """Return where a unit has gone: somewhere near."""
    near = story.cg.map.hexes_within([unit.hex or ""], story.rng.randint(1, REACH))
    free = [name for name in near if _may_stand(story, unit, name)]
    return story.rng.choice(story.cg.sort(free)) if free else unit.at or ""


def _infantry(story: ReportMaker[Any], unit: Unit) -> None:
    nation = story.cg.nation_of(unit)
    dice = story.rng.randrange(100)
    if dice < 6:
        story.list_gone(unit, ELIMINATED)
    elif dice < 7:
        story.list_gone(unit, CAPTURED)
    elif dice < 11 and unit.kind == "squad":
        story.list_unit(unit, None, type=nation.reduced_type(unit.type))
    elif dice < 16 and unit.kind != "hero":
        story.list_unit(unit, None, Mark.BROKEN, Mark.DM)
    elif dice < 19 and unit.kind in LEADERS:
        story.list_unit(unit, None, Mark.WOUNDED)
    elif dice < 22:
        story.list_unit(unit, None, Mark.ENCIRCLED)
    elif dice < 26:
        _meets(story, unit)
    elif dice < 27:
        story.list_unit(unit, None, Mark.CLIMBING)
    elif dice < 55 and not unit.has(Mark.HIP) and not _mans_a_gun(story, unit):
        at = _way(story, unit)
        story.list_unit(unit, at)
        _holds(story, unit, at)
    else:
        _holds(story, unit, unit.at or "")


def _mans_a_gun(story: ReportMaker[Any], unit: Unit) -> bool:
    return any(item.kind == "gun" for item in carried_by(story.cg, unit))


def _meets(story: ReportMaker[Any], unit: Unit) -> None:
    """Go where a known enemy is: into Melee, at times into his hands."""
    near = story.enemies(*INFANTRY)
    near = [enemy for enemy in near if story.cg.map.distance(enemy.hex or "", unit.hex or "") <= 6]
    if not near or _mans_a_gun(story, unit):
        return
    at = story.rng.choice(near).at
    if story.chance(20):
        free = {Mark.PRISONER}
        story.rows.append({"unit": unit.id, "fate": ON_MAP, "at": at, "marks": sorted(free), "with": "guard"})
        for item in carried_by(story.cg, unit):
            story.list_unit(item, None, **{"with": ""})
    else:
        story.list_unit(unit, at, Mark.MELEE)


STATES = (
    *(Mark.IMMOBILIZED, Mark.IMMOBILIZED, Mark.BOGGED, Mark.BOGGED, Mark.MIRED),
    *(Mark.STUN, Mark.STUN, Mark.MINEFIELD),
)


def _vehicle(story: ReportMaker[Any], unit: Unit) -> None:
    dice = story.rng.randrange(100)
    if dice < 5:
        story.list_gone(unit, ELIMINATED)
    elif unit.has(*IMMOBILE, Mark.HIP):
        return
    elif dice < 7:
        story.list_gone(unit, RECALLED)
    elif dice < 22:
        story.list_unit(unit, None, story.rng.choice(STATES))
    elif dice < 25 and unit.kind == "afv":
        story.list_unit(unit, None, Mark.SHOCK)
    elif dice < 70:
        story.list_unit(unit, _way(story, unit), *([Mark.MOTION] if story.chance(20) else []))


def _weapons(story: ReportMaker[Any]) -> None:
    """Some weapons of units that still have them malfunction."""
    listed = {row["unit"] for row in story.rows}
    for unit in list(story.cg.state.units_of(story.side, "sw", "gun")):
        if unit.id in listed or not unit.on_map or unit.with_unit not in story.cg.state.units:
            continue
        broken = unit.has(Mark.MALFUNCTIONED, Mark.DISABLED)
        if not broken and story.chance(8):
            mark = story.rng.choice([Mark.MALFUNCTIONED, Mark.MALFUNCTIONED, Mark.DISABLED])
            names = [m.value for m in Mark if m in (unit.marks - LASTING) | {mark}]
            if not any(holder["unit"] == unit.with_unit for holder in story.rows):
                story.rows.append({"unit": unit.id, "fate": ON_MAP, "marks": names})
