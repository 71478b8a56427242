"""Loading HASL cards: a card, its charts, tables and map, and everything that can't be right.

A card names its files by paths beside the card or by the ids of files that ship with Laager. All
problems are told together, each with its file and line; what is only doubtful comes as warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from laager.base import DataError, Problem
from laager.base.files import Document, check, read_document
from laager.hexmap import HexMap
from laager.rules.common.card_files import (
    CHARTS,
    TABLES,
    card_map,
    card_nations,
    check_catalogues,
    named_file,
    read_catalogues,
)
from laager.rules.common.card_findings import Findings, in_file_order
from laager.rules.historical.card import Card
from laager.rules.historical.card_checks import check_card
from laager.rules.historical.charts import Charts
from laager.tables import TableSet, tables_of

T = TypeVar("T")


@dataclass(frozen=True)
class LoadedCard:
    """A card that can be played with all that it names. `tables` is None if it names no file."""

    card: Card
    charts: Charts
    charts_document: Document
    map: HexMap
    document: Document
    tables: Document | None = None
    warnings: tuple[Problem, ...] = ()
    catalogue: Mapping[str, Document] = field(default_factory=dict)


def load_card(path: Path, pack: str) -> LoadedCard:
    """Read a card and the files that it names; `pack` is the folder of shipped ones.

    Raises DataError with all problems, located.
    """
    document = read_document(path)
    problems: list[Problem] = []

    def tried(read: Callable[[], T]) -> T | None:
        try:
            return read()
        except DataError as err:
            problems.extend(err.problems)
            return None

    card = tried(lambda: check(document, Card))
    map_ = tried(lambda: card_map(document, path.parent, pack))
    charts_document = tried(
        lambda: read_document(named_file(document, "charts", CHARTS, path.parent, pack))
    )
    charts = tried(lambda: check(charts_document, Charts)) if charts_document else None
    tables = tried(lambda: _tables(document, path.parent, pack))
    catalogue = tried(lambda: read_catalogues(document, path.parent))
    nations = tried(lambda: card_nations(_nations(card), catalogue or {}))
    warnings: list[Problem] = []
    if card is not None and nations is not None:
        found = Findings(document)
        check_catalogues(_nations(card), catalogue or {}, nations, found)
        problems += found.problems
        warnings += found.warnings
    if card is not None and charts is not None and charts_document is not None:
        known = tables[1] if tables else None
        wrong, doubtful = check_card(card, document, charts, charts_document, map_, nations, known)
        problems += wrong
        warnings += doubtful
    if card is None or charts is None or charts_document is None or map_ is None or problems:
        raise DataError(in_file_order(problems))
    return LoadedCard(
        card,
        charts,
        charts_document,
        map_,
        document,
        tables[0] if tables else None,
        in_file_order(warnings),
        catalogue or {},
    )


def _nations(card: Card | None) -> list[str]:
    if card is None:
        return []
    return [name for half in card.sides.values() for name in (half.nation, *half.nations)]


def _tables(document: Document, folder: Path, pack: str) -> tuple[Document, TableSet] | None:
    """Read the file of tables that a card names, if it names one."""
    data: Any = document.data
    if not isinstance(data, dict) or not data.get("tables"):
        return None
    found = read_document(named_file(document, "tables", TABLES, folder, pack))
    return found, tables_of(found)
