"""Small campaigns in which fortifications are bought, and what tests say of them."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError, Problem
from laager.rules.board.units import Fort, Mark
from laager.rules.platoon_leader.buying.fortifications import FpShop, fortifying
from laager.rules.platoon_leader.buying.groups import group_joins
from laager.rules.platoon_leader.buying.works import Work, hip_cap
from laager.rules.platoon_leader.card.card import Setup
from laager.rules.platoon_leader.context import Cg
from tests.platoon_leader.harness import unit
from tests.platoon_leader.small import small_cg
from tests.steps import Played, play


def selling(side: str = "allied", readings: dict[str, str] | None = None, **more: Any) -> Cg:
    """Return a campaign in which a side has 18 CP and its card sells fortifications so."""
    changes: dict[str, Any] = {"fortifications": {"fp_per_cp": 5} | more}
    cg = small_cg(readings, sides={side: changes})
    cg.state = cg.state.with_side(side, cp=18)
    return cg


def wanted(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def build(cg: Cg, *works: dict[str, Any], cp: int = 0, side: str = "allied") -> Played:
    answer = {"cp": cp, "works": list(works)}
    return play(fortifying, cg, side, {"fortifications": answer})


def refusal(cg: Cg, *works: dict[str, Any], cp: int = 0) -> list[str]:
    """Return the problems of a purchase as texts; nothing may have been applied."""
    before = cg.state
    with pytest.raises(DataError) as caught:
        build(cg, *works, cp=cp)
    assert cg.state is before
    return [str(problem) for problem in caught.value.problems]


def sold(cg: Cg, *works: dict[str, Any], cp: int = 0) -> bool:
    """Tell whether the Allies may buy so."""
    return FpShop(cg, "allied").question().allows({"cp": cp, "works": list(works)})


def problems_of(cg: Cg, cp: int, *works: Work) -> tuple[Problem, ...]:
    rows = [{"type": w.kind, "count": w.count, "size": w.size, "factors": w.factors, "fp": w.fp} for w in works]
    return FpShop(cg, "allied").problems({"cp": cp, "works": rows})


def hip_limit(cg: Cg, side: str) -> int | None:
    cap = hip_cap(cg, side)
    return None if cap is None else cap.squads


def forts(cg: Cg) -> list[Fort]:
    return list(cg.state.forts.values())


def squads(cg: Cg, number: int, side: str = "allied", *marks: Mark, at: str = "C8") -> None:
    """Put so many squads on the map."""
    for _ in range(number):
        cg.state, _u = unit(cg.state, side, "4-4-7", "squad", at, *marks)


def buy(cg: Cg, rg: str, setup: Setup, side: str = "axis", given: bool = False) -> None:
    line = cg.side(side).group(rg)
    assert line is not None
    for fact in group_joins(cg, side, line, setup, given=given):
        cg.state = fact.apply(cg.state)
