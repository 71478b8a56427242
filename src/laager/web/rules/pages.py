"""The rules to browse; and, at a seat, those that its campaign plays by."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.web.campaigns import progress
from laager.web.campaigns.seat_pages import frame_context, table_page
from laager.web.campaigns.tables import Table
from laager.web.rules import forecasts as odds
from laager.web.rules import reference


@login_required
def shelf(request: HttpRequest) -> HttpResponse:
    """Show all rule systems, and search in all of them."""
    text = request.GET.get("q", "").strip()
    books = reference.books()
    hits = [(book, list(reference.search(book, text))) for book in books] if text else []
    hits = [(book, clauses) for book, clauses in hits if clauses]
    context = {"books": books, "text": text, "hits": hits, "searched": bool(text)}
    return render(request, "rules/shelf.html", context)


@login_required
def contents(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show the clauses of one rule system by chapter, or those that a search finds."""
    book = reference.book(ruleset)
    text = request.GET.get("q", "").strip()
    hits = list(reference.search(book, text)) if text else []
    context = {"here": "clauses", "book": book, "text": text, "hits": hits, "chapters": book.index.chapters.items()}
    return render(request, "rules/contents.html", context)


@login_required
def clause(request: HttpRequest, ruleset: str, name: str) -> HttpResponse:
    """Show a clause: what it says, what Laager does about it, and what belongs to it."""
    book = reference.book(ruleset)
    clause = book.clause(name)
    names = list(book.index)
    place = names.index(clause.id)
    context = {
        "here": "clauses",
        "book": book,
        "clause": clause,
        "chapter": book.index.chapter_of(clause.id),
        "steps": book.steps_of(clause.id),
        "tables": book.tables_of(clause),
        "readings": [book.readings[reading] for reading in book.readings_of(clause)],
        "see": [book.index[other] for other in clause.see if other in book.index],
        "named_by": book.naming(clause),
        "before": book.index[names[place - 1]] if place else None,
        "after": book.index[names[place + 1]] if place + 1 < len(names) else None,
    }
    return render(request, "rules/clause.html", context)


@login_required
def tables(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show which tables a rule system has."""
    return render(request, "rules/tables.html", {"here": "tables", "book": reference.book(ruleset)})


@login_required
def table(request: HttpRequest, ruleset: str, name: str) -> HttpResponse:
    """Show a table, and what it can bring under the modifiers that somebody sets."""
    book = reference.book(ruleset)
    printed = book.table(name)
    weights = reference.weigh_modifiers(printed, request.GET.dict())
    drm = sum(weight.amount for weight in weights)
    rows = reference.chances(printed, drm)
    context = {
        "here": "tables",
        "book": book,
        "table": printed,
        "columns": printed.columns,
        "weights": weights,
        "drm": drm,
        "rows": rows,
        "highest": reference.HIGHEST,
        "most": max(row.percent for row in rows),
    }
    part = "rules/odds.html" if getattr(request, "htmx", False) else ""
    return render(request, part or "rules/table.html", context)


@login_required
def readings(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show where a rule can be read in several ways, and how it is read unless a card says so."""
    return render(request, "rules/readings.html", {"here": "readings", "book": reference.book(ruleset)})


@login_required
def sequence(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show the steps of a rule system, with the clauses that each carries out."""
    return render(request, "rules/sequence.html", {"here": "sequence", "book": reference.book(ruleset)})


@table_page
def in_force(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the rules that a campaign plays by: readings chosen, special rules, reminders of now."""
    book = reference.book(table.ruleset.id)
    sheets = table.ruleset.sheets(table.campaign.context, table.view.state)
    course = progress.current_round(table)
    step = next((due.step for due in course.steps if due.now), None)
    context = frame_context(table, "rules") | {
        "book": book,
        "step": step,
        "reminders": reference.reminders(table, step.id) if step else (),
        "readings": reference.in_force(book, table.campaign.opening, table.view.state),
        "house_lines": table.house_lines,
        "sheets": [sheet for sheet in sheets if sheet.id in SPECIAL],
    }
    return render(request, "rules/in_force.html", context)


SPECIAL = frozenset({"rules", "rules-now", "about"})
"""The sheets on which the special rules of a campaign stand."""


# What lies ahead ----------------------------------------------------------------------------------


@table_page
def forecasts(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the rolls to come with their odds, and every table that can be asked about."""
    known = odds.tables(table)
    context = frame_context(table, "forecasts") | {
        "coming": odds.coming_rolls(table),
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


urlpatterns = [
    path("rules/", shelf, name="rules"),
    path("rules/<slug:ruleset>/", contents, name="rulebook"),
    path("rules/<slug:ruleset>/clause/<path:name>/", clause, name="clause"),
    path("rules/<slug:ruleset>/tables/", tables, name="rule-tables"),
    path("rules/<slug:ruleset>/tables/<slug:name>/", table, name="rule-table"),
    path("rules/<slug:ruleset>/readings/", readings, name="rule-readings"),
    path("rules/<slug:ruleset>/sequence/", sequence, name="rule-sequence"),
]


seat_patterns = [
    path("rules", in_force, name="seat-rules"),
    path("forecasts", forecasts, name="forecasts"),
    path("forecasts/<slug:name>", forecast, name="forecast"),
]
