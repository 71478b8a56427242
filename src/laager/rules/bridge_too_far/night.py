"""Night scenarios: roles, Cloaking, and reinforcements that are held back (CG24)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from laager.campaign import implements
from laager.rules.board.card.parts import AXIS, SIDES
from laager.rules.board.hasl.areas import INITIAL_AREA
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.board.places import hex_of
from laager.rules.board.units import Mark, Unit

if TYPE_CHECKING:
    from laager.rules.board.setup.placements import SetupPlace
    from laager.rules.bridge_too_far.context import Abtf

SQUAD_EQUIVALENTS: Mapping[str, Fraction] = {"squad": Fraction(1), "half-squad": Fraction(1, 2), "crew": Fraction(1, 2)}


@implements("ABtF CG24", "ABtF CG24b", "ABtF 9.2 CG Night Scenario")
def night_role(cg: Hasl, side: str) -> str:
    """Return a side's role at night: "attacker", "defender", or "" by day or before the chits."""
    chit = cg.state.scenario.chits.get(side)
    if not cg.date.night or chit is None:
        return ""
    return {ATTACK: "attacker", IDLE: "defender"}[chit]


def attackers(cg: Hasl) -> tuple[str, ...]:
    """Return the Scenario Attackers of a night scenario; both sides can be."""
    return tuple(side for side in SIDES if night_role(cg, side) == "attacker")


@implements("ABtF CG24e")
def worth_by_area(units: Iterable[Unit], places: Mapping[str, str] | None = None) -> Mapping[str, Fraction]:
    """Return the squad-equivalents of units in each Setup or Entry Area, taken singly.

    `places` names the areas of units for which none is recorded, by their ids.
    """
    worth: dict[str, Fraction] = {}
    for unit in units:
        area = unit.area or (places or {}).get(unit.id, "")
        if unit.kind in SQUAD_EQUIVALENTS and not unit.has(Mark.PRISONER):
            worth[area] = worth.get(area, Fraction(0)) + SQUAD_EQUIVALENTS[unit.kind]
    return worth


@implements("ABtF CG24d")
def cloaking_areas(cg: Hasl, side: str, places: Mapping[str, str] | None = None) -> frozenset[str]:
    """Return the areas in which a side's units get Cloaking counters.

    They are those of a Scenario Attacker with at least one squad-equivalent in them. Units without a recorded area
    count where they are about to set up (`places`), or else together in "".
    """
    if night_role(cg, side) != "attacker":
        return frozenset()
    worth_of_areas = worth_by_area(cg.state.units_of(side), places)
    return frozenset(area for area, worth in worth_of_areas.items() if worth >= 1)


@implements("ABtF CG24d")
def setup_area_of(cg: Hasl, placement: SetupPlace) -> str:
    """Return the Setup or Entry Area of a unit that sets up; "" if it is in none.

    In an area that a card gives to a side without Blocks, each Block counts by itself.
    """
    if placement.entry or not placement.at:
        return placement.entry
    name = hex_of(placement.at)
    area = cg.state.area_at(name)
    if area is not None and area.side == placement.unit.side and area.name != INITIAL_AREA:
        return area.name
    return cg.map.blocks.block_at(name) or ""


def cloak_problem(cg: Hasl, unit: Unit, placed: Mapping[str, SetupPlace] | None = None) -> str:
    """Return why the setup in hand doesn't let a unit be Cloaked (CG24d); "" if it does."""
    if night_role(cg, unit.side) == "attacker":
        places = {name: setup_area_of(cg, placement) for name, placement in (placed or {}).items()}
        if (unit.area or places.get(unit.id, "")) in cloaking_areas(cg, unit.side, places):
            return ""
    return "Cloaking is for a Scenario Attacker, where he has a squad-equivalent or more (CG24d)"


def is_held_back(cg: Abtf) -> bool:
    """True if the off-map units of a German Scenario Defender can't enter yet (CG24f).

    The British are never held back.
    """
    return night_role(cg, AXIS) == "defender" and not cg.state.released


@implements("ABtF CG24f")
def releases_reinforcements(final: int, turn: int) -> bool:
    """True if a reinforcement dr of a Game Turn releases them: it is less than the turn."""
    return final < turn
