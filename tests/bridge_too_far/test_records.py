"""Notes on vehicles and Guns (CG15, CG16, CG18): optional equipment, armament Removed, status."""

from __future__ import annotations

from random import Random

import pytest

from laager.base import DataError
from laager.rules.board.hasl.public import could_have_vehicles_or_guns
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.sheets import vehicle_notes_sheet
from laager.rules.bridge_too_far.steps.records import optional_equipment, random_note, vehicle_status
from tests.bridge_too_far.scene import add, at_date, scene
from tests.historical.driver import run


def with_vehicles() -> Abtf:
    cg = scene()
    add(cg, "axis", "PzIVH", "afv")
    add(cg, "axis", "75L AT PaK 40", "gun")
    add(cg, "axis", "PzIVH", "afv", "F1", Mark.WRECK)
    return cg


def test_optional_equipment_stays() -> None:
    cg = with_vehicles()
    answers = {"optional-equipment": [{"unit": "AX1", "text": "AAMG, Sz"}]}
    played = run(optional_equipment, cg, "axis", answers=answers)
    assert [fact.to for fact in played.facts] == [("axis",)]
    assert played.asked[0].secret
    assert cg.state.records == {"AX1": {"equipment": "AAMG, Sz"}}
    run(vehicle_status, cg, "axis")
    assert cg.state.records == {"AX1": {"equipment": "AAMG, Sz"}}
    assert vehicle_notes_sheet(cg).rows == (("PzIVH (AX1)", "equipment", "AAMG, Sz"),)


def test_only_new_vehicles_are_asked_for() -> None:
    cg = with_vehicles()
    options = run(optional_equipment, cg, "axis").asked[0].describe()["form"]["row"]["fields"][0]
    assert [option["value"] for option in options["form"]["options"]] == ["AX1"]
    assert run(optional_equipment, cg, "allied").asked == []
    assert run(optional_equipment, at_date(cg, "18AM"), "axis").asked == []


def test_status_is_noted_for_one_scenario() -> None:
    cg = with_vehicles()
    rows = [
        {"unit": "AX1", "about": "status", "text": "BU, TCA 2"},
        {"unit": "AX1", "about": "removed", "text": "AAMG"},
    ]
    run(vehicle_status, cg, "axis", answers={"vehicle-status": rows})
    assert cg.state.records == {"AX1": {"removed": "AAMG", "status": "BU, TCA 2"}}
    played = run(vehicle_status, cg, "axis")
    assert cg.state.records == {}
    assert {fact.to for fact in played.facts} == {("axis",)}


def test_the_enemy_touches_no_notes() -> None:
    cg = with_vehicles()
    rows = [{"unit": "AX1", "about": "status", "text": "CE"}]
    run(vehicle_status, cg, "axis", answers={"vehicle-status": rows})
    run(vehicle_status, cg, "allied")
    assert cg.state.records == {"AX1": {"status": "CE"}}


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"unit": "AX2", "about": "removed", "text": "MG"}], "isn't a vehicle"),
        ([{"unit": "AX1", "about": "status", "text": "fine"}], "'fine' isn't a state"),
        ([{"unit": "AX1", "about": "status", "text": "CE"}] * 2, "AX1 is there twice for status"),
        ([{"unit": "AX3", "about": "status", "text": "CE"}], "AX3"),
    ],
)
def test_notes_that_will_not_do(rows: list[dict[str, str]], told: str) -> None:
    question = run(vehicle_status, with_vehicles(), "axis").asked[0]
    with pytest.raises(DataError, match=told):
        question.accept(rows)


def test_optional_equipment_is_noted_in_one_line() -> None:
    question = run(optional_equipment, with_vehicles(), "axis").asked[0]
    with pytest.raises(DataError, match="AX1 is named twice"):
        question.accept([{"unit": "AX1", "text": "AAMG"}] * 2)
    assert question.sample(Random(1)) == [{"unit": "AX1", "text": "AAMG"}]


def test_who_is_asked_tells_no_secret() -> None:
    cg = scene()
    assert could_have_vehicles_or_guns(cg, "axis")
    assert not could_have_vehicles_or_guns(cg, "allied")
    assert run(vehicle_status, cg, "axis").asked[0].sample(Random(1)) == []
    assert run(vehicle_status, cg, "allied").asked == []
    jeeps = {"given": {"allied": {"units": [{"type": "Jeep(a)"}]}}}
    later = scene({"dates": [*scene().card.model_dump(mode="json")["dates"][:1]]})
    assert not could_have_vehicles_or_guns(later, "allied")
    dates = scene().card.model_dump(mode="json", exclude_defaults=True)["dates"]
    dates[1] |= jeeps
    assert could_have_vehicles_or_guns(scene({"dates": dates}), "allied")
    none = scene(charts={"sides": {"allied": {"rg": None}}})
    assert could_have_vehicles_or_guns(none, "allied")


def test_chance_finds_notes() -> None:
    cg = with_vehicles()
    question = run(vehicle_status, cg, "axis").asked[0]
    assert question.sample(Random(3))[0]["unit"] in ("AX1", "AX2")
    assert random_note([], Random(1)) == []
