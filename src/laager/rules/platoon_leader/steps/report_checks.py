"""Does a battle report add up? Every fault of it at once; pure functions (PL 2.9).

A side's report is held against what this side may know: its own record, the map, and what is
public. What needs both reports is compared later (`report_agreement`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign.clauses import implements
from laager.rules.common.card import SIDES, other
from laager.rules.common.changes import INFANTRY, LEADERS, MMC, VEHICLES, is_vehicle
from laager.rules.common.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.report_board_checks import board_problems
from laager.rules.platoon_leader.steps.report_desk import Desk
from laager.rules.platoon_leader.steps.report_form import (
    CAPTURED,
    ELIMINATED,
    EXITED,
    GONE,
    GUARD,
    LEFT,
    OFF_MAP,
    ON_MAP,
    RECALLED,
)
from laager.rules.platoon_leader.steps.report_marks import (
    IMMOBILE,
    NOT_GOOD_ORDER,
    WRECKAGE,
    kind_words,
    mark_problems,
    marks_of,
)
from laager.rules.platoon_leader.steps.report_outcome import (
    FOLLOWS,
    After,
    Report,
    is_number_of,
    main_location,
    unit_id,
    unit_named,
)
from laager.rules.platoon_leader.steps.report_places import place_problem

HOLDERS: Mapping[str, frozenset[str]] = {
    "sw": INFANTRY | VEHICLES,
    "gun": INFANTRY | VEHICLES,
    **dict.fromkeys(INFANTRY, VEHICLES),
}
"""What a kind of unit can be with: a weapon with its possessor, personnel with a vehicle."""

WAS: Mapping[Place, str] = {
    Place.RECALLED: "Recalled",
    Place.ELIMINATED: "eliminated",
    Place.CAPTURED: "captured",
    Place.EVACUATED: "evacuated",
    Place.REMOVED: "removed",
}


def report_problems(cg: Cg, side: str, report: Report) -> list[Problem]:
    """Return everything that is wrong with a side's battle report, in its order."""
    desk = Desk.of(cg, side, report)
    return [*_unit_rows(desk), *_left_unsaid(desk), *new_problems(desk), *board_problems(desk)]


# Which unit -------------------------------------------------------------------------------------


def _unit_rows(desk: Desk) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for i, row in enumerate(desk.report["units"]):
        where = f"units[{i + 1}]"
        if row is None or row["unit"] is None:
            continue
        unit = unit_named(desk.cg, desk.side, row["unit"])
        if unit is None or not unit.in_play:
            yield _stranger(desk, row["unit"], unit).inside(where)
        elif unit.id in first:
            yield _twice(desk, unit, first[unit.id], i).inside(where)
        else:
            first[unit.id] = i
            for problem in row_problems(desk, desk.after[unit.id], row):
                yield problem.inside(where)


def _stranger(desk: Desk, text: str, unit: Unit | None) -> Problem:
    """Say why a row is about no unit that this side can report on."""
    if unit is not None:
        what = f"{unit.label} was {WAS[unit.place]} before this battle"
        return Problem(what, "leave it out", "unit")
    enemy = other(desk.side)
    if is_number_of(enemy, text):
        # Whether there is such a unit is none of this side's business.
        what = f"{text} is a number of the enemy ({desk.cg.side(enemy).name})"
        return Problem(what, "each side reports its own units", "unit")
    return Problem(f"there is no unit {text!r}", did_you_mean(text, desk.after), "unit")


def _twice(desk: Desk, unit: Unit, first: int, again: int) -> Problem:
    rows = desk.report["units"]
    places = [main_location(desk.cg, rows[i]["at"]) for i in (first, again)]
    what = f"{unit.label} is listed twice (row {first + 1} too)"
    if all(places) and places[0] != places[1]:
        what = f"{unit.label} is in two places: {places[0]} (row {first + 1}) and {places[1]}"
    return Problem(what, "list it once", "unit")


# One row ----------------------------------------------------------------------------------------


