"""Go and play: all that a side needs while the battle is fought, on one page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.sheets.offers import catalogue, leaf
from laager.web.pages.seated import at_table, form_language, frame
from laager.web.services.people.permissions import Action
from laager.web.services.play import progress
from laager.web.services.play.tables import Table


@at_table
def battle(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the battle's form of each side whose secrets the seat knows, with what is asked meanwhile."""
    viewer, language = table.view.viewer, form_language()
    offered = {one.id for one in catalogue(table.campaign, viewer, language)}
    fought = [side for side in table.ruleset.sides if f"battle-{side}" in offered]
    context = frame(table, "table") | {
        "leaves": [leaf(table.campaign, viewer, f"battle-{side}", language) for side in fought],
        "printed": urlencode([("id", f"{form}-{side}") for side in fought for form in ("battle", "report")]),
        "todo": progress.todo(table),
        "may_answer": table.seat.may(Action.ANSWER),
    }
    return render(request, "laager/battle.html", context)


seat_patterns = [path("battle", battle, name="battle")]
