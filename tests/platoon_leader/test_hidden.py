"""PL 3.2, 3.212, 3.24, 3.241: what is hidden from one firefight to the next."""

from __future__ import annotations

import pytest

from laager.campaign.forms import Several
from laager.campaign.steps import Step
from laager.rules.board.facts import ControlChanged, FortJoined
from laager.rules.board.units import Fort, Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.hidden import hidden_units, may_hide
from laager.rules.platoon_leader.redeployment.lines import redeployment_phase, reveal_works
from tests.platoon_leader.fronts import WALKTHROUGH, add, asked_of, drawn, now, played
from tests.steps import play

REVEALING = Step("revealing", "PL 1.4 Strategic Terrain", "Test", reveal_works)

# Hidden works as Strategic Terrain -------------------------------------------------------------


def with_hidden() -> Cg:
    cg = played()
    trench = Fort(id="AXF1", side="axis", kind="trench", at="G6")
    wire = Fort(id="AXF2", side="axis", kind="wire", at="C5")
    for fort in (trench, wire):
        cg.state = FortJoined(fort=fort, to=("axis",)).apply(cg.state)
    return cg


def test_revealed_works_are_public_controlled_and_make_a_cluster() -> None:
    cg = with_hidden()
    run = play(redeployment_phase, cg, answers={"reveal-works@axis": ["AXF1"]})
    asked = asked_of(run, "reveal-works", "axis")
    assert asked.secret
    assert isinstance(asked.form, Several)
    assert [option.value for option in asked.form.options] == ["AXF1"]
    (fact,) = run.of("fort-joined")
    assert (fact.to, cg.state.forts["AXF1"].hidden) == (None, False)
    assert cg.state.ground.control["G6"] == "axis"
    assert cg.front is not None
    assert "G6" in cg.front.seeds["axis"]


def test_works_that_the_enemy_knows_are_not_offered_again() -> None:
    cg = with_hidden()
    cg.state = FortJoined(fort=Fort(id="AXF3", side="axis", kind="trench", at="H5", hidden=False)).apply(cg.state)
    asked = asked_of(play(redeployment_phase, cg), "reveal-works", "axis")
    assert isinstance(asked.form, Several)
    assert [option.value for option in asked.form.options] == ["AXF1"]


def test_works_not_revealed_are_no_strategic_terrain() -> None:
    cg = with_hidden()
    run = play(redeployment_phase, cg)
    assert not run.of("fort-joined", "control-changed")
    assert cg.front is not None
    assert "G6" not in cg.front.seeds["axis"]


def test_revealed_works_do_not_take_control_from_the_enemy() -> None:
    cg = with_hidden()
    cg.state = ControlChanged(side="allied", locations=("G6",)).apply(cg.state)
    play(redeployment_phase, cg, answers={"reveal-works@axis": ["AXF1"]})
    assert cg.state.ground.control["G6"] == "allied"


def test_a_revealed_gun_takes_its_crew_along() -> None:
    cg = played()
    crew = add(cg, "allied", "2-2-8", "crew", "F6", Mark.HIP, known=False)
    gun = add(
        cg, "allied", "76L ART obr. 39", "gun", "F6", Mark.HIP, Mark.EMPLACED,
        known=False, with_unit=crew.id,
    )  # fmt: skip
    run = play(redeployment_phase, cg, answers={"reveal-works@allied": [gun.id]})
    assert now(cg, crew).known
    assert now(cg, gun).known
    assert now(cg, gun).marks == {Mark.EMPLACED, Mark.WAS_REVEALED}
    assert [fact.to for fact in run.of("unit-revealed")] == [None, None]
    assert cg.state.ground.control["F6"] == "allied"


def test_who_could_hide_something_is_asked_even_with_nothing_hidden() -> None:
    asked = play(REVEALING, played()).questions("reveal-works")
    assert [(one.side, one.default, one.secret) for one in asked] == [
        ("axis", [], True), ("allied", [], True)
    ]  # fmt: skip


