"""Battles to be set up: shipped campaigns played by chance, on boards that the tests make for their maps."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

from PIL import Image

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.hexmap import HexMap, parse_name
from tests.vasl.board_writer import zip_bytes

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")
"""The shipped campaigns with a map."""
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
    """Make a board that has a hex of each name of a campaign's map; return the folder."""
    (folder / f"bd{CODE}").write_bytes(board_of(HexMap.from_data(campaign.opening["map"])))
    return folder


def board_of(map_: HexMap) -> bytes:
    """Return a board that has a hex of each name of a map."""
    names = [name for name in map(parse_name, map_.hexes) if name is not None]
    columns, rows = max(one.column for one in names) + 1, max(one.row for one in names)
    drawn = BytesIO()
    Image.new("P", (round((columns - 1) * 56.25), round(rows * 64.5)), 1).save(drawn, "GIF")
    return zip_bytes([("data", b"version 1.0\n"), (f"bd{CODE}.gif", drawn.getvalue())])
