"""Changing one's mind: taking back with consent, bringing back, conceding, agreeing on a draw."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from laager.base import Refusal, RefusedError
from laager.web.pages.seated import at_table, frame, seated
from laager.web.services.people.permissions import Action, Seat
from laager.web.services.play import actions
from laager.web.services.play.tables import Table

MOST_SHOWN = 40
"""So many of the last entries are offered to take back to."""


@at_table
def changing(request: HttpRequest, table: Table) -> HttpResponse:
    """Show what can be taken back, and how the campaign could be ended."""
    told = [one for one in table.log if one.text and one.counts]
    seat = table.seat
    context = frame(table, "table") | {
        "entries": told[-MOST_SHOWN - 1 : -1][::-1],
        "wishes": table.wishes,
        "may_answer": seat.may(Action.ANSWER),
        "alone": seat.may(Action.TAKE_BACK_ALONE),
        "over": not table.view.waiting_for,
    }
    return render(request, "laager/changing.html", context)


def _to_table(request: HttpRequest, seat: Seat, sentence: str) -> HttpResponse:
    messages.success(request, sentence)
    return redirect("table", seat.game.pk, seat.name)


@require_POST
@seated(Action.LOOK)
def take_back(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask to take back to an entry; to before one's own last answer if none is named."""
    actions.ask_back(seat, _entry(request, "to"))
    if seat.may(Action.TAKE_BACK_ALONE):
        return _to_table(request, seat, _("It was taken back."))
    return _to_table(request, seat, _("Your wish was told to the other side; it must agree."))


@require_POST
@seated(Action.ANSWER)
def consent(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Agree to the other side's wish to take back, or refuse it."""
    agree = _agreed(request)
    actions.consent_back(seat, agree, _meant(request))
    return _to_table(request, seat, _("It was taken back.") if agree else _("You refused."))


@require_POST
@seated(Action.ANSWER)
def consent_redo(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Agree to the other side's wish to bring back, or refuse it."""
    agree = _agreed(request)
    actions.consent_redo(seat, agree, _meant(request))
    return _to_table(request, seat, _("It was brought back.") if agree else _("You refused."))


@require_POST
@seated(Action.LOOK)
def bring_back(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask to bring back what was taken back last; the umpire brings back alone."""
    actions.bring_back(seat)
    if seat.may(Action.TAKE_BACK_ALONE):
        return _to_table(request, seat, _("It was brought back."))
    return _to_table(request, seat, _("Your wish was told to the other side; it must agree."))


@require_POST
@seated(Action.ANSWER)
def draw(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Propose a draw."""
    actions.propose_draw(seat)
    return _to_table(request, seat, _("You proposed a draw; the other side must agree."))


@require_POST
@seated(Action.ANSWER)
def answer_draw(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Agree to the proposed draw, or refuse it."""
    agree = _agreed(request)
    actions.answer_draw(seat, agree, _meant(request))
    return _to_table(request, seat, _("The campaign is drawn.") if agree else _("You refused."))


@require_POST
@seated(Action.ANSWER)
def concede(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give one's own side up, if the word was typed that is asked for."""
    if request.POST.get("sure") != "yes":
        raise RefusedError(Refusal.BAD_ANSWER, "nothing has changed", "tick that you are sure, then concede")
    actions.concede(seat)
    return _to_table(request, seat, _("You conceded."))


def _entry(request: HttpRequest, name: str) -> int | None:
    """Return the number of an entry that was sent under a name, if any. Raises RefusedError."""
    text = request.POST.get(name, "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RefusedError(Refusal.BAD_ANSWER, f"{text[:40]!r} is no number of an entry")
    return int(text) if text else None


def _meant(request: HttpRequest) -> int | None:
    """Return the number of the request that somebody had before them when they answered it."""
    return _entry(request, "request")


def _agreed(request: HttpRequest) -> bool:
    given = request.POST.get("agree", "")
    if given not in {"yes", "no"}:
        raise RefusedError(Refusal.BAD_ANSWER, "say whether you agree: yes or no")
    return given == "yes"


seat_patterns = [
    path("changing/", changing, name="changing"),
    path("changing/take-back/", take_back, name="take-back"),
    path("changing/consent/", consent, name="consent"),
    path("changing/bring-back/", bring_back, name="bring-back"),
    path("changing/consent-redo/", consent_redo, name="consent-redo"),
    path("changing/draw/", draw, name="draw"),
    path("changing/answer-draw/", answer_draw, name="answer-draw"),
    path("changing/concede/", concede, name="concede"),
]
