"""Whatever packets requests come in, two workers give the answers that one alone gives."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from laager.web.serving.handover import Handover
from laager.web.serving.header_limits import LONGEST_HEAD, HeaderLimits
from tests.web.serving import in_a_loop
from tests.web.test_handover import MINE, OTHERS

pytestmark = pytest.mark.skipif(not hasattr(socket, "send_fds"), reason="this system hands no connections on")

HEAD = "GET /campaign/{}/axis/ HTTP/1.1\r\n"
"""What begins a request about a campaign, and stands in headers and bodies too."""


@dataclass(frozen=True)
class Request:
    """A request as its client sends it."""

    text: str
    answered_at: int
    """Bytes of it after which it is answered."""


def request(line: str, *, said: str = "", body: str = "", chunked: bool = False) -> Request:
    """Return a request with a header and a body that may look like requests themselves."""
    head = f"{line} HTTP/1.1\r\nHost: localhost\r\n" + (f"X-Said: {said}\r\n" if said else "")
    if chunked:
        head += "Transfer-Encoding: chunked\r\n"
        body = f"{len(body):x}\r\n{body}\r\n0\r\n\r\n"
    elif body:
        head += f"Content-Length: {len(body)}\r\n"
    text = f"{head}\r\n{body}"
    return Request(text, len(head) + 2 if "/early" in line else len(text))


def stream(other: str, own: str) -> tuple[Request, ...]:
    """Return requests about campaigns of two workers, with what looks like a request wherever it can stand."""
    line = HEAD.format(other)
    return (
        request("GET /health", said=line.strip()),
        request(f"POST /campaign/{own}/axis/", body=line + "\r\n"),
        request("POST /early", body=line + "Host: localhost\r\n\r\n"),
        request(f"GET /campaign/{other}/axis/", said=line.strip()),
        request(f"POST /api/v1/campaigns/{own}/axis", body=line + "\r\n", chunked=True),
        request("GET /health", said=HEAD.format(own).strip()),
    )


class Worker:
    """A worker in this process: its answers say what it was asked, and it counts them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.answers = 0
        config = Config(
            app=self.answer, http=HeaderLimits, interface="asgi3", ws="none", lifespan="off", log_config=None
        )
        config.load()
        self.state = ServerState()
        # Each process has a class of its own.
        heads = type("WorkersHeads", (HeaderLimits,), {"_handover": None, "_open_heads": Counter()})
        self.protocol: Callable[[], HeaderLimits] = lambda: heads(config, self.state, {})

    def join(self, folder: Path) -> Handover:
        """Meet the other worker."""
        protocol = self.protocol()
        handover = Handover(folder, 2, asyncio.get_running_loop(), protocol._taken_over)
        handover.join()
        type(protocol)._handover = handover
        return handover

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer with the request; one request is answered never."""
        if scope["path"] == "/never":
            await asyncio.Event().wait()
        body, more = b"", "early" not in scope["path"]
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body, more = body + message["body"], message["more_body"]
        self.answers += 1
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        text = json.dumps([scope["method"], scope["path"], headers, body.decode()]).encode()
        size = str(len(text)).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", size)]})
        await send({"type": "http.response.body", "body": text})


@asynccontextmanager
async def workers(folder: Path | None) -> AsyncIterator[tuple[list[Worker], int]]:
    """Yield two workers that have met (one if there is no folder), and the port at which the first one accepts."""
    names = "ab" if folder else "a"
    started = [Worker(name) for name in names]
    met = [worker.join(folder) for worker in started] if folder else []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(started[0].protocol, "127.0.0.1", 0)
    try:
        yield started, server.sockets[0].getsockname()[1]
    finally:
        server.close()
        # Its clients have gone; what they have left ends in a moment.
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                while any(worker.state.connections for worker in started):
                    await asyncio.sleep(0.001)
        for handover in met:
            handover.close()


async def converse(port: int, requests: Sequence[Request], cuts: Sequence[int], *, wait: bool = True) -> list[Any]:
    """Send requests on one connection in packets that end at some bytes, and return all answers.

    `wait` waits before each packet for the answers of those that have come whole, as a proxy's other clients do.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data, due, at = "".join(one.text for one in requests), list[int](), 0
    for one in requests:
        due.append(at + one.answered_at)
        at += len(one.text)
    answers: list[Any] = []
    try:
        for begin, end in pairwise([0, *cuts, len(data)]):
            writer.write(data[begin:end].encode())
            await writer.drain()
            while len(answers) < len(due) and due[len(answers)] <= end and (wait or end == len(data)):
                answers.append(await asyncio.wait_for(_read_answer(reader), 60))
            await asyncio.sleep(0)
        return answers
    finally:
        writer.close()


