"""Typing in a map: what a hex is, changed in the map's own file.

What is changed goes into the text through ruamel.yaml, whatever it does not touch stays. Every
change is read back as a map before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean, rewriting
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.coords import parse_range, side_key
from laager.hexmap.draw import Backdrop, Layers
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, UNKNOWN, WATERCOURSES, unknown_hexes
from laager.vasl import Doubt, compact, doubts_in
from laager.web.models import Player
from laager.web.shared import processes

LEVELS = range(-9, 31)
PAINT = 0.6
"""How thickly the terrain of a map is drawn over the pictures of its boards."""
_WORD = re.compile(r"[a-z0-9-]{0,30}")


# What a hex is ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Side:
    """One side of a hex: the hex beyond it, what runs along it, what leads across."""

    beyond: str
    along: tuple[str, ...]
    road: str
    water: str


@dataclass(frozen=True)
class Described:
    """A hex as it can be changed. `shared` are the other hexes of its building."""

    name: str
    about: str
    terrain: str
    also: tuple[str, ...]
    features: tuple[str, ...]
    level: int
    material: str
    storeys: int
    cellar: bool
    called: str
    shared: tuple[str, ...]
    joins: tuple[str, ...]
    sides: tuple[Side, ...]


def map_of(text: str, name: str) -> HexMap:
    """Return the map in a text. Raises DataError."""
    return map_from_document(parse_document(text, name))


def doubts(text: str, name: str) -> tuple[Doubt, ...]:
    """Return what to look at on a map that was read by colours, the worst first."""
    return doubts_in(parse_document(text, name).data)


def describe_hex(map_: HexMap, name: str) -> Described:
    """Return a hex as it can be changed. Raises RefusedError if the map doesn't have it."""
    from laager.hexmap.draw.grid import describe_hex

    if name not in map_:
        advice = did_you_mean(name, map_.hexes, "hexes are")
        raise RefusedError(Refusal.NO_SUCH, f"the map has no hex {name[:20]!r}", advice)
    hex_ = map_.hex(name)
    house = hex_.building
    around = map_.neighbours(hex_.name)
    roads, waters = _links(map_.roads), _links(map_.watercourses)
    return Described(
        name=hex_.name,
        about=describe_hex(hex_),
        terrain=hex_.terrain,
        also=tuple(sorted(hex_.also - {hex_.terrain})),
        features=tuple(sorted(hex_.features)),
        level=hex_.level,
        material=house.material if house else "",
        storeys=house.levels if house else 0,
        cellar=bool(house and house.cellar),
        called=house.name if house else "",
        shared=tuple(other for other in house.hexes if other != hex_.name) if house else (),
        joins=tuple(n for n in around if map_.hexes[n].building) if house is None else (),
        sides=tuple(
            Side(
                other,
                tuple(sorted(map_.hexsides.get(side_key(hex_.name, other), ()))),
                roads.get(side_key(hex_.name, other), ""),
                waters.get(side_key(hex_.name, other), ""),
            )
            for other in around
        ),
    )


def _links(courses: Sequence[Any]) -> dict[tuple[str, str], str]:
    return {side_key(a, b): course.kind for course in courses for a, b in pairwise(course.along)}


# Changing a hex -----------------------------------------------------------------------------------


def change_hex(text: str, name: str, hex_: str, wish: Mapping[str, Sequence[str]]) -> str:
    """Return a map's text in which a hex is as wished.

    `wish` has the values of the fields of a form: terrain, also, features, level, material,
    storeys, cellar, called, join, and for each hex beyond a side `side-`, `road-` and `water-`
    with its name. Raises DataError or RefusedError; then nothing is to be kept.
    """
    map_ = map_of(text, name)
    before = describe_hex(map_, hex_)
    yaml, data = rewriting.load_with_comments(text, name)
    problems: list[Problem] = []
    change = _Change(map_, data, before, wish, problems)
    change.ground()
    change.building()
    change.borders()
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    change.settle()
    made = rewriting.dump_keeping_layout(yaml, data, text)
    map_of(made, name)
    return made


