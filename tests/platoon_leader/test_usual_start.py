"""How a card usually begins: ratings of every nation, moons of known nights, words that a card can say of itself."""

from __future__ import annotations

from datetime import date

import pytest

from laager.catalogue import packaged_nations
from laager.catalogue.dyo import Month
from laager.rules.board.hasl.grids.pl_words import situation_in_words, victory_in_words
from laager.rules.platoon_leader.card.card import Firefight
from laager.rules.platoon_leader.card.usual_start import PACES, moon_on, usual_calendar, usual_places, usual_start


@pytest.mark.parametrize("nation", packaged_nations())
def test_every_nation_has_ratings_that_a_card_can_have(nation: str) -> None:
    for month in (None, Month(1939, 9), Month(1943, 7), Month(1945, 5)):
        start = usual_start(nation, month, attacks=True)
        assert 0 <= start["elr"] <= 5
        assert 0 <= start["san"] <= 7


def test_ratings_are_those_of_the_month() -> None:
    assert [usual_start("russian", Month(year, 7), False)["elr"] for year in (1941, 1943, 1944)] == [2, 3, 4]
    assert usual_start("legion", None, False) == {"cp": 16, "attack_cost": 3}


@pytest.mark.parametrize("pace", PACES)
def test_every_calendar_is_one_of_a_card(pace: str) -> None:
    lines = [Firefight.model_validate(line) for line in usual_calendar(date(1943, 7, 12), 9, pace)]
    assert len(lines) == 9
    assert lines[0].date == date(1943, 7, 12)
    assert [line.date for line in lines] == sorted(line.date for line in lines)
    assert all((line.night is not None) == (line.time == "night") for line in lines)


@pytest.mark.parametrize(
    ("day", "moon"),
    # From almanacs: full on 6 June 1944 and 17 July 1943, new on 17 September 1944, first quarter on 25 September 1944.
    [("1944-06-06", "full"), ("1943-07-17", "full"), ("1944-09-17", "none"), ("1944-09-25", "half")],
)
def test_the_moon_is_that_of_the_night(day: str, moon: str) -> None:
    assert moon_on(date.fromisoformat(day)) == moon


def test_places_are_named_buildings_bridges_and_fords() -> None:
    mill, hut = {"name": "Mill", "hexes": ["F5", "F6"]}, {"hexes": ["B6"]}
    map_ = {"buildings": [mill, hut], "features": {"bridge": ["C3"], "ford": ["F5", "D4"]}}
    assert usual_places(map_) == {"F5": ("Mill", 1), "C3": ("Bridge", 2), "D4": ("Ford", 1)}
    assert usual_places(None) == usual_places({}) == {}


def test_a_card_says_its_situation_and_its_victory() -> None:
    sides = {"axis": {"name": "Germans"}, "allied": {"name": "Soviets"}}
    data = {"firefights": [{"date": "1943-07-12"}] * 5, "sides": sides, "initial_attacker": "allied"}
    assert (
        situation_in_words(data) == "July 1943: Germans and Soviets meet in five firefights. First to attack: Soviets."
    )
    assert situation_in_words({"sides": sides, "firefights": []}) == ""
    row = {"objectives.campaign.points": "tvp", "objectives.campaign.margin": "7", "objectives.campaign.tie": "Axis"}
    assert victory_in_words(row) == (
        "The side with more CG TVP wins. A lead of less than 7 counts as equal. If it is equal, the Axis side wins."
    )
    assert victory_in_words({**row, "objectives.campaign.points": "asked"}) == ""
