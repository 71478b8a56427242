"""Do two battle reports fit together? Where they contradict each other, both sides are asked again.

Both sides report what both can see: Control, fires, the map, Melees, prisoners, captured weapons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY
from laager.rules.board.context import CardContext
from laager.rules.board.places import main_location, unit_id
from laager.rules.board.report.form import CAPTURED, GUARD
from laager.rules.board.report.marks import LASTING, marks_of
from laager.rules.board.report.outcome import UnitAfter
from laager.rules.board.report.side_report import Contradiction, SideReport, each_outcome
from laager.rules.board.units import Mark, Unit

Pair = Mapping[str, SideReport]
"""The reports of both sides, by side."""

WITHOUT = frozenset({Mark.BROKEN, Mark.DISRUPTED, Mark.PRISONER})
"""A unit with one of these can't guard prisoners (A20.5)."""

FIGHTERS = (*sorted(INFANTRY), "afv", "vehicle")


def contradictions(pair: Pair) -> list[Contradiction]:
    """Return everything that two reports say differently, in a stated order."""
    first = pair[SIDES[0]]
    return [*_public(pair), *_melees(pair), *_prisoners(pair), *_weapons(pair), *first.further_contradictions(pair)]


# What both see ----------------------------------------------------------------------------------


def _claim(cg: CardContext, field: str, row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the subject of a row about Control, fires or the map, and what it says about it."""
    if field == "control":
        return f"Control of {main_location(cg, row['location'])}", row["side"]
    at = main_location(cg, row["at"])
    if field == "fires":
        return f"fire in {at}", row["now"]
    return f"{row['what']} in {at}", "gone" if row["gone"] else "there"


UNLISTED = {"fate": "on-map", "type": "", "entered": None, "name": ""}
"""The row of a unit that stays as it is."""

OPEN = ("control", "fires", "terrain")


def _public(pair: Pair) -> Iterator[Contradiction]:
    claims = {
        side: dict(_claim(report.cg, field, row) for field in OPEN for row in _rows(report, field))
        for side, report in pair.items()
    }
    first, second = (claims[side] for side in SIDES)
    for about in first:
        if about in second and first[about] != second[about]:
            yield Contradiction(about, {side: claims[side][about] for side in SIDES})


def _rows(report: SideReport, field: str) -> list[dict[str, Any]]:
    rows: Any = report.answer.get(field, [])
    return list(rows)


def seen_at(report: SideReport, *kinds: str) -> dict[str, list[Unit]]:
    """Return by Location the units of a side that the enemy sees there at the end of play."""
    seen: dict[str, list[Unit]] = {}
    for name, after in report.after.items():
        if after.on_map and not report.hides(name) and after.was.kind in kinds:
            seen.setdefault(after.at, []).append(after.was.but(at=after.at, marks=after.marks))
    for i, row in enumerate(report.answer["new"]):
        kind, marks = report.new_kind(row) or "", marks_of(row["marks"])
        if kind in kinds and Mark.CONCEALED not in marks and Mark.CLOAKED not in marks:
            at = main_location(report.cg, row["at"])
            unit = Unit(id=f"new {i + 1}", side=report.side, nation="", type=row["type"], kind=kind, at=at, marks=marks)
            seen.setdefault(at, []).append(unit)
    return seen


def _melees(pair: Pair) -> Iterator[Contradiction]:
    seen = {side: seen_at(pair[side], *FIGHTERS) for side in SIDES}
    for side in SIDES:
        there = [at for at, units in seen[side].items() if any(u.has(Mark.MELEE) for u in units)]
        for at in pair[side].cg.sort(there):
            if all(unit.has(Mark.PRISONER) for unit in seen[other_side(side)].get(at, ())):
                entries = {side: "units in Melee", other_side(side): "no unit that could fight there"}
                yield Contradiction(f"Melee in {at}", entries)


def needs_guard(after: UnitAfter) -> bool:
    """True if a unit is a prisoner that needs a guard."""
    return after.on_map and after.has(Mark.PRISONER) and not after.has(Mark.UNGUARDED)


def _prisoners(pair: Pair) -> Iterator[Contradiction]:
    for report, after in each_outcome(pair):
        enemy = other_side(report.side)
        if needs_guard(after) and guard_of(pair[enemy], after.at, after.holder) is None:
            guard = "a guard" if after.holder == GUARD else after.holder
            entries = {report.side: f"{after.was.type} guarded by {guard}", enemy: "no unit that could guard it there"}
            yield Contradiction(f"prisoner in {after.at}", entries)


def guard_of(report: SideReport, at: str, named: str) -> Unit | None:
    """Return the unit that guards a prisoner in a Location: the one named, or the first that can.

    If the prisoner's side sees no unit there, a unit that it doesn't see guards it: the prisoner gives it away.
    """
    seen = [u for u in seen_at(report, *sorted(INFANTRY)).get(at, ()) if not u.has(*WITHOUT)]
    able = seen or [
        after.was
        for after in report.after.values()
        if after.on_map and after.at == at and after.was.kind in INFANTRY
        if after.marks.isdisjoint(WITHOUT)
    ]
    return next((unit for unit in able if named in (GUARD, unit.id)), None)


def captured_types(report: SideReport) -> Counter[str]:
    """Return by type what a side says the enemy captured."""
    return Counter(after.was.type for after in report.after.values() if after.fate == CAPTURED)


def _weapons(pair: Pair) -> Iterator[Contradiction]:
    for side in SIDES:
        held = Counter(row["type"] for row in pair[side].answer["taken"])
        lost = captured_types(pair[other_side(side)])
        for type_ in sorted(held):
            if held[type_] > lost[type_]:
                entries = {side: f"{held[type_]} taken", other_side(side): f"{lost[type_] or 'none'} captured"}
                yield Contradiction(f"captured {type_}", entries)


# A proposal -------------------------------------------------------------------------------------


def reconcile(pair: Pair, disputes: list[Contradiction]) -> dict[str, dict[str, Any]]:
    """Return both reports without what contradicts, so that they fit together.

    Disputed Control, fires and terrain stay as the record has them, one-sided Melees are off,
    prisoners without a guard are unguarded, weapons that the enemy didn't lose are left out, and
    units that can't have left the map stay.
    """
    new: dict[str, Any] = {side: deepcopy(dict(pair[side].answer)) for side in SIDES}
    subjects = {item.about for item in disputes}
    stay = {name for item in disputes for name in item.left}
    for side in SIDES:
        report, answer = pair[side], new[side]
        for field in OPEN:
            if field in answer:
                answer[field] = [row for row in answer[field] if _claim(report.cg, field, row)[0] not in subjects]
        _break_off(report, answer, subjects)
        _let_go(pair, report, answer)
        _give_back(pair[other_side(side)], answer)
        for field in ("units", "new", "taken"):
            answer[field] = [{name: value for name, value in row.items() if value is not None} for row in answer[field]]
        answer["units"] = [row for row in answer["units"] if unit_id(row["unit"]) not in stay]
    return new


def _break_off(report: SideReport, answer: dict[str, Any], subjects: set[str]) -> None:
    for after in report.after.values():
        if after.on_map and after.has(Mark.MELEE) and f"Melee in {after.at}" in subjects:
            _row_of(answer, after)["marks"] = _list_marks(after.marks - {Mark.MELEE})
    for row in answer["new"]:
        if f"Melee in {main_location(report.cg, row['at'])}" in subjects:
            row["marks"] = [mark for mark in row["marks"] or [] if mark != Mark.MELEE]


def _let_go(pair: Pair, report: SideReport, answer: dict[str, Any]) -> None:
    for after in report.after.values():
        if needs_guard(after) and guard_of(pair[other_side(report.side)], after.at, after.holder) is None:
            _row_of(answer, after).update({"with": "", "marks": _list_marks(after.marks | {Mark.UNGUARDED})})


def _row_of(answer: dict[str, Any], after: UnitAfter) -> dict[str, Any]:
    """Return a unit's row in a report, after adding one if the report leaves it out."""
    if after.row is None:
        answer["units"].append({"unit": after.was.id, "at": after.at, **UNLISTED})
    row: dict[str, Any] = answer["units"][-1 if after.row is None else after.row]
    return row


def _list_marks(marks: frozenset[Mark]) -> list[str]:
    return sorted(mark.value for mark in marks - LASTING)


def _give_back(enemy: SideReport, answer: dict[str, Any]) -> None:
    lost, kept = captured_types(enemy), []
    for row in answer["taken"]:
        if lost[row["type"]] > 0:
            lost[row["type"]] -= 1
            kept.append(row)
    answer["taken"] = kept
