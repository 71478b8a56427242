"""Looking back: the map and the sheets as they were after any entry that the seat can see."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.web.campaigns import scenes
from laager.web.campaigns.seat_pages import frame_context, table_page
from laager.web.campaigns.tables import Table
from laager.web.records.log import past_states
from laager.web.records.map.pages import moment_of, stage


@table_page
def history(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the slider with a moment of the past; the last one, if none is named."""
    ends = past_states.stops(table)
    named = moment_of(request)
    at = ends[-1].number if named is None else named
    context: dict[str, Any] = {
        **frame_context(table, "history"),
        "stops": ends,
        "listed": [asdict(stop) for stop in ends],
        "position": _position(ends, at),
        "moment": past_states.moment(table, at),
    }
    if scenes.has_map(table):
        context |= stage(table, scenes.scene_of(table, at))
    return render(request, "records/log/history.html", context | {"at": at})


def _position(stops: list[past_states.Stop], at: int) -> int:
    """Return which stop an entry belongs to: the first that ends with it or later."""
    return next((i for i, stop in enumerate(stops) if stop.number >= at), len(stops) - 1)


@table_page
def history_part(request: HttpRequest, table: Table) -> HttpResponse:
    """Give the part of the page that changes with the moment."""
    named = moment_of(request)
    at = table.view.version if named is None else named
    context = {"moment": past_states.moment(table, at), "game": table.seat.game, "seat": table.seat}
    return render(request, "records/log/history_moment.html", context)


seat_patterns = [path("history", history, name="history"), path("history/part", history_part, name="history-part")]
