"""What is written on the Purchase Roster, letter for letter, and who sees it (H1.21, H1.1)."""

from __future__ import annotations

from laager.campaign import implements
from laager.rules.design_your_own.artillery import Contact
from laager.rules.design_your_own.counters import squad_counters
from laager.rules.design_your_own.infantry import Capability, InfantryLine, Origin

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DASH = "-"
SECOND, BONUS = "2", "B"


def letter(place: int) -> str:
    """Return the ID letter of a counter, from 0; those of a second game are AA, BB and so on."""
    games, rest = divmod(place, squad_counters())
    return LETTERS[rest] * (games + 1)


@implements("DYO H1.21")
def id_letters(first: int, number: int) -> str:
    """Return the ID letters of so many counters, the first of them counted from 0: `A-D`."""
    if number < 1:
        return ""
    if number == 1:
        return letter(first)
    return f"{letter(first)}-{letter(first + number - 1)}"


@implements("DYO H1.21")
def needs_ids(line: InfantryLine, others: tuple[InfantryLine, ...]) -> bool:
    """Whether a line needs ID letters: it has marks and others of its type have other ones."""
    alike = [other for other in others if other is not line and other.type == line.type]
    marks = line.capabilities
    return bool(marks) and any(other.capabilities != marks for other in alike)


@implements("DYO H1-ROSTER", "DYO H1.21", "DYO H1.7", "DYO H1.73")
def ab_marks(line: InfantryLine) -> str:
    """Return the A/B column of a line: its capabilities, then where it comes from."""
    marks = [capability.mark for capability in Capability if capability in line.capabilities]
    origin = {Origin.SECOND: SECOND, Origin.BONUS: BONUS}.get(line.origin)
    return " ".join([*marks, *([origin] if origin else [])])


@implements("DYO H1.51")
def oba_size(size: str, kind: str) -> str:
    """Return the Size column of a battery: `80+M`, R for rockets, nothing added for guns."""
    return f"{size}{kind}" if kind in ("M", "R") else size


@implements("DYO H1.51")
def contact_mark(contact: Contact, letter_: str) -> str:
    """Return the R/P:ID column: `R:A` for a radio, `P:B` for a field phone, `OP` for a tank."""
    if contact is Contact.OP_TANK:
        return "OP"
    return f"{'R' if contact is Contact.RADIO else 'P'}:{letter_}"


@implements("DYO H1.53")
def ammunition_mark(*, plentiful: bool) -> str:
    """Return the P/S column: `P` for plentiful ammunition."""
    return "P" if plentiful else ""


PUBLIC = ("month", "year", "allotments", "boards", "Victory Conditions")
"""What is agreed before anything is bought, and known to all."""

SEALED = ("Roster", "MPV", "DR results", "bonus number")
"""What nobody is shown while purchases are secret, until both agree to open them."""


@implements("DYO H1.1", "DYO H1.71")
def visible(*, secret: bool, announcing: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a step shows to both sides, and what it keeps from the opponent."""
    shown = ("announced ELR",) if announcing else PUBLIC
    return (shown, SEALED) if secret and announcing else (shown, ())
