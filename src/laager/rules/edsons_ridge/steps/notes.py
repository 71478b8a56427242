"""Secret notes on vehicles and Guns instead of markers (CG9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import Field, Procedure, Rows, SecretQuestion, Sights, Text, ask, implements, step
from laager.rules.board.changes import is_vehicle
from laager.rules.board.hasl.public import could_have_vehicles_or_guns
from laager.rules.board.los_requests import ask_noted
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Unit
from laager.rules.edsons_ridge.facts import StatusNoted

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

STATES = ("BU", "CE", "TCA", "Abandoned", "bogged", "Immobilized", "Disabled", "malfunctioned")
"""The states that a side can note."""

MARKER_RANGE = 16
"""The range at which an enemy ground unit with LOS makes the true marker go on."""


@implements("ER GEO-11")
@step("ER CG9", "Secret status", each_side=True)
def status_notes(cg: Er, side: str) -> Procedure[None]:
    """A side notes states of its vehicles and Guns; what it noted last time is struck."""
    for name in list(cg.state.notes_on):
        if cg.state.units[name].side == side and not cg.is_reserve(cg.state.units[name]):
            yield StatusNoted(unit=name, text="", why="noted for the last scenario", to=(side,))
    if not could_have_vehicles_or_guns(cg, side):
        return
    rows = yield from ask(notes_question(cg, side))
    for row in rows:
        yield StatusNoted(unit=row["unit"], text=row["note"], why="noted at setup", to=(side,))


def notable_pieces(cg: Er, side: str) -> list[Unit]:
    """Return a side's vehicles and Guns."""
    return [
        unit
        for unit in cg.state.units_of(side)
        if (is_vehicle(unit) or unit.kind == "gun") and not unit.has(Mark.WRECK)
    ]


def notes_question(cg: Er, side: str) -> SecretQuestion:
    """Return the secret question for notes."""
    pieces = notable_pieces(cg, side)
    form = Rows.of(
        Field("unit", unit_choice(pieces), "Unit"), Field("note", Text(120), f"State: {', '.join(STATES)}"), most=60
    )

    def suggest(rng: Random) -> list[dict[str, str]]:
        return [{"unit": unit.id, "note": rng.choice(STATES)} for unit in pieces if rng.random() < 0.3]

    return SecretQuestion(
        key="status-notes",
        side=side,
        text="Which states of your vehicles and Guns do you note in secret?",
        form=form,
        check=notes_problems,
        sights=Sights(lambda rows, seen: ask_noted(side, pieces, rows, seen, MARKER_RANGE, "ER CG9")),
        suggest=suggest,
        help=f"The true marker goes on once the piece is unconcealed and an enemy ground unit with "
        f"LOS to it is within {MARKER_RANGE} hexes.",
    )


def notes_problems(rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return what is wrong with notes: other states than those of the rule, a piece twice."""
    states = {state.casefold() for state in STATES}
    problems = repeated_names(rows)
    for number, row in enumerate(rows, 1):
        words = {word.casefold() for word in row["note"].replace(",", " ").split()}
        if not words & states:
            problems.append(
                Problem(
                    f"{row['note']!r} isn't a state that you can note",
                    f"one of {', '.join(STATES)}",
                    f"[{number}].note",
                )
            )
    return problems
