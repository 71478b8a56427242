"""Charts of one's own as grids: filled in by hand, pasted from a spreadsheet, taken and given as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from laager.base import DataError, LaagerError, Problem
from laager.rules.board.hasl.grids.grid import ChartGrid, GridRow
from laager.rules.board.hasl.grids.pl_words import first_month
from laager.rules.board.hasl.grids.sheets import MOST_CHARACTERS, to_csv
from laager.web.library.files import files as library
from laager.web.library.files import offers
from laager.web.library.files.chart_places import ChartPlaces, of_blanks
from laager.web.library.grids import grid_files, usual_groups
from laager.web.library.sharing.opened import OpenFile, open_file
from laager.web.models import Player
from laager.web.shared.http import STATUS_OF, file_response, person, person_page, posted_fields


@person_page
def fill(request: HttpRequest, user: Player, name: str = "", number: int = 0) -> HttpResponse:
    """Show the charts of a file, or some of them as grids (`?chart=san&chart=elr`); keep what is typed."""
    opened = open_file(user, name, number)
    file = opened.file
    try:
        grids = grid_files.read_grids(file.text, file.name)
    except DataError:
        # What can't be read has no grids: its text tells where it breaks.
        return redirect(opened.edit_url)
    ids = [id_ for id_ in request.GET.getlist("chart") if id_]
    if not ids:
        report = opened.check(file.text)
        placed = opened.place_report(file.text, report)
        others = ChartPlaces({file.name: file.text}).of_problems(file.name, of_blanks(grids.others))
        has_usual = grids.kind == usual_groups.KIND and opened.may_change
        context = {
            "opened": opened,
            "file": file,
            "found": grids,
            "report": report,
            "placed": placed,
            "others": others,
            "together": _query(grids.with_blanks) if len(grids.with_blanks) > 1 else "",
            "everything": _query(grids.all_ids) if grids.of_card else "",
            "cards": offers.CARD_KINDS,
            "has_usual": has_usual,
            "begins": has_usual and first_month(grids.data) is None,
        }
        return render(request, "library/grids/fill.html", context)
    page = _ChartPage(opened, grids, grids.grids(ids))
    if request.method == "POST":
        opened.need_change()
        return _take_cells(request, page)
    return page.show(request, [grid.rows(grids.data) for grid in page.charts])


def _query(ids: Sequence[str]) -> str:
    """Return the query of a page with some charts."""
    return urlencode([("chart", id_) for id_ in ids])


@dataclass(frozen=True)
class _ChartPage:
    """A page with some charts of a file."""

    opened: OpenFile
    grids: grid_files.Gridded
    charts: Sequence[ChartGrid]

    def add_cells(self, rows: Sequence[Sequence[GridRow]]) -> list[grid_files.TypedChart]:
        """Return the charts with their cells."""
        return [
            grid_files.TypedChart(grid, [row.cells for row in rows_], number)
            for number, (grid, rows_) in enumerate(zip(self.charts, rows, strict=True))
        ]

    def read_rows(self, request: HttpRequest) -> list[list[GridRow]]:
        """Return the rows that a form sent for each chart. Raises RefusedError if there are too many."""
        fields = posted_fields(request)
        cells = [grid_files.posted_cells(fields, grid, number) for number, grid in enumerate(self.charts)]
        return [self.as_rows(grid, cells_) for grid, cells_ in zip(self.charts, cells, strict=True)]

    def as_rows(self, grid: ChartGrid, cells: Sequence[Sequence[str]]) -> list[GridRow]:
        """Return typed cells of a chart as rows."""
        return grid_files.as_rows(grid, cells, self.grids.data)

    def show(self, request: HttpRequest, rows: Sequence[Sequence[GridRow]], **more: Any) -> HttpResponse:
        """Render the page; `more` is what a refusal adds to it."""
        checked = more.get("checked") or grid_files.check(self.opened, self.add_cells(rows))
        charts = [
            {
                "grid": grid,
                "prefix": grid_files.prefix_of(number),
                "rows": grid_files.rows_for_page(grid, rows_, checked.by_cell, number),
                "lists": grid_files.word_lists(grid).items(),
            }
            for number, (grid, rows_) in enumerate(zip(self.charts, rows, strict=True))
        ]
        several = len(charts) > 1
        context = {
            "opened": self.opened,
            "file": self.opened.file,
            "found": self.grids,
            "grid": self.charts[0],
            "charts": charts,
            "several": several,
            "query": _query([grid.id for grid in self.charts]),
            "was": self.opened.was,
            "checked": checked,
            "next": None if several else self.grids.after(self.charts[0]),
            "most": MOST_CHARACTERS,
            "svg_url": _map_address(self.opened, self.grids.kind),
            **more,
        }
        return render(request, "library/grids/fill_grid.html", context, status=more.get("status", 200))


def _map_address(opened: OpenFile, kind: str) -> str:
    """Return the address of the map on which a record's hexes are picked; "" for other files, or without a map."""
    if not kind.endswith("-record"):
        return ""
    try:
        card = offers.find_card_of_record(opened.viewer, opened.file)
    except LaagerError:
        return ""
    facts = offers.summary(card)
    if facts is None or not facts.map:
        return ""
    return f"{reverse('own-card-map' if card.owner else 'card-map', args=[card.id])}?whole=1"


