"""Locations as players write them, and what may stand in them: units, Guns, fortifications."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator

from laager.base import DataError, Problem, RefusedError
from laager.base.counting import count_of
from laager.catalogue import GunType, load_fortifications
from laager.hexmap import is_burnable, is_water, split_location
from laager.hexmap.coords import LIST_EXAMPLE, parse_hex_list, split_list
from laager.hexmap.hexmap import HexMap, kept_with_map
from laager.hexmap.terrain import is_unknown
from laager.rules.board.changes import is_vehicle
from laager.rules.board.context import CardContext
from laager.rules.board.units import Unit

ITEMS = frozenset({"sw", "gun"})
"""What sets up with the unit that possesses it."""

ROOMS = frozenset({"pillbox", "cave"})
"""Fortifications that are Locations of their own."""

ENTRENCHMENTS = frozenset({"foxhole", "sangar", "trench", "pillbox"})
"""Fortifications in which Infantry may set up concealed."""

FORTIFIED = "fortified-building"
FIXING = frozenset({"pillbox", FORTIFIED})
"""Fortifications in which a Gun stays for the whole campaign."""

LIGHT_MORTAR = 82
"""The largest calibre of a mortar that can be dismantled, in mm."""

ROADBLOCK = "roadblock"

_ID = re.compile("[A-Za-z]{2}[0-9]+")

Fault = tuple[str, str, str]
"""What is wrong with a place, what would be right, and in which field of the answer."""


def hex_of(location: str) -> str:
    """Return the hex of a Location."""
    return location.split(".", maxsplit=1)[0]


def find_location(cg: CardContext, text: str, rooms: Collection[str] = ()) -> str | None:
    """Return the Location that a text names, by its main name; None if there isn't one.

    `rooms` are Locations inside fortifications, which the map does not know.
    """
    try:
        location = cg.map.main_location(text)
        name, _ = split_location(location)
    except RefusedError:
        return None
    return location if location in rooms or location in cg.map.locations(name) else None


def room_of(kind: str, location: str) -> str:
    """Return the Location that a fortification is: of a pillbox or cave, the room inside."""
    return f"{hex_of(location)}.p" if kind in ROOMS else location


def rooms_of(cg: CardContext, side: str) -> set[str]:
    """Return the Locations inside a side's fortifications that are on map.

    Old campaigns have pillboxes that were noted at their hex.
    """
    return {
        room_of(fort.kind, fort.at)
        for fort in cg.state.forts.values()
        if fort.at and fort.side == side and fort.kind in ROOMS
    }


def fort_kinds_at(cg: CardContext, side: str, location: str) -> frozenset[str]:
    """Return the kinds of a side's fortifications in a Location."""
    forts = cg.state.forts.values()
    return frozenset(fort.kind for fort in forts if fort.at == location and fort.side == side)


# Units and Guns -----------------------------------------------------------------------------------


def can_enter(cg: CardContext, unit: Unit, location: str) -> bool:
    """True if a unit can stand in a Location at all: vehicles at ground level, nobody in water."""
    if not is_accessible(cg, hex_of(location)):
        return False
    return not is_vehicle(unit) or location == hex_of(location)


def can_emplace(cg: CardContext, location: str) -> bool:
    """True if a Gun that sets up there is emplaced (C11.2): wherever a foxhole could be dug."""
    name = hex_of(location)
    there = cg.map.hex(name)
    barred = {"rubble", "marsh", "swamp", "bridge"}
    paved = any(road.kind in {"paved", "runway"} and name in road.along for road in cg.map.roads)
    soft = there.building is None and not is_water(there) and barred.isdisjoint(there.contents)
    return soft and not paved


def can_dismantle(gun: GunType) -> bool:
    """True if a Gun can be taken apart and carried: light mortars and recoilless rifles."""
    calibre = re.match(r"\d+", gun.type)
    light = calibre is not None and int(calibre.group()) <= LIGHT_MORTAR
    return gun.sort == "recoilless" or (gun.sort == "mortar" and light)


# Fortifications -----------------------------------------------------------------------------------


def terrain_faults(cg: CardContext, kind: str, at: str) -> Iterator[Fault]:
    """Yield why a kind of fortification can't stand in a Location, by terrain alone."""
    fort, name = load_fortifications()[kind], hex_of(at)
    there = cg.map.hex(name)
    if fort.place != "location" and at != name:
        yield f"{fort.name} takes the hex", f"{name}", "at"
    if kind == FORTIFIED and there.building is None:
        yield f"{at} is not a building Location", "a Location of a building", "at"
    fallen = there.has("rubble") and there.printed.building is not None
    if kind in ENTRENCHMENTS and (there.building is not None or fallen or is_water(there)):
        yield f"{fort.name} cannot stand in {at}", "neither a building nor water", "at"
    if kind == "a-b-mines" and not (is_water(there) or is_unknown(there)):
        yield f"{name} is not a water hex", "A-B Mines lie in water", "at"


def hexside_faults(cg: CardContext, kind: str, at: str, hexside: str, wanted: int = 1) -> Iterator[Fault]:
    """Yield what is wrong with the hexsides that a fortification takes; `wanted` is how many."""
    name, beyond = hex_of(at), parse_hexsides(hexside)
    if load_fortifications()[kind].place != "hexside":
        if beyond:
            yield "it has no hexside", "leave it out", "hexside"
        return
    if len(set(beyond)) != wanted or len(beyond) != wanted:
        right = f"{wanted} adjacent hexes, one for each hexside" if wanted > 1 else "the hex beyond"
        yield f"{count_of(len(beyond), 'hexside')} named", right, "hexside"
    for neighbour in beyond:
        if neighbour not in cg.map or not cg.map.are_adjacent(name, neighbour):
            yield f"{neighbour} is not adjacent to {name}", "the hex beyond the hexside", "hexside"
        elif kind == ROADBLOCK and not has_road_between(cg, name, neighbour):
            yield f"no road runs from {name} to {neighbour}", "a hexside that a road crosses", "hexside"


