"""What personnel are worth: leadership, Inexperience, Stealth; by type, by marker, by a wound."""

from __future__ import annotations

from laager.catalogue import Grade, Kind, MmcType, Trait
from laager.rules.board.changes import LEADERS
from laager.rules.board.report.marks import NOT_GOOD_ORDER
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg


def wound(unit: Unit) -> int:
    """Return what a wound costs in leadership and morale (A17): 1, else 0."""
    return int(unit.has(Mark.WOUNDED))


def leadership(cg: Cg, leader: Unit) -> int:
    """Return the leadership DRM of a leader; a wound makes it worse by one (A17)."""
    return cg.nation_of(leader).leadership(leader.type, Kind(leader.kind)) + wound(leader)


def has_trait(cg: Cg, unit: Unit, trait: Trait, mark: Mark) -> bool:
    """True if a unit has a trait by its type or by a marker."""
    type_ = cg.nation_of(unit).unit(unit.type)
    return unit.has(mark) or (isinstance(type_, MmcType) and trait in type_.traits)


def is_stealthy(cg: Cg, unit: Unit) -> bool:
    """True if a unit is Stealthy (A11.17)."""
    return has_trait(cg, unit, Trait.STEALTHY, Mark.STEALTHY)


def is_lax(cg: Cg, unit: Unit) -> bool:
    """True if a unit is Lax (A11.18)."""
    return has_trait(cg, unit, Trait.LAX, Mark.LAX)


def is_inexperienced(cg: Cg, unit: Unit) -> bool:
    """True if a unit is Inexperienced (A19.3): by its type, as a marker records, or Green alone."""
    if has_trait(cg, unit, Trait.INEXPERIENCED, Mark.INEXPERIENCED):
        return True
    type_ = cg.nation_of(unit).unit(unit.type)
    return isinstance(type_, MmcType) and type_.grade is Grade.GREEN and not _is_led(cg, unit)


def _is_led(cg: Cg, unit: Unit) -> bool:
    """True if a Good Order leader is with a unit."""
    return any(
        (leader.place, leader.spot) == (unit.place, unit.spot)
        for leader in cg.state.units_of(unit.side, *LEADERS - {"armor-leader"})
        if not leader.has(*NOT_GOOD_ORDER)
    )
