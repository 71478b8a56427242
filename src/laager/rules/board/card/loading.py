"""Loading a card: it reads all that the card names, and reports every problem with its file and line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from laager.base import DataError, Problem
from laager.base.files import Document
from laager.hexmap import HexMap
from laager.rules.board.card.files import CATALOGUE, recorded

T = TypeVar("T")


@dataclass(frozen=True)
class LoadedCard:
    """A card that can be played, its map, and the document that it was read from.

    `catalogue` are the catalogue files beside the card, by the names that it gives them. `warnings` say
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
        found = {"card": self.card.model_dump(mode="json", exclude_defaults=True), "map": self.map.to_data()}
        return {**found, CATALOGUE: recorded(self.catalogue)} if self.catalogue else found


@dataclass
class Attempts:
    """Reads one thing after the other and keeps the problems of each."""

    problems: list[Problem] = field(default_factory=list)

    def to(self, read: Callable[[], T]) -> T | None:
        """Return what was read; None, with the problems kept, if it can't be."""
        try:
            return read()
        except DataError as err:
            self.problems += err.problems
            return None
