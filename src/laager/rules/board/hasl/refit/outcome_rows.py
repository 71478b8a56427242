"""Outcomes of units in a step that the players carry out: words, checks, facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import Fact, Procedure, implements
from laager.rules.board import changes
from laager.rules.board.facts import UnitAttached
from laager.rules.board.hasl.areas import area_of_unit
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.moves import move_unit
from laager.rules.board.places import main_location, place_problem, unit_id
from laager.rules.board.report.marks import FITS, mark_problems
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts

Row = Mapping[str, Any]

ELIMINATED, CAPTURED, REDUCED, REPLACED = "eliminated", "captured", "reduced", "replaced"
HARDENED, CHANGED, RECOVERED, STAYS = "hardened", "changed", "recovered", "stays"
MARKED, UNMARKED, MOVED, POSSESSED = "marked", "unmarked", "moved", "possessed"
RECALLED, RELEASED, REMOVED = "recalled", "released", "removed"

GONE = frozenset({ELIMINATED, CAPTURED, RECALLED, REMOVED})


# Checking ---------------------------------------------------------------------------------------


def outcome_problems(cg: Hasl, units: Sequence[Unit], offered: Sequence[str], rows: Sequence[Row]) -> list[Problem]:
    """Return everything that is wrong with outcomes as entered; `units` are those that rows can name."""
    known = {unit.id: unit for unit in units}
    away: set[str] = set()
    problems: list[Problem] = []
    for i, row in enumerate(rows):
        where = f"rows[{i + 1}]"
        unit = known.get(unit_id(row["unit"]))
        if unit is None or not unit.in_play:
            right = did_you_mean(row["unit"], [other.id for other in units if other.in_play])
            problems.append(Problem(f"you can't name {row['unit']!r} here", right, f"{where}.unit"))
            continue
        faults, check = [*_fields(row)], OUTCOMES[row["what"]].check
        if check is not None:
            faults += check(cg, known, unit, row)
        if unit.id in away:
            faults.append(Problem(f"{unit.label} is already gone", "leave the row out", "unit"))
        if row["what"] in GONE:
            away.add(unit.id)
        problems += [problem.inside(where) for problem in faults]
    return problems


def _fields(row: Row) -> Iterator[Problem]:
    uses = OUTCOMES[row["what"]].uses
    for name in ("by", "at", "type", "marker"):
        if row[name] and name not in uses:
            yield Problem(f"{row['what']} doesn't use it", "leave it out", name)
    for name in {"type", "marker"}.intersection(uses):
        if not row[name]:
            yield Problem(f"{row['what']}, but which {name}?", f"add {name}", name)


Known = Mapping[str, Unit]


def _may_reduce(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if unit.kind not in changes.MMC | changes.SMC:
        yield Problem(f"{unit.label} can't be Reduced", "eliminated", "what")
        return
    dies = unit.kind == "hero" or unit.has(Mark.WOUNDED)
    if unit.kind in changes.MMC:
        dies = cg.nation_of(unit).reduced_type(unit.type) is None
    if dies:
        yield Problem(f"{unit.label} can't survive Reduction", "eliminated", "what")


def _may_replace(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if unit.kind not in changes.MMC | changes.LEADERS:
        yield Problem(f"{unit.label} can't be {row['what']}", "another outcome", "what")


def _may_change(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    nation = cg.nation_of(unit)
    types: Sequence[str] = []
    if unit.kind in changes.MMC:
        types = [*nation.mmc]
    elif unit.kind in changes.LEADERS:
        armor = unit.kind == "armor-leader"
        types = nation.leaders.armor if armor else nation.leaders.types
    if row["type"] and row["type"] not in types:
        right = did_you_mean(row["type"], types) if types else "another outcome"
        yield Problem(f"{unit.label} can't become {row['type']!r}", right, "type")


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
        yield Problem(f"{unit.label} is already marked {mark}", "leave the row out", "marker")
    elif row["what"] == MARKED:
        listed = [other.value for other in (unit.marks & frozenset(FITS)) | {mark}]
        for problem in mark_problems(unit.kind, unit.label, sorted(listed)):
            yield Problem(problem.what, problem.right, "marker")


def _may_move(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not row["at"]:
        if row["what"] == MOVED:
            yield Problem(f"{unit.label} has moved, but where to?", "add at", "at")
    elif wrong := place_problem(cg, unit.side, row["at"]):
        yield Problem(*wrong, "at")
    elif changes.is_vehicle(unit) and "." in row["at"]:
        yield Problem(f"{unit.label} is a vehicle and can't be in {row['at']}", "a hex", "at")


def _may_possess(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if unit.kind not in ("sw", "gun"):
        yield Problem(f"{unit.label} can't be possessed", "an SW or Gun", "unit")
        return
    if row["by"]:
        yield from _holder_problems(known, unit, row, unit.side)


def _may_capture(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    # A captor must be seen, so a row can name an enemy even if this isn't a shared step.
    visible = {**known, **{captor.id: captor for captor in cg.state.units.values() if captor.known}}
    if row["by"]:
        yield from _holder_problems(visible, unit, row, "")
    elif unit.kind not in changes.INFANTRY:
        yield Problem(f"{unit.label} is captured, but by whom?", "add by", "by")


def _holder_problems(known: Known, unit: Unit, row: Row, side: str) -> Iterator[Problem]:
    """Yield why another unit can't have a unit; `side` "" stands for its enemy."""
    holder = known.get(unit_id(row["by"]))
    fits = holder is not None and (holder.side == side if side else holder.side != unit.side)
    if holder is None or not fits or holder.kind not in changes.INFANTRY:
        whose = "its own side" if side else "the enemy"
        yield Problem(f"{row['by']!r} can't have it", f"personnel of {whose}", "by")
    elif (holder.place, holder.at) != (unit.place, unit.at):
        where = holder.at or "no Location"
        yield Problem(
            f"{unit.label} is in {unit.at or 'no Location'}, {holder.label} in {where}",
            "a unit in the same Location",
            "by",
        )
    elif holder.has(Mark.PRISONER):
        yield Problem(f"{holder.label} is a prisoner", "a unit that isn't", "by")


