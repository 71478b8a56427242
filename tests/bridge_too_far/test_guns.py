"""Guns from scenario to scenario (CG5): the worked example's table, case by case."""

from __future__ import annotations

import pytest

from laager.rules.bridge_too_far.guns import (
    fixed,
    free,
    is_mortar,
    may_hide,
    place_problem,
    state_chosen,
)
from laager.rules.common.state import evolve
from laager.rules.common.units import Mark, Place
from tests.bridge_too_far.scene import add, scene

AT, MTR = "57L AT OQF 6pdr 7cwt", '76* MTR OML 3"'

CASES = [
    ("D2", "A4", "", ""),
    ("D2", "D6", "", "D6 is 4 hexes from D2; at most 3 in a Friendly Setup Area"),
    ("D2", "F2", "", "F2 is in an Enemy Setup Area; set it up elsewhere"),
    ("D6", "F6", "", ""),
    ("D6", "F8", "", "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
    ("D6", "E7", "", ""),
    ("D2", "A4", "fixed", "the Gun is fixed in D2 and cannot set up in A4"),
    ("D2", "A4", "fixed dm", ""),
    ("D2", "D2", "fixed", ""),
    ("D2", "D6", "towed", ""),
    ("D2", "D6", "idle", ""),
    ("D2", "D6", "mortar dm", ""),
    ("D2", "D6", "mortar", "D6 is 4 hexes"),
    ("D2", "D6", "dm", "D6 is 4 hexes"),
    ("D2", "D6", "shifted", ""),
    ("D2", "D6", "shifted bound", "D6 is 4 hexes"),
    ("D6", "F8", "idle", "F8 is 3 hexes from D6; at most 2 in Uncontrolled Territory"),
]


@pytest.mark.parametrize(("ended", "target", "how", "refused"), CASES)
def test_where_a_gun_sets_up(ended: str, target: str, how: str, refused: str) -> None:
    cg = scene(readings={"shifted-guns": "bound" if "bound" in how else "free"})
    marks = {
        word: mark
        for word, mark in (
            ("fixed", Mark.FIXED),
            ("dm", Mark.DISMANTLED),
            ("shifted", Mark.SHIFTED),
        )
        if word in how.split()
    }
    type_ = MTR if "mortar" in how else AT
    gun = add(cg, "allied", type_, "gun", ended, *marks.values())
    cg.state = evolve(cg.state, idle_since="idle" in how)
    problem = place_problem(cg, gun, target, towed="towed" in how)
    assert (str(problem) if problem else "").startswith(refused)
    assert bool(problem) is bool(refused)


def test_a_gun_that_was_off_the_map_has_no_radius() -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun")
    assert place_problem(cg, gun, "A1") is None


def test_mortars() -> None:
    cg = scene()
    assert is_mortar(cg, add(cg, "allied", MTR, "gun", "D2"))
    assert not is_mortar(cg, add(cg, "allied", AT, "gun", "D2"))


@pytest.mark.parametrize(
    ("target", "emplaced", "marks", "hidden"),
    [
        ("D2", True, (), True),
        ("D2", False, (), False),
        ("F6", True, (), False),
        ("D2", True, (Mark.WAS_REVEALED,), True),
        ("D2", True, (Mark.FIXED,), True),
        ("D2", True, (Mark.FIXED, Mark.WAS_REVEALED), False),
    ],
)
def test_hidden_for_nothing(
    target: str, emplaced: bool, marks: tuple[Mark, ...], hidden: bool
) -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2", *marks)
    assert may_hide(cg, gun, target, emplaced=emplaced) is hidden


def test_a_fixed_gun_never_shifts() -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2", Mark.FIXED)
    assert fixed(gun)
    assert "fixed in D2" in cg.variant.shift_problem(cg, gun, "A6")
    assert not fixed(gun.but(marks=gun.marks | {Mark.DISMANTLED}))
    assert cg.variant.shift_problem(cg, gun.but(marks=frozenset()), "A6") == ""


def test_the_variant_frees_guns() -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2")
    assert not cg.variant.gun_free(cg, gun)
    assert free(cg, gun, towed=True)
    cg.state = evolve(cg.state, idle_since=True)
    assert cg.variant.gun_free(cg, gun)


def test_state_of_a_gun_needs_personnel_in_its_area() -> None:
    cg = scene()
    gun = add(cg, "allied", AT, "gun", "D2", area="W")
    assert not state_chosen(cg, gun)
    prisoner = add(cg, "allied", "6-4-8", "squad", "D2", Mark.PRISONER, area="W")
    assert not state_chosen(cg, gun)
    add(cg, "allied", "2-2-8", "crew", None, place=Place.OFF_MAP, area="A6")
    assert not state_chosen(cg, gun)
    add(cg, "allied", "2-2-8", "crew", "B4", area="W")
    assert state_chosen(cg, gun)
    assert prisoner.has(Mark.PRISONER)
