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
"""What a hex can consist of; unknown is what nobody has told."""

PACIFIC: Mapping[str, str] = MappingProxyType({"woods": "jungle", "orchard": "palm", "brush": "bamboo"})
"""What terrain that boards print is where PTO Terrain is in force (ASL G2 to G4); which jungle is dense, SSR say."""

FEATURES: tuple[str, ...] = (
    *("bridge", "ford", "pier", "seawall", "hillock-summit", "hilltop"),
    *("graveyard", "crag", "rubble", "wadi", "blockhouse"),
)
"""What can stand in a hex beside its terrain. A hilltop is the printed yellow triangle, the
blockhouse that of a town of Blocks, intact or not (ABtF 5.1, 5.2)."""

HEXSIDES: tuple[str, ...] = ("wall", "hedge", "bocage", "cliff", "roadblock", "rowhouse")
"""What can run along a hexside."""

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
"""What a Blaze takes away when it burns out."""
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


UNKNOWN, RUBBLE = "unknown", "rubble"
_SHOWN = 20


def is_unknown(hex_: Hex) -> bool:
    """Return True if nobody has told what a hex is."""
    return UNKNOWN in hex_.contents


def unknown_hexes(map_: HexMap) -> tuple[str, ...]:
    """Return the hexes in play of which nobody has told what they are, in their stated order."""
    return tuple(name for name, one in map_.hexes.items() if is_unknown(one) and name in map_.playable)


def describe_unknown(map_: HexMap) -> str:
    """Return words for the hexes that nobody has told of, of many the first; "" for none."""
    found = unknown_hexes(map_)
    if not found:
        return ""
    ranges = as_ranges(found).split(", ")
    more = f" and {len(ranges) - _SHOWN} more ranges" if len(ranges) > _SHOWN else ""
    hexes = "one hex" if len(found) == 1 else f"{len(found)} hexes"
    return f"the terrain of {hexes} is not known: {', '.join(ranges[:_SHOWN])}{more}"


def is_half_pacific(map_: HexMap) -> bool:
    """Return True if a map has jungle, palm or bamboo beside woods, as boards do that show PTO Terrain in part."""
    kinds = {one.terrain for one in map_.hexes.values()}
    return "woods" in kinds and not kinds.isdisjoint({*PACIFIC.values(), "dense-jungle"})


def count_not_pacific(map_: HexMap) -> dict[str, int]:
    """Return how many hexes in play have each kind of terrain that PTO Terrain doesn't have."""
    found = Counter(kind for name in map_.playable for kind in PACIFIC.keys() & map_.hexes[name].contents)
    return {kind: found[kind] for kind in PACIFIC if kind in found}
