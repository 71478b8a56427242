"""The campaign's history as a war diary: step by step, with every roll and what followed, a map after each battle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from laager.base import RefusedError
from laager.campaign.telling import Told, join_alike, log_in_words
from laager.hexmap.draw import draw_svg
from laager.sheets.desk import Desk
from laager.sheets.leaf import FormLine, FormPicture, Leaf, Lines, Style
from laager.sheets.offer import FormOffer
from laager.sheets.story.battles import FACTS, battles
from laager.sheets.story.ground import MOST_LISTED, only_control, scene
from laager.sheets.words import Words

MARK = "── "
"""What the log puts before lines that stand by themselves."""


def diary_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the diary, as far as the viewer may know what happened."""
    words = desk.words
    title = words("War diary")

    def make() -> Leaf:
        lines = list(_lines(_join_alike(log_in_words(desk.campaign, desk.seen, words.language)), words))
        undone = any(line.style == "struck" for _, line in lines)
        legend = (words("What is crossed out was taken back."),) if undone else ()
        blocks = tuple(_with_maps(desk, lines))
        return Leaf(title, desk.boxes(), blocks, False, columns=2, size=7.0, legend=legend)

    yield FormOffer("diary", title, "", make)


def _join_alike(items: Iterable[Told]) -> Iterator[Told]:
    """Yield the lines that say something, those that are alike as one."""
    for _, run in groupby((line for line in items if line.text), key=lambda line: line.like):
        yield from join_alike(list(run))


def _with_maps(desk: Desk, lines: Sequence[tuple[int, FormLine]]) -> Iterator[Lines | FormPicture]:
    """Yield the diary in pieces, and after each battle that was fought the map with Control and front."""
    title, begun = desk.words("What happened"), 0
    for battle in battles(desk.campaign, desk.seen):
        if not battle.fought:
            continue
        end = next((i for i, (number, _) in enumerate(lines) if number > battle.last), len(lines))
        try:
            map_, layers = scene(desk.campaign, desk.seen, battle.last)
        except RefusedError:
            break
        yield Lines(title, tuple(line for _, line in lines[begun:end]), wide=24)
        shown = replace(only_control(layers), legend=False, coordinates=False)
        yield FormPicture(desk.words("After the battle"), partial(draw_svg, map_, shown))
        title, begun = "", end
    if begun < len(lines) or not begun:
        yield Lines(title, tuple(line for _, line in lines[begun:]), wide=24)


def _lines(items: Iterable[Told], words: Words) -> Iterator[tuple[int, FormLine]]:
    """Yield the diary, each line with the entry it tells of; steps under which the viewer sees nothing are left out."""
    heading: tuple[int, FormLine] | None = None
    for line in items:
        text = shorten_ground(line.text.strip().removeprefix(MARK), line, words)
        if line.entry.type == "step":
            heading = line.number, FormLine(text, _to_the_minute(line.entry.at), "", "heading")
            continue
        if heading is not None:
            yield heading
            heading = None
        yield line.number, FormLine(str(line.number), text, "", _style(line))


def shorten_ground(text: str, line: Told, words: Words) -> str:
    """Return the text of a line with a dozen Locations at most; of more it gives the number, as maps show them."""
    places = line.entry.body.get("fact", {}).get("locations", ()) if line.entry.type in FACTS else ()
    if len(places) <= MOST_LISTED:
        return text
    few = ", ".join(places[:MOST_LISTED]) + words(" and ") + words("{n} more", n=len(places) - MOST_LISTED)
    return text.replace(", ".join(places), few)


def _style(line: Told) -> Style:
    if not line.counts:
        return "struck"
    return "bold" if line.entry.type == "roll" else "plain"


def _to_the_minute(at: str) -> str:
    """Return the time of an entry to the minute."""
    return at[:16].replace("T", " ")
