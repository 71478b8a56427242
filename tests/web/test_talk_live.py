"""Open pages learn of what is said in the channels that they read, and of no other."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from laager.web.play.table import news
from laager.web.shared import events
from laager.web.talk import messages
from tests.web.conftest import PATIENT_BROWSER, add_spectator, seat
from tests.web.serving import serving_tests_database
from tests.web.test_live import QUIET, Page, _with_pages, quick  # noqa: F401

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.conftest import Begin, People

pytestmark = pytest.mark.django_db(transaction=True)


def told(page: Page) -> list[dict[str, Any]]:
    """Return the events that a page was sent."""
    lines = [line for part in page.sent for line in part.splitlines()]
    return [json.loads(line[5:]) for before, line in pairwise(lines) if before == "event: tag"]


def test_open_pages_are_told_of_their_own_channels_alone(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    spectator = add_spectator(game, people.dora)

    async def play(pages: list[Page]) -> None:
        own, other, watching = pages
        await events.in_thread(lambda: messages.write_message(axis, "side-axis", "secret"))
        await own.until(lambda: len(told(own)) == 2)
        await asyncio.sleep(QUIET)
        assert [len(told(page)) for page in pages] == [2, 1, 1]
        await events.in_thread(lambda: messages.write_message(axis, "table", "for all"))
        for page in (other, watching):
            await page.until(lambda: len(told(page)) == 2)  # noqa: B023

    own, other, _watching = _with_pages([axis, allied, spectator], play)
    assert [event["unread"] for event in told(other)] == [0, 1]
    assert told(own)[-1]["unread"] == 0
    # Only what is said has changed: nothing else on the page is news.
    assert len({event["tag"] for event in told(other)}) == 1


def test_what_a_side_says_leaves_the_others_stream_as_it_was(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "HEARTBEAT_S", 0.2)
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")

    async def play(pages: list[Page]) -> None:
        begun = len(pages[0].sent)
        for number in range(3):
            await events.in_thread(lambda: messages.write_message(axis, "umpire-axis", "secret"))
            await pages[0].until(lambda: len(pages[0].sent) > begun + number)  # noqa: B023

    (page,) = _with_pages([allied], play)
    assert set(page.sent[2:]) == {": \n\n"}


@pytest.mark.browser
def test_a_message_appears_on_an_open_page_while_one_types(
    people: People, begin: Begin, chromium: Any, tmp_path: Path
) -> None:
    game = begin()
    axis, client = seat(game, people.anna, "axis"), people.client(people.bert)
    with serving_tests_database(tmp_path / "data") as served:
        context = chromium.new_context()
        context.set_default_timeout(PATIENT_BROWSER)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": served.url}])
        page, other = context.new_page(), context.new_page()
        page.goto(f"{served.url}/campaign/{game.pk}/allied/talk")
        page.get_by_label("Message").fill("half a sentence")
        messages.write_message(axis, "table", "shall we?")
        page.get_by_text("shall we?").wait_for()
        assert page.get_by_label("Message").input_value() == "half a sentence"
        page.get_by_role("button", name="Send").click()
        page.locator("#talk-lines").get_by_text("half a sentence").wait_for()
        # Elsewhere the tab counts it, while the talk itself isn't open: what it shows has been read.
        page.close()
        other.goto(f"{served.url}/campaign/{game.pk}/allied/people/")
        other.bring_to_front()
        messages.write_message(axis, "table", "good")
        other.locator("[data-unread] .count").get_by_text("1").wait_for()
        context.close()
