"""Notes that a side (or the umpire) keeps for itself."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from laager.base import DataError
from laager.web.campaigns import notebook
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import STATUS_OF


@require_http_methods(["GET", "HEAD", "POST"])
@table_page
def notes(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the seat's notes and a form for another one; add it."""
    table.seat.need(Action.DRAFT)
    if request.method != "POST":
        return _page(request, table, {"about": request.GET.get("about", "").strip()})
    return _save(request, table, None)


@require_http_methods(["GET", "HEAD", "POST"])
@table_page
def note(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """Show a note in the form; change it."""
    kept = notebook.find_note(table.seat, number)
    if request.method != "POST":
        return _page(request, table, {"about": kept.about, "text": kept.text}, kept.pk)
    return _save(request, table, kept.pk)


def _save(request: HttpRequest, table: Table, number: int | None) -> HttpResponse:
    typed = {"about": request.POST.get("about", ""), "text": request.POST.get("text", "")}
    try:
        subject = notebook.find_subject(table, typed["about"])
        if number is None:
            notebook.write(table.seat, subject, typed["text"])
        else:
            notebook.rewrite(table.seat, number, subject, typed["text"])
    except DataError as err:
        return _page(request, table, typed, number, err)
    messages.success(request, _("The note is kept."))
    return redirect("notes", table.seat.game.pk, table.seat.name)


def _page(
    request: HttpRequest, table: Table, typed: dict[str, str], number: int | None = None, err: DataError | None = None
) -> HttpResponse:
    kept = notebook.all_notes(table.seat)
    only = request.GET.get("only", "")
    shown = [
        {"note": note, "subject": notebook.subject_of(note.about)} for note in kept if not only or note.about == only
    ]
    problems: dict[str, list[Any]] = {"about": [], "text": []}
    for problem in err.problems if err else ():
        problems.setdefault(problem.field, []).append(problem)
    context = frame_context(table, "notes") | {
        "shown": shown, "only": only, "typed": typed, "number": number, "problems": problems,
        "longest": notebook.LONGEST_NOTE_CHARS,
    }  # fmt: skip
    return render(request, "records/notes/notes.html", context, status=STATUS_OF[err.code] if err else 200)


@seat_page(Action.DRAFT, post=True)
def delete(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Delete a note."""
    notebook.delete(seat, number)
    messages.success(request, _("The note is deleted."))
    return redirect("notes", seat.game.pk, seat.name)


seat_patterns = [
    path("notes", notes, name="notes"),
    path("notes/<int:number>", note, name="note"),
    path("notes/<int:number>/delete", delete, name="note-delete"),
]
