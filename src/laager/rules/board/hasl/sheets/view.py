"""A viewer's campaign on the map, and as JSON: what is not named here is not shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from laager.hexmap.draw import BlockLayer, Layers, block_layer, entry_marks
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.areas import strategic_locations
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import HaslState, Scenario, SideState
from laager.rules.board.sheets.records import sees_secrets
from laager.rules.board.sheets.view import as_json, fort_marks, ground_marks, unit_marks

CAMPAIGN = ("done", "round", "omit", "agreed", "notes", "winner", "ending", "block_control")
"""Fields of the campaign that both sides know."""

KNOWN = (
    *("elr", "san", "cvp", "cvp_total", "leaders_lost", "attacks", "idles"),
    *("exhaustion", "ammunition", "massacre", "snipers"),
)
"""Numbers of a side that both sides know."""

OWN = ("cpp", "fpp", "secret_san", "bought", "bought_now", "next_unit", "next_fort")
"""Numbers of a side that only itself and the umpire know; of the enemy's nothing is said."""

SCENARIO = (
    *("number", "chits", "kind", "idle", "sets_up_first", "moves_first", "weather", "ec", "wind"),
    *("nvr", "last_turn", "play_ended", "ended", "rain", "elr", "san", "cvp", "ammunition"),
)
"""Fields of a scenario that both sides know."""

POINTS = ("start", "spent", "left", "fpp")
"""Fields of a scenario with each side's points, for that side alone."""


def map_layers(cg: Hasl) -> Layers:
    """Return what a viewer's state shows on the map."""
    kind = cg.state.scenario.kind
    return Layers(
        title=cg.card.title,
        subtitle=f"CG Date {cg.date.title}" + (f", {kind}" if kind else ""),
        control=cg.state.ground.control,
        strategic=tuple(strategic_locations(cg)),
        blocks=block_layer(cg.map, cg.block_front()) if cg.blocks else listed_layer(cg),
        entry_areas=entry_marks(cg.map),
        units=tuple(unit_marks(cg)),
        forts=tuple(fort_marks(cg.state)),
        ground=tuple(ground_marks(cg)),
        flames=cg.state.ground.flames,
        blazes=cg.state.ground.blazes,
        sides={side: cg.side(side).name for side in SIDES},
    )


def listed_layer(cg: Hasl) -> BlockLayer:
    """Return the layer that shows listed Setup Areas, without a front line."""
    names = Counter(area.name for area in cg.state.areas)
    control: dict[str, str] = {}
    shown: dict[str, frozenset[str]] = {}
    for area in cg.state.areas:
        # Both sides can have an area of one name.
        own = area.name if names[area.name] == 1 else f"{area.name} {cg.side(area.side).name}"
        control[own] = area.side
        shown[own] = frozenset(area.hexes)
    return BlockLayer(
        sides=SIDES,
        blocks=shown,
        control=control,
        held={side: cg.state.friendly(side) for side in SIDES},
        road_line=frozenset(),
        line={side: frozenset[str]() for side in SIDES},
    )


def describe_state(state: HaslState) -> dict[str, Any]:
    """Return everything that the viewer of a state knows as plain JSON, in a stable order.

    Units, fortifications and groups are those in the viewer's facts.
    """
    return {
        "viewer": state.viewer,
        **{name: as_json(getattr(state, name)) for name in CAMPAIGN},
        "sides": {side: _side(state, side, own) for side, own in state.sides.items()},
        "scenario": _scenario(state, state.scenario),
        "past": [_scenario(state, scenario) for scenario in state.past],
        "idle_since": state.idle_since,
        "areas": as_json(state.areas),
        "groups": as_json(tuple(state.groups.values())),
        "units": as_json(state.units),
        "forts": as_json(state.forts),
        "ground": {
            name: as_json(getattr(state.ground, name))
            for name in ("control", "crests", "flames", "blazes", "burnt", "changes", "cleared")
        },
    }


def _side(state: HaslState, side: str, own: SideState) -> dict[str, Any]:
    names = (*KNOWN, *OWN) if sees_secrets(state, side) else KNOWN
    return {name: as_json(getattr(own, name)) for name in names}


def _scenario(state: HaslState, scenario: Scenario) -> dict[str, Any]:
    data = {name: as_json(getattr(scenario, name)) for name in SCENARIO}
    for name in POINTS:
        by_side: Mapping[str, int] = getattr(scenario, name)
        data[name] = {side: n for side, n in by_side.items() if sees_secrets(state, side)}
    return data
