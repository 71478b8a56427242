"""A side opens an earlier answer again: asked, agreed to, filled in, and what followed given again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns.tables import look
from laager.web.models import Member
from tests.web.conftest import seat, take_defaults

if TYPE_CHECKING:
    from django.test import Client

    from laager.web.models import Game
    from tests.web.conftest import Begin, People

WHY = "we forgot the lost squad"


@pytest.fixture
def game(people: People, begin: Begin) -> Game:
    """Both have reported the first battle, and some steps have followed."""
    made = begin()
    both = [seat(made, people.anna, "axis"), seat(made, people.bert, "allied")]
    assert take_defaults(both, until="promotions")
    return made


def page_of(client: Client, game: Game, path: str) -> str:
    response = client.get(f"/campaign/{game.pk}/{path}")
    assert response.status_code == 200
    return response.content.decode()


def send(client: Client, game: Game, path: str, **data: str) -> int:
    return client.post(f"/campaign/{game.pk}/{path}/", data).status_code


def mine(game: Game, side: str) -> Member:
    return Member.objects.get(game=game, side=side)


def test_before_the_first_report_there_is_none_to_open(begin: Begin, anna: Client) -> None:
    assert "I forgot something in my battle report" not in page_of(anna, begin(), "axis/log")


def test_a_forgotten_loss_is_put_right_a_few_steps_later(
    game: Game, anna: Client, bert: Client, people: People
) -> None:
    axis = seat(game, people.anna, "axis")
    with look(axis) as table:
        asked_before = [asked.pending.key for asked in table.asked]
        rolls = [seen.entry.body for seen in table.view.log if seen.entry.type == "roll"]
    assert "I forgot something in my battle report" in page_of(anna, game, "axis/log")
    form = page_of(anna, game, "axis/changing/reopening/")
    number = form.split('<option value="')[1].split('"')[0]
    assert "Open this answer again" in page_of(anna, game, f"axis/log/{number}")
    assert send(anna, game, "axis/changing/reopen", entry=number, why=WHY) == 302
    assert WHY in page_of(bert, game, "allied/")
    assert "an answer of" in page_of(bert, game, "allied/")
    assert send(bert, game, "allied/changing/consent-ruling", agree="yes") == 302
    with look(axis) as table:
        (asked,) = table.asked
        value = asked.pending.former
        mark = asked.mark
    assert asked.pending.key == "battle-report"
    # The page of the report begins with the old one.
    page = page_of(anna, game, f"axis/report/{mark}/")
    assert json.dumps(value["units"][0]["unit"]) in page.replace("&quot;", '"')
    laden = {row["with"] for row in value["units"]}
    lost = next(row for row in value["units"] if row["fate"] == "on-map" and row["unit"] not in laden)
    lost |= {"fate": "eliminated", "at": "", "marks": [], "with": ""}
    response = anna.post(f"/campaign/{game.pk}/axis/report/{mark}/", {"value": json.dumps(value)})
    assert response.status_code == 302, response.content.decode()[:2000]
    assert "can be answered as before" in page_of(anna, game, "axis/")
    assert send(anna, game, "axis/changing/as-before", onward="yes") == 302
    with look(axis) as table:
        assert [asked.pending.key for asked in table.asked] == asked_before
        assert not table.view.state.units[lost["unit"]].in_play
        counted = [seen.entry.body for seen in table.view.log if seen.entry.type == "roll" and seen.counts]
        numbers = {(body["stream"], body["number"]) for body in rolls}
        assert {(body["stream"], body["number"]) for body in counted} <= numbers
    assert f"“{WHY}”" in page_of(bert, game, "allied/log")


def test_nobody_opens_what_the_other_side_answered(game: Game, anna: Client, bert: Client, people: People) -> None:
    with look(seat(game, people.bert, "allied")) as table:
        answers = (seen for seen in table.view.log if seen.entry.type == "answer" and seen.entry.to is None)
        number = next(seen.number for seen in answers if seen.entry.body["side"] == "axis")
    assert send(bert, game, "allied/changing/reopen", entry=str(number), why=WHY) == 403
    assert f'value="{number}"' not in page_of(bert, game, "allied/changing/reopening/")
    assert "Open this answer again" not in page_of(bert, game, f"allied/log/{number}")
    assert send(bert, game, "allied/changing/reopen", entry="x", why=WHY) == 422
    assert send(anna, game, "axis/changing/as-before") == 409
