"""Boards as a scenario changes them: its rules and overlays applied, or listed with the reason.

First come the board's own pictures, then overlays, then the rules about terrain, which count for
overlays too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from laager.base import DataError, did_you_mean
from laager.vasl.archive import Archive, open_archive, read_xml
from laager.vasl.boards.board import Board, board_of
from laager.vasl.boards.crossings import HexPoints
from laager.vasl.boards.losdata import LosData, by_name
from laager.vasl.boards.markers import block_of_rule, rules_with_pictures
from laager.vasl.boards.metadata import METADATA, Metadata
from laager.vasl.colours.board_ground import try_ground_by_colours
from laager.vasl.colours.palette import Colour, Meaning, colours_of, own_colours, rgb
from laager.vasl.saves.traits import parse_whole
from laager.vasl.scenario import rules as scenario
from laager.vasl.scenario.land import Land
from laager.vasl.scenario.overlays import lay, overlay_archive, paint

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

Result = Literal["applied", "nothing", "not applied"]

MAX_TEXT = 4 * 2**20
MAX_CHANGED = 12_000_000
"""Most pixels of a board that is changed: twice those of the largest board known."""
MAX_PICTURES = 32
"""Most pictures that a rule lays on a board; no board known has more than seven."""
MAX_WORK = 100_000_000
"""Most pixels that all rules and overlays together look at: eight on the largest boards, eighty on usual ones."""
MAX_RULES = 2000
"""Most rules of its own that a board may have."""


@dataclass(frozen=True)
class Overlay:
    """An overlay as a scenario lays it: its name, the two hexes of the board that it takes.

    `origin` is the hex of its picture that lies on the first, where its archive does not tell.
    """

    name: str
    first: str
    second: str
    origin: str = ""

    def __str__(self) -> str:
        other = f", {self.second}" if self.second != self.first else ""
        return _plain(f"overlay {self.name} on {self.first}{other}")


@dataclass(frozen=True)
class ChangeOutcome:
    """The outcome of a rule or an overlay on a board, and why.

    `result` is applied, nothing (it changes nothing that a map holds) or not applied.
    """

    board: str
    what: str
    result: Result
    why: str = ""

    def __str__(self) -> str:
        why = f": {self.why}" if self.why else ""
        words = {"applied": "applied", "nothing": "changes nothing", "not applied": "NOT APPLIED"}
        return f"board {self.board}, {self.what}: {words[self.result]}{why}"

    def describe(self) -> dict[str, str]:
        """Return it as JSON."""
        return {"board": self.board, "what": self.what, "result": self.result, "why": self.why}


@dataclass(frozen=True)
class OwnRules:
    """The scenario rules of a board itself, by name.

    `pictures` are pictures with the pixel where each belongs; `colours` pairs of names of colours,
    of which one becomes the other; `patterns` those that fill a colour with a pattern.
    """

    pictures: Mapping[str, tuple[tuple[str, int, int], ...]] = field(default_factory=dict)
    colours: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    patterns: frozenset[str] = frozenset()
    palette: Mapping[str, Colour] = field(default_factory=dict)


def changed_board(
    archive: Archive, rules: Sequence[str] = (), overlays: Sequence[Overlay] = (), folders: Sequence[Path] = ()
) -> tuple[Board, tuple[ChangeOutcome, ...]]:
    """Return a board with scenario rules and overlays applied, and what became of each.

    Overlays are looked for in `folders`. Raises DataError if the board itself can't be used.
    """
    rules = tuple(dict.fromkeys(rules))
    if not rules and not overlays:
        return board_of(archive), ()
    changing = _Changing(archive, rules, tuple(overlays), tuple(folders))
    board = board_of(archive, changing.change)
    if not board.known:
        changing.nothing_known()
    return changing.with_outcomes(board)


def read_changed(
    archive: Archive,
    rules: Sequence[str] = (),
    overlays: Sequence[Overlay] = (),
    folders: Sequence[Path] = (),
    legend: Mapping[int, Meaning] | None = None,
) -> tuple[Board, tuple[ChangeOutcome, ...], str]:
    """Return a board with scenario rules and overlays applied, what became of each, why its picture can't be read.

    Of a board without LOS data the colours of its picture tell, by `legend` first; the same rules and overlays change
    what was read. Raises DataError, or RefusedError, for a legend that can't be used.
    """
    board, outcomes = changed_board(archive, rules, overlays, folders)
    if board.known:
        return board, outcomes, ""
    changing = _Changing(archive, tuple(dict.fromkeys(rules)), tuple(overlays), tuple(folders))
    read, why = try_ground_by_colours(archive, board, legend, changing.change if rules or overlays else None)
    return (read, outcomes, why) if why else (*changing.with_outcomes(read), "")


def changed_pixels(
    archive: Archive,
    data: LosData,
    metadata: Metadata,
    rules: Sequence[str] = (),
    overlays: Sequence[Overlay] = (),
    folders: Sequence[Path] = (),
) -> LosData:
    """Return a board's LOS data with scenario rules and overlays applied; what can't be applied is left out."""
    if not rules and not overlays:
        return data
    return _Changing(archive, tuple(dict.fromkeys(rules)), tuple(overlays), tuple(folders)).change(data, metadata)


def changed_part(archive: Archive, data: LosData, metadata: Metadata, rule: str) -> tuple[int, int, int, int] | None:
    """Return the part of a board that a rule changes (x, y, width, height); None if it changes nothing.

    If the rule can't be applied, that is the whole board.
    """
    changing = _Changing(archive, (rule,), (), ())
    new = changing.change(data, metadata)
    if any(outcome.result == "not applied" for outcome in changing.outcomes):
        return 0, 0, *data.size
    differs = (new.codes != data.codes) | (new.elevation != data.elevation)
    across, down = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not across.size:
        return None
    left, top = int(across[0]), int(down[0])
    return left, top, int(across[-1]) - left, int(down[-1]) - top


def known_rules(archive: Archive) -> tuple[str, ...]:
    """Return the names of the rules that VASL has for all boards, then of those that a board has. Raises DataError."""
    own = own_rules(archive)
    return tuple(dict.fromkeys((*scenario.rules(), *own.pictures, *own.colours, *sorted(own.patterns))))


class _Changing:
    """One board being changed; what became of each wish is noted on the way."""

    def __init__(
        self, archive: Archive, rules: tuple[str, ...], overlays: tuple[Overlay, ...], folders: tuple[Path, ...]
    ) -> None:
        self.archive, self.rules, self.overlays, self.folders = archive, rules, overlays, folders
        self.outcomes: list[ChangeOutcome] = []

    def with_outcomes(self, board: Board) -> tuple[Board, tuple[ChangeOutcome, ...]]:
        """Return a board that has been changed, with the notes of what became of each wish, and these."""
        outcomes = tuple(replace(outcome, board=board.name) for outcome in self.outcomes)
        applied = tuple(outcome.what for outcome in outcomes if outcome.result == "applied")
        others = tuple(outcome.what for outcome in outcomes if outcome.result != "applied")
        return replace(board, changes=applied, in_play=others), outcomes

    def change(self, data: LosData, metadata: Metadata, points: HexPoints | None = None) -> LosData:
        if data.codes.size > MAX_CHANGED:
            self._none_applied(f"the board has {data.codes.size} pixels; {MAX_CHANGED} at most")
            return data
        wishes = len(self.rules) + len(self.overlays)
        if data.codes.size * wishes > MAX_WORK:
            self._none_applied(f"{wishes} changes of {data.codes.size} pixels are too much; {MAX_WORK} in all at most")
            return data
        land = Land(data, metadata.geometry, points)
        own = own_rules(self.archive)
        shared = scenario.rules()
        pictured = [rule for rule in self.rules if rule not in shared and rule in own.pictures]
        for rule in pictured:
            self._apply_pictures(land, rule, own)
        for overlay in self.overlays:
            self._apply_overlay(land, overlay)
        for rule in self.rules:
            if rule not in pictured:
                self._apply_rule(land, rule, own)
        if scenario.PACIFIC.intersection(self.rules):
            land = land.copy()
            scenario.make_pacific(land)
        return land.data()

    def nothing_known(self) -> None:
        """Note that nothing can be applied to a board of unknown terrain."""
        self._none_applied("its archive holds no LOS data; mark the hexes that it changes")

    def _none_applied(self, why: str) -> None:
        self.outcomes = []
        for wish in (*map(_describe_rule, self.rules), *map(str, self.overlays)):
            self._note(wish, "not applied", why)

    def _note(self, wish: str, result: Result, why: str = "") -> None:
        self.outcomes.append(ChangeOutcome(self.archive.name, _plain(wish), result, _plain(why)))

    def _apply_pictures(self, land: Land, rule: str, own: OwnRules) -> None:
        """Paint the board's own pictures for a rule: all of them, or none."""
        if block := block_of_rule(rule):
            self._note(_describe_rule(rule), "nothing", f"it shows who controls Block {block}")
            return
        if len(own.pictures[rule]) > MAX_PICTURES:
            self._note(_describe_rule(rule), "not applied", f"it has more than {MAX_PICTURES} pictures")
            return
        trial = land.copy()
        try:
            for name, x, y in own.pictures[rule]:
                paint(trial, self.archive, name, (x, y), own.palette)
        except DataError as err:
            self._note(_describe_rule(rule), "not applied", _reasons(err))
            return
        self._take_over(_describe_rule(rule), land, trial, "read from the colours of its picture")

    def _apply_overlay(self, land: Land, overlay: Overlay) -> None:
        path = overlay_archive(self.folders, overlay.name)
        if path is None:
            looked = ", ".join(map(str, self.folders)) or "no folder was named"
            self._note(str(overlay), "not applied", f"its archive is not there (looked for in: {looked})")
            return
        trial = land.copy()
        try:
            archive = open_archive(path)
            hexes = (overlay.first, overlay.second)
            lay(trial, archive, overlay.name, hexes, overlay.origin)
        except DataError as err:
            self._note(str(overlay), "not applied", _reasons(err))
            return
        why = "read from the colours of its picture; its buildings have no upper levels"
        self._take_over(str(overlay), land, trial, why)

    def _apply_rule(self, land: Land, rule: str, own: OwnRules) -> None:
        if rule in scenario.rules():
            if not scenario.changes_ground(rule):
                self._note(_describe_rule(rule), "nothing", "it is about looks")
                return
            trial = land.copy()
            scenario.apply(rule, trial)
            jungle = "what is left of woods is Light Jungle; mark huts yourself"
            self._take_over(_describe_rule(rule), land, trial, jungle if rule in scenario.PACIFIC else "")
        elif rule in own.colours:
            trial = land.copy()
            recolour(trial, own.colours[rule], own.palette)
            self._take_over(_describe_rule(rule), land, trial, "by the board's own colour rule")
        elif rule in own.patterns:
            why = "it fills a colour with a pattern, which stands for no terrain; mark the hexes"
            self._note(_describe_rule(rule), "not applied", why)
        else:
            known = known_rules(self.archive)
            why = f"no such rule of VASL or of this board; {did_you_mean(rule, known, 'there are')}"
            self._note(_describe_rule(rule), "not applied", why)

    def _take_over(self, wish: str, land: Land, trial: Land, why: str) -> None:
        """Take a trial over, and note whether it differs."""
        if trial.same_as(land):
            self._note(wish, "nothing", "there is nothing of it on this board")
            return
        land.codes, land.levels, land.stairways = trial.codes, trial.levels, trial.stairways
        self._note(wish, "applied", why)


