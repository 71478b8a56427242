"""The table's page, from every seat."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.web.conftest import add_spectator, untokened

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Begin, Desk, People

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva", "vistula")


@pytest.mark.parametrize("card", CARDS)
def test_every_seat_has_its_table(card: str, people: People, begin: Begin) -> None:
    game = begin(card)
    add_spectator(game, people.dora)
    for user, name in zip(
        (people.anna, people.bert, people.cleo, people.dora),
        ("axis", "allied", "umpire", "spectator"),
        strict=True,
    ):
        answer = people.client(user).get(f"/campaign/{game.pk}/{name}/")
        assert answer.status_code == 200
        assert game.title in answer.content.decode()


def test_who_has_no_seat_cannot_tell_whether_there_is_a_campaign(
    people: People, begin: Begin
) -> None:
    game = begin()
    client = people.client(people.dora)
    there = client.get(f"/campaign/{game.pk}/axis/")
    nowhere = client.get(f"/campaign/{uuid4()}/axis/")
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert untokened(there.content) == untokened(nowhere.content)
    assert people.client(people.bert).get(f"/campaign/{game.pk}/axis/").status_code == 404
    assert people.client(None).get(f"/campaign/{game.pk}/axis/").status_code == 302


@pytest.mark.browser
def test_the_table_opens_in_a_browser(
    people: People, begin: Begin, desk: Callable[..., Desk]
) -> None:
    game = begin()
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/")
    assert anna.page.locator("h1").inner_text() == game.title
