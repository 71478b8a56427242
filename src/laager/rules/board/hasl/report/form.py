"""Each side's report on its own OB after a scenario: what it asks, what is wrong with it, one made up by chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Self, TypedDict

from laager.base import Problem, did_you_mean
from laager.campaign import Choice, Field, Record, Rows, Several, Text, YesNo, implements
from laager.rules.board.changes import INFANTRY, carried_by
from laager.rules.board.context import CardContext
from laager.rules.board.hasl.charts import Kind
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group
from laager.rules.board.places import hex_of, place_problem
from laager.rules.board.report import form
from laager.rules.board.report.checks import is_repeated
from laager.rules.board.report.form import EXITED, UnitRow, UnitsAnswer, fates
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.report.outcome import UnitAfter, rows_of
from laager.rules.board.report.side_report import Contradiction, SideReport
from laager.rules.board.report.suggest import REACH, ReportMaker, make_units
from laager.rules.board.units import Fort, Mark, Unit

FATES = fates(exited="left the map where that is allowed, is Retained")
"""Fates of a unit, with their meanings."""


class ModuleRow(TypedDict):
    """What became of an OBA module."""

    group: str
    in_play: bool
    placed: bool
    exhausted: bool


class ScenarioAnswer(UnitsAnswer):
    """The answer with one side's report; systems add fields of their own."""

    modules: list[ModuleRow]
    revealed: list[str]
    lost_works: list[str]


def modules_left(cg: Hasl, side: str) -> list[Group]:
    """Return a side's OBA modules that are still there."""
    return [group for group in cg.state.groups_of(side) if group.kind == Kind.OBA and not group.lost]


def hidden_works(cg: Hasl, side: str) -> Iterator[Fort]:
    """Return a side's fortifications on the map that the enemy doesn't know."""
    return (fort for fort in cg.state.forts.values() if fort.side == side and fort.hidden and fort.at is not None)


