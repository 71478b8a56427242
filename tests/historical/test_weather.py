"""Weather: printed, rolled for or told; NVR at night."""

from __future__ import annotations

from typing import Any

from laager.rules.board.facts import Agreed
from laager.rules.board.hasl.facts import DateBegun, RoundBegun
from laager.rules.board.hasl.scenario import weather
from laager.rules.board.hasl.state import Round
from tests.historical.driver import run
from tests.historical.small import data, scene

ROWS = [{"to": 7, "result": "Clear"}, {"from": 8, "to": 10, "result": "Rain"}]
OPEN = {"from": 11, "result": None}


def with_table(name: str, **more: Any) -> Any:
    tables = data("small-town-tables")
    table = {"id": name, "title": "Weather", "rule": "HASL 27", "roll": "DR", "rows": [*ROWS, OPEN]}
    return scene(tables={**tables, "tables": [*tables["tables"], table]}, **more)


def on(cg: Any, date: int) -> Any:
    cg.state = RoundBegun(round=Round.REFIT).apply(cg.state)
    cg.state = DateBegun(number=date).apply(cg.state)
    return cg


def test_the_initial_scenario_has_its_own() -> None:
    cg = scene({"initial": {"weather": "Overcast", "wind": "mild"}, "dates": dated(nvr=4)})
    played = run(weather.weather, cg)
    assert not played.asked
    line = cg.state.scenario
    assert (line.weather, line.ec, line.wind, line.nvr) == ("Overcast", "Moderate", "mild", 4)


def dated(**first: Any) -> list[Any]:
    one, *rest = data("small-town")["dates"]
    return [{**one, **first}, *rest]


def test_what_is_not_printed_is_told_by_both() -> None:
    cg = on(scene(), 2)
    told = {"weather": "Mist", "ec": "Wet", "wind": "none"}
    played = run(weather.weather, cg, answers={"weather": told})
    assert [question.key for question in played.asked] == ["weather", "weather-agreed"]
    assert cg.state.scenario.weather == "Mist"
    assert cg.state.scenario.nvr is None


def test_nvr_is_asked_at_night() -> None:
    cg = scene({"dates": dated(moon="half moon, overcast")})
    played = run(weather.weather, cg, answers={"weather": {"wind": "none", "nvr": 2}})
    assert cg.state.scenario.nvr == 2
    assert "half moon" in played.asked[0].help
    assert not played.asked[0].allows({"nvr": 13})


def test_the_table_is_rolled_on() -> None:
    cg = on(with_table("weather"), 2)
    run(weather.weather, cg, dice=[(4, 4)])
    assert cg.state.scenario.weather == "Rain"
    cg = on(with_table("weather"), 2)
    told = {"weather": {"weather": "Snow", "ec": "", "wind": ""}}
    played = run(weather.weather, cg, answers=told, dice=[(6, 6)])
    assert cg.state.scenario.weather == "Snow"
    assert played.facts[-1].why == "as the players say"


def test_history_unless_random_weather_is_agreed() -> None:
    dates = data("small-town")["dates"]
    printed = [dates[0], {**dates[1], "weather": "Clear"}, *dates[2:]]
    cg = on(with_table("random-weather", card={"dates": printed}), 2)
    assert not run(weather.weather, cg).rolls
    assert cg.state.scenario.weather == "Clear"
    cg = on(with_table("random-weather", card={"dates": printed}), 2)
    cg.state = Agreed(about="random-weather", value=True).apply(cg.state)
    run(weather.weather, cg, dice=[(5, 5)])
    assert cg.state.scenario.weather == "Rain"


def test_agreed_random_weather_without_a_table_is_told() -> None:
    cg = on(scene(), 2)
    cg.state = Agreed(about="random-weather", value=True).apply(cg.state)
    played = run(weather.weather, cg)
    assert not played.rolls
    assert cg.state.scenario.weather == "clear"
