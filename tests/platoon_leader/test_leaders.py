"""PL 2.36 to 2.362: leaders of platoons."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.steps import Roll
from laager.dice import Rolled
from laager.rules.platoon_leader.buying.groups import group_joins
from laager.rules.platoon_leader.buying.leaders import (
    Diced,
    commissar_for,
    leader_determination,
    leader_order,
    legacy_drm,
    roll_leader,
    within_limits,
)
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import RoundBegun
from laager.rules.platoon_leader.state import Round
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import small_cg
from tests.steps import play
from tests.tries import tries


def buy(cg: Cg, side: str, *ids: str, given: bool = False) -> None:
    """Let groups join as if bought."""
    for rg in ids:
        line = cg.side(side).group(rg)
        assert line is not None
        for fact in group_joins(cg, side, line, Setup.OFF_MAP, given=given):
            cg.state = fact.apply(cg.state)


def leaders(cg: Cg, side: str) -> list[tuple[str, str, str]]:
    """Return type, kind and group of a side's leaders in the order in which they joined."""
    found = cg.state.units_of(side, "leader", "armor-leader", "commissar")
    return [(found_.type, found_.kind, found_.group) for found_ in found]


# The walkthrough --------------------------------------------------------------------------------


def test_axis_of_the_first_firefight() -> None:
    cg = small_cg()
    buy(cg, "axis", "I1", given=True)
    buy(cg, "axis", "I1", "I2", "O1")
    played = play(leader_determination, cg, "axis", dice=[(1, 2), (4, 5), (1, 1)])
    assert played.finals() == [2, 8, 1]
    assert leaders(cg, "axis") == [("10-2", "leader", "I1/1"), ("8-0", "leader", "I1/2"), ("9-2", "leader", "I2/1")]
    assert "10-2 is taken already (PL 2.362), so 9-2" in played.facts[2].why
    assert all(fact.to == ("axis",) for fact in played.facts)
    assert all(roll.secret and roll.rule == "PL 2.361" for roll, _ in played.rolls)


def test_allied_of_the_first_firefight() -> None:
    cg = small_cg()
    buy(cg, "allied", "I1", given=True)
    buy(cg, "allied", "I1", "I1", "G1", "HW1")
    played = play(leader_determination, cg, "allied", dice=[(6, 4), (3, 3), (2, 3)])
    assert played.finals() == [11, 7, 6]
    assert [type_ for type_, _, _ in leaders(cg, "allied")] == ["6+1", "8-0", "8-1"]
    (question,) = played.asked
    assert (question.key, question.secret, question.default) == ("commissars", True, [])


def test_second_firefight() -> None:
    cg = small_cg()
    buy(cg, "axis", "I1", given=True)
    buy(cg, "allied", "I1", given=True)
    cg.state = RoundBegun(round=Round.NEW, firefight=2).apply(cg.state)
    buy(cg, "axis", "A1", "S1")
    buy(cg, "allied", "A1", "I2", "I1")
    assert play(leader_determination, cg, "axis", dice=[(2, 4)]).finals() == [5]
    play(leader_determination, cg, "allied", dice=[(4, 4), (1, 3), (6, 6)])
    assert leaders(cg, "axis") == [("8-1", "armor-leader", "A1/1")]
    assert leaders(cg, "allied") == [("8-1", "leader", "I2/1"), ("6+1", "leader", "I1/2")]


def test_limits_are_those_of_the_initial_firefight_only() -> None:
    cg = small_cg()
    cg.state, _ = unit(cg.state, "axis", "10-2", "leader")
    cg.state = RoundBegun(round=Round.NEW, firefight=3).apply(cg.state)
    buy(cg, "axis", "I2")
    play(leader_determination, cg, "axis", dice=[(2, 1)])
    assert [type_ for type_, _, _ in leaders(cg, "axis")] == ["10-2", "10-2"]


# Who rolls --------------------------------------------------------------------------------------


