"""How a Melee ended: what may be entered, and what follows (PL 3.13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.base import Problem
from laager.campaign import Fact, Procedure
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import (
    INFANTRY,
    MMC,
    SMC,
    carried_by,
    changes_hands,
    gone,
    is_vehicle,
    marked,
    moved,
    reduce,
    vehicle_lost,
)
from laager.rules.board.facts import UnitAttached
from laager.rules.board.places import hex_of, main_location, place_problem
from laager.rules.board.telling import tell
from laager.rules.board.units import HIDING, Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.control import control_passes

Row = dict[str, Any]

ELIMINATED, CAPTURED, REDUCED, WITHDREW = "eliminated", "captured", "reduced", "withdrew"

OUTCOMES = (ELIMINATED, CAPTURED, REDUCED, WITHDREW)

LEAVES = frozenset({ELIMINATED, CAPTURED, WITHDREW})
"""With these a unit no longer fights in the Location."""


def melee_problems(cg: Cg, at: str, rows: list[Row]) -> list[Problem]:
    """Return everything that is wrong with the end of a Melee as entered."""
    problems: list[Problem] = []
    by_unit = {row["unit"]: row for row in rows}
    for i, row in enumerate(rows):
        unit = cg.state.units[row["unit"]]
        if row is not by_unit[row["unit"]]:
            problems.append(Problem(f"{unit.label} is named twice", "once each", f"[{i + 1}].unit"))
        problems += [p.inside(f"[{i + 1}]") for p in _row_problems(cg, at, unit, row, by_unit)]
    left = [side for side in SIDES if _still_there(cg, at, side, by_unit)]
    if len(left) == len(SIDES):
        right = "fight on until one side is eliminated or has withdrawn (PL 3.13)"
        problems.append(Problem(f"both sides still have units in {at}", right))
    return problems


def _still_there(cg: Cg, at: str, side: str, rows: Mapping[str, Row]) -> bool:
    return any(
        unit.id not in rows or rows[unit.id]["outcome"] not in LEAVES
        for unit in cg.state.at(at)
        if unit.side == side and unit.has(Mark.MELEE)
    )


def _row_problems(cg: Cg, at: str, unit: Unit, row: Row, rows: Mapping[str, Row]) -> Iterator[Problem]:
    outcome = row["outcome"]
    if outcome == REDUCED and not _reducible(cg, unit):
        what = f"{unit.label} cannot be Reduced and live"
        yield Problem(what, "eliminated", "outcome")
    if outcome == WITHDREW:
        yield from _withdrawal(cg, at, unit, row["to"])
    elif row["to"]:
        yield Problem(f"{unit.label} did not withdraw", "leave to out", "to")
    if outcome == CAPTURED:
        captor = cg.state.units.get(row["by"])
        if captor is None or captor.side == unit.side or not _free(captor, rows):
            what = f"{unit.label} is captured, but by whom?"
            yield Problem(what, "by: an enemy unit that is still there", "by")
    elif row["by"]:
        yield Problem(f"{unit.label} was not captured", "leave by out", "by")


def _reducible(cg: Cg, unit: Unit) -> bool:
    if unit.kind in SMC:
        return unit.kind != "hero" and not unit.has(Mark.WOUNDED)
    return unit.kind in MMC and cg.nation_of(unit).reduced(unit.type) is not None


def _free(captor: Unit, rows: Mapping[str, Row]) -> bool:
    lost = captor.id in rows and rows[captor.id]["outcome"] in LEAVES
    return captor.has(Mark.MELEE) and captor.kind in INFANTRY and not lost


def _withdrawal(cg: Cg, at: str, unit: Unit, to: str) -> Iterator[Problem]:
    if unit.kind not in INFANTRY and not is_vehicle(unit):
        yield Problem(f"{unit.label} does not withdraw", "it goes with its possessor", "outcome")
        return
    if wrong := place_problem(cg, unit.side, to):
        yield Problem(*wrong, "to")
        return
    goal = main_location(cg, to)
    if goal == at or cg.map.distance(hex_of(goal), hex_of(at)) > 1:
        yield Problem(f"{goal} is not ADJACENT to {at}", "an ADJACENT Location", "to")
    elif enemies_seen(cg, unit.side, goal):
        yield Problem(f"there is a Known enemy in {goal}", "a Location without one", "to")


def enemies_seen(cg: Cg, side: str, at: str) -> bool:
    """Whether a Known enemy that could fight stands in a Location."""
    return any(
        unit.side != side
        and unit.known
        and (unit.kind in INFANTRY or is_vehicle(unit))
        and not unit.has(Mark.PRISONER, Mark.ABANDONED)
        for unit in cg.state.at(at)
    )


# What follows -----------------------------------------------------------------------------------


def conclude(cg: Cg, at: str, rows: list[Row]) -> Procedure[None]:
    """Apply the end of a Melee; who is left alone with an MMC gains Control (A26.11)."""
    why = f"CC in {at}"
    for row in rows:
        if row["outcome"] == WITHDREW:
            unit = cg.state.units[row["unit"]]
            yield from tell(_withdraws(cg, unit, main_location(cg, row["to"]), why))
    for row in rows:
        if row["outcome"] == CAPTURED:
            yield from tell(_captured(cg, cg.state.units[row["unit"]], row["by"], why))
    for row in rows:
        unit = cg.state.units[row["unit"]]
        if row["outcome"] == REDUCED:
            yield from tell(reduce(cg, unit, why))
        elif row["outcome"] == ELIMINATED:
            yield from tell(lost(cg, unit, why))
    for unit in list(cg.state.at(at)):
        yield from tell(marked(unit, remove=[Mark.MELEE], why=f"{why} is over"))
    winner = sole_occupant(cg, at)
    if winner and at in cg.strategic():
        yield from tell(control_passes(cg, {at: winner}, f"{why} left it alone there"))


def lost(cg: Cg, unit: Unit, why: str) -> Iterator[Fact]:
    """A unit is eliminated, a vehicle with all that is on it."""
    if is_vehicle(unit):
        yield from vehicle_lost(cg, unit, why)
    else:
        yield from gone(cg, unit, Place.ELIMINATED, why)


def _withdraws(cg: Cg, unit: Unit, to: str, why: str) -> Iterator[Fact]:
    yield moved(unit, to, why=f"{why}: withdrew")
    for item in list(carried_by(cg, unit)):
        yield from _withdraws(cg, item, to, why)
    yield from marked(cg.state.units[unit.id], remove=[Mark.MELEE], why=f"{why}: withdrew")


def _captured(cg: Cg, unit: Unit, by: str, why: str) -> Iterator[Fact]:
    """Personnel become prisoners of their captor, weapons and vehicles his own."""
    if unit.kind not in INFANTRY:
        yield from gone(cg, unit, Place.CAPTURED, f"{why}: captured")
        yield from changes_hands(cg, unit, by, unit.marks & {Mark.MALFUNCTIONED, Mark.DISABLED})
        return
    for item in list(carried_by(cg, unit)):
        yield UnitAttached(unit=item.id, why=f"{why}: dropped", to=item.audience)
    yield from marked(unit, add=[Mark.PRISONER], remove=[Mark.MELEE], why=f"{why}: captured")
    yield UnitAttached(unit=unit.id, to_unit=by, why=f"{why}: guarded", to=unit.audience)


def sole_occupant(cg: Cg, at: str) -> str:
    """Return the side that alone has an MMC in a Location and no enemy there; "" if none.

    Hidden units count for nothing here: Control is public.
    """
    there = [
        unit
        for unit in cg.state.at(at)
        if unit.kind in INFANTRY or is_vehicle(unit)
        if not unit.has(Mark.PRISONER, Mark.ABANDONED, *HIDING)
    ]
    sides = {unit.side for unit in there}
    if len(sides) != 1 or not any(unit.kind in MMC for unit in there):
        return ""
    return sides.pop()
