"""A part of a file as a grid: its columns, its rows as text, and what is typed put back into the file.

What isn't touched stays as it is, comments included. A blank is shown as `?`; one that stands for further rows is a row
with nothing but `?` in its first cell. A cell that can't be shown in a line holds `…`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from laager.base import DataError, Problem
from laager.base.blanks import MARK, is_blank, meaning
from laager.base.files import Where, field_path, parse_document
from laager.base.rewriting import dump_keeping_layout, load_with_comments
from laager.base.texts import with_languages_of
from laager.rules.board.hasl.grids.cells import LONGEST, CellFormat, FinalRoll, with_last_roll

BLANK, DEEP, MOST_ROWS = "?", "…", 400


@dataclass(frozen=True)
class Column:
    """A column: where its values stand in a row, what it is called, what it means, what its cells hold.

    `wide`: characters that its cells show. `needed`: can't stay empty. `by_id`: an empty cell by its row's letters.
    """

    way: tuple[str, ...]
    heading: str
    help: str
    cell: CellFormat
    needed: bool = False
    wide: int = 6
    by_id: Mapping[str, str] = field(default_factory=dict)

    def follow(self, first: str, text: str) -> str:
        """Return a cell, or what follows from its row's first."""
        return text or self.by_id.get(first.rstrip("0123456789").rpartition("-")[2], "")

    @property
    def key(self) -> str:
        """Its name in files."""
        return ".".join(self.way)

    def of(self, row: Mapping[str, Any]) -> tuple[str, str]:
        """Return the text of a row's cell, and what belongs in it if it is a blank."""
        if isinstance(self.cell, FinalRoll):
            return self.cell.text(row) or "", ""
        value: Any = row
        for step in self.way:
            if not isinstance(value, Mapping) or step not in value:
                return "", ""
            value = value[step]
            if is_blank(value):
                return BLANK, meaning(value)
        if isinstance(value, list) and any(is_blank(item) for item in value):
            return (BLANK, meaning(next(filter(is_blank, value)))) if len(value) == 1 else (DEEP, "")
        if value is None and not _takes_nothing(self.cell):
            return "", ""
        text = self.cell.text(value)
        plain = None if text is None else " ".join(text.split())
        return (DEEP if plain is None or len(plain) > LONGEST else plain), ""

    def put(self, row: Any, text: str) -> None:
        """Put a text into a row; an empty one takes the value out. Raises ValueError."""
        if isinstance(self.cell, FinalRoll):
            self._put_roll(row, text)
            return
        if text == DEEP:
            raise ValueError("… can't be typed; it stands for what a cell can't show")
        value = None
        if text == BLANK:
            value = f"{MARK} {self.heading}"
        elif text:
            value = _flowing(self.cell.value(text))
        here = row
        for step in self.way[:-1]:
            if not isinstance(here.get(step), Mapping):
                if not text:
                    here.pop(step, None)
                    return
                here[step] = _mapping()
            here = here[step]
        if text:
            here[self.way[-1]] = with_languages_of(here.get(self.way[-1]), value)
            return
        here.pop(self.way[-1], None)
        for end in range(len(self.way) - 1, 0, -1):
            _drop_empty(row, self.way[:end])

    def _put_roll(self, row: Any, text: str) -> None:
        value = self.cell.value(text) if text else {}
        rest = {key: row[key] for key in row if key not in {"at", "from", "to"}}
        for key in list(row):
            del row[key]
        row.update({**value, **rest})


def _takes_nothing(cell: CellFormat) -> bool:
    """True if nothing at all is a value of a cell, such as a result of “no leader”."""
    return hasattr(cell, "text_of")


def _drop_empty(row: Any, way: Sequence[str]) -> None:
    holder = row
    for step in way[:-1]:
        holder = holder[step]
    if holder.get(way[-1]) == {}:
        del holder[way[-1]]


def _mapping() -> Any:
    from ruamel.yaml.comments import CommentedMap

    made = CommentedMap()
    made.fa.set_flow_style()
    return made


def _flowing(value: Any) -> Any:
    """Return lists and mappings so that they are written on one line."""
    from ruamel.yaml.comments import CommentedSeq

    if isinstance(value, Mapping):
        mapping = _mapping()
        mapping.update({key: _flowing(item) for key, item in value.items()})
        return mapping
    if isinstance(value, list):
        items = CommentedSeq(_flowing(item) for item in value)
        items.fa.set_flow_style()
        return items
    return value


@dataclass(frozen=True)
class GridRow:
    """A row as text. `hints` say what belongs in its blanks, by column; `name` is its own name in a fixed grid."""

    cells: tuple[str, ...]
    hints: Mapping[int, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True)
