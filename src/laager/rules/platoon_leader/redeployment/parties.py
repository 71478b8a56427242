"""Units that redeploy together with one DR: what goes along, and how far they get."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from laager.campaign import implements
from laager.catalogue import Kind
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, SMC, is_vehicle
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import public_name
from laager.rules.platoon_leader.context import Cg

INFANTRY_COLUMN, VEHICLE_COLUMN = "infantry", "vehicle"


@dataclass(frozen=True)
class Party:
    """Units that use one DR, each with where it goes and the hexes of its way.

    `to` and `ways` go with `units` one by one. `leader` directs, if there is one; `leave` are
    items left behind, `take` those possessed at the end; `emplaced` is True if Guns end emplaced,
    `dangers` if the way leads into a bog or mine hex; `mount` a vehicle for an armor leader.
    """

    side: str
    units: tuple[Unit, ...]
    to: tuple[str, ...] = ()
    ways: tuple[tuple[str, ...], ...] = ()
    leader: Unit | None = None
    leave: frozenset[str] = frozenset()
    take: tuple[str, ...] = ()
    emplaced: bool = True
    dangers: bool = False
    mount: str = ""

    @property
    def column(self) -> str:
        """The column of the table: passengers share the fate of their vehicle."""
        return VEHICLE_COLUMN if any(is_vehicle(unit) for unit in self.units) else INFANTRY_COLUMN

    def name(self, secret: bool) -> str:
        """Return what the party is called; openly only as far as the enemy knows its units."""
        names = [unit.label if secret else public_name(unit) for unit in self.units]
        whence = dict.fromkeys(unit.at or "" for unit in self.units)
        return f"{', '.join(names)}, {'/'.join(whence)} to {'/'.join(dict.fromkeys(self.to))}"


@dataclass(frozen=True)
class StayTerms:
    """What a clause says of units that stay: eliminated (`fatal`), or considered Isolated.

    `secret`: before the enemy looks at the map (PL 2.5). `firefight`: a past one on whose line
    of the roster the losses are put (PL 3.11).
    """

    fatal: bool = False
    isolates: bool = False
    secret: bool = False
    firefight: int | None = None


def riders(cg: Cg, unit: Unit) -> Iterator[Unit]:
    """Return the personnel on a vehicle, armor leaders included; no prisoners."""
    if is_vehicle(unit):
        for rider in cg.state.units_of(unit.side, *INFANTRY):
            if rider.with_unit == unit.id and not rider.has(Mark.PRISONER):
                yield rider


def members_now(cg: Cg, party: Party) -> tuple[Unit, ...]:
    """Return the units of a party that are left, as they are now, with the units that ride on them."""
    present: dict[str, Unit] = {}
    for unit in party.units:
        now = cg.state.units[unit.id]
        for member in (now, *riders(cg, now)):
            if member.on_map:
                present[member.id] = member
    return tuple(present.values())


def group_units(cg: Cg, units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Yield units by who goes together, place by place: squads apart, as more than one is a DRM."""
    by_place: dict[str, list[Unit]] = {}
    for unit in units:
        by_place.setdefault(unit.at or "", []).append(unit)
    for place in cg.sort(by_place):
        here = by_place[place]
        single = [unit for unit in here if unit.kind in INFANTRY - MMC]
        mmc = [unit for unit in here if unit.kind in MMC]
        if mmc:
            yield [mmc[0], *single]
            yield from ([unit] for unit in mmc[1:])
        else:
            yield from ([unit] for unit in single)
        yield from ([unit] for unit in here if is_vehicle(unit))


@implements("PL 3.211")
def reach(cg: Cg, units: Sequence[Unit], *, with_gun: bool = False, emplaced: bool = True) -> float:
    """Return how many hexes units on foot can redeploy at best; infinity for vehicles.

    Two MPh without CX at one MF a hex: 4 MF (3 if Inexperienced) for an MMC and 2 more with a
    leader, 6 for an SMC (3 if Wounded), 1 for a road. Units that Manhandle a Gun have three MPh
    if it ends unemplaced. The players check the MP of vehicles, and what terrain costs.
    """
    if any(is_vehicle(unit) for unit in units):
        return math.inf
    led = any(unit.kind in LEADERS and not unit.has(Mark.WOUNDED) for unit in units)
    slowest = min(_movement(cg, unit) + 2 * (led and unit.kind not in SMC) for unit in units)
    phases = 3 if with_gun and not emplaced else 2
    return phases * (slowest + 1)


def _movement(cg: Cg, unit: Unit) -> int:
    mf = cg.nation_of(unit).unit(unit.type, Kind(unit.kind)).movement
    slow = unit.has(Mark.WOUNDED, Mark.INEXPERIENCED)
    return min(mf, 3) if slow else mf
