"""Open pages and programs learn that there is something new for their seat, and nothing else.

An event is sent only when what this seat can see has changed: what the other side does in secret
causes none, and heartbeats come at a fixed rhythm whatever happens.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Annotated, Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from ninja import Query, Router, Schema

from laager.base import LaagerError, RefusedError
from laager.web.api.calls import EITHER, user_of
from laager.web.api.refusals import READ, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, count_owed_answers, seat_page, table_of, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.models import Player
from laager.web.seats import pending_mails
from laager.web.seats.permissions import Seat, find_seat
from laager.web.shared.events import broker, in_thread, set_within
from laager.web.shared.fair_queue import VISIT
from laager.web.shared.throttle import MINUTE, TooOftenError
from laager.web.talk.messages import talk_news

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
    return JsonResponse(_state(table))


def _state(table: Table) -> dict[str, Any]:
    """Return the mark of all that a seat can see, how much waits for its answer, and what is said at the table."""
    said = talk_news(table.seat)
    return {"tag": table.tag, "must": count_owed_answers(table), "talk": said.mark, "unread": said.badge}


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
                return _state(table)
        except RefusedError:
            return None
        except LaagerError:
            return {"tag": "", "must": 0}


# A call that waits for news -----------------------------------------------------------------------


router = Router(tags=["looking"])

LONGEST_WAIT_S = 55
"""Seconds that a call may wait; servers in between give up on what is silent for a minute."""
MOST_WAITING = 12
"""How many calls of one person may wait at one worker."""

waiting_calls: Counter[int] = Counter()
"""How many calls of each person wait."""


class TagOut(Schema):
    """The tag of everything that the seat can see; `changed` if it differs from the known one."""

    tag: str
    changed: bool


class AnyAuth:
    """Finds out whose request it is in a thread, as that asks the database."""

    is_async = True

    async def __call__(self, request: HttpRequest) -> Player | None:
        """Return whose request it is; None if nobody knows."""
        return await sync_to_async(_authenticate)(request)


def _authenticate(request: HttpRequest) -> Player | None:
    for scheme in EITHER:
        user: Player | None = scheme(request)
        if user is not None:
            return user
    return None


@router.get(
    SEAT + "/wait",
    response=answers(TagOut, *READ),
    auth=AnyAuth(),
    operation_id="wait",
    openapi_extra={"security": [{"Token": []}, {"Session": []}]},
)
async def wait(
    request: HttpRequest,
    game: GameId,
    seat: SeatName,
    tag: Annotated[str, Query(max_length=64, description="The tag that you know.")] = "",
    seconds: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT_S, description="How long to wait; a long wait may end 2 seconds early.")
    ] = 25,
) -> Any:
    """Wait until the seat can see something new, or the time is over."""
    user = user_of(request).pk
    if waiting_calls[user] >= MOST_WAITING:
        raise TooOftenError(MINUTE)
    with count_waiting(user):
        return await _wait_for_change(request, game, seat, tag, seconds)


@contextmanager
def count_waiting(user: int) -> Iterator[None]:
    """Count somebody as waiting."""
    waiting_calls[user] += 1
    try:
        yield
    finally:
        waiting_calls[user] -= 1
        if not waiting_calls[user]:
            del waiting_calls[user]


async def _wait_for_change(request: HttpRequest, game: UUID, seat: str, tag: str, seconds: float) -> dict[str, Any]:
    now = await sync_to_async(_tag)(request, game, seat)
    if now != tag or not seconds:
        return {"tag": now, "changed": now != tag}
    clock = asyncio.get_running_loop().time
    end = clock() + seconds
    if visit := VISIT.get():
        visit.give_up_slot()
    async with broker().subscribe(game) as wake:
        while clock() < end and not broker().ending:
            await set_within(wake, end - clock())
            wake.clear()
            now = await sync_to_async(_tag)(request, game, seat)
            if now != tag:
                break
    return {"tag": now, "changed": now != tag}


def _tag(request: HttpRequest, game: UUID, seat: str) -> str:
    with table_of(request, game, seat, here=False) as table:
        return table.tag


seat_patterns = [path("events", events, name="events"), path("tag", tag, name="tag")]
