"""Pieces matched to units: a battle of Platoon Leader read back from saves that the tests write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from laager.base import DataError
from laager.rules.board.facts import UnitMarked
from laager.rules.board.report.flow import report_question
from laager.rules.board.units import Mark, Place
from laager.rules.platoon_leader.report.form import BattleReport
from laager.vasl.archive import Archive
from laager.vasl.report.answering import make_proposal
from laager.vasl.report.findings import SaveFinding
from laager.vasl.report.proposal import Proposal
from laager.vasl.saves.save import save_of
from tests.platoon_leader.battle import battle
from tests.platoon_leader.harness import unit

from .battle_saves import PASSWORDS, Battle, as_recorded, shapes
from .save_writer import Counter, hidden, label, layer

SHAPES = shapes("WT", 13, 10)


def written(cg: Any, **more: Any) -> Battle:
    """Return the battle as it is on the record, as counters."""
    return as_recorded(cg.state.units.values(), "WT", 10, **more)


def read(
    cg: Any, found: Battle, side: str = "axis", choices: Mapping[str, str] | None = None, owner: int | None = None
) -> Proposal:
    """Return what a side is proposed out of a save; its OBA was not used."""
    question = report_question(BattleReport, cg, side)
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    unused = {f"oba:{module['group']}": "no" for module in question.default["oba"]}
    return make_proposal(cg, question, save, owner, unused | dict(choices or {}))


def row(found: Proposal, unit_id: str) -> Mapping[str, Any]:
    return next(one for one in found.report["units"] if one["unit"] == unit_id)


def keys(findings: tuple[SaveFinding, ...]) -> list[str]:
    return [one.key for one in findings]


def remove(found: Battle, name: str, at: str) -> Counter:
    """Take the first counter of this name from a hex."""
    for (where, _), counters in found.stacks.items():
        for one in counters:
            if where == at and (one.name == name or any(name in part[0] for part in one.traits)):
                counters.remove(one)
                return one
    raise AssertionError(name)


def lay(found: Battle, at: str, on: str, *counters: Counter) -> None:
    """Lay counters right on top of the first one of a name in a hex."""
    for (where, _), there in found.stacks.items():
        for i, one in enumerate(there):
            if where == at and one.name == on:
                there[i + 1 : i + 1] = [replace(new, at=one.at) for new in counters]
                return
    raise AssertionError(on)


# As it is recorded -------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_an_unchanged_battle_is_certain_and_changes_nothing(side: str) -> None:
    cg = battle()
    found = read(cg, written(cg), side)
    assert (found.settled, found.problems, found.open) == (True, (), ())
    before = {one["unit"]: one for one in BattleReport.unchanged_answer(cg, side)["units"]}
    after = {one["unit"]: one for one in found.report["units"]}
    assert after == before


def test_the_proposal_tells_all_of_itself_as_plain_values() -> None:
    cg = battle()
    told = read(cg, written(cg)).describe()
    assert told["settled"] is True
    assert told["key"] == "battle-report"
    assert {one["key"] for one in told["certain"]} >= {"piece:1", "piece:2"}
    assert "CVP besides those for losses" in told["not_told"]
    assert told["passed_over"]["pieces of the other side"] == 5, "hidden ones are not counted"


def test_what_became_of_oba_is_always_asked() -> None:
    cg = battle()
    question = report_question(BattleReport, cg, "axis")
    save = save_of(Archive(written(cg).save(), "own.vsav"), SHAPES)
    found = make_proposal(cg, question, save)
    assert [(one.key, one.taken) for one in found.to_confirm] == [("oba:O1/1", "no")]
    used = read(cg, written(cg), choices={"oba:O1/1": "used"})
    assert used.report["oba"] == [{"group": "O1/1", "used": True}]


# Moved, and in another state ---------------------------------------------------------------------


def test_units_that_moved_are_the_nearest_of_their_sort() -> None:
    cg = battle()
    found = written(cg)
    tank = remove(found, "PzKw IVF2", "E5")
    found.put("F6", tank)
    leader = remove(found, "8-1 AL", "E5")
    found.put("F6", leader)
    read_ = read(cg, found)
    assert read_.settled
    assert row(read_, "AX5")["at"] == "F6"
    assert (row(read_, "AX6")["at"], row(read_, "AX6")["with"]) == ("F6", "AX5")


@pytest.mark.parametrize(
    ("on", "at", "markers", "unit_id", "marks"),
    [
        ("4-6-7 1sq", "C4", ["CX"], "AX1", ["cx"]),
        ("4-6-7 1sq", "C4", ["DM"], "AX1", ["broken", "dm"]),
        ("4-6-7 1sq", "C4", ["Pin", "Encircled"], "AX1", ["pin", "encircled"]),
        ("4-6-7 1sq", "C4", ["Prep Fire"], "AX1", []),
        ("PzKw IVF2", "E5", ["Immob.", "STUN"], "AX5", ["stun", "immobilized"]),
        ("PzKw IVF2", "E5", ["MA Malf"], "AX5", ["ma-malfunctioned"]),
        ("PzKw IVF2", "E5", ["MG malf"], "AX5", ["malfunctioned"]),
        ("PzKw IVF2", "E5", ["MA Malf", "CMG malf"], "AX5", ["malfunctioned", "ma-malfunctioned"]),
        ("PzKw IVF2", "E5", ["Motion"], "AX5", ["motion"]),
    ],
)
def test_counters_on_a_unit_are_its_markers(
    on: str, at: str, markers: list[str], unit_id: str, marks: list[str]
) -> None:
    cg = battle()
    found = written(cg)
    lay(found, at, on, *(found.marker(name) for name in markers))
    read_ = read(cg, found)
    assert row(read_, unit_id)["marks"] == marks
    assert read_.settled


def test_what_the_report_does_not_ask_for_is_counted() -> None:
    cg = battle()
    found = written(cg)
    lay(found, "C4", "4-6-7 1sq", found.marker("Prep Fire"))
    over = read(cg, found).passed_over
    assert over["status that the report does not ask for: prep fire"] == 1


def test_names_tell_broken_wounded_and_malfunctioned() -> None:
    cg = battle()
    found = written(cg)
    for name, at, layers in (
        ("4-6-7 1sq", "C4", [layer("broken +")]),
        ("LMG", "C4", [layer("malf +")]),
        ("geLDR", "D4", [layer("8-0"), layer("Wnd +")]),
    ):
        old = remove(found, name, at)
        new = found.counter(name, *reversed(layers), code="ge")
        found.stacks[at, 1].insert(0 if name == "4-6-7 1sq" else 1, new)
        index = found.stacks[at, 1].index(new)
        found.stacks[at, 1][index] = replace(new, at=old.at)
    read_ = read(cg, found)
    assert row(read_, "AX1")["marks"] == ["broken"]
    assert row(read_, "AX2")["marks"] == ["malfunctioned"]
    assert row(read_, "AX4")["marks"] == ["wounded"]
    assert read_.settled


def test_a_counter_above_another_unit_is_asked_about() -> None:
    cg = battle()
    found = written(cg)
    lay(found, "C4", "geLDR", found.marker("CX"))
    read_ = read(cg, found)
    assert row(read_, "AX3")["marks"] == ["cx"]
    assert row(read_, "AX1")["marks"] == []
    assert keys(read_.to_confirm) == ["cx:AX1"]
    settled = read(cg, found, choices={"cx:AX1": "yes"})
    assert row(settled, "AX1")["marks"] == ["cx"]
    assert settled.settled


def test_a_melee_is_that_of_all_in_the_stack() -> None:
    cg = battle()
    found = written(cg)
    lay(found, "C4", "geLDR", found.marker("Melee"))
    read_ = read(cg, found)
    assert row(read_, "AX1")["marks"] == row(read_, "AX3")["marks"] == ["melee"]


def test_a_concealment_counter_conceals_and_nobody_gets_hidden_in_play() -> None:
    cg = battle()
    found = written(cg)
    lay(found, "C4", "geLDR", Counter("90", "?", [(f"concealment;{PASSWORDS['axis']};ge", "")]))
    read_ = read(cg, found)
    assert row(read_, "AX1")["marks"] == row(read_, "AX3")["marks"] == ["concealed"]
    assert read_.settled
    found = written(cg)
    new = found.counter("geLDR", hidden(PASSWORDS["axis"]), code="ge", level="8-0")
    remove(found, "8-0", "D4")
    found.put("D4", new)
    assert [one.what for one in read(cg, found).problems] == ["the enemy knows 8-0 (AX4), so it can't be HIP"]


def test_marks_of_the_record_that_the_save_does_not_show() -> None:
    cg = battle()
    for unit_id, mark in (("AX4", Mark.WOUNDED), ("AX5", Mark.IMMOBILIZED)):
        cg.state = UnitMarked(unit=unit_id, add=frozenset({mark})).apply(cg.state)
    read_ = read(cg, written(cg))
    assert row(read_, "AX4")["marks"] == ["wounded"], "wounds do not heal in play"
    assert "kept:AX4" in keys(read_.certain)
    assert keys(read_.to_confirm) == ["immobilized:AX5"]
    again = read(cg, written(cg), choices={"immobilized:AX5": "yes"})
    assert row(again, "AX5")["marks"] == ["immobilized"]


# Which of several --------------------------------------------------------------------------------


def two_groups() -> Any:
    """Return the battle with a second 4-6-7 on the map, of another group."""
    cg = battle()
    cg.state, _ = unit(cg.state, "axis", "4-6-7", "squad", "I4", group="I2/1", known=True)
    return cg


def test_units_of_different_groups_that_moved_are_asked_the_nearest_is_proposed() -> None:
    cg = two_groups()
    found = written(cg)
    for at, to in (("C4", "D6"), ("I4", "H6")):
        found.put(to, remove(found, "4-6-7 1sq", at))
    read_ = read(cg, found)
    assert [(one.where, one.taken) for one in read_.to_confirm if one.key.startswith("piece")] == [
        ("D6", "unit:AX1"),
        ("H6", "unit:AX11"),
    ]
    first = read_.to_confirm[0]
    values = {one.value for one in first.candidates}
    assert values == {"unit:AX1", "unit:AX9", "unit:AX11", "leave"}
    assert not read_.settled


def test_a_choice_settles_and_the_others_follow() -> None:
    cg = two_groups()
    found = written(cg)
    moved = [remove(found, "4-6-7 1sq", at) for at in ("C4", "I4")]
    found.put("D6", moved[0])
    found.put("H6", moved[1])
    other = read(cg, found, choices={f"piece:{moved[0].id}": "unit:AX11"})
    assert row(other, "AX11")["at"] == "D6"
    assert row(other, "AX1")["at"] == "H6"


def test_choices_are_checked() -> None:
    cg = two_groups()
    found = written(cg)
    piece = remove(found, "4-6-7 1sq", "C4")
    found.put("D6", piece)
    with pytest.raises(DataError) as caught:
        read(cg, found, choices={"piece:999": "leave", f"piece:{piece.id}": "unit:AL1"})
    assert {one.what for one in caught.value.problems} == {
        "there is nothing called 'piece:999' to settle",
        "'unit:AL1' is not one of the choices",
    }


def test_who_stands_where_he_stood_is_certain() -> None:
    cg = two_groups()
    found = written(cg)
    found.put("D6", remove(found, "4-6-7 1sq", "C4"))
    read_ = read(cg, found)
    assert row(read_, "AX11")["at"] == "I4"
    why = next(one.why for one in read_.certain if one.where == "I4")
    assert why == "is 4-6-7 (AX11); stands where it stood"


def test_a_label_with_the_number_decides() -> None:
    cg = two_groups()
    found = written(cg)
    remove(found, "4-6-7 1sq", "C4")
    remove(found, "4-6-7 1sq", "I4")
    found.put("C6", found.counter("4-6-7 1sq", label("ax11"), code="ge"))
    found.put("I6", found.counter("4-6-7 1sq", label("1st squad AX1"), code="ge"))
    read_ = read(cg, found)
    assert (row(read_, "AX11")["at"], row(read_, "AX1")["at"]) == ("C6", "I6")
    assert not [one for one in read_.to_confirm if one.key.startswith("piece")]


def test_an_identity_letter_on_the_label_decides() -> None:
    cg = battle()
    for letter in "AB":
        cg.state, _ = unit(cg.state, "axis", "4-4-7", "squad", "I4", name=letter, known=True)
    found = written(cg)
    for at, letter in (("J5", "B"), ("H5", "A")):
        remove(found, "4-4-7 1sq", "I4")
        found.put(at, found.counter("4-4-7 1sq", label(letter), code="ge"))
    read_ = read(cg, found)
    assert (row(read_, "AX11")["at"], row(read_, "AX12")["at"]) == ("H5", "J5")
    assert read_.settled


def test_more_pieces_than_units_are_asked() -> None:
    cg = battle()
    found = written(cg)
    found.put("D5", found.counter("5-4-8 Esq", code="ge"))
    read_ = read(cg, found)
    assert [one.why for one in read_.to_confirm] == ["2 such pieces, but only 1 such units; the nearest"]
    assert [one.why for one in read_.unknown] == ["no unit on the record is left that it could be"]
    chosen = {one.key: one.taken for one in (*read_.to_confirm, *read_.unknown)}
    assert read(cg, found, choices=chosen).settled


# Reduced, Replaced, new --------------------------------------------------------------------------


def swapped(cg: Any, old: str, new: str, at: str = "C4") -> Battle:
    found = written(cg)
    there = found.stacks[at, 1]
    place = next(i for i, one in enumerate(there) if one.name == old)
    there[place] = replace(found.counter(new, code="ge"), at=there[place].at)
    return found


@pytest.mark.parametrize(
    ("piece", "type_", "how"),
    [
        ("2-4-7 1hs", "2-4-7", "Reduced"),
        ("4-4-7 2sq", "4-4-7", "Replaced"),
        ("4-6-8 Esq", "4-6-8", "Battle Hardened"),
        ("2-3-7 2hs", "2-3-7", "Replaced and Reduced"),
    ],
)
def test_a_squad_became_something_else(piece: str, type_: str, how: str) -> None:
    cg = battle()
    # The squad off the map is of another group: one more that it could be.
    cg.state = cg.state.with_unit("AX9", lambda one: one.but(place=Place.ELIMINATED))
    read_ = read(cg, swapped(cg, "4-6-7 1sq", piece))
    assert (row(read_, "AX1")["type"], row(read_, "AX1")["at"]) == (type_, "C4")
    assert any(f"is 4-6-7 (AX1); {how}: was 4-6-7" in one.why for one in read_.certain)
    assert row(read_, "AX2")["with"] == "AX1"
    assert read_.settled


def test_which_of_two_groups_was_reduced_is_asked() -> None:
    cg = battle()
    read_ = read(cg, swapped(cg, "4-6-7 1sq", "2-4-7 1hs"))
    asked = next(one for one in read_.to_confirm if one.what == "2-4-7 1hs")
    assert asked.taken == "unit:AX1"
    assert [one.value for one in asked.candidates] == ["unit:AX1", "unit:AX9", "new", "leave"]
    new = read(cg, swapped(cg, "4-6-7 1sq", "2-4-7 1hs"), choices={asked.key: "new"})
    assert new.report["new"][0]["type"] == "2-4-7"
    assert "unit:AX1" in keys(new.not_found)


def test_a_deployed_squad_is_a_half_squad_and_a_new_one() -> None:
    cg = battle()
    cg.state = cg.state.with_unit("AX9", lambda one: one.but(place=Place.ELIMINATED))
    found = swapped(cg, "4-6-7 1sq", "2-4-7 1hs")
    found.put("D6", found.counter("2-4-7 1hs", code="ge"))
    read_ = read(cg, found)
    assert row(read_, "AX1")["type"] == "2-4-7"
    assert {one.taken for one in read_.to_confirm} == {"unit:AX1", "new:AX1"}
    assert [(one["type"], one["from"], one["at"]) for one in read_.report["new"]] == [("2-4-7", "AX1", "D6")]
    assert read_.problems == ()


def without_reserve() -> Any:
    """Return the battle without the squad that may still enter."""
    cg = battle()
    for unit_id in ("AX9", "AX10"):
        cg.state = cg.state.with_unit(unit_id, lambda one: one.but(place=Place.ELIMINATED))
    return cg


@pytest.mark.parametrize(("restored", "gone"), [(2, 0), (1, 0), (1, 1)])
def test_half_squads_that_an_update_has_made_squads_are_asked_about(restored: int, gone: int) -> None:
    """Two half-squads make one squad: where more are squads than others are gone, VASL's updater has done it."""
    cg = without_reserve()
    cg.state = cg.state.with_unit("AX1", lambda one: one.but(type="2-4-7", kind="half-squad", group=""))
    cg.state, second = unit(cg.state, "axis", "2-4-7", "half-squad", "D4", known=True)
    halves = ("AX1", second.id)
    found = written(cg)
    for number in range(restored):
        squad = remove(found, "2-4-7 1hs", cg.state.units[halves[number]].at)
        found.put(cg.state.units[halves[number]].hex, replace(squad, name="4-6-7 1sq"))
    if gone:
        remove(found, "2-4-7 1hs", cg.state.units[halves[1]].at)
    read_ = read(cg, found)
    asked = [one for one in read_.to_confirm if one.key.startswith("type:")]
    assert len(asked) == (0 if gone else restored)
    assert all("VASL 6.7 turns half-squads" in one.why and one.taken == "2-4-7" for one in asked)
    assert row(read_, halves[0])["type"] == ("4-6-7" if gone else "2-4-7")
    if asked:
        settled = read(cg, found, choices={asked[0].key: "4-6-7"})
        assert row(settled, asked[0].key.removeprefix("type:"))["type"] == "4-6-7"


