"""One side's battle report, with what it means for each unit. Rule systems override the hooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Self

from laager.base import Problem, RefusedError
from laager.campaign import Record
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.places import unit_id
from laager.rules.board.report.form import GUARD, OFF_MAP, NewRow, UnitRow, UnitsAnswer, unit_row
from laager.rules.board.report.marks import marks_of
from laager.rules.board.report.outcome import UnitAfter, outcomes, read_rows
from laager.rules.board.units import Mark, Unit


@dataclass(frozen=True)
class Contradiction:
    """Something that the two reports say differently: what it is about, and both entries.

    `left` are the units that, by what the enemy reports, can't have left the map as their side says.
    """

    about: str
    entries: Mapping[str, str]
    left: tuple[str, ...] = ()

    def words(self, cg: CardContext) -> str:
        """Return it as a sentence for both sides."""
        said = "; ".join(f"{cg.side(side).name}: {self.entries[side]}" for side in SIDES)
        return f"{self.about}: {said}"


@dataclass(frozen=True)
class SideReport(ABC):
    """One side's report: the campaign, the answer, what became of each unit.

    What a rule system overrides comes first: the question's key, text, clause and help; the clauses for
    what can't move and for leaving the map; how to report a unit that left it; and the methods below.
    """

    key: ClassVar[str]
    text: ClassVar[str]
    help: ClassVar[str]
    rule: ClassVar[str] = ""
    fixed_rule: ClassVar[str] = ""
    left_rule: ClassVar[str] = ""
    left_advice: ClassVar[str] = "if it left the map and stays in the OB its fate is exited"

    cg: CardContext
    side: str
    answer: UnitsAnswer
    after: Mapping[str, UnitAfter]

    @classmethod
    @abstractmethod
    def form(cls, cg: Any, side: str) -> Record:
        """Return the form of the report."""

    @classmethod
    def unchanged_answer(cls, cg: Any, side: str) -> dict[str, Any]:
        """Return the record as a report that changes nothing: a form already filled in.

        It doesn't name a prisoner's guard that the side doesn't know.
        """
        rows = []
        for unit in cg.state.units_of(side):
            row, guard = unit_row(unit), cg.state.units.get(unit.with_unit)
            if guard is not None and guard.side != side and not guard.known:
                row["with"] = GUARD
            rows.append(row)
        return cls.form(cg, side).blank | {"units": rows}

    @classmethod
    @abstractmethod
    def suggest(cls, cg: Any, side: str, rng: Random) -> dict[str, Any]:
        """Return a plausible report made up by chance."""

    @abstractmethod
    def exit_problems(self, after: UnitAfter, row: UnitRow) -> Iterator[Problem]:
        """Yield why a unit can't have left the map and stayed in its OB."""

    def entry_barrier(self, unit: Unit) -> str:
        """Return why a unit can't enter in this battle, or "" if it can."""
        return ""

    def further_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the rest of the report, besides its units."""
        yield from ()

    @classmethod
    def further_contradictions(cls, reports: Mapping[str, Self]) -> Iterator[Contradiction]:
        """Yield what two reports contradict each other in, besides units and the ground."""
        yield from ()

    # What the engine does with it ---------------------------------------------------------------

    @classmethod
    def of(cls, cg: CardContext, side: str, answer: Any) -> Self:
        """Return the report that a side gives as an answer."""
        return cls(cg, side, answer, outcomes(cg, side, answer))

    @property
    def new(self) -> Mapping[str, NewRow]:
        """The new units that have names, by name."""
        return {unit_id(row["name"]): row for _, row in read_rows(self.answer["new"]) if row["name"]}

    def label(self, unit_id: str) -> str:
        """Return what a unit of this side, or a new one, is called."""
        return self.after[unit_id].was.label if unit_id in self.after else unit_id

    def new_kind(self, row: NewRow) -> str | None:
        """Return the kind of a new unit, or None if its type isn't of the kind that the row says."""
        return kind_of(self.cg, self.side, row["type"] or "", row["kind"] or "")

    def row(self, after: UnitAfter) -> UnitRow | None:
        """Return the row of a unit, or None if it isn't listed."""
        return None if after.row is None else self.answer["units"][after.row]

    def took_part(self, after: UnitAfter) -> bool:
        """True if a unit took part in the battle: it was on the map, or came there (PL CG7)."""
        row = self.row(after)
        if row is not None and row["entered"] is not None:
            return bool(row["entered"])
        return after.was.on_map or after.fate not in {OFF_MAP, "removed"}

    def marks_on_leaving(self, after: UnitAfter) -> frozenset[Mark]:
        """Return the markers that a unit had when it left the map: those listed, else the record's.

        A vehicle that was Immobilized when play began still was: nothing repairs it during play.
        """
        row = self.row(after)
        if row is None or row["marks"] is None:
            return after.was.marks
        return marks_of(row["marks"]) | (after.was.marks & {Mark.IMMOBILIZED})

    def hides(self, unit_id: str) -> bool:
        """True if the enemy can't know a unit: it is hidden, or with one that is."""
        seen: set[str] = set()
        while unit_id in self.after and unit_id not in seen:
            if self.after[unit_id].hidden:
                return True
            seen.add(unit_id)
            unit_id = self.after[unit_id].holder
        return False


def each_outcome(reports: Mapping[str, SideReport]) -> Iterator[tuple[SideReport, UnitAfter]]:
    """Yield what became of every unit of both sides, each with its side's report."""
    for side in SIDES:
        for after in reports[side].after.values():
            yield reports[side], after


def kind_of(cg: CardContext, side: str, type_: str, kind: str = "") -> str | None:
    """Return the kind of one of a side's types (as stated, if it leaves that open), or None if it can't be."""
    nation = cg.nation(side)
    if kind == "armor-leader":
        return kind if type_ in nation.leaders.armor else None
    try:
        type_kind = nation.unit(type_).kind.value
    except RefusedError:
        return None
    return type_kind if kind in ("", type_kind) else None