def _plain(text: str) -> str:
    """Return a text without what could disturb a terminal or a file: archives hold anything."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def _describe_rule(name: str) -> str:
    return f"rule {name[:80]}"


def _reasons(err: DataError) -> str:
    """Return why something was refused, without the folders of anybody's disk."""
    reasons = []
    for problem in err.problems:
        where = Path(problem.file).name if problem.file else ""
        reasons.append(str(replace(problem, file=where) if where else problem))
    return "; ".join(reasons)


def recolour(land: Land, pairs: Sequence[tuple[str, str]], palette: Mapping[str, Colour]) -> None:
    """Change ground by pairs of colours: what one stands for becomes what the other does."""
    codes, levels = land.codes.copy(), land.levels.copy()
    for old_name, new_name in pairs:
        old, new = palette.get(old_name), palette.get(new_name)
        if old is None or new is None or old.terrain is None or new.terrain is None:
            continue
        there = codes == by_name(old.terrain).code
        if old.level is not None:
            there &= levels == old.level
        land.codes[there] = by_name(new.terrain).code
        if new.level is not None and new.level != old.level:
            land.levels[there] = np.int8(new.level)


def own_rules(archive: Archive) -> OwnRules:
    """Return the rules that a board's archive has of its own. Raises DataError if it is spoilt."""
    pictures: dict[str, tuple[tuple[str, int, int], ...]] = {}
    colours: dict[str, tuple[tuple[str, str], ...]] = {}
    patterns: set[str] = set()
    old = _parse_old_colour_rules(archive)
    if METADATA not in archive:
        listed: dict[str, list[tuple[str, int, int]]] = {}
        for name, picture, x, y in rules_with_pictures(archive):
            listed.setdefault(name, []).append((picture, x, y))
        pictures = {name: tuple(placed) for name, placed in listed.items()}
        # What old boards call their colours tells as much as VASL's own names.
        return OwnRules(pictures, old, frozenset(), {**colours_of(archive), **own_colours(archive)})
    palette = dict(colours_of(archive))
    root = read_xml(archive.read(METADATA, MAX_TEXT), archive, METADATA)
    for element in _elements_with_name(root, "overlaySSRule"):
        pictures[element.get("name", "")] = _pictures([element])
    for element in _elements_with_name(root, "overlaySSRuleSet"):
        pictures[element.get("name", "")] = _pictures(element.iter("overlaySSRuleImage"))
    for element in _elements_with_name(root, "underlaySSRule"):
        patterns.add(element.get("name", ""))
    for element in _elements_with_name(root, "colorSSR"):
        colours[element.get("name", "")] = tuple(
            (pair.get("fromColor", ""), pair.get("toColor", "")) for pair in element.iter("colorMap")
        )
    for element in _elements_with_name(root, "color"):
        colour = _parse_colour(element)
        if colour is not None:
            palette[element.get("name", "")] = colour
    return OwnRules(pictures, {**old, **colours}, frozenset(patterns), palette)


