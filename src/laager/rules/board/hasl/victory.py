"""Victory: the card's conditions, judged by Control and CVP."""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.board.card.parts import other_side
from laager.rules.board.hasl.card.card import Condition
from laager.rules.board.hasl.context import Hasl


def controls(cg: Hasl, side: str, name: str) -> bool:
    """True if a side Controls a Block, has a Setup Area of this name, or Controls a Location."""
    if cg.blocks and name in cg.map.blocks.hexes:
        return cg.state.block_control.get(name) == side
    if is_area(cg, name):
        return cg.state.area(side, name) is not None
    return cg.state.ground.control.get(cg.map.main_location(name)) == side


def is_area(cg: Hasl, name: str) -> bool:
    """True if a name in a condition is a Block or Setup Area, not a Location of the map."""
    if cg.blocks and name in cg.map.blocks.hexes:
        return True
    named = {area.name for area in cg.state.areas} | set(cg.map.setup_areas)
    return name in named or name.partition(".")[0] not in cg.map


@implements("HASL 31")
def is_fulfilled(cg: Hasl, condition: Condition) -> bool:
    """True if a condition that can be computed is fulfilled now: all that it asks for is there."""
    side = condition.side
    amassed, lost = cg.state.side(side).cvp_total, cg.state.side(other_side(side)).cvp_total
    controlled = sum(controls(cg, side, name) for name in condition.controls)
    return (
        controlled >= (condition.count or len(condition.controls))
        and (condition.cvp is None or amassed >= condition.cvp)
        and (condition.cvp_ratio is None or amassed >= condition.cvp_ratio * lost)
    )


def standing_in_words(cg: Hasl, condition: Condition) -> str:
    """Return how a condition stands, in words."""
    side, parts = condition.side, []
    if condition.controls:
        held = [name for name in condition.controls if controls(cg, side, name)]
        need = condition.count or len(condition.controls)
        parts.append(f"Controls {len(held)} of {need} needed ({', '.join(held) or 'none'})")
    if condition.cvp is not None or condition.cvp_ratio is not None:
        amassed, lost = cg.state.side(side).cvp_total, cg.state.side(other_side(side)).cvp_total
        parts.append(f"CVP amassed {amassed}, lost {lost}")
    return "; ".join(parts)
