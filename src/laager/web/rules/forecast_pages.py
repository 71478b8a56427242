"""Forecasts: what a table can bring with the modifiers that one sets, and rolls to come."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.web.campaigns.seat_pages import frame_context, table_page
from laager.web.campaigns.tables import Table
from laager.web.rules import forecasts as odds
from laager.web.rules import reference


@table_page
def forecasts(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the rolls to come with their odds, and every table that can be asked about."""
    known = odds.tables(table)
    context = frame_context(table, "forecasts") | {
        "coming": odds.coming(table),
        "printed": [entry.table for entry in known.values() if not entry.own],
        "entered": [entry.table for entry in known.values() if entry.own],
    }
    return render(request, "rules/forecasts.html", context)


@table_page
def forecast(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Show what a table can bring; without modifiers set, with those of its last roll."""
    rolled_on = odds.table(table, name)
    last = odds.last_used(table, rolled_on)
    set_here = bool(request.GET)
    given = request.GET if set_here or last is None else last.given
    weights = reference.weigh_modifiers(rolled_on, given)
    context = {
        "table_of_rules": rolled_on,
        "weights": weights,
        "drm": sum(weight.amount for weight in weights),
        "one": odds.of_table(rolled_on, sum(weight.amount for weight in weights)),
        "highest": reference.HIGHEST,
        "last": None if set_here else last,
        "house_lines": odds.house_lines(table, rolled_on),
        "printed": name in reference.book(table.ruleset.id).tables,
        "game": table.seat.game,
        "seat": table.seat,
    }
    if getattr(request, "htmx", False):
        return render(request, "rules/forecast_odds.html", context)
    return render(request, "rules/forecast.html", frame_context(table, "forecasts") | context)


seat_patterns = [
    path("forecasts", forecasts, name="forecasts"),
    path("forecasts/<slug:name>", forecast, name="forecast"),
]
