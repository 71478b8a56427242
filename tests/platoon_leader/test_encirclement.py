"""Encircled units (PL 3.17) and the prisoners whom they leave behind (PL 3.171)."""

from __future__ import annotations

import pytest

from laager.campaign.steps import Roll
from laager.rules.board.facts import UnitMarked
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.reorganization.encirclement import (
    encircled_units,
    find_encircled,
    leader_for,
    morale_of,
    passes,
    task_check_modifiers,
)
from tests.platoon_leader.battle import battle
from tests.platoon_leader.harness import unit
from tests.platoon_leader.test_end_of_battle import refused, with_marks
from tests.report_rows import cvp, ours
from tests.steps import play


def test_the_walkthrough_eliminates_a_squad_of_morale_7() -> None:
    cg = battle()
    with_marks(cg, "AL1", Mark.ENCIRCLED)
    played = play(encircled_units, cg, dice=[(4, 5)])
    ((roll, rolled),) = played.rolls
    assert (rolled.original, rolled.drm, rolled.final) == (9, 1, 10)
    assert morale_of(cg, ours(cg, "AL1")) == 7
    assert ours(cg, "AL1").place is Place.ELIMINATED
    assert cvp(cg) == (2, 0)
    assert roll.side == "allied"
    assert not roll.secret
    (fact,) = played.of("unit-gone")
    assert fact.why == "1TC when Encircled: 10 is above morale 7"
    assert ours(cg, "AL2").with_unit == ""


@pytest.mark.parametrize(("dr", "eliminated"), [((3, 3), False), ((3, 4), True), ((4, 5), True)])
def test_the_examples_of_the_clause(dr: tuple[int, int], eliminated: bool) -> None:
    cg = battle()
    with_marks(cg, "AL1", Mark.ENCIRCLED)
    play(encircled_units, cg, dice=[dr])
    assert (ours(cg, "AL1").place is Place.ELIMINATED) == eliminated
    assert ours(cg, "AL1").has(Mark.ENCIRCLED), "who passes begins the next firefight Encircled"
    assert passes(7, 7)
    assert not passes(8, 7)


def test_leadership_counts_but_not_for_the_leader_himself() -> None:
    cg = battle()
    with_marks(cg, "AX1", Mark.ENCIRCLED)
    with_marks(cg, "AX3", Mark.ENCIRCLED)
    squad, leader = ours(cg, "AX1"), ours(cg, "AX3")
    assert [m.value for m in task_check_modifiers(cg, squad)] == [1, -2]
    assert [m.value for m in task_check_modifiers(cg, leader)] == [1]
    assert [one.id for one in find_encircled(cg)] == ["AX3", "AX1"], "leaders first"
    played = play(encircled_units, cg, dice=[(4, 4), (4, 4)])
    assert played.finals() == [9, 7]
    assert [ours(cg, name).place for name in ("AX1", "AX3")] == [Place.MAP, Place.MAP]
    play(encircled_units, cg, dice=[(4, 5), (4, 4)])
    assert ours(cg, "AX3").place is Place.ELIMINATED
    assert ours(cg, "AX1").place is Place.ELIMINATED, "his leadership went with him"
    assert cg.state.side("axis").leaders_lost == 1


def test_a_wound_costs_a_leader_one_of_leadership_and_of_morale() -> None:
    cg = battle()
    with_marks(cg, "AX1", Mark.ENCIRCLED)
    with_marks(cg, "AX3", Mark.ENCIRCLED, Mark.WOUNDED)
    assert morale_of(cg, ours(cg, "AX3")) == 8
    cg.state, _ = unit(cg.state, "axis", "8-1", "leader", "C4")
    assert [m.value for m in task_check_modifiers(cg, ours(cg, "AX1"))] == [1, -1]
    play(encircled_units, cg, dice=[(4, 5), (4, 4)])
    assert ours(cg, "AX3").place is Place.ELIMINATED, "9 with the 8-1 is above 8"
    assert ours(cg, "AX1").place is Place.ELIMINATED


@pytest.mark.parametrize("mark", [Mark.PRISONER, Mark.BROKEN])
def test_who_leads_nobody(mark: Mark) -> None:
    cg = battle()
    with_marks(cg, "AX3", mark)
    assert leader_for(cg, ours(cg, "AX1")) is None


def test_the_best_leader_there_leads_armor_leaders_do_not() -> None:
    cg = battle()
    cg.state, _ = unit(cg.state, "axis", "10-2", "armor-leader", "C4")
    cg.state, _ = unit(cg.state, "axis", "8-0", "leader", "C4")
    leader = leader_for(cg, ours(cg, "AX1"))
    assert leader is not None
    assert leader.id == "AX3"
    assert leader_for(cg, ours(cg, "AX4")) is None


def test_prisoners_do_not_check_and_hidden_units_check_in_secret() -> None:
    cg = battle()
    with_marks(cg, "AX4", Mark.ENCIRCLED, Mark.PRISONER, Mark.UNGUARDED)
    with_marks(cg, "AX7", Mark.ENCIRCLED, Mark.CONCEALED)
    played = play(encircled_units, cg, dice=[(3, 4)])
    ((roll, rolled),) = played.rolls
    assert isinstance(roll, Roll)
    assert (roll.secret, roll.label) == (True, "1TC of a concealed unit, Encircled")
    assert rolled.final == 8
    assert ours(cg, "AX7").place is Place.MAP


