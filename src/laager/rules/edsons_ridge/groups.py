"""What comes with a group: strength, SW, leaders, and whose Objective Hexes are kept (1.519)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import ALLIED, AXIS
from laager.rules.board.hasl.charts import Charts, Kind, RgLine
from laager.rules.board.hasl.units import Group, Strength

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

ROLLING = frozenset({Kind.INFANTRY, Kind.HEAVY_WEAPONS})
"""The types that may be Depleted."""

LEAST_WEAPONS = 2
"""How many SW a HW group has at least."""

COLUMNS: Mapping[tuple[str, Kind], str] = {
    (AXIS, Kind.INFANTRY): "japanese",
    (ALLIED, Kind.INFANTRY): "american",
    (ALLIED, Kind.VEHICLE): "american-armor",
}
"""The column of the leader table of each type that has leaders; HW groups have none."""


@implements("ER 1.5191")
def strength_rolled(cg: Er, side: str, line: RgLine, given: bool) -> bool:
    """Whether a group's strength is rolled for.

    I and HW groups that were bought; of those given the Japanese ones of the Initial Scenario, and
    later ones by the reading.
    """
    if line.kind not in ROLLING:
        return False
    if not given:
        return True
    return side == AXIS if cg.initial else cg.reading("given-strength") == "rolled"


@implements("ER 1.5193")
def leader_column(side: str, kind: Kind) -> str:
    """Return the column of the leader table for a group; "" if none rolls on it."""
    return COLUMNS.get((side, kind), "")


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


@implements("ER 1.5188 Objective Hex", "ER 1.2 Objective Hex")
def has_objective(cg: Er, side: str, line: RgLine) -> bool:
    """Whether an Objective Hex is recorded for a group: for Japanese I groups, or for all."""
    if line.kind is not Kind.INFANTRY:
        return False
    return side == AXIS or cg.reading("objective-sides") == "both"


# What a chart cannot say ------------------------------------------------------------------------


def weapons_possible(line: RgLine) -> int:
    """Return how many SW a group may get at most when it is Depleted.

    One listed as (1) never comes then.
    """
    return sum(sw.count for sw in line.sw if sw.need is None or sw.need > 1)


@implements("ER 1.5192", "ER 1.5193")
def chart_problems(charts: Charts) -> Iterator[Problem]:
    """Yield what is wrong with RG charts by the rules: HW groups without SW or with leaders."""
    for side, half in charts.sides.items():
        for number, line in enumerate(half.rg or (), 1):
            where = f"sides.{side}.rg[{number}]"
            possible = weapons_possible(line)
            if line.kind is Kind.HEAVY_WEAPONS and possible < LEAST_WEAPONS:
                what = f"{line.key} can get {possible} SW when Depleted"
                right = f"a HW group must end with {LEAST_WEAPONS} (ER 1.5192); list more"
                yield Problem(what, right, f"{where}.sw")
            column = leader_column(side, line.kind)
            if line.leader and line.leader != column:
                right = f"leader: {column}" if column else "it has no leader; leave it out"
                what = f"{line.key}: {line.leader!r} is not its column of the leader table"
                yield Problem(what, f"{right} (ER 1.5193)", f"{where}.leader")
