"""The rows of a setup answer, and where units and fortifications go by them (`SetupPlace`, `Site`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Required, TypedDict

from laager.rules.board.context import CardContext
from laager.rules.board.places import room_of
from laager.rules.board.setup.hiding import HIDES, NONE
from laager.rules.board.state import evolve
from laager.rules.board.units import Fort, Mark, Unit

STATES: Mapping[str, Mark] = {
    "hooked": Mark.HOOKED,
    "limbered": Mark.LIMBERED,
    "dm": Mark.DISMANTLED,
    "bu": Mark.BUTTONED_UP,
    "ce": Mark.CREW_EXPOSED,
    "abandoned": Mark.ABANDONED,
}
"""How a Gun, SW or vehicle can set up, and the marker for it."""

Reason = tuple[str, str]
"""What is wrong, and what would be right."""

SetupUnitRow = TypedDict(
    "SetupUnitRow",
    {
        "unit": Required[str],
        "at": Required[str],
        "entry": str,
        "hide": Required[str],
        "with": Required[str],
        "state": Sequence[str],
    },
    total=False,
)
"""A row of the answer for a unit; `entry` and `state` only where the rules have them."""


class SetupFortRow(TypedDict, total=False):
    """A row of the answer for a fortification; `cloaking` only where Reserves have Dummies."""

    fort: Required[str]
    at: Required[str]
    hexside: Required[str]
    count: Required[int]
    show: Required[bool]
    cloaking: bool
    dc: Required[str]


class SetupAnswer(TypedDict, total=False):
    """An answer to the setup question; what a side has nothing for is left out."""

    units: Sequence[SetupUnitRow]
    forts: Sequence[SetupFortRow]


@dataclass(frozen=True)
class SetupPlace:
    """Where a unit sets up.

    `at` is a Location, `entry` the arrow hex of the Entry Area by which it comes; with neither it
    stays off the map. `hide` says how it sets up (none, concealed, hip, cloaked), `holder` who
    possesses or carries it, `marks` the state it is in. `text` is the Location as written.
    """

    unit: Unit
    at: str = ""
    entry: str = ""
    hide: str = NONE
    holder: str = ""
    marks: frozenset[Mark] = frozenset()
    text: str = ""

    @property
    def somewhere(self) -> bool:
        """True if it takes part in the battle, on the map or entering."""
        return bool(self.at or self.entry)


@dataclass(frozen=True)
class Site:
    """A fortification and where it goes; `kind` is what stands there then, of an upgrade what it makes."""

    fort: Fort
    kind: str
    at: str
    text: str
    hexside: str
    count: int
    show: bool
    dc: str
    cloaking: bool = False

    @property
    def room(self) -> str:
        """The Location that it is: of a pillbox or cave, the room inside."""
        return room_of(self.kind, self.at) if self.at else ""


def without_own_place(placement: SetupPlace) -> SetupPlace:
    """Return a proposal that leaves to the holder where a unit with somebody goes."""
    return evolve(placement, at="", entry="") if placement.holder else placement


def carrier_of(cg: CardContext, placement: SetupPlace) -> Unit | None:
    """Return the unit of the same side that has another one; None if there is none.

    An enemy unit counts as none, so that the answer says nothing of it.
    """
    carrier = cg.state.units.get(placement.holder)
    return carrier if carrier is not None and carrier.side == placement.unit.side else None


def hiding_of(unit: Unit) -> str:
    """Return the way in which a unit hides now."""
    return next((way for way, mark in HIDES.items() if mark in unit.marks), NONE)


def states_of(marks: Iterable[Mark]) -> list[str]:
    """Return the names of the states among markers."""
    held = frozenset(marks)
    return [name for name, mark in STATES.items() if mark in held]
