"""A purchase in brief: as JSON, as a headline, and its points line by line."""

from __future__ import annotations

from typing import Any

from laager.campaign import Column, Sheet, implements
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import SAN
from laager.rules.design_your_own.state import DyoState
from laager.rules.design_your_own.terms import SIDES

TITLES = {
    "infantry": "Infantry",
    "san": "SAN",
    "ordnance": "Ordnance",
    "vehicles": "Vehicles",
    "oba": "OBA and Air Support",
    "fortifications": "Fortifications",
    "second-infantry": "Second Infantry",
}
"""The lines of Points Available."""


def describe(state: DyoState) -> dict[str, Any]:
    """Return a viewer's state as JSON: of the other side nothing but what is public."""
    return {
        "over": state.over,
        "ending": state.ending,
        "weather": state.weather,
        "sides": {side: _side(state, side) for side in SIDES},
    }


def _side(state: DyoState, side: str) -> dict[str, Any]:
    ob = state.ob(side)
    public: dict[str, Any] = {
        "nation": ob.nation,
        "allotment": ob.allotment,
        "announced_elr": state.announced.get(side),
    }
    if not state.knows(side):
        return public
    points = {"spent": dict(ob.spent), "left": ob.left}
    return public | {"points": points, "ob": ob.model_dump(mode="json", exclude_defaults=True)}


def headline(cg: Cg) -> tuple[str, ...]:
    """Say when and for how much is bought, what the viewer has left, and what was announced."""
    terms, state = cg.terms, cg.state
    how = "in the open" if terms.open else "in secret"
    lines = [f"{terms.date}, bought {how}; weather: {state.weather or 'not yet known'}"]
    if state.over:
        lines.append(f"The purchase is over: {state.ending}")
    for side in SIDES:
        half = terms.side(side)
        told = f"{terms.name(side)} ({side}): {half.points} points"
        if state.knows(side):
            told += f", {cg.left(side)} left"
        if side in state.announced:
            told += f", ELR {state.announced[side]}"
        lines.append(told)
    return tuple(lines)


@implements("DYO H1-ROSTER")
def points_sheet(cg: Cg, side: str) -> Sheet:
    """Return the Points Available section of a side's Roster."""
    ob = cg.ob(side)
    columns = (Column("Category"), Column("Spent", "right"), Column("Available", "right"))
    rows = [("Allotment", "", str(ob.allotment))]
    left = ob.allotment
    # In the order in which points were spent.
    last = cg.reading("san-time") == "last"
    for section in sorted(ob.spent, key=lambda name: last and name == SAN):
        left -= ob.spent[section]
        rows.append((TITLES[section], str(ob.spent[section]), str(left)))
    title = f"Points Available, {cg.terms.name(side)}"
    return Sheet("points", title, columns, tuple(rows), _figures(cg, side), side=side)


def _figures(cg: Cg, side: str) -> tuple[str, ...]:
    """Say SAN and ELR, and what was announced and earned by it."""
    ob, half = cg.ob(side), cg.terms.side(side)
    elr = [f"ELR {half.elr}"] if half.elr is not None else []
    elr += [f"ELR {number} ({nation})" for nation, number in half.allied_elr.items()]
    told = ", ".join([f"SAN {ob.san}", *elr])
    if ob.announced_elr is not None:
        told += f", announced ELR {ob.announced_elr}, bonus number {ob.bonus or 0}"
    return (told,)
