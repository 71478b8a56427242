"""Does the units' part of a battle report add up? Every fault of it at once; pure functions.

A side's report is held against what this side may know: its own record, the map, and what is
public. What needs both reports is compared later (`agreement`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from laager.base import Problem, did_you_mean
from laager.rules.board.card.parts import SIDES, other
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, VEHICLES, is_vehicle
from laager.rules.board.context import CardContext
from laager.rules.board.places import is_number_of, main_location, place_problem, unit_id, unit_named
from laager.rules.board.report.desk import Desk, kind_of
from laager.rules.board.report.form import CAPTURED, ELIMINATED, GONE, GUARD, LEFT, OFF_MAP, ON_MAP, RECALLED
from laager.rules.board.report.marks import WRECKAGE, kind_words, mark_problems, marks_of
from laager.rules.board.report.outcome import FOLLOWS, After, Report, took_part
from laager.rules.board.units import Mark, Place, Unit

D = TypeVar("D", bound=Desk)

Exits = Callable[[D, After, Mapping[str, Any]], Iterator[Problem]]
"""Yields why a unit cannot have left the map and stayed in its OB; each rule system has its own."""

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


# Which unit -------------------------------------------------------------------------------------


def unit_problems(desk: D, exits: Exits[D]) -> Iterator[Problem]:
    """Yield everything that is wrong with the units' rows, and with what they leave unsaid."""
    yield from _unit_rows(desk, exits)
    yield from _left_unsaid(desk)


def _unit_rows(desk: D, exits: Exits[D]) -> Iterator[Problem]:
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
            for problem in row_problems(desk, desk.after[unit.id], row, exits):
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


def row_problems(desk: D, after: After, row: Mapping[str, Any], exits: Exits[D]) -> Iterator[Problem]:
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
        yield from _off_map(desk, after, row)
    elif after.fate in LEFT:
        yield from exits(desk, after, row)
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
    elif unit.has(Mark.FIXED) and after.moved and Mark.DISMANTLED not in unit.marks | after.marks:
        rule = f" ({desk.fixed_rule})" if desk.fixed_rule else ""
        what = f"{unit.label} stays where it is for the whole campaign{rule}"
        yield Problem(what, f"at: {unit.at}", "at")
    if row["entered"] is False:
        what = f"{unit.label} is on the map, so it did enter"
        yield Problem(what, "leave entered out, or fate: off-map", "entered")


def _off_map(desk: Desk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    unit = after.was
    if unit.on_map:
        what = f"{unit.label} was on the map ({unit.at})"
        yield Problem(what, desk.left_advice, "fate")
    if row["at"]:
        what = f"{unit.label} is off the map and cannot be in {row['at']}"
        yield Problem(what, "leave at out, or fate: on-map", "at")
    if row["entered"]:
        what = f"{unit.label} entered, yet is off the map"
        yield Problem(what, "exited, or another fate", "fate")


ALLOWED: Mapping[str, frozenset[Mark]] = {
    ELIMINATED: WRECKAGE,
    CAPTURED: frozenset({Mark.PRISONER, Mark.UNGUARDED}),
    RECALLED: frozenset({Mark.RECALL, Mark.STUN, Mark.SHOCK, Mark.UNKNOWN})
    | {Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED, Mark.MALFUNCTIONED, Mark.LOW_AMMO, Mark.ENCIRCLED}
    | {Mark.DISABLED, Mark.INEXPERIENCED},
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
    if there is None and Mark.PRISONER in marks:
        # A guard whom the side does not know is for it as one that is not there.
        right = f"with: {GUARD}; or no with and the marker unguarded, if you know of no guard"
        return Problem(f"there is no unit {holder!r} that you know of", right, "with")
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
            assert holder.row is not None, "who is not listed is never gone"
            where = f"units[{holder.row + 1}].fate"
            yield Problem(what, "list it too, with its own fate or Location", where)


def entry_problems(desk: Desk, why_not: Callable[[Unit], str]) -> Iterator[Problem]:
    """Yield the units off the map that may not enter in this battle and did so all the same.

    `why_not` says why a unit may not; nothing if it may.
    """
    for after in desk.after.values():
        why = "" if after.row is None or after.was.on_map else why_not(after.was)
        if why and after.row is not None and took_part(after, desk.report["units"][after.row]):
            yield Problem(why, "fate: off-map", f"units[{after.row + 1}].fate")


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


TAKEABLE = frozenset({"sw", "gun", "afv", "vehicle"})
"""The kinds of enemy units that a side can have in its hands as its own."""


def rows_of(report: Report, field: str, *needed: str) -> Iterator[tuple[str, Any]]:
    """Yield the rows that could be read, each with where it stands."""
    for i, row in enumerate(report[field]):
        if row is not None and all(row[name] is not None for name in needed):
            yield f"{field}[{i + 1}]", row


def again(keys: Sequence[Hashable], key: Hashable) -> bool:
    """Whether a key is there more than once."""
    return keys.count(key) > 1


# Enemy weapons ----------------------------------------------------------------------------------


def taken_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with the enemy weapons that a side says it holds."""
    for where, row in rows_of(desk.report, "taken", "type", "by"):
        kind = weapon_kind(desk.cg, desk.side, row["type"])
        if kind is None:
            nations = [desk.cg.nation(side) for side in (other(desk.side), desk.side)]
            known = [t for n in nations for t in (*n.support_weapons, *n.guns, *n.vehicles)]
            what = f"{row['type']!r} is no weapon of either side"
            yield Problem(what, did_you_mean(row["type"], known), f"{where}.type")
        else:
            names: list[str] = row["marks"] or []
            for problem in mark_problems(kind, row["type"], names):
                yield problem.inside(where)
            for mark in sorted(marks_of(names) & (WRECKAGE | {Mark.HIP})):
                what = f"a captured {kind_words(kind)} is not marked {mark}"
                yield Problem(what, "leave it out", f"{where}.marks")
        yield from _captor(desk, where, unit_id(row["by"]))


def weapon_kind(cg: CardContext, side: str, type_: str) -> str | None:
    """Return the kind of a weapon of the enemy, or of one's own won back; None if it is none."""
    for owner in (other(side), side):
        kind = kind_of(cg, owner, type_)
        if kind in TAKEABLE:
            return kind
    return None


def _captor(desk: Desk, where: str, by: str) -> Iterator[Problem]:
    if by in desk.new:
        return
    after = desk.after.get(by)
    if after is None:
        what = f"there is no unit {by!r}"
        yield Problem(what, did_you_mean(by, desk.after), f"{where}.by")
    elif after.was.kind not in INFANTRY or not after.on_map or after.has(Mark.PRISONER):
        what = f"{after.was.label} cannot possess it"
        yield Problem(what, "personnel on the map that is not captured", f"{where}.by")
