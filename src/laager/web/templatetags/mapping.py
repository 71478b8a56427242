"""What templates ask about maps: `{% load mapping %}`."""

from __future__ import annotations

from django import template

from laager.web.services.looking import maps
from laager.web.services.play.tables import Table

register = template.Library()


@register.filter
def has_map(table: Table) -> bool:
    """Return True if the campaign of a table has a map."""
    return maps.has_map(table)
