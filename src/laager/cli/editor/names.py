"""The names that a field takes and no schema lists: nations, and the unit types of a side's nation."""

from __future__ import annotations

from collections.abc import Sequence

from laager.catalogue import Kind, load_packaged, packaged_nations
from laager.cli.editor.cursor import Cursor, find_cursor


def list_names(lines: Sequence[str], cursor: Cursor) -> list[str]:
    """Return the names that ship with Laager for the field whose value is typed; none for other fields."""
    if cursor.key == "nation":
        return list(packaged_nations())
    nation = _find_nation(lines, cursor.path[:2])
    if cursor.key == "type" and nation in packaged_nations():
        types = load_packaged(nation)[nation]
        return list(dict.fromkeys(name for kind in Kind for name in types.types(kind)))
    return []


def _find_nation(lines: Sequence[str], side: Sequence[str | int]) -> str:
    """Return the nation of a side, which its card names in a line of its own; "" if it doesn't yet."""
    for row, line in enumerate(lines):
        name, colon, value = line.partition("nation:")
        if colon and not name.strip():
            cursor = find_cursor(lines, row, len(name))
            if cursor is not None and cursor.path == tuple(side):
                return value.partition(" #")[0].strip().strip("\"'")
    return ""
