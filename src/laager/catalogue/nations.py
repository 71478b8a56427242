"""Nations by their ids, of whichever kind of catalogue. Immutable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

from laager.base import Refusal, RefusedError, did_you_mean

N = TypeVar("N")


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
        try:
            return self.nations[name]
        except KeyError:
            advice = did_you_mean(name, self.nations)
            raise RefusedError(Refusal.NO_SUCH, f"there is no nation {name!r}", advice) from None
