"""What is typed into a grid, put back into its file: what isn't touched stays as it is, comments included."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from laager.base import DataError, Problem
from laager.base.blanks import MARK, is_blank
from laager.base.files import parse_document
from laager.base.rewriting import dump_keeping_layout, load_with_comments
from laager.rules.board.hasl.grids.cells import LONGEST, complete_rolls
from laager.rules.board.hasl.grids.grid import BLANK, MOST_ROWS, ChartGrid, Column, GridRow, flow_mapping, flowing


@dataclass(frozen=True)
class CellProblem:
    """A problem with a cell, by row and column of the typed text (from 0), and by its chart if several are typed."""

    row: int
    column: int
    what: str
    chart: int = 0


class CellsError(DataError):
    """Cells that can't be read; nothing was changed."""

    def __init__(self, grids: Sequence[ChartGrid], cells: Sequence[CellProblem]) -> None:
        self.cells = tuple(cells)
        super().__init__(Problem(cell.what, "", _place(grids[cell.chart], cell)) for cell in cells)


def _place(grid: ChartGrid, cell: CellProblem) -> str:
    name = grid.columns[cell.column].heading if cell.column < len(grid.columns) else ""
    return f"row {cell.row + 1}, {name}" if name else f"row {cell.row + 1}"


Places = tuple[int | str | None, ...]


@dataclass(frozen=True)
class WrittenText:
    """A file's new text, and where each typed row of each chart stands now: a place, a name, or None for none."""

    text: str
    places: tuple[Places, ...]


def write_cells(text: str, name: str, grid: ChartGrid, cells: Sequence[Sequence[str]]) -> WrittenText:
    """Return a file's text with the cells of a grid put into it, as `write_charts` does."""
    return write_charts(text, name, [(grid, cells)])


def write_charts(text: str, name: str, charts: Sequence[tuple[ChartGrid, Sequence[Sequence[str]]]]) -> WrittenText:
    """Return a file's text with the cells of some of its grids put into it.

    Raises CellsError for cells that can't be read, DataError for a text that can't.
    """
    plain = parse_document(text, name).data
    typed = [_Typed(grid, grid.rows(plain), cells) for grid, cells in charts]
    _raise_problems(typed)
    for chart in typed:
        chart.complete()
    changed = [chart for chart in typed if chart.changes]
    if not changed:
        return WrittenText(text, tuple(chart.places for chart in typed))
    yaml, data = load_with_comments(text, name)
    # What lies inside of another chart's lines comes first, while these are where they were.
    holders = []
    for chart in sorted(changed, key=lambda chart: -len(chart.grid.way)):
        holder, part = _make_part(data, chart.grid)
        holders.append((holder, chart.grid))
        chart.put(part)
    _raise_problems(typed)
    for holder, grid in holders:
        _drop_part(holder, grid)
    return WrittenText(dump_keeping_layout(yaml, data, text), tuple(chart.places for chart in typed))


class _Typed:
    """A chart with its rows before, and those that are typed."""

    def __init__(self, grid: ChartGrid, before: Sequence[GridRow], cells: Sequence[Sequence[str]]) -> None:
        self.grid, self.before, self.cells = grid, before, cells
        self.rows: list[tuple[str, ...]] = []
        self.places: Places = ()
        self.problems = _check_size(grid, cells)

    def complete(self) -> None:
        """Read the cells as rows, with what follows from others."""
        columns = self.grid.columns
        whole = ([" ".join(cell.split()) for cell in (*row, *("" for _ in columns[len(row) :]))] for row in self.cells)
        self.rows = [self.grid.with_followers(row) for row in complete_rolls(columns[0].cell, whole)]
        self.places = _places(self.grid, self.rows)

    @property
    def changes(self) -> bool:
        """True if a row is another than before."""
        return [row.cells for row in self.before] != [row for row in self.rows if any(row) or self.grid.keys]

    def put(self, part: Any) -> None:
        """Put the rows into the part of the file that the grid shows."""
        grid, put = self.grid, _put_rows
        if grid.keys:
            put = _put_fixed
        elif grid.of_lines:
            put = _put_lines
        elif grid.named:
            put = _put_names
        self.places = tuple(put(part, grid, self.before, self.rows, self.problems))


def _raise_problems(charts: Sequence[_Typed]) -> None:
    problems = [replace(problem, chart=i) for i, chart in enumerate(charts) for problem in chart.problems]
    if problems:
        raise CellsError([chart.grid for chart in charts], problems)


def _check_size(grid: ChartGrid, cells: Sequence[Sequence[str]]) -> list[CellProblem]:
    if len(cells) > MOST_ROWS:
        return [CellProblem(MOST_ROWS, 0, f"{len(cells)} rows are too many; {MOST_ROWS} at most")]
    problems, most = list[CellProblem](), len(grid.columns)
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
    return problems[:50]


def _places(grid: ChartGrid, typed: Sequence[tuple[str, ...]]) -> Places:
    if grid.keys:
        return tuple(grid.keys)
    if grid.named:
        return tuple(row[0] or None for row in typed)
    count, places = 0, list[int | str | None]()
    for row in typed:
        places.append(count if any(row) else None)
        count += any(row)
    return tuple(places)


def _make_part(data: Any, grid: ChartGrid) -> tuple[Any, Any]:
    """Return what holds the part of a file that a grid shows, and the part, made if it isn't there or is a blank."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    holder = data
    for i, step in enumerate(grid.way):
        last, holder = i + 1 == len(grid.way), data
        part: Any = data.get(step) if isinstance(data, Mapping) else data[step]
        if part is None or is_blank(part):
            rows = last and not grid.keys and not grid.named
            data[step] = CommentedSeq([part] if part else ()) if rows else CommentedMap()
            if last and grid.named and part:
                data[step][part] = part
        data = data[step]
    return holder, data


def _drop_part(holder: Any, grid: ChartGrid) -> None:
    """Take a part out that has become empty: an empty list would say that there is nothing of the kind."""
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
    part: Any, grid: ChartGrid, before: Sequence[GridRow], typed: Sequence[tuple[str, ...]], problems: list[CellProblem]
) -> list[int | str | None]:
    items: list[Any] = []
    places: list[int | str | None] = [None] * len(typed)
    for was, row, number in _align_rows(before, typed):
        target = part[was] if was is not None else None
        places[number] = len(items)
        if was is not None and row == before[was].cells:
            items.append(target)
            continue
        if row[0] == BLANK and not any(row[1:]):
            items.append(f"{MARK} more rows")
            continue
        if not isinstance(target, Mapping):
            target = flow_mapping()
        _put_cells(target, grid, before[was].cells if was is not None else None, row, number, problems)
        items.append(target)
    for i in reversed(range(len(part))):
        if not any(part[i] is item for item in items):
            del part[i]
    # One by one, so that comments stay with their rows.
    for i, item in enumerate(items):
        if i >= len(part) or part[i] is not item:
            part.insert(i, item)
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
            holder = flow_mapping()
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
            line = flow_mapping()
        _put_cells(line, grid, was or (row[0],), row, number, problems)
        made[key] = line
    for key in keys:
        del part[key]
    part.update(made)
    return [row[0] or None for row in typed]


def _empty(column: Column) -> Any:
    return flowing([]) if column.cell.text([]) is not None else None
