"""Weather, EC and wind of a scenario, and the NVR of a night one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from laager.campaign import Field, Number, Procedure, Record, Text, implements, roll, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.asking import ask_and_confirm, ask_modifiers
from laager.rules.board.hasl.conditions import conditions
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import WeatherSet

RANDOM = "random-weather"
"""The table of random weather, and the name under which players agree on it."""

MAX_NVR = 12


@dataclass(frozen=True)
class PrintedWeather:
    """The weather of a scenario by card or table; empty or None where they say nothing."""

    weather: str = ""
    ec: str = ""
    wind: str = ""
    nvr: int | None = None
    why: str = "listed by the card"


@implements("ABtF 9.6216", "ABtF CG3", "ER 1.517", "ER CG3")
@step("HASL 27", "Weather")
def weather(cg: Hasl) -> Procedure[None]:
    """The weather is what the card lists, else rolled for, else told; so are EC, wind and NVR."""
    known = printed_weather(cg)
    if random_weather(cg):
        known = replace(known, weather="")
    if not known.weather:
        rolled = yield from _roll_weather(cg)
        if rolled is not None:
            known = replace(known, weather=rolled[0], why=rolled[1])
    missing = missing_fields(cg, known)
    entered: Mapping[str, Any] = {}
    if missing:
        night = f"; {cg.date.moon}" if cg.date.moon else ""
        entered = yield from ask_and_confirm(
            "weather",
            SIDES[0],
            f"What is the weather of {cg.date.title}?",
            Record(missing),
            help=f"Find what is missing in the module{night}.",
            tell=lambda answer: ", ".join(f"{name} {value}" for name, value in answer.items()),
        )
    yield WeatherSet(
        weather=known.weather or entered.get("weather") or "clear",
        ec=known.ec or entered.get("ec", ""),
        wind=known.wind or entered.get("wind", ""),
        nvr=known.nvr if known.nvr is not None else entered.get("nvr"),
        why=known.why if known.weather else "as the players say",
    )


@implements("HASL 27")
def printed_weather(cg: Hasl) -> PrintedWeather:
    """Return what the card prints: of the Initial Scenario first, then of the date."""
    date = cg.date
    nvr = date.nvr if date.night else None
    if not cg.initial:
        return PrintedWeather(date.weather, date.ec, date.wind, nvr)
    first = cg.card.initial
    return PrintedWeather(first.weather or date.weather, first.ec or date.ec, first.wind or date.wind, nvr)


def random_weather(cg: Hasl) -> bool:
    """True if the players agreed to roll for the weather instead of following history."""
    return bool(cg.state.agreed.get(RANDOM)) and not cg.initial


def _roll_weather(cg: Hasl) -> Procedure[tuple[str, str] | None]:
    """Roll on the table, if it is filled in; returns the weather and how it came about."""
    table = cg.chart_table(RANDOM if random_weather(cg) else "weather")
    if table is None:
        return None
    side = cg.state.scenario.moves_first or SIDES[0]
    modifiers = yield from ask_modifiers(table, side, "Weather", conditions(cg, side))
    rolled = yield from roll(side, "Weather", table.dice, modifiers, table=table.id)
    return str(table.result(rolled.final) or ""), f"{rolled} on the table"


@implements("HASL 27", "ABtF CG24a", "ER CG5a")
def missing_fields(cg: Hasl, known: PrintedWeather) -> tuple[Field, ...]:
    """Return the fields of the weather that are still unknown."""
    fields = []
    if not known.weather:
        fields.append(Field("weather", Text(200), "Weather", "clear"))
    if not known.ec:
        fields.append(Field("ec", Text(40), "Environmental Conditions", "moderate"))
    if not known.wind:
        fields.append(Field("wind", Text(40), "Wind", "none"))
    if cg.date.night and known.nvr is None:
        fields.append(Field("nvr", Number(0, MAX_NVR), "NVR at the start", 3))
    return tuple(fields)
