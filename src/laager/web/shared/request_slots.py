"""How many requests a process works on at a time.

Each needs a thread and a connection to the database, and neither is without end: a rush waits its
turn instead of using up PostgreSQL's connections. A request takes its place once all of it has arrived.
Streams of events count only until they begin, calls that wait for news only until they wait.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any

from laager.base import Refusal
from laager.web.shared.visitors import network_of
from laager.web.shared.visits import VISIT, Visit

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

FREE = "laager.free"
"""Where a request's scope says how its place is given up before it is answered."""


def give_up_place(scope: Scope) -> None:
    """Let the next request have the place of one that only waits."""
    if FREE in scope:
        scope[FREE]()


LARGEST = 32 * 2**20
"""Bytes of a request's body, more than any page or API call takes."""
IN_MEMORY = 64 * 2**10
"""Bytes of a body that wait in memory; more of it waits in a temporary file."""
PIECE = 2**20
"""Bytes in which a body is handed on."""
SECONDS_FOR_BODY = 60.0
"""How long a body may take to arrive."""
UNFINISHED = 16
"""Bodies that may be under way at a time from one address."""


Who = tuple[str, bytes]
"""A visitor: the address, and the token or session."""
_Turns = deque["asyncio.Future[None]"]


class RequestSlots:
    """So many places for requests.

    Addresses take turns, and so do the visitors at each of them: nobody gets more by inventing tokens. No visitor has
    more than half of the places, no address more than three quarters.
    """

    def __init__(self, number: int) -> None:
        self.left = number
        self._most = max(1, (number + 1) // 2)
        self._most_at_address = number - number // 4
        self._held: Counter[Who | str] = Counter()
        self._waiting: OrderedDict[str, OrderedDict[Who, _Turns]] = OrderedDict()

    async def take(self, who: Who) -> None:
        """Wait for a place."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who[0], OrderedDict()).setdefault(who, deque()).append(turn)
        self._hand_out()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.free(who)
            raise

    def free(self, who: Who) -> None:
        """Give a place back."""
        self.left += 1
        for key in (who, who[0]):
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]
        self._hand_out()

    def _hand_out(self) -> None:
        given = True
        while self.left and given:
            given = False
            for address in list(self._waiting):
                if self.left and self._held[address] < self._most_at_address:
                    given = self._hand_to(address) or given

    def _hand_to(self, address: str) -> bool:
        """Give a place to whoever waits longest at an address and may have one; return False if nobody does."""
        visitors = self._waiting.pop(address)
        next_ = None
        for who in list(visitors):
            turns = visitors[who]
            while turns and turns[0].done():
                turns.popleft()  # Its client has gone.
            if turns and self._held[who] < self._most:
                next_ = who
                self.left -= 1
                self._held[who] += 1
                self._held[address] += 1
                turns.popleft().set_result(None)
                visitors.move_to_end(who)
            if not turns:
                del visitors[who]
            if next_:
                break
        if visitors:
            # Behind the others.
            self._waiting[address] = visitors
        return next_ is not None


def _visitor(scope: Scope) -> Who:
    """Return by what requests of the same visitor are known: the address, and the token or session if there is one."""
    headers = {name.lower(): value for name, value in scope.get("headers", ())}
    session = re.search(rb"sessionid=[^;]*", headers.get(b"cookie", b""))
    proof = headers.get(b"authorization") or (session[0] if session else b"")
    return _address(scope), proof


def _address(scope: Scope) -> str:
    return network_of(str((scope.get("client") or ("",))[0]))


class UnfinishedError(Exception):
    """A body that isn't taken: the status, the code of the refusal, the sentence."""


TOO_SLOW = (408, Refusal.BAD_DATA, "the request took too long to arrive; try again")
TOO_LARGE = (413, Refusal.BAD_DATA, f"this is too large; send {LARGEST // 2**20} MB at most")
NO_ROOM = (503, Refusal.LOCKED, "the server has no room for this just now; try again later")
TOO_MANY = (429, Refusal.TOO_OFTEN, "too many requests from your address haven't arrived yet; try again")


class Bounded:
    """An ASGI application that hands on so many requests at a time; the others wait in order.

    Bodies come first: who sends one slowly, or never ends it, keeps nobody else waiting.
    """

    def __init__(self, app: App, at_once: int, seconds_for_body: float = SECONDS_FOR_BODY) -> None:
        self.app = app
        self._places = RequestSlots(at_once)
        self._seconds = seconds_for_body
        self._sending = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive the body, take a place, hand the request on, free the place."""
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
        who = _visitor(scope)
        await self._places.take(who)
        held = True

        def free() -> None:
            nonlocal held
            if held:
                held = False
                self._places.free(who)

        loop = asyncio.get_running_loop()
        visit = Visit(partial(loop.call_soon_threadsafe, free))
        scope[FREE] = free

        async def receive_body() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                visit.gone = True
            return message

        async def send_counted(message: Message) -> None:
            # What is answered whole needs no place any more, however slowly its client reads it.
            if _streams(message) or _ends(message):
                free()
            await send(message)

        token = VISIT.set(visit)
        try:
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
        client = _address(scope)
        with SpooledTemporaryFile(IN_MEMORY) as file:
            if self._sending[client] >= UNFINISHED:
                raise UnfinishedError(*TOO_MANY)
            self._sending[client] += 1
            try:
                async with asyncio.timeout(self._seconds):
                    there = await _arrive(receive, file)
            except TimeoutError:
                raise UnfinishedError(*TOO_SLOW) from None
            except OSError:
                # A full disk. (A TimeoutError is an OSError, too.)
                raise UnfinishedError(*NO_ROOM) from None
            finally:
                self._sending[client] -= 1
                self._sending += Counter()  # Drops the addresses that send nothing now.
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
