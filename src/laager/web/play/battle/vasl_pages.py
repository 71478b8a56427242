"""The battle in VASL: the player's counters are sent once, the setup is taken as a file."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from laager.base import DataError, LaagerError, Problem
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.play.battle import vasl
from laager.web.play.battle.saves import display_name
from laager.web.seats.permissions import Seat
from laager.web.shared.http import STATUS_OF, file_response

_MEDIA = "application/octet-stream"


@table_page
def battle(request: HttpRequest, table: Table) -> HttpResponse:
    """Show what becomes of the battle in VASL, and what the side does there."""
    return _page(request, table)


def _page(request: HttpRequest, table: Table, refusal: LaagerError | None = None) -> HttpResponse:
    layout = request.POST.get("layout", request.GET.get("layout", ""))
    context: dict[str, Any] = frame_context(table, "table") | {
        "counters": vasl.counters_of(table.seat.user),
        "pictured": vasl.has_boards(table),
        "layout": layout,
        "refusal": refusal,
        "most": vasl.MOST_SAVE,
    }
    if context["counters"] is not None and refusal is None and (context["pictured"] or layout):
        try:
            context["setup"] = vasl.setup_at(table, layout)
        except LaagerError as err:
            context["refusal"] = refusal = err
    status = 200 if refusal is None else STATUS_OF[refusal.code]
    return render(request, "play/battle/battle_vasl.html", context, status=status)


@seat_page(post=True)
def send_counters(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Keep the counters of the player's module, or remove them."""
    if request.POST.get("do") == "remove":
        vasl.forget_counters(seat.user)
        messages.success(request, _("Your counters are removed."))
        return redirect("battle-vasl", seat.game.pk, seat.name)
    file = request.FILES.get("counters")
    try:
        if file is None:
            raise DataError([Problem("no file arrived", vasl.COUNTERS_WANTED)])
        kept = vasl.keep_counters(seat.user, file.read(), display_name(file.name or ""))
    except LaagerError as err:
        with look(seat) as table:
            return _page(request, table, err)
    sentence = _("Kept: %(count)d counters of VASL %(version)s") % {"count": kept.counters, "version": kept.version}
    messages.success(request, sentence)
    return redirect("battle-vasl", seat.game.pk, seat.name)


@seat_page(post=True)
def take(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the setup: as a save, as a log, or added to the save that is sent; or show what its side hides."""
    kind, layout = request.POST.get("kind", vasl.SAVE), request.POST.get("layout", "")
    if kind == "look":
        with look(seat) as table:
            return _page(request, table)
    try:
        into = None
        if kind == "into":
            file = request.FILES.get("save")
            if file is None:
                raise DataError([Problem("no file arrived", "choose the save that the other side sent you")])
            into = (display_name(file.name or ""), file.read())
        with look(seat) as table:
            made = vasl.write_setup(table, kind, layout, into)
    except LaagerError as err:
        with look(seat) as table:
            return _page(request, table, err)
    return file_response(made.data, _MEDIA, made.name)


seat_patterns = [
    path("vasl", battle, name="battle-vasl"),
    path("vasl/counters", send_counters, name="battle-vasl-counters"),
    path("vasl/take", take, name="battle-vasl-take"),
]
