"""What players compare before they choose a card."""

from __future__ import annotations

from datetime import date

import pytest

from laager.base import DataError
from laager.base.files import Document, check
from laager.campaign.cards import shipped_cards
from laager.campaign.summary import CardSummary, PlayingTime, in_english


def test_every_shipped_card_tells_what_players_compare() -> None:
    for card in shipped_cards():
        found = card.summary
        assert found.title == card.title
        assert found.theatre, card.id
        assert found.playing_time is not None, card.id
        assert found.needs, card.id
        assert found.battles > 0, card.id
        assert len(found.sides) == 2, card.id
        assert found.map or found.boards, card.id
        assert in_english(found), card.id


def test_a_card_that_says_nothing_takes_an_evening_for_each_battle() -> None:
    found = CardSummary("A", "own", battles=5)
    assert found.estimated
    assert found.takes == PlayingTime(least=5)
    assert CardSummary("A", "own").takes is None
    said = CardSummary("A", "own", battles=5, playing_time=PlayingTime(least=20, unit="minutes"))
    assert not said.estimated
    assert said.takes == PlayingTime(least=20, unit="minutes")


def test_times_in_different_units_are_compared() -> None:
    times = [PlayingTime(least=2), PlayingTime(least=3, unit="hours"), PlayingTime(least=90, unit="minutes")]
    assert [one.least for one in sorted(times, key=lambda one: one.hours)] == [90, 3, 2]


def test_a_time_that_ends_before_it_begins() -> None:
    with pytest.raises(DataError, match="below least"):
        check(Document({"least": 8, "most": 6}, "card.yaml"), PlayingTime)


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        (date(1943, 7, 12), date(1943, 7, 16), "12 to 16 July 1943"),
        (date(1943, 7, 12), date(1943, 7, 12), "12 July 1943"),
        (date(1943, 7, 30), date(1943, 8, 2), "30 July to 2 August 1943"),
        (date(1942, 12, 30), date(1943, 1, 2), "30 December 1942 to 2 January 1943"),
        (None, None, ""),
    ],
)
def test_days(first: date | None, last: date | None, told: str) -> None:
    assert in_english(CardSummary("A", "own", first=first, last=last)) == told
