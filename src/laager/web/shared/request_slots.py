"""How many requests a process works on at a time.

Each needs a thread and a connection to the database, and neither is without end: a rush waits its
turn instead of using up PostgreSQL's connections. A request takes its slot once all of it has arrived.
Streams of events count only until they begin, calls that wait for news only until they wait.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any

from laager.base import Refusal
from laager.web.shared.fair_queue import VISIT, FairQueue, Visit
from laager.web.shared.visitors import network_of

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 32 * 2**20
"""Bytes of a request's body, more than any page or API call takes."""
IN_MEMORY = 64 * 2**10
"""Bytes of a body that wait in memory; more of it waits in a temporary file."""
PIECE = 2**20
"""Bytes in which a body is handed on."""
SECONDS_FOR_BODY = 60.0
"""How long a body may take to arrive."""


def _visitor(scope: Scope) -> bytes:
    """Return by what requests of a visitor are known at an address: the token or session, if there is one."""
    headers = {name.lower(): value for name, value in scope.get("headers", ())}
    session = re.search(rb"sessionid=[^;]*", headers.get(b"cookie", b""))
    return headers.get(b"authorization") or (session[0] if session else b"")


def _address(scope: Scope) -> str:
    return network_of(str((scope.get("client") or ("",))[0]))


class UnfinishedError(Exception):
    """A body that isn't taken: the status, the code of the refusal, the sentence."""


TOO_SLOW = (408, Refusal.BAD_DATA, "the request took too long to arrive; try again")
TOO_LARGE = (413, Refusal.BAD_DATA, f"this is too large; send {LARGEST // 2**20} MB at most")
NO_ROOM = (503, Refusal.LOCKED, "the server has no room for this just now; try again later")


class Bounded:
    """An ASGI application that hands on a limited number of requests at a time; the others wait in order.

    Bodies come first: who sends one slowly, or never ends it, keeps nobody else waiting.
    """

    def __init__(self, app: App, at_once: int, seconds_for_body: float = SECONDS_FOR_BODY) -> None:
        self.app = app
        self.queue = FairQueue(lambda: at_once)
        self._seconds = seconds_for_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive the body, take a slot, hand the request on, free the slot."""
        if scope["type"] != "http" or scope["path"] == "/health":
            await self.app(scope, receive, send)
            return
        try:
            async with self._body(scope, receive) as arrived:
                if arrived is not None:
                    await self._hand_on(scope, arrived, send)
        except UnfinishedError as err:
            await _refuse(scope, send, *err.args)

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        ready = asyncio.Event()
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, ready.set)
        turn = self.queue.enter(_address(scope), _visitor(scope), wake)
        free = partial(self.queue.leave, turn)
        visit = Visit(free)

        async def receive_body() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                visit.gone = True
            return message

        async def send_counted(message: Message) -> None:
            # What is answered whole needs no slot any more, however slowly its client reads it.
            if _streams(message) or _ends(message):
                free()
            await send(message)

        token = VISIT.set(visit)
        try:
            if not turn.has_place:
                await ready.wait()
            await self.app(scope, receive_body, send_counted)
        finally:
            VISIT.reset(token)
            free()

    @asynccontextmanager
    async def _body(self, scope: Scope, receive: Receive) -> AsyncIterator[Receive | None]:
        """Yield where the application receives a request of which all has arrived; None if its client has gone."""
        if not _has_body(scope):
            yield receive
            return
        with SpooledTemporaryFile(IN_MEMORY) as file:
            try:
                async with asyncio.timeout(self._seconds):
                    there = await _arrive(receive, file)
            except TimeoutError:
                raise UnfinishedError(*TOO_SLOW) from None
            except OSError:
                # A full disk. (A TimeoutError is an OSError, too.)
                raise UnfinishedError(*NO_ROOM) from None
            yield _replay(file, receive) if there else None


async def _arrive(receive: Receive, file: SpooledTemporaryFile[bytes]) -> bool:
    """Keep a body in a file; return False if its client went away before the end."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        data = message.get("body", b"")
        size += len(data)
        if size > LARGEST:
            raise UnfinishedError(*TOO_LARGE)
        file.write(data)
        more = message.get("more_body", False)
    file.seek(0)
    return True


def _replay(file: SpooledTemporaryFile[bytes], then: Receive) -> Receive:
    """Return what hands on a body that has arrived, and afterwards waits for the client to go away."""
    done = False

    async def receive() -> Message:
        nonlocal done
        if done:
            return await then()
        data = file.read(PIECE)
        done = len(data) < PIECE
        return {"type": "http.request", "body": data, "more_body": not done}

    return receive


def _has_body(scope: Scope) -> bool:
    names = {name.lower() for name, _ in scope.get("headers", ())}
    return bool(names & {b"content-length", b"transfer-encoding"})


async def _refuse(scope: Scope, send: Send, status: int, code: Refusal, sentence: str) -> None:
    kind, said = b"text/plain; charset=utf-8", sentence
    if scope["path"].startswith("/api/"):
        kind, said = b"application/json", json.dumps({"refused": code.value, "text": sentence, "problems": []})
    headers = [(b"content-type", kind), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said.encode()})


def _ends(message: Message) -> bool:
    return message["type"] == "http.response.body" and not message.get("more_body", False)


def _streams(message: Message) -> bool:
    return message["type"] == "http.response.start" and any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in message.get("headers", ())
    )
