"""An ASGI application before Django that recognises the short requests of programs, and hands on all others.

A request goes the short way if it comes with an API token, asks for nothing unusual, and all of it has arrived. If
there is no reply, it goes on to Django as it came, and nothing has been counted or changed.
"""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs
from uuid import UUID

import msgspec
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from laager.web.api import calls
from laager.web.play.short_way import memory
from laager.web.play.short_way.batch import Reply
from laager.web.play.short_way.batcher import RequestBatcher
from laager.web.play.table.news import LONGEST_WAIT_S, MOST_WAITING, count_waiting, waiting_calls
from laager.web.shared import tokens
from laager.web.shared.events import broker, set_within
from laager.web.shared.http import ACCESS_LOG
from laager.web.shared.meters import observe_request
from laager.web.shared.request_slots import App, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from laager.web.play.short_way.rows import SeatKey

PATH = re.compile(
    r"/api/v1/campaigns/(?P<game>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?P<seat>[-a-zA-Z0-9_]{1,40})"
    r"(?:/(?P<kind>asked|wait)|/asked/(?P<mark>[0-9a-f]{32})/answer)?"
)
ROUTES = {
    "status": "/api/v1/campaigns/<game>/<seat>",
    "asked": "/api/v1/campaigns/<game>/<seat>/asked",
    "wait": "/api/v1/campaigns/<game>/<seat>/wait",
    "answer": "/api/v1/campaigns/<game>/<seat>/asked/<mark>/answer",
}
"""Patterns of addresses for the access log, as Django writes them."""
NAMES = {"status": "api:status", "asked": "api:list_asked", "wait": "api:wait", "answer": "api:answer"}
"""Names of these addresses for `/metrics`, as Django has them."""
HEADERS_FOR_DJANGO = frozenset({b"cookie", b"transfer-encoding", b"expect", b"content-encoding", b"accept-language"})
"""A request with one of these goes to Django."""
BEARER = b"Bearer " + tokens.PREFIX.encode()
TAG = re.compile(r"[0-9a-f]{0,64}")
SECONDS = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,6})?")
MOST_HOSTS = 100
"""Most host names remembered as allowed."""
NO_ANSWER = object()
WAKE_EVERY_S, LONG_WAIT_S = 2.0, 20.0
"""Long waits end at multiples of the first, so that the server wakes once for many of them."""
LARGEST_BODY = 256 * 2**10
"""Largest body of an answer that goes the short way, in bytes."""
BODY_TIMEOUT_S = 1.0
"""Seconds in which that body must arrive; `bounded` waits longer, and counts slow senders."""


