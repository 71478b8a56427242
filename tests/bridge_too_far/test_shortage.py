"""British Ammunition Shortage (CG17): the chart line for line, its notes, its example."""

from __future__ import annotations

import pytest

from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.sheets.roster import roster_sheet
from laager.rules.bridge_too_far.reminders import ammunition
from laager.rules.bridge_too_far.shortage import (
    Shortage,
    elr_drm,
    is_exempt,
    printed_charts,
    shortage_level,
    shortage_levels,
)
from laager.rules.bridge_too_far.steps.shortage import ammunition_shortage
from tests.bridge_too_far.scene import scene
from tests.historical.driver import run

# Level: Original DR for ELR loss, B# change, DRM of 9.6202, ATMM drm, note.
LEVELS = {level.level: level for level in printed_charts().shortage.levels}

CHART = {
    1: ("One", 12, 0, 1, 0, ""),
    2: ("Two", 12, -1, 2, 0, ""),
    3: ("Three", 11, -1, 3, 0, ""),
    4: ("Four", 11, -2, 4, 1, "ABtF CG17 *"),
    5: ("Five", 10, 0, 5, 2, "ABtF CG17 **"),
}


def test_the_chart() -> None:
    found = {
        number: (one.name, one.substitution, one.breakdown, one.elr, one.atmm, one.note)
        for number, one in LEVELS.items()
    }
    assert found == CHART
    assert [number for number, one in LEVELS.items() if one.first_use] == [5]


def test_the_example() -> None:
    two = LEVELS[2]
    assert two.breakdown_number(10) == 9
    assert is_exempt("DC")
    assert is_exempt("FT")
    assert is_exempt("Radio")
    assert is_exempt("Field Phone")
    assert is_exempt("LMG", captured=True)
    assert not is_exempt("PIAT")
    assert not is_exempt("57L AT OQF 6pdr 7cwt")


def test_levels_are_numbered_from_one() -> None:
    rows = tuple(LEVELS.values())
    with pytest.raises(ValueError, match="numbered from 1 on"):
        Shortage(rule="ABtF CG17", levels=rows[1:])


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, ["on an Original DR of 12"]),
        (2, ["on an Original DR of 12", "B# -1 (B12 becomes 11, B11 becomes 10, B10 becomes 9)"]),
        (3, ["11 or more", "B# -1"]),
        (4, ["11 or more", "B# -2 (B12 becomes 10", "no repair", "ATMM Check dr +1"]),
        (5, ["10 or more", "first use", "no repair", "ATMM Check dr +2"]),
    ],
)
def test_effects_in_words(number: int, told: list[str]) -> None:
    text = "; ".join(LEVELS[number].effects())
    for words in told:
        assert words in text
    assert ("Intensive" in text) is (number >= 4)
    assert ("B#" in text) is (number in (2, 3, 4))


def with_level(number: int, **more: str) -> object:
    cg = scene(readings=more)
    cg.state = cg.state.with_side(ALLIED, ammunition=number)
    return cg


def test_reminders() -> None:
    for number in range(6):
        cg = with_level(number)
        clauses = [one.clause for one in ammunition(cg)]  # type: ignore[arg-type]
        assert clauses == {0: [], 4: ["ABtF CG17", "ABtF CG17 *"], 5: ["ABtF CG17", "ABtF CG17 **"]}.get(
            number, ["ABtF CG17"]
        )
    barred = with_level(4, **{"level-four-fpf": "barred"})
    assert "banned as well" in list(ammunition(barred))[1].text  # type: ignore[arg-type]
    assert "excepted" in list(ammunition(with_level(5)))[1].text  # type: ignore[arg-type]


@pytest.mark.parametrize(("reading", "drm"), [("after", 2), ("before", 1)])
def test_the_level_for_elr(reading: str, drm: int) -> None:
    cg = scene(readings={"shortage-for-elr": reading})
    played = run(ammunition_shortage, cg, dice=[(5, 6)])
    assert [fact.kind for fact in played.facts] == ["ammunition-changed", "shortage-noted"]
    assert shortage_level(cg) is shortage_levels(cg)[2]
    assert elr_drm(cg, "allied") == drm
    assert elr_drm(cg, "axis") == 0
    assert cg.variant.elr_conditions(cg, "allied")["ammunition"] == drm


def test_the_level_stands_on_the_roster() -> None:
    cg = scene()
    run(ammunition_shortage, cg, dice=[(5, 6)])
    assert cg.variant.roster_cells(cg, "allied", cg.state.scenario) == {"Amm. Shortage": "Two"}
    assert cg.variant.roster_cells(cg, "axis", cg.state.scenario) == {}
    german, british = (roster_sheet(cg, side) for side in ("axis", "allied"))
    assert [one.title for one in british.columns if "hortage" in one.title] == ["Amm. Shortage"]
    assert "Two" in british.rows[0]
    assert not [one for one in german.columns if "hortage" in one.title]
    later = cg.state.scenario.__class__(number=2)
    assert cg.variant.roster_cells(cg, "allied", later) == {"Amm. Shortage": ""}


def test_before_the_roll_of_a_date_the_level_is_the_old_one() -> None:
    cg = scene()
    assert cg.variant.roster_cells(cg, "allied", cg.state.scenario) == {"Amm. Shortage": "One"}


def test_what_is_rolled_is_told_when_nothing_changes() -> None:
    played = run(ammunition_shortage, scene(), dice=[(1, 1)])
    stays, noted = played.facts
    assert stays.tell() == "allied Ammunition Shortage level stays 1"
    assert "1+1" in stays.why
    assert "(no change)" in noted.tell()


def test_a_shortage_can_begin_later() -> None:
    cg = scene({"sides": {"allied": {"ammunition": 0}}})
    run(ammunition_shortage, cg, dice=[(5, 6)])
    assert shortage_level(cg) is shortage_levels(cg)[1]


def test_no_shortage_has_no_drm() -> None:
    cg = scene()
    cg.state = cg.state.with_side(ALLIED, ammunition=0)
    assert shortage_level(cg) is None
    assert elr_drm(cg, "allied") == 0


@pytest.mark.parametrize(("reading", "steps"), [("date", 1), ("campaign", 6)])
def test_casualties_for_elr(reading: str, steps: int) -> None:
    cg = scene(readings={"casualties-for-elr": reading})
    cg.state = cg.state.with_side("axis", cvp=9, cvp_total=30)
    assert cg.variant.elr_conditions(cg, "allied")["cvp-lost"] == steps
    assert cg.variant.elr_conditions(cg, "axis")["cvp-lost"] == 0


def test_without_a_step_for_cvp_nothing_is_counted() -> None:
    cg = scene(charts={"cvp_step": None})
    assert "cvp-lost" not in cg.variant.elr_conditions(cg, "axis")
