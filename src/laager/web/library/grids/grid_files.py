"""Charts, tables and cards of one's own as grids: what a page shows of one, what is typed into it, its check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from laager.base import Problem, Refusal, RefusedError
from laager.base.blanks import Blank, is_blank, without_blanks
from laager.base.files import parse_document
from laager.kinds import kind_of
from laager.rules.board.hasl.card.ground import ARROWS_OF_MAP
from laager.rules.board.hasl.grids.cells import ChoiceCell, Names, WordsCell
from laager.rules.board.hasl.grids.grid import BLANK, MOST_ROWS, ChartGrid, Column, GridRow
from laager.rules.board.hasl.grids.records import PairsCell, hexes_in
from laager.rules.board.hasl.grids.sheets import GRIDS, Overview, find_grid, from_csv, overview
from laager.rules.board.hasl.grids.writing import CellsError, WrittenText, write_charts
from laager.web.library.files.chart_places import ChartPlace, ChartPlaces, PlacedProblem
from laager.web.library.sharing.opened import OpenFile
from laager.web.shared.forms.sayings import in_words, without_commands

SPARE_ROWS = 3
"""Empty rows below a grid that can grow."""

_CELL = re.compile(r"r([0-9]{1,4})\.([0-9]{1,3})")
MOST_CHARTS = 60
"""Most charts on a page."""


# Reading a file -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gridded:
    """A file with grids: its kind and data, how full each grid is, and the blanks that stand in none of them."""

    kind: str
    data: Any
    overview: Sequence[Overview]
    others: Sequence[Blank]

    @property
    def of_record(self) -> bool:
        """True if it is the record of a campaign."""
        return self.kind.endswith("-record")

    @property
    def of_card(self) -> bool:
        """True if it is a card."""
        return self.kind.endswith("-card")

    @property
    def left(self) -> int:
        """How many blanks are left in the file."""
        return sum(part.blanks for part in self.overview) + len(self.others)

    @property
    def with_blanks(self) -> list[str]:
        """The ids of the charts that have blanks."""
        return [part.grid.id for part in self.overview if part.blanks][:MOST_CHARTS]

    @property
    def all_ids(self) -> list[str]:
        """The ids of all its charts, as far as a page has room."""
        return [part.grid.id for part in self.overview][:MOST_CHARTS]

    def grid(self, id_: str) -> ChartGrid:
        """Return a grid by its id. Raises RefusedError."""
        return find_grid(self.kind, self.data, id_)

    def grids(self, ids: Sequence[str]) -> list[ChartGrid]:
        """Return grids by their ids, each once. Raises RefusedError if there is none, or they are too many."""
        if len(ids) > MOST_CHARTS:
            raise RefusedError(Refusal.BAD_ANSWER, f"{len(ids)} charts are too many", f"{MOST_CHARTS} at most")
        return [self.grid(id_) for id_ in dict.fromkeys(ids)]

    def after(self, grid: ChartGrid) -> Overview | None:
        """Return the next grid that has blanks, from the one after `grid` on and around."""
        ids = [part.grid.id for part in self.overview]
        here = ids.index(grid.id)
        around = [*self.overview[here + 1 :], *self.overview[:here]]
        return next((part for part in around if part.blanks), None)


def read_grids(text: str, name: str) -> Gridded:
    """Read a file. Raises DataError, RefusedError if files of its kind have no grids."""
    document = parse_document(text, name)
    kind = kind_of(document)
    if kind not in GRIDS or not isinstance(document.data, Mapping):
        raise RefusedError(Refusal.NO_SUCH, f"{name} has no charts", "edit the text")
    grids = overview(kind, document.data)
    blanks = without_blanks(document)[1]
    # Those of the grids are counted there; whatever is beside them has a form or a line in the text.
    others = [blank for blank in blanks if not any(_shows(each.grid, blank) for each in grids)]
    return Gridded(kind, document.data, grids, others)


def _shows(grid: ChartGrid, blank: Blank) -> bool:
    """True if a blank stands in a grid: for a part that it shows, for further rows, or in one of its columns."""
    depth = len(grid.way)
    if blank.where[:depth] != grid.way[: len(blank.where)]:
        return False
    inside = blank.where[depth:]
    if not grid.keys and len(inside) <= 1:
        return True
    steps = inside if "" in grid.keys else inside[1:]
    names = [str(step) for step in steps if not isinstance(step, int) and not is_blank(step)]
    return any(list(column.way[: len(names)]) == names for column in grid.columns) or grid.named


# What is typed ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TypedChart:
    """A chart on a page and what is typed into it; `number` is its place on the page."""

    grid: ChartGrid
    cells: Sequence[Sequence[str]]
    number: int = 0

    @property
    def prefix(self) -> str:
        """What the names of its cells begin with: nothing for the first chart of a page."""
        return prefix_of(self.number)


def prefix_of(number: int) -> str:
    """Return what the names of the cells of a page's chart begin with."""
    return f"t{number}." if number else ""


