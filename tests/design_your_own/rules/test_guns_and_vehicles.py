"""Guns, vehicles, what is on them, and what needs no DR."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.design_your_own.answers import Breach, Missing, Reason
from laager.rules.design_your_own.charts import OpTankRow, printed_charts
from laager.rules.design_your_own.lines.fittings import (
    Fitting,
    armor_leader_drm,
    armor_leader_drs,
    fitting_breach,
    fitting_modifiers,
    placement_breach,
    substitute,
    trio_breaches,
)
from laager.rules.design_your_own.lines.pieces import (
    armament_breach,
    arrangement_breach,
    counter_breach,
    rf_breach,
    rf_limit,
)
from laager.rules.design_your_own.lines.vehicles import (
    OptionalWeapon,
    armament,
    full_set,
    motorized_cost,
    op_tank_breaches,
    op_tanks,
    weapon_cost,
)
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.rulebook import Rulebook
from tests.design_your_own.rules.printed import PRINTED
from tests.tries import tries

LIMIT = Decimal("1.1")


def reasons(*found: Breach | Missing | None) -> list[Reason]:
    return [each.reason for each in found if isinstance(each, Breach)]


# Rarity and counters ----------------------------------------------------------------------------


@tries(60)
@given(st.integers(-2, 16), st.booleans(), st.integers(5, 20))
def test_what_a_dr_opens(dr: int, motorized: bool, tenths: int) -> None:
    limit = rf_limit(PRINTED, dr, motorized=motorized)
    legal = rf_breach("it", tenths / 10, limit) is None
    assert legal is (tenths <= int(limit * 10)), "an RF of .9 or 1.1 is never a hair too much"
    assert rf_limit(PRINTED, dr, motorized=True) - rf_limit(PRINTED, dr) == Decimal("0.2")


def test_counters() -> None:
    assert counter_breach("4-6-7", 26, 26) is None
    assert counter_breach("crew", 4, None) is None, "nobody knows how many there are"
    assert str(counter_breach("4-6-7", 27, 26)) == "27 4-6-7 in all (DYO H1.11); one game has 26"
    assert counter_breach("4-6-7", 27, 26, extra_pieces=True) is None
    assert armament_breach("AAMG", 3, 2, agreed=True) is None
    assert armament_breach("AAMG", 2, 2) is None
    assert armament_breach("AAMG", 2, None) is None
    assert reasons(armament_breach("AAMG", 3, 2)) == [Reason.COUNTERS]


def test_arrangements() -> None:
    shown = frozenset({frozenset({"AAMG"}), frozenset({"AAMG", "CMG"})})
    assert arrangement_breach(frozenset({"AAMG", "CMG"}), shown) is None
    assert arrangement_breach(frozenset({"CMG"}), frozenset()) is None, "nothing is known"
    assert arrangement_breach(frozenset({"CMG"}), shown, agreed=True) is None
    assert arrangement_breach(frozenset(), shown) is None
    found = arrangement_breach(frozenset({"CMG"}), shown)
    assert str(found) == "no counter has just CMG (DYO H1.12); there is AAMG or AAMG and CMG"


# Vehicles ---------------------------------------------------------------------------------------


def test_the_price_of_being_motorized() -> None:
    assert motorized_cost(PRINTED, 655).why == "655 points of the allotment x 10 per cent / 100 (FRU 66) = 66"
    chosen = {"motorized-basis": "remaining"}
    assert int(motorized_cost(Rulebook(chosen), 1000, 541)) == 55
    assert int(motorized_cost(PRINTED, 1000, 541)) == 100
    assert int(motorized_cost(Rulebook(chosen), 1000)) == 100, "nobody said what is left"


def test_optional_weapons() -> None:
    aamg = OptionalWeapon("AAMG", 1.2, 4, vehicles_with_it=2)
    later = OptionalWeapon("FT", None, 24)
    odd = OptionalWeapon("ATR", 1.0)
    assert weapon_cost(aamg) == 4
    assert weapon_cost(OptionalWeapon("ATR", 1.0, bpv=3)) == 3
    assert not weapon_cost(odd)
    offer = armament(PRINTED, 6, [aamg, later])
    assert (offer.available, reasons(*offer.refused)) == ((aamg,), [Reason.DATE])
    assert reasons(*armament(PRINTED, 7, [aamg]).refused) == [Reason.RARITY]


def test_full_sets() -> None:
    aamg = OptionalWeapon("AAMG", 1.6, 4, vehicles_with_it=2)
    sherman_ft = OptionalWeapon("FT", 1.4, 20, vehicles_with_it=0, on_counter=False)
    late = OptionalWeapon("CMG", None, 5, vehicles_with_it=1)
    assert full_set(3, 4, [aamg]) is None
    assert full_set(0, 4, [aamg]) is None
    assert full_set(4, None, [aamg]) is None, "nobody knows how many there are"
    one = full_set(4, 4, [aamg, sherman_ft, late])
    two = full_set(8, 4, [aamg, sherman_ft, late])
    assert one is not None
    assert two is not None
    assert (one.weapons, one.disabled) == (((aamg, 2),), ("CMG",))
    assert two.weapons[0][1] == 4
    uncounted = full_set(4, 4, [OptionalWeapon("AAMG", 1.6, 4)])
    assert uncounted is not None
    assert uncounted.weapons[0][1] is None


def test_drm_of_fittings() -> None:
    assert fitting_modifiers(PRINTED, Fitting.SCHUERZEN, lend_lease=True) == ()
    assert [m.value for m in fitting_modifiers(PRINTED, Fitting.GYRO, lend_lease=True, other=-1)] == [1, -1]
    assert fitting_modifiers(PRINTED, Fitting.GYRO, lend_lease=True, us_crew=True) == ()
    assert fitting_breach(Fitting.GYRO, {"G", "Sz"}, "M4") is None
    found = fitting_breach(Fitting.GYRO, {"Sz"}, "PzIVH")
    assert str(found) == "PzIVH can't have a Gyrostabilizer (DYO H1.42); its wreck side shows no G"
    assert Fitting.SCHUERZEN.words == "Schuerzen"


# Armor Leaders ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "year", "theatre", "drm"),
    [
        (Group.ALLIED_MINOR, 1941, "", 3),
        (Group.ALLIED_MINOR, 1942, "", 0),
        (Group.FREE_FRENCH, 1944, "", -1),
        (Group.FINNISH, 1942, "", 1),
        (Group.FINNISH, 1939, "", None),
        (Group.GMD, 1944, "", 2),
        (Group.GMD, 1944, "Burma", 1),
        (Group.GMD, 1945, "burma", 1),
        (Group.RED_CHINESE, 1945, "", None),
        (Group.GERMAN, 1938, "", None),
    ],
)
def test_armor_leader_drm(group: Group, year: int, theatre: str, drm: int | None) -> None:
    found = armor_leader_drm(PRINTED, group, year, theatre)
    assert (None if found is None else found.value) == drm


def test_armor_leader_substitutes() -> None:
    assert substitute("8-1", [9, 10, 9]) == "9-1"
    assert substitute("9-2", [9, 9, 9]) == "9-2"
    assert substitute("8-1", [9, 9, 9], counters={"9-1", "8-1"}) == "9-1"
    assert substitute("8-1", [10, 10, 10], counters={"9-1", "8-1"}) == "8-1", "no such counter"
    assert substitute("6+1", [8, 8, 8]) == "8+1"


def test_threes() -> None:
    afv = ["a", "b", "c", "d", "e", "f"]
    assert trio_breaches(PRINTED, [["a", "b", "c"], ["d", "e", "f"]], afv) == ()
    assert reasons(*trio_breaches(PRINTED, [["a", "b"]], afv)) == [Reason.TRIO]
    assert reasons(*trio_breaches(PRINTED, [[]], afv)) == [Reason.TRIO]
    assert "in two threes" in trio_breaches(PRINTED, [["a", "b", "c"], ["c", "d", "e"]], afv)[0].what
    assert "not an AFV" in trio_breaches(PRINTED, [["a", "b", "truck"]], afv)[0].what
    assert len(trio_breaches(PRINTED, [["a", "a", "b"]], afv)) == 1
    assert placement_breach(["a", "b", "c"], "b") is None


@tries(30)
@given(st.integers(0, 100))
def test_a_dr_for_every_three(afv: int) -> None:
    assert int(armor_leader_drs(PRINTED, afv)) == afv // 3


# OP tanks ---------------------------------------------------------------------------------------


OP_TANKS = [
    ("M4", 74, (1944, 1945), ("100+", "150+")),
    ("M4A1", 75, (1944, 1945), ("100+", "150+")),
    ("Sherman I", None, (None, None), None),
    ("Sherman III", None, (None, None), None),
    ("Cromwell IV", 43, (None, None), None),
    ("Sherman II", 37, (1944, 1945), None),
    (None, None, (None, None), None),
    (None, None, (None, None), None),
]
"""Counter, BPV, first and last year, batteries; None is lost."""


def test_the_values_of_op_tanks() -> None:
    found = [(tank.counter, tank.bpv, (tank.from_, tank.to), tank.oba) for tank in printed_charts().op_tanks.rows]
    assert found == OP_TANKS


def test_who_has_op_tanks() -> None:
    assert [tank.id for tank in op_tanks(PRINTED, Group.AMERICAN)] == ["sherman-us-m4", "sherman-us-m4a1"]
    assert len(op_tanks(PRINTED, Group.BRITISH)) == 4
    assert len(op_tanks(PRINTED, Group.GERMAN)) == 2
    assert op_tanks(PRINTED, Group.RUSSIAN) == ()


def op_tank(id_: str) -> OpTankRow:
    return next(tank for tank in printed_charts().op_tanks.rows if tank.id == id_)


def breaches(
    id_: str,
    *,
    group: Group = Group.AMERICAN,
    year: int = 1944,
    motorized: bool = True,
    battery: str | None = "100+",
    served: bool = False,
    theatre: str = "",
) -> list[Reason]:
    tank = op_tank(id_)
    return reasons(
        *op_tank_breaches(
            tank, group=group, year=year, motorized=motorized, battery=battery, served=served, theatre=theatre
        )
    )


def test_op_tanks() -> None:
    assert breaches("sherman-us-m4") == []
    assert breaches("sherman-us-m4", battery="150+") == []
    assert breaches("sherman-us-m4", battery="100+M") == [Reason.BATTERY]
    assert breaches("sherman-us-m4", battery=None) == [Reason.BATTERY]
    assert breaches("sherman-us-m4", motorized=False) == [Reason.MOTORIZED]
    assert breaches("sherman-us-m4", year=1943) == [Reason.DATE]
    assert breaches("sherman-us-m4", year=1946) == [Reason.DATE]
    assert breaches("sherman-us-m4", served=True) == [Reason.BATTERY]
    assert breaches("sherman-us-m4", group=Group.BRITISH) == [Reason.NATION]
    british = Group.BRITISH
    assert breaches("ram", group=british, theatre="NW-Europe", battery="80+") == []
    assert breaches("cromwell", group=british, theatre="north-africa") == [Reason.DATE]
    assert breaches("cromwell", group=british) == [], "no theatre was agreed on"
