"""Several questions on one page: shown with their proposals, answered by one button, all or none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns.tables import look
from laager.web.models import Draft, EntryLine, Game
from laager.web.shared.forms import data as forms
from tests.web.conftest import seat
from tests.web.fielded import fielded
from tests.web.typing_in import ask_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from laager.web.campaigns.tables import Asked
    from tests.web.conftest import Desk, People

FIRST = ("ww-box", "rally", "encirclement", "declared-guns", "block-control", "nothing-to-decide")
"""What the first page after a scenario can ask."""


def asked(people: People, game: Game, side: str) -> tuple[Asked, ...]:
    user = people.anna if side == "axis" else people.bert
    with look(seat(game, user, side)) as table:
        return table.asked


def begun(people: People) -> tuple[Game, str]:
    game = fielded(people, "rijnoord", FIRST)
    return game, f"/campaign/{game.pk}/allied/answers/"


def entries(game: Game) -> int:
    return EntryLine.objects.filter(game=game).count()


def test_the_table_leads_to_one_page_for_all(people: People) -> None:
    game, address = begun(people)
    mine = asked(people, game, "allied")
    assert len(mine) > 1
    client = people.client(people.bert)
    page = client.get(f"/campaign/{game.pk}/allied/").content.decode()
    assert page.count("Answer all on one page") == 1
    shown = client.get(address).content.decode()
    assert shown.count('name="mark"') == len(mine)
    assert "Submit all answers" in shown
    # Each keeps its own page.
    assert all(one.mark in page for one in mine)


def test_one_button_answers_all(people: People) -> None:
    game, address = begun(people)
    mine, before = asked(people, game, "allied"), entries(game)
    client = people.client(people.bert)
    data = ask_form(client.get(address).content).data
    answer = client.post(address, {**data, "do": ["give"]})
    assert answer.status_code == 302
    assert not asked(people, game, "allied")
    assert entries(game) >= before + len(mine), "each answer is stored as its own"
    # What was given can't be given again.
    assert client.post(address, {**data, "do": ["give"]}).status_code == 409


def test_a_wrong_field_says_which_and_nothing_is_given(people: People) -> None:
    game, address = begun(people)
    before = entries(game)
    client = people.client(people.bert)
    data = ask_form(client.get(address).content).data
    box = next(one for one in asked(people, game, "allied") if one.pending.key == "ww-box")
    question = box.pending.question
    assert question is not None
    name = f"q{box.mark[:12]}"
    wrong = forms.data_of(question.form, [{"type": "6-4-8", "count": 99}], name)
    answer = client.post(address, {**data, **wrong, "do": ["give"]})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert re.search(rf'href="#{name}">Which British MMC', page)
    assert "from 1 to 60" in page
    assert entries(game) == before, "nothing is half given"
    # What was typed is kept, for the page of the question too.
    assert Draft.objects.get(game=game, asked=box.mark).value[0]["count"] == 99


def test_lines_are_added_to_the_question_whose_button_it_is(people: People) -> None:
    game, address = begun(people)
    client = people.client(people.bert)
    data = ask_form(client.get(address).content).data
    box = next(one for one in asked(people, game, "allied") if one.pending.key == "ww-box")
    answer = client.post(address, {**data, "do": [f"add:q{box.mark[:12]}"]})
    page = answer.content.decode()
    assert f'name="q{box.mark[:12]}.0.type"' in page
    assert len(asked(people, game, "allied")) > 1


def test_the_other_side_has_only_its_own(people: People) -> None:
    game, _ = begun(people)
    theirs = [one.mark for one in asked(people, game, "allied")]
    page = people.client(people.anna).get(f"/campaign/{game.pk}/axis/answers/").content.decode()
    assert not any(mark in page for mark in theirs)
    umpire = people.client(people.cleo).get(f"/campaign/{game.pk}/umpire/answers/")
    assert umpire.status_code == 302


@pytest.mark.browser
def test_in_a_browser(people: People, desk: Callable[..., Desk]) -> None:
    game, _ = begun(people)
    chair = desk(people.bert)
    chair.go(f"/campaign/{game.pk}/allied/")
    chair.page.get_by_role("link", name="Answer all on one page").click()
    chair.page.locator(".together").first.wait_for()
    chair.page.get_by_role("button", name="Add a line").first.click()
    row = chair.page.locator('.together [name$=".type"]').first
    row.wait_for()
    chair.page.get_by_role("button", name="Strike").first.click()
    chair.page.get_by_role("button", name="Submit all answers").click()
    chair.page.wait_for_url("**/allied/**?since=*")
    assert not asked(people, game, "allied")
