"""The Purchase Roster: sections and columns of the form, subtotals, the signs of its columns."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.campaign.sheet import Sheet
from laager.campaign.views import view
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.sheets.roster import SECTIONS, roster, section_for_question
from laager.rules.design_your_own.terms import SIDES
from laager.sheets.csv import csv_of
from laager.sheets.terminal import least_width
from tests.design_your_own.harness import by_chance, cg_of, new_purchase, published_cg, tell_values
from tests.design_your_own.test_mutations import BATTLE_GROUP


def battle_group() -> Cg:
    terms = dict(BATTLE_GROUP["terms"])
    cg = cg_of(**terms.pop("sides"), **terms)
    cg.state = cg.state.having(OrderOfBattle.model_validate(BATTLE_GROUP["ob"]))
    return cg


def sections(cg: Cg) -> dict[str, Sheet]:
    return {sheet.id: sheet for sheet in roster(cg, "axis")}


def rows(sheet: Sheet) -> list[tuple[str, ...]]:
    return list(sheet.rows)


def titles(sheet: Sheet) -> list[str]:
    return [column.title for column in sheet.columns]


def test_the_sections_of_the_form_in_order() -> None:
    cg = battle_group()
    assert list(sections(cg)) == ["points", *SECTIONS]
    assert all(sheet.side == "axis" for sheet in roster(cg, "axis"))
    assert all(sheet.title.endswith(", German") for sheet in roster(cg, "axis"))


def test_points_available() -> None:
    assert rows(sections(battle_group())["points"]) == [
        ("Allotment", "", "3000"),
        ("Infantry", "449", "2551"),
        ("SAN", "20", "2531"),
        ("Ordnance", "124", "2407"),
        ("Vehicles", "844", "1563"),
        ("OBA and Air Support", "385", "1178"),
        ("Fortifications", "120", "1058"),
        ("Second Infantry", "472", "586"),
    ]


def test_infantry() -> None:
    sheet = sections(battle_group())["infantry"]
    assert titles(sheet) == ["Class", "Type", "#", "MPV ea", "MPV", "ID", "A/B", "Equiv #"]
    assert rows(sheet) == [
        ("Elite", "4-6-8", "4", "22", "88", "A-D", "S", "(13)"),
        ("", "4-6-8", "3", "15", "45", "", "", ""),
        ("", "8-3-8", "3", "34", "102", "", "A", ""),
        ("", "2-2-8", "2", "7", "14", "", "", ""),
        ("Line", "4-6-7", "12", "12", "144", "", "", "(52)"),
        ("", "4-4-7", "22", "10", "220", "", "2", ""),
        ("", "4-6-7", "14", "12", "168", "", "2", ""),
        ("", "4-4-7", "4", "-", "-", "", "B", ""),
        ("Conscript", "4-3-6", "8", "7", "56", "", "", "(18)"),
        ("", "4-3-6", "12", "7", "84", "", "2", ""),
        ("", "4-3-6", "4", "-", "-", "", "B", ""),
        ("", "2-3-6", "1", "-", "-", "", "B", ""),
        ("TOTALS", "squads", "86½", "", "921", "", "", "(83)"),
    ]
    assert sheet.notes == (
        "22 of the 22 4-4-7 bought last enter as reinforcements",
        "2 of the 14 4-6-7 bought last enter as reinforcements",
    )


def test_guns_and_vehicles() -> None:
    found = sections(battle_group())
    assert rows(found["ordnance"]) == [
        ("75L AT PaK 40", "2", "45", "90", "A-B"),
        ("20L AA FlaK 38", "1", "34", "34", "A"),
        ("Total", "3", "", "124", ""),
    ]
    assert found["ordnance"].notes == ("Availability DR 7: RF 1.1 or less",)
    vehicles = rows(found["vehicles"])
    assert vehicles[0] == ("PzIVH", "A", "73", "9-1", "Sz", "AAMG 2", "78")
    assert vehicles[4] == ("StuG IIIG", "A", "64", "", "", "AAMG 2, CMG 3", "69")
    assert vehicles[11] == ("PzIVJ", "A", "48", "OP A", "", "", "48")
    assert vehicles[-2:] == [("motorized unit", "", "", "", "", "", "300"), ("Total", "", "", "", "", "", "844")]
    assert found["vehicles"].notes == ("Availability DR 6, motorized: RF 1.4 or less",)


def test_oba_and_the_rest() -> None:
    found = sections(battle_group())
    assert rows(found["oba"]) == [
        ("A", "100+", "OP", "P", "152", "2 x pre-registered hex 20", "172"),
        ("B", "70+", "R:B", "", "63", "", "63"),
        ("Air Support", "", "", "", "150", "bombs on a dr of 3 or less", "150"),
        ("Total", "", "", "", "", "", "385"),
    ]
    assert found["oba"].notes == ("OBA DR 12: no battery", "OBA DR 6: 150+ for 166, not bought")
    works = rows(found["fortifications"])
    assert works[2] == ("Minefield (per IFT factor)", "30", "30")
    assert works[4] == ("Pillbox 1+3+5", "1", "27")
    assert works[-1] == ("Total", "", "120")
    assert rows(found["leaders"])[:3] == [("7-0", "0 + [1]"), ("8-0", "4 + [3]"), ("8-1", "5 + [1]")]
    assert found["leaders"].notes == ("by trade: one 10-2", "Leader Exchange DR 2: 10-3 for 10-2")
    assert rows(found["sw"])[0] == ("LMG", "14 + [6]")
    assert rows(found["sw"])[-1] == ("DC", "4")


@pytest.mark.parametrize(
    ("parts", "section", "row"),
    [
        ({"vehicles": {"entries": [{"type": "PzIVH", "fittings": ["G"]}]}}, "vehicles",
         ("PzIVH", "", "0", "", "Gyro", "", "0")),
        ({"vehicles": {"entries": [{"type": "PzIVH", "disabled": ["AAMG"]}]}}, "vehicles",
         ("PzIVH", "", "0", "", "", "AAMG Disabled", "0")),
        ({"oba": [{"dr": {"final": 8}, "size": "80+", "sort": "M", "bought": True, "letter": "A",
                   "contact": "phone", "ammunition": "scarce", "bpv": 92, "total": 74}]}, "oba",
         ("A", "80+M", "P:A", "S", "74", "", "74")),
        ({"leaders": {"count": 0, "commissars": 2}}, "leaders", ("Commissar", "2")),
    ],
)  # fmt: skip
def test_signs(parts: dict[str, Any], section: str, row: tuple[str, ...]) -> None:
    cg = cg_of()
    head = {"side": "axis", "nation": "german", "allotment": 1000}
    cg.state = cg.state.having(OrderOfBattle.model_validate({**head, **parts}))
    assert rows(sections(cg)[section])[0] == row


def test_what_was_tried_stands_beneath() -> None:
    cg = cg_of()
    air = {"dr": {"final": 9}, "number": 4}
    bought = {"dr": {"final": 9}, "size": "80+", "sort": "M", "bpv": 92, "bought": True}
    leaders = {"count": 1, "held": {"8-0": 1}, "exchange": {"final": 11}}
    ob = {"side": "axis", "nation": "german", "allotment": 1000, "air": air, "oba": [bought]}
    cg.state = cg.state.having(OrderOfBattle.model_validate({**ob, "leaders": leaders}))
    found = sections(cg)
    assert found["oba"].notes == ("Air Support: DR 9 against 4, not bought",)
    assert found["leaders"].notes == ("Leader Exchange DR 11: no effect",)


def test_lines_whose_class_is_not_known_are_shown() -> None:
    cg = published_cg("german", "russian")
    entries = [{"type": "9-9-9", "number": 2, "each": 3, "total": 6}]
    ob = {"side": "axis", "nation": "german", "allotment": 1000, "infantry": entries}
    cg.state = cg.state.having(OrderOfBattle.model_validate(ob))
    assert rows(sections(cg)["infantry"])[0] == ("?", "9-9-9", "2", "3", "6", "", "", "")


def test_beside_the_questions() -> None:
    cg = battle_group()
    for key, section in {"battery": "oba", "bonus": "infantry", "armament": "vehicles"}.items():
        found = section_for_question(cg, "axis", key)
        assert found is not None
        assert found.id == section
    assert section_for_question(cg, "axis", "infantry") is None
    assert section_for_question(cg_of(), "axis", "battery") is None


@given(st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_every_roster_fits_a_terminal_and_balances(seed: int) -> None:
    campaign = new_purchase(axis={"points": 3000}, allied={"points": 1500})
    by_chance(campaign, Random(seed))
    context = campaign.context
    assert isinstance(context, Cg)
    for side in SIDES:
        made = roster(context, side)
        assert max(map(least_width, made)) <= 80
        totals = {sheet.id: sheet.rows[-1][-1] for sheet in made}
        ob = context.ob(side)
        for name in ("vehicles", "oba", "fortifications"):
            if name in totals:
                assert totals[name] == str(ob.spent[name])
        assert totals["points"] == str(ob.left)
        assert csv_of(made).count("\n") >= sum(len(sheet.rows) for sheet in made)
        assert check_ob(context, side).legal


def test_a_side_sees_its_own_roster_alone() -> None:
    campaign = new_purchase()
    answer = {"lines": [{"type": "4-6-7", "number": 5}]}
    campaign.answer("axis", "infantry", answer)
    for viewer, seen in (("axis", True), ("allied", False), ("umpire", True)):
        state = view(campaign, viewer).state
        text = str(RULESET.sheets(campaign.context, state))
        assert ("4-6-7" in text) is seen


def test_house_values_are_told_from_published_and_own_ones() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("squads", "4-4-7", "bpv", 9))
    infantry = [{"type": type_, "number": 2} for type_ in ("4-6-7", "4-4-7", "5-4-8")]
    ob = {"side": "axis", "nation": "german", "allotment": 1000, "infantry": infantry}
    guns = {"guns": [{"type": "75L AT PaK 40", "number": 1}]}
    sw = [{"type": "LMG", "number": 1}]
    cg.state = cg.state.having(OrderOfBattle.model_validate({**ob, "ordnance": guns, "sw": sw}))
    sheet = sections(cg)["values"]
    assert rows(sheet)[:4] == [
        ("4-6-7", "BPV", "published"),
        ("4-4-7", "BPV", "own"),
        ("5-4-8", "BPV", "house"),
        ("75L AT PaK 40", "BPV", "house"),
    ]
    assert rows(sheet)[4][:2] == ("LMG", "ratio")
    assert "not the published ones" in sheet.notes[0]
    assert "4-4-7,BPV,own" in csv_of([sheet])
