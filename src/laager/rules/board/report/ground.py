"""Checks of what a battle report says of the ground, one set for all campaigns on a board.

`side` is who reports; "" what both sides enter together, of which only what both know is there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from laager.base import Problem, did_you_mean
from laager.rules.board.context import CardContext
from laager.rules.board.places import hex_problem, main_location, place_problem
from laager.rules.board.report.checks import again, rows_of
from laager.rules.board.report.form import PLACED
from laager.rules.board.report.outcome import Report


def made_strategic(cg: CardContext, side: str, report: Report, works: str, kinds: Collection[str]) -> Iterator[str]:
    """Yield the Locations that a report makes Strategic: rubble, and works of these kinds.

    `works` is the name of the list in which the report has the fortifications placed.
    """
    for _, row in rows_of(report, "terrain", "at", "what"):
        if row["what"] == "rubble" and not row["gone"] and not place_problem(cg, side, row["at"]):
            yield main_location(cg, row["at"])
    for _, row in rows_of(report, works, "do"):
        placed = row["do"] == PLACED and row["kind"] in kinds
        if placed and not place_problem(cg, side, row["at"] or ""):
            yield main_location(cg, row["at"])


def control_problems(
    cg: CardContext, side: str, report: Report, strategic: Collection[str], what: str
) -> Iterator[Problem]:
    """Yield what is wrong with changes of Control; `what` are the words for `strategic`."""
    rows = list(rows_of(report, "control", "location"))
    named = [main_location(cg, row["location"]) for _, row in rows]
    for (where, row), location in zip(rows, named, strict=True):
        here = f"{where}.location"
        if wrong := place_problem(cg, side, row["location"]):
            yield Problem(*wrong, here)
        elif location not in strategic:
            right = did_you_mean(location, cg.sort(strategic), "Strategic are")
            yield Problem(f"{location} is not {what}", right, here)
        if again(named, location):
            yield Problem(f"{location} is listed twice", "list it once", here)


def fire_problems(cg: CardContext, report: Report) -> Iterator[Problem]:
    """Yield what is wrong with Flames and Blazes."""
    rows, ground = list(rows_of(report, "fires", "at")), cg.state.ground
    named = [main_location(cg, row["at"]) for _, row in rows]
    for (where, row), name in zip(rows, named, strict=True):
        burning = name in ground.flames | ground.blazes
        if wrong := hex_problem(cg, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["now"] != "none" and name in ground.burnt:
            right = "now: none" if burning else "leave the row out"
            yield Problem(f"{name} is burnt down", right, f"{where}.now")
        elif row["now"] == "none" and not burning:
            yield Problem(f"there was no fire in {name}", "leave the row out", f"{where}.now")
        if again(named, name):
            yield Problem(f"{name} is listed twice", "list it once", f"{where}.at")


def terrain_problems(cg: CardContext, side: str, report: Report) -> Iterator[Problem]:
    """Yield what is wrong with changes of the printed map."""
    rows = list(rows_of(report, "terrain", "at", "what"))
    named = [(main_location(cg, row["at"]), row["what"]) for _, row in rows]
    for (where, row), (at, what) in zip(rows, named, strict=True):
        if wrong := place_problem(cg, side, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["gone"] and what not in cg.state.ground.changes.get(at, ()):
            yield Problem(f"there was no {what} in {at}", "leave the row out", f"{where}.gone")
        if again(named, (at, what)):
            yield Problem(f"{what} in {at} is listed twice", "list it once", f"{where}.at")


def placed_problems(cg: CardContext, side: str, where: str, row: Report) -> Iterator[Problem]:
    """Yield what is wrong with a row that says which fortification was placed in play."""
    if not row["kind"]:
        yield Problem("a fortification was placed, but which?", "add kind", f"{where}.kind")
    if row["fort"]:
        yield Problem("what is placed has no number yet", "leave fort out", f"{where}.fort")
    if wrong := place_problem(cg, side, row["at"] or ""):
        yield Problem(*wrong, f"{where}.at")


def point_problems(report: Report) -> Iterator[Problem]:
    """Yield what is wrong with the points entered by hand."""
    for where, row in rows_of(report, "cvp", "points", "why"):
        if not row["points"]:
            yield Problem("0 CVP change nothing", "leave the row out", f"{where}.points")
        if not row["why"].strip():
            yield Problem("CVP for what?", "say it in a few words", f"{where}.why")
