"""The pictures of README and docs show the pages of today, or a test says which are older."""

from __future__ import annotations

import pytest

from tests import marking
from tests.pictures import sources


def test_pictures_of_maps_and_tutorials_are_as_young_as_what_they_show() -> None:
    assert marking.older_pictures(marking.marks_of_drawings()) == []


def test_pictures_of_pages_are_as_young_as_their_pages(db: None) -> None:
    assert marking.older_pictures(marking.marks_of_pages()) == []


def test_every_picture_that_is_not_compared_whole_has_a_mark() -> None:
    compared_whole = {name for name, maker in sources().items() if maker == "los"}
    assert set(marking.kept_marks()) == set(sources()) - compared_whole


PAGE = "<h1>Table {}</h1><p>{}</p><form><label>How many</label><a class='button' href='/x'>{}</a></form>"


@pytest.mark.parametrize(
    ("page", "same"),
    [
        (PAGE.format(12, "Other words of the page.", "Begin"), True),
        (PAGE.format(3, "All is quiet.", "Begin it"), False),
        (PAGE.format(3, "All is quiet.", "Begin").replace("<label>", "<button>Off</button><label>"), False),
    ],
)
def test_a_page_is_another_if_its_buttons_are_and_not_for_other_words_and_numbers(page: str, same: bool) -> None:
    assert (marking.outline(page) == marking.outline(PAGE.format(3, "All is quiet.", "Begin"))) is same


def test_who_adds_a_button_reads_which_picture_is_older() -> None:
    marks = dict(marking.kept_marks())
    marks["web-map.png"] = "another"
    told = marking.older_pictures(marks)
    assert len(told) == 1
    assert "web-map.png is older" in told[0]
