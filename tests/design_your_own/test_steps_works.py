"""Fortifications: prices, limits, and what only some can have."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.steps.works import fortifications
from tests.design_your_own.harness import cg_of, play
from tests.steps import refusals


def work(type_: str, number: int = 1, **sizes: int) -> dict[str, Any]:
    return {"type": type_, "number": number, **sizes}


def cost(rows: list[dict[str, Any]], **how: Any) -> int:
    cg = cg_of(**how)
    play(fortifications, cg, "axis", {"fortifications": rows})
    return cg.ob("axis").spent["fortifications"]


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        ([work("foxhole-1")], 1),
        ([work("trench"), work("at-trench")], 28),
        ([work("minefield", 12), work("at-mine", 4)], 24),
        ([work("pillbox", 2, capacity=1, ca_drm=3, nca_drm=5)], 54),
        ([work("sangar", 3)], 2),
        ([work("sangar"), work("sangar")], 1),
        ([work("tetrahedron"), work("wire")], 8),
        ([work("panji", 4)], 8),
    ],
)
def test_prices(rows: list[dict[str, Any]], points: int) -> None:
    assert cost(rows) == points


def test_equal_rows_are_one_entry() -> None:
    cg = cg_of()
    rows = [work("sangar"), work("wire"), work("sangar", 2)]
    play(fortifications, cg, "axis", {"fortifications": rows})
    assert [(one.type, one.number) for one in cg.ob("axis").fortifications] == [("sangar", 3), ("wire", 1)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([work("roadblock", 7)], "3 for each of 2 boards"),
        ([work("minefield", 241)], "120 for each of 2 boards"),
        ([work("pillbox")], "a pillbox 0+0+0"),
        ([work("wire", 1, capacity=2)], "only a pillbox has them"),
        ([work("cave")], "Cave for"),
        ([work("udt")], "UDT dr for"),
        ([work("hip-squad", 2)], "1 at most, a tenth (FRU)"),
        ([work("at-trench", 48)], "all of it costs 1008"),
    ],
)
def test_refusals(rows: list[dict[str, Any]], words: str) -> None:
    cg = cg_of()
    entry = InfantryEntry(type="4-6-7", number=5, each=0, total=0)
    cg.state = cg.state.with_ob("axis", infantry=(entry,))
    question = play(fortifications, cg, "axis").question("fortifications")
    told = refusals(question, rows)
    assert any(words in one for one in told), told


def test_limits_reach_to_the_boards() -> None:
    assert cost([work("roadblock", 6)]) == 72
    assert cost([work("minefield", 240)]) == 240
