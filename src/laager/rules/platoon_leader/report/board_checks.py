"""Checks of the rest of a battle report: Control, fires, terrain, works, artillery, points."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem, did_you_mean
from laager.base.counting import some
from laager.campaign import implements
from laager.rules.board.report.checks import again, rows_of, taken_problems
from laager.rules.board.report.form import PLACED, REVEALED
from laager.rules.board.report.ground import (
    control_problems,
    fire_problems,
    made_strategic,
    placed_problems,
    point_problems,
    terrain_problems,
)
from laager.rules.board.state import MAX_SAN
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import WORKS
from laager.rules.platoon_leader.report.desk import Desk


def board_problems(desk: Desk) -> Iterator[Problem]:
    """Yield everything that is wrong with a report beside its own units."""
    yield from taken_problems(desk)
    yield from oba_problems(desk)
    yield from ground_problems(desk)
    yield from fort_problems(desk)
    yield from own_point_problems(desk)


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
        yield Problem(f"{some(len(used), 'module')} used", f"{most} at most (PL CG4)", "oba")


# The ground -------------------------------------------------------------------------------------


def strategic_by_report(desk: Desk) -> frozenset[str]:
    """Return the Strategic Terrain as the reporting side knows it, with what the report adds."""
    cg, report = desk.cg, desk.report
    own = [fort.id for fort in cg.state.forts.values() if fort.side == desk.side]
    own += [unit.id for unit in cg.state.units_of(desk.side, "gun")]
    found = set(cg.strategic(hidden=own))
    found |= set(made_strategic(cg, desk.side, report, "forts", WORKS))
    return frozenset(found)


@implements("PL CG5")
def ground_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with Control, fires and changes of the printed map."""
    cg, side, report = desk.cg, desk.side, desk.report
    strategic = strategic_by_report(desk) if report["control"] else frozenset[str]()
    yield from control_problems(cg, side, report, strategic, "Strategic Terrain")
    yield from fire_problems(cg, report)
    yield from terrain_problems(cg, side, report)


def fort_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with fortifications placed, removed and revealed."""
    cg, side = desk.cg, desk.side
    known = {fort.id: fort for fort in cg.state.forts.values() if fort.side == side or (not fort.hidden and fort.at)}
    rows = list(rows_of(desk.report, "forts", "do"))
    named = [row["fort"] for _, row in rows if row["fort"]]
    for where, row in rows:
        if row["do"] == PLACED:
            yield from placed_problems(cg, side, where, row)
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


# Points -----------------------------------------------------------------------------------------


def own_point_problems(desk: Desk) -> Iterator[Problem]:
    """Yield what is wrong with the points entered by hand, and with the SAN."""
    yield from point_problems(desk.report)
    by = desk.report["san"] or 0
    san = desk.cg.state.side(desk.side).san + by
    if by and not 0 <= san <= MAX_SAN:
        yield Problem(f"this would make the SAN {san}", f"it is from 0 to {MAX_SAN}", "san")
