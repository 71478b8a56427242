"""CC and Melee to the end (PL 3.13, 3.13a, 3.131)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.questions import Question
from laager.campaign.steps import Ask
from laager.rules.board.course.after_play import sole_occupant
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.melee import (
    cc_attacker,
    close_combat,
    melee_question,
    melees,
    proposal,
    suggest_melee,
)
from tests.platoon_leader.battle import battle, report
from tests.platoon_leader.harness import unit
from tests.platoon_leader.test_end_of_battle import refused, with_marks
from tests.platoon_leader.test_report_suggest import sound
from tests.report_rows import cvp, ours, row
from tests.steps import Played, play
from tests.tries import tries


def fighting(*units: dict[str, Any], last: str = "allied", allied: Any = None) -> Cg:
    """Return the battle after reports that put these Axis units where they are."""
    cg = battle()
    report(cg, {"units": list(units)}, allied)
    cg.state = cg.state.with_fight(last_player=last)
    return cg


def end(unit_id: str, outcome: str, **more: str) -> dict[str, str]:
    return {"unit": unit_id, "outcome": outcome, **more}


def concluded(cg: Cg, *rows: dict[str, str]) -> Played:
    return play(close_combat, cg, answers={"melee": list(rows)})


def test_the_walkthrough_adds_two_cvp() -> None:
    cg = fighting(row("AX1", "K9", "melee"), allied={"cvp": [{"points": 12, "why": "play"}]})
    played = concluded(cg, end("AX1", "eliminated"))
    assert cvp(cg) == (0, 14)
    assert ours(cg, "AX1").place is Place.ELIMINATED
    assert (ours(cg, "AX2").with_unit, ours(cg, "AX2").at) == ("", "K9"), "its LMG lies there"
    assert [(q.key, q.side) for q in played.asked] == [("melee", "allied"), ("melee-agreed", "axis")]
    assert not any(one.has(Mark.MELEE) for one in cg.state.at("K9"))
    assert not played.of("control-changed"), "K9 was the Soviets' before"


def test_the_cc_attacker_is_whose_player_turn_was_last() -> None:
    cg = fighting(last="axis")
    assert cc_attacker(cg) == "axis"
    cg.state = cg.state.with_fight(last_player="", moves_first="axis")
    assert cc_attacker(cg) == "allied"


def test_no_melee_no_question() -> None:
    cg = fighting()
    assert not play(close_combat, cg).asked
    with_marks(cg, "AX1", Mark.MELEE)
    played = play(close_combat, cg)
    assert not played.asked
    assert not ours(cg, "AX1").has(Mark.MELEE), "a Melee without an enemy is over"


def test_the_attacker_orders_several_melees() -> None:
    cg = fighting(row("AX1", "K9", "melee"), row("AX4", "D7", "melee"))
    assert melees(cg) == ["D7", "K9"]
    played = play(close_combat, cg, answers={"melee-order": ["K9", "D7"]})
    order, *rest = [question for question in played.asked if question.key != "melee-agreed"]
    assert (order.side, order.rule, order.default) == ("allied", "PL 3.131", ["D7", "K9"])
    assert ["K9" in question.text for question in rest] == [True, False]
    assert refused(order, ["K9"]) == ["1 chosen; from 2 to 2"]
    for seed in range(5):
        assert order.suggest is not None
        assert order.allows(order.suggest(Random(seed)))


def test_an_end_that_the_other_side_denies_is_entered_again() -> None:
    cg = fighting(row("AX1", "K9", "melee"))
    first = [end("AX1", "eliminated")]
    second = [end("AL5", "eliminated"), end("AL6", "eliminated")]
    answers = [("melee", first), ("melee-agreed", False), ("melee", second)]
    played = play(close_combat, cg, answers=[*answers, ("melee-agreed", True)])
    assert "4-6-7 (AX1) eliminated" in played.questions("melee-agreed")[0].text
    assert ours(cg, "AX1").place is Place.MAP
    assert cvp(cg) == (3, 0)
    assert cg.state.ground.control["K9"] == "axis", "alone there with a squad (A26.11)"
    assert cg.state.side("allied").leaders_lost == 1


def test_a_leader_alone_gains_no_control() -> None:
    cg = fighting(row("AX4", "K9", "melee"))
    concluded(cg, end("AL5", "eliminated"), end("AL6", "eliminated"))
    assert cg.state.ground.control["K9"] == "allied"
    assert sole_occupant(cg.state.at("K9")) == ""


def test_withdrawal_ends_a_melee() -> None:
    cg = fighting(row("AX1", "K9", "melee"), row("AX4", "K9", "melee"))
    concluded(cg, end("AX1", "withdrew", to="K8"), end("AX4", "eliminated"))
    assert [ours(cg, name).at for name in ("AX1", "AX2")] == ["K8", "K8"]
    assert cvp(cg) == (0, 1)


def test_captives_are_with_their_captor_and_their_weapons_change_hands() -> None:
    cg = fighting(row("AX1", "K9", "melee"))
    concluded(cg, end("AX1", "captured", by="AL6"), end("AX2", "captured", by="AL6"))
    captive = ours(cg, "AX1")
    assert captive.marks == {Mark.PRISONER}
    assert (captive.with_unit, captive.place) == ("AL6", Place.MAP)
    assert cvp(cg) == (0, 0), "prisoners count at 3.22"
    taken = ours(cg, "AL8")
    assert (taken.type, taken.with_unit) == ("LMG", "AL6")
    assert taken.marks == {Mark.CAPTURED}
    assert ours(cg, "AX2").place is Place.CAPTURED


def test_losses_of_the_winner_and_of_vehicles() -> None:
    allied = {"units": [row("AL7", "K9", "melee")]}
    cg = fighting(row("AX5", "K9", "melee"), row("AX1", "K9", "melee"), allied=allied)
    assert [row_["unit"] for row_ in proposal(cg, "K9", "allied")] == ["AX1", "AX5"]
    lost = [end(name, "eliminated") for name in ("AX5", "AL5", "AL6", "AL7")]
    concluded(cg, end("AX1", "reduced"), *lost)
    assert ours(cg, "AX1").type == "2-4-7"
    assert ours(cg, "AX5").has(Mark.WRECK)
    assert ours(cg, "AX6").place is Place.ELIMINATED, "the armor leader with his tank"
    assert cvp(cg) == (1 + 2 + 6, 1 + 6 + 2)


def test_a_leader_is_wounded_only_once() -> None:
    cg = fighting(row("AX3", "K9", "melee"), row("AX4", "K9", "melee", "wounded"))
    question = melee_question(cg, "K9", "allied")
    both = [end("AL5", "eliminated"), end("AL6", "eliminated")]
    assert question.allows([*both, end("AX3", "reduced")])
    assert refused(question, [*both, end("AX4", "reduced")]) == [
        "[3].outcome: 8-0 (AX4) can't survive Reduction; eliminated"
    ]
    concluded(cg, *both, end("AX3", "reduced"))
    assert ours(cg, "AX3").has(Mark.WOUNDED)


BOTH_LEFT = "both sides still have units in K9; fight on until one side is gone or has withdrawn (PL 3.13)"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], [BOTH_LEFT]),
        ([end("AX4", "eliminated"), end("AL5", "withdrew", to="K8")], [BOTH_LEFT]),
        (
            [end("AL5", "eliminated"), end("AL6", "captured")],
            ["[2].by: 4-4-7 (AL6) is captured, but by whom?; " + "by: an enemy unit that is still there"],
        ),
        (
            [end("AL5", "captured", by="AL6"), end("AL6", "eliminated")],
            ["[1].by: 6+1 (AL5) is captured, but by whom?; by: an enemy unit that is still there"],
        ),
        (
            [end("AL5", "captured", by="AX4"), end("AL6", "eliminated"), end("AX4", "withdrew", to="K8")],
            ["[1].by: 6+1 (AL5) is captured, but by whom?; by: an enemy unit that is still there"],
        ),
        (
            [end("AL5", "eliminated", to="K8"), end("AL6", "eliminated", by="AX1")],
            ["[1].to: 6+1 (AL5) did not withdraw; leave to out", "[2].by: 4-4-7 (AL6) was not captured; leave by out"],
        ),
        (
            [end("AL5", "withdrew", to="K6"), end("AL6", "withdrew", to="K9")],
            [
                "[1].to: K6 is not ADJACENT to K9; an ADJACENT Location",
                "[2].to: K9 is not ADJACENT to K9; an ADJACENT Location",
            ],
        ),
        (
            [end("AL5", "eliminated"), end("AL6", "eliminated"), end("AX11", "reduced")],
            ["[3].outcome: 2-4-7 (AX11) can't survive Reduction; eliminated"],
        ),
        (
            [end("AL5", "eliminated"), end("AL6", "eliminated"), end("AX2", "withdrew", to="K8")],
            ["[3].outcome: LMG (AX2) does not withdraw; it goes with its possessor"],
        ),
        (
            [end("AL5", "eliminated"), end("AL6", "eliminated"), end("AL5", "eliminated")],
            ["[1].unit: 6+1 (AL5) is listed twice; list it once"],
        ),
    ],
)
def test_ends_that_cannot_be(rows: list[dict[str, str]], said: list[str]) -> None:
    cg = fighting(row("AX1", "K9", "melee"), row("AX4", "K9", "melee"))
    cg.state, _ = unit(cg.state, "axis", "2-4-7", "half-squad", "K9", Mark.MELEE, known=True)
    assert refused(melee_question(cg, "K9", "allied"), rows) == said


def test_nobody_withdraws_to_a_known_enemy() -> None:
    cg = fighting(row("AX1", "K9", "melee"), row("AX4", "K8"), row("AX7", "K10", "concealed"))
    question = melee_question(cg, "K9", "allied")
    rows = [end("AL5", "withdrew", to="K8"), end("AL6", "withdrew", to="K10")]
    assert refused(question, rows) == ["[1].to: there is a Known enemy in K8; a Location without one"]


def test_a_withdrawal_off_the_map() -> None:
    cg = fighting(row("AX1", "K9", "melee"))
    said = refused(melee_question(cg, "K9", "allied"), [end("AX1", "withdrew", to="K19")])
    assert len(said) == 1
    assert said[0].startswith("[1].to: there is no hex 'K19' on the map")


def test_the_proposal_is_the_end_of_the_weaker_side() -> None:
    cg = fighting(row("AX1", "K9", "melee"))
    assert [line["unit"] for line in proposal(cg, "K9", "allied")] == ["AX1"]
    assert [line["unit"] for line in proposal(cg, "K9", "axis")] == ["AX1"]
    cg = fighting(row("AX1", "D7", "melee"))
    assert [line["unit"] for line in proposal(cg, "D7", "allied")] == ["AL1"], "equal: the ATTACKER"
    assert [line["unit"] for line in proposal(cg, "D7", "axis")] == ["AX1"]
    question = melee_question(cg, "D7", "allied")
    assert question.allows(question.default)
    play(close_combat, cg)
    assert melees(cg) == []


# Vehicles in Motion -----------------------------------------------------------------------------


def motion_question(cg: Cg) -> Question:
    command = next(close_combat.run(cg))
    assert isinstance(command, Ask)
    return command.questions[0]


def test_a_vehicle_in_motion_leaves_and_stops() -> None:
    cg = fighting(row("AX5", "D7", "melee", "motion"), row("AX4", "D7", "melee"))
    answers: list[tuple[str, Any]] = [
        ("motion-exit", [{"unit": "AX5", "to": "D6"}]),
        ("melee", [end("AX4", "eliminated")]),
    ]
    play(close_combat, cg, answers=answers)
    assert [ours(cg, name).at for name in ("AX5", "AX6")] == ["D6", "D6"]
    assert ours(cg, "AX5").marks == frozenset()
    assert ours(cg, "AX6").with_unit == "AX5"


def test_when_the_last_opponent_drives_off_there_is_nothing_to_conclude() -> None:
    cg = fighting(row("AX5", "D7", "melee", "motion"))
    played = play(close_combat, cg, answers={"motion-exit": [{"unit": "AX5", "to": "E8"}]})
    assert [question.key for question in played.asked] == ["motion-exit"]
    assert not ours(cg, "AL1").has(Mark.MELEE)


def test_who_stays_keeps_fighting() -> None:
    cg = fighting(row("AX5", "D7", "melee", "motion"))
    played = play(close_combat, cg)
    assert [question.key for question in played.asked] == ["motion-exit", "melee", "melee-agreed"]


def test_drives_that_cannot_be() -> None:
    cg = fighting(row("AX5", "D7", "melee", "motion"))
    question = motion_question(cg)
    assert (question.side, question.rule) == ("axis", "PL 3.13a")
    twice = [{"unit": "AX5", "to": "D9"}, {"unit": "AX5", "to": "E8"}]
    assert refused(question, twice) == [
        "[1].to: D9 is not ADJACENT to D7; one of D6, E7, E8, D8, C8, C7",
        "[2].unit: AX5 is listed twice; list it once",
    ]
    (said,) = refused(question, [{"unit": "AX5", "to": "nowhere"}])
    assert said.startswith("[1].to: there is no hex 'nowhere'")
    for seed in range(10):
        assert question.suggest is not None
        assert question.allows(question.suggest(Random(seed)))


# By chance --------------------------------------------------------------------------------------


@tries(80)
@given(st.integers(0, 10**9))
def test_ends_by_chance_are_legal_and_leave_a_sound_record(seed: int) -> None:
    units = [row("AX1", "K9", "melee"), row("AX4", "K9", "melee"), row("AX5", "K9", "melee")]
    cg = fighting(*units, allied={"units": [row("AL7", "K9", "melee")]})
    question = melee_question(cg, "K9", "allied")
    rows = suggest_melee(cg, "K9", Random(seed))
    assert question.allows(rows)
    play(close_combat, cg, answers={"melee": rows})
    assert melees(cg) == []
    sound(cg)
