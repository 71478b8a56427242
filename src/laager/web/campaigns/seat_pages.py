"""Pages of a seat: the seat and what it may do, its open campaign, the frame around them (calls: `seat_calls`)."""

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
from django.views.decorators.http import require_POST

from laager.web.campaigns.tables import Table, look
from laager.web.seats import seating
from laager.web.seats.permissions import Action, Seat, find_seat
from laager.web.shared import side_names
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
            if here and seating.cancel_release(game, mine.user):
                text = _("Somebody wanted to free your seat. You're here, and it stays yours.")
                messages.info(request, text)
            mine.need(action)
            return page(request, mine, *args, **kwargs)

        return require_POST(login_required(call_page)) if post else login_required(call_page)

    return make


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
    """Return how many answers a seat owes."""
    return len(table.asked) if table.seat.may(Action.ANSWER) else 0


def frame_context(table: Table, here: str) -> dict[str, Any]:
    """Return what the frame around a seat's pages shows; `here` is the tab under way."""
    seat = table.seat
    side_names.keep_names(seat.game, table.campaign)
    return {
        "seat": seat,
        "game": seat.game,
        "table": table,
        "here": here,
        "others": seat.others,
        "headline": table.ruleset.headline(table.campaign.context, table.view.state),
        "must": count_owed_answers(table),
    }
