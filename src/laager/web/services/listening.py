"""Hearing that campaigns have changed: one ear a worker, whatever number of open pages it has.

On PostgreSQL the ear is a connection that LISTENs, on SQLite it looks about once a second. What it
hears is that a campaign has changed, never what: `pages.live` asks for each seat whether there is
anything new for it. After every break of the connection all are woken, as they may have missed
something.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from types import FrameType
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import close_old_connections, connection

from laager.web.models import Game
from laager.web.services.happenings import CHANNEL

LOG = logging.getLogger("laager.web.live")
LOOK_EVERY = 1.0
"""Seconds between looks at a SQLite database."""
TRY_AGAIN = 2.0
"""Seconds until a lost connection is tried again."""
PROVE_EVERY = 30.0
"""Seconds of silence after which the connection is tried for life."""
READY_WITHIN = 3.0
"""Seconds that a new listener waits for the ear."""
LOOKERS = 4
"""How many threads look at the database for listeners."""

T = TypeVar("T")
_POOL = ThreadPoolExecutor(max_workers=LOOKERS, thread_name_prefix="live")


async def in_thread(work: Callable[[], T]) -> T:
    """Do something with the database beside the event loop; its connection is closed after."""

    def whole() -> T:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_POOL, whole)


class Ear:
    """What one worker hears: wakes the listeners of the campaigns that have changed."""

    def __init__(self) -> None:
        self.ending = False
        """Whether the server has been told to end: whoever listens goes."""
        self._wakes: dict[UUID, set[asyncio.Event]] = defaultdict(set)
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def listening(self, game: UUID) -> AsyncIterator[asyncio.Event]:
        """Give an event that is set whenever the campaign may have changed."""
        wake = asyncio.Event()
        self._wakes[game].add(wake)
        if self._task is None or self._task.done():
            self._ready.clear()
            self._task = asyncio.get_running_loop().create_task(self._hear())
        try:
            # Without an ear one listens all the same: it wakes all once it is there.
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ready.wait(), READY_WITHIN)
            yield wake
        finally:
            self._wakes[game].discard(wake)
            if not self._wakes[game]:
                del self._wakes[game]
            if not self._wakes and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _hear(self) -> None:
        listen = self._postgresql if connection.vendor == "postgresql" else self._sqlite
        while True:
            try:
                await listen()
            except asyncio.CancelledError:
                raise
            except Exception as err:
                # Whatever breaks the connection: it is made anew.
                LOG.warning("the ear is deaf for a moment: %s", type(err).__name__)
            await asyncio.sleep(TRY_AGAIN)

    async def _postgresql(self) -> None:
        import psycopg

        async with await psycopg.AsyncConnection.connect(**_address(), autocommit=True) as ear:
            await ear.execute(f"LISTEN {CHANNEL}")
            self._ready.set()
            self._wake_all()
            while True:
                async for heard in ear.notifies(timeout=PROVE_EVERY):
                    with suppress(ValueError):
                        self._wake(UUID(heard.payload))
                await ear.execute("SELECT 1")

    async def _sqlite(self) -> None:
        known: dict[UUID, str] = {}
        while True:
            wanted = list(self._wakes)
            heads = await in_thread(lambda: _heads(wanted))  # noqa: B023
            for game, head in heads.items():
                if known.get(game, head) != head:
                    self._wake(game)
            known = heads
            self._ready.set()
            await asyncio.sleep(LOOK_EVERY)

    def end(self) -> None:
        """Let all listeners go: the server ends, and would wait for them."""
        self.ending = True
        self._wake_all()

    def _wake(self, game: UUID) -> None:
        for wake in self._wakes.get(game, ()):
            wake.set()

    def _wake_all(self) -> None:
        for game in list(self._wakes):
            self._wake(game)


def _heads(games: list[UUID]) -> dict[UUID, str]:
    return dict(Game.objects.filter(pk__in=games).values_list("pk", "head"))


def _address() -> dict[str, Any]:
    """Return how to reach the database, without what only Django's own connections need."""
    params: dict[str, Any] = connection.get_connection_params()
    ours = {"cursor_factory", "context", "prepare_threshold", "autocommit"}
    return {name: value for name, value in params.items() if name not in ours}


_EARS: WeakKeyDictionary[asyncio.AbstractEventLoop, Ear] = WeakKeyDictionary()


def ear() -> Ear:
    """Return this worker's ear."""
    loop = asyncio.get_running_loop()
    if loop not in _EARS:
        _EARS[loop] = Ear()
        _end_with_the_server(loop, _EARS[loop])
    return _EARS[loop]


def _end_with_the_server(loop: asyncio.AbstractEventLoop, mine: Ear) -> None:
    """Let the listeners go when uvicorn is told to end; it has no hook for that of its own."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before) and getattr(before, "__name__", "") == "handle_exit":

            def handle_exit(given: int, frame: FrameType | None, *, then: Callable[..., Any] = before) -> None:
                loop.call_soon_threadsafe(mine.end)
                then(given, frame)

            signal.signal(number, handle_exit)
