"""Waiting for news: a call that is answered when the seat can see something new."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Query, Router, Schema

from laager.web.api.calls import EITHER, user_of
from laager.web.api.refusals import READ, answers
from laager.web.campaigns.seat_calls import SEAT, GameId, SeatName, table_of
from laager.web.models import Player
from laager.web.shared.events import broker, set_within
from laager.web.shared.fair_queue import VISIT
from laager.web.shared.throttle import MINUTE, TooOftenError

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
