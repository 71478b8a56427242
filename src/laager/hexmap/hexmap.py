"""The map: hexes by name, what lies between them, and questions about distance and position."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import DIRECTIONS, axial_distance, hex_advice, side_key, sort_key, split_location
from laager.hexmap.grid import Grid
from laager.hexmap.values import Building, Course, EntryArrow, Hex, Picture

if TYPE_CHECKING:
    from laager.hexmap.areas.blocks import Blocks

P = ParamSpec("P")
T = TypeVar("T")


def kept_with_map(function: Callable[Concatenate[HexMap, P], T]) -> Callable[Concatenate[HexMap, P], T]:
    """Let a function of a map and a few names work once for each: the map keeps the result, as long as it lives.

    A map that play has worn doesn't last; a cache of its own would have to tell maps apart by all that is on them.
    """

    @wraps(function)
    def once(map_: HexMap, /, *args: P.args, **named: P.kwargs) -> T:
        kept: dict[Any, Any] = map_.__dict__.setdefault("_kept", {})
        asked = (function, *args, *named.items()) if args or named else function
        if asked not in kept:
            kept[asked] = function(map_, *args, **named)
        result: T = kept[asked]
        return result

    return once


EDGES: tuple[str, ...] = ("north", "south", "east", "west")


@dataclass(frozen=True, eq=False)
class HexMap:
    """A whole map, of one board or several joined ones. Immutable; equal by its digest.

    `hexes` are in the stated order (column, row, board); `hexsides` and `names` are keyed by main
    names, never by aliases. `source` is house, own or imported.

    Of a town of Blocks (ABtF): `block_lists` are the Blocks hex by hex if the file lists them,
    `block_names` a hex in each Block by its name if it does not, `no_block` ground in no Block;
    `entry_arrows` where reinforcements come on, `setup_areas` areas listed by name.

    `slopes` are by a hex the hexes that lie beyond those of its hexsides that are slopes.

    `strategic` are hexes whose ground level is a Strategic Location whatever their terrain.

    `pictures` tell how the pictures of the boards lie, if the map was made from boards.
    """

    id: str
    title: str
    source: str
    hexes: Mapping[str, Hex]
    playable: frozenset[str]
    source_note: str = ""
    hexsides: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    roads: tuple[Course, ...] = ()
    watercourses: tuple[Course, ...] = ()
    buildings: tuple[Building, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    slopes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    strategic: frozenset[str] = frozenset()
    block_lists: Mapping[str, frozenset[str]] = field(default_factory=dict)
    block_names: Mapping[str, str] = field(default_factory=dict)
    no_block: frozenset[str] = frozenset()
    entry_arrows: tuple[EntryArrow, ...] = ()
    setup_areas: Mapping[str, frozenset[str]] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()
    as_printed: HexMap | None = None
    """The printed map, if this is the map as play has left it (see `wear`)."""

    def __post_init__(self) -> None:
        ordered = {name: self.hexes[name] for name in sorted(self.hexes, key=sort_key)}
        object.__setattr__(self, "hexes", MappingProxyType(ordered))
        for part in ("hexsides", "slopes", "names", "block_lists", "block_names", "setup_areas"):
            object.__setattr__(self, part, MappingProxyType(dict(getattr(self, part))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HexMap):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<HexMap {self.id}: {len(self.hexes)} hexes, {len(self.playable)} playable>"

    def __getstate__(self) -> dict[str, Any]:
        """Go to another process without what `kept_with_map` keeps, which is worked out again there."""
        return {name: part for name, part in self.__dict__.items() if name != "_kept"}

    @property
    def printed(self) -> HexMap:
        """The map as it is printed; itself if play has changed nothing."""
        return self.as_printed or self

    @cached_property
    def grid(self) -> Grid:
        """The bit layout for fast work with sets of hexes. Play doesn't change it."""
        return self.as_printed.grid if self.as_printed else Grid(self.hexes, self.playable)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of everything on the map, the same however its file was typed."""
        text = json.dumps(self.to_data(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def _by_name(self) -> Mapping[str, Hex]:
        return {name: hex_ for hex_ in self.hexes.values() for name in (hex_.name, *hex_.aliases)}

    @cached_property
    def blocks(self) -> Blocks:
        """The Blocks of the map (ABtF 9.2): as its file lists them, else by roads and river; play changes none."""
        if self.as_printed:
            return self.as_printed.blocks
        from laager.hexmap.areas.blocks import derive_blocks, listed_blocks

        return listed_blocks(self) if self.block_lists else derive_blocks(self)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def hex(self, name: str) -> Hex:
        """Return a hex by its name or an alias. Raises RefusedError (NO_SUCH)."""
        try:
            return self._by_name[name]
        except KeyError:
            raise RefusedError(
                Refusal.NO_SUCH, f"there is no hex {name!r} on the map {self.title}", hex_advice(name, self._by_name)
            ) from None

    def main(self, name: str) -> str:
        """Return the main name of a hex named by it or by an alias. Raises RefusedError."""
        return self.hex(name).name

    def main_location(self, location: str) -> str:
        """Return a Location with the main name of its hex. Raises RefusedError."""
        if location in self._by_name:
            return self._by_name[location].name
        name, level = split_location(location)
        return self.main(name) if level is None else f"{self.main(name)}.{level}"

    def mask(self, names: Iterable[str]) -> int:
        """Return hex names as a set of bits of `grid`. Raises RefusedError (NO_SUCH)."""
        names = tuple(names)
        try:
            return self.grid.mask(names)
        except KeyError:
            return self.grid.mask(self.main(name) for name in names)

    def feature_mask(self, *features: str) -> int:
        """Return the hexes that have one of the features (see `Hex.has`), as bits of `grid`."""
        mask = 0
        for feature in features:
            mask |= self._masks.get(feature, 0)
        return mask

    @cached_property
    def _masks(self) -> Mapping[str, int]:
        masks: dict[str, int] = {}
        for name, hex_ in self.hexes.items():
            bit = self.grid.bit[name]
            for feature in hex_.contents:
                masks[feature] = masks.get(feature, 0) | bit
        return masks

    @cached_property
    def level_masks(self) -> Mapping[int, int]:
        """The hexes of each base level, as bits of `grid`."""
        masks: dict[int, int] = {}
        for name, hex_ in self.hexes.items():
            masks[hex_.level] = masks.get(hex_.level, 0) | self.grid.bit[name]
        return masks

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the adjacent hexes of the map, clockwise from north."""
        return self._neighbours[self.main(name)]

    @cached_property
    def _neighbours(self) -> Mapping[str, tuple[str, ...]]:
        if self.as_printed:
            return self.as_printed._neighbours
        steps = tuple(DIRECTIONS.values())
        neighbours = {}
        for name, hex_ in self.hexes.items():
            candidates = (self.by_place.get((hex_.q + dq, hex_.r + dr)) for dq, dr in steps)
            neighbours[name] = tuple(neighbour for neighbour in candidates if neighbour is not None)
        return neighbours

    @cached_property
    def by_place(self) -> Mapping[tuple[int, int], str]:
        """The names of the hexes by their axial positions (q, r)."""
        if self.as_printed:
            return self.as_printed.by_place
        return {(hex_.q, hex_.r): hex_.name for hex_ in self.hexes.values()}

    def distance(self, a: str, b: str) -> int:
        """Return the fewest hexes from a to b, whatever lies between and whether it is playable."""
        first, second = self.hex(a), self.hex(b)
        return axial_distance(second.q - first.q, second.r - first.r)

    def are_adjacent(self, a: str, b: str) -> bool:
        """Return True if two hexes share a hexside."""
        return self.distance(a, b) == 1

    def hexside_features(self, a: str, b: str) -> frozenset[str]:
        """Return the features along the hexside of two adjacent hexes: wall, hedge ..."""
        return self.hexsides.get(side_key(self.main(a), self.main(b)), frozenset())

    def edge(self, side: str) -> frozenset[str]:
        """Return the playable hexes along one map edge, corner hexes included (PL 1.4).

        North and south are the last playable hexes of each column; east and west are the hexes
        with none farther out at their height. Raises RefusedError for another word.
        """
        if side not in EDGES:
            raise RefusedError(Refusal.BAD_DATA, f"{side!r} is not a map edge", did_you_mean(side, EDGES))
        return self._edges[side]

    @cached_property
    def edges(self) -> Mapping[str, int]:
        """The hexes along each map edge (see `edge`), as bits of `grid`."""
        return {side: self.mask(names) for side, names in self._edges.items()}

    @cached_property
    def _edges(self) -> Mapping[str, frozenset[str]]:
        if self.as_printed:
            return self.as_printed._edges
        inside = [self.hexes[name] for name in self.playable]
        columns: dict[int, list[Hex]] = {}
        heights: dict[int, list[Hex]] = {}
        for hex_ in inside:
            columns.setdefault(hex_.q, []).append(hex_)
            heights.setdefault(2 * hex_.r + hex_.q, []).append(hex_)
        north = (min(column, key=lambda hex_: hex_.r) for column in columns.values())
        south = (max(column, key=lambda hex_: hex_.r) for column in columns.values())
        least = {y: min(hex_.q for hex_ in row) for y, row in heights.items()}
        most = {y: max(hex_.q for hex_ in row) for y, row in heights.items()}

        def level_with(hex_: Hex, ends: Mapping[int, int]) -> list[int]:
            y = 2 * hex_.r + hex_.q
            return [ends[near] for near in (y - 1, y, y + 1) if near in ends]

        return {
            "north": frozenset(hex_.name for hex_ in north),
            "south": frozenset(hex_.name for hex_ in south),
            "west": frozenset(hex_.name for hex_ in inside if hex_.q <= min(level_with(hex_, least))),
            "east": frozenset(hex_.name for hex_ in inside if hex_.q >= max(level_with(hex_, most))),
        }

    def locations(self, name: str) -> tuple[str, ...]:
        """Return the Locations of a hex: ground level, upper levels, cellar."""
        hex_ = self.hex(name)
        locations = [hex_.name]
        if hex_.building is not None:
            locations += [f"{hex_.name}.{level}" for level in range(1, hex_.building.levels_in(hex_.name) + 1)]
            locations += [f"{hex_.name}.c"] * hex_.building.cellar
        return tuple(locations)

    def hexes_within(self, hexes: Iterable[str], n: int) -> frozenset[str]:
        """Return the hexes of the map at most n hexes from any of the given ones."""
        grid = self.grid
        return grid.names(grid.ball(self.mask(hexes), n) & grid.everything)

    def grain(self, name: str, direction: str) -> tuple[str, ...]:
        """Return the hexes beyond a hex along a hex grain (n, ne, se, s, sw, nw), nearest first.

        Ends where the map ends. Raises RefusedError for another direction.
        """
        if direction not in DIRECTIONS:
            raise RefusedError(
                Refusal.BAD_DATA, f"{direction!r} is not a hex grain", did_you_mean(direction, DIRECTIONS)
            )
        (dq, dr), hex_ = DIRECTIONS[direction], self.hex(name)
        names, q, r = [], hex_.q + dq, hex_.r + dr
        while (q, r) in self.by_place:
            names.append(self.by_place[q, r])
            q, r = q + dq, r + dr
        return tuple(names)

    def in_order(self, names: Iterable[str]) -> list[str]:
        """Return hexes in the stated order: column, row, board."""
        return self.grid.names_in_order(self.mask(names))

    def to_data(self) -> dict[str, Any]:
        """Return the map as plain JSON data, from which `from_data` makes it again."""
        return {
            "id": self.id,
            "title": self.title,
            "source": self.source,
            "source_note": self.source_note,
            "hexes": [_hex_to_data(hex_) for hex_ in self.hexes.values()],
            "not_playable": [name for name in self.hexes if name not in self.playable],
            "hexsides": sorted([a, b, sorted(features)] for (a, b), features in self.hexsides.items()),
            "roads": [[road.kind, *road.along] for road in self.roads],
            "watercourses": [[course.kind, *course.along] for course in self.watercourses],
            "buildings": [building.to_data() for building in self.buildings],
            "names": dict(sorted(self.names.items())),
            **self._town_to_data(),
        }

    def _town_to_data(self) -> dict[str, Any]:
        """Return the parts that only some maps have: slopes, Blocks, areas, pictures. Empty parts are left out."""
        data: dict[str, Any] = {
            "slopes": {name: sorted(beyond) for name, beyond in self.slopes.items()},
            "strategic": sorted(self.strategic),
            "block_lists": {name: sorted(hexes) for name, hexes in self.block_lists.items()},
            "block_names": dict(self.block_names),
            "no_block": sorted(self.no_block),
            "entry_arrows": [dict(vars(arrow)) for arrow in self.entry_arrows],
            "setup_areas": {name: sorted(hexes) for name, hexes in self.setup_areas.items()},
            "pictures": [picture.to_data() for picture in self.pictures],
        }
        return {part: value for part, value in data.items() if value}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> HexMap:
        """Return the map that `to_data` described. Trusts the data, as it comes from a record."""
        buildings = tuple(Building.from_data(row) for row in data["buildings"])
        house = {name: building for building in buildings for name in building.hexes}
        watercourses = _courses(data["watercourses"])
        wet: dict[str, set[str]] = {}
        for course in watercourses:
            for name in course.along:
                wet.setdefault(name, set()).add(course.kind)
        hexes = (_hex_from_data(row, house, wet) for row in data["hexes"])
        by_name = {hex_.name: hex_ for hex_ in hexes}
        return HexMap(
            id=data["id"],
            title=data["title"],
            source=data["source"],
            source_note=data["source_note"],
            hexes=by_name,
            playable=frozenset(by_name) - frozenset(data["not_playable"]),
            hexsides={(a, b): frozenset(features) for a, b, features in data["hexsides"]},
            roads=_courses(data["roads"]),
            watercourses=watercourses,
            buildings=buildings,
            names=data["names"],
            slopes=_hex_sets(data.get("slopes", {})),
            strategic=frozenset(data.get("strategic", ())),
            block_lists=_hex_sets(data.get("block_lists", {})),
            block_names=data.get("block_names", {}),
            no_block=frozenset(data.get("no_block", ())),
            entry_arrows=tuple(EntryArrow(**arrow) for arrow in data.get("entry_arrows", ())),
            setup_areas=_hex_sets(data.get("setup_areas", {})),
            pictures=tuple(map(Picture.from_data, data.get("pictures", ()))),
        )


