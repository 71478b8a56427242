"""What a battle report says about each unit, including those that it doesn't list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from laager.catalogue.kinds import FANATIC
from laager.rules.board.changes import INFANTRY, LEADERS, MMC
from laager.rules.board.context import CardContext
from laager.rules.board.moves import is_fixed
from laager.rules.board.places import find_unit, main_location, unit_id
from laager.rules.board.report import form
from laager.rules.board.report.marks import LASTING, TRAVELS, marks_of
from laager.rules.board.state import evolve
from laager.rules.board.units import HIDING, Mark, Unit

R = TypeVar("R", bound=Mapping[str, Any])

FOLLOWS = frozenset({form.ON_MAP, form.OFF_MAP, form.EXITED, form.OBJECTIVE_EXIT, form.RECALLED})
"""A unit with one of these fates takes along what is with it; otherwise a report must say what became of that."""


def common_types(cg: CardContext, unit: Unit) -> dict[str, str]:
    """Return what a unit becomes by the commonest results, as far as each makes another type of it.

    `reduced` (A7.302), `replaced` for its ELR (A19.13), `hardened` (A15.3).
    """
    nation = cg.nation_of(unit)
    types: dict[str, str | None] = {}
    if unit.kind in MMC:
        types = {"reduced": nation.reduced_type(unit.type)}
    if unit.kind in MMC or unit.kind in LEADERS - {"armor-leader"}:
        types |= {"replaced": nation.replaced_type(unit.type), "hardened": nation.hardened_type(unit.type)}
    return {how: into for how, into in types.items() if into and into != FANATIC}


@dataclass(frozen=True)
class UnitAfter:
    """A unit at the end of play: its fate, and its state if it is still on the map.

    `holder` is the id (or the name, if new) of the unit that it is with. `row` is its row in the
    report, counted from 0, or None if it isn't listed; then `carrier` is the unit that took it along.
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
        """True if it is on the map."""
        return self.fate == form.ON_MAP

    @property
    def hidden(self) -> bool:
        """True if it carries a marker that hides it from the enemy."""
        return not HIDING.isdisjoint(self.marks)

    @property
    def moved(self) -> bool:
        """True if it isn't where it was before play."""
        return not self.was.on_map or self.was.at != self.at

    def has(self, *marks: Mark) -> bool:
        """True if it carries any of these markers."""
        return not self.marks.isdisjoint(marks)


def read_rows(rows: Sequence[R | None], *needed: str) -> Iterator[tuple[int, R]]:
    """Yield the rows that could be read (others are None), each with its position from 0."""
    for i, row in enumerate(rows):
        if row is not None and all(row[name] is not None for name in needed):
            yield i, row


def rows_of(field: str, rows: Sequence[R | None], *needed: str) -> Iterator[tuple[str, R]]:
    """Yield the rows of a field that could be read, each with its position as problems name it."""
    return ((f"{field}[{i + 1}]", row) for i, row in read_rows(rows, *needed))


def outcomes(cg: CardContext, side: str, answer: form.UnitsAnswer) -> dict[str, UnitAfter]:
    """Return by id what became of each unit of a side that was in play.

    Rows that name no such unit are ignored; if several name one unit, the first counts.
    """
    rows: dict[str, int] = {}
    for i, row in read_rows(answer["units"]):
        unit = find_unit(cg, side, row["unit"])
        if unit is not None and unit.in_play:
            rows.setdefault(unit.id, i)
    settled: dict[str, UnitAfter] = {}
    for unit in cg.state.units_of(side):
        _settle(cg, answer, unit, rows, settled)
    return {unit.id: settled[unit.id] for unit in cg.state.units_of(side)}


