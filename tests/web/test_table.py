"""The table's page, from every seat."""

from __future__ import annotations

import re
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from laager.campaign.forms import YesNo
from laager.campaign.questions import Question
from laager.web.campaigns import actions, progress
from laager.web.campaigns.tables import look
from laager.web.models import Member, Role
from tests.web.conftest import add_spectator, seat, take_defaults, untokened
from tests.web.fielded import fielded

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.conftest import Begin, Desk, People

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva", "vistula")


@pytest.mark.parametrize("card", CARDS)
def test_every_seat_has_its_table(card: str, people: People, begin: Begin) -> None:
    game = begin(card)
    add_spectator(game, people.dora)
    for user, name in zip(
        (people.anna, people.bert, people.cleo, people.dora), ("axis", "allied", "umpire", "spectator"), strict=True
    ):
        answer = people.client(user).get(f"/campaign/{game.pk}/{name}/")
        assert answer.status_code == 200
        assert game.title in answer.content.decode()


def test_who_has_no_seat_cannot_tell_whether_there_is_a_campaign(people: People, begin: Begin) -> None:
    game = begin()
    client = people.client(people.dora)
    there = client.get(f"/campaign/{game.pk}/axis/")
    nowhere = client.get(f"/campaign/{uuid4()}/axis/")
    assert (there.status_code, nowhere.status_code) == (404, 404)
    assert untokened(there.content) == untokened(nowhere.content)
    assert people.client(people.bert).get(f"/campaign/{game.pk}/axis/").status_code == 404
    assert people.client(None).get(f"/campaign/{game.pk}/axis/").status_code == 302


def test_the_table_says_where_we_are_and_what_must_be_done(people: People, begin: Begin) -> None:
    game = begin()
    people.anna.time_zone = "Europe/Berlin"
    people.anna.save()
    page = people.client(people.anna).get(f"/campaign/{game.pk}/axis/").content.decode()
    assert "Your answer is needed" in page
    assert "Initial Firefight" in page
    assert re.search(r'aria-current="step">\s*The campaign begins', page)
    assert "Europe/Berlin" in page
    take_defaults([seat(game, people.anna, "axis")], until="purchases")
    waits = people.client(people.anna).get(f"/campaign/{game.pk}/axis/").content.decode()
    assert "You have nothing to do" in waits
    assert "Waiting for Soviets" in waits
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    take_defaults(both, until="purchases")
    page = people.client(people.bert).get(f"/campaign/{game.pk}/allied/").content.decode()
    assert re.search(r'aria-current="step">\s*Purchases', page)
    assert "PL 1.34" in page  # a reminder of the moment


def test_who_plays_alone_needs_no_clocks(people: People, begin: Begin) -> None:
    game = begin()
    anna = people.client(people.anna)
    assert "data-clock" in anna.get(f"/campaign/{game.pk}/axis/").content.decode()
    Member.objects.filter(game=game, side="allied").update(user=people.anna)
    assert "data-clock" not in anna.get(f"/campaign/{game.pk}/axis/").content.decode()
    assert "data-clock" in people.client(people.cleo).get(f"/campaign/{game.pk}/umpire/").content.decode()


def test_what_the_other_side_is_doing_is_said_and_its_secret_answer_changes_nothing(
    people: People, begin: Begin
) -> None:
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults([axis, allied], until="purchases")
    take_defaults([allied])
    client, address = people.client(people.bert), f"/campaign/{game.pk}/allied/"

    def seen() -> str:
        """Return the page without the clocks of the readers."""
        return re.sub(r"T[0-9:.+]+\"", "", untokened(client.get(address).content))

    page = seen()
    waiting = page.partition('class="waiting"')[2].partition("</section>")[0]
    assert re.search(r"Waiting for Germans\s*</span>\s*Purchases", waiting)
    assert 'data-owed="0"' in page
    # The Germans buy in secret, and it is their turn still.
    take_defaults([axis], 1)
    with look(axis) as table:
        assert table.asked
    assert seen() == page


