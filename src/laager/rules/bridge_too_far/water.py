"""British water shortage: from when on, and how rain lifts it (CG21)."""

from __future__ import annotations

from datetime import date
from enum import Enum

from laager.campaign import implements
from laager.rules.board.hasl.context import Hasl

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
def water(cg: Hasl) -> Water:
    """Return how the British stand for water on the present CG Date.

    Rain in a scenario lifts the shortage for the rest of it and for the date directly after it,
    whether that is Idle or not, and for no other.
    """
    if cg.date.day < BEGINS:
        return Water.ENOUGH
    past = cg.state.past
    if past and past[-1].rain:
        return Water.LIFTED
    if cg.state.scenario.rain:
        return Water.LIFTED_IN_PLAY
    return Water.SHORT
