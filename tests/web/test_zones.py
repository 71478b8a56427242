"""Times in the reader's zone: the browser's, unless the reader has chosen another."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.test import Client, override_settings

from laager.base import DataError
from laager.web.models import Invitation, Player
from laager.web.serving.config import Config
from laager.web.shared import visitors

if TYPE_CHECKING:
    from tests.web.conftest import Begin, Desk, People


def _zone(user: Player) -> str:
    return Player.objects.get(pk=user.pk).time_zone


def test_the_first_page_takes_the_zone_of_the_browser(people: People) -> None:
    client = people.client(people.anna)
    assert "data-ask-zone" in client.get("/").content.decode()
    assert _zone(people.anna) == ""
    client.cookies["zone"] = "Europe/Berlin"
    assert "data-ask-zone" not in client.get("/").content.decode()
    assert _zone(people.anna) == "Europe/Berlin"
    assert client.cookies["zone"].value == ""


def test_a_zone_once_chosen_stays(people: People) -> None:
    Player.objects.filter(pk=people.anna.pk).update(time_zone="America/New_York")
    client = people.client(people.anna)
    client.cookies["zone"] = "Europe/Berlin"
    client.get("/")
    assert _zone(people.anna) == "America/New_York"


@pytest.mark.parametrize("text", ["", "Mars/Olympus", "../../etc/passwd", "x" * 5000, "Etc/GMT+5", "posixrules"])
def test_a_zone_that_nobody_can_choose_is_not_taken(text: str, people: People) -> None:
    client = people.client(people.anna)
    client.cookies["zone"] = text
    assert client.get("/").status_code == 200
    assert _zone(people.anna) == ""


def test_names_of_browsers() -> None:
    assert visitors.check_zone("Etc/UTC") == "UTC"
    assert visitors.check_zone("Asia/Calcutta") == "Asia/Calcutta"
    assert visitors.check_zone("Europe/Berlin") == "Europe/Berlin"


def test_it_can_be_changed_and_given_back_to_the_browser(people: People) -> None:
    client = people.client(people.anna)
    given = {"first_name": "", "email": people.anna.email, "language": "", "theme": ""}
    client.post("/account/", {**given, "time_zone": "Asia/Tokyo"})
    assert _zone(people.anna) == "Asia/Tokyo"
    client.post("/account/", {**given, "time_zone": ""})
    assert _zone(people.anna) == ""
    client.cookies["zone"] = "Europe/Berlin"
    client.get("/")
    assert _zone(people.anna) == "Europe/Berlin"


def test_visitors_see_their_own_time(people: People, begin: Begin) -> None:
    game = begin()
    answer = people.client(people.anna).post(
        f"/campaign/{game.pk}/axis/people/invite/", {"seat": "spectator:", "days": "3"}
    )
    link = answer.content.decode().split('value="http://testserver')[1].split('"')[0]
    ends = Invitation.objects.get().ends
    guest = Client()
    page = guest.get(link, follow=True).content.decode()
    assert f"{ends:%H:%M}" in page
    guest.cookies["zone"] = "Asia/Kathmandu"
    page = guest.get("/invitation/").content.decode()
    assert f"{ends.astimezone(ZoneInfo('Asia/Kathmandu')):%H:%M}" in page


def test_without_a_browsers_word_the_servers_zone_counts() -> None:
    assert str(visitors.zone_of("")) == "UTC"
    with override_settings(TIME_ZONE="Europe/Vienna"):
        assert str(visitors.zone_of("")) == "Europe/Vienna"
        assert str(visitors.zone_of("Asia/Tokyo")) == "Asia/Tokyo"
    with pytest.raises(DataError, match="LAAGER_TIME_ZONE"):
        Config.of({"LAAGER_TIME_ZONE": "Middle-earth"})


def test_accounts_made_before_have_chosen_none(people: People) -> None:
    Player.objects.filter(pk=people.anna.pk).update(time_zone="UTC")
    Player.objects.filter(pk=people.bert.pk).update(time_zone="Asia/Tokyo")
    migration = import_module("laager.web.migrations.0005_zones_of_browsers")
    migration.forget(apps, None)
    assert (_zone(people.anna), _zone(people.bert)) == ("", "Asia/Tokyo")
    migration.restore(apps, None)
    assert _zone(people.anna) == "UTC"


@pytest.mark.browser
def test_a_browser_in_tokyo(people: People, desk: Callable[..., Desk]) -> None:
    anna = desk(people.anna, timezone_id="Asia/Tokyo")
    anna.go("/")
    anna.go("/account/")
    assert anna.page.locator("#id_time_zone").input_value() == "Asia/Tokyo"
    assert [one["name"] for one in anna.context.cookies() if one["name"] == "zone"] == []
    assert _zone(people.anna) == "Asia/Tokyo"
