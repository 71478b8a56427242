"""Where in charts the problems of files stand: chart, line and column in words, for links to their cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laager.base import DataError, Problem
from laager.base.blanks import Blank
from laager.base.files import field_path, parse_document
from laager.kinds import kind_of
from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.web.library.files import files as library
from laager.web.library.files.checks import Report
from laager.web.models import Player
from laager.web.shared.forms.sayings import cure_in_words, field_in_words, in_words, without_commands


@dataclass(frozen=True)
class ChartPlace:
    """A place in a chart of a file: of which file, of which chart, and where that is in words ("" for the chart alone).

    `cell` is the cell's name in its form ("" if it has none), `spot` its row (place or name) and column,
    `stray` the name of a field for which its chart has no column ("" if there is one).
    """

    file: str
    chart: str
    title: str
    place: str = ""
    cell: str = ""
    spot: tuple[int | str, int] | None = None
    stray: str = ""


@dataclass(frozen=True)
class PlacedProblem:
    """A problem, the place in a chart where it stands (None for none), and where it can be mended besides.

    `file` is the file of one's own in which it stands, "" if it is none.
    """

    problem: Problem
    file: str = ""
    at: ChartPlace | None = None
    other: ChartPlace | None = None

    @property
    def place(self) -> str:
        """Where it stands, in words, if it stands in no chart."""
        return "" if self.at else field_in_words(self.problem.field, self.problem.steps)

    @property
    def what(self) -> str:
        """What is wrong, as a page says it."""
        return without_commands(self.problem.what)

    @property
    def right(self) -> str:
        """What would be right, as a page says it."""
        return cure_in_words(self.problem)


class ChartPlaces:
    """Finds the cells of fields in the charts of files; `texts` are those of the files, by name."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self._grids: dict[str, tuple[Any, list[ChartGrid]]] = {}

    def _grids_of(self, file: str) -> tuple[Any, list[ChartGrid]]:
        if file not in self._grids:
            try:
                document = parse_document(self.texts[file], file)
                self._grids[file] = document.data, grids_of(kind_of(document), document.data)
            except DataError:
                # A file that can't be read, or is of no kind, has no charts.
                self._grids[file] = None, []
        return self._grids[file]

    def find(self, file: str, field_: str) -> ChartPlace | None:
        """Return where a field of a file stands in its charts; None if it stands in none."""
        if file not in self.texts or not field_:
            return None
        data, grids = self._grids_of(file)
        whole = [grid for grid in grids if grid.grows and field_ == field_path(grid.way)]
        if whole:
            return ChartPlace(file, whole[0].id, whole[0].title)
        spots = [(grid, grid.cell_of(field_)) for grid in grids]
        known = [(grid, spot) for grid, spot in spots if spot is not None and 0 <= spot[1] < len(grid.columns)]
        if not known:
            return None
        # The part of a side has charts, of which one has the column, and what is inside it may have one of its own.
        grid, spot = max(known, key=lambda pair: (len(pair[0].way), _has_column(pair[0], pair[1], field_)))
        rows = list(grid.keys) or [each.cells[0] for each in grid.rows(data)]
        row = spot[0] if isinstance(spot[0], int) else rows.index(spot[0]) if spot[0] in rows else None
        name = str(spot[0] + 1) if isinstance(spot[0], int) else grid.keys.get(spot[0], spot[0])
        heading = in_words(grid.columns[spot[1]].heading)
        cell = "" if row is None else f"r{row}.{spot[1]}"
        inside = _inside_row(field_, field_path(grid.way), spot[0])
        in_column = _names(inside, grid.columns[spot[1]].key) or (grid.named and not grid.of_lines)
        stray = "" if in_column else field_in_words(inside)
        # What the row has besides its columns isn't what stands in the cell to which the link leads.
        place = ", ".join(filter(None, (name, heading if in_column else "")))
        return ChartPlace(file, grid.id, grid.title, place, cell, spot, stray)

    def of_problems(self, name: str, problems: Sequence[Problem]) -> list[PlacedProblem]:
        """Return problems of a file and of those that it names, each with its places in charts."""
        return [
            PlacedProblem(
                problem,
                file if (file := problem.file or name) in self.texts else "",
                self.find(file, problem.field),
                self.find(problem.other.file, problem.other.field) if problem.other is not None else None,
            )
            for problem in problems
        ]


def _has_column(grid: ChartGrid, spot: tuple[int | str, int], field_: str) -> bool:
    """True if a chart has a column for a field, and not only its row."""
    return _names(_inside_row(field_, field_path(grid.way), spot[0]), grid.columns[spot[1]].key)


def _inside_row(field_: str, chart: str, row: int | str) -> str:
    """Return the path of a field inside its row of a chart; "" for the row itself."""
    rest = field_[len(chart) :].removeprefix(".")
    rest = re.sub(r"^\[[0-9]+\]", "", rest) if isinstance(row, int) else rest.removeprefix(row)
    return rest.removeprefix(".")


def _names(field_: str, key: str) -> bool:
    """True if a field has the name of a column, or a part of it, on its way."""
    return re.search(rf"(^|[.\]]){re.escape(key.partition('.')[0])}($|[.\[])", field_) is not None


def of_blanks(blanks: Sequence[Blank]) -> list[Problem]:
    """Return what belongs in blanks, as problems."""
    return [replace(blank.problem, what=blank.text) for blank in blanks]


def place_report(user: Player, name: str, text: str, report: Report) -> list[PlacedProblem]:
    """Return what the check says of a text: its problems, else its blanks, with their places in charts."""
    if not report.problems and not report.blanks:
        return []
    return place_problems(library.texts_of(user) | {name: text}, name, report)


def place_problems(texts: Mapping[str, str], name: str, report: Report) -> list[PlacedProblem]:
    """Return what the check says of one of several texts, as `place_report` does."""
    return ChartPlaces(texts).of_problems(name, report.problems or of_blanks(report.blanks))
