"""Battle reports that do not add up, and what is said of each (PL 2.9)."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError, Refusal
from laager.rules.board.facts import GroupChanged, UnitGone, UnitMarked
from laager.rules.board.report.checks import report_problems
from laager.rules.board.report.flow import report_question
from laager.rules.board.report.marks import EXCLUDES, FITS, LASTING, NEEDS
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.report.form import BattleReport
from tests.platoon_leader.battle import assert_said, battle, wrong
from tests.platoon_leader.harness import unit
from tests.report_rows import gone, row

Units = list[dict[str, Any]]

WRONG_UNITS: list[tuple[str, str, Units, list[str]]] = [
    ("no such unit", "axis", [row("AX33", "C4")], ["units[1].unit: you have no unit 'AX33'; did you mean AX3?"]),
    (
        "a unit of the other side, whether or not there is one",
        "axis",
        [gone("AL1"), gone("al99")],
        [
            "units[1].unit: AL1 is a number of the enemy (Soviets); each side…",
            "units[2].unit: al99 is a number of the enemy (Soviets); each side…",
        ],
    ),
    (
        "listed twice",
        "axis",
        [row("AX4", "D4"), gone("AX4")],
        ["units[2].unit: 8-0 (AX4) is listed twice (row 1 too); list it once"],
    ),
    (
        "in two places",
        "axis",
        [row("AX4", "D4"), row("ax4", "E4")],
        ["units[2].unit: 8-0 (AX4) is in two places: D4 (row 1) and E4; list it once"],
    ),
    (
        "a hex that is not on the map",
        "axis",
        [row("AX4", "Z4")],
        ["units[1].at: there is no hex 'Z4' on the map Walkthrough…"],
    ),
    (
        "no Location at all",
        "axis",
        [row("AX4", "in the woods")],
        ["units[1].at: 'in the woods' is not a Location; write a hex such as H7 or 20F5…"],
    ),
    (
        "an upper level that the building has not",
        "axis",
        [row("AX4", "C4.1")],
        ["units[1].at: C4 has no Location C4.1; it has C4"],
    ),
    (
        "on the map, but nowhere",
        "axis",
        [row("AX9")],
        ["units[1].at: 4-6-7 (AX9) is on the map but has no Location; add at, or fate: off-map"],
    ),
    (
        "dead, with a Location",
        "axis",
        [gone("AX4", at="D4")],
        ["units[1].at: 8-0 (AX4) is eliminated and can't be in D4; leave at out"],
    ),
    (
        "a dead leader who is broken",
        "axis",
        [gone("AX4", marks=["broken"])],
        ["units[1].marks: 8-0 (AX4) is eliminated and can't be broken; leave its markers out"],
    ),
    (
        "a broken vehicle",
        "axis",
        [row("AX5", "E5", "broken")],
        [
            "units[1].marks: PzIVF2 (AX5) is an AFV and can't be marked broken; "
            "it goes on armor leader, commissar, crew, half-squad, leader, squad"
        ],
    ),
    (
        "a wounded squad",
        "axis",
        [row("AX1", "C4", "wounded")],
        [
            "units[1].marks: 4-6-7 (AX1) is a squad and can't be marked wounded; "
            "it goes on armor leader, commissar, hero, leader"
        ],
    ),
    (
        "HIP, yet known",
        "axis",
        [row("AX4", "D4", "hip")],
        ["units[1].marks: the enemy knows 8-0 (AX4), so it can't be HIP; concealed, or leave the marker out"],
    ),
    (
        "HIP, though never hidden",
        "axis",
        [row("AX7", "D5", "hip")],
        ["units[1].marks: 5-4-8 (AX7) was not HIP when play began; concealed, or leave the marker out"],
    ),
    (
        "HIP, though it moved",
        "allied",
        [row("AL3", "C9", "hip")],
        ["units[1].marks: 2-2-8 (AL3) has moved from C8 and is no longer HIP; concealed, or leave the marker out"],
    ),
    (
        "a possessor who is not there",
        "axis",
        [row("AX2", "C4", **{"with": "AX4"})],
        ["units[1].at: LMG (AX2) is in C4, but 8-0 (AX4) is in D4; at: D4, or with: ''"],
    ),
    (
        "a possessor who is dead",
        "axis",
        [gone("AX1"), row("AX2", "C4")],
        ["units[2].with: 4-6-7 (AX1) is eliminated and has nothing with it on the map; name another unit, or with: ''"],
    ),
    (
        "a possessor whom nobody knows",
        "axis",
        [row("AX2", "C4", **{"with": "AX99"})],
        ["units[1].with: you have no unit 'AX99'; did you mean AX9?"],
    ),
    (
        "a squad possessed by a leader",
        "axis",
        [row("AX1", "C4", **{"with": "AX3"})],
        ["units[1].with: 4-6-7 (AX1) can't be with 9-2 (AX3); personnel can only be with a vehicle"],
    ),
    (
        "a vehicle that rides",
        "axis",
        [row("AX5", "C4", **{"with": "AX1"})],
        ["units[1].with: PzIVF2 (AX5) can't be with 4-6-7 (AX1); a vehicle isn't with any unit"],
    ),
    (
        "a weapon with an enemy",
        "axis",
        [row("AX2", "C4", **{"with": "AL1"})],
        [
            "units[1].with: LMG (AX2) isn't a prisoner and can't be with an enemy; "
            "leave with out, or add the marker prisoner"
        ],
    ),
    (
        "what was with a dead unit is not told of",
        "axis",
        [gone("AX1")],
        [
            "units[1].fate: LMG (AX2) was with 4-6-7 (AX1), which is eliminated; "
            "list it too, with its own fate or Location"
        ],
    ),
    (
        "a prisoner without a guard",
        "axis",
        [row("AX4", "D4", "prisoner")],
        ["units[1].with: 8-0 (AX4) is a prisoner without a guard; add with: guard, or the marker unguarded"],
    ),
    (
        "unguarded, yet guarded",
        "axis",
        [row("AX4", "D4", "prisoner", "unguarded", **{"with": "guard"})],
        ["units[1].with: 8-0 (AX4) is unguarded, but guard guards it; keep one of them"],
    ),
    (
        "a prisoner of his own side",
        "axis",
        [row("AX4", "D4", "prisoner", "unguarded", **{"with": "AX1"})],
        ["units[1].with: 8-0 (AX4) is a prisoner and can't be with 4-6-7 (AX1); with: guard"],
    ),
    (
        "a prisoner with a machine gun",
        "axis",
        [row("AX1", "C4", "prisoner", "unguarded"), row("AX2", "C4")],
        ["units[2].with: 4-6-7 (AX1) is a prisoner and can't possess anything; with: ''"],
    ),
    (
        "unguarded, but no prisoner",
        "axis",
        [row("AX4", "D4", "unguarded")],
        ["units[1].marks: 8-0 (AX4) is marked unguarded but not prisoner; add prisoner too, or drop it"],
    ),
    (
        "markers that exclude each other",
        "axis",
        [row("AX1", "C4", "broken", "berserk"), row("AX5", "E5", "motion", "bogged")],
        [
            "units[1].marks: 4-6-7 (AX1) can't be both broken and berserk; keep one of them",
            "units[2].marks: PzIVF2 (AX5) can't be both motion and bogged; keep one of them",
        ],
    ),
    (
        "DM without being broken",
        "axis",
        [row("AX1", "C4", "dm")],
        ["units[1].marks: 4-6-7 (AX1) is marked dm but not broken; add broken too, or drop it"],
    ),
    ("a marker twice", "axis", [row("AX1", "C4", "pin", "pin")], ["units[1].marks: pin is named twice"]),
    (
        "a wreck that lives",
        "axis",
        [row("AX5", "E5", "wreck")],
        ["units[1].fate: PzIVF2 (AX5) is marked wreck, so it is no longer in play; fate: eliminated"],
    ),
    (
        "what the record keeps by itself",
        "axis",
        [row("AX1", "C4", "isolated")],
        ["units[1].marks[1]: isolated is not one of the choices…"],
    ),
    (
        "exited elsewhere",
        "axis",
        [gone("AX4", "exited", at="D10")],
        [
            "units[1].at: D10 is not on a Friendly Map Edge; any other exit is fate: eliminated, "
            "or objective-exit if for an Objective (PL CG8)"
        ],
    ),
    (
        "exited broken",
        "axis",
        [gone("AX4", "exited", at="D1", marks=["broken"])],
        ["units[1].marks: 8-0 (AX4) exited, but is broken; only Good Order personnel exit…"],
    ),
    (
        "exited without wheels",
        "axis",
        [gone("AX5", "exited", marks=["immobilized", "recall"])],
        [
            "units[1].marks: PzIVF2 (AX5) exited, but is immobilized; "
            "only mobile vehicles that are not Recalled exit (PL CG8)",
            "units[1].marks: PzIVF2 (AX5) exited, but is recall; "
            "only mobile vehicles that are not Recalled exit (PL CG8)",
        ],
    ),
    (
        "exited through a hole in the map",
        "axis",
        [gone("AX4", "objective-exit", at="Q17")],
        ["units[1].at: there is no hex 'Q17' on the map Walkthrough…"],
    ),
    (
        "off the map, though it was on it",
        "axis",
        [gone("AX4", "off-map", at="D4", entered=True)],
        [
            "units[1].fate: 8-0 (AX4) was on the map (D4); if it left by a Friendly Map Edge its fate is exited",
            "units[1].at: 8-0 (AX4) is off the map and can't be in D4; leave at out, or fate: on-map",
            "units[1].fate: 8-0 (AX4) entered, but is off the map; exited, or another fate",
        ],
    ),
    (
        "on the map without entering",
        "axis",
        [row("AX9", "D1", entered=False)],
        ["units[1].entered: 4-6-7 (AX9) is on the map, so it did enter; leave entered out, or fate: off-map"],
    ),
    (
        "a wreck nowhere",
        "axis",
        [gone("AX5", at="E55"), gone("AX6")],
        ["units[1].at: there is no hex 'E55' on the map Walkthrough…"],
    ),
    (
        "a squad is Recalled",
        "axis",
        [gone("AX9", "recalled")],
        ["units[1].fate: 4-6-7 (AX9) isn't a vehicle and can't be Recalled; another fate"],
    ),
    (
        "dead, yet with somebody",
        "axis",
        [gone("AX2", **{"with": "AX3"})],
        ["units[1].with: LMG (AX2) is eliminated and can't be with AX3; leave with out"],
    ),
    (
        "a squad becomes what its nation has not",
        "axis",
        [row("AX1", "C4", type="4-4-8"), row("AX2", "C4", type="HMG")],
        [
            "units[1].type: 4-6-7 (AX1) can't have become '4-4-8'; did you mean 5-4-8 or 4-6-8?",
            "units[2].type: LMG (AX2) can't have become 'HMG'; leave type out",
        ],
    ),
    (
        "a leader becomes better than there is",
        "axis",
        [row("AX4", "D4", type="11-3"), row("AX6", "E5", type="8-0")],
        [
            "units[1].type: 8-0 (AX4) can't have become '11-3'; did you mean 10-3?",
            "units[2].type: 8-1 (AX6) can't have become '8-0'; did you mean 8-1?",
        ],
    ),
    (
        "a fate that nobody has",
        "axis",
        [gone("AX4", "lost")],
        [
            "units[1].fate: lost is not one of the choices; one of on-map, off-map, exited, "
            "objective-exit, eliminated, captured, recalled, removed"
        ],
    ),
]


@pytest.mark.parametrize(
    ("side", "units", "said"), [case[1:] for case in WRONG_UNITS], ids=[case[0] for case in WRONG_UNITS]
)
def test_wrong_rows_of_units(side: str, units: Units, said: list[str]) -> None:
    assert_said(wrong(battle(), side, units=units), said)


def test_all_faults_of_form_and_content_are_told_together() -> None:
    said = wrong(
        battle(),
        "axis",
        units=[{"fate": "eliminated"}, gone("AX4", "dead"), row("AX1", "Q9", "sleepy", "broken"), "AX3"],
        control=[{"location": "E5", "side": "axis"}],
        weather="rain",
        san="much",
    )
    wanted = [
        "weather: is not known here…",
        "units[1].unit: is missing; add it",
        "units[2].fate: dead is not one of the choices; one of on-map, off-map, exited…",
        "units[3].marks[1]: sleepy is not one of the choices…",
        "units[4]: 'AX3' is not a set of fields; fields such as {name: value}",
        "san: 'much' isn't valid; a whole number from -7 to 7",
        "units[3].at: there is no hex 'Q9' on the map Walkthrough…",
        "control[1].location: E5 is not Strategic Terrain; Strategic are C4, C8, D7, G2, K4, K9",
    ]
    assert_said(said, wanted)


def test_what_cannot_be_read_does_not_hide_the_rest() -> None:
    said = wrong(battle(), "axis", units="all dead", new=7, control=[{"location": "E5", "side": "axis"}])
    wanted = [
        "units: 'all dead' is not a list; a list of rows, each beginning with -",
        "new: 7 is not a list; a list of rows, each beginning with -",
        "control[1].location: E5 is not Strategic Terrain…",
    ]
    assert_said(said, wanted)


def test_a_report_that_is_none_at_all() -> None:
    cg = battle()
    question = report_question(BattleReport, cg, "axis")
    with pytest.raises(DataError) as err:
        question.accept("all is well")
    assert err.value.code is Refusal.BAD_ANSWER
    many = [gone("AX1")] * 501
    assert wrong(cg, "axis", units=many) == ["units: 501 rows are too many; 500 at most"]


def test_a_unit_that_was_gone_before_the_battle() -> None:
    cg = battle()
    for place, word in (
        (Place.ELIMINATED, "eliminated"),
        (Place.CAPTURED, "captured"),
        (Place.RECALLED, "Recalled"),
        (Place.EVACUATED, "evacuated"),
        (Place.REMOVED, "removed"),
    ):
        fact = UnitGone(unit="AX4", side="axis", type="8-0", place=place)
        cg.state = fact.apply(cg.state)
        said = f"units[1].unit: 8-0 (AX4) was {word} before this battle; leave it out"
        assert wrong(cg, "axis", units=[row("AX4", "D4")]) == [said]


def held_up(cg: Cg, unit_id: str, *marks: Mark) -> None:
    cg.state = UnitMarked(unit=unit_id, add=frozenset(marks)).apply(cg.state)


@pytest.mark.parametrize("marks", [{}, {"marks": []}], ids=["not said", "said to be none"])
def test_what_was_immobilized_before_play_does_not_exit(marks: dict[str, Any]) -> None:
    cg = battle()
    held_up(cg, "AX5", Mark.IMMOBILIZED)
    said = wrong(cg, "axis", units=[gone("AX5", "exited", at="E1", **marks)])
    assert_said(said, ["units[1].marks: PzIVF2 (AX5) exited, but is immobilized; only mobile…"])


def test_what_got_free_during_play_exits_if_its_markers_are_told() -> None:
    cg = battle()
    held_up(cg, "AX5", Mark.BOGGED)
    said = wrong(cg, "axis", units=[gone("AX5", "exited", at="E1")])
    assert_said(said, ["units[1].marks: PzIVF2 (AX5) exited, but is bogged; only mobile…"])
    assert wrong(cg, "axis", units=[gone("AX5", "exited", at="E1", marks=[])]) == []


@pytest.mark.parametrize(
    "listed", [row("AX9", "C1"), gone("AX9", "exited", at="C1"), gone("AX9"), gone("AX9", "off-map", entered=True)]
)
def test_a_reserve_kept_off_map_does_not_enter_in_its_own_firefight(listed: dict[str, Any]) -> None:
    cg = battle()
    cg.state = GroupChanged(side="axis", group="I1/2", changes={"setup": "reserve"}).apply(cg.state)
    told = (
        "units[1].fate: 4-6-7 (AX9) is In Reserve and enters no earlier than the next firefight "
        "(PL 2.33); fate: off-map"
    )
    assert told in wrong(cg, "axis", units=[listed])
    assert wrong(cg, "axis", units=[gone("AX9", "off-map")]) == []
    # The Reserve that waits on the map may well be reported, and so may it a firefight later.
    cg.state = GroupChanged(side="axis", group="I1/1", changes={"setup": "reserve"}).apply(cg.state)
    assert wrong(cg, "axis", units=[row("AX1", "C3")]) == []
    cg.state = cg.state.with_fight(number=2)
    assert told not in wrong(cg, "axis", units=[listed])


def test_a_side_without_a_friendly_edge_exits_nowhere() -> None:
    cg = battle(sides={"axis": {"friendly_edges": []}})
    said = wrong(cg, "axis", units=[gone("AX4", "exited")])
    assert_said(said, ["units[1].fate: the Germans have no Friendly Map Edge; any other exit…"])


def test_a_vehicle_has_no_upper_level_and_a_fixed_gun_no_wheels() -> None:
    cg = battle()
    house = cg.map.hex("C4").building
    assert house is not None
    cg.state, _ = unit(cg.state, "axis", "75 ART leFH 16nA", "gun", "C5", Mark.FIXED)
    said = wrong(cg, "axis", units=[row("AX11", "C6")])
    assert said == ["units[1].at: 75 ART leFH 16nA (AX11) stays where it is for the whole campaign (PL CG3); at: C5"]


def test_hidden_enemies_leave_no_trace_in_what_is_said() -> None:
    cg = battle()
    there = wrong(cg, "axis", units=[row("AX4", "D4", "prisoner", **{"with": "al3"})])
    nobody = wrong(cg, "axis", units=[row("AX4", "D4", "prisoner", **{"with": "al9"})])
    assert_said(there, ["units[1].with: you know of no unit 'AL3'…"])
    assert_said(nobody, ["units[1].with: you know of no unit 'AL9'…"])
    hidden = wrong(cg, "allied", forts=[{"do": "removed", "fort": "AXF1"}])
    assert hidden == ["forts[1].fort: you know of no fortification 'AXF1'; did you mean ALF1?"]


def test_good_reports_are_accepted() -> None:
    cg = battle()
    assert wrong(cg, "axis") == []
    assert wrong(cg, "axis", **BattleReport.unchanged_answer(cg, "axis")) == []
    assert wrong(cg, "allied", **BattleReport.unchanged_answer(cg, "allied")) == []
    report: dict[str, Any] = {
        "units": [
            row("AX1", "C5", "broken", "dm", type="2-4-7", name="A"),
            row("ax4", "d4".upper(), "prisoner", **{"with": "AL1"}),
            gone("AX5", at="E6", marks=["wreck", "burning"]),
            gone("AX6"),
            row("AX9", "E1"),
            row("AX8", "D5", "malfunctioned"),
        ],
        "new": [{"type": "1-4-9", "at": "C5", "from": "AX1", "name": "Hero"}, {"type": "8-1", "at": "E1", "kind": ""}],
        "taken": [{"type": "LMG", "by": "Hero"}, {"type": "LMG", "by": "AX3"}],
        "oba": [{"group": "O1/1", "used": True}],
        "control": [{"location": "C8", "side": "axis"}],
        "fires": [{"at": "M2", "now": "flame"}],
        "forts": [{"do": "revealed", "fort": "AXF1"}],
        "cvp": [{"points": 3, "why": "exit"}],
        "massacre": True,
    }
    assert wrong(cg, "axis", **report) == []


def test_a_weapon_may_be_with_a_new_unit() -> None:
    cg = battle()
    new = [{"type": "2-4-7", "at": "D4", "from": "AX1", "name": "B"}]
    assert wrong(cg, "axis", new=new, units=[row("AX2", **{"with": "B"})]) == []
    said = wrong(cg, "axis", new=new, units=[row("AX2", "C4", **{"with": "B"})])
    assert said == ["units[1].at: LMG (AX2) is in C4, but B is in D4; at: D4, or with: ''"]


def test_one_weapon_is_not_malfunctioned_and_disabled_at_once() -> None:
    cg = battle()
    said = wrong(cg, "axis", units=[row("AX2", "C4", "malfunctioned", "disabled")])
    assert said == ["units[1].marks: LMG (AX2) can't be both malfunctioned and disabled; keep one of them"]


def test_every_marker_is_either_reported_or_kept_by_the_record() -> None:
    assert set(FITS) | LASTING == set(Mark)
    assert not set(FITS) & LASTING
    for mark, others in EXCLUDES:
        assert mark not in others
    assert set(NEEDS) | set(NEEDS.values()) <= set(FITS)


CARRIED = {
    "squad": "broken dm disrupted pin ti cx berserk fanatic encircled concealed hip cloaked "
    "prisoner unguarded climbing melee tank-hunter acquired inexperienced",
    "leader": "broken dm disrupted pin ti cx berserk fanatic wounded heroic encircled concealed "
    "hip cloaked prisoner unguarded climbing melee acquired",
    "hero": "pin ti cx fanatic wounded encircled concealed hip cloaked prisoner unguarded "
    "climbing melee tank-hunter acquired",
    "sw": "concealed hip cloaked malfunctioned disabled low-ammo dismantled",
    "gun": "concealed hip cloaked malfunctioned disabled low-ammo dismantled acquired",
    "afv": "encircled concealed hip cloaked melee malfunctioned disabled low-ammo motion bu ce "
    "hull-down stun shock uk bogged mired immobilized abandoned wreck burning burnt-out "
    "ma-malfunctioned ma-disabled in-minefield inexperienced recall acquired",
}


@pytest.mark.parametrize("kind", CARRIED)
def test_what_each_kind_carries(kind: str) -> None:
    assert {mark.value for mark in FITS if kind in FITS[mark]} == set(CARRIED[kind].split())
    same = {"hero": "hero", "squad": "half-squad", "leader": "commissar", "afv": "afv"}
    twin = same.get(kind, kind)
    assert {mark for mark in FITS if twin in FITS[mark]} == {m for m in FITS if kind in FITS[m]}


def test_crews_and_trucks_differ_a_little() -> None:
    crew = {mark for mark in FITS if "crew" in FITS[mark]}
    assert crew == {mark for mark in FITS if "squad" in FITS[mark]} | {Mark.STUN}
    truck = {mark for mark in FITS if "vehicle" in FITS[mark]}
    assert truck == {mark for mark in FITS if "afv" in FITS[mark]} - {Mark.SHOCK, Mark.UNKNOWN}


@pytest.mark.parametrize("mark", list(FITS), ids=str)
def test_each_marker_on_each_kind(mark: Mark) -> None:
    """A marker is refused exactly on the kinds that it does not fit."""
    cg = battle()
    cg.state, _ = unit(cg.state, "axis", "1-4-9", "hero", "C4")
    cg.state, _ = unit(cg.state, "axis", "2-2-8", "crew", "C4")
    cg.state, _ = unit(cg.state, "axis", "2-4-7", "half-squad", "C4")
    cg.state, _ = unit(cg.state, "axis", "75 ART leFH 16nA", "gun", "C4")
    cg.state, _ = unit(cg.state, "axis", "Opel 6700", "vehicle", "C4")
    for one in list(cg.state.units_of("axis")):
        if not one.on_map:
            continue
        report = {**BattleReport.unchanged_answer(cg, "axis"), "units": []}
        listed = {"unit": one.id, "fate": "on-map", "at": one.at, "marks": [mark.value]}
        listed |= {"with": None, "type": "", "entered": None, "name": ""}
        said = [p.what for p in report_problems(BattleReport.of(cg, "axis", report | {"units": [listed]}))]
        misfit = [what for what in said if "can't be marked" in what]
        assert bool(misfit) == (one.kind not in FITS[mark]), (one.label, said)
