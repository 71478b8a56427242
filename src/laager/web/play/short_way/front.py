"""The front: an ASGI application that recognises the short requests of programs, and hands on all others.

A request goes the short way if it comes with an API token, asks for nothing unusual, and all of it has arrived. If the
desk has no reply, it goes on to Django as it came, and nothing has been counted or changed.
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

from laager.web.api import parsing
from laager.web.play.short_way import statuses
from laager.web.play.short_way.batcher import Desk, Reply
from laager.web.play.table.long_poll import LONGEST, MOST, counted, waiting
from laager.web.shared import tokens
from laager.web.shared.events import broker, set_within
from laager.web.shared.http import ACCESS_LOG
from laager.web.shared.request_slots import App, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from laager.web.play.short_way.rows import Wanted

PATH = re.compile(
    r"/api/v1/campaigns/(?P<game>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?P<seat>[-a-zA-Z0-9_]{1,40})"
    r"(?:/(?P<what>asked|wait)|/asked/(?P<mark>[0-9a-f]{32})/answer)?"
)
ROUTES = {
    "status": "/api/v1/campaigns/<game>/<seat>",
    "asked": "/api/v1/campaigns/<game>/<seat>/asked",
    "wait": "/api/v1/campaigns/<game>/<seat>/wait",
    "answer": "/api/v1/campaigns/<game>/<seat>/asked/<mark>/answer",
}
"""The patterns of addresses in the log, as Django writes them."""
UNUSUAL = frozenset({b"cookie", b"transfer-encoding", b"expect", b"content-encoding", b"accept-language"})
"""Headers that Django looks at."""
BEARER = b"Bearer " + tokens.PREFIX.encode()
TAG = re.compile(r"[0-9a-f]{0,64}")
SECONDS = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,6})?")
MOST_HOSTS = 100
"""So many names of the server are remembered as good."""
NOTHING = object()
TOGETHER, LONG = 2.0, 20.0
"""Seconds: long waits that would end within so short a time end together, so that the server wakes once for them."""
LARGEST = 256 * 2**10
"""Bytes of an answer that goes the short way."""
SECONDS_FOR_BODY = 1.0
"""How long its body may take; `request_slots` waits longer, and counts who sends slowly."""


class Front:
    """What stands before Django."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._desk: Desk | None = None
        self._hosts: set[bytes] = set()
        self._headers = _headers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        asked = self._recognised(scope) if scope["type"] == "http" else None
        if asked is None:
            await self.app(scope, receive, send)
            return
        what, wanted, mark = asked
        begun = time.perf_counter()
        if self._desk is None:
            self._desk = Desk(asyncio.get_running_loop())
        desk = self._desk
        reply: Reply | None = None
        first = await self._arrived(receive)
        if what == "answer":
            value = _value(first)
            if value is not NOTHING:
                reply = await desk.ask("answer", wanted, mark, value)
        elif what == "wait":
            reply = await self._waited(desk, scope, wanted, receive)
        else:
            reply = await desk.ask(what, wanted)
        if reply is None:
            await self.app(scope, _replayed(first, receive), send)
            return
        await self._send(send, reply)
        _log(scope, what, begun)

    def end(self) -> None:
        """Let the desk end, if there is one."""
        if self._desk is not None:
            self._desk.end()
            self._desk = None

    def _recognised(self, scope: Scope) -> tuple[str, Wanted, str] | None:
        """Return what is asked, whose seat of which campaign it is about, and the mark of the question."""
        found = PATH.fullmatch(scope["path"])
        if found is None:
            return None
        what = "answer" if found["mark"] else found["what"] or "status"
        if scope["method"] != ("POST" if what == "answer" else "GET") or (scope["query_string"] and what != "wait"):
            return None
        token = self._token(scope)
        if token is None:
            return None
        return what, (tokens.digest(token), UUID(found["game"]), found["seat"]), found["mark"] or ""

    def _token(self, scope: Scope) -> str | None:
        """Return the token that a request comes with; None if there is anything unusual about its headers."""
        host = given = b""
        for name, value in scope["headers"]:
            if name in UNUSUAL:
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

    async def _arrived(self, receive: Receive) -> Message | None:
        """Return a request's body if all of it is there at once; the part that came first if not; None if nothing."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_FOR_BODY):
                return await receive()
        return None

    async def _waited(self, desk: Desk, scope: Scope, wanted: Wanted, receive: Receive) -> Reply | None:
        """Return the tag of all that a seat can see once it isn't the given one any more, or the time is over."""
        given = _waiting_for(scope["query_string"])
        if given is None:
            return None
        tag, seconds = given
        now: Reply | None
        if seconds:
            now = await _news(desk, wanted, tag, seconds, scope, receive)
        else:
            now = await desk.ask("tag", wanted)
        if now is None:
            return None
        found = now.body.decode()
        return replace(now, body=statuses.ENCODER.encode({"tag": found, "changed": found != tag}))

    async def _send(self, send: Send, reply: Reply) -> None:
        length = str(len(reply.body)).encode()
        language = (reply.language or settings.LANGUAGE_CODE).encode()
        headers = [*self._headers, (b"content-language", language), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})