def _elements_with_name(root: Element, tag: str) -> list[Element]:
    return [element for element in root.iter(tag) if element.get("name")][:MAX_RULES]


def _pictures(elements: Any) -> tuple[tuple[str, int, int], ...]:
    pictures = []
    for element in elements:
        x, y = parse_whole(element.get("x", "")), parse_whole(element.get("y", ""))
        pictures.append((element.get("image", ""), x or 0, y or 0))
    return tuple(pictures)


def _parse_colour(element: Element) -> Colour | None:
    """Return a colour that a board has of its own, if it tells of it what colours must."""
    parts = [parse_whole(element.get(word, "")) for word in ("red", "green", "blue")]
    numbers = [part for part in parts if part is not None and 0 <= part <= 255]
    if len(numbers) != 3:
        return None
    terrain = element.get("terrain", "")
    try:
        by_name(terrain)
    except KeyError:
        terrain = ""
    return Colour(rgb(*numbers), terrain or None, parse_whole(element.get("elevation", "")))


def _parse_old_colour_rules(archive: Archive) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the colour rules of the older text: a name, then pairs of colours, line by line."""
    rules: dict[str, list[tuple[str, str]]] = {}
    name = ""
    if "colorSSR" in archive:
        for line in archive.read("colorSSR", MAX_TEXT).decode("latin-1").splitlines():
            text = line.partition("//")[0].strip()
            old, equals, new = text.partition("=")
            if equals and name:
                rules[name].append((old.strip(), new.strip()))
            elif text and not equals and len(rules) < MAX_RULES:
                name = text
                rules.setdefault(name, [])
    return {name: tuple(pairs) for name, pairs in rules.items()}
