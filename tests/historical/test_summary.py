"""What a viewer's state says as JSON: everything to the umpire, nothing of the enemy's secrets."""

from __future__ import annotations

import json
from dataclasses import fields

from laager.campaign.facts import UMPIRE
from laager.rules.board.hasl.generic import RULESET
from laager.rules.board.hasl.sheets.view import CAMPAIGN, KNOWN, OWN, POINTS, SCENARIO, describe_state
from laager.rules.board.hasl.state import HaslState, Scenario, SideState
from laager.rules.board.sheets.view import as_json
from laager.rules.board.state import BoardGround

from .records import AXIS_SECRETS, record, seen_by


def test_the_umpire_sees_all_as_plain_json() -> None:
    found = describe_state(record().state)
    assert json.loads(json.dumps(found)) == found
    assert found["viewer"] == UMPIRE
    assert [group["id"] for group in found["groups"]] == ["K-I1/1", "K-I1/2", "O1/1", "F1/1"]
    assert found["sides"]["axis"]["cpp"] == 5
    assert found["scenario"]["spent"] == {"axis": 13}
    assert found["past"][0]["cvp"] == {"axis": 9, "allied": 12}
    assert found["units"]["AX2"]["marks"] == ["concealed"]
    assert found["block_control"] == {"W": "allied", "NE": "axis"}
    assert found["ground"]["blazes"] == []


def test_of_the_enemy_only_what_is_known_is_said() -> None:
    found = describe_state(seen_by(record(), "allied").state)
    assert set(found["sides"]["axis"]) == set(KNOWN)
    assert set(found["sides"]["allied"]) == {*KNOWN, *OWN}
    for one in (found["scenario"], *found["past"]):
        assert all("axis" not in one[name] for name in POINTS)
    text = json.dumps(found)
    assert not [word for word in AXIS_SECRETS if word in text]
    assert found["past"][0]["start"] == {"allied": 6}


def test_the_ruleset_describes_so() -> None:
    state = seen_by(record(), "axis").state
    assert RULESET.describe(state) == describe_state(state)


def test_every_part_of_the_state_is_shown_or_left_out_on_purpose() -> None:
    """A field that is added to the state needs a decision: is it everybody's?"""
    assert {part.name for part in fields(SideState)} == {*KNOWN, *OWN}
    assert {part.name for part in fields(Scenario)} == {*SCENARIO, *POINTS}
    shown = {"viewer", "sides", "scenario", "past", "idle_since", "areas", "groups", "units"}
    shown |= {"forts", "ground", *CAMPAIGN}
    assert {part.name for part in fields(HaslState)} - shown == {"turning", "arrived", "taking_up"}
    assert {part.name for part in fields(BoardGround)} == set(describe_state(record().state)["ground"])


def test_sets_are_in_order() -> None:
    assert as_json(frozenset({"b", "a"})) == ["a", "b"]
    assert as_json({1: (frozenset({2}),)}) == {"1": [[2]]}