class ChartGrid:
    """A part of a file as a grid.

    `way` leads to it. Its rows are a list (`keys` empty), or parts by names: those of `keys`, or, with `named`, those
    that the owner gives, which then stand in the first column. The key "" stands for the part itself as the only row.
    With `named`, one column more holds the whole value of a name, several hold its fields.
    """

    id: str
    title: str
    about: str
    way: Where
    columns: tuple[Column, ...]
    keys: Mapping[str, str] = field(default_factory=dict)
    named: bool = False

    @property
    def grows(self) -> bool:
        """True if rows can be added and removed."""
        return not self.keys

    @property
    def of_lines(self) -> bool:
        """True if each name stands for a line with several fields."""
        return self.named and len(self.columns) > 2

    def part(self, data: Any) -> Any:
        """Return the part of a file that it shows; None if it isn't there."""
        for step in self.way:
            inside = isinstance(data, Mapping) and step in data
            if not inside and not (isinstance(data, list) and isinstance(step, int) and step < len(data)):
                return None
            data = data[step]
            if is_blank(data):
                return data
        return data

    def rows(self, data: Any) -> list[GridRow]:
        """Return its rows as text."""
        part = self.part(data)
        if self.keys:
            inner = part if isinstance(part, Mapping) else {}
            return [self._row(inner.get(key) if key else part, name) for key, name in self.keys.items()]
        if is_blank(part):
            return [self._more(part)]
        if self.named:
            return [self._pair(key, value) for key, value in part.items()] if isinstance(part, Mapping) else []
        return (
            [self._more(item) if is_blank(item) else self._row(item) for item in part] if isinstance(part, list) else []
        )

    def _row(self, row: Any, name: str = "") -> GridRow:
        if is_blank(row):
            return GridRow((BLANK,) * len(self.columns), {0: meaning(row)}, name)
        if row is not None and not isinstance(row, Mapping):
            return GridRow((DEEP,) * len(self.columns), {}, name)
        texts = [column.of(row or {}) for column in self.columns]
        hints: dict[tuple[str, str], int] = {}
        for i, (column, (_, hint)) in enumerate(zip(self.columns, texts, strict=True)):
            # A blank of several columns is one.
            if hint:
                hints.setdefault((column.way[0], hint), i)
        return GridRow(tuple(text for text, _ in texts), {i: hint for (_, hint), i in hints.items()}, name)

    def _pair(self, key: object, value: Any) -> GridRow:
        if is_blank(key):
            return self._more(str(key))
        if self.of_lines:
            line = self._row(value)
            return GridRow((str(key), *line.cells[1:]), {i: hint for i, hint in line.hints.items() if i})
        column = self.columns[1]
        text, hint = column.of({column.way[0]: value})
        return GridRow((str(key), text), {1: hint} if hint else {})

    def _more(self, blank: str) -> GridRow:
        return GridRow((BLANK, *("" for _ in self.columns[1:])), {0: meaning(blank)})

    def cell_of(self, field_: str) -> tuple[int | str, int] | None:
        """Return where a field of the file stands: its row (place or name) and its column; None if it is elsewhere."""
        head = field_path(self.way)
        if not field_ or (not re.match(rf"{re.escape(head)}(?![a-z0-9_-])", field_) and head):
            return None
        row: int | str
        rest = field_[len(head) :]
        if "" in self.keys:
            row, rest = "", rest.removeprefix(".")
            if not any(_touches(rest, column.key) for column in self.columns):
                return None
        elif not self.keys and not self.named:
            match = re.match(r"\[([0-9]+)\]\.?", rest)
            row = int(match[1]) - 1 if match else 0
            rest = rest[match.end() :] if match else ""
        else:
            row, _, rest = rest.removeprefix(".").partition(".")
            if self.named and not self.of_lines:
                return row, 1
        keys = [column.key for column in self.columns]
        return row, next((i for i, key in enumerate(keys) if rest and _touches(rest, key)), 0)


def _touches(field_: str, key: str) -> bool:
    """True if a field is a column's, lies inside it or around it."""
    return field_ == key or field_.startswith((f"{key}.", f"{key}[")) or key.startswith(f"{field_}.")


# Writing ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CellProblem:
    """A problem with a cell, by row and column of the typed text (from 0)."""

    row: int
    column: int
    what: str


class CellsError(DataError):
    """Cells that can't be read; nothing was changed."""

    def __init__(self, grid: ChartGrid, cells: Sequence[CellProblem]) -> None:
        self.cells = tuple(cells)
        super().__init__(Problem(cell.what, "", _place(grid, cell)) for cell in cells)


