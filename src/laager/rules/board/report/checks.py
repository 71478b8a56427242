"""Does a battle report add up? Everything that is wrong with it, all at once; pure functions.

A side's report is checked against what that side can know: its own record, the map, and what is
public. What takes both reports is compared later (`agreement`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from laager.base import Problem, did_you_mean
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, VEHICLES, is_vehicle
from laager.rules.board.context import CardContext
from laager.rules.board.places import find_unit, hex_of, is_number_of, main_location, place_problem, unit_id
from laager.rules.board.report import form
from laager.rules.board.report.marks import WRECKAGE, kind_words, mark_problems, marks_of
from laager.rules.board.report.outcome import FOLLOWS, UnitAfter, read_rows, rows_of
from laager.rules.board.report.side_report import SideReport, kind_of
from laager.rules.board.units import Mark, Place, Unit

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

ALLOWED: Mapping[str, frozenset[Mark]] = {
    form.ELIMINATED: WRECKAGE,
    form.CAPTURED: frozenset({Mark.PRISONER, Mark.UNGUARDED}),
    form.RECALLED: frozenset({Mark.RECALL, Mark.STUN, Mark.SHOCK, Mark.UNKNOWN})
    | {Mark.MA_MALFUNCTIONED, Mark.MA_DISABLED, Mark.MALFUNCTIONED, Mark.LOW_AMMO, Mark.ENCIRCLED}
    | {Mark.DISABLED, Mark.INEXPERIENCED},
}
"""Markers that a unit can still have when it is gone."""

TAKEABLE = frozenset({"sw", "gun", "afv", "vehicle"})
"""The kinds of enemy units that a side can have in its hands as its own."""


def report_problems(report: SideReport) -> list[Problem]:
    """Return everything that is wrong with a side's report, in its order."""
    return [
        *_unit_rows(report),
        *_left_out_problems(report),
        *_entry_problems(report),
        *_new_problems(report),
        *_taken_problems(report),
        *report.further_problems(),
    ]


def is_repeated(keys: Sequence[Hashable], key: Hashable) -> bool:
    """True if a key is there more than once."""
    return keys.count(key) > 1


# Which unit -------------------------------------------------------------------------------------


def _unit_rows(report: SideReport) -> Iterator[Problem]:
    for i, row in read_rows(report.answer["units"], "unit"):
        unit = find_unit(report.cg, report.side, row["unit"])
        if unit is None or not unit.in_play:
            problems: Iterator[Problem] = iter([_unknown_unit_problem(report, row["unit"], unit)])
        elif report.after[unit.id].row != i:
            problems = iter([_repeat_problem(report, report.after[unit.id], i)])
        else:
            problems = _row_problems(report, report.after[unit.id], row)
        for problem in problems:
            yield problem.inside(f"units[{i + 1}]")


def _unknown_unit_problem(report: SideReport, text: str, unit: Unit | None) -> Problem:
    """Say why this side can't report on the unit of a row."""
    if unit is not None:
        return Problem(f"{unit.label} was {WAS[unit.place]} before this battle", "leave it out", "unit")
    enemy = other_side(report.side)
    if is_number_of(enemy, text):
        # This side must not learn if such a unit exists.
        message = f"{text} is a number of the enemy ({report.cg.side(enemy).name})"
        return Problem(message, "each side reports its own units", "unit")
    return Problem(f"you have no unit {text!r}", did_you_mean(text, report.after), "unit")


def _repeat_problem(report: SideReport, after: UnitAfter, again: int) -> Problem:
    first, rows = after.row or 0, report.answer["units"]
    places = [main_location(report.cg, rows[i]["at"]) for i in (first, again)]
    message = f"{after.was.label} is listed twice (row {first + 1} too)"
    if all(places) and places[0] != places[1]:
        message = f"{after.was.label} is in two places: {places[0]} (row {first + 1}) and {places[1]}"
    return Problem(message, "list it once", "unit")


def _left_out_problems(report: SideReport) -> Iterator[Problem]:
    """Yield what was with a unit that is gone, and isn't listed itself."""
    for after in report.after.values():
        holder = report.after.get(after.was.with_unit)
        if after.row is None and holder is not None and holder.fate not in FOLLOWS:
            message = f"{after.was.label} was with {holder.was.label}, which is {holder.fate}"
            assert holder.row is not None, "a unit that isn't listed is never gone"
            where = f"units[{holder.row + 1}].fate"
            yield Problem(message, "list it too, with its own fate or Location", where)