def _hex_sets(data: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(hexes) for name, hexes in data.items()}


def _courses(data: Iterable[Sequence[str]]) -> tuple[Course, ...]:
    return tuple(Course(kind, tuple(along)) for kind, *along in data)


def _hex_to_data(hex_: Hex) -> list[Any]:
    more: dict[str, Any] = {}
    if hex_.also:
        more["also"] = sorted(hex_.also)
    if hex_.features:
        more["features"] = sorted(hex_.features)
    if hex_.level:
        more["level"] = hex_.level
    if hex_.half:
        more["half"] = True
    if hex_.aliases:
        more["aliases"] = list(hex_.aliases)
    row: list[Any] = [hex_.name, hex_.q, hex_.r, hex_.terrain]
    return [*row, more] if more else row


def _hex_from_data(row: Sequence[Any], house: Mapping[str, Building], wet: Mapping[str, Iterable[str]]) -> Hex:
    name, q, r, terrain = row[:4]
    more: Mapping[str, Any] = row[4] if len(row) > 4 else {}
    return Hex(
        name,
        q,
        r,
        terrain,
        frozenset(more.get("also", ())),
        frozenset(more.get("features", ())),
        more.get("level", 0),
        more.get("half", False),
        tuple(more.get("aliases", ())),
        house.get(name),
        frozenset(wet.get(name, ())),
    )
