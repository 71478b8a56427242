"""Repair and replenishment of SW, Guns and vehicles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laager.campaign import Choice, Fact, Field, Procedure, Rows, SecretQuestion, ask, implements, no_decision, step
from laager.rules.board.changes import change_marks, is_vehicle, remove_unit
from laager.rules.board.hasl.conditions import word_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit.escape import unit_roll
from laager.rules.board.rows import repeated_names
from laager.rules.board.units import Mark, Place, Unit
from laager.tables import Value

MALFUNCTIONED = frozenset({Mark.MALFUNCTIONED, Mark.MA_MALFUNCTIONED})
"""Faults that the table of repairs is for."""

OTHER_FAULTS = frozenset({Mark.LOW_AMMO, Mark.DISABLED, Mark.MA_DISABLED, Mark.IMMOBILIZED})
"""Faults that a module can let players repair or replenish too."""

DISABLED = {Mark.MALFUNCTIONED: Mark.DISABLED, Mark.MA_MALFUNCTIONED: Mark.MA_DISABLED}

OUTCOMES = ("repaired", "stays", "disabled", "eliminated")
REPAIRED, STAYS, DISABLES, ELIMINATED = OUTCOMES
"""Outcomes of a repair; the table gives these words, or yes (repaired) and no (stays)."""


@implements("ABtF 9.614", "ER 1.514")
@step("HASL 18", "Repair and replenishment", each_side=True, edition=2)
def repair(cg: Hasl, side: str) -> Procedure[None]:
    """Roll for malfunctioned items on the table; the players say what else is mended."""
    table = cg.chart_table("repair")
    items = faulty_items(cg, side, OTHER_FAULTS)
    for unit in faulty_items(cg, side, MALFUNCTIONED):
        if table is None:
            items.append(unit)
            continue
        rolled = yield from unit_roll(cg, table, unit, "Repair", unit.type)
        outcome = read_outcome(table.result(rolled.final))
        yield from apply_repair(cg, unit, outcome, MALFUNCTIONED, f"Repair: {unit.type}: {rolled}")
    left = list({unit.id: unit for unit in items}.values())
    if not left:
        yield from ask(no_decision("repair", side, "You have nothing else to mend."))
        return
    for row in (yield from ask(repair_question(side, left))):
        unit = cg.state.units[row["unit"]]
        faults = unit.marks & (OTHER_FAULTS if table is not None else MALFUNCTIONED | OTHER_FAULTS)
        yield from apply_repair(cg, unit, row["outcome"], faults, "as the players looked it up")


def faulty_items(cg: Hasl, side: str, marks: frozenset[Mark]) -> list[Unit]:
    """Return a side's SW, Guns and vehicles with any of these markers, in the stated order."""
    return [
        unit
        for unit in cg.state.units_of(side)
        if (unit.kind in ("sw", "gun") or is_vehicle(unit)) and unit.marks & marks and not unit.has(Mark.WRECK)
    ]


def repair_question(side: str, units: Sequence[Unit]) -> SecretQuestion:
    """Ask what became of items that have no roll."""
    options = {unit.id: f"{unit.label}: {_faults(unit)}" for unit in units}
    form = Rows.of(
        Field("unit", Choice.of_labels(options), "Item"), Field("outcome", Choice.of(*OUTCOMES), "Outcome", REPAIRED)
    )

    return SecretQuestion(
        key="repair",
        side=side,
        text="What was repaired or replenished, and what was lost?",
        form=form,
        check=repeated_names,
        help="What you don't name stays as it is.",
    )


def _faults(unit: Unit) -> str:
    return ", ".join(mark.value for mark in sorted(unit.marks & (MALFUNCTIONED | OTHER_FAULTS)))


@implements("HASL 18")
def read_outcome(result: Value) -> str:
    """Return what a result of the table means. Raises RefusedError for another word."""
    return word_of(result, "repair", OUTCOMES, REPAIRED, STAYS)


def apply_repair(cg: Hasl, unit: Unit, outcome: str, faults: frozenset[Mark], why: str) -> Iterator[Fact]:
    """Yield the outcome of an item; an item eliminated here scores no CVP."""
    here = unit.marks & faults
    if outcome == REPAIRED:
        yield from change_marks(unit, remove=here, why=why)
    elif outcome == DISABLES:
        add = [DISABLED[mark] for mark in sorted(here & MALFUNCTIONED)]
        yield from change_marks(unit, add=add, remove=here & MALFUNCTIONED, why=why)
    elif outcome == ELIMINATED:
        yield from remove_unit(cg, unit, Place.REMOVED, why)