# One row ----------------------------------------------------------------------------------------


def _row_problems(report: SideReport, after: UnitAfter, row: form.UnitRow) -> Iterator[Problem]:
    unit, names = after.was, row["marks"] or []
    yield from mark_problems(unit.kind, unit.label, names)
    yield from _type_problems(report, after)
    if after.fate == form.ON_MAP:
        yield from _on_map_problems(report, after, row)
        yield from _hiding_problems(after, names)
        yield from _prisoner_problems(report, after)
        if after.holder:
            yield from holder_problems(report, unit, after.at, after.holder, after.marks)
    elif after.fate == form.OFF_MAP:
        yield from _off_map_problems(report, after, row)
    elif after.fate in form.LEFT:
        yield from report.exit_problems(after, row)
    elif after.fate in form.GONE:
        yield from _gone_problems(report, after, row)
    if after.fate != form.ELIMINATED:
        for mark in sorted(marks_of(names) & WRECKAGE):
            message = f"{unit.label} is marked {mark}, so it is no longer in play"
            yield Problem(message, "fate: eliminated", "fate")


def _on_map_problems(report: SideReport, after: UnitAfter, row: form.UnitRow) -> Iterator[Problem]:
    unit = after.was
    if not after.at:
        yield Problem(f"{unit.label} is on the map but has no Location", "add at, or fate: off-map", "at")
    elif wrong := place_problem(report.cg, report.side, after.at):
        yield Problem(*wrong, "at")
    elif is_vehicle(unit) and "." in after.at:
        yield Problem(f"{unit.label} is a vehicle and can't be in {after.at}", hex_of(after.at), "at")
    elif unit.has(Mark.FIXED) and after.moved and Mark.DISMANTLED not in unit.marks | after.marks:
        rule = f" ({report.fixed_rule})" if report.fixed_rule else ""
        yield Problem(f"{unit.label} stays where it is for the whole campaign{rule}", f"at: {unit.at}", "at")
    if row["entered"] is False:
        message = f"{unit.label} is on the map, so it did enter"
        yield Problem(message, "leave entered out, or fate: off-map", "entered")


def _off_map_problems(report: SideReport, after: UnitAfter, row: form.UnitRow) -> Iterator[Problem]:
    unit = after.was
    if unit.on_map:
        yield Problem(f"{unit.label} was on the map ({unit.at})", report.left_advice, "fate")
    if row["at"]:
        message = f"{unit.label} is off the map and can't be in {row['at']}"
        yield Problem(message, "leave at out, or fate: on-map", "at")
    if row["entered"]:
        yield Problem(f"{unit.label} entered, but is off the map", "exited, or another fate", "fate")


def _gone_problems(report: SideReport, after: UnitAfter, row: form.UnitRow) -> Iterator[Problem]:
    unit, is_gone = after.was, f"{after.was.label} is {after.fate} and can't be"
    wreck = after.fate == form.ELIMINATED and is_vehicle(unit)
    if row["at"] and not wreck:
        yield Problem(f"{is_gone} in {row['at']}", "leave at out", "at")
    elif row["at"] and (wrong := place_problem(report.cg, report.side, after.at)):
        yield Problem(*wrong, "at")
    elif wreck and not row["at"] and not unit.on_map and row["entered"] is not False:
        yield Problem(f"the wreck of {unit.label} has no Location", "say where it is: at", "at")
    for mark in sorted(marks_of(row["marks"] or []) - ALLOWED.get(after.fate, frozenset())):
        yield Problem(f"{is_gone} {mark}", "leave its markers out", "marks")
    with_ = unit_id(row["with"])
    if with_ and with_ != unit.with_unit:
        yield Problem(f"{is_gone} with {with_}", "leave with out", "with")
    if after.fate == form.RECALLED and not is_vehicle(unit) and unit.kind not in LEADERS:
        yield Problem(f"{unit.label} isn't a vehicle and can't be Recalled", "another fate", "fate")


