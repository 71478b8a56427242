"""A side's own part of the record of a campaign begun on paper, filled in as grids in the player's library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.text import slugify
from django.utils.translation import gettext as _

from laager.base import LaagerError, Refusal, RefusedError
from laager.base.files import parse_document
from laager.campaign.record import KEY
from laager.rules.board.context import CardContext
from laager.rules.board.record.beginning import own_part_text
from laager.web.campaigns import drafts
from laager.web.campaigns.seat_pages import seat_page
from laager.web.campaigns.tables import look
from laager.web.library.files import files as library
from laager.web.seats.permissions import Action, Seat
from laager.web.starting.beginning import free_name


@seat_page(Action.DRAFT, post=True)
def own_part(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Put a record with what everybody knows into the library, to fill in one's own part; or take that part over."""
    if request.POST.get("do") == "take":
        try:
            _take_part(seat, mark, request.POST.get("file", ""))
        except LaagerError as err:
            messages.error(request, "\n".join(map(str, err.problems)) or str(err))
        return redirect("ask", seat.game.pk, seat.name, mark)
    with look(seat) as table:
        cg, asked = table.campaign.context, table.find(mark)
        if asked.pending.key != KEY or asked.pending.side != seat.viewer or not isinstance(cg, CardContext):
            raise RefusedError(Refusal.NO_SUCH, "no part of a record is asked for here")
        draft = drafts.find_draft(seat, mark)
        section = draft.value if draft is not None and isinstance(draft.value, Mapping) else {}
        text = own_part_text(cg, table.ruleset.id, seat.viewer, section)
    name = free_name(seat.user, f"{slugify(seat.game.title)[:40] or 'campaign'}-{seat.viewer}")
    library.save(seat.user, name, text)
    messages.info(request, _("Fill in the grids of your side, then take them over on the page of the question."))
    return redirect("library-fill", name)


def _take_part(seat: Seat, mark: str, name: str) -> None:
    """Make a side's part in a record of the library the draft of its answer. Raises LaagerError."""
    data = parse_document(library.find(seat.user, name).text, name).data
    secret: Any = data.get("secret") if isinstance(data, Mapping) else None
    part = secret.get(seat.viewer) if isinstance(secret, Mapping) else None
    drafts.keep(seat, mark, dict(part) if isinstance(part, Mapping) else {})


seat_patterns = [path("ask/<slug:mark>/record", own_part, name="own-part")]
