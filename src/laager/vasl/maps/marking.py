"""Marking a map: telling by hand what hexes are and what lies on them, a line for each change.

A change is written `HEXES=WORDS`:

    C4-C9,D5=woods        terrain, in place of what was told before
    C4=woods+brush        the main terrain, and what there is beside it
    rest=open             the terrain of all hexes that are still unknown
    woods=jungle          one kind of terrain for another, wherever it is
    rest=right            no doubt is left
    C4=level:2            the level
    C4,C5=stone:1         one building with so many storeys above the ground
    C4,C5,C6=joined       the buildings in these hexes are one, which fills all of them
    C4=storeys:2          its storeys; `cellar`
    C4=bridge             a feature
    C4/C5=wall            a hexside
    C4>C5>D5=paved        a road, path, stream or the like from hex to hex
    C4>C5=slope           a slope of C4, the upper hex, at its hexside to C5
    C4=strategic          a Strategic Location for a reason of its own
    C4=name:Church        a name written on the map
    C4,C5=setup:North     hexes of a Setup Area
    C4=block:Mill         the name of the Block that C4 is in; `no-block`
    A5=arrow:red          the arrow of an Entry Area; `owner:British`, `single`, `same-edge`
    setup:North=South     a new name for a Setup Area or a Block; `-` takes it away
    arrow:A5=A7           an arrow, or a name, moves; `-` takes it away
    C4,C4/C5=right        what was read from a board's colours is right: no doubt is left
    alike:3=woods         all hexes or hexsides of a group of doubts, by its number; `alike:3=right`

With a minus a word takes away: `C4=-bridge`, `C4=-woods`, `C4=-building`, `C4/C5=-wall`, `C4>C5=-paved`,
`C4>C5=-slope`, `C4=-name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from laager.base import DataError, Problem, did_you_mean
from laager.base.files import Document, parse_document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.coords import side_key
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, UNKNOWN, WATERCOURSES, unknown_hexes
from laager.vasl.maps.doubts import drop_settled
from laager.vasl.maps.mapwriter import compact, rewrite
from laager.vasl.maps.marking_houses import Houses
from laager.vasl.maps.marking_names import HexFinder
from laager.vasl.maps.marking_places import FREE, PLACES, RENAMED, Places
from laager.vasl.maps.marking_ways import Ways

RIGHT = "right"
"""The word for what was read well."""
MAX_CHANGES = 5000
MAX_LEVEL, MIN_LEVEL = 30, -9

REST = "rest"
"""Stands for all hexes of which nobody has told what they are."""
JOINED, RAZED = "joined", "-building"
CELLAR = ("cellar", "-cellar")
COURSES = (*ROADS, *WATERCOURSES)
SLOPE = "slope"

_LEVEL = re.compile(r"level:([+-]?[0-9]{1,2})")
_STOREYS = re.compile(r"storeys:([0-9])")
_BUILDING = re.compile(rf"({'|'.join(MATERIALS)})(?::([0-9]))?")
_FREE = re.compile(rf"\s*({'|'.join(FREE)})\s*:(.*)", re.DOTALL)
_RENAMED = re.compile(rf"\s*({'|'.join(RENAMED)})\s*:(.*)", re.DOTALL)
_ALIKE = re.compile(r"\s*alike\s*:\s*0*([1-9][0-9]{0,8})\s*")
_FORM = "HEX=TERRAIN, such as C4=woods, C4-C9=grain, C4=stone:1, C4/C5=wall, C4>C5=paved"


def mark(map_text: str, changes: Iterable[str], name: str = "the map") -> str:
    """Return the text of a map file with changes; whatever they do not touch stays as it is.

    `name` stands for the file in messages. The same changes once more change nothing, except that a building
    stands only once. Names and lists of Blocks follow the streets. Raises DataError with every change that is
    wrong, or with what is wrong with the map itself; then nothing is changed.
    """
    document = parse_document(map_text, name)
    before = map_from_document(document)
    marking = _Marking(document.data, before)
    listed = tuple(changes)
    if len(listed) > MAX_CHANGES:
        raise DataError([Problem(f"{len(listed)} changes at once", f"{MAX_CHANGES} at most")])
    for change in listed:
        marking.take(change)
    marking.refuse()
    text = marking.write(map_text, name)
    after = map_from_document(parse_document(text, name))
    if any(
        before.hexes[hex_name] != after.hexes[hex_name]
        for hex_name in before.hexes
        if hex_name not in marking.named.met
    ):
        right = "write the file without aliases, or change it in an editor"
        raise DataError([Problem("the changes would touch more than they name", right, file=name)])
    return text


def read_changes(text: str) -> list[str]:
    """Return the changes in a file, one a line; empty lines and comments (#) do not count."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [re.sub(r"\s*([=,/>+])\s*", r"\1", line) for line in lines if line]


@dataclass
class _Wish:
    """The words of one change about its hexes; `gone` are words that are taken away."""

    terrain: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    level: int | None = None
    building: tuple[str, int] | None = None
    joined: bool = False
    razed: bool = False
    storeys: int | None = None
    cellar: bool | None = None
    gone: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)


