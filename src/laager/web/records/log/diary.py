"""The log as a war diary: chapters, steps, folded runs, pages.

Everything is made of what the seat may know, under the seat's own numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign.log import FACTS
from laager.campaign.rolls import rolled_of
from laager.campaign.telling import FOLD_FROM, SHOWN_OF_FOLDED, Told, brief, goes_on_from, join_alike
from laager.campaign.views import Seen
from laager.web.campaigns.tables import units_of

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import Entry
    from laager.dice import Rolled
    from laager.web.campaigns.tables import Table


@dataclass(frozen=True)
class Filter:
    """What is looked for in a log: a kind of entries, words, what came after an entry."""

    kind: str = ""
    text: str = ""
    since: int = 0

    @property
    def on(self) -> bool:
        """True if anything is left out."""
        return bool(self.kind or self.text or self.since)


KINDS = ("rolls", "answers", "purchases", "units", "rulings", "undone")
"""What the diary can be narrowed to."""

BOUGHT = re.compile("(-bought|-settled|group-joined|fort-joined)$")
"""Kinds of facts that are purchases at whatever step they come."""


TOLD = frozenset({"fact", "ruled", "answer", "roll"})


def chooser(table: Table, wanted: Filter) -> Callable[[Told], bool]:
    """Return a filter for entries."""
    if wanted.kind and wanted.kind not in KINDS:
        advice = did_you_mean(wanted.kind, KINDS)
        raise RefusedError(Refusal.NO_SUCH, f"the log has no kind {wanted.kind!r}", advice)
    is_kind = _kind(table, wanted.kind)
    words = wanted.text.casefold().split()

    def choose(line: Told) -> bool:
        if line.number <= wanted.since or not is_kind(line):
            return False
        if not words:
            return True
        text = _searchable_text(line)
        return all(word in text for word in words)

    return choose


def _searchable_text(line: Told) -> str:
    text = f"{line.text} {rule_of(line.entry)}"
    if line.entry.type == "answer":
        text += json.dumps(line.entry.body["value"], ensure_ascii=False)
    return text.casefold()


def _kind(table: Table, kind: str) -> Callable[[Told], bool]:
    match kind:
        case "rolls":
            return lambda line: line.entry.type == "roll"
        case "answers":
            return lambda line: line.entry.type == "answer"
        case "units":
            return lambda line: line.entry.type in FACTS and bool(units_of(line.entry))
        case "rulings":
            return lambda line: line.entry.type.startswith(("rul", "reopened"))
        case "undone":
            return lambda line: not line.counts or line.entry.type.startswith(("undo", "redo"))
        case "purchases":
            inside = _bought_in(table)
            return lambda line: line.number in inside
        case _:
            return lambda line: True


def _bought_in(table: Table) -> frozenset[int]:
    """Return the entries that are part of purchases."""
    inside, buying = set(), False
    for line in table.log:
        entry = line.entry
        if entry.type == "step":
            buying = table.ruleset.moment(entry.body["step"]) == "purchase"
        elif entry.type in TOLD and (buying or BOUGHT.search(entry.body.get("kind", ""))):
            inside.add(line.number)
    return frozenset(inside)


def rule_of(entry: Entry) -> str:
    """Return the clause by which an entry came about; "" if it names none."""
    body = entry.body
    clause = body.get("rule") or body.get("clause") or body.get("fact", {}).get("rule")
    return str(clause or "")


# Chapters -----------------------------------------------------------------------------------------

PAGE = 140
"""About how many lines a page of the diary has."""

HEADING = "── "
"""What the plain log puts before lines that stand by themselves."""


# Chapters ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chapter:
    """A round of the campaign: its date, what it is, and where it begins (the viewer's entry)."""

    title: str
    about: str
    number: int


@dataclass(frozen=True)
class _Chapters:
    """The chapters of one viewer's log as far as it has been read, with the state there."""

    log: tuple[Seen, ...]
    chapters: tuple[Chapter, ...]
    state: Any


_LOCK = Lock()
_KEPT: WeakKeyDictionary[Campaign, dict[str, _Chapters]] = WeakKeyDictionary()
"""The chapters of the campaigns in memory, for each viewer."""


def chapters(table: Table) -> tuple[Chapter, ...]:
    """Return the rounds of the campaign in order; those that were taken back are not among them.

    What was read before isn't read again.
    """
    view, campaign = table.view, table.campaign
    with _LOCK:
        kept = _KEPT.setdefault(campaign, {})
    before = kept.get(view.eyes)
    if before is None or not goes_on_from(before.log, view.log):
        before = _Chapters((), (), campaign.ruleset.start(campaign.opening, view.eyes))
    state, known = before.state, list(before.chapters)
    for seen in view.log[len(before.log) :]:
        if not seen.counts:
            continue
        entry = seen.entry
        if entry.type == "step":
            title, about = _round(table, state)
            if not known or (known[-1].title, known[-1].about) != (title, about):
                known.append(Chapter(title, about, seen.number))
        elif entry.type in FACTS:
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            state = campaign.ruleset.step_done(state, entry.body["step"])
    kept[view.eyes] = _Chapters(view.log, tuple(known), state)
    return tuple(known)


def _round(table: Table, state: Any) -> tuple[str, str]:
    head = table.ruleset.headline(table.campaign.context, state)
    return (head[0] if head else table.view.title), table.ruleset.course(state).title


# The diary ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DiaryLine:
    """A line of the diary. `last` is the last entry that is told in it; `more` lies folded in it.

    Of a roll `roll` has the dice, and `label` who rolled for what.
    """

    told: Told
    last: int
    more: tuple[DiaryLine, ...] = ()
    roll: Rolled | None = None
    label: str = ""
    rule: str = ""
    text: str = ""

    @property
    def short(self) -> str:
        """Its text, with long lists of Locations cut short."""
        return brief(self.text)

    @property
    def number(self) -> int:
        """The viewer's number of its first entry."""
        return self.told.number

    @property
    def counts(self) -> bool:
        """True if it was not taken back."""
        return self.told.counts

    @property
    def look(self) -> str:
        """What it is, as classes of the style sheet: a roll, a word of the campaign itself, taken back."""
        word = self.told.text.startswith(HEADING)
        marks = {"is-roll": bool(self.roll), "is-word": word, "undone": not self.counts}
        return " ".join(mark for mark, given in marks.items() if given)

    @property
    def size(self) -> int:
        """How many lines it takes on a page."""
        return 1 + len(self.more)


@dataclass(frozen=True)
class DiarySection:
    """A step with what was told in it; `part` counts the pieces of one that goes over pages."""

    chapter: Chapter | None
    head: Told | None
    title: str
    clause: str
    lines: tuple[DiaryLine, ...]
    part: int = 1


def sections(table: Table, wanted: Filter) -> list[DiarySection]:
    """Return the diary by steps. Unless something is looked for, long runs are folded.

    Steps under which the viewer sees nothing are left out, except one that has just begun.
    Raises RefusedError for an unknown kind.
    """
    choose = chooser(table, wanted)
    begun = chapters(table)
    by_step: list[DiarySection] = []
    chapter, at = None, 0
    spoken = [line for line in table.log if line.text]
    for head, inner in _by_step(spoken):
        first = head or inner[0]
        while at < len(begun) and begun[at].number <= first.number:
            chapter, at = begun[at], at + 1
        chosen = [line for line in inner if choose(line)]
        latest = not wanted.on and spoken[-1] is head
        if not chosen and not latest:
            continue
        lines = _lines(chosen, fold=not wanted.on)
        title = title_of(head) if head else ""
        clause = head.entry.body["clause"] if head else ""
        by_step.append(DiarySection(chapter, head, title, clause, tuple(lines)))
    return by_step


def _by_step(spoken: Iterable[Told]) -> Iterator[tuple[Told | None, list[Told]]]:
    head: Told | None = None
    inner: list[Told] = []
    for line in spoken:
        if line.entry.type == "step":
            if head is not None or inner:
                yield head, inner
            head, inner = line, []
        else:
            inner.append(line)
    if head is not None or inner:
        yield head, inner


def title_of(head: Told) -> str:
    """Return the title of a step without its clause, which is shown as a link."""
    return head.text.removeprefix(HEADING).removeprefix(head.entry.body["clause"]).strip()


def _lines(lines: Sequence[Told], fold: bool) -> Iterator[DiaryLine]:
    if not fold:
        yield from (line_of(line, line.number) for line in lines)
        return
    for _like, run in groupby(lines, key=lambda line: line.like):
        folded = [line_of(line, line.last) for line in join_alike(list(run))]
        if len(folded) < FOLD_FROM:
            yield from folded
            continue
        yield from folded[:SHOWN_OF_FOLDED]
        rest = folded[SHOWN_OF_FOLDED:]
        yield replace(rest[0], more=tuple(rest), last=max(line.last for line in rest))


def line_of(line: Told, last: int) -> DiaryLine:
    """Return an entry as a line that tells everything up to `last`."""
    body = line.entry.body
    text = line.text.strip().removeprefix(HEADING)
    rule = rule_of(line.entry)
    if line.entry.type == "roll":
        label = f"{line.who}: {body['label']}"
        return DiaryLine(line, last, (), rolled_of(line.entry), label, rule, text)
    # The rule stands next to the line as a link.
    return DiaryLine(line, last, (), None, "", rule, text.removesuffix(f"[{rule}]").rstrip())


# Pages -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DiaryPage:
    """A page of the diary, by its number from 1, of how many; with the chapters of all of them."""

    number: int
    of: int
    sections: tuple[DiarySection, ...]
    contents: tuple[tuple[Chapter, int], ...]

    @property
    def newest(self) -> bool:
        """True if it is the last page."""
        return self.number == self.of


def find_page(sections: Sequence[DiarySection], number: int | None = None, at: int | None = None) -> DiaryPage:
    """Return a page of the diary: by its number, or the one with an entry; else the last.

    Raises RefusedError if there is no such page.
    """
    pages = _pages(sections) or [()]
    if at is not None:
        number = next((i for i, page in enumerate(pages, 1) if _ends(page) >= at), len(pages))
    chosen = len(pages) if number is None else number
    if not 1 <= chosen <= len(pages):
        sentence = f"the diary has no page {chosen}; its pages go from 1 to {len(pages)}"
        raise RefusedError(Refusal.NO_SUCH, sentence)
    contents: dict[Chapter, int] = {}
    for i, page in enumerate(pages, 1):
        for section in page:
            if section.chapter is not None:
                contents.setdefault(section.chapter, i)
    return DiaryPage(chosen, len(pages), tuple(pages[chosen - 1]), tuple(contents.items()))


def _ends(page: Sequence[DiarySection]) -> int:
    last = page[-1]
    return max((line.last for line in last.lines), default=last.head.number if last.head else 0)


def _pages(sections: Iterable[DiarySection]) -> list[Sequence[DiarySection]]:
    """Return the pages; they are filled from the end, so that the newest is never a short one."""
    pages: list[list[DiarySection]] = []
    size = 0
    for section in reversed(list(_pieces(sections))):
        length = 1 + sum(line.size for line in section.lines)
        if not pages or size + length > PAGE:
            pages.append([])
            size = 0
        pages[-1].append(section)
        size += length
    return [page[::-1] for page in reversed(pages)]


def _pieces(sections: Iterable[DiarySection]) -> Iterator[DiarySection]:
    """Part the steps that are longer than a page."""
    for section in sections:
        if len(section.lines) <= PAGE:
            yield section
            continue
        for part, first in enumerate(range(0, len(section.lines), PAGE), 1):
            yield replace(section, lines=section.lines[first : first + PAGE], part=part)


# What a unit went through ------------------------------------------------------------------------


def story(table: Table, unit: str) -> list[DiaryLine]:
    """Return the entries about a unit, as far as the viewer may see them."""
    return [
        line_of(line, line.number)
        for line in table.log
        if line.text and line.entry.type == "fact" and unit in units_of(line.entry)
    ]
