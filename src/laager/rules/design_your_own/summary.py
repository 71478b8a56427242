"""A purchase in brief: as JSON, as a headline, and its points line by line."""

from __future__ import annotations

from typing import Any

from laager.campaign.clauses import implements
from laager.campaign.sheet import Column, Sheet
from laager.rules.design_your_own.context import Cg
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
    rows += [
        (TITLES[section], str(ob.spent[section]), str(left))
        for section, left in ob.subtotals.items()
    ]
    title = f"Points Available, {cg.terms.name(side)}"
    return Sheet("points", title, columns, tuple(rows), side=side)
