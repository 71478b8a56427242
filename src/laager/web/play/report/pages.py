"""The report of a battle by map: units placed, Control set, a save of VASL read; one draft."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.campaign import Record
from laager.campaign.settling import agreed_sides
from laager.hexmap import split_location
from laager.rules.board.report.marks import FITS, NEEDS, marks_replaced_by
from laager.rules.board.report.outcome import common_types
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING
from laager.web.campaigns import actions, drafts, scenes
from laager.web.campaigns.scenes import Scene
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Asked, Table, look
from laager.web.play.asking import checks
from laager.web.play.asking.next_page import news_context, redirect_to_next
from laager.web.play.battle import saves, ticks
from laager.web.records.map.hexes import knows_secrets_of
from laager.web.records.map.pages import stage
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.counters import CounterSheet
from laager.web.shared.http import STATUS_OF, parse_number
from laager.web.shared.translation import translate_form

if TYPE_CHECKING:
    from laager.rules.board.units import Fort, Unit

# What the page needs ------------------------------------------------------------------------------


def board(sheet: CounterSheet, table: Table, shown: Scene, asked: Asked, value: Any) -> dict[str, Any]:
    """Return a report with everything that the map page needs besides it, as plain values.

    Everything is from the view of the side: its own units, the enemy's that it knows. Its counters are on `sheet`.
    """
    question = asked.pending.question
    assert question is not None
    assert isinstance(question.form, Record), "a report is a form of several parts"
    state, side = shown.state, asked.pending.side
    parts = {part.name for part in question.form.fields}
    assert isinstance(state, BoardState), "only campaigns with a board ask for reports"
    units = list(state.units_of(side)) if "units" in parts else []
    places = {name: shown.map.locations(name) for name in shown.map.hexes if len(shown.map.locations(name)) > 1}
    strategic: dict[str, list[str]] = {}
    for where in shown.layers.strategic:
        strategic.setdefault(split_location(where)[0], []).append(where)
    return {
        "key": question.key,
        "side": side,
        "sides": dict(shown.layers.sides) or {name: name for name in table.ruleset.sides},
        "value": value if isinstance(value, Mapping) else question.default,
        "default": question.default,
        # Where the model has settled the battle, changes still count from what was before it.
        "unchanged": asked.pending.unsettled,
        "form": translate_form(question.form.describe()),
        "units": [_unit(sheet, table.campaign.context, unit) for unit in units],
        "enemies": [
            {"id": unit.id, "label": sheet.names.name(unit, place=False), "at": unit.at, "side": unit.side}
            | sheet.unit(unit)
            for unit in state.units.values()
            if unit.side != side and unit.known and unit.on_map and not unit.has(*HIDING)
        ],
        "fits": {mark.value: sorted(kinds) for mark, kinds in FITS.items()},
        "replaces": {kind: _replaced_marks(kind) for kind in sorted({unit.kind for unit in units})},
        "needs": {mark.value: base.value for mark, base in NEEDS.items()},
        "locations": places,
        "strategic": strategic,
        "control": dict(state.ground.control),
        "fires": {**dict.fromkeys(state.ground.flames, "flame"), **dict.fromkeys(state.ground.blazes, "blaze")},
        "forts": [_fort(fort) | sheet.fort(fort) for fort in state.forts.values() if _knows_fort(side, fort)],
    }


def _knows_fort(side: str, fort: Fort) -> bool:
    return fort.at is not None and (knows_secrets_of(side, fort.side) or not fort.hidden)


def _replaced_marks(kind: str) -> dict[str, list[str]]:
    return {mark.value: sorted(others) for mark, others in marks_replaced_by(kind).items()}


def _unit(sheet: CounterSheet, cg: Any, unit: Unit) -> dict[str, Any]:
    becomes = common_types(cg, unit)
    return {
        **sheet.unit(unit),
        "faces": {type_: sheet.type(unit.side, unit.nation, type_) for type_ in becomes.values()},
        "id": unit.id,
        "label": sheet.names.name(unit),
        "type": unit.type,
        "kind": unit.kind,
        "name": unit.name,
        "at": unit.at or "",
        "on_map": unit.on_map,
        "with": unit.with_unit,
        "group": unit.group,
        "becomes": becomes,
    }


def _fort(fort: Fort) -> dict[str, Any]:
    label = f"{fort.kind} {fort.size}".rstrip()
    return {"id": fort.id, "side": fort.side, "label": label, "at": fort.at}


# Pages --------------------------------------------------------------------------------------------

MOST_CHOICES = 2000
MOST_TEXT = 2 * 2**20


@table_page
def first_report(request: HttpRequest, table: Table) -> HttpResponse:
    """Go to the report that is asked of the seat now."""
    asked = saves.reports_of(table)
    if not asked:
        raise RefusedError(Refusal.NOT_ASKED, "you don't have to report a battle now")
    return redirect("report", table.seat.game.pk, table.seat.name, asked[0].mark)


@seat_page(Action.DRAFT)
def report(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Show the report on the map; take it when it is given."""
    if request.method == "POST":
        return _take_report(request, seat, mark)
    with look(seat) as table:
        return _page(request, table, mark)


