"""Roads and watercourses on pictures: roofs of a street's colour, roads between banks, streams that pass a dot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from laager.vasl.boards.crossings import NONE, Crossing, HexPoints, codes_at
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.losdata import LosData, Terrain, by_name, terrains
from laager.vasl.boards.shapes import hex_windows
from laager.vasl.colours.palette import ROADS
from laager.vasl.colours.pixel_ground import PixelGround
from laager.vasl.colours.pixels import Pixels

BANKS = 0.15
"""Share of its hex that the banks of a sunken or an elevated road cover at least."""
_BANK = "Sunken Road"
PASSES = 2
"""Hexsides that a stream or gully must cross for its hex to lie in it though it passes the dot."""
BESIDE = 3
"""Distance from the dot within which it must pass, in pixels of a usual board."""


def sink_dots(data: LosData, points: HexPoints, over: Sequence[Mapping[int, Crossing]]) -> None:
    """Let the dots of hexes that a stream or gully runs through lie in it, in place.

    Such a hex is a Depression hex as a whole (B19, B20). Pictures have bends that pass the dot by a few pixels; VASL's
    own data of such hexes were corrected by hand. A bridge, road or building over it stays what it is, and so do
    marsh and ponds that it flows through.
    """
    beds = np.array(
        [terrain.category == "depression" and terrain.kind == "watercourse" for terrain in terrains()] + [False]
    )
    kept = np.array(
        [
            terrain.kind in {"road", "feature", "building"}
            or terrain.word == "marsh"
            or terrain.category in {"water", "bridge"}
            for terrain in terrains()
        ]
    )
    around = np.arange(-BESIDE, BESIDE + 1)
    steps = np.array([(x, y) for x in around for y in around if 0 < x**2 + y**2 < BESIDE**2])
    steps = steps[np.argsort((steps**2).sum(axis=1), kind="stable")]
    for at, sides in enumerate(over):
        if sum(crossing.water in {"gully", "stream"} for crossing in sides.values()) < PASSES:
            continue
        centre = points.centre[at]
        code = int(codes_at(data.codes, centre))
        if code == NONE or beds[code] or kept[code]:
            continue
        in_bed = np.flatnonzero(beds[codes_at(data.codes, centre + steps)])
        if len(in_bed):
            bed = tuple(centre + steps[in_bed[0]])
            data.codes[tuple(centre)], data.elevation[tuple(centre)] = data.codes[bed], data.elevation[bed]


def roads_between_banks(ground: PixelGround, points: HexPoints, pixels: Pixels) -> Mapping[int, int | None]:
    """Return the hexes with a road between banks, and the level that the road's colour tells; None for none."""
    bank = by_name(_BANK).code
    if not any(meaning.terrain == _BANK and pixels.counts[at] for at, meaning in enumerate(ground.meanings)):
        return {}
    road_levels: dict[int, int | None] = {}
    for at, (box, mask) in enumerate(hex_windows(points, pixels.size)):
        if (ground.codes[box][mask] == bank).sum() < BANKS * max(int(mask.sum()), 1):
            continue
        levels: dict[int | None, int] = {}
        for number, count in enumerate(np.bincount(pixels.numbers[box][mask]).tolist()):
            meaning = ground.meanings[number]
            if count and meaning.terrain in ROADS:
                levels[meaning.level] = levels.get(meaning.level, 0) + count
        if levels:
            road_levels[at] = max(levels, key=lambda level: levels[level])
    return road_levels


def put_on_road_level(ground: HexGround, level: int | None) -> HexGround:
    """Return a hex with a road between banks on the road's level: a level below the ground if its colour tells none.

    Banks of a road above the ground look like those of a sunken one; they are an elevated road's.
    """
    around = max(ground.elevations, key=lambda height: ground.elevations[height])
    base = around - 1 if level in {None, around} else level
    assert base is not None
    if base < around:
        return replace(ground, base=base)
    elevated = {terrains()[by_name(_BANK).code]: by_name("Elevated Road")}
    return replace(
        ground,
        base=base,
        centre=elevated.get(ground.centre, ground.centre),
        at_centre=elevated.get(ground.at_centre, ground.at_centre),
        pixels={elevated.get(terrain, terrain): count for terrain, count in ground.pixels.items()},
        depression=None,
        into_depression=frozenset(),
    )


def raise_to_bridge(ground: HexGround) -> HexGround:
    """Return a hex on the level of the bridge in it, above the depression that the picture shows below (B6.1)."""
    spans = ground.bridged and ground.base < max(ground.elevations, default=ground.base)
    return replace(ground, base=ground.base + 1) if spans else ground


def drop_streets_in_houses(ground: HexGround) -> HexGround:
    """Return a hex without a street that stands in a house: neither under the dot nor over a hexside.

    The light side of a roof can have the street's colour.
    """
    crossed = any(crossing.road for crossing in ground.crossings.values())
    if ground.house is None or crossed or ground.at_centre.kind == "road":
        return ground
    pixels: dict[Terrain, int] = {}
    for terrain, count in ground.pixels.items():
        seen = ground.house if terrain.kind == "road" else terrain
        pixels[seen] = pixels.get(seen, 0) + count
    return replace(ground, pixels=pixels)
