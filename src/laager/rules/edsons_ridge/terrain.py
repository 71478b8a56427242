"""Terrain that play has changed for good, wrecks, and heavy OBA on jungle (CG14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.hexmap import concealment_terrain, open_ground
from laager.hexmap.terrain import is_unknown
from laager.rules.board.changes import is_vehicle
from laager.rules.board.units import Mark, Unit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

HEAVY = 70
"""The least calibre of OBA, in mm, that changes jungle."""

LIGHT, DENSE = "jungle", "dense-jungle"
SHELLHOLES, RUBBLE = "shellholes", "rubble"


@implements("ER CG14", "ER CG14(4)")
def contents(cg: Er, name: str) -> frozenset[str]:
    """Return what is in a hex now: shellholed light jungle is Palm, dense jungle may be rubble."""
    found, changed = frozenset(cg.map.hex(name).contents), cg.state.ground.changes.get(name, ())
    if SHELLHOLES in changed and LIGHT in found:
        return found - {LIGHT} | {"palm"}
    if RUBBLE in changed and DENSE in found:
        return found - {DENSE} | {RUBBLE}
    return found


@implements("ER CG14(4)")
def burns_as_jungle(cg: Er, name: str) -> bool:
    """True if a hex is jungle for Kindling and Spreading Fire: what became rubble still is."""
    return bool(contents(cg, name) & {LIGHT, DENSE}) or DENSE in cg.map.hex(name).contents


@dataclass(frozen=True)
class Hit:
    """What an MA result of OBA does to a hex: the change, or why nothing changes."""

    change: str = ""
    why_not: str = ""


@implements("ER CG14(4)")
def jungle_hit(cg: Er, name: str, calibre: int) -> Hit:
    """Return what an Original MA result of OBA does to a hex."""
    if calibre < HEAVY:
        return Hit(why_not=f"OBA of {calibre}mm changes nothing; it takes {HEAVY}mm")
    printed = cg.map.hex(name).contents
    change = SHELLHOLES if LIGHT in printed else RUBBLE if DENSE in printed else ""
    if not change:
        return Hit(why_not=f"there is no jungle in {name}")
    if change in cg.state.ground.changes.get(name, ()):
        return Hit(why_not=f"{name} has been changed already")
    return Hit(change)


@implements("ER CG16", "ER GEO-5")
def path_gaps(cg: Er) -> frozenset[str]:
    """Return the hexes that may part the markers of a Jungle Path: Open Ground and Palm, now."""
    found = set()
    for name in cg.map.playable:
        now = contents(cg, name)
        unchanged = now == frozenset(cg.map.hex(name).contents)
        if "palm" in now or (unchanged and open_ground(cg.map.hex(name))):
            found.add(name)
    return frozenset(found)


@implements("ER 1.524")
def conceals(cg: Er, location: str) -> bool:
    """True if a Location is Concealment Terrain: by the map, an entrenchment or rubble there.

    Where nobody has entered the terrain, the players know it: believe them.
    """
    name = cg.map.main_location(location).partition(".")[0]
    there = cg.map.hex(name)
    hides = concealment_terrain(there) or is_unknown(there)
    if hides or RUBBLE in cg.state.ground.changes.get(name, ()):
        return True
    return any(
        fort.at is not None and cg.map.main_location(fort.at) == cg.map.main_location(location)
        for fort in cg.state.forts.values()
        if fort.kind in {"foxhole", "trench", "pillbox"}
    )


# Wrecks -------------------------------------------------------------------------------------------


@implements("ER CG14(3)")
def may_burn_out(unit: Unit) -> str:
    """Return why a piece can't have become a Burnt-Out Wreck in play; "" if it can.

    A vehicle was Immobilized, Abandoned and without weapons; a wreck was Scrounged. The owner knows
    if its counter has a wreck side.
    """
    if not is_vehicle(unit):
        return f"{unit.label} isn't a vehicle"
    return f"{unit.label} is one already" if unit.has(Mark.BURNT_OUT) else ""
