"""Catalogues with other values than the shipped ones, or without them, and checks by them."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from laager.catalogue.dyo import DyoCatalogue, catalogue_data, from_data
from laager.rules.design_your_own.check.check import ObVerdict, check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import OrderOfBattle
from tests.design_your_own.harness import cg_of

UNKNOWN = "unknown"
NAMED = ("vehicle", "type", "year")

Edit = tuple[str, str, str, Any]


def cg_with(*edits: Edit, group: str = "", **changes: Any) -> Cg:
    """The shipped example in which the Axis's catalogue has other values.

    Each edit is a section, an entry (`PzIVH`, `StuG IIIG: CMG`, "" in capabilities), a field and
    its value; `group` is the nation whose rows of the tables hold.
    """
    cg = cg_of(**changes)
    nation = cg.terms.side("axis").nation
    file = deepcopy(_file(nation))
    for section, key, name, value in edits:
        _entry(file, section, key)[name] = value
    if group:
        file["group"] = group
    cg.catalogue = DyoCatalogue({**cg.catalogue, **from_data([file])})
    return cg


@cache
def _file(nation: str) -> dict[str, Any]:
    return next(one for one in catalogue_data(cg_of().catalogue) if one["nation"] == nation)


def _entry(file: dict[str, Any], section: str, key: str) -> dict[str, Any]:
    every: list[dict[str, Any]] = file[section] if key else [file[section]]
    [found] = [entry for entry in every if _name(entry) == key]
    return found


def _name(entry: dict[str, Any]) -> str:
    return ": ".join(str(entry[name]) for name in NAMED if name in entry)


def checked(cg: Cg, side: str = "axis", **parts: Any) -> ObVerdict:
    """Check an order of battle that was written by hand."""
    half = cg.terms.side(side)
    data = {"side": side, "nation": half.nation, "allotment": half.points, **parts}
    cg.state = cg.state.having(OrderOfBattle.model_validate(data))
    return check_ob(cg, side)


def broken(verdict: ObVerdict) -> list[str]:
    """What is broken, as players read it."""
    return [str(found) for found in verdict.broken]


def unjudged(verdict: ObVerdict) -> list[str]:
    """What cannot be judged, as players read it."""
    return [str(found) for found in verdict.unjudged]
