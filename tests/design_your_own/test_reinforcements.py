"""Reinforcements of a scenario, and in several turns (DYO H1.7, H1.84)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.cards import left_out
from laager.rules.design_your_own.exports.vasl_templates import vasl_templates
from laager.rules.design_your_own.ob import Arrival, InfantryEntry, Leaders, OrderOfBattle, SwAllotment
from laager.rules.design_your_own.sheets.roster import infantry_section, leaders_section, sw_section
from laager.rules.design_your_own.steps.infantry import infantry, second_infantry
from laager.rules.design_your_own.steps.support import reinforcement_share
from laager.rules.design_your_own.terms import Terms
from tests.design_your_own.harness import by_chance, cg_of, new_purchase, play, proven
from tests.steps import Played, refusals

# The example of H1.84: five 4-6-7 must enter later, and all were bought first.
GIVEN = [{"turn": 3, "squads": 5, "type": "4-6-7"}]
SPARSE = {"engineers": False, "sappers": False, "commandos": False, "parachutes": False}


def row(type_: str, number: int) -> dict[str, Any]:
    return {"type": type_, "number": number, **SPARSE}


def bought(groups: list[dict[str, Any]], *lines: Any, **answers: Any) -> tuple[Cg, Played]:
    cg = cg_of(axis={"reinforcements": groups})
    play(infantry, cg, "axis", {"infantry": {"lines": [row(*line) for line in lines]}})
    return cg, play(second_infantry, cg, "axis", answers)


def test_the_example_of_the_rule_is_legal() -> None:
    """Five 4-6-7 of the first purchase, one leader and one LMG (DYO H1.84)."""
    cg, played = bought(GIVEN, ("4-6-7", 12))
    assert played.question("reinforcements").default == [{"line": "1", "number": 5, "turn": 3}]
    assert cg.ob("axis").infantry[0].entering == {3: 5}
    leaders, sw = Leaders(count=3, held={"8-0": 2, "8-1": 1}), (SwAllotment(type="LMG", number=3),)
    cg.state = cg.state.with_ob("axis", leaders=leaders, sw=sw)
    played = play(reinforcement_share, cg, "axis")
    assert played.keys == ["reinforcement-share-3"]
    assert cg.ob("axis").share_of(3).leaders == ("8-0",)
    assert cg.ob("axis").share_of(3).sw == {"LMG": 1}
    assert cg.ob("axis").share_of(4).sw == {}
    assert cg.ob("axis").reinforcement_leaders == ("8-0",)
    assert cg.ob("axis").sw[0].reinforcement == 1
    told = [str(found) for found in check_ob(cg, "axis").broken if "H1.8 " not in str(found)]
    assert [one for one in told if "reinforcement" in one] == []
    assert infantry_section(cg, "axis").notes == ("5 of the 12 4-6-7 enter as reinforcements: 5 in turn 3",)
    assert "in turn 3: 8-0" in leaders_section(cg, "axis").notes
    assert sw_section(cg, "axis").notes == ("in turn 3: 1 LMG",)
    assert "reinforcements: 5 x 4-6-7 in turn 3" in left_out(cg.ob("axis"))


def test_too_few_for_the_scenario_are_refused() -> None:
    _, played = bought(GIVEN, ("4-6-7", 12), ("4-6-8", 5))
    question = played.question("reinforcements")
    told = refusals(question, [{"line": "1", "number": 4, "turn": 3}])
    assert told == ["4 squads as reinforcements in turn 3 (DYO H1.84); at least 5 4-6-7, as the terms have it"]
    assert refusals(question, [{"line": "2", "number": 5, "turn": 3}])
    assert refusals(question, [{"line": "1", "number": 5, "turn": 2}])
    both = [{"line": "1", "number": 6, "turn": 3}, {"line": "2", "number": 1, "turn": 5}]
    assert refusals(question, both) == []
    twice = [{"line": "1", "number": 2, "turn": 3}, {"line": "1", "number": 3, "turn": 3}]
    assert refusals(question, twice) == ["[2]: line 1 is named twice; name it once"]


def test_a_side_brings_what_it_has() -> None:
    cg, played = bought([*GIVEN, {"turn": 5, "squads": 2}], ("4-6-7", 3))
    assert played.question("reinforcements").default == [{"line": "1", "number": 3, "turn": 3}]
    assert cg.ob("axis").infantry[0].reinforcements == 3
    _, played = bought(GIVEN, ("4-6-8", 3))
    assert played.question("reinforcements").default == []


def test_without_squads_nothing_is_asked() -> None:
    _, played = bought(GIVEN)
    assert "reinforcements" not in played.keys


def test_squads_of_the_second_purchase_count_for_both() -> None:
    cg = cg_of(axis={"reinforcements": [{"turn": 2, "squads": 3}]})
    play(infantry, cg, "axis", {"infantry": {"lines": [row("4-6-7", 4)]}})
    answers = {"second-infantry": {"lines": [row("4-6-8", 8)]}}
    played = play(second_infantry, cg, "axis", answers)
    assert played.question("reinforcements").default == [
        {"line": "2", "number": 3, "turn": 2},
        {"line": "2", "number": 1},
    ]
    assert cg.ob("axis").infantry[1].entering == {0: 1, 2: 3}
    assert cg.ob("axis").turns == (0, 2)
    # More than the least, and of the first purchase too (DYO H1.7).
    more = [
        {"line": "1", "number": 2, "turn": 6},
        {"line": "2", "number": 4, "turn": 2},
        {"line": "2", "number": 4, "turn": 4},
    ]
    assert refusals(played.question("reinforcements"), more) == []
    few = [{"line": "1", "number": 4, "turn": 2}]
    assert any("at least 4" in one for one in refusals(played.question("reinforcements"), few))


def test_each_turn_has_its_own_share_out_of_one_stock() -> None:
    entry = InfantryEntry(
        type="4-6-7", number=20, reinforcements=10, arrivals=(Arrival(turn=2, number=5), Arrival(turn=4, number=5))
    )
    cg = cg_of()
    cg.state = cg.state.with_ob(
        "axis",
        infantry=(entry,),
        leaders=Leaders(count=2, held={"8-0": 1, "8-1": 1}),
        sw=(SwAllotment(type="LMG", number=2),),
    )
    played = play(reinforcement_share, cg, "axis")
    assert played.keys == ["reinforcement-share-2", "reinforcement-share-4"]
    ob = cg.ob("axis")
    assert [(one.turn, one.leaders, one.sw) for one in ob.reinforcement_groups] == [
        (2, ("8-0",), {"LMG": 1}),
        (4, ("8-1",), {"LMG": 1}),
    ]
    assert ob.sw[0].reinforcement == 2
    setups = [one["caption"] for one in vasl_templates(cg, ["axis"])["OB_SETUPS_1"]]
    assert "Enter in turn 2: 5 x 4-6-7, 1 x 8-0, 1 x LMG" in setups
    assert "Enter in turn 4: 5 x 4-6-7, 1 x 8-1, 1 x LMG" in setups
    shared = "reinforcement_groups: the groups together bring other leaders or SW"
    assert not told_of(cg, ob, shared)
    assert told_of(cg, ob.model_copy(update={"reinforcement_leaders": ("8-0",)}), shared)
    untold = ob.model_copy(update={"reinforcement_groups": ()})
    assert told_of(cg, untold, "it does not say what comes in which turn")
    short = ob.reinforcement_groups[0].model_copy(update={"leaders": ()})
    lacking = ob.model_copy(update={"reinforcement_groups": (short, ob.reinforcement_groups[1])})
    assert told_of(cg, lacking, "0 leaders with the reinforcements")


def told_of(cg: Cg, ob: OrderOfBattle, words: str) -> bool:
    looked = cg.with_state(cg.state.having(ob))
    return any(words in str(found) for found in check_ob(looked, "axis").broken)


def test_files_are_held_against_the_terms() -> None:
    cg = cg_of(axis={"reinforcements": GIVEN})
    line = InfantryEntry(type="4-6-7", number=12)
    cg.state = cg.state.with_ob("axis", infantry=(line,))
    assert told_of(cg, cg.ob("axis"), "0 squads as reinforcements in turn 3")
    five = line.model_copy(update={"reinforcements": 5, "arrivals": (Arrival(turn=3, number=5),)})
    cg.state = cg.state.with_ob("axis", infantry=(five,))
    assert not told_of(cg, cg.ob("axis"), "as reinforcements in turn 3")


@pytest.mark.parametrize("seed", range(3))
def test_whole_purchases_with_groups_are_proven(seed: int) -> None:
    groups = [{"turn": 2, "squads": 4}, {"turn": 5, "squads": 3, "type": "4-6-7"}]
    campaign = new_purchase(axis={"reinforcements": groups})
    by_chance(campaign, Random(seed))
    assert campaign.state.over
    proven(campaign)
    cg = Cg(campaign.opening)
    cg.state = campaign.state
    assert [str(found) for found in check_ob(cg, "axis").broken] == []


def test_terms_of_a_group_are_checked() -> None:
    terms = cg_of().terms.model_dump(mode="json")
    terms["sides"]["axis"]["reinforcements"] = [{"turn": 0, "squads": 2}]
    with pytest.raises(ValueError, match="turn"):
        Terms.model_validate(terms)
