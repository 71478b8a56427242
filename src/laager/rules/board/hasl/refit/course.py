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
from laager.rules.board.sequence import (
    merge_for_each_side,
    merge_steps,
    run_either,
    run_in_turn,
    run_instead,
    run_side_by_side,
)


def end_of_scenario(
    *beside: Step, melee: Step, markers: Step, rally: Step, end: Step, encirclement: Step, setup_areas: Step
) -> Step:
    """Make one step of those from the last Melees to the Setup Areas; `beside` are those that depend on none."""
    ground = run_instead(setup_areas, areas.areas_at_once)
    at_once = run_in_turn(melee, markers, run_side_by_side(*beside, run_in_turn(rally, end), encirclement, ground))
    # On the last CG Date the campaign ends with the rally.
    last = run_in_turn(*beside, melee, markers, rally, end, encirclement, ground)
    return merge_steps("end-of-scenario", "End of the scenario, Setup Areas", run_either(_goes_on, at_once, last))


def _goes_on(cg: Hasl) -> bool:
    return cg.next_date is not None


def after_areas(*first: Step, possession: Step, captives: Step, fires: Step, troops: Sequence[Step]) -> Step:
    """Make one step of those after the Setup Areas; `troops` are those of leaders and HS."""
    held = run_instead(possession, equipment.possession_at_once)
    at_once = run_in_turn(*first, run_side_by_side(held, captives, fires, *troops))
    # Prisoners who are free again take part in what follows.
    one_by_one = run_in_turn(*first, held, captives, run_side_by_side(fires, *troops))
    none_held = run_either(lambda cg: not prisoners.prisoners_held(cg), at_once, one_by_one)
    return merge_steps("troops-and-equipment", "Troops and Equipment after the scenario", none_held)


def shift_and_repair(shift: Step, repair: Step) -> Step:
    """Make one step of Shift and of repair and replenishment."""
    return merge_for_each_side("shift-and-repair", "Shift, repair and replenishment", shift, repair)