@dataclass(frozen=True)
class ScenarioReport(SideReport):
    """One side's report on its own OB after a scenario."""

    key = "scenario-report"
    text = "What became of your units, and of your OBA? Enter the end of play."
    help = (
        f"{form.HELP}For a unit that exited, `at` is the hex by which it left and `area` the Entry Area where "
        "it is Retained. CVP follow from the losses."
    )

    cg: Hasl
    answer: ScenarioAnswer

    @classmethod
    def of(cls, cg: CardContext, side: str, answer: Any) -> Self:
        """Return the report that a side gives as an answer, with what its own fields say of units."""
        assert isinstance(cg, Hasl), "only HASL campaigns have such reports"
        return super().of(cg, side, cg.variant.complete_report(cg, side, answer))

    @classmethod
    def form(cls, cg: Hasl, side: str) -> Record:
        """Return the form of the report."""
        module = Record.of(
            Field("group", Choice.of_labels({group.id: group.name for group in modules_left(cg, side)}), "Module"),
            Field("in_play", YesNo(), "Was its radio, phone or observer in play?", False),
            Field("placed", YesNo(), "Was an FFE:1 of it placed?", False),
            Field("exhausted", YesNo(), "Is it exhausted?", False),
        )
        hidden = hidden_works(cg, side)
        works = Several.of_labels({w.id: f"{w.kind} {w.size}".rstrip() + f" in {w.at}" for w in hidden})
        return Record.of(
            *form.unit_fields(FATES, Field("area", Text(20), "Entry Area (arrow hex), if it exited", "")),
            Field("modules", Rows(module, most=20), "OBA modules", []),
            Field("revealed", works, "Hidden fortifications that were found", []),
            Field("lost_works", works, "Hidden fortifications that are gone", []),
            *cg.variant.report_fields(cg, side),
        )

    @classmethod
    def unchanged_answer(cls, cg: Hasl, side: str) -> dict[str, Any]:
        """Return the record as a report that changes nothing."""
        return super().unchanged_answer(cg, side) | {
            "modules": [{"group": group.id} for group in modules_left(cg, side)]
        }

    @implements("HASL 29")
    def exit_problems(self, after: UnitAfter, row: UnitRow) -> Iterator[Problem]:
        """Yield why a unit can't have left the map and be Retained in an Entry Area."""
        unit, wrong = after.was, place_problem(self.cg, self.side, after.at) if after.at else None
        if not after.at:
            yield Problem(f"{unit.label} exited, but by which hex?", "add at", "at")
        elif wrong:
            yield Problem(*wrong, "at")
        else:
            at, area = hex_of(after.at), (row.get("area") or "").strip()
            areas = self.cg.variant.exit_areas(self.cg, unit, at)
            if not areas:
                yield Problem(
                    f"{unit.label} can't leave the map by {at} and be Retained", "fate: eliminated, if it did", "fate"
                )
            elif area and area not in areas:
                yield Problem(
                    f"{unit.label} left by {at} and can't be Retained in {area}",
                    did_you_mean(area, areas, "in one of"),
                    "area",
                )
        marks = self.marks_on_leaving(after)
        for mark in sorted(marks & IMMOBILE):
            yield Problem(f"{unit.label} exited, but is {mark}", "another fate", "marks")
        if Mark.PRISONER in marks:
            right = "fate: captured if its guard took it along"
            yield Problem(f"{unit.label} exited, but is a prisoner", right, "marks")

    def entry_barrier(self, unit: Unit) -> str:
        """Return why a unit can't enter in this scenario, or "" if it can."""
        return self.cg.variant.waiting_reason(self.cg, unit)

    def further_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with artillery, own fortifications, and by the system's own rules."""
        answer = self.answer
        rows = list(rows_of("modules", answer["modules"], "group"))
        named = [row["group"] for _, row in rows]
        for where, row in rows:
            if is_repeated(named, row["group"]):
                yield Problem(f"{row['group']} is listed twice", "list it once", f"{where}.group")
            if row["placed"] and not row["in_play"]:
                yield Problem(
                    f"an FFE:1 of {row['group']} was placed, so its radio or observer was in play",
                    "in_play: yes",
                    f"{where}.in_play",
                )
            if row["exhausted"] and not row["in_play"]:
                yield Problem(
                    f"{row['group']} is exhausted, so its radio or observer was in play",
                    "in_play: yes",
                    f"{where}.in_play",
                )
        for fort in answer["lost_works"] or ():
            if fort in (answer["revealed"] or ()):
                yield Problem(f"{fort} was found, and is gone", "list it only as gone", "revealed")
        units = [row for _, row in rows_of("units", answer["units"], "unit")]
        yield from self.cg.variant.report_problems(self.cg, self.side, {**answer, "units": units})

    @classmethod
    def further_contradictions(cls, reports: Mapping[str, Self]) -> Iterator[Contradiction]:
        """Yield the exits of a side that can't be, by what its enemy reports."""
        cg = next(iter(reports.values())).cg
        yield from cg.variant.exit_contradictions(cg, reports)

    @classmethod
    def suggest(cls, cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
        """Return a plausible report of a side on its OB, made up by chance."""
        edge = {name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow)}
        units = cg.state.units_of(side)
        waiting = frozenset(unit.id for unit in units if cg.variant.waiting_reason(cg, unit))
        story = ReportMaker(cg, side, rng, frozenset(edge), waiting)
        make_units(story)
        _exits(story)
        rows = []
        for module in modules_left(cg, side):
            in_play = story.chance(50)
            rows.append({"group": module.id, "in_play": in_play, "placed": in_play and story.chance(50)})
        revealed = [fort.id for fort in hidden_works(cg, side) if story.chance(20)]
        return {"units": story.rows, "modules": rows, "revealed": revealed}


def _exits(story: ReportMaker[Hasl]) -> None:
    """Let units near the edge of the map leave it, where that is allowed."""
    cg, listed = story.cg, {row["unit"] for row in story.rows}
    for unit in list(cg.state.units_of(story.side, *INFANTRY)):
        busy = {unit.id, *(item.id for item in carried_by(cg, unit))} & listed
        free = unit.on_map and not unit.with_unit and not busy
        if not free or unit.has(Mark.PRISONER, *IMMOBILE) or not story.chance(20):
            continue
        near = cg.sort(cg.map.hexes_within([unit.hex or ""], REACH) & cg.map.playable)
        ways = [(name, cg.variant.exit_areas(cg, unit, name)) for name in near]
        allowed = [(name, areas) for name, areas in ways if areas]
        if allowed:
            at, areas = story.rng.choice(allowed)
            area = story.rng.choice(list(areas))
            story.rows.append({"unit": unit.id, "fate": EXITED, "at": at, "area": area})
