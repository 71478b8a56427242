"""PL CG4a and 2.8: Bombardments before play, and what each side is reminded of when it begins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import GroupChanged, UnitMoved
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.play import bombardment, commencement, may_enter
from laager.rules.platoon_leader.state import Type
from tests.platoon_leader.fight import (
    OFF_MAP,
    ON_MAP,
    RESERVE,
    bare,
    buy,
    determined,
    join,
    later,
    play_at_random,
    told,
)
from tests.platoon_leader.small import card_data
from tests.steps import Played, play

BARRAGE = {"id": "B1", "name": "Barrage", "kind": "bombardment", "cost": 2, "hexes": 7}


def armed(axis: int = 0, allied: int = 0, type_: Type = Type.AXIS_ASSAULT) -> Cg:
    sides: dict[str, Any] = {}
    for side in ("axis", "allied"):
        sides[side] = {"chart": [*card_data()["sides"][side]["chart"], BARRAGE]}
    cg = bare(sides=sides)
    for side, count in (("axis", axis), ("allied", allied)):
        for _ in range(count):
            buy(cg, side, "B1", OFF_MAP)
    return determined(cg, type_, "allied" if type_ is Type.AXIS_ASSAULT else "axis")


def fire(use: str = "B1/1", at: str = "C8", outcome: str = "") -> dict[str, str]:
    return {"use": use, "at": at, "outcome": outcome}


def notes(played: Played, side: str | None = None) -> list[str]:
    facts = played.of("noted")
    return [f.body()["text"] for f in facts if f.to == (None if side is None else (side,))]


# Bombardment ------------------------------------------------------------------------------------


def test_who_has_none_is_not_asked() -> None:
    played = play(bombardment, armed())
    assert played.asked == []
    assert played.facts == []


@pytest.mark.parametrize(
    ("type_", "order"), [(Type.AXIS_ASSAULT, ["axis", "allied"]), (Type.ALLIED_ASSAULT, ["allied", "axis"])]
)
def test_the_side_that_moves_first_bombards_first(type_: Type, order: list[str]) -> None:
    played = play(bombardment, armed(1, 1, type_))
    assert [question.side for question in played.asked] == order


def test_one_of_several_is_used_and_is_gone() -> None:
    cg = armed(axis=2)
    played = play(bombardment, cg, answers={"bombardment": fire("B1/2", outcome="Two Flames.")})
    assert len(played.asked) == 1, "one in a firefight"
    used = {group.id: group.used for group in cg.state.groups_of("axis")}
    assert used["B1/2"]
    assert not used["B1/1"]
    assert notes(played) == ["Germans: a Bombardment of 7 hexes around C8. Two Flames."]
    assert [question.default["use"] for question in play(bombardment, cg).asked] == ["keep"]


def test_who_keeps_his_bombardment_tells_nothing() -> None:
    cg = armed(allied=1)
    played = play(bombardment, cg)
    assert played.asked[0].secret
    assert played.facts == []
    assert told(played, "axis") == ""
    assert not cg.state.groups["allied", "B1/1"].used


def test_a_used_or_lost_one_is_not_offered_again() -> None:
    cg = armed(axis=1)
    play(bombardment, cg, answers={"bombardment": fire()})
    assert play(bombardment, cg).asked == []
    other = armed(axis=1)
    lost = GroupChanged(side="axis", group="B1/1", changes={"lost": "by the rules"})
    other.state = lost.apply(other.state)
    assert play(bombardment, other).asked == []


def test_a_bombardment_has_a_centre_on_the_map() -> None:
    with pytest.raises(DataError, match="at: 'X9' is not a hex of this map"):
        play(bombardment, armed(axis=1), answers={"bombardment": fire(at="X9")})


def test_bombardments_by_chance() -> None:
    rng = Random(1)
    assert sum(play_at_random(bombardment, armed(1, 1), rng) for _ in range(10)) == 20


# Play begins ------------------------------------------------------------------------------------


def test_everybody_hears_who_moves_first_and_nothing_is_asked() -> None:
    played = play(commencement, determined(bare()))
    assert notes(played) == ["Play begins; Germans move first."]
    assert played.asked == []


def test_each_side_is_told_what_may_enter_and_by_which_edge() -> None:
    cg = bare()
    buy(cg, "axis", "I2", OFF_MAP)
    buy(cg, "allied", "G1", ON_MAP)
    join(cg, "axis", "4-6-7", "squad", "C4")
    played = play(commencement, determined(cg))
    assert notes(played, "axis") == ["3 of your units may enter by the north edge, from turn 1"]
    assert notes(played, "allied") == ["2 of your units may enter by the south edge, from turn 1"]
    assert "3 of" not in told(played, "allied")


def test_a_side_without_a_map_edge_is_told_that_nothing_can_enter() -> None:
    cg = bare(sides={"axis": {"friendly_edges": [], "entry_hexes": []}})
    buy(cg, "axis", "I2", OFF_MAP)
    played = play(commencement, determined(cg))
    assert notes(played, "axis") == ["3 of your units can't enter: the card names no map edge or hex for it"]


def test_entry_hexes_of_the_card_are_named() -> None:
    cg = bare(sides={"axis": {"entry_hexes": ["A1", "M1-M2"]}})
    join(cg, "axis", "4-6-7", "squad")
    (note,) = notes(play(commencement, determined(cg)), "axis")
    assert "the north edge or A1, M1-M2" in note


def test_reserves_kept_off_map_do_not_enter_before_a_later_firefight() -> None:
    cg = bare()
    buy(cg, "axis", "I1", RESERVE)
    assert may_enter(cg, "axis") == []
    (note,) = notes(play(commencement, determined(cg)), "axis")
    assert note == "3 of your units In Reserve stay off map in this firefight"
    assert len(may_enter(later(cg), "axis")) == 3


def test_reserves_on_map_are_reminded_of_what_activates_them() -> None:
    cg = bare()
    group = buy(cg, "axis", "I1", RESERVE)
    for unit in list(cg.state.units_of("axis", "squad")):
        cg.state = UnitMoved(unit=unit.id, at="C3").apply(cg.state)
    assert group == "I1/1"
    played = play(commencement, determined(cg))
    (note,) = notes(played, "axis")
    assert "3 of your units In Reserve do nothing and aren't Sniper targets until" in note
    assert "within 3 hexes" in note
    assert "Reserve" not in told(played, "allied")


def test_usable_oba_is_named_to_its_side() -> None:
    cg = bare()
    for _ in range(2):
        buy(cg, "axis", "O1", OFF_MAP)
    fact = GroupChanged(side="axis", group="O1/1", changes={"usable": False})
    cg.state = fact.apply(cg.state)
    played = play(commencement, determined(cg))
    assert notes(played, "axis") == ["you may use OBA module O1/2"]
    assert "O1" not in told(played, "allied")


def test_prisoners_do_not_enter() -> None:
    cg = bare()
    join(cg, "axis", "4-6-7", "squad", marks=frozenset({Mark.PRISONER}))
    assert may_enter(cg, "axis") == []