def test_morale_of_all_sorts() -> None:
    cg = battle()
    cg.state, hero = unit(cg.state, "axis", "1-4-9", "hero", "C4")
    cg.state, truck = unit(cg.state, "axis", "Opel 6700", "vehicle", "C4")
    found = [morale_of(cg, ours(cg, name)) for name in ("AX1", "AX3", "AX5", "AX6", "AX7")]
    assert found == [7, 9, 7, 8, 8]
    assert morale_of(cg, hero) == 9
    assert morale_of(cg, truck) == 8, "no counter for its driver (D5.1)"


def test_a_crew_that_fails_leaves_its_vehicle_abandoned() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.ENCIRCLED, Mark.STUN)
    play(encircled_units, cg, dice=[(6, 6)])
    tank = ours(cg, "AX5")
    assert tank.place is Place.MAP
    assert tank.marks == {Mark.ABANDONED, Mark.IMMOBILIZED}
    assert cvp(cg) == (0, 1), "the crew of an AFV"
    bogged = battle()
    with_marks(bogged, "AX5", Mark.ENCIRCLED, Mark.BOGGED)
    play(encircled_units, bogged, dice=[(6, 6)])
    assert ours(bogged, "AX5").marks == {Mark.BOGGED, Mark.ABANDONED}


def test_a_truck_has_no_crew_to_score() -> None:
    cg = battle()
    cg.state, truck = unit(cg.state, "axis", "Opel 6700", "vehicle", "B4", Mark.ENCIRCLED)
    play(encircled_units, cg, dice=[(6, 6)])
    assert ours(cg, truck.id).has(Mark.ABANDONED)
    assert cvp(cg) == (0, 0)


# 3.171 ------------------------------------------------------------------------------------------


def test_prisoners_whose_guards_are_gone_are_free() -> None:
    cg = battle()
    with_marks(cg, "AL1", Mark.ENCIRCLED)
    with_marks(cg, "AX1", Mark.PRISONER, at="D7", with_unit="AL1")
    with_marks(cg, "AX2", at="D7", with_unit="")
    with_marks(cg, "AX4", Mark.PRISONER, at="D7", with_unit="AL1")
    taken_up = [{"weapon": "AL2", "by": "AX1"}, {"weapon": "AX2", "by": "AX4"}]
    played = play(encircled_units, cg, answers={"freed-d7": taken_up}, dice=[(6, 6)])
    (question,) = played.asked
    assert (question.side, question.rule, question.default) == ("axis", "PL 3.171", [])
    for name in ("AX1", "AX4"):
        assert ours(cg, name).marks == frozenset()
        assert ours(cg, name).with_unit == ""
    assert ours(cg, "AX2").with_unit == "AX4"
    assert ours(cg, "AL2").place is Place.CAPTURED
    lmg = ours(cg, "AX11")
    assert (lmg.nation, lmg.with_unit, lmg.at) == ("russian", "AX1", "D7")
    assert lmg.marks == {Mark.CAPTURED}


def test_they_stay_prisoners_while_an_enemy_is_left() -> None:
    cg = battle()
    with_marks(cg, "AL1", Mark.ENCIRCLED)
    with_marks(cg, "AL6", at="D7")
    with_marks(cg, "AX1", Mark.PRISONER, at="D7", with_unit="AL1")
    played = play(encircled_units, cg, dice=[(6, 6)])
    assert not played.asked
    assert ours(cg, "AX1").has(Mark.PRISONER)


def test_without_weapons_there_is_nothing_to_take_up() -> None:
    cg = battle()
    with_marks(cg, "AL1", Mark.ENCIRCLED)
    with_marks(cg, "AL2", at="K9", with_unit="AL6")
    with_marks(cg, "AX4", Mark.PRISONER, at="D7", with_unit="AL1")
    played = play(encircled_units, cg, dice=[(6, 6)])
    assert not played.asked
    assert not ours(cg, "AX4").has(Mark.PRISONER)
    marked = [fact for fact in played.facts if isinstance(fact, UnitMarked)]
    assert "Rearmed" in marked[-1].why


def test_weapons_that_cannot_be_taken_up() -> None:
    cg = battle()
    with_marks(cg, "AL1", Mark.ENCIRCLED)
    with_marks(cg, "AX4", Mark.PRISONER, at="D7", with_unit="AL1")
    with_marks(cg, "AX2", at="D7.1", with_unit="")
    with_marks(cg, "AX8", at="D7", with_unit="")
    cg.state, _ = unit(cg.state, "axis", "LMG", "sw", "D7", with_unit="AX4", known=True)
    (question,) = play(encircled_units, cg, dice=[(6, 6)]).asked
    assert [option["value"] for option in question.form.describe()["row"]["fields"][0]["form"]["options"]] == [
        "AX2",
        "AL2",
    ], "known, and with nobody"
    rows = [{"weapon": "AL2", "by": "AX4"}] * 2 + [{"weapon": "AX2", "by": "AX4"}]
    assert refused(question, rows) == [
        "[2].weapon: AL2 is named twice; name it once",
        "[3].by: AX2 is not where AX4 is; another one",
    ]
