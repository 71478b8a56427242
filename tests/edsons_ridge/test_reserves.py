"""Reserves: counters, distances, Dummies, Holding Boxes, what they may not do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.hasl.refit.areas import setup_areas
from laager.rules.board.hasl.report.form import ScenarioReport
from laager.rules.board.hasl.setup.plan import Setting
from laager.rules.board.hasl.state import Area, GroupArrival
from laager.rules.board.report.flow import report_question
from laager.rules.board.setup.hiding import CLOAKED
from laager.rules.board.setup.placements import SetupPlace
from laager.rules.board.units import Mark, Unit
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import ReserveHeld
from laager.rules.edsons_ridge.steps import reserves
from laager.rules.edsons_ridge.steps.reserves import counters_question, holding_boxes, old_reserves, reserve_counters
from tests.edsons_ridge.scene import add, apply, at_date, chits, fort, group, reserve, scene
from tests.historical.driver import run
from tests.historical.setting import allowed, refusals, row


def day(**more: Any) -> Er:
    return at_date(scene(**more), "13D")


@pytest.mark.parametrize(
    ("side", "at", "away"), [("allied", "I12", 8), ("allied", "I11", 7), ("axis", "P3", 8), ("axis", "P4", 7)]
)
def test_eight_hexes_from_the_enemy(side: str, at: str, away: int) -> None:
    cg = day()
    found = reserves.place_problems(cg, side, at)
    assert (not found) is (away >= 8)
    assert (at in reserves.reserve_hexes(cg, side)) is (away >= 8)
    if found:
        assert f"{at} is 7 hexes from enemy Setup Area" in str(found[0])
        assert "8 at least" in str(found[0])


def test_from_all_entry_areas_or_those_that_are_open() -> None:
    near = {"sides": {"axis": {"arrows": ["L0", "FF12"]}, "allied": {"areas": {"East": ["Y12"]}}}}
    assert day(card=near).state.area("allied", "East") is not None
    assert "Y12" not in reserves.reserve_hexes(day(card=near), "allied")
    opened = day(card=near, readings={"reserve-entry-areas": "open"})
    assert "Y12" in reserves.reserve_hexes(opened, "allied")


def test_isolated_areas_are_no_place_for_reserves_but_keep_the_enemy_s_away() -> None:
    cg = day()
    areas = [area.but(isolated=area.side == "allied") for area in cg.state.areas]
    apply(cg, AreasDetermined(areas=tuple(areas)))
    assert not reserves.reserve_hexes(cg, "allied")
    assert "not in a friendly Setup Area" in str(reserves.place_problems(cg, "allied", "I14")[0])
    assert "P4" not in reserves.reserve_hexes(cg, "axis")


def test_counters_of_a_ru() -> None:
    cg = day()
    made, _ = reserve(cg, "allied", "I2", "Ridge", "K14", "K14", "L14")
    add(cg, "allied", "8-1", "leader", "K14", Mark.CLOAKED, group=made.id, area="Ridge")
    assert len(reserves.counter_carriers(cg, made)) == 3
    assert reserves.most_counters(cg, made) == 4
    assert sorted(reserves.stacks_of(cg, made)) == ["K14", "L14"]
    assert reserves.most_dummies(cg, made, 2) == 1
    spare = day(readings={"reserve-stacks": "dummies"})
    made, _ = reserve(spare, "allied", "I2", "Ridge", "K14", "K14", "L14")
    assert reserves.most_dummies(spare, made, 2) == 2


def test_a_vehicle_has_a_counter_of_its_own() -> None:
    cg = day()
    made = group(cg, "allied", "V1", arrival=GroupArrival.RESERVE, area="Ridge")
    for _ in range(2):
        add(cg, "allied", "M3A1", "afv", "L14", Mark.CLOAKED, group=made.id, area="Ridge")
    assert len(reserves.stacks_of(cg, made)) == 2
    played = run(reserve_counters, cg, "allied")
    assert cg.state.counters["allied"] == ("L14", "L14")
    notes = [fact.text for fact in played.of("status-noted")]  # type: ignore[attr-defined]
    assert notes == ["CE", "CE"]


def test_the_counters_stand_on_the_map_with_a_dummy_that_nobody_can_tell() -> None:
    cg = day()
    made, units = reserve(cg, "allied", "I2", "Ridge", "K14", "L14")
    answer = {"dummies": [{"group": made.id, "at": "M15"}], "vehicles": []}
    played = run(reserve_counters, cg, "allied", {"reserve-counters": answer})
    shown = played.of("reserve-counters-placed")[0]
    assert (shown.to, shown.at) == (None, ("K14", "L14", "M15"))  # type: ignore[attr-defined]
    assert played.of("reserve-dummy-placed")[0].to == ("allied",)
    assert all(cg.state.units[unit.id].has(Mark.RESERVE) for unit in units)
    run(old_reserves, cg, "allied")
    assert not any(cg.state.units[unit.id].has(Mark.RESERVE) for unit in units)
    assert cg.state.counters == {"allied": ()}
    assert cg.state.dummies == {}


def test_nothing_is_asked_without_reserves() -> None:
    cg = day()
    assert not run(reserve_counters, cg, "allied").facts
    assert not run(old_reserves, cg, "allied").facts


def test_what_is_wrong_with_dummies_and_notes() -> None:
    cg = day()
    made, _ = reserve(cg, "allied", "I2", "Ridge", "K14", "L14")
    tanks = group(cg, "allied", "V1", arrival=GroupArrival.RESERVE, area="Ridge")
    tank = add(cg, "allied", "M3A1", "afv", "L15", Mark.CLOAKED, group=tanks.id)
    question = counters_question(cg, "allied", [made, tanks])
    two = [{"group": made.id, "at": at} for at in ("M15", "M16")]
    for answer, message in (
        ({"dummies": two}, "I2/1 has 2 Reserve Dummies; 1 at most"),
        ({"dummies": [{"group": made.id, "at": "ZZ1"}]}, "ZZ1 isn't on the map"),
        ({"dummies": [{"group": made.id, "at": "I11"}]}, "I11 is 7 hexes from"),
        ({"vehicles": [{"unit": tank.id, "note": "BU"}] * 2}, "is named twice"),
    ):
        with pytest.raises(DataError, match=message):
            question.accept(answer)
    for seed in range(5):
        question.accept(question.sample(Random(seed)))


# Holding Boxes ------------------------------------------------------------------------------------


def nowhere() -> Er:
    """A date on which the Japanese are on the ridge, and no place is left for Reserves."""
    cg = day()
    near = Area(name="Foot", side="axis", hexes=("L10", "L19"))
    apply(cg, AreasDetermined(areas=(*cg.state.areas, near)))
    return cg


def test_who_finds_no_place_waits_until_the_next_date() -> None:
    cg = nowhere()
    made, _ = reserve(cg, "allied", "I2", "Ridge")
    unit = add(cg, "allied", "6-6-6", "squad", group=made.id, area="Ridge")
    played = run(holding_boxes, cg, "allied")
    assert not played.asked
    assert cg.state.units[unit.id].area == "L24"
    assert "Holding Box until the next" in cg.variant.waiting_reason(cg, cg.state.units[unit.id])
    question = report_question(ScenarioReport, cg, "allied")
    entered = {"units": [{"unit": unit.id, "fate": "on-map", "at": "K14"}]}
    with pytest.raises(DataError, match="waits in a Holding Box"):
        question.accept(entered)
    chance = [ScenarioReport.suggest(cg, "allied", Random(seed))["units"] for seed in range(20)]
    assert unit.id not in {row["unit"] for rows in chance for row in rows}
    at_date(cg, "13N1")
    assert cg.variant.waiting_reason(cg, cg.state.units[unit.id]) == ""
    assert report_question(ScenarioReport, cg, "allied").allows(entered)


def test_the_owner_chooses_among_boxes() -> None:
    cg = nowhere()
    cg.card = cg.card.model_copy(
        update={"sides": {**cg.card.sides, "allied": cg.side("allied").model_copy(update={"arrows": ("L24", "L0")})}}
    )
    made, _ = reserve(cg, "allied", "I2", "Ridge")
    played = run(holding_boxes, cg, "allied", {"holding-box": "L0"})
    assert played.questions("holding-box")[0].secret
    assert cg.state.groups["allied", made.id].area == "L0"
    assert cg.state.groups["allied", made.id].arrival is GroupArrival.ENTER


LATE_ONLY = [{"id": "I1", "name": "Rifle Plt", "kind": "I", "cost": 4, "arrows": ["FF12"], "full": [{"type": "4-4-7"}]}]
"""A Japanese group whose only Entry Area opens on 13N1."""


def waiting_at_a_closed_arrow() -> tuple[Er, Unit]:
    cg = day(charts={"sides": {"axis": {"rg": LATE_ONLY}}})
    near = Area(name="Everywhere", side="allied", hexes=("A5", "I5", "Q5", "Y5", "FF5"))
    apply(cg, AreasDetermined(areas=(*cg.state.areas, near)))
    made, _ = reserve(cg, "axis", "I1", "Jungle")
    unit = add(cg, "axis", "4-4-7", "squad", group=made.id, area="Jungle")
    played = run(holding_boxes, cg, "axis")
    assert [one.empty for one in played.questions("holding-box")] == [True], "the enemy sees that something is asked"
    return cg, cg.state.units[unit.id]


def test_a_group_waits_at_its_own_entry_area_even_if_that_is_closed() -> None:
    cg, unit = waiting_at_a_closed_arrow()
    assert (unit.area, cg.state.groups["axis", unit.group].area) == ("FF12", "FF12")


def test_who_waits_at_a_closed_entry_area_stays_there_until_it_opens() -> None:
    cg, unit = waiting_at_a_closed_arrow()
    radio = group(cg, "axis", "I1", kind="O", equipment="radio", area="FF12")
    run(setup_areas, cg)
    assert cg.state.units[unit.id].area == "FF12"
    assert cg.state.groups["axis", radio.id].area == "FF12"
    at_date(cg, "13N1")
    chits(cg, "attack", "idle")
    assert enters(cg, cg.state.units[unit.id])


def test_nobody_enters_by_an_entry_area_before_it_opens() -> None:
    cg = chits(day(), "attack", "idle")
    made = group(cg, "axis", "I1", arrival=GroupArrival.ENTER, area="FF12")
    unit = add(cg, "axis", "4-4-7", "squad", group=made.id, area="FF12")
    assert not enters(cg, unit)
    assert cg.variant.waiting_reason(cg, unit) == f"{unit.label} waits at FF12, which opens on 13N1 (ER CG6)"
    question = report_question(ScenarioReport, cg, "axis")
    with pytest.raises(DataError, match="which opens on 13N1"):
        question.accept({"units": [{"unit": unit.id, "fate": "on-map", "at": "FF11"}]})
    assert enters(chits(at_date(cg, "13N1"), "attack", "idle"), unit)


def enters(cg: Er, unit: Unit) -> bool:
    """Return whether a unit may enter by the late Japanese Entry Area."""
    setting = Setting(cg, "axis")
    return unit.id in setting.by_id and setting.entries(unit) == ("FF12",)


def test_with_a_place_nobody_is_held() -> None:
    cg = day()
    reserve(cg, "allied", "I2", "Ridge", "K14")
    assert not run(holding_boxes, cg, "allied").facts
    assert ReserveHeld(side="allied", group="I2/1", box="L24").tell().endswith("Entry Area L24")


# In a setup ---------------------------------------------------------------------------------------


def test_reserves_in_a_setup() -> None:
    cg = day()
    made, (near, good) = reserve(cg, "allied", "I2", "Ridge", "I11", "L14")
    alone = add(cg, "allied", "8-1", "leader", "M14", Mark.CLOAKED, group=made.id, area="Ridge")
    other = add(cg, "allied", "6-6-6", "squad", "I11")
    plan = {
        near.id: SetupPlace(near, at="I11", hide=CLOAKED),
        good.id: SetupPlace(good, at="L14", hide=CLOAKED),
        alone.id: SetupPlace(alone, at="M14", hide=CLOAKED),
        other.id: SetupPlace(other, at="I11"),
    }
    told = [str(problem) for problem in reserves.setup_problems(cg, "allied", plan)]
    assert len(told) == 2
    assert "I11 is 7 hexes from enemy Setup Area Jungle" in told[0]
    assert "no Reserve counter stands for 8-1" in told[1]
    variant = cg.variant
    assert variant.required_hiding(cg, good) is Mark.CLOAKED
    assert variant.required_hiding(cg, other) is None
    hexes = variant.setup_hexes(cg, good)
    assert hexes is not None
    assert "I12" in hexes
    assert "I11" not in hexes
    assert variant.setup_hexes(cg, other) is None


def test_a_reserve_that_asks_for_hip_is_refused_not_cloaked() -> None:
    cg = chits(day(), "attack", "idle")
    made, _ = reserve(cg, "allied", "I2", "Ridge")
    squad = add(cg, "allied", "6-6-6", "squad", group=made.id, area="Ridge")
    fort(cg, "allied", "hip", None, "squad")
    refused = f"units[1].hide: {squad.label} is in Reserve and can't use HIP; it sets up Cloaked"
    assert refusals(cg, "allied", row(squad, "L14", hide="hip")) == [refused]
    for hide in ("none", "cloaked"):
        plan = allowed(cg, "allied", row(squad, "L14", hide=hide))
        assert plan.placed[squad.id].hide == CLOAKED


def test_reserves_do_not_enter_on_their_date() -> None:
    cg = chits(day(), "attack", "idle")
    made, _ = reserve(cg, "allied", "I2", "Ridge")
    squad = add(cg, "allied", "6-6-6", "squad", group=made.id, area="Ridge")
    assert refusals(cg, "allied", row(squad, entry="L24"))
    assert refusals(cg, "allied", row(squad)) == [
        f"units[1].at: {squad.label} takes no part in the scenario; a Location such as I12"
    ]
