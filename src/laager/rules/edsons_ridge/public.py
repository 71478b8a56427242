"""What both sides know of each other's means: who could have something is asked about it.

Such a side is asked whether it has any or not: being asked must not tell.
"""

from __future__ import annotations

from laager.rules.board.hasl.charts import WITH_UNITS, Kind
from laager.rules.edsons_ridge.context import Er


def may_buy(cg: Er, side: str, *kinds: str) -> bool:
    """Whether a side may buy fortifications of these kinds, by the chart that all can read."""
    prices = cg.charts.fortifications
    if prices is None:
        return True
    return any(p.kind in kinds and (not p.sides or side in p.sides) for p in prices)


def may_have_modules(cg: Er, side: str) -> bool:
    """Whether a side may have OBA modules: what is bought or given is on its chart."""
    lines = cg.side_charts(side).rg
    return lines is None or any(line.kind is Kind.OBA for line in lines)


def may_reserve(cg: Er, side: str) -> bool:
    """Whether a side may buy groups in Reserve (CG7)."""
    lines = cg.side_charts(side).rg
    return lines is None or any(line.on_map and line.kind in WITH_UNITS for line in lines)
