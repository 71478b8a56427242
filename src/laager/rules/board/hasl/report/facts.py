"""What follows from the reports on a scenario: losses, exits, artillery, the ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Fact, Option, Procedure, Question, Several, ask_all, implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, carried_by, gone, marked, moved, reduce
from laager.rules.board.facts import (
    ControlChanged,
    CvpScored,
    FireChanged,
    FortGone,
    FortJoined,
    Noted,
    TerrainChanged,
    UnitHidden,
)
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import GroupChanged, MassacreInvoked, RainFell, UnitRetained
from laager.rules.board.hasl.report.checks import ReportDesk, exit_area
from laager.rules.board.hasl.report.form import NOBODY, modules
from laager.rules.board.joining import next_fort_id
from laager.rules.board.places import main_location
from laager.rules.board.report.agreement import Reports
from laager.rules.board.report.facts import WHY, follow_units
from laager.rules.board.report.form import EXITED, OFF_MAP, PLACED
from laager.rules.board.report.outcome import After
from laager.rules.board.telling import tell
from laager.rules.board.units import Fort, Mark, Place, Unit


@implements("HASL 12", "HASL 29")
def follow(cg: Hasl, reports: Reports) -> Procedure[None]:
    """Apply two reports that were found to be in order."""
    for side in SIDES:
        yield from cg.variant.reported(cg, side, reports[side])
    desks = {side: ReportDesk.of(cg, side, reports[side]) for side in SIDES}
    yield from follow_units(cg, desks, reports)
    for side in SIDES:
        yield from tell(_left_the_map(cg, desks[side]))
    yield from _checks_on_exit(cg, desks)
    for side in SIDES:
        yield from tell(_never_entered(cg, desks[side]))
    yield from tell(_with_their_guards(cg))
    for side in SIDES:
        yield from tell(_artillery(cg, side, reports[side]["modules"]))
        yield from tell(_own_works(cg, reports[side]))


# Units off the map ------------------------------------------------------------------------------


def _left_the_map(cg: Hasl, desk: ReportDesk) -> Iterator[Fact]:
    """What exited is Retained in an Entry Area, out of the enemy's sight."""
    for after in _exited(desk):
        first = _leaver(desk, after)
        area = exit_area(cg, first, _row(desk, first))
        unit = cg.state.units[after.was.id]
        if unit.known:
            yield UnitHidden(unit=unit.id, side=unit.side, why="has left the map")
        why = f"left the map by {first.at}" if first.at else "left the map"
        yield UnitRetained(unit=unit.id, area=area, was_in_play=True, why=why, to=(unit.side,))


def _exited(desk: ReportDesk) -> list[After]:
    return [after for after in desk.after.values() if after.fate == EXITED]


def _leaver(desk: ReportDesk, after: After) -> After:
    """Return who took a unit along that is not listed itself."""
    while after.row is None and after.carrier:
        after = desk.after[after.carrier]
    return after


def _row(desk: ReportDesk, after: After) -> Mapping[str, Any] | None:
    return None if after.row is None else desk.report["units"][after.row]


@implements("ER CG19")
def _checks_on_exit(cg: Hasl, desks: Mapping[str, ReportDesk]) -> Procedure[None]:
    """Broken Personnel that left the map take an NTC where the system says so."""
    if not cg.variant.exit_check:
        return
    questions = []
    for side in SIDES:
        exited = (after for after in _exited(desks[side]) if _broken(desks[side], after))
        broken = [cg.state.units[after.was.id] for after in exited]
        if broken:
            questions.append(_exit_question(side, broken))
    failed = yield from ask_all(questions)
    for units in failed.values():
        for name in units:
            unit = cg.state.units[name]
            yield from tell(_fails(cg, unit))


def _broken(desk: ReportDesk, after: After) -> bool:
    """Whether Personnel was broken when it left; `after` has not kept that."""
    row = _row(desk, after)
    names = row["marks"] if row is not None else None
    broken = after.was.has(Mark.BROKEN) if names is None else Mark.BROKEN.value in names
    return broken and after.was.kind in INFANTRY


def _exit_question(side: str, units: list[Unit]) -> Question:
    return Question(
        key="exit-ntc",
        side=side,
        text="These broken units left the map and take an NTC each. Which of them fail it?",
        form=Several(tuple(Option(unit.id, unit.label) for unit in units)),
        secret=True,
        default=[],
        help="A Good Order leader that left with them may add his DRM. Failure is Casualty "
        "Reduction; Equipment is lost with a unit that it Eliminates.",
    )


def _fails(cg: Hasl, unit: Unit) -> Iterator[Fact]:
    why = "failed its NTC when it left the map"
    had = list(carried_by(cg, unit))
    yield from reduce(cg, unit, why)
    if not cg.state.units[unit.id].in_play:
        for item in had:
            yield from gone(cg, cg.state.units[item.id], Place.ELIMINATED, "lost with its possessor")


