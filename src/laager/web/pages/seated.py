"""What every page at a campaign's table begins with: the seat, the right, the open campaign."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from laager.web.models import Player
from laager.web.services.seats import Deed, Seat, find_seat, seats_of
from laager.web.services.tables import Table, look

P = ParamSpec("P")


def person(request: HttpRequest) -> Player:
    """Return who is logged in. For pages that nobody else reaches."""
    return cast("Player", request.user)


def seated(
    deed: Deed = Deed.LOOK,
) -> Callable[[Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]], Callable[..., Any]]:
    """Make a page of somebody's seat: called with the seat instead of the address' parts.

    Who is not logged in is sent to log in, whatever the address; who has no such seat gets the
    same page as for a campaign that there is not.
    """

    def make(
        page: Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase],
    ) -> Callable[..., Any]:
        @wraps(page)
        def found(
            request: HttpRequest, game: UUID, seat: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            mine = find_seat(person(request), game, seat)
            mine.need(deed)
            return page(request, mine, *args, **kwargs)

        return login_required(found)

    return make


def at_table(
    page: Callable[Concatenate[HttpRequest, Table, P], HttpResponse],
) -> Callable[..., Any]:
    """Make a page that looks at the open campaign of a seat, and changes nothing."""

    @wraps(page)
    def opened(request: HttpRequest, seat: Seat, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with look(seat) as table:
            return page(request, table, *args, **kwargs)

    return seated()(cast("Callable[..., HttpResponse]", opened))


def frame(table: Table, here: str) -> dict[str, Any]:
    """Return what the frame around a seat's pages shows; `here` is the tab under way."""
    seat = table.seat
    return {
        "seat": seat,
        "game": seat.game,
        "table": table,
        "here": here,
        "others": [other for other in seats_of(seat.user, seat.game.pk) if other.name != seat.name],
        "headline": table.ruleset.headline(table.campaign.context, table.view.state),
        "must": len(table.asked) if seat.may(Deed.ANSWER) else 0,
    }
