"""The ground as it is now: what the map shows, and what fire has made of it."""

from __future__ import annotations

from laager.hexmap import burnable, water
from laager.hexmap.terrain import is_unknown
from laager.rules.board.context import CardContext


def accessible(cg: CardContext, name: str) -> bool:
    """True if Infantry can enter a hex, as far as the map shows: in play, no water, no Blaze."""
    if name not in cg.map or name not in cg.map.playable or name in cg.state.ground.blazes:
        return False
    there = cg.map.hex(name)
    return not water(there) or there.has("bridge") or there.has("pier") or there.has("ford")


def can_burn(cg: CardContext, hex_name: str) -> bool:
    """True if a Flame can be placed: burnable terrain that has not burnt down already."""
    if hex_name in cg.state.ground.burnt:
        return False
    return hex_name in cg.map.playable and burnable(cg.map.hex(hex_name))


def may_burn(cg: CardContext, hex_name: str) -> bool:
    """True if players can say that a hex burns: it can burn, or the map doesn't say what it is."""
    if hex_name in cg.state.ground.burnt or hex_name not in cg.map.playable:
        return False
    return can_burn(cg, hex_name) or is_unknown(cg.map.hex(hex_name))
