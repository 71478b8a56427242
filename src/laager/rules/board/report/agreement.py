"""Do the units' parts of two battle reports fit together? What contradicts is asked again.

Both sides tell of what both can see: Melees, prisoners, captured weapons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.rules.board.card.parts import SIDES, other
from laager.rules.board.changes import INFANTRY
from laager.rules.board.context import CardContext
from laager.rules.board.places import main_location, unit_id
from laager.rules.board.report.desk import Desk
from laager.rules.board.report.form import CAPTURED, GUARD
from laager.rules.board.report.marks import LASTING, marks_of
from laager.rules.board.report.outcome import Report, hidden_in
from laager.rules.board.units import Mark, Unit

Reports = Mapping[str, Report]

WITHOUT = frozenset({Mark.BROKEN, Mark.DISRUPTED, Mark.PRISONER})
"""Who carries one of these guards nobody (A20.5)."""


@dataclass(frozen=True)
class Contradiction:
    """Something that the two reports say differently: about what, and both entries."""

    about: str
    entries: Mapping[str, str]

    def words(self, cg: CardContext) -> str:
        """Return it as a sentence for both sides."""
        said = "; ".join(f"{cg.side(side).name}: {self.entries[side]}" for side in SIDES)
        return f"{self.about}: {said}"


@dataclass(frozen=True)
class Denied:
    """Units of a side that cannot have left the map as it reports, by what its enemy reports."""

    contradiction: Contradiction
    side: str
    units: tuple[str, ...]


def unit_contradictions(cg: CardContext, desks: Mapping[str, Desk]) -> list[Contradiction]:
    """Return everything that the two reports say differently of units, in a stated order."""
    return [*_melees(cg, desks), *_prisoners(desks), *_weapons(cg, desks)]


# Who meets whom ---------------------------------------------------------------------------------


def seen_at(desk: Desk, *kinds: str) -> dict[str, list[Unit]]:
    """Return by Location the units of a side that the enemy sees there at the end of play."""
    found: dict[str, list[Unit]] = {}
    for name, after in desk.after.items():
        if after.on_map and not hidden_in(desk.after, name) and after.was.kind in kinds:
            unit = after.was.model_copy(update={"at": after.at, "marks": after.marks})
            found.setdefault(after.at, []).append(unit)
    for i, row in enumerate(desk.report["new"]):
        kind, marks = desk.new_kind(row) or "", marks_of(row["marks"])
        if kind in kinds and Mark.CONCEALED not in marks and Mark.CLOAKED not in marks:
            at = main_location(desk.cg, row["at"])
            unit = Unit(id=f"new {i + 1}", side=desk.side, nation="", type=row["type"], kind=kind)
            unit = unit.model_copy(update={"at": at, "marks": marks})
            found.setdefault(at, []).append(unit)
    return found


FIGHTERS = (*sorted(INFANTRY), "afv", "vehicle")


def _melees(cg: CardContext, desks: Mapping[str, Desk]) -> Iterator[Contradiction]:
    seen = {side: seen_at(desks[side], *FIGHTERS) for side in SIDES}
    for side in SIDES:
        there = [at for at, units in seen[side].items() if any(u.has(Mark.MELEE) for u in units)]
        for at in cg.sort(there):
            enemies = [unit for unit in seen[other(side)].get(at, ()) if not unit.has(Mark.PRISONER)]
            if not enemies:
                entries = {side: "units in Melee", other(side): "no unit that could fight there"}
                yield Contradiction(f"Melee in {at}", entries)


def _prisoners(desks: Mapping[str, Desk]) -> Iterator[Contradiction]:
    for side in SIDES:
        for after in desks[side].after.values():
            if not after.on_map or not after.has(Mark.PRISONER) or after.has(Mark.UNGUARDED):
                continue
            if guard_of(desks[other(side)], after.at, after.holder) is None:
                guard = "a guard" if after.holder == GUARD else after.holder
                entries = {
                    side: f"{after.was.type} guarded by {guard}",
                    other(side): "no unit that could guard him there",
                }
                yield Contradiction(f"prisoner in {after.at}", entries)


def guard_of(desk: Desk, at: str, named: str) -> Unit | None:
    """Return who guards a prisoner in a Location: the unit named, or the first that can.

    If the enemy sees nobody there it is one whom he does not see: the prisoner tells of him.
    """
    seen = [u for u in seen_at(desk, *sorted(INFANTRY)).get(at, ()) if not u.has(*WITHOUT)]
    able = seen or [
        after.was
        for after in desk.after.values()
        if after.on_map and after.at == at and after.was.kind in INFANTRY
        if after.marks.isdisjoint(WITHOUT)
    ]
    return next((unit for unit in able if named in (GUARD, unit.id)), None)


def captured_types(desk: Desk) -> Counter[str]:
    """Return what a side's report says the enemy captured, by type."""
    return Counter(after.was.type for after in desk.after.values() if after.fate == CAPTURED)


