"""The calendar (9.2 CG Date), who begins (9.5a), Balance (9.31), reminders and sheets."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.state import evolve
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.card import BRITISH_BALANCE, GERMAN_BALANCE, date_problems, order_doubts
from laager.rules.bridge_too_far.facts import VehicleRecorded, WalkingWoundedBoxed
from laager.rules.bridge_too_far.reminders import in_force, of_side, twilight
from laager.rules.bridge_too_far.ruleset import RULESET
from laager.rules.bridge_too_far.sheets import divider_sheet, front_line_sheet
from tests.bridge_too_far.scene import add, apply, at_date, chits, scene


def days(*parts: tuple[str, int]) -> dict[str, Any]:
    return {"dates": [{"id": f"{day}{part}", "day": f"1944-09-{day}", "part": part} for part, day in parts]}


def test_dates_of_the_worked_example_are_in_order() -> None:
    cg = scene()
    assert list(date_problems(cg.card)) == []
    assert list(order_doubts(cg.card)) == []
    assert cg.calendar[1] == (1,)
    assert cg.calendar[4] == (2, 3, 4, 5)


def test_four_parts_a_day_each_once() -> None:
    full = scene(days(("AM", 18), ("PM", 18), ("Eve", 18), ("N", 18), ("AM", 19)))
    assert list(date_problems(full.card)) == []
    cg = scene(days(("PM", 18), ("AM", 18), ("N", 18), ("Eve", 18), ("Day", 19)))
    problems = [(problem.field, problem.what) for problem in date_problems(cg.card)]
    assert problems == [
        ("dates[5].part", "19Day has the part 'Day'"),
        ("dates[2].part", "18AM comes after 18PM of the same day"),
        ("dates[4].part", "18Eve comes after 18N of the same day"),
    ]


def test_no_part_of_a_day_comes_twice() -> None:
    dates = days(("AM", 18), ("AM", 18))
    dates["dates"][1]["id"] = "18AM again"
    told = [problem.what for problem in date_problems(scene(dates).card)]
    assert told == ["18AM again comes after 18AM of the same day"]


def test_another_order_of_the_initial_scenario_is_doubtful() -> None:
    cg = scene({"initial": {"moves_first": "axis", "sets_up_first": "allied"}})
    assert [problem.field for problem in order_doubts(cg.card)] == ["initial.moves_first", "initial.sets_up_first"]


def test_balance_of_the_rules() -> None:
    assert scene().card.balance == (GERMAN_BALANCE, BRITISH_BALANCE)
    own = {"balance": [{"id": "mine", "side": "axis", "text": "German ELR +1", "elr": 1}]}
    assert [one.id for one in scene(own).card.balance] == ["mine", "british"]
    both = {"balance": [*own["balance"], {"id": "x", "side": "allied", "text": "y"}]}
    assert [one.id for one in scene(both).card.balance] == ["mine", "x"]


@pytest.mark.parametrize(
    ("date", "told"),
    [
        ("17N", []),
        ("18AM", ["LV Hindrance +1 to all attacks but CC in Game Turns 1 to 3"]),
        ("18PM", []),
        ("18Eve", ["LV Hindrance +1 to all attacks but CC in Game Turns 4 to 7"]),
    ],
)
def test_dawn_and_dusk(date: str, told: list[str]) -> None:
    assert [one.text for one in twilight(at_date(scene(), date))] == told


def test_reminders_of_18am() -> None:
    cg = chits(at_date(scene(), "18AM"), "attack", "idle")
    cg.state = evolve(cg.state.with_side("allied", ammunition=2), agreed={"balance": ["british"]})
    told = {one.clause: one.text for one in in_force(cg)}
    assert list(told) == [
        "ABtF CG20", "ABtF CG4", "ABtF CG17", "ABtF 9.31", "ABtF CG8", "ABtF CG13", "ABtF CG9",
    ]  # fmt: skip
    assert "circled: turn 5: 2, turn 6: 3" in told["ABtF CG4"]
    assert "B10 becomes 9" in told["ABtF CG17"]
    assert told["ABtF 9.31"] == BRITISH_BALANCE.text
    assert "12 hexes apart" in told["ABtF CG8"]
    assert told["ABtF CG13"].endswith("for the campaign, unless dm")
    one = scene(readings={"trench-counters": "scenario"})
    assert "ABtF CG13: units beneath a Trench stay there for the scenario, unless dm" in [
        f"{each.clause}: {each.text}" for each in in_force(one)
    ]
    night = {one.clause: one.text for one in in_force(scene(charts={"circled": None}))}
    assert night["ABtF CG4"].endswith("of turn 5 on, +2 at night")


@pytest.mark.parametrize(("reading", "least"), [("12", 12), ("13", 13)])
def test_distance_of_snipers(reading: str, least: int) -> None:
    cg = scene(readings={"sniper-distance": reading})
    assert cg.variant.sniper_range(cg) == least
    assert cg.variant.sniper_count == 2


@pytest.mark.parametrize(("reading", "lost"), [("lost", True), ("kept", False)])
def test_fpp_left_over(reading: str, lost: bool) -> None:
    cg = scene(readings={"unspent-fpp": reading})
    assert cg.variant.loses_unspent_fpp(cg) is lost


@pytest.mark.parametrize(("reading", "counts"), [("uncounted", False), ("counted", True)])
def test_assumed_chits(reading: str, counts: bool) -> None:
    cg = scene(readings={"assumed-chits": reading})
    assert cg.variant.assumed_chits_count(cg) is counts


def test_wrecks_in_blazes() -> None:
    cg = scene()
    house, street = (add(cg, "axis", "PzIVH", "afv", at) for at in ("I2", "G2"))
    assert not cg.variant.burns_out(cg, house)
    assert cg.variant.burns_out(cg, street)
    assert not cg.variant.burns_out(cg, add(cg, "axis", "PzIVH", "afv"))


def test_sheets_show_a_side_its_own() -> None:
    cg = at_date(scene(), "18AM")
    squad = add(cg, "allied", "6-4-8", "squad", None, area="W")
    tank = add(cg, "axis", "PzIVH", "afv")
    apply(
        cg, WalkingWoundedBoxed(lost={"6-4-8": 1, "2-4-8": 1}), VehicleRecorded(unit=tank.id, about="status", text="BU")
    )
    assert [s.id for s in RULESET.own_sheets(cg) if s.rows] == ["divider", "front-line", "vehicle-notes"]
    everything = str(RULESET.rules_now(cg)[0].rows) + str(divider_sheet(cg).rows)
    assert f"still off the map: 6-4-8 ({squad.id})" in everything
    assert "1.5 squad-equivalents" in divider_sheet(cg).notes[0]
    boxes = {row[0]: row[1] for row in divider_sheet(cg).rows}
    assert boxes["British, Retained in W"] == f"6-4-8 ({squad.id})"
    assert boxes["German, not set up yet"] == f"PzIVH ({tank.id})"
    german = cg.with_state(evolve(cg.state, viewer="axis", units={}, records={}))
    told = str([sheet.rows for sheet in (*RULESET.rules_now(german), *RULESET.own_sheets(german))])
    assert squad.id not in told
    assert "British: 1 OBA module in" not in told
    assert "British: 1 OBA module in" in everything
    assert "German: 2 OBA modules" in told
    assert [sheet.id for sheet in RULESET.own_sheets(german) if sheet.rows] == [
        "divider", "front-line",
    ]  # fmt: skip


def test_cloaking_stands_with_its_side() -> None:
    cg = chits(scene(), "idle", "attack")
    add(cg, "allied", "6-4-8", "squad", "B4", area="W")
    assert [one.text for one in of_side(cg, "allied")][-1] == "British: Cloaking counters in W"


def test_what_is_free_of_the_shortage() -> None:
    cg = scene()
    add(cg, "allied", "PIAT", "sw", "B4")
    add(cg, "allied", "DC", "sw", "B4")
    add(cg, "allied", "LMG", "sw", "B4", Mark.CAPTURED)
    told = [one.text for one in of_side(cg, "allied") if one.clause == "ABtF CG17"]
    assert told == ["British, free of the shortage: DC (AL2), LMG (AL3)"]
    assert "ABtF CG17" not in {one.clause for one in of_side(cg, "axis")}
    cg.state = cg.state.with_side("allied", ammunition=0)
    assert "ABtF CG17" not in {one.clause for one in of_side(cg, "allied")}


def test_the_front_line_as_a_sheet() -> None:
    assert front_line_sheet(scene()).rows == (
        ("roads", "E1, E2, E3, E4, E5"),
        ("German", "F0, F1, F2, F3, F4"),
        ("British", "D0, D1, D2, D4, D5"),
    )
