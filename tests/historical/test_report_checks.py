"""The report on a scenario: what is refused, and in which words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from laager.base import Problem
from laager.rules.board.facts import UnitMarked
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.report.form import ScenarioReport
from laager.rules.board.hasl.report.ground import ground_form, scenario_ground_problems
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.report.flow import report_question
from laager.rules.board.units import Mark
from tests.historical.aftermath import aftermath
from tests.historical.small import add
from tests.report_rows import gone, row
from tests.steps import refusals

NORTH = {"sides": {"axis": {"exits": ["north"]}}}


def said(cg: Any, side: str, report: Any) -> list[str]:
    return refusals(report_question(ScenarioReport, cg, side), report)


def ground_said(cg: Hasl, report: dict[str, Any]) -> list[str]:
    answer: Any = ground_form(cg).parse(report)
    return [str(one) for one in scenario_ground_problems(cg, answer)]


def modules(**row_: Any) -> dict[str, Any]:
    return {"modules": [{"group": "O1/1", **row_}]}


BROKEN: list[tuple[list[dict[str, Any]], str]] = [
    ([row("AX99")], "units[1].unit: you have no unit 'AX99'; did you mean AX9?"),
    ([row("AL1")], "units[1].unit: AL1 is a number of the enemy (British); each side reports its own units"),
    ([row("AL77")], "units[1].unit: AL77 is a number of the enemy (British); each side reports its own units"),
    (
        [row("AX1", "G2"), row("AX1", "G3")],
        "units[2].unit: 4-6-7 (AX1) is in two places: G2 (row 1) and G3; list it once",
    ),
    ([row("AX1", "G2"), row("AX1", "G2")], "units[2].unit: 4-6-7 (AX1) is listed twice (row 1 too); list it once"),
    ([row("AX1", "Z9")], "units[1].at: there is no hex 'Z9' on the map Small town; …"),
    ([row("AX1", "G7.4")], "units[1].at: G7 has no Location G7.4; it has G7"),
    ([row("AX10")], "units[1].at: 4-6-7 (AX10) is on the map but has no Location; add at, or fate: off-map"),
    (
        [gone("AX1", "off-map")],
        "units[1].fate: 4-6-7 (AX1) was on the map (G2); if it left the map and stays in the OB its fate is exited",
    ),
    (
        [gone("AX10", "off-map", at="G1")],
        "units[1].at: 4-6-7 (AX10) is off the map and can't be in G1; leave at out, or fate: on-map",
    ),
    ([gone("AX4", at="H3")], "units[1].at: 4-6-7 (AX4) is eliminated and can't be in H3; leave at out"),
    (
        [row("AX3", "G2", "motion")],
        "units[1].marks: 9-1 (AX3) is a leader and can't be marked motion; it goes on AFV, vehicle",
    ),
    ([row("AX1", "G2", "dm")], "units[1].marks: 4-6-7 (AX1) is marked dm but not broken; add broken too, or drop it"),
    (
        [row("AX1", "G2", "broken", "concealed")],
        "units[1].marks: 4-6-7 (AX1) can't be both broken and concealed; keep one of them",
    ),
    (
        [row("AX1", "G2", "hip")],
        "units[1].marks: the enemy knows 4-6-7 (AX1), so it can't be HIP; concealed, or leave the marker out",
    ),
    ([row("AX1", "G2", type="9-9-9")], "units[1].type: 4-6-7 (AX1) can't have become '9-9-9'; …"),
    (
        [row("AX6", "F3", "wreck")],
        "units[1].fate: PzIVH (AX6) is marked wreck, so it is no longer in play; fate: eliminated",
    ),
    ([row("AX2", "G3")], "units[1].at: LMG (AX2) is in G3, but 4-6-7 (AX1) is in G2; at: G2, or with: ''"),
    ([row("AX2", **{"with": "AX77"})], "units[1].with: you have no unit 'AX77'; …"),
    (
        [row("AX1", **{"with": "AX3"})],
        "units[1].with: 4-6-7 (AX1) can't be with 9-1 (AX3); personnel can only be with a vehicle",
    ),
    (
        [row("AX3", "G2", "prisoner")],
        "units[1].with: 9-1 (AX3) is a prisoner without a guard; add with: guard, or the marker unguarded",
    ),
    (
        # Nobody is told whether the enemy has an AL4 that he does not know, or an AL99.
        [row("AX3", "G2", "prisoner", **{"with": "AL4"})],
        "units[1].with: you know of no unit 'AL4'; "
        "with: guard; or, if you know of no guard, no with and the marker unguarded",
    ),
    (
        [row("AX3", "G2", "prisoner", **{"with": "AL99"})],
        "units[1].with: you know of no unit 'AL99'; "
        "with: guard; or, if you know of no guard, no with and the marker unguarded",
    ),
    ([gone("AX1", "recalled")], "units[1].fate: 4-6-7 (AX1) isn't a vehicle and can't be Recalled; another fate"),
    (
        [row("AX3", "G2"), gone("AX1")],
        "units[2].fate: LMG (AX2) was with 4-6-7 (AX1), which is eliminated; "
        "list it too, with its own fate or Location",
    ),
    ([gone("AX3", "exited")], "units[1].at: 9-1 (AX3) exited, but by which hex?; add at"),
    ([gone("AX3", "exited", at="Z1")], "units[1].at: there is no hex 'Z1' on the map Small town; …"),
    (
        [gone("AX3", "exited", at="G9")],
        "units[1].fate: 9-1 (AX3) can't leave the map by G9 and be Retained; fate: eliminated, if it did",
    ),
    (
        [gone("AX3", "exited", at="G1", area="A4")],
        "units[1].area: 9-1 (AX3) left by G1 and can't be Retained in A4; in one of G1",
    ),
    (
        [gone("AX6", "exited", at="G1", marks=["immobilized"])],
        "units[1].marks: PzIVH (AX6) exited, but is immobilized; another fate",
    ),
    (
        [gone("AX3", "exited", at="G1", marks=["prisoner", "unguarded"])],
        "units[1].marks: 9-1 (AX3) exited, but is a prisoner; fate: captured if its guard took it along",
    ),
]


@pytest.mark.parametrize("marks", [{}, {"marks": []}], ids=["not said", "said to be none"])
def test_what_was_immobilized_before_play_does_not_exit(marks: dict[str, Any]) -> None:
    cg = aftermath(NORTH)
    cg.state = UnitMarked(unit="AX6", add=frozenset({Mark.IMMOBILIZED})).apply(cg.state)
    left = [gone("AX6", "exited", at="G1", **marks)]
    told = "units[1].marks: PzIVH (AX6) exited, but is immobilized; another fate"
    assert told in said(cg, "axis", {"units": left})
    cg.state = UnitMarked(unit="AX6", remove=frozenset({Mark.IMMOBILIZED})).apply(cg.state)
    assert told not in said(cg, "axis", {"units": left})


@pytest.mark.parametrize(("rows", "wanted"), BROKEN)
def test_what_is_wrong_with_units(rows: list[dict[str, Any]], wanted: str) -> None:
    lines = said(aftermath(NORTH), "axis", {"units": rows})
    if wanted.endswith("…"):
        assert any(line.startswith(wanted[:-1]) for line in lines), lines
    else:
        assert wanted in lines


@pytest.mark.parametrize(
    ("report", "wanted"),
    [
        (
            {"new": [{"type": "1-4-9", "at": "G2", "with": "AX1"}]},
            ["new[1].with: 1-4-9 (1-4-9) can't be with 4-6-7 (AX1); "
             "personnel can only be with a vehicle"],
        ),
        (
            {"new": [{"type": "6-6-6", "at": "G2"}]},
            ["new[1].type: the German catalogue has no '6-6-6' (type); …"],
        ),
        (
            {"taken": [{"type": "Bren", "by": "AX1"}]},
            ["taken[1].type: neither side has a weapon 'Bren'; …"],
        ),
        (
            {"taken": [{"type": "LMG", "by": "AX10"}]},
            ["taken[1].by: 4-6-7 (AX10) can't possess it; "
             "personnel on the map that isn't captured"],
        ),
        (
            modules(placed=True),
            ["modules[1].in_play: an FFE:1 of O1/1 was placed, so its radio or observer was in "
             "play; in_play: yes"],
        ),
        (
            modules(exhausted=True),
            ["modules[1].in_play: O1/1 is exhausted, so its radio or observer was in play; "
             "in_play: yes"],
        ),
        (
            {"modules": [{"group": "O1/1"}, {"group": "O1/1"}]},
            ["modules[1].group: O1/1 is listed twice; list it once",
             "modules[2].group: O1/1 is listed twice; list it once"],
        ),
        (
            {"modules": [{"group": "O9/1"}]},
            ["modules[1].group: O9/1 is not one of the choices; …"],
        ),
        (
            {"revealed": ["AXF1"], "lost_works": ["AXF1"]},
            ["revealed: AXF1 was found, and is gone; list it only as gone"],
        ),
        (
            {"revealed": ["ALF1"]},
            ["revealed[1]: ALF1 is not one of the choices; …"],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_rest(report: Any, wanted: list[str]) -> None:
    lines = said(aftermath(), "axis", report)
    assert len(lines) == len(wanted), lines
    for line, want in zip(lines, wanted, strict=True):
        assert line == want or (want.endswith("…") and line.startswith(want[:-1]))


def test_every_forgotten_possession_is_told_at_its_row() -> None:
    cg = aftermath()
    add(cg, "axis", "PSK", "sw", "G2", with_unit="AX1")
    lines = said(cg, "axis", {"units": [gone("AX4"), gone("AX1")]})
    assert [line.partition(" was with")[0] for line in lines] == [
        "units[2].fate: LMG (AX2)",
        "units[1].fate: MMG (AX5)",
        "units[2].fate: PSK (AX12)",
    ]


def test_everything_wrong_is_told_at_once() -> None:
    rows = [row("AX99"), row("AX1", "Z9", "dm"), gone("AX6", "recalled", at="F3")]
    lines = said(aftermath(), "axis", {"units": rows, "modules": [{"group": "X"}], "cvp": []})
    assert len(lines) >= 5


class Strict(Variant[Any]):
    def report_problems(self, cg: Any, side: str, report: Any) -> Any:
        if any(row["unit"] == "AX3" for row in report["units"]):
            yield Problem("no losses here", "win", "units")


def test_a_system_adds_its_own() -> None:
    cg = aftermath(variant=Strict())
    assert said(cg, "axis", {"units": [gone("AX3")]}) == ["units: no losses here; win"]
    # Rows that can't be read are told with it, and are not in its way.
    lines = said(cg, "axis", {"units": ["AX1", {"fate": "eliminated"}, gone("AX3")]})
    assert lines == [
        "units[1]: 'AX1' is not a set of fields; fields such as {name: value}",
        "units[2].unit: is missing; add it",
        "units: no losses here; win",
    ]


@pytest.mark.parametrize(("burning", "right"), [(False, "leave the row out"), (True, "now: none")])
def test_what_is_burnt_down_burns_no_more(burning: bool, right: str) -> None:
    cg = aftermath()
    flames = frozenset({"H3"}) if burning else frozenset[str]()
    cg.state = cg.state.with_ground(burnt=frozenset({"H3"}), flames=flames)
    report = ground_form(cg).parse({"fires": [{"at": "H3", "now": "blaze"}]})
    assert ground_said(cg, report) == [f"fires[1].now: H3 is burnt down; {right}"]


GROUND: list[tuple[dict[str, Any], str]] = [
    ({"control": [{"location": "C4", "side": "axis"}] * 2}, "control[1].location: C4 is listed twice; list it once"),
    ({"control": [{"location": "C5", "side": "axis"}]}, "control[1].location: C5 is not a Strategic Location; …"),
    ({"control": [{"location": "H2", "side": "axis"}]}, "control[1].location: H2 is not a Strategic Location; …"),
    (
        {"control": [{"location": "Z5", "side": "axis"}]},
        "control[1].location: there is no hex 'Z5' on the map Small town; …",
    ),
    ({"fires": [{"at": "Z5", "now": "flame"}]}, "fires[1].at: there is no hex 'Z5' on the map Small town; …"),
    ({"fires": [{"at": "H3", "now": "none"}]}, "fires[1].now: there was no fire in H3; leave the row out"),
    ({"fires": [{"at": "H3", "now": "flame"}] * 2}, "fires[2].at: H3 is listed twice; list it once"),
    (
        {"terrain": [{"at": "H3", "what": "rubble", "gone": True}]},
        "terrain[1].gone: there was no rubble in H3; leave the row out",
    ),
    ({"terrain": [{"at": "H3", "what": "rubble"}] * 2}, "terrain[2].at: rubble in H3 is listed twice; list it once"),
    ({"terrain": [{"at": "H3.7", "what": "rubble"}]}, "terrain[1].at: H3 has no Location H3.7; it has H3"),
    ({"works": [{"do": "placed"}]}, "works[1].kind: a fortification was placed, but which?; add kind"),
    (
        {"works": [{"do": "placed", "kind": "wire", "at": "C4"}]},
        "works[1].side: a fortification was placed, but whose is it?; add side",
    ),
    (
        {"works": [{"do": "placed", "kind": "wire", "side": "axis", "at": "C4", "fort": "X"}]},
        "works[1].fort: a fortification placed in play has no number yet; leave fort out",
    ),
    ({"works": [{"do": "removed", "fort": "AXF1"}]}, "works[1].fort: you know of no fortification 'AXF1'; …"),
    ({"works": [{"do": "removed", "fort": "ALF1"}] * 2}, "works[2].fort: ALF1 is listed twice; list it once"),
    ({"cvp": [{"side": "axis", "points": 0, "why": "x"}]}, "cvp[1].points: 0 CVP change nothing; leave the row out"),
    ({"cvp": [{"side": "axis", "points": 1, "why": " "}]}, "cvp[1].why: CVP for what?; say it in a few words"),
    (
        {"cvp": [{"side": "axis", "points": points, "why": "x"} for points in (1, -9)]},
        "cvp: -8 CVP for the German, who have 0; no side has fewer than 0",
    ),
]


@pytest.mark.parametrize(("report", "wanted"), GROUND)
def test_what_is_wrong_with_the_ground(report: dict[str, Any], wanted: str) -> None:
    cg = aftermath()
    lines = ground_said(cg, report)
    if wanted.endswith("…"):
        assert any(line.startswith(wanted[:-1]) for line in lines), lines
    else:
        assert wanted in lines


def test_what_stands_nowhere_makes_nothing_strategic() -> None:
    cg = aftermath()
    report = {
        "control": [{"location": "D7", "side": "axis"}],
        "terrain": [{"at": "", "what": "rubble"}],
        "works": [{"do": "placed", "kind": "foxhole", "side": "axis", "at": "nowhere"}],
    }
    lines = ground_said(cg, report)
    assert any(line.startswith("control[1].location: D7 is not a Strategic") for line in lines)


def test_what_the_report_makes_strategic_may_be_controlled() -> None:
    cg = aftermath()
    report = {
        "control": [{"location": at, "side": "axis"} for at in ("C4", "C6", "D7", "G7")],
        "terrain": [{"at": "C6", "what": "rubble"}],
        "works": [{"do": "placed", "kind": "foxhole", "side": "axis", "at": "D7"}],
    }
    assert ground_said(cg, report) == []


def test_the_ground_tells_nothing_of_what_is_hidden() -> None:
    """The same is said whether or not there is a hidden fortification or Gun."""
    cg, less = aftermath(), aftermath()
    state = less.state
    units = {k: u for k, u in state.units.items() if k not in ("AX8", "AX9")}
    forts = {k: f for k, f in state.forts.items() if k != "AXF1"}
    less.state = replace(state, units=units, forts=forts)
    report = {"control": [{"location": "H2", "side": "axis"}], "works": [{"do": "removed", "fort": "AXF1"}]}
    both = [ground_said(one, report) for one in (cg, less)]
    assert both[0] == both[1] != []
