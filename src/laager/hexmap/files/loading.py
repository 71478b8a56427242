"""From a map file to a map: look up names and ranges, and report every problem with its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laager.base import DataError, Problem, did_you_mean
from laager.base.files import Document, Where, check, read_document
from laager.hexmap.areas.blocks import Blocks, derive_blocks
from laager.hexmap.coords import axial_distance, hex_advice, parse_range, side_key, sort_key
from laager.hexmap.files.boards import HexSpot, join
from laager.hexmap.files.mapfile import BuildingEntry, HexList, MapFile, RoadEntry, WatercourseEntry
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import FEATURES, HEXSIDES, TERRAINS
from laager.hexmap.values import Building, Course, EntryArrow, Hex, Picture


def load_map(path: Path) -> HexMap:
    """Read a map file. Raises DataError with every problem, located."""
    return map_from_document(read_document(path))


def map_from_document(document: Document) -> HexMap:
    """Return the map that a document describes. Raises DataError with every problem, located."""
    reader = _Reader(document, check(document, MapFile))
    found = reader.read()
    if reader.problems:
        key = [(problem.line or 0, problem.field) for problem in reader.problems]
        order = sorted(range(len(key)), key=key.__getitem__)
        raise DataError(reader.problems[i] for i in order)
    return found


_AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
"""The six neighbours of a hex, as steps of (q, r)."""
_NONE: frozenset[str] = frozenset()
"""Most hexes have this: a set of its own for each would fill the memory."""


@dataclass
class _Reader:
    """Collects what the parts of a file say of each hex, and what is wrong with them."""

    document: Document
    file: MapFile
    problems: list[Problem] = field(default_factory=list)
    spots: dict[str, HexSpot] = field(default_factory=dict)
    main: dict[str, str] = field(default_factory=dict)

    def read(self) -> HexMap:
        file = self.file
        for spot in join(file.boards, self._complain_of_board):
            self.spots[spot.name] = spot
            for name in (spot.name, *spot.aliases):
                self.main[name] = spot.name
        if self.problems:
            # Without its boards every other name in the file would be wrong too.
            return _empty(file)
        terrain = self._terrain()
        level = self._levels()
        also = self._sets("also", file.also, TERRAINS, "terrain")
        features = self._sets("features", file.features, FEATURES, "feature")
        buildings = self._buildings()
        house = {name: one for one in buildings for name in one.hexes}
        watercourses = self._courses("watercourses", file.watercourses)
        wet: dict[str, set[str]] = {}
        for course in watercourses:
            for name in course.along:
                wet.setdefault(name, set()).add(course.kind)
        hexes = {
            spot.name: Hex(
                spot.name,
                spot.q,
                spot.r,
                terrain.get(spot.name, "open"),
                _set(also.get(spot.name)),
                _set(features.get(spot.name)),
                level.get(spot.name, 0),
                spot.half,
                spot.aliases,
                house.get(spot.name),
                _set(wet.get(spot.name)),
            )
            for spot in self.spots.values()
        }
        found = HexMap(
            id=file.id,
            title=file.title,
            source=file.source,
            source_note=file.source_note,
            hexes=hexes,
            playable=self._playable(),
            hexsides=self._hexsides(),
            roads=self._courses("roads", file.roads),
            watercourses=watercourses,
            buildings=buildings,
            names=self._labels(),
            strategic=frozenset(name for _, name in self.names(("strategic",), file.strategic)),
            pictures=tuple(self._pictures()),
            **_read_town(file, self),
        )
        if not self.problems:
            _check_town(found, file, self)
        return found

    def complain(self, where: Where, what: str, right: str = "") -> None:
        """Report a problem at a place of the file."""
        self.problems.append(self.document.problem(where, what, right))

    def _complain_of_board(self, number: int, part: str, what: str, right: str) -> None:
        self.complain(("boards", number, part) if part else ("boards", number), what, right)

    def names(self, where: Where, items: Sequence[str]) -> Iterator[tuple[Where, str]]:
        """Yield the main names of hexes and ranges, each with its place in the file."""
        for i, text in enumerate(items):
            here = (*where, i)
            for name in self._span(here, text):
                found = self.main.get(name)
                if found is None:
                    first = f"{text} has no hex {name}" if name != text else f"no hex {name}"
                    self.complain(here, f"{first} on this map", self._nearest(name))
                    break
                yield here, found

    def one(self, where: Where, name: str) -> str | None:
        """Return the main name of one hex; if it is not on the map, a problem is reported."""
        found = self.main.get(name)
        if found is None:
            self.complain(where, f"no hex {name} on this map", self._nearest(name))
        return found

    def _nearest(self, name: str) -> str:
        return hex_advice(name, self.main)

    def _span(self, where: Where, text: str) -> Sequence[str]:
        """Return the names in a hex or a range."""
        try:
            return parse_range(text)
        except DataError as err:
            for problem in err.problems:
                self.complain(where, problem.what, problem.right)
            return ()

    def _known(self, part: str, kind: str, known: Iterable[str], what: str) -> bool:
        known = tuple(known)
        if kind in known:
            return True
        self.complain((part, kind), f"{kind!r} is not a {what} kind", did_you_mean(kind, known))
        return False

    def _terrain(self) -> dict[str, str]:
        found: dict[str, str] = {}
        line: dict[str, int | None] = {}
        for kind, items in self.file.terrain.items():
            if not self._known("terrain", kind, TERRAINS, "terrain"):
                continue
            for where, name in self.names(("terrain", kind), items):
                if found.setdefault(name, kind) != kind:
                    what = f"{name} is {found[name]} already (line {line[name]})"
                    self.complain(where, what, "keep one here and list the other under also")
                line.setdefault(name, self.document.line(where))
        return found

    def _levels(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for text, items in self.file.levels.items():
            try:
                level = int(text)
            except ValueError:
                self.complain(("levels", text), f"{text!r} is not a level", "a number such as 2, -1")
                continue
            if not -9 <= level <= 30:
                self.complain(("levels", text), f"level {level} is out of bounds", "-9 to 30")
                continue
            for where, name in self.names(("levels", text), items):
                if found.setdefault(name, level) != level:
                    self.complain(where, f"{name} has level {found[name]} already", "keep one")
        return found

    def _sets(
        self, part: str, kinds: Mapping[str, Sequence[str]], known: Sequence[str], what: str
    ) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for kind, items in kinds.items():
            if self._known(part, kind, known, what):
                for _, name in self.names((part, kind), items):
                    found.setdefault(name, set()).add(kind)
        return found

    def _buildings(self) -> tuple[Building, ...]:
        found, taken = [], dict[str, str]()
        for i, entry in enumerate(self.file.buildings):
            label = entry.name or f"building {i + 1}"
            names: list[str] = []
            for where, name in self.names(("buildings", i, "hexes"), entry.hexes):
                if name in taken:
                    self.complain(where, f"{name} has a building already ({taken[name]})", "one building per hex")
                else:
                    names.append(name)
                    taken[name] = label
            names.sort(key=sort_key)
            apart = self._apart(names)
            if apart:
                what = f"{apart} is apart from the rest of {label}"
                self.complain(("buildings", i), what, "make it a building of its own")
            lower = self._lower(i, entry, names)
            found.append(Building(entry.name, entry.material, entry.levels, entry.cellar, tuple(names), lower))
        return tuple(found)

    def _lower(self, i: int, entry: BuildingEntry, names: Sequence[str]) -> dict[str, int]:
        """Return the storeys of those hexes of a building in which it has fewer."""
        found: dict[str, int] = {}
        for text, levels in entry.levels_at.items():
            where = ("buildings", i, "levels_at", text)
            name = self.one(where, text)
            if name is None:
                continue
            if name not in names:
                self.complain(where, f"{name} is not a hex of this building", "leave it out")
            elif levels >= entry.levels:
                what = f"{levels} are not fewer than the building's {entry.levels}"
                self.complain(where, what, "levels: the most that it has in any hex")
            else:
                found[name] = levels
        return found

    def _apart(self, names: Sequence[str]) -> str | None:
        """Return the first hex that is not connected to the first one."""
        # A building that lost all its hexes to another one has none.
        left = {(self.spots[name].q, self.spots[name].r): name for name in names[1:]}
        edge = [(self.spots[name].q, self.spots[name].r) for name in names[:1]]
        for place in edge:
            left.pop(place, None)
        while edge:
            q, r = edge.pop()
            near = [(q + across, r + down) for across, down in _AROUND if (q + across, r + down) in left]
            for place in near:
                del left[place]
            edge.extend(near)
        return min(left.values(), key=sort_key) if left else None

    def _distance(self, a: str, b: str) -> int:
        first, second = self.spots[a], self.spots[b]
        return axial_distance(second.q - first.q, second.r - first.r)

    def _courses(self, part: str, entries: Sequence[RoadEntry | WatercourseEntry]) -> tuple[Course, ...]:
        found = []
        for i, entry in enumerate(entries):
            along: list[str] = []
            for where, name in self.names((part, i, "along"), entry.along):
                if along and self._distance(along[-1], name) != 1:
                    what = f"{name} does not touch {along[-1]}, the hex before it"
                    self.complain(where, what, "name every hex on the way")
                along.append(name)
            found.append(Course(entry.kind, tuple(along)))
        return tuple(found)

    def _hexsides(self) -> dict[tuple[str, str], frozenset[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for kind, items in self.file.hexsides.items():
            if not self._known("hexsides", kind, HEXSIDES, "hexside"):
                continue
            for i, text in enumerate(items):
                where = ("hexsides", kind, i)
                pair = [self.main.get(part.strip(), part.strip()) for part in text.split("/")]
                strange = [name for name in pair if name not in self.spots]
                if len(pair) != 2:
                    self.complain(where, f"{text!r} is not a hexside", "two hexes such as C4/C5")
                elif strange:
                    self.complain(where, f"no hex {strange[0]} on this map", self._nearest(strange[0]))
                elif self._distance(*pair) != 1:
                    what = f"{pair[0]} and {pair[1]} do not touch"
                    self.complain(where, what, "a hexside lies between two adjacent hexes")
                else:
                    found.setdefault(side_key(*pair), set()).add(kind)
        return {pair: frozenset(found[pair]) for pair in sorted(found)}

    def _playable(self) -> frozenset[str]:
        playable, out = self.file.playable, self.file.not_playable
        if isinstance(playable, str):
            inside = frozenset(self.spots)
        else:
            inside = frozenset(name for _, name in self.names(("playable",), playable))
        if out and not isinstance(playable, str):
            self.complain(("not_playable",), "stands next to a list under playable", "keep one of the two")
        inside -= {name for _, name in self.names(("not_playable",), out)}
        if not inside and not self.problems:
            self.complain(("playable",), "no hex is playable", "leave it out, or name some hexes")
        return inside

    def _labels(self) -> dict[str, str]:
        found = {}
        for name, label in self.file.names.items():
            main = self.one(("names", name), name)
            if main is not None:
                found[main] = label
        return found

    def _pictures(self) -> Iterator[Picture]:
        for number, entry in enumerate(self.file.pictures):
            main = self.one(("pictures", number, "hex"), entry.hex)
            if main is not None:
                yield Picture(entry.file, entry.sha256, main, entry.at, entry.hex_size, entry.part, entry.reversed)


def _empty(file: MapFile) -> HexMap:
    return HexMap(file.id, file.title, file.source, {}, frozenset())


_SHOWN = 6


def _read_town(file: MapFile, look: _Reader) -> dict[str, Any]:
    """Return what a file says of Blocks and areas, by main names; problems are reported."""
    if file.blocks and file.block_names:
        look.complain(("block_names",), "stands next to blocks", "keep one of the two")
    named = {block: look.one(("block_names", block), text) for block, text in file.block_names.items()}
    return {
        "block_lists": _areas("blocks", file.blocks, look),
        "block_names": {block: name for block, name in named.items() if name is not None},
        "no_block": frozenset(name for _, name in look.names(("no_block",), file.no_block)),
        "entry_arrows": _arrows(file, look),
        "setup_areas": _areas("setup_areas", file.setup_areas, look),
    }


def _areas(part: str, areas: Mapping[str, HexList], look: _Reader) -> dict[str, frozenset[str]]:
    found = {}
    for area, items in areas.items():
        if not items:
            look.complain((part, area), "has no hexes", "name some, or leave it out")
        found[area] = frozenset(name for _, name in look.names((part, area), items))
    return found


def _arrows(file: MapFile, look: _Reader) -> tuple[EntryArrow, ...]:
    found: dict[str, EntryArrow] = {}
    for i, entry in enumerate(file.entry_areas):
        where = ("entry_areas", i, "arrow")
        name = look.one(where, entry.arrow)
        if name is None:
            continue
        if name in found:
            look.complain(where, f"{name} has an arrow already", "one Entry Area for each arrow")
        found[name] = EntryArrow(name, entry.colour, entry.owner, entry.same_edge_only, entry.single)
    return tuple(found.values())


def _check_town(map_: HexMap, file: MapFile, look: _Reader) -> None:
    """Tell what is wrong with Blocks and areas on the map that the file makes."""
    if file.blocks or file.block_names:
        derived = derive_blocks(map_)
        if file.blocks:
            _check_lists(map_, derived, file, look)
        else:
            _check_names(map_, derived, look)
    for i, arrow in enumerate(map_.entry_arrows):
        if not map_.mask([arrow.hex]) & map_.grid.rim:
            what = f"{arrow.hex} is not at the edge of the map"
            look.complain(("entry_areas", i, "arrow"), what, "an arrow stands on a map edge hex")
    for area, items in file.setup_areas.items():
        for where, name in look.names(("setup_areas", area), items):
            if name not in map_.playable:
                look.complain(where, f"{name} is not playable", "leave it out")


def _check_lists(map_: HexMap, derived: Blocks, file: MapFile, look: _Reader) -> None:
    taken: dict[str, str] = {}
    for block, items in file.blocks.items():
        for where, name in look.names(("blocks", block), items):
            if taken.setdefault(name, block) != block:
                look.complain(where, f"{name} is in Block {taken[name]} already", "keep one")
            elif derived.block_at(name) is None:
                what = f"{name} is {_why_outside(map_, derived, name)}"
                look.complain(where, what, "leave it out; it belongs to no Block")
    left = [name for own in derived.hexes.values() for name in own if name not in taken]
    if left:
        look.complain(
            ("blocks",), f"in no Block: {_shown(map_, left)}", "add them to Blocks, or list them under no_block"
        )


def _check_names(map_: HexMap, derived: Blocks, look: _Reader) -> None:
    named: dict[str, str] = {}
    for block, name in map_.block_names.items():
        where, there = ("block_names", block), derived.block_at(name)
        if there is None:
            look.complain(where, f"{name} is {_why_outside(map_, derived, name)}", "name a hex inside the Block")
        elif named.setdefault(there, block) != block:
            what = f"{name} is in the Block of {map_.block_names[named[there]]} ({named[there]})"
            look.complain(where, what, "one name for each Block")
    for there, hexes in derived.hexes.items():
        if there not in named:
            look.complain(
                ("block_names",),
                f"a Block without a name: {_shown(map_, hexes)}",
                "name one of its hexes here, or list them under no_block",
            )


def _why_outside(map_: HexMap, derived: Blocks, name: str) -> str:
    """Return why a hex is in no Block."""
    for hexes, why in (
        (derived.rivers, "river"),
        (derived.blockhouses, "the Blockhouse"),
        (derived.roads, "a road hex"),
        (map_.no_block, "listed under no_block"),
    ):
        if name in hexes:
            return why
    return "not playable"


def _shown(map_: HexMap, names: Iterable[str]) -> str:
    hexes = map_.in_order(names)
    more = f" and {len(hexes) - _SHOWN} more" if len(hexes) > _SHOWN else ""
    return ", ".join(hexes[:_SHOWN]) + more


def _set(words: Iterable[str] | None) -> frozenset[str]:
    return frozenset(words) if words else _NONE
