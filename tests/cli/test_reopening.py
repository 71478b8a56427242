"""`laager reopen`: a battle report is opened again, and what followed is given again."""

from __future__ import annotations

import json

import pytest

from .conftest import Laager

WHY = "we forgot the lost squad"


@pytest.fixture
def battle(laager: Laager) -> Laager:
    """The training campaign some steps after its first battle report, the Germans asked."""
    laager.well("new", "training", "--count-units")
    laager.well("next", "--defaults", "15", "--json")
    return laager


def asked(laager: Laager, side: str) -> list[tuple[str, str]]:
    told = json.loads(laager.well("next", "--side", side, "--json"))["asked"]
    return [(each["side"], each["key"]) for each in told]


def test_a_report_is_opened_again_by_both(battle: Laager) -> None:
    before = asked(battle, "umpire")
    # Rolls for what was bought, before the report's step, stay as they are.
    _kept, step, since = battle.well("log").partition("End of play and battle report")
    assert step
    rolls = [line for line in since.splitlines() if " rolls " in line or " roll " in line]
    battle.well("reopen", "--side", "axis", "--why", WHY)
    assert f"axis asks for a ruling: “{WHY}”" in battle.well("ruling", "--side", "allied")
    after = battle.well("reopen", "--side", "allied", "--agree")
    # What the other side alone answered since isn't named.
    (listed,) = (line for line in after.splitlines() if "to be answered or rolled again: " in line)
    assert "Which Redeployment Option do you both use?" in listed
    assert asked(battle, "axis") == [("axis", "battle-report")]
    # The old report is the proposal.
    battle.well("next", "--side", "axis", "--defaults", "1", "--json")
    battle.well("reopen", "--side", "axis", "--as-before", "--onward")
    assert asked(battle, "umpire") == before
    again = [line for line in battle.well("log").splitlines() if "(as before the ruling)" in line]
    assert len([line for line in again if " roll " in line]) == len(rolls) > 0
    proof = battle.well("verify")
    assert "ruling, entry" in proof
    assert f"“{WHY}” (reopens an answer of" in proof
    assert proof.endswith("sound\n")


def test_what_is_wrong_is_said(laager: Laager) -> None:
    laager.well("new", "training", "--count-units")
    assert "no battle has been reported yet" in laager("reopen", "--side", "axis", "--why", WHY).err
    assert "choose one of" in laager("reopen", "--side", "axis").err
    assert (
        "nothing that you are asked now can be answered as before"
        in laager("reopen", "--side", "axis", "--as-before").err
    )
