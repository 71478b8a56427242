"""Guns that stay near where they stood, whatever happens to the units that have them."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import implements
from laager.rules.board.changes import holders, is_vehicle
from laager.rules.board.hasl.areas import declared_guns
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.moves import stays_behind, whole_load
from laager.rules.board.places import hex_of
from laager.rules.board.units import Mark, Unit

IMMOBILE = (Mark.BOGGED, Mark.MIRED, Mark.IMMOBILIZED)

MOVED_OFF = (Mark.SHIFTED, Mark.ESCAPED)
"""Markers of units that are Retained in another area than before."""


def stays_fixed(cg: Hasl, gun: Unit, *, dm: bool) -> bool:
    """True if a fixed Gun can't set up elsewhere than where it stands; `dm`: it begins the scenario dm."""
    fixed = cg.variant.guns_fixed and gun.kind == "gun" and gun.has(Mark.FIXED)
    return fixed and not cg.variant.dm_frees(cg, ended=gun.has(Mark.DISMANTLED), begins=dm)


def is_bound_by_radius(cg: Hasl, unit: Unit) -> bool:
    """True if a unit may set up only within the radius of the Location that it held."""
    has_place = unit.on_map or (unit.stood is not None and unit.has(*MOVED_OFF))
    return unit.kind == "gun" and has_place and cg.variant.gun_radius is not None


def bound_by(cg: Hasl, gun: Unit, mark: Mark) -> bool:
    """True if a Gun that gets to another area (Shift, Escape) is still bound by the radius."""
    on_record = gun.kind == "gun" and gun.spot is not None
    return on_record and cg.variant.gun_radius is not None and not cg.variant.frees_gun(cg, mark)


def within_reach(cg: Hasl, gun: Unit, area: str) -> bool:
    """True if a Gun that is bound could set up in an area: it has a hex within the radius.

    One that will be free as it sets up (an exempt mortar, hooked to a Mobile vehicle) always can.
    """
    rules, there = cg.variant, cg.state.area(gun.side, area)
    assert gun.spot is not None, "it is bound to a place"
    assert rules.gun_radius is not None, "it is bound by a radius"
    carrier = next(iter(holders(cg, gun)), None)
    towed = carrier is not None and gun.has(Mark.HOOKED) and is_vehicle(carrier)
    mobile = carrier is not None and not carrier.has(*IMMOBILE, Mark.ABANDONED)
    if rules.is_gun_free(cg, gun, dm=True) or (rules.towed_free and towed and mobile):
        return True
    near = cg.map.hexes_within(frozenset({hex_of(gun.spot)}), rules.gun_radius)
    return there is not None and not near.isdisjoint(there.hexes)


@implements("HASL 28")
def guns_left_behind(cg: Hasl, unit: Unit, area: str, mark: Mark) -> Iterator[Unit]:
    """Yield the Guns that can't go with a unit, or with what it carries, to another area and stay where they are."""
    declared = declared_guns(cg)
    for gun in whole_load(cg, unit):
        stays = gun.id in declared or stays_behind(cg, gun)
        far = bound_by(cg, gun, mark) and not within_reach(cg, gun, area)
        if gun.on_map and (stays or far):
            yield gun
