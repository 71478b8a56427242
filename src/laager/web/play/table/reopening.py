"""Opening an earlier answer again: the battle report in which something was forgotten; answering as before."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError
from laager.campaign import UMPIRE, rulings
from laager.web.campaigns import actions
from laager.web.campaigns.reopening import find_answers
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import parse_number


@table_page
def reopening(request: HttpRequest, table: Table) -> HttpResponse:
    """Show which answers can be opened again, and ask for the reason."""
    table.seat.need(_action(table.seat))
    answers = find_answers(table)
    number = parse_number(request.GET.get("entry", ""))
    context = frame_context(table, "log") | {
        "answers": answers,
        "chosen": number or (answers[0].number if answers else None),
        "alone": table.seat.viewer == UMPIRE and rulings.terms_of(table.campaign.opening).umpire_alone,
        "longest": rulings.LONGEST_WHY,
    }
    return render(request, "play/table/reopening.html", context)


def _action(seat: Seat) -> Action:
    return Action.TAKE_BACK_ALONE if seat.viewer == UMPIRE else Action.ANSWER


@seat_page(Action.LOOK, post=True)
def reopen(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask to open an answer again."""
    seat.need(_action(seat))
    number = parse_number(request.POST.get("entry", ""))
    if number is None:
        raise RefusedError(Refusal.BAD_ANSWER, "say which answer you want to open again")
    opened = actions.reopen(seat, number, request.POST.get("why", ""))
    if opened:
        messages.success(request, _("It is open again, with the old answer filled in."))
    else:
        messages.success(request, _("The other side has been asked. When it agrees, your old answer opens again."))
    return redirect("table", seat.game.pk, seat.name)


@seat_page(Action.ANSWER, post=True)
def as_before(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Answer as before a ruling what still holds: in this step, or onward."""
    actions.answer_as_before(seat, onward=request.POST.get("onward") == "yes")
    messages.success(request, _("You answered as before."))
    return redirect("table", seat.game.pk, seat.name)


seat_patterns = [
    path("changing/reopening/", reopening, name="reopening"),
    path("changing/reopen/", reopen, name="reopen"),
    path("changing/as-before/", as_before, name="as-before"),
]
