"""The log is told in sentences that one would say: no file's words, no wrong numbers, no reason twice."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from laager.campaign.views import view
from laager.sheets.story import luck
from laager.sheets.story.battles import battles
from tests.sheets.campaigns import DEMOS
from tests.sheets.said import CAMPAIGNS, WRONG, campaign_of, is_mixed, lines, spoken, wrong


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_log_has_no_sentence_that_nobody_would_say(name: str) -> None:
    texts = list(spoken(name))
    assert len(texts) > 50
    assert not [found for text in texts for found in wrong(text)]


NOBODY_SAYS = (
    "Germans answer: Do you attack? → no",
    '4-4-7 "B" rallies (rallies by itself)',
    "Germans get 1 Patrols",
    "Germans have 3 squad",
    "Germans loses the map",
    "Germans leave its units on the map",
    "Snipers of Germans are in H3",
    "axis is in H3",
    "4-5-8 (AL31) is in H3",
    "AXF3 is gone",
    'LMG "A" of I1/1 is now in R15 (went with AX1)',
    "a 8-0 joins",
    "an 4-4-7 joins",
    "weather: None",
    "British have a-p-mines in H3",
    "the kind is , the side is Red",
)


def test_each_pattern_finds_what_nobody_would_say() -> None:
    assert all(list(wrong(text)) for text in NOBODY_SAYS)
    assert all(any(re.search(pattern, text) for text in NOBODY_SAYS) for pattern in WRONG)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_reason_says_more_than_its_fact(name: str) -> None:
    for line in lines(name):
        reason = line.tail.partition(" [")[0].strip(" ()")
        assert not reason or not line.text.removesuffix(line.tail).endswith(reason), line.text


def test_rolls_of_note_call_units_by_the_names_that_people_say() -> None:
    campaign = campaign_of("old pl-rzhavets")
    seen = view(campaign, "umpire")
    noted = [roll for battle in battles(campaign, seen) for roll in luck.rolls_of_note(campaign, seen, battle, "en")]
    assert noted
    assert not [roll.label for roll in noted for _ in wrong(roll.label)]
    assert any('"' in roll.label for roll in noted)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_line_in_german_is_german_or_english_and_never_both(name: str) -> None:
    german = lines(name, "de")
    assert not [line.text for line in german if is_mixed(line)]
    kept = sum(line.text == english.text for line, english in zip(german, lines(name), strict=True))
    assert kept < len(german) / (4 if name in DEMOS else 2)


def test_a_mixed_line_is_found() -> None:
    told = lines("rzhavets", "de")[-1]
    assert is_mixed(replace(told, text="Deutsche decken 4-6-7 in H3 auf (it stands openly in H3), das ist so"))
    assert not is_mixed(replace(told, text="Deutsche decken 4-6-7 in H3 auf (es steht offen da)"))
