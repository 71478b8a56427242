"""A setup on the map, or from a save of VASL: views of the draft that the list edits. And dice from a log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError
from laager.campaign import Question, Record, Spot
from laager.rules.board.changes import MMC
from laager.rules.board.places import ITEMS
from laager.rules.board.state import BoardState
from laager.web.campaigns import actions, drafts, scenes
from laager.web.campaigns.scenes import Scene
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import Table, look
from laager.web.play.asking import checks
from laager.web.play.asking.next_page import news_context, redirect_to_next
from laager.web.play.asking.pages import EnteredAnswer, dice_page, question_page
from laager.web.play.battle import saves
from laager.web.play.report.pages import sent_value, upload
from laager.web.records.map.pages import stage
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.counters import CounterSheet
from laager.web.shared.http import STATUS_OF
from laager.web.shared.translation import translate_form

if TYPE_CHECKING:
    from laager.campaign import Choice, Field
    from laager.rules.board.units import Unit
    from laager.web.campaigns.tables import Asked


def judge_setup(question: Question, value: Any) -> dict[str, Any]:
    """Return what is wrong with a setup, and where it puts each unit, as plain values."""
    return {
        "problems": checks.problems_json(checks.find_problems(question, value)),
        "placed": places_of(question, value),
    }


def places_of(question: Question, value: Any) -> Mapping[str, Spot]:
    """Return where an answer puts each unit; nothing while it can't be read."""
    if question.placing is None or question.placing.placed is None:
        return {}
    try:
        return question.placing.placed(question.form.parse(value))
    except DataError:
        return {}


def board(sheet: CounterSheet, shown: Scene, asked: Asked, value: Any) -> dict[str, Any]:
    """Return a setup with everything that the map page needs besides it, from the view of its side.

    Its counters are on `sheet`, whose symbols the page must have.
    """
    question, state, side = asked.need_question(), shown.state, asked.pending.side
    assert isinstance(question.form, Record), "a setup is a form of several parts"
    assert isinstance(state, BoardState), "only campaigns on a board set up"
    named = {field.name: _options(field) for field in _first_fields(question.form)}
    units = [state.units[name] for name in named.get("units", {}) if name in state.units]
    forts = named.get("forts", {})
    counts = {fort.id: fort.count for fort in state.forts.values()}
    own = {unit.id for unit in units}
    entries = question.placing.entries() if question.placing else {}
    return {
        "side": side,
        "value": value if isinstance(value, Mapping) else question.default,
        "default": question.default,
        "form": translate_form(question.form.describe()),
        "units": [_unit(sheet, unit, _group(state, unit)) | {"entries": entries.get(unit.id, ())} for unit in units],
        "forts": [
            {"id": name, "label": sheet.names.say(label), "type": label, "kind": "fort", "fort": True}
            | {"count": counts.get(name, 99), **(sheet.fort(state.forts[name]) if name in state.forts else {})}
            for name, label in forts.items()
        ],
        "others": [
            _unit(sheet, unit, "") | {"at": unit.at}
            for unit in state.units_of(side)
            if unit.on_map and unit.id not in own
        ],
        "items": sorted(ITEMS),
        "troops": sorted(MMC),
        "locations": {name: places for name in shown.map.hexes if len(places := shown.map.locations(name)) > 1},
        **checks.grounds(question),
        **judge_setup(question, value),
        # Until an answer can be read, units are where the proposal has them.
        "placed": {**places_of(question, question.default), **places_of(question, value)},
    }


def _first_fields(form: Record) -> list[Field]:
    """Return the parts that are lists of rows which name a piece."""
    return [part for part in form.fields if part.name in {"units", "forts"}]


def _options(part: Field) -> dict[str, str]:
    form: Any = part.form
    names: Choice = form.row.fields[0].form
    return {option.value: option.label or option.value for option in names.options}


def _group(state: BoardState, unit: Unit) -> str:
    groups: Mapping[tuple[str, str], Any] = getattr(state, "groups", {})
    name = getattr(groups.get((unit.side, unit.group)), "name", "")
    return f"{unit.group} {name}".strip()


def _unit(sheet: CounterSheet, unit: Unit, group: str) -> dict[str, Any]:
    words = {"id": unit.id, "label": sheet.names.name(unit), "type": unit.type, "kind": unit.kind, "group": group}
    return words | sheet.unit(unit)


# On the map ---------------------------------------------------------------------------------------


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
    sheet = CounterSheet.of(table.campaign, shown.state, table.view.named)
    context = {
        **frame_context(table, "table"),
        **stage(table, shown),
        "sheet": sheet,
        "asked": asked,
        "question": asked.need_question(),
        "board": board(sheet, shown, asked, value),
        "prepared": drafts.find_draft(table.seat, mark) is not None,
        "may_answer": table.seat.may_now(Action.ANSWER),
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
        judged = judge_setup(saves.find_setup(table, mark).need_question(), value)
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
