"""The log as a war diary: chapters, steps, folded runs; each entry with all that explains it.

Everything is made of what the seat may know, under the seat's own numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import Clause, RulesIndex
from laager.campaign.lanes import rolled_of
from laager.campaign.telling import FOLD_FROM, SHOWN_OF_FOLDED, Told, in_words
from laager.campaign.views import Seen, causes, find
from laager.campaign.wording import plain_lines
from laager.web.services.looking.forecasts import behind as behind_rule

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.log import Entry
    from laager.dice import Rolled
    from laager.web.services.play.tables import Table

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
    """The chapters of one viewer's log as far as it was gone through, with the state there."""

    log: tuple[Seen, ...]
    found: tuple[Chapter, ...]
    state: Any

    def reaches_into(self, log: Sequence[Seen]) -> bool:
        # An entry of a log is made anew if what counts has changed (views.Seat).
        last = len(self.log)
        return not last or (last <= len(log) and log[last - 1] is self.log[-1])


_LOCK = Lock()
_KEPT: WeakKeyDictionary[Campaign, dict[str, _Chapters]] = WeakKeyDictionary()
"""The chapters of the campaigns in memory, for each viewer."""


def chapters(table: Table) -> tuple[Chapter, ...]:
    """Return the rounds of the campaign in order; those that were taken back are not among them.

    What was gone through before is not gone through again.
    """
    view, campaign = table.view, table.campaign
    with _LOCK:
        kept = _KEPT.setdefault(campaign, {})
    before = kept.get(view.eyes)
    if before is None or not before.reaches_into(view.log):
        before = _Chapters((), (), campaign.ruleset.start(campaign.opening, view.eyes))
    state, found = before.state, list(before.found)
    for seen in view.log[len(before.log) :]:
        if not seen.counts:
            continue
        entry = seen.entry
        if entry.type == "step":
            title, about = _round(table, state)
            if not found or (found[-1].title, found[-1].about) != (title, about):
                found.append(Chapter(title, about, seen.number))
        elif entry.type in {"fact", "declared"}:
            state = campaign.fact_of(entry).apply(state)
        elif entry.type == "done":
            state = campaign.ruleset.step_done(state, entry.body["step"])
    kept[view.eyes] = _Chapters(view.log, tuple(found), state)
    return tuple(found)


def _round(table: Table, state: Any) -> tuple[str, str]:
    head = table.ruleset.headline(table.campaign.context, state)
    return (head[0] if head else table.view.title), table.ruleset.course(state).title


