"""Ending a campaign before its time: by concession, or by agreement of both sides."""

from __future__ import annotations

from laager.base import Refusal, RefusedError
from laager.campaign.consent import check_asker, check_consent, open_request, record_refusal
from laager.campaign.engine import Campaign
from laager.campaign.facts import Fact, Side


def _under_way(campaign: Campaign) -> None:
    if not campaign.pending():
        raise RefusedError(Refusal.OVER, "the campaign is over already")


def concede(campaign: Campaign, fact: Fact) -> None:
    """Record that a side gives up; nobody's consent is needed. `fact` is the ruleset's."""
    _under_way(campaign)
    campaign.declare(fact)


def propose(campaign: Campaign, by: Side) -> None:
    """Ask the other side to end the campaign as a draw."""
    check_asker(campaign, by)
    _under_way(campaign)
    if open_request(campaign, "end") is not None:
        raise RefusedError(Refusal.NEEDS_CONSENT, "it has been proposed", "the other side must answer")
    campaign.record("end-asked", {"by": by})


def answer(campaign: Campaign, side: Side, agree: bool, fact: Fact) -> None:
    """Answer the proposal; if agreed, `fact` (the ruleset's) ends the campaign.

    One's own proposal can be withdrawn by refusing it.
    """
    request = check_consent(campaign, "end", side, "to end the campaign", agree=agree)
    if agree:
        campaign.declare(fact)
    else:
        record_refusal(campaign, "end", request, side)