def test_a_platoon_of_the_ob_with_a_named_leader_does_not_roll() -> None:
    ob = {"groups": [{"rg": "I1"}, {"rg": "I1", "leaders": []}, {"rg": "I2", "leaders": ["9-1"]}]}
    cg = small_cg(sides={"axis": {"ob": ob}})
    buy(cg, "axis", "I1", "I1", "I2", given=True)
    played = play(leader_determination, cg, "axis", dice=[(5, 5)])
    assert [roll.label for roll, _ in played.rolls] == ["Leader of I1/1"]


def test_a_company_rolls_four_times_and_a_section_never() -> None:
    chart = small_cg().card.model_dump(mode="json")["sides"]["axis"]["chart"]
    chart[1]["size"] = "company"
    cg = small_cg(sides={"axis": {"chart": chart}})
    buy(cg, "axis", "I2", "HW1")
    played = play(leader_determination, cg, "axis", dice=[(6, 6)] * 4)
    assert [roll.label for roll, _ in played.rolls][3] == "Leader of I2/1 (4 of 4)"
    assert len(leaders(cg, "axis")) == 4


# The table --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nation", "side", "faces", "armor", "expected"),
    [
        ("german", "axis", (1, 1), False, "10-2"),
        ("german", "axis", (5, 6), False, "6+1"),
        ("german", "axis", (6, 1), True, None),
        ("japanese", "axis", (1, 2), False, "10-0"),
        ("japanese", "axis", (6, 6), False, "8+1"),
        ("japanese", "axis", (1, 2), True, "9-2"),
        ("finnish", "axis", (2, 3), False, "9-1"),
        ("finnish", "axis", (6, 6), False, None),
    ],
)
def test_columns(nation: str, side: str, faces: tuple[int, int], armor: bool, expected: str | None) -> None:
    drm = {"leader": 0, "armor_leader": None}
    cg = small_cg(sides={side: {"nation": nation, "drm": drm}})
    assert _diced(cg, side, faces, armor=armor).type == expected


def _diced(cg: Cg, side: str, faces: tuple[int, int], *, armor: bool = False) -> Diced:
    procedure = roll_leader(cg, side, "New leader", armor=armor)
    command = next(procedure)
    assert isinstance(command, Roll)
    try:
        procedure.send(Rolled(command.dice, faces, command.modifiers))
    except StopIteration as done:
        found: Diced = done.value
        return found
    raise AssertionError("one DR is enough")


def _drm(cg: Cg, side: str, *, armor: bool = False) -> list[int]:
    command = next(roll_leader(cg, side, "New leader", armor=armor))
    assert isinstance(command, Roll)
    return [modifier.value for modifier in command.modifiers]


def test_card_and_historical_drm_and_what_the_card_has_for_armor() -> None:
    drm: dict[str, Any] = {"leader": -2, "armor_leader": None}
    cg = small_cg(sides={"axis": {"drm": drm, "historical": {"leader": 1}}})
    assert _drm(cg, "axis") == _drm(cg, "axis", armor=True) == [-2, 1]
    cg = small_cg(sides={"axis": {"drm": {"leader": -2, "armor_leader": 2}}})
    assert _drm(cg, "axis", armor=True) == [2]


@pytest.mark.parametrize(
    ("nation", "day", "expected"),
    [
        ("german", date(1944, 12, 31), "legacy-german"),
        ("german", date(1945, 1, 1), "legacy-other"),
        ("american", date(1945, 4, 1), "legacy-us-british"),
        ("british", date(1940, 5, 10), "legacy-us-british"),
        ("russian", date(1942, 7, 12), "legacy-other"),
    ],
)
def test_legacy_drm(nation: str, day: date, expected: str) -> None:
    assert legacy_drm(nation, day) == expected


@pytest.mark.parametrize(("side", "expected"), [("axis", [-1]), ("allied", [1])])
def test_an_old_card_prints_no_leader_drm(side: str, expected: list[int]) -> None:
    cg = small_cg(sides={side: {"drm": {"leader": None, "armor_leader": None}}})
    assert _drm(cg, side) == _drm(cg, side, armor=True) == expected


# Limits -----------------------------------------------------------------------------------------


def diced(*types: str | None, column: str = "general") -> list[Diced]:
    return [Diced(type_, column, "DR") for type_ in types]