def _type_problems(report: SideReport, after: UnitAfter) -> Iterator[Problem]:
    """Yield why a unit can't have become another type: Reduced, Replaced, hardened, combined."""
    unit, nation = after.was, report.cg.nation_of(after.was)
    if after.type == unit.type:
        return
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
        right = did_you_mean(after.type, sorted(known)) if known else "leave type out"
        yield Problem(f"{unit.label} can't have become {after.type!r}", right, "type")


def _hiding_problems(after: UnitAfter, names: list[str]) -> Iterator[Problem]:
    """Yield why a unit can't be HIP: nothing becomes hidden in play."""
    unit = after.was
    if Mark.HIP.value not in names or unit.kind not in INFANTRY | VEHICLES | {"sw", "gun"}:
        return
    right = "concealed, or leave the marker out"
    if unit.known:
        yield Problem(f"the enemy knows {unit.label}, so it can't be HIP", right, "marks")
    elif not unit.has(Mark.HIP):
        yield Problem(f"{unit.label} was not HIP when play began", right, "marks")
    elif after.moved:
        yield Problem(f"{unit.label} has moved from {unit.at} and is no longer HIP", right, "marks")


def _prisoner_problems(report: SideReport, after: UnitAfter) -> Iterator[Problem]:
    unit = after.was
    if not after.has(Mark.PRISONER):
        return
    guarded = after.holder not in {"", *report.after}
    if not guarded and not after.has(Mark.UNGUARDED):
        message = f"{unit.label} is a prisoner without a guard"
        yield Problem(message, "add with: guard, or the marker unguarded", "with")
    if guarded and after.has(Mark.UNGUARDED):
        yield Problem(f"{unit.label} is unguarded, but {after.holder} guards it", "keep one of them", "with")


# Who is with whom -------------------------------------------------------------------------------


def holder_problems(
    report: SideReport, unit: Unit, at: str, holder: str, marks: frozenset[Mark] = frozenset()
) -> Iterator[Problem]:
    """Yield why a unit in a Location can't be with another one."""
    prisoner, called = Mark.PRISONER in marks, report.label(holder)
    enemy = report.cg.state.units.get(holder)
    there = _standing(report, holder)
    if holder == form.GUARD or (enemy is not None and enemy.side != report.side and enemy.known):
        if not prisoner:
            message = f"{unit.label} isn't a prisoner and can't be with an enemy"
            yield Problem(message, "leave with out, or add the marker prisoner", "with")
    elif prisoner and holder in report.after:
        yield Problem(f"{unit.label} is a prisoner and can't be with {called}", "with: guard", "with")
    elif there is None and prisoner:
        # For its side, a guard that it doesn't know is like one that isn't there.
        right = f"with: {form.GUARD}; or, if you know of no guard, no with and the marker unguarded"
        yield Problem(f"you know of no unit {holder!r}", right, "with")
    elif there is None:
        yield Problem(f"you have no unit {holder!r}", did_you_mean(holder, report.after), "with")
    elif there[0] not in HOLDERS.get(unit.kind, frozenset()) or holder == unit.id:
        yield Problem(f"{unit.label} can't be with {called}", explain_holders(unit.kind), "with")
    elif not there[1]:
        message = f"{called} is {report.after[holder].fate} and has nothing with it on the map"
        yield Problem(message, "name another unit, or with: ''", "with")
    elif at != there[1]:
        message = f"{unit.label} is in {at or 'no Location'}, but {called} is in {there[1]}"
        yield Problem(message, f"at: {there[1]}, or with: ''", "at")
    elif Mark.PRISONER in there[2]:
        yield Problem(f"{called} is a prisoner and can't possess anything", "with: ''", "with")


def _standing(report: SideReport, holder: str) -> tuple[str, str, frozenset[Mark]] | None:
    """Return kind, Location ("" if off the map) and markers of a possible holder."""
    if holder in report.after:
        after = report.after[holder]
        return after.was.kind, after.at if after.on_map else "", after.marks
    row = report.new.get(holder)
    if row is None:
        return None
    return report.new_kind(row) or "", main_location(report.cg, row["at"] or ""), marks_of(row["marks"])


