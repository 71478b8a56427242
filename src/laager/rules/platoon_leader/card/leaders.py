"""Check that nations have the leaders that the leader table can give them (PL 2.361)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.base.files import Document, Where
from laager.catalogue import Catalogue, Nation
from laager.rules.board.card.findings import Findings
from laager.rules.platoon_leader.card.card import Card, RgKind, SideCard
from laager.rules.platoon_leader.context import PACKAGE
from laager.tables import load_packaged

TABLE = "leader"
ARMOR = "armor"


def check_leaders(card: Card, files: Mapping[str, Document], nations: Catalogue, found: Findings) -> None:
    """Check the ladders of the nations on a card; of armor leaders if its AFV bring leader DR.

    All nations need leaders: they can be generated too (PL 3.45). A problem stands in the
    catalogue file that gives the nation's leaders, else at the nation on the card.
    """
    for side, half in card.sides.items():
        nation = nations.get(half.nation)
        if nation is None:
            continue
        for field, missing in _missing(half, nation):
            words = "armor leaders" if field == ARMOR else "leaders"
            what = f"{nation.name} has no {words} {', '.join(missing)}"
            right = "enter them: the leader table may give them (PL 2.361)"
            document, where = _place(side, half, files, field, found.document)
            if document is found.document:
                right = "bring a nation that has them, or give its AFV leader_rolls: 0 (PL 2.361)"
            found.problems.append(document.problem(where, what, right))


def _missing(half: SideCard, nation: Nation) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the ladder that lacks something, as the catalogue calls it, and what it lacks."""
    ladders = [("ladder", nation.leaders.column.value, nation.leaders.types)]
    if any(line.kind is RgKind.AFV and line.leader_dice for line in half.chart):
        ladders.append((ARMOR, ARMOR, nation.leaders.armor))
    table = load_packaged(PACKAGE, "tables.yaml")[TABLE]
    for field, column, ladder in ladders:
        can = dict.fromkeys(row.results[column] for row in table.rows)
        missing = [str(type_) for type_ in can if type_ is not None and type_ not in ladder]
        if missing:
            yield field, missing


def _place(
    side: str, half: SideCard, files: Mapping[str, Document], field: str, card: Document
) -> tuple[Document, Where]:
    for document in files.values():
        if document.data["nation"] == half.nation and document.data.get("leaders"):
            return document, ("leaders", field)
    return card, ("sides", side, "nation")
