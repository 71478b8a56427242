"""Isolated units: who is, who Escapes by the table or as the players tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.temperament import Temperament, find_temperament
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.refit import escape
from laager.rules.board.hasl.state import Area
from laager.rules.board.units import Mark, Place
from tests.historical.driver import run
from tests.historical.small import add, data, scene


def with_table(rows: Sequence[Mapping[str, Any]], name: str = "escape", dice: str = "dr") -> Any:
    tables = data("small-town-tables")
    table = {"id": name, "title": name, "rule": "HASL 13", "roll": dice, "rows": rows}
    return {**tables, "tables": [*tables["tables"], table]}


def cut_off(**more: Any) -> tuple[Any, Any, Any]:
    """Return a scene with an Isolated area of the axis, and a squad with its LMG there."""
    cg = scene(**more)
    pocket = Area(name="SE", side="axis", hexes=("G7", "G8"), isolated=True)
    cg.state = AreasDetermined(areas=(*cg.state.areas, pocket)).apply(cg.state)
    squad = add(cg, "axis", "4-6-7", "squad", "G7", Mark.ISOLATED, area="SE")
    weapon = add(cg, "axis", "LMG", "sw", None, with_unit=squad.id, area="SE")
    return cg, squad, weapon


def told(unit: Any, outcome: str, to: str = "NE") -> dict[str, Any]:
    return {"escape": [{"unit": unit.id, "to": to, "outcome": outcome}]}


def test_without_isolated_units_nothing_is_asked() -> None:
    cg = scene()
    add(cg, "axis", "4-6-7", "squad", "G2", area="NE")
    assert not run(escape.escape, cg, "axis").asked


def test_who_escapes_is_retained_elsewhere_with_what_he_carries() -> None:
    cg, squad, weapon = cut_off()
    played = run(escape.escape, cg, "axis", told(squad, "escapes"))
    for unit in (cg.state.units[squad.id], cg.state.units[weapon.id]):
        assert (unit.area, unit.place, unit.at) == ("NE", Place.OFF_MAP, None)
        assert unit.has(Mark.ESCAPED)
        assert not unit.has(Mark.ISOLATED)
    assert cg.state.units[weapon.id].with_unit == squad.id
    assert all(fact.to == ("axis",) for fact in played.facts)


@pytest.mark.parametrize(
    ("outcome", "place", "type_", "cvp"),
    [
        ("stays", Place.MAP, "4-6-7", 0),
        ("escapes-reduced", Place.OFF_MAP, "2-4-7", 1),
        ("eliminated", Place.ELIMINATED, "4-6-7", 2),
        ("captured", Place.CAPTURED, "4-6-7", 2),
    ],
)
def test_outcomes(outcome: str, place: Place, type_: str, cvp: int) -> None:
    cg, squad, _ = cut_off()
    run(escape.escape, cg, "axis", told(squad, outcome))
    unit = cg.state.units[squad.id]
    assert (unit.place, unit.type) == (place, type_)
    assert cg.state.side("allied").cvp == cvp


def test_a_half_squad_that_is_reduced_is_gone() -> None:
    cg, _, _ = cut_off()
    half = add(cg, "axis", "2-4-7", "half-squad", "G8", Mark.ISOLATED, area="SE")
    run(escape.escape, cg, "axis", told(half, "escapes-reduced"))
    assert cg.state.units[half.id].place is Place.ELIMINATED
    assert not cg.state.units[half.id].has(Mark.ESCAPED)


def test_vehicles_are_not_reduced_and_weapons_left_lying_stay() -> None:
    cg, _, _ = cut_off()
    tank = add(cg, "axis", "PzIVH", "afv", "G8", Mark.ISOLATED, area="SE")
    lying = add(cg, "axis", "MMG", "sw", "G8", Mark.ISOLATED, area="SE")
    assert lying not in escape.isolated_units(cg, "axis")
    run(escape.escape, cg, "axis", told(tank, "escapes-reduced"))
    assert cg.state.units[tank.id].area == "NE"
    assert cg.state.units[tank.id].type == "PzIVH"


def test_by_the_table() -> None:
    rows = [{"to": 2, "result": True}, {"from": 3, "to": 4, "result": False}]
    tables = with_table([*rows, {"from": 5, "result": "eliminated"}])
    for face, place in ((2, Place.OFF_MAP), (4, Place.MAP), (5, Place.ELIMINATED)):
        cg, squad, _ = cut_off(tables=tables)
        answer = {"escape": [{"unit": squad.id, "to": "L5"}]}
        played = run(escape.escape, cg, "axis", answer, [(face,)])
        assert cg.state.units[squad.id].place is place
        assert played.rolls[0][0].secret
        assert played.rolls[0][0].side == "axis"


def test_words_of_the_table() -> None:
    assert escape.read_outcome(None) == "stays"
    with pytest.raises(RefusedError, match=r"the table escape gives 'escape'.*escapes"):
        escape.read_outcome("escape")


def test_units_outside_all_areas_may_be_isolated() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-7", "squad", "G7")
    other = add(cg, "axis", "4-6-7", "squad", "H8", Mark.ISOLATED)
    add(cg, "allied", "6-4-8", "squad", "H8")
    answers = {"isolated-units": [squad.id], "escape": []}
    played = run(escape.escape, cg, "axis", answers)
    assert [question.key for question in played.asked] == ["isolated-units", "escape"]
    assert all(question.secret for question in played.asked)
    assert cg.state.units[squad.id].has(Mark.ISOLATED)
    assert cg.state.units[other.id].has(Mark.ISOLATED)
    assert not escape.isolated_units(cg, "allied")


def test_a_commander_calls_those_isolated_whom_no_way_leads_home() -> None:
    cg, _, _ = cut_off()
    free = add(cg, "axis", "4-6-7", "squad", "H8")
    inside = add(cg, "axis", "4-6-7", "squad", cg.sort(cg.state.friendly("allied"))[0])

    def isolated() -> Any:
        [question] = run(escape.escape, cg, "axis", {"isolated-units": [], "escape": []}).questions("isolated-units")
        assert question.default == []
        return question.propose(find_temperament("sensible"))

    assert isolated() == [inside.id], "amid the enemy's Setup Area"
    ring = Area(name="Ring", side="allied", hexes=tuple(cg.map.neighbours("H8")))
    cg.state = AreasDetermined(areas=(*cg.state.areas, ring)).apply(cg.state)
    assert isolated() == [free.id, inside.id]


def test_where_players_list_the_areas_nobody_is_cut_off_for_having_taken_ground() -> None:
    cg = scene({"areas": "listed"})
    taken = add(cg, "axis", "4-6-7", "squad", cg.sort(cg.state.friendly("allied"))[0])
    assert escape.judge_isolated(cg, "axis", [taken]) == []


def test_an_isolated_area_is_no_place_to_go() -> None:
    cg, squad, _ = cut_off()
    question = run(escape.escape, cg, "axis").asked[0]
    assert escape.destinations(cg, "axis") == ["NE", "G1", "L5"]
    with pytest.raises(DataError, match="SE is not one of the choices"):
        question.accept([{"unit": squad.id, "to": "SE"}])


def test_nobody_escapes_twice_or_nowhere() -> None:
    cg, squad, _ = cut_off()
    question = run(escape.escape, cg, "axis").asked[0]
    with pytest.raises(DataError, match="is named twice"):
        question.accept([{"unit": squad.id}, {"unit": squad.id}])
    nowhere: dict[str, Any] = {"sides": {"axis": {"formations": []}}}
    cg, _, _ = cut_off(card=nowhere)
    cg.state = AreasDetermined(areas=()).apply(cg.state)
    assert not run(escape.escape, cg, "axis").questions("escape")


def test_by_chance_all_sorts_of_things_happen() -> None:
    cg, _, _ = cut_off()
    question = run(escape.escape, cg, "axis").asked[0]
    rows = [row for n in range(80) for row in question.sample(Random(n))]
    assert {row["outcome"] for row in rows} == set(escape.OUTCOMES)
    cg, _, _ = cut_off(tables=with_table([{"result": True}]))
    question = run(escape.escape, cg, "axis", {"escape": []}).asked[0]
    assert any(question.sample(Random(n)) for n in range(9))


def test_all_that_a_vehicle_carries_escapes_with_it() -> None:
    cg, squad, weapon = cut_off()
    truck = add(cg, "axis", "Opel Blitz", "vehicle", "G7", Mark.ISOLATED, area="SE")
    cg.state = cg.state.with_unit(squad.id, lambda unit: unit.but(with_unit=truck.id))
    run(escape.escape, cg, "axis", told(truck, "escapes"))
    found = [cg.state.units[one.id] for one in (truck, squad, weapon)]
    assert [(unit.area, unit.place) for unit in found] == [("NE", Place.OFF_MAP)] * 3
    assert [unit.with_unit for unit in found] == ["", truck.id, squad.id]


# Who is proposed --------------------------------------------------------------------------------

BY_DR = [
    {"to": 6, "result": "escapes"},
    {"from": 7, "to": 8, "result": "escapes-reduced"},
    {"from": 9, "to": 10, "result": "stays"},
    {"from": 11, "result": "captured"},
]
"""Of 36 results 15 Escape, 11 do so Reduced, 7 stay, 3 are captured."""


def asked_to_escape(rows: Sequence[Mapping[str, Any]] = BY_DR, kind: str = "squad", *, asked: bool = False) -> Any:
    """Return the question to a side with a squad that is cut off, or with a half-squad, its area far from W."""
    cg, squad, _ = cut_off(**({} if asked else {"tables": with_table(rows, dice="DR")}))
    if kind == "half-squad":
        squad = add(cg, "axis", "2-4-7", "half-squad", "G8", Mark.ISOLATED, area="SE")
    return escape.escape_question(cg, "axis", [squad], escape.destinations(cg, "axis"), asked=asked)


def test_who_is_cut_off_is_proposed_to_escape_to_the_nearest_place() -> None:
    question = asked_to_escape()
    [row] = question.default
    assert row["to"] == "NE"
    assert question.allows(question.default)


@pytest.mark.parametrize(("kind", "chance"), [("squad", (15 + 11) / (15 + 11 + 3)), ("half-squad", 15 / (15 + 11 + 3))])
def test_the_chance_leaves_out_who_stays_and_counts_a_reduced_half_squad_as_lost(kind: str, chance: float) -> None:
    question = asked_to_escape(kind=kind)
    tries, waits = (Temperament("test", {"escape.risk": chance + more}) for more in (-0.001, 0.001))
    assert question.propose(tries) == question.default
    assert question.propose(waits) == []


def test_where_most_are_lost_only_the_bold_try_it() -> None:
    losing = [{"to": 6, "result": "escapes"}, {"from": 7, "result": "eliminated"}]
    question = asked_to_escape(losing)
    assert question.default == []
    assert question.propose(find_temperament("bold")), "15 of 36, and 0.3 is enough for him"
    assert asked_to_escape([{"result": "stays"}]).default == [], "nobody gets out"


def test_where_the_players_look_it_up_nobody_is_proposed() -> None:
    assert asked_to_escape(asked=True).default == []


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 120))])
def test_proposed_escapes_are_carried_out_whoever_is_cut_off(seed: int) -> None:
    chance = Random(seed)
    cg, _, _ = cut_off(tables=with_table(BY_DR, dice="DR"))
    for _ in range(chance.randint(0, 4)):
        type_, kind = chance.choice([("4-6-7", "squad"), ("2-4-7", "half-squad"), ("8-0", "leader")])
        add(cg, "axis", type_, kind, chance.choice(["G7", "G8"]), Mark.ISOLATED, area="SE")
    [question] = run(escape.escape, cg, "axis", {"escape": []}).asked
    rows = question.propose(find_temperament(chance.choice(["sensible", "bold", "cautious"])))
    dice = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in rows]
    played = run(escape.escape, cg, "axis", {"escape": rows}, dice)
    assert len(played.rolls) == len(rows)
