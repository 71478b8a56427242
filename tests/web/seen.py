"""What a seat must not learn of a campaign, to be searched for in pages."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client

from laager.campaign.views import view
from laager.web.campaigns import tables
from laager.web.models import Game, Player
from tests.web.conftest import People, add_spectator, seat

SEATS = ("axis", "allied", "umpire", "spectator")


def sitting(game: Game, people: People) -> dict[str, Player]:
    """Let somebody watch, too; return who sits where."""
    add_spectator(game, people.dora)
    return dict(zip(SEATS, (people.anna, people.bert, people.cleo, people.dora), strict=True))


def url(game: Game, name: str, rest: str = "") -> str:
    """Return an address at a seat."""
    return f"/campaign/{game.pk}/{name}/{rest}"


_WHOLE = re.compile(r'<span class="whole">([^<]*)</span>')
"""What keeps a unit on one line; nobody reads it."""


def read(client: Client, address: str) -> str:
    """Return a page that must be there, as it reads."""
    page = client.get(address)
    assert page.status_code == 200, address
    return unescape(_WHOLE.sub(r"\1", page.content.decode()))


def unknown(game: Game, user: Player, name: str) -> set[str]:
    """Return the ids of units and works of which a viewer has never been told.

    In brackets, as labels have them: bare ids can be names of hexes.
    """
    with tables.look(seat(game, user, name)) as table:
        truth = view(table.campaign, "umpire").state
        told = str([one.entry.body for one in table.view.log])
        known = set(re.findall(r"\b[A-Z]{2,3}[0-9]+\b", told))
    return {f"({one})" for one in (*truth.units, *truth.forts) if one not in known}
