"""PL 3.218 to 3.241: concealment, prisoners, vehicles left behind, hidden things."""

from __future__ import annotations

import pytest

from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.redeployment.hidden import concealment_lost
from laager.rules.platoon_leader.redeployment.redeployment import (
    in_uncontrolled_terrain,
    prisoners_removed,
    vehicles_left_behind,
)
from tests.platoon_leader.fronts import FROM_OPEN, add, cvp, drawn, now, refusals, row, second
from tests.steps import play

# 3.218 -----------------------------------------------------------------------------------------


def test_concealment_is_lost_outside_a_friendly_mlr_and_nowhere_else() -> None:
    cg = drawn()
    out = [
        add(cg, side, type_, "squad", at, Mark.CONCEALED, known=False)
        for side, type_, at in (
            ("allied", "4-4-7", "G2"), ("axis", "4-6-7", "G6"), ("axis", "4-6-7", "C6")
        )
    ]  # fmt: skip
    safe = add(cg, "allied", "4-4-7", "squad", "C8", Mark.CONCEALED, known=False)
    run = play(concealment_lost, cg)
    assert all(now(cg, one).known and not now(cg, one).has(Mark.CONCEALED) for one in out)
    assert not now(cg, safe).known
    assert {fact.to for fact in run.of("unit-revealed")} == {None}


# 3.22 ------------------------------------------------------------------------------------------


def test_guarded_prisoners_are_worth_double() -> None:
    cg = drawn()
    guard = add(cg, "axis", "4-6-7", "squad", "C4")
    held = add(cg, "allied", "4-4-7", "squad", "C4", Mark.PRISONER, with_unit=guard.id)
    loose = add(cg, "allied", "8-1", "leader", "G6", Mark.PRISONER, Mark.UNGUARDED)
    run = play(prisoners_removed, cg)
    assert now(cg, held).place is Place.CAPTURED
    assert now(cg, loose).place is Place.CAPTURED
    points = [fact.points for fact in run.of("cvp-scored")]  # type: ignore[attr-defined]
    assert points == [4, 2]
    assert cvp(cg) == (6, 0)
    assert cg.state.side("allied").leaders_lost == 1


def test_prisoners_who_left_the_map_with_their_guard_are_removed_too() -> None:
    cg = drawn()
    guard = add(cg, "axis", "4-6-7", "squad", None)
    held = add(cg, "allied", "4-4-7", "squad", None, Mark.PRISONER, with_unit=guard.id)
    play(prisoners_removed, cg)
    assert now(cg, held).place is Place.CAPTURED
    assert cvp(cg) == (4, 0)


def test_prisoners_without_guard_in_an_mlr_of_theirs_are_free() -> None:
    cg = drawn()
    loose = add(cg, "allied", "4-4-7", "squad", "C8", Mark.PRISONER, Mark.UNGUARDED)
    run = play(prisoners_removed, cg)
    assert now(cg, loose).marks == frozenset()
    assert now(cg, loose).on_map
    assert not run.of("cvp-scored")


def test_guarded_prisoners_are_removed_even_in_an_mlr_of_theirs() -> None:
    cg = drawn()
    guard = add(cg, "axis", "4-6-7", "squad", "C8")
    held = add(cg, "allied", "4-4-7", "squad", "C8", Mark.PRISONER, with_unit=guard.id)
    play(prisoners_removed, cg)
    assert now(cg, held).place is Place.CAPTURED
    assert cvp(cg) == (4, 0)


def test_prisoners_without_guard_may_try_to_get_to_their_mlr() -> None:
    cg = drawn()
    loose = add(cg, "allied", "4-4-7", "squad", "G6", Mark.PRISONER, Mark.UNGUARDED)
    squad = add(cg, "allied", "4-4-7", "squad", "G6")
    told = refusals(row(loose, to="G2"), row(squad, to="E7"), cg=cg, key=FROM_OPEN)
    assert "G2 is not in an MLR of their side" in told
    told = refusals(row(loose, squad, to="E7"), cg=cg, key=FROM_OPEN)
    assert "prisoners don't move with others" in told
    answers = {FROM_OPEN: [row(loose, to="E7"), row(squad, to="E7")]}
    play(in_uncontrolled_terrain, cg, dice=[(1, 2), (1, 2)], answers=answers)
    assert now(cg, loose).at == "E7"
    # By default they stay; being prisoners they are not considered Isolated for it.
    cg = drawn()
    loose = add(cg, "allied", "4-4-7", "squad", "G6", Mark.PRISONER, Mark.UNGUARDED)
    run = play(in_uncontrolled_terrain, cg, answers={FROM_OPEN: [row(loose)]})
    assert run.asked[0].default == []
    assert not now(cg, loose).has(Mark.ISOLATED)


