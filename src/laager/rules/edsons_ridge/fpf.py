"""FPF Barrages: who may buy them, Blast Areas, how long they last (CG18; GEO-6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import implements
from laager.dice import Modifier
from laager.hexmap import blast_area_cover, blast_area_problems
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.state import IDLE
from laager.rules.board.hasl.units import Group
from laager.rules.edsons_ridge.charts import charts
from laager.rules.edsons_ridge.state import Barrage

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

FPF = "fpf-barrage"
"""What `RgLine.special` says of a FPF Barrage group."""

PLACING = ("the start of a U.S. PFPh", "the start of a U.S. DFPh", "the start of a Japanese MPh")
"""When a Barrage may be laid down (CG18a)."""


def banked(cg: Er) -> list[Group]:
    """Return the U.S. FPF groups that are Retained and not recorded for the present scenario."""
    return [
        group
        for group in cg.state.groups_of(ALLIED)
        if not group.lost and not group.placed and special(cg, group) == FPF
    ]


def special(cg: Er, group: Group) -> str:
    """Return what is special about a group of type M, by its chart line, else by its name."""
    line = cg.line(group.side, group.rg)
    if line is not None:
        return line.special
    name = group.name.casefold()
    return FPF if "fpf" in name else "bombardment" if "bombardment" in name else ""


@implements("ER CG18")
def usable(cg: Er) -> int:
    """Return how many Blast Areas the U.S. may record now: if Idle, two a scenario at most."""
    if cg.state.scenario.chits.get(ALLIED) != IDLE:
        return 0
    free = charts().fpf.most - len(cg.state.barrages_now())
    return max(0, min(free, len(banked(cg))))


def areas(cg: Er) -> Mapping[str, tuple[str, ...]]:
    """Return the U.S. Setup and Entry Areas that a Blast Area may be covered from."""
    return cg.own_areas(ALLIED)


@implements("ER CG18", "ER GEO-6")
def area_problems(cg: Er, hexes: Collection[str]) -> tuple[Problem, ...]:
    """Return all that is wrong with a Blast Area but LOS, which the players see."""
    zigzag = cg.reading("fpf-shape") == "zigzag"
    return blast_area_problems(cg.map, hexes, areas(cg), zigzag=zigzag)


def covering(cg: Er, hexes: Collection[str]) -> tuple[str, ...]:
    """Return the areas within reach of all its hexes: from one of them LOS is needed."""
    return blast_area_cover(cg.map, hexes, areas(cg))


@implements("ER CG18c")
def removal_turn(cg: Er, barrage: Barrage) -> int:
    """Return the Game Turn of the first dr for removal: the fourth after placement."""
    return barrage.placed + (4 if cg.reading("fpf-fourth-turn") == "plus-4" else 3)


@implements("ER CG18c")
def removal_modifiers(cg: Er, barrage: Barrage, turn: int) -> Iterator[Modifier]:
    """Yield the drm of the dr for removal: -1 the first time."""
    if turn == removal_turn(cg, barrage):
        yield cg.table("fpf-removal").modifier("fourth-turn")


@implements("ER CG18")
def kept(cg: Er) -> bool:
    """Whether a FPF group not laid down is Retained: always, or (a reading) after Attack alone."""
    if cg.reading("fpf-unplaced") == "any-reason":
        return True
    return cg.state.scenario.chits.get(ALLIED) != IDLE
