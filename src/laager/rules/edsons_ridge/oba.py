"""OBA modules: what directs them, Security Areas (CG12; GEO-10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import security_area_problems
from laager.rules.board.card.parts import ALLIED, other
from laager.rules.board.hasl.buying.offers import modules_of
from laager.rules.board.hasl.units import Group

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

RADIO, PHONE = "radio", "phone"


@implements("ER CG12", "ER CG12(1)")
def equipment(side: str) -> tuple[str, ...]:
    """Return what can direct a side's modules besides an Offboard Observer: phones are U.S."""
    return (RADIO, PHONE) if side == ALLIED else (RADIO,)


@implements("ER CG12", "ER CG20")
def module_after(module: Group) -> str:
    """Return why a module is gone after a scenario: used or not, it is Retained."""
    return ""


@implements("ER CG12(2)", "ER GEO-10")
def security_problems(cg: Er, way: Sequence[str]) -> tuple[Problem, ...]:
    """Return what is wrong with the Security Area of a U.S. phone, from it to the map edge."""
    areas = {f"Entry Area {arrow}": cg.entry_hexes(arrow) for arrow in cg.arrows(ALLIED)}
    return security_area_problems(cg.map, way, cg.state.friendly(other(ALLIED)), areas)


@implements("ER CG12(3)")
def registered_before(cg: Er, side: str) -> list[Group]:
    """Return the modules Retained from earlier scenarios with a Pre-Registered hex.

    The side can choose it again now; a Security Area is chosen at every setup.
    """
    return [module for module in modules_of(cg, side) if module.date < cg.state.number and module.pre_registered]
