"""A battle written as a save: what stands where, for whose eyes, as Laager itself and as VASL's engine reads it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from laager.rules.board.facts import FortJoined, UnitJoined
from laager.rules.board.units import Fort
from laager.vasl import unveil
from laager.vasl.archive import Archive
from laager.vasl.saves.game import Save
from laager.vasl.saves.placing import shapes_in
from laager.vasl.saves.save import save_of
from laager.vasl.setup.battle import BattleSetup, setup_of
from laager.vasl.setup.board import Battlefield, boards_at
from laager.vasl.setup.module import VaslModule, read_module
from laager.vasl.setup.plan import OPEN
from laager.vasl.setup.writing import mark_of

from .engine import MODULE, Told, needs_module
from .fields import CODE, battle, board_under, first_battle

NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
SIDES = ("axis", "allied")


@cache
def module() -> VaslModule:
    return read_module(MODULE)


def made(card: str, side: str | None, folder: Path) -> BattleSetup:
    """Return the setup of a shipped campaign on a board of ours."""
    campaign = first_battle(card)
    board_under(campaign, folder)
    return setup_of(campaign, side, module(), boards_at(folder), CODE, [CODE])


def read(data: bytes, folder: Path) -> Save:
    return save_of(Archive(data, "battle.vsav"), shapes_in(folder))


def differences(setup: BattleSetup, told: Told) -> list[str]:
    """Return where the engine has something else than was written: name, hex, snap point, stack."""
    assert isinstance(setup.ground, Battlefield)
    found, pieces, stacks = [], told.by_id, told.stacks
    for pile in setup.plan.piles:
        name = pile.where.split(".")[0]
        on_map = name in setup.ground.map
        ids = [mark_of(one.key, pile.seen, setup.marks) for one in pile.pieces]
        for mark, one in zip(ids, pile.pieces, strict=True):
            piece = pieces.pop(mark, None)
            if piece is None:
                found.append(f"{one.key} is missing")
                continue
            where = (piece["x"], piece["y"]), piece["true_name"]
            # The engine's true name is that with nothing hidden.
            name_ = one.counter.naming.shown.replace("(HIP)", "").replace("(?)", "")
            if where != (pile.at, name_):
                found.append(f"{one.key}: {where} for {pile.at} {name_}")
            if on_map and (piece["location"] != name or not piece["snapped"]):
                found.append(f"{one.key}: {piece['location']} for {name}")
        stacked = [mark for mark, one in zip(ids, pile.pieces, strict=True) if one.counter.stacks]
        if stacked and [one["id"] for one in stacks[told.by_id[stacked[0]]["stack"]]] != stacked:
            found.append(f"{pile.where}: another stack")
    return [*found, *(f"{one['name']} was not written" for one in pieces.values())]


@needs_module
@pytest.mark.parametrize("card", ["rzhavets", "sorgiva"])
@pytest.mark.parametrize("side", SIDES)
def test_a_setup_is_read_back_as_it_was_written(card: str, side: str, tmp_path: Path) -> None:
    setup = made(card, side, tmp_path)
    save = read(setup.save(NOW).data, tmp_path)
    pieces = {piece.id: piece for piece in save.pieces}
    assert isinstance(setup.ground, Battlefield)
    for pile in setup.plan.piles:
        for one in pile.pieces:
            piece = pieces.pop(mark_of(one.key, pile.seen, setup.marks))
            assert (piece.x, piece.y) == pile.at
            assert piece.name == one.counter.name
            if pile.where in setup.ground.map:
                assert piece.place.hex == pile.where
    assert not pieces
    units = [unit for unit in first_battle(card).state.units.values() if unit.side == side and unit.on_map]
    written = {one.key for pile in setup.plan.piles for one in pile.pieces}
    assert {f"unit:{unit.id}" for unit in units} <= written


@needs_module
@pytest.mark.parametrize("card", ["rzhavets", "rijnoord", "kokusa-ridge", "sorgiva"])
def test_each_side_gets_its_own_secrets_and_none_of_the_others(card: str, tmp_path: Path) -> None:
    """Whatever the enemy keeps secret is in no byte of a side's file: neither his units nor their number."""
    campaign = first_battle(card)
    setups = {side: made(card, side, tmp_path) for side in (*SIDES, None)}
    open_keys = {one.key for pile in setups[None].plan.piles for one in pile.pieces}
    for side in SIDES:
        own = {one.key for pile in setups[side].plan.secret for one in pile.pieces}
        public = {one.key for pile in setups[side].plan.piles if pile.seen == OPEN for one in pile.pieces}
        assert public == open_keys
        foreign = [unit.id for unit in campaign.state.units.values() if unit.side != side and not unit.known]
        assert own.isdisjoint(f"unit:{one}" for one in foreign)
        assert own


@needs_module
@pytest.mark.parametrize("side", SIDES)
def test_what_the_enemy_keeps_secret_changes_not_a_byte(side: str, tmp_path: Path) -> None:
    """More hidden units and works of the enemy: a side's file and the common one stay the same, to the byte."""
    campaign = battle("rzhavets")
    board_under(campaign, tmp_path)

    def written(for_: str | None) -> bytes:
        return setup_of(campaign, for_, module(), boards_at(tmp_path), CODE, [CODE]).save(NOW).data

    before = [written(side), written(None)]
    enemy = "allied" if side == "axis" else "axis"
    own = next(one for one in campaign.state.units.values() if one.side == enemy and one.kind == "squad")
    fort = Fort(id="ZZ901", side=enemy, kind="wire", at=own.at)
    campaign.declare(UnitJoined(unit=own.but(id="ZZ900", known=False), why="hidden", to=(enemy,)))
    campaign.declare(FortJoined(fort=fort, why="hidden", to=(enemy,)))
    assert [written(side), written(None)] == before
    theirs = setup_of(campaign, enemy, module(), boards_at(tmp_path), CODE, [CODE])
    assert {"unit:ZZ900", "fort:ZZ901:0"} <= {one.key for pile in theirs.plan.secret for one in pile.pieces}


@needs_module
def test_no_word_of_a_player_or_a_developer_is_in_a_file(tmp_path: Path) -> None:
    for side in (*SIDES, None):
        archive = Archive(made("sorgiva", side, tmp_path).save(NOW).data, "battle.vsav")
        game, _ = unveil(archive.read("savedGame"))
        texts = game + archive.read("savedata").decode()
        assert "votg2019" not in texts
        assert "David Sullivan" not in texts
        assert "prototype;" not in texts
