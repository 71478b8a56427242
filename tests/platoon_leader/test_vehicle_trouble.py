"""Vehicles in minefields, bogged, Mired, under Shock (PL 3.18, 3.19, 3.12)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.rules.board.facts import ControlChanged
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.reorganization.vehicle_trouble import shock, unbog_modifiers, vehicles_in_trouble
from tests.platoon_leader.battle import battle
from tests.platoon_leader.harness import unit
from tests.platoon_leader.test_end_of_battle import first_question, refused, with_marks
from tests.report_rows import cvp, ours
from tests.steps import play


def way_out(unit_id: str, outcome: str, to: str = "") -> dict[str, Any]:
    return {"minefield-exit": [{"unit": unit_id, "outcome": outcome, "to": to}]}


def test_a_vehicle_drives_out_of_its_minefield_with_all_on_it() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.MINEFIELD)
    answers = way_out("AX5", "leaves", "E4")
    played = play(vehicles_in_trouble, cg, "axis", answers=answers)
    assert [ours(cg, name).at for name in ("AX5", "AX6")] == ["E4", "E4"]
    assert not ours(cg, "AX5").has(Mark.MINEFIELD)
    (question,) = played.asked
    assert question.secret
    assert not play(vehicles_in_trouble, cg, "allied").asked


def test_mines_that_stop_or_kill() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.MINEFIELD)
    play(vehicles_in_trouble, cg, "axis", answers=way_out("AX5", "immobilized"))
    assert ours(cg, "AX5").marks == {Mark.MINEFIELD, Mark.IMMOBILIZED}
    assert ours(cg, "AX5").at == "E5"
    again = play(vehicles_in_trouble, cg, "axis")
    assert not again.asked, "it can't leave any more"
    with_marks(cg, "AX5", Mark.MINEFIELD)
    play(vehicles_in_trouble, cg, "axis", answers=way_out("AX5", "eliminated"))
    assert ours(cg, "AX5").has(Mark.WRECK)
    assert ours(cg, "AX6").place is Place.ELIMINATED
    assert cvp(cg) == (0, 6 + 2)


def test_passengers_and_their_weapons_are_lost_with_their_vehicle() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.MINEFIELD)
    with_marks(cg, "AX1", at="E5", with_unit="AX5")
    with_marks(cg, "AX2", at="E5", with_unit="AX1")
    play(vehicles_in_trouble, cg, "axis", answers=way_out("AX5", "eliminated"))
    for name in ("AX1", "AX2", "AX5", "AX6"):
        assert ours(cg, name).place is Place.ELIMINATED
    assert cvp(cg) == (0, 6 + 2 + 2)


def test_the_default_stays_where_no_hex_can_be_entered() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.MINEFIELD)
    played = play(vehicles_in_trouble, cg, "axis")
    assert not played.facts


def test_exits_that_cannot_be() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.MINEFIELD)
    question = first_question(vehicles_in_trouble, cg, "axis")
    assert refused(question, []) == ["PzIVF2 (AX5) has 0 rows; give it one row"]
    rows = [{"unit": "AX5", "outcome": "leaves", "to": "E9"}, {"unit": "AX5", "outcome": "stays", "to": "E4"}]
    assert refused(question, rows) == [
        "PzIVF2 (AX5) has 2 rows; give it one row",
        "[1].to: E9 is not ADJACENT to E5; one of E4, F4, F5, E6, D5, D4",
        "[2].to: PzIVF2 (AX5) did not leave; leave to out",
    ]
    for seed in range(30):
        assert question.suggest is not None
        assert question.allows(question.suggest(Random(seed)))


# Bog --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "drm"), [("E5", -1), ("H4", -1), ("F4", 0), ("C4", -1), ("G6", 0), ("D8", 0), ("C6", 0)]
)
def test_the_friendly_mlr_helps_as_control_is_now(at: str, drm: int) -> None:
    """The line runs through H4; C6 and F4 are No Man's Land, G6 Uncontrolled, D8 the enemy's."""
    cg = battle()
    with_marks(cg, "AX5", Mark.BOGGED, at=at)
    assert sum(m.value for m in unbog_modifiers(cg, ours(cg, "AX5"))) == drm


def test_a_new_controller_changes_the_line_before_it_is_settled() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.BOGGED)
    cg.state = ControlChanged(side="allied", locations=("C4",)).apply(cg.state)
    assert unbog_modifiers(cg, ours(cg, "AX5")) == []
    assert cg.state.line is None, "the drawing is for this step only"


@pytest.mark.parametrize(
    ("outcome", "left"), [("freed", set()), ("bogged", {Mark.BOGGED}), ("mired", {Mark.IMMOBILIZED})]
)
def test_one_attempt_each(outcome: str, left: set[Mark]) -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.BOGGED)
    answers = {"unbog": [{"unit": "AX5", "outcome": outcome}]}
    played = play(vehicles_in_trouble, cg, "axis", answers=answers, dice=[(3, 4)])
    assert [(roll.label, rolled.final) for roll, rolled in played.rolls] == [("Unbog attempt of PzIVF2 (AX5)", 6)]
    assert not played.rolls[0][0].secret
    assert "PzIVF2 (AX5): 3+4=7, -1 in a friendly MLR (PL 3.18) = 6" in played.asked[0].text
    assert ours(cg, "AX5").marks == left


def test_the_mired_are_immobilized_without_an_attempt() -> None:
    cg = battle()
    with_marks(cg, "AL7", Mark.MIRED)
    played = play(vehicles_in_trouble, cg, "allied")
    assert not played.rolls
    assert ours(cg, "AL7").marks == {Mark.IMMOBILIZED}


def test_several_are_asked_about_together() -> None:
    cg = battle()
    cg.state, other = unit(cg.state, "axis", "PzIVF2", "afv", "G6", Mark.BOGGED)
    with_marks(cg, "AX5", Mark.BOGGED)
    played = play(vehicles_in_trouble, cg, "axis", dice=[(1, 1), (6, 6)])
    (question,) = played.asked
    assert [line["outcome"] for line in question.default] == ["bogged", "bogged"]
    assert played.finals() == [1, 12]
    assert [roll.secret for roll, _ in played.rolls] == [False, True]
    assert refused(question, [{"unit": other.id, "outcome": "freed"}]) == ["PzIVF2 (AX5) has 0 rows; give it one row"]
    assert question.suggest is not None
    assert question.allows(question.suggest(Random(1)))


# Shock ------------------------------------------------------------------------------------------


def test_shock_becomes_uk_and_a_dr_settles_it() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.SHOCK)
    played = play(shock, cg, "axis", dice=[(4,)])
    assert ours(cg, "AX5").marks == frozenset()
    marks = [(fact.model_dump()["add"], fact.model_dump()["remove"]) for fact in played.facts]
    assert marks == [({Mark.UNKNOWN}, {Mark.SHOCK}), (set(), {Mark.UNKNOWN})]
    assert "PzIVF2 (AX5): 4" in played.asked[0].text
    assert not played.rolls[0][0].secret
    assert not play(shock, cg, "axis").facts


def test_an_afv_under_uk_may_be_lost() -> None:
    cg = battle()
    with_marks(cg, "AL7", Mark.UNKNOWN)
    answers = {"shock": [{"unit": "AL7", "outcome": "eliminated"}]}
    played = play(shock, cg, "allied", answers=answers, dice=[(6,)])
    assert ours(cg, "AL7").place is Place.ELIMINATED
    assert cvp(cg) == (6, 0)
    assert played.of("unit-gone")[0].why == "UK (C7.42): dr 6"
    assert not play(shock, cg, "axis").asked


def test_the_dr_for_an_afv_that_the_enemy_does_not_know_is_secret() -> None:
    cg = battle()
    with_marks(cg, "AX5", Mark.SHOCK, known=False)
    ((roll, _),) = play(shock, cg, "axis", dice=[(1,)]).rolls
    assert (roll.secret, roll.label) == (True, "UK of a concealed unit")
