"""The pieces of a save that Laager itself wrote: their numbers are marks, and tell what each of them is.

Marks hold through play: only what VASL makes anew (a Replaced unit, a deployed half-squad) has a number of its own.
A side knows the marks of its own units and works and of what both sides know, so no secret of the enemy's is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from laager.rules.board.context import CardContext
from laager.vasl.saves.game import Piece
from laager.vasl.saves.marks import Marks

_COUNTERS = 12
"""How many counters one work can be."""


@dataclass(frozen=True)
class Marked:
    """What pieces are, by their numbers: units of the reporting side, works, and fires (by hex), each by its id."""

    units: Mapping[str, str] = field(default_factory=dict)
    forts: Mapping[str, str] = field(default_factory=dict)
    fires: Mapping[str, str] = field(default_factory=dict)

    @property
    def ours(self) -> bool:
        """True if Laager wrote the setup that the save began with."""
        return bool(self.units)


def marked_in(pieces: Iterable[Piece], cg: CardContext, side: str, marks: Marks | None) -> Marked:
    """Return what the numbers of a save's pieces tell a side; nothing without marks."""
    if marks is None:
        return Marked()
    there = {piece.id for piece in pieces}
    works = [f"fort:{fort.id}:{number}" for fort in cg.state.forts.values() if fort.at for number in range(_COUNTERS)]
    ground = cg.state.ground
    fires = {marks.known(f"fire:{at}"): at for at in (*ground.flames, *ground.blazes)}
    return Marked(
        units=_among(there, marks.units(unit.id for unit in cg.state.units_of(side))),
        forts={mark: key.split(":")[1] for mark, key in _among(there, marks.units(works)).items()},
        fires=_among(there, fires),
    )


def _among(there: set[str], known: Mapping[str, str]) -> Mapping[str, str]:
    return {mark: name for mark, name in known.items() if mark in there}
