"""What owners note of their vehicles and Guns: equipment, Removed armament, status (CG15-CG18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Procedure,
    Rows,
    SecretQuestion,
    Sights,
    Text,
    ask,
    implements,
    step,
)
from laager.rules.board.changes import is_vehicle
from laager.rules.board.hasl.public import could_have_vehicles_or_guns
from laager.rules.board.los_requests import ask_noted
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.bridge_too_far.facts import VehicleRecorded

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

EQUIPMENT, REMOVED, STATUS = "equipment", "removed", "status"
"""What is noted: optional equipment for good, the others for a scenario."""

STATUSES = (
    "BU", "CE", "TCA", "Bogged", "immobilized", "Abandoned", "malfunctioned", "disabled"
)  # fmt: skip
"""What a side can note in secret instead of placing a marker."""

MARKER_RANGE = 16
"""The range at which an enemy ground unit with LOS makes the true marker go on."""


@implements("ABtF CHART Vehicle Notes")
@step("ABtF CG15", "Optional equipment of vehicles")
def optional_equipment(cg: Abtf, side: str) -> Procedure[None]:
    """A side says which optional armament its new vehicles got by their rolls."""
    new = [unit for unit in fighting_vehicles(cg, side) if unit.since == cg.state.number]
    if not new:
        return
    form = Rows.of(_unit_field(new), Field("text", Text(200), "What it has got"))
    rows = yield from ask(
        SecretQuestion(
            key="optional-equipment",
            side=side,
            text="Which of your new vehicles have got optional armament?",
            form=form,
            check=repeated_names,
            suggest=lambda rng: [{"unit": rng.choice(new).id, "text": "AAMG"}],
            help="Roll for each piece as H1.41 and the Vehicle Note say. It costs no CPP.",
        )
    )
    yield from yield_facts(record_notes(cg, EQUIPMENT, "as rolled by the Vehicle Note", rows))


@implements("ABtF CG16")
@step("ABtF CG18", "Secret status of vehicles and Guns", each_side=True)
def vehicle_status(cg: Abtf, side: str) -> Procedure[None]:
    """At setup a side notes in secret which armament is Removed, and states without markers."""
    yield from yield_facts(strike_old_notes(cg, side))
    pieces = [*fighting_vehicles(cg, side), *cg.state.units_of(side, "gun")]
    if not could_have_vehicles_or_guns(cg, side):
        return
    about = Choice((Option(REMOVED, "armament Removed"), Option(STATUS, f"status: {', '.join(STATUSES)}")))
    form = Rows.of(_unit_field(pieces), Field("about", about), Field("text", Text(200), "What is noted"))
    rows = yield from ask(
        SecretQuestion(
            key="vehicle-status",
            side=side,
            text="What do you note in secret of your vehicles and Guns?",
            form=form,
            check=lambda rows: status_problems(cg, rows),
            sights=Sights(lambda rows, seen: ask_noted(side, pieces, rows, seen, MARKER_RANGE, "ABtF CG18")),
            suggest=lambda rng: random_note(pieces, rng),
            help="Put the marker on when the piece is not concealed and an enemy ground unit "
            f"within {MARKER_RANGE} hexes has LOS to it.",
        )
    )
    for kind in (REMOVED, STATUS):
        notes = [row for row in rows if row["about"] == kind]
        yield from yield_facts(record_notes(cg, kind, "noted at setup", notes))


def fighting_vehicles(cg: Abtf, side: str) -> list[Unit]:
    """Return a side's vehicles that can still fight."""
    return [unit for unit in cg.state.units_of(side) if is_vehicle(unit) and not unit.has(Mark.WRECK)]


def random_note(pieces: Sequence[Unit], rng: Random) -> list[dict[str, str]]:
    """Return a random note on one of these pieces, for automatic play."""
    if not pieces:
        return []
    return [{"unit": rng.choice(pieces).id, "about": STATUS, "text": rng.choice(STATUSES)}]


def status_problems(cg: Abtf, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return what is wrong with notes: a vehicle's armament Removed, a state that can be noted."""
    problems = []
    for number, row in enumerate(rows, 1):
        unit = cg.state.units[row["unit"]]
        if row["about"] == REMOVED and not is_vehicle(unit):
            problems.append(
                Problem(f"{unit.label} isn't a vehicle", "only vehicles have armament Removed", f"[{number}]")
            )
        words = row["text"].replace(",", " ").split()
        if row["about"] == STATUS and not any(
            word.casefold() in {status.casefold() for status in STATUSES} for word in words
        ):
            problems.append(
                Problem(
                    f"{row['text']!r} isn't a state that you can note",
                    f"such as {', '.join(STATUSES)}",
                    f"[{number}].text",
                )
            )
    keys = [(row["unit"], row["about"]) for row in rows]
    return problems + [
        Problem(f"{unit} is there twice for {about}", "write it in one line")
        for unit, about in dict.fromkeys(keys)
        if keys.count((unit, about)) > 1
    ]


def record_notes(cg: Abtf, about: str, why: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Fact]:
    """Yield the notes for the record of their side."""
    for row in rows:
        unit = cg.state.units[row["unit"]]
        yield VehicleRecorded(unit=unit.id, about=about, text=row["text"], why=why, to=(unit.side,))


def strike_old_notes(cg: Abtf, side: str) -> Iterator[Fact]:
    """Yield that notes of the last scenario are deleted; optional equipment stays."""
    for name, notes in list(cg.state.records.items()):
        if cg.state.units[name].side != side:
            continue
        for about in (REMOVED, STATUS):
            if about in notes:
                why = "noted for the last scenario"
                yield VehicleRecorded(unit=name, about=about, text="", why=why, to=(side,))


def _unit_field(units: Sequence[Unit]) -> Field:
    return Field("unit", unit_choice(units))
