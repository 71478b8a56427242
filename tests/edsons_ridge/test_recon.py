"""Recon: bought and rolled for, Locations named in turn, what is shown and regained."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.units import Mark
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import ReconRolled, ReserveCountersPlaced, ReserveDummyPlaced
from laager.rules.edsons_ridge.steps.recon import (
    location_question,
    locations_to_inspect,
    place_problem,
    recon,
    recon_inspection,
)
from tests.edsons_ridge.scene import add, apply, at_date, fort, reserve, scene
from tests.historical.driver import run


def day(**more: Any) -> Er:
    return at_date(scene(**more), "13D")


@pytest.mark.parametrize(("bought", "face", "found", "left"), [(0, 2, 2, 3), (1, 2, 3, 2), (1, 6, 7, 2)])
def test_recon_costs_and_brings_locations(bought: int, face: int, found: int, left: int) -> None:
    cg = day()
    answer = {"recon": True, "bought": bought, "drm": 0}
    played = run(recon, cg, "allied", {"recon": answer}, [(face,)])
    assert cg.state.side("allied").cpp == left
    assert cg.state.recon_left("allied") == found
    assert all(fact.to == ("allied",) for fact in played.facts)
    assert all(roll.secret for roll, _ in played.rolls)


def test_a_final_dr_below_0_counts_as_0() -> None:
    assert [locations_to_inspect(final) for final in (-3, 0, 1, 8)] == [0, 0, 1, 8]
    cg = day()
    run(recon, cg, "allied", {"recon": {"recon": True, "drm": -6}}, [(2,)])
    assert cg.state.recon["allied", 2] == 0


def test_no_recon_for_the_initial_scenario_or_without_wanting_it() -> None:
    assert not run(recon, scene(), "allied").asked
    cg = day()
    assert not run(recon, cg, "axis").facts
    assert cg.state.side("axis").cpp == 2


def test_recon_refused() -> None:
    cg = day(card={"sides": {"axis": {"cpp": 1}}})
    for answer, message in (
        ({"recon": True, "bought": 1}, "Recon costs 2 CPP; 1 CPP are left"),
        ({"recon": False, "bought": 1}, "a drm is bought without Recon"),
        ({"recon": True, "bought": 2}, "a whole number from 0 to 1"),
    ):
        with pytest.raises(DataError, match=message):
            run(recon, cg, "axis", {"recon": answer}, [(1,)])


def test_without_a_chart_its_price_is_asked_and_a_table_gives_the_drm() -> None:
    cg = day(charts={"sides": {"allied": {"recon": None}}})
    answer = {"recon": True, "cost": 3, "bought": 1, "drm": 1}
    played = run(recon, cg, "allied", {"recon": answer}, [(1,)])
    assert cg.state.side("allied").cpp == 0
    assert played.finals() == [3]
    help_ = played.questions("recon")[0].help
    assert "isn't filled in" in help_
    table = {
        "laager": "tables/1",
        "source": "x",
        "tables": [
            {
                "id": "recon",
                "title": "Recon",
                "rule": "ER 1.521",
                "roll": "dr",
                "rows": [{"result": True}],
                "modifiers": [{"id": "ridge", "value": 1, "when": "the ridge is held", "rule": "ER 1.521"}],
            }
        ],
    }
    cg = day(tables=table)
    answers = {"recon": {"recon": True}, "recon-conditions": {"ridge": 1}}
    assert run(recon, cg, "allied", answers, [(2,)]).finals() == [3]


# Inspection ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "away"), [("I5", 6), ("C14", 6), ("H5", 6), ("I4", 7), ("B8", 7), ("W14", 7)])
def test_how_far_recon_looks(at: str, away: int) -> None:
    problem = place_problem(day(), "allied", at)
    assert (problem is None) is (away <= 6)
    if problem is not None:
        assert "7 hexes from Setup Area Ridge, the nearest area; 6 at most" in str(problem)


def test_what_cannot_be_named() -> None:
    cg = day()
    assert "there is no hex" in str(place_problem(cg, "allied", "ZZ99"))
    assert "I5 has no Location I5.3" in str(place_problem(cg, "allied", "I5.3"))
    with pytest.raises(DataError, match="7 hexes from"):
        location_question(cg, "allied").accept("I4")
    assert location_question(cg, "allied").accept("") == ""


def test_they_name_in_turn_and_the_rest_goes_to_who_has_more() -> None:
    cg = day()
    apply(cg, ReconRolled(side="axis", locations=1), ReconRolled(side="allied", locations=3))
    answers = [("inspection", at) for at in ("M6", "I5", "I6", "I7")]
    played = run(recon_inspection, cg, None, answers)
    named = [(fact.side, fact.at) for fact in played.of("location-inspected")]  # type: ignore[attr-defined]
    assert named == [("axis", "M6"), ("allied", "I5"), ("allied", "I6"), ("allied", "I7")]
    assert "I5 has been inspected" in str(place_problem(cg, "allied", "I5"))


def test_who_names_nothing_more_is_asked_no_more() -> None:
    cg = day()
    apply(cg, ReconRolled(side="axis", locations=2), ReconRolled(side="allied", locations=1))
    played = run(recon_inspection, cg, None, [("inspection", ""), ("inspection", "I5")])
    assert [question.side for question in played.asked] == ["axis", "allied"]


def inspect(cg: Er, at: str) -> Any:
    apply(cg, ReconRolled(side="allied", locations=1))
    return run(recon_inspection, cg, None, [("inspection", at)])


def test_in_concealment_terrain_they_have_their_question_marks_back_but_no_hip() -> None:
    cg = day()
    hidden = add(cg, "axis", "4-4-7", "squad", "K12", Mark.HIP)
    shown = add(cg, "axis", "4-4-7", "squad", "K12", Mark.CONCEALED)
    openly = add(cg, "axis", "9-0", "leader", "K12", known=True)
    weapon = add(cg, "axis", "LMG", "sw", "K12", with_unit=hidden.id)
    played = inspect(cg, "K12")
    units = cg.state.units
    assert units[hidden.id].marks == {Mark.CONCEALED}
    assert units[shown.id].marks == {Mark.CONCEALED}
    assert not units[openly.id].marks
    assert not units[hidden.id].known
    (fact,) = played.of("location-inspected")
    for unit in (hidden, shown, openly, weapon):
        assert unit.label in fact.found
    assert fact.to is None


def test_in_the_open_they_stay_seen() -> None:
    cg = day()
    hidden = add(cg, "axis", "4-4-7", "squad", "K11", Mark.HIP)
    inspect(cg, "K11")
    assert cg.state.units[hidden.id].known
    assert not cg.state.units[hidden.id].marks


def test_a_foxhole_is_concealment_terrain_and_is_found_too() -> None:
    cg = day()
    hidden = add(cg, "axis", "4-4-7", "squad", "K11", Mark.HIP)
    hole = fort(cg, "axis", "foxhole", "K11", "1S")
    fort(cg, "axis", "concealment", "K11")
    played = inspect(cg, "K11")
    assert cg.state.units[hidden.id].marks == {Mark.CONCEALED}
    assert not cg.state.forts[hole.id].hidden
    (fact,) = played.of("location-inspected")
    assert fact.found == (hidden.label, "foxhole 1S")


def test_reserves_are_cloaked_again_anywhere_and_dummies_go() -> None:
    cg = day()
    made, (squad,) = reserve(cg, "axis", "I2", "Jungle", "K11")
    apply(
        cg,
        ReserveDummyPlaced(side="axis", group=made.id, at="K11", to=("axis",)),
        ReserveCountersPlaced(side="axis", at=("K11", "K11")),
    )
    played = inspect(cg, "K11")
    assert cg.state.units[squad.id].marks == {Mark.CLOAKED}
    assert not cg.state.units[squad.id].known
    assert cg.state.dummies == {}
    assert cg.state.counters == {"axis": ("K11",)}
    (fact,) = played.of("location-inspected")
    assert fact.found == (squad.label, "Dummy counter")


def test_who_was_cloaked_at_night_is_cloaked_again_in_concealment_terrain() -> None:
    cg = day()
    cloaked = add(cg, "axis", "4-4-7", "squad", "K12", Mark.CLOAKED)
    inspect(cg, "K12")
    assert cg.state.units[cloaked.id].marks == {Mark.CLOAKED}


def test_nothing_is_there() -> None:
    played = inspect(day(), "I5")
    assert played.of("location-inspected")[0].tell() == "allied inspects I5: nothing is there"
