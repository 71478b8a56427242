"""PL 1.1 to 1.34: what is agreed, what the OB gives, who Controls what."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.catalogue import load_packaged
from laager.rules.board.facts import UnitJoined
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.buying.leaders import leader_determination
from laager.rules.platoon_leader.buying.replenishment import cp_replenishment
from laager.rules.platoon_leader.facts import CampaignBegun, GroupJoined
from laager.rules.platoon_leader.firefight.beginning import beginning, initial_control, starting_control
from laager.rules.platoon_leader.firefight.weather import weather
from tests.platoon_leader.small import second_firefight, small_cg
from tests.steps import Played, play

BALANCE: list[dict[str, Any]] = [
    {"id": "more-men", "side": "allied", "text": "3 CP more", "cp": 3},
    {"id": "worse", "side": "axis", "text": "ELR and SAN lower", "elr": -4, "san": -1},
]


def begun(played: Played) -> CampaignBegun:
    (fact,) = played.of("campaign-begun")
    assert isinstance(fact, CampaignBegun)
    return fact


def joined(played: Played, side: str) -> list[UnitJoined]:
    units = [fact for fact in played.facts if isinstance(fact, UnitJoined)]
    return [fact for fact in units if fact.unit.side == side]


def test_the_card_gives_the_starting_numbers() -> None:
    cg = small_cg()
    fact = begun(play(beginning, cg))
    assert (fact.elr, fact.san) == ({"axis": 3, "allied": 3}, {"axis": 3, "allied": 5})
    assert fact.cp == {"axis": 22, "allied": 18}
    assert fact.to is None
    assert fact.why == "as the card has it"
    assert cg.state.side("axis").cp == 22


def test_both_sides_are_asked_together_and_defaults_change_nothing() -> None:
    cg = small_cg(balance=BALANCE)
    played = play(beginning, cg)
    assert [q.side for q in played.questions("agreements")] == ["axis", "allied"]
    assert begun(played).agreed == {"balance": [], "intensity": "as-card"}


def test_a_balance_provision_counts_when_both_want_it() -> None:
    cg = small_cg(balance=BALANCE)
    both = {"balance": ["more-men", "worse"]}
    fact = begun(play(beginning, cg, answers={"agreements": both}))
    assert fact.cp == {"axis": 22, "allied": 21}
    assert fact.elr == {"axis": 0, "allied": 3}, "an ELR below 0 is 0"
    assert fact.san == {"axis": 2, "allied": 5}
    assert "3 CP more" in fact.why


def test_one_side_alone_agrees_on_nothing() -> None:
    cg = small_cg(balance=BALANCE)
    answers = {
        "agreements@axis": {"balance": ["more-men"], "intensity": "high"},
        "agreements@allied": {"balance": ["worse"], "intensity": "mid"},
    }
    fact = begun(play(beginning, cg, answers=answers))
    assert fact.agreed == {"balance": [], "intensity": "as-card"}
    assert fact.cp == {"axis": 22, "allied": 18}


def test_nothing_to_agree_on_is_not_asked() -> None:
    cg = small_cg(intensity="high")
    assert play(beginning, cg).asked == []


def test_history_can_be_followed_only_where_the_card_has_some() -> None:
    plain = play(beginning, small_cg()).asked[0].form.describe()
    assert [field["name"] for field in plain["fields"]] == ["intensity"]
    slots = small_cg().card.model_dump(mode="json")["firefights"]
    slots[1]["historical_attacker"] = "allied"
    rows = [{"weather": "rain"}]
    asked = play(beginning, small_cg(firefights=slots, weather_table={"rows": rows})).asked[0]
    fields = {field["name"]: field for field in asked.form.describe()["fields"]}
    options = fields["historical"]["form"]["options"]
    assert [option["value"] for option in options] == ["attacker", "weather"]


def test_only_a_higher_intensity_may_be_agreed_on() -> None:
    asked = play(beginning, small_cg(intensity="mid")).asked[0]
    assert asked.allows({"intensity": "high"})
    with pytest.raises(DataError, match="low is not one of the choices"):
        asked.accept({"intensity": "low"})


def test_random_answers_are_legal() -> None:
    asked = play(beginning, small_cg(balance=BALANCE)).asked[0]
    rng = Random(1)
    assert all(asked.allows(asked.sample(rng)) for _ in range(20))


# What the OB gives ------------------------------------------------------------------------------


def test_a_given_group_joins_with_its_units_for_its_own_side_only() -> None:
    cg = small_cg()
    played = play(beginning, cg)
    group = cg.state.groups["axis", "I1/1"]
    assert (group.given, group.cost, group.setup.value, group.firefight) == (True, 0, "on-map", 1)
    units = [fact.unit for fact in joined(played, "axis")]
    assert [unit.type for unit in units] == ["4-6-7", "4-6-7", "4-6-7", "LMG"]
    assert [unit.id for unit in units] == ["AX1", "AX2", "AX3", "AX4"]
    assert {unit.group for unit in units} == {"I1/1"}
    assert {unit.place for unit in units} == {Place.OFF_MAP}
    assert not any(unit.known for unit in units)
    secret = [fact for fact in played.facts if isinstance(fact, GroupJoined | UnitJoined)]
    assert {fact.to for fact in secret} == {("axis",), ("allied",)}
    own = cg.state.side("axis")
    assert (own.platoons, own.bought) == ({}, {}), "what is given is not bought"


def test_the_card_may_name_leaders_and_loose_units() -> None:
    ob = {
        "groups": [{"rg": "I1", "leaders": ["9-1", "10-0"]}, {"rg": "A1", "leaders": ["9-2"]}],
        "units": [{"type": "4-4-7", "engineers": True}, {"type": "76L ART obr. 39"}],
    }
    cg = small_cg(sides={"allied": {"ob": ob}})
    units = [fact.unit for fact in joined(play(beginning, cg), "allied")]
    found = [(unit.type, unit.kind, unit.group) for unit in units if unit.type not in {"4-4-7"}]
    assert ("9-1", "leader", "I1/1") in found
    assert ("10-0", "commissar", "I1/1") in found
    assert ("9-2", "armor-leader", "A1/1") in found
    loose = [unit for unit in units if not unit.group]
    assert [unit.type for unit in loose] == ["4-4-7", "2-2-8", "76L ART obr. 39"]
    assert loose[0].has(Mark.ENGINEERS)
    assert loose[2].with_unit == loose[1].id, "a Gun brings the crew that the lines leave out"


def test_two_given_groups_of_a_kind_have_ids_of_their_own() -> None:
    cg = small_cg(sides={"axis": {"ob": {"groups": [{"rg": "I1"}, {"rg": "I1"}]}}})
    play(beginning, cg)
    assert [group.id for group in cg.state.groups_of("axis")] == ["I1/1", "I1/2"]


# What the OB gives later ------------------------------------------------------------------------


def test_a_group_that_the_ob_gives_later_comes_with_the_cp_of_its_firefight_and_costs_none() -> None:
    ob = {"groups": [{"rg": "I1"}, {"rg": "I2", "firefight": 2, "setup": "off-map", "leaders": ["9-1"]}]}
    cg = small_cg(sides={"axis": {"ob": ob}}, firefights=with_cp(axis=4))
    play(beginning, cg)
    assert [group.id for group in cg.state.groups_of("axis")] == ["I1/1"]
    second_firefight(cg)
    before = cg.state.side("axis")
    played = play(cp_replenishment, cg, "axis")
    (given,) = [group for group in cg.state.groups_of("axis") if group.rg == "I2"]
    assert (given.firefight, given.setup, given.given, given.cost) == (2, "off-map", True, 0)
    assert cg.state.side("axis").cp == before.cp + 4
    assert cg.state.side("axis").platoons == before.platoons, "what is given is not bought"
    assert ("9-1", "I2/1") in {(fact.unit.type, fact.unit.group) for fact in joined(played, "axis")}
    assert all(fact.to == ("axis",) for fact in played.facts), "the enemy learns nothing of it"


def test_only_a_later_group_without_named_leaders_rolls_for_them() -> None:
    later = [{"rg": "I1", "firefight": 2}, {"rg": "I1", "firefight": 2, "leaders": []}]
    cg = small_cg(
        sides={"axis": {"ob": {"groups": [{"rg": "I1", "leaders": ["8-0"]}, *later]}}}, firefights=with_cp(axis=4)
    )
    play(beginning, cg)
    second_firefight(cg)
    play(cp_replenishment, cg, "axis")
    rolled = play(leader_determination, cg, "axis", dice=[(5, 5)]).rolls
    assert [roll.label for roll, _ in rolled] == ["Leader of I1/2"]


def with_cp(**cp: int) -> list[dict[str, Any]]:
    """Return the card's firefights with CP given for the second one."""
    firefights = small_cg().card.model_dump(mode="json", exclude_defaults=True)["firefights"]
    return [*firefights[:1], {**firefights[1], "cp": cp}, *firefights[2:]]


