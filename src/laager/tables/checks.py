"""What makes a file of tables wrong as a whole: rows, columns and names that do not fit together.

The checks read the plain data, not the checked model, and pass over what the model complains of,
so that one wrong field does not hide the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from laager.base import Problem, did_you_mean
from laager.base.files import Document, Where
from laager.tables.bounds import Span, find_faults
from laager.tables.file import RowEntry
from laager.tables.model import RESULT

BOUNDS = ("at", "from", "to")


def check_whole(document: Document) -> Iterator[Problem]:
    """Yield every problem that takes more than one field or row to see."""
    tables = _list_at(document.data, "tables")
    yield from _find_duplicates(document, ("tables",), tables, "table")
    for position, table in enumerate(tables):
        where: Where = ("tables", position)
        yield from _check_columns(document, (*where, "columns"), _list_at(table, "columns"))
        yield from _check_rows(document, where, table)
        modifiers = _list_at(table, "modifiers")
        yield from _find_duplicates(document, (*where, "modifiers"), modifiers, "modifier")


def _list_at(data: Any, name: str) -> list[Any]:
    items = data.get(name) if isinstance(data, dict) else None
    return items if isinstance(items, list) else []


def _find_duplicates(document: Document, where: Where, items: Sequence[Any], kind: str) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for position, item in enumerate(items):
        name = item.get("id") if isinstance(item, dict) else None
        if not isinstance(name, str):
            continue
        if name in seen:
            line = document.line((*where, seen[name], "id"))
            message = f"there is a {kind} {name} in line {line} already"
            yield document.problem((*where, position, "id"), message, "give one of them another name")
        seen.setdefault(name, position)


def _check_columns(document: Document, where: Where, columns: Sequence[Any]) -> Iterator[Problem]:
    for position, name in enumerate(columns):
        if name in (*BOUNDS, RESULT):
            message = f"a column cannot be called {name}"
            right = "choose another name: rows use this word themselves"
        elif name in columns[:position]:
            message, right = f"column {name} stands here twice", "remove one of the two"
        else:
            continue
        yield document.problem((*where, position), message, right)


def _check_rows(document: Document, where: Where, table: Any) -> Iterator[Problem]:
    raw = _list_at(table, "rows")
    columns = _columns_of(table)
    spans = [_read_span(row, columns) for row in raw]
    words = table.get("results") if isinstance(table, dict) else None
    for position, row in enumerate(raw):
        if isinstance(row, dict) and columns:
            here = (*where, "rows", position)
            yield from _check_cells(document, here, row, columns)
            if isinstance(words, dict) and words:
                yield from _check_results(document, here, row, columns, words)
    for fault in find_faults(spans):
        yield document.problem((*where, "rows", fault.position), fault.what, fault.right)


def _columns_of(table: Any) -> list[str]:
    """Return the columns that rows must fill; empty if that cannot be told."""
    named = table.get("columns") if isinstance(table, dict) else None
    if named is None or named == []:
        return [RESULT]
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        return []
    return named


def _read_span(raw: Any, columns: Sequence[str]) -> Span | None:
    """Return the final rolls of a row; None if they cannot be told."""
    try:
        row = RowEntry.model_validate(raw)
    except ValidationError:
        return None
    known = [*columns, *BOUNDS]
    for name in raw:
        # A misspelt bound would make the row look open, and other rows wrong.
        if name not in known and set(get_close_matches(name, known, n=1)) & set(BOUNDS):
            return None
    return Span(row.low, row.high)


def _check_cells(document: Document, where: Where, row: dict[str, Any], columns: Sequence[str]) -> Iterator[Problem]:
    for name in columns:
        if name not in row and name not in BOUNDS:
            yield document.problem(
                (*where, name), "is missing", "add it; for no result write – in a chart, null in a file"
            )
    for name in row:
        if name not in columns and name not in BOUNDS:
            advice = did_you_mean(name, [*columns, *BOUNDS], "known are")
            yield document.problem((*where, name), "is not a column of this table", advice)


def _check_results(
    document: Document, where: Where, row: dict[str, Any], columns: Sequence[str], words: dict[str, Any]
) -> Iterator[Problem]:
    for name in columns:
        value = row.get(name)
        if isinstance(value, str) and value.strip() and value.strip() not in words:
            message = f"“{value}” is not among the table's results"
            yield document.problem((*where, name), message, did_you_mean(value, words))
