"""Isolated units: Ammunition Shortage as they set up, and its end after a scenario (1.52321)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Fact, Procedure, step
from laager.rules.board.changes import MMC, change_marks
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import is_isolated
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import yield_facts

ARMED = MMC | {"sw", "gun", "afv", "vehicle"}
"""Kinds of units and Equipment that need ammunition: leaders don't."""


@step("ER 1.52321", "Ammunition Shortage")
def shortage(cg: Hasl) -> Procedure[None]:
    """All units and Equipment set up in an Isolated Location have Ammunition Shortage."""
    for unit in list(cg.state.units.values()):
        if suffers_shortage(cg, unit):
            why = f"set up in the Isolated {unit.area or 'Location'} (A19.131)"
            yield from yield_facts(change_marks(unit, add=(Mark.AMMUNITION_SHORTAGE,), why=why))


def suffers_shortage(cg: Hasl, unit: Unit) -> bool:
    """True if a unit or piece of Equipment on the map is short of ammunition by Isolation."""
    return unit.on_map and unit.kind in ARMED and is_isolated(cg, unit)


@step("ER 1.523211", "End of Ammunition Shortage")
def shortage_over(cg: Hasl) -> Procedure[None]:
    """Units that end the scenario outside Isolated Locations are no longer short of ammunition."""
    yield from yield_facts(end_shortage(cg))


def end_shortage(cg: Hasl) -> Iterator[Fact]:
    """Yield the removal of the markers from units that aren't Isolated now."""
    for unit in list(cg.state.units.values()):
        if unit.in_play and unit.has(Mark.AMMUNITION_SHORTAGE) and not is_isolated(cg, unit):
            why = "ended the scenario in a Location that isn't Isolated"
            yield from change_marks(unit, remove=(Mark.AMMUNITION_SHORTAGE,), why=why)
