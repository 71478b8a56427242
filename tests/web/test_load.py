"""A small load: people play by the API while workers and databases die under them."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from bench.load import Plan, run
from django.db import connection

from laager.web.shared import tokens
from tests.web.conftest import seat, take_defaults
from tests.web.serving import PATIENCE, server_of_tests, serving_tests_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.conftest import Begin, People


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
    plan = Plan(players=10, answers=3, seconds=PATIENCE, database=connection.vendor, trouble=True)
    # The browser of other tests has an event loop in this thread.
    with ThreadPoolExecutor(max_workers=1) as thread:
        outcome = thread.submit(run, plan, database).result()
    assert outcome.faults == []
    assert outcome.killed
    assert outcome.answers == 30


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
