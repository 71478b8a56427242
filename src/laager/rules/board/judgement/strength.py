"""How strong units are, as a player adds them up from what counters print: about in firepower."""

from __future__ import annotations

from collections.abc import Iterable

from laager.base import RefusedError
from laager.catalogue import MmcType, Nation, SmcType, SwType
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.context import CardContext
from laager.rules.board.units import Mark, Unit

ORDINARY_MORALE = 7
"""Morale at which an MMC is worth its printed firepower."""
LEADER, LEADER_DRM = 2.0, 1.5
"""Worth of a leader of DRM 0, and of each step of his DRM."""
HERO = 2.0
MACHINE_GUN = 0.6
"""Part of its printed firepower that a machine gun adds: it takes troops to fire it, who don't fire theirs in full."""
WEAPON = 1.0
"""Worth of a SW without printed firepower."""
SQUAD = 1.0
"""What a squad is worth besides: it takes and holds ground, and carries the rest."""
FOR_CVP = {"gun": 3.0, "afv": 2.0, "vehicle": 0.5}
"""Worth for each CVP of a Gun, an AFV, an unarmoured vehicle: a tank of six CVP is worth a platoon."""
BROKEN = 0.3
"""Part of its worth that a broken unit has."""
SQUAD_CVP = 2
"""CVP for a squad (A26.2)."""


def _worth(nation: Nation, name: str) -> tuple[float, str]:
    """Return the worth of a type, and its kind."""
    try:
        type_ = nation.armor_leaders[name] if name in nation.armor_leaders else nation.unit(name)
    except (RefusedError, KeyError):
        return WEAPON, ""
    kind = type_.kind.value
    if isinstance(type_, MmcType):
        return type_.firepower * type_.morale / ORDINARY_MORALE + SQUAD * (kind == "squad"), kind
    if isinstance(type_, SmcType):
        return HERO if kind == "hero" else max(0.5, LEADER - LEADER_DRM * type_.drm), kind
    if isinstance(type_, SwType):
        return type_.firepower * MACHINE_GUN if type_.firepower else WEAPON, kind
    return type_.cvp * FOR_CVP.get(kind, 1.0), kind


def worth_of(cg: CardContext, unit: Unit) -> float:
    """Return what a unit is worth."""
    try:
        worth, _ = _worth(cg.nation_of(unit), unit.type)
    except RefusedError:
        return WEAPON  # A nation that the card doesn't name.
    return worth * BROKEN if unit.has(Mark.BROKEN) else worth


def worth_of_lines(nation: Nation, lines: Iterable[UnitLine]) -> float:
    """Return what the units of a line of a chart are worth together."""
    return sum(_worth(nation, line.type)[0] * line.count for line in lines)


def own_strength(cg: CardContext, side: str) -> float:
    """Return what all units of a side that are in play are worth to it; prisoners count nothing."""
    return sum(worth_of(cg, unit) for unit in cg.state.units_of(side) if not unit.has(Mark.PRISONER))


def seen_strength(cg: CardContext, enemy: str) -> float:
    """Return what the enemy's units are worth that are known."""
    units = (unit for unit in cg.state.units_of(enemy) if unit.known and not unit.has(Mark.PRISONER))
    return sum(worth_of(cg, unit) for unit in units)


def worth_of_cvp(cg: CardContext, side: str) -> float:
    """Return what a side loses in strength for each CVP of its losses: as much as with its ordinary squads."""
    squads = [unit for unit in cg.nation(side).mmc.values() if unit.kind.value == "squad"]
    ordinary = sorted(unit.firepower * unit.morale / ORDINARY_MORALE + SQUAD for unit in squads)
    return ordinary[len(ordinary) // 2] / SQUAD_CVP if ordinary else 2.0
