"""Several workers: a connection goes to the worker that its campaign belongs to, and nothing of it is lost."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from laager.web.serving.handover import FOLDER, Handover, meeting, owner
from laager.web.shared import tokens
from tests.web.serving import PATIENCE, Served, in_a_loop, serving, serving_tests_database, until

if TYPE_CHECKING:
    from laager.web.models import Game
    from tests.web.conftest import Begin, People

pytestmark = pytest.mark.skipif(not hasattr(socket, "send_fds"), reason="this system hands no connections on")

MINE, OTHERS = (
    next(str(one) for one in map(uuid.UUID, (f"{i:032x}" for i in range(99))) if owner(str(one).encode(), 2) == at)
    for at in (0, 1)
)
"""Campaigns that belong to worker 0 and to worker 1."""


class Echo(asyncio.Protocol):
    """Says which worker has read what."""

    def __init__(self, name: str, there: dict[str, Handover], first: bytes = b"") -> None:
        self.name, self.there, self.first = name, there, first

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self.first:
            self.data_received(self.first)

    def data_received(self, data: bytes) -> None:
        if not self.there[self.name].hands_on(self.transport, data):
            self.transport.write(f"{self.name} {data.decode()}\n".encode())


@asynccontextmanager
async def workers(folder: Path, names: str = "ab", places: int = 2) -> AsyncIterator[tuple[dict[str, Handover], int]]:
    """Let workers meet; the first accepts connections at the port that is returned."""
    loop, there = asyncio.get_running_loop(), dict[str, Handover]()
    for name in names:
        there[name] = Handover(folder, places, loop, lambda first, name=name: Echo(name, there, first))  # type: ignore[misc]
        with suppress(OSError):
            there[name].join()
    server = await loop.create_server(lambda: Echo(names[0], there), "127.0.0.1", 0)
    try:
        yield there, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for one in there.values():
            one.close()


def test_folders_of_killed_servers_go_with_the_next_start_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    killed, serving_still, starting = (
        tmp_path / f"laager-workers-{name}" for name in ("killed", "serving", "starting")
    )
    for one in (killed, serving_still, starting, tmp_path / "else"):
        one.mkdir()
    for one in (killed, serving_still, tmp_path / "else"):
        (one / "server.lock").touch()
    (tmp_path / "else/server.lock").write_text("kept")
    trap = tmp_path / "laager-workers-trap"
    trap.symlink_to(tmp_path / "else")
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: -1)
        with meeting(2):
            assert killed.is_dir(), "somebody else's was taken"
    with FileLock(serving_still / "server.lock"):
        for _ in range(2):
            with meeting(2):
                mine = Path(os.environ[FOLDER])
                assert mine.parent == tmp_path
                # A server that starts beside this one leaves it alone.
                with meeting(2):
                    assert mine.is_dir()
                os.environ[FOLDER] = str(mine)
            assert not mine.exists()
    assert {one.name for one in tmp_path.iterdir()} == {serving_still.name, starting.name, trap.name, "else"}
    assert (tmp_path / "else/server.lock").read_text() == "kept"


@contextmanager
def asking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Iterator[object]:
    """Send lines on one connection, and return what comes back."""

    async def ask(text: str) -> str:
        writer.write(text.encode())
        return (await asyncio.wait_for(reader.readline(), 10)).decode().strip()

    try:
        yield ask
    finally:
        writer.close()


def asked(folder: Path, *texts: str, names: str = "ab", places: int = 2) -> list[str]:
    """Return what is said to each of some texts, sent one after the other on one connection."""

    async def run() -> list[str]:
        async with workers(folder, names, places) as (_, port):
            with asking(*await asyncio.open_connection("127.0.0.1", port)) as ask:
                return [await ask(text) for text in texts]  # type: ignore[operator]

    return in_a_loop(run)


def test_a_connection_goes_to_the_worker_of_its_campaign(tmp_path: Path) -> None:
    api, page = f"GET /api/v1/campaigns/{OTHERS}/axis HTTP/1.1", f"GET /campaign/{OTHERS}/axis/ HTTP/1.1"
    assert asked(tmp_path, api) == [f"b {api}"]
    assert asked(tmp_path, page) == [f"b {page}"]
    own = f"GET /campaign/{MINE}/axis/ HTTP/1.1"
    assert asked(tmp_path, own) == [f"a {own}"]


def test_it_goes_on_there_and_back_with_each_request(tmp_path: Path) -> None:
    to_b, to_a = f"POST /campaign/{OTHERS}/axis/", f"POST /campaign/{MINE}/axis/"
    assert asked(tmp_path, "GET /", to_b, "GET /", to_a, to_b, to_b) == [
        "a GET /", f"b {to_b}", "b GET /", f"a {to_a}", f"b {to_b}", f"b {to_b}"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["GET /login/", "GET /campaign/new/", f"x{OTHERS}", f"GET /other/{OTHERS}/", f"GET /campaign/{OTHERS}x/", "GE"],
)
def test_what_is_about_no_campaign_stays(tmp_path: Path, text: str) -> None:
    assert asked(tmp_path, text) == [f"a {text}"]


def test_a_worker_that_is_not_there_gets_nothing(tmp_path: Path) -> None:
    text = f"GET /campaign/{OTHERS}/axis/"
    assert asked(tmp_path, text, names="a") == [f"a {text}"]
    # One was there, and is gone: its socket is left.
    assert asked(tmp_path, text) == [f"b {text}"]
    assert (tmp_path / "1.socket").exists()
    assert asked(tmp_path, text, names="a") == [f"a {text}"]


def test_more_than_fits_stays(tmp_path: Path) -> None:
    long = f"GET /campaign/{OTHERS}/axis/" + "x" * 2**19

    async def run() -> str:
        async with workers(tmp_path) as (there, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**21)
            with asking(reader, writer) as ask:
                said: str = await ask(long + "\n")  # type: ignore[operator]
                assert there["b"].number == 1
                return said

    assert in_a_loop(run).startswith(("a GET", "b GET"))


def test_a_worker_that_ends_takes_no_place_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.web.serving.handover.TRY_AGAIN", 0.0)

    async def run() -> None:
        async with workers(tmp_path) as (there, _):
            there["b"].close()
            there["b"].join()
            assert there["b"].number is None

    in_a_loop(run)


def test_a_folder_that_cannot_be_used_is_refused_and_its_place_stays_free(tmp_path: Path) -> None:
    (tmp_path / "0.socket").mkdir()

    async def run() -> None:
        async with workers(tmp_path) as (there, _):
            assert [there[name].number for name in "ab"] == [None, None]
        (tmp_path / "0.socket").rmdir()
        async with workers(tmp_path) as (there, _):
            assert [there[name].number for name in "ab"] == [0, 1]

    in_a_loop(run)


def test_a_place_that_is_taken_is_taken_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with workers(tmp_path, "abc") as (there, _):
            assert [there[name].number for name in "abc"] == [0, 1, None]
            there["b"].close()
            there["c"].join()
            assert there["c"].number is None
            monkeypatch.setattr("laager.web.serving.handover.TRY_AGAIN", 0.0)
            there["c"].join()
            assert there["c"].number == 1

    in_a_loop(run)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of two workers that have met."""
    folder = tmp_path_factory.mktemp("two")
    with serving(folder / "data", "", "--workers", "2", forked=True, TMPDIR=str(folder)) as served:

        def all_have_met() -> bool:
            with connected(served) as one:
                said(one, "GET /health HTTP/1.1")
            return len(list(folder.glob("laager-*/*.socket"))) == 2

        until(all_have_met)
        yield served
        assert served.end() == 0
    assert not list(folder.glob("laager-*"))