def _weapons(cg: CardContext, desks: Mapping[str, Desk]) -> Iterator[Contradiction]:
    for side in SIDES:
        held = Counter(row["type"] for row in desks[side].report["taken"])
        lost = captured_types(desks[other(side)])
        for type_ in sorted(held):
            if held[type_] > lost[type_]:
                entries = {side: f"{held[type_]} taken", other(side): f"{lost[type_] or 'none'} captured"}
                yield Contradiction(f"captured {type_}", entries)


def amend_exits(denied: Denied, reports: Mapping[str, dict[str, Any]]) -> None:
    """Take what cannot have left the map out of a report (a copy, changed in place)."""
    report = reports[denied.side]
    report["units"] = [row for row in report["units"] if unit_id(row["unit"]) not in denied.units]


# A proposal -------------------------------------------------------------------------------------


def amend_units(cg: CardContext, desks: Mapping[str, Desk], reports: Mapping[str, dict[str, Any]]) -> None:
    """Take out of reports (copies, changed in place) what contradicts about units.

    One-sided Melees are off, prisoners without a guard are unguarded, weapons that the enemy did
    not lose are left out.
    """
    alone = {item.about for item in _melees(cg, desks)}
    for side in SIDES:
        _break_off(desks[side], reports[side], alone)
        _let_go(desks, side, reports[side])
        _give_back(desks, side, reports[side])
        for field in ("units", "new", "taken"):
            reports[side][field] = [_said(row) for row in reports[side][field]]


def _said(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without what it leaves open: as an answer, not as it is stored."""
    return {name: value for name, value in row.items() if value is not None}


def _break_off(desk: Desk, report: dict[str, Any], alone: set[str]) -> None:
    for after in desk.after.values():
        if after.row is not None and after.on_map and f"Melee in {after.at}" in alone:
            row = report["units"][after.row]
            row["marks"] = [mark for mark in row["marks"] or [] if mark != Mark.MELEE]
    for row in report["new"]:
        if f"Melee in {main_location(desk.cg, row['at'])}" in alone:
            row["marks"] = [mark for mark in row["marks"] if mark != Mark.MELEE]


def _let_go(desks: Mapping[str, Desk], side: str, report: dict[str, Any]) -> None:
    for after in desks[side].after.values():
        held = after.on_map and after.has(Mark.PRISONER) and not after.has(Mark.UNGUARDED)
        if held and guard_of(desks[other(side)], after.at, after.holder) is None:
            row = _row_of(report, after.was.id, after.row, after.at)
            marks = sorted(mark.value for mark in (after.marks | {Mark.UNGUARDED}) - LASTING)
            row.update({"with": "", "marks": marks})


def _row_of(report: dict[str, Any], unit: str, place: int | None, at: str) -> dict[str, Any]:
    if place is not None:
        found: dict[str, Any] = report["units"][place]
        return found
    row = {"unit": unit, "fate": "on-map", "at": at, "marks": None, "with": None}
    row |= {"type": "", "entered": None, "name": ""}
    report["units"].append(row)
    return row


def _give_back(desks: Mapping[str, Desk], side: str, report: dict[str, Any]) -> None:
    lost = captured_types(desks[other(side)])
    kept = []
    for row in report["taken"]:
        if lost[row["type"]] > 0:
            lost[row["type"]] -= 1
            kept.append(row)
    report["taken"] = kept
