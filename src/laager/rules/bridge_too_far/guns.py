"""Guns from scenario to scenario: which stay, which hide, how far they go (CG5)."""

from __future__ import annotations

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.changes import carried_by, is_vehicle
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import IMMOBILE, is_fixed
from laager.rules.board.hasl.setup.plan import gun_problem
from laager.rules.board.places import can_emplace, hex_of
from laager.rules.board.units import Mark, Unit


@implements("ABtF CG5a")
def fixed_problem(gun: Unit, target: str) -> Problem | None:
    """Return why a Gun can't leave its Location; None if it can.

    It set up in a Pillbox or a Fortified Building Location once; dismantled it can go.
    """
    if not is_fixed(gun) or target == gun.at:
        return None
    what = f"{gun.label} is fixed in {gun.at}"
    return Problem(what, "it stays where it is unless it is dm (ABtF CG5a)")


def free(cg: Hasl, gun: Unit, *, dm: bool = False) -> bool:
    """True if a Gun sets up in any Enterable Location of a Friendly Setup Area (CG5c).

    A dm MTR does (by the reading, as it ended the last scenario or as it begins this one), and
    every Gun after an Idle Date. One that begins the scenario hooked up to a Mobile vehicle does
    so as well, and by the reading one that Shifted: the layer sees to both.
    """
    if cg.state.idle_since:
        return True
    if "MTR" not in gun.type.split():
        return False
    return dm if cg.reading("dm-mortars") == "begins" else gun.has(Mark.DISMANTLED)


@implements("ABtF CG5", "ABtF CG5c", "ABtF CG5 EX", "ABtF GEO-1", "ABtF GEO-9")
def place_problem(cg: Hasl, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
    """Return why a Gun that was on map can't set up in a Location; None if it can.

    Three hexes in a Friendly Setup Area unless it is free, two in Uncontrolled Territory, where it
    must be possible to Emplace it.
    """
    found = fixed_problem(gun, target) or gun_problem(cg, gun, target, towed=towed, dm=dm)
    if found is not None or hex_of(target) in cg.state.friendly(gun.side):
        return found
    if can_emplace(cg, target):
        return None
    what = f"{gun.label} cannot be Emplaced in {target}"
    return Problem(what, "in Uncontrolled Territory a Gun must be (ABtF 9.6214)")


@implements("ABtF CG5b")
def may_hide(cg: Hasl, gun: Unit, target: str, *, emplaced: bool) -> bool:
    """True if a Gun can set up hidden for no FPP: Emplaced, in a Friendly Setup Area.

    One that is fixed and was seen before never does: the layer sees to that.
    """
    return emplaced and hex_of(target) in cg.state.friendly(gun.side)


@implements("ABtF 9.6214")
def sets_up_outside(cg: Hasl, unit: Unit) -> bool:
    """True if a unit can set up in Uncontrolled Territory: a Mobile vehicle, or the crew of a Gun.

    It must have ended the last scenario on map. For the Gun itself the radius decides. A unit that
    stands there when Setup Areas are determined can stay where it is.
    """
    if not unit.on_map:
        return False
    if is_vehicle(unit):
        return not unit.has(*IMMOBILE, Mark.ABANDONED)
    return any(item.kind == "gun" for item in carried_by(cg, unit))
