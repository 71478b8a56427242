"""What is said about a word that isn't known."""

from __future__ import annotations

import pytest

from laager.base import did_you_mean


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("nowoods", "did you mean NoWoods?"),
        ("d5", "did you mean D5?"),
        ("NoWods", "did you mean NoWoods or NoRoads?"),
        ("noroad", "did you mean NoRoads or NoWoods?"),
        ("x", "there are NoWoods, NoRoads, D5, E5"),
    ],
)
def test_the_nearest_word_is_named_whatever_its_case(word: str, advice: str) -> None:
    assert did_you_mean(word, ["NoWoods", "NoRoads", "D5", "E5"], "there are") == advice
