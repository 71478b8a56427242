"""Template tags of rulings: what parts of the record are called, what an open request changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.utils.translation import gettext_lazy as _

from laager.campaign import rulings
from laager.rules.board.context import CardContext
from laager.rules.board.rulings.differences import Difference
from laager.rules.board.rulings.proposing import counts_at_once, open_changes

if TYPE_CHECKING:
    from laager.web.campaigns.tables import Table

register = template.Library()

PARTS = {
    "sides": _("The sides"),
    "fight": _("The present firefight"),
    "scenario": _("The present scenario"),
    "groups": _("Reinforcement groups"),
    "areas": _("Setup Areas"),
    "campaign": _("The campaign"),
    "past": _("Earlier battles"),
}
"""What the parts of the record are called."""


@register.filter
def ruling_part(name: str) -> str:
    """Return what a part of the record is called."""
    return str(PARTS.get(name, name))


@register.inclusion_tag("records/rulings/rulings_terms.html")
def ruling_terms(table: Table) -> dict[str, Any]:
    """Say what the campaign's terms say about rulings; nothing where there is no record to put right."""
    if not isinstance(table.campaign.context, CardContext):
        return {"terms": None}
    return {
        "terms": rulings.terms_of(table.campaign.opening),
        "at_once": counts_at_once(table.campaign, table.seat.viewer),
    }


@register.simple_tag
def ruling_changes(table: Table) -> list[Difference]:
    """Return what the ruling that is asked for changes, before and after, as far as the seat may know."""
    return open_changes(table.campaign, table.seat.viewer)
