"""Strength of new groups, and the units that come: rolled, asked, given."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.hasl.buying.groups import units_of_group
from laager.rules.board.hasl.buying.strength import strength_weapons_leaders
from laager.rules.board.hasl.facts import DateBegun, ExhaustionSet
from laager.rules.board.hasl.state import Strength
from tests.historical.buying import buy, island, only_for, row, town, written
from tests.historical.driver import Played, run
from tests.historical.small import data, scene
from tests.historical.test_purchase import with_cpp
from tests.tries import tries


def tables(**more: Any) -> dict[str, Any]:
    """Return the tables of the small town without leaders, with tables changed."""
    known = [one for one in data("small-town-tables")["tables"] if one["id"] not in more]
    added = [one for one in more.values() if one is not None]
    return {**data("small-town-tables"), "tables": [*known, *added]}


def without_leaders(chart: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**line, "leader": "", "sw": []} for line in chart]


def bare_lines(**more: Any) -> Any:
    """Return the small town whose groups bring units only: no SW, no leaders."""
    sides = data("small-town-charts")["sides"]
    rg = {side: {"rg": without_leaders(half["rg"])} for side, half in sides.items()}
    return scene(charts={"sides": rg}, **more)


def bring(cg: Any, side: str, *dice: tuple[int, ...], **answers: Any) -> Played:
    return run(strength_weapons_leaders, cg, side, answers, dice)


def test_the_groups_of_18am() -> None:
    """A4, 9.618: 4+4 = 8, exhaustion +1 = 9: Depleted. 3+4 = 7 Full, 6+3 = 9 Depleted."""
    cg = bare_lines()
    for side, drm in (("allied", 1), ("axis", 0)):
        cg.state = ExhaustionSet(side=side, drm=drm).apply(cg.state)
    buy(cg, "allied", row("I1", "enter", "A4"))
    played = bring(cg, "allied", (4, 4))
    assert played.finals() == [9]
    group = cg.state.groups["allied", "I1/1"]
    assert (group.strength, group.units) == (Strength.DEPLETED, {"6-4-8": 1})
    assert played.rolls[0][0].modifiers[0].reason == "Campaign Exhaustion DRM"
    assert only_for(played, "allied")
    with_cpp(cg, "axis", 30)
    buy(cg, "axis", row("K-I1", "enter", "G1"), row("B-I2", "enter", "L5"), row("F1"))
    played = bring(cg, "axis", (3, 4), (6, 3))
    assert played.finals() == [7, 9]
    assert [(r.id, r.strength, r.units) for r in written(cg, "axis")] == [
        ("K-I1/1", "F", "3 x 4-6-7"),
        ("B-I2/1", "D", "2 x 5-4-8"),
        ("F1/1", "", ""),
    ]


def test_vehicles_are_not_rolled_for() -> None:
    cg = with_cpp(bare_lines(), "axis", 20)
    buy(cg, "axis", row("K-A3", "on-map", "NE"))
    played = bring(cg, "axis")
    assert not played.rolls
    assert cg.state.groups["axis", "K-A3/1"].strength is None
    tanks = list(units_of_group(cg, "axis", "K-A3/1"))
    assert [(tank.type, tank.kind, tank.area) for tank in tanks] == [("PzIVH", "afv", "NE")] * 2
    assert written(cg, "axis")[0].units == "2 x PzIVH"


def test_the_groups_of_13_september() -> None:
    """B2, 1.5191: 9 Full, 10 Depleted, 6 Full, 11 Depleted; 8 Full, 12 Depleted."""
    cg = island()
    rifles = row("I1", "enter", "G1", 2, objective="B4")
    buy(cg, "axis", rifles, row("I2", "reserve", "NE", objective="B4"), row("HW1", "on-map", "NE"), row("M1"))
    axis = [(4, 5), (5, 5), (3, 3), (6, 5)]
    weapons = [(3,), (5,), (2,), (4,), (6,), (3,), (1,), (4,), (2,), (5,)]
    leaders = [(4,), (3,), (3, 4), (1,), (1, 1)]
    played = bring(cg, "axis", *axis, *weapons, *leaders)
    assert [(r.strength, r.units) for r in written(cg, "axis")] == [
        ("F", "3 x 4-4-7"),
        ("D", "2 x 4-4-7"),
        ("F", "3 x 4-4-8"),
        ("D", "2 x 2-2-8"),
        ("", ""),
    ]
    assert [r.sw for r in written(cg, "axis")] == ["LMG, 50* MTR", "50* MTR", "2 x DC", "HMG, MMG", ""]
    assert [r.leader for r in written(cg, "axis")] == ["none", "9-0", "10-1", "", ""]
    assert played.finals("MTR for HW1/1")[-1] == 5
    assert only_for(played, "axis")

    buy(
        cg,
        "allied",
        row("I1", "on-map", "W"),
        row("I2", "reserve", "W"),
        row("V1", "enter", "A4"),
        row("F1"),
        row("M2"),
    )
    dice = [(2, 6), (6, 6), (4,), (2,), (4,), (3,), (1, 2), (6, 6), (6, 6)]
    played = bring(cg, "allied", *dice)
    record = written(cg, "allied")
    assert [r.strength for r in record] == ["F", "D", "", "", ""]
    assert [r.units for r in record] == ["3 x 7-4-7", "2 x 6-6-7", "2 x M3A1", "", ""]
    assert [r.sw for r in record] == ["LMG, DC", "LMG", "", "", ""]
    assert [r.leader for r in record] == ["10-2", "6+1", "inexperienced", "", ""]
    assert played.finals("Leader") == [2, 13, 11]
    leaders_ = [u.type for u in cg.state.units_of("allied", "leader", "armor-leader")]
    assert leaders_ == ["10-2", "6+1"]
    assert only_for(played, "allied")


def test_without_a_table_the_strength_is_asked() -> None:
    cg = bare_lines(tables=tables(strength=None))
    buy(cg, "allied", row("I1", "enter", "A4"))
    played = bring(cg, "allied", strength="depleted")
    assert not played.rolls
    assert cg.state.groups["allied", "I1/1"].strength is Strength.DEPLETED
    assert played.asked[0].default == "full"
    assert only_for(played, "allied")


def test_conditions_that_the_layer_does_not_know_are_asked() -> None:
    table = next(t for t in data("small-town-tables")["tables"] if t["id"] == "strength")
    more = {"id": "mud", "value": 2, "when": "Mud", "rule": "HASL 21"}
    cg = bare_lines(tables=tables(strength={**table, "modifiers": [*table["modifiers"], more]}))
    buy(cg, "allied", row("I1", "enter", "A4"))
    played = bring(cg, "allied", (3, 4), **{"strength-conditions": {"mud": 1}})
    assert played.finals() == [9]
    assert only_for(played, "allied")


def test_only_groups_of_the_date_are_rolled_for() -> None:
    cg = bare_lines()
    buy(cg, "allied", row("I1", "enter", "A4"))
    bring(cg, "allied", (1, 1))
    cg.state = DateBegun(number=2).apply(cg.state)
    assert not bring(cg, "allied").facts


def test_a_line_without_depleted_units_is_received_full() -> None:
    line = {"id": "I5", "name": "Guard", "kind": "I", "cost": 1, "full": [{"type": "4-4-7"}]}
    cg = town(allied=[line])
    buy(cg, "allied", row("I5", "enter", "A4"))
    assert not bring(cg, "allied").rolls
    group = cg.state.groups["allied", "I5/1"]
    assert (group.strength, group.units) == (Strength.FULL, {"4-4-7": 1})


def test_guns_come_with_their_crews() -> None:
    line = {"id": "G1", "name": "Gun", "kind": "G", "cost": 1, "full": [{"type": "57L AT OQF 6pdr 7cwt"}]}
    cg = town(allied=[line])
    buy(cg, "allied", row("G1", "on-map", "W"))
    bring(cg, "allied")
    crew, gun = units_of_group(cg, "allied", "G1/1")
    assert (crew.kind, gun.kind, gun.with_unit, crew.area, gun.area) == ("crew", "gun", crew.id, "W", "W")


def test_the_other_side_learns_nothing() -> None:
    cg = bare_lines()
    facts = buy(cg, "allied", row("I1", "enter", "A4")).facts
    facts += bring(cg, "allied", (4, 4)).facts
    enemy = scene()
    for fact in facts:
        if fact.to is None or "axis" in fact.to:
            enemy.state = fact.apply(enemy.state)
    assert written(enemy, "allied") == []
    assert not list(enemy.state.units_of("allied"))
    assert len(written(cg, "allied")) == 1


@tries(30)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(-2, 3))
def test_full_on_eight_or_less(first: int, second: int, drm: int) -> None:
    cg = bare_lines()
    cg.state = ExhaustionSet(side="allied", drm=drm).apply(cg.state)
    buy(cg, "allied", row("I1", "enter", "A4"))
    bring(cg, "allied", (first, second))
    full = first + second + drm <= 8
    assert len(list(cg.state.units_of("allied", "squad"))) == (2 if full else 1)


def test_the_record_is_told_in_words() -> None:
    cg = bare_lines()
    buy(cg, "allied", row("I1", "enter", "A4"))
    told = [fact.tell() for fact in bring(cg, "allied", (1, 1)).facts]
    assert told[0] == "allied I1/1: Full Strength; 2 x 6-4-8"
    assert told[2] == "AL1 is Retained in A4"
