"""Checks of the rest of a battle report: Control, fires, terrain, works, artillery, points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign.clauses import implements
from laager.rules.common.report.checks import again, rows_of, taken_problems
from laager.rules.common.report.places import hex_problem, main_location, place_problem
from laager.rules.platoon_leader.card import RgKind
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import WORKS
from laager.rules.platoon_leader.offers import MAX_SAN
from laager.rules.platoon_leader.steps.report_desk import Desk
from laager.rules.platoon_leader.steps.report_form import PLACED, REVEALED


def board_problems(desk: Desk) -> Iterator[Problem]:
    """Yield everything that is wrong with a report beside its own units."""
    yield from taken_problems(desk)
    yield from oba_problems(desk)
    yield from control_problems(desk)
    yield from fire_problems(desk)
    yield from terrain_problems(desk)
    yield from fort_problems(desk)
    yield from point_problems(desk)


# Artillery --------------------------------------------------------------------------------------


@implements("PL 1.4 Used OBA", "PL CG4")
def oba_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with the use of OBA modules: at most two in a firefight (PL CG4)."""
    cg, side = desk.cg, desk.side
    rows = list(rows_of(desk.report, "oba", "group", "used"))
    mine = {group.id: group for group in cg.state.groups_of(side)}
    named = [row["group"] for _, row in rows]
    for where, row in rows:
        group = mine.get(row["group"])
        line = cg.side(side).group(group.rg) if group else None
        here = f"{where}.group"
        if group is None or line is None or line.kind is not RgKind.OBA:
            oba = [g.id for g in mine.values() if g.rg.startswith(RgKind.OBA.prefix)]
            what = f"there is no OBA module {row['group']!r}"
            yield Problem(what, did_you_mean(row["group"], oba), here)
        elif group.used or group.lost:
            yield Problem(f"{group.id} was used up before this battle", "leave it out", here)
        elif row["used"] and not group.usable:
            what = f"{group.id} was not one of the modules usable in this battle"
            yield Problem(what, "used: no (PL CG4)", f"{where}.used")
        if again(named, row["group"]):
            yield Problem(f"{row['group']} is listed twice", "list it once", here)
    most = charts().limit("oba-modules")
    used = [row for _, row in rows if row["used"]]
    if len(used) > most:
        yield Problem(f"{len(used)} modules used", f"{most} at most (PL CG4)", "oba")


# The ground -------------------------------------------------------------------------------------


def strategic_by_report(desk: Desk) -> frozenset[str]:
    """Return the Strategic Terrain as the reporting side knows it, with what the report adds."""
    cg, report = desk.cg, desk.report
    own = [fort.id for fort in cg.state.forts.values() if fort.side == desk.side]
    own += [unit.id for unit in cg.state.units_of(desk.side, "gun")]
    found = set(cg.strategic(hidden=own))
    found |= {
        main_location(cg, row["at"])
        for _, row in rows_of(report, "forts", "do")
        if row["do"] == PLACED and row["kind"] in WORKS and not _nowhere(desk, row)
    }
    found |= {
        main_location(cg, row["at"])
        for _, row in rows_of(report, "terrain", "at", "what")
        if row["what"] == "rubble" and not row["gone"] and not _nowhere(desk, row)
    }
    return frozenset(found)


def _nowhere(desk: Desk, row: Any) -> bool:
    """Whether a row names no Location that there is."""
    return place_problem(desk.cg, desk.side, row["at"] or "") is not None


def control_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with the changes of Control: only Strategic Terrain is Controlled."""
    rows = list(rows_of(desk.report, "control", "location"))
    named = [main_location(desk.cg, row["location"]) for _, row in rows]
    strategic = strategic_by_report(desk) if rows else frozenset()
    for (where, row), location in zip(rows, named, strict=True):
        here = f"{where}.location"
        if wrong := place_problem(desk.cg, desk.side, row["location"]):
            yield Problem(*wrong, here)
        elif location not in strategic:
            right = did_you_mean(location, desk.cg.sort(strategic), "Strategic are")
            yield Problem(f"{location} is not Strategic Terrain", right, here)
        if again(named, location):
            yield Problem(f"{location} is listed twice", "list it once", here)


def fire_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with Flames and Blazes."""
    rows = list(rows_of(desk.report, "fires", "at"))
    named = [main_location(desk.cg, row["at"]) for _, row in rows]
    for (where, row), name in zip(rows, named, strict=True):
        if wrong := hex_problem(desk.cg, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["now"] in {"flame", "blaze"} and name in desk.cg.state.ground.burnt:
            yield Problem(f"{name} is burnt down", "now: none", f"{where}.now")
        if again(named, name):
            yield Problem(f"{name} is listed twice", "list it once", f"{where}.at")


@implements("PL CG5")
def terrain_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with changes of the printed map."""
    rows = list(rows_of(desk.report, "terrain", "at", "what"))
    named = [(main_location(desk.cg, row["at"]), row["what"]) for _, row in rows]
    for (where, row), (at, what) in zip(rows, named, strict=True):
        present = what in desk.cg.state.ground.changes.get(at, ())
        if wrong := place_problem(desk.cg, desk.side, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["gone"] and not present:
            yield Problem(f"there was no {what} in {at}", "leave the row out", f"{where}.gone")
        if again(named, (at, what)):
            yield Problem(f"{what} in {at} is listed twice", "list it once", f"{where}.at")


def fort_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with fortifications placed, removed and revealed."""
    cg, side = desk.cg, desk.side
    known = {
        fort.id: fort
        for fort in cg.state.forts.values()
        if fort.side == side or (not fort.hidden and fort.at)
    }
    rows = list(rows_of(desk.report, "forts", "do"))
    named = [row["fort"] for _, row in rows if row["fort"]]
    for where, row in rows:
        if row["do"] == PLACED:
            yield from _placed(desk, where, row)
            continue
        fort = known.get(row["fort"])
        here = f"{where}.fort"
        if fort is None:
            what = f"there is no fortification {row['fort']!r}"
            yield Problem(what, did_you_mean(row["fort"], known), here)
        elif row["do"] == REVEALED and fort.side != side:
            yield Problem(f"{fort.id} is not yours", "its owner reveals it", here)
        elif row["do"] == REVEALED and (not fort.hidden or not fort.at):
            what = "is on the map already" if fort.at else "is nowhere on the map"
            yield Problem(f"{fort.id} {what}", "leave it out", here)
        if fort is not None and again(named, fort.id):
            yield Problem(f"{fort.id} is listed twice", "list it once", here)


def _placed(desk: Desk, where: str, row: Any) -> Iterator[Problem]:
    if not row["kind"]:
        yield Problem("a fortification was placed, but which?", "add kind", f"{where}.kind")
    if row["fort"]:
        yield Problem("what is placed has no number yet", "leave fort out", f"{where}.fort")
    if wrong := place_problem(desk.cg, desk.side, row["at"] or ""):
        yield Problem(*wrong, f"{where}.at")


# Points -----------------------------------------------------------------------------------------


def point_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with the points entered by hand, and with the SAN."""
    for where, row in rows_of(desk.report, "cvp", "points", "why"):
        if not row["points"]:
            yield Problem("0 CVP change nothing", "leave the row out", f"{where}.points")
        if not row["why"].strip():
            yield Problem("CVP for what?", "say it in a few words", f"{where}.why")
    by = desk.report["san"] or 0
    san = desk.cg.state.side(desk.side).san + by
    if by and not 0 <= san <= MAX_SAN:
        yield Problem(f"this would make the SAN {san}", f"it is from 0 to {MAX_SAN}", "san")
