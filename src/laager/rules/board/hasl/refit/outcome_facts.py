"""What follows from the outcomes that players told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from laager.campaign import Fact, Procedure, implements
from laager.rules.board.changes import (
    INFANTRY,
    carried_by,
    change,
    changes_hands,
    gone,
    harden,
    is_vehicle,
    marked,
    moved,
    reduce,
    replace_unit,
    reveal,
    vehicle_lost,
)
from laager.rules.board.facts import UnitAttached
from laager.rules.board.hasl.areas import held_in
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.refit.outcome_checks import (
    CAPTURED,
    CHANGED,
    ELIMINATED,
    HARDENED,
    MARKED,
    MOVED,
    POSSESSED,
    RECALLED,
    RECOVERED,
    REDUCED,
    RELEASED,
    REMOVED,
    REPLACED,
    UNMARKED,
    Row,
)
from laager.rules.board.places import main_location, unit_id
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark, Place, Unit

Change = Callable[[Hasl, Unit, Row, str], Iterator[Fact]]


def apply_all(cg: Hasl, rows: Sequence[Row], why: str) -> Procedure[None]:
    """Apply outcomes one after the other; the CVP that follow are among the facts."""
    for row in rows:
        unit = cg.state.units[unit_id(row["unit"])]
        if unit.in_play and row["what"] in CHANGES:
            yield from tell(CHANGES[row["what"]](cg, unit, row, why))


def _location(cg: Hasl, row: Row) -> str:
    return main_location(cg, row["at"]) if row["at"] else ""


def _possessed(cg: Hasl, unit: Unit, row: Row, why: str) -> Iterator[Fact]:
    yield UnitAttached(unit=unit.id, to_unit=unit_id(row["by"]), why=why, to=unit.audience)


def _changed(cg: Hasl, unit: Unit, row: Row, why: str) -> Iterator[Fact]:
    yield change(cg, unit, row["type"], CHANGED, why)


CHANGES: Mapping[str, Change] = {
    ELIMINATED: lambda cg, unit, _, why: lost(cg, unit, why),
    CAPTURED: lambda cg, unit, row, why: captured(cg, unit, unit_id(row["by"]), why),
    REDUCED: lambda cg, unit, _, why: reduce(cg, unit, why),
    REPLACED: lambda cg, unit, _, why: replace_unit(cg, unit, why),
    HARDENED: lambda cg, unit, _, why: harden(cg, unit, why),
    CHANGED: _changed,
    RECOVERED: lambda _cg, unit, _, why: marked(unit, remove=[Mark.WOUNDED], why=why),
    MARKED: lambda _, unit, row, why: marked(unit, add=[Mark(row["marker"])], why=why),
    UNMARKED: lambda _, unit, row, why: marked(unit, remove=[Mark(row["marker"])], why=why),
    MOVED: lambda cg, unit, row, why: goes(cg, unit, _location(cg, row), why),
    POSSESSED: _possessed,
    RECALLED: lambda cg, unit, _, why: gone(cg, unit, Place.RECALLED, why),
    RELEASED: lambda cg, unit, row, why: released(cg, unit, _location(cg, row), why),
    REMOVED: lambda cg, unit, _, why: gone(cg, unit, Place.REMOVED, why),
}
"""What follows from each outcome; the others change nothing."""


def lost(cg: Hasl, unit: Unit, why: str) -> Iterator[Fact]:
    """A unit is eliminated, a vehicle with all that is on it."""
    if is_vehicle(unit) and unit.on_map:
        yield from vehicle_lost(cg, unit, why)
    else:
        yield from gone(cg, unit, Place.ELIMINATED, why)


def captured(cg: Hasl, unit: Unit, by: str, why: str) -> Iterator[Fact]:
    """Personnel become prisoners of a unit, or leave for good with double CVP; else it is his."""
    if unit.kind not in INFANTRY:
        yield from gone(cg, unit, Place.CAPTURED, f"{why}: captured")
        kept = unit.marks & {Mark.MALFUNCTIONED, Mark.DISABLED, Mark.MA_MALFUNCTIONED}
        yield from changes_hands(cg, unit, by, kept)
        return
    if not by:
        yield from prisoner_gone(cg, unit, f"{why}: captured")
        return
    yield from reveal(unit, f"{why}: captured")
    unit = cg.state.units[unit.id]
    for item in list(carried_by(cg, unit)):
        yield UnitAttached(unit=item.id, why=f"{why}: dropped", to=item.audience)
    yield from marked(unit, add=[Mark.PRISONER], remove=[Mark.MELEE], why=f"{why}: captured")
    yield UnitAttached(unit=unit.id, to_unit=by, why=f"{why}: guarded", to=unit.audience)


@implements("HASL 12")
def prisoner_gone(cg: Hasl, unit: Unit, why: str) -> Iterator[Fact]:
    """A prisoner is taken off for good; guarded ones score double (A26.2)."""
    double = not unit.has(Mark.UNGUARDED)
    points = cg.nation_of(unit).cvp(unit.type, prisoner=double)
    yield from gone(cg, unit, Place.CAPTURED, why, cvp=points)


def released(cg: Hasl, unit: Unit, at: str, why: str) -> Iterator[Fact]:
    """A prisoner is free again, where he is or elsewhere, and Retained in the area there."""
    yield from marked(unit, remove=[Mark.PRISONER, Mark.UNGUARDED], why=f"{why}: free")
    if unit.with_unit:
        yield UnitAttached(unit=unit.id, why=f"{why}: free", to=unit.audience)
    if at:
        yield moved(unit, at, why=f"{why}: free")
    area = held_in(cg.state.areas, cg, cg.state.units[unit.id])
    if area != unit.area:
        yield UnitRetained(unit=unit.id, area=area, why=f"{why}: free", to=(unit.side,))


def goes(cg: Hasl, unit: Unit, at: str, why: str) -> Iterator[Fact]:
    """A unit is in another Location now, with all that it carries."""
    if at != unit.at or not unit.on_map:
        yield moved(unit, at, why=why)
    for item in list(carried_by(cg, unit)):
        yield from goes(cg, item, at, f"goes with {unit.type}")
