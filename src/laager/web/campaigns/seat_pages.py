"""Pages and calls of a seat: the seat and what it may do, its open campaign, the frame around pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from ninja import Path, Query

from laager.web.api.calls import user_of
from laager.web.campaigns.tables import Table, look
from laager.web.models import Player
from laager.web.seats import seating
from laager.web.seats.permissions import Action, Seat, find_seat
from laager.web.shared import names
from laager.web.shared.http import person

P = ParamSpec("P")


def seat_page(
    action: Action = Action.LOOK, here: bool = True, post: bool = False
) -> Callable[[Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]], Callable[..., Any]]:
    """Make a page of a seat: it is called with the seat instead of the parts of its address.

    Visitors are sent to log in, whatever the address; people without that seat get the 404 page. Opening a page keeps a
    seat that was to be freed, unless `here` is false: requests that open pages make by themselves don't count.
    `post` is for pages that only take what is sent.
    """

    def make(page: Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]) -> Callable[..., Any]:
        @wraps(page)
        def call_page(
            request: HttpRequest, game: UUID, seat: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            mine = find_seat(person(request), game, seat)
            if here:
                keep_seat(request, game, mine.user)
            mine.need(action)
            return page(request, mine, *args, **kwargs)

        return require_POST(login_required(call_page)) if post else login_required(call_page)

    return make


def keep_seat(request: HttpRequest, game: UUID, user: Player) -> None:
    """Let somebody who has come keep a seat that was to be freed, and say so."""
    if seating.cancel_release(game, user):
        messages.info(request, _("Somebody wanted to free your seat. You're here, and it stays yours."))


def table_page(
    page: Callable[Concatenate[HttpRequest, Table, P], HttpResponse], here: bool = True
) -> Callable[..., Any]:
    """Make a page that looks at the open campaign of a seat, and changes nothing."""

    @wraps(page)
    def call_page(request: HttpRequest, seat: Seat, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with look(seat) as table:
            return page(request, table, *args, **kwargs)

    return seat_page(here=here)(cast("Callable[..., HttpResponse]", call_page))


def count_owed_answers(table: Table) -> int:
    """Return how many answers a seat owes; in the archive none."""
    return len(table.asked) if table.seat.may_now(Action.ANSWER) else 0


def frame_context(table: Table, here: str) -> dict[str, Any]:
    """Return what the frame around a seat's pages shows; `here` is the tab under way."""
    seat = table.seat
    names.keep_names(seat.game, table.campaign)
    return {
        "seat": seat,
        "game": seat.game,
        "table": table,
        "here": here,
        "others": seat.others,
        "headline": table.ruleset.headline(table.campaign.context, table.view.state),
        "must": count_owed_answers(table),
    }


# Calls of the API ---------------------------------------------------------------------------------

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
