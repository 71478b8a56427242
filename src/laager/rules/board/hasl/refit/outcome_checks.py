"""What can become of units in a step told by the players, and what the rules have against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from laager.base import Problem, did_you_mean
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, SMC, is_vehicle
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.places import place_problem, unit_id
from laager.rules.board.report.marks import FITS, mark_problems
from laager.rules.board.units import Mark, Unit

Row = Mapping[str, Any]

ELIMINATED, CAPTURED, REDUCED, REPLACED = "eliminated", "captured", "reduced", "replaced"
HARDENED, CHANGED, RECOVERED, STAYS = "hardened", "changed", "recovered", "stays"
MARKED, UNMARKED, MOVED, POSSESSED = "marked", "unmarked", "moved", "possessed"
RECALLED, RELEASED, REMOVED = "recalled", "released", "removed"

WORDS: Mapping[str, str] = {
    ELIMINATED: "eliminated; a vehicle is a wreck",
    CAPTURED: "captured: personnel a prisoner of `by`, or with nobody taken off the map; "
    "a weapon or vehicle in the hands of `by`",
    REDUCED: "Reduced: a squad its half-squad, an SMC wounded",
    REPLACED: "Replaced by the next lower type",
    HARDENED: "Battle Hardened",
    CHANGED: "another type: `type`",
    RECOVERED: "no longer wounded",
    STAYS: "stays as it is",
    MARKED: "gets the marker `marker`",
    UNMARKED: "loses the marker `marker`",
    MOVED: "is in the Location `at` now",
    POSSESSED: "is possessed by `by` now, or by nobody",
    RECALLED: "Recalled",
    RELEASED: "no prisoner any more",
    REMOVED: "gone without loss",
}
"""What can become of a unit, and what each word means."""

GONE = frozenset({ELIMINATED, CAPTURED, RECALLED, REMOVED})

USES: Mapping[str, frozenset[str]] = {
    CAPTURED: frozenset({"by"}),
    CHANGED: frozenset({"type"}),
    MARKED: frozenset({"marker"}),
    UNMARKED: frozenset({"marker"}),
    MOVED: frozenset({"at"}),
    POSSESSED: frozenset({"by"}),
    RELEASED: frozenset({"at"}),
}
"""The further fields that an outcome has a use for."""


# Checking ---------------------------------------------------------------------------------------


def outcome_problems(cg: Hasl, units: Sequence[Unit], offered: Sequence[str], rows: Sequence[Row]) -> list[Problem]:
    """Return everything that is wrong with outcomes told; `units` are those that may be named."""
    known = {unit.id: unit for unit in units}
    away: set[str] = set()
    problems: list[Problem] = []
    for i, row in enumerate(rows):
        where = f"rows[{i + 1}]"
        unit = known.get(unit_id(row["unit"]))
        if unit is None or not unit.in_play:
            what = f"there is no unit {row['unit']!r} in play that can be named here"
            right = did_you_mean(row["unit"], [one.id for one in units if one.in_play])
            problems.append(Problem(what, right, f"{where}.unit"))
            continue
        found = [*_fields(row), *CHECKS.get(row["what"], _anything)(cg, known, unit, row)]
        if unit.id in away:
            found.append(Problem(f"{unit.label} is gone already", "leave the row out", "unit"))
        if row["what"] in GONE:
            away.add(unit.id)
        problems += [problem.inside(where) for problem in found]
    return problems


def _fields(row: Row) -> Iterator[Problem]:
    uses = USES.get(row["what"], frozenset())
    for name in ("by", "at", "type", "marker"):
        if row[name] and name not in uses:
            yield Problem(f"{row['what']} has no use for it", "leave it out", name)
    for name in sorted(uses - {"by", "at"}):
        if not row[name]:
            yield Problem(f"{row['what']}, but which {name}?", f"add {name}", name)


Known = Mapping[str, Unit]


def _anything(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    yield from ()


def _may_reduce(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if unit.kind not in MMC | SMC:
        yield Problem(f"{unit.label} cannot be Reduced", "eliminated", "what")
        return
    dies = unit.kind == "hero" or unit.has(Mark.WOUNDED)
    if unit.kind in MMC:
        dies = cg.nation_of(unit).reduced(unit.type) is None
    if dies:
        yield Problem(f"{unit.label} cannot be Reduced and live", "eliminated", "what")


def _may_replace(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if unit.kind not in MMC | LEADERS:
        yield Problem(f"{unit.label} is never {row['what']}", "another outcome", "what")


def _may_change(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    nation = cg.nation_of(unit)
    types: Sequence[str] = []
    if unit.kind in MMC:
        types = [*nation.mmc]
    elif unit.kind in LEADERS:
        armor = unit.kind == "armor-leader"
        types = nation.leaders.armor if armor else nation.leaders.types
    if row["type"] and row["type"] not in types:
        right = did_you_mean(row["type"], types) if types else "another outcome"
        yield Problem(f"{unit.label} cannot become {row['type']!r}", right, "type")


def _may_recover(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not unit.has(Mark.WOUNDED):
        yield Problem(f"{unit.label} is not wounded", "leave the row out", "what")


def _may_mark(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not row["marker"]:
        return
    mark = Mark(row["marker"])
    if row["what"] == UNMARKED and mark not in unit.marks:
        yield Problem(f"{unit.label} is not marked {mark}", "leave the row out", "marker")
    elif row["what"] == MARKED and mark in unit.marks:
        yield Problem(f"{unit.label} is marked {mark} already", "leave the row out", "marker")
    elif row["what"] == MARKED:
        listed = [one.value for one in (unit.marks & frozenset(FITS)) | {mark}]
        for problem in mark_problems(unit.kind, unit.label, sorted(listed)):
            yield Problem(problem.what, problem.right, "marker")


def _may_move(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not row["at"]:
        if row["what"] == MOVED:
            yield Problem(f"{unit.label} has moved, but where to?", "add at", "at")
    elif wrong := place_problem(cg, unit.side, row["at"]):
        yield Problem(*wrong, "at")
    elif is_vehicle(unit) and "." in row["at"]:
        yield Problem(f"{unit.label} is a vehicle and cannot be in {row['at']}", "a hex", "at")


def _may_possess(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if unit.kind not in ("sw", "gun"):
        yield Problem(f"{unit.label} is possessed by nobody", "a SW or Gun", "unit")
        return
    if row["by"]:
        yield from _beside(known, unit, row, unit.side)


def _may_capture(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    # Who captures must be seen, so an enemy may be named whether or not this is a shared step.
    seen = {**known, **{one.id: one for one in cg.state.units.values() if one.known}}
    if row["by"]:
        yield from _beside(seen, unit, row, "")
    elif unit.kind not in INFANTRY:
        yield Problem(f"{unit.label} is captured, but by whom?", "add by", "by")


def _beside(known: Known, unit: Unit, row: Row, side: str) -> Iterator[Problem]:
    """Yield why another unit cannot have a unit: `side` "" stands for the enemy of its own."""
    holder = known.get(unit_id(row["by"]))
    fits = holder is not None and (holder.side == side if side else holder.side != unit.side)
    if holder is None or not fits or holder.kind not in INFANTRY:
        whose = "its own side" if side else "the enemy"
        yield Problem(f"{row['by']!r} cannot have it", f"personnel of {whose}", "by")
    elif (holder.place, holder.at) != (unit.place, unit.at):
        where = holder.at or "no Location"
        what = f"{unit.label} is in {unit.at or 'no Location'}, {holder.label} in {where}"
        yield Problem(what, "a unit in the same Location", "by")
    elif holder.has(Mark.PRISONER):
        yield Problem(f"{holder.label} is a prisoner", "a unit that is none", "by")


def _may_recall(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not is_vehicle(unit) and unit.kind not in LEADERS:
        yield Problem(f"{unit.label} is no vehicle and cannot be Recalled", "another", "what")


def _may_release(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not unit.has(Mark.PRISONER):
        yield Problem(f"{unit.label} is no prisoner", "leave the row out", "what")
    yield from _may_move(cg, known, unit, row)


Checker = Callable[[Hasl, Known, Unit, Row], Iterator[Problem]]

CHECKS: Mapping[str, Checker] = {
    CAPTURED: _may_capture,
    REDUCED: _may_reduce,
    REPLACED: _may_replace,
    HARDENED: _may_replace,
    CHANGED: _may_change,
    RECOVERED: _may_recover,
    MARKED: _may_mark,
    UNMARKED: _may_mark,
    MOVED: _may_move,
    POSSESSED: _may_possess,
    RECALLED: _may_recall,
    RELEASED: _may_release,
}
"""What the rules have against each outcome."""
