"""What every page at a campaign's table begins with: the seat, the right, the open campaign."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from laager.web.models import Player
from laager.web.services.people import seating
from laager.web.services.people.permissions import Action, Seat, find_seat, seats_of
from laager.web.services.play.tables import Table, look

P = ParamSpec("P")


def person(request: HttpRequest) -> Player:
    """Return who is logged in. For pages that nobody else reaches."""
    return cast("Player", request.user)


def seated(
    action: Action = Action.LOOK, here: bool = True
) -> Callable[[Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]], Callable[..., Any]]:
    """Make a page of somebody's seat: called with the seat instead of the address' parts.

    Who is not logged in is sent to log in, whatever the address; who has no such seat gets the
    same page as for a campaign that there is not. Who opens one keeps a seat that was to be freed,
    unless `here` is false: what open pages ask by themselves shows nobody.
    """

    def make(page: Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]) -> Callable[..., Any]:
        @wraps(page)
        def found(request: HttpRequest, game: UUID, seat: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            mine = find_seat(person(request), game, seat)
            if here and seating.returned(game, mine.user):
                text = _("Your seat was to be freed. You are here, so it stays yours.")
                messages.info(request, text)
            mine.need(action)
            return page(request, mine, *args, **kwargs)

        return login_required(found)

    return make


def at_table(page: Callable[Concatenate[HttpRequest, Table, P], HttpResponse], here: bool = True) -> Callable[..., Any]:
    """Make a page that looks at the open campaign of a seat, and changes nothing."""

    @wraps(page)
    def opened(request: HttpRequest, seat: Seat, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with look(seat) as table:
            return page(request, table, *args, **kwargs)

    return seated(here=here)(cast("Callable[..., HttpResponse]", opened))


def must(table: Table) -> int:
    """Return how many answers a seat owes."""
    return len(table.asked) if table.seat.may(Action.ANSWER) else 0


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
        "must": must(table),
    }
