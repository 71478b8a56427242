"""The record sheets as tables of cells, each of which a ruling can change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from laager.base import Refusal, RefusedError
from laager.web.records.rulings.editor import Editor
from laager.web.records.rulings.fields import FieldView, LineView, read_fields

MOST_COLUMNS = 8
"""Up to this many lines stand side by side, as on the printed roster; more stand below each other."""
PARTS_OF_SHEETS: Mapping[str, tuple[str, ...]] = {
    "roster": ("sides", "fight", "scenario", "past"),
    "purchase": ("groups", "sides"),
    "oba": ("groups",),
}
"""The parts of the record that a sheet shows, by how its id begins; other sheets show something of all."""


@dataclass(frozen=True)
class SheetCell:
    """A field of a line in a table; no field where the line has none such."""

    line: LineView
    field: FieldView | None

    @property
    def query(self) -> str:
        """What names it in an address."""
        name = self.field.name if self.field is not None else ""
        return urlencode({"part": self.line.part, "key": self.line.key, "field": name})


@dataclass(frozen=True)
class CellTable:
    """A part of the record as a table: the headings of its columns, and its rows, each with a heading."""

    part: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[SheetCell, ...]], ...]


def list_tables(editor: Editor, sheet: str = "") -> Iterator[CellTable]:
    """Yield the record sheets that a seat can put right as tables; of a sheet only what it shows."""
    wanted = next((parts for start, parts in PARTS_OF_SHEETS.items() if sheet.startswith(start)), None)
    for part, lines in editor.sheets():
        if wanted is None or part in wanted:
            yield _lay_out(part, lines)


def _lay_out(part: str, lines: Iterable[LineView]) -> CellTable:
    lines = list(lines)
    names = {field.name: field.label for line in lines for field in line.fields}
    cells = [{field.name: SheetCell(line, field) for field in line.fields} for line in lines]
    by_line = [
        tuple(own.get(name, SheetCell(line, None)) for name in names) for line, own in zip(lines, cells, strict=True)
    ]
    titles = tuple(line.title for line in lines)
    if len(lines) > MOST_COLUMNS:
        return CellTable(part, tuple(names.values()), tuple(zip(titles, by_line, strict=True)))
    return CellTable(part, titles, tuple(zip(names.values(), zip(*by_line, strict=True), strict=True)))


def find_cell(editor: Editor, given: QueryDict) -> SheetCell | None:
    """Return the cell that an address or a form names; None if it names none. Raises RefusedError."""
    part, key, name = (given.get(word, "") for word in ("part", "key", "field"))
    if not part or not name:
        return None
    line = editor.find_line(part, key, "")
    field = next((field for field in line.fields if field.name == name), None)
    if field is None:
        raise RefusedError(Refusal.NO_SUCH, "the record has no such cell", "look at the page again")
    return SheetCell(line, field)


def take_cell(editor: Editor, given: QueryDict) -> dict[str, Any]:
    """Return the draft with what a form says of one cell, and with the reason, if it gives one. Raises RefusedError."""
    cell = find_cell(editor, given)
    if cell is None or cell.field is None:
        raise RefusedError(Refusal.NO_SUCH, "the record has no such cell", "look at the page again")
    part, key = cell.line.part, cell.line.key
    name, _bracket, item = cell.field.name.partition("[")
    item = item.removesuffix("]")
    lines = editor.draft.get(part, {})
    line = dict(lines.get(key, {})) if key else dict(lines)
    changed = read_fields(given, [cell.field])
    held = line.get(name)
    if item:
        items = {own: value for own, value in (held if isinstance(held, dict) else {}).items() if own != item}
        line[name] = items | changed.get(name, {})
    else:
        line.pop(name, None)
        line |= changed
    draft = {**editor.draft, part: {**lines, key: line} if key else line}
    why = given.get("why", "").strip()
    return {**draft, "why": why} if why else draft
