"""A new campaign from a card, in the browser's forms."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from laager.campaign.engine import Campaign
from laager.web.library.files import file_templates, offers
from laager.web.library.files import files as library
from laager.web.models import EntryLine, Game, Member
from laager.web.shared import processes
from laager.web.starting import beginning

if TYPE_CHECKING:
    from tests.web.conftest import People


def test_every_shipped_card_is_offered_and_its_check_shown(people: People) -> None:
    client = people.client(people.anna)
    listed = client.get("/new").content.decode()
    for one in offers.list_shipped():
        assert f'href="/new/{one.id}"' in listed
        page = client.get(f"/new/{one.id}")
        assert page.status_code == 200
        for warning in offers.check_card(one):
            assert warning[:20].split("'")[0] in page.content.decode()


@pytest.mark.parametrize(("seat", "sides"), [("both", {"axis", "allied"}), ("axis", {"axis"}), ("umpire", {""})])
def test_who_begins_sits_where_he_wants(seat: str, sides: set[str], people: People) -> None:
    client = people.client(people.anna)
    answer = client.post("/new/rzhavets", {"title": "Tuesday", "seat": seat, "dice": "entered"})
    game = Game.objects.get()
    assert answer.status_code == 302
    assert str(game.pk) in answer["Location"]
    assert (game.title, game.owner) == ("Tuesday", people.anna)
    assert set(Member.objects.values_list("side", flat=True)) == sides


def test_a_reading_that_there_is_not_begins_nothing(people: People) -> None:
    client = people.client(people.anna)
    name = next(iter(offers.find_shipped("rzhavets").readings))
    given = {"title": "Kept", "seat": "both", f"reading-{name}": "nonsense"}
    answer = client.post("/new/rzhavets", given)
    assert answer.status_code == 422
    assert "nonsense" in answer.content.decode()
    assert 'value="Kept"' in answer.content.decode()
    assert not Game.objects.exists()


def test_a_seat_or_card_that_there_is_not(people: People) -> None:
    client = people.client(people.anna)
    assert client.post("/new/rzhavets", {"seat": "neutral"}).status_code == 404
    assert client.get("/new/nothing").status_code == 404
    assert people.client(None).get("/new").status_code == 302
    assert not Game.objects.exists()


# Cards of one's own -------------------------------------------------------------------------------


def _own_card(people: People, name: str = "mine.yaml") -> None:
    made = file_templates.made_from("copy-sorgiva", name)
    library.save_all(people.anna, made)


def test_a_campaign_is_begun_from_a_card_that_is_sent(people: People) -> None:
    made = file_templates.made_from("copy-sorgiva", "mine.yaml")
    files = [SimpleUploadedFile(name, text.encode()) for name, text in made.items()]
    client = people.client(people.anna)
    answer = client.post("/new", {"files": files})
    assert answer["Location"] == "/new/own/mine.yaml"
    assert "The card is good" in client.get("/new/own/mine.yaml").content.decode()
    assert 'href="/new/own/mine.yaml"' in client.get("/new").content.decode()
    answer = client.post("/new/own/mine.yaml", {"title": "", "seat": "both"})
    game = Game.objects.get()
    assert answer["Location"] == f"/campaign/{game.pk}/axis/"
    assert client.get(answer["Location"]).status_code == 200
    assert (game.ruleset, game.card) == ("hasl", "mine")
    # It needs its files no more.
    for name in made:
        library.remove(people.anna, name)
    assert client.get(answer["Location"]).status_code == 200
    assert "/tmp" not in "".join(game.lines.values_list("line", flat=True))


def test_a_wrong_card_says_where_and_begins_nothing(people: People) -> None:
    _own_card(people)
    text = library.find(people.anna, "mine.yaml").text.replace("ruleset: hasl", "rulset: hasl")
    library.save(people.anna, "mine.yaml", text)
    line = 1 + text[: text.index("rulset")].count("\n")
    client = people.client(people.anna)
    page = client.get("/new/own/mine.yaml").content.decode()
    assert f"mine.yaml:{line}: rulset" in page
    assert f"/library/file/mine.yaml/?line={line}#text" in page
    assert '<button class="primary">Begin' not in page
    assert client.post("/new/own/mine.yaml", {"seat": "both"}).status_code == 422
    assert not Game.objects.exists()


def test_a_card_of_somebody_else_is_not_there(people: People) -> None:
    _own_card(people)
    client = people.client(people.bert)
    assert client.get("/new/own/mine.yaml").status_code == 404
    assert client.post("/new/own/mine.yaml", {"seat": "both"}).status_code == 404
    assert "mine.yaml" not in client.get("/new").content.decode()
    library.save(people.bert, "mine.yaml", "laager: map/1\n")
    assert client.get("/new/own/mine.yaml").status_code == 404
    assert not Game.objects.exists()


def test_links_are_made_at_once_and_shown_once(people: People) -> None:
    client = people.client(people.anna)
    invited = ["player:allied", "player:axis", "spectator:"]
    given = {"title": "T", "seat": "axis", "invite": invited}
    answer = client.post("/new/rzhavets", given)
    game = Game.objects.get()
    assert answer["Location"] == f"/new/begun/{game.pk}/axis"
    page = client.get(answer["Location"]).content.decode()
    keys = re.findall(r"/invitation/([^/\"]+)/", page)
    # Not for the seat that is taken.
    assert len(keys) == 2
    again = client.get(answer["Location"])
    assert again["Location"] == f"/campaign/{game.pk}/axis/people/"
    assert not any(key in str(dict(client.session)) for key in keys)
    bert = people.client(people.bert)
    bert.get(f"/invitation/{keys[0]}/")
    bert.post("/invitation/")
    assert Member.objects.get(user=people.bert).side == "allied"
    assert people.client(people.bert).get(f"/new/begun/{game.pk}/axis").status_code == 302


@pytest.mark.parametrize("invited", [["player:axis"], ["player:axis", "player:allied"]])
def test_a_link_to_ones_own_seat_is_not_made_and_it_is_said_why(invited: list[str], people: People) -> None:
    client = people.client(people.anna)
    given = {"title": "T", "seat": "axis", "invite": invited}
    page = client.post("/new/rzhavets", given, follow=True).content.decode()
    assert "There is no link for Germans: you sit there yourself." in page
    given["invite"] = ["player:allied"]
    assert "There is no link" not in client.post("/new/rzhavets", given, follow=True).content.decode()


def test_a_seat_to_which_nobody_can_be_invited_begins_nothing(people: People) -> None:
    client = people.client(people.anna)
    answer = client.post("/new/rzhavets", {"seat": "axis", "invite": "player:neutral"})
    assert answer.status_code == 422
    assert not Game.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_while_a_card_is_read_and_its_campaign_begins(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large card takes seconds: a process of its own reads it, and nothing is locked meanwhile."""
    _own_card(people)
    asked, locked = list[str](), list[bool]()
    advance = Campaign.advance

    def do(_who: int, job: Callable[..., Any], *given: Any) -> Any:
        asked.append(job.__name__)
        locked.append(connection.in_atomic_block)
        return job(*given)

    def advanced(campaign: Campaign) -> Any:
        locked.append(connection.in_atomic_block)
        return advance(campaign)

    monkeypatch.setattr(processes.SLOW, "do", do)
    monkeypatch.setattr(Campaign, "advance", advanced)
    card = offers.find_own(people.anna, "mine.yaml")
    assert offers.check_card(card) == tuple(one.replace("/", "") for one in offers.check_card(card))
    game, _seat, _links = beginning.begin(people.anna, card, beginning.Beginning(seat="both"))
    assert asked == ["read_card"] * 3
    assert locked
    assert not any(locked)
    assert game.length == EntryLine.objects.filter(game=game).count() > 2
