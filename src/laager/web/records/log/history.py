"""Looking back: the map and the sheets as they were after any entry that the seat can see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.campaign.views import find, state_at
from laager.web.campaigns import scenes
from laager.web.campaigns.seat_pages import frame_context, table_page
from laager.web.campaigns.tables import Table
from laager.web.records.map.pages import moment_of, stage

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.campaign.telling import Told

NEWS = 14
"""How many lines of what happened are shown at a moment."""


@dataclass(frozen=True)
class Stop:
    """The end of a step, under the viewer's own number of the last entry before the next one."""

    number: int
    title: str
    clause: str
    at: str


def find_stops(table: Table) -> list[Stop]:
    """Return the end of each step that counts, the present moment last."""
    log = [seen for seen in table.view.log if seen.counts]
    begun = [i for i, seen in enumerate(log) if seen.entry.type == "step"]
    ends = []
    for i, following in zip(begun, [*begun[1:], len(log)], strict=True):
        body, last = log[i].entry.body, log[following - 1]
        step = table.ruleset.steps.get(body["step"])
        title = step.title if step else body["step"]
        ends.append(Stop(last.number, title, body["clause"], last.entry.at))
    return ends or [Stop(log[-1].number, table.view.title, "", log[-1].entry.at)]


@dataclass(frozen=True)
class PastMoment:
    """How a campaign stood for a viewer after an entry: in a few lines, what led there, sheets."""

    number: int
    of: int
    at: str
    headline: Sequence[str]
    news: Sequence[Told]
    sheets: Sequence[Sheet]


def moment_at(table: Table, number: int) -> PastMoment:
    """Return a moment of the past, from what the viewer knew then.

    Raises RefusedError if the viewer has no entry of this number.
    """
    state = state_at(table.campaign, table.view.viewer, number)
    context = table.campaign.context
    news = [line for line in table.log[:number] if line.text.strip() and line.counts]
    begun = [i for i, line in enumerate(news) if line.entry.type == "step"]
    return PastMoment(
        number=number,
        of=table.view.version,
        at=find(table.view, number).entry.at,
        headline=tuple(table.ruleset.headline(context, state)),
        news=tuple(news[begun[-1] if begun else 0 :][-NEWS:]),
        sheets=tuple(table.ruleset.sheets(context, state)),
    )


# Pages --------------------------------------------------------------------------------------------


@table_page
def history(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the slider with a moment of the past; the last one, if none is named."""
    ends = find_stops(table)
    named = moment_of(request)
    at = ends[-1].number if named is None else named
    context: dict[str, Any] = {
        **frame_context(table, "history"),
        "stops": ends,
        "listed": [asdict(stop) for stop in ends],
        "position": _position(ends, at),
        "moment": moment_at(table, at),
    }
    if scenes.has_map(table):
        context |= stage(table, scenes.scene_of(table, at))
    return render(request, "records/log/history.html", context | {"at": at})


def _position(stops: list[Stop], at: int) -> int:
    """Return which stop an entry belongs to: the first that ends with it or later."""
    return next((i for i, stop in enumerate(stops) if stop.number >= at), len(stops) - 1)


@table_page
def history_part(request: HttpRequest, table: Table) -> HttpResponse:
    """Give the part of the page that changes with the moment."""
    named = moment_of(request)
    at = table.view.version if named is None else named
    context = {"moment": moment_at(table, at), "game": table.seat.game, "seat": table.seat}
    return render(request, "records/log/history_moment.html", context)


seat_patterns = [path("history", history, name="history"), path("history/part", history_part, name="history-part")]
