"""A whole purchase of nations without a catalogue: every section is typed in from the rulebook."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .conftest import Laager

NEW = ("--month", "1942-06", "--points", "700/600", "--axis", "italian", "--allied", "british")

SQUAD = {"type": "3-4-6", "class": "first-line", "bpv": 6, "half": "1-3-6"}
HALF = {"type": "1-3-6", "kind": "half-squad", "class": "first-line", "bpv": 3}
GUN = {"type": "47L AT", "sort": "at", "bpv": 28, "rf": "0.9", "counters": "6", "dm": "no"}
TANK = {"type": "M13/40", "afv": "yes", "bpv": 38, "rf": "0.9", "crew_morale": "7", "wreck": "-"}
RADIO = {"vehicle": "M13/40", "type": "AAMG", "fp": 2, "rf": "1.2"}

TYPED: Mapping[str, Any] = {
    "sections-squads": {"squads": [SQUAD, HALF], "pf_range": "0"},
    "infantry": {"lines": [{"type": "3-4-6", "number": 20}]},
    "san": 3,
    "sections-guns": {"guns": [GUN]},
    "ordnance-dr": True,
    "ordnance": [{"type": "47L AT", "number": 2}],
    "sections-vehicles": {
        "vehicles": [TANK],
        "armament": [RADIO],
        "transport": [{"type": "Wagon", "sort": "wagon", "bpv": 2}],
        "armor_leaders": [{"type": "8-1", "counters": 2}],
    },
    "vehicles-dr": {"roll": True, "motorized": False},
    "vehicles": [{"type": "M13/40", "number": 3}],
    "sections-oba": {"oba": {"7": "80+M 92", "8": "none", "max_bpv": "120"}},
    "oba-dr": True,
    "battery": {"buy": True},
    "sections-leaders": {
        "leaders": [{"type": "8-0", "counters": 9}, {"type": "8-1", "counters": 6}],
        "support_weapons": [{"type": "LMG", "ratio": 4, "counters": "20"}],
    },
    "values-capabilities": [{"what": "capabilities lg", "value": "5"}],
}
"""What is typed for each question; of others the proposal is taken."""


def bought(laager: Laager, side: str) -> dict[str, Any]:
    """Answer all that a side is asked, and return what was asked, by key."""
    asked: dict[str, Any] = {}
    for _ in range(80):
        status = json.loads(laager.well("status", "--side", side, "--json"))
        wanted = next(iter(status["pending"]), None)
        if wanted is None or wanted["key"] == "open-roster":
            return asked
        if "form" not in wanted:
            laager("dyo", "buy", "--side", side, stdin="34\n")
            continue
        asked[wanted["key"]] = wanted
        value = TYPED.get(wanted["key"], wanted["default"])
        ended = laager("dyo", "buy", "--side", side, stdin=json.dumps(value) + "\n")
        assert ended.err == "", (wanted["key"], ended.err)
    raise AssertionError(f"{side} is asked for ever: {list(asked)}")


def test_italians_against_british_are_bought_by_typing_values(laager: Laager) -> None:
    laager.well("dyo", "new", *NEW, "--weather", "Clear", "--entered-dice", "-o", "desert")
    asked = bought(laager, "axis") | bought(laager, "allied")
    asked |= bought(laager, "axis") | bought(laager, "allied")
    assert {key for key in asked if key.startswith("sections-")} == {
        "sections-squads",
        "sections-guns",
        "sections-vehicles",
        "sections-oba",
        "sections-leaders",
    }
    roster = laager.well("dyo", "roster", "--side", "axis")
    for words in ("3-4-6", "47L AT", "M13/40", "80+M", "LMG"):
        assert words in roster, roster
    assert "sound" in laager.well("verify")


def refused(laager: Laager, answer: object) -> str:
    """Return what is said of an answer to the first question of the Axis."""
    return laager("dyo", "buy", "--side", "axis", stdin=json.dumps(answer) + "\n").err


def test_what_is_typed_is_judged_as_a_catalogue_is(laager: Laager) -> None:
    laager.well("dyo", "new", *NEW, "--weather", "Clear", "-o", "desert")
    assert "squads[1].half: there is no half-squad '1-3-6'; enter the half-squad too" in refused(
        laager, {"squads": [SQUAD]}
    )
    assert "squads[2]: 3-4-6 stands here twice" in refused(laager, {"squads": [{**SQUAD, "half": ""}] * 2})
    assert "is not a valid number of counters" in refused(laager, {"squads": [{**HALF, "counters": "x"}]})
    assert "pf_range: 12 is not a valid range" in refused(laager, {"pf_range": "12"})


def test_what_is_left_out_is_named_and_an_empty_line_leaves_nothing_out(laager: Laager) -> None:
    laager.well("dyo", "new", *NEW, "--weather", "Clear", "-o", "desert")
    said = laager("dyo", "buy", "--side", "axis", stdin="\n").err
    assert "You leave out: Infantry. What stays open can't be bought." in said
    assert "Nobody has entered Infantry yet" in laager.well("status", "--side", "axis")
