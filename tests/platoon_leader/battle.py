"""A battle on the walkthrough's map just before its end, and reports on it."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from laager.rules.board.facts import ControlChanged, FortJoined
from laager.rules.board.report.flow import report_question
from laager.rules.board.units import Fort, Mark
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CampaignBegun, GroupJoined
from laager.rules.platoon_leader.report.form import BattleReport
from laager.rules.platoon_leader.report.report import firefight_end
from laager.rules.platoon_leader.state import Group, Type
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import small_cg
from tests.steps import Played, play, refusals

Report = dict[str, Any]


def battle(**changes: Any) -> Cg:
    """Return a campaign in its first firefight, the Axis attacking and moving first.

    Axis: AX1 4-6-7 with LMG AX2 and AX3 9-2 in C4, AX4 8-0 in D4, AX5 PzIVF2 in E5 with armor
    leader AX6, AX7 5-4-8 under "?" in D5 with MMG AX8, AX9 4-6-7 off map with LMG AX10.
    Allied: AL1 4-4-7 with LMG AL2 in D7, HIP crew AL3 and Gun AL4 in C8, AL5 6+1 and AL6 4-4-7 in
    K9, AL7 T-34 M41 in J8. Fortifications: AXF1 wire in D5 (hidden), ALF1 foxhole in D7.
    """
    cg = small_cg(**changes)
    start = CampaignBegun(elr={"axis": 3, "allied": 3}, san={"axis": 3, "allied": 5}, cp={"axis": 0, "allied": 0})
    state = start.apply(cg.state)
    state = state.with_fight(type=Type.AXIS_ASSAULT, attacker="axis", moves_first="axis")
    for side, locations in (("axis", ("C4", "K4")), ("allied", ("C8", "K9", "G2"))):
        state = ControlChanged(side=side, locations=locations).apply(state)
    known = {"known": True}
    state, one = unit(state, "axis", "4-6-7", "squad", "C4", group="I1/1", **known)
    state, _ = unit(state, "axis", "LMG", "sw", "C4", with_unit=one.id, **known)
    state, _ = unit(state, "axis", "9-2", "leader", "C4", **known)
    state, _ = unit(state, "axis", "8-0", "leader", "D4", **known)
    state, tank = unit(state, "axis", "PzIVF2", "afv", "E5", **known)
    state, _ = unit(state, "axis", "8-1", "armor-leader", "E5", with_unit=tank.id, **known)
    state, two = unit(state, "axis", "5-4-8", "squad", "D5", Mark.CONCEALED)
    state, _ = unit(state, "axis", "MMG", "sw", "D5", with_unit=two.id)
    state, three = unit(state, "axis", "4-6-7", "squad", group="I1/2")
    state, _ = unit(state, "axis", "LMG", "sw", with_unit=three.id, group="I1/2")
    state, one = unit(state, "allied", "4-4-7", "squad", "D7", **known)
    state, _ = unit(state, "allied", "LMG", "sw", "D7", with_unit=one.id, **known)
    state, crew = unit(state, "allied", "2-2-8", "crew", "C8", Mark.HIP)
    gun = (Mark.HIP, Mark.EMPLACED)
    state, _ = unit(state, "allied", "76L ART obr. 39", "gun", "C8", *gun, with_unit=crew.id)
    state, _ = unit(state, "allied", "6+1", "leader", "K9", **known)
    state, _ = unit(state, "allied", "4-4-7", "squad", "K9", **known)
    state, _ = unit(state, "allied", "T-34 M41", "afv", "J8", **known)
    wire = Fort(id="AXF1", side="axis", kind="wire", at="D5")
    hole = Fort(id="ALF1", side="allied", kind="foxhole", size="1", at="D7", hidden=False)
    for fort in (wire, hole):
        state = FortJoined(fort=fort).apply(state)
    for name, setup in (("I1", Setup.ON_MAP), ("I1", Setup.OFF_MAP), ("O1", Setup.OFF_MAP)):
        number = 1 + sum(group.rg == name for group in state.groups_of("axis"))
        group = Group(id=f"{name}/{number}", side="axis", rg=name, firefight=1, setup=setup, cost=4)
        state = GroupJoined(group=group).apply(state)
    cg.state = state
    return cg


def wrong(cg: Cg, side: str, **report: Any) -> list[str]:
    """Return what is said of a report, each problem as a line; nothing if it is accepted."""
    return refusals(report_question(BattleReport, cg, side), report)


def report(cg: Cg, axis: Report | None = None, allied: Report | None = None) -> Played:
    """End play by the first dr and have both sides report."""
    answers = {"battle-report@axis": axis or {}, "battle-report@allied": allied or {}}
    return play(firefight_end, cg, answers=answers, dice=[(1,)])


def assert_said(lines: list[str], wanted: list[str]) -> None:
    """Compare what is said; what is wanted may leave the end of a line open with an ellipsis."""
    shown = [
        want if want.endswith("…") and line.startswith(want[:-1]) else line
        for line, want in zip_longest(lines, wanted, fillvalue="")
    ]
    assert shown == wanted
