"""How long lists are told in a line."""

from __future__ import annotations

from laager.campaign.telling import MOST_LISTED, brief


def listed(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{number}" for number in range(1, count + 1))


def test_a_long_list_of_locations_shows_the_first_and_how_many_more_there_are() -> None:
    assert brief(f"Control of {listed('N', 40)} lost") == f"Control of {listed('N', 8)}, … and 32 more lost"
    short = f"Control of {listed('N', MOST_LISTED)} lost"
    assert brief(short) == short


def test_units_are_all_named_though_their_ids_look_like_hexes() -> None:
    text = f"40 x 4-6-7 ({listed('AX', 40)}): joins I1/1"
    assert brief(text) == text
