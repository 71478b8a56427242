"""Clients that say nothing, too much, or never finish: others are served all the same."""

from __future__ import annotations

import asyncio
import http.client
import resource
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from bench.loading import inside
from uvicorn import Config
from uvicorn.server import ServerState

from laager.web.serving import header_limits
from tests.web.serving import PATIENCE, Served, environment, serving

pytestmark = pytest.mark.once

HEAD = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("slow") / "data") as found:
        yield found


def test_sqlite_keeps_its_write_ahead_log_between_requests(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as found:
        httpx.get(f"{found.url}/ready", timeout=PATIENCE)
        assert (tmp_path / "data" / "laager.sqlite3-wal").exists()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux sets limits of other processes")
def test_reading_goes_on_when_nothing_can_be_written(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as found:
        seats = inside(environment(data, ""), "begin", "1")

        def ask(seat: dict[str, str], path: str = "", sent: Any = None) -> httpx.Response:
            address = f"{found.url}/api/v1/campaigns/{seat['game']}/{seat['seat']}{path}"
            headers = {"Authorization": f"Bearer {seat['token']}"}
            return httpx.request("POST" if sent else "GET", address, json=sent, headers=headers, timeout=PATIENCE)

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
        # From this address enough is under way already.
        assert httpx.post(f"{served.url}/login/", data={"username": "x"}, timeout=PATIENCE).status_code == 429
    finally:
        for one in open_ones:
            one.close()
    end = time.monotonic() + PATIENCE
    while httpx.post(f"{served.url}/login/", data={"username": "x"}, timeout=PATIENCE).status_code == 429:
        assert time.monotonic() < end


def test_heads_that_never_end_are_counted_by_address(tmp_path: Path) -> None:
    """Whoever opens thousands of connections and says nothing leaves others enough of them."""
    with serving(tmp_path / "data", LAAGER_PROXIES="192.0.2.1") as found:
        host, port = found.url.removeprefix("http://").split(":")
        silent = [socket.create_connection((host, int(port)), PATIENCE) for _ in range(header_limits.UNFINISHED)]
        try:
            with connected(found, b"") as one_more:
                assert one_more.recv(100) == b""
            other = socket.create_connection((host, int(port)), PATIENCE, source_address=("127.0.0.2", 0))
            with other:
                other.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert answered(other) == 200
        finally:
            for one in silent:
                one.close()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(httpx.TransportError):
                assert httpx.get(f"{found.url}/health", timeout=PATIENCE).status_code == 200
                return
        pytest.fail("they were counted on after they had gone")


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


def test_idle_connections_outlive_those_of_proxies_unless_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn's own five seconds would break the requests of people who think for just as long."""

    async def let_go(beside: int, within: float) -> bool:
        config = Config(app=answer, http=header_limits.HeaderLimits, lifespan="off", log_config=None)
        config.load()
        state = ServerState()
        state.connections |= {object() for _ in range(beside)}  # type: ignore[misc]
        server = await asyncio.get_running_loop().create_server(
            lambda: header_limits.HeaderLimits(config, state, {}), "127.0.0.1", 0
        )
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readuntil(b"good")
            try:
                await asyncio.wait_for(reader.read(), within)
            except TimeoutError:
                return False
            finally:
                writer.close()
            return True

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"4")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"good"})

    monkeypatch.setattr(header_limits, "SECONDS_IDLE_OF_MANY", 0.1)
    assert header_limits.SECONDS_IDLE > 60
    with ThreadPoolExecutor(max_workers=1) as thread:
        assert not thread.submit(asyncio.run, let_go(0, within=1.0)).result()
        assert thread.submit(asyncio.run, let_go(header_limits.MANY, within=PATIENCE)).result()
