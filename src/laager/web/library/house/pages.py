"""House rules, one's own or shared ones: what a file changes, and each clause as a grid."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError, LaagerError
from laager.campaign.house.grid import ClauseGrid
from laager.web.library.house import house_files
from laager.web.library.house.house_files import ReadHouse
from laager.web.library.sharing.opened import OpenFile, open_file
from laager.web.models import Player
from laager.web.shared.http import STATUS_OF, person_page, posted_fields, show_refusal

CUT = "cut|"
"""Under which names of a form the rows are that somebody wants to change apart from others."""


@person_page
def house(request: HttpRequest, user: Player, name: str = "", number: int = 0) -> HttpResponse:
    """Show what a file of house rules changes, by chapter, or one clause as a grid (`?clause=PL 3.47`)."""
    opened = open_file(user, name, number)
    if request.method == "POST":
        opened.need_change()
    try:
        read = house_files.read_house_file(opened.file.text, opened.name)
        clause = request.GET.get("clause", "")
        if clause:
            return _clause_page(request, opened, read, clause)
    except DataError as err:
        # What can't be read has no grids: its text tells where it breaks.
        show_refusal(request, err)
        return redirect(opened.edit_url)
    if request.method != "POST":
        return render(request, "library/house/house.html", _context(opened, read))
    title, why = request.POST.get("title", "").strip()[:200], request.POST.get("why", "").strip()[:500]
    return _keep(request, opened, house_files.with_head(read, title, why))


def _context(opened: OpenFile, read: ReadHouse, **more: Any) -> dict[str, Any]:
    return {"opened": opened, "file": opened.file, "read": read, "was": opened.was, **more}


def _clause_page(request: HttpRequest, opened: OpenFile, read: ReadHouse, clause: str) -> HttpResponse:
    if request.method != "POST":
        return _show_clause(request, opened, read, clause, read.grid(clause))
    fields = {name: values[-1] for name, values in posted_fields(request).items()}
    text = house_files.with_clause(read, clause, fields)
    changed = house_files.read_house_file(text, opened.name)
    cuts = {name.removeprefix(CUT): [value] for name, value in fields.items() if name.startswith(CUT) and value.strip()}
    here = f"rules.{clause}"
    wrong = [problem for problem in changed.problems if problem.field == here or problem.field.startswith(f"{here}.")]
    if wrong:
        grid = house_files.with_typed(read.grid(clause), fields)
        return _show_clause(request, opened, read, clause, grid, problems=wrong, status=422)
    if cuts:
        return _show_clause(request, opened, changed, clause, changed.grid(clause, cuts), unsaved=True)
    return _keep(request, opened, text)


def _show_clause(
    request: HttpRequest, opened: OpenFile, read: ReadHouse, clause: str, grid: ClauseGrid, **more: Any
) -> HttpResponse:
    context = _context(opened, read, grid=grid, line=read.line(clause), **more)
    return render(request, "library/house/house_clause.html", context, status=more.get("status", 200))


def _keep(request: HttpRequest, opened: OpenFile, text: str) -> HttpResponse:
    """Keep a changed file; say so, or why not."""
    try:
        opened.save(text, request.POST.get("was", ""))
    except LaagerError as err:
        context = _context(opened, house_files.read_house_file(opened.file.text, opened.name), refusal=err)
        return render(request, "library/house/house.html", context, status=STATUS_OF[err.code])
    messages.success(request, _("%(name)s is kept.") % {"name": opened.name})
    return redirect(opened.house_url)


urlpatterns = [
    path("library/file/<str:name>/house", house, name="library-house"),
    path("library/shared/<int:number>/house", house, name="shared-house"),
]
