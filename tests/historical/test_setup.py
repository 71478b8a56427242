"""Setting up: what is proposed, what is refused, what follows, and what the enemy learns."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


# By chance ----------------------------------------------------------------------------------------

TROOPS = (
    ("6-4-8", "squad", "allied"),
    ("3-3-8", "half-squad", "allied"),
    ("9-1", "leader", "allied"),
    ("4-6-7", "squad", "axis"),
    ("2-4-7", "half-squad", "axis"),
    ("9-1", "leader", "axis"),
    ("PzIVH", "afv", "axis"),
)
GUNS = {"axis": ("75L PaK 40", "2-2-8"), "allied": ("6-pdr", "2-2-8")}
HEXES = ("A4", "B4", "B4.1", "B5", "C2", "D2", "D6", "F2", "G3", "H3", "I4", "G7", "F6", "E5")


def by_chance(rng: Random, **more: Any) -> Any:
    cg = ready(scene(**more), rng.choice(("allied", "axis")), allied="attack", axis="idle")
    for _ in range(rng.randint(1, 12)):
        type_, kind, side = rng.choice(TROOPS)
        at = rng.choice((None, *HEXES)) if kind != "afv" else rng.choice((None, "F2", "G3", "E5"))
        area = cg.state.area_at(at.split(".")[0]) if at else None
        mine = area.name if area is not None and area.side == side else ""
        where = mine if at else rng.choice(("", {"axis": "NE", "allied": "W"}[side], ARROWS[side]))
        marks = rng.sample((Mark.BROKEN, Mark.ISOLATED, Mark.HIP, Mark.IMMOBILIZED), k=1)
        unit = add(
            cg, side, type_, kind, at, *(marks if rng.random() < 0.3 else ()), area=where,
            known=rng.random() < 0.5 and bool(at),
        )  # fmt: skip
        if rng.random() < 0.4:
            with_unit = unit.id if rng.random() < 0.8 else ""
            add(cg, side, "LMG", "sw", at, area=where, with_unit=with_unit, known=unit.known)
    return cg


ARROWS = {"axis": "G1", "allied": "A4"}


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_what_is_proposed_or_chosen_by_chance_is_legal(seed: int) -> None:
    rng = Random(seed)
    cg = by_chance(rng)
    for side in ("axis", "allied"):
        setting = Setting(cg, side)
        if setting.empty:
            continue
        question = setup_question(setting, proposal(setting))
        assert question.accept(question.default) == question.default
        question.accept({})
        assert question.suggest is not None
        for _ in range(3):
            question.accept(question.suggest(rng))
