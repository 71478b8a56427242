"""Several open questions of a side on one page, answered by one button: all of them, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import Problem, Refusal, RefusedError
from laager.campaign import Sheet
from laager.web.campaigns import actions, drafts, progress
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import Asked, Table, look
from laager.web.play.asking import checks
from laager.web.play.asking.next_page import news_context, redirect_to_next
from laager.web.play.asking.pages import SHOWN_BESIDE
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.forms import data as forms
from laager.web.shared.forms.widgets import Making, Widget, lists_of, with_problems
from laager.web.shared.http import posted_fields
from laager.web.shared.translation import translate

GIVING = frozenset({"give", "sure"})


@dataclass(frozen=True)
class QuestionPart:
    """One question of the page, with what stands in it."""

    asked: Asked
    value: Any
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The name under which its fields stand in the form."""
        return f"q{self.asked.mark[:12]}"

    @property
    def warning(self) -> str:
        """What a legal answer spends or closes for good."""
        return "" if self.problems else self.asked.need_question().warning(self.value)

    def widget(self, names: Mapping[str, str]) -> Widget:
        """Return what the page shows of it."""
        question = self.asked.need_question()
        made = Making(names).widget(question.form, self.value, translate(question.text), self.name, self.name)
        return with_problems(made, self.problems)


@seat_page(Action.LOOK)
def answer_several(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show what a side is asked at once, with its proposals; take all the answers."""
    if request.method == "POST":
        seat.need(Action.DRAFT)
        if not drafts.of_side(seat):
            raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked prepares its answers")
        return _take_answers(request, seat)
    with look(seat) as table:
        open_questions = progress.on_one_page(table)
        if not open_questions:
            return redirect("table", seat.game.pk, seat.name)
        return _page(request, table, [_draft_part(seat, asked) for asked in open_questions])


def _draft_part(seat: Seat, asked: Asked) -> QuestionPart:
    draft = drafts.find_draft(seat, asked.mark)
    return QuestionPart(asked, asked.need_question().default if draft is None else draft.value)


def _take_answers(request: HttpRequest, seat: Seat) -> HttpResponse:
    do = request.POST.get("do", "give")
    marks = request.POST.getlist("mark")
    with look(seat) as table:
        open_questions = progress.on_one_page(table)
        if not marks or marks != [asked.mark for asked in open_questions]:
            raise RefusedError(Refusal.STALE, "other things are asked now", "look again, then answer what is asked")
        before = table.campaign.version
    data = posted_fields(request)
    parts = [_read_part(asked, data, do) for asked in open_questions]
    right = not any(part.problems for part in parts)
    unsure = list(dict.fromkeys(part.warning for part in parts if part.warning))
    if do in GIVING and right and (not unsure or (do == "sure" and request.POST.getlist("sure-of") == unsure)):
        actions.answer_all(seat, {part.asked.mark: part.value for part in parts})
        for part in parts:
            drafts.drop(seat, part.asked.mark)
        return redirect_to_next(seat, before)
    if drafts.of_side(seat):
        for part in parts:
            drafts.keep(seat, part.asked.mark, part.value)
    if do == "save" and right:
        messages.info(request, _("Kept for later. Your side hasn't submitted it yet."))
    with look(seat) as table:
        asked_again = do in GIVING and right
        return _page(request, table, parts, unsure if asked_again else (), 422 if not right else 200, checked=True)


def _read_part(asked: Asked, data: forms.Data, do: str) -> QuestionPart:
    question = asked.need_question()
    part = QuestionPart(asked, None)
    if question.empty and not any(name.partition(".")[0] == part.name for name in data):
        return QuestionPart(asked, question.default)
    value = forms.value_of(question.form, data, part.name)
    action, _colon, way = do.partition(":")
    name, _slash, rest = way.partition("/")
    adding = f"{action}:" in forms.ROW_BUTTONS
    if adding and name == part.name:
        value = forms.rows_changed(question.form, value, f"{action}:{rest}")
    return QuestionPart(asked, value, () if adding else checks.find_problems(question, value))


def _page(
    request: HttpRequest,
    table: Table,
    parts: Sequence[QuestionPart],
    unsure: Sequence[str] = (),
    status: int = 200,
    checked: bool = False,
) -> HttpResponse:
    seat, names = table.seat, checks.names_of(table)
    shown = [(part, part.widget(names)) for part in parts]
    lists = {id_: options for _part, widget in shown for id_, options in lists_of(widget).items()}
    context = frame_context(table, "table") | {
        "parts": shown,
        "step": parts[0].asked.pending.step,
        "lists": lists.items(),
        "checked": checked,
        "wrong": any(part.problems for part in parts),
        "unsure": unsure,
        "sheets": _sheets(table, parts),
        "shown_beside": SHOWN_BESIDE,
        "may_answer": seat.may_now(Action.ANSWER),
        "may_draft": drafts.of_side(seat),
        **news_context(request, table),
    }
    return render(request, "play/asking/together.html", context, status=status)


def _sheets(table: Table, parts: Sequence[QuestionPart]) -> Sequence[Sheet]:
    """Return the sheets to be seen beside the questions, each once."""
    sheets = {sheet.id: sheet for part in parts for sheet in checks.sheets_beside(table, part.asked)}
    return list(sheets.values())


seat_patterns = [path("answers/", answer_several, name="together")]
