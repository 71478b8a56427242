"""Do the two battle reports fit together? What contradicts is asked again (PL 2.9).

Both sides tell of what both can see: Control, fires, the map, Melees, prisoners, captured weapons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from laager.campaign.clauses import implements
from laager.rules.common.card import SIDES, other
from laager.rules.common.changes import INFANTRY
from laager.rules.common.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.report_desk import Desk
from laager.rules.platoon_leader.steps.report_form import CAPTURED, GUARD
from laager.rules.platoon_leader.steps.report_marks import LASTING, marks_of
from laager.rules.platoon_leader.steps.report_outcome import Report, hidden_in, main_location

Reports = Mapping[str, Report]

WITHOUT = frozenset({Mark.BROKEN, Mark.DISRUPTED, Mark.PRISONER})
"""Who carries one of these guards nobody (A20.5)."""


@dataclass(frozen=True)
class Contradiction:
    """Something that the two reports say differently: about what, and both entries."""

    about: str
    entries: Mapping[str, str]

    def words(self, cg: Cg) -> str:
        """Return it as a sentence for both sides."""
        said = "; ".join(f"{cg.side(side).name}: {self.entries[side]}" for side in SIDES)
        return f"{self.about}: {said}"


@implements("PL 2.9")
def contradictions(cg: Cg, reports: Reports) -> list[Contradiction]:
    """Return everything that the two reports say differently, in a stated order."""
    desks = {side: Desk.of(cg, side, reports[side]) for side in SIDES}
    return [
        *_public(cg, reports),
        *_melees(cg, desks),
        *_prisoners(desks),
        *_weapons(cg, desks),
    ]


# What lies open ---------------------------------------------------------------------------------


def _claims(cg: Cg, report: Report) -> dict[str, str]:
    """Return by subject what a report says of Control, fires and the map."""
    found = {}
    for row in report["control"]:
        found[f"Control of {main_location(cg, row['location'])}"] = row["side"]
    for row in report["fires"]:
        found[f"fire in {main_location(cg, row['at'])}"] = row["now"]
    for row in report["terrain"]:
        word = "gone" if row["gone"] else "there"
        found[f"{row['what']} in {main_location(cg, row['at'])}"] = word
    return found


def _public(cg: Cg, reports: Reports) -> Iterator[Contradiction]:
    claims = {side: _claims(cg, reports[side]) for side in SIDES}
    one, two = (claims[side] for side in SIDES)
    for about in one:
        if about in two and one[about] != two[about]:
            yield Contradiction(about, {side: claims[side][about] for side in SIDES})


# Who meets whom ---------------------------------------------------------------------------------


def seen_at(desk: Desk, *kinds: str) -> dict[str, list[Unit]]:
    """Return by Location the units of a side that the enemy sees there at the end of play."""
    found: dict[str, list[Unit]] = {}
    for unit_id, after in desk.after.items():
        if after.on_map and not hidden_in(desk.after, unit_id) and after.was.kind in kinds:
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


def _melees(cg: Cg, desks: Mapping[str, Desk]) -> Iterator[Contradiction]:
    seen = {side: seen_at(desks[side], *FIGHTERS) for side in SIDES}
    for side in SIDES:
        there = [at for at, units in seen[side].items() if any(u.has(Mark.MELEE) for u in units)]
        for at in cg.sort(there):
            enemies = [
                unit for unit in seen[other(side)].get(at, ()) if not unit.has(Mark.PRISONER)
            ]
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
    """Return who guards a prisoner in a Location: the unit named, or the first that can."""
    able = [u for u in seen_at(desk, *sorted(INFANTRY)).get(at, ()) if not u.has(*WITHOUT)]
    return next((unit for unit in able if named in (GUARD, unit.id)), None)


def captured_types(desk: Desk) -> Counter[str]:
    """Return what a side's report says the enemy captured, by type."""
    return Counter(after.was.type for after in desk.after.values() if after.fate == CAPTURED)


def _weapons(cg: Cg, desks: Mapping[str, Desk]) -> Iterator[Contradiction]:
    for side in SIDES:
        held = Counter(row["type"] for row in desks[side].report["taken"])
        lost = captured_types(desks[other(side)])
        for type_ in sorted(held):
            if held[type_] > lost[type_]:
                entries = {
                    side: f"{held[type_]} taken",
                    other(side): f"{lost[type_] or 'none'} captured",
                }
                yield Contradiction(f"captured {type_}", entries)


# A proposal -------------------------------------------------------------------------------------


def amended(cg: Cg, reports: Reports) -> dict[str, dict[str, Any]]:
    """Return both reports without what contradicts; they fit together.

    Disputed Control, fires and terrain stay as the record has them, one-sided Melees are off,
    prisoners without a guard are unguarded, weapons that the enemy did not lose are left out.
    """
    new = {side: deepcopy(dict(reports[side])) for side in SIDES}
    disputed = {item.about for item in _public(cg, reports)}
    desks = {side: Desk.of(cg, side, reports[side]) for side in SIDES}
    alone = {item.about for item in _melees(cg, desks)}
    for side in SIDES:
        for field in ("control", "fires", "terrain"):
            new[side][field] = [
                row
                for row in new[side][field]
                if disputed.isdisjoint(_claims(cg, {**_NOTHING, field: [row]}))
            ]
        _break_off(desks[side], new[side], alone)
        _let_go(desks, side, new[side])
        _give_back(desks, side, new[side])
        for field in ("units", "new", "taken"):
            new[side][field] = [_said(row) for row in new[side][field]]
    return new


def _said(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without what it leaves open: as an answer, not as it is stored."""
    return {name: value for name, value in row.items() if value is not None}


_NOTHING: Mapping[str, Any] = {"control": (), "fires": (), "terrain": ()}


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
