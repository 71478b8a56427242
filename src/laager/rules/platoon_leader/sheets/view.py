"""A viewer's campaign on the map, and as JSON for exports, pages and programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from laager.campaign import UMPIRE
from laager.hexmap.draw import Layers, front_layer
from laager.rules.board.card.parts import SIDES
from laager.rules.board.sheets.view import as_json, fort_marks, ground_marks, unit_marks
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import PlState

OWN = ("cp", "fp", "secret_san", "patrols", "platoons", "bought", "bought_now", "next_unit", "next_fort")
"""Numbers of a side that only itself and the umpire know; of the enemy's a viewer's state says nothing."""


def layers(cg: Cg) -> Layers:
    """Return what a viewer's state shows: Control, front, TVP, entry areas, known units."""
    front = cg.front
    slot = cg.slot
    return Layers(
        title=cg.card.title,
        subtitle=f"Firefight {cg.state.fight.number}, {slot.date} {slot.time}",
        control=cg.state.ground.control,
        strategic=tuple(cg.strategic()),
        front=front_layer(front) if front else None,
        entry={side: cg.edge(side) for side in SIDES},
        tvp=_tvp(cg),
        units=tuple(unit_marks(cg)),
        forts=tuple(fort_marks(cg.state)),
        ground=tuple(ground_marks(cg)),
        flames=cg.state.ground.flames,
        blazes=cg.state.ground.blazes,
        sides={side: cg.side(side).name for side in SIDES},
    )


def _tvp(cg: Cg) -> Counter[str]:
    """Return what each hex is worth with all its Locations."""
    worth: Counter[str] = Counter()
    for location, points in cg.card.tvp.items():
        worth[location.split(".")[0]] += points
    return worth


def describe(state: PlState) -> dict[str, Any]:
    """Return everything in a state as plain JSON."""
    described: dict[str, Any] = as_json(state)
    described["groups"] = as_json(tuple(state.groups.values()))
    if state.viewer != UMPIRE:
        for side, numbers in described["sides"].items():
            if side != state.viewer:
                described["sides"][side] = {k: v for k, v in numbers.items() if k not in OWN}
    return described