def _settle(
    cg: CardContext, answer: form.UnitsAnswer, unit: Unit, rows: Mapping[str, int], settled: dict[str, UnitAfter]
) -> UnitAfter:
    """Settle the unit that a unit is with, then the unit itself; units that carry each other in a circle stay."""
    if unit.id in settled:
        return settled[unit.id]
    settled[unit.id] = _as_it_was(unit)
    row = answer["units"][rows[unit.id]] if unit.id in rows else None
    with_ = unit.with_unit if row is None or row["with"] is None else unit_id(row["with"])
    holder = find_unit(cg, unit.side, with_)
    carrier = None
    if holder is not None and holder.in_play:
        carrier = _settle(cg, answer, holder, rows, settled)
    if row is None:
        settled[unit.id] = _carry_along(unit, carrier)
    else:
        at = main_location(cg, row["at"]) if row["at"] else _place_of_new(cg, answer, with_)
        settled[unit.id] = _read_row(unit, row, rows[unit.id], at, with_, carrier)
    return settled[unit.id]


def _place_of_new(cg: CardContext, answer: form.UnitsAnswer, name: str) -> str:
    """Return the Location of the new unit with this name, or "" if there is none."""
    rows = (row for _, row in read_rows(answer["new"], "at") if name and unit_id(row["name"]) == name)
    return next((main_location(cg, row["at"]) for row in rows), "")


def _as_it_was(unit: Unit) -> UnitAfter:
    return UnitAfter(
        was=unit,
        fate=form.ON_MAP if unit.on_map else form.OFF_MAP,
        at=unit.at or "",
        marks=unit.marks,
        holder=unit.with_unit,
        type=unit.type,
        name=unit.name,
    )


def _carry_along(unit: Unit, carrier: UnitAfter | None) -> UnitAfter:
    """Return the outcome of a unit that goes along with the one that it is with."""
    same = _as_it_was(unit)
    if carrier is None or carrier.fate not in FOLLOWS:
        return same
    if carrier.was.has(*HIDING) and not carrier.hidden:
        same = evolve(same, marks=same.marks - HIDING)
    if not carrier.on_map:
        # Passengers of a Recalled vehicle have left the map with it, but are not Recalled.
        on_foot = unit.kind in INFANTRY - {"armor-leader"}
        fate = form.EXITED if carrier.fate == form.RECALLED and on_foot else carrier.fate
        marks = same.marks & (TRAVELS | LASTING)
        return evolve(same, fate=fate, at="", marks=marks, carrier=carrier.was.id)
    if is_fixed(unit) and carrier.at != unit.at:
        return evolve(same, holder="")
    moved = evolve(same, fate=form.ON_MAP, at=carrier.at, carrier=carrier.was.id)
    return evolve(moved, marks=_settled_marks(moved))


def _settled_marks(after: UnitAfter) -> frozenset[Mark]:
    """Return the markers that are left after a move: a Gun that moved isn't emplaced."""
    return after.marks - {Mark.EMPLACED} if after.moved else after.marks


def _read_row(unit: Unit, row: form.UnitRow, place: int, at: str, with_: str, carrier: UnitAfter | None) -> UnitAfter:
    fate = row["fate"]
    if fate == form.ON_MAP and not at:
        at = carrier.at if carrier is not None and carrier.on_map else unit.at or ""
    after = UnitAfter(
        was=unit,
        fate=fate,
        at=at,
        marks=_listed_marks(unit, row),
        holder="" if fate in form.GONE else with_,
        type=(row["type"] or "").strip() or unit.type,
        name=(row["name"] or "").strip() or unit.name,
        row=place,
    )
    return evolve(after, marks=_settled_marks(after)) if fate == form.ON_MAP else after


def _listed_marks(unit: Unit, row: form.UnitRow) -> frozenset[Mark]:
    lasting, listed = unit.marks & LASTING, row["marks"]
    if row["fate"] in form.GONE:
        return lasting | marks_of(listed or [])
    marks = unit.marks if listed is None else marks_of(listed) | lasting
    return marks & (TRAVELS | LASTING) if row["fate"] in form.LEFT else marks
