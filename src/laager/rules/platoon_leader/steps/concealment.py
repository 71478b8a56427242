"""Concealment at setup (PL CG10), and the ground as it is now that decides it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from laager.campaign.clauses import implements
from laager.hexmap import concealment_terrain, open_ground
from laager.rules.common.changes import INFANTRY
from laager.rules.common.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg

ENTRENCHMENTS = frozenset({"foxhole", "sangar", "trench", "pillbox"})
"""Fortifications in which Infantry may set up concealed (PL CG10)."""

NO_CONCEALMENT = (Mark.BROKEN, Mark.BERSERK, Mark.PRISONER, Mark.MELEE)
"""Who carries one of these gets no "?"."""


def hex_of(location: str) -> str:
    """Return the hex of a Location."""
    return location.split(".", maxsplit=1)[0]


def in_cover(cg: Cg, name: str) -> bool:
    """Whether a hex is Concealment Terrain as it is now: what has burnt down is none (PL CG5)."""
    if "rubble" in cg.state.ground.changes.get(name, ()):
        return True
    return name not in cg.state.ground.burnt and concealment_terrain(cg.map.hex(name))


def in_the_open(cg: Cg, name: str) -> bool:
    """Whether a hex is Open Ground as it is now (PL 3.31: what has burnt down is)."""
    if "rubble" in cg.state.ground.changes.get(name, ()):
        return False
    return name in cg.state.ground.burnt or open_ground(cg.map.hex(name))


def entrenched(cg: Cg, side: str, location: str, new: Mapping[str, Iterable[str]] = {}) -> bool:
    """Whether a Location holds an entrenchment of a side, or gets one now.

    `new`: the kinds of fortifications that are being placed, by Location.
    """
    kinds = {f.kind for f in cg.state.forts.values() if f.at == location and f.side == side}
    return not ENTRENCHMENTS.isdisjoint(kinds | set(new.get(location, ())))


@implements("PL CG10")
def may_conceal(cg: Cg, unit: Unit, location: str, new: Mapping[str, Iterable[str]] = {}) -> bool:
    """Whether a unit may be put under a "?" in a Location without buying one, whatever the LOS.

    Infantry in Concealment Terrain or in an entrenchment may (`new`: see `entrenched`).
    """
    if unit.kind not in INFANTRY or unit.has(*NO_CONCEALMENT):
        return False
    return in_cover(cg, hex_of(location)) or entrenched(cg, unit.side, location, new)
