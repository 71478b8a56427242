"""A refit played with the keyboard alone: from the end of one battle to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns.tables import look
from tests.web.conftest import Begin, Desk, People, seat
from tests.web.test_asking import to_purchase

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOCUSED = "document.activeElement.matches('.primary') ? document.activeElement.innerText : ''"
MOST = 100
"""Presses of Tab from a question to the button that submits it: each line of a shop has buttons of its own."""

pytestmark = pytest.mark.browser


def go_on(page: Page) -> bool:
    """Tab to the button that goes on, and press it; False if the page has none."""
    for _ in range(MOST):
        if page.evaluate(FOCUSED):
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return True
        page.keyboard.press("Tab")
    return False


def play(page: Page, address: str) -> None:
    """Answer all that a side is asked as it is proposed; each question has the focus when it comes."""
    page.goto(address)
    while go_on(page):
        if any(f"/{kind}/" in page.url for kind in ("ask", "answers", "report", "setup")):
            assert page.evaluate("document.activeElement.matches('h2')"), page.url


@pytest.mark.soak
def test_a_whole_refit(people: People, begin: Begin, desk: Callable[..., Desk]) -> None:
    game = to_purchase(people, begin, "battle-report")
    desks = {"axis": desk(people.anna), "allied": desk(people.bert)}

    def number() -> int:
        with look(seat(game, people.anna, "axis")) as table:
            return int(table.view.state.number)

    before = number()
    for _ in range(40):
        for side, one in desks.items():
            play(one.page, f"{one.url}/campaign/{game.pk}/{side}/")
        if number() > before:
            return
    pytest.fail("the next battle doesn't come")
