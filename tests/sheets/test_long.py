"""A campaign of thousands of entries: its diary goes over many pages, nothing is lost."""

from __future__ import annotations

import re

from bench.logs import long_log

from laager.campaign import undo
from laager.campaign.consent import open_request
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.undo import last_input
from laager.campaign.views import view
from laager.rules.board.card.parts import other_side
from laager.sheets import print_pdf
from laager.sheets.leaf import FormPicture, Lines
from laager.sheets.offers import leaf
from laager.sheets.story import battles

from .campaigns import begun, by_chance
from .reading import pages
from .test_story import campaign_of, with_secret


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
    if open_request(campaign, "undo") is not None:
        undo.consent(campaign, "allied", True)
    assert EXPLAINED in diary(campaign)
    assert "taken back to" in diary(campaign)


def test_the_diary_has_a_map_after_each_battle_and_names_few_locations() -> None:
    campaign = campaign_of("abtf-rijnoord")
    german = leaf(campaign, "axis", "diary", "de").blocks[1]
    assert isinstance(german, FormPicture)
    assert german.title == "Nach dem Gefecht"
    seen = view(campaign, "axis")
    known = [battle for battle in battles(campaign, seen) if battle.fought]
    blocks = leaf(campaign, "axis", "diary").blocks
    assert [type(block) for block in blocks] == [Lines, FormPicture] * len(known) + [Lines] * (len(blocks) % 2)
    marks = [[int(line.mark) for line in block.lines if line.mark.isdecimal()] for block in blocks
             if isinstance(block, Lines)]  # fmt: skip
    assert [part[-1] <= battle.last for part, battle in zip(marks, known, strict=False)] == [True] * len(known)
    numbers = [number for part in marks for number in part]
    assert numbers == sorted(numbers)
    first = blocks[0]
    assert isinstance(first, Lines)
    ground = next(line.text for line in first.lines if line.mark == "7")
    assert ground.startswith("Germans Control N2, N2.1, N3, N3.1, N4, N4.1, N6, N6.1, N6.2, O3, O4, O6 and 202 more (")


def test_what_the_enemy_does_in_secret_changes_no_byte_of_the_diary() -> None:
    before = campaign_of("er-kokusa-ridge", 0.4)
    after, side = with_secret("er-kokusa-ridge", 0.4)
    viewer = other_side(side)
    made = [leaf(campaign, viewer, "diary") for campaign in (before, after)]
    assert made[0] == made[1]
    drawn = [[block.draw() for block in one.blocks if isinstance(block, FormPicture)] for one in made]
    assert drawn[0] == drawn[1]
    assert drawn[0]


EXPLAINED = "What is crossed out was taken back."


def diary(campaign: Campaign) -> str:
    return " ".join(pages(print_pdf(campaign, "umpire", ["diary"])))
