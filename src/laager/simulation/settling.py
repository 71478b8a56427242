"""Settle this battle: what the model fills into a side's report, once both sides agreed."""

from __future__ import annotations

from typing import Any

from laager.base import Refusal, RefusedError
from laager.campaign import settling
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.rules.board.report import REPORT_KEYS
from laager.simulation.battles import load_battles


def is_report_due(campaign: Campaign) -> bool:
    """True if a battle report is asked of somebody now."""
    return any(pending.key in REPORT_KEYS for pending in campaign.pending())


def agree_to_settle(campaign: Campaign, side: Side) -> bool:
    """Record that a side would let the battle be settled; return True if both agreed now.

    Raises RefusedError if no report is due, or the side has said so already.
    """
    if not is_report_due(campaign):
        raise RefusedError(Refusal.NOT_ASKED, "there is no battle to be settled now", "wait until its report is asked")
    return settling.agree(campaign, side)


def settled_report(campaign: Campaign, side: Side, key: str) -> Any:
    """Return what the model fills into a report that a side is asked; None unless both sides agreed.

    Its luck comes from the campaign's sealed dice: nobody can know it before, and asking again gives the same.
    """
    if key not in REPORT_KEYS or not settling.is_settled(campaign):
        return None
    luck = f"{campaign.app_dice().seed.hex()}/settled {campaign.state.number}"
    return load_battles("stated").reports(campaign, luck).get((side, key))
