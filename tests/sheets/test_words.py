"""The words of the forms: every language has all of them, and every one is used."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import laager.sheets
from laager.sheets import LANGUAGES, catalogue, printed
from laager.sheets.words import words_of
from laager.sheets.words_de import TITLES_DE, WORDS_DE
from laager.sheets.words_en import WORDS_EN

from .campaigns import played
from .reading import squeezed, whole

HOME = Path(laager.sheets.__file__).parent


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_words_with_the_same_parts(language: str) -> None:
    words = words_of(language).all
    assert list(words) == list(WORDS_EN)
    assert all(words.values())
    assert [name for name in words if parts(words[name]) != parts(WORDS_EN[name])] == []


def test_every_word_is_used() -> None:
    files = [*HOME.glob("*.py"), *HOME.glob("typst/*.typ")]
    source = "".join(p.read_text(encoding="utf-8") for p in files if "words_" not in p.name)
    used = set(re.findall(r"[\"']([\w-]+)[\"']", source)) | set(re.findall(r"words\.(\w+)", source))
    assert set(WORDS_EN) <= used


def test_words_differ_where_languages_do() -> None:
    same = {name for name in WORDS_EN if WORDS_EN[name] == WORDS_DE[name]}
    assert len(same) < len(WORDS_EN) / 3


def test_sheets_in_german() -> None:
    campaign = played("rzhavets")
    found = catalogue(campaign, "axis", "de")
    titles = [one.title for one in found]
    assert "Aufstellungsblatt: Germans (axis)" in titles
    assert [one.id for one in found] == [one.id for one in catalogue(campaign, "axis")]
    text = whole(printed(campaign, "axis", ["setup", "report", "roster-axis"], language="de"))
    for name in ("order", "works", "reminders", "report-units", "fires", "house", "report-legend"):
        assert squeezed(WORDS_DE[name]) in text or name == "works"
    assert "Seite1von" in text
    assert "Wetter" in text
    assert "Weather" not in text


def test_titles_of_rulesets_are_translated_before_the_colon() -> None:
    words = words_of("de")
    assert words.title("Order of battle: Germans (axis)") == "Gliederung: Germans (axis)"
    assert words.title("Infantry, German") == "Infanterie, German"
    assert words.title("What can be done: all, now") == "What can be done: all, now"
    assert words.title("Where") == TITLES_DE["Where"]
    assert words.title("Front line") == "Front line"
    assert words_of("en").title("Where") == "Where"