def parse_hexsides(text: str) -> list[str]:
    """Return the hexes beyond the hexsides named in an answer: `C4`, or `C4, D4`."""
    return split_list(text)


def parse_hexes(cg: CardContext, text: str) -> tuple[list[str], list[Problem]]:
    """Return the hexes of a list as typed, by their main names, or what is wrong with it."""
    try:
        names = parse_hex_list(text)
    except DataError as err:
        return [], list(err.problems)
    unknown = [name for name in names if name not in cg.map]
    if unknown:
        message = f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not on the map"
        return [], [Problem(message, f"name hexes of the map, {LIST_EXAMPLE}")]
    return [cg.map.main(name) for name in names], []


def has_road_between(cg: CardContext, first: str, second: str) -> bool:
    """True if a road crosses the hexside of two hexes."""
    return frozenset((cg.map.main(first), cg.map.main(second))) in _hexsides_with_roads(cg.map)


@kept_with_map
def _hexsides_with_roads(map_: HexMap) -> frozenset[frozenset[str]]:
    """Return the hexsides that roads cross, each as its two hexes."""
    return frozenset(frozenset(pair) for road in map_.roads for pair in itertools.pairwise(road.along))


# Names in a report --------------------------------------------------------------------------------


def place_problem(cg: CardContext, side: str, text: str) -> tuple[str, str] | None:
    """Say what is wrong with a Location and what would be right; None if there is one.

    The Locations of a hex are those of the map and of the fortifications that the side knows.
    """
    try:
        location = cg.map.main_location(text.strip())
    except RefusedError as err:
        return err.problem.what, err.problem.right
    name = location.split(".", maxsplit=1)[0]
    if name not in cg.map.playable:
        return f"{name} is not in play", "a hex inside the playable area"
    known = cg.map.locations(name)
    built = {fort.at for fort in cg.state.forts.values() if fort.side == side or not fort.hidden}
    if location not in known and location not in built:
        return f"{name} has no Location {location}", f"it has {', '.join(known)}"
    return None


def hex_problem(cg: CardContext, text: str) -> tuple[str, str] | None:
    """Say what is wrong with the name of a hex; None if it is one in play."""
    try:
        name = cg.map.main(text.strip())
    except RefusedError as err:
        return err.problem.what, err.problem.right
    return None if name in cg.map.playable else (f"{name} is not in play", "a hex in play")


def main_location(cg: CardContext, text: str) -> str:
    """Return a Location by its main name; the text itself if the map has no such hex."""
    try:
        return cg.map.main_location(text.strip())
    except RefusedError:
        return text.strip()


def unit_id(text: str | None) -> str:
    """Return the id that somebody typed, however he wrote it; other text as it is."""
    text = (text or "").strip()
    return text.upper() if _ID.fullmatch(text) else text


def is_number_of(side: str, text: str) -> bool:
    """True if a text looks like the number of a unit of a side, whether or not there is one."""
    return bool(_ID.fullmatch(text.strip())) and unit_id(text)[:2] == side[:2].upper()


def find_unit(cg: CardContext, side: str, text: str | None) -> Unit | None:
    """Return the unit of a side that a report means, in play or gone; None if it has none."""
    unit = cg.state.units.get(unit_id(text))
    return unit if unit is not None and unit.side == side else None


# The ground as it is now -------------------------------------------------------------------------


def is_accessible(cg: CardContext, name: str) -> bool:
    """True if Infantry can enter a hex, as far as the map shows: in play, no water, no Blaze."""
    return name in _enterable(cg.map) and name not in cg.state.ground.blazes


def accessible_hexes(cg: CardContext) -> frozenset[str]:
    """Return the hexes that Infantry can enter, as far as the map shows."""
    return _enterable(cg.map) - cg.state.ground.blazes


@kept_with_map
def _enterable(map_: HexMap) -> frozenset[str]:
    """Return the hexes in play that Infantry can enter by what is on the map."""
    hexes = (map_.hexes[name] for name in map_.playable)
    return frozenset(
        hex_.name for hex_ in hexes if not is_water(hex_) or hex_.has("bridge") or hex_.has("pier") or hex_.has("ford")
    )


def can_burn(cg: CardContext, hex_name: str) -> bool:
    """True if a Flame can be placed: burnable terrain, or what fell of it, that has not burnt down already."""
    return hex_name in _burnable(cg.map) and hex_name not in cg.state.ground.burnt


def burnable_hexes(cg: CardContext) -> frozenset[str]:
    """Return the hexes in which a Flame can be placed."""
    return _burnable(cg.map) - cg.state.ground.burnt


@kept_with_map
def _burnable(map_: HexMap) -> frozenset[str]:
    """Return the hexes in play in which something on the map can burn, or could before it fell."""
    hexes = (map_.hexes[name] for name in map_.playable)
    return frozenset(
        hex_.name for hex_ in hexes if is_burnable(hex_) or (hex_.has("rubble") and is_burnable(hex_.printed))
    )


def may_burn(cg: CardContext, hex_name: str) -> bool:
    """True if players can say that a hex burns: it can burn, or the map doesn't say what it is."""
    if hex_name in cg.state.ground.burnt or hex_name not in cg.map.playable:
        return False
    return can_burn(cg, hex_name) or is_unknown(cg.map.hex(hex_name))
