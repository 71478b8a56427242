"""Taking back: only with the other side's consent, and never the same dice again.

A side asks, the others agree or refuse; the umpire may take back alone. What was taken back stays
in the log, marked, and can be brought back until something new happens.
"""

from __future__ import annotations

from laager.base import Refusal, RefusedError
from laager.campaign.consent import check_consent, open_request
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE, Side
from laager.campaign.log import Entry


def last_input(campaign: Campaign) -> int:
    """Return the number of the last answer or entered roll that counts. Raises RefusedError."""
    for entry in reversed(campaign.history.counted):
        if entry.type == "answer" or (entry.type == "roll" and entry.body["source"] == "entered"):
            return entry.number
    raise RefusedError(Refusal.NO_SUCH, "nothing has been answered yet that could be taken back")


def step_start(campaign: Campaign) -> int:
    """Return the number of the entry before the step that is under way (or was last done)."""
    for entry in reversed(campaign.history.counted):
        if entry.type == "step":
            return entry.number - 1
    raise RefusedError(Refusal.NO_SUCH, "no step has begun yet")


def asked(campaign: Campaign) -> Entry | None:
    """Return the request to take back that waits for consent, if there is one."""
    return open_request(campaign, "undo")


def ask(campaign: Campaign, by: Side, to: int) -> None:
    """Ask to go back to just after entry `to`. The umpire needs nobody's consent."""
    _check_target(campaign, to)
    if by == UMPIRE:
        campaign.record("undo", {"to": to, "by": by, "agreed": []})
        return
    campaign.record("undo-asked", {"to": to, "by": by})


def consent(campaign: Campaign, side: Side, agree: bool) -> None:
    """Answer the other side's request. Raises RefusedError if there is none to answer."""
    request = check_consent(campaign, "undo", side, "to take anything back")
    if not agree:
        campaign.record("undo-refused", {"by": side})
        return
    body = {"to": request.body["to"], "by": request.body["by"], "agreed": [side]}
    campaign.record("undo", body)


def redo(campaign: Campaign, by: Side) -> None:
    """Bring back what the last undo took. Raises RefusedError once something new has happened."""
    if not campaign.history.set_aside:
        raise RefusedError(Refusal.NO_SUCH, "nothing was taken back since the last answer")
    campaign.record("redo", {"by": by})


def _check_target(campaign: Campaign, to: int) -> None:
    if campaign.history.counted[-1].type == "revealed":
        raise RefusedError(
            Refusal.OVER,
            "the campaign is over and its dice are shown; nothing can be taken back any more",
        )
    last = campaign.history.counted[-1].number
    if not 2 <= to < last:
        raise RefusedError(
            Refusal.NO_SUCH,
            f"there is nothing to take back to at {to}; choose from 2 to {last - 1}",
        )