def connected(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(served.url.rpartition(":")[2])), 60)


def said(one: socket.socket, *parts: str) -> int:
    """Return the status of the answer to a request, of which each part is sent after a while."""
    one.sendall(f"{parts[0]}\r\nHost: localhost\r\n".encode())
    for part in parts[1:] or ("\r\n",):
        time.sleep(0.05)
        one.sendall(part.encode())
    with HTTPResponse(one) as answer:
        answer.begin()
        answer.read()
        return answer.status


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells which process has a connection")
def test_each_campaign_is_at_one_worker_of_a_server(served: Served) -> None:
    found = set()
    for campaign in [MINE, OTHERS, *(str(uuid.uuid4()) for _ in range(6))]:
        for _ in range(3):
            with connected(served) as one:
                said(one, f"GET /campaign/{campaign}/axis/ HTTP/1.1")
                found.add((owner(campaign.encode(), 2), process_of(one, served.workers)))
    assert len(found) == 2
    assert {pid for _, pid in found} == set(served.workers)


def test_heads_and_bodies_that_come_in_parts_reach_one_worker_whole(served: Served) -> None:
    rest = ("Content-Length: 14\r\n", "Content-Type: application/json\r\n\r\n", '{"answer"', ": 12}")
    with connected(served) as one:
        for campaign in (MINE, OTHERS, OTHERS, MINE, MINE):
            # Nobody has a token: 401 comes after the whole request, on a connection that goes on.
            answer = said(one, f"POST /api/v1/campaigns/{campaign}/axis/asked/{'0' * 32}/answer HTTP/1.1", *rest)
            assert answer == 401


