"""Events: telling every worker's open pages that a campaign has changed.

On PostgreSQL an event goes by NOTIFY, with the transaction, to one connection per worker that LISTENs; on SQLite each
worker asks the file several times a second if anybody has changed it, which costs next to nothing. An event says only
which campaign has changed: each subscriber finds out whether its seat can see anything new (`tables.Table.tag`). After
a lost connection all are woken, because they may have missed something.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import close_old_connections, connection, transaction

if TYPE_CHECKING:
    import sqlite3

CHANNEL = "laager"
LOG = logging.getLogger("laager.web.live")
LOOK_EVERY = 0.25
"""Seconds between looks at a SQLite database."""
TRY_AGAIN = 2.0
"""Seconds until a lost connection is tried again."""
CHECK_EVERY = 30.0
"""Seconds of silence after which the connection is checked."""
READY_WITHIN = 3.0
"""Seconds that a new subscriber waits for the connection."""
LOOKERS = 4
"""How many threads look at the database for subscribers."""

T = TypeVar("T")
_POOL = ThreadPoolExecutor(max_workers=LOOKERS, thread_name_prefix="live")


def publish(game: UUID) -> None:
    """Tell all workers that a campaign has changed, once the current transaction is stored."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(game)])
    else:
        transaction.on_commit(partial(announce_changes, (game,)))


def announce_changes(games: Collection[UUID]) -> None:
    """Tell this worker's subscribers at once that campaigns have changed; of PostgreSQL they hear it anyway."""
    if connection.vendor == "postgresql":
        return
    for loop, mine in list(_BROKERS.items()):
        # A loop that has ended has no subscribers.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(mine.wake, games)


async def in_thread(work: Callable[[], T]) -> T:
    """Run work on the database in a thread, and close its connection afterwards."""

    def whole() -> T:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_POOL, whole)


async def set_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait until an event is set, or the time is over; return whether it is set.

    `asyncio.wait_for` of Python 3.11 forgets that it was cancelled if the event comes at that very moment: who waits
    for a page that has gone would go on.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


class Broker:
    """Wakes one worker's subscribers when their campaign has changed."""

    def __init__(self) -> None:
        self.ending = False
        """True once the server is shutting down: subscribers stop waiting."""
        self._wakes: dict[UUID, set[asyncio.Event]] = defaultdict(set)
        self._ready = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def listening(self) -> bool:
        """True while somebody is subscribed, and hears of every change."""
        return self._task is not None and self._ready.is_set()

    @asynccontextmanager
    async def subscribe(self, game: UUID) -> AsyncIterator[asyncio.Event]:
        """Give an event that is set whenever the campaign may have changed."""
        wake = asyncio.Event()
        self._wakes[game].add(wake)
        if self._task is None or self._task.done():
            self._ready.clear()
            self._task = asyncio.get_running_loop().create_task(self._listen())
        try:
            if not self._ready.is_set():
                # Go on without a connection: once there is one, it wakes everybody.
                await set_within(self._ready, READY_WITHIN)
            yield wake
        finally:
            self._wakes[game].discard(wake)
            if not self._wakes[game]:
                del self._wakes[game]
            if not self._wakes and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _listen(self) -> None:
        listen = self._postgresql if connection.vendor == "postgresql" else self._sqlite
        while True:
            try:
                await listen()
            except asyncio.CancelledError:
                raise
            except Exception as err:
                # Whatever broke the connection, open a new one.
                LOG.warning("lost the connection for events, will try again: %s", type(err).__name__)
            await asyncio.sleep(TRY_AGAIN)

    async def _postgresql(self) -> None:
        import psycopg

        async with await psycopg.AsyncConnection.connect(**_address(), autocommit=True) as link:
            await link.execute(f"LISTEN {CHANNEL}")
            self._ready.set()
            self._wake_all()
            while True:
                async for event in link.notifies(timeout=0):
                    with suppress(ValueError):
                        self.wake([UUID(event.payload)])
                if not await _readable(link.fileno(), CHECK_EVERY):
                    await link.execute("SELECT 1")

    async def _sqlite(self) -> None:
        import sqlite3

        known: dict[UUID, str] = {}
        before: object = None
        # It reads one number that SQLite keeps in memory for all processes.
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as file:
            while True:
                version = file.execute("PRAGMA data_version").fetchone()
                wanted = list(self._wakes)
                if version != before or not known.keys() >= set(wanted):
                    heads = _heads(file, wanted)
                    # A change since the last look may have come before a new subscriber had looked itself, or after.
                    self.wake(g for g, head in heads.items() if known.get(g, head if version == before else "") != head)
                    known, before = heads, version
                self._ready.set()
                await asyncio.sleep(LOOK_EVERY)

    def end(self) -> None:
        """Wake all subscribers for good: the server is shutting down and would wait for them."""
        self.ending = True
        self._wake_all()

    def wake(self, games: Iterable[UUID]) -> None:
        """Wake those who wait for news of these campaigns."""
        for game in games:
            for wake in self._wakes.get(game, ()):
                wake.set()

    def _wake_all(self) -> None:
        self.wake(list(self._wakes))


def _heads(file: sqlite3.Connection, games: list[UUID]) -> dict[UUID, str]:
    """Return where campaigns stand, with their talk: a few rows by their keys, on a connection that is open already."""
    marks = ", ".join("?" * len(games))
    said = "SELECT SUM(c.version) FROM web_talkchannel c WHERE c.game_id = g.id"
    query = f"SELECT g.id, g.head || COALESCE(({said}), '') FROM web_game g WHERE g.id IN ({marks})"
    rows = file.execute(query, [game.hex for game in games]).fetchall()
    return {UUID(game): head for game, head in rows}


async def _readable(fileno: int, seconds: float) -> bool:
    """Wait until something has come in, or the time is over. psycopg itself looks ten times a second meanwhile."""
    loop, arrival = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(fileno, arrival.set)
    try:
        return await set_within(arrival, seconds)
    finally:
        loop.remove_reader(fileno)


def _address() -> dict[str, Any]:
    """Return how to reach the database, without what only Django's own connections need."""
    params: dict[str, Any] = connection.get_connection_params()
    ours = {"cursor_factory", "context", "prepare_threshold", "autocommit"}
    return {name: value for name, value in params.items() if name not in ours}


_BROKERS: WeakKeyDictionary[asyncio.AbstractEventLoop, Broker] = WeakKeyDictionary()


def broker() -> Broker:
    """Return this worker's broker."""
    loop = asyncio.get_running_loop()
    if loop not in _BROKERS:
        _BROKERS[loop] = Broker()
        _end_with_the_server(loop, _BROKERS[loop])
    return _BROKERS[loop]


def _end_with_the_server(loop: asyncio.AbstractEventLoop, mine: Broker) -> None:
    """Wake the subscribers when uvicorn is told to end: it has no hook of its own for that."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)
        if callable(before) and getattr(before, "__name__", "") == "handle_exit":

            def handle_exit(given: int, frame: FrameType | None, *, then: Callable[..., Any] = before) -> None:
                loop.call_soon_threadsafe(mine.end)
                then(given, frame)

            signal.signal(number, handle_exit)
