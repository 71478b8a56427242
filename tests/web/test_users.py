"""What the first players stumbled over: each once, as they met it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from laager.web.campaigns import drafts
from laager.web.models import Note
from tests.web.conftest import Begin, Desk, People, seat, take_defaults

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
    client, axis = _game(begin, people)
    asked = client.get(axis).content.decode().partition(f'href="{axis}ask/')[2].partition('"')[0]
    assert asked
    for address in (*SEAT_PAGES, f"ask/{asked}"):
        page = client.get(axis + address).content.decode()
        assert page.count("laager/play/table/live.js") == 1, address
        assert page.count("laager/play/table/live.css") == 1, address


def _mark(client: Client, axis: str) -> str:
    found = client.get(axis).content.decode().partition(f'href="{axis}ask/')[2].partition("/")[0]
    assert found
    return found


@pytest.mark.django_db
def test_fast_typing_does_not_use_up_the_changes(
    begin: Begin, people: People, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laager.web.shared.throttle.time.time", lambda: 1_800_000_000.0)
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 2})
    client, axis = _game(begin, people)
    mark = _mark(client, axis)
    typed = {"view": "form", "a.intensity": "mid"}
    checks = [client.post(f"{axis}check/{mark}/", typed).status_code for _ in range(21)]
    assert checks == [200] * 20 + [429]
    assert client.post(f"{axis}ask/{mark}/", typed | {"do": "give"}).status_code == 302


@pytest.mark.django_db
def test_a_wrong_password_is_told_once(people: People) -> None:
    page = Client().post("/login/", {"username": "anna", "password": "x"}).content.decode()
    assert page.count("Please enter a correct") == 1


@pytest.mark.django_db
def test_what_is_wrong_is_told_in_few_words(begin: Begin, people: People) -> None:
    client, axis = _game(begin, people)
    address = f"{axis}ask/{_mark(client, axis)}/"
    page = client.post(address, {"view": "text", "do": "give", "text": "x" * 50_000})
    assert page.status_code == 422
    told = page.content.decode().partition('id="refused"')[2].partition("</div>")[0]
    assert "xxx" in told
    assert len(told) < 2000
    empty = client.post(address, {"view": "text", "do": "give", "text": "  "})
    assert empty.status_code == 422
    assert "nothing is written here yet" in empty.content.decode()


@pytest.mark.django_db
def test_notes_beside_a_purchase_are_not_taken_for_notes_on_a_hex(begin: Begin, people: People) -> None:
    game = begin("rzhavets")
    client, address = people.client(people.anna), f"/campaign/{game.pk}/axis/"
    drafts.keep_note(seat(game, people.anna, "axis"), "purchases", "first the <b>guns</b>")
    page = client.get(address + "notes").content.decode()
    assert "first the &lt;b&gt;guns&lt;/b&gt;" in page
    assert "<q>purchases</q>" in page
    assert "hex=purchases" not in page
    note = Note.objects.get()
    changed = {"about": "purchases", "text": "then the tanks"}
    assert client.post(f"{address}notes/{note.pk}", changed).status_code == 302
    note.refresh_from_db()
    assert (note.about, note.text) == ("purchases", "then the tanks")
    # Nobody begins such a note by hand: what is no hex and no unit is a slip.
    assert client.post(address + "notes", {"about": "setup", "text": "x"}).status_code == 422


@pytest.mark.django_db
def test_what_is_wrong_with_a_file_is_told_once(people: People) -> None:
    file = SimpleUploadedFile("card.zip", b"no archive")
    page = people.client(people.anna).post("/new", {"files": file})
    assert page.status_code == 422
    told = page.content.decode()
    assert told.count('class="refused"') == 1
    words = told.partition('class="refused"')[2].partition("</div>")[0]
    assert words.count("card.zip") == 1


@pytest.mark.browser
def test_a_double_click_gives_one_answer_and_shows_what_came_of_it(
    begin: Begin, people: People, desk: Callable[..., Desk]
) -> None:
    """The second click was answered with "this is no longer asked", as if all was in vain."""
    game = begin("rzhavets")
    take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], 1)
    bert = desk(people.bert)
    bert.go(f"/campaign/{game.pk}/allied/")
    bert.page.get_by_role("link", name="Answer", exact=True).first.click()
    bert.page.get_by_role("button", name="Submit this answer").dblclick()
    bert.page.wait_for_url(f"**/campaign/{game.pk}/allied/**?since=*")
    assert bert.page.locator("#news").is_visible()


@pytest.mark.django_db
def test_numbers_of_notes_do_not_tell_how_many_the_other_side_wrote(begin: Begin, people: People) -> None:
    game = begin("rzhavets")
    anna, bert = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    written: list[int] = []
    for one in (bert, anna, bert, anna):
        client = people.client(one.user)
        address = f"/campaign/{game.pk}/{one.name}/notes"
        assert client.post(address, {"about": "", "text": "words"}).status_code == 302
        drafts.keep_note(one, f"beside-{'x' * len(written)}", "more words")
        mine = set(Note.objects.filter(seat=one.name).values_list("pk", flat=True))
        written += sorted(mine - set(written))
    assert len(set(written)) == 8
    gaps = [abs(b - a) for a, b in pairwise(written)]
    assert min(gaps) > 100


@pytest.mark.django_db
def test_from_what_is_refused_there_is_a_way_back_to_the_table(begin: Begin, people: People) -> None:
    client, axis = _game(begin, people)
    assert client.post(f"{axis}changing/draw/").status_code == 302
    again = client.post(f"{axis}changing/draw/")
    assert again.status_code == 409
    assert f'href="{axis}"' in again.content.decode()
    # To somebody who has no seat there, nothing is said of a table.
    outside = people.client(people.dora).post(f"{axis}changing/draw/")
    assert outside.status_code == 404
    assert axis not in outside.content.decode()
