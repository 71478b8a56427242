"""Guns from scenario to scenario: which stay, which hide, how far they go (CG5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign.clauses import implements
from laager.catalogue import GunType
from laager.hexmap import Ground
from laager.hexmap.spacing import gun_problem
from laager.rules.common.units import Mark, Unit

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf


@implements("ABtF CG5a")
def fixed(gun: Unit) -> bool:
    """Whether a Gun stays where it is for the campaign.

    It set up in a Pillbox or a Fortified Building Location once; dismantled it can go.
    """
    return gun.has(Mark.FIXED) and not gun.has(Mark.DISMANTLED)


def free(cg: Abtf, gun: Unit, *, towed: bool = False) -> bool:
    """Whether a Gun sets up in any Enterable Location of a Friendly Setup Area (CG5c).

    A dm MTR does, a Gun that begins the scenario hooked up to a Mobile vehicle (`towed`), and every
    Gun after an Idle Date; by the reading one that Shifted too.
    """
    if cg.state.idle_since or towed:
        return True
    if gun.has(Mark.SHIFTED) and cg.reading("shifted-guns") == "free":
        return True
    return gun.has(Mark.DISMANTLED) and is_mortar(cg, gun)


def is_mortar(cg: Abtf, gun: Unit) -> bool:
    """Whether a Gun is a MTR."""
    found = cg.nation_of(gun).unit(gun.type)
    return isinstance(found, GunType) and "MTR" in gun.type.split()


@implements("ABtF CG5", "ABtF CG5c", "ABtF CG5 EX", "ABtF GEO-1", "ABtF GEO-9", "ABtF 9.6214")
def place_problem(cg: Abtf, gun: Unit, target: str, *, towed: bool = False) -> Problem | None:
    """Return why a Gun can't set up in a Location; None if distance and area let it.

    A Gun that was not on map when the last scenario ended goes wherever its side sets up. Whether
    it can be Emplaced in Uncontrolled Territory is for the players to say.
    """
    if not gun.on_map or gun.at is None:
        return None
    return gun_problem(
        cg.map,
        cg.block_front(),
        gun.side,
        gun.at,
        target,
        locked=fixed(gun),
        free=free(cg, gun, towed=towed),
    )


@implements("ABtF CG5b")
def may_hide(cg: Abtf, gun: Unit, target: str, *, emplaced: bool) -> bool:
    """Whether a Gun may set up hidden for no FPP.

    It must be Emplaced in a Friendly Setup Area, and not be a fixed one that was seen before.
    """
    seen = gun.has(Mark.FIXED) and gun.has(Mark.WAS_REVEALED)
    friendly = cg.block_front().ground(gun.side, target) is Ground.FRIENDLY
    return emplaced and friendly and not seen


@implements("ABtF CG5d")
def state_chosen(cg: Abtf, gun: Unit) -> bool:
    """Whether a Gun's owner says if it is hooked, limbered, dm: Personnel are in its Setup Area."""
    return any(
        unit.area == gun.area
        for unit in cg.state.units_of(gun.side, "squad", "half-squad", "crew", "leader", "hero")
        if not unit.has(Mark.PRISONER)
    )
