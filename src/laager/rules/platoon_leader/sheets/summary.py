"""A viewer's state as JSON: for exports, pages and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel

from laager.campaign import UMPIRE
from laager.rules.platoon_leader.state import PlState

OWN = ("cp", "fp", "patrols", "platoons", "bought", "bought_now", "next_unit", "next_fort")
"""Numbers of a side that nobody else can know; of the enemy's a viewer's state says nothing."""

HIDDEN = ("groups", "turning", "omit")
"""Fields of a state that are said in another way, or not at all."""


def describe(state: PlState) -> dict[str, Any]:
    """Return everything in a state as plain JSON, sets in a stable order."""
    plain: dict[str, Any] = _plain(state)
    plain["groups"] = [_plain(group) for group in state.groups.values()]
    if state.viewer != UMPIRE:
        for side, numbers in plain["sides"].items():
            if side != state.viewer:
                plain["sides"][side] = {k: v for k, v in numbers.items() if k not in OWN}
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value) if part.name not in HIDDEN}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(_plain(item) for item in value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
