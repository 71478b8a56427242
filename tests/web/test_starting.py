"""A new campaign from a card, in the browser's forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from laager.web.models import Game, Member
from laager.web.services import starting

if TYPE_CHECKING:
    from tests.web.conftest import People


def test_every_shipped_card_is_offered_and_its_check_shown(people: People) -> None:
    client = people.client(people.anna)
    listed = client.get("/new").content.decode()
    for one in starting.shipped():
        assert f'href="/new/{one.id}"' in listed
        page = client.get(f"/new/{one.id}")
        assert page.status_code == 200
        for warning in starting.checked(one):
            assert warning[:20].split("'")[0] in page.content.decode()


@pytest.mark.parametrize(
    ("seat", "sides"), [("both", {"axis", "allied"}), ("axis", {"axis"}), ("umpire", {""})]
)
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
    name = next(iter(starting.offer("rzhavets").readings))
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
