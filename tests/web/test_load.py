"""A small load: people play by the API while workers and databases die under them."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from bench.hall import Hall, Plan
from bench.load import run
from django.db import connection

from laager.campaign.audit import audit
from laager.web.campaigns import tables
from laager.web.shared import tokens
from tests.web import postgres
from tests.web.conftest import seat, take_defaults
from tests.web.serving import PATIENCE, server_of_tests, serving_tests_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People
    from tests.web.serving import Served


@pytest.fixture
def database(django_db_setup: None) -> Iterator[str]:
    """The address of a new database; "" for SQLite in a folder of its own."""
    if connection.vendor == "sqlite":
        yield ""
        return
    name = f"laager_load_{os.getpid()}"
    with psycopg.connect(f"{server_of_tests()}/postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        yield f"{server_of_tests()}/{name}"
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.mark.once  # It takes half a minute; that PostgreSQL keeps what it confirms is tested call by call.
def test_no_answer_is_lost_or_doubled_whatever_dies(database: str) -> None:
    plan = Plan(players=10, answers=3, seconds=PATIENCE, database=connection.vendor, trouble=True, forked=True)
    # The browser of other tests has an event loop in this thread.
    with ThreadPoolExecutor(max_workers=1) as thread:
        outcome = thread.submit(run, plan, database).result()
    assert outcome.faults == []
    assert outcome.killed
    assert outcome.answers >= 30


@pytest.mark.soak  # Seven servers are started; what a killed one leaves is in every run (below).
@pytest.mark.skipif(postgres.programs() is None, reason="PostgreSQL isn't here")
def test_a_killed_server_and_a_rolling_restart_lose_no_answer() -> None:
    """Two servers, as behind a proxy: one is killed with all its processes, then they are restarted in turn."""
    plan = Plan(
        players=8, answers=4, seconds=PATIENCE, think=0.1, workers=1, servers=2, database="postgresql", trouble=True
    )
    halls: list[Hall] = []

    @contextmanager
    def keep(hall: Hall, _seats: list[dict[str, str]]) -> Iterator[None]:
        halls.append(hall)
        yield

    with ThreadPoolExecutor(max_workers=1) as thread:
        outcome = thread.submit(run, plan, "", keep).result()
    assert outcome.faults == []
    (hall,) = halls
    assert hall.killed == 1
    assert outcome.answers >= 32
    # All have taken answers: before, between and after the restarts.
    answered = [hall.number_of_answers(server) for server in (*hall.ended, *hall.servers)]
    assert len(answered) == 5
    assert all(answered), answered


@pytest.mark.django_db(transaction=True)
def test_news_reach_pages_at_another_server_and_outlast_the_first(people: People, begin: Begin, tmp_path: Path) -> None:
    game = begin()
    both = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    cookies = {"sessionid": people.client(people.bert).cookies["sessionid"].value}
    with (
        serving_tests_database(tmp_path / "one") as one,
        serving_tests_database(tmp_path / "two") as two,
        httpx.stream("GET", f"{two.url}/campaign/{game.pk}/allied/events", cookies=cookies, timeout=PATIENCE) as page,
    ):
        news = (part for part in page.iter_text() if "event: tag" in part)
        before = next(news)
        answered = [_answer_first(one, both)]
        one.end(signal.SIGKILL)
        # If the other server heard nothing, this would wait until the stream's life is over.
        assert next(news) != before
        # What the killed server confirmed is there, and the campaign goes on at the other one.
        answered.append(_answer_first(two, both))
    tables.SHELF.clear()
    with tables.look(seat(game, people.cleo, "umpire")) as table:
        assert audit(table.campaign).sound
        answers = [entry for entry in table.campaign.history.counted if entry.type == "answer"]
        assert [entry.body["side"] for entry in answers] == answered


def _answer_first(served: Served, seats: tuple[Seat, ...]) -> str:
    """Answer the first question at a server with its proposal; return the name of the seat that was asked."""
    for one in seats:
        headers = {"Authorization": f"Bearer {tokens.make(one.user, 'test')}"}
        address = f"{served.url}/api/v1/campaigns/{one.game.pk}/{one.name}"
        with httpx.Client(headers=headers, timeout=PATIENCE) as client:
            for asked in client.get(address).json()["asked"]:
                answer = {"answer": asked["default"]}
                client.post(f"{address}/asked/{asked['mark']}/answer", json=answer).raise_for_status()
                return one.name
    raise AssertionError("nobody is asked")


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_news_keeps_nobody_waiting(people: People, begin: Begin, tmp_path: Path) -> None:
    """A server that works on one request at a time answers others while some wait for news."""
    game = begin()
    both = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
    take_defaults(list(both), until="purchases")
    keys = {one.name: tokens.make(one.user, "test") for one in both}
    got: list[dict[str, Any]] = []
    with serving_tests_database(tmp_path / "data", LAAGER_AT_ONCE="1") as served:

        def ask(name: str, path: str = "", sent: Any = None) -> Any:
            address = f"{served.url}/api/v1/campaigns/{game.pk}/{name}{path}"
            method = "GET" if sent is None else "POST"
            headers = {"Authorization": f"Bearer {keys[name]}"}
            answer = httpx.request(method, address, json=sent, headers=headers, timeout=PATIENCE)
            assert answer.status_code == 200, answer.text
            return answer.json()

        def wait(name: str, tag: str) -> None:
            got.append(ask(name, f"/wait?tag={tag}&seconds=50"))

        status = ask("axis")
        waiting = [threading.Thread(target=wait, args=("axis", status["tag"])) for _ in range(3)]
        for one in waiting:
            one.start()
        asked = status["asked"][0]
        ask("axis", f"/asked/{asked['mark']}/answer", {"answer": asked["default"]})
        for one in waiting:
            one.join()
    # Had they kept the only place, they would have come back when their time was over.
    assert len(got) == 3
    assert all(one["changed"] for one in got)
