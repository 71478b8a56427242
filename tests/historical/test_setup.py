"""Setting up: what is proposed, what is refused, what follows, and what the enemy learns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.common.units import Mark, Place, Unit
from laager.rules.historical.plan import Setting
from laager.rules.historical.steps.setup import setting_up, setup_question
from laager.rules.historical.steps.setup_suggest import proposal
from tests.historical.driver import run
from tests.historical.small import add, scene


def ready(cg: Any, first: str = "allied", **chits: str) -> Any:
    cg.state = cg.state.with_scenario(sets_up_first=first, chits=chits)
    return cg


def row(unit: Unit, at: str = "", **more: Any) -> dict[str, Any]:
    return {"unit": unit.id, "at": at, **more}


def refusals(cg: Any, side: str, *rows: Mapping[str, Any]) -> list[str]:
    setting = Setting(cg, side)
    with pytest.raises(DataError) as refused:
        setup_question(setting, proposal(setting)).accept({"units": list(rows)})
    return [f"{one.field}: {one.what}; {one.right}" for one in refused.value.problems]


def test_who_stands_in_his_area_stays_there_by_default() -> None:
    cg = ready(scene())
    squad = add(cg, "allied", "6-4-8", "squad", "B4.1", area="W", known=True)
    lmg = add(cg, "allied", "LMG", "sw", "B4.1", area="W", with_unit=squad.id, known=True)
    run(setting_up, cg, answers={"setup@allied": {}})
    now = cg.state.units
    assert (now[squad.id].at, now[squad.id].place) == ("B4.1", Place.MAP)
    assert now[squad.id].has(Mark.CONCEALED)
    assert not now[squad.id].known
    assert (now[lmg.id].at, now[lmg.id].with_unit) == ("B4.1", squad.id)
    assert now[lmg.id].has(Mark.CONCEALED)
    assert not now[lmg.id].known
