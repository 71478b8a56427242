"""The dice of a battle, as they stand with its report."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign import table_dice
from laager.campaign.table_dice import TableRoll, by_player, recorded_rolls

NAMES = st.sampled_from(["", "Ann", "Bjørn <b>"])
FACES = st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple)
ROLLS = st.lists(st.builds(TableRoll, NAMES, NAMES, st.sampled_from(["DR", "dr", "3d6"]), FACES), max_size=20)
UNREADABLE = [None, 7, [7], [["Ann"]], [["Ann", "", "DR", []]], [["Ann", "", "DR", [True]]], {"a": 1}]


@given(ROLLS)
def test_what_is_recorded_is_read_again(rolls: list[TableRoll]) -> None:
    assert recorded_rolls({"dice": [one.record() for one in rolls]}) == tuple(rolls)


@pytest.mark.parametrize("found", UNREADABLE)
def test_what_cannot_be_read_is_no_roll(found: object) -> None:
    assert recorded_rolls({"dice": found}) == ()
    assert table_dice.rolls_in_words({"dice": found}) == ""


def test_a_battle_has_only_so_many_rolls() -> None:
    one = TableRoll("Ann", "IFT", "DR", (1, 2)).record()
    assert len(recorded_rolls({"dice": [one] * (table_dice.MOST + 5)})) == table_dice.MOST


def test_players_are_told_with_their_averages() -> None:
    rolls = [TableRoll("Ann", "IFT", "DR", faces) for faces in ((1, 2), (6, 6))]
    rolls += [TableRoll("", "", "dr", (4,)), TableRoll("Bob", "", "3d6", (1, 1, 1))]
    assert by_player(rolls) == "Ann 2 DR (average 7.50), ? 1 dr (average 4.00)"
    assert by_player(rolls[3:]) == "1"
    assert str(rolls[0]) == "Ann, IFT DR: 1,2"
