"""What a battle report is checked with: whose it is, and what it makes of each unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import RefusedError
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.report_outcome import After, Report, outcomes, unit_id


@dataclass(frozen=True)
class Desk:
    """What a report is checked with: the campaign, whose report, what it makes of each unit."""

    cg: Cg
    side: str
    report: Report
    after: Mapping[str, After]

    @classmethod
    def of(cls, cg: Cg, side: str, report: Report) -> Desk:
        """Return the desk of one report."""
        return cls(cg, side, report, outcomes(cg, side, report))

    @property
    def new(self) -> Mapping[str, Mapping[str, Any]]:
        """The new units that have names, by name."""
        return {unit_id(row["name"]): row for row in self.report["new"] if row and row["name"]}

    def label(self, unit_id: str) -> str:
        """Return what a unit of this side, or a new one, is called."""
        return self.after[unit_id].was.label if unit_id in self.after else unit_id

    def new_kind(self, row: Mapping[str, Any]) -> str | None:
        """Return the kind of a new unit; None if its type is not of the kind that the row says."""
        return kind_of(self.cg, self.side, row["type"] or "", row["kind"] or "")


def kind_of(cg: Cg, side: str, type_: str, kind: str = "") -> str | None:
    """Return the kind of one of a side's types, as stated if it is left open; None if it can't."""
    nation = cg.nation(side)
    if kind == "armor-leader":
        return kind if type_ in nation.leaders.armor else None
    try:
        found = nation.unit(type_).kind.value
    except RefusedError:
        return None
    return found if kind in ("", found) else None
