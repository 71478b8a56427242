"""The ground in a save: Control, fires, lasting changes, fortifications; and boards on maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.questions import Question
from laager.hexmap import HexMap
from laager.rules.board.facts import ControlChanged, FireChanged, FortJoined, TerrainChanged
from laager.rules.board.hasl.report.ground import ground_form, scenario_ground_problems
from laager.rules.board.report.flow import report_question
from laager.rules.board.units import Fort
from laager.rules.platoon_leader.report.form import BattleReport
from laager.vasl.archive import Archive
from laager.vasl.report.answering import make_proposal
from laager.vasl.report.ground import work_of
from laager.vasl.report.places import boards_of
from laager.vasl.saves.counters import CounterKind
from laager.vasl.saves.game import Piece, StackLevel
from laager.vasl.saves.placing import BoardInSave, PixelPlace, Shape, place_at_pixel, read_layout
from laager.vasl.saves.save import save_of
from tests.historical.aftermath import aftermath
from tests.platoon_leader.battle import battle
from tests.platoon_leader.small import map_data

from .battle_saves import Battle, as_recorded, shapes
from .save_writer import board, layer
from .test_matching import SHAPES, read, row, written

# Control -----------------------------------------------------------------------------------------


def test_control_that_changed_is_reported_and_what_is_recorded_is_not() -> None:
    cg = battle()
    found = written(cg)
    found.put("C8", found.marker("GE Control", "ge"), pile=5)
    found.put("C4", found.marker("GE Control", "ge"), pile=5)
    found.put("G2", found.counter("Axis control", layer("GE Control")), pile=5)
    read_ = read(cg, found)
    assert read_.report["control"] == [{"location": "C8", "side": "axis"}, {"location": "G2", "side": "axis"}]
    assert read_.settled


def test_control_counters_of_both_sides_are_asked() -> None:
    cg = battle()
    found = written(cg)
    found.put("C8", found.marker("GE Control", "ge"), found.marker("RU Control", "ru"), pile=5)
    read_ = read(cg, found)
    assert [(one.key, one.taken) for one in read_.to_confirm] == [("control:C8", "leave")]
    assert read_.report["control"] == []
    chosen = read(cg, found, choices={"control:C8": "axis"})
    assert chosen.report["control"] == [{"location": "C8", "side": "axis"}]


def test_control_that_the_checks_refuse_is_taken_out_and_told() -> None:
    cg = battle()
    found = written(cg)
    found.put("F3", found.marker("RU Control", "ru"))
    read_ = read(cg, found)
    assert read_.report["control"] == []
    assert read_.problems == ()
    assert [(one.key, one.where) for one in read_.unknown] == [("refused:control:F3", "F3")]
    assert read_.unknown[0].why.startswith("F3 is not Strategic Terrain; ")
    assert not any(one.where == "F3" for one in read_.certain)
    assert read(cg, found, choices={"refused:control:F3": "leave"}).settled


def test_control_of_a_third_nation_is_asked() -> None:
    cg = battle()
    found = written(cg)
    found.put("C8", found.marker("JA Control", "ja"), pile=5)
    assert [one.what for one in read(cg, found).unknown] == ["JA Control"]


# Fires and lasting changes -----------------------------------------------------------------------


def test_fires_begin_grow_and_go_out() -> None:
    cg = battle()
    burning = FireChanged(flames=frozenset({"L1"}), blazes=frozenset({"L2", "K4"}))
    cg.state = burning.apply(cg.state)
    found = written(cg)
    found.put("L1", found.counter("Blaze", layer("2-level Blaze")))
    found.put("C4", found.marker("Flame"), pile=5)
    found.put("K4", found.marker("Blaze"), pile=5)
    read_ = read(cg, found)
    assert read_.report["fires"] == [
        {"at": "L1", "now": "blaze"},
        {"at": "C4", "now": "flame"},
        {"at": "L2", "now": "none"},
    ]
    assert [(one.key, one.taken) for one in read_.to_confirm] == [("fires:L2", "yes")]
    still = read(cg, found, choices={"fires:L2": "no"})
    assert [one["at"] for one in still.report["fires"]] == ["L1", "C4"]
    assert still.settled


def test_rubble_and_shellholes_are_told_once_and_only_if_new() -> None:
    cg = battle()
    cg.state = TerrainChanged(at="C8", what="rubble").apply(cg.state)
    found = written(cg)
    stone = found.counter("Rubble", layer("Stone Rubble Ground Level"))
    found.put("K4", stone, found.counter("Rubble", layer("Wood Rubble")), pile=5)
    found.put("C8", found.marker("Rubble"), pile=5)
    found.put("F4", found.marker("Shellholes"), pile=5)
    found.put("F5", found.marker("Palm Debris"), pile=5)
    found.put("F6", found.marker("Smoke"), pile=5)
    read_ = read(cg, found)
    assert read_.report["terrain"] == [{"at": "K4", "what": "rubble"}, {"at": "F4", "what": "shellholes"}]
    assert read_.passed_over["changes that the report does not ask for: palm-trees"] == 1
    assert read_.passed_over["counters of this kind: smoke"] == 1


# Fortifications ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("1S Foxhole", ("foxhole", "1S")),
        ("1+3+5 Pillbox", ("pillbox", "1+3+5")),
        ("6 FP Minefield", ("minefield", "6")),
        ("1 AT Minefield", ("a-t-mines", "1")),
        ("Minefield", ("minefield", "")),
        ("Roadblock ca4", ("roadblock", "")),
        ("Wire", ("wire", "")),
        ("Tower BRT", ("", "")),
    ],
)
def test_what_counters_of_fortifications_are(name: str, work: tuple[str, str]) -> None:
    assert work_of(name) == work


def test_a_hidden_fortification_that_lies_openly_was_revealed() -> None:
    cg = battle()
    found = written(cg)
    found.put("D5", found.marker("Wire"), pile=5)
    read_ = read(cg, found)
    assert read_.report["forts"] == [{"do": "revealed", "fort": "AXF1"}]
    assert read_.settled


def test_foxholes_that_are_new_are_asked_and_those_of_the_record_are_not() -> None:
    cg = battle()
    found = written(cg)
    found.put("D7", found.counter("Foxhole", layer("1S Foxhole")), pile=5)
    assert read(cg, found).settled, "ALF1 is on the record"
    found.put("D4", found.counter("Foxhole", layer("2S Foxhole")), pile=1)
    found.put("L7", found.counter("Foxhole", layer("1S Foxhole")), pile=5)
    read_ = read(cg, found)
    assert [(one.key, one.taken) for one in read_.to_confirm] == [
        ("forts:foxhole:D4", "yes"), ("forts:foxhole:L7", "no"),
    ]  # fmt: skip
    assert read_.report["forts"] == [{"do": "placed", "kind": "foxhole", "at": "D4", "size": "2"}]
    assert read_.problems == ()


def test_units_under_a_pillbox_are_in_it() -> None:
    cg = battle()
    fort = Fort(id="ALF2", side="allied", kind="pillbox", size="1+3+5", at="K9.p", hidden=False)
    cg.state = FortJoined(fort=fort).apply(cg.state)
    found = written(cg)
    found.put("K9", found.counter("3+5 Pillbox", layer("1\\+3\\+5 Pillbox")), pile=0)
    read_ = read(cg, found, "allied")
    assert row(read_, "AL6")["at"] == "K9.p"
    assert read_.report["forts"] == []


# The HASL family: the ground for both together ---------------------------------------------------


def ground(cg: Any, found: Battle, side: str = "axis", **more: Any) -> Any:
    question = Question(
        key="ground-report",
        side=side,
        text="",
        form=ground_form(cg),
        default={},
        check=lambda report: scenario_ground_problems(cg, report),
    )
    save = save_of(Archive(found.save(), "own.vsav"), shapes("ST", 12, 9))
    return make_proposal(cg, question, save, **more)


def town() -> tuple[Any, Battle]:
    cg = aftermath()
    return cg, as_recorded(cg.state.units.values(), "ST", 9)


def test_the_ground_is_reported_from_a_save() -> None:
    cg, found = town()
    found.put("D2", found.marker("GE Control", "ge"), pile=5)
    found.put("B4", found.marker("BR Control", "br"), pile=5)
    found.put("H3", found.marker("Flame"), found.marker("Rubble"), pile=5)
    found.put("E9", found.marker("Dstr Bridge"), pile=5)
    read_ = ground(cg, found)
    assert read_.key == "ground-report"
    assert read_.report["control"] == [{"location": "D2", "side": "axis"}]
    assert read_.report["fires"] == [{"at": "H3", "now": "flame"}]
    assert {(one["at"], one["what"]) for one in read_.report["terrain"]} == {
        ("H3", "rubble"), ("E9", "bridge-destroyed"),
    }  # fmt: skip
    assert "units" not in read_.report
    assert read_.settled


def test_new_works_are_asked_with_whoever_stands_there() -> None:
    cg, found = town()
    found.put("C4", found.counter("Foxhole", layer("1S Foxhole")), pile=5)
    found.put("G2", found.counter("Trench"), pile=5)
    found.put("K1", found.counter("Wire"), pile=5)
    read_ = ground(cg, found)
    assert [(one.key, one.taken) for one in read_.to_confirm] == [
        ("works:trench:G2", "axis"), ("works:wire:K1", "leave"),
    ]  # fmt: skip
    assert read_.report["works"] == [{"do": "placed", "side": "axis", "kind": "trench", "size": "", "at": "G2"}]
    settled = ground(cg, found, choices={"works:trench:G2": "axis", "works:wire:K1": "allied"})
    assert settled.settled
    assert [one["side"] for one in settled.report["works"]] == ["axis", "allied"]


# Boards on maps ----------------------------------------------------------------------------------


def small_map(prefix: str = "") -> HexMap:
    data: dict[str, Any] = dict(map_data())
    if prefix:
        data["hexes"] = [[f"{prefix}{one[0]}", *one[1:]] for one in data["hexes"]]
        data["buildings"], data["names"] = [], {}
    return HexMap.from_data(data)


def prefixes(map_: HexMap, *names: str) -> Mapping[str, str]:
    laid = [BoardInSave(i, 0, name, shape=Shape(name, 1800, 645)) for i, name in enumerate(names)]
    return boards_of(laid, map_, (), "own.vsav").prefixes


def test_boards_by_number_and_the_one_without() -> None:
    assert prefixes(small_map("20"), "20") == {"20": "20"}
    assert prefixes(small_map("1"), "01", "07") == {"01": "1"}
    assert prefixes(small_map("6a"), "6a") == {"6a": "6a"}
    assert prefixes(small_map(), "RBv2") == {"RBv2": ""}


@pytest.mark.parametrize(
    ("prefix", "names", "what"),
    [
        ("20", ("21", "04"), "its boards (21, 04) are not those of the map Walkthrough"),
        ("", ("20",), "its boards (20) are not those of the map Walkthrough"),
        ("", ("RBv2", "ABTF"), "its boards (RBv2, ABTF) are not those of the map Walkthrough"),
        ("", (), "its boards (none) are not those of the map Walkthrough"),
    ],
)
def test_other_boards_are_refused(prefix: str, names: tuple[str, ...], what: str) -> None:
    with pytest.raises(DataError) as caught:
        prefixes(small_map(prefix), *names)
    assert [one.what for one in caught.value.problems] == [what]
    assert caught.value.problems[0].file == "own.vsav"


@pytest.mark.parametrize("parking", ["Blank0", "Blank1", "NUL", "NULV"])
def test_a_board_for_parking_counters_is_left_aside(parking: str) -> None:
    assert prefixes(small_map(), "RBv2", parking) == {"RBv2": ""}
    assert prefixes(small_map(), parking, "RBv2") == {"RBv2": ""}
    assert prefixes(small_map("1"), "01", parking) == {"01": "1"}
    with pytest.raises(DataError, match="are not those of the map"):
        prefixes(small_map(), parking)


def test_a_map_tells_which_of_several_boards_it_was_made_from() -> None:
    map_ = small_map()
    object.__setattr__(map_, "source_note", "VASL board RBv2, version 3, file bdRBv2")
    assert prefixes(map_, "Ocean", "RBv2") == {"RBv2": ""}
    with pytest.raises(DataError, match="are not those of the map"):
        prefixes(map_, "Ocean", "ABTF")


@pytest.mark.parametrize(("x", "where", "at"), [(1075, "on-map", "M5"), (1131, "beside", "")])
def test_pieces_on_a_parking_board_are_off_the_map(x: int, where: str, at: str) -> None:
    # WT ends with half hexes: VASL calls one by the board to the right.
    laid = read_layout(board(0, 0, "WT") + board(1, 0, "Blank0"), SHAPES)
    known = boards_of(laid, small_map(), (), "own.vsav")
    piece = Piece("1", "8-0", "8-0", "8-0", "8-0", CounterKind.SMC, "ge", None, "Main Map", x, 400 + 290)
    piece = replace(piece, place=place_at_pixel(laid, piece.x, piece.y))
    assert piece.place.board == "Blank0"
    spot = known.spot(piece)
    assert (spot.where, spot.at, spot.doubt) == (where, at, "")


def test_a_report_says_that_a_parking_board_is_left_aside() -> None:
    cg = battle()
    found = written(cg)
    parked = found.counter("4-6-7 1sq", code="ge")
    found.put("C3", parked)
    there = found.stacks["C3", 0]
    there[-1] = replace(there[-1], at=(400 + 675 + 112, 400 + 96))
    save = save_of(Archive(found.save(board(0, 0, "WT") + board(1, 0, "Blank0")), "own.vsav"), SHAPES)
    read_ = make_proposal(cg, report_question(BattleReport, cg, "axis"), save)
    assert "board Blank0 is for parking counters: what lies on it is taken to be off the map" in read_.doubts
    assert not any("Blank0" in one.words for one in (*read_.to_confirm, *read_.unknown))


def test_a_save_on_another_map_of_one_board_is_refused() -> None:
    cg = battle()
    found = Battle("XX", 30)
    for row_ in range(20, 26):
        found.put(f"M{row_}", found.counter("4-6-7 1sq", code="ge"))
    save = save_of(Archive(found.save(), "own.vsav"), shapes("XX", 33, 30))
    question = report_question(BattleReport, cg, "axis")
    with pytest.raises(DataError, match="most of your pieces are not on the campaign's map"):
        make_proposal(cg, question, save)


def test_a_board_of_unknown_size_asks_for_the_folder() -> None:
    cg = battle()
    save = save_of(Archive(written(cg).save(), "own.vsav"))
    question = report_question(BattleReport, cg, "axis")
    with pytest.raises(DataError, match="the folder of the board archives"):
        make_proposal(cg, question, save)


def test_pieces_off_the_map_are_listed_and_several_boards_are_told_apart() -> None:
    cg = battle()
    found = written(cg)
    boards = board(0, 0, "WT") + board(1, 0, "33")
    strange = found.counter("4-6-7 1sq", code="ge")
    found.put("C3", strange)
    there = found.stacks["C3", 0]
    there[0] = replace(there[0], at=(400 + 675 + 56, 464))
    save = save_of(Archive(found.save(boards), "own.vsav"), SHAPES)
    question = report_question(BattleReport, cg, "axis")
    read_ = make_proposal(cg, question, save)
    told = [one.words for one in (*read_.to_confirm, *read_.unknown)]
    assert any("board 33 is not on the campaign's map (33B" in text for text in told), told


def test_a_level_that_the_map_does_not_have_is_asked() -> None:
    cg = battle()
    found = written(cg)
    squad = found.stacks["C4", 1]
    squad.insert(0, found.counter("Building", layer("Building Level 2")))
    squad[0] = replace(squad[0], at=squad[1].at)
    read_ = read(cg, found)
    assert {one.key for one in read_.to_confirm} >= {"at:AX1", "at:AX3"}
    assert read_.to_confirm[0].why == "Building Level 2: C4 has no such Location (C4)"
    assert row(read_, "AX1")["at"] == "C4"


def test_a_climbing_unit_and_a_cellar() -> None:
    data: dict[str, Any] = dict(map_data())
    data["buildings"] = [{"material": "stone", "levels": 2, "cellar": True, "hexes": ["C4"], "name": ""}]
    map_ = HexMap.from_data(data)
    place = PixelPlace("WT", "C4")
    known = boards_of([BoardInSave(0, 0, "WT", shape=Shape("WT", 675, 645))], map_, (), "own.vsav")

    def at(level: Any) -> tuple[str, bool]:
        piece = Piece("1", "8-0", "8-0", "8-0", "8-0", CounterKind.SMC, "ge", None, "Main Map", 0, 0)
        spot = known.spot(replace(piece, place=place, level=level))
        return spot.at, spot.climbing

    assert at(StackLevel("Building Level 2", "building", 2)) == ("C4.2", False)
    assert at(StackLevel("Building Cellar", "building", -1)) == ("C4.c", False)
    assert at(StackLevel("Building Ground Level", "building", 0)) == ("C4", False)
    assert at(StackLevel("Crest", "crest")) == ("C4", False)
    assert at(StackLevel("Climb 1: 1", "climb", 1)) == ("C4", True)


def test_control_begins_with_whoever_is_recorded() -> None:
    cg = battle()
    cg.state = ControlChanged(side="axis", locations=("C8",)).apply(cg.state)
    found = written(cg)
    found.put("C8", found.marker("RU Control", "ru"), pile=5)
    assert read(cg, found, "allied").report["control"] == [{"location": "C8", "side": "allied"}]
