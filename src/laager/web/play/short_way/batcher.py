"""The desk: one thread that works on the requests which have arrived together.

Looks come first: what a seat was sent before is sent again as long as nothing has changed. Then come the answers
(`answers`). Whatever isn't plain is left to Django: a campaign that isn't in memory, or that a page is using; a seat
or a token that isn't there; a database that fails.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

from django.db import Error, connection

from laager.base import LaagerError
from laager.web.campaigns import tables
from laager.web.campaigns.tables import Held
from laager.web.play.short_way import rows, statuses
from laager.web.play.short_way.batch import Batch
from laager.web.play.short_way.memory import opened
from laager.web.shared import throttle
from laager.web.shared.storing import store_if_possible

if TYPE_CHECKING:
    from laager.web.play.short_way.rows import Found, Wanted

LOG = logging.getLogger("laager.web.hot")
TOGETHER = 64
"""So many requests are worked on together at most."""
GATHERING = 0.003
"""How many seconds the desk lets others join a call that waits for news, if it has nothing else to do."""
TOKENS_EVERY = 10.0
"""After so many seconds it is kept that tokens were used, if no answer is stored meanwhile."""


@dataclass(eq=False, slots=True)
class Call:
    """A request: `done` gives the reply, or None if Django is to answer.

    `counts` is False for a look that somebody who waits does not ask for each time.
    """

    what: Literal["status", "asked", "answer", "tag"]
    wanted: Wanted
    done: asyncio.Future[Reply | None]
    mark: str = ""
    value: Any = None
    counts: bool = True
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a seat is sent (of `tag` the tag alone), whose it is, and that person's language."""

    body: bytes
    user: int
    language: str


class Desk:
    """Works for one event loop, in a thread of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._arrived: SimpleQueue[Call | None] = SimpleQueue()
        self._tokens: set[int] = set()
        self._tokens_kept = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
        self._thread.start()

    async def ask(self, what: Any, wanted: Wanted, mark: str = "", value: Any = None, counts: bool = True) -> Any:
        """Return the reply to a request; None if Django is to answer it."""
        call = Call(what, wanted, self._loop.create_future(), mark, value, counts)
        self._arrived.put(call)
        return await call.done

    def end(self) -> None:
        """Work on what has arrived, and let the database go."""
        self._arrived.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            arrived = [self._arrived.get()]
            if arrived[0] is not None and arrived[0].what == "tag" and self._arrived.empty():
                # Waits that end together come back together, and nobody who waits is in a hurry.
                time.sleep(GATHERING)
            with suppress(Empty):
                while len(arrived) < TOGETHER:
                    arrived.append(self._arrived.get_nowait())
            going = None not in arrived
            calls = [call for call in arrived if call is not None]
            self._handle(calls)
        connection.close()

    def _handle(self, calls: list[Call]) -> None:
        """Work on calls; those on which that fails go on to Django."""
        try:
            self._work(calls)
        except Error as err:
            # Django tries it on a connection of its own, and says so if that fails, too.
            LOG.warning("the database failed: %s", type(err).__name__)
            connection.close()
        except Exception:
            LOG.exception("a request could not be worked on")
            connection.close()
        self._send((call, None) for call in calls if not call.sent)

    def _work(self, calls: list[Call]) -> None:
        found = rows.find({call.wanted for call in calls}, any(call.what == "answer" for call in calls))
        self._tokens |= {one.token for one in found.values() if one.token is not None}
        # A player who asks for something is at the table, so a mail that is due must wait: Django sees to that.
        # A call that only waits for news doesn't count.
        calls = [call for call in calls if call.what == "tag" or not _mail_soon(found.get(call.wanted))]
        looks = [call for call in calls if call.what != "answer"]
        self._send([(call, self._looked(call, found.get(call.wanted))) for call in looks])
        given = [(call, found[call.wanted]) for call in calls if call.what == "answer" and call.wanted in found]
        if given:
            batch = Batch(given)
            replies = batch.worked(self._tokens)
            if batch.stores:
                self._kept_tokens()
            self._send([(call, _reply(body, found[call.wanted])) for call, body in replies])
        elif self._tokens and time.monotonic() - self._tokens_kept > TOKENS_EVERY:
            used, self._tokens, self._tokens_kept = self._tokens, set(), time.monotonic()
            with store_if_possible():
                rows.used(used)

    def _kept_tokens(self) -> None:
        self._tokens.clear()
        self._tokens_kept = time.monotonic()

    def _looked(self, call: Call, found: Found | None) -> Reply | None:
        if found is None:
            return None
        user, begun = found.seat.user.pk, time.thread_time()
        try:
            if call.counts:
                throttle.LOOKS.take(user)
            body = _body(call, found)
        except LaagerError:
            return None
        throttle.LOOKS.charge(user, time.thread_time() - begun)
        return _reply(body, found)

    def _send(self, replies: Iterable[tuple[Call, Reply | None]]) -> None:
        given = list(replies)
        for call, _ in given:
            call.sent = True
        if given:
            self._loop.call_soon_threadsafe(_done, given)


def _mail_soon(found: Found | None) -> bool:
    return found is not None and found.mail_soon


def _reply(body: bytes | None, found: Found) -> Reply | None:
    return None if body is None else Reply(body, found.seat.user.pk, found.language)


def _body(call: Call, found: Found) -> bytes | None:
    game = found.seat.game.pk
    held = tables.SHELF.get(game, Held)
    seen = statuses.kept(held, found, found.head)
    if seen is None:
        with opened(found) as there:
            if there is None:
                return None
            seen = statuses.made(there.held, found, there.campaign, there.held.head)
    return {"status": seen.status, "asked": seen.asked, "tag": seen.tag.encode()}[call.what]


def _done(replies: list[tuple[Call, Reply | None]]) -> None:
    for call, reply in replies:
        if not call.done.done():
            call.done.set_result(reply)
