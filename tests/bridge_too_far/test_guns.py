"""Guns from scenario to scenario (CG5): the worked example's table, case by case."""

from __future__ import annotations

import pytest

from laager.rules.board.state import evolve
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.guns import fixed_problem, place_problem, sets_up_outside
from tests.bridge_too_far.scene import add, scene

AT, MTR = "57L AT OQF 6pdr 7cwt", '76* MTR OML 3"'

CASES = [
    ("D2", "A4", "", ""),
    ("D2", "D6", "", "D6 is 4 hexes from D2; at most 3 in a Friendly Setup Area"),
    ("D2", "F2", "", "F2 is in an Enemy Setup Area; set it up elsewhere"),
    ("D6", "F6", "", ""),
    ("D6", "F8", "", "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
    ("D6", "E7", "", f"{AT} (AL1) can't be Emplaced in E7"),
    ("D2", "A4", "fixed", f"{AT} (AL1) is fixed in D2"),
    ("D2", "A4", "fixed dm", ""),
    ("D2", "D2", "fixed", ""),
    ("D2", "D6", "towed", ""),
    ("D2", "D6", "idle", ""),
    ("D2", "D6", "mortar dm", ""),
    ("D2", "D6", "mortar", "D6 is 4 hexes"),
    ("D2", "D6", "dm", "D6 is 4 hexes"),
    ("D6", "F8", "idle", "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
]


@pytest.mark.parametrize(("ended", "target", "how", "refused"), CASES)
def test_where_a_gun_sets_up(ended: str, target: str, how: str, refused: str) -> None:
    cg = scene()
    marks = {word: mark for word, mark in (("fixed", Mark.FIXED), ("dm", Mark.DISMANTLED)) if word in how.split()}
    type_ = MTR if "mortar" in how else AT
    gun = add(cg, "allied", type_, "gun", ended, *marks.values())
    cg.state = evolve(cg.state, idle_since="idle" in how)
    problem = place_problem(cg, gun, target, towed="towed" in how)
    assert (str(problem) if problem else "").startswith(refused)
    assert bool(problem) is bool(refused)


@pytest.mark.parametrize(
    ("target", "emplaced", "hidden"), [("D2", True, True), ("D2", False, False), ("F6", True, False)]
)
def test_hidden_for_nothing(target: str, emplaced: bool, hidden: bool) -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2")
    assert cg.variant.hides_free(cg, gun, target, emplaced=emplaced) is hidden


def test_a_fixed_gun_never_shifts() -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2", Mark.FIXED)
    assert fixed_problem(cg, gun, "D2", dm=False) is None
    assert "fixed in D2" in cg.variant.shift_problem(cg, gun, "A6")
    dm = gun.but(marks=gun.marks | {Mark.DISMANTLED})
    assert fixed_problem(cg, dm, "A6", dm=True) is None
    assert cg.variant.shift_problem(cg, gun.but(marks=frozenset()), "A6") == ""


def test_who_sets_up_in_uncontrolled_territory() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVH", "afv", "F6")
    stuck = add(cg, "axis", "PzIVH", "afv", "F6", Mark.IMMOBILIZED)
    crew = add(cg, "axis", "2-2-8", "crew", "F6")
    idle = add(cg, "axis", "2-2-8", "crew", "F6")
    add(cg, "axis", "75L AT PaK 40", "gun", "F6", with_unit=crew.id)
    assert not sets_up_outside(cg, add(cg, "axis", "PzIVH", "afv"))
    assert sets_up_outside(cg, tank)
    assert not sets_up_outside(cg, stuck)
    assert sets_up_outside(cg, crew)
    assert not sets_up_outside(cg, idle)
    assert cg.variant.sets_up_outside(cg, tank)


def test_the_variant_frees_guns() -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2")
    assert not cg.variant.is_gun_free(cg, gun)
    cg.state = evolve(cg.state, idle_since=True)
    assert cg.variant.is_gun_free(cg, gun)
    assert cg.variant.gun_problem(cg, gun, "A4") is None
    assert (cg.variant.gun_radius, cg.variant.gun_radius_outside) == (3, 2)
    assert cg.variant.guns_fixed
    assert cg.variant.towed_free
