"""What pages have in common: who looks, the seat and what it may do, the open campaign; numbers, downloads."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from laager.sheets import LANGUAGES
from laager.web.campaigns.tables import Table, look
from laager.web.models import Player
from laager.web.seats import seating
from laager.web.seats.permissions import Action, Seat, find_seat, seats_of
from laager.web.shared import called

P = ParamSpec("P")


def person(request: HttpRequest) -> Player:
    """Return who is logged in. For pages that nobody else reaches."""
    return cast("Player", request.user)


def seated(
    action: Action = Action.LOOK, here: bool = True, post: bool = False
) -> Callable[[Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]], Callable[..., Any]]:
    """Make a page of a seat: it is called with the seat instead of the parts of its address.

    Visitors are sent to log in, whatever the address; people without that seat get the 404 page. Opening a page keeps a
    seat that was to be freed, unless `here` is false: requests that open pages make by themselves don't count.
    `post` is for pages that only take what is sent.
    """

    def make(page: Callable[Concatenate[HttpRequest, Seat, P], HttpResponseBase]) -> Callable[..., Any]:
        @wraps(page)
        def found(request: HttpRequest, game: UUID, seat: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            mine = find_seat(person(request), game, seat)
            if here and seating.returned(game, mine.user):
                text = _("Somebody wanted to free your seat. You're here, and it stays yours.")
                messages.info(request, text)
            mine.need(action)
            return page(request, mine, *args, **kwargs)

        return require_POST(login_required(found)) if post else login_required(found)

    return make


def personal(page: Callable[Concatenate[HttpRequest, Player, P], HttpResponse]) -> Callable[..., Any]:
    """Make a page for people who are logged in: it is called with the person, too."""

    @login_required
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(page)
    def found(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return page(request, person(request), *args, **kwargs)

    return cast("Callable[..., Any]", found)


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
    called.keep(seat.game, table.campaign)
    return {
        "seat": seat,
        "game": seat.game,
        "table": table,
        "here": here,
        "others": [other for other in seats_of(seat.user, seat.game.pk) if other.name != seat.name],
        "headline": table.ruleset.headline(table.campaign.context, table.view.state),
        "must": must(table),
    }


def posted(request: HttpRequest) -> dict[str, list[str]]:
    """Return what was sent: the values of each field, in the order of the form."""
    return {name: [str(one) for one in values] for name, values in request.POST.lists()}


def number(text: str, digits: int = 9) -> int | None:
    """Return the whole number that a text is; None for anything else, or more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def form_language() -> str:
    """Return the reader's language, if forms are printed in it."""
    language = (get_language() or "en").partition("-")[0]
    return language if language in LANGUAGES else "en"


def attached(data: str | bytes, media_type: str, name: str) -> HttpResponse:
    """Return a file to be saved under a name."""
    return HttpResponse(data, media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def picture(request: HttpRequest, data: bytes, media_type: str, etag: str) -> HttpResponse:
    """Return a picture; nothing but its mark if the browser has it already."""
    same = etag in request.headers.get("If-None-Match", "").replace("W/", "").split(", ")
    response = HttpResponseNotModified() if same else HttpResponse(data, media_type)
    response["ETag"] = etag
    # Kept by the browser alone, which asks every time whether it still holds.
    response["Cache-Control"] = "private, no-cache"
    # As a document of its own a drawing may do nothing.
    response["X-Content-Type-Options"] = "nosniff"
    return response
