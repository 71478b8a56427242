"""Letting a battle be settled without being played: both sides agree, and then a model fills in their reports.

Agreement holds for the step under way. The reports are still each side's own to change and to submit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.campaign.facts import Side

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.pending import Pending

GROUP = "laager.settling"
"""Entry-point group of what settles battles: `reports`, a function of a campaign, a side and its question's key."""


def agreed_sides(campaign: Campaign) -> frozenset[Side]:
    """Return the sides that would let the battle of the present step be settled."""
    return campaign.history.settlers


def is_settled(campaign: Campaign) -> bool:
    """True if both sides agreed."""
    return campaign.history.settlers >= set(campaign.ruleset.sides)


def with_settlement(campaign: Campaign, asked: tuple[Pending, ...]) -> tuple[Pending, ...]:
    """Return what is asked, each battle report with what the model fills in as its proposal, if both sides agreed."""
    settle = _settler()
    if settle is None or not is_settled(campaign):
        return asked
    return tuple(_with_proposal(pending, settle(campaign, pending.side, pending.key)) for pending in asked)


def _with_proposal(pending: Pending, value: Any) -> Pending:
    if value is None or pending.question is None:
        return pending
    settled = replace(pending.question, default=value)
    return replace(pending, question=settled, unsettled=pending.question.default)


@cache
def _settler() -> Callable[[Campaign, Side, str], Any] | None:
    points = tuple(entry_points(group=GROUP, name="reports"))
    return points[0].load() if points else None


def agree(campaign: Campaign, side: Side) -> bool:
    """Record that a side would let the battle be settled; return True if both agreed now.

    Raises RefusedError for who is no side, or has said so already.
    """
    if side not in campaign.ruleset.sides:
        raise RefusedError(Refusal.NOT_YOURS, f"{side} is not a side", "both sides must agree")
    if side in agreed_sides(campaign):
        raise RefusedError(Refusal.NEEDS_CONSENT, "you have said so already", "the other side must agree")
    campaign.record("settle-asked", {"by": side})
    return is_settled(campaign)


def refuse(campaign: Campaign, side: Side) -> None:
    """Record that a side wants the battle played, or withdraws what it said. Raises RefusedError if nobody asked."""
    asked = agreed_sides(campaign)
    if side not in campaign.ruleset.sides or not asked:
        raise RefusedError(Refusal.NOT_ASKED, "nobody has asked to settle the battle")
    own = {"withdrawn": True} if side in asked else {}
    campaign.record("settle-refused", {"by": side} | own)
