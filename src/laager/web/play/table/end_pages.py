"""The end of a campaign: how it ended, its dice, the proof, the whole log."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.text import slugify

from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.records import verification
from laager.web.seats.permissions import Seat
from laager.web.shared.http import file_response


@table_page
def over(request: HttpRequest, table: Table) -> HttpResponse:
    """Show how the campaign ended, and the seed of its dice; or that it still goes on."""
    return render(request, "play/table/over.html", _context(table))


def _context(table: Table) -> dict[str, Any]:
    end = verification.find_reveal(table)
    state = table.view.state
    sheets = table.ruleset.sheets(table.campaign.context, state)
    return frame_context(table, "over") | {
        "end": end,
        "winner": getattr(state, "winner", ""),
        "may_prove": verification.may_prove(table),
        "commitment": table.campaign.opening["dice"]["commitment"],
        "entered": table.campaign.opening["dice"]["mode"] == "entered",
        "rosters": [sheet for sheet in sheets if sheet.id == "roster"],
    }


@seat_page(post=True)
def verify(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Prove the log, and show what was proven; meanwhile the campaign is free for others."""
    with look(seat) as table:
        verification.need_proof(table)
    proof = verification.prove(seat)
    with look(seat) as table:
        return render(request, "play/table/over.html", _context(table) | {"proof": proof})


@table_page
def download(request: HttpRequest, table: Table) -> HttpResponse:
    """Give the whole log as a campaign file."""
    name = slugify(table.seat.game.title) or "campaign"
    return file_response(verification.whole_log(table), "application/x-ndjson; charset=utf-8", f"{name}.laager")


seat_patterns = [
    path("over", over, name="over"),
    path("over/verify", verify, name="over-verify"),
    path("over/campaign.laager", download, name="over-download"),
]
