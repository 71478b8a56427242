"""Initiative, Isolated setup, Guns, OBA, notes, Snipers, and what is reported after play."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import Agreed, UnitGone
from laager.rules.board.hasl.buying.offers import equipments
from laager.rules.board.hasl.buying.registered import hexes_question
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.report.form import ScenarioReport
from laager.rules.board.hasl.report.report import scenario_report
from laager.rules.board.hasl.scenario.initiative import first_mover
from laager.rules.board.hasl.state import Round
from laager.rules.board.report.flow import report_question
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Place
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import (
    BombardmentPlotted,
    DcSet,
    Released,
    ReserveCountersPlaced,
    ReserveDummyPlaced,
    StatusNoted,
)
from laager.rules.edsons_ridge.reminders import in_force, of_side
from laager.rules.edsons_ridge.sheets import notes_sheet
from laager.rules.edsons_ridge.state import PlottedBombardment
from laager.rules.edsons_ridge.steps import after_play
from laager.rules.edsons_ridge.steps.initiative import initiative
from laager.rules.edsons_ridge.steps.isolated import shortage, shortage_over
from laager.rules.edsons_ridge.steps.notes import notes_question, status_notes
from laager.rules.edsons_ridge.steps.oba import registered_anew
from laager.rules.edsons_ridge.terrain import burn_out_problem
from tests.edsons_ridge.scene import add, apply, at_date, chits, fort, group, scene
from tests.historical.driver import run


def day(**more: Any) -> Er:
    return at_date(scene(**more), "13D")


# Initiative ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "allied", "kind", "first", "moves"),
    [
        ("attack", "idle", "Japanese Assault", "allied", "axis"),
        ("idle", "attack", "U.S. Assault", "axis", "allied"),
        ("attack", "attack", "Dual Attack", "axis", ""),
    ],
)
def test_the_matrix(axis: str, allied: str, kind: str, first: str, moves: str) -> None:
    cg = day()
    played = run(initiative, cg, None, {"chit@axis": axis, "chit@allied": allied})
    line = cg.state.scenario
    assert (line.kind, line.sets_up_first, line.moves_first) == (kind, first, moves)
    assert all(question.secret for question in played.questions("chit"))
    # The scene has counted the Japanese Attack of the date before.
    before = 1
    assert cg.state.side("axis").attacks == before + (axis == "attack")
    assert cg.state.side("allied").attacks == int(allied == "attack")


def test_two_idle_chits_make_an_idle_date() -> None:
    cg = day()
    run(initiative, cg, None, {"chit@axis": "idle", "chit@allied": "idle"})
    assert cg.state.scenario.idle
    assert cg.state.round is Round.IDLE


def test_who_sets_up_first_is_asked_or_charted_or_diced_for() -> None:
    cg = day()
    told = {"chit@axis": "attack", "chit@allied": "idle", "sets-up-first": "axis"}
    run(initiative, cg, None, told)
    assert (cg.state.scenario.sets_up_first, cg.state.scenario.moves_first) == ("axis", "allied")
    cg = day()
    run(initiative, cg, None, told | {"sets-up-first": "dr"}, [(4,)])
    assert cg.state.scenario.sets_up_first == "allied"
    kinds = [{"axis": "attack", "allied": "idle", "name": "x", "sets_up_first": "axis"}]
    cg = day(charts={"scenario_types": kinds})
    played = run(initiative, cg, None, {"chit@axis": "attack", "chit@allied": "idle"})
    assert not played.questions("sets-up-first")
    assert (cg.state.scenario.sets_up_first, cg.state.scenario.moves_first) == ("axis", "allied")


@pytest.mark.parametrize(("face", "side"), [(3, "axis"), (4, "allied"), (1, "axis"), (6, "allied")])
def test_who_moves_first_in_a_dual_attack(face: int, side: str) -> None:
    cg = day()
    run(initiative, cg, None, {"chit@axis": "attack", "chit@allied": "attack"})
    run(first_mover, cg, None, (), [(face,)])
    assert cg.state.scenario.moves_first == side


def test_the_limit_on_attack_chits() -> None:
    cg = day()
    for _ in range(2):
        chits(cg, "idle", "attack")
    with pytest.raises(DataError, match="all 2 Attack chits of the campaign have been chosen"):
        run(initiative, cg, None, {"chit@axis": "idle", "chit@allied": "attack"})
    assert not cg.variant.assumed_chits_count(cg)


# Isolated -----------------------------------------------------------------------------------------


def test_what_sets_up_isolated_is_short_of_ammunition_until_it_is_not() -> None:
    cg = day()
    inside = add(cg, "allied", "6-6-6", "squad", "M12", area="Ridge")
    weapon = add(cg, "allied", "LMG", "sw", "M12", with_unit=inside.id, area="Ridge")
    leader = add(cg, "allied", "8-1", "leader", "M12", area="Ridge")
    other = add(cg, "axis", "4-4-7", "squad", "K3", area="Jungle")
    areas = tuple(area.but(isolated=area.side == "allied") for area in cg.state.areas)
    apply(cg, AreasDetermined(areas=areas))
    run(shortage, cg)
    short = [u.id for u in cg.state.units.values() if u.has(Mark.AMMUNITION_SHORTAGE)]
    assert short == [inside.id, weapon.id]
    assert leader.id not in short
    assert other.id not in short
    assert not run(shortage_over, cg).facts
    apply(cg, AreasDetermined(areas=tuple(area.but(isolated=False) for area in areas)))
    run(shortage_over, cg)
    assert not any(u.has(Mark.AMMUNITION_SHORTAGE) for u in cg.state.units.values())
    assert cg.variant.isolated_first


# Guns, OBA, Snipers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "type_", "marks", "idle", "legal"),
    [
        ("K15", "37L AT M3A1", (), False, True),
        ("N13", "37L AT M3A1", (), False, True),
        ("K16", "37L AT M3A1", (), False, False),
        ("N14", "37L AT M3A1", (), False, False),
        ("K16", "81* MTR M1", (), False, True),
        ("K16", "37L AT M3A1", (Mark.ESCAPED,), False, True),
        ("K16", "37L AT M3A1", (), True, True),
        ("K20", "37L AT M3A1", (), True, False),
    ],
)
def test_guns(to: str, type_: str, marks: tuple[Mark, ...], idle: bool, legal: bool) -> None:
    cg = day()
    gun = add(cg, "allied", type_, "gun", "K12", *marks)
    cg.state = evolve(cg.state, idle_since=idle)
    problem = cg.variant.gun_problem(cg, gun, to)
    assert (problem is None) is legal
    if to == "K16" and not legal:
        assert str(problem) == "K16 is 4 hexes from K12; at most 3 in a Friendly Setup Area"


def test_field_phones_are_for_the_u_s() -> None:
    cg = day()
    line = cg.line("allied", "O1")
    assert line is not None
    assert equipments(cg, "allied", line) == ("radio", "phone")
    assert equipments(cg, "axis", line) == ("radio",)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        (["M18", "M19", "M20", "M21", "M22", "M23", "M24"], ""),
        (["K5", "K4"], "K4"),
        (["M18", "M19"], "M19 is not at the edge of the map"),
        ([], ""),
    ],
)
def test_security_areas(way: list[str], message: str) -> None:
    cg = day()
    told = "\n".join(map(str, cg.variant.security_problems(cg, "allied", way)))
    assert message in told
    if not message and way:
        assert not told


def test_a_security_area_needs_five_edge_hexes_of_one_entry_area() -> None:
    cg = day()
    east = [f"{column}12" for column in ("P", "Q", "R")]
    told = "\n".join(map(str, cg.variant.security_problems(cg, "allied", east)))
    assert "is not at the edge of the map" in told
    edge = [f"A{row}" for row in (11, 12)]
    told = "\n".join(map(str, cg.variant.security_problems(cg, "allied", edge)))
    assert "no Entry Area has 5 hexes of the west edge" in told


def test_modules_are_retained_and_registered_anew() -> None:
    cg = scene()
    made = group(cg, "allied", "O1", black=7, red=2, pre_registered=("K12",), used=True)
    assert not run(registered_anew, cg, "allied").asked
    at_date(cg, "13D")
    assert cg.variant.module_loss(cg, made) == ""
    played = run(registered_anew, cg, "allied")
    assert not played.facts
    rows = [{"module": made.id, "hex": "K13"}]
    run(registered_anew, cg, "allied", {"pre-registered": rows})
    assert cg.state.groups["allied", made.id].pre_registered == ("K13",)
    question = hexes_question(cg, "allied", [made], "pre-registered", "Where?")
    with pytest.raises(DataError, match="'ZZ1' is not a hex in play"):
        question.accept([{"module": made.id, "hex": "ZZ1"}])
    two = hexes_question(cg, "allied", [made, made], "pre-registered", "Where?")
    with pytest.raises(DataError, match="is named twice"):
        two.accept(rows * 2)
    assert question.allows(question.sample(Random(1)))


def test_two_snipers_if_agreed_and_not_at_the_start() -> None:
    cg = scene()
    assert cg.variant.snipers(cg) == 1
    apply(cg, Agreed(about="two-snipers", value=True))
    assert cg.variant.snipers(cg) == 1
    at_date(cg, "13D")
    assert cg.variant.snipers(cg) == 2
    assert cg.variant.sniper_range(cg) == 10
    assert day(readings={"sniper-spacing": "11"}).variant.sniper_range(day()) == 10
    eleven = day(readings={"sniper-spacing": "11"})
    assert eleven.variant.sniper_range(eleven) == 11
    chits(cg, "attack", "idle")
    assert "two Snipers a side, 10 hexes apart" in "\n".join(one.text for one in in_force(cg))
    names = [field.name for field in cg.variant.agreements(cg)]
    assert names == ["random-weather", "two-snipers"]


# Notes --------------------------------------------------------------------------------------------


def test_states_are_noted_in_secret_and_struck_for_the_next_scenario() -> None:
    cg = day()
    tank = add(cg, "allied", "M3A1", "afv", "M12")
    answer = [{"unit": tank.id, "note": "BU, TCA 4"}]
    played = run(status_notes, cg, "allied", {"status-notes": answer})
    assert cg.state.notes_on == {tank.id: "BU, TCA 4"}
    assert all(fact.to == ("allied",) for fact in played.facts)
    text = "\n".join(one.text for one in of_side(cg, "allied"))
    assert f"LOS within 16 hexes: {tank.id}" in text
    assert "M3A1" in notes_sheet(cg).rows[0][0]
    run(status_notes, cg, "allied")
    assert cg.state.notes_on == {}
    assert not run(status_notes, cg, "axis").asked


def test_notes_refused() -> None:
    cg = day()
    tank = add(cg, "allied", "M3A1", "afv", "M12")
    question = notes_question(cg, "allied")
    with pytest.raises(DataError, match="'happy' isn't a state that you can note; one of BU, CE"):
        question.accept([{"unit": tank.id, "note": "happy"}])
    with pytest.raises(DataError, match="is named twice"):
        question.accept([{"unit": tank.id, "note": "CE"}] * 2)
    assert all(question.allows(question.sample(Random(seed))) for seed in range(4))


def test_who_is_asked_for_notes_tells_nothing() -> None:
    """A side is asked if chart or OB may bring it vehicles or Guns, whatever it has."""
    assert run(status_notes, day(), "allied").asked
    cg = day(card={"sides": {"axis": {"ob": {"units": [{"type": "70* INF"}]}}}})
    assert run(status_notes, cg, "axis").asked
    assert run(status_notes, day(charts={"sides": {"axis": {"rg": None}}}), "axis").asked


# After play ---------------------------------------------------------------------------------------


def test_vehicles_that_burnt_out() -> None:
    cg = day()
    tank = add(cg, "allied", "M3A1", "afv", "M12", Mark.IMMOBILIZED, Mark.ABANDONED, known=True)
    wreck = add(cg, "allied", "M3A1", "afv", "M13", Mark.WRECK, place=Place.ELIMINATED, known=True)
    (field,) = after_play.report_fields(cg, "allied")
    assert field.name == "burnt-out"
    run(scenario_report, cg, answers={"scenario-report@allied": {"units": [], "burnt-out": [tank.id, wreck.id]}})
    for unit in (tank, wreck):
        assert cg.state.units[unit.id].marks >= {Mark.WRECK, Mark.BURNT_OUT}
    assert cg.state.units[tank.id].place is Place.ELIMINATED
    assert cg.state.side("axis").cvp > 0
    assert "is one already" in burn_out_problem(cg.state.units[wreck.id])
    assert "isn't a vehicle" in burn_out_problem(add(cg, "axis", "4-4-7", "squad", "K3"))
    assert cg.variant.burns_out(cg, wreck)
    assert not list(after_play.report_fields(cg, "axis"))


def test_a_burnt_out_vehicle_has_no_fate_beside() -> None:
    cg = day()
    tank = add(cg, "allied", "M3A1", "afv", "M12")
    question = report_question(ScenarioReport, cg, "allied")
    for fate in ("captured", "recalled", "removed"):
        with pytest.raises(DataError, match=f"became a Burnt-Out Wreck, yet its row says {fate}"):
            question.accept({"units": [{"unit": tank.id, "fate": fate}], "burnt-out": [tank.id]})
    assert question.allows({"units": [{"unit": tank.id, "fate": "eliminated"}], "burnt-out": [tank.id]})


@pytest.mark.parametrize("at", ["M12", "M14"])
def test_a_vehicle_burnt_out_where_its_proposed_row_says(at: str) -> None:
    cg = day()
    tank = add(cg, "allied", "M3A1", "afv", "M12", Mark.IMMOBILIZED, known=True)
    crew = {"type": "1-2-6", "at": at, "from": tank.id}
    told = report_question(ScenarioReport, cg, "allied").default
    (row,) = told["units"]
    row |= {"at": at, "marks": ["immobilized", "abandoned"]}
    run(scenario_report, cg, answers={"scenario-report@allied": {**told, "new": [crew], "burnt-out": [tank.id]}})
    wreck = cg.state.units[tank.id]
    assert (wreck.place, wreck.at) == (Place.ELIMINATED, at)
    assert wreck.marks >= {Mark.WRECK, Mark.BURNT_OUT}
    nation = cg.nation("allied")
    assert cg.state.side("axis").cvp == nation.cvp("M3A1") - nation.cvp("1-2-6")


def test_reminders_of_reserves_and_dc() -> None:
    cg = chits(day(charts={"reserve_cases": ["A Reserve takes no Sniper attack."]}), "attack", "idle")
    assert "Reserves stay Cloaked" not in "\n".join(one.text for one in in_force(cg))
    squad = add(cg, "allied", "6-6-6", "squad", "M12")
    dc = fort(cg, "allied", "set-dc", "M12")
    apply(cg, ReserveCountersPlaced(side="allied", at=("K14",)), DcSet(fort=dc.id, unit=squad.id, to=("allied",)))
    text = "\n".join(one.text for one in in_force(cg))
    assert "Reserves stay Cloaked until an enemy ground unit in LOS is within 6 hexes" in text
    assert "A Reserve takes no Sniper attack." in text
    assert "U.S. Reserve counters: K14" in text
    assert f"{dc.id} is set off by {squad.id}" in "\n".join(o.text for o in of_side(cg, "allied"))
    assert not any("set off" in one.text for one in of_side(cg, "axis"))
    tanks = [add(cg, "allied", "M3A1", "afv", at) for at in ("M12", "M13")]
    apply(cg, *(StatusNoted(unit=tank.id, text="BU", to=("allied",)) for tank in tanks))
    for unit in (squad, tanks[0]):
        apply(cg, UnitGone(unit=unit.id, side="allied", type=unit.type, place=Place.ELIMINATED))
    (noted,) = (one.text for one in of_side(cg, "allied") if one.clause == "ER CG9")
    assert noted.endswith(f"within 16 hexes: {tanks[1].id}")
    assert f"nobody sets off {dc.id}: {squad.id} is gone" in [one.text for one in of_side(cg, "allied")]


def test_facts_in_words() -> None:
    plotted = PlottedBombardment(side="axis", areas=("A5-O14",), mc=2)
    for fact, words in (
        (BombardmentPlotted(bombardment=plotted), "axis Bombardment of A5-O14, 2MC"),
        (Released(who="allied"), "reinforcements of allied may enter"),
        (ReserveCountersPlaced(side="axis", at=()), "axis Reserve counters: none"),
        (ReserveDummyPlaced(side="axis", group="I2/1", at="K3"), "of I2/1 in K3"),
        (ReserveDummyPlaced(side="axis", group="I2/1", at=""), "of I2/1 is gone"),
        (StatusNoted(unit="AL1", text=""), "AL1: nothing noted"),
        (DcSet(fort="ALF1", unit="AL1"), "AL1 is to set off ALF1"),
    ):
        assert words in fact.tell()
