"""Several nations in one order of battle (DYO H1.2, H1.14)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from laager.base import DataError
from laager.catalogue.dyo import catalogue_data, from_data, load_dyo
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import LoadedTerms, load_terms, shipped_terms
from laager.rules.design_your_own.ob import InfantryEntry, Vehicles
from laager.rules.design_your_own.sheets.roster import roster
from laager.rules.design_your_own.steps.bonus import announcing, bonus_squads
from laager.rules.design_your_own.steps.fittings import armor_leaders
from laager.rules.design_your_own.steps.infantry import infantry
from laager.rules.design_your_own.steps.leaders import equivalents, leader_exchange, leaders
from laager.rules.design_your_own.steps.support import support_weapons
from laager.rules.design_your_own.steps.vehicles import vehicles
from tests.design_your_own.harness import by_chance, ob_of, play, proven, purchase_of, tell_values
from tests.steps import refusals

# A nation of the tests' own: the other side's German values under another name and group.
ALLY = "romanian"


@pytest.fixture(name="path")
def terms_file(tmp_path: Path) -> Path:
    """Terms of the shipped example with a contingent on the Axis side."""
    ally = catalogue_data(load_dyo("german", set="house"))[0]
    ally |= {"nation": ALLY, "name": "Romanian", "group": "axis-minor", "source": "test"}
    rows = dict.fromkeys(("elr_row", "armor_leader_row", "air_row"), "axis-minor")
    ally["capabilities"] |= {"lg": 5, "column": "general", **rows}
    for squad in ally["squads"]:
        squad["bpv"] = squad.get("bpv") or 3
    (tmp_path / "ally.yaml").write_text(yaml.safe_dump(ally))
    terms = yaml.safe_load(shipped_terms()["vistula"].read_text())
    terms["own"] = ["ally.yaml"]
    terms["sides"]["axis"]["contingents"] = [{"nation": ALLY}]
    return written(tmp_path / "terms.yaml", terms)


def written(path: Path, terms: dict[str, Any]) -> Path:
    path.write_text(yaml.safe_dump(terms))
    return path


def changed(path: Path, **side: Any) -> Path:
    terms = yaml.safe_load(path.read_text())
    terms["sides"]["axis"] |= side
    return written(path, terms)


def cg_of(path: Path, **readings: str) -> Cg:
    loaded: LoadedTerms = load_terms(path)
    terms = loaded.terms.model_copy(update={"readings": readings})
    return Cg.of(terms, from_data(catalogue_data(loaded.catalogue)))


def line(type_: str, number: int, **more: Any) -> InfantryEntry:
    return InfantryEntry(type=type_, number=number, each=1, total=number, **more)


def row(type_: str, number: int, *marks: str) -> dict[str, Any]:
    names = ("engineers", "sappers", "commandos", "parachutes")
    return {"type": type_, "number": number, **{name: name in marks for name in names}}


def holding(cg: Cg, *lines: InfantryEntry) -> Cg:
    cg.state = cg.state.with_ob("axis", infantry=lines)
    return cg


# Terms ------------------------------------------------------------------------------------------


def test_a_contingent_has_the_elr_of_its_own_nation(path: Path) -> None:
    loaded = load_terms(path).terms
    assert loaded.side("axis").elr == 3
    assert loaded.side("axis").allied_elr == {ALLY: 1}
    assert loaded.nations == ("german", ALLY, "russian")
    agreed = load_terms(changed(path, contingents=[{"nation": ALLY, "elr": 4}])).terms
    assert agreed.side("axis").allied_elr == {ALLY: 4}


@pytest.mark.parametrize(
    ("contingents", "named"),
    [
        ([{"nation": "german"}], "german is named twice on one side"),
        ([{"nation": ALLY}, {"nation": ALLY}], f"{ALLY} is named twice on one side"),
        ([{"nation": "martian"}], "no values ship for 'martian'"),
        ([{"nation": ALLY, "elr": 6}], "elr"),
    ],
)
def test_contingents_that_cannot_be(path: Path, contingents: list[Any], named: str) -> None:
    with pytest.raises(DataError, match=named):
        load_terms(changed(path, contingents=contingents))


def test_an_elr_that_no_chart_has_is_told_of_the_contingent(path: Path) -> None:
    terms = yaml.safe_load(path.read_text())
    terms["date"] = "1939-05"
    terms["sides"]["axis"]["elr"] = terms["sides"]["allied"]["elr"] = 3
    with pytest.raises(DataError) as caught:
        load_terms(written(path, terms))
    assert "contingents[1]" in str(caught.value)


# Steps ------------------------------------------------------------------------------------------


def test_pieces_of_both_nations_are_on_offer_and_priced(path: Path) -> None:
    cg = cg_of(path)
    played = play(infantry, cg, "axis", {"infantry": {"lines": [row("4-6-7", 3), row(f"4-6-7 ({ALLY})", 2)]}})
    assert [(e.type, e.number) for e in cg.ob("axis").infantry] == [("4-6-7", 3), (f"4-6-7 ({ALLY})", 2)]
    own, ally = cg.ob("axis").infantry
    assert own.each == ally.each > 0
    # Only squads of the side's own nation can be Commandos (DYO H1.24).
    question = played.question("infantry")
    wanted = {"lines": [row(f"4-6-8 ({ALLY})", 1, "commandos")]}
    assert any("another nation" in said for said in refusals(question, wanted))
    assert not refusals(question, {"lines": [row("4-6-8", 1, "commandos")]})


def test_missing_values_of_a_contingent_are_told_of_it(path: Path) -> None:
    cg = cg_of(path)
    own = next(value for value in cg.nation("axis").squads(cg.month) if value.type == "4-6-7")
    tell_values(cg, "axis", ("squads", "4-6-7", "bpv", 99))
    given = cg.state.given["axis"][0].model_copy(update={"nation": ALLY, "value": 77})
    cg.state = cg.with_state(cg.state).state.__class__(
        **{**cg.state.__dict__, "given": {"axis": (*cg.state.given["axis"], given)}}
    )
    assert own.bpv not in (77, 99)
    assert cg.nation("axis").mmc("4-6-7").bpv == 99
    assert cg.nation("axis").mmc(f"4-6-7 ({ALLY})").bpv == 77
    assert {gap.nation for gap in cg.gaps("axis")} <= {"", ALLY}


def test_equivalents_leaders_and_sw_are_of_each_nation(path: Path) -> None:
    cg = holding(cg_of(path), line("4-6-7", 8), line(f"4-6-7 ({ALLY})", 10))
    play(equivalents, cg, "axis")
    assert sum(cg.ob("axis").equivalents.values()) == 18
    played = play(leaders, cg, "axis")
    assert played.keys.count("leaders") == 1
    assert f"leaders-{ALLY}" in played.keys
    ob = cg.ob("axis")
    # 8 by the German LG factor of 4, 10 by the contingent's 5.
    assert (ob.leaders.count, ob.allied_leaders[ALLY].count) == (2, 2)  # type: ignore[union-attr]
    assert {name for name in ob.all_leaders if ALLY in name}
    play(support_weapons, cg, "axis")
    numbers = {sw.type: sw.number for sw in cg.ob("axis").sw}
    alone = holding(cg_of(path), line(f"4-6-7 ({ALLY})", 10))
    play(support_weapons, alone, "axis")
    assert {k: n for k, n in numbers.items() if ALLY in k} == {sw.type: sw.number for sw in alone.ob("axis").sw}
    assert any(ALLY not in name for name in numbers)


def test_elite_squads_of_two_nations_are_rounded_apart(path: Path) -> None:
    cg = holding(cg_of(path), line("4-6-8", 2), line(f"4-6-8 ({ALLY})", 1))
    play(equivalents, cg, "axis")
    # 2 x 4/3 = 2 and 1 x 4/3 = 1, where 3 x 4/3 would be 4.
    assert cg.ob("axis").equivalents["elite"] == 3


def test_one_exchange_dr_for_the_nation_of_choice(path: Path) -> None:
    cg = holding(cg_of(path), line("4-6-7", 8), line(f"4-6-7 ({ALLY})", 10))
    play(equivalents, cg, "axis")
    play(leaders, cg, "axis")
    answers = {"leader-exchange-nation": ALLY, "leader-exchange-dr": True}
    played = play(leader_exchange, cg, "axis", answers, [(1, 1)])
    assert len(played.rolls) == 1
    ob = cg.ob("axis")
    assert ob.leaders is not None
    assert ob.leaders.exchange is None
    assert ob.allied_leaders[ALLY].gained == "10-3"
    assert not [str(found) for found in check_ob(cg, "axis").broken if "H1.8" in str(found)]
    # A second DR for the other nation is one too many.
    twice = ob.leaders.model_copy(update={"exchange": ob.allied_leaders[ALLY].exchange})
    cg.state = cg.state.with_ob("axis", leaders=twice)
    assert any("a side makes one" in str(found) for found in check_ob(cg, "axis").broken)


def test_most_squads_announce_the_elr_of_their_nation(path: Path) -> None:
    cg = holding(cg_of(path), line("4-6-7", 3), line(f"4-6-7 ({ALLY})", 4))
    play(announcing, cg, None)
    assert cg.state.announced["axis"] == 1
    cg = holding(cg_of(path), line("4-6-7", 4), line(f"4-6-7 ({ALLY})", 3))
    play(announcing, cg, None)
    assert cg.state.announced["axis"] == 3


@pytest.mark.parametrize(("reading", "both"), [("nation", False), ("side", True)])
def test_bonus_squads_of_which_nation(path: Path, reading: str, both: bool) -> None:
    cg = holding(cg_of(path, **{"contingent-bonus": reading}), line(f"4-6-7 ({ALLY})", 60))
    cg.state = cg.state.with_ob("allied", infantry=(line("4-4-7", 30),))
    play(announcing, cg, None)
    question = play(bonus_squads, cg, "axis").question("bonus")
    told = refusals(question, [{"type": "4-6-7", "squads": 1, "half_squads": 0}])
    assert bool(told) is not both
    offered = question.form.row.fields[0].form.options  # type: ignore[attr-defined]
    assert {ALLY in option.value for option in offered} == ({True, False} if both else {True})


def test_three_afv_of_one_nation_share_an_armor_leader(path: Path) -> None:
    cg = cg_of(path)
    listed = [
        one.type
        for one in cg.nation("axis").vehicles(cg.month)
        if one.afv is True and isinstance(one.bpv, int) and ALLY not in one.type
    ]
    entries = [{"type": type_, "id": id_} for type_ in (listed[0], f"{listed[0]} ({ALLY})") for id_ in ("A", "B", "C")]
    mixed = [f"{one['type']}:{one['id']}" for one in entries]
    cg.state = cg.state.with_ob("axis", vehicles=Vehicles.model_validate({"entries": entries}))
    played = play(armor_leaders, cg, "axis", dice=[(6, 6), (6, 6)])
    # Germans of 1944 have -1, the Axis Minor none.
    drm = [sum(modifier.value for modifier in roll.modifiers) for roll, _ in played.rolls]
    assert drm == [-1, 0]
    trio = {"vehicles": [*mixed[:2], mixed[3]], "dr": {"final": 11}}
    known = cg.ob("axis").vehicles.model_dump() | {"trios": [trio]}
    cg.state = cg.state.with_ob("axis", vehicles=Vehicles.model_validate(known))
    told = [str(found) for found in check_ob(cg, "axis").broken]
    assert any("three of one nation" in one for one in told)


def test_vehicles_of_a_contingent_can_be_bought(path: Path) -> None:
    cg = cg_of(path)
    played = play(vehicles, cg, "axis", {"vehicles-dr": {"roll": True, "motorized": False}}, dice=[(1, 1)])
    labels = str(played.question("vehicles").form)
    assert f"({ALLY})" in labels


# Whole purchases --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (2, 3))])
def test_whole_purchases_with_a_contingent_are_proven_and_check(path: Path, seed: int) -> None:
    campaign = purchase_of(path)
    by_chance(campaign, Random(seed))
    assert campaign.state.over
    proven(campaign)
    cg = Cg(campaign.opening)
    cg.state = campaign.state
    verdict = check_ob(cg, "axis")
    assert [str(found) for found in verdict.broken] == []
    assert roster(cg, "axis")
    assert ob_of(campaign, "axis").nation == "german"


def test_check_knows_no_leaders_of_strangers(path: Path) -> None:
    cg = holding(cg_of(path), line("4-6-7", 8))
    play(equivalents, cg, "axis")
    play(leaders, cg, "axis")
    own = cg.ob("axis").leaders
    cg.state = cg.state.with_ob("axis", allied_leaders={"finnish": own})
    assert any("finnish is not a contingent" in str(one) for one in check_ob(cg, "axis").broken)
