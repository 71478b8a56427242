"""The End of the Battle Phase (PL 3.1): casualties, climbers, rally, markers, dismounting."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.questions import Question
from laager.campaign.steps import Ask, Step
from laager.rules.board.course.after_play import mounted_units
from laager.rules.board.facts import GroupChanged, Noted, UnitGone
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.reorganization.end_of_battle import (
    automatic_rally,
    casualties,
    climbing,
    climbing_ends,
    dismounting,
    marker_removal,
    removed_markers,
)
from laager.rules.platoon_leader.sequence import SEQUENCES
from laager.rules.platoon_leader.state import Round
from tests.platoon_leader.battle import battle, report
from tests.platoon_leader.harness import unit
from tests.report_rows import cvp, gone, ours, row
from tests.steps import play


def with_marks(cg: Cg, unit_id: str, *marks: Mark, **more: Any) -> None:
    update = {"marks": frozenset(marks), **more}
    cg.state = cg.state.with_unit(unit_id, lambda u: u.model_copy(update=update))


def first_question(step: Step, cg: Cg, side: str | None = None) -> Question:
    command = next(step.run(cg, side) if side else step.run(cg))
    assert isinstance(command, Ask)
    return command.questions[0]


def refused(question: Question, answer: Any) -> list[str]:
    with pytest.raises(DataError) as err:
        question.accept(answer)
    return [str(problem) for problem in err.value.problems]


def test_the_steps_are_those_of_the_sequence() -> None:
    names = [step.id for step in SEQUENCES.rounds[Round.REORGANIZATION]][:9]
    assert names == [
        "casualties", "climbing", "close-combat", "automatic-rally", "marker-removal",
        "dismounting", "encircled-units", "vehicles-in-trouble", "shock",
    ]  # fmt: skip


def test_nothing_is_asked_where_nothing_happened() -> None:
    cg = battle()
    report(cg, {"units": [row("AX6", "", **{"with": ""})]})
    for step in SEQUENCES.rounds[Round.REORGANIZATION][:9]:
        for side in ("axis", "allied") if step.each_side else (None,):
            played = play(step, cg, side)
            assert all(question.empty for question in played.asked)
            assert not played.rolls
            assert [fact.kind for fact in played.facts] in ([], ["noted"])


# 3.11 -------------------------------------------------------------------------------------------


def test_the_tally_tells_cvp_and_wrecks() -> None:
    cg = battle()
    report(cg, {"units": [gone("AX5", at="G7"), gone("AX6"), gone("AX4")]})
    played = play(casualties, cg)
    (note,) = played.facts
    assert isinstance(note, Noted)
    assert note.text == ("CVP of firefight 1: Germans 0, Soviets 9; wrecks on the map: PzIVF2 in G7 (6 CVP)")
    assert note.to is None


def test_a_vehicle_under_recall_goes_to_the_pool_and_scores_nothing() -> None:
    cg = battle()
    report(cg, {"units": [row("AX5", "E5", "recall", "stun")]})
    played = play(casualties, cg)
    for name in ("AX5", "AX6"):
        assert ours(cg, name).place is Place.RECALLED
    assert ours(cg, "AX5").has(Mark.STUN)
    assert ours(cg, "AX6").with_unit == "AX5"
    assert cg.state.side("axis").leaders_lost == 0, "he may come back (PL 3.461)"
    assert cvp(cg) == (0, 0)
    assert not played.of("cvp-scored")
    assert ours(cg, "AL7").place is Place.MAP


def test_passengers_do_not_share_a_recall() -> None:
    cg = battle()
    with_marks(cg, "AX1", at="E5", with_unit="AX5")
    with_marks(cg, "AX2", at="E5", with_unit="AX1")
    report(cg, {"units": [row("AX5", "E5", "recall")]})
    play(casualties, cg)
    assert (ours(cg, "AX1").place, ours(cg, "AX1").with_unit) == (Place.MAP, "")
    assert ours(cg, "AX2").with_unit == "AX1"


# 3.121 ------------------------------------------------------------------------------------------


def test_climbers_end_beside_their_hex_and_take_their_weapons_along() -> None:
    cg = battle()
    report(cg, {"units": [row("AX1", "C4", "climbing")]})
    assert climbing_ends(cg, ours(cg, "AX1")) == ["C4", "C3", "D3", "D4", "C5", "B4", "B3"]
    played = play(climbing, cg, answers={"climbing": [{"unit": "AX1", "to": "C5"}]})
    assert [ours(cg, name).at for name in ("AX1", "AX2")] == ["C5", "C5"]
    assert not ours(cg, "AX1").has(Mark.CLIMBING)
    (question,) = played.asked
    assert (question.side, question.secret) == ("axis", True)
    assert not ours(cg, "AX1").has(Mark.MELEE)


def test_climbers_meet_the_enemy_hidden_ones_too() -> None:
    cg = battle()
    report(cg, {"units": [row("AX1", "C9", "climbing")]})
    played = play(climbing, cg, answers={"climbing": [{"unit": "AX1", "to": "C8"}]})
    assert ours(cg, "AX1").has(Mark.MELEE)
    assert ours(cg, "AL3").has(Mark.MELEE)
    assert ours(cg, "AL3").known
    assert ours(cg, "AL4").known
    assert not ours(cg, "AL3").has(Mark.HIP)
    assert not ours(cg, "AL4").has(Mark.MELEE), "a Gun does not fight"
    assert len(played.of("unit-revealed")) == 2


def test_both_sides_climb_at_once() -> None:
    cg = battle()
    report(cg, {"units": [row("AX1", "D7", "climbing")]}, {"units": [row("AL1", "D8", "climbing")]})
    played = play(climbing, cg)
    assert [question.side for question in played.asked] == ["axis", "allied"]
    assert not ours(cg, "AX1").has(Mark.CLIMBING)
    assert not ours(cg, "AL1").has(Mark.CLIMBING)


def test_climbs_that_cannot_be() -> None:
    cg = battle()
    report(cg, {"units": [row("AX1", "C4", "climbing"), row("AX4", "D4", "climbing")]})
    question = first_question(climbing, cg)
    assert refused(question, [{"unit": "AX1", "to": "F5"}, {"unit": "AX1", "to": "C4.2"}]) == [
        "4-6-7 (AX1) has 2 rows; give it one row",
        "8-0 (AX4) has 0 rows; give it one row",
        "[1].to: F5 is not next to C4; its own hex or one next to it",
        "[2].to: C4 has no Location C4.2; it has C4",
    ]
    assert question.allows(question.default)
    for seed in range(20):
        assert question.suggest is not None
        assert question.allows(question.suggest(Random(seed)))


# 3.14, 3.15 -------------------------------------------------------------------------------------


def test_broken_units_rally_without_a_dr() -> None:
    cg = battle()
    report(cg, {"units": [row("AX1", "C4", "broken", "dm"), row("AX7", "D5", "concealed")]})
    played = play(automatic_rally, cg, "axis")
    assert ours(cg, "AX1").marks == {Mark.DM}
    assert not played.rolls
    assert len(played.facts) == 1
    assert not play(automatic_rally, cg, "allied").facts


def test_every_marker_goes_or_stays() -> None:
    gone_now = {
        "dm", "disrupted", "pin", "ti", "cx", "berserk", "tank-hunter", "fanatic", "acquired",
        "motion", "bu", "ce", "hull-down",
    }  # fmt: skip
    # Of Cloaking the rule says nothing: it ends with the battle for which it was (2.33, 2.42).
    assert {mark.value for mark in removed_markers()} == gone_now | {"cloaked"}
    stay = {
        Mark.CONCEALED, Mark.STUN, Mark.IMMOBILIZED, Mark.BOGGED, Mark.MALFUNCTIONED,
        Mark.DISABLED, Mark.SHOCK, Mark.UNKNOWN, Mark.PRISONER, Mark.WOUNDED, Mark.HEROIC,
        Mark.ENCIRCLED, Mark.HIP,
    }  # fmt: skip
    assert stay.isdisjoint(removed_markers())


@pytest.mark.parametrize("mark", sorted(removed_markers() - {Mark.CLOAKED}))
def test_markers_of_play_are_taken_off(mark: Mark) -> None:
    cg = battle()
    with_marks(cg, "AX1", mark, Mark.WOUNDED, Mark.ENGINEERS)
    play(marker_removal, cg, "allied")
    assert ours(cg, "AX1").has(mark)
    play(marker_removal, cg, "axis")
    assert ours(cg, "AX1").marks == {Mark.WOUNDED, Mark.ENGINEERS}


def test_what_was_cloaked_is_under_a_question_mark_after_the_battle() -> None:
    """A Reserve that was never activated, a night attacker: both are like any other concealed unit."""
    cg = battle()
    with_marks(cg, "AX7", Mark.CLOAKED)
    played = play(marker_removal, cg, "axis")
    assert ours(cg, "AX7").marks == {Mark.CONCEALED}
    assert [fact.to for fact in played.facts] == [("axis",)]


def test_facts_about_markers_of_concealed_units_stay_with_their_side() -> None:
    cg = battle()
    with_marks(cg, "AX7", Mark.CONCEALED, Mark.TI)
    (fact,) = play(marker_removal, cg, "axis").facts
    assert fact.to == ("axis",)


def test_tank_hunter_heroes_do_not_last() -> None:
    cg = battle()
    cg.state, hero = unit(cg.state, "axis", "1-4-9", "hero", "C4", Mark.TANK_HUNTER)
    with_marks(cg, "AX1", Mark.TANK_HUNTER)
    play(marker_removal, cg, "axis")
    assert ours(cg, hero.id).place is Place.REMOVED
    assert ours(cg, "AX1").place is Place.MAP
    assert not ours(cg, "AX1").marks
    assert cvp(cg) == (0, 0)


def test_used_artillery_leaves_with_all_that_belongs_to_it() -> None:
    cg = battle()
    chart = cg.card.model_dump(mode="json")["sides"]["axis"]["chart"]
    for line in chart:
        if line["id"] == "O1":
            line["op_vehicle"] = "PSW 221"
    cg = battle(sides={"axis": {"chart": chart}})
    for type_, kind in (("Radio", "sw"), ("PSW 221", "afv"), ("9-1", "leader")):
        cg.state, _ = unit(cg.state, "axis", type_, kind, "B4", group="O1/1")
    cg.state, _ = unit(cg.state, "axis", "Radio", "sw", "B4", group="I1/1")
    registered = GroupChanged(side="axis", group="O1/1", changes={"pre_registered": "C8"})
    cg.state = registered.apply(cg.state)
    play(marker_removal, cg, "axis")
    assert not cg.state.groups["axis", "O1/1"].lost, "not used, so kept (PL CG7)"
    report(cg, {"oba": [{"group": "O1/1", "used": True}]})
    played = play(marker_removal, cg, "axis")
    module = cg.state.groups["axis", "O1/1"]
    assert (module.lost, module.pre_registered) == ("used in this battle", "")
    gone_ids = [fact.unit for fact in played.facts if isinstance(fact, UnitGone)]
    assert gone_ids == ["AX11", "AX12"], "the observer himself stays"
    assert all(fact.to == ("axis",) for fact in played.of("group-changed"))
    assert not play(marker_removal, cg, "axis").facts


# 3.16 -------------------------------------------------------------------------------------------


def test_who_is_on_a_vehicle_may_get_off() -> None:
    cg = battle()
    cg.state, truck = unit(cg.state, "axis", "Opel 6700", "vehicle", "B4")
    riding = {"with_unit": truck.id, "group": "G1/1"}
    cg.state, gun = unit(cg.state, "axis", "75 ART leFH 16nA", "gun", "B4", **riding)
    cg.state, crew = unit(cg.state, "axis", "2-2-8", "crew", "B4", **riding)
    cg.state, squad = unit(cg.state, "axis", "4-6-7", "squad", "B4", **riding)
    cg.state, captive = unit(cg.state, "axis", "7-0", "leader", "B4", Mark.PRISONER, with_unit=truck.id)
    assert [one.id for one in mounted_units(cg, "axis")] == ["AX6", gun.id, crew.id, squad.id]
    answers = {"dismounting": ["AX6", gun.id, crew.id]}
    played = play(dismounting, cg, "axis", answers=answers)
    assert ours(cg, "AX6").with_unit == ""
    assert (ours(cg, crew.id).with_unit, ours(cg, gun.id).with_unit) == ("", crew.id)
    assert ours(cg, squad.id).with_unit == truck.id
    assert ours(cg, captive.id).with_unit == truck.id
    (question,) = played.asked
    assert question.default == []
    assert question.secret
    again = play(dismounting, cg, "axis")
    assert not again.facts


def test_a_gun_without_its_crew_is_unhooked_alone() -> None:
    cg = battle()
    cg.state, truck = unit(cg.state, "axis", "Opel 6700", "vehicle", "B4")
    cg.state, gun = unit(cg.state, "axis", "75 ART leFH 16nA", "gun", "B4", with_unit=truck.id, group="G1/1")
    cg.state, busy = unit(cg.state, "axis", "2-2-8", "crew", "B4")
    cg.state, _ = unit(cg.state, "axis", "75 ART leFH 16nA", "gun", "B4", with_unit=busy.id)
    play(dismounting, cg, "axis", answers={"dismounting": [gun.id]})
    assert ours(cg, gun.id).with_unit == ""


def test_nobody_gets_off_a_vehicle_that_is_off_the_map() -> None:
    cg = battle()
    with_marks(cg, "AX5", place=Place.OFF_MAP, at=None)
    assert mounted_units(cg, "axis") == []
    (question,) = play(dismounting, cg, "axis").asked
    assert question.empty
