"""Labels on VASL's map that show a campaign's date, ELR and SAN, a side's points and its setup.

Both players read a save. So labels show what both sides know; what only one side knows (CPP, where its units set
up) is on labels for that side alone, when it asks for them.

A label is a `User-Labeled` piece like those that players make; a comment in its text marks it as ours. Laager finds
it again by that mark and changes only its text: it stays where players have moved it. Labels of ours that are no
longer wanted are removed. Everything else in the save stays as it is, byte for byte.
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
from laager.vasl.saves.save import GAME, MAX_GAME, run_on_entry, save_of
from laager.vasl.saves.sequence import BEGIN, END, AddCommand, WorkLimit, decode, encode, fold, sort_commands, unveil
from laager.vasl.saves.traits import TAB, PieceTrait, parse_position, traits_of

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.campaign.engine import Campaign

SETUP = "setup-sheet"
"""Key under which rulesets have the sheets for a side's setup."""
WIDTH = 46
"""Longest line of a label, in characters: the border around VASL's boards has room for it."""

_RATINGS = ("ELR", "SAN")
_NOTHING = ("", "secret", "?")


@dataclass(frozen=True)
class MapLabel:
    """A label: the topic that identifies it, its title, its lines."""

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
        """The text as VASL shows it, with the mark that identifies it."""
        title = textwrap.wrap(printable(self.title), WIDTH) or [""]
        rows = [f"<b>{html.escape(line)}</b>" for line in title]
        rows += [html.escape(line) for line in self.wrapped]
        return f"<html>{label_mark(self.topic)}{'<br>'.join(rows)}</html>"

    def describe(self) -> dict[str, object]:
        """Return it as JSON."""
        return {"topic": self.topic, "title": self.title, "lines": list(self.lines)}


def label_mark(topic: str) -> str:
    """Return the mark of a topic: a comment, which VASL does not show."""
    return f"<!-- laager:label {topic} -->"


