"""Grids by name, how many blanks each has, and grids as CSV: what a spreadsheet writes and reads."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.counting import count_of
from laager.rules.board.hasl.grids.cards import card_grids
from laager.rules.board.hasl.grids.catalogues import catalogue_grids
from laager.rules.board.hasl.grids.charts import chart_grids
from laager.rules.board.hasl.grids.grid import BLANK, MOST_ROWS, ChartGrid
from laager.rules.board.hasl.grids.pl_cards import pl_card_grids
from laager.rules.board.hasl.grids.records import record_grids
from laager.rules.board.hasl.grids.tables import table_grids
from laager.rules.board.hasl.grids.writing import CellsError

GRIDS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[ChartGrid]]] = {
    "hasl-charts": chart_grids,
    "tables": table_grids,
    "hasl-card": card_grids,
    "pl-card": pl_card_grids,
    "catalogue": catalogue_grids,
    "pl-record": record_grids("pl"),
    "hasl-record": record_grids("hasl"),
    "abtf-record": record_grids("abtf"),
    "er-record": record_grids("er"),
}
"""The grids of a file, by its kind."""

MOST_CHARACTERS = 200_000
"""Longest CSV, in characters."""


def grids_of(kind: str, data: Any) -> list[ChartGrid]:
    """Return the grids of a file of a kind; none for other kinds."""
    return list(GRIDS[kind](data)) if kind in GRIDS and isinstance(data, Mapping) else []


def find_grid(kind: str, data: Any, id_: str) -> ChartGrid:
    """Return a grid by its id. Raises RefusedError, with those that there are."""
    grids = {grid.id: grid for grid in grids_of(kind, data)}
    if id_ not in grids:
        advice = did_you_mean(id_, grids, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no chart {id_[:40]!r}", advice)
    return grids[id_]


@dataclass(frozen=True)
class Overview:
    """A grid with how many rows are filled in and how many blanks are left."""

    grid: ChartGrid
    rows: int
    blanks: int


def overview(kind: str, data: Any) -> list[Overview]:
    """Return the grids of a file with what is in them."""
    overviews = []
    for grid in grids_of(kind, data):
        rows = grid.rows(data)
        count = sum(any(cell not in ("", BLANK) for cell in row.cells) for row in rows)
        overviews.append(Overview(grid, count, sum(len(row.hints) for row in rows)))
    return overviews


# CSV ----------------------------------------------------------------------------------------------


def to_csv(grid: ChartGrid, data: Any) -> str:
    """Return a grid as CSV, with the headings of its columns."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    fixed = any(grid.keys)
    writer.writerow([*([""] if fixed else []), *(column.heading for column in grid.columns)])
    for row in grid.rows(data):
        writer.writerow([*([row.name] if fixed else []), *row.cells])
    return out.getvalue()


@dataclass(frozen=True)
class Csv:
    """The cells of a CSV in a grid's order, and the line of each row."""

    cells: list[list[str]]
    lines: list[int]

    def locate_problems(self, err: CellsError, grid: ChartGrid, file: str) -> list[Problem]:
        """Return what is wrong with cells by their lines in the CSV."""
        names, lines = [*(cell.heading for cell in grid.columns), ""], dict(enumerate(self.lines))
        return [Problem(cell.what, "", names[cell.column], lines.get(cell.row), file) for cell in err.cells]


def from_csv(grid: ChartGrid, data: Any, text: str, file: str = "") -> Csv:
    """Return the cells of a CSV, whatever parts them: comma, semicolon or tab.

    The first line may have headings, in any order; what stands in columns that it doesn't name is kept, by the first
    cells of a row. Raises DataError with every line that doesn't fit.
    """
    lines = _lines(text, file)
    fixed = any(grid.keys)
    places = _headings(grid, lines[0][1]) if lines else None
    if places is None:
        places = [None] * fixed + list(range(len(grid.columns)))
    else:
        unknown = [cell for cell, place in zip(lines[0][1], places, strict=True) if place == -1]
        if unknown:
            right = did_you_mean(unknown[0], [column.heading for column in grid.columns], "its columns are")
            raise DataError([Problem(f"there is no column {unknown[0]!r} in this chart", right, "", lines[0][0], file)])
        lines = lines[1:]
    problems = [
        Problem(
            f"this line has {count_of(len(cells), 'cell')}, and the chart has {count_of(len(places), 'column')}",
            "one cell for each column, quotes around cells with commas", "", number, file,
        )
        for number, cells in lines
        if any(cells[len(places) :])
    ]  # fmt: skip
    if len(lines) > MOST_ROWS:
        problems.append(Problem(f"{len(lines)} lines are too many", f"{MOST_ROWS} at most", file=file))
    if problems:
        raise DataError(problems[:50])
    kept = _Kept(grid, data, [place for place in places if place is not None])
    names = [cells[0] if fixed else "" for _, cells in lines]
    rows = []
    for (_, cells), name in zip(lines, names, strict=True):
        by_column = {place: cell for place, cell in zip(places, cells, strict=False) if place is not None}
        rows.append(kept.row(by_column, name))
    if "" in grid.keys and not rows:
        # The only row is empty, and empty lines are passed over.
        rows = [[""] * len(grid.columns)]
    read = Csv(rows, [number for number, _ in lines])
    return _in_order(grid, read, names, file) if fixed else read


