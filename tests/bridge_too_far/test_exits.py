"""Who leaves the map, and prisoners off it, through whole reports (CG9, CG11)."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.hasl.facts import PlayEnded
from laager.rules.board.hasl.report.report import scenario_report
from laager.rules.board.units import Mark, Place
from laager.rules.bridge_too_far.context import Abtf
from tests.bridge_too_far.scene import add, apply, at_date, chits, scene
from tests.historical.driver import run
from tests.report_rows import gone, row

KEY = "scenario-report"


def after_play() -> Abtf:
    """AX1 and AX2 are German squads in G3, AL1 is a British squad and AL2 a tank in D2."""
    cg = chits(at_date(scene(), "18AM"), "attack", "idle")
    for _ in range(2):
        add(cg, "axis", "4-6-7", "squad", "G3", known=True, area="NE")
    add(cg, "allied", "6-4-8", "squad", "D2", known=True, area="W")
    add(cg, "allied", "Stuart III(a)", "afv", "D2", known=True, area="W")
    return apply(cg, PlayEnded(turn=6))


def leaves(name: str, at: str = "F0") -> dict[str, Any]:
    return gone(name, "exited", at=at)


def reports(german: list[Any], british: list[Any]) -> list[tuple[str, Any]]:
    return [(f"{KEY}@axis", {"units": german}), (f"{KEY}@allied", {"units": british})]


def report(cg: Abtf, german: list[Any], british: list[Any], *then: tuple[str, Any]) -> Any:
    return run(scenario_report, cg, answers=[*reports(german, british), *then])


def test_a_german_without_a_prisoner_does_not_leave_the_map() -> None:
    cg = after_play()
    played = report(cg, [leaves("AX1")], [], *reports([], []))
    again = [one for one in played.asked if one.key == KEY][2:]
    assert len(again) == 2
    for one in again:
        assert "prisoners taken off the map (ABtF CG11): German: Guards that left" in one.text
    assert (cg.state.units["AX1"].at, cg.state.units["AX1"].place) == ("G3", Place.MAP)


def test_the_proposal_after_it_fits() -> None:
    cg = after_play()
    played = report(cg, [leaves("AX1"), row("AX2", "G2")], [])
    assert len([one for one in played.asked if one.key == KEY]) == 4
    assert [cg.state.units[name].at for name in ("AX1", "AX2")] == ["G3", "G2"]


@pytest.mark.parametrize(
    ("british", "left"), [([gone("AL1", "captured")], 1), ([gone("AL1", "captured"), gone("AL2")], 2)]
)
def test_guards_leave_with_their_prisoners(british: list[Any], left: int) -> None:
    cg = after_play()
    names = ["AX1", "AX2"]
    german = [leaves(name) for name in names]
    kept = [leaves(name) for name in names[:left]]
    then = reports(kept, british) if left < len(names) else []
    report(cg, german, british, *then)
    for number, name in enumerate(names):
        unit = cg.state.units[name]
        assert (unit.place, unit.area) == ((Place.OFF_MAP, "F0") if number < left else (Place.MAP, "NE"))
    assert cg.state.arrived.keys() >= set(names[:left])


def kept_off() -> Abtf:
    """AX3 is a Guard off the map by F0 with the prisoner AL3."""
    cg = after_play()
    guard = add(cg, "axis", "4-6-7", "squad", area="F0")
    marks = (Mark.PRISONER,)
    add(cg, "allied", "6-4-8", "squad", None, *marks, with_unit=guard.id, known=True)
    return cg


def test_a_prisoner_off_the_map_is_not_lost_for_not_entering() -> None:
    cg = kept_off()
    report(cg, [row("AX3", "G1", entered=True)], [])
    prisoner = cg.state.units["AL3"]
    assert (prisoner.at, prisoner.with_unit) == ("G1", "AX3")
    assert (cg.state.side("axis").cvp, cg.state.side("allied").cvp) == (0, 0)


def test_a_guard_who_leaves_again_keeps_his_prisoner() -> None:
    cg = kept_off()
    report(cg, [leaves("AX3")], [])
    assert cg.state.units["AL3"].place is Place.OFF_MAP
    assert cg.state.units["AL3"].with_unit == "AX3"
    assert cg.state.units["AX3"].place is Place.OFF_MAP


def test_a_guard_who_never_enters_is_lost_and_his_prisoner_is_not() -> None:
    cg = kept_off()
    report(cg, [], [])
    assert cg.state.units["AX3"].place is Place.ELIMINATED
    prisoner = cg.state.units["AL3"]
    assert (prisoner.place, prisoner.has(Mark.UNGUARDED)) == (Place.OFF_MAP, True)
    assert (cg.state.side("axis").cvp, cg.state.side("allied").cvp) == (0, 2)
