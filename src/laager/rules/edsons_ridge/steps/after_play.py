"""The part of a report that only Edson's Ridge has: vehicles that burnt out, FPF Barrages laid down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import Field, Option, Procedure, Several, implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.changes import change_marks, is_vehicle
from laager.rules.board.places import unit_id
from laager.rules.board.report.agreement import UNLISTED
from laager.rules.board.report.form import ELIMINATED, ON_MAP
from laager.rules.board.report.outcome import read_rows
from laager.rules.board.rows import unit_options
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.edsons_ridge.steps import fpf
from laager.rules.edsons_ridge.terrain import burn_out_problem

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

BURNT_OUT, BARRAGES = "burnt-out", "barrages"


def burnable_vehicles(cg: Er, side: str) -> list[Unit]:
    """Return a side's vehicles on the map, wrecks among them, that are not burnt out."""
    return [
        unit
        for unit in cg.state.units.values()
        if unit.side == side and is_vehicle(unit) and unit.at is not None and not burn_out_problem(unit)
    ]


def report_fields(cg: Er, side: str) -> Iterator[Field]:
    """Yield the report's fields for vehicles that can have burnt out and for recorded Barrages."""
    burnable = burnable_vehicles(cg, side)
    if burnable:
        label = "Vehicles and wrecks that became Burnt-Out Wrecks in play (CG14)"
        options = unit_options(burnable)
        yield Field(BURNT_OUT, Several(options), label, [])
    recorded = cg.state.barrages_now()
    if side == ALLIED and recorded:
        options = tuple(Option(str(barrage.number), f"FPF Barrage {barrage.number}") for barrage in recorded)
        laid = [str(barrage.number) for barrage in recorded if barrage.placed]
        yield Field(BARRAGES, Several(options), "FPF Barrages that were laid down (CG18)", laid)


@implements("ER CG14(3)")
def with_burnt_out(cg: Er, side: str, report: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a report in which each vehicle that became a Burnt-Out Wreck is eliminated and marked so.

    Where its row says that it was when play ended, the wreck stands. A row with a fate that leaves no wreck stays.
    """
    burnt = [name for name in report.get(BURNT_OUT) or () if cg.state.units[name].in_play]
    rows = list(report["units"])
    listed = {unit_id(row["unit"]) for _, row in read_rows(rows, "unit")}
    rows += [{**UNLISTED, "unit": name, "at": ""} for name in burnt if name not in listed]
    for i, row in read_rows(rows, "unit"):
        if unit_id(row["unit"]) in burnt and row["fate"] in (ON_MAP, ELIMINATED):
            rows[i] = {**row, "fate": ELIMINATED, "marks": [Mark.WRECK.value, Mark.BURNT_OUT.value], "with": None}
    return {**report, "units": rows} if burnt else report


@implements("ER CG14(3)")
def report_problems(cg: Er, side: str, report: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what contradicts the rows of units, and Barrages that were reported in play but are left out now."""
    fates = {unit_id(row["unit"]): row["fate"] for row in report["units"]}
    for name in report.get(BURNT_OUT, ()):
        unit = cg.state.units[name]
        if fates.get(name, ELIMINATED) != ELIMINATED:
            yield Problem(
                f"{unit.label} became a Burnt-Out Wreck, yet its row says {fates[name]}", "keep one of them", BURNT_OUT
            )
    laid_down = set(report.get(BARRAGES, ()))
    for barrage in cg.state.barrages_now():
        if side == ALLIED and barrage.placed and str(barrage.number) not in laid_down:
            yield Problem(f"FPF Barrage {barrage.number} was laid down in turn {barrage.placed}", "name it", BARRAGES)


def apply_report(cg: Er, side: str, report: Mapping[str, Any]) -> Procedure[None]:
    """Wrecks become Burnt-Out Wrecks (vehicles: `with_burnt_out`); FPF groups are used up, Retained or lost."""
    for name in report.get(BURNT_OUT, ()):
        if not cg.state.units[name].in_play:
            yield from change_marks(cg.state.units[name], add=(Mark.WRECK, Mark.BURNT_OUT), why="Scrounged")
    if side == ALLIED:
        yield from yield_facts(fpf.settle_groups(cg, {int(number) for number in report.get(BARRAGES, ())}))
