"""The battle report of a firefight: what it asks, what is wrong with it, one made up by chance (PL 2.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TypedDict

from laager.base import Problem, did_you_mean
from laager.base.counting import count_of
from laager.campaign import Choice, Field, Number, Option, Record, Rows, Text, YesNo, implements
from laager.rules.board.changes import INFANTRY, is_vehicle
from laager.rules.board.places import hex_of, place_problem
from laager.rules.board.report import form, suggest
from laager.rules.board.report.checks import is_repeated
from laager.rules.board.report.form import EXITED, GroundAnswer, ReportFortRow, UnitRow, UnitsAnswer, fates
from laager.rules.board.report.ground import fort_problems, ground_problems, new_strategic, point_problems
from laager.rules.board.report.marks import IMMOBILE, NOT_GOOD_ORDER
from laager.rules.board.report.outcome import UnitAfter, rows_of
from laager.rules.board.report.side_report import SideReport
from laager.rules.board.report.suggest import ReportMaker
from laager.rules.board.state import MAX_SAN
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.buying.groups import in_reserve
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import WORKS, Cg
from laager.rules.platoon_leader.firefight.play import held_back

FATES = fates(
    exited="left by a Friendly Map Edge, stays in the OB (CG8)",
    objective_exit="left elsewhere to fulfil an Objective (CG8)",
)
"""What can become of a unit, and what each word means."""

TERRAIN = ("rubble", "shellholes", "trailbreak", "breach", "mousehole", "collapsed-hut", "bridge-destroyed")
"""Changes of the printed map that stay for the campaign (PL CG5)."""


class ModuleRow(TypedDict):
    """An OBA module, and whether an FFE was placed with it."""

    group: str
    used: bool


class BattleAnswer(UnitsAnswer, GroundAnswer):
    """The answer with one side's battle report."""

    oba: list[ModuleRow]
    forts: list[ReportFortRow]
    san: int
    massacre: bool


def report_form() -> Record:
    """Return the form of a side's battle report."""
    module = Record(
        (
            Field("group", Text(20), "Module"),
            Field("used", YesNo(), "Was an FFE placed (IR and starshells do not count)?"),
        )
    )
    kinds = tuple(Option(row.type, row.name) for row in charts().fortifications.rows)
    fort = Record(
        (
            Field("do", Choice.of(form.PLACED, form.TAKEN_AWAY, form.REVEALED), "What happened"),
            Field("fort", Text(20), "Which (removed, revealed)", ""),
            Field("kind", Choice((Option("", "-"), *kinds)), "Kind (placed)", ""),
            Field("at", Text(20), "Location (placed)", ""),
            Field("size", Text(20), "Size (placed)", ""),
            Field("factors", Number(0, 99), "Factors (placed)", 0),
        )
    )
    forts = Field("forts", Rows(fort, most=100), "Fortifications that changed", [])
    return Record(
        (
            *form.unit_fields(FATES),
            Field("oba", Rows(module, most=20), "OBA modules", []),
            *form.ground_fields(TERRAIN, forts),
            Field("san", Number(-7, 7), "By how much your SAN changed in play", 0),
            Field("massacre", YesNo(), "Have you invoked Massacre (A20.4)?", False),
        )
    )


