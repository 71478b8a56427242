"""Does a battle report add up? Every fault of it at once; pure functions (PL 2.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.changes import is_vehicle
from laager.rules.board.places import place_problem
from laager.rules.board.report.checks import entry_problems, new_problems, unit_problems
from laager.rules.board.report.form import EXITED
from laager.rules.board.report.marks import IMMOBILE, NOT_GOOD_ORDER
from laager.rules.board.report.outcome import After, Report, marks_on_leaving
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.buying.works import in_reserve
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.report.board_checks import board_problems
from laager.rules.platoon_leader.report.desk import Desk


def report_problems(cg: Cg, side: str, report: Report) -> list[Problem]:
    """Return everything that is wrong with a side's battle report, in its order."""
    desk = Desk.of(cg, side, report)
    return [
        *unit_problems(desk, exit_problems),
        *entry_problems(desk, partial(_kept_back, cg)),
        *new_problems(desk),
        *board_problems(desk),
    ]


@implements("PL 2.33")
def _kept_back(cg: Cg, unit: Unit) -> str:
    """Say why a unit that was kept off the map does not enter; empty when it may."""
    if not in_reserve(cg, unit):
        return ""
    return f"{unit.label} is In Reserve and enters no earlier than the next firefight (PL 2.33)"


@implements("PL CG8")
def exit_problems(desk: Desk, after: After, row: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield why a unit cannot have left the map and stayed in its OB (PL CG8)."""
    unit, edge = after.was, desk.cg.edge(desk.side)
    wrong = place_problem(desk.cg, desk.side, after.at) if after.at else None
    if wrong:
        yield Problem(*wrong, "at")
    if after.fate != EXITED:
        return
    right = "any other exit is fate: eliminated, or objective-exit if for an Objective (PL CG8)"
    if not edge:
        yield Problem(f"there is no Friendly Map Edge of {desk.cg.side(desk.side).name}", right, "fate")
    elif after.at and not wrong and after.at.split(".")[0] not in edge:
        yield Problem(f"{after.at} is not on a Friendly Map Edge", right, "at")
    marks = marks_on_leaving(unit, row)
    if is_vehicle(unit):
        stuck = marks & (IMMOBILE | {Mark.RECALL})
        good = "only mobile vehicles that are not Recalled exit"
    else:
        stuck, good = marks & NOT_GOOD_ORDER, "only Good Order personnel exit"
    for mark in sorted(stuck):
        yield Problem(f"{unit.label} exited, yet is {mark}", f"{good} (PL CG8)", "marks")
