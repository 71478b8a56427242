"""Loading CG Cards: a card, its map, and everything in them that can't be right.

A card names its map by a path beside the card or by the id of a map that ships with Laager. All
problems of card and map are told together, each with its line; what is only doubtful comes as
warnings with the loaded card.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from laager.base import DataError, Problem, did_you_mean
from laager.base.files import Document, check, read_document
from laager.campaign.clauses import implements
from laager.hexmap import HexMap, load_map
from laager.rules.platoon_leader.card import Card
from laager.rules.platoon_leader.card_findings import Findings, in_file_order
from laager.rules.platoon_leader.card_ground import check_ground
from laager.rules.platoon_leader.card_numbers import check_numbers
from laager.rules.platoon_leader.card_units import check_units

PACKS = "laager.packs"
FOLDER = "pl"
MAP_ENDING = "-map"
"""Maps in the folder of packs are named `<something>-map.yaml`; every other file is a card."""


@dataclass(frozen=True)
class LoadedCard:
    """A card that can be played, its map, and the document that it was read from.

    `warnings` tell what may not be meant so: the players should see them, nothing depends on them.
    """

    card: Card
    map: HexMap
    document: Document
    warnings: tuple[Problem, ...] = ()


@implements("PL 1.2", "PL 1.4 CG Card", "PL 1.4 FSR")
def load_card(path: Path) -> LoadedCard:
    """Read a card and its map. Raises DataError with all problems of both, located."""
    document = read_document(path)
    problems: list[Problem] = []
    card, map_ = None, None
    try:
        card = check(document, Card)
    except DataError as err:
        problems += err.problems
    try:
        map_ = _map(document, path)
    except DataError as err:
        problems += err.problems
    found = Findings(document)
    if card is not None:
        check_units(card, found)
        check_numbers(card, found)
        if map_ is not None:
            check_ground(card, map_, found)
    problems += found.problems
    if card is None or map_ is None or problems:
        raise DataError(in_file_order(problems))
    return LoadedCard(card, map_, document, in_file_order(found.warnings))


def shipped_cards() -> Mapping[str, Path]:
    """Return the cards that ship with Laager: id to path, by id."""
    return _shipped(maps=False)


def shipped_maps() -> Mapping[str, Path]:
    """Return the maps that ship with Laager: id to path, by id."""
    return _shipped(maps=True)


def _shipped(maps: bool) -> Mapping[str, Path]:
    folder = Path(str(files(PACKS))) / FOLDER
    paths = sorted(folder.glob("*.yaml"))
    return {path.stem: path for path in paths if path.stem.endswith(MAP_ENDING) == maps}


def _map(document: Document, path: Path) -> HexMap:
    """Return the map that the card names. Raises DataError."""
    named: Any = document.data.get("map") if isinstance(document.data, dict) else None
    if not isinstance(named, str):
        # The card's own check says what is wrong with it.
        raise DataError([])
    if Path(named).is_absolute() or ".." in Path(named).parts:
        what = f"{named!r} leads out of the card's folder"
        raise DataError([document.problem(("map",), what, "keep the map beside the card")])
    shipped = shipped_maps()
    beside = path.parent / named
    if named in shipped and not _is_file(beside):
        return load_map(shipped[named])
    if not _is_file(beside):
        advice = did_you_mean(named, shipped, "a file beside the card, or a shipped map:")
        what = f"there is no map {named!r}"
        raise DataError([document.problem(("map",), what, advice)])
    return load_map(beside)


def _is_file(path: Path) -> bool:
    """Whether there is such a file; a name that can't be one is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
