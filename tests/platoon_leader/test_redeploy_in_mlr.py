"""PL 2.5: redeployment in the friendly MLR by Option A or B, and what the enemy sees of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from laager.campaign.facts import may_see
from laager.rules.board.facts import FortJoined, UnitRevealed
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.platoon_leader.redeployment.in_mlr import redeploy_in_mlr
from laager.rules.platoon_leader.redeployment.situations import order_in_mlr
from laager.rules.platoon_leader.state import Fight, PlState, Type
from tests.platoon_leader.fronts import add, as_seen_by, asked_of, coming, drawn, now, ready, refused, row
from tests.steps import play

# The walkthrough -------------------------------------------------------------------------------


def test_redeployment_before_the_second_firefight() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    leader = add(cg, "axis", "8-1", "leader", "I5")
    other = add(cg, "allied", "4-4-7", "squad", "J7")
    run = play(
        redeploy_in_mlr, cg, dice=[(5, 6), (6, 5)],
        answers={
            "redeploy@axis": [
                row(squad, leader, to="E5", way="I5-H4-G5-F4-E5", leader=leader.id)
            ],
            "redeploy@allied": [row(other, to="E8", way="J7-I8-H7-G8-F7-E8")],
        },
    )  # fmt: skip
    assert run.finals() == [9, 10]
    drms = [[m.value for m in rolled.modifiers] for _, rolled in run.rolls]
    assert drms == [[-1, -1], [-1]]
    assert now(cg, squad).at == now(cg, leader).at == "E5"
    assert (now(cg, other).at, now(cg, other).type) == ("E8", "4-2-6")


def test_the_proposed_ways_keep_out_of_uncontrolled_terrain() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    other = add(cg, "allied", "4-4-7", "squad", "J7")
    answers = {
        "redeploy@axis": [row(squad, to="E5")], "redeploy@allied": [row(other, to="E8")]
    }  # fmt: skip
    run = play(redeploy_in_mlr, cg, dice=[(1, 2), (1, 2)], answers=answers)
    assert [[m.value for m in rolled.modifiers] for _, rolled in run.rolls] == [[-1], [-1]]


# Who, when -------------------------------------------------------------------------------------


def test_not_in_the_initial_firefight_and_not_when_idle() -> None:
    cg = drawn()
    add(cg, "axis", "4-6-7", "squad", "C4")
    assert play(redeploy_in_mlr, cg).asked == []
    cg = coming(cg, Type.IDLE, "")
    run = play(redeploy_in_mlr, cg)
    assert (run.asked, run.facts) == ([], [])


@pytest.mark.parametrize(
    ("type_", "attacker", "last", "order"),
    [
        (Type.ALLIED_ASSAULT, "allied", "axis", ("axis", "allied")),
        (Type.AXIS_ASSAULT, "axis", "allied", ("allied", "axis")),
        (Type.DUAL_ATTACK, "", "axis", ("allied", "axis")),
        (Type.DUAL_ATTACK, "", "allied", ("axis", "allied")),
    ],
)
def test_the_defender_of_the_coming_firefight_goes_first(
    type_: Type, attacker: str, last: str, order: tuple[str, str]
) -> None:
    cg = coming(drawn(attacker=last), type_, attacker)
    assert order_in_mlr(cg) == order
    for side, kind in (("axis", "4-6-7"), ("allied", "4-4-7")):
        add(cg, side, kind, "squad", "C4" if side == "axis" else "C8")
    run = play(redeploy_in_mlr, cg)
    assert tuple(one.side for one in run.questions("redeploy")) == order


def test_before_a_dual_attack_the_last_firefight_that_was_not_idle_counts() -> None:
    cg = coming(drawn(attacker="allied"), Type.DUAL_ATTACK, "")
    idle = Fight(number=2, type=Type.IDLE, completed=True)
    cg.state = replace(cg.state, past=(*cg.state.past, idle), fight=replace(cg.state.fight, number=3))
    assert order_in_mlr(cg) == ("axis", "allied")


def test_after_a_dual_attack_who_moved_first_was_the_attacker() -> None:
    cg = drawn(attacker="allied")
    cg.state = cg.state.with_fight(type=Type.DUAL_ATTACK, attacker="", moves_first="allied")
    assert order_in_mlr(coming(cg, Type.DUAL_ATTACK, "")) == ("axis", "allied")


def test_units_that_have_redeployed_or_are_not_in_their_mlr_may_not() -> None:
    cg = ready()
    free = add(cg, "axis", "4-6-7", "squad", "C4")
    done = add(cg, "axis", "4-6-7", "squad", "C4", Mark.REDEPLOYED)
    add(cg, "axis", "4-6-7", "squad", "G6")
    add(cg, "axis", "PzIVF2", "afv", "C4", Mark.IMMOBILIZED)
    pocket = add(cg, "allied", "4-4-7", "squad", "G2")
    run = play(redeploy_in_mlr, cg, answers={"redeploy": []})
    question = asked_of(run, "redeploy", "axis")
    told = refused(question, row(done, to="I5"))
    assert f"{done.id} is not one of the choices" in told
    assert question.allows([row(free, to="I5")])
    assert [one.side for one in run.questions("redeploy")] == ["axis"]
    assert now(cg, pocket).at == "G2"


def test_markers_of_redeployment_are_taken_off() -> None:
    cg = ready()
    done = add(cg, "axis", "4-6-7", "squad", "C4", Mark.REDEPLOYED)
    off = add(cg, "allied", "4-4-7", "squad", None, Mark.REDEPLOYED)
    mover = add(cg, "axis", "4-6-7", "squad", "I5")
    play(redeploy_in_mlr, cg, dice=[(1, 2)], answers={"redeploy": [row(mover, to="E5")]})
    assert not any(now(cg, one).has(Mark.REDEPLOYED) for one in (done, off, mover))


def test_who_was_hardened_before_the_firefight_can_be_hardened_in_the_next_reorganization() -> None:
    """Not twice in a RePh (PL 3.44): Heat of Battle in 2.5 is not in the RePh after the firefight."""
    cg = ready()
    mover = add(cg, "axis", "4-6-7", "squad", "I5")
    before = add(cg, "axis", "4-6-8", "squad", "I5", Mark.HARDENED)
    play(redeploy_in_mlr, cg, dice=[(1, 1)], answers={"redeploy": [row(mover, to="E5")]})
    assert (now(cg, mover).type, now(cg, mover).has(Mark.HARDENED)) == ("4-6-8", False)
    assert not now(cg, before).has(Mark.HARDENED)


@pytest.mark.parametrize(("mark", "type_"), [(Mark.HARDENED, "4-6-7"), (Mark.WALKING_WOUNDED, "4-6-8")])
def test_who_was_hardened_in_the_same_phase_is_not_hardened_again(mark: Mark, type_: str) -> None:
    cg = ready()
    mover = add(cg, "axis", "4-6-7", "squad", "I5", mark)
    run = play(redeploy_in_mlr, cg, dice=[(1, 1)], answers={"redeploy": [row(mover, to="E5")]})
    assert now(cg, mover).type == type_
    assert not now(cg, mover).has(Mark.HARDENED)
    (heat,) = run.questions(f"heat-of-battle-{mover.id.lower()}")
    assert ("hardened in this RePh" in heat.help) is (mark is Mark.HARDENED)


def test_marks_of_the_phase_before_end_with_an_idle_firefight_too() -> None:
    cg = ready()
    cg.state = cg.state.with_fight(type=Type.IDLE)
    squad = add(cg, "axis", "4-6-7", "squad", "C4", Mark.HARDENED, Mark.REDEPLOYED, Mark.HEROIC)
    assert play(redeploy_in_mlr, cg).asked == []
    assert now(cg, squad).marks == {Mark.HEROIC}


# Option A --------------------------------------------------------------------------------------


def test_nobody_has_to_move_and_a_move_needs_a_destination() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "C4")
    run = play(redeploy_in_mlr, cg)
    question = asked_of(run, "redeploy", "axis")
    assert question.default == []
    assert run.rolls == []
    assert "[1].to: no destination" in refused(question, row(squad))
    assert "G6 is not friendly Controlled Terrain" in refused(question, row(squad, to="G6"))
    assert "is in C4 already" in refused(question, row(squad, to="C4"))
    assert question.allows([row(squad, to="D4")])
    assert question.allows([row(squad, to="I5")])


@pytest.mark.parametrize(("way", "expected"), [("I5-H4-G5-F4-E5", [-1]), ("I5-H5-G6-F5-E5", [1, -1])])
def test_crossing_uncontrolled_terrain_costs_one(way: str, expected: list[int]) -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    answers = {"redeploy": [row(squad, to="E5", way=way)]}
    run = play(redeploy_in_mlr, cg, dice=[(1, 3)], answers=answers)
    assert [m.value for m in run.rolls[0][1].modifiers] == expected


def test_the_proposed_way_crosses_uncontrolled_terrain_where_no_other_is() -> None:
    cg = coming(drawn({"axis": ("C4", "K4"), "allied": ("C8",)}, axis=(), allied=()))
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    answers = {"redeploy": [row(squad, to="E5")]}
    run = play(redeploy_in_mlr, cg, dice=[(1, 3)], answers=answers)
    assert [m.value for m in run.rolls[0][1].modifiers] == [1, -1]


@pytest.mark.parametrize(
    ("dice", "type_", "at", "place", "scored"),
    [
        ((4, 6), "4-6-7", "E5", Place.MAP, 0),  # 9
        ((5, 6), "4-4-7", "E5", Place.MAP, 0),  # 10
        ((6, 6), "2-4-7", "E5", Place.MAP, 1),  # 11
    ],
)
def test_results_for_a_unit_in_its_mlr(dice: tuple[int, int], type_: str, at: str, place: Place, scored: int) -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    play(redeploy_in_mlr, cg, dice=[dice], answers={"redeploy": [row(squad, to="E5")]})
    after = now(cg, squad)
    assert (after.type, after.at, after.place) == (type_, at, place)
    assert cg.state.past[-1].cvp.get("allied", 0) == scored
    assert cg.state.side("allied").cvp == 0


def test_who_remains_in_its_mlr_just_stays_reduced_and_is_not_isolated() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    leader = add(cg, "axis", "6+1", "leader", "I5")
    answers = {"redeploy": [row(squad, leader, to="E5", leader=leader.id)]}
    run = play(redeploy_in_mlr, cg, dice=[(6, 6), (6,), (1,)], answers=answers)
    assert run.finals()[0] == 12
    assert (now(cg, squad).type, now(cg, squad).at) == ("2-4-7", "I5")
    assert now(cg, squad).marks == frozenset()
    assert now(cg, leader).at == "I5"


def test_losses_go_on_the_line_of_the_last_firefight_that_was_played() -> None:
    cg = ready()
    idle = Fight(number=2, type=Type.IDLE, completed=True)
    cg.state = replace(cg.state, past=(*cg.state.past, idle), fight=replace(cg.state.fight, number=3))
    squads = [add(cg, "axis", "4-6-7", "squad", "I5") for _ in range(3)]
    answers = {"redeploy": [row(*squads, to="E5")]}
    run = play(redeploy_in_mlr, cg, dice=[(6, 5)], answers=answers)
    assert run.finals() == [14]
    assert [fight.cvp.get("allied", 0) for fight in cg.state.past] == [6, 0]
    assert cg.state.side("allied").cvp == 0
    assert all(now(cg, one).place is Place.ELIMINATED for one in squads)


@pytest.mark.parametrize(
    ("reading", "to", "rolls"),
    [
        ("never", "K5", 1), ("within-cluster", "K5", 0), ("within-cluster", "E5", 1)
    ],
)  # fmt: skip
def test_free_moves_inside_a_cluster_only_by_the_other_reading(reading: str, to: str, rolls: int) -> None:
    cg = ready(readings={"option-a-free-moves": reading})
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    run = play(redeploy_in_mlr, cg, dice=[(1, 2)] * rolls, answers={"redeploy": [row(squad, to=to)]})
    assert len(run.rolls) == rolls
    assert now(cg, squad).at == to


def test_moves_by_chance_are_legal() -> None:
    cg = ready()
    for at in ("C4", "D5", "I5", "K4"):
        add(cg, "axis", "4-6-7", "squad", at)
    question = asked_of(play(redeploy_in_mlr, cg), "redeploy", "axis")
    assert question.suggest is not None
    answers = [question.suggest(Random(seed)) for seed in range(30)]
    assert all(question.allows(answer) for answer in answers)
    assert any(answer for answer in answers)


# Secrecy ---------------------------------------------------------------------------------------


def test_everything_happens_before_the_enemy_looks() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    run = play(
        redeploy_in_mlr, cg, dice=[(1, 1)],
        answers={
            "redeploy@axis": [row(squad, to="E5")],
            f"heat-of-battle-{squad.id.lower()}": "hero",
        },
    )  # fmt: skip
    assert all(question.secret for question in run.asked)
    assert all(roll.secret for roll, _ in run.rolls)
    public = [fact for fact in run.facts if fact.to is None]
    assert {fact.kind for fact in public} == {"unit-revealed"}
    assert run.facts[-len(public) :] == public
    # The enemy sees the result: the unit in its new place, and the Hero.
    seen = as_seen_by("allied", run)
    assert {unit.at for unit in seen.units.values()} == {"E5"}
    assert {unit.type for unit in seen.units.values()} == {"4-6-7", "1-4-9"}


def test_who_is_concealed_after_moving_is_out_of_the_enemys_sight() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    sw = add(cg, "axis", "LMG", "sw", "I5", with_unit=squad.id)
    stays = add(cg, "axis", "4-4-7", "squad", "D4")
    before = replace(PlState.empty("allied"), units={u.id: u for u in (squad, sw, stays)})
    answers = {"redeploy@axis": [row(squad, to="C4")], "conceal@axis": [squad.id]}
    run = play(redeploy_in_mlr, cg, dice=[(1, 2)], answers=answers)
    assert now(cg, squad).marks == {Mark.CONCEALED}
    assert not now(cg, squad).known
    seen = as_seen_by("allied", run, before)
    assert set(seen.units) == {stays.id}
    assert "C4" not in str([f.body() for f in run.facts if may_see(f.to, "allied")])
    own = as_seen_by("axis", run, before)
    assert (own.units[squad.id].at, own.units[sw.id].at) == ("C4", "C4")


def test_losses_of_a_concealed_unit_do_not_tell_its_name() -> None:
    cg = ready()
    add(cg, "axis", "4-6-7", "squad", "I5", Mark.CONCEALED, known=False)
    (squad,) = cg.state.units_of("axis", "squad")
    answers = {"redeploy": [row(squad, to="E5")]}
    run = play(redeploy_in_mlr, cg, dice=[(6, 6)], answers=answers)
    # The dice are its owner's alone, so they may name it.
    assert run.rolls[0][0].secret
    assert "4-6-7" in run.rolls[0][0].label
    (scored,) = run.of("cvp-scored")
    assert (scored.to, scored.why) == (None, "losses in redeployment")
    assert [fact.kind for fact in run.facts if fact.to is None] == ["cvp-scored"]


def test_losses_of_a_known_unit_that_goes_under_concealment_tell_nothing_either() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5")
    answers = {"redeploy": [row(squad, to="C4")]}
    run = play(redeploy_in_mlr, cg, dice=[(6, 6)], answers=answers)
    assert now(cg, squad).type == "2-4-7"
    shown = [fact for fact in run.facts if may_see(fact.to, "allied")]
    assert [fact.kind for fact in shown] == ["cvp-scored", "unit-hidden"]
    assert not any("2-4-7" in str(fact.body()) for fact in shown)
    assert shown[0].why == "losses in redeployment"


def test_a_hidden_unit_that_moves_is_hidden_no_more() -> None:
    cg = ready()
    squad = add(cg, "axis", "4-6-7", "squad", "I5", Mark.HIP, known=False)
    run = play(redeploy_in_mlr, cg, dice=[(1, 2)], answers={"redeploy": [row(squad, to="E5")]})
    assert now(cg, squad).marks == {Mark.CONCEALED}
    assert all(fact.to == ("axis",) for fact in run.facts)


def test_a_wreck_is_seen_by_the_enemy() -> None:
    cg = ready()
    tank = add(cg, "axis", "PzIVF2", "afv", "I5")
    answers = {"redeploy": [row(tank, to="E5", way="I5-H5-G6-F5-E5")]}
    run = play(redeploy_in_mlr, cg, dice=[(6, 6)], answers=answers)
    assert now(cg, tank).place is Place.ELIMINATED
    (fact,) = run.of("unit-revealed")
    assert isinstance(fact, UnitRevealed)
    assert fact.unit.has(Mark.WRECK)


# Concealment -----------------------------------------------------------------------------------


def test_concealment_by_cg10_is_proposed_and_others_are_left_to_their_owner() -> None:
    cg = ready()
    fort = Fort(id="AXF1", side="axis", kind="foxhole", at="D4")
    cg.state = FortJoined(fort=fort, to=("axis",)).apply(cg.state)
    house = add(cg, "axis", "4-6-7", "squad", "C4")
    hole = add(cg, "axis", "4-6-7", "squad", "D4")
    field = add(cg, "axis", "4-6-7", "squad", "D5")
    crew = add(cg, "axis", "2-2-8", "crew", "K5")
    gun = add(cg, "axis", "50L AT PaK 38", "gun", "K5", Mark.EMPLACED, with_unit=crew.id)
    hidden = add(cg, "axis", "4-6-7", "squad", "C4", Mark.CONCEALED, known=False)
    away = add(cg, "axis", "4-6-7", "squad", "G6")
    tank = add(cg, "axis", "PzIVF2", "afv", "C4")
    rider = add(cg, "axis", "4-6-7", "squad", "C4", with_unit=tank.id)
    question = asked_of(play(redeploy_in_mlr, cg, answers={"redeploy": []}), "conceal", "axis")
    assert question.secret
    assert question.default == [house.id, hole.id]
    assert question.allows([house.id, hole.id, field.id, crew.id, gun.id])
    for one in (hidden, away, tank, rider):
        assert not question.allows([one.id])
    labels = [option["label"] for option in question.form.describe()["options"]]
    assert labels[0].endswith("by CG10")
    assert labels[2].endswith("only by A12.12 or A12.34")
