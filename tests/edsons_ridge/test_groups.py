"""What comes with groups, and how they arrive: strength, SW, leaders, prices, Objective Hexes."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.hasl.buying.offers import Cart, DateShop, Wanted
from laager.rules.board.hasl.buying.strength import DEPLETED_WEAPON, strength_weapons_leaders
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.state import GroupArrival
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.groups import leader_column, rolls_strength
from tests.edsons_ridge.scene import add, at_date, group, scene
from tests.historical.driver import run


def line(cg: Er, side: str, key: str) -> RgLine:
    found = cg.line(side, key)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("side", "key", "arrival", "price"),
    [
        ("axis", "I1", GroupArrival.ENTER, 4),
        ("axis", "I2", GroupArrival.RESERVE, 5),
        ("axis", "HW1", GroupArrival.ON_MAP, 5),
        ("axis", "M1", None, 3),
        ("allied", "I1", GroupArrival.ON_MAP, 7),
        ("allied", "I2", GroupArrival.RESERVE, 4),
        ("allied", "V1", GroupArrival.ENTER, 7),
    ],
)
def test_prices(side: str, key: str, arrival: GroupArrival | None, price: int) -> None:
    cg = scene()
    assert cg.variant.price(cg, line(cg, side, key), arrival) == price


@pytest.mark.parametrize(("reading", "price"), [("0", 0), ("1", 1)])
def test_how_low_a_reserve_may_cost(reading: str, price: int) -> None:
    cg = scene(readings={"reserve-price": reading})
    cheap = line(cg, "axis", "I1").model_copy(update={"cost": 1})
    assert cg.variant.price(cg, cheap, GroupArrival.RESERVE) == price


def test_ways_of_arriving() -> None:
    cg = scene()
    ways = cg.variant.arrivals
    every = (GroupArrival.ENTER, GroupArrival.ON_MAP, GroupArrival.RESERVE)
    assert ways(cg, "axis", line(cg, "axis", "HW1")) == every
    assert ways(cg, "axis", line(cg, "axis", "M1")) == ()
    only = line(cg, "axis", "I1").model_copy(update={"on_map": False})
    assert ways(cg, "axis", only) == (GroupArrival.ENTER,)


@pytest.mark.parametrize(
    ("side", "key", "given", "initial", "reading", "rolled"),
    [
        ("axis", "I1", False, False, "full", True),
        ("axis", "HW1", False, True, "full", True),
        ("allied", "V1", False, False, "full", False),
        ("axis", "M1", False, False, "full", False),
        ("axis", "I1", True, True, "full", True),
        ("allied", "I1", True, True, "full", False),
        ("allied", "I1", True, True, "rolled", False),
        ("axis", "I1", True, False, "full", False),
        ("axis", "I1", True, False, "rolled", True),
        ("allied", "I1", True, False, "rolled", True),
    ],
)
def test_whose_strength_is_rolled_for(
    side: str, key: str, given: bool, initial: bool, reading: str, rolled: bool
) -> None:
    cg = scene(readings={"given-strength": reading})
    if not initial:
        at_date(cg, "13D")
    assert rolls_strength(cg, side, line(cg, side, key), given) is rolled


@pytest.mark.parametrize(
    ("side", "kind", "column"),
    [
        ("axis", Kind.INFANTRY, "japanese"), ("axis", Kind.HEAVY_WEAPONS, ""),
        ("axis", Kind.VEHICLE, ""), ("allied", Kind.INFANTRY, "american"),
        ("allied", Kind.VEHICLE, "american-armor"), ("allied", Kind.HEAVY_WEAPONS, ""),
    ],
)  # fmt: skip
def test_columns_of_the_leader_table(side: str, kind: Kind, column: str) -> None:
    assert leader_column(side, kind) == column


def leader(side: str, key: str, *dice: tuple[int, ...], **more: Any) -> tuple[str, list[int]]:
    """The leader of a Full Strength group, strength 2; what the dice give in the end."""
    cg = at_date(scene(**more), "13D")
    made = group(cg, side, key, arrival=GroupArrival.ENTER, area="L24" if side == "allied" else "L0")
    played = run(strength_weapons_leaders, cg, side, (), dice)
    assert all(roll.secret for roll, _ in played.rolls)
    assert all(fact.to == (side,) for fact in played.facts)
    return cg.state.groups[side, made.id].leader, played.finals("Leader")


RAIDER = [(1,), (1,)]
"""The dr for the SW of a Raider Platoon that are listed in parentheses."""


@pytest.mark.parametrize(
    ("strength", "weapons", "dice", "final", "found"),
    [
        ((1, 1), RAIDER, (1, 1), 1, "10-2, 9-1"),
        ((6, 6), [(1,), (1,), (1,)], (1, 1), 2, "10-2"),
        ((6, 6), [(1,), (1,), (1,)], (3, 4), 7, "8-0"),
    ],
)
def test_leaders_of_raiders(
    strength: tuple[int, int], weapons: list[tuple[int]], dice: tuple[int, int], final: int, found: str
) -> None:
    assert leader("allied", "I1", strength, *weapons, dice) == (found, [final])


def test_leaders_of_other_groups() -> None:
    paramarines = leader("allied", "I2", (6, 6), (1,), (1,), (6, 6))
    assert paramarines == ("6+1", [13])
    assert leader("allied", "V1", (6, 6)) == ("inexperienced", [11])
    assert leader("allied", "V1", (3, 5)) == ("none", [7])
    assert leader("axis", "I1", (1, 1), (1,), (4,)) == ("none", [4])
    assert leader("axis", "I1", (1, 1), (1,), (3,), (5, 5)) == ("8-0", [3, 10])
    assert leader("axis", "HW1", (1, 1), (1,), (1,)) == ("", [])


def test_a_chart_s_own_leader_drm_is_not_added_to_that_of_the_rules() -> None:
    cg = at_date(scene(), "13D")
    raider = line(cg, "allied", "I1").model_copy(update={"leader_drm": -1})
    plain = line(cg, "allied", "I2").model_copy(update={"leader_drm": -2})
    made = group(cg, "allied", "I1")
    assert cg.variant.leader_modifiers(cg, "allied", raider, made) == []
    (own,) = cg.variant.leader_modifiers(cg, "allied", plain, made)
    assert own.value == -2


def test_a_hw_group_has_two_sw_at_least() -> None:
    cg = at_date(scene(), "13D")
    made = group(cg, "axis", "HW1", arrival=GroupArrival.ON_MAP, area="Jungle")
    dice = [(6, 6), (5,), (5,), (1,), (4,), (2,), (5,)]
    run(strength_weapons_leaders, cg, "axis", (), dice)
    assert dict(cg.state.groups["axis", made.id].sw) == {"HMG": 1, "MMG": 1}
    table = cg.table("support-weapon-depleted")
    assert max(dr for dr in range(1, 7) if table.result(dr)) == DEPLETED_WEAPON


def test_objective_hexes_by_the_reading() -> None:
    for reading, sides in (("japanese", {"axis"}), ("both", {"axis", "allied"})):
        cg = scene(readings={"objective-sides": reading})
        wanting = {s for s in ("axis", "allied") if cg.variant.has_objective(cg, s, line(cg, s, "I1"))}
        assert wanting == sides
        assert not cg.variant.has_objective(cg, "axis", line(cg, "axis", "HW1"))


def test_groups_given_by_the_ob_are_not_among_those_bought() -> None:
    cg = scene()
    group(cg, "axis", "I1", given=True)
    assert cg.state.side("axis").bought == {}
    group(cg, "axis", "I1")
    assert cg.state.side("axis").bought == {"I1": 1}


def test_entry_areas_open_on_their_date() -> None:
    cg = scene()
    assert cg.arrows("axis") == ("L0",)
    assert cg.all_arrows("axis") == ("L0", "FF12")
    assert cg.retained_hexes("axis", "FF12")
    assert not cg.retained_hexes("axis", "A1")
    assert "A1" in cg.retained_hexes("axis", "Jungle")
    late = at_date(scene(), "13N1")
    assert late.arrows("axis") == ("L0", "FF12")
    assert at_date(late, "14D").arrows("axis") == ("L0", "FF12")
    early = at_date(scene(), "13D")
    cart = Cart((Wanted("I1", GroupArrival.ENTER, 1, "FF12", "K12"),))
    assert "'FF12' is not one of its Eligible Entry Areas" in str(DateShop(early, "axis").problems(cart)[0])


@pytest.mark.parametrize(("reading", "count"), [("ends", 6), ("turns", 9)])
def test_entry_areas_near_a_corner(reading: str, count: int) -> None:
    cg = scene(readings={"entry-corner": reading})
    assert cg.entry_hexes("L0") == ("H0", "I1", "J0", "K1", "L0", "M1", "N0", "O1", "P0")
    corner = {**dict(cg.map.to_data())}
    arrows = [{**vars(arrow), "hex": "B0"} for arrow in cg.map.entry_arrows[:1]]
    cg.replace_map(type(cg.map).from_data({**corner, "entry_arrows": arrows}))
    assert len(cg.entry_hexes("B0")) == count


def test_exits_by_friendly_entry_areas_only() -> None:
    cg = scene()
    unit = add(cg, "axis", "4-4-7", "squad", "L1")
    assert cg.variant.exit_areas(cg, unit, "H0") == ("L0",)
    assert cg.variant.exit_areas(cg, unit, "G1") == ()
    assert cg.variant.exit_areas(cg, unit, "FF12") == ()
    assert cg.variant.exit_areas(at_date(cg, "13N1"), unit, "FF12") == ("FF12",)
    assert cg.variant.exit_areas(cg, unit, "L24") == ()
    assert cg.variant.exit_check
    assert cg.variant.place_if_never_entered(cg, unit).value == "off-map"
