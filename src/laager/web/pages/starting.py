"""A new campaign: choose a card, see what its check says, say who sits where."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods

from laager.base import DataError, LaagerError
from laager.campaign.facts import UMPIRE
from laager.web.middleware import STATUS
from laager.web.pages.seated import person
from laager.web.services import starting

READING = "reading-"


@login_required
def cards(request: HttpRequest) -> HttpResponse:
    """Show the cards from which a campaign can be begun."""
    return render(request, "laager/new.html", {"offers": starting.shipped()})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, card: str) -> HttpResponse:
    """Show what a card is and how it can be begun; begin it."""
    one = starting.offer(card)
    if request.method != "POST":
        return render(request, "laager/new_card.html", _shown(one, starting.Wanted()))
    wanted = _wanted(request, one)
    try:
        game, seat = starting.begin(person(request), one, wanted)
    except LaagerError as err:
        problems = err.problems if isinstance(err, DataError) else ()
        context = _shown(one, wanted) | {"refusal": err, "problems": problems}
        return render(request, "laager/new_card.html", context, status=STATUS[err.code])
    return redirect("people" if wanted.seat != starting.BOTH else "table", game.pk, seat)


def _wanted(request: HttpRequest, card: starting.Offer) -> starting.Wanted:
    given = request.POST
    readings = {
        name: given[READING + name]
        for name in card.readings
        if given.get(READING + name) not in (None, "")
    }
    return starting.Wanted(
        title=given.get("title", "").strip()[:200],
        seat=given.get("seat", ""),
        entered_dice=given.get("dice") == "entered",
        readings=readings,
    )


def _shown(card: starting.Offer, wanted: starting.Wanted) -> dict[str, Any]:
    warnings: tuple[str, ...] = ()
    problems: tuple[object, ...] = ()
    try:
        warnings = starting.checked(card)
    except DataError as err:
        problems = err.problems
    chosen = wanted.readings or {}
    return {
        "card": card,
        "wanted": wanted,
        "seats": [*card.ruleset.sides, UMPIRE],
        "readings": [(r, chosen.get(r.id, ""), READING + r.id) for r in card.readings.values()],
        "warnings": warnings,
        "wrong": problems,
    }


urlpatterns = [
    path("new", cards, name="new"),
    path("new/<slug:card>", begin, name="new-card"),
]
