"""The ground as it is now: what the map shows, and what fire has made of it."""

from __future__ import annotations

from laager.hexmap import water
from laager.rules.common.context import CardContext


def accessible(cg: CardContext, name: str) -> bool:
    """Whether Infantry may enter a hex, as far as the map can tell: in play, no water, no Blaze."""
    if name not in cg.map or name not in cg.map.playable or name in cg.state.ground.blazes:
        return False
    there = cg.map.hex(name)
    return not water(there) or there.has("bridge") or there.has("pier") or there.has("ford")
