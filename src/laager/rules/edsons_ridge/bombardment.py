"""Pre-Game Bombardment: who may use it, where, and with which MC (CG15; GEO-4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import Parallelogram, bombardment_problems, parallelograms_between
from laager.rules.board.hasl.state import ATTACK
from laager.rules.board.hasl.units import Group
from laager.rules.edsons_ridge.charts import charts
from laager.rules.edsons_ridge.fpf import special

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

BOMBARDMENT = "bombardment"
"""What `RgLine.special` says of a Bombardment group."""


def banked(cg: Er, side: str) -> list[Group]:
    """Return the Bombardment groups that a side has Retained."""
    return [
        group
        for group in cg.state.groups_of(side)
        if not group.lost and not group.placed and special(cg, group) == BOMBARDMENT
    ]


@implements("ER CG15")
def usable(cg: Er, side: str) -> int:
    """Return how many Bombardments a side may use now: those Retained, if it attacks."""
    return len(banked(cg, side)) if cg.state.scenario.chits.get(side) == ATTACK else 0


@implements("ER CG15")
def lost_by_idle(cg: Er, side: str) -> list[Group]:
    """Return the Bombardments that a side loses by having chosen Idle (a reading)."""
    if cg.reading("bombardment-idle") == "kept" or cg.state.scenario.chits.get(side) == ATTACK:
        return []
    return banked(cg, side)


def candidates(cg: Er, row: Mapping[str, Any]) -> tuple[Parallelogram, ...]:
    """Return the areas between two corners as entered, the natural one first; none if unknown."""
    corner, opposite = row["corner"], row["opposite"]
    if corner not in cg.map or opposite not in cg.map:
        return ()
    found = parallelograms_between(cg.map, corner, opposite)
    if cg.reading("bombardment-shape") == "level":
        return tuple(area for area in found if area.level)
    return found


def areas_of(cg: Er, rows: Sequence[Mapping[str, Any]]) -> list[Parallelogram]:
    """Return the areas of an answer; rows that name none are left out."""
    found = []
    for row in rows:
        able = candidates(cg, row)
        if row["which"] <= len(able):
            found.append(able[row["which"] - 1])
    return found


@implements("ER CG15", "ER GEO-4")
def area_problems(cg: Er, side: str, rows: Sequence[Mapping[str, Any]], single: bool) -> Iterator[Problem]:
    """Yield all that is wrong with a side's areas; `single` is the U.S. option of one and a 3MC."""
    limits = charts().bombardment
    if single and side != limits.single_for:
        yield Problem("a single area with a 3MC is for the U.S.", "single: no", "single")
    if single and len(rows) > 1:
        yield Problem("a single area was declared", "name one area", "areas")
    if len(rows) > limits.most_areas:
        yield Problem(f"{len(rows)} areas are too many", f"{limits.most_areas} at most", "areas")
    whole = True
    for number, row in enumerate(rows, 1):
        able = candidates(cg, row)
        if row["which"] > len(able):
            whole = False
            what = f"there is no area of 10 x 15 hexes between {row['corner']} and"
            right = f"{len(able)} lie there" if able else "name opposite corners such as A5 and O14"
            yield Problem(f"{what} {row['opposite']}", right, f"areas[{number}]")
    if whole and rows:
        level = cg.reading("bombardment-shape") == "level"
        yield from bombardment_problems(cg.map, areas_of(cg, rows), level_only=level)


@implements("ER CG15")
def mc(single: bool) -> int:
    """Return which MC units in the areas take: a 2MC, in a single area declared a 3MC."""
    limits = charts().bombardment
    return limits.single_mc if single else limits.mc


@implements("ER CG15", "ER CHART Bombardment sheet")
def immune_problems(cg: Er, areas: Sequence[Parallelogram], names: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with the hexes that the players found immune by C1.8."""
    inside = frozenset[str]().union(*(area.hexes(cg.map) for area in areas))
    for name in names:
        if name not in inside:
            yield Problem(f"{name} is in no Bombardment area", "name hexes that are")
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Problem(f"{name} is named twice", "name it once")
