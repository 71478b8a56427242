"""Loading HASL cards: a card, its charts, tables and map, and everything that can't be right.

A card names its files by paths next to the card or by the ids of files that ship with Laager. All
problems come together, each with its file and line; what is only doubtful comes as warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from laager.base import DataError, DoubtInWords, Problem
from laager.base.blanks import Blank, BlanksError, reading, real, without_blanks
from laager.base.files import Document, check, read_document
from laager.rules.board.card.files import (
    CHARTS,
    TABLES,
    Attempts,
    LoadedCard,
    card_nations,
    check_catalogues,
    find_file,
    load_card_map,
    read_catalogues,
)
from laager.rules.board.card.findings import CardFindings, in_file_order
from laager.rules.board.hasl.card.card import Card
from laager.rules.board.hasl.card.checks import check_card, check_charts, warn_of_gaps
from laager.rules.board.hasl.card.tables import check_results
from laager.rules.board.hasl.charts import HaslCharts
from laager.rules.board.hasl.system import CheckedCard, HaslSystem
from laager.tables import TableSet, tables_of

T = TypeVar("T")


@dataclass(frozen=True)
class LoadedHaslCard(LoadedCard):
    """A card with its charts and tables. `tables` is None if it names no file of them."""

    card: Card
    charts: HaslCharts = field(kw_only=True)
    charts_document: Document = field(kw_only=True)
    tables: Document | None = None

    @property
    def setting(self) -> dict[str, Any]:
        """The opening of a campaign's log, except the readings: it needs no other file."""
        data = {**super().setting, "charts": self.charts.model_dump(mode="json", exclude_defaults=True)}
        return {**data, "tables": self.tables.data} if self.tables is not None else data


def load_card(path: Path, system: HaslSystem) -> LoadedHaslCard:
    """Read a card of a rule system and the files that it names, next to it or shipped.

    Raises BlanksError if nothing is wrong but blanks are left, else DataError with all problems, located.
    """
    files, pack, attempts = _Files(), system.id, Attempts()
    document = files.read(path)
    tried, problems = attempts.attempt, attempts.problems
    card = tried(lambda: check(document, Card))
    map_ = tried(lambda: load_card_map(document, path.parent, pack))
    charts_document = tried(lambda: files.read(find_file(document, "charts", CHARTS, path.parent, pack)))
    charts = tried(partial(check, charts_document, HaslCharts)) if charts_document else None
    tables_document = tried(lambda: _tables(document, path.parent, pack, files))
    tables = tried(partial(tables_of, tables_document)) if tables_document else None
    if files.blanks:
        # What has blanks is checked with those rows that have none.
        charts_document, charts = files.rows_of(charts_document, lambda each: check(each, HaslCharts))
        tables_document, tables = files.rows_of(tables_document, tables_of)
    catalogue = tried(lambda: read_catalogues(document, path.parent))
    nations = tried(lambda: card_nations(card.sides.values() if card else (), catalogue or {}))
    findings = CardFindings(document)
    all_findings = [findings]
    if card is not None and nations is not None:
        check_catalogues(_nations(card), catalogue or {}, nations, findings)
    if card is not None and charts is not None and charts_document is not None:
        inside = CardFindings(charts_document)
        listed = CardFindings(tables_document) if tables_document and tables is not None else None
        all_findings += [each for each in (inside, listed) if each is not None]
        unread = files.unread_groups(charts_document.name)
        named = CheckedCard(system, card, charts, findings, inside, map_, nations, tables, listed, unread)
        check_card(named)
    problems.extend(problem for each in all_findings for problem in each.problems)
    problems = real(problems, files.blanks)
    if files.blanks and not problems:
        doubts = in_file_order(
            _doubts_without_blanks([doubt for each in all_findings for doubt in each.warnings], files.blanks)
        )
        raise BlanksError(files.blanks, [DoubtInWords(each) for each in doubts])
    if card is None or charts is None or charts_document is None or map_ is None or problems:
        raise DataError(in_file_order(problems))
    loaded = LoadedHaslCard(
        card,
        map_,
        document,
        catalogue=catalogue or {},
        charts=charts,
        charts_document=charts_document,
        tables=tables_document,
    )
    warn_of_gaps(named, system.context(loaded.setting))
    warnings = in_file_order([warning for each in all_findings for warning in each.warnings])
    return replace(loaded, warnings=warnings)


