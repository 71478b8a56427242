"""The record sheets and the map: what stands on them, and whose eyes they are for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from laager.campaign.sheet import Sheet
from laager.campaign.speech import say
from laager.rules.board.facts import FortJoined, UnitJoined, UnitRevealed
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import GroupJoined
from laager.rules.platoon_leader.ruleset import RULESET
from laager.rules.platoon_leader.sheets.roster import about, chart, sheets, special_rules
from laager.rules.platoon_leader.sheets.view import describe, layers
from laager.rules.platoon_leader.state import Fight, Group, PlState, Round, Type
from tests.platoon_leader.scene import draw, scene
from tests.platoon_leader.small import small_cg


def table(cg: Cg) -> Cg:
    """A campaign in its second firefight, as the umpire sees it."""
    first = replace(
        cg.state.fight,
        weather="clear",
        winner="axis",
        elr={"axis": 3, "allied": 3},
        san={"axis": 3, "allied": 5},
        cvp={"axis": 25, "allied": 15},
        tvp={"axis": 4, "allied": 6},
    )
    cg.state = replace(cg.state, past=(first,), fight=Fight(number=2))
    group = Group(id="I1/1", side="axis", rg="I1", firefight=1, setup=Setup.RESERVE, cost=3, dummies=1)
    cg.state = GroupJoined(group=group).apply(cg.state)
    given = Group(id="O1/1", side="axis", rg="O1", firefight=1, setup=Setup.OFF_MAP, cost=0, given=True)
    kept = given.but(ammunition="plentiful", equipment="radio", used=True, may_set_up=True)
    cg.state = GroupJoined(group=kept).apply(cg.state)
    for number, (type_, kind, group_id) in enumerate(
        [("4-6-7", "squad", "I1/1"), ("4-6-7", "squad", "I1/1"), ("9-1", "leader", "I1/1")]
    ):
        unit = Unit(
            id=f"AX{number + 1}", side="axis", nation="german", type=type_, kind=kind,
            group=group_id, at="C4", place=Place.MAP, marks=frozenset({Mark.CONCEALED}),
        )  # fmt: skip
        cg.state = UnitJoined(unit=unit).apply(cg.state)
    fort = Fort(id="AXF1", side="axis", kind="a-p-mines", factors=6, fp=12, at="C5")
    cg.state = FortJoined(fort=fort).apply(cg.state)
    more = Fort(id="AXF2", side="axis", kind="foxhole", size="2", count=2, hidden=False)
    cg.state = FortJoined(fort=more).apply(cg.state)
    draw(cg)
    return cg


def named(found: tuple[Sheet, ...], name: str, side: str) -> Sheet:
    (sheet,) = (one for one in found if (one.id, one.side) == (name, side))
    return sheet


def cells(sheet: Sheet, row: int = 0) -> dict[str, Any]:
    rows: list[dict[str, Any]] = sheet.describe()["rows"]
    return rows[row]


def test_the_roster_has_a_line_per_firefight_and_adds_up() -> None:
    cg = table(scene())
    cg.state = cg.state.with_side("axis", cvp=3)
    roster = named(sheets(cg), "roster", "axis")
    first, second = cells(roster), cells(roster, 1)
    assert (first["Type"], first["Attack"], first["ELR"], first["SAN"]) == ("Assault by the Germans", "yes", "3", "3")
    assert (first["CVP"], first["TVP"], first["Won"], first["Weather"]) == ("25", "4", "won", "clear")
    assert (second["CVP"], second["CVP total"], second["TVP total"]) == ("3", "28", "4")
    assert "CP 22, FP 0" in roster.notes[0]
    assert roster.notes[1].startswith("MLR A:")
    lost = cells(named(sheets(cg), "roster", "allied"))
    assert (lost["Attack"], lost["Won"]) == ("no", "lost")


def test_the_purchase_record_lists_groups_units_and_oba() -> None:
    record = named(sheets(table(scene())), "purchases", "axis")
    assert cells(record) == {
        "ID": "I1/1", "FF": "1", "Description": "Rifle platoon", "Setup": "In Reserve", "CP": "3",
        "Units now": "2 x 4-6-7", "Leaders": "9-1", "OBA / notes": "1 Dummy Cloaking",
    }  # fmt: skip
    oba = cells(record, 1)
    assert (oba["Setup"], oba["CP"]) == ("given", "")
    assert oba["OBA / notes"] == "plentiful, radio, used, can set up on map"


def test_fortifications_have_strength_place_and_state() -> None:
    forts = named(sheets(table(scene())), "fortifications", "axis")
    assert cells(forts)["Fortification"] == "a-p-mines 6 factors"
    assert (cells(forts)["Where"], cells(forts)["State"]) == ("C5", "hidden")
    second = cells(forts, 1)
    assert (second["Fortification"], second["Where"]) == ("foxhole 2 x2", "not placed")
    assert second["State"] == "on map"


def seen_by(cg: Cg, viewer: str) -> Cg:
    """The same campaign for a viewer who knows nothing of the enemy but one revealed unit."""
    state = PlState.empty(viewer)
    state = replace(state, fight=cg.state.fight, past=cg.state.past, line=cg.state.line)
    known = cg.state.units["AX1"]
    return cg.with_state(UnitRevealed(unit=known).apply(state))


def test_the_enemy_gets_no_record_and_no_balance() -> None:
    cg = table(scene())
    enemy = seen_by(cg, "allied")
    found = sheets(enemy)
    assert not [one for one in found if one.side == "axis" and one.id in {"purchases", "fortifications"}]
    assert named(found, "roster", "axis").notes == ("CP, FP and Patrols: secret",)
    (row,) = named(found, "ob", "axis").rows
    assert row[0] == "AX1"
    plain = describe(enemy.state)
    assert "cp" not in plain["sides"]["axis"]
    assert "cp" in plain["sides"]["allied"]
    assert list(plain["units"]) == ["AX1"]


def test_the_chart_tells_costs_and_why_not() -> None:
    cg = small_cg()
    cg.state = cg.state.with_side("axis", cp=5, san=3)
    sheet = chart(cg, "axis")
    rows = {row["RG"]: row for row in sheet.describe()["rows"]}
    assert (rows["I1"]["Off map"], rows["I1"]["On Map"], rows["I1"]["Reserve"]) == ("4", "5", "3")
    assert rows["O1"]["On Map"] == "–"
    assert rows["A1"]["Off map"] == "(9)"
    assert "5" in rows["A1"]["Not because"]
    assert sheet.notes[0] == "CP to spend: 5; Attack Option 3 CP; Patrol 1 CP"


def test_special_rules_and_the_story_of_the_card_are_shown() -> None:
    night = {"base_nvr": 2, "moon": "none", "note": "Mist."}
    slot = {
        "date": "1942-07-12", "time": "night", "game_end": {6: 2}, "night": night,
        "rules": ["No tanks."],
    }  # fmt: skip
    initial = [{"side": "axis", "text": "Take C8", "controls": ["C8"]}]
    cg = small_cg(
        firefights=[slot],
        rules=["It is hot."],
        objectives={"initial": initial, "campaign": {"points": "tvp", "text": "More TVP."}},
    )
    assert special_rules(cg).rows == (
        ("SR 1", "It is hot."),
        ("FSR 1", "No tanks."),
        ("Night", "Base NVR 2, no moon. Mist."),
        ("Game End", "dr at most (turn 6: 2)"),
    )
    told = {row[0]: row[1] for row in about(cg).rows}
    assert told["First firefight"] == "Germans: Take C8"
    assert told["Source"].startswith("house: ")


@pytest.mark.parametrize(
    ("key", "ids"),
    [
        ("purchases", ["chart", "purchases"]),
        ("fortifications", ["fortifications"]),
        ("setup", ["rules", "ob"]),
        ("play-status", ["rules"]),
        ("battle-report", ["ob"]),
        ("agreements", ["about"]),
        ("weather", []),
    ],
)
def test_what_lies_beside_a_question(key: str, ids: list[str]) -> None:
    cg = table(scene())
    assert [sheet.id for sheet in RULESET.sheets_beside(cg, cg.state, key, "axis")] == ids


def test_the_headline_follows_the_campaign() -> None:
    cg = table(scene())
    begun = replace(cg.state, done=("beginning",), round=Round.NEW)
    assert RULESET.headline(cg, begun)[0] == "Firefight 2 of 3: 1942-07-12 afternoon"
    fresh = replace(cg.state, done=(), round=Round.INITIAL)
    assert RULESET.headline(cg, fresh)[-1] == "the campaign has not begun yet"
    typed = replace(begun, fight=Fight(number=2, type=Type.DUAL_ATTACK))
    assert "Dual Attack; weather: not yet known" in RULESET.headline(cg, typed)
    over = replace(begun, round=Round.OVER, winner="axis", ending="TVP: 9 to 3")
    assert RULESET.headline(cg, over) == ("The campaign is over, won by the Germans. TVP: 9 to 3.",)
    counted = replace(over, ending="TVP: Axis 3, Allied 45; a tie goes to Germans")
    told = "The campaign is over, won by the Germans. TVP: Germans 3, Soviets 45; a tie goes to Germans."
    assert RULESET.headline(cg, counted) == (told,)
    assert "TVP: Deutsche 3, Sowjets 45" in say(told, "de")
    drawn = replace(over, winner="")
    assert "nobody has won" in RULESET.headline(cg, drawn)[0]


def test_the_map_shows_what_the_viewer_knows() -> None:
    cg = table(scene())
    mine = layers(cg.with_state(replace(cg.state, viewer="axis")))
    assert {(mark.hex, mark.label, mark.count, mark.own) for mark in mine.units} == {
        ("C4", "4-6-7", 2, True),
        ("C4", "9-1", 1, True),
    }
    assert mine.tvp["C4"] == 2
    enemy = layers(seen_by(cg, "allied"))
    # Under a "?" the enemy sees no type.
    assert [(mark.label, mark.concealed, mark.own) for mark in enemy.units] == [("", True, False)]
    assert enemy.front is not None


def test_conceding_and_agreeing_on_a_draw() -> None:
    cg = table(scene())
    assert RULESET.concession_fact("axis").apply(cg.state).winner == "allied"
    assert RULESET.concession_fact(None).apply(cg.state).winner == ""


def test_steps_without_reminders_have_no_moment() -> None:
    assert RULESET.moment("buying") == "purchase"
    assert RULESET.moment("elr-change") == ""
