"""Catalogues as tables for spreadsheets: one CSV a section, one row an entry.

A cell is empty where the file says nothing. Texts that a spreadsheet would take for dates, numbers
or formulas (4-6-8 for the 4th of June) carry an apostrophe in front, which reading takes away.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base import DataError, Problem, did_you_mean, read_each
from laager.base.files import Document, Where
from laager.catalogue.dyo.checks import Read
from laager.catalogue.dyo.load import read_file
from laager.catalogue.dyo.model import MARK, SECTIONS

NATION = "nation"
"""The table of the nations themselves."""

NOTHING = "(none)"
"""What stands for the type in a section that is entered as empty."""

UNNAMED = "tables"
"""The source of values whose table names none."""

_HEAD = ("section", "nation")
_NATION_COLUMNS = ("name", "group", "source", "notes")
_RISKY = tuple("0123456789=+-@'")


def columns_of(section: str) -> tuple[str, ...]:
    """Return the columns of a section's table behind `section` and `nation`."""
    if section == NATION:
        return _NATION_COLUMNS
    model = SECTIONS[section]
    last = ("note", "source", "sources")
    middle = [name for name in model.names() if name not in (*model.keys, *last)]
    return (*model.keys, *middle, *last)


# Writing -----------------------------------------------------------------------------------------


BLANK_ROWS = 30
"""How many rows of a prepared table wait to be filled in."""

YEARS = range(1939, 1946)
"""The years of the OBA Availability Chart in a prepared table."""


def to_csv(files: Sequence[Mapping[str, Any]], *, blank: bool = False) -> dict[str, str]:
    """Return files, as plain data, as CSV texts by section; sections that none has are left out.

    `blank` makes tables of every section, with rows that wait to be filled in below what there is.
    Rows in which nothing is filled in are skipped when the tables are read.
    """
    tables = {NATION: [_nation_row(data) for data in files]}
    for section in SECTIONS:
        rows = [row for data in files if section in data for row in _rows(section, data)]
        if blank:
            rows += [row for data in files for row in _blank_rows(section, data)]
        if rows:
            tables[section] = rows
    return {section: _render_csv(section, rows) for section, rows in tables.items()}


def _nation_row(data: Mapping[str, Any]) -> dict[str, str]:
    row = {name: cell(data[name]) for name in ("name", "group", "source") if name in data}
    notes = "\n".join(data.get("notes", []))
    return {"section": NATION, "nation": data["nation"], **row, "notes": _safe(notes)}


