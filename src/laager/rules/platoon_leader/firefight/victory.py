"""Who wins: firefights, objectives, the campaign (PL 1.3, 1.31, 1.4 CG End)."""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED, AXIS, other_side
from laager.rules.platoon_leader.card.card import Objective
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Type


def controls(cg: Cg, side: str, location: str) -> bool:
    """True if a side Controls a Location."""
    return cg.state.ground.control.get(location) == side


def total_cvp(cg: Cg, side: str) -> int:
    """Return the CVP that a side has scored in the whole campaign."""
    before = sum(fight.cvp.get(side, 0) for fight in cg.state.past)
    return before + cg.state.side(side).cvp


@implements("PL 1.4 Objectives")
def is_fulfilled(cg: Cg, objective: Objective) -> bool:
    """True if an objective that can be computed is fulfilled now."""
    side = objective.side
    if objective.controls:
        held = sum(controls(cg, side, location) for location in objective.controls)
        return held >= (objective.count or len(objective.controls))
    if objective.tvp is not None:
        return cg.state.side(side).tvp >= objective.tvp
    if objective.cvp_lead is not None:
        return total_cvp(cg, side) - total_cvp(cg, other_side(side)) >= objective.cvp_lead
    return False


@implements("PL 1.31")
def firefight_winner(cg: Cg, met: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return the winner of the firefight and why.

    `met` are the sides that fulfilled an objective which the card sets for this firefight; if
    exactly one did, it wins. Otherwise the side with more CVP, the defender in a tie (in a Dual
    Attack the side that moved second).
    """
    if len(set(met)) == 1:
        return met[0], "it fulfilled the objective of the firefight"
    axis, allied = cg.state.side(AXIS).cvp, cg.state.side(ALLIED).cvp
    if axis != allied:
        winner = AXIS if axis > allied else ALLIED
        return winner, f"CVP {max(axis, allied)} against {min(axis, allied)}"
    fight = cg.state.fight
    if fight.type is Type.DUAL_ATTACK:
        if cg.reading("dual-tie") == "nobody":
            return "", f"CVP {axis} each in a Dual Attack: neither side wins"
        return other_side(fight.moves_first), f"CVP {axis} each: the side that moved second wins"
    return fight.defender, f"CVP {axis} each: the defender wins"


def points(cg: Cg, side: str) -> int:
    """Return what counts for a side at the campaign's end, as the card has it."""
    fights = (*cg.state.past, cg.state.fight)
    match cg.card.objectives.campaign.points:
        case "tvp":
            return cg.state.side(side).tvp
        case "cvp":
            return total_cvp(cg, side)
        case "tvp+cvp":
            return cg.state.side(side).tvp + total_cvp(cg, side)
        case _:
            return sum(fight.winner == side for fight in fights)


@implements("PL 1.3", "PL 1.4 CG End")
def campaign_winner(cg: Cg) -> tuple[str, str]:
    """Return the winner of the whole campaign ("" for a draw) and how, by the card's points."""
    victory = cg.card.objectives.campaign
    axis, allied = points(cg, AXIS), points(cg, ALLIED)
    shown = f"{victory.points.upper()}: Axis {axis}, Allied {allied}"
    if abs(axis - allied) >= victory.margin:
        return (AXIS if axis > allied else ALLIED), shown
    if victory.tie:
        return victory.tie, f"{shown}; a tie goes to {cg.side(victory.tie).name}"
    return "", f"{shown}; a draw"


def is_last(cg: Cg) -> bool:
    """True if the present firefight is the last one on the card."""
    return cg.next_slot is None
