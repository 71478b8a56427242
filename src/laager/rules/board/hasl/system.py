"""The facts about a rule system that the checks of its cards need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from laager.catalogue import Catalogue
from laager.hexmap import HexMap
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.hasl.card.card import Card
from laager.rules.board.hasl.charts import HaslCharts
from laager.rules.board.hasl.context import PACKAGE, Hasl
from laager.tables import TableSet


@dataclass(frozen=True)
class HaslSystem:
    """A rule system of the family: its id (also of its folder of packs), package and context.

    `optional` are the steps that a card may omit; `pto` is True if its campaigns are fought in PTO Terrain.
    """

    id: str
    package: str = PACKAGE
    optional: frozenset[str] = frozenset()
    context: type[Hasl] = Hasl
    pto: bool = False


@dataclass(frozen=True)
class CheckedCard:
    """A card with what could be read of all that it names, and where its faults are noted.

    `found` are the findings of the card, `inside` those of the charts, `listed` those of the
    tables. `nations` are those of the card; `tables` None if the card names none. `unread` are the keys of groups that
    still have blanks, by side: they stand on the chart, and `charts` doesn't have them.
    """

    system: HaslSystem
    card: Card
    charts: HaslCharts
    found: CardFindings
    inside: CardFindings
    map: HexMap | None = None
    nations: Catalogue | None = None
    tables: TableSet | None = None
    listed: CardFindings | None = None
    unread: Mapping[str, Sequence[str]] = field(default_factory=dict)
