"""British water shortage: from when on, and how rain lifts it (CG21)."""

from __future__ import annotations

from datetime import date
from enum import Enum
from typing import TYPE_CHECKING

from laager.campaign.clauses import implements
from laager.rules.historical.state import Scenario

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

BEGINS = date(1944, 9, 20)
"""The calendar day whose Dawn date is the first with a shortage of water."""

RAIN = 3
"""So many Player Turns of rain in a row end it for a while."""


class Water(Enum):
    """How the British stand for water on a CG Date."""

    ENOUGH = "no shortage yet"
    SHORT = "shortage"
    LIFTED = "shortage lifted by the rain of the date before"
    LIFTED_IN_PLAY = "shortage lifted by rain for the rest of the scenario"


@implements("ABtF CG21")
def water(cg: Abtf) -> Water:
    """Return how the British stand for water on the present CG Date.

    Rain in a scenario lifts the shortage for the rest of it and for the date directly after it,
    whether that is Idle or not, and for no other.
    """
    if cg.date.day < BEGINS:
        return Water.ENOUGH
    past = cg.state.past
    if past and rained(cg, past[-1]):
        return Water.LIFTED
    if rained(cg, cg.state.scenario):
        return Water.LIFTED_IN_PLAY
    return Water.SHORT


def rained(cg: Abtf, scenario: Scenario) -> bool:
    """Whether it rained for long enough in the scenario of a date, as told then or reported."""
    return scenario.rain or scenario.number in cg.state.rain
