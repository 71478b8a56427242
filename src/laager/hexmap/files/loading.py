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
from laager.hexmap.files.boards import HexSpot, join_boards
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
    map_ = reader.read()
    if reader.problems:
        key = [(problem.line or 0, problem.field) for problem in reader.problems]
        order = sorted(range(len(key)), key=key.__getitem__)
        raise DataError(reader.problems[i] for i in order)
    return map_


_NEIGHBOUR_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
"""The six neighbours of a hex, as steps of (q, r)."""
_EMPTY: frozenset[str] = frozenset()
"""Shared by most hexes: a set of its own for each would fill the memory."""


@dataclass
class _Reader:
    """Collects what the parts of a file say of each hex, and their problems."""

    document: Document
    file: MapFile
    problems: list[Problem] = field(default_factory=list)
    spots: dict[str, HexSpot] = field(default_factory=dict)
    main: dict[str, str] = field(default_factory=dict)

    def read(self) -> HexMap:
        file = self.file
        for spot in join_boards(file.boards, self._complain_of_board):
            self.spots[spot.name] = spot
            for name in (spot.name, *spot.aliases):
                self.main[name] = spot.name
        if self.problems:
            # Without its boards every other name in the file would be wrong too.
            return _empty_map(file)
        terrain = self._terrain()
        level = self._levels()
        also = self._sets("also", file.also, TERRAINS, "terrain")
        features = self._sets("features", file.features, FEATURES, "feature")
        buildings = self._buildings()
        house = {name: building for building in buildings for name in building.hexes}
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
                _as_frozenset(also.get(spot.name)),
                _as_frozenset(features.get(spot.name)),
                level.get(spot.name, 0),
                spot.half,
                spot.aliases,
                house.get(spot.name),
                _as_frozenset(wet.get(spot.name)),
            )
            for spot in self.spots.values()
        }
        map_ = HexMap(
            id=file.id,
            title=file.title,
            source=file.source,
            source_note=file.source_note,
            hexes=hexes,
            playable=self._playable(),
            hexsides=self._hexsides(),
            slopes=self._slopes(),
            roads=self._courses("roads", file.roads),
            watercourses=watercourses,
            buildings=buildings,
            names=self._labels(),
            strategic=frozenset(name for _, name in self.names(("strategic",), file.strategic)),
            pictures=tuple(self._pictures()),
            **_read_town(file, self),
        )
        if not self.problems:
            _check_town(map_, file, self)
        return map_

    def complain(self, where: Where, problem: str, right: str = "") -> None:
        """Report a problem at a place of the file."""
        self.problems.append(self.document.problem(where, problem, right))

    def _complain_of_board(self, number: int, part: str, problem: str, right: str) -> None:
        self.complain(("boards", number, part) if part else ("boards", number), problem, right)

    def names(self, where: Where, items: Sequence[str]) -> Iterator[tuple[Where, str]]:
        """Yield the main names of hexes and ranges, each with its place in the file."""
        for i, text in enumerate(items):
            place = (*where, i)
            for name in self._span(place, text):
                main = self.main.get(name)
                if main is None:
                    first = f"{text} has no hex {name}" if name != text else f"no hex {name}"
                    self.complain(place, f"{first} on this map", self._nearest(name))
                    break
                yield place, main

    def main_name(self, where: Where, name: str) -> str | None:
        """Return the main name of one hex; if it is not on the map, a problem is reported."""
        main = self.main.get(name)
        if main is None:
            self.complain(where, f"no hex {name} on this map", self._nearest(name))
        return main

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

    def _is_known_kind(self, part: str, kind: str, known: Iterable[str], noun: str) -> bool:
        known = tuple(known)
        if kind in known:
            return True
        self.complain((part, kind), f"{kind!r} is not a {noun} kind", did_you_mean(kind, known))
        return False

    def _terrain(self) -> dict[str, str]:
        kinds: dict[str, str] = {}
        line: dict[str, int | None] = {}
        for kind, items in self.file.terrain.items():
            if not self._is_known_kind("terrain", kind, TERRAINS, "terrain"):
                continue
            for where, name in self.names(("terrain", kind), items):
                if kinds.setdefault(name, kind) != kind:
                    problem = f"{name} is {kinds[name]} already (line {line[name]})"
                    self.complain(where, problem, "keep one here and list the other under also")
                line.setdefault(name, self.document.line(where))
        return kinds

    def _levels(self) -> dict[str, int]:
        levels: dict[str, int] = {}
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
                if levels.setdefault(name, level) != level:
                    self.complain(where, f"{name} has level {levels[name]} already", "keep one")
        return levels

    def _sets(
        self, part: str, kinds: Mapping[str, Sequence[str]], known: Sequence[str], noun: str
    ) -> dict[str, set[str]]:
        kinds_of: dict[str, set[str]] = {}
        for kind, items in kinds.items():
            if self._is_known_kind(part, kind, known, noun):
                for _, name in self.names((part, kind), items):
                    kinds_of.setdefault(name, set()).add(kind)
        return kinds_of

    def _buildings(self) -> tuple[Building, ...]:
        buildings, taken = [], dict[str, str]()
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
            apart = self._first_apart(names)
            if apart:
                problem = f"{apart} is apart from the rest of {label}"
                self.complain(("buildings", i), problem, "make it a building of its own")
            lower = self._lower_levels(i, entry, names)
            buildings.append(Building(entry.name, entry.material, entry.levels, entry.cellar, tuple(names), lower))
        return tuple(buildings)

    def _lower_levels(self, i: int, entry: BuildingEntry, names: Sequence[str]) -> dict[str, int]:
        """Return the storeys of those hexes of a building in which it has fewer."""
        levels_at: dict[str, int] = {}
        for text, levels in entry.levels_at.items():
            where = ("buildings", i, "levels_at", text)
            name = self.main_name(where, text)
            if name is None:
                continue
            if name not in names:
                self.complain(where, f"{name} is not a hex of this building", "leave it out")
            elif levels >= entry.levels:
                problem = f"{levels} are not fewer than the building's {entry.levels}"
                self.complain(where, problem, "levels: the most that it has in any hex")
            else:
                levels_at[name] = levels
        return levels_at

    def _first_apart(self, names: Sequence[str]) -> str | None:
        """Return the first hex that is not connected to the first one."""
        # A building that lost all its hexes to another one has none.
        left = {(self.spots[name].q, self.spots[name].r): name for name in names[1:]}
        edge = [(self.spots[name].q, self.spots[name].r) for name in names[:1]]
        for place in edge:
            left.pop(place, None)
        while edge:
            q, r = edge.pop()
            near = [(q + across, r + down) for across, down in _NEIGHBOUR_STEPS if (q + across, r + down) in left]
            for place in near:
                del left[place]
            edge.extend(near)
        return min(left.values(), key=sort_key) if left else None

    def _distance(self, a: str, b: str) -> int:
        first, second = self.spots[a], self.spots[b]
        return axial_distance(second.q - first.q, second.r - first.r)

    def _courses(self, part: str, entries: Sequence[RoadEntry | WatercourseEntry]) -> tuple[Course, ...]:
        courses = []
        for i, entry in enumerate(entries):
            along: list[str] = []
            for where, name in self.names((part, i, "along"), entry.along):
                if along and self._distance(along[-1], name) != 1:
                    problem = f"{name} does not touch {along[-1]}, the hex before it"
                    self.complain(where, problem, "name every hex on the way")
                along.append(name)
            courses.append(Course(entry.kind, tuple(along)))
        return tuple(courses)

    def _hexsides(self) -> dict[tuple[str, str], frozenset[str]]:
        kinds_of: dict[tuple[str, str], set[str]] = {}
        for kind, items in self.file.hexsides.items():
            if not self._is_known_kind("hexsides", kind, HEXSIDES, "hexside"):
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
                    problem = f"{pair[0]} and {pair[1]} do not touch"
                    self.complain(where, problem, "a hexside lies between two adjacent hexes")
                else:
                    kinds_of.setdefault(side_key(*pair), set()).add(kind)
        return {pair: frozenset(kinds_of[pair]) for pair in sorted(kinds_of)}

    def _slopes(self) -> dict[str, frozenset[str]]:
        slopes: dict[str, set[str]] = {}
        for text, items in self.file.slopes.items():
            main = self.main_name(("slopes", text), text)
            for i, beyond in enumerate(items):
                where = ("slopes", text, i)
                other = self.main_name(where, beyond)
                if main is None or other is None:
                    continue
                if self._distance(main, other) != 1:
                    self.complain(where, f"{main} and {other} do not touch", "name the hex beyond the hexside")
                else:
                    slopes.setdefault(main, set()).add(other)
        return {name: frozenset(slopes[name]) for name in sorted(slopes, key=sort_key)}

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
        labels = {}
        for name, label in self.file.names.items():
            main = self.main_name(("names", name), name)
            if main is not None:
                labels[main] = label
        return labels

    def _pictures(self) -> Iterator[Picture]:
        for number, entry in enumerate(self.file.pictures):
            main = self.main_name(("pictures", number, "hex"), entry.hex)
            if main is not None:
                yield Picture(entry.file, entry.sha256, main, entry.at, entry.hex_size, entry.part, entry.reversed)


