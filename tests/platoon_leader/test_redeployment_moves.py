"""PL 3.12, 3.21: weapons, Guns, mines and all that happens to those who arrive."""

from __future__ import annotations

import pytest

from laager.base import DataError
from laager.rules.board.facts import FortJoined
from laager.rules.board.units import Fort, Mark, Place
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.redeployment import in_no_mans_land, in_uncontrolled_terrain
from tests.platoon_leader.fronts import FROM_OPEN, add, cvp, drawn, now, refusals, row
from tests.steps import play

# SW, Guns, Encirclement ------------------------------------------------------------------------


def test_weapons_go_along_stay_behind_or_are_possessed_on_arrival() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    kept = add(cg, "axis", "LMG", "sw", "G6", with_unit=squad.id)
    left = add(cg, "axis", "MMG", "sw", "G6", with_unit=squad.id)
    found = add(cg, "axis", "HMG", "sw", "I5")
    elsewhere = add(cg, "axis", "ATR", "sw", "C5")
    answer = row(squad, to="I5", leave=[left.id], take=[found.id])
    told = refusals(row(squad, to="I5", leave=[], take=[elsewhere.id]), cg=cg, key=FROM_OPEN)
    assert f"{elsewhere.label} lies in C5" in told
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers={FROM_OPEN: [answer]})
    assert (now(cg, kept).at, now(cg, kept).with_unit) == ("I5", squad.id)
    # The counter of those who have redeployed is for troops and vehicles.
    assert now(cg, kept).marks == frozenset()
    assert (now(cg, left).at, now(cg, left).with_unit) == ("G6", "")
    assert now(cg, found).with_unit == squad.id


def test_what_others_carry_cannot_be_left_behind() -> None:
    cg = drawn()
    one, two = (add(cg, "axis", "4-6-7", "squad", "G6") for _ in range(2))
    sw = add(cg, "axis", "LMG", "sw", "G6", with_unit=two.id)
    told = refusals(row(one, to="I5", leave=[sw.id]), row(two, to="I5"), cg=cg, key=FROM_OPEN)
    assert f"[1].leave: {sw.label} is not with them" in told


@pytest.mark.parametrize("emplaced", [True, False])
def test_a_gun_moved_by_its_crew_ends_emplaced_or_not(emplaced: bool) -> None:
    cg = drawn()
    crew = add(cg, "axis", "2-2-8", "crew", "G6")
    gun = add(cg, "axis", "50L AT PaK 38", "gun", "G6", Mark.EMPLACED, with_unit=crew.id)
    answer = [row(crew, to="I5", emplaced=emplaced)]
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers={FROM_OPEN: answer})
    assert now(cg, gun).at == "I5"
    assert now(cg, gun).has(Mark.EMPLACED) == emplaced


def test_a_gun_moved_by_others_is_not_emplaced() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    gun = add(cg, "axis", "50L AT PaK 38", "gun", "G6", Mark.EMPLACED, with_unit=squad.id)
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert now(cg, gun).at == "E5"
    assert not now(cg, gun).has(Mark.EMPLACED)


def test_a_crew_possesses_a_gun_on_arrival_and_it_counts_as_emplaced() -> None:
    cg = drawn()
    crew = add(cg, "axis", "2-2-8", "crew", "G6")
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    gun = add(cg, "axis", "50L AT PaK 38", "gun", "I5")
    answer = [row(squad, crew, to="I5", take=[gun.id])]
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers={FROM_OPEN: answer})
    assert (now(cg, gun).with_unit, now(cg, gun).has(Mark.EMPLACED)) == (crew.id, True)


def test_a_fixed_gun_stays_when_its_crew_goes() -> None:
    cg = drawn()
    crew = add(cg, "axis", "2-2-8", "crew", "G6")
    gun = add(cg, "axis", "50L AT PaK 38", "gun", "G6", Mark.EMPLACED, Mark.FIXED, with_unit=crew.id)
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert (now(cg, gun).at, now(cg, gun).with_unit) == ("G6", "")
    assert now(cg, gun).has(Mark.EMPLACED)


def test_leaving_a_location_ends_encirclement() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6", Mark.ENCIRCLED)
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert not now(cg, squad).has(Mark.ENCIRCLED)
    stays = add(cg, "axis", "4-6-7", "squad", "C6", Mark.ENCIRCLED)
    play(in_no_mans_land, cg, dice=[(6, 6)])
    assert now(cg, stays).has(Mark.ENCIRCLED)


def test_an_armor_leader_on_foot_mounts_another_vehicle() -> None:
    cg = drawn()
    leader = add(cg, "axis", "8-1", "armor-leader", "G6")
    tank = add(cg, "axis", "PzIVF2", "afv", "I5")
    answer = [row(leader, to="I5", mount=tank.id)]
    play(in_uncontrolled_terrain, cg, dice=[(1, 3)], answers={FROM_OPEN: answer})
    assert now(cg, leader).with_unit == tank.id


def test_only_an_armor_leader_mounts() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    leader = add(cg, "axis", "8-1", "armor-leader", "G6")
    tank = add(cg, "axis", "PzIVF2", "afv", "I5")
    told = refusals(row(squad, to="I5", mount=tank.id), row(leader, to="I5"), cg=cg, key=FROM_OPEN)
    assert "[1].mount: no armor leader goes along" in told


