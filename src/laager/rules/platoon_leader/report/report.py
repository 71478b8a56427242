"""The end of a firefight's play: both sides report their battle, and what follows (PL 2.9, CG2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Fact, Procedure, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import (
    CvpScored,
    FortGone,
    FortJoined,
    GroupChanged,
    MassacreInvoked,
    SanChanged,
    UnitFought,
)
from laager.rules.board.report.facts import WHY, follow_units
from laager.rules.board.report.flow import both_reports
from laager.rules.board.report.form import LEFT, PLACED, REVEALED
from laager.rules.board.report.ground import control_claims, fire_facts, place_fort, terrain_facts
from laager.rules.board.units import Place
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import PlayEnded, RoundBegun, UnitsExited
from laager.rules.platoon_leader.firefight.game_end import game_end
from laager.rules.platoon_leader.reorganization.control import control_passes
from laager.rules.platoon_leader.report.form import BattleAnswer, BattleReport
from laager.rules.platoon_leader.state import Round


@step(
    "PL 2.9",
    "End of play and battle report",
    also=("PL CG2", "PL CG7", "PL CG8", "PL CG9", "PL 1.33", "PL 3.0"),
    edition=5,
)
def firefight_end(cg: Cg) -> Procedure[None]:
    """Play to the end, have both sides report, apply what they report, begin the RePh."""
    last, why = yield from game_end(cg).play()
    yield PlayEnded(turn=last.turn, last_player=last.side, why=why, rule="PL CG2")
    yield from follow(cg, (yield from both_reports(BattleReport, cg)))
    number = cg.state.fight.number
    yield RoundBegun(round=Round.REORGANIZATION, why=f"the play of firefight {number} is over")


@implements("PL 2.9", "PL 3.11", "PL 1.4 Survivors")
def follow(cg: Cg, pair: Mapping[str, BattleReport]) -> Procedure[None]:
    """Apply two reports that fit together."""
    yield from follow_units(cg, pair)
    yield from yield_facts(_ground_facts(cg, [pair[side].answer for side in SIDES]))
    for side in SIDES:
        yield from yield_facts(_side_facts(cg, pair[side]))


@implements("PL 1.33", "PL CG5")
def _ground_facts(cg: Cg, answers: list[BattleAnswer]) -> Iterator[Fact]:
    """Yield what follows for the map; what both sides report alike counts once."""
    claims = control_claims(cg, [row for answer in answers for row in answer["control"]])
    yield from control_passes(cg, claims, WHY)
    yield from fire_facts(cg, [row for answer in answers for row in answer["fires"]])
    yield from terrain_facts(cg, [row for answer in answers for row in answer["terrain"]])
    for side, answer in zip(SIDES, answers, strict=True):
        for row in answer["forts"]:
            fort = cg.state.forts.get(row["fort"])
            if row["do"] == PLACED:
                yield place_fort(cg, side, row)
            elif fort is not None and row["do"] == REVEALED:
                yield FortJoined(fort=fort.but(hidden=False), why="found in play")
            elif fort is not None:
                yield FortGone(fort=fort.id, why="removed in play", to=(fort.side,) if fort.hidden else None)


def _side_facts(cg: Cg, report: BattleReport) -> Iterator[Fact]:
    """Yield what follows for one side: artillery, groups, SAN, CVP, what took part."""
    side, answer = report.side, report.answer
    fought = tuple(name for name, after in report.after.items() if report.took_part(after))
    yield from _groups(cg, report, fought)
    if answer["san"]:
        yield SanChanged(side=side, by=answer["san"], why="changed in play")
    if answer["massacre"] and not cg.state.side(side).massacre:
        yield MassacreInvoked(side=side, rule="PL CG9", why="invoked in play (A20.4)")
    for row in answer["cvp"]:
        yield CvpScored(side=side, points=row["points"], why=row["why"].strip())
    if fought:
        yield UnitFought(side=side, units=fought, why="took part", to=(side,))
    left = tuple(name for name, after in report.after.items() if after.fate in LEFT)
    if left:
        yield UnitsExited(side=side, units=left, why="left the map in play", to=(side,), rule="PL CG8")


@implements("PL CG7", "PL 1.4 Used OBA", "PL 2.32")
def _groups(cg: Cg, report: BattleReport, fought: tuple[str, ...]) -> Iterator[Fact]:
    """Used OBA is noted, Air Support is lost; what was held off the map can set up next time."""
    side = report.side
    used = {row["group"] for row in report.answer["oba"] if row["used"]}
    for group in list(cg.state.groups_of(side)):
        line = cg.side(side).group(group.rg)
        changes: dict[str, Any] = {}
        why = ""
        if group.id in used:
            changes, why = {"used": True}, "an FFE was placed"
        elif line is not None and line.kind is RgKind.AIR and not group.lost:
            why = "Air Support lasts for one firefight"
            changes = {"lost": why}
        held = any(
            unit.group == group.id and unit.place is Place.OFF_MAP and unit.id not in fought
            for unit in cg.state.units_of(side)
        )
        if held != group.may_set_up:
            changes["may_set_up"] = held
            why = why or ("was held off the map" if held else "has entered")
        if changes:
            yield GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))