def test_a_second_squad_of_one_name_may_be_a_half_squad() -> None:
    cg = without_reserve()
    found = written(cg)
    found.put("D6", found.counter("4-6-7 1sq", code="ge"))
    (asked,) = read(cg, found).unknown
    assert "another piece has its name; VASL 6.7 turns half-squads" in asked.why


def test_a_hero_is_new_and_can_have_a_weapon() -> None:
    cg = battle()
    found = written(cg)
    weapon = remove(found, "LMG", "C4")
    found.put("C5", found.counter("Hero", code="ge"), weapon)
    read_ = read(cg, found)
    assert [(one["type"], one["at"]) for one in read_.report["new"]] == [("1-4-9", "C5")]
    assert row(read_, "AX2")["with"] == read_.report["new"][0]["name"] == "fresh 1"
    assert read_.problems == ()


def test_a_wreck_that_burns_and_its_crew() -> None:
    cg = battle()
    found = written(cg)
    remove(found, "PzKw IVF2", "E5")
    remove(found, "8-1 AL", "E5")
    wreck = found.counter("PzKw IVF2 Wreck", code="ge")
    found.put("E6", wreck, found.marker("Blaze"), found.counter("1-2-7 Vcr", code="ge"))
    read_ = read(cg, found)
    assert row(read_, "AX5") == {
        "unit": "AX5", "fate": "eliminated", "at": "E6", "marks": ["wreck", "burning"],
    }  # fmt: skip
    (crew,) = read_.report["new"]
    assert (crew["type"], crew["from"], crew["at"], "name" in crew) == ("1-2-7", "AX5", "E6", False)
    assert keys(read_.not_found) == ["unit:AX6"]
    assert read_.report["fires"] == [], "the blaze is the wreck's"


