"""The log as a war diary, and one entry with all that explains it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext_lazy as _

from laager.base import Refusal, RefusedError
from laager.campaign.views import find
from laager.web.campaigns import notebook
from laager.web.campaigns.reopening import has_reported, may_reopen
from laager.web.campaigns.seat_pages import frame_context, table_page
from laager.web.campaigns.tables import Table
from laager.web.models import Member
from laager.web.records.log import diary, explanation
from laager.web.records.log.diary import Filter
from laager.web.seats import seatlog
from laager.web.seats.permissions import Action
from laager.web.shared.http import parse_number
from laager.web.shared.storing import store_if_possible

KINDS = (
    ("", _("everything")),
    ("rolls", _("rolls")),
    ("answers", _("answers")),
    ("purchases", _("purchases")),
    ("units", _("units")),
    ("rulings", _("rulings")),
    ("undone", _("taken back")),
)


SEAT_CHANGES = 10
"""How many changes of seats the log's page shows; the People page has all of them."""


@table_page
def log(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the war diary, a page of it; the newest page marks it as read."""
    at = _number(request, "at")
    if at is not None:
        find(table.view, at)
    wanted = Filter(request.GET.get("kind", ""), request.GET.get("q", "").strip(), _number(request, "since") or 0)
    sections = diary.sections(table, wanted)
    leaf = diary.find_page(sections, _number(request, "page"), at)
    told_to = table.seat.member.told_to
    context = frame_context(table, "log") | {
        "leaf": leaf,
        "at": at,
        "wanted": wanted,
        "kinds": KINDS,
        "told_to": told_to,
        "fresh": _fresh(table, told_to),
        "query": _query(wanted),
        "of": table.view.version,
        "changes": seatlog.changes(table.seat.game)[:SEAT_CHANGES],
        "may_reopen": _may_reopen_report(table),
    }
    response = render(request, "records/log/log.html", context)
    if request.method == "GET" and leaf.newest and not wanted.kind and not wanted.text:
        _read_to(table)
    return response


def _may_reopen_report(table: Table) -> bool:
    """True if a seat may ask to open a battle report again, and there is one."""
    seat = table.seat
    return (seat.may(Action.ANSWER) or seat.may(Action.TAKE_BACK_ALONE)) and has_reported(table)


def _fresh(table: Table, told_to: int) -> int:
    """Return how many entries that say something came since somebody last looked."""
    return sum(1 for line in table.log[told_to:] if line.text) if told_to else 0


def _query(wanted: Filter) -> str:
    """Return what is looked for as it stands in addresses, to be followed by more."""
    given = {"kind": wanted.kind, "q": wanted.text, "since": wanted.since}
    return urlencode({name: value for name, value in given.items() if value})


def _read_to(table: Table) -> None:
    """Remember how far somebody has read."""
    member, version = table.seat.member, table.view.version
    if member.told_to < version:
        with store_if_possible():
            Member.objects.filter(pk=member.pk, told_to__lt=version).update(told_to=version)


def _number(request: HttpRequest, name: str) -> int | None:
    """Return a number in the address. Raises RefusedError for what is none."""
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    number = parse_number(text)
    if number is None:
        raise RefusedError(Refusal.NO_SUCH, f"{text!r} is not a number", f"give {name} as a number, such as 12")
    return number


@table_page
def entry(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    """Explain one entry: its rule, its dice, the answer in full, what it came from and led to."""
    explained = explanation.explain(table, number)
    seat = table.seat
    may = seat.may(Action.ANSWER) or seat.may(Action.TAKE_BACK_ALONE)
    shown: dict[str, Any] = {
        "game": seat.game,
        "seat": seat,
        "table": table,
        "one": explained,
        "of": table.view.version,
        "notes": notebook.notes_about(seat, f"entry {number}"),
        "may_note": seat.may(Action.DRAFT),
    }
    if getattr(request, "htmx", False):
        return render(request, "records/log/log_why.html", shown)
    context = frame_context(table, "log") | shown
    context |= {
        "alone": seat.may(Action.TAKE_BACK_ALONE),
        "may_take_back": may and explained.line.counts and 1 < number < table.view.version,
        "may_reopen": may and may_reopen(table, number),
    }
    return render(request, "records/log/log_entry.html", context)


seat_patterns = [path("log", log, name="log"), path("log/<int:number>", entry, name="log-entry")]
