"""Dice that were rolled in VASL, entered from its log: only the roll that the player names."""

from __future__ import annotations

import json

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.vasl.saves.rolls import LoggedRoll, rolls_of_dice

from ..cli.conftest import Laager, laager
from .save_writer import game, log, save_bytes, write

__all__ = ["laager"]

CHATS = (
    "*** (Other DR) 3,4 ***   <Ann>      [1 / 1   avg   7.00 (7.00)]    (01.01)",
    "*** (Other dr) 5 ***   <Ann>      [1 / 1   avg   5.00 (5.00)]    (01.02)",
    "*** (Other DR) 6,1 ***   <Bob>      Axis SAN    [1 / 2   avg   7.00 (7.00)]    (01.03)",
    "*** (Other DR) 6,1,2 ***   <Bob>      [1 / 2   avg   7.00 (7.00)]    (01.04)",
    "*** 3d6 = 4,2,6 ***   <Ann>",
)


def logged(*chats: str) -> str:
    return log(game(), *([f"CHAT{one}"] for one in chats))


@pytest.fixture
def waiting(laager: Laager) -> Laager:
    """A campaign whose players roll, at its first roll; a log of VASL beside it."""
    laager.well("new", "rzhavets", "--entered-dice", "--file", "r.laager")
    with FileStore(laager.folder / "r.laager") as store:
        campaign = Campaign(store)
        while not any(one.roll is not None for one in campaign.pending()):
            one = campaign.pending()[0]
            assert one.question is not None
            campaign.answer(one.side, one.key, one.question.default)
    write(laager.folder, logged(*CHATS), "game.vlog")
    return laager


def awaited(table: Laager) -> tuple[str, int]:
    with FileStore(table.folder / "r.laager") as store:
        one = next(one for one in Campaign(store).pending() if one.roll is not None)
        assert one.roll is not None
        return one.side, one.roll.dice.count


def entered(table: Laager) -> list[list[int]]:
    with FileStore(table.folder / "r.laager") as store:
        found = [one.body for one in Campaign(store).entries if one.type == "roll"]
    return [list(body["faces"]) for body in found if body["source"] == "entered"]


def test_rolls_fit_by_the_number_of_their_dice() -> None:
    rolls = [
        LoggedRoll(1, "Ann", "IFT", kind, faces) for kind, faces in (("DR", (1, 2)), ("dr", (3,)), ("DR", (1, 2, 3)))
    ]
    assert list(rolls_of_dice(rolls, 2)) == [1]
    assert list(rolls_of_dice(rolls, 1)) == [2]


def test_nothing_is_entered_before_the_player_says_which(waiting: Laager) -> None:
    side, dice = awaited(waiting)
    done = waiting("answer", "--side", side, "--from-vasl", "game.vlog")
    assert done.code != 0
    assert "which of them is it?" in done.err
    assert ("roll=1: Ann, Other DR: 3,4" in done.out) == (dice == 2)
    assert ("roll=2: Ann, Other dr: 5" in done.out) == (dice == 1)
    assert entered(waiting) == []
    told = json.loads(waiting.well("answer", "--side", side, "--from-vasl", "game.vlog", "--json"))
    assert [one["number"] for one in told["rolls"]] == ([1, 3] if dice == 2 else [2])
    assert entered(waiting) == []


def test_the_roll_that_is_named_is_entered(waiting: Laager) -> None:
    side, dice = awaited(waiting)
    number, faces = ("3", [6, 1]) if dice == 2 else ("2", [5])
    out = waiting.well("answer", "--side", side, "--from-vasl", "game.vlog", "--choose", f"roll={number}")
    assert "entered: " in out
    assert entered(waiting) == [faces]


@pytest.mark.parametrize("number", ["4", "5", "99", "x", "-1"])
def test_a_roll_that_does_not_fit_is_not_entered(waiting: Laager, number: str) -> None:
    side, _ = awaited(waiting)
    done = waiting("answer", "--side", side, "--from-vasl", "game.vlog", "--choose", f"roll={number}")
    assert done.code != 0
    assert "there is no such roll" in done.err
    assert entered(waiting) == []


def test_a_log_without_such_rolls_is_refused(waiting: Laager) -> None:
    side, _ = awaited(waiting)
    (waiting.folder / "none.vlog").write_bytes(save_bytes(game()))
    done = waiting("answer", "--side", side, "--from-vasl", "none.vlog")
    assert "has no" in done.err
    assert entered(waiting) == []


def test_the_dice_of_a_log_are_listed(waiting: Laager) -> None:
    out = waiting.well("vasl", "dice", "game.vlog", COLUMNS="120")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "3 3 Bob Other DR 6,1 Axis SAN" in lines
    assert "Bob DR 2 7.00" in lines
    only = json.loads(waiting.well("vasl", "dice", "game.vlog", "--who", "Ann", "--json"))
    assert {one["who"] for one in only["rolls"]} == {"Ann"}
    assert "nobody called 'Zoe' rolled" in waiting("vasl", "dice", "game.vlog", "--who", "Zoe").err
