"""The page Results: finished campaigns, the ladder, how cards are balanced; and the consent to be listed there."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from laager.web.campaigns.seat_pages import seat_page
from laager.web.results.balance import balance_cards
from laager.web.results.finished import choose_listing as choose
from laager.web.results.finished import filter_results, list_results
from laager.web.results.ratings import NEEDED_CAMPAIGNS, rate_players
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import person
from laager.web.shared.translation import translate

ON_A_PAGE = 50
"""Campaigns on a page."""


@require_GET
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Show the results that players let be listed, and what follows from them."""
    card, side = request.GET.get("card", "")[:200], request.GET.get("side", "")[:40]
    every = list_results()
    results = filter_results(every, card)
    campaigns = {result.card: result.campaign for result in results}
    context = {
        "page": Paginator(results, ON_A_PAGE).get_page(request.GET.get("page")),
        "ladder": rate_players(results, side),
        "balance": [(card, campaigns[card.card]) for card in balance_cards(results, person(request))],
        "cards": sorted({result.card for result in every}, key=translate),
        "sides": sorted({name for result in every for name in result.players}),
        "card": card,
        "side": side,
        "needed": NEEDED_CAMPAIGNS,
    }
    return render(request, "results/results.html", context)


@seat_page(Action.ANSWER, post=True)
def choose_listing(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Choose whether the campaign's result may be listed, as far as it is yours to say."""
    listed = request.POST.get("listed") == "yes"
    choose(seat, listed)
    text = _("You agree that the result is listed.") if listed else _("You don't let the result be listed.")
    messages.success(request, text)
    return redirect(reverse("people", args=[seat.game.pk, seat.name]) + "#result")


urlpatterns = [path("results/", show, name="results")]
seat_patterns = [path("people/listed/", choose_listing, name="choose-listing")]
