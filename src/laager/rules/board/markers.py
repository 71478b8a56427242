"""What each marker of the record means: what puts it on, what ends it, what it becomes when units merge or split.

The one table of it. A step asks for the markers that end with it (`ended_by`), a rule by which two half-squads
Recombine for those of the squad (`merged`), a report for those that a new half takes along (`split_off`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from laager.campaign import implements
from laager.rules.board.units import HIDING, Mark, Unit


class MarkEnd(Enum):
    """When markers come off by themselves, whichever step of a rule system that is."""

    PLAY = auto()
    """The play of a battle is over (PL 3.15, HASL 11)."""
    RALLY = auto()
    """Broken units rally after a battle (PL 3.14, HASL 11)."""
    PHASE = auto()
    """The phase after a battle is over (PL 3.5)."""
    REDEPLOYMENT = auto()
    """The last redeployment before a battle is over (PL 2.5)."""
    NEXT_REFIT = auto()
    """The areas of the next Refit Phase are determined (HASL 5)."""


class MarkMerge(Enum):
    """When the squad of two half-squads has a marker."""

    EITHER = auto()
    """If either half has it."""
    BOTH = auto()
    """If both halves have it."""


@dataclass(frozen=True)
class MarkMeaning:
    """What puts a marker on, which events end it, if a merged squad has it and a new half takes it along.

    Without an event a rule's own step or a player's report ends it. `becomes`: what takes its place on the map when
    it ends.
    """

    put_on: str
    ends: frozenset[MarkEnd] = frozenset()
    merge: MarkMerge = MarkMerge.EITHER
    splits: bool = False
    becomes: Mark | None = None


def _play(put_on: str, *further: MarkEnd, becomes: Mark | None = None) -> MarkMeaning:
    return MarkMeaning(put_on, frozenset({MarkEnd.PLAY, *further}), becomes=becomes)


def _rally(put_on: str) -> MarkMeaning:
    return MarkMeaning(put_on, frozenset({MarkEnd.RALLY}))


def _lasts(put_on: str, *, merge: MarkMerge = MarkMerge.EITHER, splits: bool = False) -> MarkMeaning:
    return MarkMeaning(put_on, merge=merge, splits=splits)


MEANINGS: Mapping[Mark, MarkMeaning] = {
    # Personnel in play
    Mark.BROKEN: _rally("a failed MC (A10.4)"),
    Mark.DM: _rally("fire on a broken unit (A10.62)"),
    Mark.DISRUPTED: _rally("a broken unit that would break again (A19.12)"),
    Mark.PIN: _play("a passed MC, or fire (A7.8)"),
    Mark.TI: _play("work in a Location (A4.8)"),
    Mark.CX: _play("Double Time (A4.5)"),
    Mark.BERSERK: _play("Heat of Battle (A15.4)"),
    Mark.TANK_HUNTER: _play("a PTO SSR (G1.42)"),
    Mark.CLIMBING: _lasts("Climbing or Scaling (B11.4)"),
    Mark.MELEE: _lasts("CC that leaves both sides in a Location (A11.15)"),
    Mark.ENCIRCLED: _lasts("fire from all around (A7.7)"),
    Mark.WOUNDED: _lasts("a Wound (A17)"),
    Mark.HEROIC: _lasts("Heat of Battle (A15.2)", merge=MarkMerge.BOTH),
    Mark.FANATIC: _lasts("Heat of Battle, hardening of Elite MMC, SSR (A10.8)", merge=MarkMerge.BOTH),
    Mark.PRISONER: _lasts("capture (A20)"),
    Mark.UNGUARDED: _lasts("a prisoner whose Guard is gone (A20.5)"),
    # What the enemy doesn't see
    Mark.CONCEALED: _lasts("setup, concealment gain", merge=MarkMerge.BOTH),
    Mark.HIP: _lasts("setup", merge=MarkMerge.BOTH),
    Mark.CLOAKED: _play("setup In Reserve or as attacker at night, a patrol (E1.4)", becomes=Mark.CONCEALED),
    # Vehicles and weapons in play
    Mark.MOTION: _play("a vehicle that doesn't stop (D2.4)"),
    Mark.BUTTONED_UP: _play("setup, its owner's choice (D5.2)"),
    Mark.CREW_EXPOSED: _play("setup, its owner's choice (D5.3)"),
    Mark.HULL_DOWN: _play("its place (D4.2)"),
    Mark.ACQUIRED: _play("fire at it (C6.5)"),
    Mark.STUN: _lasts("a Stun result (D5.34)"),
    Mark.SHOCK: _lasts("a Shock result (C7.42)"),
    Mark.UNKNOWN: _lasts("Shock that isn't over (C7.42)"),
    Mark.BOGGED: _lasts("a Bog DR (D8.2)"),
    Mark.MIRED: _lasts("a Bog DR (D8.3)"),
    Mark.IMMOBILIZED: _lasts("a hit, mines, mechanical failure"),
    Mark.MINEFIELD: _lasts("the minefield in which it stands"),
    Mark.RECALL: _lasts("loss of its armament or crew (D5.341)"),
    Mark.ABANDONED: _lasts("a crew that left (D5.4)"),
    Mark.WRECK: _lasts("its loss"),
    Mark.BURNING: _lasts("its loss"),
    Mark.BURNT_OUT: _lasts("its fire (PL 3.311)"),
    Mark.MALFUNCTIONED: _lasts("a breakdown (A9.7)"),
    Mark.DISABLED: _lasts("a failed repair (A9.72)"),
    Mark.LOW_AMMO: _lasts("its fire (D3.71)"),
    Mark.MA_MALFUNCTIONED: _lasts("a breakdown (D3.7)"),
    Mark.MA_DISABLED: _lasts("a failed repair (D3.7)"),
    Mark.DISMANTLED: _lasts("its owner's choice (A9.8)"),
    Mark.EMPLACED: _lasts("setup, redeployment by its crew (C11.2)"),
    Mark.HOOKED: _lasts("a vehicle that tows it (C10.1)"),
    Mark.LIMBERED: _lasts("setup (C10.2)"),
    Mark.FIXED: _lasts("setup in a pillbox or fortified building (PL CG3)"),
    Mark.WAS_REVEALED: _lasts("a hidden Gun that was seen (PL CG3)"),
    Mark.CAPTURED: _lasts("a weapon of the enemy in new hands (A21)"),
    # What the record keeps of a unit
    Mark.ENGINEERS: _lasts("its group", merge=MarkMerge.BOTH, splits=True),
    Mark.STEALTHY: _lasts("its group (A11.17)", merge=MarkMerge.BOTH, splits=True),
    Mark.LAX: _lasts("its group (A11.18)", splits=True),
    Mark.INEXPERIENCED: _lasts("its group (A19.3)"),
    Mark.WALKING_WOUNDED: _lasts("its return (ABtF 9.6102)", splits=True),
    Mark.RESERVE: _lasts("setup in Reserve (ER CG7a)", merge=MarkMerge.BOTH),
    Mark.ISOLATED: _lasts("a place outside all friendly areas", splits=True),
    Mark.AMMUNITION_SHORTAGE: _lasts("being Isolated (PL 3.211, ER CG11)", splits=True),
    Mark.HARDENED: MarkMeaning(
        "Battle Hardening (PL 3.44)", frozenset({MarkEnd.PHASE, MarkEnd.REDEPLOYMENT, MarkEnd.NEXT_REFIT})
    ),
    Mark.REDEPLOYED: MarkMeaning("redeployment (PL 3.211)", frozenset({MarkEnd.REDEPLOYMENT})),
    Mark.ESCAPED: MarkMeaning("Escape (HASL 13)", frozenset({MarkEnd.NEXT_REFIT})),
    Mark.SHIFTED: MarkMeaning("Shift (HASL 17)", frozenset({MarkEnd.NEXT_REFIT})),
}
"""The meaning of every marker. Rule systems add to what ends where their rules name more (Fanatic: PL 3.15d)."""


@cache
def marks_ended_by(*events: MarkEnd) -> frozenset[Mark]:
    """Return the markers that come off with any of these events."""
    return frozenset(mark for mark, meaning in MEANINGS.items() if not meaning.ends.isdisjoint(events))


def replacement_marks(unit: Unit, ending: Iterable[Mark]) -> frozenset[Mark]:
    """Return the markers that a unit on the map gets in the place of those that end."""
    followers = (MEANINGS[mark].becomes for mark in unit.marks.intersection(ending))
    return frozenset(mark for mark in followers if mark is not None and unit.on_map)


@implements("PL 3.42", "HASL 15")
def merge_marks(first: Unit, second: Unit) -> frozenset[Mark]:
    """Return the markers of the squad that two half-squads become, whichever of them it stands in for.

    If both are out of the enemy's sight in different ways, it is under a "?".
    """
    both = first.marks & second.marks
    marks = {
        mark for mark in first.marks ^ second.marks if MEANINGS[mark].merge is MarkMerge.EITHER and mark not in HIDING
    }
    if first.has(*HIDING) and second.has(*HIDING) and both.isdisjoint(HIDING):
        marks.add(Mark.CONCEALED)
    return both | marks


def marks_of_new_half(unit: Unit) -> frozenset[Mark]:
    """Return the markers that a new half of a unit takes along by itself; the rest players report."""
    return frozenset(mark for mark in unit.marks if MEANINGS[mark].splits)
