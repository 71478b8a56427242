"""Initiative: chits in secret, limits, the chart of scenario types, Idle Dates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.rules.board.hasl.facts import ChitsRevealed, DateBegun, RoundBegun
from laager.rules.board.hasl.scenario import initiative
from laager.rules.board.hasl.state import Round
from laager.rules.board.hasl.variant import Variant
from tests.historical.driver import run
from tests.historical.small import scene
from tests.tries import tries


def at(date: int, **more: Any) -> Any:
    cg = scene(**more)
    cg.state = RoundBegun(round=Round.REFIT).apply(cg.state)
    cg.state = DateBegun(number=date).apply(cg.state)
    return cg


def chosen(axis: str, allied: str) -> dict[str, str]:
    return {"chit@axis": axis, "chit@allied": allied}


def test_walkthrough_a4_german_attack() -> None:
    cg = at(2)
    played = run(initiative.initiative, cg, answers=chosen("attack", "idle"))
    line = cg.state.scenario
    assert (line.kind, line.sets_up_first, line.moves_first) == ("German Attack", "allied", "axis")
    assert line.attackers() == ("axis",)
    assert (cg.state.side("axis").attacks, cg.state.side("allied").idles) == (1, 1)
    assert (cg.state.side("axis").idles, cg.state.side("allied").attacks) == (0, 0)
    assert not played.rolls


def test_chits_are_secret_and_asked_together() -> None:
    played = run(initiative.initiative, at(2), answers=chosen("attack", "idle"))
    assert [(one.key, one.side) for one in played.asked] == [("chit", "axis"), ("chit", "allied")]
    assert all(question.secret for question in played.asked)
    # Nothing is told before both are in, and then both at once.
    assert played.facts[0].kind == "chits-revealed"
    assert played.facts[0].to is None


def test_chits_of_the_initial_scenario_do_not_count() -> None:
    cg = scene()
    cg.state = ChitsRevealed(chits={"axis": "idle", "allied": "attack"}, counted=False).apply(cg.state)
    assert initiative.chits_used(cg, "allied", "attack") == 0
    assert initiative.chits_in_words(cg, "allied", "attack") == "0 chosen of 2"


def test_a_chit_chosen_too_often_is_refused() -> None:
    cg = at(2)
    for _ in range(2):
        cg.state = ChitsRevealed(chits={"allied": "attack"}).apply(cg.state)
    question = initiative.chit_question(cg, "allied")
    with pytest.raises(DataError, match="all 2 Attack chits of the campaign have been chosen"):
        question.accept("attack")
    assert question.accept("idle") == "idle"
    assert initiative.chit_question(cg, "axis").allows("attack")


def test_whoever_has_no_idle_chit_left_attacks() -> None:
    cg = at(2)
    for _ in range(3):
        cg.state = ChitsRevealed(chits={"axis": "idle"}).apply(cg.state)
    question = initiative.chit_question(cg, "axis")
    assert question.default == "attack"
    assert not question.allows("idle")


def test_no_chits_left_at_all_means_idle() -> None:
    none = {"chits": {"attack": 0, "idle": 0}}
    cg = at(2, card={"sides": {"axis": none}})
    question = initiative.chit_question(cg, "axis")
    assert question.default == "idle"
    assert question.allows("idle")
    assert not question.allows("attack")


def test_no_limits_at_all() -> None:
    free = {"chits": {"attack": None, "idle": None}}
    cg = at(2, card={"sides": {"axis": free}})
    for _ in range(40):
        cg.state = ChitsRevealed(chits={"axis": "attack"}).apply(cg.state)
    assert initiative.chit_question(cg, "axis").allows("attack")
    assert initiative.chits_in_words(cg, "axis", "attack") == "40 chosen"


def test_a_system_may_refuse_a_chit(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tired(Variant[Any]):
        def chit_problem(self, cg: Any, side: str, chit: str) -> str:
            return "the men are tired; choose Idle" if chit == "attack" else ""

    cg = at(2)
    monkeypatch.setattr(type(cg), "variant", Tired())
    with pytest.raises(DataError, match="the men are tired"):
        initiative.chit_question(cg, "axis").accept("attack")


def test_dual_attack_by_dice() -> None:
    cg = at(2)
    run(initiative.initiative, cg, answers=chosen("attack", "attack"), dice=[(4,)])
    assert cg.state.scenario.sets_up_first == "allied"
    assert cg.state.scenario.moves_first == ""
    run(initiative.first_mover, cg, dice=[(3,)])
    assert cg.state.scenario.moves_first == "axis"
    assert not run(initiative.first_mover, cg).facts


def test_the_second_to_set_up_may_move_first() -> None:
    kinds = [
        {"axis": "attack", "allied": "idle", "name": "Assault", "sets_up_first": "allied", "moves_first": "second"}
    ]
    cg = at(2, charts={"scenario_types": kinds})
    run(initiative.initiative, cg, answers=chosen("attack", "idle"))
    assert cg.state.scenario.moves_first == "axis"


def test_idle_date() -> None:
    cg = at(2)
    played = run(initiative.initiative, cg, answers=chosen("idle", "idle"))
    assert cg.state.scenario.idle
    assert cg.state.round is Round.IDLE
    assert [fact.kind for fact in played.facts] == ["chits-revealed", "scenario-determined", "round-begun"]


def test_idle_date_at_the_last_date_ends_the_campaign() -> None:
    cg = at(4)
    played = run(initiative.initiative, cg, answers=chosen("idle", "idle"))
    assert played.facts[-1].rule == "HASL 31"
    assert cg.state.round is Round.OVER
    assert cg.state.winner == "axis"
    assert cg.state.scenario.idle


def test_without_a_chart_the_players_tell() -> None:
    cg = at(2, charts={"scenario_types": None})
    played = run(initiative.initiative, cg, answers=chosen("attack", "idle"))
    question = played.questions("scenario-type")[0]
    # What is proposed: the side attacked sets up first, the attacker moves first.
    assert question.default == {"kind": "German Attack", "sets-up": "allied", "moves": "axis"}
    assert cg.state.scenario.kind == "German Attack"
    told = {"kind": "", "sets-up": "dr", "moves": "dr"}
    cg = at(2, charts={"scenario_types": None})
    answers = {**chosen("attack", "attack"), "scenario-type": told}
    run(initiative.initiative, cg, answers=answers, dice=[(1,)])
    line = cg.state.scenario
    assert (line.kind, line.sets_up_first, line.moves_first) == ("Dual Attack", "axis", "")


def test_a_chart_may_leave_the_order_open() -> None:
    kinds = [{"axis": "idle", "allied": "attack", "name": "Probe", "moves_first": "allied"}]
    cg = at(2, charts={"scenario_types": kinds})
    run(initiative.initiative, cg, answers=chosen("idle", "attack"))
    line = cg.state.scenario
    assert (line.kind, line.sets_up_first, line.moves_first) == ("Probe", "axis", "allied")


@tries(40)
@given(
    attack=st.none() | st.integers(0, 2),
    idle=st.none() | st.integers(0, 2),
    attacks=st.integers(0, 4),
    idles=st.integers(0, 4),
)
def test_there_is_always_a_chit_to_choose(attack: int | None, idle: int | None, attacks: int, idles: int) -> None:
    cg = at(2, card={"sides": {"axis": {"chits": {"attack": attack, "idle": idle}}}})
    cg.state = cg.state.with_side("axis", attacks=attacks, idles=idles)
    question = initiative.chit_question(cg, "axis")
    assert question.allows(question.default)
    may_attack = attack is None or attacks < attack
    may_idle = idle is None or idles < idle
    assert question.allows("attack") is may_attack
    assert question.allows("idle") is (may_idle or not may_attack)
