"""What labels on VASL's map say of a campaign: its date, ELR and SAN, a side's points, setup.

A save is read by both players. So labels say what both sides may know; what only one may know
(CPP, where its units set up) is on them for that side alone, when it asks for it.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import find_ruleset
from laager.campaign.views import view
from laager.vasl.owners import printable

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.campaign.engine import Campaign

SETUP = "setup-sheet"
"""Under this key rulesets say what a side needs to set up."""
WIDTH = 46
"""Longest line of a label, in characters: the border around VASL's boards has room for it."""

_RATINGS = ("ELR", "SAN")
_NOTHING = ("", "secret", "?")


@dataclass(frozen=True)
class MapLabel:
    """A label: the topic by which it is found again, its title, its lines."""

    topic: str
    title: str
    lines: tuple[str, ...]

    @property
    def wrapped(self) -> tuple[str, ...]:
        """The lines, none longer than `WIDTH`."""
        return tuple(
            part
            for line in self.lines
            for part in textwrap.wrap(printable(line), WIDTH, subsequent_indent="  ") or [""]
        )

    @property
    def text(self) -> str:
        """The text as VASL shows it, with the mark by which it is found again."""
        title = textwrap.wrap(printable(self.title), WIDTH) or [""]
        rows = [f"<b>{html.escape(line)}</b>" for line in title]
        rows += [html.escape(line) for line in self.wrapped]
        return f"<html>{marked(self.topic)}{'<br>'.join(rows)}</html>"

    def describe(self) -> dict[str, object]:
        """Return it as JSON."""
        return {"topic": self.topic, "title": self.title, "lines": list(self.lines)}


def marked(topic: str) -> str:
    """Return the mark of a topic: a comment, which VASL does not show."""
    return f"<!-- laager:label {topic} -->"


def labels_of(campaign: Campaign, side: str | None = None) -> tuple[MapLabel, ...]:
    """Return the labels of a campaign: of what both sides may know, or of what one side may.

    Raises RefusedError if there is no such side.
    """
    rules = find_ruleset(campaign.opening["ruleset"])
    if side is not None and side not in rules.sides:
        advice = did_you_mean(side, rules.sides, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", advice)
    viewers = rules.sides if side is None else (side,)
    seen = [_seen(campaign, one) for one in viewers]
    return tuple(_common(seen)) if side is None else seen[0]


def _seen(campaign: Campaign, viewer: str) -> tuple[MapLabel, ...]:
    """Return the labels with all that a viewer may know."""
    rules = find_ruleset(campaign.opening["ruleset"])
    seen = view(campaign, viewer)
    sheets = rules.sheets(campaign.context, seen.state)
    found = [MapLabel("campaign", seen.title, tuple(rules.headline(campaign.context, seen.state)))]
    for side in rules.sides:
        own = [sheet for sheet in sheets if sheet.id == "roster" and sheet.side == side]
        for sheet in own[:1]:
            found.append(_ratings(sheet, side, mine=viewer == side))
    for sheet in rules.beside(campaign.context, seen.state, SETUP, viewer):
        if sheet.id == "setup-order":
            found.append(MapLabel("order", sheet.title, _pairs(sheet)))
        elif sheet.id == "setup-ground":
            found.append(MapLabel(f"setup-{viewer}", sheet.title, _pairs(sheet)))
    return tuple(label for label in found if label.lines)


def _ratings(sheet: Sheet, side: str, *, mine: bool) -> MapLabel:
    """Return the ratings on a side's roster; for the side itself its notes, with the points."""
    cells: dict[str, str] = {}
    if sheet.rows:
        titles = (column.title for column in sheet.columns)
        cells = dict(zip(titles, sheet.rows[-1], strict=True))
    told = [f"{one} {cells[one]}" for one in _RATINGS if cells.get(one, "") not in _NOTHING]
    lines = [", ".join(told)] if told else []
    if mine:
        lines += sheet.notes
    return MapLabel(f"ratings-{side}", sheet.title, tuple(lines))


def _pairs(sheet: Sheet) -> tuple[str, ...]:
    """Return the rows of a sheet of two columns as lines."""
    return tuple(": ".join(filter(None, row)) for row in sheet.rows)


def _common(seen: Sequence[tuple[MapLabel, ...]]) -> Iterator[MapLabel]:
    """Yield of one side's labels what all others have as well, line by line."""
    others = [{label.topic: label for label in labels} for labels in seen[1:]]
    for label in seen[0]:
        same = [labels.get(label.topic) for labels in others]
        lines = tuple(line for line in label.lines if all(one is not None and line in one.lines for one in same))
        if lines and all(one is not None and one.title == label.title for one in same):
            yield MapLabel(label.topic, label.title, lines)