class _Marking:
    """Changes to the lists of a map file, before any text is touched."""

    def __init__(self, data: Mapping[str, Any], map_: HexMap) -> None:
        self.map = map_
        self.named = HexFinder(map_)
        self.ways, self.houses, self.places = Ways(data, self.named), Houses(data, self.named), Places(data, self.named)
        self.lists = {
            part: {kind: self.named.main_names(texts) for kind, texts in (data.get(part) or {}).items()}
            for part in ("terrain", "also", "levels", "features", "slopes")
        }
        self.lists["hexsides"] = {
            kind: [_side(map_, text) for text in texts] for kind, texts in (data.get("hexsides") or {}).items()
        }
        self.lists["doubts"] = {key: list(places) for key, places in (data.get("doubts") or {}).items()}
        self.lists["alike"] = {str(key): list(places) for key, places in (data.get("alike") or {}).items()}
        self.before = {part: {kind: list(names) for kind, names in kinds.items()} for part, kinds in self.lists.items()}

    def refuse(self) -> None:
        """Raise DataError with all that is wrong with the changes, if anything is."""
        if self.named.problems:
            raise DataError(self.named.problems)

    def write(self, text: str, name: str) -> str:
        """Return the text of the map with the changes, its Blocks as the streets now make them."""
        places = self.places
        lists = {**self.changed_lists(), **places.changed_lists()}
        entries = {**self.ways.changes(), **self.houses.changes(), **places.changes()}
        text = rewrite(text, lists, entries, name, places.changed_plain())
        if not places.of_blocks:
            return text
        document = parse_document(text, name)
        bare = {part: value for part, value in document.data.items() if part not in {"blocks", "block_names"}}
        blocks = places.settled_blocks(map_from_document(Document(bare, name, document.lines)))
        self.refuse()
        return rewrite(text, blocks, {}, name)

    def changed_lists(self) -> dict[str, dict[str, Sequence[str] | None]]:
        """Return the lists that differ now, by part and kind; None for an empty one."""
        changes: dict[str, dict[str, Sequence[str] | None]] = {}
        for part in ("doubts", "alike"):
            self.lists[part] = drop_settled(self.lists[part], self.named.settled)
        for part, kinds in self.lists.items():
            for kind, names in kinds.items():
                if names == self.before[part].get(kind, []):
                    continue
                items = names if part in {"hexsides", "slopes", "doubts", "alike"} else compact(names)
                changes.setdefault(part, {})[kind] = items or None
        return changes

    # Reading changes

    def take(self, change: str) -> None:
        """Take a change up, or note what is wrong with it."""
        target, equals, words = change.partition("=")
        group = _ALIKE.fullmatch(target) if words.strip() else None
        if group is not None:
            target = self._places_alike(change, group[1])
            if not target:
                return
        renamed = _RENAMED.fullmatch(target)
        if not equals or not target.strip() or not words.strip():
            self.named.wrong(change, "is not a change", _FORM)
        elif renamed is not None:
            self.places.rename(change, renamed[1], renamed[2], words)
        elif words.strip() == RIGHT:
            self._right(change, target.split(","))
        elif group is not None and _BUILDING.search(words):
            self._houses_alike(change, target.split(","), words)
        elif ">" in target:
            self._course(change, target.split(">"), words.strip())
        elif target.strip() in TERRAINS:
            self._everywhere(change, target.strip(), words.strip())
        elif "/" in target:
            self._sides(change, target.split(","), words.split("+"))
        else:
            self._hexes(change, target, words)

    def _hexes(self, change: str, target: str, words: str) -> None:
        free = _FREE.fullmatch(words)
        wish = _Wish(places=[f"{free[1]}:{free[2]}"]) if free else self._wish(change, words.split("+"))
        rest = target.strip() == REST
        hexes = unknown_hexes(self.map) if rest else self.named.hexes(change, target.split(","))
        if wish is not None and hexes:
            self._apply(change, hexes, wish)

    def _places_alike(self, change: str, number: str) -> str:
        """Return the hexes or hexsides of a group of doubts, as changes name them; "" if there is no such group."""
        places = self.lists["alike"].get(number, [])
        if not places:
            known = [f"alike:{kind}" for kind in self.lists["alike"]]
            right = did_you_mean(f"alike:{number}", known, "there are") if known else "settle doubts by their hexes"
            self.named.wrong(change, f"there is no group alike:{number}", right)
        return ",".join(map(str, places))

    def _houses_alike(self, change: str, texts: Sequence[str], words: str) -> None:
        """Put a building of its own up in each hex of a group, in place of what stands there."""
        wish, hexes = self._wish(change, words.split("+")), self.named.hexes(change, texts)
        if wish is not None and hexes:
            self.houses.raze(hexes)
            for name in hexes:
                self._apply(change, [name], wish)

    def _everywhere(self, change: str, old: str, new: str) -> None:
        """Put one kind of terrain in place of another in all hexes that have it, mainly or also; doubts stay."""
        if new not in TERRAINS or "open" in {old, new}:
            self.named.wrong(change, f"{old} can't become {new[:30]!r} everywhere", "two kinds, such as woods=jungle")
            return
        main, also = self.lists["terrain"], self.lists["also"]
        for kinds in (main, also):
            moved = kinds.get(old, [])
            if new != old and moved:
                names = kinds.setdefault(new, [])
                names += [name for name in moved if name not in names]
                self.named.met.update(moved)
                kinds[old] = []
        if new in also:
            also[new] = [name for name in also[new] if name not in main.get(new, ())]

    def _right(self, change: str, texts: Sequence[str]) -> None:
        """Note that hexes and hexsides are what the map says, which takes away the doubts about them."""
        if [text.strip() for text in texts] == [REST]:
            self.named.settled.update(place for places in self.lists["doubts"].values() for place in places)
            return
        for text in texts:
            ends = [self.named.hexes(change, [end]) for end in text.split("/")]
            if not all(ends):
                return
            self.named.settled.update(["/".join(end[0] for end in ends)] if len(ends) > 1 else ends[0])

    def _wish(self, change: str, words: Sequence[str]) -> _Wish | None:
        wish, before = _Wish(), len(self.named.problems)
        for word in (word.strip() for word in words):
            if word in TERRAINS:
                wish.terrain.append(word)
            elif word in FEATURES:
                wish.features.append(word)
            elif word in PLACES:
                wish.places.append(word)
            elif word in CELLAR:
                wish.cellar = word == CELLAR[0]
            elif word in {JOINED, RAZED}:
                wish.joined, wish.razed = word == JOINED or wish.joined, word == RAZED or wish.razed
            elif word.startswith("-") and word[1:] in (*TERRAINS, *FEATURES, *COURSES):
                wish.gone.append(word[1:])
            elif not self._figures(change, word, wish):
                known = (*TERRAINS, *FEATURES, *MATERIALS, *PLACES, JOINED, "level:1", "storeys:1", *CELLAR)
                right = did_you_mean(word, known, "there are")
                self.named.wrong(change, f"{word[:30]!r} is nothing that a hex can be", right)
        return wish if len(self.named.problems) == before else None

    def _figures(self, change: str, word: str, wish: _Wish) -> bool:
        """Take a word with a figure up; False if it is none."""
        level, storeys, building = (pattern.fullmatch(word) for pattern in (_LEVEL, _STOREYS, _BUILDING))
        if level is not None:
            wish.level = int(level[1])
            if not MIN_LEVEL <= wish.level <= MAX_LEVEL:
                self.named.wrong(change, f"level {wish.level} is out of bounds", f"from {MIN_LEVEL} to {MAX_LEVEL}")
        elif storeys is not None:
            wish.storeys = int(storeys[1])
        elif building is not None:
            wish.building = (building[1], int(building[2] or 0))
        return (level or storeys or building) is not None

    # Changing hexes

    def _apply(self, change: str, hexes: Sequence[str], wish: _Wish) -> None:
        self.named.met.update(hexes)
        if wish.places:
            for word in wish.places:
                self.places.word(change, hexes, word)
        if wish == _Wish(places=wish.places):
            return
        self.named.settled.update(hexes)
        if not self._houses(change, hexes, wish):
            return
        for word in wish.gone:
            self._take_away(hexes, word)
        if wish.terrain:
            self._set("terrain", hexes, [kind for kind in wish.terrain[:1] if kind != "open"])
            self._set("also", hexes, dict.fromkeys(kind for kind in wish.terrain[1:] if kind != "open"))
        for kind in wish.features:
            names = self.lists["features"].setdefault(kind, [])
            names += [name for name in hexes if name not in names]
        if wish.level is not None:
            same = [kind for kind in self.lists["levels"] if int(kind) == wish.level]
            self._set("levels", hexes, (same or [str(wish.level)]) if wish.level else ())

    def _houses(self, change: str, hexes: Sequence[str], wish: _Wish) -> bool:
        """Do what a change says of buildings; False if a new one can't stand there."""
        if wish.razed:
            self.houses.raze(hexes)
        if wish.building is not None and not self.houses.build(change, hexes, *wish.building):
            return False
        if wish.joined:
            self.houses.join(change, hexes)
        if (wish.building is not None or wish.joined) and not wish.terrain:
            self._clear_unknown(hexes)
        if wish.storeys is not None:
            self.houses.storeys(change, hexes, wish.storeys)
        if wish.cellar is not None:
            self.houses.cellar(change, hexes, present=wish.cellar)
        return True

    def _take_away(self, hexes: Sequence[str], word: str) -> None:
        """Take a kind of terrain, a feature, or a road out of hexes."""
        for part in ("terrain", "also", "features"):
            names = self.lists[part].get(word, [])
            names[:] = [name for name in names if name not in hexes]
        if word in COURSES:
            for name in hexes:
                self.ways.cut(word, [name])
            # A stream fills the hexes that it passes, the neighbours' too.
            self.named.met.update(near for name in hexes for near in self.map.neighbours(name))

    def _clear_unknown(self, hexes: Sequence[str]) -> None:
        """Take hexes out of the unknown ones: a house or a road in them tells that they are open."""
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

    # Hexsides, roads

    def _course(self, change: str, texts: Sequence[str], word: str) -> None:
        kind = word.removeprefix("-")
        if kind not in {*COURSES, SLOPE}:
            right = did_you_mean(kind, (*COURSES, SLOPE), "there are")
            self.named.wrong(change, f"{word[:30]!r} leads from hex to hex nowhere", right)
            return
        along = self.named.way(change, texts)
        if not along:
            return
        self.named.met.update(along)
        if kind == SLOPE:
            self._slope(along, there=word == kind)
            return
        if word.startswith("-"):
            self.ways.cut(kind, along)
            return
        if kind in ROADS:
            self._clear_unknown(along)
        self.ways.lead(kind, along)

    def _slope(self, along: Sequence[str], *, there: bool) -> None:
        """Let each hex have a slope down to the next one, or none. The file's own names of hexes stay."""
        slopes = self.lists["slopes"]
        for upper, beyond in pairwise(along):
            listed = [names for key, names in slopes.items() if self.map.main(key) == upper]
            for names in listed:
                names[:] = [name for name in names if name != beyond or there]
            if there and not any(beyond in names for names in listed):
                (listed or [slopes.setdefault(upper, [])])[0].append(beyond)

    def _sides(self, change: str, texts: Sequence[str], words: Sequence[str]) -> None:
        pairs = self.named.sides(change, texts)
        if not pairs:
            return
        self.named.settled.update(pairs)
        for word in (word.strip() for word in words):
            kind = word.removeprefix("-")
            if kind not in HEXSIDES:
                down = f"from the upper hex to the lower one: {pairs[0].replace('/', '>')}={word}"
                right = down if kind == SLOPE else did_you_mean(kind, HEXSIDES, "there are")
                self.named.wrong(change, f"{word[:30]!r} does not run along hexsides", right)
                continue
            named_sides = self.lists["hexsides"].setdefault(kind, [])
            if word == kind:
                named_sides += [pair for pair in pairs if pair not in named_sides]
            else:
                named_sides[:] = [pair for pair in named_sides if pair not in pairs]


def _side(map_: HexMap, text: str) -> str:
    first, _, other = text.partition("/")
    return "/".join(side_key(map_.main(first.strip()), map_.main(other.strip())))
