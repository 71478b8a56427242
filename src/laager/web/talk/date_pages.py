"""The page of the next session: proposing times, replying, fixing one, its calendar file."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from laager.base import DataError, Problem
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import look
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import STATUS_OF, file_response, parse_number
from laager.web.talk import dates
from laager.web.talk.messages import talk_news

FIELDS = 4
"""How many fields for times the form has."""
DEFAULT_HOURS = 4


@require_http_methods(["GET", "HEAD", "POST"])
@seat_page()
def show_dates(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show what is planned, or a form for a proposal; propose."""
    if request.method != "POST":
        return _page(request, seat)
    try:
        hours = parse_number(request.POST.get("hours", "")) or 0
        times = list(_read_local_times(request.POST.getlist("times")))
        dates.propose_times(seat, times, hours * 60, request.POST.get("note", ""))
    except DataError as err:
        return _page(request, seat, err)
    messages.success(request, _("Your proposal is there. The others are told."))
    return redirect("dates", seat.game.pk, seat.name)


def _read_local_times(texts: Iterable[str]) -> Iterable[datetime]:
    """Yield times typed by the clock of the person's zone. Raises DataError for one that isn't a time there."""
    zone = timezone.get_current_timezone()
    for text in filter(None, texts):
        try:
            local = datetime.fromisoformat(text[:16])
        except ValueError:
            raise DataError([Problem(f"this isn't a time: {text[:16]!r}", field="times")]) from None
        at = local.replace(tzinfo=zone).astimezone(UTC)
        if at.astimezone(zone).replace(tzinfo=None) != local:
            raise DataError([Problem(f"the clocks skip this time: {local:%Y-%m-%d %H:%M}", field="times")])
        yield at


def _page(request: HttpRequest, seat: Seat, err: DataError | None = None) -> HttpResponse:
    plan = dates.current_plan(seat.game)
    may_reply = seat.may_now(Action.DRAFT)
    with look(seat) as table:
        context = frame_context(table, "talk")
    typed = request.POST.getlist("times") if err else []
    context |= {
        "plan": plan,
        "times": dates.list_replies(seat, plan) if plan else (),
        "may_reply": may_reply,
        "may_decide": plan is not None and dates.may_decide(seat, plan) and not seat.game.archived,
        "zone": timezone.get_current_timezone_name(),
        "fields": [*typed, *[""] * FIELDS][: max(FIELDS, len(typed))],
        "hours": request.POST.get("hours", DEFAULT_HOURS) if err else DEFAULT_HOURS,
        "note": request.POST.get("note", "") if err else "",
        "problems": err.problems if err else (),
        "talk_unread": talk_news(seat).total,
    }
    return render(request, "talk/dates.html", context, status=STATUS_OF[err.code] if err else 200)


def _read_times(texts: Iterable[str]) -> list[datetime]:
    """Return the times that a form of ours has sent; what isn't a time is left out."""
    times = []
    for text in texts:
        try:
            at = datetime.fromisoformat(text[:40])
        except ValueError:
            continue
        if at.tzinfo is not None:
            times.append(at)
    return times


@seat_page(Action.DRAFT, post=True)
def reply(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Say at which times you can come."""
    dates.reply_to_plan(seat, number, _read_times(request.POST.getlist("times")))
    messages.success(request, _("The others see when you can come."))
    return redirect("dates", seat.game.pk, seat.name)


@seat_page(Action.DRAFT, post=True)
def fix(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Fix one of the times."""
    [at] = _read_times([request.POST.get("time", "")]) or [datetime.max.replace(tzinfo=UTC)]
    dates.fix_time(seat, number, at)
    messages.success(request, _("The session is fixed. The others are told."))
    return redirect("dates", seat.game.pk, seat.name)


@seat_page(post=True)
def call_off(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Call the session off."""
    dates.call_off(seat, number)
    messages.success(request, _("It is called off. The others are told."))
    return redirect("dates", seat.game.pk, seat.name)


@seat_page()
def calendar(_request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Give a fixed session as a calendar file."""
    data = dates.calendar_file(seat, dates.find_plan(seat, number))
    return file_response(data, "text/calendar; charset=utf-8", f"session-{number}.ics")


seat_patterns: list[Any] = [
    path("dates", show_dates, name="dates"),
    path("dates/<int:number>/reply", reply, name="dates-reply"),
    path("dates/<int:number>/fix", fix, name="dates-fix"),
    path("dates/<int:number>/off", call_off, name="dates-off"),
    path("dates/<int:number>/session.ics", calendar, name="dates-calendar"),
]
