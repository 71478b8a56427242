"""Off-board artillery in the model: which modules fire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from laager.rules.board.hasl.report.form import modules_left
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.context import Cg

if TYPE_CHECKING:
    from laager.simulation.battles.field import FoughtField


@dataclass(frozen=True)
class ModuleUse:
    """A module of a side: its group, and what became of it."""

    group: str
    placed: bool
    exhausted: bool = False


def barrages(battle: FoughtField, side: str) -> Iterator[ModuleUse]:
    """Yield what becomes of a side's usable modules."""
    figures, luck, cg = battle.figures, battle.luck, battle.cg
    if isinstance(cg, Cg):
        usable = [module.id for module in modules(cg, side) if module.usable][: cg.charts.limit("oba-modules")]
    else:
        usable = [module.id for module in modules_left(cg, side)]
    for group in usable:
        placed = luck("oba", side, group) < figures["worth.oba-fires"]
        spent = placed and luck("exhausted", side, group) < figures["besides.exhausted"]
        yield ModuleUse(group, placed, spent)