async def _news(desk: Desk, wanted: Wanted, tag: str, seconds: float, scope: Scope, receive: Receive) -> Reply | None:
    """Wait until a seat can see something new, the time is over, or its client has gone."""
    end = asyncio.get_running_loop().time() + seconds
    if seconds > LONG:
        end -= end % TOGETHER
    async with AsyncExitStack() as stack:
        # A look taken while subscribed needs no second one; but a stranger's call makes nobody listen.
        subscribed = broker().subscribe(wanted[1])
        wake = await stack.enter_async_context(subscribed) if broker().listening else None
        now: Reply | None = await desk.ask("tag", wanted)
        if now is None or now.body.decode() != tag:
            return now
        if waiting[now.user] >= MOST:
            return None
        stack.enter_context(counted(now.user))
        # If the seat is gone meanwhile, Django says so without waiting again.
        scope["query_string"] = f"tag={tag}&seconds=0".encode()
        if wake is None:
            wake = await stack.enter_async_context(subscribed)
            now = await desk.ask("tag", wanted, counts=False)
        return await _woken(desk, wanted, now, tag, end, receive, wake)


async def _woken(
    desk: Desk, wanted: Wanted, now: Reply | None, tag: str, end: float, receive: Receive, wake: asyncio.Event
) -> Reply | None:
    clock = asyncio.get_running_loop().time
    gone = asyncio.ensure_future(receive())
    gone.add_done_callback(lambda _: wake.set())
    try:
        while now is not None and now.body.decode() == tag and not gone.done() and not broker().ending:
            if not await set_within(wake, end - clock()):
                # Nothing has happened: what is known is sent again, which tells nobody anything.
                return now
            wake.clear()
            now = await desk.ask("tag", wanted, counts=False)
        return now
    finally:
        gone.cancel()


def _waiting_for(query: bytes) -> tuple[str, float] | None:
    """Return the known tag and how long to wait for another; None if Django must look at it."""
    parts = parse_qs(query.decode("latin-1"), keep_blank_values=True)
    if not parts.keys() <= {"tag", "seconds"} or any(len(values) > 1 for values in parts.values()):
        return None
    tag, given = parts.get("tag", [""])[0], parts.get("seconds", ["25"])[0]
    if not TAG.fullmatch(tag) or not SECONDS.fullmatch(given) or float(given) > LONGEST:
        return None
    return tag, float(given)


# Bodies -------------------------------------------------------------------------------------------


def _replayed(first: Message | None, then: Receive) -> Receive:
    """Return what hands on a message that has been received already, then the rest."""
    before = [] if first is None else [first]

    async def receive() -> Message:
        return before.pop() if before else await then()

    return receive


def _value(message: Message | None) -> Any:
    """Return the answer in a request's body; NOTHING if it isn't plainly there."""
    if message is None or message["type"] != "http.request" or message.get("more_body", False):
        return NOTHING
    body = message.get("body", b"")
    if len(body) > LARGEST:
        return NOTHING
    try:
        sent = msgspec.json.decode(body)
        parsing.check(sent)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return NOTHING
    return sent["answer"] if isinstance(sent, dict) and sent.keys() == {"answer"} else NOTHING


# What goes with an answer -------------------------------------------------------------------------


def _headers() -> list[tuple[bytes, bytes]]:
    """Return the headers that Django's own answers have, whatever they say."""
    found = {
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
        found["strict-transport-security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return [(name.encode(), value.encode()) for name, value in found.items()]


def _log(scope: Scope, what: str, begun: float) -> None:
    took = round(1000 * (time.perf_counter() - begun), 1)
    facts = {"method": scope["method"], "route": ROUTES[what], "status": 200, "ms": took}
    ACCESS_LOG.info("request", extra={"facts": facts})