def _page(
    request: HttpRequest, table: Table, mark: str, value: Any = None, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the page with what the side has begun, or with `value`."""
    asked, question = saves.find_report(table, mark)
    prepared = drafts.find_draft(table.seat, mark) is not None
    # Once there is a draft, the ticks are in it.
    noted = ticks.ticked_boxes(table) if value is None and not prepared and question.key in ticks.REPORTS else ()
    if value is None:
        value = drafts.initial_answer(table.seat, asked)
    shown = scenes.scene_of(table)
    sheet = CounterSheet.of(table.campaign, shown.state, table.view.named)
    context = {
        **frame_context(table, "table"),
        **stage(table, shown),
        "sheet": sheet,
        "asked": asked,
        "question": question,
        "board": board(sheet, table, shown, asked, value) | {"ticks": noted},
        "problems": checks.find_problems(question, value),
        "prepared": prepared,
        "noted": noted,
        "may_answer": table.seat.may_now(Action.ANSWER),
        "most": saves.MOST,
        "settling": _settling(table),
        **news_context(request, table),
        **more,
    }
    return render(request, "play/report/report.html", context, status=status)


def _settling(table: Table) -> str:
    """Return how far the sides are with settling the battle: agreed, asked by this seat's side, or open."""
    sides = agreed_sides(table.campaign)
    if sides >= set(table.ruleset.sides):
        return "agreed"
    return "asked" if table.seat.viewer in sides else "open"


def sent_value(request: HttpRequest, most: int = MOST_TEXT) -> dict[str, Any]:
    """Return the report or setup that was sent. Raises DataError for what cannot be read."""
    text = request.POST.get("value", "")
    try:
        if len(text) > most:
            raise ValueError
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        problem = Problem("part of it is missing", "reload the page and try again")
        raise DataError([problem], Refusal.BAD_ANSWER)
    return value


def _take_report(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    value = sent_value(request)
    drafts.keep(seat, mark, value)
    if request.POST.get("do") == "save":
        messages.success(request, _("Saved for later. Nothing has been submitted."))
        return redirect("report", seat.game.pk, seat.name, mark)
    if request.POST.get("do") == "form":
        return redirect("ask", seat.game.pk, seat.name, mark)
    with look(seat) as table:
        before = table.campaign.version
    try:
        actions.answer(seat, mark, value)
    except DataError as err:
        with look(seat) as table:
            return _page(request, table, mark, value, STATUS_OF[err.code], refused=True)
    drafts.drop(seat, mark)
    messages.success(request, _("You have submitted the report."))
    return redirect_to_next(seat, before)


@seat_page(Action.DRAFT, post=True)
def report_check(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Say what is wrong with a report as it stands, and keep it for later."""
    value = sent_value(request)
    with look(seat) as table:
        _asked, question = saves.find_report(table, mark)
        problems = checks.find_problems(question, value)
    drafts.keep(seat, mark, value)
    return JsonResponse({"problems": checks.problems_json(problems)})


@seat_page(Action.DRAFT, post=True)
def report_save(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Take a VASL save or log: what it proposes becomes the draft, with lists of what is open."""
    asynchronous = request.headers.get("Accept") == "application/json"
    try:
        data, file, choices, owner = upload(request)
        with look(seat) as table:
            saves.find_report(table, mark)
            proposal = saves.propose_from_save(seat, table, mark, data, file, choices, owner)
            if not asynchronous:
                report = dict(proposal.report)
                return _page(request, table, mark, report, proposal=proposal, choices=choices)
    except LaagerError as err:
        if not asynchronous:
            raise
        refused = {"refusal": err, "problems": err.problems, "heading": err.heading}
        text = render_to_string("shared/refused_part.html", refused, request)
        return JsonResponse({"html": text}, status=STATUS_OF[err.code])
    context = {"proposal": proposal, "choices": choices}
    text = render_to_string("play/report/report_vasl.html", context, request)
    open_ = checks.problems_json(proposal.problems)
    return JsonResponse({"html": text, "value": proposal.report, "problems": open_})


def upload(request: HttpRequest) -> tuple[bytes, str, dict[str, str], int | None]:
    """Return the file that was sent, its name, the choices made and the owner's number.

    Files are read in memory (settings.FILE_UPLOAD_HANDLERS); one too large does not get here.
    """
    file = request.FILES.get("save")
    if file is None:
        right = f"choose a .vsav or .vlog of at most {saves.MOST // 2**20} MB"
        raise DataError([Problem("no file arrived", right)])
    choices = {
        name.removeprefix("choice:"): str(value)
        for name, value in list(request.POST.items())[:MOST_CHOICES]
        if name.startswith("choice:") and value
    }
    text = request.POST.get("owner", "").strip()
    owner = parse_number(text, 4)
    if text and owner is None:
        raise DataError([Problem(f"{text[:20]!r} is not an owner", "give the number of an owner")])
    return file.read(), file.name or "", choices, owner


seat_patterns = [
    path("report", first_report, name="first-report"),
    path("report/<slug:mark>/", report, name="report"),
    path("report/<slug:mark>/check", report_check, name="report-check"),
    path("report/<slug:mark>/save", report_save, name="report-save"),
]
