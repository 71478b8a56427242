"""Prisoners after a scenario."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.facts import may_see
from laager.rules.board.changes import (
    capture_unit,
    eliminate,
    hand_to_guard,
    hide,
    recall_unit,
    remove_unit,
    reveal_with_prisoners,
)
from laager.rules.board.facts import UnitAttached, UnitMarked
from laager.rules.board.hasl.refit.leaders import recombining_and_hardening
from laager.rules.board.hasl.refit.prisoners import prisoners
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Place
from tests.historical.aftermath import aftermath
from tests.historical.driver import run
from tests.report_rows import cvp, ours
from tests.steps import refusals
from tests.tries import tries


def held(**more: Any) -> Any:
    """Return the aftermath with AL1 and AL3 guarded by AX1 in G2, and AX4 unguarded in H3."""
    cg = aftermath(**more)
    for unit in ("AL1", "AL3"):
        marks = frozenset({Mark.PRISONER})
        cg.state = cg.state.with_unit(unit, lambda u, m=marks: u.but(marks=m, at="G2", with_unit="AX1"))
    free = frozenset({Mark.PRISONER, Mark.UNGUARDED})
    cg.state = cg.state.with_unit("AX4", lambda u: u.but(marks=free, known=True))
    return cg


def test_the_proposal_takes_guarded_ones_off_and_frees_the_others() -> None:
    cg = held()
    played = run(prisoners, cg)
    nation = cg.nation("allied")
    assert cvp(cg) == (2 * (nation.cvp("6-4-8") + nation.cvp("9-1")), 0)
    assert ours(cg, "AL1").place is Place.CAPTURED
    assert ours(cg, "AX4").marks == frozenset()
    assert ours(cg, "AX4").area == "NE"
    text = played.questions("prisoners-agreed")[0].text
    assert "6-4-8 (AL1) taken-off" in text
    assert "4-6-7 (AX4) freed" in text


def test_a_prisoners_side_does_not_know_which_unit_guards_him_while_the_guard_is_out_of_sight() -> None:
    cg = held()
    guard = cg.state.units["AX1"].but(known=True)
    cg.state = cg.state.with_unit("AX1", lambda _: guard)
    theirs = evolve(cg.state, viewer="allied")
    guards = []
    for seen in (False, True):
        unit = cg.state.units["AX1"]
        for fact in reveal_with_prisoners(cg, unit, "open") if seen else hide(unit, Mark.CONCEALED, "setup"):
            cg.state = fact.apply(cg.state)
            theirs = fact.apply(theirs) if may_see(fact.to, "allied") else theirs
        guards.append((theirs.units["AL1"].with_unit, cg.state.units["AL1"].with_unit))
    assert guards == [("", "AX1"), ("AX1", "AX1")]


@pytest.mark.parametrize("known", [True, False])
def test_a_prisoners_side_is_told_only_of_a_guard_that_it_sees(known: bool) -> None:
    cg = held()
    guard = cg.state.units["AX2"].but(known=known)
    theirs = cg.state = cg.state.with_unit("AX2", lambda _: guard)
    for fact in hand_to_guard(cg.state.units["AL1"], guard, "Recombined"):
        cg.state = fact.apply(cg.state)
        theirs = fact.apply(theirs) if may_see(fact.to, "allied") else theirs
    assert cg.state.units["AL1"].with_unit == "AX2"
    assert theirs.units["AL1"].with_unit == ("AX2" if known else "")


def lose_guard(cg: Any, how: str) -> None:
    guard = cg.state.units["AX1"]
    facts = {
        "eliminated": lambda: eliminate(cg, guard, "Melee"),
        "captured": lambda: remove_unit(cg, guard, Place.CAPTURED, "Escape"),
        "recalled": lambda: recall_unit(cg, guard, "Recall"),
        "prisoner": lambda: capture_unit(cg, guard, "AL5", "Melee", kept=frozenset()),
    }[how]()
    for fact in facts:
        cg.state = fact.apply(cg.state)


@pytest.mark.parametrize("how", ["eliminated", "captured", "recalled", "prisoner"])
def test_a_prisoner_whose_guard_is_lost_is_unguarded_and_proposed_to_be_free(how: str) -> None:
    cg = held()
    lose_guard(cg, how)
    before = cvp(cg)
    assert ours(cg, "AL1").marks == {Mark.PRISONER, Mark.UNGUARDED}
    assert not ours(cg, "AL1").with_unit
    lmg = ours(cg, "AX2")
    assert (lmg.with_unit, lmg.at, lmg.marks) == ("", "G2", frozenset()), "Equipment just lies there"
    played = run(prisoners, cg)
    assert "6-4-8 (AL1) freed" in played.questions("prisoners-agreed")[0].text
    assert ours(cg, "AL1").marks == frozenset()
    assert cvp(cg)[0] == before[0], "nobody takes CVP for him"


def test_the_owner_of_a_prisoner_is_not_told_what_a_hidden_guard_was() -> None:
    cg = held()
    cg.state = cg.state.with_unit("AX1", lambda u: u.but(known=False, marks=frozenset({Mark.CONCEALED})))
    facts = list(remove_unit(cg, cg.state.units["AX1"], Place.REMOVED, "leaves"))
    public = [fact for fact in facts if fact.to is None]
    assert {fact.unit for fact in public if isinstance(fact, UnitMarked | UnitAttached)} == {"AL1", "AL3", "AX2"}
    assert not any("4-6-7" in fact.why for fact in public)


def test_prisoners_radio_and_weapons_of_a_half_squad_are_the_squads() -> None:
    cg = aftermath()
    cg.state = cg.state.with_unit("AX1", lambda u: u.but(marks=frozenset({Mark.PRISONER}), with_unit="AL6", at="D2"))
    cg.state = cg.state.with_group("allied", "O1/1", holder="AL6", equipment="radio")
    answers = {"recombining@allied": [{"one": "AL5", "two": "AL6"}]}
    run(recombining_and_hardening, cg, answers=answers)
    assert ours(cg, "AX1").with_unit == "AL5"
    assert ours(cg, "AX1").marks == {Mark.PRISONER}
    assert cg.state.groups["allied", "O1/1"].holder == "AL5"


def test_each_outcome() -> None:
    cg = held()
    rows = [
        *({"unit": "AL1", "outcome": "kept"}, {"unit": "AL3", "outcome": "killed"}),
        {"unit": "AX4", "outcome": "taken-off"},
    ]
    run(prisoners, cg, answers={"prisoners": {"rows": rows, "note": "by the river"}})
    assert ours(cg, "AL1").with_unit == "AX1"
    assert ours(cg, "AL3").place is Place.ELIMINATED
    # Unguarded ones count once.
    assert cvp(cg) == (cg.nation("allied").cvp("9-1"), 2)
    assert cg.state.notes == ("by the river",)


def test_who_is_not_listed_is_kept() -> None:
    cg = held()
    run(prisoners, cg, answers={"prisoners": {}})
    assert ours(cg, "AL1").has(Mark.PRISONER)
    assert cvp(cg) == (0, 0)


def test_one_outcome_each() -> None:
    question = run(prisoners, held()).questions("prisoners")[0]
    row = {"unit": "AL1", "outcome": "kept"}
    assert refusals(question, {"rows": [row, row]}) == ["rows[2].unit: AL1 is named twice; name it once"]


def test_without_prisoners_nothing_is_asked() -> None:
    assert run(prisoners, aftermath()).asked == []


class Lasting(Variant[Any]):
    massacre_lasts = True


def test_a_massacre_is_asked_where_it_lasts() -> None:
    cg = aftermath(variant=Lasting())
    played = run(prisoners, cg, answers={"prisoners": {"massacre": ["axis"]}})
    assert played.asked[0].text == "Was there a Massacre?"
    assert "Massacre by the German" in played.asked[1].text
    assert cg.state.side("axis").massacre
    again = run(prisoners, cg, answers={"prisoners": {"massacre": ["axis"]}})
    assert again.of("massacre-invoked") == []


@tries(30)
@given(st.integers(0, 10**9))
def test_suggestions_are_legal(seed: int) -> None:
    cg = held()
    question = run(prisoners, held()).questions("prisoners")[0]
    assert question.suggest is not None
    answer = question.suggest(Random(seed))
    run(prisoners, cg, answers={"prisoners": answer})
    kept = {row["unit"] for row in answer["rows"] if row["outcome"] != "kept"}
    assert not any(cg.state.units[unit].has(Mark.PRISONER) and
                   cg.state.units[unit].in_play for unit in kept)  # fmt: skip


def test_a_gun_whose_vehicle_is_recalled_is_unhooked_and_the_armor_leader_goes_along() -> None:
    cg = aftermath()
    cg.state = cg.state.with_unit("AX9", lambda u: u.but(with_unit="AX6", at="F3", marks=frozenset({Mark.HOOKED})))
    for fact in recall_unit(cg, cg.state.units["AX6"], "Shock"):
        cg.state = fact.apply(cg.state)
    assert (ours(cg, "AX9").with_unit, ours(cg, "AX9").at, ours(cg, "AX9").marks) == ("", "F3", frozenset())
    assert ours(cg, "AX7").place is Place.RECALLED
    assert cvp(cg) == (0, 0)