@dataclass
class _Change:
    map: HexMap
    data: Any
    before: Described
    wish: Mapping[str, Sequence[str]]
    problems: list[Problem]
    settled: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """A hex that is written down by hand is in doubt no longer."""
        self.settled.add(self.before.name)

    def value_of(self, field: str, known: Sequence[str], default: str) -> str:
        """Return the one value of a field, if it is known."""
        value = next(iter(self.wish.get(field, ())), default).strip()
        if value and value not in known:
            right = did_you_mean(value, known, "there are")
            self.problems.append(Problem(f"{value[:30]!r} cannot be", right, field))
            return default
        return value

    def several(self, field: str, known: Sequence[str]) -> list[str]:
        values = [value for value in self.wish.get(field, ()) if value]
        for value in values:
            if value not in known:
                right = did_you_mean(value, known, "there are")
                self.problems.append(Problem(f"{value[:30]!r} cannot be", right, field))
        return [value for value in values if value in known]

    def number(self, field: str, known: range, default: int) -> int:
        text = next(iter(self.wish.get(field, ())), str(default)).strip() or "0"
        if not re.fullmatch(r"-?[0-9]{1,3}", text) or int(text) not in known:
            right = f"from {known[0]} to {known[-1]}"
            self.problems.append(Problem(f"{text[:10]!r} is out of bounds", right, field))
            return default
        return int(text)

    def ground(self) -> None:
        before, name = self.before, self.before.name
        terrain = self.value_of("terrain", TERRAINS, before.terrain)
        if terrain != before.terrain:
            self.place("terrain", name, [] if terrain == "open" else [terrain])
        also = [other for other in self.several("also", TERRAINS) if other not in {terrain, "open"}]
        if sorted(also) != list(before.also):
            self.place("also", name, also)
        features = self.several("features", FEATURES)
        if sorted(features) != list(before.features):
            self.place("features", name, features)
        level = self.number("level", LEVELS, before.level)
        if level != before.level:
            self.place("levels", name, [level] if level else [])

    def settle(self) -> None:
        """Take away the doubts about the hex, which somebody has looked at, and about the sides that are changed."""
        for part in ("doubts", "alike"):
            lists = self.data.get(part) or {}
            for key, places in list(lists.items()):
                for at in reversed(range(len(places))):
                    if self._names(str(places[at]))[0] in self.settled:
                        del places[at]
                if not places:
                    del lists[key]
            if not self.data.get(part, True):
                del self.data[part]

    def place(self, part: str, item: str, kinds: Sequence[Any]) -> None:
        """Put a hex or hexside under those kinds of a part, and under no others."""
        wanted = {str(kind): kind for kind in kinds}
        holder = self.data.get(part)
        if holder is None:
            if not wanted:
                return
            holder = self.data[part] = _mapping()
        for kind in list(holder):
            items = holder[kind] if isinstance(holder[kind], list) else []
            there = self._position(items, item)
            if there is None and str(kind) in wanted:
                if not isinstance(holder[kind], list):
                    holder[kind] = items = _flow([])
                items.append(item)
            elif there is not None and str(kind) not in wanted:
                self._take(items, there, item)
                if not items:
                    del holder[kind]
            wanted.pop(str(kind), None)
        for kind in wanted.values():
            holder[kind] = _flow([item])
        if not holder:
            del self.data[part]

    def _names(self, text: str) -> list[str]:
        if "/" in text:
            a, _, b = text.partition("/")
            return ["/".join(side_key(self.map.main(a.strip()), self.map.main(b.strip())))]
        return [self.map.main(name) for name in parse_range(text)]

    def _position(self, items: Sequence[Any], item: str) -> int | None:
        return next((i for i, text in enumerate(items) if item in self._names(str(text))), None)

    def _take(self, items: Any, at: int | None, item: str) -> None:
        """Take a hex out of a list, wherever it stands; ranges fall into what is left of them."""
        while at is not None:
            rest = [name for name in self._names(str(items[at])) if name != item]
            del items[at]
            for i, text in enumerate([] if "/" in item else compact(rest)):
                items.insert(at + i, text)
            at = self._position(items, item)

    # Buildings

    def building(self) -> None:
        before, name = self.before, self.before.name
        material = self.value_of("material", MATERIALS, before.material)
        storeys = self.number("storeys", range(10), before.storeys)
        if "material" not in self.wish:
            return
        join = self.value_of("join", before.joins, "")
        houses = self.data.get("buildings")
        if before.material and not material:
            self._pull_down(houses, name)
            return
        if join and not before.material:
            entry = self._house(houses, join)
            entry["hexes"].append(name)
            return
        if not material:
            return
        called = next(iter(self.wish.get("called", ())), "").strip()[:60]
        cellar = "yes" in self.wish.get("cellar", ())
        if before.material:
            entry = self._house(houses, name)
        else:
            if houses is None:
                houses = self.data["buildings"] = _sequence()
            entry = _mapping(flow=True)
            entry["material"] = material
            houses.append(entry)
        _set(entry, "name", called, bool(called))
        entry["material"] = material
        _set(entry, "levels", storeys, bool(storeys))
        self._lower(entry, lambda _, fewer: fewer < storeys)
        _set(entry, "cellar", True, cellar)
        if not before.material:
            entry["hexes"] = _flow([name])
            self._need_hex(name)

    def _need_hex(self, name: str) -> None:
        """Who says that a house stands in a hex, or a road leads through it, knows the hex."""
        own = name == self.before.name
        left = not own or "unknown" in self.wish.get("terrain", [UNKNOWN])
        if self.map.hexes[name].terrain == UNKNOWN and left:
            self.place("terrain", name, [])

    def _house(self, houses: Any, name: str) -> Any:
        return next(house for house in houses if any(name in self._names(str(text)) for text in house["hexes"]))

    def _pull_down(self, houses: Any, name: str) -> None:
        entry = self._house(houses, name)
        self._take(entry["hexes"], self._position(entry["hexes"], name), name)
        self._lower(entry, lambda text, _: name not in self._names(text))
        if not entry["hexes"]:
            houses.remove(entry)
        if not houses:
            del self.data["buildings"]

    def _lower(self, entry: Any, keep: Callable[[str, int], bool]) -> None:
        """Keep some of the hexes in which a building has fewer storeys."""
        lower = entry.get("levels_at", {})
        for text in [text for text, fewer in lower.items() if not keep(str(text), int(fewer))]:
            del lower[text]
        if not lower:
            entry.pop("levels_at", None)

    # Sides

    def borders(self) -> None:
        name = self.before.name
        for side in self.before.sides:
            if f"side-{side.beyond}" in self.wish:
                kinds = self.several(f"side-{side.beyond}", HEXSIDES)
                if sorted(kinds) != list(side.along):
                    self.settled.add("/".join(side_key(name, side.beyond)))
                    self.place("hexsides", "/".join(side_key(name, side.beyond)), kinds)
            road = self.value_of(f"road-{side.beyond}", ROADS, side.road)
            if road != side.road:
                self._lead("roads", name, side.beyond, road)
                if road:
                    self._need_hex(name)
                    self._need_hex(side.beyond)
            water = self.value_of(f"water-{side.beyond}", WATERCOURSES, side.water)
            if water != side.water:
                self._lead("watercourses", name, side.beyond, water)

    def _lead(self, part: str, a: str, b: str, kind: str) -> None:
        """Let a road or stream of a kind lead from hex to hex, and none of another kind."""
        courses = self.data.get(part)
        if courses is None:
            courses = self.data[part] = _sequence()
        for i in reversed(range(len(courses))):
            self._cut(courses, i, {a, b})
        if kind:
            self._extend(courses, kind, a, b)
        if not courses:
            del self.data[part]

    def _cut(self, courses: Any, i: int, ends: set[str]) -> None:
        along = [name for text in courses[i]["along"] for name in self._names(str(text))]
        cuts = [n for n, pair in enumerate(pairwise(along), 1) if set(pair) == ends]
        if not cuts:
            return
        pieces = [along[m:n] for m, n in pairwise([0, *cuts, len(along)])]
        kept = [piece for piece in pieces if len(piece) > 1]
        if not kept:
            del courses[i]
            return
        courses[i]["along"] = _flow(kept[0])
        for n, piece in enumerate(kept[1:], 1):
            more = _mapping(flow=True)
            more["kind"], more["along"] = courses[i]["kind"], _flow(piece)
            courses.insert(i + n, more)

    def _extend(self, courses: Any, kind: str, a: str, b: str) -> None:
        for course in courses:
            along = [name for text in course["along"] for name in self._names(str(text))]
            if course["kind"] != kind or not along:
                continue
            for end, new in ((a, b), (b, a)):
                if along[-1] == end:
                    course["along"].append(new)
                    return
                if along[0] == end:
                    course["along"].insert(0, new)
                    return
        made = _mapping(flow=True)
        made["kind"], made["along"] = kind, _flow([a, b])
        courses.append(made)


def _set(entry: Any, key: str, value: Any, wanted: bool) -> None:
    if wanted:
        entry[key] = value
    elif key in entry:
        del entry[key]


def _mapping(*, flow: bool = False) -> Any:
    from ruamel.yaml.comments import CommentedMap

    made = CommentedMap()
    if flow:
        made.fa.set_flow_style()
    return made


def _sequence() -> Any:
    from ruamel.yaml.comments import CommentedSeq

    return CommentedSeq()


def _flow(items: Sequence[str]) -> Any:
    from ruamel.yaml.comments import CommentedSeq

    made = CommentedSeq(items)
    made.fa.set_flow_style()
    return made


# Drawing ------------------------------------------------------------------------------------------


def svg(user: Player, map_: HexMap, backdrop: Backdrop | None = None) -> str:
    """Draw a map for somebody with hexes to click; hexes without terrain are marked."""
    layers = Layers(targets=True, highlight=unknown_hexes(map_))
    # What is painted is seen on the boards' own pictures, too, and they through it.
    return processes.draw_map(user, map_, layers, replace(backdrop, painted=PAINT) if backdrop else None)
