"""A viewer's campaign on the map."""

from __future__ import annotations

from collections import Counter

from laager.hexmap.draw import Layers, UnitMark, front_layer
from laager.rules.board.card.parts import SIDES
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.sheets.roster import mine

CARRIED = frozenset({"sw"})


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
        units=tuple(_units(cg)),
        sides={side: cg.side(side).name for side in SIDES},
    )


def _tvp(cg: Cg) -> Counter[str]:
    """Return what each hex is worth with all its Locations."""
    worth: Counter[str] = Counter()
    for location, points in cg.card.tvp.items():
        worth[location.split(".")[0]] += points
    return worth


def _units(cg: Cg) -> list[UnitMark]:
    stacks: Counter[tuple[str, str, str, bool]] = Counter()
    for unit in cg.state.units.values():
        if unit.on_map and unit.hex and unit.kind not in CARRIED:
            concealed = unit.has(Mark.CONCEALED, Mark.HIP, Mark.CLOAKED)
            stacks[unit.hex, unit.side, unit.type, concealed] += 1
    return [
        UnitMark(name, side, label, concealed, count, own=mine(cg, side))
        for (name, side, label, concealed), count in stacks.items()
    ]
