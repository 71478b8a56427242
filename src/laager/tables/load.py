"""Loading tables from files; every problem of a file is told at once, with its line."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from pydantic import ValidationError

from laager.base import DataError, Problem
from laager.base.files import Document, problems_of, read_document
from laager.tables.checks import check_whole
from laager.tables.file import ModifierEntry, TableEntry, TablesFile
from laager.tables.model import Row, Table, TableModifier, TableSet


def load_tables(path: Path) -> TableSet:
    """Read a file of tables. Raises DataError with every problem, located."""
    return tables_of(read_document(path))


@cache
def load_packaged(package: str, name: str) -> TableSet:
    """Return a file of tables that ships inside a Python package; it is read once. Raises DataError."""
    try:
        resource = files(package).joinpath(name)
    except ModuleNotFoundError:
        message = f"there is no package {package}"
        raise DataError([Problem(message, "is it installed?", file=f"{package}/{name}")]) from None
    if not resource.is_file():
        raise DataError([Problem("there is no such file", file=f"{package}/{name}")])
    with as_file(resource) as path:
        return load_tables(path)


def tables_of(document: Document) -> TableSet:
    """Return the tables of a document already read. Raises DataError with every problem."""
    problems: list[Problem] = []
    checked: TablesFile | None = None
    try:
        checked = TablesFile.model_validate(document.data)
    except ValidationError as err:
        problems += problems_of(err, document, TablesFile)
    problems += check_whole(document)
    if checked is None or problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda p: (p.line or 0, p.field)))
    return TableSet({entry.id: _build_table(entry) for entry in checked.tables}, checked.source)


def _build_table(entry: TableEntry) -> Table:
    return Table(
        id=entry.id,
        title=entry.title,
        rule=entry.rule,
        dice=entry.roll,
        columns=entry.columns,
        rows=tuple(Row(row.low, row.high, row.values) for row in entry.rows),
        modifiers=tuple(_build_modifier(modifier) for modifier in entry.modifiers),
        results=entry.results,
        notes=entry.notes,
        own_modifiers=entry.own_modifiers,
        per_unit=entry.per_unit,
    )


def _build_modifier(entry: ModifierEntry) -> TableModifier:
    value = entry.value if isinstance(entry.value, int) else None
    return TableModifier(entry.id, value, entry.when, entry.rule, entry.per or "")
