"""Limits that the terms set: counters of one nation for two sides, and boards in part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import InfantryEntry, Leaders, SwAllotment, WorkEntry
from laager.rules.design_your_own.sheets.offers import points_sheet
from laager.rules.design_your_own.sheets.roster import SECTIONS
from laager.rules.design_your_own.steps.infantry import infantry
from laager.rules.design_your_own.steps.works import fortifications
from tests.design_your_own.harness import cg_of, play, setting, tell_values
from tests.steps import refusals

SPARSE = {"engineers": False, "sappers": False, "commandos": False, "parachutes": False}


def lines(number: int, type_: str = "4-6-7") -> dict[str, Any]:
    return {"lines": [{"type": type_, "number": number, **SPARSE}]}


def civil(**changes: Any) -> Cg:
    """A purchase with Germans on both sides."""
    return cg_of(allied={"nation": "german", "points": 2000}, axis={"points": 2000}, **changes)


def short(cg: Cg, side: str, number: int) -> bool:
    question = play(infantry, cg, side).question("infantry")
    return any("H1.11" in told for told in refusals(question, lines(number)))


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_in_secret_each_side_has_half(side: str) -> None:
    assert not short(civil(), side, 13)
    assert short(civil(), side, 14)


def test_an_odd_counter_is_for_axis() -> None:
    cg = civil()
    for side in ("axis", "allied"):
        tell_values(cg, side, ("vehicles", "PzIVH", "counters", 5))
    halves = [cg.nation(side).vehicle("PzIVH").counters for side in ("axis", "allied")]
    assert halves == [3, 2]
    # What comes with all vehicles of a type goes by the whole game (DYO H1.12).
    assert cg.nation_with_all_counters("axis").vehicle("PzIVH").counters == 5


def test_who_buys_second_in_the_open_has_what_is_left() -> None:
    cg = civil(open=True, first="axis")
    assert not short(cg, "axis", 26)
    cg = civil(open=True, first="axis")
    play(infantry, cg, "axis", {"infantry": lines(20)})
    assert short(cg, "allied", 7)
    assert not short(cg, "allied", 6)
    # Of what nobody shows before the end each side has half.
    whole = cg.nation_with_all_counters("allied").leader_counters
    for leader, number in cg.nation("allied").leader_counters.items():
        if isinstance(number, int):
            assert number == whole[leader] // 2  # type: ignore[operator]


def test_extra_pieces_and_purchases_of_old_are_not_shared() -> None:
    agreed = civil(agreements={"extra_pieces": True, "any_arrangement": False})
    assert not short(agreed, "axis", 40)
    made = setting(allied={"nation": "german", "points": 2000}, axis={"points": 2000})
    made.pop("counters")
    old = Cg(made)
    assert old.pool == "whole"
    assert old.of_old


def test_a_check_holds_both_orders_of_battle_against_one_game() -> None:
    cg = civil()
    own = InfantryEntry(type="4-6-7", number=20)
    cg.state = cg.state.with_ob("axis", infantry=(own,), leaders=Leaders(count=5, held={"8-0": 3}))
    enemy = own.model_copy(update={"number": 7})
    sw = (SwAllotment(type="LMG", number=1),)
    cg.state = cg.state.with_ob("allied", infantry=(enemy,), sw=sw)

    def broken(facing: bool) -> bool:
        return any("4-6-7" in str(one) and "H1.11" in str(one)
                   for one in check_ob(cg, "axis", facing=facing).broken)  # fmt: skip

    assert not broken(facing=False)
    assert broken(facing=True)
    cg.state = cg.state.with_ob("allied", infantry=(enemy.model_copy(update={"number": 6}),))
    assert not broken(facing=True)


# Boards, Sangars --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("boards", "reading", "limit"),
    [
        ([{"id": "3", "whole": False}], "board", 120),
        ([{"id": "3", "whole": False}], "none", 120),
        ([{"id": "3"}, {"id": "4", "whole": False}], "board", 240),
        ([{"id": "3"}, {"id": "4", "whole": False}], "none", 120),
        ([], "board", 120),
    ],
)
def test_a_board_in_part_has_a_limit(boards: list[Any], reading: str, limit: int) -> None:
    cg = cg_of(boards=boards, readings={"boards-in-part": reading})
    question = play(fortifications, cg, "axis").question("fortifications")

    def mines(number: int) -> list[str]:
        row = {"type": "minefield", "capacity": 0, "ca_drm": 0, "nca_drm": 0}
        return refusals(question, [{**row, "number": number}])

    assert not any("H1.6-n2" in told for told in mines(limit))
    assert any("H1.6-n2" in told for told in mines(limit + 1))


def test_sangars_of_several_lines_are_rounded_once() -> None:
    cg = cg_of()
    works = tuple(WorkEntry(type="sangar", number=1, total=total) for total in (1, 0))
    cg.state = cg.state.with_ob("axis", fortifications=(*works, WorkEntry(type="wire", number=1)))
    verdict = check_ob(cg, "axis")
    assert [str(found) for found in verdict.broken] == []
    assert verdict.ob.spent["fortifications"] == 6
    dear = tuple(work.model_copy(update={"total": 1}) for work in works)
    cg.state = cg.state.with_ob("axis", fortifications=dear)
    told = [str(found) for found in check_ob(cg, "axis").broken]
    assert len(told) == 1
    assert "half points are rounded up once for all" in told[0]


# Roster -----------------------------------------------------------------------------------------


def test_the_roster_records_what_the_rule_records() -> None:
    """A battery of 92 with plentiful ammunition is written down as 111 (DYO H1.53)."""
    cg = cg_of()
    data = cg.ob("axis").model_dump() | {
        "oba": [
            {"dr": {"final": 2}, "size": "80+", "sort": "M", "bpv": 92, "bought": True,
             "letter": "B", "contact": "phone", "ammunition": "plentiful", "total": 111}
        ],
        "san": 4,
        "announced_elr": 3,
        "bonus": "5",
    }  # fmt: skip
    cg.state = cg.state.having(type(cg.ob("axis")).model_validate(data))
    row: Callable[[int], str] = SECTIONS["oba"](cg, "axis").rows[0].__getitem__
    assert (row(0), row(1), row(2), row(3), row(4)) == ("B", "80+M", "P:B", "P", "111")
    assert points_sheet(cg, "axis").notes == ("SAN 4, ELR 3, announced ELR 3, bonus number 5",)
    assert points_sheet(cg_of(), "axis").notes == ("SAN 2, ELR 3",)
