"""The campaign's history as a war diary: step by step, with every roll and what followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from laager.campaign.telling import Told, join_alike, log_in_words
from laager.sheets.desk import Desk
from laager.sheets.leaf import Leaf, Line, Lines, Style
from laager.sheets.offer import Offer

MARK = "── "
"""What the log puts before lines that stand by themselves."""


def diary_offers(desk: Desk) -> Iterator[Offer]:
    """Yield the diary, as far as the viewer may know what happened."""
    words = desk.words
    title = words("War diary")

    def make() -> Leaf:
        lines = tuple(_lines(_joined(log_in_words(desk.campaign, desk.seen, words.language))))
        undone = any(line.style == "struck" for line in lines)
        legend = (words("What is crossed out was taken back."),) if undone else ()
        blocks = (Lines(words("What happened"), lines, wide=24),)
        return Leaf(title, desk.boxes(), blocks, False, columns=2, size=7.0, legend=legend)

    yield Offer("diary", title, "", make)


def _joined(items: Iterable[Told]) -> Iterator[Told]:
    """Yield the lines that say something, those that are alike as one."""
    for _, run in groupby((one for one in items if one.text), key=lambda one: one.like):
        yield from join_alike(list(run))


def _lines(items: Iterable[Told]) -> Iterator[Line]:
    """Yield the diary; steps under which the viewer sees nothing are left out."""
    heading: Line | None = None
    for one in items:
        text = one.text.strip().removeprefix(MARK)
        if one.entry.type == "step":
            heading = Line(text, _when(one.entry.at), "", "heading")
            continue
        if heading is not None:
            yield heading
            heading = None
        yield Line(str(one.number), text, "", _style(one))


def _style(one: Told) -> Style:
    if not one.counts:
        return "struck"
    return "bold" if one.entry.type == "roll" else "plain"


def _when(at: str) -> str:
    """Return the time of an entry to the minute."""
    return at[:16].replace("T", " ")
