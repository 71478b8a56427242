"""What templates ask about the records of a campaign: its map, battles and sheets: `{% load records %}`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from laager.campaign import rulings
from laager.rules.board.context import CardContext
from laager.rules.board.names import UnitNames
from laager.rules.board.rulings.differences import Difference
from laager.rules.board.rulings.proposing import counts_at_once, open_changes
from laager.rules.board.sentences import MARK_WORDS
from laager.rules.board.state import BoardState
from laager.rules.board.units import Mark
from laager.sheets.story import has_story, latest
from laager.web.campaigns import scenes
from laager.web.campaigns.tables import Table
from laager.web.shared.translation import language, translate

if TYPE_CHECKING:
    from laager.campaign import Column
    from laager.campaign.telling import Told
    from laager.sheets.leaf import Cell, FormRow, FormTable
    from laager.web.records.rulings.fields import FieldView

register = template.Library()


@register.filter
def has_map(table: Table) -> bool:
    """Return True if the campaign of a table has a map."""
    return scenes.has_map(table)


_KINDS = {"sw": "SW", "gun": "Gun", "afv": "AFV", "armor-leader": "Armor Leader"}
"""Kinds of units that aren't said as they are written."""


@register.filter
def kind_of_unit(kind: str) -> str:
    """Return what players call a kind of unit: SW for sw."""
    return translate(_KINDS.get(kind, kind))


@register.filter
def marks_in_words(marks: Iterable[str]) -> str:
    """Return what is said of a unit with these markers: `hidden, has been seen` for hip and was-revealed."""
    state = translate("is")
    said = (translate(MARK_WORDS[Mark(mark)][0]) for mark in marks)
    return ", ".join(words.removeprefix(f"{state} ") for words in said)


MOST_PLACES = 3
"""Most hexes that a line of the log links to."""

_PLACE = re.compile(r"(?<![\w/(.+-])([A-Z]{1,2}-?\d{1,2})(?:\.\w+)?(?![\w/)-])")


@register.filter
def places(text: str, table: Table) -> list[str]:
    """Return the hexes that a line of the log names, if there are a few; each once, in order."""
    map_ = getattr(table.campaign.context, "map", None)
    if map_ is None:
        return []
    hexes = dict.fromkeys(name for name in _PLACE.findall(text) if name in map_.playable)
    return list(hexes) if len(hexes) <= MOST_PLACES else []


@register.filter
def answerer(line: Told, table: Table) -> str:
    """Return who of the seat's side gave an answer, where several people play it; "" for any other entry."""
    return table.answerers.get(line.entry.number, "") if line.entry.type == "answer" else ""


@register.filter
def last_answerer(table: Table) -> str:
    """Return who of the seat's side answered last, where several people play it."""
    return table.answerers[max(table.answerers)] if table.answerers else ""


# Battles ------------------------------------------------------------------------------------------


@register.filter
def last_battle(table: Table) -> int:
    """Return the number of the last battle that was fought, 0 if none was, or none ever is."""
    return latest(table.campaign, table.view) if has_story(table.campaign) else 0


# Sheets -------------------------------------------------------------------------------------------


@register.filter
def is_text(cell: Cell) -> bool:
    """Return True if a cell is plain text, without boxes to tick or room to write in."""
    return isinstance(cell, str)


@register.filter
def has_titles(columns: Sequence[Column]) -> bool:
    """Return True if any column has a title."""
    return any(column.title for column in columns)


@register.filter
def with_alignment(row: FormRow, grid: FormTable) -> Iterable[tuple[Cell, str]]:
    """Return the cells of a row, each with how its column stands."""
    return zip(row.cells, (column.align for column in grid.columns), strict=False)


# Rulings ------------------------------------------------------------------------------------------


PARTS = {
    "sides": _("The sides"),
    "fight": _("The present firefight"),
    "scenario": _("The present scenario"),
    "groups": _("Reinforcement groups"),
    "areas": _("Setup Areas"),
    "campaign": _("The campaign"),
    "past": _("Earlier battles"),
}
"""What the parts of the record are called."""


@register.filter
def ruling_part(name: str) -> str:
    """Return what a part of the record is called."""
    return str(PARTS.get(name, name))


@register.filter
def ruling_now(field: FieldView) -> str:
    """Return what a cell of the record holds now, in words."""
    return _field_in_words(field, field.now)


@register.filter
def ruling_value(field: FieldView) -> str:
    """Return what a cell will hold by the draft of a ruling, in words."""
    return _field_in_words(field, field.value)


def _field_in_words(field: FieldView, value: Any) -> str:
    if field.kind == "check":
        return gettext("yes") if value else gettext("no")
    words = field.in_words(value).strip()
    return (f"{words[:60]}…" if len(words) > 60 else words) or "–"


@register.inclusion_tag("records/rulings/rulings_terms.html")
def ruling_terms(table: Table) -> dict[str, Any]:
    """Say what the campaign's terms say about rulings; nothing where there is no record to put right."""
    if not isinstance(table.campaign.context, CardContext):
        return {"terms": None}
    return {
        "terms": rulings.terms_of(table.campaign.opening),
        "at_once": counts_at_once(table.campaign, table.seat.viewer),
    }


@register.simple_tag
def ruling_changes(table: Table) -> list[Difference]:
    """Return what the ruling that is asked for changes, before and after, as far as the seat may know."""
    return open_changes(table.campaign, table.seat.viewer)


@register.filter
def in_names(text: str, table: Table) -> str:
    """Return a line of a ruling with the seat's names for units: `4-6-7 "A" of I1/1` for `4-6-7 (AX695)`."""
    state = table.view.state
    return UnitNames(state, language(), table.view.named).say(text) if isinstance(state, BoardState) else text
