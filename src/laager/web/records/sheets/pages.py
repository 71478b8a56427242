"""Units and record sheets: the order of battle, a unit's story, the forms on screen and paper."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from laager import sheets as paper
from laager.base import Refusal, RefusedError
from laager.campaign.naming import LONGEST_NAME
from laager.campaign.record import has_record, write_record
from laager.sheets.csv import csv_of
from laager.sheets.offers import leaf as form_of
from laager.web.campaigns import actions, notebook
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.records.log import diary
from laager.web.records.sheets import roster
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import processes
from laager.web.shared.http import file_response, form_language
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.web.models import Player

KEPT = 16 * 2**20
"""How many bytes of PDFs a worker keeps in memory."""

PRINTED: Recent[str, bytes] = Recent(200, KEPT, len)
"""The PDFs that were made last, by who asked and what is in them."""


def make_pdf(reader: Player, make: Callable[[], bytes]) -> bytes:
    """Make what `sheets.prepare_pdf` has prepared for somebody. Raises RefusedError as `Processes.do` does."""
    key = hashlib.sha256(pickle.dumps((reader.pk, make))).hexdigest()
    return PRINTED.get(key, lambda: processes.SLOW.do(reader.pk, make))


# Pages --------------------------------------------------------------------------------------------

BY = (("group", _("by group")), ("location", _("by Location")), ("unit", _("by unit")))
SORTS = (("type", _("type")), ("where", _("place")), ("id", _("ID")))
STATES = (("in-play", _("in play")), ("lost", _("lost")), ("all", _("all")))


@table_page
def units(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the units that the seat knows: by group, by Location or one by one."""
    given = request.GET
    chosen = roster.RosterFilter(
        by=given.get("by") or "group",
        sort=given.get("sort") or "type",
        side=given.get("side", ""),
        state=given.get("state") or "in-play",
        text=given.get("q", "").strip(),
    )
    parts = roster.parts(table, chosen)
    kept = {"sort": chosen.sort, "side": chosen.side, "state": chosen.state, "q": chosen.text}
    context = frame_context(table, "units") | {
        "has_units": roster.has_units(table),
        "chosen": chosen,
        "parts": parts,
        "sheet": roster.counter_sheet(table, [standing for part in parts for standing in part.units]),
        "count": sum(len(part.units) for part in parts),
        "ways": BY,
        "sorts": SORTS,
        "states": STATES,
        "sides": list(table.ruleset.sides),
        "kept": urlencode({name: value for name, value in kept.items() if value}),
    }
    return render(request, "records/sheets/units.html", context)


@seat_page()
def unit(request: HttpRequest, seat: Seat, name: str) -> HttpResponse:
    """Show a unit, and what it went through as far as the seat knows; take a name for it."""
    if request.method == "POST":
        actions.rename_unit(seat, name, request.POST.get("name", "")[:200])
        return redirect("unit", seat.game.pk, seat.name, name)
    with look(seat) as table:
        return _unit_page(request, table, name)


def _unit_page(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    story = diary.story(table, name)
    now = roster.unit(table, name)
    if now is None and not story:
        raise RefusedError(Refusal.NO_SUCH, f"you don't know a unit {name!r}")
    seat = table.seat
    context = frame_context(table, "units") | {
        "name": name,
        "unit": now,
        "sheet": roster.counter_sheet(table, [now] if now else []),
        "may_name": now is not None and now.side == seat.viewer and seat.may(Action.ANSWER),
        "given_name": table.view.named.get(name, now.name if now else ""),
        "longest_name": LONGEST_NAME,
        "story": story,
        "group_name": roster.group_names(table).get(now.group, "") if now else "",
        "along": [other for other in roster.units(table) if other.with_unit == name],
        "notes": notebook.notes_about(seat, f"unit {name}"),
        "may_note": seat.may(Action.DRAFT),
    }
    return render(request, "records/sheets/units_one.html", context)


# Sheets ------------------------------------------------------------------------------------------


@table_page
def sheets(request: HttpRequest, table: Table) -> HttpResponse:
    """Show which record sheets and forms there are for the seat, to be read or printed."""
    offers = paper.catalogue(table.campaign, table.view.viewer, form_language())
    context = frame_context(table, "sheets") | {"offers": offers, "has_record": has_record(table.campaign), **_papers()}
    return render(request, "records/sheets/sheets.html", context)


def _papers() -> dict[str, Any]:
    return {
        "papers": list(paper.PAPERS),
        "languages_of_forms": list(paper.LANGUAGES.items()),
        "language_of_forms": form_language(),
    }


@table_page
def sheet(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Show a form on the screen as it is printed."""
    language = form_language()
    viewer = table.view.viewer
    leaf = form_of(table.campaign, viewer, name, language)
    offers = paper.catalogue(table.campaign, viewer, language)
    context = frame_context(table, "sheets") | {
        "leaf": leaf,
        "offers": offers,
        "offer": next(offer for offer in offers if offer.id == name),
        **_papers(),
    }
    return render(request, "records/sheets/sheets_one.html", context)


@table_page
def sheet_csv(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """Give the tables of a form as CSV."""
    form = paper.plain(table.campaign, table.view.viewer, name)
    return file_response(csv_of(form), "text/csv; charset=utf-8", f"{_stem(table)}-{name}.csv")


@table_page
def record(request: HttpRequest, table: Table) -> HttpResponse:
    """Give the record at the start of the present step, from which a campaign can go on."""
    text = write_record(table.campaign, table.view.viewer)
    return file_response(text, "application/yaml; charset=utf-8", f"{_stem(table)}-record.yaml")


@seat_page()
def sheets_pdf(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the chosen forms as one PDF; it is laid out when the campaign is free again."""
    given = request.GET
    ids = given.getlist("id")
    size, language = given.get("paper") or "a4", given.get("language") or form_language()
    with look(seat) as table:
        make = paper.prepare_pdf(table.campaign, table.view.viewer, ids, size, language)
        name = f"{_stem(table)}-{ids[0] if len(ids) == 1 else 'sheets'}.pdf"
    return file_response(make_pdf(seat.user, make), "application/pdf", name)


def _stem(table: Table) -> str:
    return slugify(table.seat.game.title) or "campaign"


seat_patterns = [
    path("units", units, name="units"),
    path("units/<str:name>", unit, name="unit"),
    path("sheets", sheets, name="sheets"),
    path("record.yaml", record, name="record"),
    path("sheets.pdf", sheets_pdf, name="sheets-pdf"),
    path("sheets/<slug:name>", sheet, name="sheet"),
    path("sheets/<slug:name>.csv", sheet_csv, name="sheet-csv"),
]
