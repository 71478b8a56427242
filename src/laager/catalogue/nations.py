"""What both kinds of catalogue have in common: nations by their ids, and reading the files of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from laager.base import Problem, find_named
from laager.base.files import Document

N = TypeVar("N")

PACKAGE = "laager.packs"


class OfNation(Protocol):
    """A file of a nation."""

    @property
    def nation(self) -> str:
        """The nation's id."""
        ...


F = TypeVar("F", bound=OfNation)


def shipped_ids(*folder: str) -> tuple[str, ...]:
    """Return the names of the YAML files in a folder of the packs, without their endings."""
    from importlib.resources import files

    names = (item.name for item in files(PACKAGE).joinpath(*folder).iterdir())
    return tuple(sorted(name[:-5] for name in names if name.endswith(".yaml")))


def group_by_nation(sources: Iterable[tuple[Document, F]]) -> dict[str, list[tuple[Document, F]]]:
    """Return files by the nation that they are of."""
    grouped: dict[str, list[tuple[Document, F]]] = {}
    for source in sources:
        grouped.setdefault(source[1].nation, []).append(source)
    return grouped


def sort_problems(problems: Iterable[Problem], documents: Iterable[Document]) -> list[Problem]:
    """Return problems in the order of the files and of their lines."""
    order = {document.name: i for i, document in enumerate(documents)}
    return sorted(problems, key=lambda p: (order.get(p.file, 0), p.line or 0, p.field))


@dataclass(frozen=True)
class Nations(Mapping[str, N], Generic[N]):
    """The nations of a catalogue by their ids, in its order."""

    nations: Mapping[str, N] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nations", MappingProxyType(dict(self.nations)))

    def __getitem__(self, nation: str) -> N:
        return self.nations[nation]

    def __iter__(self) -> Iterator[str]:
        return iter(self.nations)

    def __len__(self) -> int:
        return len(self.nations)

    def nation(self, name: str) -> N:
        """Return a nation. Raises RefusedError if it is not in the catalogue."""
        return find_named(self.nations, name, f"there is no nation {name!r}")
