"""A new campaign: choose a card or send one, see what its check says, say who sits where."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from laager.base import DataError, LaagerError
from laager.campaign import UMPIRE
from laager.web.middleware import STATUS
from laager.web.models import Role
from laager.web.pages.people.members import absolute
from laager.web.pages.seated import person
from laager.web.services.library import files as library
from laager.web.services.people import members, seating
from laager.web.services.play import starting
from laager.web.templatetags.laager import side_name

READING = "reading-"
LINKS = "links-"
"""Under which name in the session the links of a campaign wait to be shown, once."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest) -> HttpResponse:
    """Show the cards from which a campaign can be begun; take one that is sent."""
    user = person(request)
    if request.method != "POST":
        return render(request, "laager/new.html", _offers(request))
    try:
        sent = [(one.name or "", one.read()) for one in request.FILES.getlist("files")]
        texts = library.unpacked(sent)
        over = request.POST.get("over") == "yes"
        library.save_all(user, texts, None if over else dict.fromkeys(texts, ""))
    except LaagerError as err:
        problems = err.problems if isinstance(err, DataError) else ()
        context = _offers(request) | {"refusal": err, "problems": problems}
        return render(request, "laager/new.html", context, status=STATUS[err.code])
    kinds = {name: library.kind_in(text) for name, text in texts.items()}
    found = [name for name, kind in kinds.items() if kind in starting.CARD_KINDS]
    if len(found) == 1:
        return redirect("new-own", found[0])
    text = _("The files are in your library now. Choose the card to begin with.")
    if not found:
        text = _("The files are in your library now. There is no card among them.")
    messages.info(request, text)
    return redirect("new" if found else "library")


def _offers(request: HttpRequest) -> dict[str, Any]:
    return {"offers": starting.shipped(), "own": starting.own(person(request))}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, card: str) -> HttpResponse:
    """Show what a shipped card is and how it can be begun; begin it."""
    return _begin(request, starting.offer(card))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def begin_own(request: HttpRequest, name: str) -> HttpResponse:
    """Show what a card of one's own library is and how it can be begun; begin it."""
    return _begin(request, starting.own_offer(person(request), name))


def _begin(request: HttpRequest, one: starting.Offer) -> HttpResponse:
    if request.method != "POST":
        return render(request, "laager/new_card.html", _shown(one, starting.Wanted()))
    wanted = _wanted(request, one)
    try:
        game, seat, links = starting.begin(person(request), one, wanted)
    except LaagerError as err:
        problems = err.problems if isinstance(err, DataError) else ()
        context = _shown(one, wanted) | {"refusal": err, "problems": problems}
        return render(request, "laager/new_card.html", context, status=STATUS[err.code])
    taken = starting.not_made(wanted)
    if taken:
        messages.warning(
            request, _("There is no link for {seat}: you sit there yourself.").format(seat=side_name(taken))
        )
    if links:
        # Shown on a page of its own: who reloads this one must not begin another campaign.
        request.session[f"{LINKS}{game.pk}"] = [[li.role.value, li.side, li.key] for li in links]
        return redirect("begun", game.pk, seat)
    return redirect("people" if wanted.seat != starting.BOTH else "table", game.pk, seat)


@never_cache
@login_required
def begun(request: HttpRequest, game: Any, seat: str) -> HttpResponse:
    """Show the links to a campaign's seats, this once."""
    made = request.session.pop(f"{LINKS}{game}", None)
    if not made:
        return redirect("people", game, seat)
    links = [(Role(role).label, side, absolute(request, reverse("invitation", args=[key]))) for role, side, key in made]
    context = {"links": links, "game": game, "seat": seat, "days": members.DAYS}
    return render(request, "laager/new_begun.html", context)


def _wanted(request: HttpRequest, card: starting.Offer) -> starting.Wanted:
    given = request.POST
    readings = {name: given[READING + name] for name in card.readings if given.get(READING + name) not in (None, "")}
    return starting.Wanted(
        title=given.get("title", "").strip()[:200],
        seat=given.get("seat", ""),
        entered_dice=given.get("dice") == "entered",
        readings=readings,
        invited=tuple(given.getlist("invite")[:10]),
        waiting_days=_days(given.get("waiting-days", "")),
    )


def _days(text: str) -> int:
    """Return the number of days that was typed; 0, which is refused, for anything else."""
    if not text:
        return seating.WAITING_DAYS
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0


def _shown(card: starting.Offer, wanted: starting.Wanted) -> dict[str, Any]:
    warnings: tuple[str, ...] = ()
    problems: tuple[object, ...] = ()
    try:
        warnings = starting.checked(card)
    except DataError as err:
        problems = err.problems
    except LaagerError as err:
        problems = (str(err),)
    chosen = wanted.readings or {}
    return {
        "card": card,
        "wanted": wanted,
        "seats": [*card.ruleset.sides, UMPIRE],
        "invitable": starting.invitable(card),
        "readings": [(r, chosen.get(r.id, ""), READING + r.id) for r in card.readings.values()],
        "warnings": warnings,
        "wrong": problems,
        "longest_wait": seating.LONGEST_WAIT,
    }


urlpatterns = [
    path("new", cards, name="new"),
    path("new/own/<str:name>", begin_own, name="new-own"),
    path("new/begun/<uuid:game>/<slug:seat>", begun, name="begun"),
    path("new/<slug:card>", begin, name="new-card"),
]
