"""Paper: how large it is, and how much of it can be printed on. All lengths are points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from laager.base import find_named

MARGIN_X = 31.0
"""Left and right margin."""

GUTTER = 12.0
"""Between two columns of text."""


@dataclass(frozen=True)
class Paper:
    """A size of paper, upright. `typst` is the name that Typst has for it."""

    id: str
    typst: str
    width: float
    height: float

    def room(self, *, landscape: bool, columns: int = 1) -> float:
        """Return how wide a column of text is."""
        whole = (self.height if landscape else self.width) - 2 * MARGIN_X
        return (whole - GUTTER * (columns - 1)) / columns


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {"a4": Paper("a4", "a4", 595.28, 841.89), "letter": Paper("letter", "us-letter", 612.0, 792.0)}
)


def paper_named(name: str) -> Paper:
    """Return a size of paper. Raises RefusedError if there is none of that name."""
    return find_named(PAPERS, name, f"there is no paper {name!r}", "there are")