def test_guarded_prisoners_do_not_redeploy_but_go_with_their_guard() -> None:
    cg = drawn()
    guard = add(cg, "axis", "4-6-7", "squad", "G6")
    held = add(cg, "allied", "4-4-7", "squad", "G6", Mark.PRISONER, with_unit=guard.id)
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert [one.side for one in run.asked] == ["axis"]
    assert now(cg, held).at == now(cg, guard).at == "E5"


# 3.23 ------------------------------------------------------------------------------------------


def test_the_immobilized_tank_of_the_walkthrough() -> None:
    cg = second()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6", Mark.IMMOBILIZED)
    other = add(cg, "allied", "T-34 M41", "afv", "C9", Mark.IMMOBILIZED)
    add(cg, "axis", "4-6-7", "squad", "K4")
    run = play(vehicles_left_behind, cg)
    assert now(cg, tank).has(Mark.WRECK)
    assert now(cg, tank).place is Place.ELIMINATED
    assert now(cg, other).on_map
    assert cvp(cg) == (0, cg.nation("axis").cvp("PzIVF2"))
    assert "within 3 hexes" in run.of("unit-gone")[0].why


@pytest.mark.parametrize(
    ("type_", "kind", "at", "marks", "saved"),
    [
        ("4-6-7", "squad", "I5", (), True),  # 2 hexes
        ("2-4-7", "half-squad", "J5", (), True),  # 3 hexes
        ("4-6-7", "squad", "K6", (), False),  # 4 hexes
        ("9-2", "leader", "G6", (), False),
        ("PzIVF2", "afv", "H6", (), True),
        ("PzIVF2", "afv", "H6", (Mark.ABANDONED,), False),
        ("PzIVF2", "afv", "H6", (Mark.WRECK,), False),
        ("Opel 6700", "vehicle", "H6", (), False),
        ("4-6-7", "squad", "G6", (Mark.PRISONER,), False),
    ],
)
def test_what_saves_an_immobile_vehicle(type_: str, kind: str, at: str, marks: tuple[Mark, ...], saved: bool) -> None:
    cg = second()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6", Mark.ABANDONED)
    add(cg, "axis", type_, kind, at, *marks)
    add(cg, "allied", "4-4-7", "squad", "G6")
    play(vehicles_left_behind, cg)
    assert now(cg, tank).on_map == saved


@pytest.mark.parametrize(
    ("marks", "doomed"), [((Mark.IMMOBILIZED,), True), ((Mark.MIRED,), True), ((Mark.BOGGED,), False), ((), False)]
)
def test_which_vehicles_need_help(marks: tuple[Mark, ...], doomed: bool) -> None:
    cg = second()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6", *marks)
    play(vehicles_left_behind, cg)
    assert now(cg, tank).on_map != doomed


def test_two_forsaken_vehicles_do_not_fall_one_after_the_other() -> None:
    cg = second()
    tanks = [add(cg, "axis", "PzIVF2", "afv", "G6", Mark.IMMOBILIZED) for _ in range(2)]
    play(vehicles_left_behind, cg)
    assert all(now(cg, tank).on_map for tank in tanks)


def test_the_armor_leader_is_lost_with_his_vehicle() -> None:
    cg = second()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6", Mark.IMMOBILIZED)
    leader = add(cg, "axis", "8-1", "armor-leader", "G6", with_unit=tank.id)
    play(vehicles_left_behind, cg)
    assert now(cg, leader).place is Place.ELIMINATED
