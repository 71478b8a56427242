"""What the counters of a save tell of a unit's state, in the words of a battle report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from laager.rules.board.changes import VEHICLES
from laager.rules.board.report.marks import FITS, LASTING
from laager.rules.board.units import HIDING, Mark, Unit
from laager.vasl.counters import Kind, markers
from laager.vasl.game import Piece

STATUS: Mapping[str, Mark] = {
    "broken": Mark.BROKEN,
    "DM": Mark.DM,
    "disrupted": Mark.DISRUPTED,
    "pinned": Mark.PIN,
    "TI": Mark.TI,
    "CX": Mark.CX,
    "berserk": Mark.BERSERK,
    "fanatic": Mark.FANATIC,
    "wounded": Mark.WOUNDED,
    "heroic": Mark.HEROIC,
    "encircled": Mark.ENCIRCLED,
    "prisoner": Mark.PRISONER,
    "melee": Mark.MELEE,
    "malfunctioned": Mark.MALFUNCTIONED,
    "low ammo": Mark.LOW_AMMO,
    "dismantled": Mark.DISMANTLED,
    "motion": Mark.MOTION,
    "buttoned up": Mark.BUTTONED_UP,
    "crew exposed": Mark.CREW_EXPOSED,
    "hull down": Mark.HULL_DOWN,
    "stunned": Mark.STUN,
    "shock": Mark.SHOCK,
    "unconfirmed kill": Mark.UNKNOWN,
    "bogged": Mark.BOGGED,
    "mired": Mark.MIRED,
    "immobilised": Mark.IMMOBILIZED,
    "abandoned": Mark.ABANDONED,
    "recall": Mark.RECALL,
}
"""What a report asks for of what VASL shows."""

STAYS = frozenset({Mark.FANATIC, Mark.WOUNDED, Mark.HEROIC, Mark.TANK_HUNTER, Mark.INEXPERIENCED})
"""Never lost in play: kept if the record has it and the save shows no counter."""

MENDS = frozenset(
    {
        Mark.MALFUNCTIONED,
        Mark.DISABLED,
        Mark.LOW_AMMO,
        Mark.IMMOBILIZED,
        Mark.ABANDONED,
        Mark.MA_MALFUNCTIONED,
        Mark.MA_DISABLED,
    }
)
"""It is asked whether these are gone if the record has them and the save shows no counter."""

_MAIN_ARMAMENT = frozenset({"MA Malf", "Gun Malf"})


@dataclass(frozen=True)
class State:
    """A unit's markers by the save.

    `perhaps` may be about it or about a unit above it; `kept` are the record's, which the save does
    not show; `asked` are the record's of which it must be asked; `left_out` is what the report
    does not ask for.
    """

    marks: frozenset[Mark]
    perhaps: tuple[Mark, ...] = ()
    kept: frozenset[Mark] = frozenset()
    asked: tuple[Mark, ...] = ()
    left_out: tuple[str, ...] = ()

    def words(self, *more: Mark) -> list[str]:
        """Return the markers as a row of a report has them."""
        all_ = {*self.marks, *self.kept, *more}
        return [mark.value for mark in Mark if mark in all_ - LASTING]


def state_of(piece: Piece, kind: str, unit: Unit | None, stack: Sequence[Piece]) -> State:
    """Return the state of a piece that is a unit of this kind (`unit`, if it is on the record)."""
    told, left_out = _told(piece.status, kind)
    told |= _concealment(piece, stack)
    if Mark.DISRUPTED in told or Mark.DM in told:
        told |= {Mark.BROKEN}
    if Mark.MALFUNCTIONED in told and kind in VEHICLES:
        told = told - {Mark.MALFUNCTIONED} | _armament(piece, stack)
    maybe, _ = _told(piece.perhaps, kind)
    if Mark.MELEE in maybe:
        # Whoever is in the Location of a Melee is in it (A11.15).
        told |= {Mark.MELEE}
    if Mark.MELEE in told:
        told -= HIDING
    recorded = unit.marks if unit is not None else frozenset[Mark]()
    kept = frozenset(recorded & STAYS - told)
    asked = recorded & MENDS - told
    if Mark.PRISONER in recorded and Mark.PRISONER not in told:
        asked |= {Mark.PRISONER}
    return State(
        marks=frozenset(told),
        perhaps=tuple(mark for mark in Mark if mark in maybe - told - kept),
        kept=kept,
        asked=tuple(mark for mark in Mark if mark in asked),
        left_out=left_out,
    )


def _told(words: Iterable[str], kind: str) -> tuple[frozenset[Mark], tuple[str, ...]]:
    """Return the markers that fit a kind of unit, and the words that are left out."""
    found: set[Mark] = set()
    rest: list[str] = []
    for word in words:
        mark = STATUS.get(word)
        if mark is not None and kind in FITS[mark]:
            found.add(mark)
        else:
            rest.append(word)
    return frozenset(found), tuple(rest)


def _concealment(piece: Piece, stack: Sequence[Piece]) -> frozenset[Mark]:
    if piece.hidden_by is not None:
        return frozenset({Mark.HIP})
    above = [other.kind for other in stack if (other.order or 0) > (piece.order or 0)]
    if Kind.CLOAK in above:
        return frozenset({Mark.CLOAKED})
    if piece.concealed_by is not None or Kind.CONCEALMENT in above:
        return frozenset({Mark.CONCEALED})
    return frozenset()


def _armament(piece: Piece, stack: Sequence[Piece]) -> frozenset[Mark]:
    """Return what the counters on a vehicle say to be out of order: its MA, other weapons, both."""
    order = piece.order or 0
    above = [one.unit for one in stack if (one.order or 0) > order]
    malfunctioned = [name for name in above if markers().get(name) == "malfunctioned"]
    found = {Mark.MA_MALFUNCTIONED if name in _MAIN_ARMAMENT else Mark.MALFUNCTIONED for name in malfunctioned}
    return frozenset(found or {Mark.MALFUNCTIONED})
