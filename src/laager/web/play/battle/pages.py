"""Go and play: all that a side needs while the battle is fought, on one page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from laager.base import DataError, LaagerError, Problem
from laager.sheets.offers import catalogue, leaf
from laager.web.campaigns import progress
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.library.maps import boards
from laager.web.play.battle import saves, ticks
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import STATUS_OF, file_response, form_language


@table_page
def battle(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the battle's form of each side whose secrets the seat knows, with what is asked meanwhile."""
    viewer, language = table.view.viewer, form_language()
    offered = {offer.id for offer in catalogue(table.campaign, viewer, language)}
    fought = [side for side in table.ruleset.sides if f"battle-{side}" in offered]
    context = frame_context(table, "table") | {
        "leaves": [leaf(table.campaign, viewer, f"battle-{side}", language) for side in fought],
        "printed": urlencode([("id", f"{form}-{side}") for side in fought for form in ("battle", "report")]),
        "todo": progress.todo(table),
        "may_answer": table.seat.may_now(Action.ANSWER),
        "ticklist": ticks.ticklist(table) if fought else {},
        "ticked": ticks.ticked_boxes(table),
    }
    return render(request, "play/battle/battle.html", context)


@seat_page(Action.DRAFT, post=True)
def tick(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Keep what is ticked: one box of a page with scripts, or the whole list."""
    given, among = request.POST.getlist("tick"), request.POST.getlist("among")
    ticks.keep_ticks(seat, given, among or None)
    if among:
        return HttpResponse(status=204)
    return redirect(reverse("battle", args=[seat.game.pk, seat.name]) + "#ticks")


# Setups for VASL ----------------------------------------------------------------------------------


@table_page
def vasl_files(request: HttpRequest, table: Table) -> HttpResponse:
    """Show what becomes of the battle in VASL, and what the side does there."""
    return _vasl_page(request, table)


def _vasl_page(request: HttpRequest, table: Table, refusal: LaagerError | None = None) -> HttpResponse:
    layout = request.POST.get("layout", request.GET.get("layout", ""))
    context: dict[str, Any] = frame_context(table, "table") | {
        "counters": saves.counters_of(table.seat.user),
        "extensions": saves.extensions_of(table.seat.user),
        "pictured": saves.has_boards(table),
        "layout": layout,
        "refusal": refusal,
        "most": saves.MOST_SAVE,
    }
    if context["counters"] is not None and refusal is None and (context["pictured"] or layout):
        try:
            context["setup"] = saves.setup_at(table, layout)
        except LaagerError as err:
            context["refusal"] = refusal = err
    status = 200 if refusal is None else STATUS_OF[refusal.code]
    return render(request, "play/battle/battle_vasl.html", context, status=status)


@seat_page(post=True)
def send_counters(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Keep the counters of the player's module, or remove them."""
    if request.POST.get("do") == "remove":
        saves.forget_counters(seat.user)
        messages.success(request, _("Your counters are removed."))
        return redirect("battle-vasl", seat.game.pk, seat.name)
    files = [(saves.display_name(file.name or ""), file.read()) for file in request.FILES.getlist("counters")]
    try:
        kept = saves.keep_counters(seat.user, files)
    except LaagerError as err:
        with look(seat) as table:
            return _vasl_page(request, table, err)
    sentence = _("Kept: %(count)d counters of VASL %(version)s") % {"count": kept.counters, "version": kept.version}
    messages.success(request, sentence)
    return redirect("battle-vasl", seat.game.pk, seat.name)


@seat_page()
def own_board(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the board of the campaign's map; or keep it in the player's library, and set up on it."""
    with look(seat) as table:
        map_ = saves.printed_map(table)
    try:
        name, data = saves.make_board(seat.user, map_)
        if request.method != "POST":
            return file_response(data, "application/octet-stream", name)
        boards.keep_boards(seat.user, [(name, data)])
    except LaagerError as err:
        with look(seat) as table:
            return _vasl_page(request, table, err)
    messages.success(request, _("%(name)s is in your library.") % {"name": name})
    layout = urlencode({"layout": name.removeprefix("bd")})
    return redirect(f"{reverse('battle-vasl', args=[seat.game.pk, seat.name])}?{layout}")


@seat_page(post=True)
def take_setup(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the setup: as a save, as a log, or added to the save that is sent; or show what its side hides."""
    kind, layout = request.POST.get("kind", saves.SAVE), request.POST.get("layout", "")
    if kind == "look":
        with look(seat) as table:
            return _vasl_page(request, table)
    try:
        into = None
        if kind == "into":
            file = request.FILES.get("save")
            if file is None:
                raise DataError([Problem("no file arrived", "choose the save that the other side sent you")])
            into = (saves.display_name(file.name or ""), file.read())
        with look(seat) as table:
            made = saves.write_setup(table, kind, layout, into)
    except LaagerError as err:
        with look(seat) as table:
            return _vasl_page(request, table, err)
    return file_response(made.data, "application/octet-stream", made.name)


seat_patterns = [
    path("battle", battle, name="battle"),
    path("battle/ticks", tick, name="battle-ticks"),
    path("vasl", vasl_files, name="battle-vasl"),
    path("vasl/counters", send_counters, name="battle-vasl-counters"),
    path("vasl/board", own_board, name="battle-vasl-board"),
    path("vasl/take", take_setup, name="battle-vasl-take"),
]
