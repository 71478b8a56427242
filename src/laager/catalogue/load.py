"""Reading catalogues: the nations that ship with Laager, and files of a card's designer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from laager.base import DataError, Problem, find_named, read_each
from laager.base.files import Document, check, read_document, read_packaged
from laager.catalogue.build import build_nation
from laager.catalogue.checks import check_nation
from laager.catalogue.inherit import Source
from laager.catalogue.model import CatalogueFile, Fortification, FortificationsFile
from laager.catalogue.nation import Nation
from laager.catalogue.nations import PACKAGE, Nations, group_by_nation, shipped_ids

FOLDER = "catalogue"
FORTIFICATIONS = "fortifications"


@dataclass(frozen=True)
class Catalogue(Nations[Nation]):
    """The nations of a campaign by their ids."""

    def unite(self, sides: Iterable[Sequence[str]]) -> Catalogue:
        """Return the catalogue in which the first nation of each side can have what the side's others have.

        Nations that aren't in the catalogue count for nothing.
        """
        united = dict(self.nations)
        for own, *others in sides:
            if own in united and others:
                united[own] = united[own].with_types_of(self.nations[id_] for id_ in others if id_ in self.nations)
        return Catalogue(united)


def packaged_nations() -> tuple[str, ...]:
    """Return the ids of the nations that ship with Laager."""
    return tuple(name for name in shipped_ids(FOLDER) if name != FORTIFICATIONS)


def load_packaged(*nations: str, also: Iterable[Path] = ()) -> Catalogue:
    """Return a catalogue of shipped nations, with `also` files added to them.

    Raises RefusedError for a nation that does not ship, DataError for problems in a file.
    """
    known = packaged_nations()
    for id_ in nations:
        find_named(dict.fromkeys(known), id_, f"no nation {id_!r} ships with Laager")
    documents = [_read_shipped(id_) for id_ in dict.fromkeys(nations)]
    return _build_catalogue([*documents, *_read_files(also)])


def load_catalogue(paths: Iterable[Path]) -> Catalogue:
    """Return a catalogue of files; several files may add to one nation.

    Files that give no leaders of a nation that ships add to that nation. Raises DataError with
    all problems of all files.
    """
    known = packaged_nations()
    documents = _read_files(paths)
    named = [_read_heading(document) for document in documents]
    whole = {id_ for id_, leaders in named if leaders}
    shipped = [id_ for id_, _ in named if id_ in known and id_ not in whole]
    return _build_catalogue([*map(_read_shipped, dict.fromkeys(shipped)), *documents])


def load_with_files(nations: Iterable[str], documents: Sequence[Document], *, recorded: bool = False) -> Catalogue:
    """Return nations of a campaign: those named, as far as they ship, and those of its own files.

    The files (`documents`, read but not checked) enter nations of their own or add to nations
    that ship. Raises DataError with all problems of all files. `recorded` says that they are
    kept in a campaign and were found good when it began: what they enter counts, even if a later
    Laager ships a nation or a type of the same name.
    """
    known = packaged_nations()
    sources, problems = read_each(documents, _check_file)
    if problems:
        raise DataError(problems)
    own = group_by_nation(sources)
    loaded: dict[str, Nation] = {}
    for id_ in dict.fromkeys([*own, *nations]):
        if id_ not in own:
            if id_ in known:
                loaded[id_] = _load_shipped(id_)
            continue
        files = own[id_]
        complete = any(file.leaders for _, file in files)
        if id_ in known and not (recorded and complete):
            files = [_check_file(_read_shipped(id_)), *files]
        faults = [] if recorded else check_nation(files)
        if faults:
            problems += faults
        else:
            loaded[id_] = build_nation(files)
    if problems:
        raise DataError(problems)
    return Catalogue(loaded)


def load_fortifications(path: Path | None = None) -> Mapping[str, Fortification]:
    """Return the sorts of fortifications by type: those that ship, or those of a file.

    Raises DataError with all problems.
    """
    return _load_shipped_fortifications() if path is None else _build_fortifications(read_document(path))


@cache
def _load_shipped_fortifications() -> Mapping[str, Fortification]:
    # Kept: the values are immutable, and setup asks for them at every hex.
    return _build_fortifications(_read_shipped(FORTIFICATIONS))


def _build_fortifications(document: Document) -> Mapping[str, Fortification]:
    file = check(document, FortificationsFile)
    problems: list[Problem] = []
    sorts: dict[str, Fortification] = {}
    for i, entry in enumerate(file.fortifications):
        if entry.type in sorts:
            problems.append(
                document.problem(
                    ("fortifications", i, "type"), f"{entry.type!r} stands here twice", "remove one of the two"
                )
            )
        sorts[entry.type] = entry
    if problems:
        raise DataError(problems)
    return MappingProxyType(sorts)


def _read_shipped(name: str) -> Document:
    return read_packaged(PACKAGE, FOLDER, f"{name}.yaml")


def _read_files(paths: Iterable[Path]) -> list[Document]:
    documents, problems = read_each(paths, read_document)
    if problems:
        raise DataError(problems)
    return documents


def _build_catalogue(documents: Sequence[Document]) -> Catalogue:
    sources, problems = read_each(documents, _check_file)
    by_nation_id = group_by_nation(sources)
    problems = problems or [problem for files in by_nation_id.values() for problem in check_nation(files)]
    if problems:
        raise DataError(problems)
    return Catalogue({id_: build_nation(files) for id_, files in by_nation_id.items()})


def _check_file(document: Document) -> Source:
    return document, check(document, CatalogueFile)


def _read_heading(document: Document) -> tuple[str, bool]:
    """Return the nation that an unchecked file names, and True if it gives leaders."""
    data = document.data if isinstance(document.data, dict) else {}
    return str(data.get("nation", "")), "leaders" in data


@cache
def _load_shipped(id_: str) -> Nation:
    # Kept: nations are immutable, and every card names the same few.
    return build_nation([_check_file(_read_shipped(id_))])
