"""Looking back: the map and the sheets as they were after any entry that the seat can see."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.web.pages.looking.maps import moment_of, stage
from laager.web.pages.seated import at_table, frame
from laager.web.services.looking import maps, moments
from laager.web.services.play.tables import Table


@at_table
def history(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the slider with a moment of the past; the last one, if none is named."""
    found = moments.stops(table)
    named = moment_of(request)
    at = found[-1].number if named is None else named
    context: dict[str, Any] = {
        **frame(table, "history"),
        "stops": found,
        "listed": [asdict(stop) for stop in found],
        "position": _position(found, at),
        "moment": moments.moment(table, at),
    }
    if maps.has_map(table):
        context |= stage(table, maps.scene(table, at))
    return render(request, "laager/history.html", context | {"at": at})


def _position(found: list[moments.Stop], at: int) -> int:
    """Return which stop an entry belongs to: the first that ends with it or later."""
    return next((i for i, stop in enumerate(found) if stop.number >= at), len(found) - 1)


@at_table
def history_part(request: HttpRequest, table: Table) -> HttpResponse:
    """Give the part of the page that changes with the moment."""
    named = moment_of(request)
    at = table.view.version if named is None else named
    context = {"moment": moments.moment(table, at), "game": table.seat.game, "seat": table.seat}
    return render(request, "laager/history_moment.html", context)


seat_patterns = [path("history", history, name="history"), path("history/part", history_part, name="history-part")]
