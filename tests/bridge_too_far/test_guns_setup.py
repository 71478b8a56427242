"""Guns from one scenario to the next through whole steps, by every reading (CG5, 9.613)."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.facts import FortJoined
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.refit.shift import shift, shift_options, shift_problems
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.hasl.state import Area
from laager.rules.board.units import Fort, Mark
from laager.rules.bridge_too_far.context import Abtf
from tests.bridge_too_far.scene import add, apply, chits, scene
from tests.historical.driver import run
from tests.historical.setting import question, row

AT, MTR = "57L AT OQF 6pdr 7cwt", '76* MTR OML 3"'


def two_areas(readings: dict[str, str] | None = None, far: tuple[str, ...] = ("D5", "D6")) -> Abtf:
    """British areas Near, with D2, and Far, whose D5 is three hexes from there and D6 four."""
    cg = chits(scene(readings=readings, tables=False), "attack", "idle")
    near = Area(name="Near", side="allied", hexes=("D2", "D3", "C3"))
    enemy = next(area for area in cg.state.areas if area.side == "axis")
    return apply(cg, AreasDetermined(areas=(near, Area(name="Far", side="allied", hexes=far), enemy)))


def manned(cg: Abtf, type_: str = AT, *marks: Mark) -> tuple[str, str]:
    """Add a crew and its Gun in D2."""
    crew = add(cg, "allied", "2-2-8", "crew", "D2", area="Near")
    gun = add(cg, "allied", type_, "gun", "D2", *marks, area="Near", with_unit=crew.id)
    return crew.id, gun.id


def shifted(cg: Abtf, unit: str, to: str = "Far") -> None:
    run(shift, cg, "allied", {"shift": [{"unit": unit, "to": to, "success": True}]})


def allowed(cg: Abtf, crew: str, at: str, *state: str, gun: str = "") -> bool:
    """Whether a crew may set up in a hex, with its Gun in this state."""
    rows: list[dict[str, Any]] = [row(cg.state.units[crew], at)]
    if gun:
        rows.append(row(cg.state.units[gun], "", crew, state=list(state)))
    return bool(question(cg, "allied").allows({"units": rows}))


@pytest.mark.parametrize(("reading", "anywhere"), [("free", True), ("bound", False)])
def test_a_gun_that_shifted(reading: str, anywhere: bool) -> None:
    cg = two_areas({"shifted-guns": reading})
    crew, gun = manned(cg)
    shifted(cg, crew)
    assert cg.state.units[gun].area == "Far"
    assert question(cg, "allied").allows(question(cg, "allied").default)
    assert allowed(cg, crew, "D5")
    assert allowed(cg, crew, "D6") is anywhere
    run(setting_up, cg)
    assert cg.state.units[gun].at in ("D5", "D6")


@pytest.mark.parametrize(("reading", "goes"), [("free", True), ("bound", False)])
def test_a_gun_that_could_not_set_up_there_stays_behind(reading: str, goes: bool) -> None:
    cg = two_areas({"shifted-guns": reading}, far=("D6",))
    crew, gun = manned(cg)
    refused = shift_refused(cg, gun)
    assert (refused == "") is goes
    assert goes or "must set up within 3 hexes of D2" in refused
    shifted(cg, crew)
    assert (cg.state.units[crew].area, cg.state.units[gun].area) == ("Far", "Far" if goes else "Near")
    assert (cg.state.units[gun].at is None) is goes


def shift_refused(cg: Abtf, gun: str) -> str:
    return "".join(map(str, shift_problems(cg, "allied", [{"unit": gun, "to": "Far"}])))


def test_a_fixed_gun_stays_when_its_crew_shifts() -> None:
    cg = two_areas()
    crew, gun = manned(cg, AT, Mark.FIXED)
    shifted(cg, crew)
    assert (cg.state.units[gun].at, cg.state.units[gun].with_unit) == ("D2", "")


@pytest.mark.parametrize(("reading", "ended_dm", "begins_dm"), [("ended", True, False), ("begins", False, True)])
def test_when_a_mortar_is_dm(reading: str, ended_dm: bool, begins_dm: bool) -> None:
    for was in (True, False):
        cg = two_areas({"dm-mortars": reading})
        crew, gun = manned(cg, MTR, *[Mark.DISMANTLED] * was)
        apply(cg, AreasDetermined(areas=(joined(cg), *cg.state.areas[2:])))
        for begins in (True, False):
            state = ("dm",) if begins else ()
            free = (was and ended_dm) or (begins and begins_dm)
            assert allowed(cg, crew, "D6", *state, gun=gun) is free, (was, begins)


def joined(cg: Abtf) -> Area:
    near, far, _ = cg.state.areas
    return near.but(hexes=(*near.hexes, *far.hexes))


@pytest.mark.parametrize(("reading", "fixed"), [("again", True), ("released", False)])
def test_a_fixed_gun_that_was_dm(reading: str, fixed: bool) -> None:
    cg = two_areas({"dismantled-guns": reading})
    crew, gun = manned(cg, MTR, Mark.FIXED, Mark.DISMANTLED)
    answer = {"units": [row(cg.state.units[crew], "D3"), row(cg.state.units[gun], "", crew, state=[])]}
    run(setting_up, cg, answers={"setup@allied": answer})
    assert cg.state.units[gun].at == "D3"
    assert cg.state.units[gun].has(Mark.FIXED) is fixed
    # At the next setup it stays there, or goes where any Gun may.
    assert allowed(cg, crew, "C3", gun=gun) is not fixed


@pytest.mark.parametrize(("reading", "left"), [("kept", 1), ("lost", 0)])
def test_question_marks_that_were_not_used(reading: str, left: int) -> None:
    cg = two_areas({"unused-allowances": reading})
    add(cg, "allied", "4-5-8", "squad", "D2", area="Near")
    apply(cg, FortJoined(fort=Fort(id="ALF1", side="allied", kind="concealment", count=2)))
    run(setting_up, cg, answers={"setup@allied": {"forts": []}})
    assert len(cg.state.forts) == left


@pytest.mark.parametrize(
    ("reading", "freed"),
    [
        ("either", {(True, True), (True, False), (False, True)}),
        ("ended", {(True, True), (True, False)}),
        ("begins", {(True, True), (False, True)}),
    ],
)
def test_when_a_fixed_gun_is_dm(reading: str, freed: set[tuple[bool, bool]]) -> None:
    for was, begins in ((True, True), (True, False), (False, True), (False, False)):
        cg = two_areas({"dm-fixed-guns": reading})
        crew, gun = manned(cg, MTR, Mark.FIXED, *[Mark.DISMANTLED] * was)
        state = ("dm",) * begins
        assert allowed(cg, crew, "D3", *state, gun=gun) is ((was, begins) in freed), (was, begins)
        assert allowed(cg, crew, "D2", *state, gun=gun)


def test_a_fixed_mortar_that_begins_dm_is_taken_along() -> None:
    cg = two_areas()
    crew, gun = manned(cg, MTR, Mark.FIXED)
    rows = [row(cg.state.units[crew], "D3"), row(cg.state.units[gun], "", crew, state=["dm"])]
    run(setting_up, cg, answers={"setup@allied": {"units": rows}})
    assert cg.state.units[gun].at == "D3"
    assert cg.state.units[gun].marks >= {Mark.FIXED, Mark.DISMANTLED}


@pytest.mark.parametrize(("reading", "far"), [("anywhere", True), ("near", False)])
def test_where_vehicles_set_up_in_uncontrolled_territory(reading: str, far: bool) -> None:
    cg = two_areas({"vehicles-outside": reading})
    tank = add(cg, "allied", "Carrier B", "vehicle", "D3", area="Near")
    outside = {cg.map.distance("D3", name): name for name in cg.sort(Setting(cg, "allied").outside)}
    assert allowed(cg, tank.id, outside[2])
    assert allowed(cg, tank.id, outside[3]) is far


@pytest.mark.parametrize(
    ("reading", "barred"), [("allowed", ""), ("barred", "Near is Isolated; only Escape leads out")]
)
def test_whether_isolated_units_shift(reading: str, barred: str) -> None:
    cg = two_areas({"isolated-shift": reading})
    crew, _ = manned(cg)
    free = add(cg, "allied", "6-4-8", "squad", "D5", area="Far")
    near, *others = cg.state.areas
    apply(cg, AreasDetermined(areas=(near.but(isolated=True), *others)))
    assert {one.value: one.why_not for one in shift_options(cg, "allied")} == {crew: barred, free.id: ""}
