"""Units and fortifications as counters: the face of each type by the catalogue, and what its markers show."""

from __future__ import annotations

from laager.base import RefusedError
from laager.catalogue import UnitType
from laager.hexmap.draw.counters import STATES, Face
from laager.rules.board.context import CardContext
from laager.rules.board.units import Mark, Place, Unit

HIDDEN_FROM_SIGHT = frozenset({Mark.REDEPLOYED, Mark.HARDENED})
"""Markers of the record sheets alone, which no counter on the map shows."""


def type_face(type_: UnitType, text: str = "") -> Face:
    """Return the face of a type of the catalogue."""
    kind, name, *more = type_.looks
    return Face.of(kind, text or name, *more)


def face_of(cg: CardContext, unit: Unit) -> Face:
    """Return the face of a unit; of a type that the catalogue doesn't have, by its kind."""
    try:
        type_ = cg.nation_of(unit).unit(unit.type)
    except RefusedError:
        return Face.of(unit.kind, unit.type)
    face = type_face(type_, unit.type)
    # A leader may be an armor leader or commissar in this campaign only.
    return face if face.kind == unit.kind else Face.of(unit.kind, unit.type)


def states_of(unit: Unit, *, on_map: bool = False) -> tuple[str, ...]:
    """Return what a unit's markers show on its counter, in a stable order; `on_map`: without those of the sheets."""
    marks = unit.marks - HIDDEN_FROM_SIGHT if on_map else unit.marks
    return tuple(mark.value for mark in Mark if mark in marks and mark.value in STATES)


def is_wreck(unit: Unit) -> bool:
    """True if a lost vehicle still stands on the map as a wreck."""
    return unit.place is Place.ELIMINATED and unit.has(Mark.WRECK) and unit.at is not None
