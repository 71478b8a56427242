"""One thread works on the requests that have arrived together.

Looks come first: a seat is sent its cached status as long as nothing has changed. Then come the answers (`batch`).
Whatever isn't plain is left to Django: a campaign that isn't in memory, or that a page is using; a seat
or a token that isn't there; a database that fails.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from django.db import Error, connection

from laager.base import LaagerError
from laager.web.campaigns import tables
from laager.web.campaigns.tables import Held
from laager.web.play.short_way import memory, rows
from laager.web.play.short_way.batch import Batch, Reply, SeatRequest
from laager.web.play.short_way.memory import open_campaign
from laager.web.shared import throttle
from laager.web.shared.storing import store_if_possible

if TYPE_CHECKING:
    from laager.web.play.short_way.rows import SeatKey, SeatRow

LOG = logging.getLogger("laager.web.hot")
MOST_AT_ONCE = 64
"""Most requests in one batch."""
GATHERING_S = 0.003
"""Seconds in which other requests can join one that waits for news, if there is nothing else to do."""
STORE_TOKENS_EVERY_S = 10.0
"""Seconds after which the use of tokens is stored, if no answer is stored meanwhile."""


class RequestBatcher:
    """Takes requests from one event loop, and works on them in a thread of its own."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._arrived: SimpleQueue[SeatRequest | None] = SimpleQueue()
        self._tokens: set[int] = set()
        self._tokens_stored_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="request-batcher", daemon=True)
        self._thread.start()

    async def ask(self, kind: Any, seat_key: SeatKey, mark: str = "", value: Any = None, counts: bool = True) -> Any:
        """Return the reply to a request; None if Django must answer it."""
        request = SeatRequest(kind, seat_key, self._loop.create_future(), mark, value, counts)
        self._arrived.put(request)
        return await request.done

    def end(self) -> None:
        """Work on what has arrived, then close the connection to the database."""
        self._arrived.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            arrived = [self._arrived.get()]
            if arrived[0] is not None and arrived[0].kind == "tag" and self._arrived.empty():
                # Waits that end together come back together, and nobody who waits is in a hurry.
                time.sleep(GATHERING_S)
            with suppress(Empty):
                while len(arrived) < MOST_AT_ONCE:
                    arrived.append(self._arrived.get_nowait())
            going = None not in arrived
            requests = [request for request in arrived if request is not None]
            self._handle(requests)
        connection.close()

    def _handle(self, requests: list[SeatRequest]) -> None:
        """Work on requests; those that fail go on to Django."""
        try:
            self._work(requests)
        except Error as err:
            # Django tries it on a connection of its own, and says so if that fails, too.
            LOG.warning("the database failed: %s", type(err).__name__)
            connection.close()
        except Exception:
            LOG.exception("a request could not be worked on")
            connection.close()
        self._send((request, None) for request in requests if not request.sent)

    def _work(self, requests: list[SeatRequest]) -> None:
        seat_keys = {request.seat_key for request in requests}
        seats = rows.load_seats(seat_keys, any(request.kind == "answer" for request in requests))
        self._tokens |= {row.token for row in seats.values() if row.token is not None}
        # A player who asks for something is at the table, so a mail that is due must wait: Django sees to that.
        # One that only waits for news doesn't count.
        requests = [
            request for request in requests if request.kind == "tag" or not _mail_soon(seats.get(request.seat_key))
        ]
        looks = [request for request in requests if request.kind != "answer"]
        self._send([(request, self._answer_look(request, seats.get(request.seat_key))) for request in looks])
        answers = [request for request in requests if request.kind == "answer" and request.seat_key in seats]
        if answers:
            batch = Batch([(request, seats[request.seat_key]) for request in answers])
            replies = batch.commit(self._tokens)
            if batch.stores:
                self._forget_tokens()
            self._send([(request, _reply(body, seats[request.seat_key])) for request, body in replies])
        elif self._tokens and time.monotonic() - self._tokens_stored_at > STORE_TOKENS_EVERY_S:
            used, self._tokens, self._tokens_stored_at = self._tokens, set(), time.monotonic()
            with store_if_possible():
                rows.mark_used(used)

    def _forget_tokens(self) -> None:
        self._tokens.clear()
        self._tokens_stored_at = time.monotonic()

    def _answer_look(self, request: SeatRequest, row: SeatRow | None) -> Reply | None:
        if row is None:
            return None
        user, begun = row.seat.user.pk, time.thread_time()
        try:
            if request.counts:
                throttle.LOOKS.take(user)
            body = _body(request, row)
        except LaagerError:
            return None
        throttle.LOOKS.charge(user, time.thread_time() - begun)
        return _reply(body, row)

    def _send(self, replies: Iterable[tuple[SeatRequest, Reply | None]]) -> None:
        given = list(replies)
        for request, _ in given:
            request.sent = True
        if given:
            self._loop.call_soon_threadsafe(_resolve, given)


def _mail_soon(row: SeatRow | None) -> bool:
    return row is not None and row.mail_soon


def _reply(body: bytes | None, row: SeatRow) -> Reply | None:
    return None if body is None else Reply(body, row.seat.user.pk, row.language)


def _body(request: SeatRequest, row: SeatRow) -> bytes | None:
    game = row.seat.game.pk
    held = tables.SHELF.get(game, Held)
    status = memory.cached_status(held, row, row.head)
    if status is None:
        with open_campaign(row) as opened:
            if opened is None:
                return None
            status = memory.render_status(opened.held, row, opened.campaign, opened.held.head)
    return {"status": status.body, "asked": status.asked, "tag": status.tag.encode()}[request.kind]


def _resolve(replies: list[tuple[SeatRequest, Reply | None]]) -> None:
    for request, reply in replies:
        if not request.done.done():
            request.done.set_result(reply)
