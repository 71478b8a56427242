"""Does the report on a scenario add up? Every fault of it at once; pure functions.

A side's own report is held against what this side may know; what both enter together against what
both may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.areas import ENTRENCHMENTS, NOT_WORKING, strategic_locations
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.places import place_problem
from laager.rules.board.report.checks import again, entry_problems, new_problems, rows_of, taken_problems, unit_problems
from laager.rules.board.report.desk import Desk
from laager.rules.board.report.form import PLACED
from laager.rules.board.report.ground import (
    control_problems,
    fire_problems,
    made_strategic,
    placed_problems,
    point_problems,
    terrain_problems,
)
from laager.rules.board.report.marks import IMMOBILE
from laager.rules.board.report.outcome import After, Report, marks_on_leaving
from laager.rules.board.state import BoardState
from laager.rules.board.units import Mark

BOTH = ""
"""Stands for both sides where something is known to each of them."""


@dataclass(frozen=True)
class ReportDesk(Desk):
    """What a side's report on a scenario is checked with."""

    cg: Hasl


def report_problems(cg: Hasl, side: str, report: Report) -> list[Problem]:
    """Return everything that is wrong with a side's report on its OB, in its order."""
    desk = ReportDesk.of(cg, side, report)
    return [
        *unit_problems(desk, exit_problems),
        *entry_problems(desk, partial(cg.variant.kept_off, cg)),
        *new_problems(desk),
        *taken_problems(desk),
        *_module_problems(desk),
        *_works_twice(report),
        *cg.variant.report_problems(cg, side, _readable(report)),
    ]


def _readable(report: Report) -> Report:
    """Return a report without the rows of units that could not be read."""
    rows = [row for row in report["units"] if row is not None and row["unit"] is not None]
    return {**report, "units": rows}


# Leaving the map --------------------------------------------------------------------------------


@implements("HASL 29")
def exit_problems(desk: ReportDesk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield why a unit cannot have left the map and be Retained in an Entry Area."""
    unit, wrong = after.was, place_problem(desk.cg, desk.side, after.at) if after.at else None
    if not after.at:
        yield Problem(f"{unit.label} exited, but by which hex?", "add at", "at")
    elif wrong:
        yield Problem(*wrong, "at")
    else:
        yield from _area_problems(desk, after, row)
    marks = marks_on_leaving(unit, row)
    for mark in sorted(marks & IMMOBILE):
        yield Problem(f"{unit.label} exited, yet is {mark}", "another fate", "marks")
    if Mark.PRISONER in marks:
        right = "fate: captured if its guard took it along"
        yield Problem(f"{unit.label} exited, yet is a prisoner", right, "marks")


def _area_problems(desk: ReportDesk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    unit, at = after.was, after.at.partition(".")[0]
    areas = desk.cg.variant.exit_areas(desk.cg, unit, at)
    area = (row.get("area") or "").strip()
    if not areas:
        what = f"{unit.label} may not leave the map by {at} and be Retained"
        yield Problem(what, "fate: eliminated, if it did", "fate")
    elif area and area not in areas:
        what = f"{unit.label} left by {at} and is not Retained in {area}"
        yield Problem(what, did_you_mean(area, areas, "in one of"), "area")


def exit_area(cg: Hasl, after: After, row: Mapping[str, Any] | None) -> str:
    """Return the Entry Area in which a unit that exited is Retained: as told, else the first."""
    told = (row or {}).get("area") or ""
    areas = cg.variant.exit_areas(cg, after.was, after.at.partition(".")[0])
    return told.strip() or next(iter(areas), "")


# Artillery and own fortifications ---------------------------------------------------------------


def _module_problems(desk: ReportDesk) -> Iterator[Problem]:
    rows = list(rows_of(desk.report, "modules", "group"))
    named = [row["group"] for _, row in rows]
    for where, row in rows:
        if again(named, row["group"]):
            yield Problem(f"{row['group']} is listed twice", "list it once", f"{where}.group")
        if row["placed"] and not row["in_play"]:
            what = f"an FFE:1 of {row['group']} was placed, so its radio or observer was in play"
            yield Problem(what, "in_play: yes", f"{where}.in_play")
        if row["exhausted"] and not row["in_play"]:
            what = f"{row['group']} is exhausted, so its radio or observer was in play"
            yield Problem(what, "in_play: yes", f"{where}.in_play")


def _works_twice(report: Report) -> Iterator[Problem]:
    for fort in report["lost_works"] or ():
        if fort in (report["revealed"] or ()):
            yield Problem(f"{fort} was found, and is gone", "name it as gone alone", "revealed")


# The ground -------------------------------------------------------------------------------------


def ground_problems(cg: Hasl, report: Report) -> list[Problem]:
    """Return everything that is wrong with what both enter about the ground."""
    strategic = strategic_by_report(cg, report) if report["control"] else frozenset[str]()
    return [
        *control_problems(cg, BOTH, report, strategic, "a Strategic Location"),
        *fire_problems(cg, report),
        *terrain_problems(cg, BOTH, report),
        *_work_problems(cg, report),
        *_point_problems(cg, report),
    ]


def strategic_by_report(cg: Hasl, report: Report) -> frozenset[str]:
    """Return the Strategic Locations that both know, with those that the report itself makes."""
    found = set(strategic_locations(cg))
    found |= {
        gun.at
        for gun in cg.state.units.values()
        if gun.kind == "gun" and gun.known and gun.on_map and gun.at and not gun.has(*NOT_WORKING)
    }
    found |= set(made_strategic(cg, BOTH, report, "works", ENTRENCHMENTS))
    return frozenset(found)


def open_works(state: BoardState) -> list[str]:
    """Return the fortifications on the map that both sides know."""
    return [fort.id for fort in state.forts.values() if not fort.hidden and fort.at]


def _work_problems(cg: Hasl, report: Report) -> Iterator[Problem]:
    known, rows = open_works(cg.state), list(rows_of(report, "works", "do"))
    named = [row["fort"] for _, row in rows if row["fort"]]
    for where, row in rows:
        if row["do"] == PLACED:
            yield from _placed_problems(cg, where, row)
        elif row["fort"] not in known:
            what = f"there is no known fortification {row['fort']!r}"
            yield Problem(what, did_you_mean(row["fort"], known), f"{where}.fort")
        elif again(named, row["fort"]):
            yield Problem(f"{row['fort']} is listed twice", "list it once", f"{where}.fort")


def _placed_problems(cg: Hasl, where: str, row: Mapping[str, Any]) -> Iterator[Problem]:
    if not row["side"]:
        yield Problem("a fortification was placed, but whose is it?", "add side", f"{where}.side")
    yield from placed_problems(cg, BOTH, where, row)


def _point_problems(cg: Hasl, report: Report) -> Iterator[Problem]:
    yield from point_problems(report)
    rows = list(rows_of(report, "cvp", "points", "why"))
    for side in SIDES:
        amassed = cg.state.side(side).cvp
        change = sum(row["points"] for _, row in rows if row["side"] == side)
        if amassed + change < 0:
            what = f"{change} CVP for the {cg.side(side).name}, who have {amassed}"
            yield Problem(what, "nobody has fewer than 0", "cvp")
