"""Suggested purchases: legal by the check, the best there is, the same every time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.rules.design_your_own.check.check import check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.infantry import rule_lines
from laager.rules.design_your_own.lines.leaders import counts_of, equivalency
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, Dr, Ordnance, Vehicles
from laager.rules.design_your_own.plan.suggest import Suggestion, suggest
from laager.rules.design_your_own.plan.support import availability_dr, oba_dr
from laager.rules.design_your_own.plan.wishes import Wishes, load_wishes
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.steps import infantry
from tests.design_your_own.harness import cg_of, published_cg

TWELVE = {"squads": [{"count": 12, "at_least": "first-line"}]}


def wished(raw: Mapping[str, Any], side: str = "axis", **changes: Any) -> Suggestion:
    return suggest(cg_of(**changes), side, Wishes.model_validate(raw))


def refused(raw: Mapping[str, Any], side: str = "axis", **changes: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        wished(raw, side, **changes)
    return str(caught.value)


def clean(found: Suggestion) -> None:
    """The check, which knows nothing of programs, finds nothing wrong."""
    verdict = check_ob(found.cg, found.side)
    assert [str(one) for one in verdict.broken] == []
    assert verdict.ob == found.ob
    assert found.ob.left >= found.wishes.reserve


# What is suggested ------------------------------------------------------------------------------

PLENTY: Mapping[str, Any] = {
    "squads": [
        {"count": 12, "at_least": "first-line"},
        {"count": 3, "type": "8-3-8", "capabilities": ["assault-engineer"]},
    ],
    "platoons": [{"count": 3, "sort": "tank"}],
    "guns": [{"count": 2, "sort": "at"}],
    "oba": 1,
    "fortifications": [{"type": "wire", "number": 4}, {"type": "hip-squad", "number": 2}],
    "san": 3,
}


def test_wishes_are_met_and_the_points_spent() -> None:
    found = wished(PLENTY)
    clean(found)
    ob = found.ob
    nation = found.cg.nation("axis")
    good = [e for e in ob.infantry if nation.mmc(e.type).subsection in ("Elite", "Line")]
    assert sum(entry.number for entry in good) >= 12
    engineers = [e for e in ob.infantry if "assault-engineer" in e.capabilities]
    assert [(e.type, e.number >= 3) for e in engineers] == [("8-3-8", True)]
    [type_] = {entry.type for entry in ob.vehicles.entries}
    assert str(nation.vehicle(type_).sort).endswith("tank")
    assert len(ob.vehicles.entries) >= 3
    assert len(ob.batteries) == 1
    assert [gun.number for gun in ob.ordnance.guns] == [2]
    assert {work.type: work.number for work in ob.fortifications} == {"wire": 4, "hip-squad": 2}
    assert (ob.san, ob.san_cost) == (3, 10)
    assert ob.left <= 4
    assert found.reached == sum(ob.equivalents.values())


def test_a_sort_may_stand_where_a_type_does() -> None:
    raw = {"platoons": [{"count": 3, "type": "tank"}], "guns": [{"count": 2, "type": "at"}]}
    by_sort = {"platoons": [{"count": 3, "sort": "tank"}], "guns": [{"count": 2, "sort": "at"}]}
    assert wished(raw).ob == wished(by_sort).ob


def test_the_same_wishes_have_the_same_answer() -> None:
    assert wished(PLENTY).ob == wished(PLENTY).ob


def test_what_was_assumed_is_said() -> None:
    assert wished(PLENTY).assumed == (
        "Availability, ordnance: DR 7: RF 1.1 or better has a chance of 21/36",
        "Availability, vehicles: DR 7: RF 1.1 or better has a chance of 21/36",
        "OBA DR 7: 100+ OBA for 126; the chance of this, a cheaper one or none is 24/36",
    )
    assert wished({**PLENTY, "outlook": "worst"}).assumed == (
        "Availability, ordnance: DR 9: RF 0.9 or better has a chance of 36/36",
        "Availability, vehicles: DR 9: RF 0.9 or better has a chance of 36/36",
        "OBA DR 6: 150+ OBA for 166; the chance of this, a cheaper one or none is 36/36",
    )


def test_given_dice_are_kept_to() -> None:
    dice = {"ordnance": 12, "vehicles": 3, "oba": [12, 10]}
    found = wished({**PLENTY, "dice": dice})
    clean(found)
    assert found.assumed == ()
    assert found.ob.ordnance.availability is not None
    assert found.ob.ordnance.availability.final == 12
    assert [(one.dr.final, one.text, one.bought) for one in found.ob.oba] == [(12, "", False), (10, "70+", True)]
    guns = {gun.type for gun in found.ob.ordnance.guns}
    assert {str(found.cg.nation("axis").gun(t).rf.at(found.cg.month)) for t in guns} == {"0.9"}


def test_given_oba_dice_are_settled_even_unwanted() -> None:
    found = wished({**TWELVE, "dice": {"oba": [5]}, "maximise": "squads"})
    clean(found)
    assert [(one.text, one.bought) for one in found.ob.oba] == [("100+", False)]


def test_dice_of_the_purchase_are_kept_to() -> None:
    cg = cg_of()
    cg.state = cg.state.with_ob(
        "axis",
        san_cost=10,
        ordnance=Ordnance(availability=Dr(final=12)),
        vehicles=Vehicles(availability=Dr(final=9)),
        oba=(BatteryEntry(dr=Dr(final=10), size="70+", bpv=63),),
        air=AirEntry(dr=Dr(final=3), number=4),
    )
    found = suggest(cg, "axis", Wishes.model_validate({**PLENTY, "air": True}))
    clean(found)
    rolled = (found.ob.ordnance.availability, found.ob.vehicles.availability)
    assert [dr.final for dr in rolled if dr] == [12, 9]
    assert [one.text for one in found.ob.batteries] == ["70+"]
    assert found.ob.air is not None
    assert found.ob.air.bought
    assert found.assumed[-1] == "nothing bought yet; what is on the Roster already is not counted"
    named = Wishes.model_validate({**PLENTY, "dice": {"ordnance": 2, "oba": [5]}})
    other = suggest(cg, "axis", named)
    assert other.ob.ordnance.availability is not None
    assert other.ob.ordnance.availability.final == 2
    assert [one.text for one in other.ob.batteries] == ["100+"]


@pytest.mark.parametrize("goal", ["equivalency", "squads", "afv", "guns", "points"])
def test_3000_points_for_every_goal(goal: str) -> None:
    found = wished({**PLENTY, "maximise": goal}, axis={"points": 3000})
    clean(found)
    totals = {
        "equivalency": sum(found.ob.equivalents.values()),
        "squads": sum(entry.number for entry in found.ob.infantry),
        "guns": sum(gun.number for gun in found.ob.ordnance.guns),
        "points": found.ob.total,
    }
    nation = found.cg.nation("axis")
    totals["afv"] = sum(nation.vehicle(v.type).afv is True for v in found.ob.vehicles.entries)
    assert found.reached == totals[goal]


def test_a_reserve_is_left_over() -> None:
    found = wished({**TWELVE, "reserve": 150})
    clean(found)
    assert 150 <= found.ob.left < 160


def test_who_buys_all_of_a_type_pays_for_its_armament() -> None:
    found = wished({"platoons": [{"count": 6, "type": "PzIVJ"}], "squads": []})
    clean(found)
    armed = [entry for entry in found.ob.vehicles.entries if entry.automatic]
    assert len(armed) == 6
    assert sum(len(entry.arms) for entry in armed) == 3
    five = wished({"platoons": [{"count": 5, "type": "PzIVJ"}], "maximise": "equivalency"})
    clean(five)


def test_two_platoons_of_one_type_are_twice_as_many() -> None:
    raw = {"platoons": [{"count": 3, "type": "PzIVH"}, {"count": 2, "type": "PzIVH"}]}
    found = wished({**raw, "dice": {"vehicles": 9}})
    clean(found)
    assert len(found.ob.vehicles.entries) >= 5


@pytest.mark.parametrize("basis", ["initial", "remaining"])
def test_a_motorized_unit_is_paid_for(basis: str) -> None:
    raw = {**PLENTY, "motorized": True, "dice": {"vehicles": 9}}
    found = wished(raw, readings={"motorized-basis": basis})
    clean(found)
    spent = found.ob.mpv("first") + found.ob.san_cost + found.ob.ordnance.spent
    base = 1000 if basis == "initial" else 1000 - spent
    assert found.ob.vehicles.motorized == -(-base // 10)


def test_a_tenth_of_what_is_left_is_the_tenth_and_no_more() -> None:
    for points in range(16, 31):
        readings = {"motorized-basis": "remaining"}
        found = wished({"motorized": True}, readings=readings, axis={"points": points})
        left = points - found.ob.mpv("first")
        assert found.ob.vehicles.motorized == -(-left // 10)


@pytest.mark.parametrize("rounding", ["subsection", "line"])
def test_equivalents_are_counted_as_the_rules_do(rounding: str) -> None:
    found = wished(PLENTY, readings={"equivalency-rounding": rounding})
    clean(found)
    lines = rule_lines(found.cg.nation("axis"), found.cg.month, found.ob.infantry)
    assert found.reached == equivalency(Rulebook(found.cg.chosen), counts_of(lines)).total


def test_capabilities_of_a_whole_side_are_paid_for_by_all() -> None:
    found = wished({**TWELVE, "capabilities": ["winter-camouflage", "mol"]})
    clean(found)
    assert all({"winter-camouflage", "mol"} <= set(e.capabilities) for e in found.ob.infantry)


def test_air_support_if_its_dr_allows_it() -> None:
    found = wished({**TWELVE, "air": True, "dice": {"air": 4}})
    clean(found)
    assert found.ob.air is not None
    assert (found.ob.air.bought, found.ob.air.cost) == (True, 150)
    allied = wished({**TWELVE, "air": True, "outlook": "expected"}, "allied", date="1945-03")
    clean(allied)
    assert allied.assumed == ("Air Support DR 7; it is had by 7 or less",)


def test_half_squads_and_crews_by_name_only() -> None:
    assert {e.kind for e in wished(TWELVE).ob.infantry} == {"squad"}
    found = wished({"squads": [{"count": 4, "type": "2-2-8"}]})
    clean(found)
    assert sum(e.number for e in found.ob.infantry if e.type == "2-2-8") >= 4


def test_published_values_alone_make_do_with_what_is_known() -> None:
    cg = published_cg()
    found = suggest(cg, "axis", Wishes.model_validate(TWELVE))
    clean(found)
    assert {entry.type for entry in found.ob.infantry} <= {"8-3-8", "4-6-8", "4-6-7", "4-3-6"}
    assert "no battery" not in found.assumed
    with pytest.raises(RefusedError, match="1 OBA"):
        suggest(cg, "axis", Wishes(oba=1))


def test_on_paper_and_as_a_file() -> None:
    found = wished({**PLENTY, "motorized": True, "air": True, "dice": {"air": 3, "oba": [12, 3]}})
    lines, points = found.sheets()
    assert lines.title == "Suggested purchase, German"
    assert ("Vehicles", "", "motorized unit", "", "100") in lines.rows
    assert ("OBA", "", "no OBA, not bought (DR 12)", "0", "0") in lines.rows
    assert ("OBA", "1", "150+R OBA (DR 3)", "150", "150") in lines.rows
    assert ("OBA", "", "Air Support (DR 3)", "", "150") in lines.rows
    assert lines.notes[0] == f"most equivalency: {found.reached}; {found.ob.left} points left"
    assert points.rows[0] == ("Allotment", "", "1000")
    assert found.data["laager"] == "dyo-ob/1"
    assert found.data["ob"]["side"] == "axis"


# Against everything that there is ---------------------------------------------------------------


def squads_by_enumeration(cg: Cg, points: int, least: int) -> tuple[int, int]:
    """The most Equivalents, and the most points spent for them, by trying all squads."""
    kinds = [mmc for mmc in infantry.on_offer(cg, "axis") if mmc.kind == "squad"]
    prices = [infantry.plain_mpv(cg, mmc) or 0 for mmc in kinds]
    good = [mmc.subsection != "Conscript" for mmc in kinds]
    elite = [mmc.subsection == "Elite" for mmc in kinds]

    def tries(place: int, left: int) -> Iterator[tuple[int, ...]]:
        if place == len(kinds):
            yield ()
            return
        for number in range(left // prices[place] + 1):
            for rest in tries(place + 1, left - number * prices[place]):
                yield (number, *rest)

    best = (-1, -1)
    for numbers in tries(0, points):
        if sum(n for n, fits in zip(numbers, good, strict=True) if fits) < least:
            continue
        top = sum(n for n, fits in zip(numbers, elite, strict=True) if fits)
        low = sum(n for n, fits in zip(numbers, good, strict=True) if not fits)
        worth = top * 4 // 3 + low * 3 // 4 + sum(numbers) - top - low
        spent = sum(n * price for n, price in zip(numbers, prices, strict=True))
        best = max(best, (worth, spent))
    return best


@pytest.mark.parametrize("points", [30, 47, 64, 83])
def test_nothing_is_better_than_what_is_suggested(points: int) -> None:
    raw = {"squads": [{"count": 2, "at_least": "second-line"}]}
    found = wished(raw, axis={"points": points})
    best = squads_by_enumeration(found.cg.with_state(found.cg.state), points, 2)
    assert (found.reached, found.ob.total) == best


# Wishes that can't be met -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"oba": 3}, "this wish can't be met with 1000 points and these dice: 3 OBA: 1000 points"),
        ({"platoons": [{"count": 3, "type": "PzVIB"}]}, "3 PzVIB: no AFV within the RF is what 3 PzVIB asks for"),
        ({"air": True}, "Air Support needs a DR of 4 or less (6/36), not 7"),
        (
            {"squads": [{"count": 2, "type": "4-3-6", "capabilities": ["assault-engineer"]}]},
            "nobody at this date is what 2 4-3-6 as assault-engineer asks for",
        ),
        (
            {"guns": [{"count": 1, "sort": "catapult"}]},
            "no Gun within the RF is what 1 catapult Gun of one type asks for",
        ),
        ({"fortifications": [{"type": "cave"}]}, "1 cave: Cave for "),
        ({"san": 9}, "a SAN of 9"),
        ({"dice": {"oba": [2, 3, 4]}}, "not even a purchase without wishes"),
        ({"oba": 1, "dice": {"oba": [12, 12]}}, "the OBA DR give 0 batteries"),
        ({"reserve": 2000}, "2000 points left over"),
        (
            {"fortifications": [{"type": "pillbox"}], **TWELVE},
            "this wish can't be met with 1000 points and these dice: 1 pillbox",
        ),
    ],
)
def test_a_wish_that_can_not_be_met_is_named(raw: dict[str, Any], told: str) -> None:
    assert told in refused(raw)


def test_a_smallest_set_of_wishes_is_named_and_no_other() -> None:
    raw = {
        "squads": [{"count": 60, "at_least": "first-line"}, {"count": 3, "type": "8-3-8"}],
        "platoons": [{"count": 3, "type": "PzIVH"}],
        "fortifications": [{"type": "wire", "number": 2}],
        "san": 3,
    }
    sentence = refused(raw)
    assert sentence.startswith("these wishes can't be met together with 1000 points")
    kept = [wish for wish in Wishes.model_validate(raw).costly_wishes() if wish.words in sentence]
    assert 1 < len(kept) < 5
    every = Wishes.model_validate(raw)
    refused(every.only(kept).model_dump())
    for left_out in kept:
        clean(wished(every.only([one for one in kept if one != left_out]).model_dump()))


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"squads": [{"count": 1, "type": "4-6-9"}]}, "4-6-9"),
        ({"platoons": [{"type": "PzIVHH"}]}, "did you mean PzIVH"),
        ({"guns": [{"type": "75L PaK 40"}]}, "did you mean 75L AT PaK 40"),
        ({"fortifications": [{"type": "wires"}]}, "did you mean wire"),
    ],
)
def test_names_that_nobody_knows_are_refused(raw: dict[str, Any], told: str) -> None:
    assert told in refused(raw)


def test_fortifications_for_nobody_to_hide_in() -> None:
    # Three squads may hide only where there are more than twenty.
    raw = {"fortifications": [{"type": "hip-squad", "number": 3}], "maximise": "points"}
    found = wished(raw)
    clean(found)
    assert sum(entry.number for entry in found.ob.infantry) > 20
    assert "3 hip-squad" in refused(raw, axis={"points": 120})


# Files and outlooks -----------------------------------------------------------------------------


def test_wishes_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "wishes.yaml"
    path.write_text("laager: dyo-wishes/1\nsquads: [{count: 12, at_least: elite}]\noba: 1\n")
    assert load_wishes(path).squads[0].words == "12 squads of class elite or better"
    path.write_text("laager: dyo-wishes/1\nsquads: [{count: 0}]\nobas: 1\nmaximise: tanks\n")
    with pytest.raises(DataError) as caught:
        load_wishes(path)
    told = str(caught.value)
    assert "squads[1].count" in told
    assert "obas" in told
    assert "maximise" in told


@pytest.mark.parametrize(("outlook", "final"), [("expected", 7), ("worst", 9)])
def test_availability_that_is_counted_on(outlook: str, final: int) -> None:
    assert availability_dr(Rulebook(), outlook).final == final


def test_oba_that_is_counted_on() -> None:
    expected, worst = (oba_dr(cg_of(), "axis", name) for name in ("expected", "worst"))
    assert expected is not None
    assert worst is not None
    assert (expected.final, worst.final) == (7, 6)
    assert oba_dr(published_cg(), "axis", "expected") is None
