"""What templates ask about maps: `{% load mapping %}`."""

from __future__ import annotations

import re

from django import template

from laager.web.campaigns import scenes
from laager.web.campaigns.tables import Table

register = template.Library()


@register.filter
def has_map(table: Table) -> bool:
    """Return True if the campaign of a table has a map."""
    return scenes.has_map(table)


MOST_PLACES = 3
"""A line of the log links to so many hexes at most."""

_PLACE = re.compile(r"(?<![\w/(.+-])([A-Z]{1,2}-?\d{1,2})(?:\.\w+)?(?![\w/)-])")


@register.filter
def places(text: str, table: Table) -> list[str]:
    """Return the hexes that a line of the log names, if there are a few; each once, in order."""
    map_ = getattr(table.campaign.context, "map", None)
    if map_ is None:
        return []
    hexes = dict.fromkeys(name for name in _PLACE.findall(text) if name in map_.playable)
    return list(hexes) if len(hexes) <= MOST_PLACES else []