@dataclass(frozen=True)
class BattleReport(SideReport):
    """One side's battle report on a firefight."""

    key = "battle-report"
    text = "What became of your units, and of the ground? Enter the end of play."
    rule = "PL 2.9"
    help = f"{form.HELP}CVP follow from the losses; `cvp` is for what else you scored."
    fixed_rule = "PL CG3"
    left_rule = "PL CG8"
    left_advice = "if it left by a Friendly Map Edge its fate is exited"

    cg: Cg
    answer: BattleAnswer

    @classmethod
    def form(cls, cg: Cg, side: str) -> Record:
        """Return the form of the report."""
        return report_form()

    @classmethod
    def unchanged_answer(cls, cg: Cg, side: str) -> dict[str, Any]:
        """Return the record as a report that changes nothing."""
        return super().unchanged_answer(cg, side) | {
            "oba": [{"group": module.id, "used": False} for module in modules(cg, side)]
        }

    @implements("PL CG8")
    def exit_problems(self, after: UnitAfter, row: UnitRow) -> Iterator[Problem]:
        """Yield why a unit can't have left the map and stayed in its OB (PL CG8)."""
        unit, edge = after.was, self.cg.edge(self.side)
        wrong = place_problem(self.cg, self.side, after.at) if after.at else None
        if wrong:
            yield Problem(*wrong, "at")
        if after.fate != EXITED:
            return
        right = "any other exit is fate: eliminated, or objective-exit if for an Objective (PL CG8)"
        if not edge:
            yield Problem(f"the {self.cg.side(self.side).name} have no Friendly Map Edge", right, "fate")
        elif after.at and not wrong and hex_of(after.at) not in edge:
            yield Problem(f"{after.at} is not on a Friendly Map Edge", right, "at")
        stuck, good = NOT_GOOD_ORDER, "only Good Order personnel exit"
        if is_vehicle(unit):
            stuck, good = IMMOBILE | {Mark.RECALL}, "only mobile vehicles that are not Recalled exit"
        for mark in sorted(self.marks_on_leaving(after) & stuck):
            yield Problem(f"{unit.label} exited, but is {mark}", f"{good} (PL CG8)", "marks")

    @implements("PL 2.33")
    def entry_barrier(self, unit: Unit) -> str:
        """Return why a unit can't enter in this firefight, or "" if it can."""
        if not in_reserve(self.cg, unit):
            return ""
        return f"{unit.label} is In Reserve and enters no earlier than the next firefight (PL 2.33)"

    def further_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with artillery, ground, fortifications and points."""
        cg, side, answer = self.cg, self.side, self.answer
        yield from self._oba_problems()
        strategic = self.strategic() if answer["control"] else frozenset[str]()
        yield from ground_problems(cg, side, answer, strategic, "Strategic Terrain")
        forts = {f.id: f for f in cg.state.forts.values() if f.side == side or (not f.hidden and f.at)}
        yield from fort_problems(cg, side, "forts", answer["forts"], forts)
        yield from point_problems(answer)
        by = answer["san"] or 0
        san = cg.state.side(side).san + by
        if by and not 0 <= san <= MAX_SAN:
            yield Problem(f"this would make your SAN {san}", f"it is from 0 to {MAX_SAN}", "san")

    @implements("PL 1.4 Used OBA", "PL CG4")
    def _oba_problems(self) -> Iterator[Problem]:
        """Yield what is wrong with the use of OBA modules: at most two in a firefight (PL CG4)."""
        cg, side = self.cg, self.side
        rows = list(rows_of("oba", self.answer["oba"], "group", "used"))
        mine = {group.id: group for group in cg.state.groups_of(side)}
        named = [row["group"] for _, row in rows]
        for where, row in rows:
            group = mine.get(row["group"])
            line = cg.side(side).group(group.rg) if group else None
            here = f"{where}.group"
            if group is None or line is None or line.kind is not RgKind.OBA:
                oba = [g.id for g in mine.values() if g.rg.startswith(RgKind.OBA.prefix)]
                yield Problem(f"you have no OBA module {row['group']!r}", did_you_mean(row["group"], oba), here)
            elif group.used or group.lost:
                yield Problem(f"{group.id} was used up before this battle", "leave it out", here)
            elif row["used"] and not group.usable:
                message = f"{group.id} was not one of the modules usable in this battle"
                yield Problem(message, "used: no (PL CG4)", f"{where}.used")
            if is_repeated(named, row["group"]):
                yield Problem(f"{row['group']} is listed twice", "list it once", here)
        most = cg.charts.limit("oba-modules")
        used = [row for _, row in rows if row["used"]]
        if len(used) > most:
            yield Problem(f"you used {count_of(len(used), 'module')}", f"{most} at most (PL CG4)", "oba")

    @implements("PL CG5")
    def strategic(self) -> frozenset[str]:
        """Return the Strategic Terrain that this side knows, with what the report adds."""
        cg, side, answer = self.cg, self.side, self.answer
        own = [fort.id for fort in cg.state.forts.values() if fort.side == side]
        own += [unit.id for unit in cg.state.units_of(side, "gun")]
        made = new_strategic(cg, side, answer["terrain"], answer["forts"], WORKS)
        return frozenset(cg.strategic(hidden=own)).union(made)

    @classmethod
    def suggest(cls, cg: Cg, side: str, rng: Random) -> dict[str, Any]:
        """Return a plausible battle report made up by chance."""
        waiting = frozenset(unit.id for unit in held_back(cg, side))
        story = ReportMaker(cg, side, rng, frozenset(cg.edge(side)), waiting)
        suggest.make_units(story)
        usable = [module for module in modules(cg, side) if module.usable][: cg.charts.limit("oba-modules")]
        return {
            "units": story.rows,
            "oba": [{"group": module.id, "used": story.chance(40)} for module in usable],
            "control": _gain_control(story),
            "fires": suggest.make_fires(story, "flame", 12),
            "terrain": suggest.make_rubble(story, 4),
            "san": -1 if cg.state.side(side).san > 2 and story.chance(10) else 0,
        }


def _gain_control(story: ReportMaker[Cg]) -> list[dict[str, Any]]:
    """Gain Control of Locations where this side stands alone, as far as it knows."""
    taken = {enemy.at for enemy in story.enemies(*INFANTRY, "afv", "vehicle")}
    own = story.cg.state.ground.control
    gained = [
        at for at in story.cg.strategic() if at in story.held - taken and own.get(at) != story.side and story.chance(80)
    ]
    return [{"location": at, "side": story.side} for at in gained]
