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


def _flags(one: Terrain) -> int:
    """Return the flags of a kind of terrain; VASL can do nothing with a code that isn't in its table."""
    if one.name == f"unknown terrain {one.code}":
        return f.UNKNOWN
    chosen = {
        f.HALF: one.half,
        f.OBSTACLE: one.obstacle,
        f.INHERENT: one.inherent,
        f.SPLIT: one.split,
        f.LOWER_OBSTACLE: one.lower_obstacle,
        f.LOWER_HINDRANCE: one.lower_hindrance,
        f.BUILDING: one.category in _BUILDINGS,
        f.PLAIN: one.category in {"building", "marketplace"},
        f.FACTORY: one.category == "factory",
        f.OPEN: one.category in {"open", "road", "water"},
        f.HEXSIDE: one.hexside,
        f.ROW_WALL: one.hexside and one.name.startswith((_ROW_WALLS, _INNER_WALL)),
        f.DEPRESSION: one.category == "depression",
        f.BRIDGE: one.category == "bridge",
        f.ENTRENCHMENT: one.category == "entrenchment",
        f.ROAD: one.category == "road",
        f.WATER: one.category == "water",
        f.OUTER_WALL: one.name in _OUTER_WALLS,
    }
    found = sum(flag for flag, has in chosen.items() if has)
    found |= _EXACT.get(one.name, 0)
    for part, flag in _PARTS.items():
        if part in one.name:
            found |= flag
    return found


@cache
def flags() -> NDArray[np.int64]:
    """Return the flags of each code; the last is that of no terrain at all."""
    return np.array([*map(_flags, terrains()), f.UNKNOWN], np.int64)


@cache
def heights() -> NDArray[np.int64]:
    """Return the whole levels of each code's height."""
    return np.array([*(one.height for one in terrains()), 0], np.int64)


@cache
def rough() -> NDArray[np.bool_]:
    """Return which codes are more than plain ground: all but open terrain that nothing depends on."""
    plain = (flags() & f.OPEN != 0) & (heights() == 0)
    more = f.HALF | f.SPLIT | f.INHERENT | f.HEXSIDE | f.BUILDING | f.BRIDGE
    found: NDArray[np.bool_] = ~(plain & (flags() & more == 0))
    return found
