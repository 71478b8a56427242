"""A viewer's state as JSON, for exports and programs: what is not named here is not shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from laager.campaign import UMPIRE
from laager.rules.board.hasl.state import HaslState, Scenario, SideState

CAMPAIGN = ("done", "round", "omit", "agreed", "notes", "winner", "ending", "block_control")
"""What everybody may know of the campaign as a whole."""

KNOWN = (
    *("elr", "san", "cvp", "cvp_total", "leaders_lost", "attacks", "idles"),
    *("exhaustion", "ammunition", "massacre", "snipers"),
)
"""Numbers of a side that everybody may know."""

OWN = ("cpp", "fpp", "bought", "bought_now", "next_unit", "next_fort")
"""Numbers of a side that only itself and the umpire know; of the enemy's nothing is said."""

SCENARIO = (
    *("number", "chits", "kind", "idle", "sets_up_first", "moves_first", "weather", "ec", "wind"),
    *("nvr", "last_turn", "play_ended", "ended", "rain", "elr", "san", "cvp", "ammunition"),
)
"""What everybody may know of a scenario."""

POINTS = ("start", "spent", "left", "fpp")
"""What a scenario says of each side's points, for that side alone."""


def describe(state: HaslState) -> dict[str, Any]:
    """Return everything that the viewer of a state may know as plain JSON, in a stable order.

    Units, fortifications and groups are those that the viewer's facts told of.
    """
    return {
        "viewer": state.viewer,
        **{name: plain(getattr(state, name)) for name in CAMPAIGN},
        "sides": {side: _side(state, side, own) for side, own in state.sides.items()},
        "scenario": _scenario(state, state.scenario),
        "past": [_scenario(state, one) for one in state.past],
        "idle_since": state.idle_since,
        "areas": plain(state.areas),
        "groups": plain(tuple(state.groups.values())),
        "units": plain(state.units),
        "forts": plain(state.forts),
        "ground": {
            name: plain(getattr(state.ground, name))
            for name in ("control", "crests", "flames", "blazes", "burnt", "changes")
        },
    }


def mine(state: HaslState, side: str) -> bool:
    """Whether the viewer may see this side's secrets."""
    return state.viewer in (UMPIRE, side)


def _side(state: HaslState, side: str, own: SideState) -> dict[str, Any]:
    names = (*KNOWN, *OWN) if mine(state, side) else KNOWN
    return {name: plain(getattr(own, name)) for name in names}


def _scenario(state: HaslState, one: Scenario) -> dict[str, Any]:
    found = {name: plain(getattr(one, name)) for name in SCENARIO}
    for name in POINTS:
        by_side: Mapping[str, int] = getattr(one, name)
        found[name] = {side: n for side, n in by_side.items() if mine(state, side)}
    return found


def plain(value: Any) -> Any:
    """Return a value of a state as JSON has it, sets in a stable order."""
    if isinstance(value, BaseModel):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
