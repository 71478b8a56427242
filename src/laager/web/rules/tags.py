"""What the templates of the rules reference need."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

AROUND = 110
"""Characters on either side of the first word that a search finds."""


@register.filter
def found_in(text: str, words: str) -> SafeString:
    """Return the part of a text around what was searched for, each word marked."""
    wanted = [re.escape(word) for word in words.split()]
    if not wanted:
        return conditional_escape(text)
    pattern = re.compile("|".join(sorted(wanted, key=len, reverse=True)), re.IGNORECASE)
    first = pattern.search(text)
    start = max(0, first.start() - AROUND) if first else 0
    end = min(len(text), (first.end() if first else 0) + 2 * AROUND)
    shown = text[start:end]
    before, after = "…" if start else "", "…" if end < len(text) else ""
    return format_html("{}{}{}", before, _mark_hits(shown, pattern), after)


def _mark_hits(text: str, pattern: re.Pattern[str]) -> SafeString:
    parts, at = [], 0
    for hit in pattern.finditer(text):
        parts.append((text[at : hit.start()], hit.group()))
        at = hit.end()
    marked = format_html_join("", "{}<mark>{}</mark>", parts)
    return format_html("{}{}", marked, text[at:])
