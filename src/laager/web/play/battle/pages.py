"""Go and play: all that a side needs while the battle is fought, on one page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse

from laager.sheets.offers import catalogue, leaf
from laager.web.campaigns import progress
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table
from laager.web.play.battle import ticks
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import form_language


@table_page
def battle(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the battle's form of each side whose secrets the seat knows, with what is asked meanwhile."""
    viewer, language = table.view.viewer, form_language()
    offered = {offer.id for offer in catalogue(table.campaign, viewer, language)}
    fought = [side for side in table.ruleset.sides if f"battle-{side}" in offered]
    context = frame_context(table, "table") | {
        "leaves": [leaf(table.campaign, viewer, f"battle-{side}", language) for side in fought],
        "printed": urlencode([("id", f"{form}-{side}") for side in fought for form in ("battle", "report")]),
        "todo": progress.todo(table),
        "may_answer": table.seat.may(Action.ANSWER),
        "ticklist": ticks.ticklist(table) if fought else {},
        "ticked": ticks.ticked_boxes(table),
    }
    return render(request, "play/battle/battle.html", context)


@seat_page(Action.DRAFT, post=True)
def tick(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Keep what is ticked: one box of a page with scripts, or the whole list."""
    given, among = request.POST.getlist("tick"), request.POST.getlist("among")
    ticks.keep_ticks(seat, given, among or None)
    if among:
        return HttpResponse(status=204)
    return redirect(reverse("battle", args=[seat.game.pk, seat.name]) + "#ticks")


seat_patterns = [path("battle", battle, name="battle"), path("battle/ticks", tick, name="battle-ticks")]