def _may_recall(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not changes.is_vehicle(unit) and unit.kind not in changes.LEADERS:
        yield Problem(f"{unit.label} isn't a vehicle and can't be Recalled", "another outcome", "what")


def _may_release(cg: Hasl, known: Known, unit: Unit, row: Row) -> Iterator[Problem]:
    if not unit.has(Mark.PRISONER):
        yield Problem(f"{unit.label} isn't a prisoner", "leave the row out", "what")
    yield from _may_move(cg, known, unit, row)


# What follows -----------------------------------------------------------------------------------


def apply_all(cg: Hasl, rows: Sequence[Row], why: str) -> Procedure[None]:
    """Apply outcomes one after the other, with the CVP that they score."""
    for row in rows:
        unit, follow = cg.state.units[unit_id(row["unit"])], OUTCOMES[row["what"]].follow
        if unit.in_play and follow is not None:
            yield from yield_facts(follow(cg, unit, row, why))


def _possess(cg: Hasl, unit: Unit, row: Row, why: str) -> Iterator[Fact]:
    yield UnitAttached(unit=unit.id, to_unit=unit_id(row["by"]), why=why, to=unit.audience)


def _change(cg: Hasl, unit: Unit, row: Row, why: str) -> Iterator[Fact]:
    yield changes.change_type(cg, unit, row["type"], CHANGED, why)


KEPT = frozenset({Mark.MALFUNCTIONED, Mark.DISABLED, Mark.MA_MALFUNCTIONED})
"""Markers that a weapon or vehicle keeps in new hands."""


def _capture(cg: Hasl, unit: Unit, row: Row, why: str) -> Iterator[Fact]:
    """Personnel captured by no unit leaves the map, with double CVP for the enemy."""
    by = unit_id(row["by"])
    if by or unit.kind not in changes.INFANTRY:
        yield from changes.capture_unit(cg, unit, by, why, kept=KEPT)
    else:
        yield from lose_prisoner(cg, unit, f"{why}: captured")


@implements("HASL 12")
def lose_prisoner(cg: Hasl, unit: Unit, why: str) -> Iterator[Fact]:
    """A prisoner leaves the campaign; guarded ones score double (A26.2)."""
    double = not unit.has(Mark.UNGUARDED)
    points = cg.nation_of(unit).cvp(unit.type, prisoner=double)
    yield from changes.remove_unit(cg, unit, Place.CAPTURED, why, cvp=points)


def release(cg: Hasl, unit: Unit, at: str, why: str) -> Iterator[Fact]:
    """A prisoner is free again, where he is or elsewhere, and Retained in the area there."""
    yield from changes.change_marks(unit, remove=[Mark.PRISONER, Mark.UNGUARDED], why=f"{why}: free")
    if unit.with_unit:
        yield UnitAttached(unit=unit.id, why=f"{why}: free", to=unit.audience)
    if at:
        yield changes.place_unit(unit, at, why=f"{why}: free")
    area = area_of_unit(cg.state.areas, cg, cg.state.units[unit.id])
    if area != unit.area:
        yield UnitRetained(unit=unit.id, area=area, why=f"{why}: free", to=(unit.side,))


# The outcomes -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnitOutcome:
    """Something that can become of a unit: what the word means, and what follows from it.

    `check` yields what the rules have against it; `uses` are the further fields that it uses.
    """

    words: str
    follow: Callable[[Hasl, Unit, Row, str], Iterator[Fact]] | None = None
    check: Callable[[Hasl, Known, Unit, Row], Iterator[Problem]] | None = None
    uses: tuple[str, ...] = ()


def _location(cg: Hasl, row: Row) -> str:
    return main_location(cg, row["at"]) if row["at"] else ""


OUTCOMES: Mapping[str, UnitOutcome] = {
    ELIMINATED: UnitOutcome(
        "eliminated; a vehicle is a wreck", lambda cg, unit, _, why: changes.lose_unit(cg, unit, why)
    ),
    CAPTURED: UnitOutcome(
        "captured: personnel a prisoner of `by`, or taken off the map if `by` is empty; "
        "a weapon or vehicle in the hands of `by`",
        _capture,
        _may_capture,
        ("by",),
    ),
    REDUCED: UnitOutcome(
        "Reduced: a squad to its half-squad, an SMC wounded",
        lambda cg, unit, _, why: changes.reduce_unit(cg, unit, why),
        _may_reduce,
    ),
    REPLACED: UnitOutcome(
        "Replaced by the next lower type", lambda cg, unit, _, why: changes.replace_unit(cg, unit, why), _may_replace
    ),
    HARDENED: UnitOutcome("Battle Hardened", lambda cg, unit, _, why: changes.harden(cg, unit, why), _may_replace),
    CHANGED: UnitOutcome("another type: `type`", _change, _may_change, ("type",)),
    RECOVERED: UnitOutcome(
        "no longer wounded",
        lambda _cg, unit, _, why: changes.change_marks(unit, remove=[Mark.WOUNDED], why=why),
        _may_recover,
    ),
    STAYS: UnitOutcome("stays as it is"),
    MARKED: UnitOutcome(
        "gets the marker `marker`",
        lambda _, unit, row, why: changes.change_marks(unit, add=[Mark(row["marker"])], why=why),
        _may_mark,
        ("marker",),
    ),
    UNMARKED: UnitOutcome(
        "loses the marker `marker`",
        lambda _, unit, row, why: changes.change_marks(unit, remove=[Mark(row["marker"])], why=why),
        _may_mark,
        ("marker",),
    ),
    MOVED: UnitOutcome(
        "is now in the Location `at`",
        lambda cg, unit, row, why: move_unit(cg, unit, _location(cg, row), why),
        _may_move,
        ("at",),
    ),
    POSSESSED: UnitOutcome("now possessed by `by`, or by no unit", _possess, _may_possess, ("by",)),
    RECALLED: UnitOutcome("Recalled", lambda cg, unit, _, why: changes.recall_unit(cg, unit, why), _may_recall),
    RELEASED: UnitOutcome(
        "no longer a prisoner",
        lambda cg, unit, row, why: release(cg, unit, _location(cg, row), why),
        _may_release,
        ("at",),
    ),
    REMOVED: UnitOutcome(
        "gone without loss", lambda cg, unit, _, why: changes.remove_unit(cg, unit, Place.REMOVED, why)
    ),
}