async def _read_answer(reader: asyncio.StreamReader) -> Any:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    assert head.startswith("http/1.1 200 "), head
    return json.loads(await reader.readexactly(int(head.partition("content-length: ")[2].split("\r\n")[0])))


def compare(folder: Path, requests: Sequence[Request], cuts: Sequence[Sequence[int]], *, wait: bool = True) -> int:
    """Check that two workers answer requests, cut in each of several ways, as one does that gets them uncut.

    Returns how many the second worker has answered: all came to the first.
    """

    async def run() -> int:
        async with workers(None) as (_, port):
            alone = await converse(port, requests, ())
        async with workers(folder) as (both, port):
            for cut in cuts:
                assert await converse(port, requests, cut, wait=wait) == alone, f"cut at {cut}"
            return both[1].answers

    return in_a_loop(run)


@pytest.mark.parametrize(("other", "own"), [(OTHERS, MINE), (MINE, OTHERS)])
def test_requests_cut_at_any_byte_are_answered_as_by_one_worker(tmp_path: Path, other: str, own: str) -> None:
    requests = stream(other, own)
    size = sum(len(one.text) for one in requests)
    assert compare(tmp_path, requests, [(at,) for at in range(1, size)])


def test_the_rest_of_a_head_is_no_request(tmp_path: Path) -> None:
    requests = [request("GET /health"), request("GET /health", said=HEAD.format(OTHERS).strip())]

    async def run() -> None:
        async with workers(tmp_path) as (both, port):
            cut = len(requests[0].text) + requests[1].text.index("GET /campaign")
            answers = await converse(port, requests, (cut,))
            assert [path for _, path, _, _ in answers] == ["/health", "/health"]
            assert [worker.answers for worker in both] == [2, 0]

    in_a_loop(run)


def test_who_asks_for_another_protocol_gets_one_answer(tmp_path: Path) -> None:
    """The parser leaves out what follows in the same packet: what comes next could begin in the middle of a request."""

    async def run() -> None:
        async with workers(tmp_path) as (both, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            upgrade = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
            writer.write(f"{upgrade}GET /health HTTP/1.1\r\nX-Said: ".encode())
            await _read_answer(reader)
            writer.write(f"{HEAD.format(OTHERS)}Host: localhost\r\n\r\n".encode())
            assert await asyncio.wait_for(reader.read(), 60) == b""
            assert [worker.answers for worker in both] == [1, 0]
            writer.close()

    in_a_loop(run)


def test_a_head_behind_a_request_has_an_end() -> None:
    """While a request is answered, what is read of the next one must not grow without end."""

    async def run() -> None:
        async with workers(None) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /never HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nX-Said: ")
            with suppress(ConnectionError):
                for _ in range(8 * LONGEST_HEAD // 1024):
                    writer.write(b"x" * 1024)
                    await writer.drain()
                    await asyncio.sleep(0)
                assert await asyncio.wait_for(reader.read(), 10) == b""
            writer.close()

    in_a_loop(run)


def streams_by_chance(chance: random.Random) -> Iterator[Request]:
    """Yield some requests drawn by lot."""
    for _ in range(chance.randint(1, 8)):
        campaign, looks_like = chance.choice((MINE, OTHERS)), HEAD.format(chance.choice((MINE, OTHERS)))
        line = chance.choice((f"/campaign/{campaign}/axis/", f"/api/v1/campaigns/{campaign}/axis", "/health", "/early"))
        body = looks_like * chance.randint(0, 3)
        method = "POST" if body else "GET"
        said = chance.choice(("", looks_like.strip()))
        yield request(f"{method} {line}", said=said, body=body, chunked=bool(body) and chance.random() < 0.4)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_requests_by_chance_cut_by_chance_are_answered_as_by_one_worker(tmp_path: Path, seed: int) -> None:
    chance, elsewhere = random.Random(seed), 0
    for _ in range(150):
        requests = list(streams_by_chance(chance))
        size = sum(len(one.text) for one in requests)
        cuts = [sorted(chance.sample(range(1, size), chance.randint(1, 12))) for _ in range(20)]
        elsewhere += compare(tmp_path, requests, cuts, wait=chance.random() < 0.7)
    assert elsewhere
