"""A viewer's state for drawing and for programs: units as counters on the map, values as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from laager.hexmap.draw import FortMark, UnitMark
from laager.rules.board.sheets.records import sees_secrets
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING

HIDDEN = ("groups", "turning", "omit")
"""Fields of a state that are shown in another way, or not at all."""


def unit_marks(state: BoardState) -> Iterator[UnitMark]:
    """Yield the units on the map, one mark for those of one sort in a hex; SW are not drawn."""
    stacks: Counter[tuple[str, str, str, bool]] = Counter()
    for unit in state.units.values():
        if unit.on_map and unit.hex and unit.kind != "sw":
            stacks[unit.hex, unit.side, unit.type, unit.has(*HIDING)] += 1
    for (name, side, label, concealed), count in stacks.items():
        yield UnitMark(name, side, label, concealed, count, own=sees_secrets(state, side))


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
