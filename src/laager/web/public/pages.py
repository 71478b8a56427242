"""The page that everybody may see of a campaign, its pictures, and the players' consent to it."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from laager.hexmap.draw import RESULT_SIZE
from laager.sheets.story import Paragraph
from laager.web.campaigns.seat_pages import seat_page
from laager.web.campaigns.tables import Table
from laager.web.models import Member, Player, PublicDelay
from laager.web.public.past import agreed_delays, choose_delay, look_back, may_choose, public_key
from laager.web.records.map import pictures
from laager.web.records.map.pages import moment_of
from laager.web.records.story import documents
from laager.web.records.story.pages import language
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import absolute_address, picture_response
from laager.web.shared.translation import translate

MINUTES = 5
"""How long a cache may give the page to others: a link that many follow costs little."""
NOBODY = Player()
"""Who has the pictures drawn: visitors wait in one queue together, and none of them before a player."""


def _behind(delays: frozenset[str], over: bool) -> str:
    """Return in a sentence how far the page stays behind."""
    if PublicDelay.DAY in delays and PublicDelay.BATTLE in delays and not over:
        return _("This page stays a day and a firefight behind.")
    if PublicDelay.DAY in delays:
        return _("This page stays a day behind.")
    return "" if over else _("This page stays a firefight behind.")


def _page_context(request: HttpRequest, table: Table, key: str) -> dict[str, Any]:
    game = table.seat.game
    story = documents.story(table, None, language()) if documents.fought_battles(table) else None
    headline = table.ruleset.headline(table.campaign.context, table.view.state)
    lead = next((block.text for block in story.blocks if isinstance(block, Paragraph)), "") if story else ""
    card = absolute_address(request, reverse("public-card", args=[key]))
    return {
        "key": key,
        "title": game.title,
        "card_title": translate(table.view.title),
        "over": table.campaign.over,
        "behind": _behind(agreed_delays(table), table.campaign.over),
        "headline": headline,
        "told": story,
        "lead": lead or " · ".join(map(translate, headline)),
        "mark": table.tag[:8],
        "address": absolute_address(request, reverse("public", args=[key])),
        "card": f"{card}?v={table.tag[:8]}",
        "card_size": RESULT_SIZE,
    }


def _for_everybody(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let caches give a response to others; not what a reader gets who is logged in, with language and messages."""
    known = request.user.is_authenticated
    response["Cache-Control"] = "private, no-store" if known else f"public, max-age={MINUTES * 60}"
    return response


@require_safe
def show(request: HttpRequest, key: str) -> HttpResponse:
    """Show a campaign to everybody, as far behind as its players chose."""
    with look_back(key) as table:
        context = _page_context(request, table, key)
    return _for_everybody(request, render(request, "public/public.html", context))


@require_safe
def map_svg(request: HttpRequest, key: str) -> HttpResponse:
    """Give the map of a public page."""
    with look_back(key) as table:
        drawing = pictures.picture(table, moment_of(request))
    drawn = drawing.render()
    return _for_everybody(request, picture_response(request, drawn.data, drawn.media_type, drawn.etag))


@require_safe
def film(request: HttpRequest, key: str) -> HttpResponse:
    """Give the film of how the front moved."""
    with look_back(key) as table:
        draw = documents.film(table, language())
    return _picture(request, draw(NOBODY).encode(), "image/svg+xml")


@require_safe
def card(request: HttpRequest, key: str) -> HttpResponse:
    """Give the picture that other sites show with a link to the page."""
    with look_back(key) as table:
        draw = documents.standing(table, language())
    return _picture(request, draw(NOBODY), "image/png")


def _picture(request: HttpRequest, data: bytes, media_type: str) -> HttpResponse:
    etag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    return _for_everybody(request, picture_response(request, data, media_type, etag))


# Consent ------------------------------------------------------------------------------------------


def consent_context(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Return what the page People shows of the public page: what the player chose, and its address once it is there."""
    seat = table.seat
    delays = agreed_delays(table)
    address = absolute_address(request, reverse("public", args=[public_key(seat.game)])) if delays else ""
    return {
        "may_show": may_choose(table),
        "delays": PublicDelay.choices,
        "delay": Member.objects.values_list("public_delay", flat=True).get(pk=seat.member.pk),
        "public_address": address,
        "behind": _behind(delays, table.campaign.over) if delays else "",
    }


@seat_page(Action.ANSWER, post=True)
def choose(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Let everybody see the campaign, or end it, as far as it is yours to say."""
    delay = request.POST.get("delay", "")
    choose_delay(seat, delay)
    agreed, refused = (
        _("You let everybody see the campaign, once all players agree."),
        _("You don't show the campaign."),
    )
    messages.success(request, agreed if delay else refused)
    return redirect(reverse("people", args=[seat.game.pk, seat.name]) + "#public")


urlpatterns = [
    path("public/<str:key>/", show, name="public"),
    path("public/<str:key>/map.svg", map_svg, name="public-map"),
    path("public/<str:key>/film.svg", film, name="public-film"),
    path("public/<str:key>/card.png", card, name="public-card"),
]
seat_patterns = [path("people/public/", choose, name="choose-public")]
