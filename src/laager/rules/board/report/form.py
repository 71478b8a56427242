"""The units' part of a battle report as a form, and a question that tells all that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import DataError, Problem, Refusal
from laager.campaign import Choice, Field, Form, Option, Question, Record, Rows, Several, Text, YesNo
from laager.rules.board.report.marks import FITS, LASTING
from laager.rules.board.units import Mark, Unit

ON_MAP, OFF_MAP, EXITED, OBJECTIVE_EXIT = "on-map", "off-map", "exited", "objective-exit"
ELIMINATED, CAPTURED, RECALLED, REMOVED = "eliminated", "captured", "recalled", "removed"

GONE = frozenset({ELIMINATED, CAPTURED, RECALLED, REMOVED})
"""With these a unit is no longer usable."""

LEFT = frozenset({EXITED, OBJECTIVE_EXIT})

PLACED, TAKEN_AWAY, REVEALED = "placed", "removed", "revealed"
"""What may have happened to a fortification."""

GUARD = "guard"
"""Stands for the enemy unit that guards a prisoner where it is."""


# The form ---------------------------------------------------------------------------------------


def unit_form(fates: Mapping[str, str], *more: Field) -> Record:
    """Return the form of what became of one unit; `fates` are the words for it, explained."""
    return Record(
        (
            Field("unit", Text(40), "Unit"),
            Field("fate", Choice.of(**_labels(fates)), "Fate", ON_MAP),
            Field("at", Text(20), "Location (of one that left: the hex of the edge)", ""),
            Field("marks", _marks(), "All markers on it", None),
            Field("with", Text(40), "Its possessor, vehicle or guard", None),
            Field("type", Text(40), "What it is now, if it changed", ""),
            Field("entered", YesNo(), "Did it take part?", None),
            Field("name", Text(40), "Its name, if it changed", ""),
            *more,
        )
    )


def _labels(words: Mapping[str, str]) -> dict[str, str]:
    return {word.replace("-", "_"): label for word, label in words.items()}


def new_form() -> Record:
    """Return the form of a unit that came into being in play."""
    kinds = ("", "commissar", "armor-leader")
    return Record(
        (
            Field("type", Text(40), "Type"),
            Field("kind", Choice.of(*kinds), "What it is, where the type leaves that open", ""),
            Field("at", Text(20), "Location"),
            Field("marks", _marks(), "All markers on it", []),
            Field("with", Text(40), "Its possessor, vehicle or guard", ""),
            Field("from", Text(40), "The unit out of which it came", ""),
            Field("name", Text(40), "Name, by which other rows can refer to it", ""),
        )
    )


def taken_form() -> Record:
    """Return the form of an enemy weapon that a side holds."""
    return Record(
        (
            Field("type", Text(40), "Type"),
            Field("by", Text(40), "The unit that possesses it"),
            Field("marks", _marks(), "All markers on it", []),
        )
    )


def _marks() -> Several:
    return Several(tuple(Option(mark.value) for mark in FITS))


def unit_row(unit: Unit) -> dict[str, Any]:
    """Return a unit's row as the record has it; what is empty is left out."""
    row: dict[str, Any] = {"unit": unit.id, "type": unit.type}
    if unit.name:
        row["name"] = unit.name
    row["fate"] = ON_MAP if unit.on_map else OFF_MAP
    if unit.on_map:
        row["at"] = unit.at or ""
    row["marks"] = [mark.value for mark in Mark if mark in unit.marks - LASTING]
    if unit.with_unit:
        row["with"] = unit.with_unit
    return row


# The question -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReportQuestion(Question):
    """A question that tells what is wrong with form and content of its answer together."""

    def accept(self, raw: Any) -> Any:
        """Return the answer to store. Raises DataError with everything that is wrong with it."""
        wrong: list[Problem] = []
        value = read(self.form, raw, wrong)
        if value is not None:
            wrong += self.check(value)
        if wrong:
            raise DataError(dict.fromkeys(wrong), Refusal.BAD_ANSWER)
        return value


def read(form: Form, raw: Any, wrong: list[Problem]) -> Any:
    """Return an answer as far as it can be read, with its problems added to `wrong`.

    What can't be read has its default, or is None if it must be given; so rows keep their places.
    """
    try:
        return form.parse(raw)
    except DataError as err:
        problems = err.problems
    if isinstance(form, Rows) and isinstance(raw, list):
        if len(raw) > form.most:
            wrong += problems
            return []
        return [_inside(form.row, row, f"[{i + 1}]", wrong) for i, row in enumerate(raw)]
    if isinstance(form, Record) and isinstance(raw, Mapping):
        names = {part.name for part in form.fields}
        wrong += [
            problem
            for problem in problems
            if problem.field not in names and problem.field.split("[")[0].split(".")[0] not in names
        ]
        return {part.name: _part(part, raw, wrong) for part in form.fields}
    wrong += problems
    return None


def _inside(form: Form, raw: Any, where: str, wrong: list[Problem]) -> Any:
    inner: list[Problem] = []
    value = read(form, raw, inner)
    wrong += [problem.inside(where) for problem in inner]
    return value


def _part(part: Field, raw: Mapping[str, Any], wrong: list[Problem]) -> Any:
    if part.name not in raw and part.required:
        wrong.append(Problem("is missing", "add it", part.name))
        return None
    if part.name not in raw or part.left_open(raw[part.name]):
        return part.default
    value = _inside(part.form, raw[part.name], part.name, wrong)
    if value is None and not part.required:
        return part.default
    return value