def explain_holders(kind: str) -> str:
    """Return with what a kind of unit can be, in words."""
    if kind in VEHICLES:
        return "a vehicle isn't with any unit"
    if kind in INFANTRY:
        return "personnel can only be with a vehicle"
    return f"an {kind_words(kind)} is with the personnel that possess it or a vehicle that carries it"


def _entry_problems(report: SideReport) -> Iterator[Problem]:
    """Yield the units that entered in this battle though they couldn't."""
    for after in report.after.values():
        if after.row is None or after.was.on_map or not report.took_part(after):
            continue
        if why := report.entry_barrier(after.was):
            yield Problem(why, "fate: off-map", f"units[{after.row + 1}].fate")


# New units --------------------------------------------------------------------------------------


def _new_problems(report: SideReport) -> Iterator[Problem]:
    names: set[str] = set()
    for where, row in rows_of("new", report.answer["new"], "type", "at"):
        for problem in _new_row(report, row):
            yield problem.inside(where)
        name = unit_id(row["name"])
        if name and (name in names or any(is_number_of(side, name) for side in SIDES)):
            yield Problem(f"{name} is another unit", "another name", "name").inside(where)
        names.add(name)


def _new_row(report: SideReport, row: form.NewRow) -> Iterator[Problem]:
    nation, kind = report.cg.nation(report.side), report.new_kind(row)
    if row["type"] not in nation:
        known = [*nation.mmc, *nation.smc, *nation.support_weapons]
        yield Problem(nation.lacks("type", repr(row["type"])), did_you_mean(row["type"], known), "type")
    elif kind is None:
        yield Problem(f"{row['type']} can't be a {kind_words(row['kind'])}", "leave kind out", "kind")
    if wrong := place_problem(report.cg, report.side, row["at"]):
        yield Problem(*wrong, "at")
    if kind is not None:
        names = row["marks"] or []
        yield from mark_problems(kind, row["type"], names)
        for mark in sorted(marks_of(names) & (WRECKAGE | {Mark.HIP, Mark.PRISONER})):
            yield Problem(f"a new unit can't be {mark}", "leave it out", "marks")
        unit = Unit(id=row["name"] or row["type"], side="", nation="", type=row["type"], kind=kind)
        if row["with"]:
            yield from holder_problems(report, unit, main_location(report.cg, row["at"]), unit_id(row["with"]))
    if row["from"] and unit_id(row["from"]) not in report.after:
        yield Problem(f"you had no unit {row['from']!r} in play", did_you_mean(row["from"], report.after), "from")


# Enemy weapons ----------------------------------------------------------------------------------


def _taken_problems(report: SideReport) -> Iterator[Problem]:
    cg, side = report.cg, report.side
    for where, row in rows_of("taken", report.answer["taken"], "type", "by"):
        kind = weapon_kind(cg, side, row["type"])
        if kind is None:
            nations = [cg.nation(other_side(side)), cg.nation(side)]
            known = [t for n in nations for t in (*n.support_weapons, *n.guns, *n.vehicles)]
            message = f"neither side has a weapon {row['type']!r}"
            yield Problem(message, did_you_mean(row["type"], known), f"{where}.type")
        else:
            names = row["marks"] or []
            for problem in mark_problems(kind, row["type"], names):
                yield problem.inside(where)
            for mark in sorted(marks_of(names) & (WRECKAGE | {Mark.HIP})):
                yield Problem(f"a captured {kind_words(kind)} can't be {mark}", "leave it out", f"{where}.marks")
        yield from _captor_problems(report, f"{where}.by", unit_id(row["by"]))


def weapon_kind(cg: CardContext, side: str, type_: str) -> str | None:
    """Return the kind of a weapon of the enemy, or of one's own won back; None for an unknown type."""
    for owner in (other_side(side), side):
        kind = kind_of(cg, owner, type_)
        if kind in TAKEABLE:
            return kind
    return None


def _captor_problems(report: SideReport, where: str, by: str) -> Iterator[Problem]:
    after = report.after.get(by)
    if by in report.new:
        return
    if after is None:
        yield Problem(f"you have no unit {by!r}", did_you_mean(by, report.after), where)
    elif after.was.kind not in INFANTRY or not after.on_map or after.has(Mark.PRISONER):
        yield Problem(f"{after.was.label} can't possess it", "personnel on the map that isn't captured", where)
