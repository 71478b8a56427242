"""Night scenarios (CG24): roles, Cloaking, reinforcements of a German Defender, Game End."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.clauses import RulesIndex
from laager.rules.board.hasl.scenario.play import game_end, play
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.units import Mark, Place
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import ReinforcementsReleased
from laager.rules.bridge_too_far.night import (
    attackers,
    cloaking_areas,
    is_held_back,
    night_role,
    releases_reinforcements,
    worth_by_area,
)
from laager.rules.bridge_too_far.reminders import at_night, of_side
from laager.rules.bridge_too_far.steps.events import carry_out_event, event_options
from tests.bridge_too_far.scene import add, apply, at_date, chits, scene
from tests.historical.driver import run
from tests.historical.setting import allowed, question, refusals, row
from tests.tries import tries


def night(axis: str, allied: str, **more: str) -> Abtf:
    return chits(scene(readings=more), axis, allied)


def test_the_chit_gives_the_role() -> None:
    cg = night("idle", "attack")
    assert [night_role(cg, side) for side in ("axis", "allied")] == ["defender", "attacker"]
    both = night("attack", "attack")
    assert attackers(both) == ("axis", "allied")
    assert not is_held_back(both)
    day = chits(at_date(scene(), "18AM"), "idle", "attack")
    assert night_role(day, "axis") == ""
    assert list(at_night(day)) == []
    assert night_role(scene(), "axis") == ""


def test_cloaking_by_area() -> None:
    cg = night("idle", "attack")
    for area in ("W", "A6"):
        add(cg, "allied", "2-4-8", "half-squad", None, area=area)
    assert cloaking_areas(cg, "allied") == frozenset()
    add(cg, "allied", "2-4-8", "half-squad", None, area="W")
    prisoner = add(cg, "allied", "6-4-8", "squad", None, Mark.PRISONER, area="A6")
    assert cloaking_areas(cg, "allied") == {"W"}
    assert cloaking_areas(cg, "axis") == frozenset()
    assert worth_by_area([prisoner]) == {}
    assert worth_by_area(cg.state.units_of("allied")) == {"W": Fraction(1), "A6": Fraction(1, 2)}


def test_who_may_be_cloaked() -> None:
    cg = night("idle", "attack")
    squad = add(cg, "allied", "6-4-8", "squad", None, area="W")
    half = add(cg, "allied", "2-4-8", "half-squad", None, area="A6")
    german = add(cg, "axis", "4-6-7", "squad", None, area="NE")
    assert cg.variant.cloak_problem(cg, squad) == ""
    assert "squad-equivalent or more" in cg.variant.cloak_problem(cg, half)
    assert "Scenario Attacker" in cg.variant.cloak_problem(cg, german)
    new = add(cg, "allied", "2-4-8", "half-squad")
    assert cg.variant.cloak_problem(cg, new)
    add(cg, "allied", "2-4-8", "half-squad")
    assert cg.variant.cloak_problem(cg, new) == ""


@pytest.mark.parametrize(("dr", "turn", "released"), [(3, 3, False), (3, 4, True), (1, 1, False)])
def test_the_reinforcement_dr(dr: int, turn: int, released: bool) -> None:
    assert releases_reinforcements(dr, turn) is released
    cg = night("idle", "attack")
    assert is_held_back(cg)
    played = run(lambda cg: carry_out_event(cg, "reinforcement-dr", turn), cg, dice=[(dr,)])
    assert [roll.side for roll, _ in played.rolls] == ["axis"]
    assert not played.asked
    told = "released" if released else "not released"
    assert [fact.tell() for fact in played.facts] == [f"German reinforcements are {told}"]
    assert is_held_back(cg) is not released


def test_released_by_what_happens() -> None:
    cg = night("idle", "attack")
    run(lambda cg: carry_out_event(cg, "released", 1), cg)
    assert not is_held_back(cg)
    assert {option.value for option in event_options(cg)} == {"rain"}


def test_the_british_are_never_held_back() -> None:
    assert not is_held_back(night("attack", "idle"))
    assert {option.value for option in event_options(night("attack", "idle"))} == {"rain"}


@pytest.mark.parametrize(
    ("reading", "free", "place"),
    [("retained", False, Place.OFF_MAP), ("retained", True, Place.ELIMINATED), ("eliminated", False, Place.ELIMINATED)],
)
def test_who_never_entered(reading: str, free: bool, place: Place) -> None:
    cg = night("idle", "attack", **{"unreleased-at-night": reading})
    if free:
        apply(cg, ReinforcementsReleased())
    german, british = add(cg, "axis", "4-6-7", "squad"), add(cg, "allied", "6-4-8", "squad")
    assert cg.variant.place_if_never_entered(cg, german) is place
    assert cg.variant.place_if_never_entered(cg, british) is Place.ELIMINATED


def texts(cg: Abtf, clause: str) -> list[str]:
    return [one.text for one in at_night(cg) if one.clause == clause]


def test_reminders_of_the_night() -> None:
    cg = night("idle", "attack")
    assert texts(cg, "ABtF CG24d")[0].startswith("Cloaking for the British")
    assert "held back" in texts(cg, "ABtF CG24f")[0]
    index = RulesIndex.load_packaged("laager.rules.bridge_too_far")
    for clause in ("ABtF CG24c", "ABtF CG24g"):
        assert texts(cg, clause) == [index[clause].text]
    free = night("idle", "attack", **{"best-leaders-freedom": "start"})
    apply(free, ReinforcementsReleased())
    assert "are released" in texts(free, "ABtF CG24f")[0]
    assert "from the start" in texts(free, "ABtF CG24c")[0]
    assert texts(night("attack", "attack"), "ABtF CG24f") == []


def test_another_night_holds_them_back_again() -> None:
    cg = night("idle", "attack")
    apply(cg, ReinforcementsReleased())
    assert not is_held_back(cg)
    assert is_held_back(chits(at_date(cg, "18N"), "idle", "attack"))


def test_hidden_units_of_a_defender_area_by_area() -> None:
    cg = night("idle", "attack")
    add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    add(cg, "axis", "2-4-7", "half-squad", None, area="M1")
    told = [one.text for one in of_side(cg, "axis") if one.clause == "ABtF CG24e"]
    assert told == ["German: HIP (E1.2) for each Setup Area by its squad-equivalents: NE 1, M1 0.5"]
    assert not [one for one in of_side(cg, "allied") if one.clause == "ABtF CG24e"]


def test_hip_by_squad_equivalents_says_so_while_nothing_is_set_up() -> None:
    told = [one.text for one in of_side(night("idle", "attack"), "axis") if "HIP" in one.text]
    assert told[0].endswith("by its squad-equivalents: none is set up yet")


def test_rain_is_told_once() -> None:
    cg = night("attack", "idle")
    run(lambda cg: carry_out_event(cg, "rain", 1), cg)
    assert cg.state.scenario.rain
    assert event_options(cg) == ()


# Game End (CG4) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "rolls", "turn"),
    [
        ("18AM", [(3,), (4,), (4,)], 7),
        ("18AM", [(3,), (3,)], 6),
        ("18AM", [(2,)], 5),
        ("17N", [(2,), (2,), (2,)], 7),
        ("17N", [(1,), (1,)], 6),
    ],
)
def test_play_ends(date: str, rolls: list[tuple[int]], turn: int) -> None:
    """Turn 5 has 2 and turn 6 has 3; at night +2 is added."""
    cg = chits(at_date(scene(), date), "attack", "idle")
    played = run(play, cg, dice=rolls)
    assert cg.state.scenario.last_turn == turn
    assert {roll.side for roll, _ in played.rolls} == {"allied"}
    assert {roll.rule for roll, _ in played.rolls} == {"ABtF CG4"}
    drm = [[modifier.value for modifier in roll.modifiers] for roll, _ in played.rolls]
    assert drm == [[2] if date == "17N" else []] * len(rolls)


def test_no_dr_before_turn_five() -> None:
    cg = scene(charts={"circled": {"1": 6, "5": 2}})
    assert game_end(cg).circled_number(4) is None
    assert game_end(cg).circled_number(5) == 2


# The Initial Scenario: units of the OB have no recorded area --------------------------------------


def by_night(**card: object) -> Abtf:
    """Return an Initial Scenario at night in which the British attack."""
    cg = scene(card)
    return chits(cg, "idle", "attack")


def test_a_lone_half_squad_in_another_area_is_not_cloaked() -> None:
    cg = by_night(sides={"allied": {"controls": ["W", "SE"]}})
    one, two, alone = (add(cg, "allied", "2-4-8", "half-squad") for _ in range(3))
    rows = [row(one, "B4", hide="cloaked"), row(two, "B5", hide="cloaked")]
    wrong = refusals(cg, "allied", *rows, row(alone, "G7", hide="cloaked"))
    assert len(wrong) == 1
    assert wrong[0].startswith("units[3].hide")
    assert "squad-equivalent or more" in wrong[0]
    allowed(cg, "allied", *rows, row(alone, "A2", hide="cloaked"))
    allowed(cg, "allied", *rows, row(alone, entry="A6"))
    assert refusals(cg, "allied", *rows, row(alone, entry="A6", hide="cloaked"))
    run(setting_up, cg, answers={"setup@allied": {"units": [*rows, row(alone, "G7")]}})
    cloaked = [unit.id for unit in cg.state.units_of("allied") if unit.has(Mark.CLOAKED)]
    assert cloaked == [one.id, two.id]


def test_blocks_of_a_setup_area_without_blocks_count_singly() -> None:
    cg = by_night(sides={"allied": {"controls": [], "setup": ["A2-A6", "B3-B6", "G6-G8", "H7"]}})
    one, two, alone = (add(cg, "allied", "2-4-8", "half-squad") for _ in range(3))
    rows = [row(one, "B4", hide="cloaked"), row(two, "B5", hide="cloaked")]
    assert refusals(cg, "allied", *rows, row(alone, "G7", hide="cloaked"))
    allowed(cg, "allied", *rows, row(alone, "G7"))


@given(st.integers(0, 2**32))
@tries(20)
def test_setups_by_chance_at_night_are_legal(seed: int) -> None:
    rng = Random(seed)
    cg = by_night(sides={"allied": {"controls": ["W", "SE"]}})
    for _ in range(rng.randrange(1, 6)):
        type_, kind = rng.choice([("2-4-8", "half-squad"), ("6-4-8", "squad"), ("9-1", "leader")])
        add(cg, "allied", type_, kind)
    asked = question(cg, "allied")
    asked.accept(asked.default)
    asked.accept(asked.suggest(rng))
