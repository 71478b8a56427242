"""Repair and replenishment: by the table, or as the players tell."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.rules.board.hasl.refit import repair
from laager.rules.board.units import Mark, Place
from tests.historical.driver import run
from tests.historical.small import add, scene
from tests.historical.test_escape import with_table

ROWS: list[dict[str, Any]] = [
    {"to": 3, "result": True},
    {"from": 4, "to": 4, "result": False},
    {"from": 5, "to": 5, "result": "disabled"},
    {"from": 6, "result": "eliminated"},
]


def lmg(cg: Any, *marks: Mark) -> Any:
    return add(cg, "axis", "LMG", "sw", "G2", *marks)


def test_walkthrough_a4_a_weapon_is_repaired() -> None:
    cg = scene()
    weapon = add(cg, "allied", "PIAT", "sw", "B4", Mark.MALFUNCTIONED)
    played = run(repair.repair, cg, "allied", {"repair": [{"unit": weapon.id}]})
    assert not cg.state.units[weapon.id].marks
    assert played.asked[0].secret
    assert all(fact.to == ("allied",) for fact in played.facts)


def test_who_has_nothing_to_repair_is_asked_all_the_same() -> None:
    cg = scene()
    lmg(cg)
    add(cg, "axis", "4-6-7", "squad", "G2", Mark.WOUNDED)
    add(cg, "axis", "PzIVH", "afv", "G3", Mark.MALFUNCTIONED, Mark.WRECK)
    (question,) = run(repair.repair, cg, "axis").asked
    assert question.empty


@pytest.mark.parametrize(
    ("face", "marks", "place"),
    [
        (3, frozenset(), Place.MAP),
        (4, {Mark.MALFUNCTIONED}, Place.MAP),
        (5, {Mark.DISABLED}, Place.MAP),
        (6, {Mark.MALFUNCTIONED}, Place.REMOVED),
    ],
)
def test_by_the_table(face: int, marks: Any, place: Place) -> None:
    cg = scene(tables=with_table(ROWS, "repair"))
    weapon = lmg(cg, Mark.MALFUNCTIONED)
    played = run(repair.repair, cg, "axis", dice=[(face,)])
    unit = cg.state.units[weapon.id]
    assert (unit.marks, unit.place) == (frozenset(marks), place)
    assert played.rolls[0][0].secret
    # Nothing is lost to the enemy.
    assert cg.state.side("allied").cvp == 0


def test_a_vehicle_s_armament_is_disabled_as_such() -> None:
    cg = scene(tables=with_table(ROWS, "repair"))
    tank = add(cg, "axis", "PzIVH", "afv", "G3", Mark.MA_MALFUNCTIONED, Mark.IMMOBILIZED)
    answer = {"repair": [{"unit": tank.id, "outcome": "stays"}]}
    played = run(repair.repair, cg, "axis", answer, [(5,)])
    assert cg.state.units[tank.id].marks == {Mark.MA_DISABLED, Mark.IMMOBILIZED}
    assert (
        played.asked[0]
        .form.describe()["row"]["fields"][0]["form"]["options"][0]["label"]
        .endswith("immobilized, ma-malfunctioned")
    )


def test_what_has_no_table_is_told() -> None:
    cg = scene(tables=with_table(ROWS, "repair"))
    tank = add(cg, "axis", "PzIVH", "afv", "G3", Mark.IMMOBILIZED)
    low = lmg(cg, Mark.LOW_AMMO)
    answer = {"repair": [{"unit": tank.id, "outcome": "disabled"}, {"unit": low.id}]}
    run(repair.repair, cg, "axis", answer)
    assert cg.state.units[tank.id].marks == {Mark.IMMOBILIZED}
    assert not cg.state.units[low.id].marks


def test_without_a_table_all_is_told_once() -> None:
    cg = scene()
    weapon = lmg(cg, Mark.MALFUNCTIONED, Mark.LOW_AMMO)
    played = run(repair.repair, cg, "axis", {"repair": [{"unit": weapon.id}]})
    assert not cg.state.units[weapon.id].marks
    (question,) = played.asked
    assert len(question.form.describe()["row"]["fields"][0]["form"]["options"]) == 1
    with pytest.raises(DataError, match="is named twice"):
        question.accept([{"unit": weapon.id}] * 2)


def test_words_of_the_table() -> None:
    assert repair.read_outcome(None) == "stays"
    with pytest.raises(RefusedError, match=r"the table repair gives 'mended'"):
        repair.read_outcome("mended")
