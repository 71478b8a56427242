"""British water shortage (CG21), with the rain that lifts it and Idle Dates between."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.hasl.facts import DateBegun, PlayEnded, RainFell
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.reminders import water_shortage
from laager.rules.bridge_too_far.shortage import Water, water_supply
from tests.bridge_too_far.scene import apply, at_date, chits, scene

LATE: dict[str, Any] = {
    "dates": [
        {"id": "19N", "day": "1944-09-19", "part": "N"},
        {"id": "20AM", "day": "1944-09-20", "part": "AM"},
        {"id": "20PM", "day": "1944-09-20", "part": "PM"},
        {"id": "20Eve", "day": "1944-09-20", "part": "Eve"},
        {"id": "20N", "day": "1944-09-20", "part": "N"},
    ]
}


def rain(cg: Abtf) -> Abtf:
    chits(cg, "attack", "idle")
    return apply(cg, RainFell())


def test_from_20am_on() -> None:
    cg = scene(LATE)
    assert water_supply(cg) is Water.ENOUGH
    assert list(water_shortage(cg)) == []
    for name in ("20AM", "20PM", "20N"):
        assert water_supply(at_date(cg, name)) is Water.SHORT
    assert "Double Time" in next(water_shortage(cg)).text


def test_rain_lifts_it_for_the_rest_of_the_scenario_and_the_next_date() -> None:
    cg = rain(at_date(scene(LATE), "20AM"))
    assert water_supply(cg) is Water.LIFTED_IN_PLAY
    assert "rest of the scenario" in next(water_shortage(cg)).text
    assert water_supply(at_date(cg, "20PM")) is Water.LIFTED
    assert "date before" in next(water_shortage(cg)).text
    assert water_supply(at_date(cg, "20Eve")) is Water.SHORT


def test_an_idle_date_takes_the_benefit() -> None:
    cg = rain(at_date(scene(LATE), "20AM"))
    at_date(cg, "20Eve", idle=("20PM",))
    assert water_supply(cg) is Water.SHORT


def test_rain_in_the_report_counts_too() -> None:
    cg = at_date(scene(LATE), "20AM")
    chits(cg, "attack", "idle")
    apply(cg, PlayEnded(turn=6, rain=True), DateBegun(number=cg.state.number + 1))
    assert water_supply(cg) is Water.LIFTED


def test_without_rain_of_three_turns_it_is_never_lifted() -> None:
    cg = at_date(scene(LATE), "20AM")
    chits(cg, "attack", "idle")
    assert water_supply(cg) is Water.SHORT
    assert water_supply(at_date(cg, "20PM")) is Water.SHORT


@pytest.mark.parametrize("name", ["20AM", "20PM"])
def test_rain_before_20am_lifts_20am_only(name: str) -> None:
    cg = rain(scene(LATE))
    assert water_supply(cg) is Water.ENOUGH
    assert (water_supply(at_date(cg, name)) is Water.LIFTED) is (name == "20AM")
