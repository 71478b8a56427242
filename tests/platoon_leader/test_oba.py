"""PL 2.35, 2.351, CG4: ammunition and equipment of OBA modules."""

from __future__ import annotations

import pytest

from laager.rules.board.facts import GroupChanged
from laager.rules.platoon_leader.buying.oba import modules, oba_ammunition
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import AttackOptionTaken, GroupJoined
from laager.rules.platoon_leader.state import Group
from tests.platoon_leader.small import small_cg
from tests.steps import play


def module(cg: Cg, number: int = 1, side: str = "axis", equipment: str = "radio") -> Group:
    """Give a side an OBA module."""
    group = Group(id=f"O1/{number}", side=side, rg="O1", firefight=1, setup=Setup.OFF_MAP, cost=4, equipment=equipment)
    cg.state = GroupJoined(group=group).apply(cg.state)
    return group


def strength(cg: Cg, number: int = 1, side: str = "axis") -> str:
    return cg.state.groups[side, f"O1/{number}"].ammunition


def test_module_of_the_walkthrough() -> None:
    cg = small_cg()
    module(cg)
    cg.state = AttackOptionTaken(side="axis", assigned=True).apply(cg.state)
    played = play(oba_ammunition, cg, "axis", dice=[(2, 3)])
    assert played.finals() == [4]
    assert strength(cg) == "plentiful"
    (fact,) = played.of("group-changed")
    assert (fact.to, fact.rule) == (("axis",), "PL 2.351")
    assert played.rolls[0][0].secret


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((1, 1), "plentiful"),
        ((2, 2), "plentiful"),
        ((2, 3), "normal"),
        ((4, 6), "normal"),
        ((5, 6), "scarce"),
        ((6, 6), "scarce"),
    ],
)
def test_table_without_modifiers(faces: tuple[int, int], expected: str) -> None:
    cg = small_cg()
    module(cg)
    play(oba_ammunition, cg, "axis", dice=[faces])
    assert strength(cg) == expected


def test_the_cards_modifiers() -> None:
    cg = small_cg(sides={"axis": {"drm": {"oba": 2}, "historical": {"oba": -1}}})
    module(cg)
    played = play(oba_ammunition, cg, "axis", dice=[(4, 6)])
    assert [modifier.value for modifier in played.rolls[0][1].modifiers] == [2, -1]
    assert strength(cg) == "scarce"


def test_each_module_rolls_once_in_its_life() -> None:
    cg = small_cg()
    module(cg)
    play(oba_ammunition, cg, "axis", dice=[(6, 6)])
    module(cg, 2)
    played = play(oba_ammunition, cg, "axis", dice=[(1, 2)])
    assert [roll.label for roll, _ in played.rolls] == ["Ammunition of O1/2"]
    assert (strength(cg), strength(cg, 2)) == ("scarce", "plentiful")


def test_no_module_no_roll() -> None:
    cg = small_cg()
    module(cg, side="allied")
    assert play(oba_ammunition, cg, "axis").rolls == []


@pytest.mark.parametrize("change", [{"used": True}, {"lost": "used"}])
def test_used_modules_are_no_longer_there(change: dict[str, object]) -> None:
    cg = small_cg()
    module(cg)
    assert len(list(modules(cg, "axis"))) == 1
    cg.state = GroupChanged(side="axis", group="O1/1", changes=change).apply(cg.state)
    assert list(modules(cg, "axis")) == []
    assert play(oba_ammunition, cg, "axis").rolls == []


@pytest.mark.parametrize(("phones", "expected"), [([], "radio"), (["O1/1"], "field-phone")])
def test_a_module_of_the_ob_chooses_its_equipment(phones: list[str], expected: str) -> None:
    cg = small_cg()
    module(cg, equipment="")
    module(cg, 2)
    played = play(oba_ammunition, cg, "axis", {"field-phones": phones}, dice=[(3, 3), (3, 3)])
    assert cg.state.groups["axis", "O1/1"].equipment == expected
    assert cg.state.groups["axis", "O1/2"].equipment == "radio"
    assert played.asked[0].secret
    assert not played.asked[0].allows(["O1/2"]), "who bought it has chosen already"
