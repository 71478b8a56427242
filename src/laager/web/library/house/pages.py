"""House rules of one's own: what a file changes, and each clause as a grid."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from laager.base import LaagerError
from laager.campaign.house.grid import ClauseGrid
from laager.web.library.files import files as library
from laager.web.library.house import house_files
from laager.web.library.house.house_files import ReadHouse
from laager.web.models import OwnFile, Player
from laager.web.shared.http import STATUS_OF, person_page, posted_fields

CUT = "cut|"
"""Under which names of a form the rows are that somebody wants to change apart from others."""


@person_page
def house(request: HttpRequest, user: Player, name: str) -> HttpResponse:
    """Show what a file of house rules changes, by chapter, or one clause as a grid (`?clause=PL 3.47`)."""
    file = library.find(user, name)
    try:
        read = house_files.read_house_file(file.text, file.name)
        clause = request.GET.get("clause", "")
        if clause:
            return _clause_page(request, user, file, read, clause)
    except LaagerError as err:
        # What can't be read has no grids: its text tells where it breaks.
        messages.error(request, str(err))
        return redirect("library-edit", file.name)
    if request.method != "POST":
        return render(request, "library/house/house.html", _context(file, read))
    title, why = request.POST.get("title", "").strip()[:200], request.POST.get("why", "").strip()[:500]
    return _keep(request, user, file, house_files.with_head(read, title, why), reverse("library-house", args=[name]))


def _context(file: OwnFile, read: ReadHouse, **more: Any) -> dict[str, Any]:
    return {"file": file, "read": read, "was": library.digest(file.text), **more}


def _clause_page(request: HttpRequest, user: Player, file: OwnFile, read: ReadHouse, clause: str) -> HttpResponse:
    if request.method != "POST":
        return _show_clause(request, file, read, clause, read.grid(clause))
    fields = {name: values[-1] for name, values in posted_fields(request).items()}
    text = house_files.with_clause(read, clause, fields)
    changed = house_files.read_house_file(text, file.name)
    cuts = {name.removeprefix(CUT): [value] for name, value in fields.items() if name.startswith(CUT) and value.strip()}
    here = f"rules.{clause}"
    wrong = [problem for problem in changed.problems if problem.field == here or problem.field.startswith(f"{here}.")]
    if wrong:
        grid = house_files.with_typed(read.grid(clause), fields)
        return _show_clause(request, file, read, clause, grid, problems=wrong, status=422)
    if cuts:
        return _show_clause(request, file, changed, clause, changed.grid(clause, cuts), unsaved=True)
    return _keep(request, user, file, text, reverse("library-house", args=[file.name]))


def _show_clause(
    request: HttpRequest, file: OwnFile, read: ReadHouse, clause: str, grid: ClauseGrid, **more: Any
) -> HttpResponse:
    context = _context(file, read, grid=grid, line=read.line(clause), **more)
    return render(request, "library/house/house_clause.html", context, status=more.get("status", 200))


def _keep(request: HttpRequest, user: Player, file: OwnFile, text: str, address: str) -> HttpResponse:
    """Keep a changed file; say so, or why not."""
    try:
        library.save(user, file.name, text, request.POST.get("was") or None)
    except LaagerError as err:
        context = _context(file, house_files.read_house_file(file.text, file.name), refusal=err)
        return render(request, "library/house/house.html", context, status=STATUS_OF[err.code])
    messages.success(request, _("%(name)s is kept.") % {"name": file.name})
    return redirect(address)


urlpatterns = [path("library/file/<str:name>/house", house, name="library-house")]
