"""Guns and vehicles: Availability DR, motorized units, armament, Schuerzen, Armor Leaders."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.vehicles import full_set_cost, full_sets
from laager.rules.design_your_own.ob import Trio, VehicleEntry
from laager.rules.design_your_own.steps.fittings import armor_leaders, optional_armament, schuerzen_and_gyros
from laager.rules.design_your_own.steps.ordnance import ordnance
from laager.rules.design_your_own.steps.vehicles import vehicles
from tests.design_your_own.harness import cg_of, play, tell_values
from tests.steps import Played, refusals

PLAN = {"roll": True, "motorized": False}


def guns(dr: list[int], rows: list[dict[str, Any]], **how: Any) -> tuple[Cg, Played]:
    cg = cg_of(**how)
    return cg, play(ordnance, cg, "axis", {"ordnance": rows}, [dr])


def bought(rows: list[dict[str, Any]], dr: list[int], **how: Any) -> tuple[Cg, Played]:
    plan = how.pop("plan", PLAN)
    side = how.pop("side", "axis")
    cg = how.pop("cg", None) or cg_of(**how)
    return cg, play(vehicles, cg, side, {"vehicles-dr": plan, "vehicles": rows}, [dr])


# Guns -------------------------------------------------------------------------------------------


def test_guns_within_the_rf() -> None:
    cg, played = guns([3, 4], [{"type": "120* MTR GrW 42", "number": 2}])
    section = cg.ob("axis").ordnance
    assert section.availability is not None
    assert section.availability.final == 7
    assert [(one.type, one.number, one.total, one.ids) for one in section.guns] == [("120* MTR GrW 42", 2, 84, "A-B")]
    assert played.rolls[0][0].secret
    assert played.of("availability-rolled")[0].why == "Final DR 7: RF 1.1 or less"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"type": "50L AT PaK 38", "number": 1}], "50L AT PaK 38 has RF 1.2"),
        ([{"type": "75L AT PaK 40", "number": 99}], "one game has"),
        ([{"type": "75L AT PaK 40", "number": 5}], "all of it costs 225 (DYO H1.13)"),
        ([{"type": "PzIVH", "number": 1}], "PzIVH is not one of the choices"),
    ],
)
def test_guns_refused(rows: list[dict[str, Any]], words: str) -> None:
    _, played = guns([4, 5], [], axis={"points": 200})
    assert any(words in told for told in refusals(played.question("ordnance"), rows))


def test_who_does_not_roll_has_no_guns() -> None:
    cg = cg_of()
    played = play(ordnance, cg, "axis", {"ordnance-dr": False})
    assert played.keys == ["ordnance-dr"]
    assert cg.ob("axis").ordnance.availability is None


def test_who_declines_does_not_roll_again() -> None:
    cg, played = guns([4, 5], [])
    assert played.keys == ["ordnance-dr", "ordnance"]
    assert len(played.rolls) == 1
    assert cg.ob("axis").left == 1000


# Vehicles ---------------------------------------------------------------------------------------


def test_the_example_of_three_tanks() -> None:
    cg, played = bought([{"type": "PzIVH", "number": 3}], [4, 6])
    assert [one.key for one in cg.ob("axis").vehicles.entries] == ["PzIVH:A", "PzIVH:B", "PzIVH:C"]
    assert cg.ob("axis").vehicles.spent == 219
    assert played.of("availability-rolled")[0].why == "Final DR 10: RF 0.9 or less"


def test_a_motorized_unit_pays_a_tenth_and_gets_more() -> None:
    plan = {"roll": True, "motorized": True}
    cg, played = bought([{"type": "SdKfz 7", "number": 1}], [4, 6], plan=plan)
    assert cg.ob("axis").vehicles.motorized == 100
    assert played.of("availability-rolled")[0].why == "Final DR 10, motorized: RF 1.1 or less"
    assert cg.ob("axis").left == 1000 - 100 - 16


def test_a_tenth_that_is_too_dear() -> None:
    cg = cg_of(axis={"points": 9})
    cg.state = cg.state.with_ob("axis", san_cost=9)
    question = play(vehicles, cg, "axis", {"vehicles-dr": {"roll": False}}).question("vehicles-dr")
    told = refusals(question, {"motorized": True})
    assert told == ["motorized: a motorized unit costs 1 (DYO H1.13); 0 points are left"]
    assert question.default == {"roll": False, "motorized": False}


def test_wagons_need_no_dr() -> None:
    cg = cg_of()
    answers = {"vehicles-dr": {"roll": False, "motorized": False}, "vehicles": [{"type": "Wagon", "number": 2}]}
    played = play(vehicles, cg, "axis", answers)
    entries = cg.ob("axis").vehicles.entries
    assert [(one.key, one.bpv, one.without_dr) for one in entries] == [("Wagon:A", 2, True), ("Wagon:B", 2, True)]
    assert not played.rolls
    assert "'Wagon: BPV 2, no DR'" in repr(played.question("vehicles").form), "its name and its sort are one word"
    told = refusals(played.question("vehicles"), [{"type": "PzIVH", "number": 1}])
    assert told == ["[1].type: you can't buy any before an Availability DR (DYO H1.4); make the DR first"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"type": "SdKfz 7", "number": 1}], "SdKfz 7 has RF 1.1"),
        ([{"type": "PzIVH", "number": 9}], "one game has 8"),
        ([{"type": "Wagon", "number": 9}], "one game has 8"),
    ],
)
def test_vehicles_refused(rows: list[dict[str, Any]], words: str) -> None:
    _, played = bought([], [4, 6])
    told = refusals(played.question("vehicles"), rows)
    assert any(words in one for one in told), told


def test_the_last_of_a_type_must_pay_for_its_armament() -> None:
    """All eight PzIVH carry the AAMG of their counters: 8 x 73, and 4 x 2 more."""
    _, played = bought([], [4, 6], axis={"points": 590})
    told = refusals(played.question("vehicles"), [{"type": "PzIVH", "number": 8}])
    words = "all of it, with 8 for optional armament (H1.12), costs 592 (DYO H1.13)"
    assert told == [f"{words}; 590 points are left"]
    assert refusals(played.question("vehicles"), [{"type": "PzIVH", "number": 7}]) == []


# A tow for a Gun (H1.441) -----------------------------------------------------------------------


def with_gun() -> Cg:
    cg = cg_of()
    play(ordnance, cg, "axis", {"ordnance": [{"type": "75L AT PaK 40", "number": 1}]}, [[4, 5]])
    return cg


def test_a_tow_in_spite_of_its_rf() -> None:
    cg, played = bought([{"type": "SdKfz 11", "number": 1, "tow": True}], [4, 6], cg=with_gun())
    assert cg.ob("axis").vehicles.entries[0].without_dr
    question = played.question("vehicles")
    told = refusals(question, [{"type": "SdKfz 11", "number": 1, "tow": False}])
    assert told == ["SdKfz 11 has RF 1.0 (DYO H1.3); 0.9 or less can be bought"]
    told = refusals(question, [{"type": "SdKfz 11", "number": 2, "tow": True}])
    assert told == ["2 tow vehicles for 1 Guns that can't be dismantled (DYO H1.441); one for each Gun"]
    told = refusals(question, [{"type": "PzIVH", "number": 1, "tow": True}])
    assert told == ["PzIVH is not a motorized tow vehicle (DYO H1.441); buy it within the RF of the DR"]


# Optional armament ------------------------------------------------------------------------------


def armed(answers: Any, dice: list[list[int]], number: int = 2) -> tuple[Cg, Played]:
    cg, _ = bought([{"type": "PzIVH", "number": number}], [4, 6])
    return cg, play(optional_armament, cg, "axis", answers, dice)


def test_one_dr_for_each_vehicle() -> None:
    cg, played = armed([("optional-armament", ["PzIVH:A", "PzIVH:B"]), ("armament", ["AAMG"])], [[3, 3], [3, 4]])
    first, other = cg.ob("axis").vehicles.entries
    assert [(arm.name, arm.cost) for arm in first.arms] == [("AAMG", 2)]
    assert other.arms == ()
    assert other.arms_dr is not None
    assert "AAMG has RF 1.2: 1.1 or less can be bought" in played.of("armament-settled")[1].why


def test_what_the_dr_offers_can_be_declined() -> None:
    cg, played = armed({"optional-armament": ["PzIVH:A"]}, [[1, 1]])
    assert played.keys == ["optional-armament", "armament"]
    assert cg.ob("axis").vehicles.entries[0].arms == ()


def test_no_more_than_the_counters_show() -> None:
    names = [f"PzIVH:{letter}" for letter in "ABCDE"]
    answers = [("optional-armament", names)] + [("armament", ["AAMG"])] * 4
    cg, played = armed(answers, [[1, 1]] * 5, number=5)
    assert sum(bool(entry.arms) for entry in cg.ob("axis").vehicles.entries) == 4
    assert played.keys.count("armament") == 4


def test_all_of_a_type_carry_what_their_counters_show() -> None:
    cg, played = armed({}, [], number=8)
    entries = cg.ob("axis").vehicles.entries
    assert [bool(entry.arms) for entry in entries] == [True] * 4 + [False] * 4
    assert all(entry.automatic for entry in entries)
    assert cg.ob("axis").vehicles.spent == 8 * 73 + 8
    assert played.keys == []


def test_full_sets_leave_out_what_does_not_exist_yet() -> None:
    cg = cg_of(date="1943-06")
    entries = [VehicleEntry(type="PzIVH", id=letter, bpv=73) for letter in "ABCDEFGH"]
    sets = full_sets(cg.nation("axis"), cg.month, entries)
    assert sets["PzIVH:A"].disabled == ("AAMG",)
    assert full_set_cost(cg.nation("axis"), cg.month, entries) == 0
    assert full_sets(cg.nation("axis"), cg.month, entries[:7]) == {}


def test_full_sets_of_two_games() -> None:
    cg = cg_of()
    entries = [VehicleEntry(type="PzIVH", id=str(i), bpv=73) for i in range(16)]
    assert full_set_cost(cg.nation("axis"), cg.month, entries) == 16


def test_arrangements_are_those_of_the_counters() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("vehicles", "StuG IIIG", "arrangements", "AAMG + CMG"))
    entry = VehicleEntry(type="StuG IIIG", id="A", bpv=50)
    section = cg.ob("axis").vehicles.model_copy(update={"entries": (entry,)})
    cg.state = cg.state.with_ob("axis", vehicles=section)
    played = play(optional_armament, cg, "axis", {"optional-armament": ["StuG IIIG:A"]}, [[1, 1]])
    question = played.question("armament")
    assert refusals(question, ["AAMG"]) == ["no counter has just AAMG (DYO H1.12); there is AAMG and CMG"]
    assert refusals(question, ["AAMG", "CMG"]) == []


# Schuerzen and Gyrostabilizers ------------------------------------------------------------------


def fitted(dice: list[list[int]], rows: list[dict[str, Any]], **how: Any) -> tuple[Cg, Played]:
    cg, _ = bought([{"type": "PzIVH", "number": 2}], [1, 1], **how)
    answers = {"fittings": rows, "fitting": ["Sz"]}
    return cg, play(schuerzen_and_gyros, cg, "axis", answers, dice)


def test_schuerzen_by_dr() -> None:
    rows: list[dict[str, Any]] = [{"afv": "PzIVH:A"}, {"afv": "PzIVH:B", "drm": 1}]
    cg, played = fitted([[5], [5]], rows)
    one, two = cg.ob("axis").vehicles.entries
    assert (one.fittings, one.fitting_cost) == (("Sz",), 3)
    assert (two.fittings, two.fitting_cost) == ((), 0)
    assert two.fitting_dr is not None
    assert two.fitting_dr.final == 6
    assert [modifier.value for modifier in played.rolls[1][0].modifiers] == [1]
    assert cg.ob("axis").left == 1000 - 146 - 3


def test_schuerzen_can_be_declined_and_are_not_rolled_twice() -> None:
    cg, _ = bought([{"type": "PzIVH", "number": 1}], [1, 1])
    answers = {"fittings": [{"afv": "PzIVH:A"}], "fitting": []}
    played = play(schuerzen_and_gyros, cg, "axis", answers, [[1]])
    assert cg.ob("axis").left == 1000 - 73
    question = played.question("fittings")
    assert refusals(question, [{"afv": "PzIVH:A"}, {"afv": "PzIVH:A"}]) == ["2 rows are too many; 1 at most"]


def test_before_1942_there_are_none() -> None:
    cg = cg_of(date="1941-07")
    entry = VehicleEntry(type="PzIVH", id="A", bpv=73)
    section = cg.ob("axis").vehicles.model_copy(update={"entries": (entry,)})
    cg.state = cg.state.with_ob("axis", vehicles=section)
    assert play(schuerzen_and_gyros, cg, "axis").keys == []


def test_the_lend_lease_drm_is_the_gyros_alone() -> None:
    cg = cg_of()
    types = [one.type for one in cg.nation("allied").vehicles(cg.month)]
    lent = next(t for t in types if cg.nation("allied").vehicle(t).lend_lease)
    tell_values(cg, "allied", ("vehicles", lent, "wreck", "Sz, G"))
    entry = VehicleEntry(type=lent, id="A", bpv=60)
    section = cg.ob("allied").vehicles.model_copy(update={"entries": (entry,)})
    cg.state = cg.state.with_ob("allied", vehicles=section)
    key = f"{lent}:A"
    answers = {"fittings": [{"afv": key}], "fitting": ["Sz"]}
    played = play(schuerzen_and_gyros, cg, "allied", answers, [[5]])
    options = played.question("fitting").describe()["form"]["options"]
    assert [option["value"] for option in options] == ["Sz"]
    assert [modifier.value for modifier in played.rolls[0][0].modifiers] == [1]


# Armor Leaders ----------------------------------------------------------------------------------


def led(number: int, answers: Any, dice: list[list[int]], **how: Any) -> tuple[Cg, Played]:
    cg, _ = bought([{"type": "PzIVH", "number": number}], [1, 1], **how)
    return cg, play(armor_leaders, cg, "axis", answers, dice)


TRIO = ["PzIVH:A", "PzIVH:B", "PzIVH:C"]


def test_a_leader_for_three_tanks() -> None:
    answers = {"armor-leader-dr": TRIO, "armor-leader-afv": "PzIVH:B"}
    cg, played = led(3, answers, [[2, 3]])
    assert played.rolls[0][1].final == 4
    assert cg.ob("axis").vehicles.trios == (
        Trio(vehicles=tuple(TRIO), dr=cg.ob("axis").vehicles.trios[0].dr, leader="9-1", vehicle="PzIVH:B"),
    )
    assert [one.armor_leader for one in cg.ob("axis").vehicles.entries] == ["", "9-1", ""]


@pytest.mark.parametrize("number", [1, 2])
def test_fewer_than_three_earn_nothing(number: int) -> None:
    assert led(number, {}, [])[1].keys == []


def test_a_bad_dr_brings_none() -> None:
    cg, played = led(3, {"armor-leader-dr": TRIO}, [[6, 6]])
    assert played.keys == ["armor-leader-dr"]
    assert cg.ob("axis").vehicles.trios[0].leader == ""


def test_no_tank_is_in_two_threes() -> None:
    answers = [("armor-leader-dr", TRIO), ("armor-leader-dr", [])]
    _, played = led(6, answers, [[6, 6]])
    question = played.asked[1]
    assert question.default == ["PzIVH:D", "PzIVH:E", "PzIVH:F"]
    assert any("PzIVH:A is not one of the choices" in one for one in refusals(question, TRIO))
    told = refusals(question, ["PzIVH:D", "PzIVH:E"])
    assert told == ["PzIVH:D, PzIVH:E earns no Armor Leader DR (DYO H1.43); name 3 different AFV"]


def test_crews_of_higher_morale_may_have_a_better_one() -> None:
    cg, _ = bought([{"type": "PzIVH", "number": 3}], [1, 1])
    tell_values(cg, "axis", ("vehicles", "PzIVH", "crew_morale", 9))
    answers = {"armor-leader-dr": TRIO, "armor-leader": "9-1"}
    played = play(armor_leaders, cg, "axis", answers, [[3, 3]])
    assert "armor-leader" in played.keys
    assert cg.ob("axis").vehicles.trios[0].leader == "9-1"


def test_no_counter_no_leader() -> None:
    cg, _ = bought([{"type": "PzIVH", "number": 3}], [1, 1])
    tell_values(cg, "axis", ("armor_leaders", "9-1", "counters", 0))
    play(armor_leaders, cg, "axis", {"armor-leader-dr": TRIO}, [[2, 3]])
    assert cg.ob("axis").vehicles.trios[0].leader == ""
