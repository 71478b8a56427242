"""The files that a card names: its map, and catalogues of the designer's own.

They are in the card's folder or below it. Cards often come from somebody else: they must not make Laager
read other files, or put them into a campaign that is sent around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, Where, read_document
from laager.catalogue import Catalogue, load_with_files, packaged_nations
from laager.hexmap import HexMap, load_map
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.parts import CardSide

T = TypeVar("T")

PACKS = "laager.packs"
MAP, CHARTS, TABLES = "-map", "-charts", "-tables"
"""Endings of file names in a folder of packs; a file with none of them is a card."""

WORDS = {MAP: "map", CHARTS: "file of charts", TABLES: "file of tables"}

CATALOGUE = "catalogue"
"""The field of the card, and of a campaign's opening, with catalogues of the designer's own."""


def find_beside_card(document: Document, where: Where, named: str, word: str, folder: Path) -> Path | None:
    """Return the file in the card's folder that a card names; None if it isn't there.

    `word` says what the file should be. Raises DataError for a path that leads out of `folder`, by
    its text or by a link.
    """
    plain = Path(named)
    if plain.anchor or ".." in plain.parts or _linked_out(folder / plain, folder):
        message = f"{named!r} leads out of the card's folder"
        raise DataError([document.problem(where, message, f"keep the {word} next to the card")])
    path = folder / plain
    return path if _is_file(path) else None


def read_catalogues(document: Document, folder: Path) -> Mapping[str, Document]:
    """Read the catalogue files that a card names: name on the card -> file.

    Raises DataError with the problems of all of them; without any if the card's
    field doesn't have the form that the card's own check asks for.
    """
    names: Any = document.data.get(CATALOGUE, []) if isinstance(document.data, dict) else []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DataError([])
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    for i, name in enumerate(names):
        where: Where = (CATALOGUE, i)
        if Path(name) in map(Path, names[:i]):
            message = f"{name!r} is there twice"
            problems.append(document.problem(where, message, "remove one of the two"))
            continue
        try:
            path = find_beside_card(document, where, name, "catalogue", folder)
            if path is None:
                message = f"there is no catalogue {name!r}"
                problems.append(document.problem(where, message, "name a file next to the card"))
            else:
                documents[name] = read_document(path)
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    return documents


def card_nations(sides: Iterable[CardSide], documents: Mapping[str, Document]) -> Catalogue:
    """Return the nations that the sides of a card name and those of its files, united by side. Raises DataError."""
    united = [side.all_nations for side in sides]
    nations = [name for names in united for name in names]
    return load_with_files(nations, list(documents.values())).unite(united)


def check_catalogues(
    sides: Sequence[str], documents: Mapping[str, Document], nations: Catalogue, findings: CardFindings
) -> None:
    """Doubt files that change nothing: of a nation that no side is, or with rules of nobody."""
    for i, (name, document) in enumerate(documents.items()):
        nation = document.data["nation"]
        if nation not in sides:
            message = f"{name!r} is about the nation {nation!r}, which neither side is"
            findings.add_doubt((CATALOGUE, i), message, f"the sides are {' and '.join(sides)}")
    known = {*packaged_nations(), *nations}
    for document in documents.values():
        group = document.data.get("group")
        if group is not None and group not in known:
            message = f"there is no nation {group!r}, so no special rules apply"
            right = "name the nation whose rules this one follows, or leave it out"
            findings.warnings.append(document.problem(("group",), message, right))


def record_catalogues(documents: Mapping[str, Document]) -> list[dict[str, Any]]:
    """Return catalogue files as a campaign's opening keeps them: name and plain data."""
    return [{"file": name, "data": document.data} for name, document in documents.items()]


def catalogues_from_opening(opening: Mapping[str, Any]) -> list[Document]:
    """Return the catalogue files that a campaign's opening keeps; RefusedError if it can't be."""
    try:
        return [Document(entry["data"], str(entry["file"])) for entry in opening.get(CATALOGUE, ())]
    except (KeyError, TypeError):
        sentence = "the catalogue files in the campaign's first line can't be read"
        raise RefusedError(Refusal.BROKEN_LOG, sentence) from None


def _linked_out(path: Path, folder: Path) -> bool:
    try:
        return not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        # A name that can't be a file's, or a link that leads nowhere.
        return False


def _is_file(path: Path) -> bool:
    """True if there is a file with this path; a name that no file can have has none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def shipped_files(folder: str, ending: str) -> Mapping[str, Path]:
    """Return the files of a folder that ships with Laager by their ending ("" for cards)."""
    paths = sorted((Path(str(files(PACKS))) / folder).glob("*.yaml"))
    by_name = {path.stem: path for path in paths}
    if ending:
        return {name: path for name, path in by_name.items() if name.endswith(ending)}
    return {k: v for k, v in by_name.items() if not k.endswith((MAP, CHARTS, TABLES))}


def find_file(document: Document, field: str, ending: str, folder: Path, pack: str) -> Path:
    """Return the file that a card names in a field: next to the card, or one that ships.

    Raises DataError; without any problem if the field isn't text, as the card's check says that.
    """
    word = WORDS[ending]
    named: Any = document.data.get(field) if isinstance(document.data, dict) else None
    if not isinstance(named, str):
        raise DataError([])
    path = find_beside_card(document, (field,), named, word, folder)
    if path is not None:
        return path
    shipped = shipped_files(pack, ending)
    if named not in shipped:
        advice = did_you_mean(named, shipped, f"a file next to the card, or a shipped {word}:")
        raise DataError([document.problem((field,), f"there is no {word} {named!r}", advice)])
    return shipped[named]


def load_card_map(document: Document, folder: Path, pack: str) -> HexMap:
    """Return the map that a card names. Raises DataError."""
    return load_map(find_file(document, "map", MAP, folder, pack))


# Loading -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LoadedCard:
    """A card that can be played, its map, and the document that it was read from.

    `catalogue` are the catalogue files next to the card, by the names that it gives them. `warnings` say
    what may be a mistake: the players should see them, nothing depends on them.
    """

    card: Any
    map: HexMap
    document: Document
    warnings: tuple[Problem, ...] = ()
    catalogue: Mapping[str, Document] = field(default_factory=dict)

    @property
    def setting(self) -> dict[str, Any]:
        """What the log of a campaign opens with, except the readings: it needs no other file."""
        opening = {"card": self.card.model_dump(mode="json", exclude_defaults=True), "map": self.map.to_data()}
        return {**opening, CATALOGUE: record_catalogues(self.catalogue)} if self.catalogue else opening


@dataclass
class Attempts:
    """Reads one thing after the other and keeps the problems of each."""

    problems: list[Problem] = field(default_factory=list)

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Return what was read; None, with the problems kept, if it can't be."""
        try:
            return read()
        except DataError as err:
            self.problems += err.problems
            return None
