"""Scenario rules about terrain as VASL's LOS map takes them: on the pixels of a board, which it then derives again.

They differ from the rules of `laager.vasl.scenario`, which make the map that players play on: VASL's LOS takes no
notice of roads or walls that look different, lets discs of woods grow over roads, and takes woods and buildings away
with a hill that becomes grain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from laager.los.exact import fields as f
from laager.los.exact import kinds
from laager.los.exact.boards import LosBoard
from laager.vasl.boards.losdata import by_name
from laager.vasl.scenario import rules as scenario
from laager.vasl.scenario.land import Land, Mask

IGNORED = frozenset(
    {"AllPaved", "AllDirt", "AllStone", "AllWood", "StreamsToGullies", "GulliesToStreams", "WallsOnly", "NoRoads"}
)
"""Rules that change how a board looks, and that VASL's LOS leaves alone."""

_JUNGLE = ("Woods", "Light Jungle", "Dense Jungle")


def is_known(name: str) -> bool:
    """Return True if VASL's LOS knows a rule; of others it makes no LOS map at all."""
    return name in scenario.rules()


def apply(sheet: LosBoard, names: Sequence[str]) -> None:
    """Change a board by scenario rules, and derive it again. Rules that VASL's LOS doesn't know are left out."""
    wanted = [name for name in names if is_known(name) and name not in IGNORED and scenario.changes_ground(name)]
    if not wanted:
        return
    land = Land(sheet.data, sheet.metadata.geometry).copy()
    for name in wanted:
        special = _SPECIAL.get(name)
        if special is not None:
            special(sheet, land)
        elif scenario.rules()[name][0].how == "level-terrain":
            _erase_level(land, name)
        else:
            scenario.apply(name, land)
        sheet.codes, sheet.levels = land.codes, land.levels
    # VASL turns the woods into jungle after all rules, so that those which another rule has changed stay as they are.
    if scenario.PACIFIC.intersection(wanted):
        scenario.make_pacific(land)
        sheet.codes, sheet.levels = land.codes, land.levels
    sheet.data = land.data()
    sheet.derive_again()


def _erase_level(land: Land, name: str) -> None:
    """Make terrain of all that lies on a level, as VASL's LOS does: the woods and buildings there are gone."""
    for part in scenario.rules()[name]:
        land.replace_level(int(part.old[0]), part.new, all_terrain=True)


def _no_stairwells(sheet: LosBoard, _: Land) -> None:
    sheet.stairways[:] = False


def _woods_over_roads(sheet: LosBoard, land: Land) -> None:
    """Let a disc of woods grow over the middle of road hexes at woods."""
    woods = by_name("Woods").code
    roads = kinds.flags()[sheet.hexes.centre] & f.ROAD != 0
    for i in np.flatnonzero(roads & (sheet.hexes.place == woods).any(axis=1)):
        box, disc = _disc(sheet, int(i))
        land.codes[box][disc] = woods


def _disc(sheet: LosBoard, number: int) -> tuple[tuple[slice, slice], Mask]:
    """Return the disc in the middle of a hex: two thirds of its height across."""
    across = sheet.grid.dy * 2 / 3
    left, top = sheet.grid.centre[number] - across / 2
    width, height = sheet.grid.size
    box = (
        slice(max(int(left) - 1, 0), min(int(left + across) + 2, width)),
        slice(max(int(top) - 1, 0), min(int(top + across) + 2, height)),
    )
    x = (np.arange(box[0].start, box[0].stop) - left) / across - 0.5
    y = (np.arange(box[1].start, box[1].stop) - top) / across - 0.5
    disc: Mask = x[:, None] ** 2 + y[None, :] ** 2 < 0.25
    return box, disc


def _remove_bridges(sheet: LosBoard, land: Land) -> None:
    """Make gullies of bridges, and sink the middle of their hexes."""
    bridges = land.categories("bridge")
    land.codes[bridges] = by_name("Gully").code
    pixels = sheet.grid.hexes_of_pixels()
    floor = sheet.hexes.base - ~sheet.hexes.depressed
    for i in np.unique(pixels[bridges]):
        if i >= 0:
            box, disc = _disc(sheet, int(i))
            owner = pixels[box]
            there = disc & (owner >= 0)
            land.levels[box][there] = floor[owner[there]].astype(np.int8)


def _dense_jungle(sheet: LosBoard, land: Land) -> None:
    water = land.categories("water")
    kept = land.codes[water]
    land.fill_hexes(_hexes_with_centre(sheet, ("Woods",)), "Dense Jungle")
    land.codes[water] = kept
    land.become(["Woods"], "Dense Jungle")


def _bamboo(sheet: LosBoard, land: Land) -> None:
    land.become(["Brush"], "Bamboo")
    land.fill_hexes(_hexes_with_centre(sheet, ("Bamboo",)), "Bamboo")


def _swamp(sheet: LosBoard, land: Land) -> None:
    jungle = np.zeros(sheet.grid.count + 1, np.bool_)
    jungle[_hexes_with_centre(sheet, _JUNGLE)] = True
    marsh = _hexes_with_centre(sheet, ("Marsh",))
    land.fill_hexes([i for i in marsh if jungle[sheet.grid.near[i]].any()], "Swamp", only="Marsh")


def _hexes_with_centre(sheet: LosBoard, names: Sequence[str]) -> list[int]:
    wanted = [by_name(name).code for name in names]
    return [int(i) for i in np.flatnonzero(np.isin(sheet.hexes.centre, wanted))]


_SPECIAL: dict[str, Callable[[LosBoard, Land], None]] = {
    "NoStairwells": _no_stairwells,
    "NoBridge": _remove_bridges,
    "BridgeToFord": _remove_bridges,
    "NoWoodsRoads": _woods_over_roads,
    "NoWoodsRoad": _woods_over_roads,
    "RoadsToPaths": _woods_over_roads,
    "DenseJungle": _dense_jungle,
    "Bamboo": _bamboo,
    "SwampToSwampPattern": _swamp,
}
