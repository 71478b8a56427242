"""Where each side's groups enter, and where units may leave the map (CG9, CG11)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import HexMap, entry_area
from laager.rules.board.card.parts import ALLIED, AXIS
from laager.rules.board.changes import INFANTRY, is_vehicle
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.report.form import CAPTURED, ELIMINATED, EXITED, OFF_MAP
from laager.rules.board.report.side_report import Contradiction
from laager.rules.board.units import Mark, Place, Unit

if TYPE_CHECKING:
    from laager.rules.board.report.outcome import After
    from laager.rules.board.report.side_report import SideReport

BRITISH = ("A6", "A18")
"""The red arrows."""

GERMAN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"H": ("A5", "A17"), "K": ("F0", "M1", "V0", "GG1"), "B": ("JJ4", "JJ15", "JJ20"), "G": ("R23",)}
)
"""The arrows of each KG: grey, grey and black, black, and the one hex of KG Graebner."""

GRAEBNER = "R23"

GUARDS_LEAVE = ("north", "east", "west")
"""The map edges by which Guards with their prisoners can go, besides R23."""


def known(map_: HexMap, arrows: tuple[str, ...]) -> tuple[str, ...]:
    """Return those arrows of the printed map that a map has."""
    there = {arrow.hex for arrow in map_.entry_arrows}
    return tuple(name for name in arrows if name in there)


@implements("ABtF CG9 British", "ABtF CG9 German")
def printed_arrows(map_: HexMap, side: str, kg: str = "") -> tuple[str, ...]:
    """Return the arrows of the British or of a KG, where the card names none of its own."""
    return known(map_, BRITISH if side == ALLIED else GERMAN.get(kg[:1], ()))


@implements("ABtF 9.2 Entry Area")
def entry_doubts(map_: HexMap) -> Iterator[Problem]:
    """Yield a doubt if a map gives KG Graebner more than its one hex to enter by."""
    for arrow in map_.entry_arrows:
        if arrow.hex == GRAEBNER and not arrow.single:
            count = len(entry_area(map_, arrow).hexes)
            what = f"the Entry Area {GRAEBNER} of KG Graebner has {count} hexes"
            yield Problem(what, f"single: true makes it {GRAEBNER} alone", "entry_areas")


@implements("ABtF CG9")
def must_enter(unit: Unit) -> bool:
    """True if a unit off the map has to enter in this scenario."""
    return unit.place is Place.OFF_MAP


@implements("ABtF CG11")
def without_prisoners(desks: Mapping[str, SideReport]) -> Iterator[Contradiction]:
    """Yield the Germans that left the map though there are no prisoners for them to guard.

    Each takes at least one along. British personnel that is captured counts, prisoners who were
    kept off the map, and vehicles that are lost: their crews may have been taken.
    """
    left = [
        after.was.id
        for after in desks[AXIS].after.values()
        if after.fate == EXITED and after.was.kind in INFANTRY and not after.carrier
    ]
    taken = sum(_is_taken(after, left) for after in desks[ALLIED].after.values())
    if len(left) > taken:
        told = {
            AXIS: f"Guards that left the map: {len(left)}",
            ALLIED: f"units that can be their prisoners: {taken or 'none'}",
        }
        about = "prisoners taken off the map (ABtF CG11)"
        yield Contradiction(about, told, tuple(left[taken:]))


def _is_taken(after: After, guards: Collection[str]) -> bool:
    if is_vehicle(after.was):
        return after.fate in (CAPTURED, ELIMINATED)
    if after.was.kind not in INFANTRY:
        return False
    kept = after.fate == OFF_MAP and after.has(Mark.PRISONER) and after.holder in guards
    return kept or after.fate == CAPTURED


@implements("ABtF CG11")
def exit_areas(cg: Hasl, side: str, at: str) -> tuple[str, ...]:
    """Return the Entry Areas in which Guards may be Retained that left the map by a hex.

    Only German Guards with their prisoners may go: by the north, east or west edge, to an Entry
    Area of theirs there, or by R23. Nobody else can go, and nobody can go elsewhere.
    """
    if side != AXIS:
        return ()
    if at == GRAEBNER:
        return tuple(name for name in cg.arrows(side) if name == GRAEBNER)
    edges = {edge for edge in GUARDS_LEAVE if at in cg.map.edge(edge)}
    return tuple(name for name in cg.arrows(side) if edges & entry_area(cg.map, name).edges)
