"""What is settled before anything is bought, and Rosters shown (DYO H1.1)."""

from __future__ import annotations

from laager.campaign import Choice, Option, Procedure, Question, Step, Text, ask, ask_all, step
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import PurchaseEnded, RosterShown, WeatherAgreed
from laager.rules.design_your_own.terms import SIDES


@step("DYO H1.1", "What is agreed first")
def beginning(cg: Cg) -> Procedure[None]:
    """The terms hold all but the Weather, if that is not determined yet (H1.1)."""
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
            help="Determine them by E3. You can't buy Air Support before. Both sides see them.",
        )
    )
    yield WeatherAgreed(weather=weather or "Clear", rule="DYO H1.531", why="given by the players")


OPEN = "open"
OPEN_ROSTER = "open-roster"
"""The question that is left when a side has all that it buys."""


def showing(name: str, *sides: str) -> Step:
    """Return the step of open buying in which these sides show what they have bought so far."""

    def run(cg: Cg) -> Procedure[None]:
        for side in sides:
            yield RosterShown(side=side, ob=cg.ob(side), why="bought in the open")

    return Step(name, "DYO H1.1", "Purchases are shown", run)


@step("DYO H1.1", "Rosters are opened")
def rosters_opened(cg: Cg) -> Procedure[None]:
    """When the scenario is played, or both agree before, all is opened and can be checked (H1.1)."""
    why = "bought in the open"
    if not cg.terms.open:
        yield from ask_all(_question(side) for side in SIDES)
        why = "both sides agree to open their Rosters"
    for side in SIDES:
        yield RosterShown(side=side, ob=cg.ob(side), why=why)
    yield PurchaseEnded(ending="both Rosters are open", why=why)


def _question(side: str) -> Question:
    return Question(
        key=OPEN_ROSTER,
        side=side,
        text="Is the scenario played, or do you agree to open both Rosters now?",
        form=Choice((Option(OPEN, "open them"),)),
        rule="DYO H1.1",
        secret=True,
        default=OPEN,
        irrevocable=lambda _: "Your Roster and the dice seed lie open once both sides agree.",
        nothing="Open them",
        help="Leave this unanswered until then. Neither is opened before both sides answer; then "
        "the dice seed is shown too, so that everyone can check every roll.",
    )
