"""The British Headquarters: which buildings can be it, and when it is named (CG23)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.hexmap import Building
from laager.rules.board.card.parts import ALLIED, AXIS

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

DAY, PART = date(1944, 9, 18), "AM"
"""The CG Date before whose setup it is named."""


@implements("ABtF CG23")
def due(cg: Abtf) -> bool:
    """Whether the Headquarters has to be named now.

    Before the setup of 18AM; in a campaign that begins later before that of its Initial Scenario,
    if the reading has it so.
    """
    if cg.state.headquarters is not None:
        return False
    now = cg.date
    if (now.day, now.part) == (DAY, PART):
        return True
    late = now.day > DAY or (now.day == DAY and now.part != PART)
    return cg.initial and late and cg.reading("late-headquarters") == "initial-scenario"


def candidates(cg: Abtf) -> Iterator[Building]:
    """Yield the buildings of several hexes that the British Control, in the order of the map."""
    return (one for one in cg.map.buildings if len(one.hexes) > 1 and controlled(cg, one))


def controlled(cg: Abtf, building: Building) -> bool:
    """Whether the British Control a building: a Location of it is theirs, none is the enemy's.

    Locations that nobody is recorded for are whose the Block around them is.
    """
    holders = {_holder(cg, at) for name in building.hexes for at in cg.map.locations(name)}
    return ALLIED in holders and AXIS not in holders


def _holder(cg: Abtf, location: str) -> str:
    held = cg.state.ground.control.get(location)
    if held is not None:
        return held
    block = cg.map.blocks.of(location)
    return cg.state.block_control.get(block, "") if block is not None else ""


def building_name(building: Building) -> str:
    """Return what a building is called: its name, else that of its first hex."""
    return building.name or building.hexes[0]
