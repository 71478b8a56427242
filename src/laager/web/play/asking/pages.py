"""Answering: a page for each question, whatever its form, and for dice that players roll."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.campaign import Question, Rows, SightFound
from laager.campaign.wording import comments, yaml_text
from laager.rules.board.report import REPORT_KEYS
from laager.web.campaigns import actions, drafts, los
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import Asked, Table, look
from laager.web.library.files import offers
from laager.web.play.asking import checks
from laager.web.play.asking.next_page import news_context, redirect_to_next
from laager.web.play.battle import saves
from laager.web.rules import reference
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.counters import Pictures
from laager.web.shared.forms import data as forms
from laager.web.shared.forms.widgets import Making, lists_of, with_costs, with_problems
from laager.web.shared.http import STATUS_OF, posted_fields
from laager.web.shared.translation import translate

RECORD_PART = "record-part"
"""The kind of form that has no fields: it is answered as text, or from a file."""
SHOWN_BESIDE = 60
"""A sheet of more rows than this is folded up at first."""


@dataclass(frozen=True)
class EnteredAnswer:
    """An answer as it was typed, by form or as text, with what is wrong with it."""

    value: Any
    by_text: bool = False
    text: str = ""
    problems: tuple[Problem, ...] = ()
    checked: bool = False
    prepared: bool = False
    """True if it is the side's draft, and not the proposal."""
    unsure: str = ""
    """What the answer spends or closes for good, if it was given and is asked for once more."""
    sights: tuple[SightFound, ...] = ()
    """What is found about LOS for it."""


# Looking -----------------------------------------------------------------------------------------


