"""Terms as people agree on them, before they are a file; and wishes as they are typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from laager.rules.design_your_own.terms import SIDES


@dataclass(frozen=True)
class Draft:
    """What was agreed on; nations, points and ELR are of axis and allied. Empty: left open."""

    id: str
    month: str
    nations: tuple[str, str]
    points: tuple[int, int]
    elr: tuple[int | None, int | None] | None = None
    open: bool = False
    first: str = ""
    boards: tuple[str, ...] = ()
    theatre: str = ""
    weather: str = ""
    catalogue: str = ""
    own: tuple[str, ...] = ()
    title: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)


def draft_id(name: str) -> str:
    """Return the id of terms that are called so."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "purchase"


def draft_data(draft: Draft) -> dict[str, Any]:
    """Return terms as the plain data of a file (`laager: dyo/1`)."""
    sides: dict[str, dict[str, Any]] = {}
    for place, side in enumerate(SIDES):
        sides[side] = {"nation": draft.nations[place], "points": draft.points[place]}
        elr = draft.elr[place] if draft.elr is not None else None
        if elr is not None:
            sides[side]["elr"] = elr
    names = [_name(nation) for nation in draft.nations]
    data: dict[str, Any] = {
        "laager": "dyo/1",
        "id": draft.id,
        "title": draft.title or f"{names[0]} against {names[1]}, {draft.month}",
        "date": draft.month,
        "open": draft.open,
    }
    if draft.open and draft.first:
        data["first"] = draft.first
    if draft.boards:
        data["boards"] = [{"id": name} for name in draft.boards]
    for name in ("theatre", "weather", "catalogue"):
        if getattr(draft, name):
            data[name] = getattr(draft, name)
    if draft.own:
        data["own"] = list(draft.own)
    if draft.readings:
        data["readings"] = dict(draft.readings)
    return data | {"sides": sides}


def _name(nation: str) -> str:
    return nation.replace("-", " ").capitalize()
