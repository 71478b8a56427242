"""The report on a scenario after its play: each side its own OB, then the ground together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Fact, Procedure, SecretQuestion, ask_all, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, carried_by, change_marks, place_unit, reduce_unit, remove_unit
from laager.rules.board.facts import FortGone, FortJoined, GroupChanged, Noted, UnitHidden
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import RoundBegun, UnitRetained
from laager.rules.board.hasl.report.form import ModuleRow, ScenarioAnswer, ScenarioReport, modules_left
from laager.rules.board.hasl.report.ground import the_ground
from laager.rules.board.hasl.state import Round
from laager.rules.board.places import hex_of
from laager.rules.board.report.facts import WHY, follow_units
from laager.rules.board.report.flow import both_reports
from laager.rules.board.report.form import EXITED, OFF_MAP
from laager.rules.board.report.outcome import UnitAfter
from laager.rules.board.report.side_report import SideReport, each_outcome
from laager.rules.board.rows import unit_list
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts


@implements("ABtF 9.11", "ABtF 9.12", "ABtF 9.3", "ER CG20")
@step("HASL 12", "Report on the scenario", edition=4)
def scenario_report(cg: Hasl) -> Procedure[None]:
    """Both sides report what play has left of their OB and the ground; the Refit Phase begins."""
    yield from follow(cg, (yield from both_reports(ScenarioReport, cg)))
    yield from the_ground(cg)
    number = cg.state.number
    yield RoundBegun(round=Round.REFIT, why=f"the play of scenario {number} is over")


@implements("HASL 12", "HASL 29")
def follow(cg: Hasl, pair: Mapping[str, ScenarioReport]) -> Procedure[None]:
    """Apply two reports that fit together."""
    for side in SIDES:
        yield from cg.variant.apply_report(cg, side, pair[side].answer)
    # What the system's own part changed counts for the units.
    pair = {side: ScenarioReport.of(cg, side, pair[side].answer) for side in SIDES}
    yield from follow_units(cg, pair)
    for report, after in each_outcome(pair):
        if after.fate == EXITED:
            yield from yield_facts(_left_the_map(cg, report, after))
    yield from _checks_on_exit(cg, pair)
    for _, after in each_outcome(pair):
        yield from yield_facts(_never_entered(cg, after))
    yield from yield_facts(_with_their_guards(cg))
    for side in SIDES:
        yield from yield_facts(_artillery(cg, side, pair[side].answer["modules"]))
        yield from yield_facts(_own_works(cg, pair[side].answer))


# Units off the map ------------------------------------------------------------------------------


def _left_the_map(cg: Hasl, report: SideReport, after: UnitAfter) -> Iterator[Fact]:
    """Yield that units which exited are Retained in an Entry Area, out of the enemy's sight."""
    first = after
    while first.row is None and first.carrier:
        # It was taken along and isn't listed itself.
        first = report.after[first.carrier]
    row = report.row(first)
    area = ((row and row.get("area")) or "").strip()
    areas = cg.variant.exit_areas(cg, first.was, hex_of(first.at))
    unit = cg.state.units[after.was.id]
    if unit.known:
        yield UnitHidden(unit=unit.id, side=unit.side, why="has left the map")
    why = f"left the map by {first.at}" if first.at else "left the map"
    area = area or next(iter(areas), "")
    yield UnitRetained(unit=unit.id, area=area, was_in_play=True, why=why, to=(unit.side,))


@implements("ER CG19")
def _checks_on_exit(cg: Hasl, pair: Mapping[str, ScenarioReport]) -> Procedure[None]:
    """Broken Personnel that left the map take an NTC where the system says so."""
    if not cg.variant.exit_check:
        return
    questions = []
    for side in SIDES:
        report = pair[side]
        broken = [
            cg.state.units[after.was.id]
            for after in report.after.values()
            if after.fate == EXITED and after.was.kind in INFANTRY and Mark.BROKEN in report.marks_on_leaving(after)
        ]
        if broken:
            questions.append(_exit_question(side, broken))
    failed = yield from ask_all(questions)
    for units in failed.values():
        for name in units:
            yield from yield_facts(_fails_check(cg, cg.state.units[name]))


def _exit_question(side: str, units: list[Unit]) -> SecretQuestion:
    return SecretQuestion(
        key="exit-ntc",
        side=side,
        text="These broken units left the map and take an NTC each. Which of them fail it?",
        form=unit_list(units),
        help="A Good Order leader that left with them may add his DRM. Failure is Casualty "
        "Reduction; Equipment is lost with a unit that it Eliminates.",
    )


def _fails_check(cg: Hasl, unit: Unit) -> Iterator[Fact]:
    why = "failed its NTC when it left the map"
    had = [item for item in carried_by(cg, unit) if not item.has(Mark.PRISONER)]
    yield from reduce_unit(cg, unit, why)
    if not cg.state.units[unit.id].in_play:
        for item in had:
            yield from remove_unit(cg, cg.state.units[item.id], Place.ELIMINATED, "lost with its possessor")


@implements("ER CG7(3)")
def _never_entered(cg: Hasl, after: UnitAfter) -> Iterator[Fact]:
    """A unit that should have entered and didn't stays Retained, or is lost with its full CVP.

    Prisoners don't have to enter: they come and stay with their guards.
    """
    unit = cg.state.units[after.was.id]
    if after.fate == OFF_MAP and unit.in_play and not unit.has(Mark.PRISONER):
        place = cg.variant.place_if_never_entered(cg, unit)
        if place is not Place.OFF_MAP:
            yield from remove_unit(cg, unit, place, "never entered")


def _with_their_guards(cg: Hasl) -> Iterator[Fact]:
    """Prisoners kept off the map come on with their guards; without a guard they are unguarded."""
    for unit in list(cg.state.units.values()):
        if unit.place is not Place.OFF_MAP or not unit.has(Mark.PRISONER):
            continue
        guard = cg.state.units.get(unit.with_unit)
        if guard is None:
            yield from change_marks(unit, add=[Mark.UNGUARDED], why="its guard is gone")
        elif guard.on_map:
            yield place_unit(unit, guard.at, why="comes on with its guard")


# Artillery, own fortifications ------------------------------------------------------------------


def _artillery(cg: Hasl, side: str, rows: list[ModuleRow]) -> Iterator[Fact]:
    """Which modules were in play and which placed an FFE:1; an FFE:1 all have seen."""
    rows_by_module = {row["group"]: row for row in rows}
    placed = 0
    for module in modules_left(cg, side):
        row = rows_by_module.get(module.id) or ModuleRow(group=module.id, in_play=False, placed=False, exhausted=False)
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


def _own_works(cg: Hasl, answer: ScenarioAnswer) -> Iterator[Fact]:
    for name in answer["revealed"]:
        fort = cg.state.forts[name]
        yield FortJoined(fort=fort.but(hidden=False), why="found in play")
    for name in answer["lost_works"]:
        yield FortGone(fort=name, why="gone in play", to=(cg.state.forts[name].side,))
