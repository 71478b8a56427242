"""One way of moving: what goes along, what stays, what changes on the way (PL 3.21, 3.31, CG3)."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.moves import move_unit
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.reorganization.fires import fires, units_in_blaze
from tests.platoon_leader.scene import add, now, scene, set_ground
from tests.steps import play


def burning(at: str = "M2") -> Any:
    """Return the scene with a Flame that becomes a Blaze."""
    cg = scene()
    set_ground(cg, flames=frozenset({at}))
    return cg


def flee(cg: Any, **to: str) -> Any:
    rows = [{"unit": unit, "to": at} for unit, at in to.items()]
    return play(fires, cg, answers={"out-of-the-fire": rows})


def manned(cg: Any, at: str, *marks: Mark) -> tuple[Unit, Unit]:
    crew = add(cg, "axis", "2-2-8", "crew", at)
    return crew, add(cg, "axis", "75L AT PaK 40", "gun", at, Mark.EMPLACED, *marks, with_unit=crew.id)


def test_a_gun_that_is_never_moved_stays_in_the_blaze_without_its_crew() -> None:
    cg = burning("C4")
    crew, gun = manned(cg, "C4", Mark.FIXED)
    flee(cg, **{crew.id: "C3"})
    assert now(cg, crew).at == "C3"
    left = now(cg, gun)
    assert (left.at, left.with_unit, left.has(Mark.EMPLACED)) == ("C4", "", True)


def test_another_gun_goes_along_and_is_emplaced_again() -> None:
    cg = burning("C4")
    crew, gun = manned(cg, "C4")
    flee(cg, **{crew.id: "C3"})
    assert (now(cg, gun).at, now(cg, gun).with_unit) == ("C3", crew.id)
    assert now(cg, gun).has(Mark.EMPLACED)


def test_passengers_keep_their_weapons() -> None:
    cg = burning()
    truck = add(cg, "axis", "Opel Blitz", "vehicle", "M2")
    squad = add(cg, "axis", "4-6-7", "squad", "M2", with_unit=truck.id)
    weapon = add(cg, "axis", "LMG", "sw", "M2", with_unit=squad.id)
    assert endangered_ids(cg, "M2") == [truck.id]
    flee(cg, **{truck.id: "M3"})
    assert [now(cg, unit).at for unit in (truck, squad, weapon)] == ["M3"] * 3
    assert now(cg, weapon).with_unit == squad.id


def endangered_ids(cg: Any, at: str) -> list[str]:
    """Return who would be asked if a hex were a Blaze."""
    state = cg.state
    set_ground(cg, blazes=frozenset({at}))
    found = [unit.id for unit in units_in_blaze(cg, "axis")]
    cg.state = state
    return found


@pytest.mark.parametrize("mark", [Mark.IMMOBILIZED, Mark.BOGGED, Mark.MIRED, Mark.ABANDONED])
def test_passengers_of_a_vehicle_that_cannot_move_get_off(mark: Mark) -> None:
    cg = burning()
    truck = add(cg, "axis", "Opel Blitz", "vehicle", "M2", mark)
    squad = add(cg, "axis", "4-6-7", "squad", "M2", with_unit=truck.id)
    weapon = add(cg, "axis", "LMG", "sw", "M2", with_unit=squad.id)
    flee(cg, **{squad.id: "M3"})
    assert [now(cg, unit).at for unit in (truck, squad, weapon)] == ["M2", "M3", "M3"]
    assert (now(cg, squad).with_unit, now(cg, weapon).with_unit) == ("", squad.id)


def test_an_armor_leader_stays_with_his_vehicle_unless_it_is_abandoned() -> None:
    cg = scene()
    tank = add(cg, "axis", "PzIVF2", "afv", "M2", Mark.IMMOBILIZED)
    leader = add(cg, "axis", "9-1", "armor-leader", "M2", with_unit=tank.id)
    assert endangered_ids(cg, "M2") == []
    cg.state = cg.state.with_unit(tank.id, lambda unit: unit.but(marks=frozenset({Mark.ABANDONED})))
    assert endangered_ids(cg, "M2") == [leader.id]


def test_what_nobody_has_does_not_walk() -> None:
    cg = scene()
    add(cg, "axis", "LMG", "sw", "M2")
    add(cg, "axis", "75L AT PaK 40", "gun", "M2")
    assert endangered_ids(cg, "M2") == []


def test_who_flees_is_hidden_no_longer() -> None:
    cg = burning()
    squad = add(cg, "axis", "4-6-7", "squad", "M2", Mark.HIP)
    weapon = add(cg, "axis", "LMG", "sw", "M2", Mark.HIP, with_unit=squad.id)
    played = flee(cg, **{squad.id: "M3"})
    for unit in (squad, weapon):
        assert now(cg, unit).marks == {Mark.CONCEALED}
    assert {fact.to for fact in played.of("unit-marked")} == {("axis",)}, "the enemy learns nothing"


# Wherever units move ------------------------------------------------------------------------------


def moved(cg: Any, unit: Unit, at: str, **more: Any) -> list[str]:
    told = []
    for fact in move_unit(cg, now(cg, unit), at, "moves", **more):
        cg.state = fact.apply(cg.state)
        told.append(fact.tell())
    return told


def test_who_leaves_a_vehicle_goes_on_foot_and_what_is_left_lies_there() -> None:
    cg = scene()
    truck = add(cg, "axis", "Opel Blitz", "vehicle", "M2")
    squad = add(cg, "axis", "4-6-7", "squad", "M2", Mark.ENCIRCLED, with_unit=truck.id)
    one = add(cg, "axis", "LMG", "sw", "M2", with_unit=squad.id)
    two = add(cg, "axis", "LMG", "sw", "M2", with_unit=squad.id)
    moved(cg, squad, "M3", leave=frozenset({two.id}))
    assert [now(cg, unit).at for unit in (truck, squad, one, two)] == ["M2", "M3", "M3", "M2"]
    assert [now(cg, unit).with_unit for unit in (squad, one, two)] == ["", squad.id, ""]
    assert not now(cg, squad).has(Mark.ENCIRCLED)


def test_staying_where_it_is_changes_nothing_but_the_markers_that_come_off() -> None:
    cg = scene()
    squad = add(cg, "axis", "4-6-7", "squad", "M2", Mark.HIP, Mark.MELEE)
    crew, gun = manned(cg, "M2", Mark.FIXED)
    assert moved(cg, squad, "M2", remove=[Mark.MELEE]) == [f"{squad.id} is no longer in Melee"]
    assert moved(cg, crew, "M2") == []
    assert now(cg, gun).with_unit == crew.id


def test_a_gun_that_was_moved_is_emplaced_only_if_wanted() -> None:
    cg = scene()
    crew, gun = manned(cg, "M2")
    moved(cg, crew, "M3")
    assert not now(cg, gun).has(Mark.EMPLACED)
    moved(cg, crew, "M4", emplaced=True)
    assert now(cg, gun).has(Mark.EMPLACED)
    moved(cg, crew, "C4", emplaced=True)
    assert not now(cg, gun).has(Mark.EMPLACED), "nobody digs in a building"


def test_a_dismantled_gun_can_go() -> None:
    cg = scene()
    crew, gun = manned(cg, "M2", Mark.FIXED, Mark.DISMANTLED)
    moved(cg, crew, "M3")
    assert now(cg, gun).at == "M3"
