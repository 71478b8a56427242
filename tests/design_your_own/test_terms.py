"""The terms: what is refused, and what follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from laager.base import DataError
from laager.base.files import check, parse_document
from laager.catalogue.dyo import Month
from laager.rules.design_your_own.terms import Terms, other_side

TERMS = """
laager: dyo/1
id: example
title: An example
date: {date}
{more}
sides:
  axis: {{nation: german, points: {points}}}
  allied: {{nation: {nation}, points: 900, elr: 4, name: Guards}}
"""


def read(date: str = "1944-09", more: str = "", points: str = "1000", nation: str = "russian") -> Terms:
    text = TERMS.format(date=date, more=more, points=points, nation=nation)
    return check(parse_document(text, "terms.yaml"), Terms)


def refused(**changes: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        read(**changes)
    return [str(problem) for problem in caught.value.problems]


def test_what_terms_say() -> None:
    terms = read(more="boards: [{id: '20'}, {id: '4', whole: false}, {id: '5'}]")
    assert terms.month == Month(1944, 9)
    assert terms.whole_boards == 2
    assert terms.nations == ("german", "russian")
    assert (terms.enemy("axis"), terms.enemy("allied")) == ("russian", "german")
    assert (terms.name("axis"), terms.name("allied")) == ("German", "Guards")
    assert (other_side("axis"), other_side("allied")) == ("allied", "axis")
    assert not terms.open


def test_without_boards_one_counts() -> None:
    assert read().whole_boards == 1


def test_one_nation_on_both_sides_is_named_once() -> None:
    assert read(nation="german").nations == ("german",)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"date": "September"}, "'September' is not a month; write the year and month, as 1944-09"),
        ({"date": "1944-13"}, "'1944-13' is not a month"),
        ({"date": "1950-06"}, "1950-06 is outside the war; a month from 1937 to 1945"),
        ({"points": "0"}, "sides.axis.points: 0 is too low"),
        ({"points": "some"}, 'sides.axis.points: "some" is not a whole number'),
        ({"nation": "the Reds"}, "sides.allied.nation"),
        ({"more": "boards: [{id: a}, {id: a}]"}, "board a is named twice; name each board once"),
        ({"more": "first: axis"}, "first: axis has no meaning in secret buying"),
        ({"more": "opne: true"}, "opne: is not known here; did you mean open?"),
        ({"more": "catalogue: mine"}, 'catalogue: "mine" is not known here'),
    ],
)
def test_refusals_say_what_would_be_right(changes: dict[str, str], words: str) -> None:
    assert any(words in problem for problem in refused(**changes))


def test_a_side_is_missing() -> None:
    document: dict[str, Any] = {
        "laager": "dyo/1",
        "id": "one-sided",
        "title": "One side",
        "date": "1944-09",
        "sides": {"axis": {"nation": "german", "points": 500}},
    }
    with pytest.raises(ValueError, match="allied is missing in sides"):
        Terms.model_validate(document)


def test_first_means_something_in_the_open() -> None:
    assert read(more="open: true\nfirst: allied").first == "allied"
