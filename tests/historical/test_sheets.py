"""The record sheets: what stands on them, and whose eyes they are for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from laager.campaign.sheet import Sheet
from laager.rules.board.facts import MassacreInvoked
from laager.rules.board.hasl.facts import AmmunitionChanged, ExhaustionSet, SnipersPlaced
from laager.rules.board.hasl.generic import RULESET
from laager.rules.board.hasl.sheets.record import chart_sheet, purchases_sheet
from laager.rules.board.hasl.sheets.roster import (
    about_sheet,
    all_sheets,
    areas_sheet,
    roster_sheet,
    sheets_beside,
    special_rules_sheet,
)
from laager.rules.board.hasl.state import Round, Scenario
from laager.rules.board.hasl.variant import Variant

from .records import AXIS_SECRETS, record, seen_by, told
from .small import scene, small_cg

SIDES = ("axis", "allied")


def named(found: Sequence[Sheet], name: str, side: str) -> Sheet:
    (sheet,) = (one for one in found if (one.id, one.side) == (name, side))
    return sheet


def rows(sheet: Sheet) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sheet.describe()["rows"]
    return found


def words(found: Sequence[Sheet]) -> str:
    return "\n".join(str(sheet.describe()) for sheet in found)


# The roster -------------------------------------------------------------------------------------


def test_the_roster_has_a_line_per_date_and_adds_up() -> None:
    cg = record()
    first, idle, now = rows(roster_sheet(cg, "axis"))
    assert first == {
        "CG Date": "17N", "Scenario": "Initial Scenario", "Chit": "idle", "CPP": "10",
        "Spent": "0", "Left": "10", "FPP": "0", "ELR": "3", "SAN": "3", "CVP": "9", "Total": "9",
        "Weather": "Clear, EC Moderate, wind mild, NVR 3",
    }  # fmt: skip
    assert (idle["Scenario"], idle["CVP"], idle["Total"]) == ("Idle Date", "0", "9")
    assert (now["CG Date"], now["CPP"], now["Spent"], now["Left"]) == ("18PM", "18", "13", "5")
    assert (now["FPP"], now["CVP"], now["Total"]) == ("6", "0", "9")
    assert rows(roster_sheet(cg, "allied"))[0]["Chit"] == "attack"


def test_what_is_scored_on_the_present_date_stands_in_its_line() -> None:
    cg = record()
    cg.state = cg.state.with_cvp("allied", 4, None)
    lines = rows(roster_sheet(cg, "allied"))
    assert [(line["CVP"], line["Total"]) for line in lines] == [("12", "12"), ("0", "12"), ("4", "16")]


def test_notes_tell_balances_chits_and_what_else_is_in_force() -> None:
    cg = record()
    told(
        cg,
        ExhaustionSet(side="axis", drm=1),
        SnipersPlaced(side="axis", hexes=("A1", "L4")),
        MassacreInvoked(side="axis"),
    )
    assert roster_sheet(cg, "axis").notes == (
        "CPP 5, FPP 6",
        "Chits chosen: Attack 0 of 2, Idle 1 of 3",
        "Campaign Exhaustion DRM +1",
        "Snipers in A1, L4",
        "Massacre is in force",
    )


def test_ammunition_shortage_has_a_column_where_a_side_has_levels() -> None:
    without = scene({"sides": {"allied": {"ammunition": 0}}})
    assert "Amm. Shortage" not in rows(roster_sheet(without, "allied"))[0]
    cg = record()
    told(cg, AmmunitionChanged(side="allied", by=2))
    assert [line["Amm. Shortage"] for line in rows(roster_sheet(cg, "allied"))] == ["1", "1", "3"]
    told(without, AmmunitionChanged(side="axis", by=1))
    assert rows(roster_sheet(without, "axis"))[0]["Amm. Shortage"] == "1"
    past = replace(without.state, past=(without.state.scenario,))
    without.state = past.with_side("axis", ammunition=0)
    old = replace(without.state.scenario, ammunition={"axis": 2})
    without.state = replace(without.state, past=(old,))
    assert [line["Amm. Shortage"] for line in rows(roster_sheet(without, "axis"))] == ["2", "0"]


def test_a_system_may_add_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    def cells(_self: Variant[Any], _cg: Any, side: str, scenario: Scenario) -> dict[str, str]:
        return {"Recon": f"{side} {scenario.number}"}

    monkeypatch.setattr(Variant, "roster_cells", cells)
    assert [line["Recon"] for line in rows(roster_sheet(record(), "axis"))] == ["axis 1", "axis 2", "axis 3"]


def test_chits_without_a_limit_are_only_counted() -> None:
    cg = scene({"sides": {"axis": {"chits": {"attack": None, "idle": None}}}})
    assert "Chits chosen: Attack 0, Idle 0" in roster_sheet(cg, "axis").notes


# The record -------------------------------------------------------------------------------------


def test_the_purchase_record_has_the_printed_columns() -> None:
    given, bought, module, works = rows(purchases_sheet(record(), "axis"))
    assert given == {
        "CG Date": "17N", "RG ID": "K-I1/1", "KG": "Knaust", "Group Type": "Rifle Platoon",
        "#P": "given", "#R": "", "Str": "D", "# Units": "2 x 4-6-7", "SW Received": "LMG",
        "Leaders": "8-1", "Setup Area/Entry ID": "On map NE", "Objective Hex": "", "CPP": "",
        "Notes": "",
    }  # fmt: skip
    assert (bought["#P"], bought["#R"], bought["Str"], bought["CPP"]) == ("1", "1", "F", "5")
    assert (bought["SW Received"], bought["Leaders"]) == ("LMG, MMG", "9-1")
    assert (bought["Setup Area/Entry ID"], bought["Objective Hex"]) == ("Enters G1", "C4")
    assert module["Notes"] == ("Draw Pile 8B 2R, phone, Pre-Registered B4, in play, used, placed, fired")
    assert (works["#P"], works["#R"], works["KG"]) == ("1", "", "")
    assert purchases_sheet(record(), "axis").notes == ("CPP left 5, FPP held 6",)


def test_groups_of_no_chart_stand_as_they_were_entered() -> None:
    cg = record(charts={"sides": {"axis": {"rg": None}}}, card={"sides": {"axis": {"ob": {}}}})
    line = rows(purchases_sheet(cg, "axis"))[1]
    assert (line["KG"], line["Group Type"], line["#P"], line["#R"]) == ("", "Rifle Platoon", "1", "")


def test_fortifications_have_strength_place_and_state() -> None:
    wire, mines = rows(named(all_sheets(record()), "fortifications", "axis"))
    assert (wire["Fortification"], wire["Where"], wire["State"]) == ("wire x2", "G3", "hidden")
    assert (mines["Fortification"], mines["Where"]) == ("a-p-mines 6 factors", "not placed")
    assert (wire["CG Date"], mines["State"]) == ("18PM", "on map")


def test_the_order_of_battle_goes_by_area_and_group() -> None:
    lines = rows(named(all_sheets(record()), "ob", "axis"))
    assert [(line["Area"], line["Group"], line["ID"]) for line in lines] == [
        ("NE", "K-I1/1", "AX1"),
        ("NE", "K-I1/1", "AX2"),
        ("NE", "K-I1/1", "AX3"),
        ("G1", "K-I1/2", "AX4"),
    ]
    assert (lines[1]["Markers"], lines[2]["With"], lines[3]["Where"]) == ("concealed", "AX1", "off-map")


def test_areas_the_front_line_and_entry_areas_are_listed() -> None:
    lines = rows(areas_sheet(record()))
    by_name = {(line["Side"], line["What"], line["Name"]): line["Hexes"] for line in lines}
    assert by_name["German", "Setup Area", "NE"] == "F0-F4, G1-G4, H0-H4, I1-I4, K1-K4, L0-L4"
    assert by_name["German", "Front line", ""] == "F0-F4"
    assert by_name["British", "Front line", ""] == "D0-D2, D4-D5"
    assert by_name["", "Front line road", ""] == "E1-E5"
    assert ("", "Nobody's Blocks", "SE") in by_name
    assert by_name["German", "Entry Area", "L5"] == "L5"
    assert by_name["British", "Entry Area", "A4"] == "A1-A8, B0, C1"


def test_isolated_areas_are_marked_and_listed_areas_have_no_front() -> None:
    cg = record(card={"areas": "listed"})
    cg.state = replace(cg.state, areas=tuple(area.but(isolated=area.side == "axis") for area in cg.state.areas))
    kinds = [line["What"] for line in rows(areas_sheet(cg))]
    assert kinds[:2] == ["Setup Area", "Setup Area, Isolated"]
    assert "Front line" not in kinds


# Secrets ----------------------------------------------------------------------------------------


def test_the_enemy_sees_no_record_and_is_told_that_it_is_secret() -> None:
    found = all_sheets(seen_by(record(), "allied"))
    assert [(one.id, one.side) for one in found] == [
        ("roster", "axis"), ("roster", "allied"), ("ob", "axis"), ("purchases", "allied"),
        ("fortifications", "allied"), ("ob", "allied"), ("areas", ""), ("rules", ""), ("about", ""),
    ]  # fmt: skip
    enemy = named(found, "roster", "axis")
    assert {rows(enemy)[2][name] for name in ("CPP", "Spent", "Left", "FPP")} == {"secret"}
    assert enemy.notes[0] == "CPP, FPP, purchases and fortifications: secret"
    assert named(found, "ob", "axis").rows == ()
    text = words(found)
    assert not [word for word in AXIS_SECRETS if word in text]


def test_a_side_sees_known_units_of_the_enemy_alone() -> None:
    found = all_sheets(seen_by(record(), "axis"))
    assert [line["ID"] for line in rows(named(found, "ob", "allied"))] == ["AL2"]
    assert "K-I1/2" in words(found)


# Beside questions -------------------------------------------------------------------------------


def test_the_chart_tells_prices_and_why_not() -> None:
    cg = record()
    sheet = chart_sheet(cg, "axis")
    lines = {line["RG"]: line for line in rows(sheet)}
    assert lines["K-I1"]["CPP"] == "enters 5, on map 5"
    assert lines["K-I1"]["Full / Depleted"] == "3 x 4-6-7 / 2 x 4-6-7"
    assert lines["K-I1"]["SW"] == "LMG, MMG (3)"
    assert (lines["K-I1"]["Bought"], lines["K-I1"]["Left"]) == ("1", "1")
    assert lines["K-A3"]["Not because"] == "it costs 7 CPP, and you have 5 left"
    assert lines["K-A3"]["CPP"] == "(enters 7), (on map 7)"
    assert lines["O1"]["Full / Depleted"] == "80+mm 8B 2R"
    assert (lines["S1"]["Full / Depleted"], lines["F1"]["Full / Depleted"]) == ("SAN +1", "12 FPP")
    assert sheet.notes == ("CPP to spend: 5",)


def test_of_some_ways_only_the_reasons_of_those_that_are_barred_are_told() -> None:
    cg = record()
    cg.state = replace(cg.state, areas=tuple(area.but(isolated=area.side == "axis") for area in cg.state.areas))
    line = {line["RG"]: line for line in rows(chart_sheet(cg, "axis"))}["K-I1"]
    assert line["CPP"] == "enters 5, (on map 5)"
    assert line["Not because"].startswith("you have no Setup Area")


def test_without_a_chart_the_players_are_told_to_enter_what_they_buy() -> None:
    cg = scene({"sides": {"axis": {"ob": {}}}}, {"sides": {"axis": {"rg": None}}})
    sheet = chart_sheet(cg, "axis")
    assert sheet.rows == ()
    assert sheet.notes[1] == "the RG chart is not filled in: enter what you buy by the module's own"


@pytest.mark.parametrize(
    ("key", "ids"),
    [
        ("purchases", ["chart", "purchases"]),
        ("given-groups", ["areas", "purchases"]),
        ("received", ["purchases"]),
        ("fortifications", ["fortifications"]),
        ("setup", ["rules", "areas", "ob"]),
        ("play", ["rules"]),
        ("scenario-report", ["areas", "ob"]),
        ("shift", ["areas", "ob"]),
        ("chit", ["roster", "areas"]),
        ("block-control", ["areas"]),
        ("agreements", ["about"]),
        ("weather", []),
    ],
)
@pytest.mark.parametrize("side", SIDES)
def test_what_lies_beside_a_question(key: str, ids: list[str], side: str) -> None:
    cg = record()
    assert [sheet.id for sheet in RULESET.sheets_beside(cg, cg.state, key, side)] == ids
    assert {one.side for one in sheets_beside(cg, key, side)} <= {side, ""}


# The card -----------------------------------------------------------------------------------------


def test_special_rules_of_the_card_the_date_and_the_first_scenario() -> None:
    cg = scene({"rules": ["It is hot."], "initial": {"rules": ["No OBA."]}})
    assert special_rules_sheet(cg).rows == (
        ("Rule 1", "It is hot."),
        ("Initial Scenario 1", "No OBA."),
        ("Game End", "circled numbers (turn 5: 2, turn 6: 3, turn 7: 4, turn 8: 5, turn 9: 6)"),
    )
    later = record(charts={"circled": None})
    told(later)
    later.state = replace(
        later.state,
        round=Round.REFIT,
        scenario=replace(later.state.scenario, sets_up_first="axis", moves_first="allied"),
    )
    assert special_rules_sheet(later).rows == (
        ("Game End", "as the players look it up"),
        ("Sets up first", "German"),
        ("Moves first", "British"),
    )


def test_the_story_of_the_card_with_what_it_is_fought_for() -> None:
    found = {row[0]: row[1] for row in about_sheet(small_cg()).rows}
    assert found["At the end"].startswith("British: Controls two Blocks")
    assert found["Otherwise"] == "German wins"
    assert found["Charts"] == "Charts for tests; own: made for tests"
    sudden = {"side": "axis", "text": "All Blocks", "controls": ["W", "NE", "SE"]}
    open_end = small_cg({"victory": {"sudden": [sudden], "otherwise": None}})
    drawn = {row[0]: row[1] for row in about_sheet(open_end).rows}
    assert drawn["At once"] == "German: All Blocks"
    assert "Otherwise" not in drawn


def test_the_headline_follows_the_campaign() -> None:
    cg = record()
    head = RULESET.headline(cg, replace(cg.state, round=Round.REFIT))
    assert head[0] == "CG Date 18PM, 3 of 4"
    assert "German (axis): CVP 9 amassed, ELR 3, SAN 3" in head
    assert RULESET.headline(cg, cg.state)[-1] == "the campaign has not begun yet"
    over = replace(cg.state, round=Round.OVER, winner="axis", ending="two Blocks")
    assert RULESET.headline(cg, over) == ("The campaign is over, won by the Germans. two Blocks.",)
    drawn = replace(over, winner="")
    assert "nobody has won" in RULESET.headline(cg, drawn)[0]


def test_a_name_with_a_full_stop_ends_in_one() -> None:
    cg = scene({"sides": {"allied": {"name": "U.S."}}})
    over = replace(cg.state, round=Round.OVER, winner="allied", ending="CG End: six Areas")
    told = "The campaign is over, won by the U.S. CG End: six Areas."
    assert RULESET.headline(cg, over) == (told,)