def limited(cg: Cg, found: list[Diced], side: str = "axis") -> list[str | None]:
    return [leader.type for leader in within_limits(cg, side, found)]


def test_excess_leaders_fall_to_the_next_type_that_is_free() -> None:
    cg = small_cg()
    assert limited(cg, diced("10-2", "10-2", "10-2")) == ["10-2", "9-2", "9-1"]
    assert limited(cg, diced("9-2", "10-2", "9-2")) == ["9-2", "10-2", "9-1"]
    assert limited(cg, diced("9-1", None, "9-1", "8-0", "8-0")) == ["9-1", None, "9-1", "8-0", "8-0"]


def test_infantry_and_armor_have_limits_of_their_own() -> None:
    """The rulebook's example: 10-1, 10-0 and, in armor, 10-2 and 9-2."""
    cg = small_cg(sides={"axis": {"nation": "japanese"}})
    found = diced("10-1", "10-1", "10-1", column="japanese")
    found += diced("10-2", "10-2", "9-2", column="armor")
    assert limited(cg, found) == ["10-1", "10-0", "9-1", "10-2", "9-2", "9-1"]


def test_leaders_named_by_the_card_count_but_stay() -> None:
    cg = small_cg()
    for _ in range(2):
        cg.state, _u = unit(cg.state, "axis", "10-2", "leader")
    cg.state, _u = unit(cg.state, "axis", "9-2", "armor-leader")
    assert limited(cg, diced("10-2")) == ["9-2"]
    assert [type_ for type_, _, _ in leaders(cg, "axis")][:2] == ["10-2", "10-2"]


def test_the_order_of_a_column_is_the_tables() -> None:
    cg = small_cg()
    assert leader_order(cg, "general") == ("10-2", "9-2", "9-1", "8-1", "8-0", "7-0", "6+1")
    assert leader_order(cg, "finn") == ("10-1", "10-0", "9-1", "9-0", "8-0")
    assert leader_order(cg, "armor") == ("10-2", "9-2", "9-1", "8-1")


@tries(60)
@given(st.lists(st.sampled_from(["10-2", "9-2", "9-1", "8-1", "6+1"]), max_size=9))
def test_limits_against_counting(types: list[str]) -> None:
    kept = limited(small_cg(), diced(*types))
    assert len(kept) == len(types)
    assert kept.count("10-2") == min(1, types.count("10-2"))
    surplus = max(0, types.count("10-2") - 1)
    assert kept.count("9-2") == min(1, types.count("9-2") + surplus)
    assert kept.count("8-1") == types.count("8-1"), "types below the top two are not limited"


# Commissars -------------------------------------------------------------------------------------


def test_a_russian_may_take_commissars_for_8_1_and_8_0() -> None:
    cg = small_cg()
    buy(cg, "allied", "I1", "I1", "I2")
    answers = {"commissars": ["1", "3"]}
    played = play(leader_determination, cg, "allied", answers, dice=[(1, 4), (5, 4), (3, 4)])
    assert leaders(cg, "allied") == [
        ("10-0", "commissar", "I1/1"),
        ("7-0", "leader", "I1/2"),
        ("9-0", "commissar", "I2/1"),
    ]
    assert not played.asked[0].allows(["2"]), "a 7-0 is no commissar"


def test_who_may_have_commissars() -> None:
    cg = small_cg()
    (found,) = diced("8-1")
    assert commissar_for(cg, "allied", found) == "10-0"
    assert commissar_for(cg, "axis", found) is None
    assert commissar_for(small_cg(sides={"allied": {"commissars": False}}), "allied", found) is None
    assert commissar_for(cg, "allied", diced("8-1", column="armor")[0]) is None
    assert commissar_for(cg, "allied", diced(None)[0]) is None
    assert commissar_for(cg, "allied", diced("9-1")[0]) is None
    slots = cg.card.model_dump(mode="json")["firefights"]
    late = [{**slot, "date": "1943-07-12"} for slot in slots]
    assert commissar_for(small_cg(firefights=late), "allied", found) is None
