"""The worked campaign, 17N to the start of 18AM, through the engine, number for number."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.views import view
from laager.rules.board.hasl.buying.offers import Cart
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.coordination import planned_efforts
from laager.rules.bridge_too_far.reminders import in_force, of_side
from laager.rules.bridge_too_far.shortage import Water, water_supply
from laager.rules.bridge_too_far.steps.oba import module_problems, modules_left_today, modules_used_today
from tests.bridge_too_far.campaigns import new_campaign
from tests.bridge_too_far.referee import Stage, go
from tests.historical.buying import written

SETUP = ("setup", "setup-warnings", "snipers", "vehicle-status", "optional-equipment")


def context(campaign: Campaign) -> Abtf:
    assert isinstance(campaign.context, Abtf)
    return campaign.context


def numbers(campaign: Campaign, side: str) -> str:
    own = campaign.state.side(side)
    return f"CPP {own.cpp}, ELR {own.elr}, SAN {own.san}, CVP {own.cvp}, level {own.ammunition}"


def eliminated(*names: str) -> list[dict[str, Any]]:
    return [{"unit": name, "fate": "eliminated"} for name in names]


def on_map(name: str, at: str, *marks: str) -> dict[str, Any]:
    return {"unit": name, "fate": "on-map", "at": at, "marks": list(marks), "with": ""}


SNIPERS = {"first": "A1", "second": "L8"}


# A3: the Initial Scenario, 17N --------------------------------------------------------------------


def preparing(campaign: Campaign) -> Stage:
    """Both sides buy an OBA module; ammunition and ELR stay."""
    return go(
        campaign,
        "play",
        answers={
            ("axis", "purchases"): {"groups": [{"rg": "B-O1", "equipment": "phone"}]},
            ("allied", "purchases"): {"groups": [{"rg": "O1", "equipment": "radio"}]},
        },
        dice=[("allied", "Ammunition Shortage", (2, 3)), ("allied", "ELR", (3, 4)), ("axis", "ELR", (3, 4))],
        proposals=("agreements", "exhaustion", "exhaustion-agreed", *SETUP),
    )


def fighting(campaign: Campaign) -> Stage:
    """Play ends on turn 6; the reports say what A3 has: 9 and 12 CVP lost, modules, a Melee."""
    axis = [
        *eliminated("AX1", "AX2", "AX3"),
        {"unit": "AX13", "fate": "eliminated", "at": "G2"},
        on_map("AX7", "C4", "melee"),
        *(on_map(f"AX{number}", "F2") for number in (4, 5, 6, 8, 9, 10, 11)),
        on_map("AX12", "B5"),
    ]
    allied = [
        *eliminated("AL4", "AL5", "AL6", "AL7", "AL9"),
        on_map("AL1", "C4", "melee"),
        *(on_map(f"AL{number}", "B4") for number in (2, 3, 8, 10, 11, 12)),
        {**on_map("AL13", "B4", "malfunctioned"), "with": "AL2"},
    ]
    return go(
        campaign,
        "end-of-scenario",
        answers={
            ("axis", "scenario-report"): {"units": axis, "modules": [{"group": "B-O1/1", "in_play": True}]},
            ("allied", "scenario-report"): {
                "units": allied,
                "modules": [{"group": "O1/1", "in_play": True, "placed": True}],
            },
            ("allied", "ground-report"): {"fires": [{"at": "H3", "now": "blaze"}, {"at": "G2", "now": "blaze"}]},
        },
        dice=[("allied", "Game End, turn 5", (1,)), ("allied", "Game End, turn 6", (1,))],
        proposals=("play", "ground-report-agreed"),
    )


# A4: the Refit Phase 17N to 18AM ------------------------------------------------------------------


def settling(campaign: Campaign) -> Stage:
    """9.601 to 9.611."""
    boxed = [{"type": "6-4-8"}, {"type": "4-5-8"}, {"type": "2-4-8"}]
    return go(
        campaign,
        "new-date",
        answers={
            ("allied", "ww-box"): boxed,
            ("allied", "melee"): {"rows": [{"unit": "AX7", "what": "eliminated"}]},
            ("allied", "equipment"): [{"unit": "AX12", "owner": "allied", "by": "AL2"}],
            ("allied", "blazes"): {"rows": [{"at": "H3", "outcome": "burnt-down"}]},
            ("allied", "walking-wounded"): [{"area": "W", "count": 2}],
            ("allied", "recombining"): [{"one": "AL10", "two": "AL11"}],
        },
        proposals=(
            *("ww-box-agreed", "melee-agreed", "rally", "encirclement", "declared-guns"),
            *("block-control", "block-control-agreed", "isolated", "isolated-agreed", "isolated-units"),
            *("equipment-agreed", "own-equipment", "prisoners", "prisoners-agreed"),
            *("blazes-agreed", "wounded-leaders", "recombining", "hardening"),
        ),
    )


GERMAN = [
    *({"rg": rg, "arrival": "enter", "area": "M1"} for rg in ("K-I1", "K-A3")),
    *({"rg": rg, "arrival": "enter", "area": "JJ15"} for rg in ("B-I2", "B-A4")),
    *({"rg": rg, "arrival": "enter", "area": "A17"} for rg in ("H-I6", "H-I7", "H-A5")),
]
BRITISH = [{"rg": "I1", "arrival": "enter", "area": "A6"}, {"rg": "O1", "equipment": "radio"}, {"rg": "F1"}]
WORKS = [{"work": "wire"}, {"work": "foxhole 1S"}, {"work": "concealment", "count": 4}]


def buying(campaign: Campaign) -> Stage:
    """9.612 to 9.619."""
    return go(
        campaign,
        "ammunition-shortage",
        answers={
            ("allied", "repair"): [{"unit": "AL13", "outcome": "repaired"}],
            ("axis", "purchases"): {"groups": GERMAN},
            ("allied", "purchases"): {"groups": BRITISH},
            ("allied", "fortifications"): {"works": WORKS},
        },
        dice=[
            ("allied", "SAN", (5, 4)),
            ("axis", "SAN", (2, 2)),
            ("allied", "CPP", (3, 5)),
            ("axis", "CPP", (4, 4)),
            ("axis", "Strength of K-I1", (3, 4)),
            ("axis", "Strength of B-I2", (6, 3)),
            ("axis", "Strength of H-I6", (2, 2)),
            ("axis", "Strength of H-I7", (5, 3)),
            ("allied", "Strength of I1", (4, 4)),
        ],
        proposals=("shift", "optional-equipment"),
    )


def commencing(campaign: Campaign) -> Stage:
    """9.620 and 9.621, up to play."""
    return go(
        campaign,
        "play",
        answers={
            ("axis", "chit"): "attack",
            ("allied", "chit"): "idle",
            ("allied", "headquarters"): {"building": "School", "los": True},
            ("allied", "snipers"): SNIPERS,
            ("axis", "weather"): {"weather": "Clear", "ec": "Moderate", "wind": "none"},
        },
        dice=[("allied", "Ammunition Shortage", (5, 5)), ("allied", "ELR", (5, 6)), ("axis", "ELR", (4, 3))],
        proposals=(*SETUP, "weather-agreed"),
    )


STAGES = (preparing, fighting, settling, buying, commencing)


def after(count: int) -> tuple[Campaign, Stage]:
    """The campaign after so many stages, and what happened in the last of them."""
    campaign = new_campaign(entered=True)
    stage = Stage()
    for play in STAGES[:count]:
        stage = play(campaign)
    return campaign, stage


@cache
def played(count: int) -> tuple[Campaign, Stage]:
    """The same, not to be played on."""
    return after(count)


def test_17n() -> None:
    campaign, stage = played(1)
    assert stage.rolls == [
        "allied Ammunition Shortage: 2+3 = 5",
        "axis ELR loss or gain: 3+4 = 7",
        "allied ELR loss or gain: 3+4 +1 -1 = 7",
    ]
    assert numbers(campaign, "allied") == "CPP 6, ELR 5, SAN 3, CVP 0, level 1"
    assert numbers(campaign, "axis") == "CPP 10, ELR 3, SAN 3, CVP 0, level 0"
    scenario = campaign.state.scenario
    assert dict(scenario.chits) == {"allied": "attack", "axis": "idle"}
    assert (scenario.sets_up_first, scenario.moves_first) == ("axis", "allied")
    assert (scenario.weather, scenario.ec, scenario.nvr) == ("Clear", "Moderate", 3)
    assert (campaign.state.side("allied").attacks, campaign.state.side("axis").idles) == (0, 0)


def test_the_report_on_17n() -> None:
    campaign, stage = played(2)
    assert stage.rolls == ["allied Game End, turn 5: 1 +2 = 3", "allied Game End, turn 6: 1 +2 = 3"]
    assert campaign.state.side("allied").cvp == 12
    assert campaign.state.side("axis").cvp == 9


def test_9_601_to_9_611() -> None:
    campaign, stage = played(3)
    state = campaign.state
    assert stage.steps[:3] == ["ABtF 9.6054", "ABtF 9.606", "ABtF 9.612"]
    assert stage.facts("walking-wounded-boxed", "scenario-ended") == [
        "the scenario is over",
        "into the Walking Wounded box: 1 x 6-4-8, 1 x 4-5-8, 1 x 2-4-8",
    ]
    # The Melee: German losses 12 + 1.
    assert (state.side("allied").cvp, state.side("axis").cvp) == (13, 9)
    assert dict(state.past[-1].cvp) == {"allied": 13, "axis": 9}
    # OBA: BR-1 is gone, GE-1 Retained with its Draw Pile as it was.
    assert stage.facts("modules-used") == [
        "axis OBA modules in play: B-O1/1 [axis]",
        "allied OBA modules in play: O1/1 [allied]",
    ]
    assert state.groups["allied", "O1/1"].lost == "an FFE:1 of it was placed"
    module = state.groups["axis", "B-O1/1"]
    assert (module.lost, module.black, module.red, module.equipment) == ("", 8, 2, "phone")
    # Setup Areas and front line, as in A1.
    cg = context(campaign)
    front = cg.block_front()
    assert front.road_line == {"E1", "E2", "E3", "E4", "E5"}
    assert front.line["allied"] == {"D0", "D1", "D2", "D4", "D5"}
    assert front.line["axis"] == {"F0", "F1", "F2", "F3", "F4"}
    # The LMG is British, H3 is rubble, the wreck in G2 burnt out.
    assert [u.type for u in state.units_of("allied", "sw")] == ["PIAT", "LMG"]
    assert "rubble" in state.ground.changes["H3"]
    assert state.units["AX13"].has(Mark.BURNT_OUT)
    assert not state.ground.blazes
    # Walking Wounded: 2.5 squad-equivalents, FRD 2.
    wounded = [u for u in state.units_of("allied") if u.has(Mark.WALKING_WOUNDED)]
    assert [(u.type, u.area) for u in wounded] == [("4-4-7", "W")] * 2
    assert state.ww_box == {}
    # Two HS Recombine.
    assert state.units["AL10"].type == "4-5-8"
    assert not state.units["AL11"].in_play


def test_9_612_to_9_619() -> None:
    campaign, stage = played(4)
    assert stage.rolls == [
        "axis SAN adjustment: 2+2 = 4",
        "allied SAN adjustment: 5+4 = 9",
        "axis CPP Replenishment: 4+4 = 8",
        "allied CPP Replenishment: 3+5 = 8",
        "axis Strength of K-I1/1: 3+4 = 7",
        "axis Strength of B-I2/1: 6+3 = 9",
        "axis Strength of H-I6/1: 2+2 = 4",
        "axis Strength of H-I7/1: 5+3 = 8",
        "allied Strength of I1/1: 4+4 +1 = 9",
    ]
    cg, state = context(campaign), campaign.state
    assert cg.date.id == "18AM"
    assert not state.units["AL13"].has(Mark.MALFUNCTIONED)
    assert numbers(campaign, "allied") == "CPP 1, ELR 5, SAN 3, CVP 13, level 1"
    assert numbers(campaign, "axis") == "CPP 3, ELR 3, SAN 4, CVP 9, level 0"
    line = state.scenario
    assert [dict(x) for x in (line.start, line.spent, line.left)] == [
        {"axis": 38, "allied": 14},
        {"axis": 35, "allied": 13},
        {"axis": 3, "allied": 1},
    ]
    assert dict(line.fpp) == {"allied": 12}
    assert [one.kg for one in planned_efforts(cg, Cart()) if one.satisfied] == ["K", "B", "H"]


def test_the_purchase_record() -> None:
    campaign, _ = played(4)
    cg = context(campaign)
    record = {
        side: [
            (line.rg, line.cost, line.strength, line.area, line.bought, line.left)
            for line in written(cg, side)
            if line.date == "18AM"
        ]
        for side in ("axis", "allied")
    }
    assert record["axis"] == [
        ("K-I1", 5, "F", "M1", 1, 1),
        ("K-A3", 7, "", "M1", 1, 1),
        ("B-I2", 7, "D", "JJ15", 1, 1),
        ("B-A4", 5, "", "JJ15", 1, 1),
        ("H-I6", 3, "F", "A17", 1, 1),
        ("H-I7", 4, "F", "A17", 1, 1),
        ("H-A5", 4, "", "A17", 1, 1),
    ]
    assert record["allied"] == [("I1", 4, "D", "A6", 1, 2), ("O1", 5, "", "", 2, 0), ("F1", 4, "", "", 1, None)]


def test_9_620_and_9_621() -> None:
    campaign, stage = played(5)
    assert stage.rolls[:3] == [
        "allied Ammunition Shortage: 5+5 +1 = 11",
        "axis ELR loss or gain: 4+3 +2 = 9",
        "allied ELR loss or gain: 5+6 +2 +1 +1 -1 = 14",
    ]
    assert numbers(campaign, "allied").startswith("CPP 1, ELR 4, SAN 3")
    assert numbers(campaign, "allied").endswith("level 2")
    assert numbers(campaign, "axis").startswith("CPP 3, ELR 3, SAN 4")
    scenario, state = campaign.state.scenario, campaign.state
    assert (scenario.kind, scenario.sets_up_first, scenario.moves_first) == (
        "German Attack", "allied", "axis",
    )  # fmt: skip
    assert (state.side("axis").attacks, state.side("allied").idles) == (1, 1)
    assert (scenario.weather, scenario.ec, scenario.wind) == ("Clear", "Moderate", "none")
    assert stage.facts("headquarters-named") == ["British Headquarters: School (B4, B5) [allied]"]
    assert view(campaign, "axis").state.headquarters is None
    assert state.side("allied").snipers == ("A1", "L8")


def test_steps_of_18am_in_their_order() -> None:
    _, stage = played(5)
    assert stage.steps == [
        "ABtF 9.6202",
        "ABtF 9.6212",
        "ABtF 9.6213",
        "ABtF CG23",
        "ABtF 9.6214",
        "ABtF CG18",
        "ABtF 9.6216",
        "ABtF 9.621",
    ]


def test_setup_of_18am() -> None:
    campaign, _ = played(5)
    state = campaign.state
    british = [fort for fort in state.forts.values() if fort.side == "allied"]
    assert sorted((fort.kind, fort.count) for fort in british) == [("concealment", 4), ("foxhole", 1), ("wire", 1)]
    # The phone stays in its Setup Area NE, with a Security Area of its own for this scenario.
    phone = state.groups["axis", "B-O1/1"]
    assert (phone.equipment, phone.area) == ("phone", "NE")
    assert phone.security
    assert phone.security[-1] in context(campaign).entry_hexes("F0")
    radio = state.groups["allied", "O1/2"]
    assert (radio.equipment, radio.area) == ("radio", "W")
    # What was bought enters: every unit by the area that is recorded for its group.
    for name in ("K-I1/1", "K-A3/1", "B-I2/1", "B-A4/1", "H-I6/1", "H-I7/1", "H-A5/1"):
        group = state.groups["axis", name]
        units = [unit for unit in state.units_of("axis") if unit.group == name]
        assert units
        assert all(not unit.on_map and unit.area == group.area for unit in units)


@pytest.mark.parametrize(
    ("first", "second", "told"), [("A1", "L8", ""), ("A8", "L0", ""), ("A1", "L4", "11 hexes apart; at least 12")]
)
def test_snipers_of_18am(first: str, second: str, told: str) -> None:
    campaign, _ = after(4)
    go(
        campaign,
        "setting-up",
        answers={("axis", "chit"): "attack", ("allied", "chit"): "idle"},
        dice=[("allied", "Ammunition Shortage", (5, 5)), ("allied", "ELR", (5, 6)), ("axis", "ELR", (4, 3))],
        proposals=("headquarters",),
    )
    while campaign.pending()[0].key != "snipers":
        pending = campaign.pending()[0]
        assert pending.question is not None
        campaign.answer(pending.side, pending.key, pending.question.default)
    pending = campaign.pending()[0]
    answer = {"first": first, "second": second}
    if told:
        with pytest.raises(DataError, match=told):
            campaign.answer(pending.side, "snipers", answer)
    else:
        campaign.answer(pending.side, "snipers", answer)


def test_modules_of_18am() -> None:
    campaign, _ = played(5)
    cg = context(campaign)
    assert cg.state.usage == {("allied", 1): ("O1/1",), ("axis", 1): ("B-O1/1",)}
    assert modules_used_today(cg, "allied") == 0
    assert modules_left_today(cg, "allied") == 1
    assert list(module_problems(cg, "allied", ["O1/2"])) == []


def test_reminders_of_18am() -> None:
    campaign, _ = played(5)
    cg = context(campaign)
    told = {one.clause: one.text for one in in_force(cg)}
    assert "Game Turns 1 to 3" in told["ABtF CG20"]
    assert "Unit Substitution (A19.131) on an Original DR of 12" in told["ABtF CG17"]
    assert "B10 becomes 9" in told["ABtF CG17"]
    assert "ABtF CG24" not in " ".join(told)
    assert water_supply(cg) is Water.ENOUGH
    assert "ABtF CG21" not in told
    waiting = {one.clause: one.text for one in of_side(cg, "axis")}["ABtF CG9"]
    assert "PzIVH" in waiting


def test_a_purchase_against_cg22_is_refused() -> None:
    campaign, _ = after(3)
    go(
        campaign,
        "buying",
        answers={("allied", "repair"): []},
        dice=[("allied", "SAN", (5, 4)), ("axis", "SAN", (2, 2)), ("allied", "CPP", (3, 5)), ("axis", "CPP", (4, 4))],
        proposals=("shift",),
    )
    without = [row for row in GERMAN if row["rg"] != "B-A4"]
    before = campaign.version
    with pytest.raises(DataError, match="2 I type groups for KG H are too many"):
        campaign.answer("axis", "purchases", {"groups": without})
    assert campaign.version == before


def test_the_log_holds_together() -> None:
    campaign, _ = played(5)
    assert audit(campaign).sound