def _place(grid: ChartGrid, cell: CellProblem) -> str:
    name = grid.columns[cell.column].heading if cell.column < len(grid.columns) else ""
    return f"row {cell.row + 1}, {name}" if name else f"row {cell.row + 1}"


@dataclass(frozen=True)
class WrittenText:
    """A file's new text, and where each typed row stands in it now: a place, a name, or None for none."""

    text: str
    places: tuple[int | str | None, ...]


def write_cells(text: str, name: str, grid: ChartGrid, cells: Sequence[Sequence[str]]) -> WrittenText:
    """Return a file's text with the cells of a grid put into it.

    Raises CellsError for cells that can't be read, DataError for a text that can't.
    """
    before = grid.rows(parse_document(text, name).data)
    _check_size(grid, cells)
    whole = ([" ".join(cell.split()) for cell in (*row, *("" for _ in grid.columns[len(row) :]))] for row in cells)
    given = with_last_roll(grid.columns[0].cell, whole)
    typed = [tuple(map(Column.follow, grid.columns, [row[0]] * len(row), row)) for row in given]
    if [row.cells for row in before] == [row for row in typed if any(row) or grid.keys]:
        return WrittenText(text, _places(grid, typed, before))
    yaml, data = load_with_comments(text, name)
    problems, part = list[CellProblem](), _make_part(data, grid)
    if grid.keys:
        places = _put_fixed(part, grid, before, typed, problems)
    elif grid.of_lines:
        places = _put_lines(part, grid, before, typed, problems)
    elif grid.named:
        places = _put_names(part, grid, before, typed, problems)
    else:
        places = _put_rows(part, grid, before, typed, problems)
    if problems:
        raise CellsError(grid, problems)
    _drop_part(data, grid)
    return WrittenText(dump_keeping_layout(yaml, data, text), tuple(places))


def _check_size(grid: ChartGrid, cells: Sequence[Sequence[str]]) -> None:
    if len(cells) > MOST_ROWS:
        raise CellsError(grid, [CellProblem(MOST_ROWS, 0, f"{len(cells)} rows are too many; {MOST_ROWS} at most")])
    problems, most = [], len(grid.columns)
    for i, row in enumerate(cells):
        if len(row) > most:
            wrong = f"{len(row)} cells are too many; the grid has {most} columns"
            problems.append(CellProblem(i, most, wrong))
        for j, cell in enumerate(row[:most]):
            if len(cell) > LONGEST:
                problems.append(CellProblem(i, j, f"{len(cell)} characters are too many; {LONGEST} at most"))
            elif re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]", cell):
                problems.append(CellProblem(i, j, "has a character that isn't text; type it anew"))
    if grid.keys and len(cells) != len(grid.keys):
        wrong = f"the grid has {len(grid.keys)} rows: {', '.join(grid.keys.values())}"
        problems.append(CellProblem(len(cells), 0, wrong))
    if problems:
        raise CellsError(grid, problems[:50])


def _places(
    grid: ChartGrid, typed: Sequence[tuple[str, ...]], before: Sequence[GridRow]
) -> tuple[int | str | None, ...]:
    if grid.keys:
        return tuple(grid.keys)
    if grid.named:
        return tuple(row[0] or None for row in typed)
    count, places = 0, list[int | str | None]()
    for row in typed:
        places.append(count if any(row) else None)
        count += any(row)
    return tuple(places)


def _make_part(data: Any, grid: ChartGrid) -> Any:
    """Return the part of a file that a grid shows, made if it isn't there yet or is a blank."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    for i, step in enumerate(grid.way):
        last = i + 1 == len(grid.way)
        part: Any = data.get(step) if isinstance(data, Mapping) else data[step]
        if part is None or is_blank(part):
            rows = last and not grid.keys and not grid.named
            data[step] = CommentedSeq([part] if part else ()) if rows else CommentedMap()
            if last and grid.named and part:
                data[step][part] = part
        data = data[step]
    return data


def _drop_part(data: Any, grid: ChartGrid) -> None:
    """Take a part out that has become empty: an empty list would say that there is nothing of the kind."""
    holder = data
    for step in grid.way[:-1]:
        holder = holder[step]
    if grid.way and isinstance(holder, Mapping) and not holder[grid.way[-1]]:
        del holder[grid.way[-1]]  # type: ignore[attr-defined]


def _align_rows(
    before: Sequence[GridRow], typed: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int | None, tuple[str, ...], int]]:
    """Yield each typed row that isn't empty with the place that it had before, if any, and its own."""
    filled = [(i, row) for i, row in enumerate(typed) if any(row)]
    old, new = [row.cells for row in before], [row for _, row in filled]
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for n in range(d - c):
            yield a + n if a + n < b else None, new[c + n], filled[c + n][0]


