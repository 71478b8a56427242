"""Odds before each roll: they sum to one, agree with thrown dice and with the steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from laager.dice import Dice
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.leaders import odds_exchange
from laager.rules.design_your_own.nations import leader_column
from laager.rules.design_your_own.ob import BatteryEntry, Dr, Leaders, Ordnance, Trio, VehicleEntry, Vehicles
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.sheets.prospects import (
    Affordable,
    Prospect,
    affordable,
    all_prospects,
    prospects,
    sheet,
    sheets,
)
from laager.rules.design_your_own.steps.leaders import leader_exchange
from laager.rules.design_your_own.steps.oba import oba
from tests.design_your_own.harness import by_chance, cg_of, new_purchase, play, published_cg
from tests.design_your_own.rules.printed import PRINTED

THROWS = 200_000


def tanks(*types: str, **changes: Any) -> Cg:
    """A side that has bought these vehicles."""
    cg = cg_of(**changes)
    entries = tuple(VehicleEntry(type=type_, id=chr(65 + i)) for i, type_ in enumerate(types))
    section = Vehicles(availability=Dr(final=7), entries=entries)
    cg.state = cg.state.with_ob("axis", vehicles=section)
    return cg


def led(**held: int) -> Cg:
    cg = cg_of()
    leaders = {name.replace("_", "-"): number for name, number in held.items()}
    own = Leaders(count=sum(held.values()), held=leaders)
    cg.state = cg.state.with_ob("axis", leaders=own)
    return cg


def every() -> list[Prospect]:
    """A prospect of every kind."""
    armed = tanks("PzIVH", "PzIVH", "StuG IIIG")
    own = Leaders(count=5, held={"8-0": 3, "8-1": 1, "9-1": 1})
    armed.state = armed.state.with_ob("axis", leaders=own)
    return [*all_prospects(cg_of(), "axis"), *all_prospects(armed, "axis")]


def test_every_roll_of_a_purchase_has_its_prospects() -> None:
    assert {one.key for one in every()} == {
        "ordnance-dr",
        "vehicles-dr",
        "optional-armament",
        "fittings",
        "armor-leader-dr",
        "oba-dr",
        "air-support-dr",
        "leader-exchange-dr",
    }


def test_chances_sum_to_one_exactly() -> None:
    for one in every():
        assert sum((outcome.chance for outcome in one.outcomes), Fraction(0)) == 1
        rolls = [roll for outcome in one.outcomes for roll in outcome.rolls]
        assert sorted(rolls) == list(range(2, 13) if one.dice is Dice.DR else range(1, 7))
        results = [(outcome.result, outcome.afford) for outcome in one.outcomes]
        assert len(set(results)) == len(results)


def test_chances_agree_with_thrown_dice() -> None:
    rng = Random(1944)
    thrown = Counter(rng.randint(1, 6) + rng.randint(1, 6) for _ in range(THROWS))
    single = Counter(rng.randint(1, 6) for _ in range(THROWS))
    for one in every():
        seen = Counter[str]()
        for roll, ways in (thrown if one.dice is Dice.DR else single).items():
            outcome = one.at(roll)
            seen[f"{outcome.result} {outcome.afford}"] += ways
        for outcome in one.outcomes:
            expected = float(outcome.chance)
            found = seen[f"{outcome.result} {outcome.afford}"] / THROWS
            # Five standard deviations: one false alarm in a million.
            assert abs(found - expected) < 5 * (expected * (1 - expected) / THROWS) ** 0.5 + 1e-9


# Guns and vehicles ------------------------------------------------------------------------------


def test_guns_within_reach_of_each_dr() -> None:
    [guns] = prospects(cg_of(axis={"points": 100}), "axis", "ordnance-dr")
    nine = guns.at(9)
    assert (nine.rolls, nine.chance) == ((9, 10, 12), Fraction(8, 36))
    assert nine.result == "RF 0.9 or less"
    assert nine.afford == ("3 types; of RF 0.9 up to 3 x 81* MTR GrW 34, 2 x 75L AT PaK 40, 3 x 75* INF leIG 18")
    assert guns.at(8).afford == "4 types; of RF 1.0 up to 2 x 20L AA FlaK 38"
    assert Affordable("75L AT PaK 40", 45, 2) in nine.pieces
    assert len(guns.at(2).pieces) > len(guns.at(7).pieces) > len(nine.pieces)


def test_a_motorized_unit_has_rarer_vehicles_and_fewer_points() -> None:
    plain, motorized = prospects(cg_of(), "axis", "vehicles-dr")
    assert plain.at(9).result == "RF 0.9 or less"
    assert motorized.at(9).result == "RF 1.1 or less"
    assert motorized.title == "Availability of vehicles, as a motorized unit"
    paid = cg_of()
    paid.state = paid.state.with_ob("axis", vehicles=Vehicles(motorized=100))
    [only] = prospects(paid, "axis", "vehicles-dr")
    assert only.outcomes == motorized.outcomes


def test_who_can_not_pay_for_being_motorized_is_not_told_of_it() -> None:
    cg = cg_of(axis={"points": 100})
    cg.state = cg.state.with_ob("axis", san_cost=95)
    [only] = prospects(cg, "axis", "vehicles-dr")
    assert only.at(2).pieces == ()
    assert only.at(2).afford == "0 types"


def test_what_is_too_dear_or_has_no_price_is_not_in_reach() -> None:
    cg = cg_of()
    gun = cg.nation("axis").gun("75L AT PaK 40")
    limit = Decimal("0.9")
    assert affordable(cg, gun, limit, 44, "DYO H1.3") is None
    assert affordable(cg, gun, limit, 10_000, "DYO H1.3") == Affordable(gun.type, 45, 6)
    agreed = cg_of(agreements={"extra_pieces": True})
    assert affordable(agreed, gun, limit, 450, "DYO H1.3") == Affordable(gun.type, 45, 10)
    bare = published_cg()
    known = [one.type for one in bare.nation("axis").vehicles(bare.month)]
    [outcome] = {one.pieces for one in prospects(bare, "axis", "vehicles-dr")[0].outcomes}
    assert {one.type for one in outcome} <= set(known)


def test_a_roll_that_was_made_or_passed_by_is_none_to_come() -> None:
    cg = cg_of()
    cg.state = cg.state.with_ob(
        "axis", ordnance=Ordnance(availability=Dr(final=7)), vehicles=Vehicles(availability=Dr(final=7))
    )
    assert {one.key for one in all_prospects(cg, "axis")} == {"oba-dr", "air-support-dr"}
    assert prospects(cg, "axis", "ordnance-dr") == ()
    assert prospects(cg_of(), "axis", "san") == ()


def test_a_closed_category_has_no_rolls_left() -> None:
    campaign = new_purchase()
    by_chance(campaign, Random(3))
    cg = campaign.context
    assert isinstance(cg, Cg)
    keys = {one.key for side in ("axis", "allied") for one in all_prospects(cg, side)}
    assert keys <= {"leader-exchange-dr"}


# What vehicles get ------------------------------------------------------------------------------


def test_optional_armament_of_a_type() -> None:
    [one] = prospects(tanks("PzIVH", "PzIVH"), "axis", "optional-armament")
    assert one.title == "Optional armament of a PzIVH"
    assert {outcome.result: outcome.chance for outcome in one.outcomes} == {
        "AAMG for 2": Fraction(15, 36),
        "nothing": Fraction(21, 36),
    }
    poor = tanks("PzIVH")
    poor.state = poor.state.with_ob("axis", san_cost=999)
    [dear] = prospects(poor, "axis", "optional-armament")
    assert dear.at(2).afford == "too dear: AAMG"


def test_schuerzen_by_the_date() -> None:
    [late] = prospects(tanks("PzIVH"), "axis", "fittings")
    assert [(one.result, one.chance) for one in late.outcomes] == [
        ("Schuerzen for 3", Fraction(5, 6)),
        ("nothing", Fraction(1, 6)),
    ]
    assert late.at(1).afford == "you can pay for each"
    poor = tanks("PzIVH")
    poor.state = poor.state.with_ob("axis", san_cost=999)
    assert prospects(poor, "axis", "fittings")[0].at(1).afford == "too dear: Schuerzen"
    assert prospects(tanks("PzIIIF", date="1941-07"), "axis", "fittings") == ()


def test_armor_leaders_need_three_afv_and_a_counter() -> None:
    three = tanks("PzIVH", "PzIVH", "PzIVH")
    [one] = prospects(three, "axis", "armor-leader-dr")
    assert [(outcome.result, int(outcome.chance * 36)) for outcome in one.outcomes] == [
        ("10-2", 3),
        ("9-2", 3),
        ("9-1", 4),
        ("8-1", 5),
        ("no Armor Leader", 21),
    ]
    assert prospects(tanks("PzIVH", "PzIVH", "Opel 6700"), "axis", "armor-leader-dr") == ()
    taken = three.ob("axis").vehicles.model_copy(
        update={"trios": (Trio(vehicles=("PzIVH:A", "PzIVH:B", "PzIVH:C"), dr=Dr(final=2)),)}
    )
    three.state = three.state.with_ob("axis", vehicles=taken)
    assert prospects(three, "axis", "armor-leader-dr") == ()
    six = tanks(*["PzIVH"] * 9)
    gone = Trio(vehicles=("PzIVH:A", "PzIVH:B", "PzIVH:C"), dr=Dr(final=2), leader="10-2")
    section = six.ob("axis").vehicles.model_copy(update={"trios": (gone, gone)})
    six.state = six.state.with_ob("axis", vehicles=section)
    [last] = prospects(six, "axis", "armor-leader-dr")
    assert last.at(2).afford == "no counter of a 10-2 is left"


# OBA, Air Support, leaders ----------------------------------------------------------------------


def test_batteries_with_what_would_be_left() -> None:
    cg = cg_of(axis={"points": 140})
    [one] = prospects(cg, "axis", "oba-dr")
    assert one.title == "OBA, DR 1 of 1, 1944"
    told = {outcome.result: (int(outcome.chance * 36), outcome.afford) for outcome in one.outcomes}
    assert told["80+M for 92"] == (10, "48 points left then, 29 with plentiful ammunition")
    assert told["100+ for 126"] == (10, "14 points left then")
    assert told["150+ for 166"] == (5, "26 points too dear")
    assert told["no battery"] == (1, "")
    played = play(oba, cg, "axis", {"battery": {"buy": True}}, [[1, 1]])
    assert played.of("battery-settled")
    assert prospects(cg, "axis", "oba-dr") == ()


def test_batteries_that_nobody_has_entered_are_unknown() -> None:
    [one] = prospects(published_cg(), "axis", "oba-dr")
    assert one.at(3).result == "unknown"
    assert (one.at(6).result, one.at(6).afford) == ("150+", "its BPV is asked for")


def test_air_support_against_its_number() -> None:
    [one] = prospects(cg_of(), "axis", "air-support-dr")
    assert [(o.rolls[-1], int(o.chance * 36), o.result, o.afford) for o in one.outcomes] == [
        (4, 6, "Air Support for 150", "850 points left then"),
        (12, 30, "no Air Support", ""),
    ]
    assert one.notes == ("Air Support Number 3 German 1944 + 1 against Russians = 4",)
    [poor] = prospects(cg_of(axis={"points": 100}), "axis", "air-support-dr")
    assert poor.at(2).afford == "50 points too dear"


@pytest.mark.parametrize("held", [{"8_0": 4, "8_1": 2}, {"9_2": 1, "8_0": 1}, {"10_2": 1}])
def test_leader_exchange_agrees_with_its_step(held: Mapping[str, int]) -> None:
    cg = led(**held)
    own = cg.ob("axis").leaders
    assert own is not None
    [one] = prospects(cg, "axis", "leader-exchange-dr")
    for faces in ((1, 1), (1, 2), (3, 3), (6, 6)):
        again = led(**held)
        played = play(leader_exchange, again, "axis", {"leader-exchange-dr": True}, [faces])
        settled = again.ob("axis").leaders
        assert settled is not None
        told = one.at(sum(faces)).result
        assert told.startswith(settled.gained or "nothing"), played.keys
    column = leader_column(cg.group("axis"))
    odds = odds_exchange(PRINTED, own.held, column)
    nothing = sum(o.chance for o in one.outcomes if o.result == "nothing")
    assert nothing == odds.get(None, 0)


def test_no_exchange_without_leaders_or_after_it() -> None:
    assert prospects(cg_of(), "axis", "leader-exchange-dr") == ()
    cg = led(**{"8_0": 2})
    own = cg.ob("axis").leaders
    assert own is not None
    made = own.model_copy(update={"exchange": Dr(final=7)})
    cg.state = cg.state.with_ob("axis", leaders=made)
    assert prospects(cg, "axis", "leader-exchange-dr") == ()


# On paper ---------------------------------------------------------------------------------------


def test_outcomes_on_paper() -> None:
    [one] = prospects(cg_of(), "axis", "oba-dr")
    paper = sheet(one, "axis")
    assert paper.rows[0][:3] == ("2, 8-9", "10/36", "80+M for 92")
    assert [column.title for column in paper.columns] == ["DR", "Chance", "Brings", "Can be afforded"]
    [small] = sheets(tanks("PzIVH"), "axis", "fittings")
    assert small.columns[0].title == "dr"
    assert small.rows[0][:2] == ("1-5", "5/6")


def test_odds_stand_beside_the_questions() -> None:
    cg = cg_of()
    titles = [one.title for one in RULESET.sheets_beside(cg, cg.state, "vehicles-dr", "axis")]
    assert titles == [
        "Vehicles on offer",
        "Availability of vehicles",
        "Availability of vehicles, as a motorized unit",
        "Points Available, German",
    ]
    declined = BatteryEntry(dr=Dr(final=12))
    cg.state = cg.state.with_ob("axis", oba=(declined,))
    [second, *_] = RULESET.sheets_beside(cg, cg.state, "oba-dr", "axis")
    assert second.title == "OBA, DR 2 of 2, 1944"
