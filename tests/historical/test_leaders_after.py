"""Wounded leaders, Recombining and Battle Hardening after a scenario."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.rules.board.hasl.refit.leaders import (
    able_to_harden,
    can_recombine,
    how_many,
    read_healing,
    recombining_and_hardening,
    recombining_question,
    wounded_leaders,
)
from laager.rules.board.units import Mark, Place
from tests.historical.aftermath import aftermath
from tests.historical.driver import run
from tests.historical.small import add, data
from tests.report_rows import cvp, ours
from tests.steps import refusals
from tests.tries import tries


def with_table(name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the module's tables with one more."""
    table = {"id": name, "title": name, "rule": "HASL 15", "roll": "dr", "rows": rows}
    tables = data("small-town-tables")
    return {**tables, "tables": [*tables["tables"], table]}


WOUNDS = with_table(
    "wounded-leaders",
    [*({"to": 2, "result": True}, {"from": 3, "to": 4, "result": "wounded"}), {"from": 5, "result": "eliminated"}],
)


def hurt(**more: Any) -> Any:
    cg = aftermath(**more)
    for unit in ("AX3", "AL3"):
        cg.state = cg.state.with_unit(unit, lambda u: u.but(marks=frozenset({Mark.WOUNDED})))
    return cg


# Wounded leaders ----------------------------------------------------------------------------------


def test_without_a_table_each_side_tells() -> None:
    cg = hurt()
    answers = {"wounded-leaders@axis": {"rows": [{"unit": "AX3", "what": "recovered"}]}}
    run(wounded_leaders, cg, answers=answers)
    assert not ours(cg, "AX3").has(Mark.WOUNDED)
    assert ours(cg, "AL3").has(Mark.WOUNDED)


@pytest.mark.parametrize(
    ("dice", "marks", "place"),
    [
        (2, frozenset(), Place.MAP),
        (4, frozenset({Mark.WOUNDED}), Place.MAP),
        (5, frozenset({Mark.WOUNDED}), Place.ELIMINATED),
    ],
)
def test_by_the_table_a_dr_is_made_for_each(dice: int, marks: Any, place: Place) -> None:
    cg = hurt(tables=WOUNDS)
    played = run(wounded_leaders, cg, dice=[(dice,), (3,)])
    assert (ours(cg, "AX3").marks, ours(cg, "AX3").place) == (marks, place)
    assert [roll.label for roll, _ in played.rolls] == ["Wounded leader: 9-1 (AX3)", "Wounded leader: 9-1 (AL3)"]
    assert cvp(cg) == (0, cg.nation("axis").cvp("9-1") if place is Place.ELIMINATED else 0)
    told = [fact.tell() for fact in played.of("roll-told")]
    stays = [] if Mark.WOUNDED not in marks or place is not Place.MAP else ["9-1 (AX3)"]
    assert told == [f"{name} stays wounded" for name in (*stays, "9-1 (AL3)")]


def test_that_a_concealed_leader_stays_wounded_is_told_to_his_side_alone() -> None:
    cg = hurt(tables=WOUNDS)
    cg.state = cg.state.with_unit("AX3", lambda u: u.but(known=False))
    played = run(wounded_leaders, cg, dice=[(4,), (4,)])
    assert [fact.to for fact in played.of("roll-told")] == [("axis",), None]


def test_the_dr_of_a_concealed_leader_is_secret() -> None:
    cg = hurt(tables=WOUNDS)
    cg.state = cg.state.with_unit("AX3", lambda u: u.but(known=False))
    played = run(wounded_leaders, cg, dice=[(1,), (1,)])
    first = played.rolls[0][0]
    assert (first.secret, first.label) == (True, "Wounded leader: a concealed unit")
    assert played.of("unit-marked")[0].to == ("axis",)


def test_results_of_the_table() -> None:
    assert [read_healing(word) for word in (True, False, None)] == ["recovered", "wounded", "wounded"]
    with pytest.raises(RefusedError, match="one of recovered, wounded, eliminated"):
        read_healing("limps")


# Recombining --------------------------------------------------------------------------------------


def test_two_hs_of_a_type_in_a_location_become_a_squad() -> None:
    cg = aftermath()
    lmg = add(cg, "allied", "LMG", "sw", "D2", with_unit="AL6", known=True)
    cg.state = cg.state.with_unit("AL6", lambda u: u.but(marks=frozenset({Mark.WALKING_WOUNDED, Mark.ENGINEERS})))
    run(recombining_and_hardening, cg, answers={"recombining@allied": [_pair("AL5", "AL6")]})
    assert (ours(cg, "AL5").type, ours(cg, "AL5").kind) == ("6-4-8", "squad")
    assert ours(cg, "AL5").marks == {Mark.WALKING_WOUNDED}
    assert ours(cg, "AL6").place is Place.REMOVED
    assert ours(cg, lmg.id).with_unit == "AL5"
    assert ours(cg, lmg.id).known
    assert cvp(cg) == (0, 0)


def _pair(one: str, two: str) -> dict[str, str]:
    return {"one": one, "two": two}


