"""An engine of LOS for one map, whichever it is: exact, where a board's terrain data are at hand, or approximate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from laager.los.result import Location, LosResult


class LosEngine(Protocol):
    """Answers for pairs of Locations of one map."""

    @property
    def version(self) -> str:
        """The engine and its version, for records."""
        ...

    @property
    def boards(self) -> Mapping[str, str]:
        """The boards that it reads, by file, each with its SHA-256."""
        ...

    def locations(self, name: str) -> tuple[Location, ...]:
        """Return the Locations of a hex from the ground up. Raises RefusedError for no such hex."""
        ...

    def compute_los(self, source: Location, target: Location) -> LosResult:
        """Return whether a Location sees another. Raises RefusedError or DataError if there is no such Location."""
        ...

    def glance(self, source: Location, target: Location, *, back: bool = False) -> tuple[bool | None, int]:
        """Return the same in short: clear or not (None: no answer), and the hindrance.

        Fast for one source in a row, or with `back` for one target in a row.
        """
        ...
