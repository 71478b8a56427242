"""Kinds of terrain, and what they mean to a campaign.

The predicates look at everything in a hex: its main terrain, further terrain (a hex has what covers at least 8 % of
it), features, watercourses and its building.

Terrain can be `unknown`. Rules do not guess: where one depends on such a hex, the players decide, and nothing
happens there by itself. A unit that hides there is accepted, and fire does not spread to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from laager.hexmap.coords import as_ranges
from laager.hexmap.hexmap import HexMap
from laager.hexmap.values import Hex

if TYPE_CHECKING:
    from laager.hexmap.values import Hex

WOODS: frozenset[str] = frozenset({"woods", "forest", "jungle", "dense-jungle"})
"""The kinds that form Woods-Lines (PL 1.4); a card may add orchard or brush."""

TERRAINS: tuple[str, ...] = (
    *("open", "woods", "forest", "jungle", "dense-jungle", "bamboo", "palm", "orchard"),
    *("brush", "grain", "marsh", "swamp", "crag", "graveyard", "hammada", "deir", "wadi"),
    *("sand", "water", "river", "pond", "rice-paddy", "kunai", "plowed", "vineyard", "rubble"),
    "unknown",
)
"""Kinds of terrain in a hex; `unknown` until somebody says which."""

PACIFIC: Mapping[str, str] = MappingProxyType({"woods": "jungle", "orchard": "palm", "brush": "bamboo"})
"""PTO Terrain for what boards print (ASL G2 to G4); SSR say which jungle is dense."""

FEATURES: tuple[str, ...] = (
    *("bridge", "ford", "pier", "seawall", "hillock-summit", "hilltop"),
    *("graveyard", "crag", "rubble", "wadi", "blockhouse"),
)
"""Features of a hex besides its terrain. A hilltop is the printed yellow triangle, the
blockhouse that of a town of Blocks, intact or not (ABtF 5.1, 5.2)."""

HEXSIDES: tuple[str, ...] = ("wall", "hedge", "bocage", "cliff", "roadblock", "rowhouse")
"""Kinds of hexside terrain."""

ROADS: tuple[str, ...] = ("paved", "unpaved", "path", "runway", "railway")
WATERCOURSES: tuple[str, ...] = ("stream", "river", "canal", "gully")
MATERIALS: tuple[str, ...] = ("stone", "wooden", "hut")

STREETS: frozenset[str] = frozenset({"paved", "unpaved"})
"""The roads that bound Blocks (ABtF GEO-2): no paths, runways or railways."""

_WATER = frozenset({"water", "river", "pond", "canal"})
_RIVERS = frozenset({"river", "canal"})
_CONCEALING = WOODS | {
    *("bamboo", "palm", "orchard", "brush", "grain", "marsh", "swamp", "crag", "graveyard"),
    *("kunai", "vineyard", "rubble", "building"),
}
BURNABLE: frozenset[str] = WOODS | {"bamboo", "palm", "orchard", "brush", "grain", "kunai", "vineyard", "building"}
"""Terrain that a Blaze removes when it burns out."""
_NOT_OPEN = _CONCEALING | _WATER | {"hammada", "deir", "wadi", "sand", "rice-paddy", "unknown"}


def is_concealment_terrain(hex_: Hex) -> bool:
    """Return True if troops in the hex can hide: vegetation, crag, marsh, buildings, rubble ..."""
    return not _CONCEALING.isdisjoint(hex_.contents)


def is_burnable(hex_: Hex) -> bool:
    """Return True if a Flame can start or spread here (PL 3.31).

    Vegetation other than marsh and swamp, and buildings of every material, burn. Open Ground,
    water, sand, rubble of stone and the like do not.
    """
    return not BURNABLE.isdisjoint(hex_.contents)


def is_open_ground(hex_: Hex) -> bool:
    """Return True if the hex is Open Ground: nothing in it hides, hinders or drowns."""
    return _NOT_OPEN.isdisjoint(hex_.contents)


def is_water(hex_: Hex) -> bool:
    """Return True if the hex is a water obstacle: river, canal, pond or open water."""
    return not _WATER.isdisjoint(hex_.contents)


def is_river(hex_: Hex) -> bool:
    """Return True if the hex counts as river (ABtF GEO-3), bridged or not.

    A river bank, whose main terrain is land, does not, nor does a pond.
    """
    return hex_.terrain in {"river", "water"} or not hex_.watercourses.isdisjoint(_RIVERS)


_DEPRESSIONS = frozenset({"gully", "stream", "wadi"})


def is_depression(hex_: Hex) -> bool:
    """Return True if the hex is a depression (A6.3): a gully, stream or wadi that no bridge crosses."""
    return not _DEPRESSIONS.isdisjoint(hex_.contents) and "bridge" not in hex_.features


def bed_level(map_: HexMap, hex_: Hex) -> int:
    """Return the level of a depression's floor.

    A map gives the floor's own level, lower than some ground next to it, or else that of the land around.
    """
    around = (map_.hexes[name] for name in map_.neighbours(hex_.name))
    is_floor = any(beside.level > hex_.level and not is_depression(beside) for beside in around)
    return hex_.level - (not is_floor)


BUILDING_REACH, TERRAIN_REACH = 0.8, 0.9
"""How far a building and other terrain reach from the centre of their hex, in half hex heights.

A map tells no shapes; VASL's drawings leave corners free, and of buildings the rim.
"""

UNKNOWN, RUBBLE = "unknown", "rubble"
_MAX_RANGES = 20


def is_unknown(hex_: Hex) -> bool:
    """Return whether the terrain of a hex is not known."""
    return UNKNOWN in hex_.contents


def unknown_hexes(map_: HexMap) -> tuple[str, ...]:
    """Return the hexes in play whose terrain is not known, in the stated order."""
    return tuple(name for name, hex_ in map_.hexes.items() if is_unknown(hex_) and name in map_.playable)


def describe_unknown(map_: HexMap) -> str:
    """Return words that list the hexes whose terrain is not known, the first of many; "" for none."""
    names = unknown_hexes(map_)
    if not names:
        return ""
    ranges = as_ranges(names).split(", ")
    more = f" and {len(ranges) - _MAX_RANGES} more ranges" if len(ranges) > _MAX_RANGES else ""
    hexes = "one hex" if len(names) == 1 else f"{len(names)} hexes"
    return f"the terrain of {hexes} is not known: {', '.join(ranges[:_MAX_RANGES])}{more}"


def is_half_pacific(map_: HexMap) -> bool:
    """Return whether a map has jungle, palm or bamboo beside woods, as boards do that show PTO Terrain in part."""
    kinds = {hex_.terrain for hex_ in map_.hexes.values()}
    return "woods" in kinds and not kinds.isdisjoint({*PACIFIC.values(), "dense-jungle"})


def count_not_pacific(map_: HexMap) -> dict[str, int]:
    """Return how many hexes in play have each kind of terrain that PTO Terrain doesn't have."""
    counts = Counter(kind for name in map_.playable for kind in PACIFIC.keys() & map_.hexes[name].contents)
    return {kind: counts[kind] for kind in PACIFIC if kind in counts}
