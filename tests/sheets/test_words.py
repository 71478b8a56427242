"""The words of the forms in another language. That all are translated is held in `tests/web/test_language.py`."""

from __future__ import annotations

from laager.sheets import catalogue, print_pdf
from laager.sheets.blank import REPORT_LEGEND
from laager.sheets.leaf import FormTable, Lines
from laager.sheets.offers import leaf
from laager.sheets.words import words_of

from .campaigns import played
from .reading import squeezed, whole


def test_sheets_in_german() -> None:
    campaign = played("rzhavets")
    found = catalogue(campaign, "axis", "de")
    titles = [one.title for one in found]
    assert "Aufstellungsblatt: Deutsche" in titles
    assert [one.id for one in found] == [one.id for one in catalogue(campaign, "axis")]
    text = whole(print_pdf(campaign, "axis", ["setup", "report", "roster-axis"], language="de"))
    said = ("Order", "To be remembered at setup", "What became of your units", "Flames and Blazes", REPORT_LEGEND)
    for english in said:
        assert words_of("de")(english) != english
        assert squeezed(words_of("de")(english)) in text
    assert "Hausdaten" in text
    assert "Seite1von" in text
    assert "Wetter" in text
    assert "Weather" not in text


def test_what_stands_in_cells_is_said_in_german() -> None:
    campaign = played("rzhavets")
    roster = leaf(campaign, "axis", "roster-axis", "de")
    (grid,) = roster.blocks
    assert isinstance(grid, FormTable)
    assert grid.rows[0].cells[:4] == ("1", "1943-07-12 vor Tagesanbruch Nacht", "Assault: Deutsche", "ja")
    assert [box.value for box in roster.boxes[0]][1:] == ["Deutsche", "Firefight 3 von 8: 1943-07-13 Vormittag"]
    english = leaf(campaign, "axis", "roster-axis").blocks[0]
    assert isinstance(english, FormTable)
    assert english.rows[0].cells[1] == "1943-07-12 before dawn night"


def test_the_diary_and_the_reference_are_german_too() -> None:
    campaign = played("rzhavets")
    diary = leaf(campaign, "axis", "diary", "de").blocks[0]
    assert isinstance(diary, Lines)
    assert any(line.text == "PL 2.2 Wetter" or line.mark == "PL 2.2 Wetter" for line in diary.lines)
    tables = [one for one in leaf(campaign, "axis", "reference", "de").blocks if isinstance(one, FormTable)]
    spans = [row.cells[0][0].text for one in tables for row in one.rows if isinstance(row.cells[0], tuple)]
    assert "5 bis 10" in spans
    assert "CP werden aufgefüllt (PL 2.12)" in [one.title for one in tables]


def test_titles_of_rulesets_are_translated_before_the_colon() -> None:
    words = words_of("de")
    assert words.title("Order of battle: Germans (axis)") == "Gliederung: Deutsche"
    assert words.title("Infantry, German") == "Infanterie, Deutsche"
    assert words.title("What can be done: all, now") == "What can be done: all, now"
    assert words.title("Where") == "Wo"
    assert words.title("Front line") == "Front line"
    assert words_of("en").title("Where") == "Where"


def test_a_text_takes_its_parts() -> None:
    assert words_of("de")("Page {page} of {pages}", page=1, pages="{x}") == "Seite 1 von {x}"
    assert words_of("en")("Page {page} of {pages}", page=1, pages=2) == "Page 1 of 2"
