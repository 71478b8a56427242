"""The check of Guns, vehicles, what they carry, OBA and Air Support where a value is missing."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.design_your_own.check.check import ObVerdict
from tests.design_your_own.harness import cg_of
from tests.design_your_own.holes import UNKNOWN, broken, cg_with, checked, unjudged

ENTER = "enter it in a catalogue file"
DR = {"final": 4}


def tanks(type_: str = "PzIVH", number: int = 1, **first: Any) -> list[dict[str, Any]]:
    """Vehicles of a type with letters; what else is said is said of the first."""
    entries = [{"type": type_, "id": "ABCDEFGH"[i]} for i in range(number)]
    return [{**entries[0], **first}, *entries[1:]]


def driven(cg: Any, entries: list[dict[str, Any]], **vehicles: Any) -> ObVerdict:
    return checked(cg, vehicles={"availability": DR, "entries": entries, **vehicles})


# Guns and vehicles ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "what"), [("bpv", "the BPV of 75L AT PaK 40"), ("rf", "the RF of 75L AT PaK 40 in 1944-09")]
)
def test_a_gun_of_which_a_value_is_missing(name: str, what: str) -> None:
    guns = {"availability": DR, "guns": [{"type": "75L AT PaK 40", "each": 44, "total": 44}]}
    found = checked(cg_with(("guns", "75L AT PaK 40", name, UNKNOWN)), ordnance=guns)
    prices = [] if name == "bpv" else ["each is 44", "total is 44"]
    assert [one.breach.what for one in found.broken] == prices
    assert unjudged(found) == [f"ordnance.guns[1].type: {what} is not known (DYO H1.3); {ENTER}"]
    assert found.ob.spent["ordnance"] == (44 if name == "bpv" else 45)


def test_what_is_missing_of_a_gun_hides_nothing_else() -> None:
    cg = cg_with(("guns", "75L AT PaK 40", "rf", UNKNOWN), ("guns", "75L AT PaK 40", "bpv", UNKNOWN))
    guns = [{"type": "75L AT PaK 40", "number": 7}]
    found = checked(cg, ordnance={"guns": guns})
    assert [one.breach.rule for one in found.broken] == ["DYO H1.3", "DYO H1.11"]
    assert "before an Availability DR" in broken(found)[0]
    assert len(found.unjudged) == 2


@pytest.mark.parametrize(("section", "type_", "rule"), [("vehicles", "PzIVH", "H1.4"), ("transport", "Wagon", "H1.44")])
def test_a_vehicle_without_a_bpv(section: str, type_: str, rule: str) -> None:
    cg = cg_with((section, type_, "bpv", UNKNOWN))
    found = driven(cg, tanks(type_, bpv=5))
    assert broken(found) == []
    assert unjudged(found) == [f"vehicles.entries[1].type: the BPV of {type_} is not known (DYO {rule}); {ENTER}"]
    assert found.ob.spent["vehicles"] == 5


def test_an_op_tank_without_a_bpv() -> None:
    observed: dict[str, Any] = {
        "oba": [{"dr": {"final": 7}, "size": "100+", "bought": True, "letter": "A", "contact": "op-tank"}]
    }
    tank = [{"type": "PzIVJ", "id": "A", "bpv": 1, "op": "A"}]
    parts: dict[str, Any] = {"vehicles": {"motorized": 100, "entries": tank}, **observed}
    assert broken(checked(cg_of(), **parts)) == ["vehicles.entries[1]: bpv is 1 (DYO H1.46); 48 BPV"]
    found = checked(cg_with(("op_tanks", "PzBeobWg IV", "bpv", UNKNOWN)), **parts)
    assert broken(found) == []
    assert unjudged(found) == [f"vehicles.entries[1]: the BPV of PzBeobWg IV is not known (DYO H1.46); {ENTER}"]


# Optional armament ------------------------------------------------------------------------------

AAMG = {"name": "AAMG", "cost": 2}
CMG = {"name": "CMG", "cost": 3}


def test_weapons_by_dice_that_cannot_be_are_not_judged() -> None:
    entries = tanks(arms=[{"name": "AAMG", "cost": 1}], arms_dr={"final": 4, "faces": [6, 6]})
    assert broken(driven(cg_of(), entries)) == [
        "vehicles.entries[1].arms_dr.final: the Final DR is 4 (DYO H1.41); 12: 6 + 6"
    ]


def test_a_weapon_whose_rf_nobody_knows() -> None:
    entries = tanks(arms=[{"name": "AAMG", "cost": 2}], arms_dr={"final": 12})
    assert [one.breach.rule for one in driven(cg_of(), entries).broken] == ["DYO H1.3"]
    found = driven(cg_with(("armament", "PzIVH: AAMG", "rf", UNKNOWN)), entries)
    assert broken(found) == []
    assert unjudged(found) == [
        f"vehicles.entries[1].arms[1]: the RF of the optional AAMG is not known (DYO H1.41); {ENTER}"
    ]


@pytest.mark.parametrize(
    ("arms", "agreed", "legal"), [([AAMG], False, False), ([AAMG, CMG], False, True), ([AAMG], True, True)]
)
def test_weapons_as_the_counters_have_them(arms: list[Any], agreed: bool, legal: bool) -> None:
    cg = cg_with(("vehicles", "StuG IIIG", "arrangements", ["AAMG + CMG"]), agreements={"any_arrangement": agreed})
    found = driven(cg, tanks("StuG IIIG", arms=arms, arms_dr={"final": 3}))
    told = ["vehicles.entries[1].arms: no counter has just AAMG (DYO H1.12); there is AAMG and CMG"]
    assert broken(found) == ([] if legal else told)


@pytest.mark.parametrize(
    ("counters", "agreed", "legal"), [(1, False, False), (2, False, True), (1, True, True), (UNKNOWN, False, True)]
)
def test_no_more_weapons_than_counters_show(counters: Any, agreed: bool, legal: bool) -> None:
    cg = cg_with(("armament", "PzIVH: AAMG", "counters", counters), agreements={"extra_pieces": agreed})
    armed = {"arms": [AAMG], "arms_dr": {"final": 4}}
    found = driven(cg, [{**entry, **armed} for entry in tanks(number=2)])
    told = ["vehicles.entries[2].arms: 2 vehicles with the optional AAMG (DYO H1.12); the counters of one game show 1"]
    assert broken(found) == ([] if legal else told)


def test_a_wagon_has_no_optional_weapons() -> None:
    found = driven(cg_of(), tanks("Wagon", arms=[AAMG], arms_dr={"final": 4}))
    assert broken(found) == ["vehicles.entries[1].arms[1].name: Wagon with AAMG (DYO H1.41); none at this date"]


# Schuerzen and Gyrostabilizers ------------------------------------------------------------------


def test_a_wreck_side_that_nobody_has_looked_at() -> None:
    cg = cg_with(("vehicles", "PzIVH", "wreck", UNKNOWN))
    good: dict[str, Any] = {"fittings": ["Sz"], "fitting_dr": {"final": 5}, "fitting_cost": 3}
    found = driven(cg, tanks(**good))
    assert broken(found) == []
    assert unjudged(found) == [
        f"vehicles.entries[1].fittings: what the wreck side of PzIVH shows is not known (DYO H1.42); {ENTER}"
    ]
    assert broken(driven(cg, tanks(**{**good, "fitting_dr": {"final": 6}})))[0] == (
        "vehicles.entries[1].fittings: Schuerzen by a Final dr of 6 (DYO H1.42); the table gives none"
    )


@pytest.mark.parametrize(("date", "legal"), [("1941-12", False), ("1942-01", True)])
def test_there_is_neither_before_1942(date: str, legal: bool) -> None:
    cg = cg_with(("vehicles", "PzIIIJ", "wreck", ["G"]), date=date)
    entries = tanks("PzIIIJ", fittings=["G"], fitting_dr={"final": 0}, fitting_cost=5)
    found = driven(cg, entries)
    told = ["vehicles.entries[1].fittings: G in 1941-12 (DYO H1.42); from 1942 on"]
    assert broken(found) == ([] if legal else told)


@pytest.mark.parametrize(
    ("group", "fittings", "final", "cost", "says"),
    [
        # The dr is a 5: +1 for the Gyrostabilizer of Lend-Lease, and for it alone.
        ("", ["Sz"], 6, 3, []),
        ("", ["Sz", "G"], 6, 3, ["a Gyrostabilizer by a Final dr of 6"]),
        ("", ["Sz", "G"], 5, 8, []),
        ("", ["Sz"], 7, 0, ["Schuerzen by a Final dr of 6"]),
        ("american", ["Sz", "G"], 5, 8, []),
        ("american", ["Sz"], 6, 0, ["Schuerzen by a Final dr of 6"]),
    ],
)
def test_the_drm_of_lend_lease(group: str, fittings: list[str], final: int, cost: int, says: list[str]) -> None:
    cg = cg_with(("vehicles", "PzIVH", "wreck", ["Sz", "G"]), ("vehicles", "PzIVH", "lend_lease", True), group=group)
    entries = tanks(fittings=fittings, fitting_dr={"final": final}, fitting_cost=cost)
    assert [one.breach.what for one in driven(cg, entries).broken] == says


# Armor Leaders ----------------------------------------------------------------------------------


def three(leader: str, final: int, *, type_: str = "PzIVH", **dr: Any) -> dict[str, Any]:
    keys = [f"{type_}:{letter}" for letter in "ABC"]
    trio = {"vehicles": keys, "dr": {"final": final, **dr}, "leader": leader, "vehicle": keys[0]}
    return {"entries": tanks(type_, 3, armor_leader=leader), "trios": [trio]}


@pytest.mark.parametrize(
    ("morale", "leader", "legal"),
    [
        ([9, 9, 9], "9-1", True),
        ([9, 9, 9], "8-1", True),
        ([9, 9, 9], "10-1", False),
        ([9, 9, 8], "9-1", False),
        ([9, 9, UNKNOWN], "9-1", False),
        ([9, 9, UNKNOWN], "8-1", True),
    ],
)
def test_a_better_leader_only_for_better_crews(morale: list[Any], leader: str, legal: bool) -> None:
    types = ["PzIVH", "PzIVJ", "PzVG"]
    edits = [("vehicles", type_, "crew_morale", value) for type_, value in zip(types, morale, strict=True)]
    entries = [{"type": type_, "id": "A"} for type_ in types]
    entries[0]["armor_leader"] = leader
    keys = [f"{type_}:A" for type_ in types]
    trio = {"vehicles": keys, "dr": {"final": 5}, "leader": leader, "vehicle": "PzIVH:A"}
    found = driven(cg_with(*edits), entries, trios=[trio])
    right = "8-1 or 9-1" if morale == [9, 9, 9] else "8-1"
    told = [f"vehicles.trios[1].leader: the Armor Leader {leader} by a Final DR of 5 (DYO H1.43); {right}"]
    assert broken(found) == ([] if legal else told)


def test_a_leader_by_dice_that_cannot_be_is_not_judged() -> None:
    # The DRM of the Germans in 1944 is -1.
    assert broken(driven(cg_of(), **three("9-1", 4, faces=[2, 3]))) == []
    assert broken(driven(cg_of(), **three("10-2", 4, faces=[6, 6]))) == [
        "vehicles.trios[1].dr.final: the Final DR is 4 (DYO H1.43); 11: 6 + 6 -1"
    ]


@pytest.mark.parametrize(
    ("counters", "agreed", "legal"), [(1, False, True), (0, False, False), (0, True, True), (UNKNOWN, False, True)]
)
def test_no_more_armor_leaders_than_counters(counters: Any, agreed: bool, legal: bool) -> None:
    cg = cg_with(("armor_leaders", "9-1", "counters", counters), agreements={"extra_pieces": agreed})
    told = ["vehicles.trios: too many Armor Leaders 9-1 (DYO H1.11); one game has 0"]
    assert broken(driven(cg, **three("9-1", 4))) == ([] if legal else told)


@pytest.mark.parametrize(("date", "legal"), [("1938-06", False), ("1939-09", True)])
def test_years_without_armor_leaders(date: str, legal: bool) -> None:
    cg = cg_of(date=date, allied={"elr": 3})
    found = driven(cg, **three("8-1", 5, type_="PzIB"))
    told = ["vehicles.trios: an Armor Leader DR of the German in 1938 (DYO H1.43); they have none"]
    assert broken(found) == ([] if legal else told)


def test_op_tanks_are_no_afv_of_a_three() -> None:
    parts = three("8-1", 5, type_="Nameless")
    for entry in parts["entries"]:
        entry |= {"op": "A", "armor_leader": ""}
    told = broken(driven(cg_of(), **parts))
    assert any("is not an AFV of this purchase (DYO H1.43); OP tanks don't count" in one for one in told)
    assert sum("Nameless is not an OP tank of the nation" in one for one in told) == 3


# OBA --------------------------------------------------------------------------------------------


def battery(**parts: Any) -> dict[str, Any]:
    return {"dr": {"final": 10}, "size": "70+", "bought": True, "contact": "radio", **parts}


def test_scarce_ammunition() -> None:
    scarce = [battery(ammunition="scarce", total=50)]
    # A fifth of 63 less, with fractions up: 63 - 12.
    assert broken(checked(cg_of(), oba=scarce)) == ["oba[1].total: total is 50 (DYO H1.53); 63 BPV - 12 scarce = 51"]
    cg = cg_with(("oba_options", "scarce", "bpv", UNKNOWN), ("oba_options", "scarce", "percent", UNKNOWN))
    found = checked(cg, oba=scarce)
    assert broken(found) == []
    assert unjudged(found) == [f"oba[1].ammunition: the price of scarce ammunition is not known (DYO H1.53); {ENTER}"]
    assert found.ob.spent["oba"] == 50


def test_a_battery_by_a_dr_that_cannot_be_is_not_judged() -> None:
    found = checked(cg_of(), oba=[battery(dr={"final": 10, "faces": [6, 6]}, size="80+", bpv=1, total=1)])
    assert broken(found) == ["oba[1].dr.final: the Final DR is 10 (DYO H1.5); 12: 6 + 6"]


def test_a_cell_of_the_oba_chart_that_nobody_knows() -> None:
    cg = cg_with(("oba", "1944", "10", UNKNOWN))
    assert unjudged(checked(cg, oba=[{"dr": {"final": 10}}])) == []
    found = checked(cg, oba=[battery(bpv=70, total=70)])
    assert broken(found) == []
    assert unjudged(found) == [f"oba[1]: the battery of a DR of 10 in 1944 is not known (DYO H1.51); {ENTER}"]
    assert found.ob.spent["oba"] == 70


@pytest.mark.parametrize(
    ("group", "date", "size", "says"),
    [
        ("gmd", "1944-09", "70+", ["an Observation Plane for 70mm OBA"]),
        ("gmd", "1943-09", "100+", ["an Observation Plane in 1943"]),
        ("gmd", "1944-09", "100+", []),
        ("red-chinese", "1944-09", "100+", ["Red Chinese have no Air Support"]),
        ("", "1943-09", "70+", []),
    ],
)
def test_an_observation_plane(group: str, date: str, size: str, says: list[str]) -> None:
    year = date[:4]
    cg = cg_with(("oba", year, "10", f"{size} 63"), group=group, date=date)
    found = checked(cg, oba=[battery(size=size, extras=[{"name": "observation plane", "cost": 60}])])
    assert [one.breach.what for one in found.broken] == says
    assert all(str(one.where[:3]) == "('oba', 0, 'extras')" for one in found.broken)


# Air Support ------------------------------------------------------------------------------------


def flown(final: int, number: int, cost: int = 100) -> dict[str, Any]:
    return {"dr": {"final": final}, "number": number, "bought": True, "cost": cost}


@pytest.mark.parametrize(("price", "legal"), [("100", True), ("none", False)])
def test_air_support_before_it_has_a_price(price: str, legal: bool) -> None:
    cg = cg_with(
        ("capabilities", "", "air_row", "japanese"),
        group="japanese",
        date="1938-06",
        weather="Clear",
        allied={"elr": 3},
        readings={"air-price-before-1939": price},
    )
    found = checked(cg, air=flown(2, 5))
    told = ["air: Japanese have no Air Support in 1938 (DYO H1.531-T); leave it out"]
    assert broken(found) == ([] if legal else told)
    assert found.ob.spent["oba"] == 100


def test_a_year_without_an_air_support_number() -> None:
    cg = cg_of(date="1938-06", weather="Clear", allied={"elr": 3})
    found = checked(cg, air=flown(12, 99))
    assert broken(found) == ["air: German have no Air Support in 1938 (DYO H1.531-T); leave it out"]


def test_a_number_of_the_catalogue_goes_before_the_chart() -> None:
    cg = cg_with(("capabilities", "", "air_number", 6), weather="Clear")
    assert broken(checked(cg, air=flown(6, 6, 150))) == []
    assert broken(checked(cg, air=flown(7, 4, 150))) == [
        "air.dr: the Availability DR is 7 (DYO H1.531); 6 by the catalogue or less",
        "air.number: number is 4 (DYO H1.531-T); 6",
    ]


# What was left then, and what was recorded then ---------------------------------------------------


@pytest.mark.parametrize(("san_time", "due"), [("infantry", 87), ("last", 90)])
def test_the_tenth_of_what_is_left_counts_san_when_it_is_bought(san_time: str, due: int) -> None:
    """What is bought after vehicles takes nothing from the points left before them (H1.4, H1.29)."""
    cg = cg_of(readings={"motorized-basis": "remaining", "san-time": san_time})
    infantry = [{"type": "4-4-7", "number": 10, "each": 10, "total": 100}]
    found = checked(cg, infantry=infantry, san=5, vehicles={"motorized": due})
    assert broken(found) == []
    cg = cg_of(readings={"motorized-basis": "remaining", "san-time": san_time})
    assert not checked(cg, infantry=infantry, san=5, vehicles={"motorized": due + 1}).legal


@pytest.mark.parametrize(("counted", "legal"), [("first", False), ("all", True)])
def test_hip_is_counted_as_when_it_was_bought(counted: str, legal: bool) -> None:
    """Eleven squads let two hide; of ten bought before the Fortifications one may (H1.6-n7)."""
    rows = [{"type": "4-6-7", "number": 10}, {"type": "4-6-7", "number": 1, "purchase": "second"}]
    works = [{"type": "hip-squad", "number": 2}]
    cg = cg_of(readings={"hip-squads": counted})
    assert checked(cg, infantry=rows, fortifications=works).legal is legal
    cg = cg_of(readings={"hip-squads": counted})
    assert checked(cg, infantry=rows, fortifications=[{"type": "hip-squad", "number": 1}]).legal
