"""Fortifications as they are put on the map at setup: what follows, and who sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from laager.campaign import Fact
from laager.catalogue import load_fortifications
from laager.rules.board.changes import gone
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FortJoined, UnitHidden
from laager.rules.board.joining import next_fort_id
from laager.rules.board.places import hex_of
from laager.rules.board.setup.hiding import QUESTION_MARK, in_cover
from laager.rules.board.units import Fort, Place

DC_PLACES = frozenset({"pillbox", "trench"})
"""Fortifications in whose Location a DC may be set."""


def shown_in_open(cg: CardContext, kind: str, at: str) -> bool:
    """Whether the enemy sees a fortification because it can't hide there (A12.33).

    Entrenchments and roadblocks hide in Concealment Terrain only.
    """
    row = load_fortifications().get(kind)
    return row is not None and row.shown_in_open and not in_cover(cg, hex_of(at))


def takes_dc(cg: CardContext, side: str, at: str, new: Collection[str] = ()) -> bool:
    """Whether a DC can be set in a Location: a building, rubble, bridge, pillbox or trench.

    `new` are the kinds of fortifications that are placed in the hex now.
    """
    name = hex_of(at)
    there = cg.map.hex(name)
    if there.building is not None or there.has("bridge") or there.has("rubble"):
        return True
    if "rubble" in cg.state.ground.changes.get(name, ()):
        return True
    dug = {fort.kind for fort in cg.state.forts.values() if fort.hex == name and fort.side == side}
    return not DC_PLACES.isdisjoint(dug | set(new))


def dc_set(cg: CardContext, name: str, at: str) -> Iterator[Fact]:
    """The DC leaves its unit; an enemy who knew of it learns only that he sees it no more."""
    dc = cg.state.units[name]
    if dc.known:
        yield UnitHidden(unit=name, side=dc.side, why="out of sight at setup")
    yield from gone(cg, cg.state.units[name], Place.REMOVED, f"set in {at}")


def dummies_placed(cg: CardContext, side: str, at: str, count: int, size: str = "", what: str = "?") -> Fact:
    """Return the fact that Dummies are on the map: counters with nothing under them."""
    dummy = Fort(
        id=next_fort_id(cg, side),
        side=side,
        kind=QUESTION_MARK,
        size=size,
        count=count,
        at=at,
        firefight=cg.state.number,
    )
    return FortJoined(fort=dummy, why=f"{count} Dummy {what} in {at}", to=(side,))
