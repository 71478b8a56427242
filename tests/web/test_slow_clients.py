"""Clients that say nothing, too much, or never finish: others are served all the same."""

from __future__ import annotations

import http.client
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench.loading import inside

from laager.web.serving import header_limits
from tests.web.serving import PATIENCE, Served, environment, serving

pytestmark = pytest.mark.once

HEAD = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("slow") / "data", forked=True) as found:
        yield found


def test_sqlite_keeps_its_write_ahead_log_between_requests(tmp_path: Path) -> None:
    with serving(tmp_path / "data", forked=True) as found:
        httpx.get(f"{found.url}/ready", timeout=PATIENCE)
        assert (tmp_path / "data" / "laager.sqlite3-wal").exists()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux sets limits of other processes")
def test_reading_goes_on_when_nothing_can_be_written(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data, forked=True) as found:
        seats = inside(environment(data, ""), "begin", "1")

        def ask(seat: dict[str, str], path: str = "", sent: Any = None) -> httpx.Response:
            address = f"{found.url}/api/v1/campaigns/{seat['game']}/{seat['seat']}{path}"
            headers = {"Authorization": f"Bearer {seat['token']}"}
            return httpx.request(
                "POST" if sent else "GET", address, json=sent, headers=headers, timeout=PATIENCE, verify=False
            )

        pid = found.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        asked = [(seat, one) for seat in seats for one in ask(seat).json()["asked"]]
        assert httpx.get(f"{found.url}/login/", timeout=PATIENCE).status_code == 200
        seat, one = asked[0]
        answer = f"/asked/{one['mark']}/answer", {"answer": one["default"]}
        refused = ask(seat, *answer)
        assert (refused.status_code, refused.json()["refused"]) == (503, "locked")
        assert ask(seat).json()["asked"][0]["mark"] == one["mark"]
        assert httpx.post(f"{found.url}/login/", data={"x": "y" * 100_000}, timeout=PATIENCE).status_code == 503
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        assert ask(seat, *answer).status_code == 200
        assert inside(environment(data, ""), "proof")["faults"] == []


def connected(served: Served, data: bytes) -> socket.socket:
    host, port = served.url.removeprefix("http://").split(":")
    one = socket.create_connection((host, int(port)), timeout=PATIENCE)
    one.sendall(data)
    return one


def test_a_hundred_unfinished_requests_stop_nobody(served: Served) -> None:
    open_ones = [connected(served, HEAD + b"csrf") for _ in range(100)]
    try:
        assert httpx.get(f"{served.url}/login/", timeout=PATIENCE).status_code == 200
    finally:
        for one in open_ones:
            one.close()


def test_an_endless_head_is_cut_off(served: Served) -> None:
    def talk(one: socket.socket) -> None:
        for _ in range(100_000):
            one.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")

    with connected(served, b"GET / HTTP/1.1\r\n") as one, pytest.raises(ConnectionError):
        talk(one)


@pytest.mark.soak
@pytest.mark.parametrize("data", [b"", b"GET / HTTP/1.1\r\nHost: local"])
def test_who_never_says_what_it_wants_is_let_go(data: bytes, served: Served) -> None:
    began = time.monotonic()
    with connected(served, data) as one:
        assert one.recv(100) == b""
    assert header_limits.SECONDS_FOR_HEAD - 1 < time.monotonic() - began < header_limits.SECONDS_FOR_HEAD + 5


def test_a_second_request_of_a_connection_is_waited_for_too(served: Served) -> None:
    whole = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connected(served, whole) as one:
        assert answered(one) == 200
        one.sendall(whole[:10])
        time.sleep(0.2)
        one.sendall(whole[10:])
        assert answered(one) == 200


def answered(one: socket.socket) -> int:
    """The status of the next answer, which may come in several pieces and is read to its end."""
    answer = http.client.HTTPResponse(one)
    answer.begin()
    answer.read()
    return answer.status
