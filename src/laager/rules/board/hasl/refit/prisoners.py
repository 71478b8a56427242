"""Prisoners after a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from laager.campaign import Choice, Fact, Field, Procedure, Record, Rows, Several, Text, implements, step
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import remove_unit
from laager.rules.board.facts import MassacreInvoked, Noted
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit.outcome_rows import lose_prisoner, release
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Place, Unit

KEPT, FREED, TAKEN_OFF, KILLED = "kept", "freed", "taken-off", "killed"

OUTCOMES: Mapping[str, str] = {
    KEPT: "still a prisoner on the map",
    FREED: "free again, in the OB of its side",
    TAKEN_OFF: "leaves for good; the enemy scores double CVP unless it was unguarded",
    KILLED: "eliminated as a prisoner",
}


def prisoners_held(cg: Hasl) -> list[Unit]:
    """Return the prisoners of both sides, in the stated order."""
    units = (unit for side in SIDES for unit in cg.state.units_of(side))
    return [unit for unit in units if unit.has(Mark.PRISONER) and unit.known]


@implements("ABtF 9.608", "ER 1.508", "ER CG4")
@step("HASL 14", "Prisoners")
def prisoners(cg: Hasl) -> Procedure[None]:
    """The players say what becomes of prisoners, and if there was a Massacre (A20.4)."""
    units = prisoners_held(cg)
    lasting = cg.variant.massacre_lasts
    if not units and not lasting:
        return
    listed = ", ".join(f"{unit.label} in {unit.at or 'an Entry Area'}" for unit in units)
    text = f"What becomes of the prisoners {listed}?" if units else "Was there a Massacre?"
    answer = yield from ask_and_confirm(
        "prisoners",
        cg.state.scenario.moves_first or SIDES[0],
        text,
        _form(cg, units),
        {"rows": [{"unit": unit.id, "outcome": _usual(unit)} for unit in units]},
        help="; ".join(f"{word}: {label}" for word, label in OUTCOMES.items())
        + ". Prisoners that you don't list are kept.",
        check=lambda given: repeated_names(given["rows"], at="rows"),
        suggest=lambda rng: _suggest(units, rng),
        tell=lambda given: _fates_in_words(cg, given),
    )
    for row in answer["rows"]:
        yield from apply_fate(cg, cg.state.units[row["unit"]], row["outcome"])
    for side in answer.get("massacre", ()):
        if not cg.state.side(side).massacre:
            yield MassacreInvoked(side=side, why="A20.4; it lasts for the campaign")
    if answer["note"]:
        yield Noted(text=answer["note"], why="prisoners, as the players say")


def _usual(unit: Unit) -> str:
    return FREED if unit.has(Mark.UNGUARDED) else TAKEN_OFF


def _form(cg: Hasl, units: list[Unit]) -> Record:
    form = Rows.of(
        Field("unit", unit_choice(units), "Prisoner"), Field("outcome", Choice.of(**OUTCOMES), "Outcome"), most=100
    )
    fields = [Field("rows", form, "Prisoners", [])]
    if cg.variant.massacre_lasts:
        sides = {side: cg.side(side).name for side in SIDES}
        fields.append(Field("massacre", Several.of_labels(sides), "Which sides committed a Massacre?", []))
    return Record.of(*fields, Field("note", Text(500), "What else to remember", ""))


def _suggest(units: list[Unit], rng: Random) -> dict[str, Any]:
    rows = [{"unit": unit.id, "outcome": rng.choice(list(OUTCOMES))} for unit in units]
    return {"rows": [row for row in rows if rng.random() < 0.8]}


def _fates_in_words(cg: Hasl, answer: Mapping[str, Any]) -> str:
    parts = [f"{cg.state.units[row['unit']].label} {row['outcome']}" for row in answer["rows"]]
    parts += [f"Massacre by the {cg.side(side).name}" for side in answer.get("massacre", ())]
    parts += [answer["note"]] if answer["note"] else []
    return "; ".join(parts) or "nothing changes"


@implements("HASL 14", "HASL 12")
def apply_fate(cg: Hasl, unit: Unit, fate: str) -> Iterator[Fact]:
    """Yield the outcome of a prisoner; its captor scores for it if it is remove_unit."""
    if fate == FREED:
        yield from release(cg, unit, "", "prisoner")
    elif fate == TAKEN_OFF:
        yield from lose_prisoner(cg, unit, f"prisoner of the {cg.side(other_side(unit.side)).name}")
    elif fate == KILLED:
        yield from remove_unit(cg, unit, Place.ELIMINATED, "killed as a prisoner")
