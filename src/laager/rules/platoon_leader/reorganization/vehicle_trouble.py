"""Vehicles in minefields, bogged, Mired, under Shock (PL 3.18, 3.19)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Option, Procedure, Rows, SecretQuestion, Text, ask, implements, roll, step
from laager.dice import Dice, Modifier, Rolled
from laager.rules.board.changes import change_marks, is_vehicle, lose_vehicle
from laager.rules.board.moves import move_unit
from laager.rules.board.places import main_location
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.rows import unit_choice, wrong_row_counts
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import public_name
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.melee import adjacent_problem

LEAVES, STAYS, IMMOBILIZED, ELIMINATED = "leaves", "stays", "immobilized", "eliminated"
FREED, BOGGED, MIRED = "freed", "bogged", "mired"
RECOVERED = "recovered"


@step("PL 3.18", "Vehicles in minefields and bogs", each_side=True, also=("PL 3.12",), edition=2)
def vehicles_in_trouble(cg: Cg, side: str) -> Procedure[None]:
    """Vehicles drive out of mines, bogged ones try to get free, Mired ones are Immobilized."""
    yield from _out_of_mines(cg, side)
    yield from _unbog(cg, side)
    for unit in _vehicles(cg, side, Mark.MIRED):
        add, remove = [Mark.IMMOBILIZED], [Mark.MIRED, Mark.BOGGED]
        yield from change_marks(unit, add=add, remove=remove, why="Mired becomes Immobilized")


def _vehicles(cg: Cg, side: str, mark: Mark) -> list[Unit]:
    """Return a side's vehicles on the map that carry a marker."""
    units = cg.state.units_of(side)
    return [unit for unit in units if is_vehicle(unit) and unit.on_map and unit.has(mark)]


# Minefields -------------------------------------------------------------------------------------


def _out_of_mines(cg: Cg, side: str) -> Procedure[None]:
    units = [unit for unit in _vehicles(cg, side, Mark.MINEFIELD) if not unit.has(*IMMOBILE)]
    if not units:
        return
    for row in (yield from ask(_minefield_question(cg, side, units))):
        unit = cg.state.units[row["unit"]]
        why = f"leaving the minefield in {unit.at}"
        if row["outcome"] == LEAVES:
            yield from move_unit(cg, unit, main_location(cg, row["to"]), why)
            now = cg.state.units[unit.id]
            yield from change_marks(now, remove=[Mark.MINEFIELD, Mark.MOTION], why=why)
        elif row["outcome"] == IMMOBILIZED:
            yield from change_marks(unit, add=[Mark.IMMOBILIZED], remove=[Mark.MOTION], why=why)
        elif row["outcome"] == ELIMINATED:
            yield from lose_vehicle(cg, unit, why)


def _minefield_question(cg: Cg, side: str, units: Sequence[Unit]) -> SecretQuestion:
    by_id = {unit.id: unit for unit in units}

    def check(rows: list[dict[str, Any]]) -> list[Problem]:
        problems = wrong_row_counts(units, rows)
        for i, row in enumerate(rows):
            unit, here = by_id[row["unit"]], f"[{i + 1}].to"
            wrong = adjacent_problem(cg, unit, row["to"])
            if row["outcome"] == LEAVES and wrong:
                problems.append(Problem(*wrong, here))
            elif row["outcome"] != LEAVES and row["to"]:
                problems.append(Problem(f"{unit.label} did not leave", "leave to out", here))
        return problems

    def suggest(rng: Random) -> list[dict[str, str]]:
        rows = []
        for unit in units:
            outcome = rng.choice([LEAVES, LEAVES, LEAVES, STAYS, IMMOBILIZED, ELIMINATED])
            to = rng.choice(cg.map.neighbours(unit.hex or "")) if outcome == LEAVES else ""
            rows.append({"unit": unit.id, "outcome": outcome, "to": to})
        return rows

    outcomes = Choice.of(
        leaves="drives out of it",
        stays="stays: no hex can be entered",
        immobilized="stopped by the mines",
        eliminated="eliminated by the mines",
    )
    form = Rows.of(
        Field("unit", unit_choice(units, placed=True), "Vehicle"),
        Field("outcome", outcomes, "What happened"),
        Field("to", Text(12), "Hex into which it drove", ""),
    )
    return SecretQuestion(
        key="minefield-exit",
        side=side,
        text="These vehicles have to leave their minefield: what happened?",
        form=form,
        default=[{"unit": unit.id, "outcome": STAYS, "to": ""} for unit in units],
        check=check,
        help="Into an ADJACENT hex without change of VCA, Bog Check or Bypass; the mines attack as "
        "it leaves. What a bog or mines do in the new hex happens at once (PL 3.12).",
        suggest=suggest,
    )


