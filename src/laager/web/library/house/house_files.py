"""A file of house rules as its pages know it: read, changed clause by clause, written again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import parse_document
from laager.base.rewriting import dump_keeping_layout, load_with_comments
from laager.campaign import Clause, find_ruleset
from laager.campaign.house import (
    HouseLine,
    HouseRules,
    Printed,
    check_house,
    house_lines,
    line_of,
    printed_of,
    read_house,
)
from laager.campaign.house.grid import OWN_PARTS, ClauseGrid, HouseCell, changeable_clauses, clause_grid, read_cells
from laager.campaign.ruleset import find_rulesets
from laager.kinds import kind_named

KIND = "house"


@dataclass(frozen=True)
class ReadHouse:
    """A file of house rules with what it changes. `problems` is what its check says."""

    name: str
    text: str
    house: HouseRules
    book: Printed
    problems: tuple[Problem, ...]

    @property
    def ruleset(self) -> str:
        """The rule system."""
        return self.book.ruleset

    def chapters(self) -> list[tuple[str, list[tuple[Clause, HouseLine | None]]]]:
        """Return the clauses that can be changed, by chapter; with each what the file has otherwise."""
        known = {clause.id for clause in changeable_clauses(self.book)} | set(self.house.rules)
        chapters = []
        for title, clauses in self.book.index.chapters.items():
            lines = [(clause, self.line(clause.id)) for clause in clauses if clause.id in known]
            if lines:
                chapters.append((title, lines))
        return chapters

    @property
    def lines(self) -> tuple[HouseLine, ...]:
        """Return what the file changes, clause by clause."""
        return house_lines(self.house, self.book)

    def line(self, clause: str) -> HouseLine | None:
        """Return what the file changes in a clause; None for nothing."""
        return line_of(self.house, clause, self.book) if clause in self.house.rules else None

    def grid(self, clause: str, cuts: Mapping[str, Sequence[str]] | None = None) -> ClauseGrid:
        """Return a clause as a grid. Raises RefusedError for an unknown one, DataError if the file doesn't fit."""
        self.book.index.clause(clause)
        return clause_grid(self.house, clause, self.book, cuts)


def read_house_file(text: str, name: str) -> ReadHouse:
    """Read a file of house rules, also one in which something is wrong.

    Raises DataError if it has no such form, RefusedError for another kind of file.
    """
    document = parse_document(text, name)
    if kind_named(document.data) != KIND:
        raise RefusedError(Refusal.NO_SUCH, f"{name} has no house rules", "open a file of house rules")
    ruleset = document.data.get("ruleset") if isinstance(document.data, dict) else None
    if ruleset not in find_rulesets():
        raise DataError([Problem(f"{name} doesn't say which rules it changes", "write pl, abtf, er, hasl or dyo")])
    printed = printed_of(find_ruleset(str(ruleset)))
    house = read_house(document, printed.index)
    try:
        check_house(document, printed)
    except DataError as err:
        return ReadHouse(name, text, house, printed, err.problems)
    return ReadHouse(name, text, house, printed, ())


def with_clause(read: ReadHouse, clause: str, fields: Mapping[str, str]) -> str:
    """Return the text of a file with a clause as the cells of a form have it. The rest keeps its layout."""
    change: Any = read_cells(fields, clause, read.book)
    if set(change) == {"clause"}:
        change = change["clause"]
    yaml, data = load_with_comments(read.text, read.name)
    rules = data.get("rules")
    if rules is None:
        rules = data["rules"] = {}
    if change:
        rules[clause] = change
    elif clause in rules:
        del rules[clause]
    return dump_keeping_layout(yaml, data, read.text)


def with_head(read: ReadHouse, title: str, why: str) -> str:
    """Return the text of a file with another title and another reason."""
    yaml, data = load_with_comments(read.text, read.name)
    data["title"], data["why"] = title, why
    return dump_keeping_layout(yaml, data, read.text)


def with_typed(grid: ClauseGrid, fields: Mapping[str, str]) -> ClauseGrid:
    """Return a grid with what was typed into its cells, as it can't be kept."""

    def fill_in(cells: Sequence[HouseCell]) -> tuple[HouseCell, ...]:
        return tuple(replace(cell, value=fields.get(cell.name, cell.value)) for cell in cells)

    tables = tuple(
        replace(
            table,
            rows=tuple((span, fill_in(cells)) for span, cells in table.rows),
            modifiers=fill_in(table.modifiers),
            own=tuple(
                replace(line, **{part: fields.get(f"{line.prefix}|{part}", "") for part in OWN_PARTS})
                for line in table.own
            ),
        )
        for table in grid.tables
    )
    switch, why = fields.get("clause", ""), fields.get("why", "")
    return replace(grid, tables=tables, figures=fill_in(grid.figures), switch=switch, why=why)
