"""What a report from a save may not tell: the other side's hidden pieces, and any password."""

from __future__ import annotations

import json
import logging
import re
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import laager.vasl
from laager.base import DataError, RefusedError
from laager.rules.board.report.flow import report_question
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.report.form import BattleReport
from laager.vasl.archive import Archive
from laager.vasl.report.answering import make_proposal
from laager.vasl.report.places import NationCodes, visible_pieces
from laager.vasl.report.proposal import Proposal
from laager.vasl.saves.save import save_of
from tests.platoon_leader.battle import battle

from .battle_saves import PASSWORDS, Battle
from .save_writer import Counter, concealed, hidden, label
from .test_matching import SHAPES, read, row, written

NATIONS = {
    "axis": NationCodes(frozenset({"ge", "ss"}), frozenset({"ru"})),
    "allied": NationCodes(frozenset({"ru"}), frozenset({"ge", "ss"})),
}
ENEMY = {"axis": "allied", "allied": "axis"}


def told(found: Proposal) -> str:
    """Return all that leaves: as JSON, and as an object shows itself."""
    return json.dumps(found.describe()) + repr(found)


def planted() -> tuple[Any, Battle]:
    """Return a battle in which each side has hidden and concealed pieces that nobody else may know.

    Their types are nowhere else in the battle.
    """
    cg = battle()
    found = written(cg)
    for at, side, code, names in (
        ("F8", "allied", "ru", ("6-2-8 Esq", "DC")),
        ("B9", "axis", "ge", ("8-3-8 Esq", "FT")),
    ):
        for name in names:
            found.put(at, found.counter(name, hidden(PASSWORDS[side]), code=code), pile=9)
    for at, side, code, name in (("G8", "allied", "ru", "2-2-6 Chs"), ("G3", "axis", "ge", "4-3-6 Csq")):
        made = found.counter(name, concealed(PASSWORDS[side], code), code=code)
        found.put(at, made, found.marker("DM"), pile=9)
    return cg, found