def labels_of(campaign: Campaign, side: str | None = None) -> tuple[MapLabel, ...]:
    """Return the labels of a campaign with what both sides may know, or with what one side may.

    Raises RefusedError for an unknown side.
    """
    rules = find_ruleset(campaign.opening["ruleset"])
    if side is not None and side not in rules.sides:
        advice = did_you_mean(side, rules.sides, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", advice)
    viewers = rules.sides if side is None else (side,)
    by_viewer = [_labels_seen_by(campaign, viewer) for viewer in viewers]
    return tuple(_common_labels(by_viewer)) if side is None else by_viewer[0]


def _labels_seen_by(campaign: Campaign, viewer: str) -> tuple[MapLabel, ...]:
    """Return the labels with everything that a viewer may know."""
    rules = find_ruleset(campaign.opening["ruleset"])
    side_view = view(campaign, viewer)
    sheets = rules.sheets(campaign.context, side_view.state)
    labels = [MapLabel("campaign", side_view.title, tuple(rules.headline(campaign.context, side_view.state)))]
    for side in rules.sides:
        rosters = [sheet for sheet in sheets if sheet.id == "roster" and sheet.side == side]
        for sheet in rosters[:1]:
            labels.append(_ratings(sheet, side, is_own=viewer == side))
    for sheet in rules.sheets_beside(campaign.context, side_view.state, SETUP, viewer):
        if sheet.id == "setup-order":
            labels.append(MapLabel("order", sheet.title, _rows_as_lines(sheet)))
        elif sheet.id == "setup-ground":
            labels.append(MapLabel(f"setup-{viewer}", sheet.title, _rows_as_lines(sheet)))
    return tuple(label for label in labels if label.lines)


def _ratings(sheet: Sheet, side: str, *, is_own: bool) -> MapLabel:
    """Return the ratings on a side's roster; for the side itself its notes, with the points."""
    cells: dict[str, str] = {}
    if sheet.rows:
        titles = (column.title for column in sheet.columns)
        cells = dict(zip(titles, sheet.rows[-1], strict=True))
    ratings = [f"{rating} {cells[rating]}" for rating in _RATINGS if cells.get(rating, "") not in _NOTHING]
    lines = [", ".join(ratings)] if ratings else []
    if is_own:
        lines += sheet.notes
    return MapLabel(f"ratings-{side}", sheet.title, tuple(lines))


def _rows_as_lines(sheet: Sheet) -> tuple[str, ...]:
    """Return the rows of a sheet of two columns as lines."""
    return tuple(": ".join(filter(None, row)) for row in sheet.rows)


def _common_labels(by_viewer: Sequence[tuple[MapLabel, ...]]) -> Iterator[MapLabel]:
    """Yield the lines of labels that all sides have, as labels."""
    others = [{label.topic: label for label in labels} for labels in by_viewer[1:]]
    for label in by_viewer[0]:
        twins = [labels.get(label.topic) for labels in others]
        lines = tuple(line for line in label.lines if all(twin is not None and line in twin.lines for twin in twins))
        if lines and all(twin is not None and twin.title == label.title for twin in twins):
            yield MapLabel(label.topic, label.title, lines)


LEFT, TOP = 200, 60
"""Place of the first new label: in the border to the west of the boards, in pixels."""
LINE, GAP = 18, 24
"""The height of a line, and the room between labels."""
ROOM, LOWEST = 40, 6000
"""Distance of a label from others' centres, and the lowest place for one, in pixels."""

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
class LabelledSave:
    """A save with labels: the file, and the topics that were added, updated, left unchanged or removed."""

    data: bytes
    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def label_save(data: bytes, name: str, labels: Sequence[MapLabel]) -> LabelledSave:
    """Return a save with these labels of ours and no others; `name` stands for it in messages.

    Raises DataError if it is not a save to trust, or cannot be changed without touching anything else.
    """
    if len(data) > MAX_FILE:
        raise DataError([Problem("is too large", f"{MAX_FILE} bytes at most", file=name)])
    archive = Archive(data, name)
    save = save_of(archive)
    return run_on_entry(archive, GAME, lambda: _label_game(data, archive, save.vasl, labels))


def _label_game(data: bytes, archive: Archive, version: str, labels: Sequence[MapLabel]) -> LabelledSave:
    text, key = unveil(archive.read(GAME, MAX_GAME))
    change = _LabelChange(text, version, archive.label)
    change.put(labels)
    if change.text == text:
        return LabelledSave(data, unchanged=tuple(change.unchanged))
    change.prove()
    new = change.pack(data, key)
    save_of(Archive(new, archive.label))
    topics = (change.added, change.updated, change.unchanged, change.removed)
    return LabelledSave(new, *map(tuple, topics))


class _LabelChange(Insertion):
    """The text of a game, whose labels are being changed."""

    def __init__(self, text: str, version: str, name: str) -> None:
        super().__init__(text, name)
        self.version = version
        self.sorted = sort_commands(self.commands)
        self.added: list[str] = []
        self.updated: list[str] = []
        self.unchanged: list[str] = []
        self.removed: list[str] = []

    def put(self, labels: Sequence[MapLabel]) -> None:
        """Put labels in; old ones of ours are renewed, or taken out."""
        wanted = {label.topic: label for label in labels}
        for command in self.commands[: self._end_index()]:
            topic = self._topic(command)
            if topic is None:
                continue
            label = wanted.pop(topic, None)
            if label is None:
                self.swap(command, None)
                self.removed.append(topic)
                continue
            new = _with_text(command, label.text)
            if new == command:
                self.unchanged.append(topic)
            else:
                self.swap(command, new)
                self.updated.append(topic)
        fresh = self._first_free_id()
        on, taken = self._map_and_taken()
        place = TOP
        for label in wanted.values():
            height = LINE * (len(label.wrapped) + 1)
            middle = _free_height(place + height // 2, height // 2 + ROOM, taken)
            self.insert([_add_command(str(fresh), label.text, on, LEFT, middle)])
            self.added.append(label.topic)
            fresh, place = fresh + 1, middle + height // 2 + GAP

    def _end_index(self) -> int:
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

    def _first_free_id(self) -> int:
        used = [added.id for added in (*self.sorted.pieces, *self.sorted.stacks)]
        return max((int(id_) for id_ in used if id_.isdecimal()), default=0) + 1

    def _map_and_taken(self) -> tuple[str, list[int]]:
        """Return the name of the map in this save, and the heights of pieces in its west border.

        Labels of ours that are taken out count too: they are few.
        """
        used: Counter[str] = Counter()
        taken = []
        for piece in self.sorted.pieces:
            at = parse_position(decode(traits_of(piece, WorkLimit())[-1].state, ";"))
            if at.map in MAIN_MAPS:
                used[at.map] += 1
                taken += [at.y] if at.x < EDGE else []
        new, old = MAIN_MAPS
        usual = old if _OLD_MAP.match(self.version) else new
        return max(used, key=used.__getitem__, default=usual), sorted(taken)


def _free_height(place: int, half: int, taken: Sequence[int]) -> int:
    """Return the first height from `place` on that keeps its distance from others; else `place`."""
    height = place
    for other in taken:
        if height - half < other < height + half:
            height = other + half
    return height if height <= LOWEST else place


def _traits(command: str) -> tuple[PieceTrait, ...]:
    _, *parts = decode(command, "/")
    return traits_of(AddCommand(*parts), WorkLimit()) if len(parts) == 3 else ()


def _with_text(command: str, text: str) -> str:
    """Return the command of a label of ours with another text, and everything else as it was."""
    word, number, kind, _ = decode(command, "/")
    states = [text if trait.id == "label" and _OURS.search(trait.state) else trait.state for trait in _traits(command)]
    return encode((word, number, kind, fold(states, TAB)), "/")


def _add_command(number: str, text: str, on: str, x: int, y: int) -> str:
    """Return the command that adds a label."""
    kinds = [*(kind for kind, _ in _BEFORE), _LABEL, _PIECE]
    states = [*(state for _, state in _BEFORE), text, encode((on, str(x), str(y), ""), ";")]
    return encode(("+", number, fold(kinds, TAB), fold(states, TAB)), "/")


def our_labels(data: bytes, name: str) -> Mapping[str, str]:
    """Return the texts of the labels of ours that a save has, by topic. Raises DataError."""
    archive = Archive(data, name)
    save_of(archive)
    return run_on_entry(archive, GAME, lambda: _read_our_labels(archive))


def _read_our_labels(archive: Archive) -> Mapping[str, str]:
    change = _LabelChange(unveil(archive.read(GAME, MAX_GAME))[0], "", archive.label)
    texts: dict[str, str] = {}
    for piece in change.sorted.pieces:
        for trait in traits_of(piece, WorkLimit()):
            match = _OURS.search(trait.state) if trait.id == "label" else None
            if match:
                texts[match[1]] = trait.state
    return texts
