"""VASL's kinds of terrain as numbers for the kernels: flags and heights by code."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from laager.los.exact import fields as f
from laager.vasl.boards.losdata import Terrain, terrains

_ROW_WALLS = "Rowhouse Wall"
_INNER_WALL = "Interior Factory Wall"
_BUILDINGS = frozenset({"building", "factory", "marketplace"})
_EXACT = {
    "Wall": f.WALL_HEDGE,
    "Hedge": f.WALL_HEDGE,
    "Bocage": f.BOCAGE,
    "Hillock": f.IS_HILLOCK,
    "Stone Rubble": f.RUBBLE,
    "Wooden Rubble": f.RUBBLE,
    "Grain": f.GRAIN_BRUSH,
    "Brush": f.GRAIN_BRUSH,
    "Orchard, Out of Season": f.ORCHARD_BARE,
    "Dense Jungle": f.JUNGLE,
    "Bamboo": f.JUNGLE,
}
_PARTS = {
    "Cliff": f.CLIFF,
    "Rooftop": f.ROOFTOP,
    "Cellar": f.CELLAR,
    "Roofless": f.ROOFLESS,
    "Gutted": f.ROOFLESS,
    "Light Woods": f.LIGHT_WOODS,
    "Road": f.ROAD_NAME,
    "Interior Factory Wall": f.FACTORY_INNER,
    "Rrembankment": f.EMBANKMENT,
}
_OUTER = ("Stone Factory Wall, 1.5 Level", "Stone Factory Wall, 2.5 Level")
_OUTER_WALLS = frozenset({*_OUTER, *(name.replace("Stone", "Wooden") for name in _OUTER)})


def _flags(terrain: Terrain) -> int:
    """Return the flags of a kind of terrain; VASL can do nothing with a code that isn't in its table."""
    if terrain.name == f"unknown terrain {terrain.code}":
        return f.UNKNOWN
    conditions = {
        f.HALF: terrain.half,
        f.OBSTACLE: terrain.obstacle,
        f.INHERENT: terrain.inherent,
        f.SPLIT: terrain.split,
        f.LOWER_OBSTACLE: terrain.lower_obstacle,
        f.LOWER_HINDRANCE: terrain.lower_hindrance,
        f.BUILDING: terrain.category in _BUILDINGS,
        f.PLAIN: terrain.category in {"building", "marketplace"},
        f.FACTORY: terrain.category == "factory",
        f.OPEN: terrain.category in {"open", "road", "water"},
        f.HEXSIDE: terrain.hexside,
        f.ROW_WALL: terrain.hexside and terrain.name.startswith((_ROW_WALLS, _INNER_WALL)),
        f.DEPRESSION: terrain.category == "depression",
        f.BRIDGE: terrain.category == "bridge",
        f.ENTRENCHMENT: terrain.category == "entrenchment",
        f.ROAD: terrain.category == "road",
        f.WATER: terrain.category == "water",
        f.OUTER_WALL: terrain.name in _OUTER_WALLS,
    }
    combined = sum(flag for flag, has in conditions.items() if has)
    combined |= _EXACT.get(terrain.name, 0)
    for part, flag in _PARTS.items():
        if part in terrain.name:
            combined |= flag
    return combined


@cache
def flags() -> NDArray[np.int64]:
    """Return the flags of each code; the last is that of no terrain at all."""
    return np.array([*map(_flags, terrains()), f.UNKNOWN], np.int64)


@cache
def heights() -> NDArray[np.int64]:
    """Return the whole levels of each code's height."""
    return np.array([*(terrain.height for terrain in terrains()), 0], np.int64)


@cache
def rough() -> NDArray[np.bool_]:
    """Return which codes are more than plain ground: all but open terrain that nothing depends on."""
    plain = (flags() & f.OPEN != 0) & (heights() == 0)
    more = f.HALF | f.SPLIT | f.INHERENT | f.HEXSIDE | f.BUILDING | f.BRIDGE
    is_rough: NDArray[np.bool_] = ~(plain & (flags() & more == 0))
    return is_rough