# Not found ---------------------------------------------------------------------------------------


def test_a_unit_that_is_nowhere_is_asked_and_its_fate_is_chosen() -> None:
    cg = battle()
    found = written(cg)
    remove(found, "8-0", "D4")
    read_ = read(cg, found)
    assert keys(read_.not_found) == ["unit:AX4"]
    assert read_.not_found[0].taken == "as-recorded"
    fates = [one.value for one in read_.not_found[0].candidates]
    assert fates == ["as-recorded", "exited", "objective-exit", "eliminated", "captured",
                     "recalled", "removed"]  # fmt: skip
    lost = read(cg, found, choices={"unit:AX4": "eliminated"})
    assert row(lost, "AX4") == {"unit": "AX4", "fate": "eliminated"}
    assert lost.settled


def test_the_casualties_bin_proposes_eliminated_and_older_losses_do_not_count() -> None:
    cg = battle()
    found = written(cg)
    remove(found, "8-0", "D4")
    for _ in range(2):
        dead = found.counter("geLDR", code="ge", level="8-0", map_="Casualties")
        found.put("", dead, pile=found.number)
    read_ = read(cg, found)
    assert [(one.key, one.taken) for one in read_.to_confirm] == [("unit:AX4", "eliminated")]
    assert row(read_, "AX4")["fate"] == "eliminated"
    assert read_.passed_over["pieces lost that are not units on the record"] == 1


