"""The SW of a side, and what comes with its reinforcements (DYO H1.83, H1.84)."""

from __future__ import annotations

from laager.campaign import Procedure, step
from laager.catalogue.dyo import SwLine
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.equivalency import counts_of, engineer_equivalents, equivalency
from laager.rules.design_your_own.facts import SwAllotted
from laager.rules.design_your_own.lines import part_of, rule_lines
from laager.rules.design_your_own.ob import SwEntry
from laager.rules.design_your_own.pieces import plain
from laager.rules.design_your_own.reckoning import Reckoning
from laager.rules.design_your_own.sw import sw_allotment

ENGINEERS = "assault-engineers"


@step("DYO H1.83", "SW", each_side=True)
def support_weapons(cg: Cg, side: str) -> Procedure[None]:
    """The chart gives SW for Equivalents; FT and DC for those of Assault Engineers."""
    found, reasons = [], []
    for chart in cg.nation(side).sw_chart(cg.month):
        number = allotted_to(cg, side, chart)
        if number is None or not number.value:
            continue
        found.append(SwEntry(type=chart.type, number=number.value))
        reasons.append(f"{chart.type}: {number.why}")
    why = "; ".join(reasons) or "no squads enough for any"
    yield SwAllotted(side=side, sw=tuple(found), why=why, to=(side,))


def allotted_to(cg: Cg, side: str, chart: SwLine) -> Reckoning | None:
    """Return how many SW of a column a side gets for the squads of the nation that has it."""
    nation = cg.nation(side)
    entries = part_of(nation, nation.ally(chart.type), cg.ob(side).infantry)
    lines = rule_lines(nation, cg.month, entries)
    if chart.per == ENGINEERS:
        return allotted(cg, chart, engineer_equivalents(lines, chosen=cg.chosen).total)
    return allotted(cg, chart, equivalency(counts_of(lines), chosen=cg.chosen).total)


def allotted(cg: Cg, chart: SwLine, equivalents: int) -> Reckoning | None:
    """Return how many SW of a column a side gets; None if nobody knows the ratio."""
    found = sw_allotment(
        equivalents,
        plain(chart.ratio),
        plain(chart.counters),
        name=chart.type,
        extra_pieces=cg.terms.agreements.extra_pieces,
        chosen=cg.chosen,
    )
    return found if isinstance(found, Reckoning) else None
