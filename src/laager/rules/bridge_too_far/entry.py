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
    from laager.rules.board.report.outcome import UnitAfter
    from laager.rules.board.report.side_report import SideReport

BRITISH_ARROWS = ("A6", "A18")
"""The red arrows."""

GERMAN_ARROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"H": ("A5", "A17"), "K": ("F0", "M1", "V0", "GG1"), "B": ("JJ4", "JJ15", "JJ20"), "G": ("R23",)}
)
"""The arrows of each KG: grey, grey and black, black, and the one hex of KG Graebner."""

GRAEBNER_ARROW = "R23"

GUARD_EXIT_EDGES = ("north", "east", "west")
"""The map edges by which Guards with their prisoners can go, besides R23."""


@implements("ABtF CG9 British", "ABtF CG9 German")
def printed_arrows(map_: HexMap, side: str, kg: str = "") -> tuple[str, ...]:
    """Return the printed arrows of the British or of a KG that a map has, for cards that name none."""
    hexes = {arrow.hex for arrow in map_.entry_arrows}
    printed = BRITISH_ARROWS if side == ALLIED else GERMAN_ARROWS.get(kg[:1], ())
    return tuple(name for name in printed if name in hexes)


@implements("ABtF 9.2 Entry Area")
def entry_doubts(map_: HexMap) -> Iterator[Problem]:
    """Yield a doubt if a map gives KG Graebner more than its one hex to enter by."""
    for arrow in map_.entry_arrows:
        if arrow.hex == GRAEBNER_ARROW and not arrow.single:
            count = len(entry_area(map_, arrow).hexes)
            yield Problem(
                f"the Entry Area {GRAEBNER_ARROW} of KG Graebner has {count} hexes",
                f"single: true makes it {GRAEBNER_ARROW} alone",
                "entry_areas",
            )


@implements("ABtF CG9")
def must_enter(unit: Unit) -> bool:
    """True if a unit off the map has to enter in this scenario."""
    return unit.place is Place.OFF_MAP


@implements("ABtF CG11")
def exits_without_prisoners(reports: Mapping[str, SideReport]) -> Iterator[Contradiction]:
    """Yield the Germans that left the map though there are no prisoners for them to guard.

    Each takes at least one along. Captured British personnel count, prisoners who were kept off the map, and lost
    vehicles, whose crews may have been captured.
    """
    guards = [
        after.was.id
        for after in reports[AXIS].after.values()
        if after.fate == EXITED and after.was.kind in INFANTRY and not after.carrier
    ]
    prisoners = sum(_is_taken(after, guards) for after in reports[ALLIED].after.values())
    if len(guards) > prisoners:
        claims = {
            AXIS: f"Guards that left the map: {len(guards)}",
            ALLIED: f"units that can be their prisoners: {prisoners or 'none'}",
        }
        yield Contradiction("prisoners taken off the map (ABtF CG11)", claims, tuple(guards[prisoners:]))


def _is_taken(after: UnitAfter, guards: Collection[str]) -> bool:
    if is_vehicle(after.was):
        return after.fate in (CAPTURED, ELIMINATED)
    if after.was.kind not in INFANTRY:
        return False
    is_led_along = after.fate == OFF_MAP and after.has(Mark.PRISONER) and after.holder in guards
    return is_led_along or after.fate == CAPTURED


@implements("ABtF CG11")
def exit_areas(cg: Hasl, side: str, at: str) -> tuple[str, ...]:
    """Return the Entry Areas in which Guards that left the map by a hex may be Retained.

    Only German Guards with their prisoners may leave: by the north, east or west edge, to an Entry Area of theirs
    there, or by R23.
    """
    if side != AXIS:
        return ()
    if at == GRAEBNER_ARROW:
        return tuple(name for name in cg.arrows(side) if name == GRAEBNER_ARROW)
    edges = {edge for edge in GUARD_EXIT_EDGES if at in cg.map.edge(edge)}
    return tuple(name for name in cg.arrows(side) if edges & entry_area(cg.map, name).edges)
