"""Units made by hand for tests."""

from __future__ import annotations

from typing import Any

from laager.rules.board.facts import UnitJoined
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.state import PlState


def unit(
    state: PlState, side: str, type_: str, kind: str, at: str | None = None, *marks: Mark, **more: Any
) -> tuple[PlState, Unit]:
    """Return the state with one more unit, and the unit."""
    number = state.side(side).next_unit
    made = Unit(
        id=f"{side[:2].upper()}{number}",
        side=side,
        nation={"axis": "german", "allied": "russian"}[side],
        type=type_,
        kind=kind,
        at=at,
        place=Place.MAP if at else Place.OFF_MAP,
        marks=frozenset(marks),
        **more,
    )
    return UnitJoined(unit=made).apply(state), made
