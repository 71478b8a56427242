"""Groups that the OB gives: what the card says of them, what their owner is asked."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.rules.board.facts import UnitJoined
from laager.rules.board.hasl.buying.given_places import given_places
from laager.rules.board.hasl.buying.groups import join_given, units_of_group
from laager.rules.board.hasl.buying.strength import strength_weapons_leaders
from laager.rules.board.hasl.card.card import Given
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.state import GroupArrival
from tests.historical.buying import island, only_for, refused, town
from tests.historical.driver import Played, run
from tests.historical.small import scene


def give(cg: Any, side: str, *groups: dict[str, Any], **more: Any) -> None:
    given = Given.model_validate({"groups": list(groups), **more})
    for fact in join_given(cg, side, given, "given"):
        assert fact.to == (side,)
        cg.state = fact.apply(cg.state)


def placed(cg: Any, side: str, *rows: dict[str, Any]) -> Played:
    return run(given_places, cg, side, {"given-groups": list(rows)} if rows else {})


def test_what_the_card_says_is_kept() -> None:
    cg = scene()
    give(cg, "axis", {"rg": "K-I1", "arrival": "enter", "area": "G1"})
    played = placed(cg, "axis")
    assert not played.facts
    assert not played.asked
    group = cg.state.groups["axis", "K-I1/1"]
    assert (group.arrival, group.area, group.cost, group.given) == (GroupArrival.ENTER, "G1", 0, True)
    assert cg.state.side("axis").cpp == 10


def test_the_only_place_is_taken_without_asking() -> None:
    cg = scene()
    give(cg, "axis", {"rg": "K-I1", "arrival": "on-map"})
    played = placed(cg, "axis")
    assert not played.asked
    assert cg.state.groups["axis", "K-I1/1"].area == "NE"
    assert only_for(played, "axis")


def test_the_owner_is_asked_how_a_group_comes() -> None:
    cg = scene()
    give(cg, "axis", {"rg": "K-I1"}, {"rg": "B-I2", "area": "L5"}, {"rg": "O1"})
    played = placed(cg, "axis", {"group": "K-I1/1", "arrival": "enter", "area": "G1"})
    (question,) = played.asked
    assert question.default == [{"group": "K-I1/1", "arrival": "on-map", "area": "NE", "objective": ""}]
    assert cg.state.groups["axis", "K-I1/1"].arrival is GroupArrival.ENTER
    second = cg.state.groups["axis", "B-I2/1"]
    assert (second.arrival, second.area) == (GroupArrival.ENTER, "L5")
    module = cg.state.groups["axis", "O1/1"]
    assert (module.arrival, module.area, module.equipment) == (None, "", "radio")
    assert only_for(played, "axis")


def test_answers_that_are_refused() -> None:
    cg = scene()
    give(cg, "axis", {"rg": "K-I1"}, {"rg": "B-I2", "arrival": "on-map"}, {"rg": "B-I2"})
    run_ = placed(cg, "axis")
    (question,) = run_.asked
    one = {"group": "K-I1/1", "arrival": "on-map", "area": "NE"}
    two = {"group": "B-I2/2", "arrival": "enter", "area": "L5"}
    assert refused(cg, question, [one]) == ["B-I2/2 is named 0 times; name it once"]
    assert refused(cg, question, [{**one, "area": "G1"}, two]) == [
        "[1].area: K-I1/1 can't come on-map in G1; one of NE"
    ]
    assert refused(cg, question, [one, {**two, "objective": "B4"}]) == [
        "[2].objective: no hex is recorded for B-I2/2; leave it out"
    ]


def test_objective_hexes_of_given_groups() -> None:
    cg = island()
    give(cg, "axis", {"rg": "I1", "arrival": "enter"}, {"rg": "I1", "arrival": "reserve"})
    row = {"group": "I1/1", "arrival": "enter", "area": "G1", "objective": "B4"}
    played = placed(cg, "axis", row, {**row, "group": "I1/2", "arrival": "reserve", "area": "NE"})
    (question,) = played.asked
    assert [(g.area, g.objective) for g in cg.state.groups_of("axis")] == [("G1", "B4"), ("NE", "B4")]
    other = {**row, "group": "I1/2", "arrival": "reserve", "area": "NE"}
    assert refused(cg, question, [{**row, "arrival": "reserve", "area": "NE"}, other]) == [
        "[1].arrival: I1/1 can't come reserve; it comes enter"
    ]
    assert refused(cg, question, [{**row, "objective": "X"}, other]) == [
        "[1].objective: I1/1 has no objective hex: 'X' is not a hex in play; name a hex"
    ]
    for seed in range(20):
        assert question.allows(question.suggest(Random(seed)))  # type: ignore[misc]
    assert question.allows(question.default)


def test_with_no_place_at_all_nothing_is_recorded() -> None:
    cg = scene({"sides": {"allied": {"arrows": []}}})
    cg.state = AreasDetermined(areas=()).apply(cg.state)
    give(cg, "allied", {"rg": "I1"})
    assert not placed(cg, "allied").asked
    assert cg.state.groups["allied", "I1/1"].area == ""


def test_given_snipers_stop_at_seven() -> None:
    line = {"id": "S2", "name": "Snipers", "kind": "S", "cost": 1, "san": 3}
    cg = town(axis=[line])
    give(cg, "axis", {"rg": "S2"}, {"rg": "S2"}, {"rg": "S2"})
    assert cg.state.side("axis").san == 7


def test_units_and_points_come_at_once() -> None:
    cg = scene()
    units = [{"type": "6-4-8", "count": 2}]
    give(cg, "allied", {"rg": "F1"}, units=units, cpp=3, fpp=2)
    own = cg.state.side("allied")
    assert (own.cpp, own.fpp) == (9, 14)
    assert [unit.type for unit in cg.state.units_of("allied")] == ["6-4-8", "6-4-8"]


@pytest.mark.parametrize(
    ("named", "came", "dice"),
    [(["9-1", "8-0"], ["9-1", "8-0"], [(1, 1)]), ([], [], [(1, 1)]), (None, ["9-1"], [(1, 1), (1, 1)])],
)
def test_leaders_named_by_the_ob_are_not_rolled(
    named: list[str] | None, came: list[str], dice: list[tuple[int, ...]]
) -> None:
    cg = scene()
    give(cg, "allied", {"rg": "I1", "arrival": "on-map", "area": "W", "leaders": named})
    played = run(strength_weapons_leaders, cg, "allied", dice=dice)
    joined = [f.unit for f in played.facts if isinstance(f, UnitJoined) and f.unit.kind == "leader"]
    assert [unit.type for unit in joined] == came
    assert cg.state.groups["allied", "I1/1"].leader == (", ".join(came) or "none")
    assert all(unit.area == "W" for unit in units_of_group(cg, "allied", "I1/1"))
