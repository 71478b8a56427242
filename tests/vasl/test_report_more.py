"""Reports from saves: a side's own report in the HASL family, and the rarer branches of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.facts import UMPIRE
from laager.campaign.views import view
from laager.rules.board.facts import UnitMarked
from laager.rules.board.hasl.report.form import ScenarioReport
from laager.rules.board.report.agreement import contradictions, reconcile
from laager.rules.board.report.flow import report_question
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.report.form import BattleReport
from laager.vasl.archive import MAX_FILE, Archive
from laager.vasl.report.answering import make_proposal, propose
from laager.vasl.report.places import board_doubts
from laager.vasl.report.proposal import Proposal
from laager.vasl.saves.placing import BoardInSave, Shape
from laager.vasl.saves.save import save_of
from tests.bridge_too_far.campaigns import new_campaign
from tests.historical.aftermath import aftermath
from tests.platoon_leader.battle import battle
from tests.platoon_leader.harness import unit

from .battle_saves import Battle, as_recorded, shapes
from .save_writer import layer
from .test_matching import SHAPES, keys, read, remove, row, written
from .test_report_ground import small_map

# A scenario of the HASL family --------------------------------------------------------------------


def scenario(cg: Any, found: Battle, side: str = "axis", choices: Mapping[str, str] | None = None) -> Proposal:
    question = report_question(ScenarioReport, cg, side)
    save = save_of(Archive(found.save(), "own.vsav"), shapes("ST", 12, 9))
    return make_proposal(cg, question, save, None, choices)


def town() -> tuple[Any, Battle]:
    cg = aftermath()
    return cg, as_recorded(cg.state.units.values(), "ST", 9)


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_a_scenario_that_changed_nothing_asks_for_oba_alone(side: str) -> None:
    cg, found = town()
    read_ = scenario(cg, found, side)
    assert keys(read_.to_confirm) == ["oba:O1/1"]
    assert (read_.unknown, read_.not_found, read_.problems) == ((), (), ())
    before = {one["unit"]: one for one in ScenarioReport.unchanged_answer(cg, side)["units"]}
    assert {one["unit"]: one for one in read_.report["units"]} == before


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        ("no", {}),
        ("placed", {"in_play": True, "placed": True}),
        ("exhausted", {"in_play": True, "placed": True, "exhausted": True}),
    ],
)
def test_what_became_of_a_module(choice: str, wanted: dict[str, bool]) -> None:
    cg, found = town()
    read_ = scenario(cg, found, choices={"oba:O1/1": choice})
    assert read_.report["modules"] == [{"group": "O1/1", **wanted}]
    assert read_.settled


def test_hidden_works_that_lie_openly_were_found() -> None:
    cg, found = town()
    found.put("G2", found.counter("Wire"), pile=6)
    found.put("G2", found.counter("Wire"), pile=6)
    read_ = scenario(cg, found, choices={"oba:O1/1": "no"})
    assert read_.report["revealed"] == ["AXF1"]
    assert read_.settled


# Campaigns as the pages see them -----------------------------------------------------------------


def test_a_campaign_proposes_to_each_side_and_to_no_umpire() -> None:
    campaign = new_campaign()
    while not all(one.key == "scenario-report" for one in campaign.pending()):
        one = campaign.pending()[0]
        if one.question is None:
            campaign.roll_for(one.side)
        else:
            campaign.answer(one.side, one.key, one.question.default)
    units = view(campaign, UMPIRE).state.units.values()
    data = as_recorded(units, "AR", 23).save()
    known = shapes("AR", 36, 23)
    for side in ("axis", "allied"):
        found = propose(view(campaign, side), data, "upload.vsav", shapes=known)
        assert (found.side, found.file, found.problems) == (side, "upload.vsav", ())
        assert not found.not_found
    with pytest.raises(RefusedError, match="a side reports"):
        propose(view(campaign, UMPIRE), data, shapes=known)
    with pytest.raises(DataError, match="is too large"):
        propose(view(campaign, "axis"), bytes(MAX_FILE + 1), "large.vsav", shapes=known)


def test_the_second_report_after_a_contradiction_can_come_from_a_save_too() -> None:
    cg = battle()
    first = {side: BattleReport.unchanged_answer(cg, side) for side in ("axis", "allied")}
    first["axis"]["units"] = [{"unit": "AX1", "fate": "on-map", "at": "C4", "marks": ["melee"]}]
    questions = {side: report_question(BattleReport, cg, side) for side in first}
    pair = {side: BattleReport.of(cg, side, questions[side].accept(report)) for side, report in first.items()}
    proposal = reconcile(pair, contradictions(pair))["axis"]
    question = report_question(BattleReport, cg, "axis", proposal)
    save = save_of(Archive(written(cg).save(), "own.vsav"), SHAPES)
    read_ = make_proposal(cg, question, save, None, {"oba:O1/1": "no"})
    assert read_.settled
    assert len(read_.report["units"]) == 10
    assert row(read_, "AX2")["with"] == "AX1"


# Rarer branches ----------------------------------------------------------------------------------


def test_wrecks_of_earlier_battles_are_passed_over() -> None:
    cg = battle()
    marked = UnitMarked(unit="AX5", add=frozenset({Mark.WRECK}))
    cg.state = marked.apply(cg.state)
    cg.state = cg.state.with_unit("AX5", lambda one: one.but(place=Place.ELIMINATED))
    cg.state = cg.state.with_unit("AX6", lambda one: one.but(place=Place.ELIMINATED))
    found = written(cg)
    found.put("E5", found.counter("PzKw IVF2 Wreck", code="ge"), pile=4)
    found.put("H5", found.counter("PzKw IIIH Wreck", code="ge"), pile=4)
    read_ = read(cg, found)
    assert read_.settled
    assert read_.passed_over["wrecks that the record has"] == 1
    assert read_.passed_over["wrecks that no unit on the record left"] == 1


def test_climbing_is_a_marker() -> None:
    cg = battle()
    found = written(cg)
    leader = remove(found, "8-0", "D4")
    found.put("D4", found.counter("Climb", layer("Climb 1: 1")), leader, pile=4)
    assert row(read(cg, found), "AX4")["marks"] == ["climbing"]


def test_a_prisoner_of_the_record_who_is_none_in_the_save_is_asked() -> None:
    cg = battle()
    cg.state = cg.state.with_unit(
        "AX4", lambda one: one.but(marks=frozenset({Mark.PRISONER}), at="D7", with_unit="AL1")
    )
    found = written(cg)
    read_ = read(cg, found)
    assert keys(read_.to_confirm) == ["prisoner:AX4"]
    kept = read(cg, found, choices={"prisoner:AX4": "yes"})
    assert (row(kept, "AX4")["marks"], row(kept, "AX4")["with"]) == (["prisoner"], "guard")
    assert kept.settled


def test_who_was_with_somebody_not_found_is_told_so() -> None:
    cg = battle()
    found = written(cg)
    for name in ("LMG", "4-6-7 1sq"):
        remove(found, name, "C4")
    read_ = read(cg, found)
    whys = {one.key: one.why for one in read_.not_found}
    assert whys["unit:AX2"].endswith("was with 4-6-7 (AX1), who is not found either")
    lost = read(cg, found, choices=dict.fromkeys(whys, "eliminated"))
    assert lost.settled


def test_an_eliminated_vehicle_without_a_wreck_is_where_it_stood() -> None:
    cg = battle()
    found = written(cg)
    for name in ("PzKw IVF2", "8-1 AL"):
        remove(found, name, "E5")
    read_ = read(cg, found, choices={"unit:AX5": "eliminated", "unit:AX6": "eliminated"})
    assert row(read_, "AX5") == {"unit": "AX5", "fate": "eliminated", "at": "E5"}
    assert read_.settled


def test_weapons_of_the_enemy_without_men_are_his() -> None:
    cg = battle()
    found = written(cg)
    found.put("F3", found.counter("LMG", code="ru"))
    read_ = read(cg, found)
    assert read_.report["taken"] == []
    assert read_.settled


def test_counters_of_the_ground_off_the_map_are_listed() -> None:
    cg = battle()
    found = written(cg)
    found.put("A0", found.marker("Flame"))
    there = found.stacks["A0", 0]
    there[0] = replace(there[0], at=(400, 400))
    found.put("C4", found.counter("Building", layer("Building Level 3")), pile=6)
    found.put("C4", found.marker("Flame"), pile=6)
    found.put("F7", found.counter("Tower BRT", code="sh"), pile=6)
    read_ = read(cg, found)
    told = {(one.what, one.where) for one in read_.unknown}
    assert ("Flame", "C4") in told, "C4 has no level 3"


def test_several_foxholes_alike_are_asked_one_by_one() -> None:
    cg = battle()
    found = written(cg)
    for _ in range(2):
        found.put("D4", found.counter("Foxhole", layer("1S Foxhole")), pile=1)
    read_ = read(cg, found)
    assert keys(read_.to_confirm) == ["forts:foxhole:D4", "forts:foxhole:D4:2"]
    one = read(cg, found, choices={"forts:foxhole:D4": "yes", "forts:foxhole:D4:2": "no"})
    assert len(one.report["forts"]) == 1
    assert one.settled


def test_commissars_and_leaders_of_the_same_rank_are_told_apart() -> None:
    cg = battle()
    cg.state, com = unit(cg.state, "allied", "9-0", "commissar", "J9", known=True)
    found = written(cg)
    commissar = remove(found, "9-0", "J9")
    found.put("J10", commissar)
    assert row(read(cg, found, "allied"), com.id)["at"] == "J10"
    found.put("I10", found.counter("ruLDR", code="ru", level="9-0"))
    (stray,) = read(cg, found, "allied").unknown
    assert stray.why == "your nation does not have this type"


def test_a_map_that_was_made_from_another_board_is_doubted() -> None:
    map_ = small_map()
    note = "VASL board RB, version 3, file bdRBv3, SHA-256 0; VASL board 01, version 6"
    object.__setattr__(map_, "source_note", note)

    def doubted(name: str, shape: Shape | None) -> int:
        return len(board_doubts([BoardInSave(0, 0, name, shape=shape)], map_))

    assert doubted("RBv3", Shape("RB", 1, 1)) == 0
    assert doubted("01", Shape("1", 1, 1)) == 0
    assert doubted("ABTF", Shape("ABTF", 1, 1)) == 1
    assert doubted("RBv3", None) == 1