def row_problems(desk: Desk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield all that is wrong with one unit's row."""
    names: list[str] = row["marks"] or []
    yield from mark_problems(after.was.kind, after.was.label, names)
    yield from _type_problems(desk, after)
    if after.fate == ON_MAP:
        yield from _on_map(desk, after, row)
        yield from _hidden(after, names)
        yield from _prisoner(desk, after)
        yield from _with(desk, after)
    elif after.fate == OFF_MAP:
        yield from _off_map(after, row)
    elif after.fate in LEFT:
        yield from exit_problems(desk, after, row)
    elif after.fate in GONE:
        yield from _gone(desk, after, row)
    yield from _wrecks(after, names)


def _on_map(desk: Desk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    unit = after.was
    if not after.at:
        what = f"{unit.label} is on the map but has no Location"
        yield Problem(what, "add at, or fate: off-map", "at")
    elif wrong := place_problem(desk.cg, desk.side, after.at):
        yield Problem(*wrong, "at")
    elif is_vehicle(unit) and "." in after.at:
        hex_ = after.at.split(".", maxsplit=1)[0]
        yield Problem(f"{unit.label} is a vehicle and cannot be in {after.at}", hex_, "at")
    elif unit.has(Mark.FIXED) and after.moved:
        what = f"{unit.label} stays where it is for the whole campaign (PL CG3)"
        yield Problem(what, f"at: {unit.at}", "at")
    if row["entered"] is False:
        what = f"{unit.label} is on the map, so it did enter"
        yield Problem(what, "leave entered out, or fate: off-map", "entered")


def _off_map(after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    unit = after.was
    if unit.on_map:
        what = f"{unit.label} was on the map ({unit.at})"
        yield Problem(what, "if it left by a Friendly Map Edge its fate is exited", "fate")
    if row["at"]:
        what = f"{unit.label} is off the map and cannot be in {row['at']}"
        yield Problem(what, "leave at out, or fate: on-map", "at")
    if row["entered"]:
        what = f"{unit.label} entered, yet is off the map"
        yield Problem(what, "exited, or another fate", "fate")


@implements("PL CG8")
def exit_problems(desk: Desk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield why a unit cannot have left the map and stayed in its OB (PL CG8)."""
    unit, edge = after.was, desk.cg.edge(desk.side)
    wrong = place_problem(desk.cg, desk.side, after.at) if after.at else None
    if wrong:
        yield Problem(*wrong, "at")
    if after.fate != EXITED:
        return
    right = "any other exit is fate: eliminated, or objective-exit if for an Objective (PL CG8)"
    if not edge:
        yield Problem(
            f"there is no Friendly Map Edge of {desk.cg.side(desk.side).name}", right, "fate"
        )
    elif after.at and not wrong and after.at.split(".")[0] not in edge:
        yield Problem(f"{after.at} is not on a Friendly Map Edge", right, "at")
    marks = marks_of(row["marks"] or [])
    if is_vehicle(unit):
        stuck = marks & (IMMOBILE | {Mark.RECALL})
        good = "only mobile vehicles that are not Recalled exit"
    else:
        stuck, good = marks & NOT_GOOD_ORDER, "only Good Order personnel exit"
    for mark in sorted(stuck):
        yield Problem(f"{unit.label} exited, yet is {mark}", f"{good} (PL CG8)", "marks")


ALLOWED: Mapping[str, frozenset[Mark]] = {
    ELIMINATED: WRECKAGE,
    CAPTURED: frozenset({Mark.PRISONER, Mark.UNGUARDED}),
    RECALLED: frozenset({Mark.RECALL, Mark.STUN, Mark.SHOCK, Mark.UNKNOWN})
    | {Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED, Mark.MALFUNCTIONED, Mark.LOW_AMMO, Mark.ENCIRCLED},
}
"""Markers that a unit can still have which is gone."""


def _gone(desk: Desk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    unit = after.was
    wreck = after.fate == ELIMINATED and is_vehicle(unit)
    if row["at"] and not wreck:
        what = f"{unit.label} is {after.fate} and cannot be in {row['at']}"
        yield Problem(what, "leave at out", "at")
    elif row["at"] and (wrong := place_problem(desk.cg, desk.side, after.at)):
        yield Problem(*wrong, "at")
    elif wreck and not row["at"] and not unit.on_map and row["entered"] is not False:
        what = f"the wreck of {unit.label} has no Location"
        yield Problem(what, "say where it stands: at", "at")
    for mark in sorted(marks_of(row["marks"] or []) - ALLOWED.get(after.fate, frozenset())):
        what = f"{unit.label} is {after.fate} and cannot be {mark}"
        yield Problem(what, "leave its markers out", "marks")
    with_ = unit_id(row["with"])
    if with_ and with_ != unit.with_unit:
        what = f"{unit.label} is {after.fate} and cannot be with {with_}"
        yield Problem(what, "leave with out", "with")
    if after.fate == RECALLED and not is_vehicle(unit) and unit.kind not in LEADERS:
        what = f"{unit.label} is no vehicle and cannot be Recalled"
        yield Problem(what, "another fate", "fate")


def _type_problems(desk: Desk, after: After) -> Iterator[Problem]:
    """Yield why a unit cannot have become another type: Reduced, Replaced, hardened, combined."""
    unit = after.was
    if after.type == unit.type:
        return
    nation = desk.cg.nation_of(unit)
    crews = {text for text, mmc in nation.mmc.items() if mmc.kind == "crew"}
    known: set[str] = set()
    if unit.kind in MMC:
        known = crews if unit.kind == "crew" else set(nation.mmc) - crews
    elif unit.kind == "armor-leader":
        known = set(nation.leaders.armor)
    elif unit.kind in LEADERS:
        commissar = unit.type in nation.leaders.commissars
        known = set(nation.leaders.commissars if commissar else nation.leaders.types)
    if after.type not in known:
        what = f"{unit.label} cannot have become {after.type!r}"
        right = did_you_mean(after.type, sorted(known)) if known else "leave type out"
        yield Problem(what, right, "type")


def _wrecks(after: After, names: list[str]) -> Iterator[Problem]:
    """Yield wrecks that are no losses."""
    unit = after.was
    if after.fate != ELIMINATED:
        for mark in sorted(marks_of(names) & WRECKAGE):
            what = f"{unit.label} is marked {mark}, so it is no longer in play"
            yield Problem(what, "fate: eliminated", "fate")


def _hidden(after: After, names: list[str]) -> Iterator[Problem]:
    """Yield why a unit cannot be HIP: nothing becomes hidden in play."""
    unit = after.was
    if Mark.HIP.value not in names or unit.kind not in INFANTRY | VEHICLES | {"sw", "gun"}:
        return
    right = "concealed, or no such marker"
    if unit.known:
        yield Problem(f"{unit.label} is known to the enemy and cannot be HIP", right, "marks")
    elif not unit.has(Mark.HIP):
        yield Problem(f"{unit.label} was not HIP when play began", right, "marks")
    elif after.moved:
        what = f"{unit.label} has moved from {unit.at} and is no longer HIP"
        yield Problem(what, right, "marks")


def _prisoner(desk: Desk, after: After) -> Iterator[Problem]:
    unit = after.was
    if not after.has(Mark.PRISONER):
        return
    guarded = after.holder not in {"", *desk.after}
    if not guarded and not after.has(Mark.UNGUARDED):
        what = f"{unit.label} is a prisoner without a guard"
        yield Problem(what, "add with: guard, or the marker unguarded", "with")
    if guarded and after.has(Mark.UNGUARDED):
        what = f"{unit.label} is unguarded, yet guarded by {after.holder}"
        yield Problem(what, "keep one of them", "with")


# Who is with whom -------------------------------------------------------------------------------


def _with(desk: Desk, after: After) -> Iterator[Problem]:
    """Yield why a unit cannot be with the one that its row names."""
    if after.holder:
        problem = holder_problem(desk, after.was, after.at, after.holder, after.marks)
        if problem is not None:
            yield problem


def holder_problem(
    desk: Desk, unit: Unit, at: str, holder: str, marks: frozenset[Mark] = frozenset()
) -> Problem | None:
    """Say why a unit in a Location cannot be with another one; None if it can."""
    enemy = desk.cg.state.units.get(holder)
    if holder == GUARD or (enemy is not None and enemy.side != desk.side and enemy.known):
        if Mark.PRISONER in marks:
            return None
        what = f"{unit.label} is no prisoner and cannot be with an enemy"
        return Problem(what, "leave with out, or add the marker prisoner", "with")
    if Mark.PRISONER in marks and holder in desk.after:
        what = f"{unit.label} is a prisoner and cannot be with {desk.label(holder)}"
        return Problem(what, "with: guard", "with")
    there = _standing(desk, holder)
    if there is None:
        return Problem(f"there is no unit {holder!r}", did_you_mean(holder, desk.after), "with")
    kind, place, held = there
    if kind not in HOLDERS.get(unit.kind, frozenset()) or holder == unit.id:
        what = f"{unit.label} cannot be with {desk.label(holder)}"
        return Problem(what, _who_can_hold(unit.kind), "with")
    if not place:
        fate = desk.after[holder].fate
        what = f"{desk.label(holder)} is {fate} and has nothing with it on the map"
        return Problem(what, "name another unit, or with: ''", "with")
    if at != place:
        what = f"{unit.label} is in {at or 'no Location'}, but {desk.label(holder)} is in {place}"
        return Problem(what, f"at: {place}, or with: ''", "at")
    if Mark.PRISONER in held:
        what = f"{desk.label(holder)} is a prisoner and possesses nothing"
        return Problem(what, "with: ''", "with")
    return None


def _standing(desk: Desk, holder: str) -> tuple[str, str, frozenset[Mark]] | None:
    """Return kind, Location ("" if off the map) and markers of a possible holder."""
    if holder in desk.after:
        after = desk.after[holder]
        return after.was.kind, after.at if after.on_map else "", after.marks
    row = desk.new.get(holder)
    if row is None:
        return None
    found = desk.new_kind(row) or ""
    return found, main_location(desk.cg, row["at"] or ""), marks_of(row["marks"])


def _who_can_hold(kind: str) -> str:
    if kind in VEHICLES:
        return "a vehicle is with nobody"
    if kind in INFANTRY:
        return "personnel can only be with a vehicle"
    return f"the possessor of an {kind_words(kind)} is personnel, or a vehicle carries it"


def _left_unsaid(desk: Desk) -> Iterator[Problem]:
    """Yield what was with a unit that is gone, and is not listed itself."""
    for after in desk.after.values():
        holder = desk.after.get(after.was.with_unit)
        if after.row is None and holder is not None and holder.fate not in FOLLOWS:
            what = f"{after.was.label} was with {holder.was.label}, which is {holder.fate}"
            yield Problem(what, "list it too, with its own fate or Location", "units")


# New units --------------------------------------------------------------------------------------


def new_problems(desk: Desk) -> Iterator[Problem]:
    """Yield all that is wrong with the units that came into being in play."""
    names: set[str] = set()
    for i, row in enumerate(desk.report["new"]):
        if row is None or row["type"] is None or row["at"] is None:
            continue
        where = f"new[{i + 1}]"
        for problem in _new_row(desk, row):
            yield problem.inside(where)
        name = unit_id(row["name"])
        if name and (name in names or any(is_number_of(side, name) for side in SIDES)):
            yield Problem(f"{name} is another unit", "another name", "name").inside(where)
        names.add(name)


def _new_row(desk: Desk, row: Mapping[str, Any]) -> Iterator[Problem]:
    nation = desk.cg.nation(desk.side)
    kind = desk.new_kind(row)
    if row["type"] not in nation:
        known = [*nation.mmc, *nation.smc, *nation.support_weapons]
        what = f"{nation.name} has no {row['type']!r}"
        yield Problem(what, did_you_mean(row["type"], known), "type")
    elif kind is None:
        yield Problem(f"{row['type']} is no {kind_words(row['kind'])}", "leave kind out", "kind")
    if wrong := place_problem(desk.cg, desk.side, row["at"]):
        yield Problem(*wrong, "at")
    names: list[str] = row["marks"] or []
    if kind is not None:
        yield from mark_problems(kind, row["type"], names)
        for mark in sorted(marks_of(names) & (WRECKAGE | {Mark.HIP, Mark.PRISONER})):
            yield Problem(f"a new unit is not {mark}", "leave it out", "marks")
        unit = Unit(id=row["name"] or row["type"], side="", nation="", type=row["type"], kind=kind)
        if row["with"]:
            holder = unit_id(row["with"])
            problem = holder_problem(desk, unit, main_location(desk.cg, row["at"]), holder)
            if problem is not None:
                yield problem
    if row["from"] and unit_id(row["from"]) not in desk.after:
        what = f"there was no unit {row['from']!r} in play"
        yield Problem(what, did_you_mean(row["from"], desk.after), "from")
