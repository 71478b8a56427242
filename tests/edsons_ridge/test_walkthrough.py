"""The worked campaign, 12 Sept Night to the play of 13 Sept Day, number for number."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from laager.base import DataError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.views import view
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.ruleset import RULESET
from tests.bridge_too_far.referee import Stage, go
from tests.edsons_ridge.campaigns import new_campaign
from tests.historical.buying import written

SETUP = ("setup", "setup-warnings", "snipers", "status-notes", "reserve-counters")


def context(campaign: Campaign) -> Er:
    assert isinstance(campaign.context, Er)
    return campaign.context


# 12 Sept Night ------------------------------------------------------------------------------------


def initial(campaign: Campaign) -> Stage:
    """Nobody buys groups; the U.S. dig a foxhole in M12 with the 3 FPP of their OB."""
    return go(
        campaign,
        "end-of-scenario",
        answers={
            ("axis", "purchases"): {"groups": []},
            ("allied", "purchases"): {"groups": []},
            ("allied", "fortifications"): {"works": [{"work": "foxhole 3S"}]},
            ("axis", "play"): {"status": "agreed", "turn": 3, "side": "axis"},
        },
        proposals=(
            *("agreements", "blast-areas", "bombardment", "play-ended"),
            *("scenario-report", "ground-report", "ground-report-agreed", *SETUP),
        ),
    )


# The Refit Phase to 13 Sept Day ------------------------------------------------------------------


def settling(campaign: Campaign) -> Stage:
    """1.501 to 1.516: nothing but the CPP."""
    return go(
        campaign,
        "buying",
        proposals=(
            *("melee", "melee-agreed", "rally", "encirclement", "setup-areas"),
            *("setup-areas-agreed", "isolated-units", "escape", "own-equipment", "equipment"),
            *("equipment-agreed", "prisoners", "prisoners-agreed", "blazes", "blazes-agreed"),
            *("wounded-leaders", "recombining", "hardening", "san", "shift", "repair"),
        ),
    )


JAPANESE: list[dict[str, Any]] = [
    {"rg": "I1", "arrival": "enter", "area": "L0", "objective": "K12"},
    {"rg": "I1", "arrival": "enter", "area": "L0", "objective": "L13"},
    {"rg": "I2", "arrival": "reserve", "area": "Jungle", "objective": "M14"},
    {"rg": "HW1", "arrival": "on-map", "area": "Jungle"},
    {"rg": "M1"},
]

AMERICAN: list[dict[str, Any]] = [
    {"rg": "I1", "arrival": "on-map", "area": "Ridge"},
    {"rg": "I2", "arrival": "reserve", "area": "Ridge"},
    {"rg": "V1", "arrival": "enter", "area": "L24"},
    {"rg": "F1"},
    {"rg": "M2"},
]

STRENGTH = [
    ("axis", "Strength of I1/1", (4, 5)),
    ("axis", "Strength of I1/2", (5, 5)),
    ("axis", "Strength of I2/1", (3, 3)),
    ("axis", "Strength of HW1/1", (6, 5)),
    ("allied", "Strength of I1/1", (2, 6)),
    ("allied", "Strength of I2/1", (6, 6)),
]

WEAPONS = [
    ("axis", "50* MTR for I1/1", (3,)),
    ("axis", "LMG for I1/2", (5,)),
    ("axis", "50* MTR for I1/2", (2,)),
    ("axis", "FT for I2/1", (4,)),
    ("axis", "HMG for HW1/1", (6,)),
    ("axis", "MMG for HW1/1", (3,)),
    ("axis", "50* MTR for HW1/1", (1,)),
    ("axis", "HMG for HW1/1, comes on 4 or less (again", (4,)),
    ("axis", "MMG for HW1/1, comes on 2 or less (again", (2,)),
    ("axis", "50* MTR for HW1/1, comes on 1 or less (again", (5,)),
    ("allied", "60* MTR for I1/1", (4,)),
    ("allied", "DC for I1/1", (2,)),
    ("allied", "LMG for I2/1", (4,)),
    ("allied", "DC for I2/1", (3,)),
]

LEADERS = [
    ("axis", "Leader of I1/1 comes", (4,)),
    ("axis", "Leader of I1/2 comes", (3,)),
    ("axis", "Leader of I1/2", (3, 4)),
    ("axis", "Leader of I2/1 comes", (1,)),
    ("axis", "Leader of I2/1", (1, 1)),
    ("allied", "Leader of I1/1", (1, 2)),
    ("allied", "Leader of I2/1", (6, 6)),
    ("allied", "Leader of V1/1", (6, 6)),
]

WORKS = [{"work": "trench-upgrade"}, {"work": "hip squad"}, {"work": "wire"}, {"work": "concealment", "count": 4}]


def buying(campaign: Campaign) -> Stage:
    """1.518 to 1.521."""
    return go(
        campaign,
        "initiative",
        answers={
            ("axis", "purchases"): {"groups": JAPANESE},
            ("allied", "purchases"): {"groups": AMERICAN},
            ("allied", "fortifications"): {"works": WORKS},
            ("allied", "recon"): {"recon": True, "bought": 1},
        },
        dice=[*STRENGTH, *WEAPONS, *LEADERS, ("allied", "Recon", (2,))],
        proposals=("recon",),
    )


def choosing(campaign: Campaign) -> Stage:
    """1.522, 1.5223, and the Blast Area before any setup."""
    hexes = "H6, H7, H8, H9, H10, I6, I7, I8, I9, I10"
    return go(
        campaign,
        "setting-up",
        answers={
            ("axis", "chit"): "attack",
            ("allied", "chit"): "idle",
            ("allied", "blast-areas"): [{"hexes": hexes, "area": "Setup Area Ridge"}],
        },
        proposals=("sets-up-first", "sets-up-first-agreed"),
    )


def commencing(campaign: Campaign) -> Stage:
    """Setup, Recon of three Locations, the Bombardment."""
    locations = iter(("I5", "C14", "H5"))
    stage = go(campaign, "recon-inspection", proposals=(*SETUP, "upgrades"))
    while campaign.step is not None and campaign.step.id == "recon-inspection":
        asked = campaign.pending()[0]
        assert (asked.side, asked.key) == ("allied", "inspection")
        campaign.answer("allied", "inspection", next(locations))
    assert next(locations, None) is None
    two = [{"corner": "A5", "opposite": "O14"}, {"corner": "P5", "opposite": "DD14"}]
    more = go(
        campaign,
        "play",
        answers={("axis", "bombardment"): {"areas": two}, ("axis", "immune-hexes"): "K12, P9"},
        proposals=("immune-hexes-agreed",),
    )
    start = next(i for i, e in enumerate(campaign.entries) if e is stage.entries[0])
    assert more.entries
    return Stage(campaign.entries[start:], campaign)


STAGES = (initial, settling, buying, choosing, commencing)


@cache
def played() -> tuple[Campaign, dict[str, Stage]]:
    """The campaign up to the play of 13 Sept Day, and what happened in each stage."""
    campaign = new_campaign(entered=True)
    return campaign, {stage.__name__: stage(campaign) for stage in STAGES}


def stage(name: str) -> Stage:
    return played()[1][name]


def at(name: str) -> Campaign:
    """A campaign of its own, at the start of a stage."""
    campaign = new_campaign(entered=True)
    for one in STAGES:
        if one.__name__ == name:
            return campaign
        one(campaign)
    raise AssertionError(name)


# What has to come of it -------------------------------------------------------------------------


def test_the_initial_scenario_has_its_chits_and_counts_none() -> None:
    assert "axis reveals the Attack chit; allied reveals the Idle chit" in stage("initial").facts("chits-revealed")
    campaign, _ = played()
    assert [campaign.state.side(side).attacks for side in ("axis", "allied")] == [1, 0]
    assert stage("settling").facts("cpp-changed") == ["axis gets 22 CPP [axis]", "allied gets 24 CPP [allied]"]


def test_points() -> None:
    campaign, _ = played()
    line = campaign.state.scenario
    assert dict(line.start) == {"axis": 24, "allied": 28}
    assert dict(line.spent) == {"axis": 21, "allied": 26}
    assert dict(line.left) == {"axis": 3, "allied": 2}
    told = stage("buying").facts("cpp-changed")
    axis = [fact for fact in told if fact.endswith("[axis]")]
    allied = [fact for fact in told if fact.endswith("[allied]")]
    assert all(" spends " in fact for fact in told)
    assert [fact.split()[2] for fact in axis] == ["4", "4", "5", "5", "3"]
    assert [fact.split()[2] for fact in allied] == ["7", "4", "7", "4", "2", "2"]


def test_the_record() -> None:
    campaign, _ = played()
    cg = context(campaign)
    axis = [
        (row.id, row.bought, row.left, row.strength, row.units, row.sw, row.leader, row.area)
        for row in written(cg, "axis")
    ]
    assert axis == [
        ("I1/1", 1, 7, "F", "3 x 4-4-7", "LMG, 50* MTR", "none", "L0"),
        ("I1/2", 2, 6, "D", "2 x 4-4-7", "50* MTR", "9-0", "L0"),
        ("I2/1", 1, 1, "F", "3 x 4-4-8", "2 x DC", "10-1", "Jungle"),
        ("HW1/1", 1, 1, "D", "2 x 2-2-8", "HMG, MMG", "", "Jungle"),
        ("M1/1", 1, 1, "", "", "", "", ""),
    ]
    allied = [
        (row.id, row.bought, row.left, row.strength, row.units, row.sw, row.leader, row.area)
        for row in written(cg, "allied")
    ]
    assert allied == [
        ("I1/1", 1, 2, "F", "3 x 6-6-7", "LMG, DC", "10-2", "Ridge"),
        ("I2/1", 1, 2, "D", "2 x 6-6-6", "LMG", "6+1", "Ridge"),
        ("V1/1", 1, 0, "", "2 x M3A1", "", "inexperienced", "L24"),
        ("F1/1", 1, 3, "", "", "", "", ""),
        ("M2/1", 1, 2, "", "", "", "", ""),
    ]
    dates = {row.date for side in ("axis", "allied") for row in written(cg, side)}
    assert dates == {"13 Sept Day"}
    names = [row.name for row in written(cg, "axis")]
    assert names == ["Rifle Plt", "Rifle Plt", "Engineer Plt", "MG Sect", "Bombardment"]


def test_objective_hexes_are_those_of_the_japanese_infantry() -> None:
    campaign, _ = played()
    cg = context(campaign)
    assert [row.objective for row in written(cg, "axis")] == ["K12", "L13", "M14", "", ""]
    assert not any(row.objective for row in written(cg, "allied"))


def test_every_roll() -> None:
    rolls = stage("buying").rolls
    for line in (
        "axis Strength of I1/1: 4+5 = 9",
        "axis Strength of I1/2: 5+5 = 10",
        "allied Leader of I1/1: 1+2 -1 = 2",
        "allied Leader of I2/1: 6+6 +1 = 13",
        "allied Leader of V1/1: 6+6 -1 = 11",
        "axis Leader of I1/2: 3+4 +1 = 8",
        "axis Leader of I2/1: 1+1 -1 = 1",
        "allied Recon: 2 +1 = 3",
    ):
        assert line in rolls
    # V, M and F groups are not rolled for; HW groups have no leader.
    assert len([line for line in rolls if "Strength of" in line]) == 6
    assert not [line for line in rolls if "Leader of HW" in line or "Leader of M" in line]


def test_fortifications_and_the_cap_on_hip() -> None:
    campaign, _ = played()
    assert stage("buying").facts("fpp-changed") == ["allied gets 20 FPP [allied]", "allied spends 20 FPP [allied]"]
    assert campaign.state.side("allied").fpp == 0
    cap = context(campaign).variant.hip_cap(context(campaign), "allied")
    assert cap is not None
    assert (cap.squads, cap.of) == (3, 42)


def test_recon_and_its_locations() -> None:
    told = stage("buying").facts("recon-rolled")
    assert told == ["allied Recon: 3 Locations [allied]"]
    found = [line.split(":")[0] for line in stage("commencing").facts("location-inspected")]
    assert found == ["allied inspects I5", "allied inspects C14", "allied inspects H5"]
    campaign, _ = played()
    assert campaign.state.recon_left("allied") == 0
    assert campaign.state.recon_left("axis") == 0


def test_the_scenario() -> None:
    campaign, _ = played()
    line = campaign.state.scenario
    assert (line.kind, line.sets_up_first, line.moves_first) == ("Japanese Assault", "allied", "axis")
    attacks = {side: campaign.state.side(side).attacks for side in ("axis", "allied")}
    assert attacks == {"axis": 1, "allied": 0}


def test_what_is_told_before_setup() -> None:
    facts = stage("choosing").facts("blast-area-recorded")
    assert facts == ["FPF Barrage 1 recorded: H6, H7, H8, H9, H10, I6, I7, I8, I9, I10"]
    campaign, _ = played()
    (barrage,) = campaign.state.barrages_now()
    assert barrage.corners == ("H6", "H10", "I6", "I10")


def test_the_order_of_commencement() -> None:
    wanted = ["ER 1.5232", "ER 1.524", "ER CG15", "ER 1.525"]
    steps = [clause for clause in stage("commencing").steps if clause in wanted]
    before = [clause for clause in stage("choosing").steps if clause in ("ER CG18", "ER 1.5232")]
    assert before == ["ER CG18", "ER 1.5232"]
    assert steps == wanted[1:]


def test_the_upgrade() -> None:
    campaign, _ = played()
    kinds = sorted(f.kind for f in campaign.state.forts.values() if f.side == "allied" and f.at)
    assert kinds == ["trench", "wire"]


def test_the_bombardment() -> None:
    facts = stage("commencing").facts("bombardment-plotted")
    assert facts == ["axis Bombardment of A5-O14 and P5-DD14, 2MC"]
    campaign, _ = played()
    (plotted,) = campaign.state.bombardments[2]
    assert plotted.immune == ("K12", "P9")
    assert campaign.state.groups["axis", "M1/1"].lost == "fallen"


def test_the_plotting_sheet_and_the_recon_column() -> None:
    campaign, _ = played()
    sheets = {one.id: one for one in RULESET.sheets(campaign.context, campaign.state)}
    assert [(row[2], row[3]) for row in sheets["plots"].rows] == [
        ("Bombardment, 2MC, immune: K12, P9", "A5-O14 and P5-DD14"),
        ("FPF Barrage 1", "H6, H7, H8, H9, H10, I6, I7, I8, I9, I10"),
    ]
    assert sheets["recon"].rows == (("13 Sept Day", "U.S.", "3", "I5, C14, H5"),)


def test_reserve_counters() -> None:
    campaign, _ = played()
    told = campaign.state.counters
    marked = [u for u in campaign.state.units.values() if context(campaign).is_reserve(u)]
    mmc = {side: sum(u.side == side and u.kind == "squad" for u in marked) for side in told}
    assert mmc == {"axis": 3, "allied": 2}
    for side, at_ in told.items():
        assert 1 <= len(at_) <= mmc[side]


def test_the_record_is_in_order() -> None:
    campaign, _ = played()
    assert audit(campaign).sound


# Refusals ----------------------------------------------------------------------------------------


def test_what_cannot_be_bought() -> None:
    campaign = at("buying")
    for groups, message in (
        ([*AMERICAN, {"rg": "M1"}], "buy one or the other for a CG Date"),
        ([*AMERICAN, {"rg": "I1", "arrival": "on-map", "area": "Ridge"}], "This costs 31 CPP"),
        ([{"rg": "V1", "arrival": "enter", "area": "L24", "count": 2}], "the limit is 1 for the campaign"),
        ([{"rg": "I1", "arrival": "enter", "area": "L0"}], "L0 is not one of the choices"),
        ([{"rg": "I1", "arrival": "on-map", "area": "Ridge", "objective": "K3"}], "objective: is not known here"),
    ):
        with pytest.raises(DataError, match=message):
            campaign.answer("allied", "purchases", {"groups": groups})
    with pytest.raises(DataError, match="I1 has no objective hex"):
        campaign.answer("axis", "purchases", {"groups": [{**JAPANESE[0], "objective": ""}]})
    with pytest.raises(DataError, match="FF12 is not one of the choices"):
        campaign.answer("axis", "purchases", {"groups": [{**JAPANESE[0], "area": "FF12"}]})


# Secrecy -----------------------------------------------------------------------------------------


def test_the_japanese_learn_nothing_of_what_the_u_s_bought() -> None:
    campaign, _ = played()
    for viewer, enemy in (("axis", "allied"), ("allied", "axis")):
        seen = view(campaign, viewer)
        assert not [group for side, group in seen.state.groups if side == enemy]
        assert seen.state.side(enemy).cpp != campaign.state.side(enemy).cpp
        assert not any(u.side == enemy and not u.known for u in seen.state.units.values())
        assert all(side == viewer for side, _ in seen.state.recon)
        assert not any(f.side == enemy and f.hidden for f in seen.state.forts.values())
