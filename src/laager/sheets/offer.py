"""An offer as the makers of forms give it: what it is called, and how it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from laager.campaign import Sheet
from laager.sheets.leaf import Leaf


@dataclass(frozen=True)
class FormOffer:
    """A form that can be printed. `name` says what it is, with `side` whose ("" for both).

    `sheets` are the record sheets on it, for those who want them as CSV or JSON. Nothing is laid
    out before `make` is called.
    """

    name: str
    title: str
    side: str
    make: Callable[[], Leaf]
    sheets: tuple[Sheet, ...] = ()

    @property
    def id(self) -> str:
        """Its name among all offers: `roster-axis`, `diary`."""
        return f"{self.name}-{self.side}" if self.side else self.name
