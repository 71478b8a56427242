"""What a battle report says of each unit, those included that it does not list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from laager.rules.board.changes import INFANTRY
from laager.rules.board.context import CardContext
from laager.rules.board.places import main_location, unit_id, unit_named
from laager.rules.board.report.form import EXITED, GONE, LEFT, OBJECTIVE_EXIT, OFF_MAP, ON_MAP, RECALLED
from laager.rules.board.report.marks import LASTING, TRAVELS, marks_of
from laager.rules.board.units import HIDING, Mark, Unit

Report = Mapping[str, Any]

FOLLOWS = frozenset({ON_MAP, OFF_MAP, EXITED, OBJECTIVE_EXIT, RECALLED})
"""Fates that what a unit has with it shares; after others a report must tell what became of it."""


@dataclass(frozen=True)
class After:
    """A unit at the end of play: its fate, and how it stands if it is still on the map.

    `holder` is the id (or the name, of a new unit) that it is with. `row` is its place in the
    report from 0, None if it is not listed. `carrier` is who took it along, if it is not listed.
    """

    was: Unit
    fate: str
    at: str = ""
    marks: frozenset[Mark] = frozenset()
    holder: str = ""
    type: str = ""
    name: str = ""
    row: int | None = None
    carrier: str = ""

    @property
    def on_map(self) -> bool:
        """Whether it is on the map."""
        return self.fate == ON_MAP

    @property
    def hidden(self) -> bool:
        """Whether it carries a marker under which the enemy does not know it."""
        return not HIDING.isdisjoint(self.marks)

    @property
    def moved(self) -> bool:
        """Whether it is not where it was before play."""
        return not self.was.on_map or self.was.at != self.at

    def has(self, *marks: Mark) -> bool:
        """Whether it carries any of these markers."""
        return not self.marks.isdisjoint(marks)


def outcomes(cg: CardContext, side: str, report: Report) -> dict[str, After]:
    """Return by id what became of each unit of a side that was in play.

    Rows that name no such unit are passed over; of several for one unit the first counts.
    """
    rows: dict[str, int] = {}
    for i, row in enumerate(report["units"]):
        unit = unit_named(cg, side, row and row["unit"])
        if unit is not None and unit.in_play:
            rows.setdefault(unit.id, i)
    found: dict[str, After] = {}
    for unit in cg.state.units_of(side):
        _settle(cg, report, unit, rows, found)
    return {unit.id: found[unit.id] for unit in cg.state.units_of(side)}


def _settle(cg: CardContext, report: Report, unit: Unit, rows: Mapping[str, int], found: dict[str, After]) -> After:
    """Settle a unit after the one that it is with; who carries each other in a circle stays."""
    if unit.id in found:
        return found[unit.id]
    found[unit.id] = _as_it_was(unit)
    row = report["units"][rows[unit.id]] if unit.id in rows else None
    with_ = unit.with_unit if row is None or row["with"] is None else unit_id(row["with"])
    holder = unit_named(cg, unit.side, with_)
    carrier = None
    if holder is not None and holder.in_play:
        carrier = _settle(cg, report, holder, rows, found)
    if row is None:
        found[unit.id] = _unlisted(unit, carrier)
    else:
        at = main_location(cg, row["at"]) if row["at"] else _beside_new(cg, report, with_)
        found[unit.id] = _listed(unit, row, rows[unit.id], at, with_, carrier)
    return found[unit.id]


def _beside_new(cg: CardContext, report: Report, name: str) -> str:
    """Return the Location of the new unit of this name; "" if there is none."""
    rows = (row for row in report["new"] if row and name and unit_id(row["name"]) == name)
    return next((main_location(cg, row["at"]) for row in rows if row["at"]), "")


def _as_it_was(unit: Unit) -> After:
    return After(
        was=unit,
        fate=ON_MAP if unit.on_map else OFF_MAP,
        at=unit.at or "",
        marks=unit.marks,
        holder=unit.with_unit,
        type=unit.type,
        name=unit.name,
    )


def _unlisted(unit: Unit, carrier: After | None) -> After:
    """Return the outcome of a unit that goes where the one goes that it is with."""
    same = _as_it_was(unit)
    if carrier is None or carrier.fate not in FOLLOWS:
        return same
    if carrier.was.has(*HIDING) and not carrier.hidden:
        same = replace(same, marks=same.marks - HIDING)
    if not carrier.on_map:
        # Passengers of a Recalled vehicle have left the map with it, but are not Recalled.
        on_foot = unit.kind in INFANTRY - {"armor-leader"}
        fate = EXITED if carrier.fate == RECALLED and on_foot else carrier.fate
        marks = same.marks & (TRAVELS | LASTING)
        return replace(same, fate=fate, at="", marks=marks, carrier=carrier.was.id)
    if unit.has(Mark.FIXED) and not unit.has(Mark.DISMANTLED) and carrier.at != unit.at:
        return replace(same, holder="")
    moved = replace(same, fate=ON_MAP, at=carrier.at, carrier=carrier.was.id)
    return replace(moved, marks=_settled_marks(moved))


def _settled_marks(after: After) -> frozenset[Mark]:
    """Return the markers without those that a move took off: a Gun that moved is not emplaced."""
    return after.marks - {Mark.EMPLACED} if after.moved else after.marks


def _listed(unit: Unit, row: Mapping[str, Any], place: int, at: str, with_: str, carrier: After | None) -> After:
    fate = row["fate"]
    if fate == ON_MAP and not at:
        at = carrier.at if carrier is not None and carrier.on_map else unit.at or ""
    after = After(
        was=unit,
        fate=fate,
        at=at,
        marks=_listed_marks(unit, row),
        holder="" if fate in GONE else with_,
        type=(row["type"] or "").strip() or unit.type,
        name=(row["name"] or "").strip() or unit.name,
        row=place,
    )
    return replace(after, marks=_settled_marks(after)) if fate == ON_MAP else after


def _listed_marks(unit: Unit, row: Mapping[str, Any]) -> frozenset[Mark]:
    lasting, listed = unit.marks & LASTING, row["marks"]
    if row["fate"] in GONE:
        return lasting | marks_of(listed or [])
    marks = unit.marks if listed is None else marks_of(listed) | lasting
    return marks & (TRAVELS | LASTING) if row["fate"] in LEFT else marks


def marks_on_leaving(unit: Unit, row: Mapping[str, Any]) -> frozenset[Mark]:
    """Return the markers that a unit had when it left the map: those listed, else the record's.

    A vehicle that was Immobilized when play began still was: nothing repairs it during play.
    """
    if row["marks"] is None:
        return unit.marks
    return marks_of(row["marks"]) | (unit.marks & {Mark.IMMOBILIZED})


def hidden_in(after: Mapping[str, After], unit_id: str) -> bool:
    """Whether the enemy can't know a unit: it is hidden, or with one that is."""
    seen: set[str] = set()
    while unit_id in after and unit_id not in seen:
        if after[unit_id].hidden:
            return True
        seen.add(unit_id)
        unit_id = after[unit_id].holder
    return False


def took_part(after: After, row: Mapping[str, Any] | None) -> bool:
    """Whether a unit took part in the firefight: was on the map, or came there (PL CG7)."""
    if row is not None and row["entered"] is not None:
        return bool(row["entered"])
    return after.was.on_map or after.fate not in {OFF_MAP, "removed"}
