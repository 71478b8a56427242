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
from laager.web.library.files.chart_places import ChartPlaces, of_blanks, place_report
from laager.web.library.grids import grid_files
from laager.web.models import OwnFile, Player
from laager.web.shared.http import STATUS_OF, file_response, person, person_page, posted_fields


@person_page
def fill(request: HttpRequest, user: Player, name: str) -> HttpResponse:
    """Show the charts of a file, or one of them as a grid (`?chart=axis-rg`); keep what is typed."""
    file = library.find(user, name)
    try:
        grids = grid_files.read_grids(file.text, file.name)
    except DataError:
        # What can't be read has no grids: its text tells where it breaks.
        return redirect("library-edit", file.name)
    if not request.GET.get("chart"):
        report = library.check_text(user, file.name, file.text)
        placed = place_report(user, file.name, file.text, report)
        others = ChartPlaces({file.name: file.text}).of_problems(file.name, of_blanks(grids.others))
        context = {"file": file, "found": grids, "report": report, "placed": placed, "others": others}
        return render(request, "library/grids/fill.html", context)
    grid = grids.grid(request.GET["chart"])
    if request.method == "POST":
        return _take_cells(request, user, file, grids, grid)
    return _grid_page(request, user, file, grids, grid, grid.rows(grids.data))


def _grid_page(
    request: HttpRequest,
    user: Player,
    file: OwnFile,
    grids: grid_files.Gridded,
    grid: ChartGrid,
    rows: Any,
    **more: Any,
) -> HttpResponse:
    checked = more.get("checked") or grid_files.check(user, file.name, file.text, grid, [row.cells for row in rows])
    context = {
        "file": file,
        "found": grids,
        "grid": grid,
        "rows": grid_files.rows_for_page(grid, rows, checked.by_cell),
        "lists": grid_files.word_lists(grid).items(),
        "was": library.digest(file.text),
        "checked": checked,
        "next": grids.after(grid),
        "most": MOST_CHARACTERS,
        "svg_url": _map_address(user, file, grids.kind),
        **more,
    }
    return render(request, "library/grids/fill_grid.html", context, status=more.get("status", 200))


def _map_address(user: Player, file: OwnFile, kind: str) -> str:
    """Return the address of the map on which a record's hexes are picked; "" for other files, or without a map."""
    if not kind.endswith("-record"):
        return ""
    try:
        card = offers.find_card_of_record(user, file)
    except LaagerError:
        return ""
    facts = offers.summary(card)
    if facts is None or not facts.map:
        return ""
    return f"{reverse('own-card-map' if card.owner else 'card-map', args=[card.id])}?whole=1"


def _take_cells(
    request: HttpRequest, user: Player, file: OwnFile, grids: grid_files.Gridded, grid: ChartGrid
) -> HttpResponse:
    """Keep the cells of a form, also those that contradict others; those of a CSV are shown first."""
    try:
        if request.POST.get("do") == "paste":
            return _take_pasted(request, user, file, grids, grid)
        cells = grid_files.posted_cells(posted_fields(request), grid)
        rows = grid_files.as_rows(grid, cells, grids.data)
        checked = grid_files.check(user, file.name, file.text, grid, [row.cells for row in rows])
        if not checked.text:
            return _grid_page(request, user, file, grids, grid, rows, checked=checked, asks=True, status=422)
        library.save(user, file.name, checked.text, request.POST.get("was") or None)
    except LaagerError as err:
        rows = grid_files.as_rows(grid, _cells(request, grid), grids.data)
        problems = getattr(err, "problems", ()) or (Problem(str(err)),)
        more = {"refusal": err, "problems": problems, "status": STATUS_OF[err.code]}
        return _grid_page(request, user, file, grids, grid, rows, **more)
    messages.success(request, _("%(name)s is kept.") % {"name": file.name})
    return redirect(f"{reverse('library-fill', args=[file.name])}?chart={grid.id}")


def _cells(request: HttpRequest, grid: ChartGrid) -> list[list[str]]:
    """Return the cells of a form; none if there are too many to be shown again."""
    try:
        return grid_files.posted_cells(posted_fields(request), grid)
    except LaagerError:
        return []


def _take_pasted(
    request: HttpRequest, user: Player, file: OwnFile, grids: grid_files.Gridded, grid: ChartGrid
) -> HttpResponse:
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
    checked = grid_files.check(user, file.name, file.text, grid, [row.cells for row in rows])
    messages.info(request, _("These cells aren't kept yet. Look at them, then keep them."))
    return _grid_page(request, user, file, grids, grid, rows, checked=checked)


@require_POST
@login_required
def live_check(request: HttpRequest, name: str) -> HttpResponse:
    """Say what is wrong with cells as they are being typed; they are kept nowhere."""
    user = person(request)
    file = library.find(user, name)
    grid = grid_files.read_grids(file.text, file.name).grid(request.GET.get("chart", ""))
    cells = grid_files.posted_cells(posted_fields(request), grid)
    rows = cells if grid.keys else _without_tail(cells)
    checked = grid_files.check(user, file.name, file.text, grid, rows)
    return render(request, "library/grids/fill_report.html", {"file": file, "checked": checked})


def _without_tail(cells: list[list[str]]) -> list[list[str]]:
    """Return rows without the empty ones at the end."""
    kept = max((i for i, row in enumerate(cells) if any(cell.strip() for cell in row)), default=-1)
    return cells[: kept + 1]


@require_GET
@login_required
def take_csv(request: HttpRequest, name: str) -> HttpResponse:
    """Give a chart as CSV."""
    file = library.find(person(request), name)
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
]
