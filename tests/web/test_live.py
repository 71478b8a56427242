"""Open pages learn of what their seat can see, at once; of secrets not even that there are any."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import time
from contextlib import closing
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from django.test import Client

from laager.web.campaigns import actions, tables
from laager.web.models import Member, Player
from laager.web.play.table import news
from laager.web.seats import pending_mails, seating
from laager.web.seats.permissions import Seat
from laager.web.shared import events
from tests.web.conftest import PATIENT_BROWSER, add_spectator, seat, take_defaults
from tests.web.serving import PATIENCE, in_a_loop, serving_tests_database

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from uuid import UUID

    from laager.web.models import Game
    from tests.web.conftest import Begin, People

pytestmark = pytest.mark.django_db(transaction=True)

QUIET = 0.6
"""Seconds in which an event would have come; several looks at the database of the tests."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all that is done now and then be done often."""
    monkeypatch.setattr(events, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(events, "TRY_AGAIN", 0.1)
    monkeypatch.setattr(news, "PAUSE_S", 0.0)


class Page:
    """An open page: collects what it is sent."""

    def __init__(self, one: Seat) -> None:
        client = Client()
        client.force_login(one.user)
        self.session = client.session
        self.watch = news.Stream(one, self.session.session_key or "")
        self.sent: list[str] = []
        self.more = asyncio.Event()
        self.over = False

    async def read(self) -> None:
        async for part in self.watch.events():
            self.sent.append(part)
            self.more.set()
        self.over = True
        self.more.set()

    @property
    def tags(self) -> list[str]:
        """The marks that it was told."""
        lines = [line for part in self.sent for line in part.splitlines()]
        return [json.loads(line[5:])["tag"] for before, line in pairwise(lines) if before == "event: tag"]

    async def told(self, times: int) -> None:
        """Wait until it was told as many marks."""
        await self.until(lambda: len(self.tags) >= times)

    async def until(self, good: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not good():
                self.more.clear()
                await self.more.wait()


def _with_pages(seats: list[Seat], play: Callable[[list[Page]], Any]) -> list[Page]:
    """Open pages at seats, let something happen, and return them closed."""
    opened: list[Page] = []

    async def run() -> None:
        opened.extend([await events.in_thread(partial(Page, one)) for one in seats])
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(page.read()) for page in opened]
            for page in opened:
                await page.told(1)
            await play(opened)
            for task in tasks:
                task.cancel()

    in_a_loop(run)
    return opened


def _secretly(game: Game, people: People) -> tuple[Seat, Seat]:
    """Play until axis answers in secret; return both sides."""
    both = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults(list(both), 10, until="purchases")
    return both


def test_who_can_see_it_is_told_and_nobody_else(people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = _secretly(game, people)
    umpire = seat(game, people.cleo, "umpire")
    spectator = add_spectator(game, people.dora)

    async def play(pages: list[Page]) -> None:
        # The axis buys in secret: only it and the umpire can see anything new.
        await events.in_thread(lambda: take_defaults([axis], 1))
        await pages[0].until(lambda: len(pages[0].tags) == 2)
        await pages[2].until(lambda: len(pages[2].tags) == 2)
        await asyncio.sleep(QUIET)
        assert [len(page.tags) for page in pages] == [2, 1, 2, 1]
        # What both may see all are told.
        await events.in_thread(lambda: actions.propose_draw(allied))
        for page, told in zip(pages, (3, 2, 3, 2), strict=True):
            await page.told(told)

    pages = _with_pages([axis, allied, umpire, spectator], play)
    for page, one in zip(pages, (axis, allied, umpire, spectator), strict=True):
        with tables.look(one) as table:
            assert page.tags[-1] == table.tag
        assert len(set(page.tags)) == len(page.tags)


def test_who_has_a_page_open_is_at_the_table(people: People, begin: Begin) -> None:
    game = begin()
    axis = seat(game, people.anna, "axis")

    async def play(_: list[Page]) -> None:
        assert {(people.anna.pk, game.pk): 2} == pending_mails.OPEN

    _with_pages([axis, axis], play)
    assert not pending_mails.OPEN


def test_a_secret_answer_leaves_the_others_stream_as_if_nothing_had_been(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "HEARTBEAT_S", 0.2)
    game = begin()
    axis, allied = _secretly(game, people)
    beats: list[float] = []

    async def play(pages: list[Page]) -> None:
        clock = asyncio.get_running_loop().time
        begun = len(pages[0].sent)
        await events.in_thread(lambda: take_defaults([axis], 1))
        for wanted in range(1, 5):
            await pages[0].until(lambda: len(pages[0].sent) >= begun + wanted)  # noqa: B023
            beats.append(clock())

    (page,) = _with_pages([allied], play)
    assert set(page.sent[2:]) == {": \n\n"}
    assert len(page.tags) == 1


def test_a_page_that_comes_late_learns_where_things_are(people: People, begin: Begin) -> None:
    game = begin()
    axis = seat(game, people.anna, "axis")
    shown = people.client(people.anna).get(f"/campaign/{game.pk}/axis/tag").json()["tag"]
    assert shown in people.client(people.anna).get(f"/campaign/{game.pk}/axis/").content.decode()
    take_defaults([axis], 1)

    async def nothing(_: list[Page]) -> None:
        return

    (page,) = _with_pages([axis], nothing)
    assert page.tags[0] != shown


@pytest.mark.parametrize("how", ["left", "logged out", "closed"])
def test_who_may_look_no_more_is_told_nothing_more(how: str, people: People, begin: Begin) -> None:
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")

    async def play(pages: list[Page]) -> None:
        page = pages[0]

        def end() -> None:
            if how == "left":
                seating.leave_seat(allied)
            elif how == "logged out":
                page.session.delete()
            else:
                Player.objects.filter(pk=people.bert.pk).update(is_active=False)
            actions.propose_draw(axis)

        await events.in_thread(end)
        await page.until(lambda: page.over)

    (page,) = _with_pages([allied], play)
    assert page.sent[-1] == "event: gone\ndata: {}\n\n"
    assert len(page.tags) == 1


def test_a_page_that_is_closed_just_as_news_come_is_closed(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "LONGEST_STREAM_S", 2.0)
    game = begin()

    async def play(_: list[Page]) -> None:
        # It waits by now; no other task runs between the news and the end.
        await asyncio.sleep(QUIET)
        events.broker().wake([game.pk])

    (page,) = _with_pages([seat(game, people.anna, "axis")], play)
    assert not page.over, "it went on until its life was over"


def test_after_a_while_a_page_must_come_again(people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "LONGEST_STREAM_S", 0.3)
    monkeypatch.setattr(news, "HEARTBEAT_S", 0.1)
    axis = seat(begin(), people.anna, "axis")

    async def play(pages: list[Page]) -> None:
        await pages[0].until(lambda: pages[0].over)

    (page,) = _with_pages([axis], play)
    assert "gone" not in "".join(page.sent)


@pytest.fixture
def foreign(people: People) -> Callable[[str], None]:
    """Change SQLite's file as another process does, of which nobody here is told."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL tells by itself")

    def run(statement: str) -> None:
        with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=20)) as other:
            other.execute(statement)
            other.commit()

    return run


def test_what_another_process_writes_wakes_those_who_wait_for_it(
    begin: Begin, foreign: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [begin(title=str(number)) for number in range(2)]
    real, looks = events._heads, list[int]()

    def noted(file: sqlite3.Connection, wanted: list[UUID]) -> dict[UUID, str]:
        found = real(file, wanted)
        looks.append(len(wanted))
        return found

    async def until(true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not true():
                await asyncio.sleep(events.LOOK_EVERY)
        await asyncio.sleep(4 * events.LOOK_EVERY)

    monkeypatch.setattr(events, "_heads", noted)

    async def main() -> None:
        mine = events.broker()
        async with mine.subscribe(games[0].pk) as first, mine.subscribe(games[1].pk) as second:
            await until(lambda: 2 in looks)
            first.clear()
            second.clear()
            looked = len(looks)
            # While nobody writes, the campaigns themselves are not looked at.
            await asyncio.sleep(4 * events.LOOK_EVERY)
            assert len(looks) == looked
            await asyncio.to_thread(foreign, "UPDATE web_player SET first_name = 'Anna'")
            await until(lambda: len(looks) > looked)
            assert not first.is_set()
            # One write may count twice for SQLite, but the looks end with it.
            looked = len(looks)
            await asyncio.sleep(4 * events.LOOK_EVERY)
            assert len(looks) == looked
            await asyncio.to_thread(foreign, f"UPDATE web_game SET head = 'new' WHERE id = '{games[0].pk.hex}'")
            await asyncio.wait_for(first.wait(), PATIENCE)
            assert not second.is_set()

    in_a_loop(main)


def test_who_begins_to_wait_after_a_change_that_nobody_has_looked_at_is_woken(
    begin: Begin, foreign: Callable[[str], None]
) -> None:
    """The change may have come between the own look and the waiting."""
    games = [begin(title=str(number)) for number in range(3)]

    async def main() -> None:
        mine = events.broker()
        async with mine.subscribe(games[0].pk):
            await asyncio.sleep(4 * events.LOOK_EVERY)
            async with mine.subscribe(games[2].pk) as quiet:
                await asyncio.sleep(4 * events.LOOK_EVERY)
                assert not quiet.is_set()
            # Without a word to the loop: the listener doesn't run in between.
            foreign(f"UPDATE web_game SET head = 'new' WHERE id = '{games[1].pk.hex}'")
            async with mine.subscribe(games[1].pk) as wake:
                await asyncio.wait_for(wake.wait(), PATIENCE)

    in_a_loop(main)


def test_after_a_lost_connection_no_event_is_missed(people: People, begin: Begin) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connection that could break")
    game = begin()
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")

    def disconnect() -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND query LIKE 'LISTEN%%'"
            )
            assert cursor.fetchall() == [(True,)]
        actions.propose_draw(axis)

    async def play(pages: list[Page]) -> None:
        await events.in_thread(disconnect)
        await pages[0].until(lambda: len(pages[0].tags) == 2)

    _with_pages([allied], play)


def test_many_pages_of_a_worker_have_one_ear(people: People, begin: Begin) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("on SQLite nobody listens")
    game, other = begin(), begin("rijnoord")
    seats = [seat(one, people.anna, "axis") for one in (game, other, game)]

    def listeners() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%%'"
            )
            return int(cursor.fetchone()[0])

    counted: list[int] = []

    async def play(_: list[Page]) -> None:
        counted.append(await events.in_thread(listeners))

    _with_pages(seats, play)
    assert counted == [1]
    end = time.monotonic() + PATIENCE
    while listeners() and time.monotonic() < end:
        time.sleep(0.05)
    assert listeners() == 0


def test_there_is_an_end_to_open_pages(people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin()
    monkeypatch.setitem(news._open, people.anna.pk, news.MOST_PAGES)
    from django.test import AsyncClient

    async def ask(user: Player, name: str) -> Any:
        client = AsyncClient()
        await client.aforce_login(user)
        try:
            return await client.get(f"/campaign/{game.pk}/{name}/events")
        finally:
            # The thread that answered keeps its connection otherwise, as no server is there.
            await sync_to_async(connections.close_all)()

    refused = in_a_loop(partial(ask, people.anna, "axis"))
    assert refused.status_code == 429
    answer = in_a_loop(partial(ask, people.bert, "allied"))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert "no-store" in answer["Cache-Control"]


def test_a_server_that_cannot_keep_pages_informed_says_so(people: People, begin: Begin) -> None:
    game = begin()
    answer = people.client(people.anna).get(f"/campaign/{game.pk}/axis/events")
    assert answer.status_code == 204


@pytest.mark.parametrize("page", ["events", "tag"])
def test_strangers_learn_nothing(page: str, people: People, begin: Begin) -> None:
    game = begin()
    Member.objects.filter(user=people.cleo).delete()
    for user, code in ((people.cleo, 404), (people.dora, 404), (None, 302)):
        for name in ("axis", "allied", "umpire"):
            answer = people.client(user).get(f"/campaign/{game.pk}/{name}/{page}")
            assert answer.status_code == code
            assert "tag" not in answer.headers


def test_open_pages_do_not_hold_up_the_end_of_the_server(people: People, begin: Begin, tmp_path: Path) -> None:
    game = begin()
    cookies = {"sessionid": people.client(people.anna).cookies["sessionid"].value}
    with serving_tests_database(tmp_path / "data") as served:
        address = f"{served.url}/campaign/{game.pk}/axis/events"
        with httpx.stream("GET", address, cookies=cookies, timeout=PATIENCE) as stream:
            parts = stream.iter_text()
            while "event: tag" not in next(parts):
                pass
            assert served.end(signal.SIGTERM) in {0, -signal.SIGTERM}
            # The answer is whole: nothing was cut off.
            assert "".join(parts).strip(": \n") == ""
    assert [line for line in served.logs if line["level"] not in {"info"}] == []


PART = """address => {
  document.querySelector("#main").insertAdjacentHTML("beforeend",
    `<div data-live id="part" hx-get="${address}" hx-trigger="laager:changed from:body">
     <label>Typed <input id="typed" value=""></label></div>`);
  htmx.process(document.querySelector("#part"));
}"""
"""A part of a page that renews itself, with something to type in."""


@pytest.mark.browser
def test_an_open_page_shows_news_and_keeps_what_is_being_typed(
    people: People, begin: Begin, chromium: Any, tmp_path: Path
) -> None:
    game = begin()
    client = people.client(people.bert)
    axis, allied = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    with serving_tests_database(tmp_path / "data") as served:
        context = chromium.new_context()
        context.set_default_timeout(PATIENT_BROWSER)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": served.url}])
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda err: faults.append(str(err)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(f"{served.url}/campaign/{game.pk}/allied/people/")
        told = page.locator("#live")
        # A page without parts that renew themselves says that there is news.
        actions.propose_draw(axis)
        told.get_by_text("There is news.").wait_for()
        with page.expect_navigation():
            told.get_by_role("button").click()
        told.get_by_text("There is news.").wait_for(state="detached")
        # What is being typed in a part stays, until it is asked for.
        page.evaluate(PART, f"/campaign/{game.pk}/allied/tag")
        page.locator("#typed").fill("half a sentence")
        actions.answer_draw(allied, agree=False)
        told.get_by_text("What you are typing is safe").wait_for()
        assert page.locator("#typed").input_value() == "half a sentence"
        told.get_by_role("button").click()
        page.locator("#part").get_by_text('{"tag":').wait_for()
        # A part in which nothing is typed renews itself.
        shown = page.locator("#part").inner_text()
        actions.propose_draw(axis)
        page.wait_for_function("was => document.querySelector('#part').innerText !== was", arg=shown)
        assert told.inner_text() == ""
        served.end()
        told.get_by_text("The connection is lost").wait_for()
        context.close()
    # That the server is gone is an error to the browser, and meant.
    assert [one for one in faults if "ERR_" not in one] == []


def test_a_connection_is_looked_at_when_something_comes() -> None:
    async def run() -> None:
        one, other = socket.socketpair()
        with one, other:
            assert not await events._readable(one.fileno(), 0.05)
            other.send(b"x")
            assert await events._readable(one.fileno(), PATIENCE)
            assert not asyncio.get_running_loop().remove_reader(one.fileno())

    in_a_loop(run)