# Several nations --------------------------------------------------------------------------------


def test_a_side_has_units_of_its_other_nations_without_a_file_of_its_own() -> None:
    own = small_cg().nation("axis")
    both = small_cg(sides={"axis": {"nations": ["hungarian"]}}).nation("axis")
    hungarian = load_packaged("hungarian")["hungarian"]
    assert set(both.guns) == set(own.guns) | set(hungarian.guns)
    assert {text: type_ for text, type_ in both.mmc.items() if text in own.mmc} == dict(own.mmc)
    assert both.leaders == own.leaders
    tank = next(text for text in hungarian.vehicles if text not in own.vehicles)
    cg = small_cg(sides={"axis": {"nations": ["hungarian"], "ob": {"units": [{"type": tank}]}}})
    (unit,) = [fact.unit for fact in joined(play(beginning, cg), "axis") if not fact.unit.group]
    assert (unit.type, cg.nation_of(unit).is_vehicle(tank)) == (tank, True)


# The assigned attack ----------------------------------------------------------------------------


def test_the_attack_of_the_initial_firefight_is_assigned_and_free() -> None:
    cg = small_cg()
    played = play(beginning, cg)
    (fact,) = played.of("attack-option-taken")
    assert fact.to is None
    assert fact.rule == "PL 1.4 Attack Option"
    assert cg.state.side("axis").attack
    assert not cg.state.side("allied").attack
    assert played.of("cp-changed") == []


