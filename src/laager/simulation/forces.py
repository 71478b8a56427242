"""What units are worth to the model of battles, from what their counters print."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from laager.base import RefusedError
from laager.catalogue import MmcType, Nation, SmcType, SwType, UnitType
from laager.rules.board.units import Mark, Unit
from laager.simulation.battles.parameters import shipped_battles

Figures = Mapping[str, float]
"""The figures of the model under one setting, by name."""


def worth_of(nation: Nation, unit: Unit, figures: Figures) -> float:
    """Return what a unit is worth: about the firepower of its counter, as the figures count it."""
    try:
        type_: UnitType = nation.armor_leaders[unit.type] if unit.kind == "armor-leader" else nation.unit(unit.type)
    except (RefusedError, KeyError):
        return 1.0
    worth = _printed_worth(type_, unit.kind, figures)
    return worth * figures["worth.broken"] if unit.has(Mark.BROKEN) else worth


def _printed_worth(type_: UnitType, kind: str, figures: Figures) -> float:
    if isinstance(type_, MmcType):
        return type_.firepower * type_.morale / figures["worth.morale"]
    if isinstance(type_, SmcType):
        if kind == "hero":
            return figures["worth.hero"]
        return max(0.5, figures["worth.leader"] - type_.drm * figures["worth.leader-drm"])
    if isinstance(type_, SwType):
        return type_.firepower * figures["worth.mg"] if type_.firepower else figures["worth.sw"]
    return type_.cvp * figures.get(f"worth.{kind}", 1.0)


def strength_of(context: Any, side: str) -> float:
    """Return what all units of a side that are in play are worth by the shipped figures; prisoners count nothing."""
    figures = _usual()
    units = (unit for unit in context.state.units_of(side) if not unit.has(Mark.PRISONER))
    return sum(worth_of(context.nation_of(unit), unit, figures) for unit in units)


@lru_cache(maxsize=1)
def _usual() -> Figures:
    return shipped_battles().figures_of("usual")
