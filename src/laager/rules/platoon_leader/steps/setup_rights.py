"""Who may set up on map, and on which ground (PL 2.32, 2.33, 2.34)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from laager.campaign.clauses import implements
from laager.rules.common.card import other
from laager.rules.common.changes import LEADERS, is_vehicle
from laager.rules.common.hiding import in_the_open
from laager.rules.common.places import hex_of
from laager.rules.common.units import Place, Unit
from laager.rules.platoon_leader.card import Setup
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.units import Group
from laager.rules.platoon_leader.works import in_reserve


def group_of(cg: Cg, unit: Unit) -> Group | None:
    """Return the reinforcement group of a unit; None for what the OB gives singly."""
    return cg.state.groups.get((unit.side, unit.group))


def is_new(cg: Cg, unit: Unit) -> bool:
    """Whether a unit's group joined for the present firefight."""
    group = group_of(cg, unit)
    return group is not None and group.firefight == cg.state.fight.number


@implements("PL 2.32", "PL 2.34")
def enters_because(cg: Cg, unit: Unit) -> str:
    """Say why a unit off the map cannot set up there; empty when it may.

    It may if its group paid for On Map or In Reserve, or joined before this firefight (it waited
    off map, or its firefight was Idle). A leader generated since the last firefight enters.
    """
    number = cg.state.fight.number
    group = group_of(cg, unit)
    if group is None:
        generated = unit.kind in LEADERS and unit.since == number - 1 and not unit.fought
        return "a generated leader enters as a reinforcement (PL 3.45)" if generated else ""
    fresh = group.firefight == number and not group.may_set_up
    if fresh and group.setup is Setup.OFF_MAP:
        return f"{group.id} was bought to enter (PL 2.34)"
    return ""


def eligible(cg: Cg, side: str) -> list[Unit]:
    """Return the units off the map that a side may set up now, in the order of the record."""
    units = cg.state.units_of(side)
    return [u for u in units if u.place is Place.OFF_MAP and not enters_because(cg, u)]


@dataclass(frozen=True)
class SetupGround:
    """The ground on which a side sets up; all are hexes.

    `area` the friendly MLR (at first the setup area); `reserve` those of it for units In Reserve;
    `exposed` Open Ground of it next to an enemy cluster; `isolated` Controlled Terrain in the enemy
    MLR; `controlled` all Controlled Terrain.
    """

    side: str
    area: frozenset[str]
    reserve: frozenset[str]
    exposed: frozenset[str]
    isolated: frozenset[str]
    controlled: frozenset[str]


def ground_for(cg: Cg, side: str) -> SetupGround:
    """Return the ground on which a side may set up now."""
    area, drawn = cg.friendly_area(side), cg.front
    beside_enemy = cg.map.within(cg.enemy_clusters(side), 1)
    return SetupGround(
        side=side,
        area=area,
        reserve=area - too_near(cg, side),
        exposed=frozenset(name for name in area & beside_enemy if in_the_open(cg, name)),
        isolated=drawn.isolated[side] if drawn is not None else frozenset(),
        controlled=cg.enemy_clusters(other(side)),
    )


@implements("PL 2.33", "PL 1.4 In Reserve")
def too_near(cg: Cg, side: str) -> frozenset[str]:
    """Return the hexes where no Reserve may set up: fewer than 7 hexes from the enemy's terrain.

    That is, from the Strategic Terrain which the enemy Controls.
    """
    theirs = cg.line_now("setup").controlled[other(side)]
    return cg.map.within(theirs, charts().limit("reserve-distance") - 1)


@implements("PL 2.32", "PL 2.33", "PL 2.6")
def barred(
    cg: Cg, ground: SetupGround, unit: Unit, location: str, new_works: Collection[str] = ()
) -> tuple[str, str] | None:
    """Return why a unit can't set up in a Location, and what would be right; None if it can.

    `new_works` are Locations of entrenchments bought for this firefight.
    """
    name = hex_of(location)
    if name not in ground.area:
        where = "the setup area" if cg.front is None else "the friendly MLR"
        return f"{name} is outside {where}", "a hex inside it"
    if in_reserve(cg, unit) and name not in ground.reserve:
        distance = charts().limit("reserve-distance")
        right = f"{distance} hexes or more from it"
        return f"{name} is too near the enemy's Strategic Terrain for a Reserve", right
    if name in ground.exposed and unit.kind != "afv" and under_2_32(cg, unit):
        return f"{name} is Open Ground next to an enemy cluster", "only AFV may set up there"
    if location in new_works and is_new(cg, unit) and not cg.initial and not is_vehicle(unit):
        right = "units bought with it may not use it yet"
        return f"{location} has an entrenchment bought for this firefight", right
    return None


def under_2_32(cg: Cg, unit: Unit) -> bool:
    """Whether a unit sets up as a reinforcement: all do but those of the OB in the first one."""
    group = group_of(cg, unit)
    return not cg.initial or (group is not None and not group.given)
