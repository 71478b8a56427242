"""Groups of a side whose RG chart is not filled in: entered, checked, received."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.catalogue import Kind as UnitKind
from laager.rules.board.hasl.buying.groups import SW_KINDS, UNIT_KINDS, count_problems, counts_of, units_of_group
from laager.rules.board.hasl.buying.purchase import purchasing
from laager.rules.board.hasl.buying.strength import strength_weapons_leaders
from tests.historical.buying import only_for, refused, written
from tests.historical.driver import Played, run
from tests.historical.small import scene
from tests.tries import tries


def bare(**more: Any) -> Any:
    """Return the small town without RG charts."""
    return scene(charts={"sides": {"axis": {"rg": None}, "allied": {"rg": None}}}, **more)


PLATOON = {
    "name": "Rifle Platoon",
    "kind": "I",
    "cost": 5,
    "units": "3 x 4-6-7",
    "sw": "LMG",
    "arrival": "on-map",
    "area": "NE",
}


def enter(cg: Any, side: str, *rows: dict[str, Any]) -> Played:
    return run(purchasing, cg, side, {"purchases": {"groups": list(rows)}})


def test_what_is_entered_is_recorded_all_the_same() -> None:
    cg = bare()
    oba = {"name": "80mm", "kind": "O", "cost": 2, "black": 8, "red": 2, "equipment": "phone"}
    fpp = {"name": "Works", "kind": "F", "cost": 1, "fpp": 6}
    played = enter(cg, "axis", PLATOON, oba, fpp)
    own = cg.state.side("axis")
    assert (own.cpp, own.fpp) == (2, 6)
    assert [(r.id, r.name, r.cost, r.bought, r.left, r.area) for r in written(cg, "axis")] == [
        ("Rifle Platoon/1", "Rifle Platoon", 5, 1, None, "NE"),
        ("80mm/1", "80mm", 2, 1, None, ""),
        ("Works/1", "Works", 1, 1, None, ""),
    ]
    module = cg.state.groups["axis", "80mm/1"]
    assert (module.black, module.red, module.equipment) == (8, 2, "phone")
    assert only_for(played, "axis")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"name": ""}, "groups[1].name: the group has no name"),
        ({"units": ""}, "groups[1].units: Rifle Platoon brings no units"),
        ({"units": "3 x 4-6-9"}, "groups[1].units: the German catalogue has no '4-6-9' (unit); did you mean"),
        ({"sw": "4-6-7"}, "groups[1].sw: the German catalogue has no '4-6-7' (SW or Gun)"),
        ({"fpp": 3}, "groups[1].fpp: a group of type I has no FPP; leave it out"),
        ({"area": "G1"}, "groups[1].area: Rifle Platoon: 'G1' is not a Setup Area of yours"),
        ({"arrival": ""}, "groups[1].arrival: Rifle Platoon comes with units; say how"),
        ({"count": 3}, "This costs 15 CPP, and you have 10"),
    ],
)
def test_what_is_refused(change: dict[str, Any], told: str) -> None:
    cg = bare()
    (question,) = enter(bare(), "axis").asked
    found = refused(cg, question, {"groups": [{**PLATOON, **change}]})
    assert len(found) == 1
    assert found[0].startswith(told)


def test_other_types_say_what_they_bring() -> None:
    (question,) = enter(bare(), "axis").asked
    rows = [
        {"name": "Works", "kind": "F", "cost": 1},
        {"name": "Snipers", "kind": "S", "cost": 1, "san": 3, "count": 2},
        {"name": "Guns", "kind": "O", "cost": 1, "units": "4-6-7"},
    ]
    assert refused(None, question, {"groups": rows}) == [
        "groups[1].fpp: Works has no FPP; say how much",
        "groups[3].units: a group of type O has no units; leave it out",
        "groups[3].black: Guns has no Draw Pile; say how much",
        "groups[3].equipment: nothing can't direct Guns; one of radio, phone, observer",
        "groups: This makes the SAN 9; SAN can't exceed 7",
    ]


def test_formations_name_their_groups() -> None:
    cg = bare()
    row = {**PLATOON, "formation": "K", "arrival": "enter", "area": "G1"}
    enter(cg, "axis", row)
    assert cg.state.groups["axis", "K-Rifle Platoon/1"].area == "G1"


def test_the_owner_says_what_came() -> None:
    cg = bare()
    enter(cg, "axis", PLATOON, {**PLATOON, "cost": 4})
    received = [
        ("received", {"units": "3 x 4-6-7", "sw": "LMG", "leaders": "9-1"}),
        ("received", {"units": "2 x 4-6-7", "sw": "", "leaders": ""}),
    ]
    played = run(strength_weapons_leaders, cg, "axis", received, [(3, 4), (6, 4)])
    first, second = cg.state.groups_of("axis")
    assert (first.strength, first.leader, second.strength, second.leader) == ("F", "9-1", "D", "none")
    assert [u.type for u in units_of_group(cg, "axis", first.id)] == [*["4-6-7"] * 3, "LMG", "9-1"]
    assert [u.type for u in units_of_group(cg, "axis", second.id)] == ["4-6-7"] * 2
    assert (second.units, second.sw) == ({"4-6-7": 2}, {})
    assert all(unit.area == "NE" for unit in cg.state.units_of("axis"))
    assert [question.text for question in played.asked] == [
        "What does Rifle Platoon/1, Rifle Platoon, received at Full Strength, bring?",
        "What does Rifle Platoon/2, Rifle Platoon, received Depleted, bring?",
    ]
    assert only_for(played, "axis")


def test_wrong_answers_to_what_came() -> None:
    cg = bare()
    enter(cg, "axis", PLATOON)
    played = run(strength_weapons_leaders, cg, "axis", dice=[(1, 1)])
    found = refused(cg, played.asked[0], {"units": "7-7-7", "sw": "XXX", "leaders": "9-9"})
    assert [line.split(":")[0] for line in found] == ["units", "sw", "leaders"]
    for seed in range(10):
        assert played.asked[0].allows(played.asked[0].suggest(Random(seed)))  # type: ignore[misc]


def test_vehicles_that_no_chart_lists() -> None:
    cg = bare()
    row = {**PLATOON, "name": "Tanks", "kind": "A", "units": "2 x PzIVH", "sw": ""}
    enter(cg, "axis", row)
    answer = {"units": "2 x PzIVH", "sw": "", "leaders": "9-1"}
    played = run(strength_weapons_leaders, cg, "axis", {"received": answer})
    group = cg.state.groups["axis", "Tanks/1"]
    assert group.strength is None
    assert played.asked[0].text == "What does Tanks/1, Tanks bring?"
    assert [unit.kind for unit in cg.state.units_of("axis")] == ["afv", "afv", "armor-leader"]


@tries(25)
@given(st.integers(0, 10**6))
def test_play_by_chance_needs_no_chart(seed: int) -> None:
    cg = bare()
    rng = Random(seed)
    for side in ("axis", "allied"):
        question = enter(bare(), side).asked[0]
        rows = question.accept(question.suggest(rng))["groups"]  # type: ignore[misc]
        enter(cg, side, *rows)
        assert cg.state.side(side).cpp >= 0
        assert len(list(cg.state.groups_of(side))) == len(rows)


def test_counts_as_players_write_them() -> None:
    nation = scene().catalogue.nation("british")
    text = "2 x 6-4-8, 3 4-5-8 , 88 ART OQF 25pdr,2 88 ART OQF 25pdr"
    assert counts_of(text, nation, UNIT_KINDS) == {"6-4-8": 2, "4-5-8": 3, "88 ART OQF 25pdr": 3}
    assert counts_of("LMG, LMG, 2xDC", nation, SW_KINDS) == {"LMG": 2, "DC": 2}
    assert counts_of("", nation, UNIT_KINDS) == {}
    (problem,) = count_problems("LMG", nation, {UnitKind.SQUAD}, "units")
    assert problem.what == "the British catalogue has no 'LMG' (unit)"
