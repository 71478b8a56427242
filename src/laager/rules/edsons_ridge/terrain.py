"""Terrain that play has changed for good, wrecks, and heavy OBA on jungle (CG14)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.hexmap import is_concealment_terrain
from laager.hexmap.terrain import RUBBLE, is_unknown
from laager.hexmap.wear import Turns
from laager.rules.board.changes import is_vehicle
from laager.rules.board.units import Mark, Unit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

HEAVY_OBA_MM = 70
"""The least calibre of OBA, in mm, that changes jungle."""

LIGHT, DENSE = "jungle", "dense-jungle"
SHELLHOLES = "shellholes"

TURNS: Turns = frozenset({(SHELLHOLES, LIGHT, "palm"), (RUBBLE, DENSE, RUBBLE)})
"""Shellholed light jungle is Palm, dense jungle becomes rubble (CG14(4))."""


@implements("ER CG14(4)")
def burns_as_jungle(cg: Er, name: str) -> bool:
    """True if a hex is jungle for Kindling and Spreading Fire: what became rubble still is."""
    hex_ = cg.map.hex(name)
    return hex_.has(LIGHT) or hex_.has(DENSE) or (hex_.has(RUBBLE) and hex_.printed.has(DENSE))


@dataclass(frozen=True)
class JungleHit:
    """What an MA result of OBA does to a hex: the change, or why nothing changes."""

    change: str = ""
    why_not: str = ""


@implements("ER CG14(4)")
def jungle_hit(cg: Er, name: str, calibre: int) -> JungleHit:
    """Return what an Original MA result of OBA does to a hex."""
    if calibre < HEAVY_OBA_MM:
        return JungleHit(why_not=f"OBA of {calibre}mm changes nothing; it takes {HEAVY_OBA_MM}mm")
    hex_ = cg.map.hex(name)
    change = SHELLHOLES if hex_.has(LIGHT) else RUBBLE if hex_.has(DENSE) else ""
    if change:
        return JungleHit(change)
    printed = hex_.printed
    if (printed.has(LIGHT) and hex_.has("palm")) or (printed.has(DENSE) and hex_.has(RUBBLE)):
        return JungleHit(why_not=f"{name} has been changed already")
    return JungleHit(why_not=f"there is no jungle in {name}")


@implements("ER 1.524")
def is_concealing(cg: Er, location: str) -> bool:
    """True if a Location is Concealment Terrain: by the map, an entrenchment or rubble there.

    Where nobody has entered the terrain, the players know it: believe them.
    """
    name = cg.map.main_location(location).partition(".")[0]
    hex_ = cg.map.hex(name)
    if is_concealment_terrain(hex_) or is_unknown(hex_):
        return True
    return any(
        fort.at is not None and cg.map.main_location(fort.at) == cg.map.main_location(location)
        for fort in cg.state.forts.values()
        if fort.kind in {"foxhole", "trench", "pillbox"}
    )


# Wrecks -------------------------------------------------------------------------------------------


@implements("ER CG14(3)")
def burn_out_problem(unit: Unit) -> str:
    """Return why a piece can't have become a Burnt-Out Wreck in play; "" if it can.

    A vehicle was Immobilized, Abandoned and without weapons; a wreck was Scrounged. The owner knows
    if its counter has a wreck side.
    """
    if not is_vehicle(unit):
        return f"{unit.label} isn't a vehicle"
    return f"{unit.label} is one already" if unit.has(Mark.BURNT_OUT) else ""