def _take_cells(request: HttpRequest, page: _ChartPage) -> HttpResponse:
    """Keep the cells of a form, also those that contradict others; those of a CSV are shown first."""
    opened = page.opened
    try:
        if request.POST.get("do") == "paste":
            return _take_pasted(request, page)
        rows = page.read_rows(request)
        checked = grid_files.check(opened, page.add_cells(rows))
        if not checked.text:
            return page.show(request, rows, checked=checked, asks=True, status=422)
        kept = opened.save(checked.text, request.POST.get("was", ""))
    except LaagerError as err:
        problems = getattr(err, "problems", ()) or (Problem(str(err)),)
        return page.show(
            request, _rows_again(request, page), refusal=err, problems=problems, status=STATUS_OF[err.code]
        )
    messages.success(request, _("%(name)s is kept.") % {"name": opened.name})
    there = {part.grid.id for part in grid_files.read_grids(kept.text, kept.name).overview}
    # The name of a table may have been changed.
    return redirect(f"{opened.fill_url}?{_query([grid.id for grid in page.charts if grid.id in there])}")


def _rows_again(request: HttpRequest, page: _ChartPage) -> list[list[GridRow]]:
    """Return the rows of a form; none if there are too many to be shown again."""
    try:
        return page.read_rows(request)
    except LaagerError:
        return [page.as_rows(grid, []) for grid in page.charts]


def _take_pasted(request: HttpRequest, page: _ChartPage) -> HttpResponse:
    """Show the cells of a CSV, or those that were copied, in the chart of a page that has one."""
    sent = request.FILES.get("csv")
    if sent is not None and (sent.size or 0) > 4 * MOST_CHARACTERS:
        raise DataError(
            [Problem(f"{sent.size} bytes are too many", f"{4 * MOST_CHARACTERS} at most", file=sent.name or "")]
        )
    text = library.decode_file(sent.read(), sent.name or "") if sent is not None else request.POST.get("pasted", "")
    if not text.strip() or len(page.charts) > 1:
        raise DataError([Problem("there is nothing to take", "choose a CSV, or paste cells into the box")])
    grid = page.charts[0]
    rows = page.as_rows(grid, grid_files.pasted_cells(text, grid, page.grids.data))
    messages.info(request, _("These cells aren't kept yet. Look at them, then keep them."))
    return page.show(request, [rows])


@person_page
def usual(request: HttpRequest, user: Player, name: str = "", number: int = 0) -> HttpResponse:
    """Show what is usual on a Platoon Leader card; make its calendar, or put the groups that are ticked into it."""
    opened = open_file(user, name, number)
    opened.need_change()
    offer = usual_groups.read_offer(opened)
    context = {"opened": opened, "file": opened.file, "offer": offer, "was": opened.was}
    if request.method != "POST":
        return render(request, "library/grids/usual.html", context)
    was = request.POST.get("was", "")
    try:
        if request.POST.get("do") == "begin":
            day, firefights, pace = (request.POST.get(key, "") for key in ("day", "count", "pace"))
            usual_groups.begin_card(opened, day, firefights, pace, was)
            messages.success(request, _("The calendar is made, and both sides have what is usual at the start."))
            return redirect(opened.groups_url)
        count = usual_groups.take_usual(opened, offer, posted_fields(request), was)
    except LaagerError as err:
        return render(request, "library/grids/usual.html", {**context, "refusal": err}, status=STATUS_OF[err.code])
    text = ngettext("%(n)s line stands in the charts.", "%(n)s lines stand in the charts.", count)
    messages.success(request, text % {"n": count})
    kept = opened.reopen().file
    return redirect(f"{opened.fill_url}?{_query(grid_files.read_grids(kept.text, kept.name).all_ids)}")


@require_POST
@login_required
def live_check(request: HttpRequest, name: str = "", number: int = 0) -> HttpResponse:
    """Say what is wrong with cells as they are being typed; they are kept nowhere."""
    opened = open_file(person(request), name, number)
    opened.need_change()
    file = opened.file
    grids = grid_files.read_grids(file.text, file.name)
    page = _ChartPage(opened, grids, grids.grids(request.GET.getlist("chart") or [""]))
    checked = grid_files.check(opened, page.add_cells(page.read_rows(request)))
    return render(
        request,
        "library/grids/fill_report.html",
        {"opened": opened, "file": file, "checked": checked, "several": len(page.charts) > 1},
    )


@require_GET
@login_required
def take_csv(request: HttpRequest, name: str = "", number: int = 0) -> HttpResponse:
    """Give a chart as CSV."""
    file = open_file(person(request), name, number).file
    grids = grid_files.read_grids(file.text, file.name)
    grid = grids.grid(request.GET.get("chart", ""))
    stem = file.name.rsplit(".", 1)[0]
    # With the mark, a spreadsheet knows that it is UTF-8.
    data = to_csv(grid, grids.data).encode("utf-8-sig")
    return file_response(data, "text/csv; charset=utf-8", f"{stem}-{grid.id}.csv")


urlpatterns = [
    path("library/file/<str:name>/fill", fill, name="library-fill"),
    path("library/file/<str:name>/groups", usual, name="library-groups"),
    path("library/file/<str:name>/fill/live", live_check, name="library-fill-live"),
    path("library/file/<str:name>/fill/csv", take_csv, name="library-fill-csv"),
    path("library/shared/<int:number>/fill", fill, name="shared-fill"),
    path("library/shared/<int:number>/groups", usual, name="shared-groups"),
    path("library/shared/<int:number>/fill/live", live_check, name="shared-fill-live"),
    path("library/shared/<int:number>/fill/csv", take_csv, name="shared-fill-csv"),
]