def _rows(section: str, data: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    head = {"section": section, "nation": str(data["nation"])}
    entries = data[section] if isinstance(data[section], list) else [data[section]]
    if not entries:
        yield {**head, SECTIONS[section].keys[0]: NOTHING}
    for entry in entries:
        row = {name: cell(value) for name, value in entry.items() if name != "sources"}
        sources = " | ".join(f"{name} = {origin}" for name, origin in entry.get("sources", {}).items())
        yield {**head, **row, "sources": _safe(sources)}


def _blank_rows(section: str, data: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the rows of a section that a nation has yet to fill in."""
    head = {"section": section, "nation": str(data["nation"])}
    if section == "oba" and section not in data:
        yield from ({**head, "year": _safe(str(year))} for year in YEARS)
    elif section != "capabilities":
        yield from (dict(head) for _ in range(BLANK_ROWS))
    elif "capabilities" not in data:
        yield head


def _render_csv(section: str, rows: Iterable[Mapping[str, str]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, [*_HEAD, *columns_of(section)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def cell(value: Any) -> str:
    """Return plain data as the text of a cell."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return _safe(", ".join(map(str, value)) or "-")
    if isinstance(value, Mapping):
        return _safe("; ".join(f"{name}: {_bare(item)}" for name, item in value.items()))
    return _safe(str(value))


def _bare(value: Any) -> str:
    return cell(value).removeprefix("'")


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_RISKY) else text


# Reading -----------------------------------------------------------------------------------------


@dataclass
class _Part:
    """What one table says of one nation: plain data, and the line of each path in it."""

    nation: str
    data: dict[str, Any] = field(default_factory=dict)
    lines: dict[Where, int] = field(default_factory=dict)

    def add(self, section: str, values: Mapping[str, str], line: int) -> None:
        """Add a row."""
        first = SECTIONS[section].keys[:1]
        if section == "capabilities":
            where: Where = (section,)
            self.data[section] = values
        elif values.get(first[0]) == NOTHING:
            where = (section,)
            self.data.setdefault(section, [])
        else:
            entries = self.data.setdefault(section, [])
            where = (section, len(entries))
            entries.append(values)
        self.lines.setdefault((section,), line)
        for place in (where, *((*where, name) for name in values)):
            self.lines[place] = line


def from_csv(tables: Iterable[tuple[str, str]]) -> list[Read]:
    """Return the files that tables (name and text) stand for; several can be of one nation.

    Raises DataError with all problems, each with its table, line and column.
    """
    problems: list[Problem] = []
    heads: dict[str, dict[str, Any]] = {}
    parts: list[tuple[str, _Part]] = []
    for name, text in tables:
        by_nation: dict[str, _Part] = {}
        for line, section, nation, values in _read_rows(name, text, problems):
            if not values and section not in (NATION, "capabilities"):
                continue  # A prepared row that nobody has filled in.
            if section == NATION:
                heads.setdefault(nation, {}).update(_nation_data(values))
                by_nation.setdefault(nation, _Part(nation)).lines[()] = line
            else:
                by_nation.setdefault(nation, _Part(nation)).add(section, values, line)
        parts += [(name, part) for part in by_nation.values()]

    def read(named: tuple[str, _Part]) -> Read:
        name, part = named
        usual = {"name": part.nation.replace("-", " ").title(), "source": UNNAMED}
        head = {"laager": MARK, "nation": part.nation, **usual, **heads.get(part.nation, {})}
        data = {**head, **part.data}
        return read_file(Document(data, name, {(): 1, **part.lines}))

    reads, faults = read_each(parts, read)
    if problems or faults:
        raise DataError([*problems, *faults])
    return reads


def _nation_data(values: Mapping[str, str]) -> dict[str, Any]:
    head: dict[str, Any] = {name: value for name, value in values.items() if name != "notes"}
    if values.get("notes"):
        head["notes"] = values["notes"].splitlines()
    return head


def _read_rows(name: str, text: str, problems: list[Problem]) -> Iterator[tuple[int, str, str, dict[str, str]]]:
    """Yield line, section, nation and the cells that are filled of each row."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    mark = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=mark)
    try:
        header = [title.strip().lower() for title in next(reader, [])]
        missing = [title for title in _HEAD if title not in header]
        if missing:
            message = f"there is no column {' and no column '.join(missing)}"
            right = "begin with the columns section, nation; laager catalogue export shows how"
            problems.append(Problem(message, right, "", 1, name))
            return
        for row in reader:
            values = dict(zip(header, map(_strip_mark, row), strict=False))
            values = {title: value for title, value in values.items() if title and value}
            if values:
                parsed = _check_row(values, reader.line_num, name, problems)
                if parsed is not None:
                    yield (reader.line_num, *parsed)
    except csv.Error as err:
        right = "save the table as CSV, with commas"
        problems.append(Problem(f"not CSV ({err})", right, "", reader.line_num, name))


def _strip_mark(text: str) -> str:
    return text.strip().removeprefix("'")


def _check_row(
    values: dict[str, str], line: int, name: str, problems: list[Problem]
) -> tuple[str, str, dict[str, str]] | None:
    section, nation = values.pop("section", ""), values.pop("nation", "")
    known = [NATION, *SECTIONS]
    if section not in known:
        message = f"{section!r} is not a section" if section else "the row names no section"
        problems.append(Problem(message, did_you_mean(section, known), "section", line, name))
        return None
    if not nation:
        problems.append(Problem("the row names no nation", "write its id, as german", "nation", line, name))
        return None
    columns = columns_of(section)
    for title in [title for title in values if title not in columns]:
        message, right = f"{section} have no column {title!r}", did_you_mean(title, columns)
        problems.append(Problem(message, right, title, line, name))
        del values[title]
    return section, nation, values