# The diary ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A line of the diary. `last` is the last entry that is told in it; `more` lies folded in it.

    Of a roll `roll` has the dice, and `label` who rolled for what.
    """

    told: Told
    last: int
    more: tuple[Line, ...] = ()
    roll: Rolled | None = None
    label: str = ""
    rule: str = ""
    text: str = ""

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
class Section:
    """A step with what was told in it; `part` counts the pieces of one that goes over pages."""

    chapter: Chapter | None
    head: Told | None
    title: str
    clause: str
    lines: tuple[Line, ...]
    part: int = 1


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


def sections(table: Table, wanted: Filter) -> list[Section]:
    """Return the diary by steps. Unless something is looked for, long runs are folded.

    Steps under which the viewer sees nothing are left out, except one that has just begun.
    Raises RefusedError for an unknown kind.
    """
    choose = _chooser(table, wanted)
    begun = chapters(table)
    found: list[Section] = []
    chapter, at = None, 0
    spoken = [one for one in table.log if one.text]
    for head, inner in _by_step(spoken):
        first = head or inner[0]
        while at < len(begun) and begun[at].number <= first.number:
            chapter, at = begun[at], at + 1
        chosen = [one for one in inner if choose(one)]
        latest = not wanted.on and spoken[-1] is head
        if not chosen and not latest:
            continue
        lines = _lines(chosen, fold=not wanted.on)
        title = _title(head) if head else ""
        clause = head.entry.body["clause"] if head else ""
        found.append(Section(chapter, head, title, clause, tuple(lines)))
    return found


def _by_step(spoken: Iterable[Told]) -> Iterator[tuple[Told | None, list[Told]]]:
    head: Told | None = None
    inner: list[Told] = []
    for one in spoken:
        if one.entry.type == "step":
            if head is not None or inner:
                yield head, inner
            head, inner = one, []
        else:
            inner.append(one)
    if head is not None or inner:
        yield head, inner


def _title(head: Told) -> str:
    """Return the title of a step without its clause, which is shown as a link."""
    return head.text.removeprefix(HEADING).removeprefix(head.entry.body["clause"]).strip()


def _lines(told: Sequence[Told], fold: bool) -> Iterator[Line]:
    if not fold:
        yield from (_line(one, one.number) for one in told)
        return
    for _like, run in groupby(told, key=lambda one: one.like):
        found = list(_joined(run))
        if len(found) < FOLD_FROM:
            yield from found
            continue
        yield from found[:SHOWN_OF_FOLDED]
        rest = found[SHOWN_OF_FOLDED:]
        yield replace(rest[0], more=tuple(rest), last=rest[-1].last)


def _joined(run: Iterable[Told]) -> Iterator[Line]:
    """Join neighbouring facts about the same unit into one line."""
    held: Told | None = None
    last = 0
    for one in run:
        both = held.joined(one) if held is not None else None
        if held is not None and both is None:
            yield _line(held, last)
        held, last = both or one, one.number
    if held is not None:
        yield _line(held, last)


def _line(one: Told, last: int) -> Line:
    body = one.entry.body
    text = one.text.strip().removeprefix(HEADING)
    rule = rule_of(one.entry)
    if one.entry.type == "roll":
        label = f"{body['side']}: {body['label']}"
        return Line(one, last, (), rolled_of(one.entry), label, rule, text)
    # The rule stands beside the line as a link.
    return Line(one, last, (), None, "", rule, text.removesuffix(f"[{rule}]").rstrip())


def rule_of(entry: Entry) -> str:
    """Return the clause by which an entry came about; "" if it names none."""
    body = entry.body
    found = body.get("rule") or body.get("clause") or body.get("fact", {}).get("rule")
    return str(found or "")


# Looking for something ---------------------------------------------------------------------------

KINDS = ("rolls", "answers", "purchases", "units", "undone")
"""What the diary can be narrowed to."""

BOUGHT = re.compile("(-bought|-settled|group-joined|fort-joined)$")
"""Kinds of facts that are purchases at whatever step they come."""


TOLD = frozenset({"fact", "answer", "roll"})


def _chooser(table: Table, wanted: Filter) -> Callable[[Told], bool]:
    """Return a filter for entries."""
    if wanted.kind and wanted.kind not in KINDS:
        advice = did_you_mean(wanted.kind, KINDS)
        raise RefusedError(Refusal.NO_SUCH, f"the log has no kind {wanted.kind!r}", advice)
    is_kind = _kind(table, wanted.kind)
    words = wanted.text.casefold().split()

    def choose(one: Told) -> bool:
        if one.number <= wanted.since or not is_kind(one):
            return False
        if not words:
            return True
        text = _searched(one)
        return all(word in text for word in words)

    return choose


def _searched(one: Told) -> str:
    text = f"{one.text} {rule_of(one.entry)}"
    if one.entry.type == "answer":
        text += json.dumps(one.entry.body["value"], ensure_ascii=False)
    return text.casefold()


def _kind(table: Table, kind: str) -> Callable[[Told], bool]:
    match kind:
        case "rolls":
            return lambda one: one.entry.type == "roll"
        case "answers":
            return lambda one: one.entry.type == "answer"
        case "units":
            return lambda one: one.entry.type == "fact" and bool(units_of(one.entry))
        case "undone":
            return lambda one: not one.counts or one.entry.type.startswith(("undo", "redo"))
        case "purchases":
            inside = _bought_in(table)
            return lambda one: one.number in inside
        case _:
            return lambda one: True


def _bought_in(table: Table) -> frozenset[int]:
    """Return the entries that are part of purchases."""
    found, buying = set(), False
    for one in table.log:
        entry = one.entry
        if entry.type == "step":
            buying = table.ruleset.moment(entry.body["step"]) == "purchase"
        elif entry.type in TOLD and (buying or BOUGHT.search(entry.body.get("kind", ""))):
            found.add(one.number)
    return frozenset(found)


def units_of(entry: Entry) -> frozenset[str]:
    """Return the ids of the units that a fact is about."""
    fact = entry.body.get("fact", {})
    found: set[str] = set()
    for name, value in fact.items():
        if "unit" in name:
            found |= set(_ids(value))
    return frozenset(found)


def _ids(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case {"id": str(name)}:
            yield name
        case [*items]:
            for item in items:
                yield from _ids(item)


# Pages -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Leaf:
    """A page of the diary, by its number from 1, of how many; with the chapters of all of them."""

    number: int
    of: int
    sections: tuple[Section, ...]
    contents: tuple[tuple[Chapter, int], ...]

    @property
    def newest(self) -> bool:
        """True if it is the last page."""
        return self.number == self.of


def leaf(found: Sequence[Section], number: int | None = None, at: int | None = None) -> Leaf:
    """Return a page of the diary: by its number, or the one with an entry; else the last.

    Raises RefusedError if there is no such page.
    """
    pages = _pages(found) or [()]
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
    return Leaf(chosen, len(pages), tuple(pages[chosen - 1]), tuple(contents.items()))


def _ends(page: Sequence[Section]) -> int:
    last = page[-1]
    return last.lines[-1].last if last.lines else (last.head.number if last.head else 0)


def _pages(found: Iterable[Section]) -> list[Sequence[Section]]:
    """Return the pages; they are filled from the end, so that the newest is never a short one."""
    pages: list[list[Section]] = []
    size = 0
    for section in reversed(list(_pieces(found))):
        length = 1 + sum(line.size for line in section.lines)
        if not pages or size + length > PAGE:
            pages.append([])
            size = 0
        pages[-1].append(section)
        size += length
    return [page[::-1] for page in reversed(pages)]


def _pieces(found: Iterable[Section]) -> Iterator[Section]:
    """Part the steps that are longer than a page."""
    for section in found:
        if len(section.lines) <= PAGE:
            yield section
            continue
        for part, first in enumerate(range(0, len(section.lines), PAGE), 1):
            yield replace(section, lines=section.lines[first : first + PAGE], part=part)


# One entry ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A part of an answer: a table with its title, or single fields if it has no columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Explained:
    """An entry with what explains it: its step, its rule, where it comes from, what followed."""

    line: Line
    step: Section | None
    clause: Clause | None
    tables: tuple[str, ...]
    """The tables of the rule, by their names in forecasts."""
    blocks: tuple[Block, ...]
    causes: tuple[Line, ...]
    followed: tuple[Line, ...]
    units: tuple[str, ...]
    before: int | None
    after: int | None


def explained(table: Table, number: int) -> Explained:
    """Return an entry with all that explains it. Raises RefusedError if there is none."""
    seen = find(table.view, number)
    log, entry = table.log, seen.entry
    behind = causes(table.view, number) if entry.type == "fact" else ()
    spoken = [one.number for one in log if one.text]
    return Explained(
        line=_line(log[number - 1], number),
        step=_step_of(table, number),
        clause=RulesIndex.load_packaged(table.ruleset.package).get(rule_of(entry)),
        tables=tuple(one.id for one in behind_rule(table, rule_of(entry))),
        blocks=tuple(answer_blocks(entry.body["value"])) if entry.type == "answer" else (),
        causes=tuple(_line(log[one.number - 1], one.number) for one in behind),
        followed=tuple(_followed(table, seen)),
        units=tuple(sorted(units_of(entry))) if entry.type == "fact" else (),
        before=max((one for one in spoken if one < number), default=None),
        after=min((one for one in spoken if one > number), default=None),
    )


def _step_of(table: Table, number: int) -> Section | None:
    for one in reversed(table.log[:number]):
        if one.entry.type == "step":
            begun = [c for c in chapters(table) if c.number <= one.number]
            return Section(begun[-1] if begun else None, one, _title(one),
                           one.entry.body["clause"], ())  # fmt: skip
    return None


def _followed(table: Table, seen: Seen) -> Iterator[Line]:
    """Yield the facts that followed from an answer or a roll: the other way round to `causes`."""
    if seen.entry.type not in {"answer", "roll"}:
        return
    any_yet = False
    for one in table.log[seen.number :]:
        entry = one.entry
        if entry.type in {"step", "done", "open", "undo", "redo"}:
            return
        if entry.lane != seen.entry.lane:
            continue
        if entry.type in {"answer", "roll"}:
            # Answers given at the same time count together.
            if any_yet:
                return
        elif one.text:
            any_yet = True
            yield _line(one, one.number)


def answer_blocks(value: Any, title: str = "") -> Iterator[Block]:
    """Yield an answer in full: its single fields, then a table for each list of rows."""
    if isinstance(value, dict) and value:
        single = [(_spaced(name), _cell(part)) for name, part in value.items() if not _rows(part)]
        if single:
            yield Block(title, (), tuple(single))
        for name, part in value.items():
            if _rows(part):
                yield from answer_blocks(part, _spaced(name))
    elif _rows(value):
        names = list(dict.fromkeys(name for row in value for name in row))
        used = [name for name in names if any(row.get(name) not in (None, "", []) for row in value)]
        rows = tuple(tuple(_cell(row.get(name, "")) for name in used) for row in value)
        yield Block(title, tuple(_spaced(name) for name in used), rows)
    else:
        yield Block(title, (), (("", "\n".join(plain_lines(value))),))


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _cell(value: Any) -> str:
    if value in (None, "", []):
        return ""
    if isinstance(value, Mapping) or _rows(value):
        return "\n".join(plain_lines(value))
    return in_words(value)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


# What a unit went through ------------------------------------------------------------------------


def story(table: Table, unit: str) -> list[Line]:
    """Return the entries about a unit, as far as the viewer may see them."""
    return [
        _line(one, one.number)
        for one in table.log
        if one.text and one.entry.type == "fact" and unit in units_of(one.entry)
    ]
