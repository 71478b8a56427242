"""How long lists are told in a line, and sides as their people."""

from __future__ import annotations

import gzip
from pathlib import Path

from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.telling import MOST_LISTED, brief, log_in_words
from laager.campaign.views import view

LOG = Path(__file__).parent.parent / "old_campaigns" / "logs" / "abtf-rijnoord.laager.gz"


def listed(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{number}" for number in range(1, count + 1))


def test_a_long_list_of_locations_shows_the_first_and_how_many_more_there_are() -> None:
    assert brief(f"Control of {listed('N', 40)} lost") == f"Control of {listed('N', 8)}, … and 32 more lost"
    short = f"Control of {listed('N', MOST_LISTED)} lost"
    assert brief(short) == short


def test_units_are_all_named_though_their_ids_look_like_hexes() -> None:
    text = f"40 x 4-6-7 ({listed('AX', 40)}): joins I1/1"
    assert brief(text) == text


def test_an_answer_that_names_a_side_is_told_with_its_people() -> None:
    kept = gzip.decompress(LOG.read_bytes()).splitlines(keepends=True)
    campaign = Campaign(MemoryStore(b"".join(kept[: len(kept) // 3])))
    answers = [one.text for one in log_in_words(campaign, view(campaign, "umpire")) if one.entry.type == "answer"]
    assert any("side: Germans" in text or "side: British" in text for text in answers)
    assert not any("side: axis" in text or "side: allied" in text for text in answers)
