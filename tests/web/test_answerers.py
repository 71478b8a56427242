"""Who of a side answered is said where several people play it, to that side alone."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from laager.web.campaigns import actions, tables
from laager.web.models import Answerer, Game, Member, Role
from laager.web.shared import tokens
from tests.web.conftest import is_asked, seat, untokened

if TYPE_CHECKING:
    from laager.web.models import Player
    from tests.web.conftest import Begin, People


def answer_by_page(people: People, game: Game, user: Player, name: str = "axis") -> None:
    mine = seat(game, user, name)
    with tables.look(mine) as table:
        asked = table.asked[0]
    actions.answer(mine, asked.mark, asked.need_question().default)


def answer_by_api(people: People, game: Game, user: Player, name: str = "axis") -> None:
    with tables.look(seat(game, user, name)) as table:
        asked = table.asked[0]
    token = tokens.make(user, "tests")
    path = f"/api/v1/campaigns/{game.pk}/{name}/asked/{asked.mark}/answer"
    body = json.dumps({"answer": asked.need_question().default})
    sent = Client().post(path, body, "application/json", headers={"Authorization": f"Bearer {token}"})
    assert sent.status_code == 200, sent.content


def page(people: People, user: Player, game: Game, name: str, rest: str) -> str:
    shown = people.client(user).get(f"/campaign/{game.pk}/{name}/{rest}")
    assert shown.status_code == 200
    return untokened(shown.content)


@pytest.mark.parametrize("answer", [answer_by_page, answer_by_api])
def test_a_side_of_two_reads_who_answered(answer: object, people: People, begin: Begin) -> None:
    game = begin()
    Member.objects.create(game=game, user=people.dora, role=Role.PLAYER, side="axis")
    assert callable(answer)
    answer(people, game, people.dora)
    assert is_asked(seat(game, people.bert, "allied"))
    assert list(Answerer.objects.values_list("name", "side")) == [("dora", "axis")]
    for user in (people.anna, people.dora):
        assert "(dora)" in page(people, user, game, "axis", "log")
    number = Answerer.objects.get().entry
    with tables.look(seat(game, people.anna, "axis")) as table:
        own = next(seen.number for seen in table.view.log if seen.entry.number == number)
    assert "dora answered for your side." in page(people, people.anna, game, "axis", f"log/{own}")


def test_who_plays_a_side_alone_is_not_named(people: People, begin: Begin) -> None:
    game = begin()
    answer_by_page(people, game, people.anna)
    assert not Answerer.objects.exists()
    assert "(anna)</span>" not in page(people, people.anna, game, "axis", "log").split("</nav>")[-1]


def test_who_is_late_reads_who_was_faster(people: People, begin: Begin) -> None:
    game = begin()
    Member.objects.create(game=game, user=people.dora, role=Role.PLAYER, side="axis")
    with tables.look(seat(game, people.anna, "axis")) as table:
        mark = table.asked[0].mark
    answer_by_page(people, game, people.dora)
    late = people.client(people.anna).post(f"/campaign/{game.pk}/axis/ask/{mark}/", {"do": "give"})
    assert late.status_code == 409
    assert "dora was the last to answer for your side." in late.content.decode()


@pytest.mark.once
def test_others_see_nothing_of_who_answered(people: People, begin: Begin) -> None:
    """Two worlds differ only in who of the Germans answered: everybody else reads the same."""
    game = begin()
    Member.objects.create(game=game, user=people.dora, role=Role.PLAYER, side="axis")
    answer_by_page(people, game, people.dora)
    seats = ((people.bert, "allied"), (people.cleo, "umpire"))
    rests = ("", "log", "log/1", "log?kind=answers", "people/", "history")

    def read() -> list[str]:
        shown = (page(people, user, game, name, rest) for user, name in seats for rest in rests)
        # The time of day, and the signature of the feed's address.
        return [re.sub(r"<time data-clock.*?</time>|/feed/[^<]*", "", text) for text in shown]

    with_dora = read()
    assert not [shown for shown in with_dora if "(dora)" in shown or "dora answered" in shown]
    Answerer.objects.update(name="anna")
    assert read() == with_dora
