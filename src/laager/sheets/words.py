"""The visible words of the printed forms, one table per language.

What rulesets write into cells stays as it is; of the titles that they give to sheets and columns
those that are known are translated. All languages have the same words; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from laager.base import named
from laager.sheets.words_de import TITLES_DE, WORDS_DE
from laager.sheets.words_en import WORDS_EN

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
"""The languages that forms can be printed in."""

_WORDS: Mapping[str, Mapping[str, str]] = {"en": WORDS_EN, "de": WORDS_DE}
_TITLES: Mapping[str, Mapping[str, str]] = {"en": {}, "de": TITLES_DE}


@dataclass(frozen=True)
class Words:
    """The words of one language: `words["page"]`; `title` for what a ruleset calls things."""

    language: str

    def __getitem__(self, name: str) -> str:
        return _WORDS[self.language][name]

    def __call__(self, name: str, **parts: object) -> str:
        """Return a sentence with its parts put in."""
        return self[name].format(**parts)

    @property
    def all(self) -> Mapping[str, str]:
        """Every word by its name."""
        return _WORDS[self.language]

    def title(self, text: str) -> str:
        """Return a title that a ruleset gave, translated as far as it is known.

        Of `CG Roster: Germans (axis)` or `Infantry, German` the part before the mark is looked up.
        """
        known = _TITLES[self.language]
        for mark in ("", ": ", ", "):
            head, found, rest = text.partition(mark) if mark else (text, "", "")
            if head in known:
                return f"{known[head]}{found}{rest}"
        return text


def words_of(language: str) -> Words:
    """Return the words of a language. Raises RefusedError if there is none of that name."""
    named(LANGUAGES, language, f"there is no language {language!r}", "there are")
    return Words(language)
