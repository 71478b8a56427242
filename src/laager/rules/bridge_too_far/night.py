"""Night scenarios: who attacks, who is Cloaked, who is held back (CG24)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from laager.campaign.clauses import implements
from laager.rules.common.card import AXIS, SIDES
from laager.rules.common.units import Mark, Unit
from laager.rules.historical.context import Hasl
from laager.rules.historical.state import ATTACK, IDLE

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

HALF = Fraction(1, 2)

SQUADS: Mapping[str, Fraction] = {"squad": Fraction(1), "half-squad": HALF, "crew": HALF}


@implements("ABtF CG24", "ABtF CG24b", "ABtF 9.2 CG Night Scenario")
def role(cg: Hasl, side: str) -> str:
    """Return a side's role at night: "attacker", "defender", or "" by day or before the chits."""
    chit = cg.state.scenario.chits.get(side)
    if not cg.date.night or chit is None:
        return ""
    return {ATTACK: "attacker", IDLE: "defender"}[chit]


def attackers(cg: Hasl) -> tuple[str, ...]:
    """Return the Scenario Attackers of a night scenario; both sides may be."""
    return tuple(side for side in SIDES if role(cg, side) == "attacker")


@implements("ABtF CG24e")
def by_area(units: Iterable[Unit]) -> Mapping[str, Fraction]:
    """Return the squad-equivalents of units in each Setup or Entry Area, taken singly."""
    found: dict[str, Fraction] = {}
    for unit in units:
        if unit.kind in SQUADS and not unit.has(Mark.PRISONER):
            found[unit.area] = found.get(unit.area, Fraction(0)) + SQUADS[unit.kind]
    return found


@implements("ABtF CG24d")
def cloaking_areas(cg: Hasl, side: str) -> frozenset[str]:
    """Return the areas in which a side's units get Cloaking counters.

    Those of a Scenario Attacker with one squad-equivalent or more in them. Units for which no area
    is recorded yet ("") are taken together.
    """
    if role(cg, side) != "attacker":
        return frozenset()
    held = by_area(cg.state.units_of(side))
    return frozenset(area for area, worth in held.items() if worth >= 1)


def cloak_problem(cg: Hasl, unit: Unit) -> str:
    """Return why a unit may not be Cloaked; "" if it may."""
    if unit.area in cloaking_areas(cg, unit.side):
        return ""
    return "Cloaking is for a Scenario Attacker, where he has a squad-equivalent or more (CG24d)"


def held_back(cg: Abtf) -> bool:
    """Whether the off-map units of a German Scenario Defender may not enter yet (CG24f).

    The British are never held back.
    """
    return role(cg, AXIS) == "defender" and not cg.state.released


@implements("ABtF CG24f")
def released_by(final: int, turn: int) -> bool:
    """Whether a reinforcement dr of a Game Turn releases them: it is less than the turn."""
    return final < turn
