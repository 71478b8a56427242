"""What the OB gives besides groups: parts with hexes of their own, fortifications, "?", HIP, observers, hexes."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.audit import audit
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.rules.board.facts import UnitRevealed
from laager.rules.board.hasl.areas import initial_areas, initial_control
from laager.rules.board.hasl.buying.fortifications import fortifying
from laager.rules.board.hasl.buying.groups import join_given
from laager.rules.board.hasl.buying.purchase import purchasing
from laager.rules.board.hasl.buying.strength import strength_weapons_leaders
from laager.rules.board.hasl.card.card import Given
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.setup.setup import HaslSetup
from laager.rules.board.hasl.setup.sheets import setup_sheets
from tests.historical.buying import only_for
from tests.historical.campaigns import NOON, SEED, faults, made_of, opened, view_faults
from tests.historical.driver import run
from tests.historical.setting import ready, refusals, row
from tests.historical.small import scene, small_cg
from tests.historical.test_card_checks import loaded
from tests.platoon_leader.campaigns import autoplay, taken

PART = ["F6-F7", "G6"]
"""Uncontrolled ground, in no Block and in no setup area of the card."""


def give(cg: Any, side: str, **given: Any) -> Any:
    for fact in join_given(cg, side, Given.model_validate(given), "given"):
        assert fact.to == (side,)
        cg.state = fact.apply(cg.state)
    return cg


def of_type(cg: Any, type_: str) -> Any:
    (unit,) = (unit for unit in cg.state.units.values() if unit.type == type_)
    return unit


# Parts with hexes of their own --------------------------------------------------------------------


def test_single_units_set_up_in_their_own_hexes_alone() -> None:
    cg = ready(give(scene(), "allied", units=[{"type": "6-4-8", "setup": PART}, {"type": "9-1"}]))
    squad, leader = of_type(cg, "6-4-8"), of_type(cg, "9-1")
    setting = Setting(cg, "allied")
    assert setting.ground(squad) == {"F6", "F7", "G6"}
    assert "F6" not in setting.ground(leader)
    assert not setting.entries(squad)
    assert "F6" in setting.home
    (refusal,) = refusals(cg, "allied", row(squad, "B4"))
    assert "B4 is outside its own setup hexes, where 6-4-8" in refusal
    assert setting.allowed_hexes()[squad.id] == {"F6", "F7", "G6"}
    question = HaslSetup(setting).question()
    assert question.allows(question.default)
    assert all(question.allows(question.sample(Random(number))) for number in range(5))
    proposed = HaslSetup(setting).plan(question.default)
    assert proposed.placed[squad.id].at in {"F6", "F7", "G6"}
    assert proposed.placed[leader.id].at not in {"F7", "G6"}
    assert "F6-F7, G6" in str([sheet.rows for sheet in setup_sheets(cg, "allied")])


def test_hexes_of_their_own_are_for_the_first_setup_only() -> None:
    cg = ready(give(scene(), "allied", units=[{"type": "6-4-8", "setup": PART}]))
    squad = of_type(cg, "6-4-8")
    cg.state = cg.state.with_scenario(number=2)
    assert Setting(cg, "allied").own_hexes(squad) is None
    assert "F6" not in Setting(cg, "allied").home


def test_the_enemy_does_not_learn_of_which_part_a_unit_is() -> None:
    cg = give(scene(), "allied", units=[{"type": "6-4-8", "setup": PART}])
    revealed = UnitRevealed(unit=of_type(cg, "6-4-8").but(at="F6"), why="seen")
    assert "setup" not in revealed.body()["unit"]
    cg.state = revealed.apply(cg.state)
    assert of_type(cg, "6-4-8").setup == tuple(PART), "its owner's record keeps it"


def test_a_group_takes_its_hexes_along_and_nobody_is_asked_where_it_comes() -> None:
    cg = give(scene(), "allied", groups=[{"rg": "I1", "setup": PART, "leaders": ["9-1"]}])
    played = run(purchasing, cg, "allied", {"purchases": {"groups": []}})
    assert [question.key for question in played.asked] == ["purchases"]
    run(strength_weapons_leaders, cg, "allied", dice=[[3, 3]])
    units = [unit for unit in cg.state.units.values() if unit.group == "I1/1"]
    assert {unit.type for unit in units} >= {"6-4-8", "9-1", "LMG"}
    assert {unit.setup for unit in units} == {tuple(PART)}
    question = HaslSetup(Setting(ready(cg), "allied")).question()
    assert question.allows(question.default)


def test_a_crew_and_its_gun_are_of_one_part() -> None:
    gun = "57L AT OQF 6pdr 7cwt"
    cg = give(scene(), "allied", units=[{"type": gun, "setup": ["F6"]}, {"type": gun, "setup": ["G6"]}])
    for gun_ in (unit for unit in cg.state.units.values() if unit.kind == "gun"):
        assert cg.state.units[gun_.with_unit].setup == gun_.setup


def test_single_units_for_an_area_are_retained_there() -> None:
    cg = ready(give(scene(), "allied", units=[{"type": "6-4-8", "area": "A4"}, {"type": "9-1", "area": "W"}]))
    setting = Setting(cg, "allied")
    assert setting.entries(of_type(cg, "6-4-8")) == ("A4",)
    assert not setting.ground(of_type(cg, "6-4-8"))
    assert setting.ground(of_type(cg, "9-1")) == set(cg.state.area("allied", "W").hexes)


def test_own_hexes_are_setup_area_and_controlled() -> None:
    ob = {"units": [{"type": "9-1", "setup": ["G7"]}]}
    cg = small_cg({"sides": {"allied": {"ob": ob, "controls": ["W"]}}})
    assert "G7" in initial_control(cg, "allied")
    bare = small_cg({"sides": {"allied": {"ob": ob, "controls": [], "setup": []}}})
    assert [area.hexes for area in initial_areas(bare) if area.side == "allied"] == [("G7",)]


# Fortifications -----------------------------------------------------------------------------------


def test_fortifications_marks_and_hip_of_the_ob() -> None:
    works = [
        {"kind": "foxhole", "size": "1S", "count": 2, "setup": PART},
        {"kind": "concealment", "count": 3},
        {"kind": "hip", "size": "squad"},
    ]
    cg = ready(give(scene(), "allied", fortifications=works, units=[{"type": "6-4-8"}]))
    assert [(fort.label, fort.count) for fort in cg.state.forts.values()] == [
        ("foxhole 1S", 1),
        ("foxhole 1S", 1),
        ("concealment", 3),
        ("HIP squad", 1),
    ]
    hole = next(iter(cg.state.forts.values()))
    squad = of_type(cg, "6-4-8")
    told = refusals(cg, "allied", row(squad, "B4"), forts=[{"fort": hole.id, "at": "B5"}])
    assert "B5 is outside its own setup hexes; one of F6-F7, G6" in told[0]
    accepted = (
        HaslSetup(Setting(cg, "allied"))
        .question()
        .accept({"units": [row(squad, "B4", hide="hip")], "forts": [{"fort": hole.id, "at": "F6"}]})
    )
    assert accepted["forts"][0]["at"] == "F6"


def test_given_fortifications_count_against_no_limit_of_purchases() -> None:
    prices = [{"kind": "foxhole", "size": "1S", "cost": 2, "per_date": 1}]
    cg = scene(charts={"fortifications": prices})
    give(cg, "allied", fortifications=[{"kind": "foxhole", "size": "1S", "count": 3}], fpp=4)
    one = {"fortifications": {"works": [{"work": "foxhole 1S", "count": 1}]}}
    assert only_for(run(fortifying, cg, "allied", one), "allied")
    give(cg, "allied", fpp=2)
    with pytest.raises(DataError, match="the limit is 1"):
        run(fortifying, cg, "allied", one)


# Observers, Pre-Registered hexes ------------------------------------------------------------------


def test_an_observer_and_a_pre_registered_hex_come_with_a_module() -> None:
    cg = give(scene(), "allied", groups=[{"rg": "O1", "observer": True, "pre_registered": True}])
    module = cg.state.groups["allied", "O1/1"]
    assert (module.equipment, module.pre_registered) == ("observer", ())
    named = {"given-hexes": [{"module": "O1/1", "hex": "H3"}]}
    played = run(purchasing, cg, "allied", named)
    assert [question.key for question in played.asked] == ["given-hexes", "purchases"]
    assert only_for(played, "allied")
    assert cg.state.groups["allied", "O1/1"].pre_registered == ("H3",)
    question = played.asked[0]
    assert question.allows(question.default)
    for rows, wrong in (([], "has no Pre-Registered hex"), ([{"module": "O1/1", "hex": "ZZ1"}], "not a hex in play")):
        with pytest.raises(DataError, match=wrong):
            question.accept(rows)
    setup = HaslSetup(Setting(ready(cg), "allied")).question()
    assert setup.allows(setup.default)
    by_radio = {"module": "O1/1", "use": True, "equipment": "radio", "with": "", "way": ""}
    with pytest.raises(DataError, match="radio can't direct O1/1"):
        setup.accept({**setup.default, "modules": [by_radio]})


# Whole campaigns ----------------------------------------------------------------------------------


def more(ob: dict[str, Any], setup: list[str], unit: str) -> dict[str, Any]:
    """Return an OB with a part that has its own hexes, works, and a module with observer and hex."""
    return {
        **ob,
        "groups": [*ob.get("groups", ()), {"rg": "O1", "observer": True, "pre_registered": True}],
        "units": [*ob.get("units", ()), {"type": unit, "count": 2, "setup": setup}],
        "fortifications": [
            {"kind": "foxhole", "size": "1S", "setup": setup},
            {"kind": "concealment", "count": 2},
            {"kind": "hip", "size": "squad"},
        ],
    }


@pytest.mark.parametrize(
    ("card", "setup", "unit"), [("rijnoord", ["W18-W20"], "6-4-8"), ("kokusa-ridge", ["P9", "Q9", "P10"], "5-5-8")]
)
def test_a_campaign_with_all_of_it_goes_on(card: str, setup: list[str], unit: str) -> None:
    made = made_of(card)
    setting = deepcopy(made.setting)
    half = setting["card"]["sides"]["allied"]
    half["ob"] = more(half.get("ob", {}), setup, unit)
    store = MemoryStore()
    store.append(opening_entries(setting["card"]["ruleset"], made.title, setting, False, SEED, NOON))
    campaign = opened(store, card)
    rng = Random(1)
    asked, stood = set[str](), set[str]()
    for _ in range(120):
        if campaign.state.number > 2 or not campaign.pending():
            break
        pending = campaign.pending()[0]
        asked.add(pending.key)
        assert pending.question is not None
        assert taken(campaign, pending, pending.question.default), pending.key
        assert not list(faults(campaign))
        if pending.key == "setup" and pending.side == "allied" and not stood:
            own = (one for one in campaign.state.units.values() if one.setup and one.on_map)
            stood = {str(one.hex) for one in own}
    assert stood
    assert stood <= Hasl(setting).hexes(setup)
    assert "given-hexes" in asked
    assert campaign.state.number > 1
    assert not list(view_faults(campaign))
    assert audit(campaign).sound
    autoplay(campaign, rng)
    assert audit(campaign).sound


# The check of a card ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("      - {type: 9-1, setup: [Z99]}", "no hex Z99 on the map"),
        ("      - {type: 9-1, area: K9}", "9-1 can't be in 'K9'"),
        ("      - {type: 9-1, area: A4, setup: [B4]}", "sets up in its own hexes and comes to another place, too"),
        ("      - {type: 9-1}\n      fortifications:\n      - {kind: trensh}", "there is no fortification 'trensh'"),
        ("      - {type: 9-1}\n      fortifications:\n      - {kind: hip}", "whose HIP?"),
        (
            "      - {type: 9-1}\n      fortifications:\n      - {kind: hip, size: squad, setup: [B4]}",
            "not set up in hexes",
        ),
    ],
)
def test_what_a_card_can_have_wrong(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        loaded(tmp_path, {"card": {"      - {type: 9-1}": line}})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{rg: I1, observer: true}", "I1 is not OBA; say it with the module"),
        ("{rg: O1, setup: [B4]}", "O1 brings no units, so it comes to no place"),
        ("{rg: I1, setup: [B4], arrival: enter}", "I1 sets up in its own hexes and comes to another place, too"),
        ("{rg: I1, setup: [Z99]}", "no hex Z99 on the map"),
    ],
)
def test_what_a_group_can_have_wrong(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        loaded(tmp_path, {"card": {"{rg: I1}": line}})
