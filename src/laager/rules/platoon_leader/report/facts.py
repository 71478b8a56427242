"""What follows from two battle reports that add up: the facts, side by side (PL 2.9, 3.11)."""

from __future__ import annotations

from laager.campaign import Procedure, implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.report.facts import follow_units
from laager.rules.board.telling import tell
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.report.agreement import Reports
from laager.rules.platoon_leader.report.board_facts import board_facts, side_facts
from laager.rules.platoon_leader.report.desk import Desk

WHY = "reported at the end of play"


@implements("PL 2.9", "PL 3.11", "PL 1.4 Survivors")
def follow(cg: Cg, reports: Reports) -> Procedure[None]:
    """Apply two reports that were found to be in order."""
    desks = {side: Desk.of(cg, side, reports[side]) for side in SIDES}
    yield from follow_units(cg, desks, reports)
    yield from tell(board_facts(cg, reports))
    for side in SIDES:
        yield from tell(side_facts(cg, desks[side]))
