"""A setup on the map, or from a save of VASL: views of the draft that the list edits. And dice from a log."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError
from laager.web.campaigns import actions, drafts, scenes
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import Table, look
from laager.web.play.asking.next_page import news_context, redirect_to_next
from laager.web.play.asking.pages import EnteredAnswer, dice_page, question_page
from laager.web.play.battle import saves
from laager.web.play.report.pages import sent_value, upload
from laager.web.play.setup import setups
from laager.web.records.map.pages import stage
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import STATUS_OF

# On the map --------------------------------------------------------------------------------------


@seat_page(Action.DRAFT)
def setup(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Show the setup on the map; take it when it is given."""
    if request.method == "POST":
        return _take_setup(request, seat, mark)
    with look(seat) as table:
        return _map(request, table, mark)


def _map(request: HttpRequest, table: Table, mark: str, value: Any = None, status: int = 200) -> HttpResponse:
    """Return the page with what the side has begun, or with `value`, which was refused."""
    asked = saves.find_setup(table, mark)
    refused = value is not None
    if value is None:
        value = drafts.initial_answer(table.seat, asked)
    shown = scenes.scene_of(table)
    context = {
        **frame_context(table, "table"),
        **stage(table, shown),
        "asked": asked,
        "question": asked.need_question(),
        "board": setups.board(shown, asked, value),
        "prepared": drafts.find_draft(table.seat, mark) is not None,
        "may_answer": table.seat.may(Action.ANSWER),
        "refused": refused,
        **news_context(request, table),
    }
    return render(request, "play/setup/setup.html", context, status=status)


def _take_setup(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    value = sent_value(request, drafts.LARGEST)
    with look(seat) as table:
        saves.find_setup(table, mark)
        before = table.campaign.version
    drafts.keep(seat, mark, value)
    if request.POST.get("do") == "save":
        messages.success(request, _("Saved for later. Nothing has been submitted."))
        return redirect("setup", seat.game.pk, seat.name, mark)
    if request.POST.get("do") == "form":
        return redirect("ask", seat.game.pk, seat.name, mark)
    try:
        actions.answer(seat, mark, value)
    except DataError as err:
        with look(seat) as table:
            return _map(request, table, mark, value, STATUS_OF[err.code])
    drafts.drop(seat, mark)
    return redirect_to_next(seat, before)


@seat_page(Action.DRAFT, post=True)
def setup_check(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Say what is wrong with a setup as it stands and where it puts each unit, and keep it for later."""
    value = sent_value(request, drafts.LARGEST)
    with look(seat) as table:
        judged = setups.judge_setup(saves.find_setup(table, mark).need_question(), value)
    drafts.keep(seat, mark, value)
    return JsonResponse(judged)


# From VASL ---------------------------------------------------------------------------------------


@seat_page(Action.DRAFT, post=True)
def setup_save(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Take a save or log, and show the question with the setup that it proposes, and lists of what is open."""
    data, file, choices, owner = upload(request)
    with look(seat) as table:
        saves.find_setup(table, mark)
        proposal = saves.propose_from_save(seat, table, mark, data, file, choices, owner)
    desk = EnteredAnswer(dict(proposal.report), problems=proposal.problems, checked=True, prepared=True)
    return question_page(request, seat, mark, lambda _table, _asked: desk, proposal=proposal, choices=choices)


@seat_page(Action.ANSWER, post=True)
def dice_log(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Take a log, and show the dice's page with its rolls; the player clicks the one that counts."""
    data, file, _choices, _owner = upload(request)
    with look(seat) as table:
        asked = table.find(mark)
        asked.need_side(seat)
        rolls = saves.rolls_in(data, file, asked.need_roll().dice.count)
        return dice_page(request, table, asked, logged=rolls)


seat_patterns = [
    path("setup/<slug:mark>/", setup, name="setup"),
    path("setup/<slug:mark>/check", setup_check, name="setup-check"),
    path("ask/<slug:mark>/save", setup_save, name="setup-save"),
    path("ask/<slug:mark>/log", dice_log, name="dice-log"),
]
