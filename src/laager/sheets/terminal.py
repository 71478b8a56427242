"""Sheets in the terminal: as tables, or line by line where there is no room for a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from laager.campaign.sheet import Sheet

NARROWEST = 8
"""Into how few characters a cell of words may be folded before a table stops being one."""

MOST_BROKEN = 12
"""A word longer than this may be broken; shorter ones must fit into their column whole."""

BETWEEN = 2
"""Blanks between two columns."""


def pictured(sheet: Sheet, width: int) -> RenderableType:
    """Return a sheet as it looks in so many characters: a table, or its rows one by one."""
    if sheet.rows and least_width(sheet) <= width:
        return table_of(sheet)
    return list_of(sheet)


def least_width(sheet: Sheet) -> int:
    """Return how many characters the table of a sheet needs to be easily read."""
    from rich.cells import cell_len

    total = BETWEEN
    for i, column in enumerate(sheet.columns):
        words = [column.title, *(row[i] for row in sheet.rows)]
        longest = max((cell_len(word) for text in words for word in text.split()), default=0)
        total += min(longest, max(MOST_BROKEN, NARROWEST)) + BETWEEN
    return total


def table_of(sheet: Sheet) -> Table:
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
    for i, column in enumerate(sheet.columns):
        cells = [row[i] for row in sheet.rows]
        short = all(len(cell) <= NARROWEST for cell in cells)
        # Short cells (IDs, numbers, hexes) are never broken; long ones give way.
        table.add_column(
            Text(column.title), justify=column.align, overflow="fold", no_wrap=short and bool(cells)
        )
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