class ShortWay:
    """Answers short requests itself and hands all others to `app`."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._batcher: RequestBatcher | None = None
        self._hosts: set[bytes] = set()
        self._headers = _headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        asked = self._recognise(scope) if scope["type"] == "http" else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        kind, seat_key, mark = asked
        begun = time.perf_counter()
        if self._batcher is None:
            self._batcher = RequestBatcher(asyncio.get_running_loop())
        batcher = self._batcher
        reply: Reply | None = None
        first = await self._receive_body(receive)
        if kind == "answer":
            value = _read_answer(first)
            if value is not NO_ANSWER:
                reply = await batcher.ask("answer", seat_key, mark, value)
        elif kind == "wait":
            reply = await self._wait(batcher, scope, seat_key, receive)
        else:
            reply = await batcher.ask(kind, seat_key)
        if reply is None:
            await self.app(scope, _replay(first, receive), send)
            return
        await self._send(send, reply)
        _log(scope, kind, begun)

    def end(self) -> None:
        """End the batcher's thread, if there is one."""
        if self._batcher is not None:
            self._batcher.end()
            self._batcher = None

    def _recognise(self, scope: Scope) -> tuple[str, SeatKey, str] | None:
        """Return the kind of a request, its seat's key and the question's mark; None if it is for Django."""
        match = PATH.fullmatch(scope["path"])
        if match is None:
            return None
        kind = "answer" if match["mark"] else match["kind"] or "status"
        if scope["method"] != ("POST" if kind == "answer" else "GET") or (scope["query_string"] and kind != "wait"):
            return None
        token = self._token(scope)
        if token is None:
            return None
        return kind, (tokens.digest(token), UUID(match["game"]), match["seat"]), match["mark"] or ""

    def _token(self, scope: Scope) -> str | None:
        """Return the token that a request comes with; None if there is anything unusual about its headers."""
        host = given = b""
        for name, value in scope["headers"]:
            if name in HEADERS_FOR_DJANGO:
                return None
            if name == b"host":
                # Django sees several as one, and refuses it.
                host = b"%b,%b" % (host, value) if host else value
            elif name == b"authorization":
                given = b"%b,%b" % (given, value) if given else value
        if not given.startswith(BEARER) or not self._good_host(host):
            return None
        return given[len(b"Bearer ") :].decode("latin-1")

    def _good_host(self, host: bytes) -> bool:
        if host not in self._hosts:
            name, _port = split_domain_port(host.decode("latin-1"))
            if not name or not validate_host(name, settings.ALLOWED_HOSTS):
                return False
            if len(self._hosts) < MOST_HOSTS:
                self._hosts.add(host)
        return True

    async def _receive_body(self, receive: Receive) -> Message | None:
        """Return the first message of a request's body; None if none arrives in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BODY_TIMEOUT_S):
                return await receive()
        return None

    async def _wait(self, batcher: RequestBatcher, scope: Scope, seat_key: SeatKey, receive: Receive) -> Reply | None:
        """Return the tag of everything that a seat can see once it has changed, or the time is over."""
        given = _read_wait(scope["query_string"])
        if given is None:
            return None
        tag, seconds = given
        now: Reply | None
        if seconds:
            now = await _wait_for_news(batcher, seat_key, tag, seconds, scope, receive)
        else:
            now = await batcher.ask("tag", seat_key)
        if now is None:
            return None
        current = now.body.decode()
        return replace(now, body=memory.ENCODER.encode({"tag": current, "changed": current != tag}))

    async def _send(self, send: Send, reply: Reply) -> None:
        length = str(len(reply.body)).encode()
        language = (reply.language or settings.LANGUAGE_CODE).encode()
        headers = [*self._headers, (b"content-language", language), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})


async def _wait_for_news(
    batcher: RequestBatcher, seat_key: SeatKey, tag: str, seconds: float, scope: Scope, receive: Receive
) -> Reply | None:
    """Wait until a seat can see something new, the time is over, or its client has gone."""
    end = asyncio.get_running_loop().time() + seconds
    if seconds > LONG_WAIT_S:
        end -= end % WAKE_EVERY_S
    async with AsyncExitStack() as stack:
        # A look while subscribed needs no second one; but a stranger's call makes nobody listen.
        subscribed = broker().subscribe(seat_key[1])
        wake = await stack.enter_async_context(subscribed) if broker().listening else None
        now: Reply | None = await batcher.ask("tag", seat_key)
        if now is None or now.body.decode() != tag:
            return now
        if waiting_calls[now.user] >= MOST_WAITING:
            return None
        stack.enter_context(count_waiting(now.user))
        # If the seat is gone meanwhile, Django says so without waiting again.
        scope["query_string"] = f"tag={tag}&seconds=0".encode()
        if wake is None:
            wake = await stack.enter_async_context(subscribed)
            now = await batcher.ask("tag", seat_key, counts=False)
        return await _wait_until_changed(batcher, seat_key, now, tag, end, receive, wake)


async def _wait_until_changed(
    batcher: RequestBatcher,
    seat_key: SeatKey,
    now: Reply | None,
    tag: str,
    end: float,
    receive: Receive,
    wake: asyncio.Event,
) -> Reply | None:
    clock = asyncio.get_running_loop().time
    gone = asyncio.ensure_future(receive())
    gone.add_done_callback(lambda _: wake.set())
    try:
        while now is not None and now.body.decode() == tag and not gone.done() and not broker().ending:
            if not await set_within(wake, end - clock()):
                # Nothing has happened: the known tag is sent again.
                return now
            wake.clear()
            now = await batcher.ask("tag", seat_key, counts=False)
        return now
    finally:
        gone.cancel()


def _read_wait(query: bytes) -> tuple[str, float] | None:
    """Return the known tag and how many seconds to wait for another; None if the query is for Django."""
    parts = parse_qs(query.decode("latin-1"), keep_blank_values=True)
    if not parts.keys() <= {"tag", "seconds"} or any(len(values) > 1 for values in parts.values()):
        return None
    tag, given = parts.get("tag", [""])[0], parts.get("seconds", ["25"])[0]
    if not TAG.fullmatch(tag) or not SECONDS.fullmatch(given) or float(given) > LONGEST_WAIT_S:
        return None
    return tag, float(given)


# Bodies -------------------------------------------------------------------------------------------


def _replay(first: Message | None, then: Receive) -> Receive:
    """Return a `receive` that gives a message received before, then the rest."""
    before = [] if first is None else [first]

    async def receive() -> Message:
        return before.pop() if before else await then()

    return receive


def _read_answer(message: Message | None) -> Any:
    """Return the answer in a request's body; NO_ANSWER if it isn't plainly there."""
    if message is None or message["type"] != "http.request" or message.get("more_body", False):
        return NO_ANSWER
    body = message.get("body", b"")
    if len(body) > LARGEST_BODY:
        return NO_ANSWER
    try:
        sent = msgspec.json.decode(body)
        calls.check(sent)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return NO_ANSWER
    return sent["answer"] if isinstance(sent, dict) and sent.keys() == {"answer"} else NO_ANSWER


# Headers and the log --------------------------------------------------------------------------------


def _headers() -> list[tuple[bytes, bytes]]:
    """Return the headers that Django's own answers have, whatever they say."""
    headers = {
        "content-type": "application/json; charset=utf-8",
        "cache-control": "private, no-store",
        "vary": "Accept-Language, Cookie",
        "content-security-policy": settings.CONTENT_SECURITY_POLICY,
        "x-frame-options": settings.X_FRAME_OPTIONS,
        "x-content-type-options": "nosniff",
        "referrer-policy": settings.SECURE_REFERRER_POLICY,
        "cross-origin-opener-policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
    }
    if settings.SECURE_HSTS_SECONDS:
        headers["strict-transport-security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _log(scope: Scope, kind: str, begun: float) -> None:
    seconds = time.perf_counter() - begun
    took = round(1000 * seconds, 1)
    observe_request(NAMES[kind], seconds, 200)
    facts = {"method": scope["method"], "route": ROUTES[kind], "status": 200, "ms": took}
    ACCESS_LOG.info("request", extra={"facts": facts})