def posted_cells(data: Mapping[str, Sequence[str]], grid: ChartGrid, number: int = 0) -> list[list[str]]:
    """Return the cells that a form sent for a chart, row by row. Raises RefusedError if there are too many."""
    by_cell: dict[tuple[int, int], str] = {}
    prefix = prefix_of(number)
    for name, values in data.items():
        match = _CELL.fullmatch(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if match and values:
            by_cell[int(match[1]), int(match[2])] = values[-1]
    rows = 1 + max((row for row, _ in by_cell), default=-1)
    if rows > MOST_ROWS + SPARE_ROWS:
        raise RefusedError(Refusal.BAD_ANSWER, f"{rows} rows are too many", f"{MOST_ROWS} at most")
    width = max(len(grid.columns), 1 + max((column for _, column in by_cell), default=0))
    return [[by_cell.get((row, column), "") for column in range(width)] for row in range(rows)]


def pasted_cells(text: str, grid: ChartGrid, data: Any) -> list[list[str]]:
    """Return the cells of a CSV, or of what a spreadsheet copies. Raises DataError with the lines that don't fit."""
    return from_csv(grid, data, text).cells


# What is shown ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShownCell:
    """A cell: its name in the form, its text, what belongs in it if it is a blank, what is wrong with it."""

    name: str
    column: Column
    text: str
    hint: str = ""
    problem: str = ""

    @property
    def blank(self) -> bool:
        """True if it is still to be filled in."""
        return self.text == BLANK

    @property
    def words(self) -> str:
        """The attribute that names its known words, "" for none; of a list the script completes each word."""
        cell = self.column.cell
        if getattr(cell, "known", None) is None:
            return ""
        return "data-parts" if isinstance(cell, Names | PairsCell) else "list"

    @property
    def hexes(self) -> str:
        """How many hexes it names: "one", "many", or "" for none."""
        return hexes_in(self.column)

    @property
    def options(self) -> list[str]:
        """What can be chosen; empty if anything can be typed."""
        if not isinstance(self.column.cell, ChoiceCell):
            return []
        known = list(dict.fromkeys(self.column.cell.words.values()))
        return ["", *known] + [self.text] * (self.text not in ("", *known))


@dataclass(frozen=True)
class ShownRow:
    """A row: its number from 1, its own name in a grid of fixed rows, its cells."""

    number: int
    name: str
    cells: tuple[ShownCell, ...]


@dataclass(frozen=True)
class SheetProblem:
    """What is wrong, in which cell ("" for none), where that is in words, and where else it can be mended.

    `chart` is the chart's title if the page has several, `inside` the other cell's name if it is on the page, too;
    `doubt`: the card can be played so. `right` says what would be right, a sentence of its own.
    """

    what: str
    cell: str = ""
    place: str = ""
    chart: str = ""
    other: ChartPlace | None = None
    inside: str = ""
    doubt: bool = False
    right: str = ""


@dataclass(frozen=True)
class Checked:
    """What the check says of typed cells: the file's new text ("" if cells can't be read), problems, doubts, blanks."""

    text: str
    problems: tuple[SheetProblem, ...] = ()
    elsewhere: tuple[PlacedProblem, ...] = ()
    left: int = 0
    by_cell: Mapping[str, str] = field(default_factory=dict)
    map: str = ""
    """The map of one's own that lacks arrows; "" for none."""
    arrows: frozenset[str] = frozenset()
    """What is said of each arrow that the map lacks."""


def check(opened: OpenFile, charts: Sequence[TypedChart]) -> Checked:
    """Check typed cells as part of their file; nothing is kept. Raises DataError if the file can't be read."""
    name = opened.name
    try:
        made = write_charts(opened.file.text, name, [(chart.grid, chart.cells) for chart in charts])
    except CellsError as err:
        problems = tuple(_problem(charts, cell.chart, cell.row, cell.column, cell.what) for cell in err.cells)
        return Checked("", problems, by_cell=_by_cell(problems))
    places = ChartPlaces({**opened.texts, name: made.text})
    inside: list[SheetProblem] = []
    elsewhere: list[PlacedProblem] = []
    report = opened.check(made.text)
    all_problems, doubts = (*report.problems, *report.doubts), set(report.doubts)
    lacking = [problem for problem in all_problems if problem.other and problem.other.field == ARROWS_OF_MAP]
    map_ = next((problem.other.file for problem in lacking if problem.other and problem.other.file in places.texts), "")
    for placed in places.of_problems(name, all_problems):
        ends = ((placed.at, placed.other), (placed.other, placed.at))
        here = [
            replace(_at_end(charts, number, made, placed.problem, end, far), doubt=placed.problem in doubts)
            for end, far in ends
            if end is not None and (number := _chart_of(charts, name, end)) is not None
        ]
        inside += here
        if not here and placed.problem not in doubts:
            elsewhere.append(placed)
    document = parse_document(made.text, name)
    left = sum(len(row.hints) for chart in charts for row in chart.grid.rows(document.data))
    arrows = frozenset(problem.what for problem in lacking)
    return Checked(made.text, tuple(inside), tuple(elsewhere), left, _by_cell(inside), map_, arrows)


def _chart_of(charts: Sequence[TypedChart], name: str, end: ChartPlace) -> int | None:
    """Return which of the charts of a file a place lies in; None for none."""
    ids = [chart.grid.id for chart in charts]
    return ids.index(end.chart) if end.file == name and end.chart in ids else None


def _at_end(
    charts: Sequence[TypedChart], number: int, made: WrittenText, problem: Problem, end: ChartPlace,
    far: ChartPlace | None,
) -> SheetProblem:  # fmt: skip
    """Return a problem as it stands at one of its ends, in a grid that is being filled in."""
    message, right = without_commands(problem.what), without_commands(problem.right)
    other = far if far is None or (far.file, far.chart, far.cell) != (end.file, end.chart, end.cell) else None
    beside = _chart_of(charts, end.file, far) if far is not None else None
    inside = _typed_place(charts, beside, made, far) if far is not None and beside is not None else None
    spot = _typed_place(charts, number, made, end)
    if spot is None:
        return SheetProblem(message, other=other, right=right)
    at_cell = replace(_problem(charts, number, *spot, message), right=right)
    # What is in another chart of the page is reached without leaving it.
    if len(charts) > 1 and other and inside is not None and beside is not None:
        at_cell = replace(at_cell, inside=f"{charts[beside].prefix}r{inside[0]}.{inside[1]}")
    return replace(at_cell, other=other)


def _typed_place(
    charts: Sequence[TypedChart], number: int, made: WrittenText, place: ChartPlace
) -> tuple[int, int] | None:
    """Return the typed row and the column of a place in a chart; None if it has none."""
    rows = made.places[number]
    return (rows.index(place.spot[0]), place.spot[1]) if place.spot is not None and place.spot[0] in rows else None


def _problem(charts: Sequence[TypedChart], number: int, row: int, column: int, text: str) -> SheetProblem:
    chart = charts[number]
    heading = in_words(chart.grid.columns[column].heading) if column < len(chart.grid.columns) else ""
    names = list(chart.grid.keys.values())
    place = names[row] if row < len(names) else str(row + 1)
    title = chart.grid.title if len(charts) > 1 else ""
    return SheetProblem(text, f"{chart.prefix}r{row}.{column}", f"{place}, {heading}" if heading else place, title)


def _by_cell(problems: Sequence[SheetProblem]) -> dict[str, str]:
    return {problem.cell: problem.what for problem in reversed(problems) if not problem.doubt}


def rows_for_page(
    grid: ChartGrid, rows: Sequence[GridRow], problems: Mapping[str, str], number: int = 0
) -> list[ShownRow]:
    """Return the rows of a grid as a page shows them, with some empty ones below."""
    prefix = prefix_of(number)
    empty = GridRow(("",) * len(grid.columns))
    filled = [*rows, *(empty for _ in range(SPARE_ROWS if grid.grows else 0))]
    return [
        ShownRow(
            i + 1,
            row.name,
            tuple(
                ShownCell(
                    f"{prefix}r{i}.{j}",
                    column,
                    row.cells[j],
                    without_commands(row.hints.get(j, "")),
                    problems.get(f"{prefix}r{i}.{j}", ""),
                )
                for j, column in enumerate(grid.columns)
            ),
        )
        for i, row in enumerate(filled[: MOST_ROWS + SPARE_ROWS])
    ]


def as_rows(grid: ChartGrid, cells: Sequence[Sequence[str]], data: Any) -> list[GridRow]:
    """Return typed cells as rows, with the hints of the blanks that the file has there."""
    before = grid.rows(data)
    names = list(grid.keys.values())
    rows = []
    for i, row in enumerate(cells):
        hints = before[i].hints if i < len(before) else {}
        texts = (*row, *("" for _ in grid.columns))[: len(grid.columns)]
        rows.append(
            GridRow(texts, {j: hint for j, hint in hints.items() if texts[j] == BLANK}, names[i] if names else "")
        )
    while rows and grid.grows and not any(rows[-1].cells):
        rows.pop()
    return rows


def word_lists(grid: ChartGrid) -> dict[int, Sequence[str]]:
    """Return the words to choose from in columns in which others can stand, too, by column."""
    return {
        j: column.cell.known()
        for j, column in enumerate(grid.columns)
        if isinstance(column.cell, WordsCell | Names | PairsCell) and column.cell.known is not None
    }
