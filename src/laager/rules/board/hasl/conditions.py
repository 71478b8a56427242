"""Values of the conditions that a module's tables name, as far as the layer knows them.

Conditions of a table that are not among them are asked of the players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import implements
from laager.rules.board.card.parts import other_side
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import ATTACK, IDLE, Scenario
from laager.tables import Value


@implements("ABtF 9.2 Campaign Exhaustion DRM")
def conditions(cg: Hasl, side: str) -> Mapping[str, int]:
    """Return how often each condition applies to a side, or the value of one that is given.

    `exhaustion` and `ammunition` are DRM, `attacked` and `idle` the side's chit of the date just
    played, `cvp-lost` counts full steps of CVP lost on that date, `night` is the date to come.
    What is not known yet (the exhaustion before its step) is left out, and so asked.
    """
    numbers, chit = cg.state.side(side), last_date(cg).chits.get(side, "")
    counts = {
        "ammunition": numbers.ammunition,
        "attacked": int(chit == ATTACK),
        "idle": int(chit == IDLE),
        "night": int(cg.date.night),
    }
    if numbers.exhaustion is not None:
        counts["exhaustion"] = numbers.exhaustion
    if cg.charts.cvp_step is not None:
        counts["cvp-lost"] = cvp_lost(cg, side) // cg.charts.cvp_step
    return counts


def last_date(cg: Hasl) -> Scenario:
    """Return the line of the date just played: its chits and losses count in the Refit Phase.

    Before the Initial Scenario that is the Initial Scenario itself, with the chits it assumes.
    """
    scenario = cg.state.scenario
    if scenario.chits or not cg.state.past:
        return scenario
    return cg.state.past[-1]


def cvp_lost(cg: Hasl, side: str) -> int:
    """Return the CVP that a side lost in the scenario just played and in the Refit Phase since.

    Nothing after an Idle Date: what was lost before it has counted already.
    """
    if last_date(cg).idle:
        return 0
    amassed: int = cg.state.side(other_side(side)).cvp
    return amassed


def number_of(result: Value, table: str) -> int:
    """Return the result of a table as a number. Raises RefusedError if it is none."""
    if isinstance(result, bool) or not isinstance(result, int | None):
        raise RefusedError(
            Refusal.BAD_DATA, f"the table {table} gives {result!r}", "its results must be numbers, such as -1, 0, 1"
        )
    return result or 0


def word_of(result: Value, table: str, words: Sequence[str], yes: str, no: str) -> str:
    """Return the result of a table as one of some words. Raises RefusedError for another one."""
    if isinstance(result, bool) or result is None:
        return yes if result else no
    if result not in words:
        raise RefusedError(Refusal.BAD_DATA, f"the table {table} gives {result!r}", did_you_mean(str(result), words))
    return str(result)


def yes_of(result: Value, table: str) -> bool:
    """Return the result of a table as yes or no. Raises RefusedError if it is neither."""
    if not isinstance(result, bool | None):
        raise RefusedError(Refusal.BAD_DATA, f"the table {table} gives {result!r}", "its results must be yes or no")
    return bool(result)