def _put_rows(
    rows: Any, grid: ChartGrid, before: Sequence[GridRow], typed: Sequence[tuple[str, ...]], problems: list[CellProblem]
) -> list[int | str | None]:
    items: list[Any] = []
    places: list[int | str | None] = [None] * len(typed)
    for was, row, number in _align_rows(before, typed):
        target = rows[was] if was is not None else None
        places[number] = len(items)
        if was is not None and row == before[was].cells:
            items.append(target)
            continue
        if row[0] == BLANK and not any(row[1:]):
            items.append(f"{MARK} more rows")
            continue
        if not isinstance(target, Mapping):
            target = _mapping()
        _put_cells(target, grid, before[was].cells if was is not None else None, row, number, problems)
        items.append(target)
    for i in reversed(range(len(rows))):
        if not any(rows[i] is item for item in items):
            del rows[i]
    # One by one, so that comments stay with their rows.
    for i, item in enumerate(items):
        if i >= len(rows) or rows[i] is not item:
            rows.insert(i, item)
    return places


def _put_cells(
    row: Any, grid: ChartGrid, was: Sequence[str] | None, now: Sequence[str], number: int, problems: list[CellProblem]
) -> None:
    for j, column in enumerate(grid.columns):
        if now[j] == (was[j] if was is not None and j < len(was) else ""):
            continue
        try:
            column.put(row, now[j])
        except ValueError as err:
            problems.append(CellProblem(number, j, str(err)))


def _put_fixed(
    part: Any, grid: ChartGrid, before: Sequence[GridRow], typed: Sequence[tuple[str, ...]], problems: list[CellProblem]
) -> list[int | str | None]:
    from ruamel.yaml.comments import CommentedMap

    for number, (key, was, now) in enumerate(zip(grid.keys, before, typed, strict=True)):
        if was.cells == now:
            continue
        row = part if key == "" else part.get(key)
        if not isinstance(row, Mapping):
            row = part[key] = CommentedMap()
        _put_cells(row, grid, was.cells, now, number, problems)
    return list(grid.keys)


def _put_names(
    part: Any, grid: ChartGrid, before: Sequence[GridRow], typed: Sequence[tuple[str, ...]], problems: list[CellProblem]
) -> list[int | str | None]:
    keys = list(part)
    old = {row.cells[0]: (key, row.cells[1]) for key, row in zip(keys, before, strict=True)}
    name, value = grid.columns
    made: dict[Any, Any] = {}
    for number, row in enumerate(typed):
        if not any(row):
            continue
        if row[0] == BLANK:
            key = old.get(BLANK, (f"{MARK} more rows", ""))[0]
            made[key] = part.get(key, key)
            continue
        try:
            key = old[row[0]][0] if row[0] in old else name.cell.value(row[0])
            if not row[0] or key in made:
                raise ValueError(f"there is {row[0]!r} twice; remove one" if row[0] else "needs a name; type one")
            holder = _mapping()
            if row[0] in old:
                holder[value.way[0]] = part[key]
            if row[0] not in old or old[row[0]][1] != row[1]:
                value.put(holder, row[1])
            made[key] = holder.get(value.way[0], _empty(value))
        except ValueError as err:
            problems.append(CellProblem(number, 0, str(err)))
    for key in keys:
        if key not in made:
            del part[key]
    part.update(made)
    return [row[0] or None for row in typed]


def _put_lines(
    part: Any, grid: ChartGrid, before: Sequence[GridRow], typed: Sequence[tuple[str, ...]], problems: list[CellProblem]
) -> list[int | str | None]:
    """Put lines with a name each; one that keeps its name keeps what no column shows."""
    keys = list(part)
    old = {row.cells[0]: (key, row.cells) for key, row in zip(keys, before, strict=True)}
    made: dict[Any, Any] = {}
    for number, row in enumerate(typed):
        if not any(row):
            continue
        if not row[0] or row[0] in map(str, made):
            fault = f"there is {row[0]!r} twice; remove one" if row[0] else "needs a number; type one"
            problems.append(CellProblem(number, 0, fault))
            continue
        key, was = old.get(row[0], (row[0], None))
        line = part.get(key) if was is not None else None
        if not isinstance(line, Mapping):
            line = _mapping()
        _put_cells(line, grid, was or (row[0],), row, number, problems)
        made[key] = line
    for key in keys:
        del part[key]
    part.update(made)
    return [row[0] or None for row in typed]


def _empty(column: Column) -> Any:
    return _flowing([]) if column.cell.text([]) is not None else None
