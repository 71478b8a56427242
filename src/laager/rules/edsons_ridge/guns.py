"""Guns set up again, and Bore Sighting (CG11; GEO-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.catalogue import GunType
from laager.rules.board.units import Mark, Unit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

RADIUS = 3
"""How far from where it ended a Gun sets up."""


@implements("ER CG11")
def free(cg: Er, gun: Unit) -> bool:
    """True if a Gun can set up anywhere: a mortar, one that Escaped, or after an Idle Date."""
    return cg.state.idle_since or gun.has(Mark.ESCAPED) or mortar(cg, gun)


def mortar(cg: Er, gun: Unit) -> bool:
    """True if a Gun is a mortar."""
    type_ = cg.nation_of(gun).unit(gun.type)
    return isinstance(type_, GunType) and "MTR" in type_.type.upper().split()
