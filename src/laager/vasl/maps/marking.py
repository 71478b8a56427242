"""Marking a map: telling by hand what hexes are, where a board's archive does not.

A change is written `HEXES=WORDS`:

    C4-C9,D5=woods        terrain, in place of what was told before
    C4=woods+brush        the main terrain, and what there is beside it
    C4=level:2            the level
    C4,C5=stone:1         one building with so many storeys above the ground
    C4=bridge             a feature
    C4/C5=wall            a hexside
    C4>C5>D5=paved        a road, path, stream or the like from hex to hex
    C4,C4/C5=right        what was read from a board's colours is right: no doubt is left
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from laager.base import DataError, Problem, did_you_mean
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.coords import hex_advice, side_key, span
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, UNKNOWN, WATERCOURSES
from laager.vasl.maps.doubtful import without
from laager.vasl.maps.mapwriter import compact, rewritten

RIGHT = "right"
"""The word for what was read well."""
MAX_CHANGES = 5000
MAX_LEVEL, MIN_LEVEL, MAX_STOREYS = 30, -9, 9

_LEVEL = re.compile(r"level:([+-]?[0-9]{1,2})")
_BUILDING = re.compile(rf"({'|'.join(MATERIALS)})(?::([0-9]))?")
_FORM = "HEX=TERRAIN, such as C4=woods, C4-C9=grain, C4=stone:1, C4/C5=wall, C4>C5=paved"


def mark(map_text: str, changes: Iterable[str], name: str = "the map") -> str:
    """Return the text of a map file with changes; whatever they do not touch stays as it is.

    `name` stands for the file in messages. Raises DataError with every change that is wrong,
    or with what is wrong with the map itself; then nothing is changed.
    """
    document = parse_document(map_text, name)
    before = map_from_document(document)
    marking = _Marking(document.data, before)
    listed = tuple(changes)
    if len(listed) > MAX_CHANGES:
        raise DataError([Problem(f"{len(listed)} changes at once", f"{MAX_CHANGES} at most")])
    for change in listed:
        marking.take(change)
    if marking.problems:
        raise DataError(marking.problems)
    text = rewritten(map_text, marking.changed_lists(), marking.entries, name)
    after = map_from_document(parse_document(text, name))
    if any(before.hexes[one] != after.hexes[one] for one in before.hexes if one not in marking.met):
        right = "write the file without aliases, or change it in an editor"
        raise DataError([Problem("the changes would touch more than they name", right, file=name)])
    return text


def read_changes(text: str) -> list[str]:
    """Return the changes in a file, one a line; empty lines and comments (#) do not count."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [re.sub(r"\s*([=,/>+])\s*", r"\1", line) for line in lines if line]


@dataclass
class _Wish:
    """What the words of one change say of its hexes."""

    terrain: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    level: int | None = None
    building: tuple[str, int] | None = None


class _Marking:
    """Changes to the lists of a map file, before any text is touched."""

    def __init__(self, data: Mapping[str, Any], map_: HexMap) -> None:
        self.map = map_
        self.problems: list[Problem] = []
        self.met: set[str] = set()
        self.entries: dict[str, list[dict[str, Any]]] = {}
        self.built: set[str] = set()
        self.lists = {
            part: {
                kind: [name for text in texts for name in self._names(text)]
                for kind, texts in (data.get(part) or {}).items()
            }
            for part in ("terrain", "also", "levels", "features")
        }
        self.lists["hexsides"] = {
            kind: [_side(map_, text) for text in texts] for kind, texts in (data.get("hexsides") or {}).items()
        }
        self.lists["doubts"] = {key: list(places) for key, places in (data.get("doubts") or {}).items()}
        self.settled: set[str] = set()
        self.before = {part: {kind: list(names) for kind, names in kinds.items()} for part, kinds in self.lists.items()}

    def _names(self, text: str) -> list[str]:
        return [self.map.main(name) for name in span(text)]

    def changed_lists(self) -> dict[str, dict[str, Sequence[str] | None]]:
        """Return the lists that differ now, by part and kind; None for an empty one."""
        found: dict[str, dict[str, Sequence[str] | None]] = {}
        self.lists["doubts"] = without(self.lists["doubts"], self.settled)
        for part, kinds in self.lists.items():
            for kind, names in kinds.items():
                if names == self.before[part].get(kind, []):
                    continue
                items = names if part in {"hexsides", "doubts"} else compact(names)
                found.setdefault(part, {})[kind] = items or None
        return found

    def take(self, change: str) -> None:
        """Take a change up, or note what is wrong with it."""
        target, equals, words = change.partition("=")
        if not equals or not target.strip() or not words.strip():
            self._wrong(change, "is not a change", _FORM)
        elif words.strip() == RIGHT:
            self._right(change, target.split(","))
        elif ">" in target:
            self._course(change, target.split(">"), words.strip())
        elif "/" in target:
            self._sides(change, target.split(","), words.split("+"))
        else:
            wish = self._wish(change, words.split("+"))
            hexes = self._hexes(change, target.split(","))
            if wish is not None and hexes:
                self._apply(change, hexes, wish)

    def _right(self, change: str, texts: Sequence[str]) -> None:
        """Note that hexes and hexsides are what the map says, which takes away the doubts about them."""
        for text in texts:
            ends = [self._hexes(change, [end]) for end in text.split("/")]
            if not all(ends):
                return
            self.settled.update(["/".join(end[0] for end in ends)] if len(ends) > 1 else ends[0])

    def _wrong(self, change: str, what: str, right: str = "") -> None:
        self.problems.append(Problem(what, right, change[:80]))

    def _hexes(self, change: str, texts: Sequence[str]) -> list[str]:
        """Return the main names of hexes; none if one is not on the map, which is then noted."""
        found: list[str] = []
        for text in texts:
            try:
                names = span(text.strip())
            except DataError as err:
                for problem in err.problems:
                    self._wrong(change, problem.what, problem.right)
                return []
            for name in names:
                if name not in self.map:
                    known = [one for h in self.map.hexes.values() for one in (h.name, *h.aliases)]
                    self._wrong(change, f"there is no hex {name} on this map", hex_advice(name, known))
                    return []
                found.append(self.map.main(name))
        return list(dict.fromkeys(found))

    def _wish(self, change: str, words: Sequence[str]) -> _Wish | None:
        wish, before = _Wish(), len(self.problems)
        for word in (word.strip() for word in words):
            level, building = _LEVEL.fullmatch(word), _BUILDING.fullmatch(word)
            if word in TERRAINS:
                wish.terrain.append(word)
            elif word in FEATURES:
                wish.features.append(word)
            elif level is not None:
                wish.level = int(level[1])
                if not MIN_LEVEL <= wish.level <= MAX_LEVEL:
                    self._wrong(change, f"level {wish.level} is out of bounds", f"from {MIN_LEVEL} to {MAX_LEVEL}")
            elif building is not None:
                wish.building = (building[1], int(building[2] or 0))
            else:
                known = (*TERRAINS, *FEATURES, *MATERIALS, "level:1")
                right = did_you_mean(word, known, "there are")
                self._wrong(change, f"{word[:30]!r} is nothing that a hex can be", right)
        return wish if len(self.problems) == before else None

    def _apply(self, change: str, hexes: Sequence[str], wish: _Wish) -> None:
        self.met.update(hexes)
        self.settled.update(hexes)
        terrain = wish.terrain
        if wish.building is not None:
            if not self._build(change, hexes, *wish.building):
                return
            if not terrain:
                self._known(hexes)
        if terrain:
            self._set("terrain", hexes, [kind for kind in terrain[:1] if kind != "open"])
            self._set("also", hexes, dict.fromkeys(one for one in terrain[1:] if one != "open"))
        for kind in wish.features:
            there = self.lists["features"].setdefault(kind, [])
            there += [name for name in hexes if name not in there]
        if wish.level is not None:
            same = [kind for kind in self.lists["levels"] if int(kind) == wish.level]
            self._set("levels", hexes, (same or [str(wish.level)]) if wish.level else ())

    def _known(self, hexes: Sequence[str]) -> None:
        """Who says that a house stands in hexes, or a road leads through them, knows them."""
        unknown = self.lists["terrain"].get(UNKNOWN, ())
        self._set("terrain", [name for name in hexes if name in unknown], ())

    def _set(self, part: str, hexes: Sequence[str], kinds: Iterable[str]) -> None:
        """Put hexes under those kinds of a part, and under no others."""
        kinds, moved = tuple(kinds), set(hexes)
        for names in self.lists[part].values():
            if not moved.isdisjoint(names):
                names[:] = [name for name in names if name not in moved]
        for kind in kinds:
            self.lists[part].setdefault(kind, []).extend(hexes)

    def _build(self, change: str, hexes: Sequence[str], material: str, storeys: int) -> bool:
        taken = [name for name in hexes if self.map.hexes[name].building or name in self.built]
        if taken:
            self._wrong(change, f"{taken[0]} has a building already", "change it under buildings in the file")
            return False
        if not _connected(self.map, hexes):
            self._wrong(change, "these hexes are not next to one another", "one change for each building")
            return False
        entry: dict[str, Any] = {"material": material}
        if storeys:
            entry["levels"] = storeys
        self.entries.setdefault("buildings", []).append(entry | {"hexes": compact(hexes)})
        self.built.update(hexes)
        return True

    def _course(self, change: str, texts: Sequence[str], word: str) -> None:
        if word not in ROADS and word not in WATERCOURSES:
            right = did_you_mean(word, (*ROADS, *WATERCOURSES), "there are")
            self._wrong(change, f"{word[:30]!r} leads from hex to hex nowhere", right)
            return
        along: list[str] = []
        for text in texts:
            names = self._hexes(change, [text])
            if not names:
                return
            along += [name for name in names if along[-1:] != [name]]
        for one, other in pairwise(along):
            if self.map.distance(one, other) != 1:
                self._wrong(change, f"{other} does not touch {one}, the hex before it", "name every hex on the way")
                return
        self.met.update(along)
        part = "roads" if word in ROADS else "watercourses"
        if word in ROADS:
            self._known(along)
        self.entries.setdefault(part, []).append({"kind": word, "along": along})

    def _sides(self, change: str, texts: Sequence[str], words: Sequence[str]) -> None:
        pairs = []
        for text in texts:
            ends = [self._hexes(change, [end]) for end in text.split("/")]
            if not all(ends):
                return
            pair = [end[0] for end in ends]
            if [len(end) for end in ends] != [1, 1] or self.map.distance(*pair) != 1:
                self._wrong(change, f"{text} is not a hexside", "two hexes that touch, such as C4/C5")
                return
            pairs.append("/".join(side_key(*pair)))
        self.settled.update(pairs)
        for word in (word.strip() for word in words):
            if word not in HEXSIDES:
                right = did_you_mean(word, HEXSIDES, "there are")
                self._wrong(change, f"{word[:30]!r} does not run along hexsides", right)
                continue
            there = self.lists["hexsides"].setdefault(word, [])
            there += [pair for pair in pairs if pair not in there]


def _side(map_: HexMap, text: str) -> str:
    one, _, other = text.partition("/")
    return "/".join(side_key(map_.main(one.strip()), map_.main(other.strip())))


def _connected(map_: HexMap, hexes: Sequence[str]) -> bool:
    """Return True if one can go from hex to hex through all of them."""
    left, edge = set(hexes[1:]), list(hexes[:1])
    while edge:
        here = edge.pop()
        near = [name for name in left if map_.distance(here, name) == 1]
        left.difference_update(near)
        edge += near
    return not left
