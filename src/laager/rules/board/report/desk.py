"""What a battle report is checked with: whose it is, and what it makes of each unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from laager.base import RefusedError
from laager.rules.board.context import CardContext
from laager.rules.board.places import unit_id
from laager.rules.board.report.outcome import After, Report, outcomes


@dataclass(frozen=True)
class Desk:
    """What a report is checked with: the campaign, whose report, what it makes of each unit.

    `fixed_rule` and `left_rule` are the clauses for what cannot move and for leaving the map;
    `left_advice` says how to report a unit that left it.
    """

    fixed_rule: ClassVar[str] = ""
    left_rule: ClassVar[str] = ""
    left_advice: ClassVar[str] = "if it left the map and stays in the OB its fate is exited"

    cg: CardContext
    side: str
    report: Report
    after: Mapping[str, After]

    @classmethod
    def of(cls, cg: CardContext, side: str, report: Report) -> Self:
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


def kind_of(cg: CardContext, side: str, type_: str, kind: str = "") -> str | None:
    """Return the kind of one of a side's types, as stated if it is left open; None if it can't."""
    nation = cg.nation(side)
    if kind == "armor-leader":
        return kind if type_ in nation.leaders.armor else None
    try:
        found = nation.unit(type_).kind.value
    except RefusedError:
        return None
    return found if kind in ("", found) else None
