"""Sheets as CSV, for spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from csv import writer
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laager.campaign import Sheet

FORMULAS = ("=", "+", "-", "@", "\t")
"""What a spreadsheet would take for the beginning of a formula."""


def csv_of(sheets: Sequence[Sheet]) -> str:
    """Return sheets as CSV: the titles of the columns, then the rows.

    Of several each begins with a line of its own title, and an empty line follows it. Notes are
    not among the rows. A name that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = StringIO()
    out = writer(text, lineterminator="\n")
    for place, sheet in enumerate(sheets):
        if len(sheets) > 1:
            if place:
                out.writerow(())
            out.writerow((sheet.title,))
        out.writerow(column.title for column in sheet.columns)
        out.writerows([_plain(cell) for cell in row] for row in sheet.rows)
    return text.getvalue().removesuffix("\n")


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULAS) and len(cell) > 1 and not _number(cell) else cell


def _number(cell: str) -> bool:
    return cell[1:].replace(".", "", 1).isdecimal()
