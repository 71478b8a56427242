"""Groups: strength, SW and leaders, and the chits that some commit a side to (1.519, CG15, CG18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED, AXIS
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.hasl.charts import HaslCharts, Kind, RgLine
from laager.rules.board.hasl.scenario.initiative import chit_limit, chits_used
from laager.rules.board.hasl.state import ATTACK, IDLE, Group, Strength
from laager.rules.edsons_ridge.steps.bombardment import BOMBARDMENT
from laager.rules.edsons_ridge.steps.fpf import FPF

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

DEPLETABLE = frozenset({Kind.INFANTRY, Kind.HEAVY_WEAPONS})
"""The types that can be Depleted."""

LEAST_WEAPONS = 2
"""Fewest SW of a HW group."""

LEADER_COLUMNS: Mapping[tuple[str, Kind], str] = {
    (AXIS, Kind.INFANTRY): "japanese",
    (ALLIED, Kind.INFANTRY): "american",
    (ALLIED, Kind.VEHICLE): "american-armor",
}
"""The column of the leader table of each type that has leaders; HW groups have none."""


@implements("ER 1.5191")
def rolls_strength(cg: Er, side: str, line: RgLine, given: bool) -> bool:
    """True if a group's strength is rolled for.

    That is so for I and HW groups that were bought. Of groups that the OB gives, it is so for the
    Japanese ones of the Initial Scenario, and by the reading for later ones.
    """
    if line.kind not in DEPLETABLE:
        return False
    if not given:
        return True
    return side == AXIS if cg.initial else cg.reading("given-strength") == "rolled"


@implements("ER 1.5193")
def leader_column(side: str, kind: Kind) -> str:
    """Return the column of the leader table for a group; "" if none rolls on it."""
    return LEADER_COLUMNS.get((side, kind), "")


@implements("ER 1.5193 DRM")
def leader_conditions(side: str, line: RgLine, group: Group) -> Mapping[str, int]:
    """Return which DRM of the leader table apply to a group, by its Group Type."""
    name = line.name.casefold()
    infantry = line.kind is Kind.INFANTRY
    return {
        "depleted": int(group.strength is Strength.DEPLETED),
        "japanese-engineer": int(side == AXIS and infantry and "engineer" in name),
        "raider": int(side == ALLIED and infantry and "raider" in name),
        "tank-section": int(side == ALLIED and line.kind is Kind.VEHICLE and "tank" in name),
    }


# What a chart can't say ------------------------------------------------------------------------


def weapons_when_depleted(line: RgLine) -> int:
    """Return the most SW that a Depleted group can get: one listed as (1) never comes."""
    return sum(sw.count for sw in line.sw if sw.need is None or sw.need > 1)


@implements("ER 1.5192", "ER 1.5193")
def chart_problems(charts: HaslCharts) -> Iterator[Problem]:
    """Yield what is wrong with RG charts by the rules: HW groups without SW or with leaders."""
    for side, side_charts in charts.sides.items():
        for number, line in enumerate(side_charts.rg or (), 1):
            where = f"sides.{side}.rg[{number}]"
            possible = weapons_when_depleted(line)
            if line.kind is Kind.HEAVY_WEAPONS and possible < LEAST_WEAPONS:
                right = f"a HW group must end with {LEAST_WEAPONS} (ER 1.5192); list more"
                yield Problem(f"{line.key} can get {possible} SW when Depleted", right, f"{where}.sw")
            column = leader_column(side, line.kind)
            if line.leader and line.leader != column:
                right = f"leader: {column}" if column else "it has no leader; leave it out"
                yield Problem(
                    f"{line.key}: {line.leader!r} isn't its column of the leader table",
                    f"{right} (ER 1.5193)",
                    f"{where}.leader",
                )


@implements("ER 1.522")
def chit_problem(cg: Er, side: str, chit: str) -> str:
    """Return why a side can't choose a chit for this date (1.522); "" if it can.

    In the Initial Scenario the chits are fixed.
    """
    if cg.initial:
        fixed = cg.rule_charts.initiative.initial[side]  # type: ignore[index]
        return "" if chit == fixed else f"the Initial Scenario has them {fixed}"
    most = chit_limit(cg, side, chit)
    if most is None or chits_used(cg, side, chit) < most:
        return ""
    return f"no {chit.capitalize()} chit is left"


def count_special(cg: Er, side: str, cart: Cart, special: str) -> int:
    """Return how many groups of a special kind a cart holds."""
    return sum(wish.count for line, wish in cart.lines(cg, side) if line.special == special)


@implements("ER CG15", "ER CG18")
def purchase_problems(cg: Er, side: str, cart: Cart) -> Iterator[Problem]:
    """Yield why a side can't buy Bombardments or FPF Barrages as it wants to."""
    bombardments, barrages = count_special(cg, side, cart, BOMBARDMENT), count_special(cg, side, cart, FPF)
    if bombardments and (problem := chit_problem(cg, side, ATTACK)):
        yield Problem("a Bombardment is for a side that attacks", f"{problem}; leave it out", "groups")
    if barrages and side != ALLIED:
        yield Problem("a FPF Barrage is for the U.S.", "leave it out", "groups")
    if barrages and (problem := chit_problem(cg, side, IDLE)):
        yield Problem("a FPF Barrage is for a date on which the U.S. stay Idle", f"{problem}; leave it out", "groups")
    if bombardments and barrages:
        yield Problem(
            "a Bombardment is bought to attack, a FPF Barrage to stay Idle",
            "buy one or the other for a CG Date",
            "groups",
        )
