"""What the first players stumbled over: each once, as they met it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.web.conftest import Begin, People

SEAT_PAGES = (
    "", "map", "people/", "history", "log", "units", "sheets", "notes", "forecasts", "changing/",
    "over",
)  # fmt: skip


def _game(begin: Begin, people: People) -> tuple[Client, str]:
    game = begin("rzhavets")
    return people.client(people.anna), f"/campaign/{game.pk}/axis/"


@pytest.mark.django_db
def test_every_page_of_a_seat_keeps_itself_up_to_date(begin: Begin, people: People) -> None:
    """Pages with styles of their own had lost the script that listens for news."""
    client, seat = _game(begin, people)
    asked = client.get(seat).content.decode().partition(f'href="{seat}ask/')[2].partition('"')[0]
    assert asked
    for address in (*SEAT_PAGES, f"ask/{asked}"):
        page = client.get(seat + address).content.decode()
        assert page.count("laager/live.js") == 1, address
        assert page.count("laager/live.css") == 1, address
