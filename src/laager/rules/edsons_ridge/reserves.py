"""Reserve Status: counters, where they can stand, what is noted, Holding Boxes (CG7a; GEO-7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import reserve_places, reserve_problems
from laager.rules.board.changes import MMC, is_vehicle
from laager.rules.board.hasl.buying.groups import in_reserve, units_of_group
from laager.rules.board.hasl.units import Arrival, Group
from laager.rules.board.units import Unit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

DUMMIES = 1
"""How many Reserve Dummies a RU can have."""

RELEASE_RANGE = 6
"""The range at which an enemy ground unit in LOS releases Reserves (CG7b)."""


def reserve_groups(cg: Er, side: str) -> list[Group]:
    """Return the groups of a side that are in Reserve on the present date, set up or not yet."""
    waiting = partial(in_reserve, cg)
    return [
        group
        for group in cg.state.groups_of(side)
        if group.arrival is Arrival.RESERVE
        and (group.date == cg.state.number or any(map(waiting, units_of_group(cg, side, group.id))))
    ]


@implements("ER CG7a", "ER 1.2 RU")
def carriers(cg: Er, group: Group) -> list[Unit]:
    """Return the units of a RU that bring a Reserve counter: MMC on foot, and vehicles."""
    return [
        unit
        for unit in units_of_group(cg, group.side, group.id)
        if is_vehicle(unit) or (unit.kind in MMC and not unit.with_unit)
    ]


@implements("ER CG7a")
def most_counters(cg: Er, group: Group) -> int:
    """Return the most Reserve counters of a RU: one for each carrier, and a Dummy."""
    return len(carriers(cg, group)) + DUMMIES


@implements("ER CG7a")
def most_dummies(cg: Er, group: Group, stacks: int) -> int:
    """Return how many empty counters a RU can have besides its `stacks` with contents.

    One; by the reading also those that it saved by stacking.
    """
    if cg.reading("reserve-stacks") == "dummies":
        return most_counters(cg, group) - stacks
    return DUMMIES


def own_hexes(cg: Er, side: str) -> frozenset[str]:
    """Return the hexes of a side's Setup Areas that are not Isolated."""
    areas = cg.setup_hexes(side, isolated=False)
    return frozenset(name for hexes in areas.values() for name in hexes)


@implements("ER CG7a", "ER GEO-7")
def places(cg: Er, side: str, area: str = "") -> frozenset[str]:
    """Return the hexes where a side's Reserves can stand, all or those in one Setup Area."""
    own = own_hexes(cg, side)
    if area:
        own &= cg.retained_hexes(side, area)
    return reserve_places(cg.map, own, cg.enemy_areas(side))


@implements("ER CG7a", "ER GEO-7")
def place_problems(cg: Er, side: str, location: str) -> tuple[Problem, ...]:
    """Return all that is against a Reserve counter in a Location."""
    return reserve_problems(cg.map, location, own_hexes(cg, side), cg.enemy_areas(side))


@implements("ER CG7a", "ER 1.2 Holding Box")
def without_place(cg: Er, side: str) -> list[Group]:
    """Return a side's Reserve groups that have no place in their Setup Area."""
    return [group for group in reserve_groups(cg, side) if not places(cg, side, group.area)]


@implements("ER CG7a")
def held(cg: Er, unit: Unit) -> bool:
    """True if a unit waits in a Holding Box and can't enter on the present date."""
    return cg.state.held.get((unit.side, unit.group)) == cg.state.number


@implements("ER CG7a")
def dummy_problems(cg: Er, group: Group, stacks: int, at: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with where a RU's Reserve Dummies stand."""
    most = most_dummies(cg, group, stacks)
    if len(at) > most:
        yield Problem(f"{group.id} has {len(at)} Reserve Dummies", f"{most} at most")
    for location in at:
        if location not in cg.map:
            yield Problem(f"{location} is not on the map", "name a hex")
            continue
        yield from place_problems(cg, group.side, location)


def stacks_of(cg: Er, group: Group) -> dict[str, list[Unit]]:
    """Return the counters that a RU needs: a vehicle alone, Infantry by Location; by a name."""
    found: dict[str, list[Unit]] = {}
    for unit in carriers(cg, group):
        if unit.at is None:
            continue
        name = f"{unit.at} {unit.id}" if is_vehicle(unit) else unit.at
        found.setdefault(name, []).append(unit)
    return found
