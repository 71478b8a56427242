"""Reading catalogues: the nations that ship with Laager, and files of a card's designer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, check, parse_document, read_document
from laager.catalogue.build import build, digest
from laager.catalogue.checks import problems_of_nation
from laager.catalogue.inherit import Source
from laager.catalogue.model import CatalogueFile, FortificationsFile
from laager.catalogue.nation import Nation
from laager.catalogue.units import Fortification

PACKAGE = "laager.packs"
FOLDER = "catalogue"
FORTIFICATIONS = "fortifications"


@dataclass(frozen=True)
class Catalogue(Mapping[str, Nation]):
    """The nations of a campaign by their ids."""

    nations: Mapping[str, Nation] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nations", MappingProxyType(dict(self.nations)))

    def __getitem__(self, nation: str) -> Nation:
        return self.nations[nation]

    def __iter__(self) -> Iterator[str]:
        return iter(self.nations)

    def __len__(self) -> int:
        return len(self.nations)

    def nation(self, name: str) -> Nation:
        """Return a nation. Raises RefusedError if it is not in the catalogue."""
        try:
            return self.nations[name]
        except KeyError:
            advice = did_you_mean(name, self.nations)
            raise RefusedError(Refusal.NO_SUCH, f"there is no nation {name!r}; {advice}") from None

    @property
    def digest(self) -> str:
        """The SHA-256 of all data in it, in hex."""
        return digest([[id_, nation.digest] for id_, nation in self.nations.items()])


def packaged_nations() -> tuple[str, ...]:
    """Return the ids of the nations that ship with Laager."""
    from importlib.resources import files

    found = (item.name for item in files(PACKAGE).joinpath(FOLDER).iterdir())
    names = (name[:-5] for name in found if name.endswith(".yaml"))
    return tuple(sorted(name for name in names if name != FORTIFICATIONS))


def load_packaged(*nations: str, also: Iterable[Path] = ()) -> Catalogue:
    """Return a catalogue of shipped nations, with `also` files added to them.

    Raises RefusedError for a nation that does not ship, DataError for problems in a file.
    """
    known = packaged_nations()
    for id_ in nations:
        if id_ not in known:
            advice = did_you_mean(id_, known)
            raise RefusedError(Refusal.NO_SUCH, f"no nation {id_!r} ships with Laager; {advice}")
    documents = [_packaged(id_) for id_ in dict.fromkeys(nations)]
    return _catalogue([*documents, *_read(also)])


def load_catalogue(paths: Iterable[Path]) -> Catalogue:
    """Return a catalogue of files; several files may add to one nation.

    Raises DataError with all problems of all files.
    """
    return _catalogue(_read(paths))


def load_fortifications(path: Path | None = None) -> Mapping[str, Fortification]:
    """Return the sorts of fortifications by type: those that ship, or those of a file.

    Raises DataError with all problems.
    """
    return _shipped_fortifications() if path is None else _fortifications(read_document(path))


@cache
def _shipped_fortifications() -> Mapping[str, Fortification]:
    # Kept: the values are immutable, and setup asks for them at every hex.
    return _fortifications(_packaged(FORTIFICATIONS))


def _fortifications(document: Document) -> Mapping[str, Fortification]:
    file = check(document, FortificationsFile)
    problems: list[Problem] = []
    found: dict[str, Fortification] = {}
    for i, entry in enumerate(file.fortifications):
        if entry.type in found:
            problems.append(
                document.problem(
                    ("fortifications", i, "type"),
                    f"{entry.type!r} stands here twice",
                    "remove one of the two",
                )
            )
        values = entry.model_dump()
        values |= {"sizes": tuple(entry.sizes), "levels": tuple(entry.levels)}
        found[entry.type] = Fortification(**values)
    if problems:
        raise DataError(problems)
    return MappingProxyType(found)


def _packaged(name: str) -> Document:
    from importlib.resources import files

    resource = files(PACKAGE).joinpath(FOLDER, f"{name}.yaml")
    return parse_document(resource.read_text(encoding="utf-8"), f"{FOLDER}/{name}.yaml")


def _read(paths: Iterable[Path]) -> list[Document]:
    """Read all files, telling of all that can't be read together."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            documents.append(read_document(path))
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    return documents


def _catalogue(documents: Sequence[Document]) -> Catalogue:
    problems: list[Problem] = []
    by_nation: dict[str, list[Source]] = {}
    for document in documents:
        try:
            file = check(document, CatalogueFile)
        except DataError as err:
            problems += err.problems
        else:
            by_nation.setdefault(file.nation, []).append((document, file))
    if not problems:
        for sources in by_nation.values():
            problems += problems_of_nation(sources)
    if problems:
        raise DataError(problems)
    return Catalogue({id_: build(sources) for id_, sources in by_nation.items()})
