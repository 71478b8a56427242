"""A viewer's state for drawing and for programs: units as counters on the map, values as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from pydantic import BaseModel

from laager.hexmap.draw import FortMark, GroundMark, UnitMark
from laager.hexmap.draw.counters import HIDDEN as HIDDEN_FACE
from laager.rules.board.context import CardContext
from laager.rules.board.sheets.counters import face_of, is_wreck, states_of
from laager.rules.board.sheets.records import sees_secrets
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING

HIDDEN = ("groups", "turning", "omit")
"""Fields of a state that are shown in another way, or not at all."""


def unit_marks(cg: CardContext) -> Iterator[UnitMark]:
    """Yield the counters that the viewer knows on the map, one mark for those of one look in a Location.

    SW are drawn where nobody has them, and lost vehicles as wrecks.
    """
    stacks: Counter[UnitMark] = Counter()
    for unit in cg.state.units.values():
        if not unit.at or not (is_wreck(unit) or (unit.on_map and not (unit.kind == "sw" and unit.with_unit))):
            continue
        own, concealed = sees_secrets(cg.state, unit.side), unit.has(*HIDING)
        if concealed and not own:
            stacks[UnitMark(unit.at, unit.side, "", concealed=True, face=HIDDEN_FACE)] += 1
            continue
        states = states_of(unit, on_map=True)
        stacks[UnitMark(unit.at, unit.side, unit.type, concealed, own=own, face=face_of(cg, unit), states=states)] += 1
    for mark, count in stacks.items():
        yield replace(mark, count=count)


def ground_marks(cg: CardContext) -> Iterator[GroundMark]:
    """Yield what play has left on the ground, and what the viewer knows of OBA: hexes, observers, Security Areas."""
    for at, kinds in cg.state.ground.changes.items():
        for kind in sorted(kinds):
            yield GroundMark(at, kind)
    for group in cg.state.groups.values():
        if getattr(group, "lost", ""):
            continue
        named: Any = getattr(group, "pre_registered", ())
        for name in (named,) if isinstance(named, str) else named:
            if name:
                yield GroundMark(name, "pre-registered", group.side, f"Pre-Registered hex of {group.id}")
        holder = cg.state.units.get(getattr(group, "holder", ""))
        if holder is not None and holder.on_map and holder.at:
            yield GroundMark(holder.at, "observer", group.side, f"Observer of {group.id}")
        line: tuple[str, ...] = tuple(getattr(group, "security", ()))
        if line:
            yield GroundMark(line[0], "security", group.side, f"Security Area of {group.id}", line)


def fort_marks(state: BoardState) -> Iterator[FortMark]:
    """Yield the fortifications on the map that the viewer knows, one mark for those of one sort in a place."""
    stacks: Counter[tuple[str, str, str, str, str, bool]] = Counter()
    for fort in state.forts.values():
        if fort.at:
            stacks[fort.at, fort.kind, fort.side, fort.label, fort.hexside, fort.hidden] += fort.count
    for (at, kind, side, label, hexside, hidden), count in stacks.items():
        yield FortMark(at, kind, side, label, count, hexside, hidden)


def as_json(value: Any) -> Any:
    """Return a value of a state as JSON has it, sets in a stable order."""
    if isinstance(value, BaseModel):
        return {name: as_json(getattr(value, name)) for name in type(value).model_fields}
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: as_json(getattr(value, part.name)) for part in fields(value) if part.name not in HIDDEN}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(as_json(item) for item in value)
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value
