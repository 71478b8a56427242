"""Guns from scenario to scenario: which are fixed, and where the others set up (CG5)."""

from __future__ import annotations

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.changes import carried_by, is_vehicle
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.guns import IMMOBILE, stays_fixed
from laager.rules.board.hasl.setup.plan import gun_problem
from laager.rules.board.places import can_emplace, hex_of
from laager.rules.board.units import Mark, Unit


@implements("ABtF CG5a")
def fixed_problem(cg: Hasl, gun: Unit, target: str, *, dm: bool) -> Problem | None:
    """Return why a Gun can't leave its Location; None if it can.

    It set up in a Pillbox or a Fortified Building Location once. It can leave dm (`dm`: it begins the scenario so).
    """
    if not stays_fixed(cg, gun, dm=dm) or target == gun.at:
        return None
    return Problem(f"{gun.label} is fixed in {gun.at}", "it stays where it is unless it is dm (ABtF CG5a)")


@implements("ABtF CG5", "ABtF CG5c", "ABtF CG5 EX", "ABtF GEO-1", "ABtF GEO-9")
def place_problem(cg: Hasl, gun: Unit, target: str, *, towed: bool = False, dm: bool = False) -> Problem | None:
    """Return why a Gun that was on map can't set up in a Location; None if it can.

    Three hexes in a Friendly Setup Area unless it is free, two in Uncontrolled Territory, where it
    must be possible to Emplace it.
    """
    problem = fixed_problem(cg, gun, target, dm=dm) or gun_problem(cg, gun, target, towed=towed, dm=dm)
    if problem is not None or hex_of(target) in cg.state.friendly(gun.side):
        return problem
    if can_emplace(cg, target):
        return None
    return Problem(
        f"{gun.label} can't be Emplaced in {target}", "in Uncontrolled Territory a Gun must be (ABtF 9.6214)"
    )


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
