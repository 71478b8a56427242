"""The form of the battle report (PL 2.9), and a side's record as a form already filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import DataError, Problem, Refusal
from laager.campaign.questions import (
    Choice,
    Field,
    Form,
    Number,
    Option,
    Question,
    Record,
    Rows,
    Several,
    Text,
    YesNo,
)
from laager.rules.common.card import SIDES
from laager.rules.common.units import Mark, Unit
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.oba import modules
from laager.rules.platoon_leader.steps.report_marks import FITS, LASTING

ON_MAP, OFF_MAP, EXITED, OBJECTIVE_EXIT = "on-map", "off-map", "exited", "objective-exit"
ELIMINATED, CAPTURED, RECALLED, REMOVED = "eliminated", "captured", "recalled", "removed"

FATES: Mapping[str, str] = {
    ON_MAP: "on the map",
    OFF_MAP: "off the map, did not enter",
    EXITED: "left by a Friendly Map Edge, stays in the OB (CG8)",
    OBJECTIVE_EXIT: "left elsewhere to fulfil an Objective (CG8)",
    ELIMINATED: "eliminated, or left the map in any other way; a vehicle is a wreck",
    CAPTURED: "taken off the map by the enemy, or a weapon in his hands",
    RECALLED: "Recalled",
    REMOVED: "gone without loss: merged, used up",
}
"""What can become of a unit, and what each word means."""

GONE = frozenset({ELIMINATED, CAPTURED, RECALLED, REMOVED})
"""With these a unit is no longer usable."""

LEFT = frozenset({EXITED, OBJECTIVE_EXIT})

GUARD = "guard"
"""Stands for the enemy unit that guards a prisoner where it is."""

NOBODY = "nobody"

TERRAIN = ("rubble", "shellholes", "trailbreak", "breach", "mousehole", "collapsed-hut")
"""Changes of the printed map that stay for the campaign (PL CG5)."""

FIRES = ("flame", "blaze", "none")

PLACED, TAKEN_AWAY, REVEALED = "placed", "removed", "revealed"

HELP = (
    "Only units that changed need be listed; the others stay as the record has them, and SW, Guns "
    "and passengers go where their unit goes. Of a unit on the map give its Location and all its "
    "markers. A prisoner on the map carries the marker prisoner, and `with: guard` or the marker "
    "unguarded. `type` is for units Reduced, Replaced or hardened; `new` for heroes, crews that "
    "bailed out and half-squads (`from` tells out of which unit); `taken` for enemy weapons in "
    "your hands. CVP follow from the losses; `cvp` is for what else you scored."
)


# The form ---------------------------------------------------------------------------------------


def report_form() -> Record:
    """Return the form of a side's battle report."""
    return Record(
        (
            Field("units", Rows(_unit_row()), "What became of your units", []),
            Field("new", Rows(_new_row(), most=60), "Units that came into being in play", []),
            Field("taken", Rows(_taken_row(), most=60), "Enemy weapons that you hold", []),
            Field("oba", Rows(_oba_row(), most=20), "OBA modules", []),
            Field("control", Rows(_control_row()), "Locations that changed Control", []),
            Field("fires", Rows(_fire_row(), most=200), "Flames and Blazes that changed", []),
            Field("terrain", Rows(_terrain_row(), most=200), "Changes of the map", []),
            Field("forts", Rows(_fort_row(), most=100), "Fortifications that changed", []),
            Field("cvp", Rows(_cvp_row(), most=30), "CVP beside those for losses", []),
            Field("san", Number(-7, 7), "By how much your SAN changed in play", 0),
            Field("massacre", YesNo(), "Have you invoked Massacre (A20.4)?", False),
        )
    )


def _marks() -> Several:
    return Several(tuple(Option(mark.value) for mark in FITS))


def _unit_row() -> Record:
    return Record(
        (
            Field("unit", Text(40), "Unit"),
            Field("fate", Choice.of(**_labels(FATES)), "Fate", ON_MAP),
            Field("at", Text(20), "Location (of one that left: the hex of the edge)", ""),
            Field("marks", _marks(), "All markers on it", None),
            Field("with", Text(40), "Its possessor, vehicle or guard", None),
            Field("type", Text(40), "What it is now, if it changed", ""),
            Field("entered", YesNo(), "Did it take part?", None),
            Field("name", Text(40), "Its name, if it changed", ""),
        )
    )


def _labels(words: Mapping[str, str]) -> dict[str, str]:
    return {word.replace("-", "_"): label for word, label in words.items()}


def _new_row() -> Record:
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


def _taken_row() -> Record:
    return Record(
        (
            Field("type", Text(40), "Type"),
            Field("by", Text(40), "The unit that possesses it"),
            Field("marks", _marks(), "All markers on it", []),
        )
    )


def _oba_row() -> Record:
    return Record(
        (
            Field("group", Text(20), "Module"),
            Field("used", YesNo(), "Was an FFE placed (IR and starshells do not count)?"),
        )
    )


def _control_row() -> Record:
    sides = Choice.of(*SIDES, NOBODY)
    return Record((Field("location", Text(20), "Location"), Field("side", sides, "Side")))


def _fire_row() -> Record:
    return Record((Field("at", Text(20), "Hex"), Field("now", Choice.of(*FIRES), "It is now")))


def _terrain_row() -> Record:
    return Record(
        (
            Field("at", Text(20), "Location"),
            Field("what", Choice.of(*TERRAIN), "What"),
            Field("gone", YesNo(), "Is it no longer there?", False),
        )
    )


def _fort_row() -> Record:
    kinds = tuple(Option(row.type, row.name) for row in charts().fortifications.rows)
    return Record(
        (
            Field("do", Choice.of(PLACED, TAKEN_AWAY, REVEALED), "What happened"),
            Field("fort", Text(20), "Which (removed, revealed)", ""),
            Field("kind", Choice((Option("", "-"), *kinds)), "Kind (placed)", ""),
            Field("at", Text(20), "Location (placed)", ""),
            Field("size", Text(20), "Size (placed)", ""),
            Field("factors", Number(0, 99), "Factors (placed)", 0),
        )
    )


def _cvp_row() -> Record:
    return Record((Field("points", Number(-99, 99), "CVP"), Field("why", Text(200), "For what")))


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


# The record as a report -------------------------------------------------------------------------


def report_of(cg: Cg, side: str) -> dict[str, Any]:
    """Return a side's record as a report that changes nothing: a form filled in, a template."""
    return {
        "units": [unit_row(unit) for unit in cg.state.units_of(side)],
        "new": [],
        "taken": [],
        "oba": [{"group": module.id, "used": False} for module in modules(cg, side)],
        "control": [],
        "fires": [],
        "terrain": [],
        "forts": [],
        "cvp": [],
        "san": 0,
        "massacre": False,
    }


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
