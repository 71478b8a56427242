"""Labels on VASL's map that show a campaign's date, ELR and SAN, a side's points and its setup.

Both players read a save. So labels show what both sides know; what only one side knows (CPP, where its units set
up) is on labels for that side alone, when it asks for them.

A label is a `User-Labeled` piece like those that players make; a comment in its text marks it as ours. It is found
again by that mark, and only its text is renewed: it stays where players have moved it. Labels of ours that nobody
wants any longer are removed. Everything else in the save stays as it is, byte for byte.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.campaign import find_ruleset
from laager.campaign.views import view
from laager.vasl.archive import MAX_FILE, Archive
from laager.vasl.boards.layout import EDGE
from laager.vasl.saves.game import MAIN_MAPS
from laager.vasl.saves.insertion import Insertion
from laager.vasl.saves.owners import printable
from laager.vasl.saves.save import GAME, MAX_GAME, save_of, within
from laager.vasl.saves.sequence import BEGIN, END, Added, WorkLimit, decode, encode, fold, sort, unveil
from laager.vasl.saves.traits import TAB, Trait, position, traits_of

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

    Raises RefusedError for an unknown side.
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
    for sheet in rules.sheets_beside(campaign.context, seen.state, SETUP, viewer):
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


LEFT, TOP = 200, 60
"""Where the first new label is put: in the border to the west of the boards, in pixels."""
LINE, GAP = 18, 24
"""The height of a line, and the room between labels."""
ROOM, LOWEST = 40, 6000
"""How far from others' centres a label keeps, and how far down a place for it is looked for."""

_OURS = re.compile(r"<!-- laager:label ([a-z0-9-]{1,60}) -->")
_OLD_MAP = re.compile(r"([0-5]\.|6\.[0-4]\b)")
"""The versions of VASL that call the map Map0."""
_PIECE = "piece;K;D;DO/LabelMe;User-Labeled"
_LABEL = encode(
    (
        *("label", "76,130", "Label", "12", "255,255,240", "0,0,0", "c", "0", "c", "0", "c", "c"),
        *("$label$", "Dialog", "0", "0", "TextLabel", ""),
    ),
    ";",
)
_BEFORE = (("mark;DBCounterType", "global"), ("immob;ig;I", ""))
"""The traits around a label's text: what the palette has, and that it lies free of the grid."""


@dataclass(frozen=True)
class Labelled:
    """A save with labels: the file, and the topics that are new, renewed, as they were, or gone."""

    data: bytes
    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def label_save(data: bytes, name: str, labels: Sequence[MapLabel]) -> Labelled:
    """Return a save with these labels of ours and no others; `name` stands for it in messages.

    Raises DataError if it is not a save to trust, or cannot be changed without touching anything else.
    """
    if len(data) > MAX_FILE:
        raise DataError([Problem("is too large", f"{MAX_FILE} bytes at most", file=name)])
    archive = Archive(data, name)
    save = save_of(archive)
    return within(archive, GAME, lambda: _labelled(data, archive, save.vasl, labels))


def _labelled(data: bytes, archive: Archive, version: str, labels: Sequence[MapLabel]) -> Labelled:
    text, key = unveil(archive.read(GAME, MAX_GAME))
    change = _Change(text, version, archive.label)
    change.put(labels)
    if change.text == text:
        return Labelled(data, unchanged=tuple(change.unchanged))
    change.prove()
    new = change.packed(data, key)
    save_of(Archive(new, archive.label))
    told = (change.added, change.updated, change.unchanged, change.removed)
    return Labelled(new, *map(tuple, told))


