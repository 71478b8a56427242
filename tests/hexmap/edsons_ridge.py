"""The synthetic map of the worked example of Edson's Ridge, and its areas."""

from __future__ import annotations

from functools import cache

from laager.hexmap import HexMap
from laager.hexmap.coords import column_name, expand_ranges

from .helpers import made

ARROWS = [
    {"arrow": "L0", "colour": "red", "owner": "japanese"},
    {"arrow": "L24", "colour": "grey", "owner": "american"},
]


@cache
def ridge() -> HexMap:
    """Return the map: 32 columns A to FF, rows 1 to 24, the odd ones with a row 0 as well."""
    boards = [{"columns": 32, "rows": 24, "half_rows": True}]
    return made(boards=boards, entry_areas=ARROWS)


def rectangle(columns: str, rows: str) -> list[str]:
    """Return the hexes of columns such as A-FF and rows such as 1-4."""
    west, east = columns.split("-")
    named = [column_name(number) for number in range(104)]
    span = named[named.index(west) : named.index(east) + 1]
    first, last = rows.split("-")
    return expand_ranges(f"{column}{first}-{column}{last}" for column in span)


AMERICAN = rectangle("I-P", "11-18")
JAPANESE = rectangle("A-FF", "1-4")