def _empty_map(file: MapFile) -> HexMap:
    return HexMap(file.id, file.title, file.source, {}, frozenset())


_MAX_LISTED = 6


def _read_town(file: MapFile, reader: _Reader) -> dict[str, Any]:
    """Return the Blocks and areas of a file as fields of a map, by main names; reports problems."""
    if file.blocks and file.block_names:
        reader.complain(("block_names",), "stands next to blocks", "keep one of the two")
    named = {block: reader.main_name(("block_names", block), text) for block, text in file.block_names.items()}
    return {
        "block_lists": _read_areas("blocks", file.blocks, reader),
        "block_names": {block: name for block, name in named.items() if name is not None},
        "no_block": frozenset(name for _, name in reader.names(("no_block",), file.no_block)),
        "entry_arrows": _read_arrows(file, reader),
        "setup_areas": _read_areas("setup_areas", file.setup_areas, reader),
    }


def _read_areas(part: str, areas: Mapping[str, HexList], reader: _Reader) -> dict[str, frozenset[str]]:
    hexes_by_area = {}
    for area, items in areas.items():
        if not items:
            reader.complain((part, area), "has no hexes", "name some, or leave it out")
        hexes_by_area[area] = frozenset(name for _, name in reader.names((part, area), items))
    return hexes_by_area


