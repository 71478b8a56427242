"""PL 3.21, 3.211: who goes together, where, how far; and what is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.campaign.steps import Step
from laager.rules.board.facts import ControlChanged, FortJoined
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.parties import reach
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
    STEPS,
    add,
    cvp,
    drawn,
    drms,
    first_question,
    now,
    refusals,
    row,
)
from tests.steps import play

# Who must, who may, who can't ------------------------------------------------------------------


def test_the_default_sends_everybody_each_squad_by_itself() -> None:
    cg = drawn()
    units = [add(cg, "axis", "4-6-7", "squad", "G6") for _ in range(2)]
    leader = add(cg, "axis", "8-0", "leader", "G6")
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    run = play(in_uncontrolled_terrain, cg, dice=[(2, 3)] * 3)
    assert [one["units"] for one in run.asked[0].default] == [
        [units[0].id, leader.id], [units[1].id], [tank.id]
    ]  # fmt: skip
    assert all(now(cg, one).at == "E5" for one in (*units, leader, tank))


def test_units_out_of_reach_in_the_enemy_mlr_are_eliminated_without_a_dr() -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    run = play(in_enemy_mlr, cg, answers={FROM_ENEMY: [row(squad, farther=True)]})
    assert run.rolls == []
    assert now(cg, squad).place is Place.ELIMINATED
    assert cvp(cg) == (0, 2)
    (fact,) = run.of("unit-gone")
    assert fact.why == "no friendly-Controlled Location within range"


def test_units_out_of_reach_elsewhere_are_considered_isolated() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    run = play(in_uncontrolled_terrain, cg, answers={FROM_OPEN: [row(squad, farther=True)]})
    assert run.rolls == []
    assert now(cg, squad).marks == {Mark.ISOLATED}


@pytest.mark.parametrize(
    ("key", "at", "goal"), [(FROM_ENEMY, "E7", "D5"), (FROM_OPEN, "G6", "E5"), (FROM_NML, "F4", "E4")]
)
def test_who_can_reach_a_friendly_cluster_must_roll(key: str, at: str, goal: str) -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", at)
    told = refusals(row(squad), cg=cg, key=key)
    assert f"[1].to: {squad.label} must try: {goal} can be reached; name a destination" in told


def test_a_slow_leader_does_not_hold_a_squad_back_that_can_get_out_alone() -> None:
    control = {"axis": ("A5",), "allied": ("C8",)}
    cg = drawn(control, axis=None, allied=None, strategic=["A5"])
    squad = add(cg, "axis", "4-6-7", "squad", "L6")
    leader = add(cg, "axis", "8-0", "leader", "L6", Mark.WOUNDED)
    question = first_question(cg, STEPS[FROM_OPEN])
    assert [(one["units"], bool(one["to"])) for one in question.default] == [([squad.id], True), ([leader.id], False)]
    assert question.allows(question.default)
    assert "must try" in refusals(row(squad, leader), cg=cg, key=FROM_OPEN)


def test_the_default_leaves_out_the_destination_where_nothing_is_in_reach() -> None:
    control = {"axis": ("A5",), "allied": ("C8",)}
    cg = drawn(control, axis=None, allied=None, strategic=["A5"])
    wounded = add(cg, "axis", "8-0", "leader", "M10", Mark.WOUNDED)
    run = play(in_uncontrolled_terrain, cg)
    assert [(one["units"], one["to"]) for one in run.asked[0].default] == [([wounded.id], "")]
    assert now(cg, wounded).has(Mark.ISOLATED)


def test_isolated_units_may_try_with_the_same_penalty() -> None:
    cg = drawn()
    tries = add(cg, "allied", "4-4-7", "squad", "G2")
    stays = add(cg, "allied", "4-4-7", "squad", "G2")
    run = play(isolated, cg, dice=[(6, 6)], answers={PINNED_DOWN: [row(tries, to="E7")]})
    assert now(cg, tries).place is Place.ELIMINATED
    assert now(cg, stays).at == "G2"
    assert [each["units"] for each in run.asked[0].default] == [[tries.id], [stays.id]]


def test_isolated_units_keep_concealment_and_nothing_tells_what_they_are() -> None:
    cg = drawn()
    squad = add(cg, "allied", "4-4-7", "squad", "G2", Mark.CONCEALED, known=False)
    leader = add(cg, "allied", "8-1", "leader", "G2", Mark.CONCEALED, known=False)
    answers = {PINNED_DOWN: [row(squad, leader, to="E7")]}
    run = play(isolated, cg, dice=[(5, 4), (5,), (2,)], answers=answers)
    assert run.finals()[0] == 11
    assert run.asked[0].secret
    labels = [roll.label for roll, _ in run.rolls]
    assert labels[0] == "Redeployment of a concealed unit, a concealed unit, G2 to E7"
    assert labels[1:] == [f"Random Selection, losses: concealed unit {n}" for n in (1, 2)]
    assert not any(roll.secret for roll, _ in run.rolls)
    for fact in run.facts:
        public = fact.to is None
        assert not public or "4-4-7" not in str(fact.body())
    assert now(cg, squad).has(Mark.CONCEALED)
    assert cvp(cg) == (1, 0)


@pytest.mark.parametrize(
    ("step", "at"), [(in_enemy_mlr, "E7"), (in_uncontrolled_terrain, "G6"), (in_no_mans_land, "C6")]
)
def test_concealment_is_lost_before_redeployment(step: Step, at: str) -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", at, Mark.CONCEALED, known=False)
    sw = add(cg, "axis", "LMG", "sw", at, known=False, with_unit=squad.id)
    run = play(step, cg, dice=[(2, 3)])
    assert [fact.kind for fact in run.facts[:3]] == [
        "unit-marked", "unit-revealed", "unit-revealed"
    ]  # fmt: skip
    assert now(cg, squad).known
    assert now(cg, sw).known
    assert not run.asked[0].secret


def test_nobody_redeploys_twice() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "E7", Mark.REDEPLOYED)
    assert play(in_enemy_mlr, cg).asked == []
    assert now(cg, squad).at == "E7"


def test_a_unit_that_redeploys_into_a_pocket_is_not_asked_there() -> None:
    cg = drawn()
    squad = add(cg, "allied", "4-4-7", "squad", "J2")
    answer = [row(squad, to="I2")]
    play(in_enemy_mlr, cg, dice=[(1, 2)], answers={FROM_ENEMY: answer})
    assert now(cg, squad).at == "I2"
    assert play(isolated, cg).asked == []


# What is refused -------------------------------------------------------------------------------


def test_who_must_go_may_not_be_left_out_or_named_twice() -> None:
    cg = drawn()
    one, two = (add(cg, "axis", "5-4-8", "squad", "E7") for _ in range(2))
    told = refusals(row(one, to="E5"), row(one, to="E5"), cg=cg)
    assert f"{one.label} goes twice" in told
    assert f"{two.label} in E7 is left out; it must try" in told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"to": "Z1"}, "[1].to: there is no hex 'Z1'"),
        ({"to": "nonsense here"}, "[1].to: 2 Locations for 1 unit"),
        ({"to": "E5.7"}, "[1].to: E5.7 is not a Location; in E5 there is E5"),
        ({"to": "F5"}, "[1].to: F5 is not friendly Controlled Terrain"),
        ({"to": "I5"}, "[1].to: I5 is not in the nearest cluster; nearest is the one with A3"),
        ({"to": "C4"}, "[1].to: C4 holds enemy units"),
        ({"to": "E5", "way": "E7-D5"}, "[1].way: D5 does not touch E7"),
        ({"to": "E5", "way": "E7-E6-D5"}, "[1].way: E7-E6-D5 leads elsewhere"),
        ({"to": "E5", "way": "E7-X77-E5"}, "[1].way: the map has no hex X77"),
        ({"to": "D5", "way": "E7-D6-D5"}, "[1].way: D6 holds enemy units"),
        ({"to": "", "way": "E7-E6-E5"}, "[1].to: a way to nowhere"),
        (
            {"to": "E5", "way": "E7-F7-G8-G9-F9-E9-D8-C8-B7-B6-B5-C5-D5-E5"},
            "[1].way: 13 hexes are out of range; at best 10 can be reached",
        ),
    ],
)
def test_destinations_and_ways_that_are_refused(answer: dict[str, Any], told: str) -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    for at in ("C4", "D6"):
        add(cg, "allied", "4-4-7", "squad", at)
    assert told in refusals({"units": [squad.id], **answer}, cg=cg)


def test_all_problems_are_told_together() -> None:
    cg = drawn()
    one = add(cg, "axis", "5-4-8", "squad", "E7")
    two = add(cg, "axis", "5-4-8", "squad", "E8")
    told = refusals(row(one, two, to="F5", way="E7-D5"), cg=cg)
    assert "[1].units: they are in E7, E8" in told
    assert "[1].to: F5 is not friendly Controlled Terrain" in told
    assert "[1].way: D5 does not touch E7" in told


def test_an_enemy_under_concealment_bars_the_way_but_a_hidden_one_does_not() -> None:
    for mark, barred in ((Mark.CONCEALED, True), (Mark.HIP, False)):
        cg = drawn()
        squad = add(cg, "axis", "5-4-8", "squad", "E7")
        add(cg, "allied", "4-4-7", "squad", "E6", mark, known=False)
        answer = row(squad, to="E5", way="E7-E6-E5")
        if barred:
            assert "[1].way: E6 holds enemy units" in refusals(answer, cg=cg)
        else:
            play(in_enemy_mlr, cg, dice=[(1, 2)], answers={f"{FROM_ENEMY}@axis": [answer]})
            assert now(cg, squad).at == "E5"


def test_ways_lead_around_water_and_blazes() -> None:
    cg = drawn()
    cg.state = cg.state.with_ground(blazes=frozenset({"E6", "E5"}))
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    told = refusals(row(squad, to="D5", way="E7-E6-D5"), cg=cg)
    assert "[1].way: E6 is not accessible; lead the way around it" in told
    assert "[1].to: no way leads from E7 to E5" in refusals(row(squad, to="E5"), cg=cg)
    run = play(in_enemy_mlr, cg, dice=[(1, 2)])
    assert now(cg, squad).at == run.asked[0].default[0]["to"] == "D5"


def test_a_unit_that_is_walled_in_reaches_nothing() -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    for at in cg.map.neighbours("E7"):
        add(cg, "allied", "4-4-7", "squad", at)
    play(in_enemy_mlr, cg)
    assert now(cg, squad).place is Place.ELIMINATED


def test_equally_near_clusters_are_the_owners_choice() -> None:
    for to in ("E5", "I5"):
        cg = drawn()
        squad = add(cg, "axis", "4-6-7", "squad", "G6")
        answers = {FROM_OPEN: [row(squad, to=to)]}
        play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers=answers)
        assert now(cg, squad).at == to


def test_a_farther_cluster_if_the_nearer_ones_are_out_of_reach() -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    answers = {FROM_ENEMY: [row(squad, to="I5", farther=True)]}
    play(in_enemy_mlr, cg, dice=[(1, 2)], answers=answers)
    assert now(cg, squad).at == "I5"


def test_the_default_goes_farther_where_enemies_bar_the_nearer_cluster() -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "F6")
    assert cg.front is not None
    west = next(c for c in cg.front.clusters["axis"] if "C4" in c)
    for at in cg.map.hexes_within(west, 1) - {"F6"}:
        add(cg, "allied", "4-4-7", "squad", at)
    procedure = in_uncontrolled_terrain.run(cg)
    command: Any = procedure.send(None)
    while not hasattr(command, "questions"):
        cg.state = command.apply(cg.state)
        command = procedure.send(None)
    (default,) = command.questions[0].default
    assert (default["units"], default["farther"]) == ([squad.id], True)
    assert default["to"] in next(c for c in cg.front.clusters["axis"] if "K4" in c)


def test_leaving_upstairs_needs_control_of_the_location_upstairs() -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    fort = Fort(id="AXF1", side="axis", kind="pillbox", at="E5.p", hidden=False)
    cg.state = FortJoined(fort=fort).apply(cg.state)
    told = refusals(row(squad, to="E5.p"), cg=cg)
    assert "E5.p is not friendly Controlled Terrain" in told
    cg.state = ControlChanged(side="axis", locations=("E5.p",)).apply(cg.state)
    play(in_enemy_mlr, cg, dice=[(1, 2)], answers={FROM_ENEMY: [row(squad, to="E5.p")]})
    assert now(cg, squad).at == "E5.p"


def test_nobody_learns_of_a_hidden_enemy_pillbox_by_sending_units_there() -> None:
    cg = drawn()
    squad = add(cg, "axis", "5-4-8", "squad", "E7")
    fort = Fort(id="ALF1", side="allied", kind="pillbox", at="E5.p", hidden=True)
    cg.state = FortJoined(fort=fort).apply(cg.state)
    assert "E5.p is not a Location" in refusals(row(squad, to="E5.p"), cg=cg)
    cg.state = FortJoined(fort=fort.but(hidden=False)).apply(cg.state)
    assert "E5.p is not a Location" not in refusals(row(squad, to="E5.p"), cg=cg)


def test_isolated_units_that_stay_are_left_out() -> None:
    cg = drawn()
    squad = add(cg, "allied", "4-4-7", "squad", "G2")
    assert "[1].to: no destination" in refusals(row(squad), cg=cg, key=PINNED_DOWN)
    told = refusals(row(squad, to="G3"), cg=cg, key=PINNED_DOWN)
    assert "G3 is not in the nearest cluster" in told


# Range -----------------------------------------------------------------------------------------


def test_what_is_too_far_is_refused_without_a_way_too() -> None:
    cg = drawn({"axis": ("C4", "K4"), "allied": ("C8",)}, axis=None, allied=None)
    leader = add(cg, "axis", "8-0", "leader", "M10", Mark.WOUNDED)
    told = refusals(row(leader, to="A4", farther=True), cg=cg, key=FROM_OPEN)
    assert "[1].to: 12 hexes are out of range; at best 8 can be reached" in told


@pytest.mark.parametrize(
    ("type_", "kind", "marks", "with_leader", "hexes"),
    [
        ("4-6-7", "squad", (), False, 10),
        ("4-6-7", "squad", (), True, 14),
        ("4-3-6", "squad", (Mark.INEXPERIENCED,), False, 8),
        ("8-0", "leader", (), False, 14),
        ("8-0", "leader", (Mark.WOUNDED,), False, 8),
    ],
)
def test_range_on_foot(type_: str, kind: str, marks: tuple[Mark, ...], with_leader: bool, hexes: int) -> None:
    cg = drawn()
    units = [add(cg, "axis", type_, kind, "E7", *marks)]
    if with_leader:
        units.append(add(cg, "axis", "8-0", "leader", "E7"))
    assert reach(cg, units) == hexes
    assert reach(cg, units, with_gun=True, emplaced=True) == hexes
    assert reach(cg, units, with_gun=True, emplaced=False) == hexes * 3 / 2
    tank = add(cg, "axis", "PzIVF2", "afv", "E7")
    assert reach(cg, [tank]) == float("inf")


# Stacks, platoons, conveyances -----------------------------------------------------------------


def test_an_afv_platoon_moves_as_one_body_with_its_armor_leader() -> None:
    cg = drawn()
    tanks = [add(cg, "axis", "PzIVF2", "afv", at, group="A1/1") for at in ("F6", "G6", "G7")]
    leader = add(cg, "axis", "8-1", "armor-leader", "F6", with_unit=tanks[0].id)
    answer = [row(*tanks, to="E5 I5 I5", leader=leader.id)]
    run = play(in_uncontrolled_terrain, cg, dice=[(6, 5)], answers={FROM_OPEN: answer})
    assert (run.finals(), drms(run)) == ([10], [-1])
    assert [now(cg, tank).at for tank in tanks] == ["E5", "I5", "I5"]
    assert now(cg, leader).at == "E5"
    assert all(now(cg, one).has(Mark.REDEPLOYED) for one in (*tanks, leader))


def test_tanks_of_different_platoons_in_different_hexes_do_not() -> None:
    cg = drawn()
    one = add(cg, "axis", "PzIVF2", "afv", "F6", group="A1/1")
    two = add(cg, "axis", "PzIVF2", "afv", "G6", group="A1/2")
    told = refusals(row(one, two, to="E5"), cg=cg, key=FROM_OPEN)
    assert "they are in F6, G6; a stack is in one Location" in told


def trucks() -> tuple[Cg, Unit, Unit, Unit]:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    half = add(cg, "axis", "2-4-7", "half-squad", "G6")
    truck = add(cg, "axis", "Opel 6700", "vehicle", "G6")
    return cg, squad, half, truck


def test_infantry_with_a_conveyance_rolls_as_a_vehicle() -> None:
    cg, squad, half, truck = trucks()
    answer = [row(squad, truck, to="I5", conveyance=truck.id), row(half, to="I5")]
    run = play(in_uncontrolled_terrain, cg, dice=[(6, 5), (1, 3)], answers={FROM_OPEN: answer})
    # 10 would Replace Infantry; a vehicle redeploys.
    assert run.finals() == [10, 3]
    assert (now(cg, squad).type, now(cg, squad).at, now(cg, truck).at) == ("4-6-7", "I5", "I5")


def test_a_conveyance_may_come_from_the_friendly_mlr() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    truck = add(cg, "axis", "Opel 6700", "vehicle", "I5")
    answer = [row(squad, to="I5", conveyance=truck.id)]
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers={FROM_OPEN: answer})
    assert (now(cg, squad).at, now(cg, truck).at) == ("I5", "I5")
    assert now(cg, truck).has(Mark.REDEPLOYED)


def test_conveyances_that_are_refused() -> None:
    cg, squad, half, truck = trucks()
    told = refusals(row(squad, half, truck, to="I5"), cg=cg, key=FROM_OPEN)
    assert "Infantry and vehicles don't move together" in told
    told = refusals(row(truck, to="I5", conveyance=truck.id), cg=cg, key=FROM_OPEN)
    assert "[1].conveyance: there are no units to carry" in told
    second_truck = add(cg, "axis", "Opel 6700", "vehicle", "G6")
    units = (squad, half, truck, second_truck)
    told = refusals(row(*units, to="I5", conveyance=truck.id), cg=cg, key=FROM_OPEN)
    assert "[1].units: more than one vehicle" in told
    crowd = [add(cg, "axis", "4-6-7", "squad", "G6") for _ in range(3)]
    told = refusals(row(squad, *crowd, to="I5", conveyance=truck.id), cg=cg, key=FROM_OPEN)
    assert "HS-equivalents, they are 8; send some apart" in told


def test_a_bogged_vehicle_cannot_go() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "E7", Mark.BOGGED)
    assert "is bogged and can't move" in refusals(row(tank, to="E5"), cg=cg)
    run = play(in_enemy_mlr, cg)
    assert run.asked[0].default[0]["to"] == ""
    assert now(cg, tank).place is Place.ELIMINATED


@pytest.mark.parametrize("mark", [Mark.IMMOBILIZED, Mark.MIRED, Mark.ABANDONED])
def test_immobile_vehicles_are_left_to_the_rule_about_them(mark: Mark) -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "E7", mark)
    assert play(in_enemy_mlr, cg).asked == []
    assert now(cg, tank).on_map


def test_who_rides_on_an_immobile_vehicle_goes_on_foot() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6", Mark.IMMOBILIZED)
    squad = add(cg, "axis", "4-6-7", "squad", "G6", with_unit=tank.id)
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert (now(cg, squad).at, now(cg, squad).with_unit) == ("E5", "")
    assert now(cg, tank).at == "G6"


def test_who_rides_on_a_vehicle_goes_with_it() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    squads = [add(cg, "axis", "4-6-7", "squad", "G6", with_unit=tank.id) for _ in range(2)]
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert drms(run) == [2, -1]
    assert all(now(cg, one).at == "E5" for one in (tank, *squads))
    assert all(now(cg, one).with_unit == tank.id for one in squads)


# Automatic answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("step", [in_enemy_mlr, isolated, in_uncontrolled_terrain, in_no_mans_land])
def test_answers_by_chance_are_legal(step: Step) -> None:
    for seed in range(8):
        cg = drawn()
        for side, type_ in (("axis", "4-6-7"), ("allied", "4-4-7")):
            for at in ("E7", "J2", "G2", "G6", "C6", "F4"):
                add(cg, side, type_, "squad", at)
            add(cg, side, "8-1", "leader", "G6")
        procedure = step.run(cg)
        send: Any = None
        while True:
            command: Any = procedure.send(send)
            send = None
            if hasattr(command, "questions"):
                break
            cg.state = command.apply(cg.state)
        (question,) = command.questions
        assert question.suggest is not None
        assert question.allows(question.default)
        assert question.allows(question.suggest(Random(seed)))
