"""Files of VASL that answer a question: a save the setup, which becomes the side's draft; a log the dice."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import path

from laager.web.pages.play.asking import Entered, dice_page, page
from laager.web.pages.play.reporting import upload
from laager.web.pages.seated import seated
from laager.web.services.people.permissions import Action, Seat
from laager.web.services.play import reports, sights
from laager.web.services.play.tables import look


@seated(Action.DRAFT, post=True)
def setup_save(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Take a save or log, and show the question with the setup that it proposes, and lists of what is open."""
    data, file, choices, owner = upload(request)
    with look(seat) as table:
        asked = reports.set_up(table, mark)
        found = reports.from_save(seat, table, mark, data, file, choices, owner)
        wanted = sights.gathered(table, asked, dict(found.report))
    desk = Entered(dict(found.report), problems=found.problems, checked=True, prepared=True)
    desk = replace(desk, sights=sights.found(wanted))
    with look(seat) as table:
        return page(request, table, reports.set_up(table, mark), desk, proposal=found, choices=choices)


@seated(Action.ANSWER, post=True)
def dice_log(request: HttpRequest, seat: Seat, mark: str) -> HttpResponse:
    """Take a log, and show the dice's page with its rolls; the player clicks the one that counts."""
    data, file, _choices, _owner = upload(request)
    with look(seat) as table:
        asked = table.find(mark)
        asked.need_side(seat)
        found = reports.rolls_in(data, file, asked.need_roll().dice.count)
        return dice_page(request, table, asked, logged=found)


seat_patterns = [
    path("ask/<slug:mark>/save", setup_save, name="setup-save"),
    path("ask/<slug:mark>/log", dice_log, name="dice-log"),
]