def _read_arrows(file: MapFile, reader: _Reader) -> tuple[EntryArrow, ...]:
    arrows: dict[str, EntryArrow] = {}
    for i, entry in enumerate(file.entry_areas):
        where = ("entry_areas", i, "arrow")
        name = reader.main_name(where, entry.arrow)
        if name is None:
            continue
        if name in arrows:
            reader.complain(where, f"{name} has an arrow already", "one Entry Area for each arrow")
        arrows[name] = EntryArrow(name, entry.colour, entry.owner, entry.same_edge_only, entry.single)
    return tuple(arrows.values())


def _check_town(map_: HexMap, file: MapFile, reader: _Reader) -> None:
    """Report the problems of Blocks and areas on the map that the file makes."""
    if file.blocks or file.block_names:
        derived = derive_blocks(map_)
        if file.blocks:
            _check_lists(map_, derived, file, reader)
        else:
            _check_names(map_, derived, reader)
    for i, arrow in enumerate(map_.entry_arrows):
        if not map_.mask([arrow.hex]) & map_.grid.rim:
            problem = f"{arrow.hex} is not at the edge of the map"
            reader.complain(("entry_areas", i, "arrow"), problem, "an arrow stands on a map edge hex")
    for area, items in file.setup_areas.items():
        for where, name in reader.names(("setup_areas", area), items):
            if name not in map_.playable:
                reader.complain(where, f"{name} is not playable", "leave it out")


def _check_lists(map_: HexMap, derived: Blocks, file: MapFile, reader: _Reader) -> None:
    taken: dict[str, str] = {}
    for block, items in file.blocks.items():
        for where, name in reader.names(("blocks", block), items):
            if taken.setdefault(name, block) != block:
                reader.complain(where, f"{name} is in Block {taken[name]} already", "keep one")
            elif derived.block_at(name) is None:
                problem = f"{name} is {_why_outside(map_, derived, name)}"
                reader.complain(where, problem, "leave it out; it belongs to no Block")
    missing = [name for hexes in derived.hexes.values() for name in hexes if name not in taken]
    if missing:
        reader.complain(
            ("blocks",), f"in no Block: {_list_some(map_, missing)}", "add them to Blocks, or list them under no_block"
        )


def _check_names(map_: HexMap, derived: Blocks, reader: _Reader) -> None:
    named: dict[str, str] = {}
    for block, name in map_.block_names.items():
        where, block_there = ("block_names", block), derived.block_at(name)
        if block_there is None:
            reader.complain(where, f"{name} is {_why_outside(map_, derived, name)}", "name a hex inside the Block")
        elif named.setdefault(block_there, block) != block:
            problem = f"{name} is in the Block of {map_.block_names[named[block_there]]} ({named[block_there]})"
            reader.complain(where, problem, "one name for each Block")
    for block_there, hexes in derived.hexes.items():
        if block_there not in named:
            reader.complain(
                ("block_names",),
                f"a Block without a name: {_list_some(map_, hexes)}",
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


def _list_some(map_: HexMap, names: Iterable[str]) -> str:
    hexes = map_.in_order(names)
    more = f" and {len(hexes) - _MAX_LISTED} more" if len(hexes) > _MAX_LISTED else ""
    return ", ".join(hexes[:_MAX_LISTED]) + more


def _as_frozenset(words: Iterable[str] | None) -> frozenset[str]:
    return frozenset(words) if words else _EMPTY
