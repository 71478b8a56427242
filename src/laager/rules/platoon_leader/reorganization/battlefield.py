"""The Battlefield Phase (PL 3.5): SAN, and the end of the Reorganization Phase."""

from __future__ import annotations

from laager.campaign import Procedure, implements, step
from laager.rules.board.facts import SanChanged, UnitMarked
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FirefightCompleted, RoundBegun
from laager.rules.platoon_leader.reorganization.clearance import fortification_clearance
from laager.rules.platoon_leader.state import Round

__all__ = ["closing_reorganization", "fortification_clearance", "san_adjustment"]


@implements("PL 3.51")
def adjusted_san(san: int) -> int:
    """Return a SAN brought between 2 and 4."""
    return min(charts().limit("san-highest"), max(charts().limit("san-lowest"), san))


@step("PL 3.51", "SAN adjustment", each_side=True, also=("PL 3.5",))
def san_adjustment(cg: Cg, side: str) -> Procedure[None]:
    """Bring each side's SAN between 2 and 4, before anything is bought."""
    san = cg.state.side(side).san
    by = adjusted_san(san) - san
    if by:
        yield SanChanged(side=side, by=by, why=f"SAN {san} becomes {san + by}")


@step("PL 3.5 return", "End of the Reorganization Phase", also=("PL 1.4 CG Firefight End", "PL 1.4 CG Firefight"))
def closing_reorganization(cg: Cg) -> Procedure[None]:
    """Complete the firefight and go to 2.1 of the next one."""
    for unit in list(cg.state.units.values()):
        if unit.has(Mark.HARDENED):
            marks = frozenset({Mark.HARDENED})
            yield UnitMarked(unit=unit.id, remove=marks, why="the RePh is over", to=unit.audience)
    number = cg.state.fight.number
    yield FirefightCompleted(why=f"firefight {number} and its RePh are over")
    yield RoundBegun(round=Round.NEW, firefight=number + 1)
