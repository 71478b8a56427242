"""Whom limits take for one visitor, and what is told about requests that no page is asked for."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import SuspiciousOperation, TooManyFilesSent
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory

from laager.base import RefusedError
from laager.web.seats.members import check_title
from laager.web.serving.middleware import bad_request
from laager.web.serving.workers import Worker
from laager.web.shared.request_slots import _address
from laager.web.shared.visitors import network_of

if TYPE_CHECKING:
    from tests.web.conftest import People

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_visitor_is_a_network(address: str, network: str) -> None:
    assert network_of(address) == network
    assert _address({"client": (address, 1)}) == network


@pytest.mark.parametrize("title", ["", "  ", "two\nlines", "a\ttab", "a\u2028line", "bell\x07", "x" * 201])
def test_a_title_is_one_line(title: str) -> None:
    with pytest.raises(RefusedError, match="a title "):
        check_title(title)


def test_titles_of_all_languages_are_taken() -> None:
    for title in ("Nachtmarsch nach Rshawez", "Ржавец – ночью", "夜行軍", "an emoji 👩‍✈️"):
        assert check_title(f" {title}\n") == title


def test_a_program_is_told_in_its_shape_that_there_is_nothing(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/api/v1/nowhere", {"a": 1}, content_type="application/json")
    assert (answer.status_code, answer.json()["refused"]) == (404, "no-such")


def test_too_many_files_at_once_are_refused_in_words(people: People) -> None:
    files = [SimpleUploadedFile(f"{n}.yaml", b"x") for n in range(101)]
    answer = people.client(people.anna).post("/library/", {"files": files})
    assert answer.status_code == 422
    assert "these are more than 100 files" in answer.content.decode()
    assert "send some of them at a time" in answer.content.decode()
    told = bad_request(RequestFactory().post("/api/v1/vasl"), TooManyFilesSent())
    assert json.loads(told.content)["text"] == "these are more than 100 files; send some of them at a time"
    assert bad_request(RequestFactory().post("/library/"), SuspiciousOperation()).status_code == 400


def test_a_worker_that_still_starts_ends_at_once_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[Any] = []
    monkeypatch.setattr("laager.web.serving.workers.end_with_parent", ends.append)
    monkeypatch.setattr("laager.web.serving.workers.multiprocess.Process.target", lambda self, sockets: None)
    monkeypatch.setattr("laager.web.serving.workers.os._exit", ends.append)
    worker = Worker.__new__(Worker)
    worker._server = SimpleNamespace(started=False)  # type: ignore[assignment]
    worker.target([])
    ends[0]()
    assert ends[1:] == [1]
    # Once it has started it finishes what is under way.
    worker.server.started = True
    ends[0]()
    assert ends[1:] == [1]