SECRETS = {"axis": ("8-3-8", "FT", "4-3-6", "B9"), "allied": ("6-2-8", '"DC', "2-2-6", "F8", "76L ART")}
"""What is in nobody's report but that of the side; hidden places too."""


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_the_proposal_knows_nothing_of_the_other_sides_hidden_pieces(side: str) -> None:
    cg, found = planted()
    text = told(read(cg, found, side))
    own = told(read(cg, found, ENEMY[side]))
    for secret in SECRETS[ENEMY[side]]:
        assert secret not in text, secret
    assert any(secret in own for secret in SECRETS[ENEMY[side]]), "the owner sees them"


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_hidden_pieces_of_the_enemy_change_not_a_letter(side: str) -> None:
    """Whatever the enemy hides, the proposal is the same: no count, no gap, no doubt tells it."""
    cg, found = planted()
    without = {}
    for key, counters in found.stacks.items():
        mine = [one for one in counters if not any("hide;" in part[0] for part in one.traits)
                or any(PASSWORDS[side] in part[1] for part in one.traits)]  # fmt: skip
        if mine:
            without[key] = mine
    bare = Battle(found.code, found.rows, without)
    assert read(cg, found, side) == read(cg, bare, side)


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_what_is_concealed_makes_no_difference(side: str) -> None:
    """Other pieces under the enemy's concealment give the same proposal."""
    cg, found = planted()
    other = {
        key: [
            replace(one, name="10-2 AL") if any(PASSWORDS[ENEMY[side]] in part[1] for part in one.traits) else one
            for one in counters
        ]
        for key, counters in found.stacks.items()
    }
    assert read(cg, found, side) == read(cg, Battle(found.code, found.rows, other), side)


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_no_password_leaves(side: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    cg, found = planted()
    words = " ".join(PASSWORDS.values())
    found.put("C4", found.counter("2-4-8 Ehs", label(f"mine {words}"), code="ge"), pile=1)
    found.put("C3", found.counter(f"odd {PASSWORDS['axis']} thing", code="sh"))
    text = told(read(cg, found, side)) + caplog.text
    for password in PASSWORDS.values():
        assert password not in text.replace(f"odd {password} thing", "")


def test_no_refusal_tells_a_password() -> None:
    cg, found = planted()
    data = found.save()
    question = report_question(BattleReport, cg, "axis")
    with pytest.raises(RefusedError) as caught:
        make_proposal(cg, question, save_of(Archive(data, "own.vsav"), SHAPES), 7)
    said = "".join(traceback.format_exception(caught.value))
    assert not any(password in said for password in PASSWORDS.values())


# Whose owner is who -------------------------------------------------------------------------------


def test_an_owner_of_one_nation_only_is_that_sides() -> None:
    _, found = planted()
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    for side, code in (("axis", "ge"), ("allied", "ru")):
        seen = visible_pieces(save, NATIONS[side])
        nations = {piece.nation for piece in seen if piece.hidden_by is not None}
        assert nations == {code}
        masks = {piece.nation for piece in seen if piece.unit == "?" and piece.concealed_by}
        assert masks == {"ge", "ru"} - {code}


def solo() -> tuple[Any, Battle]:
    """Return the battle played by one person: both sides' pieces have the same password."""
    cg, found = planted()
    stacks = {
        key: [
            replace(
                one, traits=[(part[0], part[1].replace(PASSWORDS["allied"], PASSWORDS["axis"])) for part in one.traits]
            )
            for one in counters
        ]
        for key, counters in found.stacks.items()
    }
    return cg, Battle(found.code, found.rows, stacks)


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_of_one_who_hides_for_both_sides_nothing_is_seen(side: str) -> None:
    cg, found = solo()
    read_ = read(cg, found, side)
    for secret in (*SECRETS["axis"], *SECRETS["allied"][:-1]):
        assert secret not in told(read_), secret
    doubts = [one for one in read_.doubts if "say which owner you are" in one]
    assert len(doubts) == 1


@pytest.mark.parametrize("side", ["axis", "allied"])
def test_who_says_that_he_is_the_owner_sees_his_nation(side: str) -> None:
    cg, found = solo()
    text = told(read(cg, found, side, owner=1))
    assert SECRETS[side][0] in text
    for secret in SECRETS[ENEMY[side]][:4]:
        assert secret not in text, secret


@pytest.mark.parametrize("number", [1, 2, 3, 99])
def test_nobody_can_say_that_he_is_the_enemys_owner(number: int) -> None:
    cg, found = planted()
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    own = {piece.hidden_by for piece in save.pieces if piece.nation == "ge" and piece.hidden_by}
    if number in own:
        assert SECRETS["axis"][0] in told(read(cg, found, "axis", owner=number))
        return
    with pytest.raises(RefusedError) as caught:
        read(cg, found, "axis", owner=number)
    # There is such an owner, or there is none: the sentence is the same.
    assert str(caught.value) == f"owner {number} of own.vsav hides or conceals nothing of yours"


def test_captured_weapons_under_the_enemys_cover_stay_there() -> None:
    """A weapon of one's own nation that the enemy hides is the enemy's."""
    _, found = planted()
    prize = found.counter("FT", hidden(PASSWORDS["allied"]), code="ge")
    found.put("F8", prize, pile=9)
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    assert prize.id not in {piece.id for piece in visible_pieces(save, NATIONS["axis"])}
    assert prize.id in {piece.id for piece in visible_pieces(save, NATIONS["allied"])}


def test_dummies_tell_whose_an_owner_is() -> None:
    """An owner with enemy concealment counters and pieces of one's own nation is not one's own."""
    cg = battle()
    found = written(cg)
    spy = "spy-spy-spy"
    found.put("F8", Counter("70", "?", [(f"concealment;{spy};ru", "")]), pile=9)
    found.put("F8", found.counter("8-3-8 Esq", hidden(spy), code="ge"), pile=9)
    assert "8-3-8" not in told(read(cg, found, "axis"))


def test_a_hidden_counter_tells_nothing_through_its_stack() -> None:
    """A level or a status that only an enemy's hidden counter in the stack tells is not read."""
    cg = battle()
    found = written(cg)
    squad = found.stacks["C4", 1]
    for name in ("Trench", "CX"):
        secret = found.counter(name, hidden(PASSWORDS["allied"]))
        squad.append(replace(secret, at=squad[0].at))
    found.put("F8", found.counter("6-2-8 Esq", hidden(PASSWORDS["allied"]), code="ru"), pile=9)
    read_ = read(cg, found)
    assert row(read_, "AX3")["marks"] == []
    assert read_ == read(cg, _without_last(found))


def _without_last(found: Battle) -> Battle:
    stacks = {key: list(counters) for key, counters in found.stacks.items()}
    del stacks["C4", 1][-2:]
    return Battle(found.code, found.rows, {key: one for key, one in stacks.items() if one})


# Files that is not valid ---------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [0, 10, 200, -30])
def test_broken_files_are_refused_as_a_whole(cut: int) -> None:
    cg, found = planted()
    question = report_question(BattleReport, cg, "axis")
    with pytest.raises(DataError) as caught:
        make_proposal(cg, question, save_of(Archive(found.save()[:cut], "own.vsav"), SHAPES))
    said = "".join(traceback.format_exception(caught.value))
    assert not any(password in said for password in PASSWORDS.values())


def test_hidden_units_of_the_side_are_its_own() -> None:
    cg, found = planted()
    read_ = read(cg, found, "allied")
    assert row(read_, "AL3")["marks"] == ["hip"]
    assert row(read_, "AL4")["with"] == "AL3"
    assert cg.state.units["AL3"].has(Mark.HIP)


def test_reports_neither_log_nor_write_nor_hash() -> None:
    for path in (Path(laager.vasl.__file__).parent / "report").glob("*.py"):
        source = path.read_text("utf-8")
        assert not re.search(r"\b(logging|hashlib|print\(|warnings|(?<!def )open\()", source), path.name
