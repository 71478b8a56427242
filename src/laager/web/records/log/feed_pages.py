"""A seat's feed (Atom): that an answer is needed, and what has happened step by step as far as everybody may know it.

Feed readers cannot log in: they have the key in the feed's address, or an API token.
"""

from __future__ import annotations

import re
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils import feedgenerator, translation
from django.utils.html import format_html_join
from django.views.decorators.http import require_safe

from laager.web.campaigns.seat_pages import seat_page
from laager.web.records.log import feed
from laager.web.seats.permissions import Seat, find_seat
from laager.web.shared import throttle, tokens
from laager.web.shared.http import absolute_address, address_of

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""What must not stand in XML."""


@require_safe
def by_key(request: HttpRequest, key: str) -> HttpResponse:
    """Give the feed whose key stands in the address."""
    return _feed(request, feed.by_feed_key(key))


@require_safe
def by_token(request: HttpRequest, game: UUID, seat: str) -> HttpResponse:
    """Give the feed of a seat to a program with a token."""
    scheme, _space, key = request.headers.get("Authorization", "").partition(" ")
    user = tokens.find(key) if scheme == "Bearer" else None
    if user is None:
        throttle.opening(address_of(request))
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return _feed(request, find_seat(user, game, seat))


def _feed(request: HttpRequest, seat: Seat) -> HttpResponse:
    home = absolute_address(request, reverse("table", args=[seat.game.pk, seat.name]))
    with translation.override(seat.user.language or translation.get_language()):
        atom = feedgenerator.Atom1Feed(
            title=_clean(f"{seat.game.title} · Laager"), link=home, description="", feed_guid=f"urn:uuid:{seat.game.pk}"
        )
        for item in feed.items(seat):
            atom.add_item(
                title=_clean(item.title),
                link=home,
                description=format_html_join("", "<p>{}</p>", ((_clean(line),) for line in item.lines)),
                unique_id=f"urn:laager:{seat.game.pk}:{item.id}",
                updateddate=item.at,
                pubdate=item.at,
            )
        text = atom.writeString("utf-8")
    return HttpResponse(
        text, content_type="application/atom+xml; charset=utf-8", headers={"Cache-Control": "private, no-store"}
    )


def _clean(text: str) -> str:
    return CONTROL.sub(" ", text)


@seat_page(post=True)
def renew(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the feed another address."""
    feed.renew_feed(seat)
    return redirect("people", seat.game.pk, seat.name)


urlpatterns = [path("feed/<str:key>/", by_key, name="feed")]
seat_patterns = [path("feed/", by_token, name="seat-feed"), path("feed/renew/", renew, name="feed-renew")]
