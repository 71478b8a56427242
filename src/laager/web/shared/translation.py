"""What rules say, in the language of whoever reads the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language

from laager.base.texts import Multilingual
from laager.campaign.speech import ENGLISH, say

UNIT_NUMBER = re.compile(r" \(((?:AX|AL)F?\d+)\)")
"""The number behind the name of a unit or fortification."""
_SIDE = re.compile(r"(?<=[\w.]) \((?:axis|allied)\)(?=:|,|$)")


def language() -> str:
    """Return the reader's language; English for programs, and where nobody reads."""
    return (get_language() or ENGLISH).partition("-")[0]


def translate(text: object) -> str:
    """Return a text of the rules, or of a card, in the reader's language, as far as it is translated.

    Numbers and words that programs need aren't said to readers: those of units, and of a side behind its people.
    """
    if isinstance(text, Multilingual):
        return say(text, language())
    return _SIDE.sub("", say(UNIT_NUMBER.sub("", str(text)), language()))


_READ_BY_PEOPLE = frozenset({"label", "why_not"})


def translate_form(form: Any) -> Any:
    """Return the description of a form (`Form.describe`) with what people read of it in the reader's language."""
    if isinstance(form, Mapping):
        return {key: translate(part) if key in _READ_BY_PEOPLE else translate_form(part) for key, part in form.items()}
    if isinstance(form, list | tuple):
        return [translate_form(part) for part in form]
    return form