def test_mates_are_told_that_their_side_is_asked(people: People, begin: Begin) -> None:
    game = begin()
    Member.objects.create(game=game, user=people.dora, role=Role.MATE, side="axis")
    page = people.client(people.dora).get(f"/campaign/{game.pk}/axis/").content.decode()
    assert "Your side is asked" in page
    assert "Prepare the answer" in page


@pytest.mark.parametrize("since", ["0", "3", "99999", "x", "-1", "9" * 30])
def test_news_since_any_number(since: str, people: People, begin: Begin) -> None:
    game = begin()
    page = people.client(people.anna).get(f"/campaign/{game.pk}/axis/", {"since": since})
    assert page.status_code == 200


@pytest.mark.browser
def test_the_table_opens_in_a_browser(people: People, begin: Begin, desk: Callable[..., Desk]) -> None:
    game = begin()
    anna = desk(people.anna)
    anna.go(f"/campaign/{game.pk}/axis/")
    assert anna.page.locator("h1").inner_text() == game.title


@pytest.mark.parametrize("card", ["rijnoord", "rzhavets"])
def test_what_was_bought_is_one_table(card: str, people: People) -> None:
    game = fielded(people, card, ("purchases",))
    client, mine = people.client(people.anna), seat(game, people.anna, "axis")
    with look(mine) as table:
        before = len(table.view.log)
        question = next(one for one in table.asked if one.pending.key == "purchases")
        wanted = question.need_question()
        value = next(v for i in range(50) if (v := wanted.sample(Random(i))).get("groups"))
    actions.answer(mine, question.mark, value)
    with look(mine) as table:
        items = progress.news_since(table, before, 12)
    (one,) = (item for item in items if item.sheet)
    assert one.sheet is not None
    assert len(one.sheet.rows) >= 1
    assert all(any(row[i] for row in one.sheet.rows) for i in range(len(one.sheet.columns)))
    page = client.get(f"/campaign/{game.pk}/axis/?since={before}").content.decode()
    assert "RG Purchase Record" in page
    assert re.search(r"How it came about: (one|\d+) lines? of the log", page)
    # The enemy sees nothing of it.
    theirs = people.client(people.bert).get(f"/campaign/{game.pk}/allied/?since=1").content.decode()
    assert "RG Purchase Record: German" not in theirs


def test_a_step_under_which_nothing_is_told_has_no_heading() -> None:
    kinds = ("step", "step", "fact", "step", "step")
    lines = [SimpleNamespace(text="x", entry=SimpleNamespace(type=kind)) for kind in kinds]
    table: Any = SimpleNamespace(log=lines)
    assert [item.told for item in progress.news_since(table, None, 9)] == [lines[1], lines[2], lines[4]]


def test_a_setup_and_a_report_are_answered_on_the_map(people: People, begin: Begin) -> None:
    game = begin()
    both = [seat(game, people.anna, "axis"), seat(game, people.bert, "allied")]
    for key, page in (("purchases", "ask"), ("setup", "setup"), ("battle-report", "report")):
        assert take_defaults(both, until=key)
        tables = [look(one) for one in both]
        waiting: dict[str, str] = {}
        for one in tables:
            with one as table:
                waiting |= {item.asked.pending.key: item.page for item in progress.todo(table)}
        assert waiting[key] == page


@pytest.mark.parametrize(("warning", "at_a_click"), [("", True), ("You give up for good", False)])
def test_a_yes_or_no_is_answered_at_a_click_unless_it_gives_something_up(warning: str, at_a_click: bool) -> None:
    question = Question("sure", "axis", "Give up?", YesNo(), default=True, irrevocable=lambda _: warning)
    asked: Any = SimpleNamespace(pending=SimpleNamespace(question=question))
    assert progress.Todo(asked, None).at_a_click is at_a_click
    assert not progress.Todo(asked, None, "report").at_a_click
