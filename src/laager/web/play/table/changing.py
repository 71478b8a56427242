"""Changing one's mind: taking back with consent, bringing back, opening an answer again, conceding, a draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from laager.base import Refusal, RefusedError
from laager.campaign import UMPIRE, rulings
from laager.campaign.patience import patience_of
from laager.web.campaigns import actions
from laager.web.campaigns.reopening import find_answers
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import parse_number

MOST_ENTRIES = 40
"""Most entries that are offered to take back to: the last ones."""


@table_page
def changing(request: HttpRequest, table: Table) -> HttpResponse:
    """Show what can be taken back, and how the campaign could be ended."""
    entries = [line for line in table.log if line.text and line.counts]
    seat = table.seat
    context = frame_context(table, "table") | {
        "entries": entries[-MOST_ENTRIES - 1 : -1][::-1],
        "wishes": table.wishes,
        "may_answer": seat.may_now(Action.ANSWER),
        "may_rule": seat.may(Action.ANSWER) or seat.may(Action.TAKE_BACK_ALONE),
        "alone": seat.may(Action.TAKE_BACK_ALONE),
        "over": not table.view.waiting_for,
        "patience": patience_of(table.campaign),
    }
    return render(request, "play/table/changing.html", context)


def _to_table(request: HttpRequest, seat: Seat, sentence: str) -> HttpResponse:
    messages.success(request, sentence)
    return redirect("table", seat.game.pk, seat.name)


@seat_page(Action.LOOK, post=True)
def take_back(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask to take back to an entry; to before one's own last answer if none is named."""
    if actions.ask_back(seat, _entry(request, "to")):
        return _to_table(request, seat, _("It was taken back."))
    return _to_table(request, seat, _("The other side has been asked and must agree."))


def _consent_page(
    answer: Callable[[Seat, bool, int | None], object], agreed: Any, *, of_umpire: bool = False, alone: Any = None
) -> Callable[..., Any]:
    """Make a page that agrees to what the other side asked, or refuses it; `of_umpire`: the umpire can, too.

    `alone` is what it says where the other side has still to agree: `answer` returns False then.
    """

    @seat_page(Action.LOOK, post=True)
    def page(request: HttpRequest, seat: Seat) -> HttpResponse:
        if not (of_umpire and seat.may(Action.TAKE_BACK_ALONE)):
            seat.need(Action.ANSWER)
        agree = request.POST.get("agree", "")
        if agree not in {"yes", "no", "withdraw"}:
            raise RefusedError(Refusal.BAD_ANSWER, "say whether you agree: yes or no")
        # The request that the player had on the page when they answered it.
        done = answer(seat, agree == "yes", _entry(request, "request"))
        if agree != "yes":
            return _to_table(request, seat, _("You refused.") if agree == "no" else _("It is withdrawn."))
        return _to_table(request, seat, alone if alone and not done else agreed)

    return page


consent = _consent_page(actions.consent_back, gettext_lazy("It was taken back."))
consent_ruling = _consent_page(actions.consent_ruling, gettext_lazy("The ruling counts."), of_umpire=True)
consent_redo = _consent_page(actions.consent_redo, gettext_lazy("It was brought back."))
answer_draw = _consent_page(actions.answer_draw, gettext_lazy("The campaign is drawn."))


settle = _consent_page(
    actions.settle_battle,
    gettext_lazy("The model has settled the battle: look at your report, change what you like, and submit it."),
    alone=gettext_lazy("You would let the model settle this battle."),
)


answer_patience = _consent_page(actions.answer_patience, gettext_lazy("The new terms are in force."))


@seat_page(Action.ANSWER, post=True)
def propose_patience(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Propose other terms about the time for a move."""
    days = parse_number(request.POST.get("patience-days") or "0", 3)
    actions.propose_patience(seat, -1 if days is None else days, request.POST.get("patience-then", ""))
    return _to_table(request, seat, _("The other side has been asked and must agree."))


@seat_page(Action.LOOK, post=True)
def late(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Let the sensible commander answer for a side that is late."""
    actions.answer_for_late(seat, request.POST.get("side", ""))
    return _to_table(request, seat, _("The sensible commander has answered."))


@seat_page(Action.LOOK, post=True)
def bring_back(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask to bring back what was taken back last; the umpire brings back alone."""
    actions.bring_back(seat)
    if seat.may(Action.TAKE_BACK_ALONE):
        return _to_table(request, seat, _("It was brought back."))
    return _to_table(request, seat, _("The other side has been asked and must agree."))


@seat_page(Action.ANSWER, post=True)
def draw(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Propose a draw."""
    actions.propose_draw(seat)
    return _to_table(request, seat, _("You proposed a draw; the other side must agree."))


@seat_page(Action.ANSWER, post=True)
def concede(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give one's own side up, if the word was typed that is asked for."""
    if request.POST.get("sure") != "yes":
        raise RefusedError(Refusal.BAD_ANSWER, "nothing has changed", "confirm that you are sure, then concede")
    actions.concede(seat)
    return _to_table(request, seat, _("You conceded."))


def _entry(request: HttpRequest, name: str) -> int | None:
    """Return the number of an entry that was sent under a name, if any. Raises RefusedError."""
    text = request.POST.get(name, "")
    entry = parse_number(text)
    if text and entry is None:
        raise RefusedError(Refusal.BAD_ANSWER, f"{text[:40]!r} is not the number of an entry")
    return entry


# Opening an answer again --------------------------------------------------------------------------


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
    path("changing/", changing, name="changing"),
    path("changing/take-back/", take_back, name="take-back"),
    path("changing/consent/", consent, name="consent"),
    path("changing/bring-back/", bring_back, name="bring-back"),
    path("changing/consent-redo/", consent_redo, name="consent-redo"),
    path("changing/consent-ruling/", consent_ruling, name="consent-ruling"),
    path("changing/draw/", draw, name="draw"),
    path("changing/settle/", settle, name="settle"),
    path("changing/patience/", propose_patience, name="propose-patience"),
    path("changing/answer-patience/", answer_patience, name="answer-patience"),
    path("changing/late/", late, name="late"),
    path("changing/answer-draw/", answer_draw, name="answer-draw"),
    path("changing/concede/", concede, name="concede"),
    path("changing/reopening/", reopening, name="reopening"),
    path("changing/reopen/", reopen, name="reopen"),
    path("changing/as-before/", as_before, name="as-before"),
]