def load_charts(path: Path) -> tuple[HaslCharts, tuple[Problem, ...]]:
    """Read a file of charts by itself; returns it with warnings. Raises BlanksError, DataError."""
    return reading(read_document(path), _charts)


def _charts(document: Document) -> tuple[HaslCharts, tuple[Problem, ...]]:
    charts, findings = check(document, HaslCharts), CardFindings(document)
    check_charts(charts, findings)
    if findings.problems:
        raise DataError(in_file_order(findings.problems))
    return charts, in_file_order(findings.warnings)


def load_chart_tables(path: Path) -> tuple[TableSet, tuple[Problem, ...]]:
    """Read a module's file of tables by itself; returns it with warnings. Raises BlanksError, DataError."""
    return reading(read_document(path), _chart_tables)


def _chart_tables(document: Document) -> tuple[TableSet, tuple[Problem, ...]]:
    tables, findings = tables_of(document), CardFindings(document)
    check_results(tables, findings)
    if findings.problems:
        raise DataError(in_file_order(findings.problems))
    return tables, in_file_order(findings.warnings)


def _doubts_without_blanks(doubts: Sequence[Problem], blanks: Sequence[Blank]) -> list[Problem]:
    """Return the doubts about parts that have no blank: what is missing there may still come."""
    open_fields = {(blank.problem.file, blank.problem.field) for blank in blanks}
    return [
        doubt
        for doubt in real(doubts, blanks)
        if not any(
            file == doubt.file and name.startswith((f"{doubt.field}.", f"{doubt.field}[")) for file, name in open_fields
        )
    ]


def _nations(card: Card | None) -> list[str]:
    if card is None:
        return []
    return [name for half in card.sides.values() for name in half.all_nations]


def _tables(document: Document, folder: Path, pack: str, files: _Files) -> Document | None:
    """Read the file of tables that a card names, if it names one."""
    data: Any = document.data
    if not isinstance(data, dict) or not data.get("tables"):
        return None
    return files.read(find_file(document, "tables", TABLES, folder, pack))


@dataclass
class _Files:
    """Reads files without their blanks, and keeps the blanks of all of them."""

    blanks: list[Blank] = field(default_factory=list)
    whole: dict[str, Document] = field(default_factory=dict)

    def read(self, path: Path) -> Document:
        """Read a file. Raises DataError."""
        document = read_document(path)
        self.whole[document.name] = document
        filled, left = without_blanks(document)
        self.blanks.extend(left)
        return filled

    def unread_groups(self, name: str) -> Mapping[str, Sequence[str]]:
        """Return the keys of groups with blanks in a file of charts, by side."""
        data = self.whole[name].data
        sides = data.get("sides") if isinstance(data, dict) else None
        keys: dict[str, list[str]] = {}
        for blank in self.blanks:
            match blank.where:
                case ("sides", str(side), "rg", int(i), _, *_) if blank.problem.file == name:
                    row: Any = sides[side]["rg"][i]  # type: ignore[index]
                    parts = [row.get("formation"), row.get("id")]
                    keys.setdefault(side, []).append("-".join(str(part) for part in parts if part))
        return keys

    def rows_of(self, document: Document | None, read: Callable[[Document], T]) -> tuple[Document | None, T | None]:
        """Return a file that was read with only those rows that have no blank, and what `read` makes of it."""
        if document is None:
            return None, None
        rows = without_blanks(self.whole[document.name], whole_rows=True)[0]
        return rows, Attempts().attempt(lambda: read(rows))
