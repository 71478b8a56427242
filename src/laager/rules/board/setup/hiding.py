"""Concealment, HIP and Cloaking at setup, and the ground as it is now that decides them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from laager.campaign import Fact
from laager.catalogue import load_fortifications
from laager.hexmap import HexMap, is_concealment_terrain, is_open_ground
from laager.hexmap.hexmap import kept_with_map
from laager.hexmap.terrain import is_unknown
from laager.rules.board.changes import INFANTRY, MMC, is_vehicle
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FortGone, FortJoined
from laager.rules.board.places import ENTRENCHMENTS, fort_kinds_at, hex_of
from laager.rules.board.units import Mark, Unit

NONE, CONCEALED, HIDDEN, CLOAKED = "none", "concealed", "hip", "cloaked"
HIDES = {NONE: None, CONCEALED: Mark.CONCEALED, HIDDEN: Mark.HIP, CLOAKED: Mark.CLOAKED}
"""How a unit can set up, and the marker that it gets."""

NO_CONCEALMENT = (Mark.BROKEN, Mark.BERSERK, Mark.PRISONER, Mark.MELEE)
"""Units with one of these markers get no "?"."""

QUESTION_MARK, HIP, SET_DC = "concealment", "hip", "set-dc"
"""The kinds of fortification that a bought "?" counter, HIP and a Set DC are."""

CLOAKING = "cloaking"
"""The size of a "?" counter that stands in for a Dummy among the Reserves."""


def is_in_cover(cg: CardContext, name: str) -> bool:
    """True if a hex is Concealment Terrain as it is now; what has burnt down is not.

    Where the map doesn't say what the terrain is, the players know, and their word counts.
    """
    return gives_cover(cg.map, name)


@kept_with_map
def gives_cover(map_: HexMap, name: str) -> bool:
    """True if a hex of a map is Concealment Terrain, or its terrain isn't known."""
    there = map_.hex(name)
    return is_concealment_terrain(there) or is_unknown(there)


def is_in_the_open(cg: CardContext, name: str) -> bool:
    """True if a hex is Open Ground as it is now; what has burnt down is."""
    return is_open_ground(cg.map.hex(name))


def is_entrenched(cg: CardContext, side: str, location: str, new: Mapping[str, Iterable[str]] = {}) -> bool:
    """True if a Location holds an entrenchment of a side, or gets one now.

    `new`: the kinds of fortifications that are being placed, by Location.
    """
    return not ENTRENCHMENTS.isdisjoint(fort_kinds_at(cg, side, location) | set(new.get(location, ())))


def may_conceal(cg: CardContext, unit: Unit, location: str, new: Mapping[str, Iterable[str]] = {}) -> bool:
    """True if a unit can be put under a "?" in a Location without buying one, whatever the LOS.

    Infantry in Concealment Terrain or in an entrenchment can (`new`: see `entrenched`).
    """
    if unit.kind not in INFANTRY or unit.has(*NO_CONCEALMENT):
        return False
    return is_in_cover(cg, hex_of(location)) or is_entrenched(cg, unit.side, location, new)


def is_shown_in_open(cg: CardContext, kind: str, at: str) -> bool:
    """True if the enemy sees a fortification because it can't hide there (A12.33).

    Entrenchments and roadblocks hide in Concealment Terrain only.
    """
    row = load_fortifications().get(kind)
    return row is not None and row.shown_in_open and not is_in_cover(cg, hex_of(at))


def hip_size(unit: Unit) -> str:
    """Return the size of HIP that a unit uses up: a row of the fortification chart."""
    if is_vehicle(unit):
        return "afv"
    return unit.kind if unit.kind in MMC else "smc"


def use_up(cg: CardContext, fort_id: str, count: int, why: str) -> Iterator[Fact]:
    """Use up some of the "?" or HIP of a purchase; an empty one is gone."""
    fort = cg.state.forts[fort_id]
    if fort.count > count:
        yield FortJoined(fort=fort.but(count=fort.count - count), why=f"{count} {why}", to=(fort.side,))
    else:
        yield FortGone(fort=fort_id, why=f"{count} {why}", to=(fort.side,))


def use_up_several(cg: CardContext, forts: Iterable[str], count: int, why: str) -> Iterator[Fact]:
    """Use up some of the "?" or HIP of several purchases, of the first of them first."""
    for name in forts:
        if count and name in cg.state.forts:
            here = min(count, cg.state.forts[name].count)
            count -= here
            yield from use_up(cg, name, here, why)
