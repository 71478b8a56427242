"""OBA at setup: which modules are used, and whether their wires hold (PL CG4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import Fact, implements
from laager.hexmap.coords import chain
from laager.rules.board.facts import GroupChanged, Noted
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg

if TYPE_CHECKING:
    from laager.rules.platoon_leader.setup.plan import Plan


def hexes_of_line(cg: Cg, text: str) -> list[str]:
    """Return the hexes of a Security Area as written: `C4-C1`, or `C4 C3 C2 C1`, by main names."""
    return [cg.map.main(name) if name in cg.map else name for name in chain(text)]


def line_problems(plan: Plan) -> Iterator[Problem]:
    """Return what is wrong with the Security Areas of a plan, as drawn on the map."""
    seen: set[str] = set()
    for number, row in enumerate(plan.lines, 1):
        here = f"lines[{number}]"
        if row["module"] in seen:
            yield Problem(f"{row['module']} has two Security Areas", "one each", f"{here}.module")
        seen.add(row["module"])
        hexes = hexes_of_line(plan.cg, row["hexes"])
        for what, right in drawing_faults(plan.cg, plan.side, hexes):
            yield Problem(what, right, f"{here}.hexes")


@implements("PL CG4")
def module_problems(plan: Plan) -> Iterator[Problem]:
    """No more than two OBA modules are used in one firefight."""
    most = charts().limit("oba-modules")
    if len(plan.modules) > most:
        yield Problem(f"{len(plan.modules)} OBA modules", f"use {most} at most in one firefight", "modules")


def drawing_faults(cg: Cg, side: str, hexes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return why hexes are no Security Area: off the map, broken, not to a friendly edge."""
    unknown = [name for name in hexes if name not in cg.map.playable]
    if unknown or not hexes:
        what = f"{unknown[0]} is not in play" if unknown else "no hexes are named"
        yield what, "hexes from phone to edge"
        return
    for one, two in pairwise(hexes):
        if not cg.map.adjacent(one, two):
            yield f"{one} and {two} are not adjacent", "hexes one after the other"
    if hexes[-1] not in cg.edge(side):
        edge = ", ".join(cg.side(side).friendly_edges) or "the entry hexes"
        yield f"{hexes[-1]} is on no Friendly Map Edge", f"end on it: {edge}"


@implements("PL CG4")
def cut_at(cg: Cg, side: str, hexes: Sequence[str]) -> list[str]:
    """Return the hexes in which a wire is cut: neither friendly Controlled Terrain nor MLR.

    No Man's Land is neither. Before the first drawing of the front the setup area counts.
    """
    drawn = cg.front
    ours = cg.friendly_area(side)
    if drawn is not None:
        ours |= drawn.controlled[side]
    return [name for name in hexes if name not in ours]


@implements("PL CG4")
def in_use(plan: Plan) -> frozenset[str]:
    """Return the modules that a side can use in this firefight: those named, two at most."""
    return frozenset(plan.modules[: charts().limit("oba-modules")])


def modules_settled(plan: Plan) -> Iterator[Fact]:
    """Record which modules can be used; one whose wire is cut can't."""
    cuts: dict[str, list[str]] = {}
    for row in plan.lines:
        cuts[row["module"]] = cut_at(plan.cg, plan.side, hexes_of_line(plan.cg, row["hexes"]))
    chosen = in_use(plan)
    for module in plan.setting.modules:
        cut = cuts.get(module.id, [])
        usable = module.id in chosen and not cut
        if cut:
            text = f"The wire of {module.id} is cut in {', '.join(cut)} (C1.23)."
            yield Noted(text=text, rule="PL CG4", to=(plan.side,))
        if usable != module.usable:
            why = "to be used in this firefight" if usable else "not used in this firefight"
            why = f"its wire is cut in {', '.join(cut)}" if cut else why
            yield GroupChanged.of(module, why, "PL CG4", usable=usable)
