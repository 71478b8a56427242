"""What templates ask about a campaign's battles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from laager.sheets.story import has_story, latest

if TYPE_CHECKING:
    from laager.web.campaigns.tables import Table

register = template.Library()


@register.filter
def last_battle(table: Table) -> int:
    """Return the number of the last battle that was fought, 0 if none was, or none ever is."""
    return latest(table.campaign, table.view) if has_story(table.campaign) else 0
