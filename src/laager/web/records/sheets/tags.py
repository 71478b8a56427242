"""What the templates of record sheets need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django import template

if TYPE_CHECKING:
    from laager.campaign import Column
    from laager.sheets.leaf import Cell, FormRow, FormTable

register = template.Library()


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