class _Kept:
    """The values of a grid in columns that a CSV doesn't name."""

    def __init__(self, grid: ChartGrid, data: Any, named: Sequence[int]) -> None:
        self.grid, self.named = grid, set(named)
        self.by_name = [i for i in (0, 1) if i in self.named]
        self.before = {self._key(dict(enumerate(row.cells)), row.name): row.cells for row in grid.rows(data)}

    def _key(self, cells: Mapping[int, str], name: str) -> tuple[str, ...]:
        return (name.casefold(),) if any(self.grid.keys) else tuple(cells.get(i, "") for i in self.by_name)

    def row(self, cells: Mapping[int, str], name: str) -> list[str]:
        """Return the cells of a whole row."""
        before = self.before.get(self._key(cells, name), ("",) * len(self.grid.columns))
        return [cells.get(i, "") if i in self.named else before[i] for i in range(len(before))]


def _lines(text: str, file: str) -> list[tuple[int, list[str]]]:
    """Return the lines of a CSV that aren't empty, with their numbers."""
    if len(text) > MOST_CHARACTERS:
        fault, right = f"{len(text)} characters are too many for a chart", f"{MOST_CHARACTERS} at most"
        raise DataError([Problem(fault, right, file=file)])
    text = _with_tabs(text.lstrip("\ufeff"))
    delimiter = max("\t;,", key=text.split("\n", 1)[0].count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    lines, number = [], 0
    try:
        for cells in reader:
            line, number = number + 1, reader.line_num
            plain = [_plain(cell) for cell in cells]
            if any(plain):
                lines.append((line, plain))
    except csv.Error as err:
        raise DataError([Problem(f"this isn't CSV ({err})", "save it as CSV", "", reader.line_num, file)]) from None
    return lines


def _with_tabs(text: str) -> str:
    """Return what was copied with tabs between its columns: in a PDF several spaces stand there."""
    lines = text.rstrip().splitlines()
    gaps = sum(re.search(r"\S {2,}\S", line) is not None for line in lines)
    if "\t" in text or len(lines) < 2 or gaps * 2 < len(lines):
        return text
    return "\n".join(re.sub(" {2,}", "\t", line.strip()) for line in lines)


def _plain(cell: str) -> str:
    """Return what a cell says: spreadsheets write `="9-1"` or `'9-1` for text that looks like a date."""
    match = re.fullmatch(r"=\"(.*)\"", cell.strip())
    return " ".join((match[1] if match else cell.strip().removeprefix("'")).split())


def _headings(grid: ChartGrid, cells: Sequence[str]) -> list[int | None] | None:
    """Return the columns that a line of headings names, -1 for an unknown one; None if it isn't one."""
    columns = {column.heading.casefold(): i for i, column in enumerate(grid.columns)}
    columns |= {column.key.casefold(): i for i, column in enumerate(grid.columns)}
    fixed = any(grid.keys)
    places = [columns.get(cell.casefold(), None if not cell else -1) for cell in cells]
    if fixed and places:
        places[0] = None
    named = sum(place not in (None, -1) for place in places)
    return places if named and named * 2 >= len([cell for cell in cells if cell]) - fixed else None


def _in_order(grid: ChartGrid, read: Csv, names: Sequence[str], file: str) -> Csv:
    """Return the rows of a grid with fixed rows in its order; the first cell names each. Raises DataError."""
    known = {name.casefold(): key for key, name in grid.keys.items()} | {key: key for key in grid.keys}
    places = {known.get(name.casefold()): i for i, name in enumerate(names)}
    if set(places) != set(grid.keys) or len(places) != len(names):
        right = f"one line for each of {', '.join(grid.keys.values())}, with its name in the first cell"
        raise DataError([Problem("the lines of this chart don't fit", right, file=file)])
    order = [places[key] for key in grid.keys]
    return Csv([read.cells[i] for i in order], [read.lines[i] for i in order])