# Bog --------------------------------------------------------------------------------------------


@implements("PL 3.18")
def unbog_modifiers(cg: Cg, unit: Unit) -> list[Modifier]:
    """Return the campaign's own DRM of an unbog attempt: -1 in the friendly MLR.

    The MLR are drawn for this from Control as it is at the end of play, before any is settled.
    """
    drawn = cg.draw(cg.line_now("preliminary"))
    if unit.hex in drawn.friendly_mlr[unit.side]:
        return [Modifier(-1, "in a friendly MLR", "PL 3.18")]
    return []


def _unbog(cg: Cg, side: str) -> Procedure[None]:
    units = _vehicles(cg, side, Mark.BOGGED)
    rolls: dict[str, Rolled] = {}
    for unit in units:
        label = f"Unbog attempt of {public_name(unit)}"
        rolls[unit.id] = yield from roll(side, label, Dice.DR, unbog_modifiers(cg, unit), secret=not unit.known)
    if not units:
        return
    words = {FREED: "free", BOGGED: "still bogged", MIRED: "Mired, so Immobilized"}
    text = "Add all Bog DRM (D8) to each DR: what became of the bogged vehicles?"
    question = outcome_question("unbog", side, "PL 3.18", text, words, BOGGED, units, rolls)
    for row in (yield from ask(question)):
        unit = cg.state.units[row["unit"]]
        why = f"unbog attempt, {rolls[unit.id]}"
        if row["outcome"] == FREED:
            yield from change_marks(unit, remove=[Mark.BOGGED], why=why)
        elif row["outcome"] == MIRED:
            yield from change_marks(unit, add=[Mark.MIRED], remove=[Mark.BOGGED], why=why)


def outcome_question(
    key: str,
    side: str,
    rule: str,
    text: str,
    words: dict[str, str],
    default: str,
    units: Sequence[Unit],
    rolls: dict[str, Rolled],
) -> SecretQuestion:
    """Return the question for the outcome of rolls that the game's own rules decide."""
    names = tuple(Option(unit.id, f"{unit.label}: {rolls[unit.id]}") for unit in units)
    form = Rows.of(Field("unit", Choice(names), "Vehicle"), Field("outcome", Choice.of(**words), "Outcome"))
    shown = "; ".join(option.label for option in names)
    return SecretQuestion(
        key=key,
        side=side,
        text=f"{text} {shown}",
        form=form,
        rule=rule,
        default=[{"unit": unit.id, "outcome": default} for unit in units],
        check=lambda rows: wrong_row_counts(units, rows),
        suggest=lambda rng: [{"unit": unit.id, "outcome": rng.choice(list(words))} for unit in units],
    )


# Shock ------------------------------------------------------------------------------------------


@step("PL 3.19", "Shock and UK", each_side=True)
def shock(cg: Cg, side: str) -> Procedure[None]:
    """Shock becomes UK, then a dr decides if each AFV recovers or is eliminated (C7.42)."""
    for unit in _vehicles(cg, side, Mark.SHOCK):
        add, remove = [Mark.UNKNOWN], [Mark.SHOCK]
        yield from change_marks(unit, add=add, remove=remove, why="Shock becomes UK")
    units = _vehicles(cg, side, Mark.UNKNOWN)
    rolls: dict[str, Rolled] = {}
    for unit in units:
        label = f"UK of {public_name(unit)}"
        rolls[unit.id] = yield from roll(side, label, Dice.dr, secret=not unit.known)
    if not units:
        return
    words = {RECOVERED: "recovers", ELIMINATED: "eliminated"}
    text = "What became of the AFV under UK by C7.42?"
    question = outcome_question("shock", side, "PL 3.19", text, words, RECOVERED, units, rolls)
    for row in (yield from ask(question)):
        unit = cg.state.units[row["unit"]]
        why = f"UK (C7.42): dr {rolls[unit.id]}"
        if row["outcome"] == ELIMINATED:
            yield from lose_vehicle(cg, unit, why)
        else:
            yield from change_marks(unit, remove=[Mark.UNKNOWN], why=why)