@seat_page(Action.LOOK)
def asking(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Show a question to be answered; take what was typed, and give the answer."""
    if request.method == "POST":
        return _take_post(request, seat, mark)

    def begin(table: Table, asked: Asked) -> EnteredAnswer | HttpResponse:
        question = asked.pending.question
        if question is None:
            return dice_page(request, table, asked)
        draft = drafts.find_draft(seat, mark)
        desk = EnteredAnswer(question.default if draft is None else draft.value, prepared=bool(draft))
        if draft is not None:
            desk = _with_problems(question, desk)
        by_text = request.GET.get("view") == "text" or question.form.kind == RECORD_PART
        return replace(desk, by_text=True) if by_text else desk

    return question_page(request, seat, mark, begin)


Begin = Callable[[Table, Asked], EnteredAnswer | HttpResponse]
"""Says what stands in the form, or answers the request without it."""


def question_page(
    request: HttpRequest, seat: Seat, mark: str, begin: Begin, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the page of a question with what `begin` says, and with the LOS that it depends on.

    Only if there is LOS to look up is the campaign let go meanwhile, and opened again. `more` is for the template.
    """
    with look(seat) as table:
        asked = table.find(mark)
        desk = begin(table, asked)
        if isinstance(desk, HttpResponse):
            return desk
        wanted = los.needed_los(table, asked, desk.value)
        if wanted is None:
            return _render_question(request, table, asked, desk, status, **more)
    desk = replace(desk, sights=los.look_up_los(wanted))
    with look(seat) as table:
        return _render_question(request, table, table.find(mark), desk, status, **more)


def _render_question(
    request: HttpRequest, table: Table, asked: Asked, desk: EnteredAnswer, status: int, **more: Any
) -> HttpResponse:
    question = asked.need_question()
    names = checks.names_of(table)
    cart = question.totals is not None
    making = Making(names, cart, checks.offers(question, desk.value))
    widget = making.widget(question.form, desk.value, translate(question.text))
    totals = checks.totals(question, desk.value)
    widget = with_costs(with_problems(widget, desk.problems), checks.costs(totals))
    seat, beside = table.seat, checks.sheets_beside(table, asked)
    goods = checks.goods_of(beside) if cart else {}
    own = desk.text or (desk.checked and desk.value is None)
    text = desk.text if own or not desk.by_text else yaml_text(desk.value)
    context = frame_context(table, "table") | {
        "asked": asked,
        "report_keys": REPORT_KEYS,
        "question": question,
        "rule": question.rule or asked.pending.step.clause,
        "widget": widget,
        "lists": lists_of(widget).items(),
        "totals": totals,
        **_warning_context(question, desk.value),
        "cart": cart,
        "secret": asked.pending.secret,
        "goods": goods,
        "pictures": Pictures(asked.pending.side),
        "sheets": checks.without_chart(beside) if goods else beside,
        "shown_beside": SHOWN_BESIDE,
        "tables": checks.tables_behind(table, asked),
        "reminders": reference.reminders(table, asked.pending.step.id),
        "desk": desk,
        "settles": bool(question.sights and question.sights.settled),
        "text": text,
        "notes": "\n".join(comments(question.form)) if desk.by_text else "",
        "note": drafts.note_of(seat, question.key) if cart else "",
        "may_answer": seat.may_now(Action.ANSWER) and seat.viewer == asked.pending.side,
        "may_draft": drafts.of_side(seat) and seat.viewer == asked.pending.side,
        "as_file": question.form.kind == RECORD_PART,
        "records": offers.files_of_record(seat.user, table.ruleset.id) if question.form.kind == RECORD_PART else (),
        "long": isinstance(question.form, Rows) or widget.kind == "record",
        "waiting": [side for side in table.view.waiting_for if side != asked.pending.side],
        "from_vasl": asked.pending.key == saves.SETUP,
        **news_context(request, table),
        **more,
    }
    return render(request, "play/asking/ask.html", context, status=status)


GIVING = frozenset({"give", "enter", "sure"})
"""What buttons say that give the answer: `sure` one that cannot be taken back alone, `enter` the Enter key."""

# Taking what was typed ---------------------------------------------------------------------------

_NO_FORM = frozenset({Refusal.STALE, Refusal.NOT_ASKED, Refusal.OVER, Refusal.LOCKED, Refusal.BROKEN_LOG})
"""After these refusals the form may be gone: what was typed is given back as text."""


def _take_post(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    seat.need(Action.DRAFT)
    try:
        return _take_answer(request, seat, mark)
    except RefusedError as err:
        if err.code not in _NO_FORM:
            raise
        # Somebody was faster, or it could not be stored: what was typed is handed back.
        with look(seat) as table:
            context = frame_context(table, "table") | {"refusal": err, "typed": _typed_text(request)}
            return render(request, "play/asking/ask_stale.html", context, status=STATUS_OF[err.code])


def _take_answer(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    do = request.POST.get("do", "give")
    with look(seat) as table:
        asked = table.find(mark)
        asked.need_side(seat)
        question = asked.pending.question
        before = table.campaign.version
        desk = None if question is None or do == "default" else _read(request, question)
        wanted = los.needed_los(table, asked, desk.value) if desk and do in {*GIVING, "los"} else None
    if question is None:
        return _take_dice(request, seat, asked, before)
    if desk is None:
        drafts.drop(seat, mark)
        messages.info(request, _("This is the proposal again."))
        return redirect("ask", seat.game.pk, seat.name, mark)
    _keep_note(request, seat, question)
    if do == "los":
        value = los.with_los(question, desk.value, los.look_up_los(wanted))
        return _show_again(request, seat, asked, EnteredAnswer(value, by_text=desk.by_text), do)
    if do in GIVING and not (desk.by_text and desk.problems):
        if (warning := _unconfirmed_warning(request, question, desk)) != "":
            return _show_again(request, seat, asked, replace(desk, unsure=warning, checked=True), do)
        try:
            actions.answer_with_los(seat, mark, desk.value, wanted)
        except DataError as err:
            desk = replace(desk, problems=_in_lines(desk, err.problems), checked=True)
        else:
            drafts.drop(seat, mark)
            return redirect_to_next(seat, before)
    return _show_again(request, seat, asked, desk, do)


def _warning_context(question: Question, value: Any) -> dict[str, str]:
    """Return what an answer spends or closes for good, and what its button is called if that is all it does."""
    return {"warning": question.warning(value), "agree": question.label_for(value)}


def _unconfirmed_warning(request: HttpRequest, question: Question, desk: EnteredAnswer) -> str:
    """Return what a legal answer gives up for good, unless the player knows it.

    Players know it if they have just confirmed it, or have clicked the button that says it, beneath the same words.
    """
    warning = question.warning(desk.value)
    do, said = request.POST.get("do"), request.POST.get("sure-of") == warning
    agreed = said and (do == "sure" or (do == "give" and question.label_for(desk.value) != ""))
    return "" if agreed or not question.allows(desk.value) else warning


def _show_again(request: HttpRequest, seat: Seat, asked: Asked, desk: EnteredAnswer, do: str) -> HttpResponse:
    """Show the question once more, with what was typed, and the problems of it."""
    question = asked.need_question()
    if do == "as-form" and not desk.problems:
        desk = replace(desk, by_text=False, text="")
    elif do == "as-text":
        desk = replace(desk, by_text=True, text="")
    else:
        desk = replace(desk, value=forms.rows_changed(question.form, desk.value, do))
    readable = not (desk.by_text and desk.value is None)
    mine = drafts.of_side(seat) and seat.viewer == asked.pending.side
    if mine and desk.value is not None:
        drafts.keep(seat, asked.mark, desk.value)
        desk = replace(desk, prepared=True)
        if do == "map":
            return redirect("setup", seat.game.pk, seat.name, asked.mark)
    if not desk.checked and readable and not do.startswith(forms.ROW_BUTTONS):
        desk = _with_problems(question, desk)
    status = 422 if do in GIVING and not desk.unsure else 200
    return question_page(request, seat, asked.mark, lambda _table, _asked: desk, status)


def _read(request: HttpRequest, question: Question) -> EnteredAnswer:
    """Return what was typed, in the fields of the form or as text."""
    if request.POST.get("view") == "proposal" and (question.empty or question.shortcut):
        return EnteredAnswer(question.default)
    if request.POST.get("view") != "text":
        return EnteredAnswer(forms.value_of(question.form, posted_fields(request)))
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        if not text.strip():
            raise DataError([Problem("nothing is written here yet", "write an answer")])
        return EnteredAnswer(parse_document(text, "").data, by_text=True, text=text)
    except DataError as err:
        return EnteredAnswer(None, by_text=True, text=text, problems=err.problems, checked=True)


def _keep_note(request: HttpRequest, seat: Seat, question: Question) -> None:
    if "note" in request.POST:
        drafts.keep_note(seat, question.key, request.POST["note"].replace("\r\n", "\n"))


def _typed_text(request: HttpRequest) -> str:
    """Return all that was typed, as text."""
    if request.POST.get("view") == "text":
        return request.POST.get("text", "")
    typed = {
        name: ", ".join(str(value) for value in values)
        for name, values in request.POST.lists()
        if name.startswith(f"{forms.ROOT}.") or name == forms.ROOT
    }
    return yaml_text(typed) if typed else ""


def _with_problems(question: Question, desk: EnteredAnswer) -> EnteredAnswer:
    problems = checks.find_problems(question, desk.value)
    return replace(desk, problems=_in_lines(desk, problems), checked=True)


def _in_lines(desk: EnteredAnswer, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Give the problems of an answer that was written as text the lines on which they stand."""
    if not desk.by_text or not desk.text:
        return problems
    return checks.add_lines(desk.text, problems)


# Checking while it is typed ----------------------------------------------------------------------


@seat_page(Action.DRAFT, post=True)
def checking(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Check what was typed so far, and keep it as a draft; it is not given."""
    try:
        return _check(request, seat, mark)
    except RefusedError as err:
        if err.code is not Refusal.STALE or not getattr(request, "htmx", False):
            raise
        # Nothing is wrong with what was typed: the page says that nobody waits for it.
        return render(request, "play/asking/ask_check.html", {"refusal": err, "seat": seat})


def _check(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    with look(seat) as table:
        asked = table.find(mark)
        asked.need_side(seat)
        question = asked.need_question()
        _keep_note(request, seat, question)
        desk = _read(request, question)
        if not desk.checked:
            desk = _with_problems(question, desk)
        wanted = los.needed_los(table, asked, desk.value)
        context = {
            "problems": desk.problems,
            "totals": checks.totals(question, desk.value),
            **({} if desk.problems else _warning_context(question, desk.value)),
            "cart": question.totals is not None,
            "judged": True,
            "settles": bool(question.sights and question.sights.settled),
        }
        widget = Making().widget(question.form, desk.value)
        widget = with_problems(widget, desk.problems)
        fields = checks.problems_by_field(widget)
    if drafts.of_side(seat) and desk.value is not None:
        drafts.keep(seat, mark, desk.value)
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"problems": fields})
    context["desk"] = replace(desk, sights=los.look_up_los(wanted))
    context["fields"] = json.dumps(fields)
    on_offer = checks.offers(question, desk.value)
    context["offers"] = json.dumps(checks.offers_json(on_offer))
    context["costs"] = json.dumps(dict(checks.costs(checks.totals(question, desk.value))))
    return render(request, "play/asking/ask_check.html", context)


# Dice --------------------------------------------------------------------------------------------


def dice_page(
    request: HttpRequest, table: Table, asked: Asked, typed: str = "", wrong: str = "", **more: Any
) -> HttpResponse:
    """Return the page on which dice are rolled or entered; `more` is for the template."""
    roll = asked.need_roll()
    context = frame_context(table, "table") | {
        "asked": asked,
        "roll": roll,
        "rule": roll.rule or asked.pending.step.clause,
        "drm": sum(modifier.value for modifier in roll.modifiers),
        "dice": range(roll.dice.count),
        "faces": range(1, 7),
        "tables": checks.tables_behind(table, asked),
        "typed": typed,
        "wrong": wrong,
        "secret": asked.pending.secret,
        "may_answer": table.seat.may_now(Action.ANSWER) and table.seat.viewer == asked.pending.side,
        **news_context(request, table),
        **more,
    }
    return render(request, "play/asking/dice.html", context, status=422 if wrong else 200)


def _take_dice(request: HttpRequest, seat: Seat, asked: Asked, before: int) -> HttpResponse:
    """Let the dice be rolled, or take those that were clicked or typed."""
    from laager.dice import parse_faces

    if request.POST.get("do") == "roll":
        actions.roll(seat, asked.mark)
        return redirect_to_next(seat, before)
    roll = asked.need_roll()
    typed = request.POST.get("faces", "").strip()
    clicked = [request.POST.get(f"die{i}", "") for i in range(roll.dice.count)]
    try:
        faces = parse_faces(roll.dice, typed or " ".join(clicked))
        actions.enter_dice(seat, asked.mark, list(faces))
    except DataError as err:
        with look(seat) as table:
            return dice_page(request, table, table.find(asked.mark), typed, translate(str(err)))
    return redirect_to_next(seat, before)


seat_patterns = [path("ask/<slug:mark>/", asking, name="ask"), path("check/<slug:mark>/", checking, name="check")]