def test_pieces_beside_the_boards_stay_off_the_map_or_are_asked() -> None:
    cg = battle()
    found = written(cg)
    found.put("", found.counter("4-6-7 1sq", code="ge"))
    read_ = read(cg, found)
    assert row(read_, "AX9")["fate"] == "off-map"
    assert read_.settled
    found.put("", remove(found, "8-0", "D4"), pile=7)
    read_ = read(cg, found)
    assert [(one.key, one.taken) for one in read_.to_confirm] == [("unit:AX4", "as-recorded")]


def test_hidden_units_that_are_not_on_the_board_are_asked() -> None:
    cg = battle()
    found = as_recorded([one for one in cg.state.units.values() if not one.has(Mark.HIP)], "WT", 10)
    read_ = read(cg, found, "allied")
    assert [(one.key, one.taken) for one in read_.not_found] == [
        ("unit:AL3", "as-recorded"), ("unit:AL4", "as-recorded"),
    ]  # fmt: skip
    assert "was hidden, and may still be" in read_.not_found[0].why


def test_who_enters_is_found_on_the_map() -> None:
    cg = battle()
    found = written(cg)
    found.put("A3", found.counter("4-6-7 1sq", code="ge"), found.counter("LMG", code="ge"))
    read_ = read(cg, found)
    assert (row(read_, "AX9")["fate"], row(read_, "AX9")["at"]) == ("on-map", "A3")
    assert row(read_, "AX10")["with"] == "AX9"
    assert read_.problems == ()
