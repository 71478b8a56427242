"""Editors for files of one's own: the text with its problems, and forms for its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from laager.base import DataError, LaagerError
from laager.base.files import parse_document
from laager.kinds import CHECKERS
from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import GRIDS
from laager.web.library.editor import form_entry, schema_form
from laager.web.library.files import files as library
from laager.web.library.files import offers
from laager.web.library.files.chart_places import ChartPlaces, place_report
from laager.web.library.sharing.opened import OpenFile, open_file
from laager.web.models import OwnFile, Player
from laager.web.shared.forms.data import ROW_BUTTONS, rows_changed
from laager.web.shared.forms.widgets import Making, lists_of, with_problems
from laager.web.shared.http import STATUS_OF, parse_number, person, person_page, posted_fields, render_refusal
from laager.web.shared.translation import language

# The text -----------------------------------------------------------------------------------------


@person_page
def edit(request: HttpRequest, user: Player, name: str) -> HttpResponse:
    """Show the text of a file with all that is wrong with it; keep what is typed."""
    file = library.find(user, name)
    if request.method != "POST":
        return _page(request, user, file, file.text, library.digest(file.text))
    text = request.POST.get("text", "")
    try:
        saved = library.save(user, name, text, request.POST.get("was") or None)
    except LaagerError as err:
        # Nothing typed is lost; saving once more writes over what came in between.
        return _page(request, user, file, text, library.digest(file.text), err)
    messages.success(request, _("%(name)s is kept.") % {"name": saved.name})
    return redirect("library-edit", saved.name)


def _page(
    request: HttpRequest, user: Player, file: OwnFile, text: str, was: str, err: LaagerError | None = None
) -> HttpResponse:
    report = library.check_text(user, file.name, text)
    kind = library.kind_in(text)
    line = request.GET.get("line", "")
    context = {
        "file": file,
        "text": text,
        "was": was,
        "kind": kind,
        "report": report,
        "placed": place_report(user, file.name, text, report),
        "sections": schema_form.sections(kind) if kind else (),
        "kinds": () if kind else tuple(CHECKERS),
        "cards": offers.CARD_KINDS,
        "gridded": tuple(GRIDS),
        "line": line if parse_number(line, 7) is not None else "",
    }
    return (
        render_refusal(request, "library/editor/edit.html", err, context)
        if err
        else render(request, "library/editor/edit.html", context)
    )


@require_POST
@login_required
def live_check(request: HttpRequest, name: str) -> HttpResponse:
    """Say what is wrong with a text as it is being typed; it is kept nowhere."""
    user = person(request)
    file = library.find(user, name)
    text = request.POST.get("text", "")
    report = library.check_text(user, name, text)
    placed = place_report(user, name, text, report)
    return render(request, "library/editor/edit_report.html", {"file": file, "report": report, "placed": placed})


# Forms --------------------------------------------------------------------------------------------


@person_page
def form(request: HttpRequest, user: Player, name: str = "", number: int = 0) -> HttpResponse:
    """Show a part of a file as a form (`?part=sides/axis`), without what stands in charts; keep what is entered."""
    opened = open_file(user, name, number)
    file = opened.file
    part = request.GET.get("part", "")
    try:
        # What was shown in one language is taken in that one, whatever the reader reads by now.
        shown_in = request.POST.get("language", language())
        sheet = schema_form.sheet_of(file.text, file.name, part, shown_in)
        charts = form_entry.charts_of(sheet.kind, parse_document(file.text, file.name).data)
    except DataError as err:
        # What cannot be read cannot be a form: its text tells where it breaks.
        if opened.shared is not None:
            return redirect(opened.edit_url)
        page = _page(request, user, file, file.text, library.digest(file.text), err)
        page.status_code = 200
        return page
    chart = charts.holding(part)
    if chart is not None:
        return redirect(f"{opened.fill_url}?chart={quote(chart.id)}")
    sheet, below = charts.rest_of(sheet), charts.below(sheet.way)
    if request.method == "POST":
        opened.need_change()
        return _take_form(request, opened, sheet, below)
    return _form_page(request, opened, sheet, charts=below)


def _take_form(
    request: HttpRequest, opened: OpenFile, sheet: schema_form.FormSheet, charts: Sequence[ChartGrid]
) -> HttpResponse:
    file = opened.file
    do, data = request.POST.get("do", "save"), posted_fields(request)
    shown = form_entry.fill_form(sheet, data)
    if do.startswith(ROW_BUTTONS):
        changed = replace(shown, value=rows_changed(sheet.form, shown.value, do))
        return _form_page(request, opened, changed, charts=charts)
    try:
        text, to = form_entry.apply_form(file.text, file.name, sheet, data, do)
        before = opened.check(file.text)
        report = opened.check(text)
        fresh = form_entry.new_problems(before.problems, report.problems)
        if fresh and request.POST.get("anyway") != "yes" and do == "save":
            placed = ChartPlaces({**opened.texts, file.name: text}).of_problems(file.name, fresh)
            page = _form_page(request, opened, shown, charts=charts, fresh=placed)
            page.status_code = 422
            return page
        opened.save(text, request.POST.get("was", ""))
    except LaagerError as err:
        page = _form_page(request, opened, shown, charts=charts, refusal=err, problems=err.problems)
        page.status_code = STATUS_OF[err.code]
        return page
    messages.success(request, _("%(name)s is kept.") % {"name": file.name})
    return redirect(f"{opened.form_url}?part={schema_form.quote_way(to)}")


def _form_page(request: HttpRequest, opened: OpenFile, sheet: schema_form.FormSheet, **more: Any) -> HttpResponse:
    file = opened.file
    report = opened.check(file.text)
    widget = with_problems(Making(helps=sheet.helps).widget(sheet.form, sheet.value), more.get("problems", ()))
    context = {
        "opened": opened,
        "file": file,
        "sheet": sheet,
        "widget": widget,
        "lists": lists_of(widget).items(),
        "was": opened.was,
        "report": report,
        "placed": opened.place_report(file.text, report),
        **more,
    }
    return render(request, "library/editor/edit_form.html", context)


urlpatterns = [
    path("library/file/<str:name>/", edit, name="library-edit"),
    path("library/file/<str:name>/live", live_check, name="library-live"),
    path("library/file/<str:name>/form", form, name="library-form"),
    path("library/shared/<int:number>/form", form, name="shared-form"),
]
