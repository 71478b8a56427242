"""Night scenarios, and what a side's ELR is in a scenario (CG4, CG5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.state import ATTACK
from laager.rules.board.units import Mark, Unit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

NIGHT_ELR = -1
"""What is added to the Scenario Defender's ELR at night."""

BEST_LEADERS = 2
"""Number of leaders of the Idle side with Freedom of Movement at night."""


@implements("ER CG5c")
def attackers(cg: Er) -> tuple[str, ...]:
    """Return the Scenario Attackers: the sides that chose Attack."""
    chits = cg.state.scenario.chits
    return tuple(side for side in SIDES if chits.get(side) == ATTACK)


@implements("ER CG5")
def defender(cg: Er) -> str:
    """Return the Scenario Defender: the side that chose Idle while the other attacks.

    "" in a Dual Attack, and before the chits are known.
    """
    sides = attackers(cg)
    if len(sides) != 1:
        return ""
    return next(side for side in SIDES if side not in sides)


@implements("ER CG4")
def elr_in_force(cg: Er, side: str) -> int:
    """Return a side's ELR in the present scenario: as printed, the Defender's one less at night."""
    elr: int = cg.state.side(side).elr
    if cg.date.night and side == defender(cg):
        return max(0, elr + NIGHT_ELR)
    return elr


@implements("ER CG5d")
def is_held_back(cg: Er, side: str) -> bool:
    """True if a side's off-map units must be released before they enter: the Defender's at night."""
    return cg.date.night and side == defender(cg) and side not in cg.state.released_now()


@implements("ER CG5d")
def releases_reinforcements(final: int, turn: int) -> bool:
    """True if a dr of a RPh releases them: it is less than the number of the Game Turn."""
    return final < turn


@implements("ER CG5b")
def free_leaders(cg: Er, side: str) -> Sequence[Unit]:
    """Return the two best leaders of the Defender outside Reserve, the best first."""
    if not cg.date.night or side != defender(cg):
        return ()
    leaders = [
        unit for unit in cg.state.units_of(side, "leader") if not cg.is_reserve(unit) and not unit.has(Mark.PRISONER)
    ]
    return sorted(leaders, key=_rank_leader)[:BEST_LEADERS]


def _rank_leader(unit: Unit) -> tuple[int, int]:
    """Return the key that sorts leaders from the best on: leadership DRM, then morale."""
    morale, sign, drm = unit.type.replace("+", "|+").replace("-", "|-").partition("|")
    return (int(drm) if sign else 0, -int(morale)) if morale.isdigit() else (99, 0)
