"""A setup on the map: the other view of the draft that the list edits, checked by the rules as it goes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from laager.web.campaigns import tables
from laager.web.campaigns.tables import Asked
from laager.web.models import Draft, Game
from laager.web.play.asking import checks
from tests.web.conftest import Desk, People, add_spectator, seat
from tests.web.fielded import fielded

if TYPE_CHECKING:
    from playwright.sync_api import Page

SETUP = ("setup",)


@pytest.fixture
def game(people: People) -> Game:
    return fielded(people, "rijnoord", SETUP)


def player(people: People, side: str) -> Any:
    return people.anna if side == "axis" else people.bert


def asked(game: Game, people: People) -> tuple[str, Asked]:
    """Return the side that sets up now, and its question."""
    for side in ("axis", "allied"):
        with tables.look(seat(game, player(people, side), side)) as table:
            for one in table.asked:
                if one.pending.key == "setup" and one.pending.side == side:
                    return side, one
    raise AssertionError("nobody sets up")


def url(game: Game, side: str, mark: str, rest: str = "") -> str:
    return f"/campaign/{game.pk}/{side}/setup/{mark}/{rest}"


def board_of(answer: Any) -> dict[str, Any]:
    found = re.search(r'<script id="setup-board" type="application/json">(.*?)</script>', answer.content.decode())
    assert found is not None
    made: dict[str, Any] = json.loads(found[1])
    return made


# Who may ------------------------------------------------------------------------------------------


def test_the_draft_and_what_the_rules_say_of_it_are_for_the_side_alone(game: Game, people: People) -> None:
    side, one = asked(game, people)
    enemy = "allied" if side == "axis" else "axis"
    value = json.dumps(one.need_question().default)
    add_spectator(game, people.dora)
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        umpires = table.asked[0].mark
    for user, name, mark, status in (
        (player(people, enemy), enemy, one.mark, 409),
        (people.cleo, "umpire", umpires, 403),
        (people.dora, "spectator", one.mark, 403),
        (people.dora, side, one.mark, 404),
    ):
        client = people.client(user)
        for answer in (
            client.get(url(game, name, mark)),
            client.post(url(game, name, mark), {"value": value}),
            client.post(url(game, name, mark, "check"), {"value": value}),
        ):
            assert answer.status_code == status, (name, answer.request["PATH_INFO"])
            assert not re.search(r"\b(AX|AL)\d", answer.content.decode())
    assert not Draft.objects.exists()


# The draft ----------------------------------------------------------------------------------------


def test_what_is_changed_is_checked_by_the_rules_and_is_one_draft_with_the_list(game: Game, people: People) -> None:
    side, one = asked(game, people)
    client = people.client(player(people, side))
    board = board_of(client.get(url(game, side, one.mark)))
    assert board["problems"] == []
    value = board["value"]
    lead = next(row for row in value["units"] if row["at"])
    where, number = lead["at"], value["units"].index(lead) + 1
    lead["at"] = "ZZ9"
    told = client.post(url(game, side, one.mark, "check"), {"value": json.dumps(value)}).json()
    assert any(found["field"] == f"units[{number}].at" for found in told["problems"])
    assert "ZZ9" in client.get(f"/campaign/{game.pk}/{side}/ask/{one.mark}/").content.decode()
    again = board_of(client.get(url(game, side, one.mark)))
    assert again["value"] == value
    assert again["problems"] == told["problems"]
    # The list keeps what was typed, and goes on to the map.
    lead["at"] = where
    typed = {"view": "text", "text": json.dumps(value), "do": "map"}
    assert client.post(f"/campaign/{game.pk}/{side}/ask/{one.mark}/", typed)["Location"] == url(game, side, one.mark)
    assert board_of(client.get(url(game, side, one.mark)))["value"] == value
    refused = client.post(url(game, side, one.mark), {"value": json.dumps({"units": 3}), "do": "give"})
    assert refused.status_code == 422
    given = client.post(url(game, side, one.mark), {"value": json.dumps(value), "do": "give"})
    assert "since=" in given["Location"]
    assert not Draft.objects.exists()


@pytest.mark.parametrize("card", ["rijnoord", "training"])
def test_the_rules_allow_the_hexes_that_are_lit_and_no_others(people: People, card: str) -> None:
    question = asked(fielded(people, card, SETUP), people)[1].need_question()
    assert question.placing is not None
    allowed = question.placing.allowed()
    lit = frozenset().union(*allowed.values())
    tried = 0
    for number, row in enumerate(question.default["units"], 1):
        if row["with"] or not row["at"] or not allowed[row["unit"]]:
            continue
        own = allowed[row["unit"]]
        for name, right in ((max(own), True), (min(own), True), (min(lit - set(own), default="A99"), False)):
            rows = [one | {"at": name} if one is row else one for one in question.default["units"]]
            told = checks.find_problems(question, question.default | {"units": rows})
            assert (f"units[{number}].at" not in {found.field for found in told}) is right, (row["unit"], name)
            tried += 1
    assert tried > 10


def test_a_check_costs_little_whatever_is_sent(game: Game, people: People) -> None:
    side, one = asked(game, people)
    client, address = people.client(player(people, side)), url(game, side, one.mark, "check")
    for text in ("", "[]", "{", '{"units": 7}', "[" * 20_000, '{"units": [' + "{}," * 99_999 + "{}]}"):
        answer = client.post(address, {"value": text})
        assert answer.status_code in {200, 422}
    assert client.post(address, {"value": json.dumps({"units": ["x" * 2**18]})}).status_code == 422
    assert not Draft.objects.filter(value__icontains="xx").exists()


# Browsers -----------------------------------------------------------------------------------------


def opened(one: Desk, address: str) -> Page:
    """Open the page of a setup and take everything off the map."""
    one.go(address)
    one.page.wait_for_selector(".map-stage.drawn")
    with one.page.expect_response("**/check"):
        one.page.get_by_role("button", name="Take all off the map").click()
    return one.page


def click_hex(page: Page, name: str) -> None:
    x, y = page.evaluate(
        "(name) => { const view = document.querySelector('[data-setup]').page.view; view.show(name);"
        " const [x, y] = view.middle(name), box = view.stage.getBoundingClientRect();"
        " return [x * view.scale + view.left + box.left, y * view.scale + view.top + box.top]; }",
        name,
    )
    page.mouse.click(x, y)


def draft(page: Page) -> dict[str, Any]:
    value: dict[str, Any] = page.evaluate("() => document.querySelector('[data-setup]').page.draft.value")
    return value


WELL = "() => document.querySelector('[data-verdict] .all-right')"
PICKED = "() => [...document.querySelectorAll('[data-tray] [aria-pressed=true]')].map((one) => one.dataset.piece)"


@pytest.mark.browser
def test_a_side_is_set_up_by_clicks_and_by_keyboard(people: People, desk: Callable[..., Desk]) -> None:
    game = fielded(people, "training", SETUP)
    side, one = asked(game, people)
    page = opened(desk(player(people, side)), url(game, side, one.mark))
    board = page.evaluate("() => document.querySelector('[data-setup]').page.board")
    count = len(board["units"]) + len(board["forts"])
    # Each click places a piece, and picks the next.
    page.locator(".unit-chip.unplaced").first.click()
    while page.locator("[data-bar]").is_visible() and count:
        (name,) = page.evaluate(PICKED)
        click_hex(page, board["grounds"][board["allowed"][name]][0])
        count -= 1
    page.wait_for_function(WELL)
    assert page.locator(".unit-chip.unplaced").count() == 0
    clicked = draft(page)
    # The same by keyboard: what is placed by then is taken back step by step, and comes again.
    page.get_by_role("button", name="Undo").press("Enter")
    assert page.locator(".unit-chip.unplaced").count() == 1
    page.keyboard.press("Control+y")
    assert draft(page) == clicked
    with page.expect_response("**/check"):
        page.get_by_role("button", name="Take all off the map").press("Enter")
    page.locator(".unit-chip.unplaced").first.press("Enter")
    for _ in range(2 * len(clicked["units"] + clicked["forts"])):
        if not page.locator("[data-bar]").is_visible():
            break
        page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('.unplaced')")
    # The hex under the cursor is spoken.
    page.locator("[data-stage]").press("ArrowDown")
    chosen = page.evaluate("() => document.querySelector('[data-setup]').page.view.chosen")
    assert chosen
    assert chosen in page.locator("[data-spoken]").inner_text()
    # What is illegal says why, is seen in the list too, and does not get lost with the page.
    page.locator(".unit-chip").first.click()
    page.locator("#piece-at").fill("A99")
    with page.expect_response("**/check"):
        page.locator("#piece-at").press("Enter")
    page.locator(".setup-panel [role=alert]", has_text="A99").wait_for()
    page.reload()
    page.wait_for_selector(".unit-chip.wrong")
    # Of problems it is spoken how many there are, with a way to them; none is read out.
    page.locator("[data-verdict] a").press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "problems"
    assert page.locator("[aria-live] .problem-list, [role=status] .problem-list").count() == 0
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="As a list").click()
    assert "A99" in page.locator("[name='a.units.0.at']").input_value()
