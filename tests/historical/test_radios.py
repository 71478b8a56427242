"""Radios and phones follow their holders, and are never left behind for good (issue 11, 3.1)."""

from __future__ import annotations

from typing import Any

from laager.rules.board.facts import GroupChanged, UnitMoved
from laager.rules.board.hasl.refit.areas import setup_areas
from laager.rules.board.hasl.refit.escape import escape
from laager.rules.board.hasl.refit.shift import shift
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.units import Mark, Place
from tests.historical.driver import run
from tests.historical.setting import group, question, ready, refusals
from tests.historical.small import add, scene
from tests.historical.test_areas import LISTED, listed

WEST = ("allied", "W", "A1-A8")


def held(**more: Any) -> tuple[Any, Any, str]:
    """Return a scene with a squad that has the radio of a module in the area NE."""
    cg = ready(scene(LISTED, **more), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    name = group(cg, "axis", "O1/1", "O", equipment="radio").id
    run(setting_up, cg)
    module = cg.state.groups["axis", name]
    assert (module.holder, module.area) == (squad.id, "NE")
    cg.state = cg.state.with_group("axis", name, date=0)
    return cg, squad, name


def goes(cg: Any, unit: Any, at: str | None, place: Place = Place.MAP) -> None:
    cg.state = UnitMoved(unit=unit.id, at=at, place=place).apply(cg.state)


def area(cg: Any, name: str) -> str:
    found: str = cg.state.groups["axis", name].area
    return found


def test_it_follows_a_holder_who_ends_in_another_area() -> None:
    cg, squad, name = held()
    goes(cg, squad, "L3")
    played = run(setup_areas, cg, answers={"setup-areas": listed(WEST, ("axis", "NE", "G3"), ("axis", "E", "L3"))})
    assert area(cg, name) == "E"
    assert {fact.to for fact in played.facts if isinstance(fact, GroupChanged)} == {("axis",)}
    row = question(cg, "axis").default["modules"][0]
    assert (row["use"], row["with"]) == (True, squad.id)


def test_it_follows_when_the_area_gets_another_name() -> None:
    cg, squad, name = held()
    run(setup_areas, cg, answers={"setup-areas": listed(WEST, ("axis", "Ridge", "G3, G4"))})
    assert area(cg, name) == "Ridge"
    assert question(cg, "axis").default["modules"][0]["with"] == squad.id


def test_without_holder_and_area_anybody_may_have_it() -> None:
    cg, squad, name = held()
    goes(cg, squad, None, Place.ELIMINATED)
    other = add(cg, "axis", "4-6-7", "squad", "L3")
    run(setup_areas, cg, answers={"setup-areas": listed(WEST, ("axis", "E", "L3"))})
    assert area(cg, name) == ""
    run(setting_up, cg)
    module = cg.state.groups["axis", name]
    assert (module.holder, module.area) == (other.id, "E")


def test_without_holder_it_stays_while_the_area_does() -> None:
    cg, squad, name = held()
    cg.state = cg.state.with_unit(squad.id, lambda unit: unit.but(marks={Mark.PRISONER}))
    goes(cg, squad, "A5")
    run(setup_areas, cg, answers={"setup-areas": listed(WEST, ("axis", "NE", "G3"))})
    assert area(cg, name) == "NE"


def test_outside_all_areas_it_stays_with_its_holder() -> None:
    cg, squad, name = held()
    goes(cg, squad, "F6")
    other = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    mate = add(cg, "axis", "2-4-7", "half-squad", "F6")
    run(setup_areas, cg, answers={"setup-areas": listed(WEST, ("axis", "NE", "G3"))})
    assert area(cg, name) == ""
    module = {"module": name, "equipment": "radio"}
    assert refusals(cg, "axis", modules=[module | {"with": other.id}]) == [
        f"modules[1].with: {other.label} is elsewhere; {name} is with {squad.label}"
    ]
    question(cg, "axis").accept({"units": [], "modules": [module | {"with": mate.id}]})
    assert question(cg, "axis").default["modules"][0]["with"] in (squad.id, mate.id)


def test_it_goes_with_a_holder_who_escapes_or_shifts() -> None:
    cg, squad, name = held()
    cg.state = cg.state.with_unit(squad.id, lambda unit: unit.but(marks={Mark.ISOLATED}))
    row = {"unit": squad.id, "to": "G1", "outcome": "escapes"}
    run(escape, cg, "axis", {"isolated-units": [], "escape": [row]})
    assert area(cg, name) == "G1"
    run(shift, cg, "axis", {"shift": [{"unit": squad.id, "to": "NE"}]})
    assert area(cg, name) == "NE"


def test_it_shifts_alone_and_its_holder_stays() -> None:
    cg, squad, name = held()
    both = listed(WEST, ("axis", "NE", "G3"), ("axis", "E", "L3"))
    run(setup_areas, cg, answers={"setup-areas": both})
    run(shift, cg, "axis", {"shift": [{"unit": name, "to": "E"}]})
    module = cg.state.groups["axis", name]
    assert (module.area, module.holder) == ("E", "")
    run(setup_areas, cg)
    assert area(cg, name) == "E"
    assert cg.state.units[squad.id].area == "NE"
