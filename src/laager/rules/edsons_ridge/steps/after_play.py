"""What a side reports besides its units: vehicles that burnt out, FPF Barrages laid down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import Fact, Field, Option, Procedure, Several, implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.changes import eliminate, is_vehicle, marked
from laager.rules.board.rows import unit_options
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark, Unit
from laager.rules.edsons_ridge.steps import fpf
from laager.rules.edsons_ridge.terrain import may_burn_out

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

BURNT_OUT, BARRAGES = "burnt-out", "barrages"


def vehicles(cg: Er, side: str) -> list[Unit]:
    """Return a side's vehicles on the map, wrecks among them, that are not burnt out."""
    return [
        unit
        for unit in cg.state.units.values()
        if unit.side == side and is_vehicle(unit) and unit.at is not None and not may_burn_out(unit)
    ]


def report_fields(cg: Er, side: str) -> Iterator[Field]:
    """Yield the fields of the report, for what there is to report."""
    able = vehicles(cg, side)
    if able:
        label = "Vehicles and wrecks that became Burnt-Out Wrecks in play (CG14)"
        options = unit_options(able)
        yield Field(BURNT_OUT, Several(options), label, [])
    recorded = cg.state.barrages_now()
    if side == ALLIED and recorded:
        options = tuple(Option(str(one.number), f"FPF Barrage {one.number}") for one in recorded)
        laid = [str(one.number) for one in recorded if one.placed]
        yield Field(BARRAGES, Several(options), "FPF Barrages that were laid down (CG18)", laid)


@implements("ER CG14(3)")
def report_problems(cg: Er, side: str, report: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what contradicts the rows of units, and Barrages reported in play but now left out."""
    listed = {row["unit"] for row in report["units"] if row.get("fate")}
    for name in report.get(BURNT_OUT, ()):
        unit = cg.state.units[name]
        if name in listed:
            what = f"{unit.label} burnt out, yet its row has a fate"
            yield Problem(what, "leave its row out", BURNT_OUT)
    told = set(report.get(BARRAGES, ()))
    for one in cg.state.barrages_now():
        if side == ALLIED and one.placed and str(one.number) not in told:
            what = f"FPF Barrage {one.number} was laid down in turn {one.placed}"
            yield Problem(what, "name it", BARRAGES)


def reported(cg: Er, side: str, report: Mapping[str, Any]) -> Procedure[None]:
    """Vehicles become Burnt-Out Wrecks; FPF groups are used up, Retained or lost."""
    for name in report.get(BURNT_OUT, ()):
        yield from tell(burns_out(cg, cg.state.units[name]))
    if side == ALLIED:
        yield from tell(fpf.after_play(cg, {int(number) for number in report.get(BARRAGES, ())}))


@implements("ER CG14(3)")
def burns_out(cg: Er, unit: Unit) -> Iterator[Fact]:
    """A vehicle is lost and leaves a Burnt-Out Wreck; a wreck becomes one."""
    why = "Immobilized, Abandoned and without weapons"
    if unit.has(Mark.WRECK):
        why = "Scrounged"
    else:
        yield from eliminate(cg, unit, why)
    yield from marked(cg.state.units[unit.id], add=(Mark.WRECK, Mark.BURNT_OUT), why=why)