def test_a_side_that_can_hide_nothing_is_not_asked() -> None:
    cg = played(sides={"axis": {"fortifications": None}})
    assert (may_hide(cg, "axis"), may_hide(cg, "allied")) == (False, True)
    assert [one.side for one in play(REVEALING, cg).questions("reveal-works")] == ["allied"]
    # The Allied chart has a Gun.
    assert may_hide(played(sides={"allied": {"fortifications": None}}), "allied")


# Losing HIP ------------------------------------------------------------------------------------


def test_hip_is_lost_outside_a_friendly_mlr() -> None:
    cg = played()
    away = [add(cg, "allied", "4-4-7", "squad", at, Mark.HIP, known=False) for at in ("G2", "J2", "F6", "F4")]
    safe = add(cg, "allied", "4-4-7", "squad", "C8", Mark.HIP, known=False)
    run = play(redeployment_phase, cg, answers=WALKTHROUGH)
    assert all(now(cg, one).marks == {Mark.CONCEALED} for one in away)
    assert now(cg, safe).marks == {Mark.HIP}
    assert {fact.to for fact in run.of("unit-marked")} == {("allied",)}


# 3.24, 3.241 -----------------------------------------------------------------------------------


def test_hidden_units_in_the_friendly_mlr_stay_hidden_unless_they_give_it_up() -> None:
    cg = drawn()
    stays = add(cg, "allied", "4-4-7", "squad", "C8", Mark.HIP, known=False)
    shows = add(cg, "allied", "4-4-7", "squad", "C7", Mark.HIP, known=False)
    run = play(hidden_units, cg, "allied", answers={"give-up-hip": [shows.id]})
    assert now(cg, stays).marks == {Mark.HIP}
    assert now(cg, shows).marks == {Mark.CONCEALED}
    assert run.asked[0].secret
    assert {fact.to for fact in run.facts} == {("allied",)}


def test_being_asked_does_not_tell_that_something_is_hidden() -> None:
    run = play(hidden_units, drawn(), "axis")
    assert [(one.key, one.default) for one in run.asked] == [("give-up-hip", [])]
    assert "You have no hidden units" in run.asked[0].text
    assert play(hidden_units, drawn(sides={"axis": {"fortifications": None}}), "axis").asked == []


@pytest.mark.parametrize(
    ("kind", "at", "side", "shown"),
    [
        ("foxhole", "G6", "axis", True),
        ("sangar", "C6", "axis", True),
        ("trench", "E7", "axis", True),
        ("roadblock", "F6", "axis", True),
        ("foxhole", "M1", "axis", False),  # woods
        ("foxhole", "C5", "axis", False),  # friendly MLR
        ("foxhole", "C5", "allied", True),
        ("foxhole", "G3", "allied", True),  # Isolated is not the friendly MLR
        ("wire", "G6", "axis", False),
        ("a-p-mines", "G6", "axis", False),
        ("pillbox", "G6", "axis", False),
    ],
)
def test_hidden_fortifications_in_the_open(kind: str, at: str, side: str, shown: bool) -> None:
    cg = drawn()
    fort = Fort(id="F1", side=side, kind=kind, at=at)
    cg.state = FortJoined(fort=fort, to=(side,)).apply(cg.state)
    run = play(hidden_units, cg, side)
    assert cg.state.forts["F1"].hidden != shown
    assert [(fact.to, fact.rule) for fact in run.of("fort-joined")] == [(None, "PL 3.241")] * shown
    assert not play(hidden_units, cg, "axis" if side == "allied" else "allied").of("fort-joined")


def test_burnt_ground_is_no_concealment_terrain() -> None:
    cg = drawn()
    cg.state = cg.state.with_ground(burnt=frozenset({"M1"}))
    fort = Fort(id="F1", side="axis", kind="foxhole", at="M1")
    cg.state = FortJoined(fort=fort, to=("axis",)).apply(cg.state)
    play(hidden_units, cg, "axis")
    assert not cg.state.forts["F1"].hidden
