"""Battles to be set up: shipped campaigns played by chance, on the boards that Laager makes of their maps."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.hexmap import HexMap
from laager.vasl.making.archive import make_board_archive

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")
"""The shipped campaigns with a map, but for the one to learn with, which has few units."""
REPORTS = ("battle-report", "scenario-report")
CODE = "ours"
"""The board that lies under a shipped campaign's map."""


def battle(card: str, number: int = 1, seed: int = 3) -> Campaign:
    """Return a shipped campaign, played by chance until the report of so many battles is wanted."""
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, False, bytes([seed]) * 32, drawn=True))
    campaign, rng = Campaign(store), Random(seed)
    campaign.advance()
    while not campaign.over:
        done = campaign.state.number >= number
        wanted = [one for one in campaign.pending() if not (done and one.key in REPORTS)]
        if not wanted:
            break
        if wanted[0].question is None:
            campaign.roll_for(wanted[0].side)
        else:
            campaign.answer(wanted[0].side, wanted[0].key, wanted[0].question.sample(rng))
    return campaign


@cache
def first_battle(card: str) -> Campaign:
    """Return a shipped campaign whose first battle is set up. Not to be changed."""
    return later_battle(card, 1, 3)


@cache
def later_battle(card: str, number: int, seed: int) -> Campaign:
    """Return a shipped campaign as `battle` does. Not to be changed."""
    return battle(card, number, seed)


def board_under(campaign: Campaign, folder: Path) -> Path:
    """Make the board of a campaign's map; return the folder."""
    (folder / f"bd{CODE}").write_bytes(board_of(HexMap.from_data(campaign.opening["map"])))
    return folder


def board_of(map_: HexMap) -> bytes:
    """Return the board that Laager makes of a map."""
    if map_.digest not in _BOARDS:
        _BOARDS[map_.digest] = make_board_archive(map_, f"bd{CODE}").data
    return _BOARDS[map_.digest]


_BOARDS: dict[str, bytes] = {}
"""Boards that were made, by their maps' digests: each takes a second or more."""
