"""What the first players stumbled over: each once, as they met it."""

from __future__ import annotations

from typing import Any

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


def _mark(client: Client, seat: str) -> str:
    found = client.get(seat).content.decode().partition(f'href="{seat}ask/')[2].partition("/")[0]
    assert found
    return found


@pytest.mark.django_db
def test_fast_typing_does_not_use_up_the_changes(
    begin: Begin, people: People, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laager.web.services.throttle.time.time", lambda: 1_800_000_000.0)
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 2})
    client, seat = _game(begin, people)
    mark = _mark(client, seat)
    typed = {"view": "form", "a.intensity": "mid"}
    checks = [client.post(f"{seat}check/{mark}/", typed).status_code for _ in range(21)]
    assert checks == [200] * 20 + [429]
    assert client.post(f"{seat}ask/{mark}/", typed | {"do": "give"}).status_code == 302


@pytest.mark.django_db
def test_a_wrong_password_is_told_once(people: People) -> None:
    page = Client().post("/login/", {"username": "anna", "password": "x"}).content.decode()
    assert page.count("Please enter a correct") == 1


@pytest.mark.django_db
def test_what_is_wrong_is_told_in_few_words(begin: Begin, people: People) -> None:
    client, seat = _game(begin, people)
    address = f"{seat}ask/{_mark(client, seat)}/"
    page = client.post(address, {"view": "text", "do": "give", "text": "x" * 50_000})
    assert page.status_code == 422
    told = page.content.decode().partition('id="refused"')[2].partition("</div>")[0]
    assert "xxx" in told
    assert len(told) < 2000
    empty = client.post(address, {"view": "text", "do": "give", "text": "  "})
    assert empty.status_code == 422
    assert "nothing is written here yet" in empty.content.decode()
