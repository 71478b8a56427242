"""The words of the forms in another language. That all are translated is held in `tests/web/test_language.py`."""

from __future__ import annotations

from laager.sheets import catalogue, printed
from laager.sheets.blank import REPORT_LEGEND
from laager.sheets.words import words_of

from .campaigns import played
from .reading import squeezed, whole


def test_sheets_in_german() -> None:
    campaign = played("rzhavets")
    found = catalogue(campaign, "axis", "de")
    titles = [one.title for one in found]
    assert "Aufstellungsblatt: Germans" in titles
    assert [one.id for one in found] == [one.id for one in catalogue(campaign, "axis")]
    text = whole(printed(campaign, "axis", ["setup", "report", "roster-axis"], language="de"))
    said = ("Order", "To be remembered at setup", "What became of your units", "Flames and Blazes", REPORT_LEGEND)
    for english in said:
        assert words_of("de")(english) != english
        assert squeezed(words_of("de")(english)) in text
    assert "Hausdaten" in text
    assert "Seite1von" in text
    assert "Wetter" in text
    assert "Weather" not in text


def test_titles_of_rulesets_are_translated_before_the_colon() -> None:
    words = words_of("de")
    assert words.title("Order of battle: Germans (axis)") == "Gliederung: Germans"
    assert words.title("Infantry, German") == "Infanterie, German"
    assert words.title("What can be done: all, now") == "What can be done: all, now"
    assert words.title("Where") == "Wo"
    assert words.title("Front line") == "Front line"
    assert words_of("en").title("Where") == "Where"


def test_a_text_takes_its_parts() -> None:
    assert words_of("de")("Page {page} of {pages}", page=1, pages="{x}") == "Seite 1 von {x}"
    assert words_of("en")("Page {page} of {pages}", page=1, pages=2) == "Page 1 of 2"
