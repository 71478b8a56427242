"""The British Ammunition Shortage step, with the level before it kept (9.6201)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.campaign import Procedure, implements, step
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.scenario import levels
from laager.rules.bridge_too_far.facts import ShortageNoted

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf


@implements("ABtF 9.620")
@step("ABtF 9.6201", "British Ammunition Shortage")
def ammunition_shortage(cg: Abtf) -> Procedure[None]:
    """The British roll for their level; by the reading, ELR counts the level before."""
    before = cg.state.side(ALLIED).ammunition
    yield from levels.ammunition_shortage.run(cg, ALLIED, always=True)
    level = cg.state.side(ALLIED).ammunition
    yield ShortageNoted(before=before, level=level)
