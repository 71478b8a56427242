"""How many requests a process works on at a time.

Each needs a thread and a connection to the database, and neither is without end: a rush waits its
turn instead of using up PostgreSQL's connections. Streams of events count only until they begin,
calls that wait for news only until they wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

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


class Bounded:
    """An ASGI application that hands on so many requests at a time; the others wait in order."""

    def __init__(self, app: App, at_once: int) -> None:
        self.app = app
        self._places = asyncio.Semaphore(at_once)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a place, hand the request on, free the place."""
        if scope["type"] != "http" or scope["path"] == "/health":
            await self.app(scope, receive, send)
            return
        await self._places.acquire()
        held = True

        def free() -> None:
            nonlocal held
            if held:
                held = False
                self._places.release()

        scope[FREE] = free

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and _streams(message):
                free()
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            free()


def _streams(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in message.get("headers", ())
    )
