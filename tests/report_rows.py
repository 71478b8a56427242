"""Rows of battle reports, and what has come of them."""

from __future__ import annotations

from typing import Any

from laager.rules.board.units import Unit


def row(unit_id: str, at: str = "", *marks: str, **more: Any) -> dict[str, Any]:
    """Return a row of a report for a unit on the map."""
    found: dict[str, Any] = {"unit": unit_id, "fate": "on-map"}
    if at:
        found["at"] = at
    if marks:
        found["marks"] = list(marks)
    return found | more


def gone(unit_id: str, fate: str = "eliminated", **more: Any) -> dict[str, Any]:
    """Return a row of a report for a unit with a fate."""
    return {"unit": unit_id, "fate": fate} | more


def cvp(cg: Any) -> tuple[int, int]:
    """Return the CVP of the battle: axis, allied."""
    return cg.state.side("axis").cvp, cg.state.side("allied").cvp


def ours(cg: Any, unit_id: str) -> Unit:
    """Return a unit as it is now."""
    unit: Unit = cg.state.units[unit_id]
    return unit