def test_a_concealed_hs_keeps_the_squad_under_its_marker() -> None:
    cg = aftermath()
    lmg = add(cg, "allied", "LMG", "sw", "D2", with_unit="AL5", known=True)
    cg.state = cg.state.with_unit("AL6", lambda u: u.but(known=False, marks=frozenset({Mark.CONCEALED})))
    answers = {"recombining@allied": [_pair("AL5", "AL6")]}
    played = run(recombining_and_hardening, cg, answers=answers)
    assert ours(cg, "AL6").type == "6-4-8"
    assert ours(cg, "AL5").place is Place.REMOVED
    assert ours(cg, lmg.id).with_unit == "AL6"
    assert not ours(cg, lmg.id).known
    public = [fact for fact in played.facts if fact.to is None]
    assert {fact.kind for fact in public} == {"unit-gone", "unit-hidden"}
    assert not any("AL6" in fact.model_dump_json() for fact in public)


def test_who_can_recombine() -> None:
    cg = aftermath()
    one, two = ours(cg, "AL5"), ours(cg, "AL6")
    assert can_recombine(cg, one, two)
    assert not can_recombine(cg, one, one)
    assert not can_recombine(cg, one, two.but(at="D4"))
    assert not can_recombine(cg, one, two.but(type="2-4-7"))
    assert not can_recombine(cg, one, two.but(place=Place.OFF_MAP))
    off = one.but(place=Place.OFF_MAP, at=None, area="A4")
    assert can_recombine(cg, off, off.but(id="AL6"))
    assert not can_recombine(cg, off, off.but(id="AL6", area="A9"))


def test_refusals() -> None:
    cg = aftermath()
    extra = add(cg, "allied", "3-3-8", "half-squad", "D2")
    add(cg, "allied", "3-3-8", "half-squad", "D4")
    broken = add(cg, "allied", "3-3-8", "half-squad", "D2", Mark.BROKEN)
    apart = add(cg, "allied", "3-3-8", "half-squad", "D4")
    question = recombining_question(cg, "allied")
    assert refusals(question, [_pair("AL5", apart.id)]) == [
        f"[1]: 3-3-8 (AL5) and 3-3-8 ({apart.id}) can't Recombine; two HS of a type that are together"
    ]
    twice = [_pair("AL5", "AL6"), _pair("AL5", extra.id)]
    assert refusals(question, twice) == ["[2]: 3-3-8 (AL5) is named twice; name it once"]
    lines = refusals(question, [_pair("AL5", broken.id)])
    assert lines[0].startswith(f"[1].two: {broken.id} is not one of the choices")


@tries(30)
@given(st.integers(0, 10**9))
def test_suggestions_are_legal(seed: int) -> None:
    cg, rng = aftermath(), Random(seed)
    for at in ("D2", "D2", "D4", "D4"):
        add(cg, "allied", "3-3-8", "half-squad", at)
    question = recombining_question(cg, "allied")
    assert question.suggest is not None
    assert refusals(question, question.suggest(rng)) == []


# Battle Hardening ---------------------------------------------------------------------------------


def test_without_a_table_each_side_tells_who_hardens() -> None:
    cg = aftermath()
    rows = [{"unit": "AX3", "what": "hardened"}, {"unit": "AX1", "what": "hardened"}]
    run(recombining_and_hardening, cg, answers={"hardening@axis": {"rows": rows}})
    assert ours(cg, "AX3").type == "9-2"
    assert ours(cg, "AX1").type == cg.nation("axis").hardened_type("4-6-7")


def test_by_the_table_so_many_are_chosen() -> None:
    tables = with_table(
        "battle-hardening", [{"to": 1, "result": 2}, {"from": 2, "to": 3, "result": True}, {"from": 4, "result": None}]
    )
    cg = aftermath(tables=tables)
    answers = {"hardening@axis": ["AX3", "AX7"]}
    played = run(recombining_and_hardening, cg, answers=answers, dice=[(1,), (4,)])
    assert [question.side for question in played.questions("hardening")] == ["axis"]
    assert [(fact.tell(), fact.to) for fact in played.of("roll-told")] == [
        ("axis: 2 units may Battle Harden", None),
        ("allied: no unit Battle Hardens", None),
    ]
    assert played.questions("hardening")[0].text == "Up to 2 units of yours Battle Harden. Which?"
    assert (ours(cg, "AX3").type, ours(cg, "AX7").type) == ("9-2", "9-1")
    cg = aftermath(tables=tables)
    played = run(recombining_and_hardening, cg, dice=[(2,), (2,)])
    question = played.questions("hardening")[0]
    assert question.text == "Up to one unit of yours Battle Harden. Which?"
    assert played.of("roll-told")[0].tell() == "axis: one unit may Battle Harden"
    assert refusals(question, ["AX1", "AX3"]) == ["2 chosen; from 0 to 1"]


def test_results_of_the_hardening_table() -> None:
    assert [how_many(result) for result in (True, False, None, 3, -1)] == [1, 0, 0, 3, 0]


def test_the_best_leader_and_prisoners_cannot_harden() -> None:
    cg = aftermath()
    best = add(cg, "axis", "10-3", "leader", "G2")
    held = add(cg, "axis", "4-6-7", "squad", "G2", Mark.PRISONER)
    able = {unit.id for unit in able_to_harden(cg, "axis")}
    assert {"AX1", "AX3", "AX7", "AX10"} <= able
    assert able.isdisjoint({best.id, held.id, "AX2", "AX6"})
