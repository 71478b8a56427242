"""Does the report on a scenario add up? Every fault of it at once; pure functions.

A side's own report is held against what this side may know; what both enter together against what
both may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign.clauses import implements
from laager.rules.common.card import SIDES
from laager.rules.common.report.checks import (
    again,
    new_problems,
    rows_of,
    taken_problems,
    unit_problems,
)
from laager.rules.common.report.desk import Desk
from laager.rules.common.report.marks import IMMOBILE, marks_of
from laager.rules.common.report.outcome import After, Report
from laager.rules.common.report.places import hex_problem, main_location, place_problem
from laager.rules.common.state import BoardState
from laager.rules.common.units import Mark
from laager.rules.historical.areas import ENTRENCHMENTS, NOT_WORKING, strategic_locations
from laager.rules.historical.context import Hasl
from laager.rules.historical.steps.report_form import PLACED

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
    for mark in sorted(marks_of(row["marks"] or []) & IMMOBILE):
        yield Problem(f"{unit.label} exited, yet is {mark}", "another fate", "marks")
    if Mark.PRISONER.value in (row["marks"] or []):
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
    return [
        *_control_problems(cg, report),
        *_fire_problems(cg, report),
        *_terrain_problems(cg, report),
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
    found |= {
        main_location(cg, row["at"])
        for _, row in rows_of(report, "terrain", "at", "what")
        if row["what"] == "rubble" and not row["gone"] and not place_problem(cg, BOTH, row["at"])
    }
    found |= {
        main_location(cg, row["at"])
        for _, row in rows_of(report, "works", "do")
        if row["do"] == PLACED and row["kind"] in ENTRENCHMENTS
        if not place_problem(cg, BOTH, row["at"] or "")
    }
    return frozenset(found)


def _control_problems(cg: Hasl, report: Report) -> Iterator[Problem]:
    rows = list(rows_of(report, "control", "location"))
    named = [main_location(cg, row["location"]) for _, row in rows]
    strategic = strategic_by_report(cg, report) if rows else frozenset[str]()
    for (where, row), location in zip(rows, named, strict=True):
        here = f"{where}.location"
        if wrong := place_problem(cg, BOTH, row["location"]):
            yield Problem(*wrong, here)
        elif location not in strategic:
            right = did_you_mean(location, cg.sort(strategic), "Strategic are")
            yield Problem(f"{location} is not a Strategic Location", right, here)
        if again(named, location):
            yield Problem(f"{location} is listed twice", "list it once", here)


def _fire_problems(cg: Hasl, report: Report) -> Iterator[Problem]:
    rows = list(rows_of(report, "fires", "at"))
    named = [main_location(cg, row["at"]) for _, row in rows]
    for (where, row), name in zip(rows, named, strict=True):
        if wrong := hex_problem(cg, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["now"] == "none" and name not in cg.state.ground.flames | cg.state.ground.blazes:
            yield Problem(f"there was no fire in {name}", "leave the row out", f"{where}.now")
        if again(named, name):
            yield Problem(f"{name} is listed twice", "list it once", f"{where}.at")


def _terrain_problems(cg: Hasl, report: Report) -> Iterator[Problem]:
    rows = list(rows_of(report, "terrain", "at", "what"))
    named = [(main_location(cg, row["at"]), row["what"]) for _, row in rows]
    for (where, row), (at, what) in zip(rows, named, strict=True):
        if wrong := place_problem(cg, BOTH, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["gone"] and what not in cg.state.ground.changes.get(at, ()):
            yield Problem(f"there was no {what} in {at}", "leave the row out", f"{where}.gone")
        if again(named, (at, what)):
            yield Problem(f"{what} in {at} is listed twice", "list it once", f"{where}.at")


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
    if not row["kind"]:
        yield Problem("a fortification was placed, but which?", "add kind", f"{where}.kind")
    if not row["side"]:
        yield Problem("a fortification was placed, but whose is it?", "add side", f"{where}.side")
    if row["fort"]:
        yield Problem("what is placed has no number yet", "leave fort out", f"{where}.fort")
    if wrong := place_problem(cg, BOTH, row["at"] or ""):
        yield Problem(*wrong, f"{where}.at")


def _point_problems(cg: Hasl, report: Report) -> Iterator[Problem]:
    rows = list(rows_of(report, "cvp", "points", "why"))
    for where, row in rows:
        if not row["points"]:
            yield Problem("0 CVP change nothing", "leave the row out", f"{where}.points")
        if not row["why"].strip():
            yield Problem("CVP for what?", "say it in a few words", f"{where}.why")
    for side in SIDES:
        amassed = cg.state.side(side).cvp
        change = sum(row["points"] for _, row in rows if row["side"] == side)
        if amassed + change < 0:
            what = f"{change} CVP for the {cg.side(side).name}, who have {amassed}"
            yield Problem(what, "nobody has fewer than 0", "cvp")
