"""Titles of campaigns."""

from __future__ import annotations

import unicodedata

from laager.base import Refusal, RefusedError

LONGEST = 200
"""Longest title, in characters."""
BREAKS = frozenset({"Cc", "Zl", "Zp"})
"""Kinds of characters that a line can't hold: ends of lines and other control characters."""


def check_title(title: str) -> str:
    """Return a title without spaces around it. Raises RefusedError if it isn't one line of some characters."""
    title = title.strip()
    if not 1 <= len(title) <= LONGEST:
        raise RefusedError(Refusal.BAD_ANSWER, f"a title has 1 to {LONGEST} characters")
    if any(unicodedata.category(character) in BREAKS for character in title):
        raise RefusedError(Refusal.BAD_ANSWER, "a title is one line of text", "leave out line breaks and tabs")
    return title
