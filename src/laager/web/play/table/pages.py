"""The table: where the campaign stands, what must be done now, and the result of the last answer."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language

from laager.campaign.describing import agreements, refusals
from laager.campaign.facts import UMPIRE
from laager.campaign.patience import late_sides, may_answer_late, patience_of
from laager.campaign.patience_words import terms_in_words
from laager.campaign.speech import ENGLISH
from laager.campaign.undo import is_last_answer_free
from laager.commanders.seats import find_pondered, held_seats, orders_of
from laager.sheets.story import has_story
from laager.web.campaigns import progress, thinking
from laager.web.campaigns.reopening import count_as_before, find_aftermath
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.records import verification
from laager.web.rules import reference
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import file_response, parse_number

MOST_NEWS = 12
"""Most entries that are shown if the page names no number: the last ones."""


@table_page
def table(request: HttpRequest, table: Table) -> HttpResponse:
    """Show where the campaign stands, what is asked, and the latest entries."""
    return render(request, "play/table/table.html", _context(request, table))


def _context(request: HttpRequest, table: Table) -> dict[str, Any]:
    seat = table.seat
    since = parse_number(request.GET.get("since", ""))
    course = progress.current_round(table)
    together = progress.on_one_page(table)
    step = next((due.step for due in course.steps if due.now), None)
    return frame_context(table, "table") | {
        "since": since,
        "address": request.get_full_path(),
        "course": course,
        "news": progress.news_since(table, since, MOST_NEWS),
        "todo": [todo for todo in progress.todo(table) if todo.asked not in together],
        "together": together,
        "fought": progress.is_fighting(table),
        "doing": progress.title_under_way(table),
        "missing": [side for side in table.view.waiting_for if side != seat.viewer],
        **_patience_context(table),
        "own_wishes": [wish for wish in table.wishes if wish.by == seat.viewer],
        "their_wishes": [wish for wish in table.wishes if wish.by != seat.viewer],
        "refused": refusals(table.view),
        "agreed": agreements(table.view),
        "free": seat.may(Action.ANSWER) and seat.viewer != UMPIRE and is_last_answer_free(table.campaign, seat.viewer),
        "as_before": count_as_before(table) if seat.may(Action.ANSWER) else 0,
        "aftermath": find_aftermath(table),
        "may_answer": seat.may_now(Action.ANSWER),
        "may_rule": seat.may(Action.ANSWER) or seat.may(Action.TAKE_BACK_ALONE),
        "may_take_back": seat.may(Action.ANSWER) or seat.may(Action.TAKE_BACK_ALONE),
        "clocks": progress.clocks(table),
        "at": table.view.log[-1].entry.at,
        "reminders": reference.reminders(table, step.id) if step else (),
        "over": not table.view.waiting_for,
        "commanders": sorted(held_seats(table.view.opening).items()),
        "thinks": _is_thinking(table),
        "orders": "" if table.campaign.over else orders_of(table.view),
    }


def _patience_context(table: Table) -> dict[str, Any]:
    """Return what the table agreed on about time, and who is over it."""
    campaign, viewer = table.campaign, table.seat.viewer
    terms = patience_of(campaign)
    may = table.seat.may(Action.ANSWER) or table.seat.may(Action.TAKE_BACK_ALONE)
    late = late_sides(campaign, timezone.now())
    return {
        "patience": terms,
        "patience_words": terms_in_words(terms, get_language() or ENGLISH),
        "late_sides": [(each, may and may_answer_late(terms, viewer, each.side)) for each in late],
    }


def _is_thinking(table: Table) -> bool:
    """True if a commander thinks over an answer; who looks keeps it in mind, should a server have stopped over it."""
    if find_pondered(table.campaign) is None or table.seat.game.archived:
        return False
    thinking.note(table.seat.game.pk)
    return True


# The end of a campaign ----------------------------------------------------------------------------


@table_page
def over(request: HttpRequest, table: Table) -> HttpResponse:
    """Show how the campaign ended, and the seed of its dice; or that it still goes on."""
    return render(request, "play/table/over.html", _end_context(table))


def _end_context(table: Table) -> dict[str, Any]:
    end = verification.find_reveal(table)
    state = table.view.state
    sheets = table.ruleset.sheets(table.campaign.context, state)
    return frame_context(table, "over") | {
        "end": end,
        "has_result": table.campaign.over and has_story(table.campaign),
        "winner": getattr(state, "winner", ""),
        "rule": _ending_rule(table) if end else "",
        "may_prove": verification.may_prove(table),
        "commitment": table.campaign.opening["dice"]["commitment"],
        "entered": table.campaign.opening["dice"]["mode"] == "entered",
        "rosters": [sheet for sheet in sheets if sheet.id == "roster"],
    }


def _ending_rule(table: Table) -> str:
    """Return the clause by which the campaign ended; "" if nothing ended it that the seat's log tells of."""
    ends = (
        line.entry.body["fact"]
        for line in reversed(table.view.log)
        if line.counts and line.entry.body.get("kind") == "campaign-ended"
    )
    return next((str(fact.get("rule", "")) for fact in ends), "")


@seat_page(post=True)
def verify(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Prove the log, and show what was proven; meanwhile the campaign is free for others."""
    with look(seat) as table:
        verification.need_proof(table)
    proof = verification.prove(seat)
    with look(seat) as table:
        return render(request, "play/table/over.html", _end_context(table) | {"proof": proof})


@table_page
def download(request: HttpRequest, table: Table) -> HttpResponse:
    """Give the whole log as a campaign file."""
    name = slugify(table.seat.game.title) or "campaign"
    return file_response(verification.whole_log(table), "application/x-ndjson; charset=utf-8", f"{name}.laager")


seat_patterns = [
    path("", table, name="table"),
    path("over", over, name="over"),
    path("over/verify", verify, name="over-verify"),
    path("over/campaign.laager", download, name="over-download"),
]
