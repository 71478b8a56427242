"""The language of printed forms: English as the code says it, German from the catalogue `locale/`.

Of the titles that rulesets give to sheets and columns those that are known are translated; what they write into cells
is said as far as the catalogue of the rules has it (`translating`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from laager.base import find_named
from laager.campaign.speech import say

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
"""The languages that forms can be printed in."""
_SIDE = re.compile(r" \((?:axis|allied)\)$")


def mark_texts(*texts: str) -> tuple[str, ...]:
    """Return texts as they are: they are translated where they are used, and gathered for translators here."""
    return texts


TITLES = frozenset(mark_texts(
    "CG Roster", "DYO Purchase Roster", "RG Purchase Record", "Fortifications", "Order of battle",
    "Special rules", "Points Available", "Infantry", "Ordnance", "Vehicles", "Order", "Where", "Units",
    "Fortifications to place", "Sets up first", "Moves first", "Isolated units", "OBA modules",
    "Dummies of the Reserves", "Game End", "Night", "Date", "Type", "Attack", "CVP total", "TVP total", "Won",
    "Weather", "Scenario", "Chit", "Spent", "Left", "Total", "Description", "Units now", "Leaders",
    "OBA / notes", "Fortification", "State", "Unit", "Kind", "Group", "With", "Markers", "Area", "Side",
    "What", "Name", "Hexes", "Rule", "What holds", "Group Type", "# Units", "SW Received",
    "Setup Area/Entry ID", "Objective Hex", "Notes", "Category", "Available", "Class", "Gun", "Vehicle",
    "Optional armament", "Further costs", "Size", "Leader", "Box", "Inspected",
    "Both sides", "Off the map", "How they come", "After", "Ends at most on", "This dr", "Over by then", "Module",
    "By", "Ammunition", "Boards", "Firefight", "CG Date", "To win at once", "To win this firefight",
))  # fmt: skip
"""Titles that the shipped rulesets give to sheets, columns and lines."""


@dataclass(frozen=True)
class Words:
    """A language: `words("Side")` is a text in it; `title` is for what a ruleset calls things."""

    language: str

    def __call__(self, text: str, **parts: object) -> str:
        """Return a text in the language, with its parts put in."""
        return _catalogue(self.language).gettext(text).format(**parts)

    def say(self, text: str) -> str:
        """Return what rules say in the language, as far as it is translated."""
        return self.without_side(say(text, self.language))

    def without_side(self, text: str) -> str:
        """Return a name without the word by which programs know the side, unless it's said in English."""
        return text if self.language == "en" else _SIDE.sub("", text)

    def title(self, text: str) -> str:
        """Return a title that a ruleset gave, translated as far as it is known.

        Of `CG Roster: Germans (axis)` or `Infantry, German` the part before the mark is looked up. The side's word for
        programs stays English, and is left out in another language.
        """
        text = self.without_side(text)
        for mark in ("", ": ", ", "):
            head, divider, rest = text.partition(mark) if mark else (text, "", "")
            if head in TITLES:
                return f"{self(head)}{divider}{self.say(rest)}"
        return text


@cache
def _catalogue(language: str) -> NullTranslations:
    home = Path(__file__).parent / "locale"
    return translation("sheets", home, [language], fallback=language == "en")


def words_of(language: str) -> Words:
    """Return the words of a language. Raises RefusedError if there is none of that name."""
    find_named(LANGUAGES, language, f"there is no language {language!r}", "there are")
    return Words(language)