class _Change(Insertion):
    """The text of a game, whose labels are being changed."""

    def __init__(self, text: str, version: str, name: str) -> None:
        super().__init__(text, name)
        self.version = version
        self.sorted = sort(self.commands)
        self.added: list[str] = []
        self.updated: list[str] = []
        self.unchanged: list[str] = []
        self.removed: list[str] = []

    def put(self, labels: Sequence[MapLabel]) -> None:
        """Put labels in; old ones of ours are renewed, or taken out."""
        wanted = {label.topic: label for label in labels}
        for command in self.commands[: self._end()]:
            topic = self._topic(command)
            if topic is None:
                continue
            label = wanted.pop(topic, None)
            if label is None:
                self.swap(command, None)
                self.removed.append(topic)
                continue
            new = _renewed(command, label.text)
            if new == command:
                self.unchanged.append(topic)
            else:
                self.swap(command, new)
                self.updated.append(topic)
        fresh = self._fresh_ids()
        on, taken = self._map()
        place = TOP
        for label in wanted.values():
            height = LINE * (len(label.wrapped) + 1)
            middle = _free(place + height // 2, height // 2 + ROOM, taken)
            self.insert([_command(str(fresh), label.text, on, LEFT, middle)])
            self.added.append(label.topic)
            fresh, place = fresh + 1, middle + height // 2 + GAP

    def _end(self) -> int:
        """Return the number of the command that ends the starting state."""
        try:
            return self.commands.index(END, self.commands.index(BEGIN))
        except ValueError:
            raise self.refuse("has no end of its starting state") from None

    def _topic(self, command: str) -> str | None:
        """Return the topic of a label of ours, None for anything else."""
        if not command.startswith("+/") or "laager:label" not in command:
            return None
        for trait in _traits(command):
            if trait.id == "label":
                match = _OURS.search(trait.state)
                if match:
                    return match[1]
        return None

    def _fresh_ids(self) -> int:
        used = [one.id for one in (*self.sorted.pieces, *self.sorted.stacks)]
        return max((int(one) for one in used if one.isdecimal()), default=0) + 1

    def _map(self) -> tuple[str, list[int]]:
        """Return what the map is called in this save, and how far down its west border has pieces.

        Labels of ours that are taken out count too: they are few.
        """
        used: Counter[str] = Counter()
        taken = []
        for piece in self.sorted.pieces:
            at = position(decode(traits_of(piece, WorkLimit())[-1].state, ";"))
            if at.map in MAIN_MAPS:
                used[at.map] += 1
                taken += [at.y] if at.x < EDGE else []
        new, old = MAIN_MAPS
        usual = old if _OLD_MAP.match(self.version) else new
        return max(used, key=lambda one: used[one], default=usual), sorted(taken)


def _free(place: int, half: int, taken: Sequence[int]) -> int:
    """Return the first height from `place` on that keeps its distance from others; else `place`."""
    found = place
    for other in taken:
        if found - half < other < found + half:
            found = other + half
    return found if found <= LOWEST else place


def _traits(command: str) -> tuple[Trait, ...]:
    _, *parts = decode(command, "/")
    return traits_of(Added(*parts), WorkLimit()) if len(parts) == 3 else ()


def _renewed(command: str, text: str) -> str:
    """Return the command of a label of ours with another text, and everything else as it was."""
    word, number, kind, _ = decode(command, "/")
    states = [text if trait.id == "label" and _OURS.search(trait.state) else trait.state for trait in _traits(command)]
    return encode((word, number, kind, fold(states, TAB)), "/")


def _command(number: str, text: str, on: str, x: int, y: int) -> str:
    """Return the command that adds a label."""
    kinds = [*(kind for kind, _ in _BEFORE), _LABEL, _PIECE]
    states = [*(state for _, state in _BEFORE), text, encode((on, str(x), str(y), ""), ";")]
    return encode(("+", number, fold(kinds, TAB), fold(states, TAB)), "/")


def ours(data: bytes, name: str) -> Mapping[str, str]:
    """Return the texts of the labels of ours that a save has, by topic. Raises DataError."""
    archive = Archive(data, name)
    save_of(archive)
    return within(archive, GAME, lambda: _ours(archive))


def _ours(archive: Archive) -> Mapping[str, str]:
    change = _Change(unveil(archive.read(GAME, MAX_GAME))[0], "", archive.label)
    found: dict[str, str] = {}
    for piece in change.sorted.pieces:
        for trait in traits_of(piece, WorkLimit()):
            match = _OURS.search(trait.state) if trait.id == "label" else None
            if match:
                found[match[1]] = trait.state
    return found
