"""Loading CG Cards: a card, its map, and everything in them that can't be right.

A card names its map by a path next to the card or by the id of a map that ships with Laager, and
catalogues of its own by paths next to the card. All problems of these files come together, each
with its line; what is only doubtful comes as warnings with the loaded card.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from laager.base import DataError
from laager.base.blanks import reading
from laager.base.files import Document, check, read_document
from laager.campaign import implements
from laager.catalogue import Catalogue
from laager.hexmap import HexMap
from laager.rules.board.card.files import (
    Attempts,
    LoadedCard,
    card_nations,
    check_catalogues,
    load_card_map,
    read_catalogues,
)
from laager.rules.board.card.findings import CardFindings, in_file_order
from laager.rules.platoon_leader.card.card import Card
from laager.rules.platoon_leader.card.ground import check_ground
from laager.rules.platoon_leader.card.numbers import check_numbers
from laager.rules.platoon_leader.card.units import check_ladders, check_units

FOLDER = "pl"


@implements("PL 1.2", "PL 1.4 CG Card", "PL 1.4 FSR")
def load_card(path: Path) -> LoadedCard:
    """Read a card and the files that it names. Raises DataError with all problems, located; BlanksError for blanks."""
    return reading(read_document(path), partial(_load_card, path.parent))


def _load_card(folder: Path, document: Document) -> LoadedCard:
    attempts = Attempts()
    card = attempts.attempt(lambda: check(document, Card))
    map_ = attempts.attempt(lambda: load_card_map(document, folder, FOLDER))
    files = attempts.attempt(lambda: read_catalogues(document, folder))
    halves = card.sides.values() if card is not None else ()
    nations = attempts.attempt(lambda: card_nations(halves, files)) if files is not None else None
    findings = _findings(document, card, map_, files or {}, nations)
    problems = [*attempts.problems, *findings.problems]
    if card is None or map_ is None or nations is None or problems:
        raise DataError(in_file_order(problems))
    return LoadedCard(card, map_, document, in_file_order(findings.warnings), files or {})


def _findings(
    document: Document, card: Card | None, map_: HexMap | None, files: Mapping[str, Document], nations: Catalogue | None
) -> CardFindings:
    """Check what could be read against one another."""
    findings = CardFindings(document)
    if card is None:
        return findings
    if nations is not None:
        check_catalogues(_nations(card), files, nations, findings)
        check_units(card, nations, findings)
        check_ladders(card, files, nations, findings)
    check_numbers(card, findings)
    if map_ is not None:
        check_ground(card, map_, findings)
    return findings


def _nations(card: Card | None) -> list[str]:
    return [name for half in card.sides.values() for name in half.all_nations] if card is not None else []
