"""Sheets in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from laager.campaign.sheet import Sheet


def table_of(sheet: Sheet) -> Table:
    """Return a sheet as a table for the terminal. Cells are text, never markup."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(sheet.title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD)
    for column in sheet.columns:
        table.add_column(Text(column.title), justify=column.align, overflow="fold")
    for row in sheet.rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
