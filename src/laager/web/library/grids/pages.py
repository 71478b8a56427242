"""Charts of one's own as grids: filled in by hand, pasted from a spreadsheet, taken and given as CSV."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from laager.base import DataError, LaagerError, Problem
from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import MOST_CHARACTERS, to_csv
from laager.web.library.files import files as library
from laager.web.library.files import offers
from laager.web.library.files.chart_places import ChartPlaces, of_blanks
from laager.web.library.grids import grid_files
from laager.web.library.sharing.opened import OpenFile, open_file
from laager.web.models import Player
from laager.web.shared.http import STATUS_OF, file_response, person, person_page, posted_fields


@person_page
def fill(request: HttpRequest, user: Player, name: str = "", number: int = 0) -> HttpResponse:
    """Show the charts of a file, or one of them as a grid (`?chart=axis-rg`); keep what is typed."""
    opened = open_file(user, name, number)
    file = opened.file
    try:
        grids = grid_files.read_grids(file.text, file.name)
    except DataError:
        # What can't be read has no grids: its text tells where it breaks.
        return redirect(opened.edit_url)
    if not request.GET.get("chart"):
        report = opened.check(file.text)
        placed = opened.place_report(file.text, report)
        others = ChartPlaces({file.name: file.text}).of_problems(file.name, of_blanks(grids.others))
        context = {"opened": opened, "file": file, "found": grids, "report": report, "placed": placed, "others": others}
        return render(request, "library/grids/fill.html", context)
    grid = grids.grid(request.GET["chart"])
    if request.method == "POST":
        opened.need_change()
        return _take_cells(request, opened, grids, grid)
    return _grid_page(request, opened, grids, grid, grid.rows(grids.data))


def _grid_page(
    request: HttpRequest, opened: OpenFile, grids: grid_files.Gridded, grid: ChartGrid, rows: Any, **more: Any
) -> HttpResponse:
    checked = more.get("checked") or grid_files.check(opened, grid, [row.cells for row in rows])
    context = {
        "opened": opened,
        "file": opened.file,
        "found": grids,
        "grid": grid,
        "rows": grid_files.rows_for_page(grid, rows, checked.by_cell),
        "lists": grid_files.word_lists(grid).items(),
        "was": opened.was,
        "checked": checked,
        "next": grids.after(grid),
        "most": MOST_CHARACTERS,
        "svg_url": _map_address(opened, grids.kind),
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


def _take_cells(request: HttpRequest, opened: OpenFile, grids: grid_files.Gridded, grid: ChartGrid) -> HttpResponse:
    """Keep the cells of a form, also those that contradict others; those of a CSV are shown first."""
    try:
        if request.POST.get("do") == "paste":
            return _take_pasted(request, opened, grids, grid)
        cells = grid_files.posted_cells(posted_fields(request), grid)
        rows = grid_files.as_rows(grid, cells, grids.data)
        checked = grid_files.check(opened, grid, [row.cells for row in rows])
        if not checked.text:
            return _grid_page(request, opened, grids, grid, rows, checked=checked, asks=True, status=422)
        opened.save(checked.text, request.POST.get("was", ""))
    except LaagerError as err:
        rows = grid_files.as_rows(grid, _cells(request, grid), grids.data)
        problems = getattr(err, "problems", ()) or (Problem(str(err)),)
        more = {"refusal": err, "problems": problems, "status": STATUS_OF[err.code]}
        return _grid_page(request, opened, grids, grid, rows, **more)
    messages.success(request, _("%(name)s is kept.") % {"name": opened.name})
    return redirect(f"{opened.fill_url}?chart={grid.id}")


def _cells(request: HttpRequest, grid: ChartGrid) -> list[list[str]]:
    """Return the cells of a form; none if there are too many to be shown again."""
    try:
        return grid_files.posted_cells(posted_fields(request), grid)
    except LaagerError:
        return []


def _take_pasted(request: HttpRequest, opened: OpenFile, grids: grid_files.Gridded, grid: ChartGrid) -> HttpResponse:
    sent = request.FILES.get("csv")
    if sent is not None and (sent.size or 0) > 4 * MOST_CHARACTERS:
        raise DataError(
            [Problem(f"{sent.size} bytes are too many", f"{4 * MOST_CHARACTERS} at most", file=sent.name or "")]
        )
    text = library.decode_file(sent.read(), sent.name or "") if sent is not None else request.POST.get("pasted", "")
    if not text.strip():
        raise DataError([Problem("there is nothing to take", "choose a CSV, or paste cells into the box")])
    cells = grid_files.pasted_cells(text, grid, grids.data)
    rows = grid_files.as_rows(grid, cells, grids.data)
    checked = grid_files.check(opened, grid, [row.cells for row in rows])
    messages.info(request, _("These cells aren't kept yet. Look at them, then keep them."))
    return _grid_page(request, opened, grids, grid, rows, checked=checked)


@require_POST
@login_required
def live_check(request: HttpRequest, name: str = "", number: int = 0) -> HttpResponse:
    """Say what is wrong with cells as they are being typed; they are kept nowhere."""
    opened = open_file(person(request), name, number)
    opened.need_change()
    file = opened.file
    grid = grid_files.read_grids(file.text, file.name).grid(request.GET.get("chart", ""))
    cells = grid_files.posted_cells(posted_fields(request), grid)
    rows = cells if grid.keys else _without_tail(cells)
    context = {"opened": opened, "file": file, "checked": grid_files.check(opened, grid, rows)}
    return render(request, "library/grids/fill_report.html", context)


def _without_tail(cells: list[list[str]]) -> list[list[str]]:
    """Return rows without the empty ones at the end."""
    kept = max((i for i, row in enumerate(cells) if any(cell.strip() for cell in row)), default=-1)
    return cells[: kept + 1]


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
    path("library/file/<str:name>/fill/live", live_check, name="library-fill-live"),
    path("library/file/<str:name>/fill/csv", take_csv, name="library-fill-csv"),
    path("library/shared/<int:number>/fill", fill, name="shared-fill"),
    path("library/shared/<int:number>/fill/live", live_check, name="shared-fill-live"),
    path("library/shared/<int:number>/fill/csv", take_csv, name="shared-fill-csv"),
]
