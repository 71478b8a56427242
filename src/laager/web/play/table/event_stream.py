"""Open pages learn that there is something new for their seat, and nothing else.

An event is sent only when what this seat can see has changed: what the other side does in secret
causes none, and heartbeats come at a fixed rhythm whatever happens.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path

from laager.base import LaagerError, RefusedError
from laager.web.campaigns.seat_pages import count_owed_answers, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.models import Player
from laager.web.seats import pending_mails
from laager.web.seats.permissions import Seat, find_seat
from laager.web.shared.events import broker, in_thread, set_within
from laager.web.shared.throttle import MINUTE, TooOftenError

if TYPE_CHECKING:
    from uuid import UUID

HEARTBEAT_S = 15.0
"""Seconds between two signs of life."""
LONGEST_STREAM_S = 1800.0
"""Seconds after which a page must come again, with a session that is still good."""
PAUSE_S = 0.05
"""Seconds in which several changes become one event."""
MOST_PAGES = 12
"""How many open pages of one person a worker keeps informed."""

_open: Counter[int] = Counter()


@partial(table_page, here=False)
def tag(request: HttpRequest, table: Table) -> HttpResponse:
    """Return the mark of all that the seat can see; for pages that cannot listen."""
    return JsonResponse({"tag": table.tag, "must": count_owed_answers(table)})


@seat_page(here=False)
def events(request: HttpRequest, seat: Seat) -> HttpResponseBase:
    """Send an open page an event whenever its seat can see something new."""
    if not isinstance(request, ASGIRequest):
        # Such a server could not do anything else meanwhile; the page asks now and then instead.
        return HttpResponse(status=204)
    if _open[seat.user.pk] >= MOST_PAGES:
        raise TooOftenError(MINUTE)
    stream = Stream(seat, request.session.session_key or "")
    return StreamingHttpResponse(
        stream.events(),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


class Stream:
    """One open page at one seat."""

    def __init__(self, seat: Seat, session: str) -> None:
        self.user: int = seat.user.pk
        self.game: UUID = seat.game.pk
        self.seat = seat.name
        self.session = session

    async def events(self) -> AsyncIterator[str]:
        """Yield events of the stream until the seat, the session or the time is over."""
        _open[self.user] += 1
        try:
            async with broker().subscribe(self.game) as wake:
                with pending_mails.open_page(self.user, self.game):
                    async for event in self._events(wake):
                        yield event
        finally:
            _open[self.user] -= 1
            if not _open[self.user]:
                del _open[self.user]

    async def _events(self, wake: asyncio.Event) -> AsyncIterator[str]:
        clock = asyncio.get_running_loop().time
        beat, end = clock() + HEARTBEAT_S, clock() + LONGEST_STREAM_S
        sent: dict[str, Any] = {}
        yield "retry: 3000\n\n"
        wake.set()
        while clock() < end:
            woken = await set_within(wake, beat - clock())
            if broker().ending:
                return
            if woken:
                wake.clear()
                try:
                    now = await in_thread(self._tag)
                except DatabaseError:
                    # It comes back; who listens is woken then.
                    now = sent
                if now is None:
                    yield "event: gone\ndata: {}\n\n"
                    return
                if now != sent:
                    sent = now
                    yield f"event: tag\ndata: {json.dumps(now)}\n\n"
                await asyncio.sleep(PAUSE_S)
            if clock() >= beat:
                beat += HEARTBEAT_S
                yield ": \n\n"

    def _tag(self) -> dict[str, Any] | None:
        """Return the mark of what can be seen now, and how much waits for the seat's answer.

        None if the person may look no more.
        """
        user = Player.objects.filter(pk=self.user, is_active=True).first()
        sessions = import_module(settings.SESSION_ENGINE).SessionStore
        if user is None or not sessions().exists(self.session):
            return None
        try:
            with look(find_seat(user, self.game, self.seat)) as table:
                return {"tag": table.tag, "must": count_owed_answers(table)}
        except RefusedError:
            return None
        except LaagerError:
            return {"tag": "", "must": 0}


seat_patterns = [path("events", events, name="events"), path("tag", tag, name="tag")]
