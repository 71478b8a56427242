"""ELR: by the chart, and the one that a side announces (H1.28, H1.71, H1.72)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from laager.campaign import implements
from laager.catalogue.kinds import Kind
from laager.rules.design_your_own.charts import Cell, charts
from laager.rules.design_your_own.dates import Month
from laager.rules.design_your_own.infantry import InfantryLine, elr_of
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.reckoning import Reckoning, Unknown, spoken
from laager.rules.design_your_own.theatres import NORWAY, is_theatre

CHART = "DYO H1.28-T"


@implements("DYO H1.28", "DYO H1.28-T", "DYO H1.28-nAxis", "DYO H1.28-nAllied", "DYO H1.28-n**")
def chart_elr(
    group: Group | None,
    month: Month,
    *,
    enemy: Group | None = None,
    theatre: str = "",
    majority_elite: bool | None = None,
    supplied: int | None = None,
) -> Reckoning | Unknown:
    """Return the ELR of the chart, or what must be supplied where it has a dash or lost a note.

    `majority_elite` says whether the G.M.D. Majority Squad Type is Elite; `supplied` is the ELR
    that the owner of the rulebook gives where the chart at hand cannot tell.
    """
    if supplied is not None:
        return Reckoning.of(supplied, "as the rulebook's owner says", CHART)
    chart = charts().elr
    if group is Group.ALLIED_MINOR:
        return Reckoning.of(chart.allied_minor, "Allied Minor", "DYO H1.28-nAllied")
    if group is None:
        return Unknown("the ELR of a nation without a row", CHART)
    if group is Group.RED_CHINESE:
        return Unknown("the ELR of Red Chinese", "DYO H1.28-n**")
    row = chart_row(group)
    period, cell = chart.cell(row, month)
    if cell is None:
        return Unknown(f"the ELR of {group.words} in {month}", CHART)
    found = Reckoning.of(cell.number, f"{row.words} {period}", CHART)
    if group is Group.AXIS_MINOR:
        return _not_below_none(found.plus(chart.axis_minor, "Axis Minor", "DYO H1.28-nAxis"))
    return _noted(found, cell, enemy, theatre, majority_elite)


@implements("DYO H1.28-T")
def chart_span(group: Group) -> str:
    """Say for which time the chart has ELR of a group; "" where it has a number for all or none."""
    chart = charts().elr
    if group in (Group.ALLIED_MINOR, Group.RED_CHINESE):
        return ""
    row = chart_row(group)
    there = [
        f"{period.name} ({cell.number})"
        for period, cell in zip(chart.periods, chart.rows[row], strict=True)
        if cell is not None
    ]
    return f"its row {row.words} runs from {there[0]} to {there[-1]}"


def _not_below_none(found: Reckoning) -> Reckoning:
    return found if found.amount >= 0 else Reckoning.of(0, "at least", "DYO H1.28-nAxis")


@implements("DYO H1.28-n*", "DYO H1.28-n***")
def chart_row(group: Group) -> Group:
    """Return the row of the chart that a group uses."""
    rows = {Group.FREE_FRENCH: Group.BRITISH, Group.FINNISH: Group.GERMAN, Group.AXIS_MINOR: Group.GERMAN}
    return rows.get(group, group)


@implements("DYO H1.28-n1", "DYO H1.28-n2", "DYO H1.28-n3", "DYO H1.28-n4", "DYO H1.28-n5")
def _noted(
    found: Reckoning, cell: Cell, enemy: Group | None, theatre: str, majority_elite: bool | None
) -> Reckoning | Unknown:
    """Apply the note of a cell."""
    chart = charts().elr
    rule = f"DYO H1.28-n{cell.note}"
    chinese = enemy is not None and enemy.chinese
    if cell.note == "1" and chinese:
        return Reckoning.of(chart.japanese_against, "against Chinese", rule)
    if cell.note == "2":
        if enemy is Group.BRITISH:
            return Reckoning.of(chart.japanese_against, "against British", rule)
        suggestion = chart.japanese_against if chinese else cell.number
        return Unknown("the Japanese ELR against others than British", rule, suggestion)
    if cell.note == "3":
        if majority_elite is None:
            what = "whether the G.M.D. Majority Squad Type is Elite (a second condition is lost)"
            return Unknown(what, rule, cell.number)
        more = "Majority Squad Type Elite"
        return found.plus(chart.gmd_elite_majority, more, rule) if majority_elite else found
    if cell.note == "4":
        return Unknown("what note 4 says of the G.M.D. ELR", rule, cell.number)
    if cell.note == "5" and is_theatre(theatre, NORWAY):
        return found.plus(chart.french_norway, "Norway", rule)
    return found


@implements("DYO H1.27", "DYO H1.72")
def partisan_elr(supplied: int | None) -> int | Unknown:
    """Return the ELR that Partisans announce; the rule that has it is lost."""
    return Unknown("the ELR that Partisans announce", "DYO H1.27") if supplied is None else supplied


@dataclass(frozen=True, slots=True)
class Announced:
    """The ELR that a side announces; `tied` are all that equally many squads have."""

    elr: int
    squads: Fraction
    tied: tuple[int, ...]

    @property
    def why(self) -> str:
        """How it was found."""
        if len(self.tied) == 1:
            return f"ELR {self.elr} is that of {spoken(self.squads)} squads, more than any other"
        names = " and ".join(map(str, self.tied))
        return f"ELR {names} have {spoken(self.squads)} squads each; the highest is announced"


@implements("DYO H1.71", "DYO H1.72")
def announced_elr(squads: Mapping[int, int | Fraction]) -> Announced | None:
    """Return the ELR that most squads have, of equally many the highest; None without squads."""
    counted = {elr: Fraction(number) for elr, number in squads.items() if number > 0}
    if not counted:
        return None
    most = max(counted.values())
    tied = tuple(sorted(elr for elr, number in counted.items() if number == most))
    return Announced(tied[-1], most, tied)


@implements("DYO H1.71")
def squads_by_elr(lines: Iterable[InfantryLine], side_elr: int) -> dict[int, int]:
    """Return how many squads, both purchases together, have each ELR; squads only are counted."""
    found: dict[int, int] = {}
    for line in lines:
        if line.bought and line.kind is Kind.SQUAD:
            elr = elr_of(line, side_elr)
            found[elr] = found.get(elr, 0) + line.number
    return dict(sorted(found.items()))
