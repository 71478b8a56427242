"""The steps after a scenario as players go through them: what belongs together is asked together.

The rulebooks name some fifteen steps, each with its own questions. Here they are two: the end of the
scenario up to the Setup Areas, and troops and Equipment after it; later Shift and repair are one. What a
question needs to know from an earlier one keeps its place behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from laager.campaign import Step
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit import areas, equipment, prisoners
from laager.rules.board.sequence import as_one, each_at_once, either, in_turn, instead, side_by_side


def end_of_scenario(
    *beside: Step, melee: Step, markers: Step, rally: Step, end: Step, encirclement: Step, setup_areas: Step
) -> Step:
    """Make one step of those from the last Melees to the Setup Areas; `beside` are those that depend on none."""
    ground = instead(setup_areas, areas.areas_at_once)
    at_once = in_turn(melee, markers, side_by_side(*beside, in_turn(rally, end), encirclement, ground))
    # On the last CG Date the campaign ends with the rally.
    last = in_turn(*beside, melee, markers, rally, end, encirclement, ground)
    return as_one("end-of-scenario", "End of the scenario, Setup Areas", either(_goes_on, at_once, last))


def _goes_on(cg: Hasl) -> bool:
    return cg.next_date is not None


def after_areas(*first: Step, possession: Step, captives: Step, fires: Step, troops: Sequence[Step]) -> Step:
    """Make one step of those after the Setup Areas; `troops` are those of leaders and HS."""
    held = instead(possession, equipment.possession_at_once)
    at_once = in_turn(*first, side_by_side(held, captives, fires, *troops))
    # Prisoners who are free again take part in what follows.
    one_by_one = in_turn(*first, held, captives, side_by_side(fires, *troops))
    none_held = either(lambda cg: not prisoners.prisoners_held(cg), at_once, one_by_one)
    return as_one("troops-and-equipment", "Troops and Equipment after the scenario", none_held)


def shift_and_repair(shift: Step, repair: Step) -> Step:
    """Make one step of Shift and of repair and replenishment."""
    return each_at_once("shift-and-repair", "Shift, repair and replenishment", shift, repair)
