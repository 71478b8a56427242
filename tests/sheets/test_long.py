"""A campaign of thousands of entries: its diary goes over many pages, nothing is lost."""

from __future__ import annotations

import re

from bench.logs import long_log

from laager.campaign import undo
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.undo import last_input
from laager.campaign.views import view
from laager.sheets import print_pdf

from .campaigns import begun, by_chance
from .reading import pages


def test_a_long_diary_has_every_entry_and_numbered_pages() -> None:
    campaign = Campaign(MemoryStore(long_log(1500)))
    found = pages(print_pdf(campaign, "axis", ["diary"]))
    assert len(found) > 4
    for number, page in enumerate(found, 1):
        assert f"Page {number} of {len(found)}" in page
        assert ("War diary (continued)" in page) is (number > 1)
    seen = view(campaign, "axis")
    words = set(re.findall(r"[\w+-]+", " ".join(found)))
    assert len(seen.state.units) > 50
    assert set(seen.state.units) <= words
    assert {str(seen.log[0].number), str(seen.log[-1].number)} <= words


def test_what_was_taken_back_is_crossed_out_and_explained() -> None:
    campaign = begun("vistula")
    assert EXPLAINED not in diary(campaign)
    by_chance(campaign, 6)
    undo.ask(campaign, "axis", last_input(campaign))
    if undo.open_undo(campaign) is not None:
        undo.consent(campaign, "allied", True)
    assert EXPLAINED in diary(campaign)
    assert "taken back to" in diary(campaign)


EXPLAINED = "What is crossed out was taken back."


def diary(campaign: Campaign) -> str:
    return " ".join(pages(print_pdf(campaign, "umpire", ["diary"])))
