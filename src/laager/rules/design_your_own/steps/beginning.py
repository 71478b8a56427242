"""What must be settled before anything is bought (DYO H1.1)."""

from __future__ import annotations

from laager.campaign import Procedure, Question, Text, ask, step
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import WeatherAgreed
from laager.rules.design_your_own.terms import SIDES


@step("DYO H1.1", "What is agreed first", also=("DYO H1.201", "DYO H1.28", "DYO H1.531"))
def beginning(cg: Cg) -> Procedure[None]:
    """The terms hold all but the Weather, if that is not determined yet."""
    if cg.terms.weather:
        return
    weather = yield from ask(
        Question(
            key="weather",
            side=SIDES[0],
            text="What are the Weather Conditions?",
            form=Text(limit=60),
            rule="DYO H1.531",
            default="Clear",
            help="Determine them as E3 has it; Air Support can't be bought before. They are open.",
        )
    )
    yield WeatherAgreed(weather=weather or "Clear", rule="DYO H1.531", why="told by the players")
