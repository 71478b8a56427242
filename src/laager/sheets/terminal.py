"""Sheets in the terminal: as tables, or line by line where there is no room for a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from laager.campaign import Sheet

LONGEST_WHOLE = 12
"""Words up to this length are never broken; longer ones may be."""

BETWEEN = 2
"""Blanks between two columns, and at the edges together."""


def render_sheet(sheet: Sheet, width: int) -> RenderableType:
    """Return a sheet for a terminal of this width, in characters: a table, or its rows one by one."""
    if sheet.rows and least_width(sheet) <= width:
        return table_of(sheet, width)
    return list_of(sheet)


def least_width(sheet: Sheet) -> int:
    """Return how many characters the table of a sheet needs to be easily read."""
    return BETWEEN + sum(least + BETWEEN for least in _least(sheet))


def _least(sheet: Sheet) -> list[int]:
    """Return how wide each column must be at least, so that no shorter word is broken."""
    return [
        min(LONGEST_WHOLE, max((_length(word) for text in texts for word in _words(text)), default=1))
        for texts in _texts(sheet)
    ]


def _words(text: str) -> list[str]:
    """Return the words of a cell; the first one with its indent, from which it is not parted."""
    head, *rest = text.split() or [""]
    indent = len(text) - len(text.lstrip())
    return [" " * indent + head, *rest]


def _texts(sheet: Sheet) -> list[list[str]]:
    """Return title and cells of each column."""
    return [[column.title, *(row[i] for row in sheet.rows)] for i, column in enumerate(sheet.columns)]


def _length(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _widths(sheet: Sheet, room: int) -> list[int]:
    """Return how wide each column is: as wide as it wants to be, or its share of what is left."""
    widths = _least(sheet)
    wanted = [max(map(_length, texts), default=1) for texts in _texts(sheet)]
    left = room - least_width(sheet)
    # The narrowest columns are served first, so that they stay whole.
    order = sorted(range(len(widths)), key=lambda i: wanted[i] - widths[i])
    for position, i in enumerate(order):
        given = min(max(0, wanted[i] - widths[i]), left // (len(order) - position))
        widths[i] += given
        left -= given
    return widths


def table_of(sheet: Sheet, width: int) -> Table:
    """Return a sheet as a table for the terminal. Cells are text, never markup."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    headed = any(column.title for column in sheet.columns)
    table = Table(
        title=_title(sheet),
        title_justify="left",
        box=box.SIMPLE_HEAD if headed else None,
        padding=(0, 1, 0, 0) if headed else (0, 1, 0, 1),
        show_header=headed,
    )
    for column, wide in zip(sheet.columns, _widths(sheet, width), strict=True):
        table.add_column(Text(column.title), justify=column.align, overflow="fold", width=max(1, wide))
    for row in sheet.rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def list_of(sheet: Sheet) -> Text:
    """Return a sheet as a list for the terminal: each row's cells one below the other."""
    from rich.text import Text

    text = _title(sheet)
    if not sheet.rows:
        text.append_text(Text("\n\n  nothing so far"))
    for row in sheet.rows:
        text.append("\n")
        for line in _row_lines(sheet, row):
            text.append_text(Text(f"\n{line}"))
    return text


def _row_lines(sheet: Sheet, row: tuple[str, ...]) -> Iterator[str]:
    room = max(len(column.title) for column in sheet.columns)
    for column, cell in zip(sheet.columns, row, strict=True):
        if cell:
            yield f"  {column.title:<{room}}  {cell}"


def _title(sheet: Sheet) -> Text:
    from rich.text import Text

    return Text(sheet.title, style="bold")
