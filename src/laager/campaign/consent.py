"""Requests that need the other side's consent: taking back, bringing back, ending by agreement.

A request stands until it is answered or something happens that everybody can see. Secret actions
don't end it, because that would reveal them.
"""

from __future__ import annotations

from laager.base import Refusal, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE, Side
from laager.campaign.log import REQUESTS, Entry


def open_request(campaign: Campaign, kind: str) -> Entry | None:
    """Return the open request of this kind ("undo", "redo", "end", "patience"), or None."""
    for entry in reversed(campaign.entries):
        if entry.type == f"{kind}-asked":
            return entry
        if entry.type in (f"{kind}-refused", kind):
            return None
        if entry.type not in REQUESTS and entry.to is None:
            return None
    return None


def check_asker(campaign: Campaign, by: Side) -> None:
    """Raise RefusedError unless this is a side of the campaign or its umpire."""
    if by not in (*campaign.ruleset.sides, UMPIRE):
        raise RefusedError(Refusal.NOT_YOURS, f"a {by} can only watch", "this is for the sides")


def check_consent(campaign: Campaign, kind: str, side: Side, doing: str, *, agree: bool = True) -> Entry:
    """Return the open request that a side can answer. Raises RefusedError if no request is open.

    The side that asked can only withdraw it.
    """
    check_asker(campaign, side)
    request = open_request(campaign, kind)
    if request is None:
        raise RefusedError(Refusal.NOT_ASKED, f"nobody has asked {doing}")
    if agree and side == request.body["by"]:
        raise RefusedError(Refusal.NOT_YOURS, "the other side must agree, not the one that asked")
    return request


def record_refusal(campaign: Campaign, kind: str, request: Entry, side: Side) -> None:
    """Record that a request is refused, or withdrawn by the side that made it."""
    kind = {"undo": "undo-refused", "redo": "redo-refused", "end": "end-refused", "patience": "patience-refused"}[kind]
    own = {"withdrawn": True} if side == request.body["by"] else {}
    campaign.record(kind, {"by": side} | own)  # type: ignore[arg-type]