def test_a_leader_elsewhere_does_not_direct() -> None:
    cg = drawn()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    leader = add(cg, "axis", "8-1", "leader", "F6")
    told = refusals(row(squad, to="I5", leader=leader.id), row(leader, to="I5"), cg=cg, key=FROM_OPEN)
    assert f"[1].leader: {leader.label} doesn't go along" in told


# 3.12 Bog and mines ----------------------------------------------------------------------------


def mined(hidden: bool = True) -> Cg:
    cg = drawn()
    fort = Fort(id="ALF1", side="allied", kind="a-p-mines", factors=6, at="H5", hidden=hidden)
    cg.state = FortJoined(fort=fort, to=("allied",)).apply(cg.state)
    return cg


def test_mines_on_the_way_are_revealed_and_their_effect_is_asked() -> None:
    cg = mined()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    answers = {
        FROM_OPEN: [row(squad, to="I5", way="G6-H5-I5")],
        "bog-and-mines": [{"unit": squad.id, "outcome": "reduced"}],
    }
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers=answers)
    (question,) = run.questions("bog-and-mines")
    assert "mines in H5" in question.text
    assert question.rule == "PL 3.12"
    (fact,) = run.of("fort-joined")
    assert (fact.to, fact.rule, cg.state.forts["ALF1"].hidden) == (None, "PL 3.12", False)
    assert (now(cg, squad).type, now(cg, squad).at) == ("2-4-7", "I5")
    assert cvp(cg) == (0, 1)


def test_mines_count_on_the_proposed_way_and_where_it_ends_but_not_where_it_starts() -> None:
    for at, asked in (("E5", True), ("F5", True), ("G6", False), ("C4", False)):
        cg = drawn()
        fort = Fort(id="ALF1", side="allied", kind="a-p-mines", factors=6, at=at)
        cg.state = FortJoined(fort=fort, to=("allied",)).apply(cg.state)
        add(cg, "axis", "4-6-7", "squad", "G6")
        run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
        assert bool(run.questions("bog-and-mines")) == asked, at


def test_other_fortifications_on_the_way_are_no_mines() -> None:
    cg = drawn()
    fort = Fort(id="ALF1", side="allied", kind="wire", at="E5")
    cg.state = FortJoined(fort=fort, to=("allied",)).apply(cg.state)
    add(cg, "axis", "4-6-7", "squad", "G6")
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)])
    assert run.questions("bog-and-mines") == []
    assert cg.state.forts["ALF1"].hidden


def test_who_says_that_the_way_is_dangerous_is_asked_too() -> None:
    cg = drawn()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    answers = {
        FROM_OPEN: [row(tank, to="I5", way="G6-H5-I5", dangers=True)],
        "bog-and-mines": [{"unit": tank.id, "outcome": "bogged", "at": "H5"}],
    }
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers=answers)
    assert "a bog or mine hex" in run.questions("bog-and-mines")[0].text
    assert (now(cg, tank).at, now(cg, tank).has(Mark.BOGGED)) == ("H5", True)


@pytest.mark.parametrize(
    ("outcome", "place", "scored"), [("eliminated", Place.ELIMINATED, True), ("dismounted", Place.MAP, False)]
)
def test_passengers_in_mines(outcome: str, place: Place, scored: bool) -> None:
    cg = mined()
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    squad = add(cg, "axis", "4-6-7", "squad", "G6", with_unit=tank.id)
    answers = {
        FROM_OPEN: [row(tank, to="I5", way="G6-H5-I5")],
        "bog-and-mines": [{"unit": tank.id, "outcome": outcome}],
    }
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers=answers)
    assert (now(cg, tank).place, now(cg, squad).place) == (place, place)
    assert now(cg, squad).with_unit == ""
    assert (cvp(cg)[1] > 0) == scored


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"outcome": "stopped"}, "[1].at: stopped where?"),
        ({"outcome": "stopped", "at": "C4"}, "[1].at: C4 is not on the way"),
        ({"outcome": "immobilized", "at": "H5"}, "can't be immobilized"),
    ],
)
def test_outcomes_of_mines_that_are_refused(answer: dict[str, str], told: str) -> None:
    cg = mined()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    tank = add(cg, "axis", "PzIVF2", "afv", "G6")
    answers = {
        FROM_OPEN: [
            row(squad, to="I5", way="G6-H5-I5"), row(tank, to="E5", way="G6-F5-E5", dangers=True)
        ]
    }  # fmt: skip
    run = play(in_uncontrolled_terrain, cg, dice=[(1, 2), (1, 2)], answers=answers)
    asked = run.questions("bog-and-mines")
    with pytest.raises(DataError) as caught:
        asked[0].accept([{"unit": squad.id, **answer}])
    # The squad's form does not even offer what happens to vehicles alone.
    assert told in str(caught.value) or "immobilized is not one of the choices" in str(caught.value)
    with pytest.raises(DataError, match="can't be reduced"):
        asked[1].accept([{"unit": tank.id, "outcome": "reduced"}])


def test_a_stop_without_effect() -> None:
    cg = mined()
    squad = add(cg, "axis", "4-6-7", "squad", "G6")
    answers = {
        FROM_OPEN: [row(squad, to="I5", way="G6-H5-I5")],
        "bog-and-mines": [{"unit": squad.id, "outcome": "stopped", "at": "H5"}],
    }
    play(in_uncontrolled_terrain, cg, dice=[(1, 2)], answers=answers)
    assert (now(cg, squad).at, now(cg, squad).type) == ("H5", "4-6-7")
