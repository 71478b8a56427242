"""Requests that need the other side's consent: taking back, ending by agreement."""

from __future__ import annotations

from laager.base import Refusal, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.log import Entry


def open_request(campaign: Campaign, what: str) -> Entry | None:
    """Return the request of this kind ("undo", "end") that still waits; anything new ends it."""
    for entry in reversed(campaign.entries):
        if entry.type == f"{what}-asked":
            return entry
        if not entry.type.endswith(("-asked", "-refused")) or entry.type == f"{what}-refused":
            return None
    return None


def check_consent(campaign: Campaign, what: str, side: Side, doing: str) -> Entry:
    """Return the open request that a side may answer. Raises RefusedError if there is none."""
    request = open_request(campaign, what)
    if request is None:
        raise RefusedError(Refusal.NOT_ASKED, f"nobody has asked {doing}")
    if side == request.body["by"]:
        raise RefusedError(Refusal.NOT_YOURS, "the other side must agree, not the one that asked")
    return request
