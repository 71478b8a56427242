"""The campaign's history as a war diary: step by step, with every roll and what followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from laager.campaign.telling import Told, join_alike, log_in_words
from laager.sheets.desk import Desk
from laager.sheets.leaf import FormLine, Leaf, Lines, Style
from laager.sheets.offer import FormOffer

MARK = "── "
"""What the log puts before lines that stand by themselves."""


def diary_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the diary, as far as the viewer may know what happened."""
    words = desk.words
    title = words("War diary")

    def make() -> Leaf:
        lines = tuple(_lines(_join_alike(log_in_words(desk.campaign, desk.seen, words.language))))
        undone = any(line.style == "struck" for line in lines)
        legend = (words("What is crossed out was taken back."),) if undone else ()
        blocks = (Lines(words("What happened"), lines, wide=24),)
        return Leaf(title, desk.boxes(), blocks, False, columns=2, size=7.0, legend=legend)

    yield FormOffer("diary", title, "", make)


def _join_alike(items: Iterable[Told]) -> Iterator[Told]:
    """Yield the lines that say something, those that are alike as one."""
    for _, run in groupby((line for line in items if line.text), key=lambda line: line.like):
        yield from join_alike(list(run))


def _lines(items: Iterable[Told]) -> Iterator[FormLine]:
    """Yield the diary; steps under which the viewer sees nothing are left out."""
    heading: FormLine | None = None
    for line in items:
        text = line.text.strip().removeprefix(MARK)
        if line.entry.type == "step":
            heading = FormLine(text, _to_the_minute(line.entry.at), "", "heading")
            continue
        if heading is not None:
            yield heading
            heading = None
        yield FormLine(str(line.number), text, "", _style(line))


def _style(line: Told) -> Style:
    if not line.counts:
        return "struck"
    return "bold" if line.entry.type == "roll" else "plain"


def _to_the_minute(at: str) -> str:
    """Return the time of an entry to the minute."""
    return at[:16].replace("T", " ")
