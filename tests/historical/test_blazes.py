"""Flames and Blazes after a scenario, and the wrecks in them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.facts import FireChanged
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit.blazes import blazes
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Mark, Place, Unit
from tests.historical.aftermath import aftermath
from tests.historical.driver import run
from tests.report_rows import ours
from tests.steps import refusals
from tests.tries import tries


class Outside(Variant[Any]):
    """Wrecks in building Blazes don't burn out."""

    def burns_out(self, cg: Hasl, wreck: Unit) -> bool:
        return cg.map.hex(wreck.hex or "").building is None


def fire(**more: Any) -> Any:
    """Return the aftermath with Blazes in H3 (building) and G2, a Flame in D2; wrecks in both."""
    cg = aftermath(**more)
    lit = FireChanged(flames=frozenset({"D2"}), blazes=frozenset({"H3", "G2"}))
    cg.state = lit.apply(cg.state)
    for unit, at in (("AX6", "G2"), ("AL7", "H3")):
        wreck(cg, unit, at)
    return cg


def wreck(cg: Any, unit: str, at: str, *marks: Mark) -> None:
    cg.state = cg.state.with_unit(
        unit, lambda u: u.but(at=at, place=Place.ELIMINATED, marks=frozenset({Mark.WRECK, *marks}))
    )


def told(*rows: tuple[str, str], **to: str) -> dict[str, Any]:
    listed = [{"at": at, "outcome": outcome, "to": to.get(at, "")} for at, outcome in rows]
    return {"blazes": {"rows": listed}}


def test_fires_go_out_by_proposal() -> None:
    cg = fire()
    played = run(blazes, cg)
    ground = cg.state.ground
    assert not ground.flames | ground.blazes | ground.burnt
    assert "What becomes of the fires: D2, G2, H3?" in played.asked[0].text


def test_a_building_burns_down_to_rubble_and_fire_spreads() -> None:
    cg = fire()
    answers = told(("H3", "burnt-down"), ("D2", "burns"), ("G2", "burnt-down"), D2="D3")
    # The small town has nothing that burns around D2 but itself.
    with pytest.raises(Exception, match="D3 can't burn"):
        run(blazes, cg, answers=answers)
    run(blazes, cg, answers=told(("H3", "burnt-down"), ("D2", "burns"), ("G2", "burnt-down")))
    ground = cg.state.ground
    assert (ground.flames, ground.blazes) == (frozenset(), {"D2"})
    assert ground.burnt == {"H3", "G2"}
    assert ground.changes == {"H3": {"rubble"}}


def test_fire_spreads_to_the_building_next_to_it() -> None:
    cg = fire()
    cg.state = FireChanged(flames=frozenset(), blazes=frozenset({"B4"})).apply(cg.state)
    played = run(blazes, cg, answers=told(("B4", "burns"), B4="B5"))
    assert cg.state.ground.blazes == {"B4", "B5"}
    assert "B4 burns, spread to B5" in played.questions("blazes-agreed")[0].text


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({"at": "H3", "outcome": "burns", "to": "Z9"}, "rows[1].to: Z9 is not on the map"),
        (
            {"at": "H3", "outcome": "burns", "to": "B4"},
            "rows[1].to: B4 is not next to H3; fire spreads to adjacent hexes",
        ),
        ({"at": "H3", "outcome": "burns", "to": "H4"}, "rows[1].to: H4 can't burn; another hex"),
        ({"at": "B4", "outcome": "burns"}, "rows[1].at: B4 is not one of the choices"),
    ],
)
def test_refusals(row: dict[str, str], wanted: str) -> None:
    question = run(blazes, fire()).questions("blazes")[0]
    lines = refusals(question, {"rows": [row]})
    assert len(lines) == 1
    assert lines[0].startswith(wanted)


def test_each_fire_once() -> None:
    question = run(blazes, fire()).questions("blazes")[0]
    row = {"at": "H3", "outcome": "out"}
    assert refusals(question, {"rows": [row, row]}) == ["rows[2].at: H3 is named twice; name it once"]


# Wrecks -------------------------------------------------------------------------------------------


def test_wrecks_in_terrain_blazes_burn_out() -> None:
    cg = fire()
    run(blazes, cg)
    assert ours(cg, "AX6").marks == {Mark.WRECK, Mark.BURNT_OUT}
    assert ours(cg, "AL7").marks == {Mark.WRECK, Mark.BURNT_OUT}
    again = run(blazes, cg)
    assert again.facts == []


def test_the_variant_says_which_blazes_count() -> None:
    cg = fire(variant=Outside())
    run(blazes, cg)
    assert ours(cg, "AX6").has(Mark.BURNT_OUT)
    assert not ours(cg, "AL7").has(Mark.BURNT_OUT)


def test_a_flame_burns_no_wreck_out() -> None:
    cg = aftermath()
    cg.state = FireChanged(flames=frozenset({"G2"}), blazes=frozenset()).apply(cg.state)
    wreck(cg, "AX6", "G2")
    run(blazes, cg)
    assert ours(cg, "AX6").marks == {Mark.WRECK}


def test_burning_wrecks_burn_out_as_told() -> None:
    cg = aftermath()
    wreck(cg, "AX6", "G2", Mark.BURNING)
    wreck(cg, "AL7", "D4", Mark.BURNING)
    run(blazes, cg, answers={"blazes": {"wrecks": ["AX6"]}})
    assert ours(cg, "AX6").marks == {Mark.WRECK, Mark.BURNT_OUT}
    assert ours(cg, "AL7").marks == {Mark.WRECK, Mark.BURNING}
    assert cg.state.ground.flames == frozenset()


def test_a_burning_wreck_in_a_blaze_is_not_asked_about() -> None:
    cg = fire()
    wreck(cg, "AX6", "G2", Mark.BURNING)
    played = run(blazes, cg)
    assert played.asked[0].form.describe()["fields"][1]["form"]["options"] == []
    assert ours(cg, "AX6").marks == {Mark.WRECK, Mark.BURNT_OUT}


def test_without_fire_nothing_is_asked() -> None:
    played = run(blazes, aftermath())
    assert (played.asked, played.facts) == ([], [])


@tries(30)
@given(st.integers(0, 10**9))
def test_suggestions_are_legal(seed: int) -> None:
    cg = fire()
    cg.state = FireChanged(flames=frozenset(), blazes=frozenset({"B4", "H3"})).apply(cg.state)
    copy = cg.with_state(cg.state)
    question = run(blazes, copy).questions("blazes")[0]
    assert question.suggest is not None
    run(blazes, cg, answers={"blazes": question.suggest(Random(seed))})
    assert cg.state.ground.blazes <= {"B4", "B5", "H3"}
