"""Streets as wide as hexes, and roofs of their colour: where a picture takes more thought than LOS data do.

LOS data are drawn so that a street crosses hexsides in a part of their length. On pictures squares and boulevards
cover them whole; and the light side of a roof can have the street's colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from laager.vasl.boards.crossings import NONE, ROADS, Crossing, Points, codes_at
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.losdata import LosData, Terrain, terrains

_SAMPLES = 33
"""Points on the line between the centres of two hexes."""
_THROUGH = 0.94
"""The share of them from which on a street leads from one to the other."""


def with_squares(grounds: Sequence[HexGround], points: Points, data: LosData) -> tuple[HexGround, ...]:
    """Return hexes with the streets that lead from centre to centre, and without those that are roofs."""
    roads = np.array([ROADS.index(one.word) if one.kind == "road" else 0 for one in terrains()] + [0])
    found = [dict(one.crossings) for one in grounds]
    along = np.linspace(0, 1, _SAMPLES)[None, :, None]
    for side in (1, 2, 3):
        here = np.flatnonzero(points.near[:, side] >= 0)
        there = points.near[here, side]
        start, end = points.exact[here][:, None, :], points.exact[there][:, None, :]
        line = np.floor(start + (end - start) * along + 0.5).astype(np.int64)
        codes = codes_at(data.codes, line)
        kinds = roads[np.where(codes == NONE, len(roads) - 1, codes)]
        through = (kinds > 0).mean(axis=1) >= _THROUGH
        for at in np.flatnonzero(through).tolist():
            kind = ROADS[int(np.bincount(kinds[at])[1:].argmax()) + 1]
            for own, way in ((int(here[at]), side), (int(there[at]), (side + 3) % 6)):
                old = found[own].get(way, Crossing())
                if not old.road:
                    found[own][way] = replace(old, road=kind, cut=False)
    return tuple(_without_roofs(replace(one, crossings=over)) for one, over in zip(grounds, found, strict=True))


def _without_roofs(ground: HexGround) -> HexGround:
    """Return a hex without a street that stands in a house: neither under the dot nor over a hexside."""
    crossed = any(one.road for one in ground.crossings.values())
    if ground.house is None or crossed or ground.at_centre.kind == "road":
        return ground
    pixels: dict[Terrain, int] = {}
    for terrain, count in ground.pixels.items():
        own = ground.house if terrain.kind == "road" else terrain
        pixels[own] = pixels.get(own, 0) + count
    return replace(ground, pixels=pixels)
