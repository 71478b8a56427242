"""The seat that a call is made from, and the campaign as it lies before it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from laager.web.api.calls import user_of
from laager.web.campaigns.tables import Table, look
from laager.web.seats import seating
from laager.web.seats.permissions import Action, Seat, find_seat

SEAT = "/campaigns/{game}/{seat}"
ASKED = SEAT + "/asked/{mark}"

GameId = Annotated[UUID, Path(description="The campaign.")]
SeatName = Annotated[
    str,
    Path(
        description="Your seat in it: the name of a side, `umpire` or `spectator`.",
        pattern=r"^[-a-zA-Z0-9_]+$",
        max_length=40,
    ),
]
Mark = Annotated[str, Path(description="The mark of what is asked.", pattern=r"^[0-9a-f]{32}$")]
EntryNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="An entry of your log, by your own number of it.")]
Moment = Annotated[
    int | None, Query(ge=1, le=2**31 - 1, description="As it was after this entry of your log; else now.")
]


def seat_of(request: HttpRequest, game: UUID, seat: str, action: Action = Action.LOOK, here: bool = True) -> Seat:
    """Return the seat of the request's user. Raises RefusedError without the seat or the permission.

    A request keeps a seat that was to be freed, unless `here` is false: programs that wait don't count.
    """
    mine = find_seat(user_of(request), game, seat)
    if here:
        seating.cancel_release(game, mine.user)
    mine.need(action)
    return mine


@contextmanager
def table_of(
    request: HttpRequest, game: UUID, seat: str, action: Action = Action.LOOK, here: bool = True
) -> Iterator[Table]:
    """Open the campaign for the seat to look at."""
    with look(seat_of(request, game, seat, action, here)) as table:
        yield table


def describe_file(media_type: str) -> dict[str, Any]:
    """Return how the OpenAPI document describes a call that gives a file."""
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file.", "content": content}}}


def file_response(data: bytes, media_type: str, name: str = "") -> HttpResponse:
    """Return a file; with a name it is to be saved under that."""
    headers = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}
    if name:
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return HttpResponse(data, content_type=media_type, headers=headers)
