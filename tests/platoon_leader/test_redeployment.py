"""PL 3.21 to 3.217: redeployment after play, number for number and row for row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.facts import UnitMarked
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.redeployment.redeployment import (
    in_enemy_mlr,
    in_no_mans_land,
    in_uncontrolled_terrain,
    isolated,
)
from tests.platoon_leader.fronts import (
    FROM_ENEMY,
    FROM_NML,
    FROM_OPEN,
    PINNED_DOWN,
    add,
    cvp,
    drawn,
    drms,
    now,
    row,
    second,
)
from tests.steps import Played, play
from tests.tries import tries

# The walkthrough -------------------------------------------------------------------------------


def test_redeployment_of_the_first_firefight() -> None:
    cg = drawn()
    e7 = add(cg, "axis", "5-4-8", "squad", "E7")
    j2 = add(cg, "allied", "4-4-7", "squad", "J2")
    g2 = add(cg, "allied", "4-4-7", "squad", "G2")
    g6 = add(cg, "axis", "2-4-7", "half-squad", "G6")
    c6 = add(cg, "axis", "4-6-7", "squad", "C6")

    run = play(
        in_enemy_mlr, cg, dice=[(4, 3), (6, 4)],
        answers={f"{FROM_ENEMY}@axis": [row(e7, to="E5")]},
    )  # fmt: skip
    assert run.finals() == [9, 12]
    assert [m.value for _, rolled in run.rolls for m in rolled.modifiers] == [2, 2]
    assert now(cg, e7).at == "E5"
    assert now(cg, j2).place is Place.ELIMINATED
    assert cvp(cg) == (2, 0)

    assert play(isolated, cg, answers={PINNED_DOWN: []}).finals() == []
    assert now(cg, g2).at == "G2"

    run = play(in_uncontrolled_terrain, cg, dice=[(6, 5)], answers={FROM_OPEN: [row(g6, to="I5")]})
    assert (run.finals(), drms(run)) == ([10], [-1])
    assert (now(cg, g6).at, now(cg, g6).type) == ("I5", "2-3-7")

    run = play(in_no_mans_land, cg, dice=[(6, 5)], answers={FROM_NML: [row(c6, to="C5")]})
    assert (run.finals(), drms(run)) == ([11], [1, -1])
    assert (now(cg, c6).at, now(cg, c6).type) == ("C5", "2-4-7")
    assert cvp(cg) == (2, 1)
    assert now(cg, g2).marks == frozenset()


def test_redeployment_of_the_second_firefight() -> None:
    cg = second()
    e4 = add(cg, "axis", "4-6-7", "squad", "E4")
    run = play(in_enemy_mlr, cg, dice=[(1, 1)], answers={FROM_ENEMY: [row(e4, to="I4")]})
    assert (run.finals(), drms(run)) == ([4], [2])
    assert (now(cg, e4).at, now(cg, e4).type) == ("I4", "4-6-8")
    assert now(cg, e4).has(Mark.HARDENED)
    assert "Original 2" in run.questions(f"heat-of-battle-{e4.id.lower()}")[0].text


def test_the_attacker_redeploys_completely_before_the_defender() -> None:
    cg = drawn(attacker="allied")
    add(cg, "axis", "5-4-8", "squad", "E7")
    add(cg, "allied", "4-4-7", "squad", "J2")
    run = play(in_enemy_mlr, cg, dice=[(1, 3), (1, 3)])
    assert [one.side for one in run.asked] == ["allied", "axis"]
    assert [one.side for one, _ in run.rolls] == ["allied", "axis"]


def test_nothing_is_asked_where_nobody_is_concerned() -> None:
    cg = drawn()
    add(cg, "axis", "4-6-7", "squad", "C4")
    for step in (in_enemy_mlr, isolated, in_uncontrolled_terrain, in_no_mans_land):
        run = play(step, cg)
        assert (run.asked, run.facts) == ([], [])


# The table -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "type_", "at", "place", "scored"),
    [
        ((5, 3), "4-6-7", "E5", Place.MAP, 0),  # 8 +1 -0 = 9
        ((5, 4), "4-4-7", "E5", Place.MAP, 0),  # 10
        ((5, 5), "2-4-7", "E5", Place.MAP, 1),  # 11
        ((6, 5), "2-4-7", "E3", Place.MAP, 1),  # 12
        ((6, 6), "2-4-7", "E3", Place.MAP, 1),  # 13
    ],
)
def test_every_row_for_infantry_in_no_mans_land(
    dice: tuple[int, int], type_: str, at: str, place: Place, scored: int
) -> None:
    # The other reading of adjacency does not matter here: a leader of +1 cancels the -1.
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "E3")
    leader = add(cg, "axis", "6+1", "leader", "E3")
    answer = [row(squad, leader, to="E5", leader=leader.id)]
    dice_left = [dice] if type_ == "4-6-7" else [dice, (6,), (1,)]
    run = play(in_no_mans_land, cg, dice=dice_left, answers={FROM_NML: answer})
    assert sum(drms(run)) == 1
    assert (now(cg, squad).type, now(cg, squad).at, now(cg, squad).place) == (type_, at, place)
    assert now(cg, leader).at == at
    assert cvp(cg) == (0, scored)
    assert now(cg, squad).has(Mark.ISOLATED) == (at == "E3")
    assert now(cg, squad).has(Mark.REDEPLOYED)


@pytest.mark.parametrize(("marks", "drm"), [((), 0), ((Mark.WOUNDED,), 1)])
def test_a_wounded_leader_leads_by_one_worse(marks: tuple[Mark, ...], drm: int) -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "E3")
    leader = add(cg, "axis", "8-0", "leader", "E3", *marks)
    answer = [row(squad, leader, to="E5", leader=leader.id)]
    run = play(in_no_mans_land, cg, dice=[(3, 3)], answers={FROM_NML: answer})
    assert sum(drms(run)) == drm


def test_fourteen_eliminates_a_stack_whole() -> None:
    cg = drawn()
    first, second_ = (add(cg, "axis", "4-6-7", "squad", "G6") for _ in range(2))
    third = add(cg, "axis", "2-4-7", "half-squad", "G6")
    answer = [row(first, second_, third, to="I5")]
    run = play(in_uncontrolled_terrain, cg, dice=[(6, 6)], answers={FROM_OPEN: answer})
    assert (run.finals(), drms(run)) == ([14], [3, -1])
    assert all(now(cg, one).place is Place.ELIMINATED for one in (first, second_, third))
    assert cvp(cg) == (0, 5)


@pytest.mark.parametrize(("dice", "at", "place"), [((5, 6), "I4", Place.MAP), ((6, 6), "G6", Place.MAP)])
def test_rows_for_vehicles(dice: tuple[int, int], at: str, place: Place) -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    run = play(in_uncontrolled_terrain, cg, dice=[dice], answers={FROM_OPEN: [row(tank, to="I4")]})
    assert run.finals() == [sum(dice) - 1]
    assert (now(cg, tank).at, now(cg, tank).place) == (at, place)
    assert now(cg, tank).has(Mark.ISOLATED) == (at == "G6")


def test_twelve_eliminates_a_vehicle_with_all_aboard() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "C6")
    leader = add(cg, "axis", "8-1", "armor-leader", "C6", with_unit=tank.id)
    answer = [row(tank, to="C5")]
    run = play(in_no_mans_land, cg, dice=[(6, 6)], answers={FROM_NML: answer})
    assert run.finals() == [12]
    assert now(cg, tank).place is Place.ELIMINATED
    assert now(cg, tank).has(Mark.WRECK)
    assert now(cg, leader).place is Place.ELIMINATED
    nation = cg.nation("axis")
    assert cvp(cg) == (0, nation.cvp("PzIVF2") + nation.cvp("8-1"))


def test_a_vehicle_that_remains_in_the_enemy_mlr_is_lost() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "E7")
    run = play(in_enemy_mlr, cg, dice=[(5, 4)], answers={FROM_ENEMY: [row(tank, to="E5")]})
    assert run.finals() == [11]
    assert now(cg, tank).place is Place.ELIMINATED
    (fact,) = run.of("unit-gone")
    assert "Remains in its hex, and so is eliminated" in fact.why


def test_an_original_2_is_heat_of_battle_for_infantry_only() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 1)])
    assert [one.key for one in run.asked] == [FROM_OPEN]
    assert now(cg, tank).hex != "G6"


def test_an_original_2_succeeds_whatever_the_drm() -> None:
    cg = drawn()
    squads = [add(cg, "axis", "4-6-7", "squad", "E7") for _ in range(4)]
    squads += [add(cg, "axis", "2-4-7", "half-squad", "E7")]
    dice = [(1, 1), (2,), (6,), (3,), (4,), (1,)]
    run = play(in_enemy_mlr, cg, dice=dice, answers={FROM_ENEMY: [row(*squads, to="E5")]})
    assert run.finals()[0] == 11
    assert all(now(cg, one).at == "E5" for one in squads)
    assert [now(cg, one).type for one in squads] == ["4-6-7", "4-6-8", "4-6-7", "4-6-7", "2-4-7"]


@pytest.mark.parametrize(
    ("outcome", "type_", "place", "marks"),
    [
        ("hardened", "4-6-8", Place.MAP, {Mark.HARDENED}),
        ("berserk", "4-6-8", Place.MAP, {Mark.HARDENED}),
        ("surrender", "4-6-7", Place.ELIMINATED, set()),
        ("none", "4-6-7", Place.MAP, set()),
    ],
)
def test_outcomes_of_heat_of_battle(outcome: str, type_: str, place: Place, marks: set[Mark]) -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    answers = {f"heat-of-battle-{squad.id.lower()}": outcome}
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 1)], answers=answers)
    after = now(cg, squad)
    assert (after.type, after.place) == (type_, place)
    assert after.marks - {Mark.REDEPLOYED} == marks
    assert cvp(cg) == (0, 2 if outcome == "surrender" else 0)
    assert run.asked[-1].rule == "PL 3.21 note 1"


def test_a_hero_is_created_where_the_unit_arrives() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    answers = {f"heat-of-battle-{squad.id.lower()}": "hero"}
    play(in_uncontrolled_terrain, cg, dice=[(1, 1)], answers=answers)
    (hero,) = cg.state.units_of("axis", "hero")
    assert (hero.type, hero.at, hero.known) == ("1-4-9", now(cg, squad).at, True)
    assert hero.has(Mark.REDEPLOYED)


def test_a_leader_becomes_heroic() -> None:
    cg = drawn()
    leader = add(cg, "axis", "8-1", "leader", "G6")
    answers = {f"heat-of-battle-{leader.id.lower()}": "hero"}
    play(in_uncontrolled_terrain, cg, dice=[(1, 1)], answers=answers)
    assert now(cg, leader).has(Mark.HEROIC)


# Replaced and Reduced --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_", "kind", "marks", "expected"),
    [
        ("4-6-7", "squad", (), ("4-4-7", Place.MAP)),
        ("4-3-6", "squad", (), ("2-3-6", Place.MAP)),  # Disrupted, so Reduced
        ("2-2-8", "crew", (), ("2-2-8", Place.ELIMINATED)),
        ("9-1", "leader", (), ("8-1", Place.MAP)),
        ("6+1", "leader", (), ("6+1", Place.MAP)),  # Wounded instead
        ("6+1", "leader", (Mark.WOUNDED,), ("6+1", Place.ELIMINATED)),
        ("1-4-9", "hero", (), ("1-4-9", Place.MAP)),
    ],
)
def test_replacement(type_: str, kind: str, marks: tuple[Mark, ...], expected: tuple[str, Place]) -> None:
    cg = drawn()
    one = add(cg, "axis", type_, kind, "G6", *marks)
    answer = [row(one, to="I5", leader="none")]
    if kind not in ("leader",):
        answer = [row(one, to="I5")]
    run = play(in_uncontrolled_terrain, cg, dice=[(6, 5)], answers={FROM_OPEN: answer})
    assert run.finals() == [10]
    assert (now(cg, one).type, now(cg, one).place) == expected
    assert now(cg, one).has(Mark.WOUNDED) == (type_ == "6+1")


def test_a_leader_that_is_reduced_is_wounded() -> None:
    cg = drawn()
    leader = add(cg, "axis", "8-0", "leader", "C6")
    run = play(in_no_mans_land, cg, dice=[(6, 5)], answers={FROM_NML: [row(leader, to="C5")]})
    assert run.finals() == [11]
    assert (now(cg, leader).at, now(cg, leader).has(Mark.WOUNDED)) == ("C5", True)


def test_random_selection_finds_the_victim_and_all_who_tie() -> None:
    cg = drawn()
    first = add(cg, "axis", "2-4-7", "half-squad", "C6")
    second_ = add(cg, "axis", "2-4-7", "half-squad", "C6")
    leader = add(cg, "axis", "8-0", "leader", "C6")
    answer = [row(first, second_, leader, to="C5")]
    run = play(in_no_mans_land, cg, dice=[(6, 5), (4,), (2,), (4,)], answers={FROM_NML: answer})
    assert [roll.label for roll, _ in run.rolls[1:]] == [
        f"Random Selection, losses: {one.label}" for one in (first, second_, leader)
    ]
    assert now(cg, first).place is Place.ELIMINATED
    assert (now(cg, second_).at, now(cg, second_).type) == ("C5", "2-4-7")
    assert (now(cg, leader).at, now(cg, leader).has(Mark.WOUNDED)) == ("C5", True)


# DRM -------------------------------------------------------------------------------------------


def drm_of(run: Played) -> dict[str, int]:
    return {modifier.reason: modifier.value for modifier in run.rolls[0][1].modifiers}


@pytest.mark.parametrize(
    ("at", "reading", "expected"), [("G1", "7", [1, 2]), ("G2", "7", [2]), ("G2", "6", [1, 2]), ("G3", "6", [2])]
)
def test_an_isolated_unit_far_from_its_mlr(at: str, reading: str, expected: list[int]) -> None:
    # Without Allied links G1 is 7 hexes from the nearest friendly MLR, G2 6, G3 5.
    cg = drawn(allied=(), readings={"isolated-far": reading})
    squad = add(cg, "allied", "4-4-7", "squad", at)
    run = play(isolated, cg, dice=[(1, 2)], answers={PINNED_DOWN: [row(squad, to="E7")]})
    assert drms(run) == expected
    assert now(cg, squad).at == "E7"


def test_who_is_not_isolated_is_never_far() -> None:
    cg = drawn({"axis": ("C4",), "allied": ("C8",)}, axis=None, allied=None)
    squad = add(cg, "axis", "4-6-7", "squad", "M3")
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers={FROM_OPEN: [row(squad, to="E4")]})
    assert drms(run) == []


@given(squads=st.integers(0, 4), halves=st.integers(0, 3), leaders=st.integers(0, 2))
@tries(25)
def test_size_counts_half_squads_beyond_one_squad(squads: int, halves: int, leaders: int) -> None:
    if squads + halves == 0:
        return
    cg = drawn()
    units = [add(cg, "axis", "4-6-7", "squad", "G6") for _ in range(squads)]
    units += [add(cg, "axis", "2-4-7", "half-squad", "G6") for _ in range(halves)]
    units += [add(cg, "axis", "8-0", "leader", "G6") for _ in range(leaders)]
    answer = [row(*units, to="I5")]
    size = max(0, 2 * squads + halves - 2)
    # 3 plus the DRM stays below 10, or nobody is left to be selected at 14 and more.
    if 10 <= 3 + size - 1 <= 13:
        return
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers={FROM_OPEN: answer})
    assert sum(drms(run)) == size - 1
    reasons = drm_of(run)
    assert any("HS-equivalent" in reason for reason in reasons) == (size > 0)


@pytest.mark.parametrize(("at", "expected"), [("G6", [-1]), ("F6", []), ("I7", [])])
def test_adjacent_to_the_friendly_mlr(at: str, expected: list[int]) -> None:
    cg = drawn()
    add(cg, "axis", "4-6-7", "squad", at)
    assert drms(play(in_uncontrolled_terrain, cg, dice=[(2, 3)])) == expected


def test_next_to_no_mans_land_and_pockets_is_not_next_to_the_mlr() -> None:
    cg = drawn()
    squad = add(cg, "allied", "4-4-7", "squad", "J2")
    run = play(in_enemy_mlr, cg, dice=[(1, 2)], answers={FROM_ENEMY: [row(squad, to="I2")]})
    assert drms(run) == [2]


def test_the_leader_who_directs_gives_his_drm() -> None:
    for chosen, expected in (("9-2", -2), ("6+1", 1), ("none", 0)):
        cg = drawn()
        squad = add(cg, "axis", "4-6-7", "squad", "G6")
        leaders = {t: add(cg, "axis", t, "leader", "G6") for t in ("9-2", "6+1")}
        name = leaders[chosen].id if chosen in leaders else "none"
        answer = [row(squad, *leaders.values(), to="I5", leader=name)]
        run = play(in_uncontrolled_terrain, cg, dice=[(2, 3)], answers={FROM_OPEN: answer})
        assert sum(drms(run)) == expected - 1


def test_by_default_the_best_leader_directs_but_never_a_bad_one() -> None:
    cg = drawn()
    add(cg, "axis", "4-6-7", "squad", "G6")
    add(cg, "axis", "6+1", "leader", "G6")
    good = add(cg, "axis", "8-1", "leader", "G6")
    run = play(in_uncontrolled_terrain, cg, dice=[(2, 3)])
    assert run.asked[0].default[0]["leader"] == good.id
    cg = drawn()
    add(cg, "axis", "4-6-7", "squad", "G6")
    add(cg, "axis", "6+1", "leader", "G6")
    assert play(in_uncontrolled_terrain, cg, dice=[(2, 3)]).asked[0].default[0]["leader"] == "none"


def test_marks_are_facts_for_those_who_know_the_unit() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    (mark,) = [fact for fact in run.facts if isinstance(fact, UnitMarked)]
    assert (mark.unit, mark.add, mark.to) == (squad.id, frozenset({Mark.REDEPLOYED}), None)
    assert run.of("unit-moved")[0].why == "Final DR 2: Redeploys"


@pytest.mark.parametrize(("reading", "asked"), [("2", True), ("1", False)])
def test_how_far_clusters_reach(reading: str, asked: bool) -> None:
    cg = drawn({"axis": ("C4",), "allied": ("C8",)}, axis=None, allied=None, readings={"cthc-radius": reading})
    add(cg, "axis", "4-6-7", "squad", "C6")
    run = play(in_no_mans_land, cg, dice=[(6, 5)] * asked)
    assert bool(run.questions(FROM_NML)) is asked
