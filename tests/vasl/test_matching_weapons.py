"""Weapons, passengers, prisoners, and what nobody knows, in reports read back from saves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from laager.rules.board.facts import UnitJoined
from laager.rules.board.units import Mark, Place, Unit
from tests.platoon_leader.battle import battle
from tests.platoon_leader.harness import unit

from .save_writer import layer
from .test_matching import keys, lay, read, remove, row, two_groups, written

# Weapons and passengers --------------------------------------------------------------------------


def test_a_weapon_is_with_the_man_below_it() -> None:
    cg = battle()
    found = written(cg)
    weapon = remove(found, "LMG", "C4")
    found.put("C4", weapon, pile=1)
    assert row(read(cg, found), "AX2")["with"] == "AX3", "the leader lies on top of the squad"


def test_a_weapon_under_its_possessor_is_still_his_and_alone_it_is_nobodys() -> None:
    cg = battle()
    found = written(cg)
    weapon = remove(found, "LMG", "C4")
    found.stacks["C4", 1].insert(0, weapon)
    read_ = read(cg, found)
    assert row(read_, "AX2")["with"] == "AX1", "as before"
    assert read_.settled
    found = written(cg)
    weapon = remove(found, "LMG", "C4")
    found.put("C5", weapon)
    read_ = read(cg, found)
    assert (row(read_, "AX2")["at"], row(read_, "AX2")["with"]) == ("C5", "")
    assert read_.settled


def test_a_weapon_under_men_who_did_not_have_it() -> None:
    cg = battle()
    cg.state = cg.state.with_unit("AX2", lambda one: one.but(with_unit=""))
    found = written(cg)
    weapon = remove(found, "LMG", "C4")
    found.stacks["C4", 1].insert(0, weapon)
    read_ = read(cg, found)
    assert keys(read_.to_confirm) == ["with:AX2"]
    assert {one.value for one in read_.to_confirm[0].candidates} == {"nobody", "AX1", "AX3"}
    taken = read(cg, found, choices={"with:AX2": "AX3"})
    assert row(taken, "AX2")["with"] == "AX3"
    assert taken.settled


def test_weapons_go_by_their_possessor_where_groups_differ() -> None:
    cg = two_groups()
    found = written(cg)
    found.put("B2", found.counter("LMG", code="ge"))
    read_ = read(cg, found)
    assert row(read_, "AX2")["with"] == "AX1"
    stray = read_.unknown[0]
    assert (stray.what, stray.where) == ("LMG", "B2")
    assert [one.value for one in stray.candidates] == ["unit:AX10", "leave"]
    taken = read(cg, found, choices={stray.key: "unit:AX10"})
    assert (row(taken, "AX10")["at"], row(taken, "AX10")["with"]) == ("B2", "")


def test_a_weapon_that_lies_with_the_enemy_alone_may_be_captured() -> None:
    cg = battle()
    found = written(cg)
    found.stacks["D7", 0].append(remove(found, "LMG", "C4"))
    found.stacks["D7", 0][-1] = replace(found.stacks["D7", 0][-1], at=found.stacks["D7", 0][0].at)
    read_ = read(cg, found)
    assert [(one.key, one.taken) for one in read_.to_confirm] == [("unit:AX2", "captured")]
    assert row(read_, "AX2") == {"unit": "AX2", "fate": "captured"}


def test_a_weapon_of_the_enemy_in_own_hands_is_taken() -> None:
    cg = battle()
    found = written(cg)
    lay(found, "C4", "4-6-7 1sq", found.counter("LMG", code="ru"))
    read_ = read(cg, found)
    assert [(one.what, one.taken) for one in read_.to_confirm] == [("LMG", "yes")]
    assert read_.report["taken"] == [{"type": "LMG", "by": "AX1", "marks": []}]
    assert read_.problems == ()
    no = read(cg, found, choices={read_.to_confirm[0].key: "no"})
    assert no.report["taken"] == []


def test_a_captured_weapon_of_the_record_is_found_again() -> None:
    cg = battle()
    made = Unit(
        id="AX11", side="axis", nation="russian", type="MMG", kind="sw", place=Place.MAP,
        at="C4", with_unit="AX1", marks=frozenset({Mark.CAPTURED}), known=True,
    )  # fmt: skip
    cg.state = UnitJoined(unit=made).apply(cg.state)
    read_ = read(cg, written(cg))
    assert (row(read_, "AX11")["at"], row(read_, "AX11")["with"]) == ("C4", "AX1")
    assert read_.settled
    assert read_.report["taken"] == []


def test_men_stacked_with_a_vehicle_may_be_aboard() -> None:
    cg = battle()
    found = written(cg)
    found.put("E5", remove(found, "8-0", "D4"), pile=1)
    read_ = read(cg, found)
    assert keys(read_.to_confirm) == ["with:AX4"]
    assert "with" not in row(read_, "AX4")
    aboard = read(cg, found, choices={"with:AX4": "AX5"})
    assert row(aboard, "AX4")["with"] == "AX5"


def test_a_passenger_of_the_record_is_aboard_while_he_is_in_the_stack() -> None:
    cg = battle()
    cg.state = cg.state.with_unit("AX4", lambda one: one.but(at="E5", with_unit="AX5"))
    read_ = read(cg, written(cg))
    assert row(read_, "AX4")["with"] == "AX5"
    found = written(cg)
    found.put("E4", remove(found, "8-0", "E5"))
    assert row(read(cg, found), "AX4")["with"] == ""


# Prisoners ---------------------------------------------------------------------------------------


def test_prisoners_are_guarded_where_the_enemy_is_seen() -> None:
    cg = battle()
    found = written(cg)
    remove(found, "8-0", "D4")
    captive = found.counter("geLDR", layer("Prisoner +"), layer("8-0"), code="ge")
    found.put("D7", captive, pile=0)
    read_ = read(cg, found)
    got = row(read_, "AX4")
    assert (got["at"], got["marks"], got["with"]) == ("D7", ["prisoner"], "guard")
    assert read_.problems == ()
    found.put("D6", found.stacks["D7", 0].pop(), pile=3)
    got = row(read(cg, found), "AX4")
    assert (got["marks"], got.get("with", "")) == (["prisoner", "unguarded"], "")


def test_a_counter_for_prisoners_is_asked() -> None:
    cg = battle()
    found = written(cg)
    found.put("D7", found.marker("POW / Unarmed"))
    read_ = read(cg, found)
    assert [one.why for one in read_.unknown] == ["stands for prisoners; if they are yours, which are they?"]


# What nobody knows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        ("7-7-7 Xsq", "ge", "your nation does not have this type"),
        ("4-6-7 2hs", "ge", "your nation does not have this type"),
        ("7-6-8 Msq", "am", "nothing tells whose it is"),
        ("Panther X", "sh", "a piece of a kind that is not known here"),
    ],
)
def test_pieces_that_nobody_knows_are_listed(name: str, code: str, why: str) -> None:
    cg = battle()
    found = written(cg)
    found.put("F3", found.counter(name, code=code))
    read_ = read(cg, found)
    assert [(one.what, one.where, one.why) for one in read_.unknown] == [(name, "F3", why)]
    key = read_.unknown[0].key
    assert read(cg, found, choices={key: "leave"}).settled


def test_a_nation_that_no_picture_tells_is_told_by_the_type() -> None:
    cg = battle()
    found = written(cg)
    remove(found, "5-4-8 1sq", "D5")
    found.put("D5", found.counter("5-4-8 Esq"))
    assert row(read(cg, found), "AX7")["at"] == "D5"


def test_a_type_that_both_sides_have_is_asked_if_no_picture_tells() -> None:
    cg = battle()
    cg.state, mine = unit(cg.state, "axis", "4-4-7", "squad", "I4", known=True)
    found = written(cg)
    remove(found, "4-4-7 1sq", "I4")
    found.put("I5", found.counter("4-4-7 1sq"))
    read_ = read(cg, found)
    assert [(one.where, one.taken) for one in read_.to_confirm] == [("I5", f"unit:{mine.id}")]
    assert "both sides have this type" in read_.to_confirm[0].why
    assert row(read_, mine.id)["at"] == "I5"


def test_a_name_with_an_addition_is_asked() -> None:
    cg = battle()
    cg.state = cg.state.with_unit("AX5", lambda one: one.but(type="StuG IIIG"))
    found = written(cg)
    old = remove(found, "StuG IIIG", "E5")
    found.stacks["E5", 1].insert(0, replace(found.counter("StuG IIIG (L)", code="ge"), at=old.at))
    read_ = read(cg, found)
    assert row(read_, "AX5")["at"] == "E5"
    (asked,) = read_.to_confirm
    assert asked.why == "looks like StuG IIIG (AX5), but its counter is called StuG IIIG (L)"
    assert read(cg, found, choices={asked.key: asked.taken}).settled