@implements("ER CG7(3)")
def _never_entered(cg: Hasl, desk: ReportDesk) -> Iterator[Fact]:
    """What should have entered and did not stays Retained, or is lost with its full CVP.

    Prisoners have nothing to enter for: they come and stay with their guards.
    """
    for after in desk.after.values():
        unit = cg.state.units[after.was.id]
        if after.fate != OFF_MAP or not unit.in_play or unit.has(Mark.PRISONER):
            continue
        place = cg.variant.never_entered(cg, unit)
        if place is not Place.OFF_MAP:
            yield from gone(cg, unit, place, "never entered")


def _with_their_guards(cg: Hasl) -> Iterator[Fact]:
    """Prisoners kept off the map come on with their guards; without a guard they are unguarded."""
    for unit in list(cg.state.units.values()):
        if unit.place is not Place.OFF_MAP or not unit.has(Mark.PRISONER):
            continue
        guard = cg.state.units.get(unit.with_unit)
        if guard is None:
            yield from marked(unit, add=[Mark.UNGUARDED], why="its guard is gone")
        elif guard.on_map:
            yield moved(unit, guard.at, why="comes on with its guard")


# Artillery, own fortifications ------------------------------------------------------------------


def _artillery(cg: Hasl, side: str, rows: list[Mapping[str, Any]]) -> Iterator[Fact]:
    """Which modules were in play and which placed an FFE:1; an FFE:1 all have seen."""
    told = {row["group"]: row for row in rows}
    placed = 0
    for module in modules(cg, side):
        row = told.get(module.id, {"in_play": False, "placed": False, "exhausted": False})
        changes: dict[str, Any] = {}
        if row["in_play"] != module.in_play:
            changes["in_play"] = row["in_play"]
        if row["placed"] != module.used:
            changes["used"] = row["placed"]
        if row["exhausted"]:
            changes["lost"] = "exhausted in play"
        placed += row["placed"]
        if changes:
            yield GroupChanged(side=side, group=module.id, changes=changes, why=WHY, to=(side,))
    if placed:
        noun = "module" if placed == 1 else "modules"
        yield Noted(text=f"{cg.side(side).name}: FFE:1 of {placed} OBA {noun} was placed", why=WHY)


def _own_works(cg: Hasl, report: Mapping[str, Any]) -> Iterator[Fact]:
    for name in report["revealed"]:
        fort = cg.state.forts[name]
        yield FortJoined(fort=fort.but(hidden=False), why="found in play")
    for name in report["lost_works"]:
        yield FortGone(fort=name, why="gone in play", to=(cg.state.forts[name].side,))


# The ground -------------------------------------------------------------------------------------


@implements("ER CG14")
def ground_facts(cg: Hasl, report: Mapping[str, Any]) -> Iterator[Fact]:
    """Return what follows from what both sides say of the ground."""
    yield from _fires(cg, report["fires"])
    for row in report["terrain"]:
        at, what, is_gone = main_location(cg, row["at"]), row["what"], row["gone"]
        if (what in cg.state.ground.changes.get(at, ())) == is_gone:
            yield TerrainChanged(at=at, what=what, gone=is_gone, why=WHY)
    for row in report["works"]:
        yield _placed(cg, row) if row["do"] == PLACED else FortGone(fort=row["fort"], why=WHY)
    yield from control_changes(cg, {main_location(cg, row["location"]): row["side"] for row in report["control"]}, WHY)
    for row in report["cvp"]:
        yield CvpScored(side=row["side"], points=row["points"], why=row["why"].strip())
    if report.get("rain"):
        yield RainFell(why=f"{cg.variant.rain_turns} consecutive Player Turns or more")
    for side in report.get("massacre", ()):
        if not cg.state.side(side).massacre:
            yield MassacreInvoked(side=side, why="committed in play (A20.4)")


def control_changes(cg: Hasl, changes: Mapping[str, str], why: str) -> Iterator[Fact]:
    """Return the facts by which Locations come under Control; what has it already is left out."""
    held = cg.state.ground.control
    for side in (*SIDES, NOBODY):
        now = "" if side == NOBODY else side
        mine = [at for at, new in changes.items() if new == side and held.get(at, "") != now]
        if mine:
            yield ControlChanged(side=now, locations=tuple(cg.sort(mine)), why=why)


def _fires(cg: Hasl, rows: list[Mapping[str, Any]]) -> Iterator[Fact]:
    now = {main_location(cg, row["at"]): row["now"] for row in rows}
    ground = cg.state.ground
    flames = (ground.flames - set(now)) | {at for at, what in now.items() if what == "flame"}
    blazes = (ground.blazes - set(now)) | {at for at, what in now.items() if what == "blaze"}
    if (flames, blazes) != (ground.flames, ground.blazes):
        yield FireChanged(flames=flames, blazes=blazes, why=WHY)


def _placed(cg: Hasl, row: Mapping[str, Any]) -> Fact:
    fort = Fort(
        id=next_fort_id(cg, row["side"]),
        side=row["side"],
        kind=row["kind"],
        size=row["size"],
        at=main_location(cg, row["at"]),
        hidden=False,
        firefight=cg.state.number,
    )
    return FortJoined(fort=fort, why="placed in play")
