"""What a card says that its charts, its map or the catalogue do not bear out."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base import Problem, did_you_mean
from laager.base.files import Document, Where
from laager.catalogue import Catalogue
from laager.hexmap import HexMap
from laager.rules.common.card_findings import Findings
from laager.rules.historical.card import Card, Given
from laager.rules.historical.charts import TABLES, Charts
from laager.tables import TableSet


def check_card(
    card: Card,
    document: Document,
    charts: Charts,
    charts_document: Document,
    map_: HexMap | None,
    nations: Catalogue | None,
    tables: TableSet | None,
) -> tuple[list[Problem], list[Problem]]:
    """Return problems and warnings of a card against all that it names."""
    found, inside = Findings(document), Findings(charts_document)
    if charts.ruleset != card.ruleset:
        what = f"the charts are for {charts.ruleset}, the card for {card.ruleset}"
        found.wrong(("charts",), what, f"name charts for {card.ruleset}")
    _check_given(card, charts, found)
    _check_dates(card, charts, inside)
    if tables is not None:
        for name in tables:
            if name not in TABLES:
                advice = did_you_mean(name, TABLES, "tables that steps use are")
                found.doubtful(("tables",), f"no step uses the table {name!r}", advice)
    return [*found.problems, *inside.problems], [*found.warnings, *inside.warnings]


def _check_given(card: Card, charts: Charts, found: Findings) -> None:
    for where, side, given in _all_given(card):
        chart = charts.side(side)
        for i, group in enumerate(given.groups):
            if chart.line(group.rg) is None:
                keys = [line.key for line in chart.rg or ()]
                advice = did_you_mean(group.rg, keys, "the chart has")
                what = f"gives {group.rg}, which the chart has not"
                found.wrong((*where, "groups", i, "rg"), what, advice)


def _all_given(card: Card) -> Iterator[tuple[Where, str, Given]]:
    for side, half in card.sides.items():
        yield ("sides", side, "ob"), side, half.ob
    for i, date in enumerate(card.dates):
        for side, given in date.given.items():
            yield ("dates", i, "given", side), side, given


def _check_dates(card: Card, charts: Charts, inside: Findings) -> None:
    ids = [date.id for date in card.dates]
    for side, chart in charts.sides.items():
        for i, line in enumerate(chart.rg or ()):
            for j, name in enumerate(line.dates):
                if name not in ids:
                    where: Where = ("sides", side, "rg", i, "dates", j)
                    advice = did_you_mean(name, ids, "the card has")
                    inside.doubtful(where, f"the card has no CG Date {name!r}", advice)
