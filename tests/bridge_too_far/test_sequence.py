"""The order of the steps (9.6), and what the facts of this module say of themselves."""

from __future__ import annotations

import pytest

from laager.campaign.facts import Fact
from laager.rules.board.hasl.state import Round
from laager.rules.bridge_too_far.facts import (
    HeadquartersRevealed,
    ReinforcementsReleased,
    ShortageNoted,
    VehicleRecorded,
    WalkingWoundedBoxed,
    WalkingWoundedBoxEmptied,
)
from laager.rules.bridge_too_far.sequence import SEQUENCES

NEXT_DATE = [
    "9.612 new-date",
    "9.612 san-adjustment",
    "9.613 shift-and-repair",
    "9.615 given-reinforcements",
    "9.616 cpp-replenishment",
    "9.6162 exhaustion",
]
BUYING = ["9.617 buying", "9.6201 ammunition-shortage", "9.6202 elr-change"]
COMMENCING = [
    "CG23 headquarters",
    "9.6214 setting-up",
    "CG18 vehicle-status",
    "9.6216 weather",
    "9.621 play",
    "9.12 scenario-report",
]
INITIATIVE = ["9.6212 sudden-death", "9.6213 initiative"]


def listed(round_: Round) -> list[str]:
    steps = SEQUENCES.rounds[round_]
    return [f"{step.clause.removeprefix('ABtF ')} {step.id}" for step in steps]


def test_the_initial_scenario_does_9_617_to_9_621() -> None:
    first = ["9.5 beginning", "9.6162 exhaustion"]
    assert listed(Round.INITIAL) == [*first, *BUYING, *COMMENCING]


def test_the_refit_phase_does_9_601_to_9_621() -> None:
    assert listed(Round.REFIT) == [
        "CG19a end-of-scenario",
        "9.6054 escape",
        "9.606 troops-and-equipment",
        *NEXT_DATE,
        *BUYING,
        *INITIATIVE,
        *COMMENCING,
    ]


def test_after_an_idle_date_it_goes_on_from_9_612() -> None:
    assert listed(Round.IDLE) == ["CG23 headquarters-on-idle-date", *NEXT_DATE, *BUYING, *INITIATIVE, *COMMENCING]
    assert SEQUENCES.optional <= set(SEQUENCES.steps)


def test_parts_of_buying_in_their_order() -> None:
    buying = SEQUENCES.steps["buying"]
    parts = ("ABtF 9.617", "ABtF 9.618", "ABtF CG15", "ABtF 9.619")
    assert sorted(parts, key=buying.__clauses__.index) == list(parts)
    assert buying.each_side


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (WalkingWoundedBoxed(lost={"6-4-8": 2}), "into the Walking Wounded box: 2 x 6-4-8"),
        (WalkingWoundedBoxEmptied(), "the Walking Wounded box is emptied"),
        (HeadquartersRevealed(building="School", hexes=("B4", "B5")), "the British Headquarters is School (B4, B5)"),
        (ReinforcementsReleased(), "German reinforcements are released"),
        (ShortageNoted(before=1, level=2), "on the CG Roster: British Ammunition Shortage level 2 (it was 1)"),
        (ShortageNoted(before=1, level=1), "on the CG Roster: British Ammunition Shortage level 1 (no change)"),
        (VehicleRecorded(unit="AX1", about="status", text="BU"), "AX1 status: BU"),
        (VehicleRecorded(unit="AX1", about="status", text=""), "AX1 status: nothing"),
    ],
)
def test_facts_in_words(fact: Fact, told: str) -> None:
    assert fact.tell() == told
