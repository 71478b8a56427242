"""The sensible commander answers for a side that is late, where the table has agreed on that (`campaign.patience`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError
from laager.campaign.consent import check_asker
from laager.campaign.patience import late_sides, may_answer_late, patience_of
from laager.commanders.answering import MOST_ANSWERS, Replies, answer_pending
from laager.commanders.commander import load_commander
from laager.commanders.seats import AT_THE_TABLE, chance_of

if TYPE_CHECKING:
    from datetime import datetime

    from laager.campaign.engine import Campaign
    from laager.campaign.facts import Side
    from laager.campaign.pending import Pending

SENSIBLE = "sensible"


def answer_late(campaign: Campaign, by: Side, side: Side, now: datetime) -> Replies:
    """Answer all that a late side is asked in this step, and record who wanted it.

    What happened in a battle at the table is not for a commander to say. Raises RefusedError.
    """
    check_asker(campaign, by)
    if not may_answer_late(patience_of(campaign), by, side):
        raise RefusedError(Refusal.NOT_YOURS, "you can't let the commander answer for this side")
    late = next((late for late in late_sides(campaign, now) if late.side == side), None)
    if late is None:
        raise RefusedError(Refusal.NOT_ASKED, "this side isn't late")
    if _next_for(campaign, side) is None:
        right = "wait for it, or free its seat"
        raise RefusedError(Refusal.NOT_ASKED, "the commander can't tell what happened at the table", right)
    campaign.record("late", {"by": by, "side": side, "since": late.late_since.isoformat(timespec="seconds")})
    commander, step, total = load_commander(SENSIBLE), campaign.step, Replies()
    for _ in range(MOST_ANSWERS):
        pending = _next_for(campaign, side)
        if pending is None or campaign.step is not step:
            break
        total += answer_pending(campaign, pending, commander, chance_of(campaign, side), tells=True)
    return total


def _next_for(campaign: Campaign, side: Side) -> Pending | None:
    waiting = (pending for pending in campaign.pending() if pending.side == side)
    return next((pending for pending in waiting if pending.key not in AT_THE_TABLE), None)
