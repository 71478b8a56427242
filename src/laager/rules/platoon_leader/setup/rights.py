"""Where a unit can set up on the map (PL 2.32, 2.33, 2.34)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from laager.campaign import implements
from laager.catalogue import GunType
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import is_vehicle
from laager.rules.board.places import FIXING, can_dismantle, fort_kinds_at, hex_of
from laager.rules.board.setup.hiding import is_in_the_open
from laager.rules.board.units import Unit
from laager.rules.platoon_leader.buying.groups import group_of, in_reserve, is_new
from laager.rules.platoon_leader.context import Cg

Works = Mapping[str, Collection[int]]
"""The firefights for which the entrenchments of Locations were bought."""

NO_WORKS: Works = {}


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
    title: str
    """What players call the area."""


def ground_for(cg: Cg, side: str) -> SetupGround:
    """Return the ground on which a side can set up now."""
    area, drawn = cg.friendly_area(side), cg.front
    near_enemy = cg.map.hexes_within(cg.enemy_clusters(side), 1)
    return SetupGround(
        side=side,
        area=area,
        reserve=area - too_near(cg, side),
        exposed=frozenset(name for name in area & near_enemy if is_in_the_open(cg, name)),
        isolated=drawn.isolated[side] if drawn is not None else frozenset(),
        controlled=cg.enemy_clusters(other_side(side)),
        title="the setup area" if drawn is None else "the friendly MLR",
    )


@implements("PL 2.33", "PL 1.4 In Reserve")
def too_near(cg: Cg, side: str) -> frozenset[str]:
    """Return the hexes where no Reserve can set up: fewer than 7 hexes from the enemy's terrain.

    That is, from the Strategic Terrain which the enemy Controls.
    """
    theirs = cg.line_now("setup").controlled[other_side(side)]
    return cg.map.hexes_within(theirs, cg.charts.limit("reserve-distance") - 1)


@implements("PL 2.32", "PL 2.33", "PL 2.6")
def why_barred(
    cg: Cg, ground: SetupGround, unit: Unit, location: str, new_works: Works = NO_WORKS
) -> tuple[str, str] | None:
    """Return why a unit can't set up in a Location, and what would be right; None if it can.

    `new_works`: for which firefights the entrenchments were bought that are placed now, by
    Location.
    """
    name = hex_of(location)
    if name not in ground.area:
        return f"{name} is outside {ground.title}", "a hex inside it"
    if in_reserve(cg, unit) and name not in ground.reserve:
        distance = cg.charts.limit("reserve-distance")
        right = f"{distance} hexes or more from it"
        return f"{name} is too near the enemy's Strategic Terrain for a Reserve", right
    if name in ground.exposed and unit.kind != "afv" and under_2_32(cg, unit):
        return f"{name} is Open Ground next to an enemy cluster", "only AFV can set up there"
    if not is_vehicle(unit) and dug_with(cg, unit) in new_works.get(location, ()):
        when = "this firefight" if is_new(cg, unit) else "the same firefight as it"
        right = "units bought with it can't use it"
        return f"{location} has an entrenchment bought for {when}", right
    return None


@implements("PL 2.32")
def dug_with(cg: Cg, unit: Unit) -> int:
    """Return for which firefight entrenchments were bought that a unit can't use; 0 for none.

    That with which its group was bought, if that was not the Initial one: while it lasts, or by
    the reading `same-purchase` always.
    """
    group = group_of(cg, unit)
    if group is None or group.firefight == 1:
        return 0
    return group.firefight if is_new(cg, unit) or cg.reading("same-purchase") == "always" else 0


def under_2_32(cg: Cg, unit: Unit) -> bool:
    """True if a unit sets up as a reinforcement: all do except those of the OB in the first firefight."""
    group = group_of(cg, unit)
    return not cg.initial or (group is not None and not group.given)


@implements("PL CG3")
def fixes_gun(cg: Cg, gun: Unit, location: str) -> bool:
    """True if a Gun that sets up there stays for the whole campaign.

    In a pillbox or Fortified Building Location of its side, unless it can be dismantled.
    """
    type_ = cg.nation_of(gun).unit(gun.type)
    if not isinstance(type_, GunType) or can_dismantle(type_):
        return False
    return not FIXING.isdisjoint(fort_kinds_at(cg, gun.side, location))
