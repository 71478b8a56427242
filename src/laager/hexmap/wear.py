"""The map as play has left it: burnt down, in rubble, cleared, bridges destroyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import BURNABLE, RUBBLE, UNKNOWN
from laager.hexmap.values import Building, Hex

BRIDGE_DESTROYED, COLLAPSED_HUT = "bridge-destroyed", "collapsed-hut"
"""Changes that take something away from a hex, as campaigns record them; rubble is the other one."""

Turns = frozenset[tuple[str, str, str]]
"""Changes that make one kind of terrain another: (change, kind before, kind after)."""


@dataclass(frozen=True)
class Wear:
    """The changes that play has made to the ground.

    `changes` are those that last, by Location (`rubble`, `shellholes` …), `burnt` the hexes burnt down, `cleared` those
    whose rubble was cleared away. What happens upstairs leaves the rest of a building standing.
    """

    changes: frozenset[tuple[str, frozenset[str]]] = frozenset()
    burnt: frozenset[str] = frozenset()
    cleared: frozenset[str] = frozenset()


def worn_map(printed: HexMap, wear: Wear, turns: Turns = frozenset()) -> HexMap:
    """Return a printed map as play has left it; the map itself if no terrain has changed.

    Grid, edges, roads and Blocks stay the same. `turns` are the rules of a system for its own terrain.
    """
    return printed if wear == Wear() else _worn_map(printed, wear, turns)


@lru_cache(maxsize=64)
def _worn_map(printed: HexMap, wear: Wear, turns: Turns) -> HexMap:
    kinds = {printed.main(at): changes for at, changes in wear.changes if at in printed}
    burnt, cleared = (frozenset(map(printed.main, names)) for names in (wear.burnt, wear.cleared))
    changed = {}
    for name in kinds.keys() | burnt | cleared:
        printed_hex = printed.hexes[name]
        worn_hex = _worn_hex(
            printed_hex, kinds.get(name, frozenset()), turns, burnt=name in burnt, cleared=name in cleared
        )
        if worn_hex is not printed_hex:
            changed[name] = worn_hex
    if not changed:
        return printed
    buildings = tuple(standing for house in printed.buildings if (standing := _remains_of(house, changed)) is not None)
    return replace(printed, hexes={**printed.hexes, **changed}, buildings=buildings, as_printed=printed)


def _worn_hex(hex_: Hex, kinds: frozenset[str], turns: Turns, *, burnt: bool, cleared: bool) -> Hex:
    """Return a hex after rubble, clearance, changes of terrain and fire."""
    become = {before: after for change, before, after in turns if change in kinds or (change == RUBBLE and cleared)}
    lost = become.keys() & hex_.contents
    gained = {become[kind] for kind in lost} | ({RUBBLE} & kinds)
    if cleared:
        lost, gained = lost | {RUBBLE, "building"}, gained - {RUBBLE}
    if RUBBLE in kinds or (COLLAPSED_HUT in kinds and hex_.building is not None and hex_.building.material == "hut"):
        lost = lost | {"building"}
    if BRIDGE_DESTROYED in kinds:
        lost = lost | {"bridge"}
    if burnt:
        lost, gained = lost | BURNABLE | {UNKNOWN}, gained - BURNABLE
    lost = lost & hex_.contents
    if not lost and gained <= hex_.contents:
        return hex_
    terrain, features = hex_.terrain, hex_.features - lost
    if terrain in lost:
        terrain = min(gained, default="open")
    return replace(
        hex_,
        terrain=terrain,
        also=hex_.also - lost,
        features=features | gained - {terrain},
        building=None if "building" in lost else hex_.building,
        as_printed=hex_,
    )


def _remains_of(house: Building, changed: Mapping[str, Hex]) -> Building | None:
    """Return the part of a building that still stands; None if there is none."""
    hexes = tuple(name for name in house.hexes if name not in changed or changed[name].building is not None)
    if len(hexes) == len(house.hexes):
        return house
    levels = {name: count for name, count in house.levels_at.items() if name in hexes}
    return replace(house, hexes=hexes, levels_at=levels) if hexes else None


def worn_hexes(map_: HexMap) -> frozenset[str]:
    """Return the hexes whose terrain play has changed."""
    return frozenset(name for name, hex_ in map_.hexes.items() if hex_.as_printed is not None)
