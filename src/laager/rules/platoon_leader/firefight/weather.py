"""The weather at the start of a firefight (PL 2.2)."""

from __future__ import annotations

from laager.campaign import Procedure, Question, Text, ask, implements, roll, step
from laager.dice import Dice
from laager.rules.platoon_leader.card.card import WeatherTable
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import WeatherSet

CLEAR = "clear"


@step("PL 2.2", "Weather")
def weather(cg: Cg) -> Procedure[None]:
    """The weather is what the card lists, else rolled on the card's table, else told."""
    listed = listed_weather(cg)
    if listed:
        yield WeatherSet(weather=listed, why="listed by the card for this firefight")
        return
    table = cg.card.weather_table
    if table is not None:
        dice = Dice.DR if table.dice == "DR" else Dice.dr
        rolled = yield from roll(cg.card.attacking_side, "Weather", dice)
        rolled_weather = weather_of(table, rolled.final)
        if rolled_weather:
            yield WeatherSet(weather=rolled_weather, why=f"{rolled} on the card's table")
            return
    typed = yield from ask(
        Question(
            key="weather",
            side=cg.card.attacking_side,
            text="What is the weather of this firefight? The card does not say.",
            form=Text(limit=200),
            default=CLEAR,
            help="Find it as the special rules of the card have it; include Wind and EC.",
        )
    )
    yield WeatherSet(weather=typed or CLEAR, why="as the players say")


@implements("PL 1.34")
def listed_weather(cg: Cg) -> str:
    """Return the weather that the card lists for this firefight; "" if it is to be rolled.

    If the card has a table of its own, what it lists is history, followed only if both sides agreed on that.
    """
    listed = cg.slot.weather or ""
    if cg.card.weather_table is None or "weather" in cg.state.agreed.get("historical", ()):
        return listed
    return ""


def weather_of(table: WeatherTable, final: int) -> str:
    """Return the weather of a final roll; "" where the card's rows have a gap."""
    for row in table.rows:
        if (row.low is None or row.low <= final) and (row.high is None or final <= row.high):
            return row.weather
    return ""