@pytest.mark.parametrize(("held", "left"), [(22, 17), (5, 0), (3, 0)])
def test_a_price_printed_for_it_is_paid_as_far_as_there_are_cp(held: int, left: int) -> None:
    cg = small_cg(initial_attack_cost=5, sides={"axis": {"cp": held}})
    (paid,) = play(beginning, cg).of("cp-changed")
    assert paid.to == ("axis",)
    assert cg.state.side("axis").cp == left


# Control ----------------------------------------------------------------------------------------


def test_strategic_terrain_of_the_setup_area_is_controlled() -> None:
    """Walkthrough 1: Axis C4 K4, Allied C8 K9 G2."""
    cg = small_cg()
    played = play(initial_control, cg)
    expected = {"C4": "axis", "K4": "axis", "G2": "allied", "C8": "allied", "K9": "allied"}
    assert cg.state.ground.control == expected
    assert all(fact.to is None for fact in played.facts)


def test_what_lies_in_both_areas_or_in_none_is_nobodys() -> None:
    sides = {"axis": {"setup": ["C4", "C8"]}, "allied": {"setup": ["C8", "M10"]}}
    cg = small_cg(sides=sides)
    assert starting_control(cg, "axis") == ("C4",)
    assert starting_control(cg, "allied") == ()
    play(initial_control, cg)
    assert cg.state.ground.control == {"C4": "axis"}


# Weather ----------------------------------------------------------------------------------------


def _slots(**first: Any) -> list[dict[str, Any]]:
    slots: list[dict[str, Any]] = small_cg().card.model_dump(mode="json")["firefights"]
    slots[0] = {**slots[0], **first}
    return slots


ROWS = [{"high": 2, "weather": "clear"}, {"low": 3, "high": 5, "weather": "rain"}]


def test_weather_listed_by_the_card() -> None:
    cg = small_cg()
    played = play(weather, cg)
    assert (cg.state.fight.weather, played.asked) == ("clear", [])


@pytest.mark.parametrize(
    ("dice", "faces", "expected"), [("dr", (2,), "clear"), ("dr", (5,), "rain"), ("DR", (1, 2), "rain")]
)
def test_weather_rolled_on_the_cards_table(dice: str, faces: tuple[int, ...], expected: str) -> None:
    table = {"dice": dice, "rows": ROWS}
    cg = small_cg(firefights=_slots(weather=None), weather_table=table)
    played = play(weather, cg, dice=[faces])
    assert cg.state.fight.weather == expected
    assert not played.rolls[0][0].secret


def test_weather_is_told_where_the_table_ends_or_the_card_is_silent() -> None:
    table = {"dice": "dr", "rows": ROWS}
    cg = small_cg(firefights=_slots(weather=None), weather_table=table)
    played = play(weather, cg, dice=[(6,)])
    assert [question.side for question in played.asked] == ["axis"]
    assert cg.state.fight.weather == "clear", "the default"
    silent = small_cg(firefights=_slots(weather=None))
    play(weather, silent, answers={"weather": "snow, wind from the east"})
    assert silent.state.fight.weather == "snow, wind from the east"


@pytest.mark.parametrize(("followed", "expected"), [(True, "mud"), (False, "clear")])
def test_beside_a_table_the_listed_weather_is_history(followed: bool, expected: str) -> None:
    table = {"dice": "dr", "rows": ROWS}
    cg = small_cg(firefights=_slots(weather="mud"), weather_table=table)
    agreed = {"historical": ["weather"] if followed else []}
    play(beginning, cg, answers={"agreements": agreed})
    play(weather, cg, dice=[] if followed else [(1,)])
    assert cg.state.fight.weather == expected


def test_massacre_may_be_in_force_from_the_start() -> None:
    cg = small_cg(sides={"axis": {"starts_massacre": True}})
    played = play(beginning, cg)
    assert [fact.rule for fact in played.of("massacre-invoked")] == ["PL CG9"]
    assert (cg.state.side("axis").massacre, cg.state.side("allied").massacre) == (True, False)
