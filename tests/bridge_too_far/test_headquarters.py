"""The British Headquarters (CG23): when, which building, and who knows it."""

from __future__ import annotations

from copy import copy
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import ControlChanged
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import HeadquartersNamed, HeadquartersRevealed
from laager.rules.bridge_too_far.reminders import fanaticism
from laager.rules.bridge_too_far.state import AbtfState
from laager.rules.bridge_too_far.steps.events import carry_out_event, event_options
from laager.rules.bridge_too_far.steps.headquarters import (
    british_control,
    building_name,
    headquarters,
    headquarters_on_idle_date,
    headquarters_question,
    must_be_named_now,
    possible_buildings,
)
from tests.bridge_too_far.scene import apply, at_date, chits, scene
from tests.historical.driver import run

LATE: dict[str, Any] = {
    "dates": [{"id": "19AM", "day": "1944-09-19", "part": "AM"}, {"id": "19PM", "day": "1944-09-19", "part": "PM"}]
}


def names(cg: Abtf) -> list[str]:
    return [building_name(one) for one in possible_buildings(cg)]


def test_it_is_named_before_the_setup_of_18am_and_never_again() -> None:
    cg = scene()
    assert not must_be_named_now(cg)
    assert run(headquarters, cg).facts == []
    at_date(cg, "18AM")
    assert must_be_named_now(cg)
    played = run(headquarters, cg)
    assert [fact.to for fact in played.facts] == [("allied",)]
    assert all(question.secret for question in played.asked)
    assert cg.state.headquarters is not None
    assert cg.state.headquarters.hexes == ("B4", "B5")
    assert not must_be_named_now(cg)
    assert not must_be_named_now(at_date(cg, "18PM"))


def test_an_idle_18am_names_it_too() -> None:
    cg = chits(at_date(scene(), "18AM"), "idle", "idle")
    run(headquarters_on_idle_date, cg)
    assert cg.state.headquarters is not None


@pytest.mark.parametrize(("reading", "asked"), [("initial-scenario", True), ("none", False)])
def test_campaigns_that_begin_later(reading: str, asked: bool) -> None:
    cg = scene(LATE, readings={"late-headquarters": reading})
    assert must_be_named_now(cg) is asked
    assert not must_be_named_now(at_date(cg, "19PM"))


def test_only_buildings_of_several_hexes_that_the_british_control() -> None:
    cg = scene()
    assert names(cg) == ["School"]
    apply(cg, ControlChanged(side="axis", locations=("B5.1",)))
    assert names(cg) == []
    apply(cg, ControlChanged(side="allied", locations=("B5.1", "I1")))
    assert names(cg) == ["School"]
    villa = next(one for one in cg.map.buildings if one.name == "Villa")
    assert not british_control(cg, villa)
    depot = next(one for one in cg.map.buildings if one.name == "Depot")
    assert not british_control(cg, depot)


def test_a_building_in_no_block_is_nobodys() -> None:
    cg = scene()
    school = next(one for one in cg.map.buildings if one.name == "School")
    # Of one's own: campaigns on the same map share it.
    cg.replace_map(copy(cg.map))
    cg.map.__dict__["blocks"] = scene().map.blocks.__class__({}, {}, False, True, frozenset(), frozenset(), frozenset())
    assert not british_control(cg, school)


def test_it_needs_los() -> None:
    question = headquarters_question(("School", "Villa"))
    with pytest.raises(DataError, match="School has no LOS to a Level 1 Location on or between"):
        question.accept({"building": "School", "los": False})
    assert question.accept({"building": "none", "los": False})
    assert question.accept(question.default) == {"building": "School", "los": True}
    for seed in range(6):
        assert question.sample(Random(seed))


def test_none_can_be_it() -> None:
    cg = at_date(scene(), "18AM")
    answers = {"headquarters": {"building": "none", "los": False}}
    run(headquarters, cg, answers=answers)
    assert cg.state.headquarters is not None
    assert cg.state.headquarters.hexes == ()
    assert list(fanaticism(cg)) == []
    assert {option.value for option in event_options(cg)} == {"rain"}
    assert headquarters_question(()).default == {"building": "none", "los": False}
    assert HeadquartersNamed(building="", hexes=()).tell() == "there is no British Headquarters"


def test_it_is_revealed_when_it_is_used() -> None:
    cg = at_date(scene(), "18AM")
    run(headquarters, cg)
    assert "headquarters" in {option.value for option in event_options(cg)}
    played = run(lambda cg: carry_out_event(cg, "headquarters", 1), cg)
    assert [fact.to for fact in played.facts] == [None]
    assert cg.state.headquarters_known
    assert "headquarters" not in {option.value for option in event_options(cg)}


def test_the_germans_know_nothing_before() -> None:
    named = HeadquartersNamed(building="School", hexes=("B4", "B5"), to=("allied",))
    cg = at_date(scene(), "18AM")
    german = cg.with_state(AbtfState.empty("axis"))
    german.state = cg.state.__class__(viewer="axis")
    apply(cg, named)
    assert [one.clause for one in fanaticism(german)] == []
    assert [one.clause for one in fanaticism(cg)] == ["ABtF CG23"]
    apply(german, HeadquartersRevealed(building="School", hexes=("B4", "B5")))
    assert "School (B4, B5)" in next(fanaticism(german)).text
