"""What a hex of the joined map holds, in the words of a map file.

A hex has a kind of terrain that covers at least 8 % of its area, or lies under its centre dot. Its
main terrain is what lies under the dot; under a road, a building or a bridge the kind that covers
most. Water is the main terrain under the dot only (and under a bridge): else it is a bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from laager.vasl.boards.losdata import Terrain
from laager.vasl.maps.cells import BoardPart, Cell

SHARE = 0.08
"""The share of its area from which on a hex has a kind of terrain."""

WATERS = frozenset({"water", "river"})


@dataclass(frozen=True)
class House:
    """The part of a building in one hex."""

    material: str
    storeys: int
    cellar: bool


@dataclass(frozen=True)
class Contents:
    """What is in a hex; sides are 0 to 5, clockwise from the north.

    `roads` and `waters` are the kinds that cross a side, `road` the kind that is in the hex
    at all; `left_out` are VASL's names of what a map file has no word for.
    """

    terrain: str = "unknown"
    also: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    level: int = 0
    house: House | None = None
    hexsides: Mapping[int, str] = field(default_factory=dict)
    slopes: frozenset[int] = frozenset()
    roads: Mapping[int, str] = field(default_factory=dict)
    road: str = ""
    waters: Mapping[int, str] = field(default_factory=dict)
    water: str = ""
    joined: frozenset[int] = frozenset()
    lake: bool = False
    left_out: frozenset[str] = frozenset()


def contents_of(cell: Cell) -> Contents:
    """Return what is in a cell, by all boards that know it."""
    if not cell.parts:
        return Contents()
    leading = _leading_part(cell)
    pixels = leading.ground.pixels if len(cell.parts) == 1 else _pixels_of_parts(cell)
    total = max(sum(pixels.values()), 1)
    centres = {leading.ground.centre, leading.ground.at_centre}
    by_size = sorted(pixels, key=lambda terrain: -pixels[terrain])
    present = [terrain for terrain in by_size if pixels[terrain] >= SHARE * total or terrain in centres]
    present += [terrain for terrain in centres if terrain not in present]
    words = _terrain_words(present, pixels)
    main = _main_terrain(leading, words, pixels, total)
    features = {terrain.word for terrain in present if terrain.kind == "feature"}
    if any(part.ground.bridged and _has_own_bridge(part) for part in cell.parts):
        features.add("bridge")
    hexsides, left_out = _hexsides(cell)
    left_out |= {terrain.name for terrain in present if terrain.becomes == "-" and not terrain.hexside}
    return Contents(
        terrain=main,
        also=frozenset(words) - {main},
        features=frozenset(features),
        level=leading.ground.base,
        house=_house(cell, pixels, total),
        hexsides=hexsides,
        slopes=frozenset((side + part.turn) % 6 for part in cell.parts for side in part.ground.slopes),
        roads=_find_crossings(cell, "road"),
        road=next((terrain.word for terrain in present if terrain.kind == "road"), ""),
        waters=_find_crossings(cell, "water"),
        water=next((terrain.word for terrain in present if terrain.kind == "watercourse"), ""),
        joined=frozenset(
            (side + part.turn) % 6 for part in cell.parts for side, over in part.ground.crossings.items() if over.house
        ),
        lake=main == "water" and leading.ground.centre.category == "water",
        left_out=frozenset(left_out),
    )


def _leading_part(cell: Cell) -> BoardPart:
    """Return the part whose centre decides: the first that is not plain open ground."""
    for part in cell.parts:
        if part.ground.centre.becomes:
            return part
    return cell.parts[0]


def _pixels_of_parts(cell: Cell) -> Mapping[Terrain, int]:
    """Return the pixels of each terrain in the parts of a hex."""
    pixels: Counter[Terrain] = Counter()
    for part in cell.parts:
        pixels.update(part.ground.pixels)
    return pixels


def _terrain_words(present: list[Terrain], pixels: Mapping[Terrain, int]) -> dict[str, int]:
    """Return the kinds of terrain in a hex with their pixels, the largest first."""
    words: Counter[str] = Counter()
    for terrain in present:
        if terrain.kind == "terrain":
            words[terrain.word] += pixels.get(terrain, 0)
        elif terrain.becomes == "watercourse:canal":
            words["water"] += pixels.get(terrain, 0)
    return dict(words.most_common())


def _main_terrain(first: BoardPart, words: Mapping[str, int], pixels: Mapping[Terrain, int], total: int) -> str:
    centre = first.ground.centre
    if centre.kind == "terrain":
        return centre.word
    if centre.becomes == "watercourse:canal":
        return "water"
    wet = centre.category == "bridge" or centre.kind == "feature"
    dry = {word: count for word, count in words.items() if wet or word not in WATERS}
    plain = sum(count for terrain, count in pixels.items() if not terrain.becomes)
    for word, count in dry.items():
        # On open ground the dot decides, unless there is hardly any of it.
        if centre.kind or count > plain or count >= total / 2:
            return word
    return "open"


def _has_own_bridge(part: BoardPart) -> bool:
    """Return True if a bridge in a hex is its own: over a depression, or under the dot."""
    ground = part.ground
    return ground.depression is not None or ground.at_centre.category == "bridge"


def _house(cell: Cell, pixels: Mapping[Terrain, int], total: int) -> House | None:
    """Return the building in a hex: under the dot, at its sides, or of a share of the area."""
    houses = {terrain: count for terrain, count in pixels.items() if terrain.house}
    by_rule = [part.ground.house for part in cell.parts if part.ground.house]
    if not by_rule and sum(houses.values()) < SHARE * total:
        return None
    proper = [house for house in by_rule if house.house]
    built = proper[0] if proper else max(houses, key=lambda house: houses[house], default=None)
    if built is None or built.kind != "building":
        return None
    stairs = any(part.ground.stairway for part in cell.parts)
    storeys = built.storeys
    if built.word == "hut" or (built.category == "factory" and not stairs):
        storeys = 0
    cellar = any(level.level == -1 for part in cell.parts for level in part.ground.levels)
    return House(built.word, storeys, cellar)


def _hexsides(cell: Cell) -> tuple[dict[int, str], set[str]]:
    hexsides: dict[int, str] = {}
    left_out = set()
    for part in cell.parts:
        for side, terrain in sorted(part.ground.hexsides.items()):
            if terrain.kind == "hexside":
                hexsides.setdefault((side + part.turn) % 6, terrain.word)
            else:
                left_out.add(terrain.name)
    return hexsides, left_out


def _find_crossings(cell: Cell, course: str) -> dict[int, str]:
    """Return what crosses each side.

    A road that leaves the map between two half hexes crosses the hexside between them only if
    another board takes it up.
    """
    kinds: dict[int, str] = {}
    for part in cell.parts:
        for side, over in sorted(part.ground.crossings.items()):
            kind = over.road if course == "road" else over.water
            leaves = course == "road" and over.cut and len(cell.parts) == 1
            if kind and not leaves:
                kinds.setdefault((side + part.turn) % 6, kind)
    return kinds


def terrain_at_edge(cell: Cell, side: int) -> Terrain | None:
    """Return what lies just inside a side, by the boards that know."""
    for part in cell.parts:
        terrain = part.ground.edges[(side - part.turn) % 6]
        if terrain is not None:
            return terrain
    return None
