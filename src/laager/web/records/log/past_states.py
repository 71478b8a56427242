"""Earlier moments of a campaign, as one seat knew them, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.campaign.views import find, state_at

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.campaign.telling import Told
    from laager.web.campaigns.tables import Table

NEWS = 14
"""How many lines of what happened are shown at a moment."""


@dataclass(frozen=True)
class Stop:
    """The end of a step, under the viewer's own number of the last entry before the next one."""

    number: int
    title: str
    clause: str
    at: str


def stops(table: Table) -> list[Stop]:
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


def moment(table: Table, number: int) -> PastMoment:
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
