"""OBA, Air Support and OP tanks: one DR after the other, now or never."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.vehicles import known_op_tanks
from laager.rules.design_your_own.steps.buying import close_category
from laager.rules.design_your_own.steps.oba import air_support, buy_battery, dearest, oba
from laager.rules.design_your_own.steps.vehicles import op_tanks_taken
from tests.design_your_own.harness import cg_of, play, published_cg, tell_values
from tests.steps import Played, refusals

BUY = {"buy": True}


def shelled(answers: Any, dice: list[list[int]], **how: Any) -> tuple[Cg, Played]:
    cg = cg_of(**how)
    return cg, play(oba, cg, "axis", answers, dice)


@pytest.mark.parametrize(("points", "number"), [(1, 1), (600, 1), (601, 2), (1200, 2), (1201, 3)])
def test_one_dr_for_each_600_points(points: int, number: int) -> None:
    cg = cg_of(axis={"points": points})
    played = play(oba, cg, "axis", {}, [[6, 6]] * number)
    assert played.keys == ["oba-dr"] * number
    assert [one.text for one in cg.ob("axis").oba] == [""] * number


def test_radio_phone_and_plentiful_ammunition() -> None:
    answers = [
        ("oba-dr", True),
        ("battery", BUY),
        ("oba-dr", True),
        ("battery", {"buy": True, "ammunition": "plentiful", "contact": "phone"}),
    ]
    cg, played = shelled(answers, [[5, 5], [1, 1]])
    first, second = cg.ob("axis").batteries
    assert (first.letter, first.text, first.contact, first.total) == ("A", "70+", "radio", 63)
    assert (second.letter, second.text, second.contact, second.total) == ("B", "80+M", "phone", 111)
    assert "19 plentiful ammunition" in played.of("battery-settled")[1].why


def test_what_is_declined_is_gone() -> None:
    cg, played = shelled([("oba-dr", True), ("battery", {"buy": False})], [[5, 5], [6, 6]])
    declined = cg.ob("axis").oba[0]
    assert (declined.text, declined.bought, declined.total) == ("70+", False, 0)
    assert cg.ob("axis").batteries == ()
    assert played.of("battery-settled")[0].why == "declined"


def test_who_stops_makes_no_further_dr() -> None:
    cg, played = shelled([("oba-dr", False)], [])
    assert played.keys == ["oba-dr"]
    assert cg.ob("axis").oba == ()


def test_a_battery_that_cannot_be_paid_is_not_offered() -> None:
    cg = cg_of()
    cg.state = cg.state.with_ob("axis", san_cost=1000 - 50)
    played = play(oba, cg, "axis", [("oba-dr", True), ("oba-dr", False)], [[5, 5]])
    assert played.keys == ["oba-dr", "oba-dr"]
    why = "it costs 63 and 50 points are left (DYO H1.51)"
    assert played.of("battery-settled")[0].why == why


def test_scarce_ammunition_may_bring_it_within_reach() -> None:
    cg = cg_of()
    cg.state = cg.state.with_ob("axis", san_cost=1000 - 55)
    answers = [("oba-dr", True), ("battery", {"buy": True, "ammunition": "scarce"}), ("oba-dr", False)]
    played = play(oba, cg, "axis", answers, [[5, 5]])
    assert cg.ob("axis").batteries[0].total == 51
    told = refusals(played.question("battery"), BUY)
    assert told == ["the battery costs 63 (DYO H1.13); 4 points are left"]


def test_further_costs_and_their_limits() -> None:
    extras = [{"name": "pre-registered hex", "number": 2}, {"name": "barrage"}]
    answers = [
        ("oba-dr", True),
        ("battery", {"buy": True, "extras": extras}),
        ("oba-dr", True),
        ("battery", {"buy": True, "extras": [{"name": "bombardment"}]}),
        ("oba-dr", True),
        ("battery", BUY),
    ]
    cg, played = shelled(answers, [[5, 5]] * 3, axis={"points": 1500})
    first, second, _ = cg.ob("axis").batteries
    assert first.total == 63 + 20 + 20
    assert [(extra.name, extra.cost) for extra in first.extras] == [("pre-registered hex", 20), ("barrage", 20)]
    assert second.total == 63 + 150
    last = played.asked[-1]
    four = [{"name": "pre-registered hex", "number": 2}, {"name": "pre-registered hex", "number": 2}]
    told = refusals(last, {"buy": True, "extras": four})
    assert told == ["4 x pre-registered hex (DYO H1.53); 3 at most per battery"]
    again = refusals(last, {"buy": True, "extras": [{"name": "bombardment"}]})
    assert again == ["2 x bombardment (DYO H1.53); 1 at most per side"]
    assert refusals(last, {"buy": False, "extras": four}) == []


def test_an_observation_plane_has_the_price_of_the_catalogue() -> None:
    plane = {"buy": True, "extras": [{"name": "observation plane"}]}
    cg, _ = shelled([("oba-dr", True), ("battery", plane), ("oba-dr", False)], [[5, 5]])
    assert cg.ob("axis").batteries[0].total == 63 + 60


def test_a_cell_that_nobody_has_entered_is_asked() -> None:
    cg = published_cg()
    answers = [
        ("oba-dr", True),
        ("oba-cell", "80+M 92"),
        ("battery", BUY),
        ("oba-dr", True),
        ("battery", {"buy": False}),
    ]
    played = play(oba, cg, "axis", answers, [[1, 2], [1, 2]])
    assert cg.ob("axis").batteries[0].text == "80+M"
    assert played.keys.count("oba-cell") == 1
    question = played.question("oba-cell")
    assert refusals(question, "lots") != []
    assert refusals(question, "80+M ?") == ["the BPV is missing; write size and BPV, such as 70+ 63, or none"]
    assert refusals(question, "none") == []


def test_the_bottom_line_is_told_before_the_dr() -> None:
    cg = cg_of()
    assert dearest(cg, "axis") == "166"
    _, played = shelled({}, [[6, 6], [6, 6]])
    assert "the dearest battery costs 166" in played.asked[0].help


def test_letters_go_on() -> None:
    answers = [("oba-dr", True), ("battery", {"buy": False}), ("oba-dr", True), ("battery", BUY)]
    cg, _ = shelled(answers, [[5, 5], [5, 5]])
    assert [one.letter for one in cg.ob("axis").oba] == ["", "A"]
    entry = cg.ob("axis").oba[0]
    assert buy_battery(cg, "axis", entry, {"contact": "radio", "ammunition": ""}).letter == "B"


# Air Support ------------------------------------------------------------------------------------


def flown(answers: Any, dice: list[list[int]], **how: Any) -> tuple[Cg, Played]:
    side = how.pop("side", "axis")
    cg = cg_of(**how)
    return cg, play(air_support, cg, side, answers, dice)


def test_air_support_within_the_number() -> None:
    """German 1944: 3, and one more against Russians."""
    cg, played = flown({"air-support-dr": True, "air-support": True}, [[1, 3]])
    air = cg.ob("axis").air
    assert air is not None
    assert (air.number, air.exponent, air.bought, air.cost) == (4, 3, True, 150)
    assert cg.points_left("axis") == 850
    assert played.question("air-support-dr").help.startswith("Number 4: 6/36; Air Support costs 150")


def test_air_support_missed() -> None:
    cg, played = flown({"air-support-dr": True}, [[2, 3]])
    assert played.keys == ["air-support-dr"]
    assert cg.ob("axis").air is not None
    assert cg.points_left("axis") == 1000


def test_air_support_declined_or_too_dear() -> None:
    cg, _ = flown({"air-support-dr": True, "air-support": False}, [[1, 1]])
    assert cg.points_left("axis") == 1000
    cg, played = flown({"air-support-dr": True}, [[1, 1]], axis={"points": 149})
    assert played.keys == ["air-support-dr"]


def test_no_air_support_before_it_exists() -> None:
    cg, played = flown({}, [], date="1938-05")
    assert played.keys == []
    assert cg.ob("axis").air is None


def test_a_catalogue_can_have_numbers_of_its_own() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("capabilities", "", "air_number", 9))
    tell_values(cg, "axis", ("capabilities", "", "air_exponent", 2))
    play(air_support, cg, "axis", {"air-support-dr": True, "air-support": True}, [[4, 5]])
    air = cg.ob("axis").air
    assert air is not None
    assert (air.number, air.exponent, air.bought) == (9, 2, True)


# OP tanks ---------------------------------------------------------------------------------------


def observed(answers: Any, dr: list[int], motorized: int | None = 100) -> tuple[Cg, Played]:
    cg, _ = shelled([("oba-dr", True), ("battery", BUY), ("oba-dr", False)], [dr])
    section = cg.ob("axis").vehicles.model_copy(update={"motorized": motorized})
    cg.state = cg.state.with_ob("axis", vehicles=section)
    return cg, play(op_tanks_taken, cg, "axis", answers)


def test_an_op_tank_for_a_battery_that_fits() -> None:
    """DR 7 is a 100+ battery, which the German OP tanks of the house catalogue serve."""
    cg, _ = observed({"op-tank": "PzBeobWg IV"}, [3, 4])
    tank = cg.ob("axis").vehicles.entries[0]
    assert (tank.type, tank.id, tank.bpv, tank.op) == ("PzIVJ", "A", 48, "A")
    assert cg.ob("axis").batteries[0].contact == "op-tank"
    assert cg.points_left("axis") == 1000 - 126 - 100 - 48
    assert play(close_category("oba"), cg, "axis").of("category-closed")


def test_no_op_tank_for_another_battery() -> None:
    assert observed({}, [5, 5])[1].keys == []


def test_no_op_tank_without_a_motorized_unit() -> None:
    assert observed({}, [3, 4], motorized=None)[1].keys == []


def test_no_op_tank_is_a_choice() -> None:
    cg, played = observed({}, [3, 4])
    assert played.keys == ["op-tank"]
    assert cg.ob("axis").vehicles.entries == ()


def test_a_catalogue_without_op_tanks_leaves_those_of_the_rules() -> None:
    assert [tank.bpv for tank in known_op_tanks(cg_of(), "axis")] == [34, 48]
    of_the_rules = known_op_tanks(published_cg(), "axis")
    assert [tank.rule for tank in of_the_rules] == ["DYO H1.462", "DYO H1.462"]


def test_an_op_tank_of_unknown_price_is_no_choice() -> None:
    cg = published_cg()
    play(oba, cg, "axis", [("oba-dr", True), ("battery", BUY), ("oba-dr", False)], [[5, 5]])
    section = cg.ob("axis").vehicles.model_copy(update={"motorized": 100})
    cg.state = cg.state.with_ob("axis", vehicles=section)
    assert play(op_tanks_taken, cg, "axis").keys == []
