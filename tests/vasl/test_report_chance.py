"""Battles by chance: nothing on the map is dropped, and what is told is nothing secret."""

from __future__ import annotations

import json
import re
import time
from collections import Counter as Count
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError, RefusedError
from laager.hexmap import HexMap
from laager.rules.board.report.flow import report_question
from laager.rules.platoon_leader.report.form import BattleReport
from laager.vasl.archive import Archive
from laager.vasl.report.answering import make_proposal
from laager.vasl.report.places import NationCodes, visible_pieces
from laager.vasl.report.proposal import MAX_TOKENS, UNIT_KINDS
from laager.vasl.saves.placing import shapes_in
from laager.vasl.saves.save import read_save, save_of
from tests.platoon_leader.battle import battle
from tests.platoon_leader.small import map_data
from tests.tries import tries

from .battle_saves import PASSWORDS, Battle
from .save_writer import Counter, concealed, hidden, layer
from .test_matching import SHAPES, written

NATIONS = {
    "axis": NationCodes(frozenset({"ge", "ss"}), frozenset({"ru"})),
    "allied": NationCodes(frozenset({"ru"}), frozenset({"ge", "ss"})),
}
PIECES = (
    *("4-6-7 1sq", "2-4-7 1hs", "4-4-7 2sq", "5-4-8 Esq", "2-3-8 Ehs", "8-3-8 Esq", "2-2-8 Icr"),
    *("4-4-7 1sq", "2-3-7 1hs", "6-2-8 Esq", "Hero", "LMG", "MMG", "DC", "PzKw IVF2", "T-34 M41"),
    *("PzKw IVF2 Wreck", "T-34 M41 Wreck", "76L ART obr. 39", "8-1 AL", "Prisoner SQ", "Odd"),
    *("Pin", "CX", "DM", "Melee", "Immob.", "Blaze", "Flame", "Rubble", "Wire", "Foxhole"),
    *("GE Control", "RU Control", "Smoke", "1-2-7 Vcr", "Cloak", "Building", "Trench"),
)
HEXES = tuple(f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 11))


def shuffled(found: Battle, rng: Random) -> Battle:
    """Move, remove and add pieces by chance."""
    for key in list(found.stacks):
        for one in list(found.stacks[key]):
            chance = rng.random()
            if chance < 0.3:
                found.stacks[key].remove(one)
            if chance < 0.2:
                found.put(rng.choice(HEXES), one, pile=rng.randrange(3))
    for _ in range(rng.randrange(25)):
        name, code = rng.choice(PIECES), rng.choice(("ge", "ru", "sh", "am"))
        password = rng.choice([*PASSWORDS.values(), "both-sides-5"])
        traits = rng.choice([(), (), (), (hidden(password),), (concealed(password, code),), (layer("broken +"),)])
        map_ = rng.choice(["Main Map", "Main Map", "Main Map", "Casualties"])
        made = found.counter(name, *traits, code=code, map_=map_)
        found.put(rng.choice([*HEXES, *HEXES, ""]), made, pile=rng.randrange(3))
    # A stack lies on one map.
    stacks: dict[tuple[str, int], list[Counter]] = {}
    for key, counters in found.stacks.items():
        for one in counters:
            stacks.setdefault((key[0], key[1] + 100 * (one.map != "Main Map")), []).append(one)
    return Battle(found.code, found.rows, stacks)


@tries(25)
@given(st.integers(0, 2**32), st.sampled_from(["axis", "allied"]))
def test_every_piece_is_in_some_list(seed: int, side: str) -> None:
    rng = Random(seed)
    cg = battle()
    found = shuffled(written(cg), rng)
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    question = report_question(BattleReport, cg, side)
    try:
        read = make_proposal(cg, question, save)
    except DataError as err:
        assert "most of your pieces" in str(err)  # noqa: PT017 - the only refusal there can be
        return
    listed = Count(
        one.key.removeprefix("piece:") for one in (*read.certain, *read.open) if one.key.startswith("piece:")
    )
    assert set(listed.values()) <= {1}, "no piece is told twice"
    seen = visible_pieces(save, NATIONS[side])
    pieces = {piece.id for piece in seen if piece.kind in UNIT_KINDS}
    passed = sum(count for what, count in read.passed_over.items() if "pieces" in what or
                 "wrecks" in what)  # fmt: skip
    masked = sum(piece.concealed_by is not None and piece.unit == "?" for piece in seen)
    assert len(pieces & set(listed)) + passed >= len(pieces)
    assert passed <= len(pieces) - len(pieces & set(listed)) + masked
    units = [row["unit"] for row in read.report["units"]]
    assert sorted(units) == sorted(unit.id for unit in cg.state.units_of(side))
    enemy = PASSWORDS["allied" if side == "axis" else "axis"]
    text = json.dumps(read.describe())
    assert enemy not in text
    assert PASSWORDS[side] not in text
    hidden_ids = {piece.id for piece in save.pieces} - {piece.id for piece in seen}
    assert not hidden_ids & set(listed)


@tries(15)
@given(st.integers(0, 2**32))
def test_any_choices_among_the_candidates_are_accepted(seed: int) -> None:
    rng = Random(seed)
    cg = battle()
    found = shuffled(written(cg), rng)
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    question = report_question(BattleReport, cg, "axis")
    choices: dict[str, str] = {}
    try:
        read = make_proposal(cg, question, save)
        for _ in range(400):
            if not read.open:
                break
            one = rng.choice(read.open)
            choices[one.key] = rng.choice(one.candidates).value
            read = make_proposal(cg, question, save, choices=choices)
    except DataError as err:
        # A later choice may take back or change what an earlier one was about: this is told by its key.
        assert re.search(r" to settle|is not one of the choices|most of your", str(err))  # noqa: PT017
        return
    assert read.open == ()


def test_too_many_pieces_are_refused_within_seconds() -> None:
    cg = battle()
    found = written(cg)
    for number in range(MAX_TOKENS + 1):
        found.put(HEXES[number % len(HEXES)], found.counter("4-6-7 1sq", code="ge"), pile=number)
    save = save_of(Archive(found.save(), "own.vsav"), SHAPES)
    question = report_question(BattleReport, cg, "axis")
    began = time.process_time()
    with pytest.raises(DataError, match="pieces that could be units of yours"):
        make_proposal(cg, question, save)
    assert time.process_time() - began < 2


SAVES = Path(__file__).parents[3] / "shared" / "data" / "saves"
BOARDS = SAVES.parent / "boards"


@pytest.mark.skipif(not SAVES.is_dir(), reason="the example saves are not here")
@pytest.mark.parametrize("path", sorted(SAVES.glob("*.vsav")), ids=lambda path: path.stem)
def test_real_saves_are_read_against_a_campaign(path: Path) -> None:
    """Saves of other battles: refused as those of another map, or all of it is told."""
    cg = battle()
    data: dict[str, Any] = dict(map_data())
    data["hexes"] = [[f"4{one[0]}", *one[1:]] for one in data["hexes"]]
    data["buildings"], data["names"] = [], {}
    cg.replace_map(HexMap.from_data(data))
    question = report_question(BattleReport, cg, "axis")
    save = read_save(path, shapes_in(BOARDS))
    try:
        read = make_proposal(cg, replace(question, check=lambda _: ()), save)
    except (DataError, RefusedError) as err:
        assert "are not those of the map" in str(err) or "most of your" in str(err)  # noqa: PT017
        return
    assert read.describe()["key"] == "battle-report"
