"""What an answer about a line of sight says."""

import json

import pytest

from laager.base import DataError
from laager.los import Hindrance, Location, LosResult, Point, location


@pytest.mark.parametrize(
    ("text", "found", "written"),
    [
        ("4D5", Location("4D5"), "4D5"),
        ("D5:0", Location("D5"), "D5"),
        ("D5 level 2", Location("D5", "level", 2), "D5 level 2"),
        ("  D5  2 ", Location("D5", "level", 2), "D5 level 2"),
        ("D5:roof", Location("D5", "rooftop"), "D5 rooftop"),
        ("D5 below", Location("D5", "below bridge"), "D5 below bridge"),
        ("D5 bypass 3", Location("D5", "bypass", vertex=3), "D5 bypass 3"),
    ],
)
def test_locations_are_read_as_players_write_them(text: str, found: Location, written: str) -> None:
    assert location(text) == found
    assert str(found) == written
    assert location(written) == found


@pytest.mark.parametrize("text", ["", "D5 bypass 6", "D5 attic", "D5 level", "D5:2:3", "D5 100"])
def test_other_texts_are_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(DataError, match="is not a Location; a hex, then nothing, a level"):
        location(text)


A, B = Location("D5"), Location("F9", "level", 1, elevation=2)


@pytest.mark.parametrize(
    ("sight", "sentence"),
    [
        (LosResult(A, B, True, 4), "D5 sees F9 level 1 (range 4)."),
        (
            LosResult(A, B, True, 4, hindrance=2, hindrances=(Hindrance("E6", 1), Hindrance("E7", 1))),
            "D5 sees F9 level 1 (range 4), hindered by +1 E6, +1 E7 (+2 in all).",
        ),
        (
            LosResult(A, B, False, 4, "A6.2", "ground higher than both", Point("E7", 250, 411)),
            "D5 doesn't see F9 level 1 (range 4): blocked at E7 by ground higher than both (A6.2).",
        ),
        (
            LosResult(A, B, None, 4, reason="VASL gives no answer"),
            "No answer for D5 to F9 level 1: VASL gives no answer.",
        ),
        (
            LosResult(A, B, True, 4, approximate=True),
            "D5 sees F9 level 1 (range 4). (Approximate: from hexes, not from VASL's terrain data.)",
        ),
    ],
)
def test_sentences(sight: LosResult, sentence: str) -> None:
    assert sight.sentence == sentence
    assert json.loads(json.dumps(sight.describe()))["sentence"] == sentence


def test_only_a_clear_line_counts_as_seen() -> None:
    assert LosResult(A, B, True, 1)
    assert not LosResult(A, B, False, 1)
    assert not LosResult(A, B, None, 1)
    assert LosResult(A, B, False, 1).blocked
    assert not LosResult(A, B, None, 1).blocked