@pytest.mark.parametrize("campaign", [MINE, OTHERS])
def test_a_header_that_looks_like_a_request_is_none(served: Served, campaign: str) -> None:
    with connected(served) as one:
        parts = "X-Said: ", f"GET /campaign/{campaign}/axis/ HTTP/1.1\r\n", "\r\n"
        assert said(one, "GET /health HTTP/1.1", *parts) == 200
        # Nor has it ended what the connection is there for.
        assert said(one, "GET /health HTTP/1.1") == 200


@pytest.mark.django_db(transaction=True)
def test_on_one_connection_of_a_proxy_everybody_gets_what_is_theirs(
    people: People, begin: Begin, tmp_path: Path
) -> None:
    by_worker: dict[int, Game] = {}
    while len(by_worker) < 2:
        game = begin()
        by_worker[owner(str(game.pk).encode(), 2)] = game
    sides = {"axis": people.anna, "allied": people.bert}
    keys = {name: tokens.make(who, "test") for name, who in sides.items()}
    held = [(str(game.pk), name) for game in by_worker.values() for name in sides]
    with serving_tests_database(tmp_path / "data", "--workers", "2") as served:

        def asked(connection: HTTPConnection, game: str, side: str, whose: str) -> tuple[int, dict[str, Any]]:
            headers = {"Authorization": f"Bearer {keys[whose]}"}
            connection.request("GET", f"/api/v1/campaigns/{game}/{side}", headers=headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

        def connected() -> closing[HTTPConnection]:
            return closing(HTTPConnection(served.url.removeprefix("http://"), timeout=PATIENCE))

        theirs = {}
        for game_id, name in held:
            with connected() as one:
                theirs[game_id, name] = asked(one, game_id, name, name)
        with connected() as shared:
            for game_id, name in [*held, *reversed(held), *held[::2], *held[1::2]]:
                assert asked(shared, game_id, name, name) == theirs[game_id, name]
                assert asked(shared, game_id, name, "axis" if name == "allied" else "allied")[0] == 404
    assert {(status, said["seat"], said["campaign"]) for status, said in theirs.values()} == {
        (200, name, game_id) for game_id, name in held
    }


def process_of(client: socket.socket, among: list[int]) -> int:
    """Return the process that holds the other end of a connection."""
    ends = [f"{port:04X}" for port in (client.getpeername()[1], client.getsockname()[1])]
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    (inode,) = (line[9] for line in lines if [end.rpartition(":")[2] for end in line[1:3]] == ends)
    (found,) = (pid for pid in among if f"socket:[{inode}]" in opened(pid))
    return found


def opened(pid: int) -> Iterator[str]:
    """Yield what a process has open, as far as it stays open meanwhile."""
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            yield str(one.readlink())
