"""`laager ruling`: a ruling's file, shown before and after, asked for, agreed to."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Laager

Write = Callable[[str, str], Path]


@pytest.fixture
def battle(laager: Laager) -> Laager:
    """The training campaign after its first setup."""
    laager.well("new", "training", "--count-units")
    laager.well("next", "--defaults", "8", "--json")
    return laager


def test_a_slip_is_put_right_by_both(battle: Laager, write: Write) -> None:
    template = battle.well("ruling", "--side", "axis", "--template")
    assert "# units:" in template
    unit = next(line for line in template.splitlines() if '"at":' in line and '"with": ""' in line)
    number = unit.split()[1].rstrip(":")
    file = write("ruling.yaml", f"laager: ruling/1\nwhy: it was broken\nunits:\n  {number}: {{marks: [+broken]}}\n")
    shown = battle.well("ruling", "--side", "axis", str(file), "--check")
    assert f"({number}): marks:" in shown
    assert "broken" in shown
    battle.well("ruling", "--side", "axis", str(file))
    asked = battle.well("ruling", "--side", "allied")
    assert "axis asks for a ruling: “it was broken”" in asked
    agreed = battle.well("ruling", "--side", "allied", "--agree")
    assert "to be answered or rolled again: " in agreed or "as before: " in agreed
    assert "it was broken" in battle.well("log")
    assert "no ruling is asked for" in battle.well("ruling")
    proof = json.loads(battle.well("verify", "--json"))
    assert proof["sound"]


def test_the_umpire_rules_at_once_and_all_that_is_wrong_is_said(battle: Laager, write: Write) -> None:
    wrong = write("wrong.yaml", "laager: ruling/1\nwhy: no\nunits:\n  ZZ9: {at: Q77}\nsides:\n  axis: {elr: 9}\n")
    refused = battle("ruling", str(wrong)).err
    assert "wrong.yaml:4: units.ZZ9: there is no unit ZZ9" in refused
    assert "wrong.yaml:6: sides.axis.elr: ELR is 9; 0 to 5" in refused
    file = write("ruling.yaml", "laager: ruling/1\nwhy: they agreed on it by mail\nsides:\n  axis: {elr: 1}\n")
    assert "Ruling by the umpire: “they agreed on it by mail”" in battle.well("ruling", str(file))


def test_secret_corrections_can_be_left_out_when_a_campaign_begins(laager: Laager, write: Write) -> None:
    laager.well("new", "training", "--corrections", "none")
    laager.well("next", "--defaults", "8", "--json")
    file = write("ruling.yaml", "laager: ruling/1\nwhy: we counted again\nsides:\n  axis: {cp: 40}\n")
    assert "nobody corrects what only one side knows" in laager("ruling", "--side", "axis", str(file)).err
    assert "agreed, umpire, none" in laager("new", "training", "-f", "b.laager", "--corrections", "maybe").err
