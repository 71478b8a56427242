"""After an answer: what happened, and the next question of the seat on the same page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from laager.campaign.telling import number_seen
from laager.web.campaigns import progress
from laager.web.campaigns.reopening import count_as_before
from laager.web.campaigns.tables import Table, look
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import parse_number

MOST_NEWS = 12
"""Most entries that are shown if the page names no number."""


def redirect_to_next(seat: Seat, before: int) -> HttpResponse:
    """Redirect to what is asked of the seat next, else to the table; either shows what is new since a version."""
    with look(seat) as table:
        since = number_seen(table.view.log, before)
        address = next_address(table)
    return redirect(f"{address}?since={since}")


def next_address(table: Table) -> str:
    """Return the address of the page that the seat should see next.

    While a battle is fought that is the table, from where one goes and plays, and so it is if the other side wishes
    something, or much can be answered as before a ruling.
    """
    seat = table.seat
    at = [seat.game.pk, seat.name]
    asked = progress.todo(table)
    wished = any(wish.by != seat.viewer for wish in table.wishes)
    if asked and seat.may(Action.ANSWER) and not wished and not count_as_before(table):
        if progress.on_one_page(table):
            return reverse("together", args=at)
        if asked[0].page != "ask" or not progress.is_fighting(table):
            return reverse(asked[0].page, args=[*at, asked[0].asked.mark])
    return reverse("table", args=at)


def news_context(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Return what the last answer has brought, for the page that is seen after it."""
    since = parse_number(request.GET.get("since", ""))
    return {} if since is None else {"since": since, "came": progress.news_since(table, since, MOST_NEWS)}
