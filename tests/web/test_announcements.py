"""What the host tells everybody: written on the host's page, shown on every page, taken away, over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from django.db import DatabaseError
from django.utils import timezone

from laager.web.models import Announcement, Player
from laager.web.serving.host import announcements

if TYPE_CHECKING:
    from django.test import Client

    from tests.web.conftest import Begin, People

TEXT = 'Morgen Wartung <script>alert("x")</script>\nMaintenance tomorrow & later'
SHOWN = "Morgen Wartung &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;<br>Maintenance tomorrow &amp; later</aside>"


@pytest.fixture
def host(host: Player) -> Player:
    """Dora owns the server, in Berlin."""
    host.time_zone = "Europe/Berlin"
    host.save()
    return host


def shows(client: Client, address: str, text: str = SHOWN) -> bool:
    """Return True if a page has the announcement."""
    return text in client.get(address).content.decode()


def announce(people: People, host: Player, text: str = TEXT, until: str = "") -> int:
    """Announce something on the host's page; return the status."""
    return people.client(host).post("/host/announcement/", {"text": text, "until": until}).status_code


def test_everybody_sees_it_on_every_page_until_it_is_taken_away(people: People, host: Player, begin: Begin) -> None:
    game = begin()
    pages = [
        (None, "/login/"),
        (None, "/there/is/no/such/page"),
        (people.anna, "/"),
        (people.anna, "/account/"),
        (people.anna, f"/campaign/{game.pk}/axis/"),
        (people.cleo, f"/campaign/{game.pk}/umpire/people/"),
        (host, "/host/"),
    ]
    assert not any(shows(people.client(who), address, "<aside") for who, address in pages if "axis" not in address)
    assert announce(people, host) == 302
    assert [shows(people.client(who), address) for who, address in pages] == [True] * len(pages)
    assert announce(people, host, "Another") == 302
    assert not shows(people.client(None), "/login/")
    assert shows(people.client(None), "/login/", "Another</aside>")
    assert people.client(host).post("/host/announcement/remove/").status_code == 302
    assert not shows(people.client(None), "/login/", "<aside")


def test_it_ends_at_a_time_of_the_hosts_zone(people: People, host: Player) -> None:
    later = timezone.now() + timedelta(hours=3)
    local = later.astimezone(ZoneInfo("Europe/Berlin"))
    assert announce(people, host, "Soon", local.strftime(announcements.OF_BROWSERS)) == 302
    row = Announcement.objects.get()
    assert row.until == later.replace(second=0, microsecond=0)
    assert shows(people.client(host), "/host/", f'value="{local.strftime(announcements.OF_BROWSERS)}"')
    assert shows(people.client(None), "/login/", "Soon</aside>")
    Announcement.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert not shows(people.client(None), "/login/", "<aside")


def test_what_cannot_be_announced_is_said_and_kept_in_the_form(people: People, host: Player) -> None:
    announce(people, host, "Before")
    answer = people.client(host).post("/host/announcement/", {"text": "New", "until": "2020-01-01T10:00"})
    assert answer.status_code == 422
    assert "This time is over" in answer.content.decode()
    assert ">\nNew</textarea>" in answer.content.decode()
    for text in ("", "x" * 501):
        assert announce(people, host, text) == 422
    assert Announcement.objects.get().text == "Before"


def test_nobody_else_announces_anything(people: People, host: Player) -> None:
    announce(people, host, "Before")
    for what in ("", "remove/"):
        assert people.client(people.anna).post(f"/host/announcement/{what}", {"text": "Mine"}).status_code == 404
        assert people.client(None).post(f"/host/announcement/{what}", {"text": "Mine"}).status_code == 302
    assert Announcement.objects.get().text == "Before"


def test_pages_come_without_a_database(people: People, host: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(Announcement.objects, "filter", fail)
    assert announcements.load_current() is None
    assert people.client(None).get("/login/").status_code == 200
