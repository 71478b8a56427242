"""Outcomes told by players: what may be told, what follows, with the CVP."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.steps import Procedure
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit.outcome import OutcomeStep, own_outcomes, own_question, shared_outcomes
from laager.rules.board.hasl.refit.outcome_rows import OUTCOMES
from laager.rules.board.units import Mark, Place
from tests.historical.aftermath import aftermath
from tests.historical.driver import Played, run
from tests.report_rows import cvp, ours
from tests.steps import refusals
from tests.tries import tries

ASKED = OutcomeStep("told", "Told", "What happened?", tuple(OUTCOMES), lambda _cg, unit: unit.on_map)


def own(cg: Hasl) -> Procedure[None]:
    yield from own_outcomes(cg, ASKED)


def shared(cg: Hasl) -> Procedure[None]:
    yield from shared_outcomes(cg, ASKED)


def told(unit: str, what: str, **more: str) -> dict[str, str]:
    return {"unit": unit, "what": what, **more}


def tell(cg: Any, *rows: dict[str, str], side: str = "axis", note: str = "") -> Played:
    return run(own, cg, answers={f"told@{side}": {"rows": list(rows), "note": note}})


def prepared() -> Any:
    """Return the aftermath with a wounded leader, a bogged tank and a prisoner."""
    cg = aftermath()
    change(cg, "AX3", Mark.WOUNDED)
    change(cg, "AX6", Mark.BOGGED)
    cg.state = cg.state.with_unit("AL5", lambda u: u.but(at="G2", with_unit="AX1"))
    change(cg, "AL5", Mark.PRISONER)
    return cg


def change(cg: Any, unit: str, *marks: Mark) -> None:
    cg.state = cg.state.with_unit(unit, lambda u: u.but(marks=u.marks | set(marks)))


# What follows -------------------------------------------------------------------------------------


def test_eliminated_units_score_and_vehicles_take_all_with_them() -> None:
    cg = prepared()
    nation = cg.nation("axis")
    tell(cg, told("AX1", "eliminated"), told("AX6", "eliminated"))
    assert cvp(cg) == (0, 2 + nation.cvp("PzIVH") + nation.cvp("8-1"))
    assert ours(cg, "AX6").has(Mark.WRECK)
    assert ours(cg, "AX7").place is Place.ELIMINATED
    assert ours(cg, "AX2").with_unit == ""


def test_reduced_replaced_hardened_changed() -> None:
    cg = prepared()
    tell(
        cg,
        told("AX1", "reduced"),
        told("AX4", "replaced"),
        told("AX10", "hardened"),
        told("AX7", "changed", type="9-1"),
    )
    assert ours(cg, "AX1").type == "2-4-7"
    assert ours(cg, "AX4").type == cg.nation("axis").replaced_type("4-6-7")
    assert ours(cg, "AX10").type == cg.nation("axis").hardened_type("4-6-7")
    assert ours(cg, "AX7").type == "9-1"
    assert cvp(cg) == (0, 1)
    cg = prepared()
    tell(cg, told("AL3", "reduced"), told("AL1", "changed", type="4-4-7"), side="allied")
    assert ours(cg, "AL3").has(Mark.WOUNDED)
    assert ours(cg, "AL1").type == "4-4-7"
    assert cvp(cg) == (0, 0)


def test_markers_and_places() -> None:
    cg = prepared()
    tell(
        cg,
        told("AX3", "recovered"),
        told("AX6", "unmarked", marker="bogged"),
        told("AX4", "marked", marker="pin"),
        told("AX1", "moved", at="G3"),
        told("AX5", "possessed", by=""),
        told("AX8", "stays"),
    )
    assert not ours(cg, "AX3").has(Mark.WOUNDED)
    assert not ours(cg, "AX6").has(Mark.BOGGED)
    assert ours(cg, "AX4").has(Mark.PIN)
    assert (ours(cg, "AX1").at, ours(cg, "AX2").at) == ("G3", "G3")
    assert ours(cg, "AX5").with_unit == ""


def test_possession_goes_over() -> None:
    cg = prepared()
    tell(cg, told("AX2", "possessed", by="AX3"))
    assert ours(cg, "AX2").with_unit == "AX3"


def test_captured_personnel_are_prisoners_or_leave_with_double_cvp() -> None:
    cg = prepared()
    cg.state = cg.state.with_unit("AX1", lambda u: u.but(at="B4"))
    cg.state = cg.state.with_unit("AX2", lambda u: u.but(at="B4"))
    tell(cg, told("AX1", "captured", by="AL1"), told("AX3", "captured"))
    assert ours(cg, "AX1").has(Mark.PRISONER)
    assert ours(cg, "AX1").with_unit == "AL1"
    assert ours(cg, "AX2").with_unit == ""
    assert ours(cg, "AX3").place is Place.CAPTURED
    assert cvp(cg) == (0, 2 * cg.nation("axis").cvp("9-1"))


def test_a_concealed_unit_is_seen_when_it_is_captured() -> None:
    cg = prepared()
    cg.state = cg.state.with_unit("AL1", lambda u: u.but(at="H3"))
    tell(cg, told("AX4", "captured", by="AL1"))
    assert ours(cg, "AX4").known
    assert ours(cg, "AX4").has(Mark.PRISONER)


def test_captured_equipment_is_in_the_captors_hands() -> None:
    cg = prepared()
    cg.state = cg.state.with_unit("AL1", lambda u: u.but(at="G2"))
    cg.state = cg.state.with_unit("AX2", lambda u: u.but(with_unit=""))
    change(cg, "AX2", Mark.MALFUNCTIONED)
    tell(cg, told("AX2", "captured", by="AL1"))
    taken = [unit for unit in cg.state.units_of("allied", "sw") if unit.has(Mark.CAPTURED)]
    assert [(one.type, one.with_unit) for one in taken] == [("LMG", "AL1")]
    assert taken[0].has(Mark.MALFUNCTIONED)
    assert ours(cg, "AX2").place is Place.CAPTURED


def test_recalled_and_removed_score_nothing_and_prisoners_go_free() -> None:
    cg = prepared()
    tell(cg, told("AX6", "recalled"), told("AX4", "removed"))
    assert ours(cg, "AX6").place is Place.RECALLED
    assert ours(cg, "AX4").place is Place.REMOVED
    tell(cg, told("AL5", "released", at="D2"), side="allied")
    assert ours(cg, "AL5").marks == frozenset()
    assert (ours(cg, "AL5").at, ours(cg, "AL5").with_unit) == ("D2", "")
    assert ours(cg, "AL5").area == "W"
    assert cvp(cg) == (0, 0)


def test_notes_are_kept_by_who_may_know_them() -> None:
    cg = prepared()
    played = tell(cg, note="the tank burnt")
    assert played.of("noted")[0].to == ("axis",)
    played = run(shared, cg, answers={"told": {"note": "all saw it"}})
    assert played.of("noted")[0].to is None


# What is refused ----------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, str], str]] = [
    (told("AX77", "stays"), "unit: you can't name 'AX77' here; …"),
    (told("AL1", "stays"), "unit: you can't name 'AL1' here; …"),
    (told("AX1", "stays", by="AX3"), "by: stays doesn't use it; leave it out"),
    (told("AX1", "changed"), "type: changed, but which type?; add type"),
    (told("AX1", "marked"), "marker: marked, but which marker?; add marker"),
    (told("AX6", "reduced"), "what: PzIVH (AX6) can't be Reduced; eliminated"),
    (told("AX3", "reduced"), "what: 9-1 (AX3) can't survive Reduction; eliminated"),
    (told("AX8", "reduced"), "what: 2-2-8 (AX8) can't survive Reduction; eliminated"),
    (told("AX6", "replaced"), "what: PzIVH (AX6) can't be replaced; another outcome"),
    (told("AX2", "hardened"), "what: LMG (AX2) can't be hardened; another outcome"),
    (told("AX1", "changed", type="9-1"), "type: 4-6-7 (AX1) can't become '9-1'; …"),
    (told("AX3", "changed", type="4-6-7"), "type: 9-1 (AX3) can't become '4-6-7'; …"),
    (told("AX2", "changed", type="MMG"), "type: LMG (AX2) can't become 'MMG'; another outcome"),
    (told("AX1", "recovered"), "what: 4-6-7 (AX1) is not wounded; leave the row out"),
    (told("AX1", "unmarked", marker="pin"), "marker: 4-6-7 (AX1) is not marked pin; leave the row out"),
    (told("AX6", "marked", marker="bogged"), "marker: PzIVH (AX6) is already marked bogged; leave the row out"),
    (told("AX6", "marked", marker="mired"), "marker: PzIVH (AX6) can't be both bogged and mired; keep one of them"),
    (told("AX6", "marked", marker="pin"), "marker: PzIVH (AX6) is an AFV and can't be marked pin; it goes on …"),
    (told("AX1", "moved"), "at: 4-6-7 (AX1) has moved, but where to?; add at"),
    (told("AX1", "moved", at="Z3"), "at: there is no hex 'Z3' on the map Small town; …"),
    (told("AX1", "possessed", by="AX3"), "unit: 4-6-7 (AX1) can't be possessed; an SW or Gun"),
    (told("AX2", "possessed", by="AL1"), "by: 'AL1' can't have it; personnel of its own side"),
    (told("AX2", "possessed", by="AX4"), "by: LMG (AX2) is in G2, 4-6-7 (AX4) in H3; a unit in the same Location"),
    (
        told("AX2", "possessed", by="AX10"),
        "by: LMG (AX2) is in G2, 4-6-7 (AX10) in no Location; a unit in the same Location",
    ),
    (told("AX1", "captured", by="AX3"), "by: 'AX3' can't have it; personnel of the enemy"),
    (told("AX1", "captured", by="AL4"), "by: 'AL4' can't have it; personnel of the enemy"),
    (told("AX2", "captured"), "by: LMG (AX2) is captured, but by whom?; add by"),
    (told("AX2", "captured", by="AL5"), "by: 3-3-8 (AL5) is a prisoner; a unit that isn't"),
    (told("AX1", "recalled"), "what: 4-6-7 (AX1) isn't a vehicle and can't be Recalled; another outcome"),
    (told("AX1", "released"), "what: 4-6-7 (AX1) isn't a prisoner; leave the row out"),
]


@pytest.mark.parametrize(("row", "wanted"), REFUSED)
def test_refusals(row: dict[str, str], wanted: str) -> None:
    cg = prepared()
    lines = refusals(own_question(cg, ASKED, "axis"), {"rows": [row]})
    if wanted.endswith("…"):
        assert len(lines) == 1
        assert lines[0].startswith(f"rows[1].{wanted[:-1]}")
    else:
        assert lines == [f"rows[1].{wanted}"]


def test_a_unit_that_is_gone_is_gone() -> None:
    cg = prepared()
    rows = [told("AX1", "eliminated"), told("AX1", "stays")]
    lines = refusals(own_question(cg, ASKED, "axis"), {"rows": rows})
    assert lines == ["rows[2].unit: 4-6-7 (AX1) is already gone; leave the row out"]


def test_shared_steps_know_only_what_both_know() -> None:
    cg = prepared()
    played = run(shared, cg)
    question = played.questions("told")[0]
    assert "3-3-8 (AL5) in G2" in question.text
    assert "AX8" not in question.text
    assert "AX4" not in question.text
    less = prepared()
    less.state = replace(less.state, units={k: u for k, u in less.state.units.items() if k != "AX8"})
    answer = {"rows": [told("AX8", "eliminated")]}
    blind = run(shared, less).questions("told")[0]
    assert refusals(question, answer) == refusals(blind, answer) != []
    assert refusals(question, {"rows": [told("AL1", "reduced")]}) == []


def test_shared_steps_are_confirmed_in_words() -> None:
    cg = prepared()
    rows = [told("AX1", "moved", at="G3"), told("AL1", "eliminated")]
    played = run(shared, cg, answers={"told": {"rows": rows, "note": "hard fight"}})
    text = played.questions("told-agreed")[0].text
    assert "4-6-7 (AX1) moved G3; 6-4-8 (AL1) eliminated; hard fight" in text
    assert cvp(cg) == (2, 0)


def test_nothing_is_asked_of_both_if_it_is_about_nobody() -> None:
    cg = prepared()
    nobody = OutcomeStep("told", "Told", "What happened?", ("eliminated",), lambda _cg, _unit: False)

    def step(cg: Hasl) -> Procedure[None]:
        yield from shared_outcomes(cg, nobody)

    assert run(step, cg).asked == []


def test_a_unit_off_the_map_is_in_no_location() -> None:
    cg = prepared()
    away = OutcomeStep("told", "Told", "What happened?", ("stays",), lambda _cg, unit: not unit.on_map)
    text = own_question(cg, away, "axis").text
    assert text.endswith("4-6-7 (AX10) in no Location, LMG (AX11) in no Location")


def test_each_side_is_asked_whether_or_not_it_has_such_units() -> None:
    cg = prepared()
    nobody = OutcomeStep("told", "Told", "What happened?", ("eliminated",), lambda _cg, _unit: False)
    assert own_question(cg, nobody, "axis").text == "What happened?"
    assert run(own, cg).questions("told")[1].side == "allied"
    assert all(question.secret for question in run(own, cg).asked)


@tries(40)
@given(st.integers(0, 10**9))
def test_suggestions_are_legal(seed: int) -> None:
    cg, rng = prepared(), Random(seed)
    for side in ("axis", "allied"):
        question = own_question(cg, ASKED, side)
        assert question.suggest is not None
        answer = question.suggest(rng)
        assert refusals(question, answer) == []
        run(own, cg, answers={f"told@{side}": answer})
    for told in run(shared, cg).questions("told"):
        assert told.suggest is not None
        assert refusals(told, told.suggest(rng)) == []
