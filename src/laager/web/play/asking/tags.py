"""What the templates of questions and dice need."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django import template
from django.utils.html import escape, json_script
from django.utils.safestring import SafeString, mark_safe

from laager.campaign import Question, Sheet
from laager.web.play.asking.checks import grounds
from laager.web.shared.counters import Pictures

register = template.Library()

_LEFT, _MIDDLE, _RIGHT = 10, 18, 26

PIPS = {
    1: ((_MIDDLE, _MIDDLE),),
    2: ((_LEFT, _LEFT), (_RIGHT, _RIGHT)),
    3: ((_LEFT, _LEFT), (_MIDDLE, _MIDDLE), (_RIGHT, _RIGHT)),
    4: ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
    5: ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_MIDDLE, _MIDDLE), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
    6: tuple((x, y) for y in (_LEFT, _MIDDLE, _RIGHT) for x in (_LEFT, _RIGHT)),
}
"""Where the pips of each face lie on a die of 36 by 36."""


@register.filter
def pips(face: int) -> tuple[tuple[int, int], ...]:
    """Return the pips of a face."""
    return PIPS.get(face, ())


@register.filter
def has_headings(sheet: Sheet) -> bool:
    """Return True if any column of a sheet has a heading."""
    return any(column.title for column in sheet.columns)


@register.filter
def cells_of(sheet: Sheet, row: Sequence[str]) -> list[tuple[str, str]]:
    """Return the cells of a row with how each stands in its column."""
    return list(zip(row, (column.align for column in sheet.columns), strict=True))


@register.filter
def text_in_lines(text: str) -> SafeString:
    """Return a text for people: lines as lines, what stands between backticks as code."""
    safe = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))
    return mark_safe(safe.replace("\n", "<br>"))  # escaped just before


@register.filter
def is_number(text: str) -> bool:
    """Return True if a browser's field for numbers would show what was typed, or nothing there."""
    return not text or re.fullmatch("-?[0-9]+", text) is not None


@register.filter
def picture_of(pictures: Pictures | str, looks: Sequence[str]) -> SafeString | str:
    """Return the counter of what looks so, on a page that has pictures; its symbol is on the page from now on."""
    return pictures.draw(looks) if isinstance(pictures, Pictures) else ""


@register.simple_tag
def hexes_of(question: Question, name: str) -> SafeString:
    """Return where the hexes of a question's fields can be, for the map; the fields' names begin with `name`."""
    return json_script(grounds(question), f"hexes-{name}") if question.placing else SafeString()
